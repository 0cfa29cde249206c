"""Gateways that are tried out from afar, and recordings of them: what is right passes, and whatever
is spoilt in it is found."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.cli.gateway_recordings import Entry, read, write
from services.cli.gateway_rules import OPTIONAL, RULES, judge
from services.client import reference_gateway
from tests.services.cli.conftest import Emeth

PROGRAM = (sys.executable, "-m", reference_gateway.__name__)
CERTIFY = (sys.executable, "-m", "services.cli", "gateway", "certify", "127.0.0.1:0")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, int]:
    """The reference gateway as it is tried out from afar: the recording, what was printed, and the
    exit code."""
    folder = tmp_path_factory.mktemp("afar")
    return asyncio.run(tried_out(folder))


async def tried_out(folder: Path) -> tuple[Path, str, int]:
    record, pipe = folder / "said.jsonl", asyncio.subprocess.PIPE
    trial = await asyncio.create_subprocess_exec(
        *CERTIFY, "--record", str(record), "--wait", "60", stdout=pipe
    )
    told, printed = {"JOURNAL": str(folder / "journal")}, []
    gateway: asyncio.subprocess.Process | None = None
    assert trial.stdout is not None
    try:
        async for raw in trial.stdout:
            line = raw.decode()
            printed.append(line)
            word, _, rest = line.strip().partition(" ")
            if word in ("ADDRESS", "KEY", "STYLUS"):
                told[word] = rest
            elif word == "CONNECT":
                environment = {
                    **os.environ,
                    "EMETH_ADDRESS": told["ADDRESS"],
                    "EMETH_GATEWAY_KEY": told["KEY"],
                    "EMETH_JOURNAL": told["JOURNAL"],
                }
                gateway = await asyncio.create_subprocess_exec(
                    *PROGRAM, stdin=pipe, stdout=asyncio.subprocess.DEVNULL, env=environment
                )
            elif word == "TAP":
                assert gateway is not None
                assert gateway.stdin is not None
                for _ in range(int(rest.partition(":")[0])):
                    tap = {"stylus": told["STYLUS"], "code": "space a6"}
                    gateway.stdin.write(json.dumps(tap).encode() + b"\n")
                    await gateway.stdin.drain()
        return record, "".join(printed), await trial.wait()
    finally:
        for program in (gateway, trial):
            if program is not None:
                with suppress(ProcessLookupError):
                    program.kill()
                await program.wait()


def test_the_reference_passes_from_afar(said: tuple[Path, str, int]) -> None:
    _, printed, code = said
    assert code == 0, printed
    assert printed.endswith(f"{len(RULES)} trials, 0 failed, {len(OPTIONAL)} not tried\n")


def test_its_recording_passes_too_and_has_no_key(said: tuple[Path, str, int], emeth: Emeth) -> None:
    record, printed, _ = said
    judged = emeth("gateway", "certify", record)
    assert judged.exit_code == 0, judged.output
    told = f"{len(RULES)} trials, 0 failed, {len(OPTIONAL)} not tried\n"
    assert judged.output.endswith(told)
    secret = next(line for line in printed.splitlines() if line.startswith("KEY ")).rpartition(".")
    assert secret[2]
    assert secret[2] not in record.read_text()


def silent_after(kind: str) -> Callable[[list[Entry]], Iterator[Entry]]:
    """The recording as if the gateway had said nothing more once it was told this."""

    def spoilt(entries: list[Entry]) -> Iterator[Entry]:
        for each in entries:
            yield each
            if (each.what, each.kind) == ("told", kind):
                yield replace(each, at_ms=each.at_ms + 60_000, kind="later", message={})
                return

    return spoilt


def changed(kind: str, number: int, **fields: object) -> Callable[[list[Entry]], Iterator[Entry]]:
    """The recording as if one of the messages that the gateway sent, from 0, had been another."""

    def spoilt(entries: list[Entry]) -> Iterator[Entry]:
        at = -1
        for each in entries:
            at += (each.what, each.kind) == ("sent", kind)
            hit = (each.what, each.kind) == ("sent", kind) and at == number
            yield replace(each, message={**each.message, **fields}) if hit else each

    return spoilt


def once_only(entries: list[Entry]) -> Iterator[Entry]:
    """It sends nothing again, but waits for an answer."""
    seen = set()
    for each in entries:
        if each.what == "sent" and each.seq in seen:
            yield replace(each, at_ms=each.at_ms + 60_000, what="told", kind="later", message={})
            return
        seen.add(each.seq or None)
        yield each


def leaves(entries: list[Entry]) -> Iterator[Entry]:
    """It hangs up when it is asked to wait."""
    for each in entries:
        yield each
        if each.kind == "throttled":
            yield replace(each, what="ended", kind="", message={})


def stays_away(entries: list[Entry]) -> Iterator[Entry]:
    """It does not come back after the first line."""
    first = [each for each in entries if each.line == 1]
    yield from first
    yield replace(first[-1], at_ms=first[-1].at_ms + 60_000, what="told", kind="later", message={})


def hasty(entries: list[Entry]) -> Iterator[Entry]:
    """It taps before it is welcomed."""
    tap = next(each for each in entries if each.kind == "tap")
    for each in entries:
        yield each
        if each.kind == "hello" and each.line == 1:
            yield replace(tap, at_ms=each.at_ms)


def forgets(entries: list[Entry]) -> Iterator[Entry]:
    """It begins another epoch after the line was cut."""
    for each in entries:
        other = each.line == 2 and each.kind == "hello"
        yield replace(each, message={**each.message, "epoch": "new"}) if other else each


def comes_back(entries: list[Entry]) -> Iterator[Entry]:
    """It comes back with the epoch that it was told is closed."""
    epoch = next(each.message["epoch"] for each in entries if each.kind == "hello")
    last = max(each.line for each in entries)
    for each in entries:
        other = each.line == last and each.kind == "hello"
        yield replace(each, message={**each.message, "epoch": epoch}) if other else each


def also_sent(kind: str, **message: object) -> Callable[[list[Entry]], Iterator[Entry]]:
    """The recording as if the gateway had sent this too."""

    def spoilt(entries: list[Entry]) -> Iterator[Entry]:
        yield from entries
        yield replace(entries[-1], what="sent", kind=kind, message=message)

    return spoilt


SPOILT = {
    "hello": changed("hello", 0, software="x" * 81),
    "waits": hasty,
    "numbers": changed("tap", 1, seq="7"),
    "prompts": changed("tap", 0, prompt="4711"),
    "again": once_only,
    "gap": silent_after("gap"),
    "returns": stays_away,
    "keeps": forgets,
    "closed": comes_back,
    "reports": silent_after("command"),
    "later": leaves,
    "journals": also_sent("journal", entries=[{"tap": {"seq": "2"}}, {"tap": {"seq": "1"}}]),
    "boards": also_sent("scan", seq="9", spaces=[{"space": "a6", "signs": ["*"] * 17}]),
}


@pytest.mark.parametrize("name", RULES)
def test_what_breaks_a_rule_is_found(name: str, said: tuple[Path, str, int]) -> None:
    entries = read(said[0])
    found = {each.trial: each for each in judge(list(SPOILT[name](entries)))}
    assert found[name].failed, name


def test_what_was_sent_just_before_a_gap_was_told_is_no_answer_to_it(
    said: tuple[Path, str, int],
) -> None:
    entries = list(silent_after("gap")(read(said[0])))
    told = next(at for at, each in enumerate(entries) if (each.what, each.kind) == ("told", "gap"))
    missed = entries[told].message["expected"]
    sent = next(each for each in entries if each.what == "sent" and str(each.seq) == str(missed))
    entries[told] = replace(entries[told], at_ms=sent.at_ms)
    found = {each.trial: each for each in judge(entries)}
    assert found["gap"].failed


def test_the_entries_of_a_journal_are_judged_as_if_each_came_alone(
    said: tuple[Path, str, int],
) -> None:
    """Taps that came alone may come together: no rule is broken, and the new one has its say."""
    entries = read(said[0])
    taps = [{"tap": each.message} for each in entries if (each.what, each.kind) == ("sent", "tap")]
    first = next(at for at, each in enumerate(entries) if each.kind == "tap")
    joined = [*entries]
    joined[first : first + 1] = [
        replace(entries[first], kind="journal", message={"entries": taps[:1]})
    ]
    found = {each.trial: each for each in judge(joined)}
    assert not any(each.failed for each in found.values())
    assert found["journals"].tried
    wrong = replace(joined[first], message={"entries": [{"tap": {**taps[0]["tap"], "seq": "7"}}]})
    assert {
        each.trial for each in judge([*joined[:first], wrong, *joined[first + 1 :]]) if each.failed
    } >= {"numbers"}


@pytest.mark.parametrize(
    "line",
    [
        b'{"at_ms": 1, "line": 1, "what": "sung"}',
        b'{"at_ms": 1, "line": 1, "what": "sent", "kind": "\xff"}',
        b'{"at_ms": 1, "line": 1, "what": "sent", "kind": "tap", "message": {"seq": "one"}}',
        b'{"at_ms": 1, "line": 1, "what": "told", "kind": "prompt", "message": {"prompt": []}}',
        b'{"at_ms": 1, "line": 1, "what": "sent", "message": ' + b'{"x": [' * 20_000,
    ],
    ids=["word", "text", "number", "list", "deep"],
)
def test_what_is_no_recording_is_told(emeth: Emeth, tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "said.jsonl"
    file.write_bytes(line + b"\n")
    wrong = emeth("gateway", "certify", file)
    assert (wrong.exit_code, "line 1" in wrong.output) == (2, True), wrong.output


def test_a_rule_that_had_no_occasion_is_not_tried(emeth: Emeth, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    write(file, [Entry(1, 1, "opened")])
    judged = emeth("gateway", "certify", file, "--only", "gap")
    assert (judged.exit_code, judged.output.splitlines()[-1]) == (
        0,
        "1 trials, 0 failed, 1 not tried",
    )


def test_nobody_who_comes_is_told(tmp_path: Path) -> None:
    alone = subprocess.run(
        [*CERTIFY, "--wait", "1"], capture_output=True, text=True, timeout=60, check=False
    )
    assert alone.returncode == 1
    assert "it did not connect within 1 seconds" in alone.stdout
