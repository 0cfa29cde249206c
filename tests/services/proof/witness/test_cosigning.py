"""The service asks each witness separately: whatever one answers, others cosign all the same."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from domain.log.merkle import Frontier, prove_consistency, root
from projections.queries.log_tree import TreeHead
from services.proof.cosignatures import Cosigner
from services.proof.published_tree import PublishedTree
from services.proof.signing import Signer
from services.proof.witness import cosigning
from services.proof.witness.cosigning import CosignatureCollector, WitnessAddress
from services.proof.witness.records import WitnessStore
from services.runtime import outbound
from services.store.read_models import ReadModelQueries
from tests.services.misbehaving_servers import SLOW_SERVERS, Serve, respond_with, run_server

LOG = Signer(bytes(32), "example.org/emeth")


class GrowingLog:
    """A log that grows on command, in place of the read models and what is published."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[int, int], bytes] = {}
        self._edge = Frontier(0, lambda level, index: self._nodes[level, index])
        self._size = 0
        self.grow()

    def grow(self) -> None:
        for level, index, found in self._edge.add(self._size.to_bytes(4)):
            self._nodes[level, index] = found
        self._size += 1

    def _node(self, level: int, index: int) -> bytes:
        return self._nodes[level, index]

    async def ask(self, query: Any) -> Any:
        sizes = query.keywords
        return prove_consistency(self._node, sizes["old"], sizes["new"])

    async def head(self) -> TreeHead:
        return TreeHead(self._size, root(self._node, self._size))


class Always:
    """A lease that is held."""

    def try_acquire(self) -> bool:
        return True


def good(cosigner: Cosigner, folder: Path) -> Serve:
    """A witness as it ought to be."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        body = await reader.readexactly(length)
        with closing(WitnessStore(folder, cosigner, [LOG.key])) as records:
            answer = records.add(body)
        raw = answer.text.encode()
        writer.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n" % (answer.status, len(raw)))
        writer.write(raw)
        await writer.drain()

    return serve


def says(status: int, body: bytes) -> Serve:
    return respond_with(
        b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body)
    )


BAD: dict[str, Serve] = {
    "a size of thousands of digits": says(409, b"9" * 5000),
    "a size of other digits": says(409, "٣".encode()),
    "a size that is none": says(409, b"-1"),
    "a size that the log never had": says(409, b"1000000"),
    "its own size twice": says(409, b"0"),
    "no signature": says(200, b""),
    "bytes that are no text": says(200, b"\xff" * 1000),
    "a signature that is no base64": says(200, "— bad ?\n".encode()),
    "a signature by a key that nobody knows": says(
        200, b"\xe2\x80\x94 bad " + b"A" * 102 + b"==\n"
    ),
    "a redirection": says(302, b""),
    "an error": says(500, b"x" * 60_000),
    "too much": says(200, b"x" * 100_000),
    **SLOW_SERVERS,
}


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 1.0)
    monkeypatch.setattr(cosigning, "PAUSE_SECONDS", 0.01)


class Asked:
    """A good witness and a bad one, who are asked about a log that grows."""

    def __init__(self, folder: Path) -> None:
        self.good = Cosigner(bytes(range(32)), "good")
        self.bad = Cosigner(bytes(range(1, 33)), "bad")
        self.folder = folder
        self.log = GrowingLog()

    async def start(self, stack: AsyncExitStack, bad: Serve) -> CosignatureCollector:
        first = await stack.enter_async_context(run_server(bad))
        second = await stack.enter_async_context(
            run_server(good(self.good, self.folder / "witness"))
        )
        witnesses = [
            WitnessAddress(key, f"http://127.0.0.1:{port}")
            for key, port in ((self.bad.key, first), (self.good.key, second))
        ]
        asked = CosignatureCollector(
            witnesses,
            cast(ReadModelQueries, self.log),
            cast(PublishedTree, self.log),
            LOG,
            self.folder,
        )
        stack.push_async_callback(asked.close)
        asked.start(Always())
        return asked

    async def cosigned(self, asked: CosignatureCollector, size: int) -> str:
        """The checkpoint of so many events, once the good witness has cosigned it."""
        return await until(
            lambda: (
                found
                if (found := asked.newest()).split("\n")[1:2] == [str(size)]
                and self.good.key.find(found)
                else ""
            )
        )


async def until(found: Callable[[], str]) -> str:
    async with asyncio.timeout(30):
        while not (answer := found()):  # noqa: ASYNC110  there is no signal
            await asyncio.sleep(0.01)
    return answer


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as opened:
        yield opened


@pytest.mark.parametrize("how", BAD)
async def test_a_bad_witness_keeps_no_other_from_cosigning(
    how: str, tmp_path: Path, stack: AsyncExitStack
) -> None:
    scene = Asked(tmp_path)
    with capture_logs() as logs:
        asked = await scene.start(stack, BAD[how])
        await scene.cosigned(asked, 1)
        scene.log.grow()
        note = await scene.cosigned(asked, 2)
        await until(lambda: "".join(str(each) for each in logs if each.get("witness") == "bad"))
    assert scene.bad.key.find(note) is None
    assert not [each for each in logs if each.get("witness") == "good"]
    assert (tmp_path / cosigning.FILE).read_text().startswith("example.org/emeth\n2\n")


async def test_a_bad_witness_is_named_and_asked_after_pauses_that_grow(
    tmp_path: Path, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cosigning, "LONGEST_PAUSE_SECONDS", 0.1)
    scene, questions = Asked(tmp_path), 0

    async def bad(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal questions
        questions += 1
        await BAD["a size of thousands of digits"](reader, writer)

    with capture_logs() as logs:
        await scene.start(stack, bad)
        await until(lambda: "enough" if questions >= 7 else "")
    failed = [each for each in logs if each["event"] == "not cosigned"][:6]
    assert {each["witness"] for each in failed} == {"bad"}
    assert {each["log_level"] for each in failed} == {"warning"}
    assert "is not a number of events" in failed[0]["why"]
    assert [each["pause"] for each in failed] == [0.02, 0.04, 0.08, 0.1, 0.1, 0.1]


async def test_a_slow_witness_delays_no_cosignature_of_another(
    tmp_path: Path, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 600.0)
    scene = Asked(tmp_path)
    asked = await scene.start(stack, SLOW_SERVERS["drips its head"])
    await scene.cosigned(asked, 1)


async def test_a_witness_that_once_reported_a_false_size_is_asked_again(
    tmp_path: Path, stack: AsyncExitStack
) -> None:
    scene, questions = Asked(tmp_path), 0
    true = good(scene.bad, tmp_path / "other")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal questions
        questions += 1
        await (BAD["a size that the log never had"] if questions == 1 else true)(reader, writer)

    asked = await scene.start(stack, serve)
    await until(
        lambda: (
            str(scene.bad.key.find(n)) if (n := asked.newest()) and scene.bad.key.find(n) else ""
        )
    )


async def test_an_internal_failure_is_logged_with_the_name_of_its_witness(
    tmp_path: Path, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Asked(tmp_path)
    find = type(scene.bad.key).find

    def fails(key: Any, note: str) -> Any:
        if key.name == "bad":
            raise ZeroDivisionError("nobody thought of it")
        return find(key, note)

    monkeypatch.setattr(type(scene.bad.key), "find", fails)
    with capture_logs() as logs:
        asked = await scene.start(stack, BAD["no signature"])
        await scene.cosigned(asked, 1)
        why = await until(lambda: "".join(each.get("why", "") for each in logs[:1]))
    assert (logs[0]["witness"], why) == ("bad", "ZeroDivisionError: nobody thought of it")
