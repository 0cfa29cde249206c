"""Nobody finds by trying what an event hides: the law of every leaf of the public tree.

A leaf is the digest of an event, and everybody may read it from `/tlog/`. So every event that is
recorded has 128 secret bits in it, which only those are given who may see the whole event. The
attacker here has each event except for one hidden part and its salt, and tries to match a leaf.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple
from unittest.mock import patch
from uuid import UUID, uuid4

import msgspec
import pytest
from eventsourcing.persistence import JSONTranscoder, StoredEvent
from google.protobuf.message import Message
from msgspec.structs import asdict
from pyqwest import Client as Http

from domain.games.res_arcana.packs import BASE
from domain.log.digests import GENESIS, canonical_bytes, chain_digest
from domain.log.ledger import Ledger
from domain.log.origin import SALT_BYTES, CommandContext
from domain.log.sealed_events import SealedEvent
from domain.registry import GAMES
from domain.storage.mapper import EventMapper
from domain.storage.topics import TOPICS
from services.client import Client
from services.runtime.settings import Settings
from services.wire.emeth.v1 import conditional_moves_pb2
from tests.command_contexts import context_at
from tests.secrets.answers import InProcessCaller
from tests.secrets.viewer_requests import Side, ViewerContext, read
from tests.services.accounts.conftest import open_site
from tests.services.conftest import GatewayConnection, GatewaySetup, create_match, set_up_gateway
from tests.services.devices.test_gateway_responses import next_code

SHAPES: Final = Path(__file__).parent / "domain/stored_shapes"
RETIRED: Final = frozenset(
    {"table.ScanTaken", "table.BoardCorrected", "table.MatchAwaited", "table.WaitEnded"}
)
"""Topics of earlier versions, of which nothing is recorded any more."""


# --- by construction -----------------------------------------------------------------------------


class AnyLedger(Ledger[Any]):
    """Records events of any type, and folds none."""

    kind: ClassVar[str]

    def _evolve(self, before: Any, sealed: SealedEvent[Any]) -> Any:
        return None


def sample(topic: str) -> Any:
    """An event of this topic, as an earlier version stored it."""
    path = next(iter(sorted(SHAPES.glob(f"{topic}[.-]*json"))))
    stored = StoredEvent(uuid4(), 1, topic, b'{"digest":"","event":%b}' % path.read_bytes())
    return EventMapper(transcoder=JSONTranscoder()).to_domain_event(stored).event


@pytest.mark.parametrize("topic", sorted(TOPICS.keys() - RETIRED))
def test_every_type_of_events_is_recorded_with_128_secret_bits(topic: str) -> None:
    event = sample(topic)
    fields = asdict(event)
    for known in ("version", "at", "request", "salt"):
        del fields[known]
    AnyLedger.kind = topic.partition(".")[0]
    del fields[AnyLedger.kind]
    now = datetime(2026, 11, 24, tzinfo=UTC)
    bodies = set()
    for secret in (b"one secret of 128", b"another such secret"):
        ledger = AnyLedger(None, UUID(int=7), context_at(now, "request", salt=secret))
        sealed = ledger.record(type(event), **fields)
        salt = sealed.event.salt
        assert re.fullmatch(f"[0-9a-f]{{{2 * SALT_BYTES}}}", salt)
        assert salt.encode() in sealed.body
        bodies.add(sealed.body)
    assert len(bodies) == 2, "the digest depends on the secret"


def every_ledger(kind: Any = Ledger) -> Iterator[Any]:
    for each in kind.__subclasses__():
        yield each
        yield from every_ledger(each)


def test_every_ledger_records_in_the_one_place_that_salts() -> None:
    ours = [each for each in every_ledger() if each.__module__.startswith("domain.")]
    assert {each.kind for each in ours} == {topic.partition(".")[0] for topic in TOPICS}
    assert not [each for each in ours if each.record is not Ledger.record]


# --- an attacker who hashes ----------------------------------------------------------------------


class Attacker:
    """Knows the leaves of the tree, and which salts there are of events that it may see."""

    def __init__(self, leaves: Iterable[bytes], salts: Iterable[str] = ()) -> None:
        self._leaves = {*leaves}
        self._salts = ("", "0" * 32, "0" * 64, *salts)

    def finds(self, previous: str, candidates: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
        """The event among these whose digest is a leaf, after a known one."""
        for candidate in candidates:
            bare = {name: value for name, value in candidate.items() if name != "salt"}
            for salt in (None, *self._salts):
                body = canonical_bytes(bare if salt is None else bare | {"salt": salt})
                if bytes.fromhex(chain_digest(previous, body)) in self._leaves:
                    return bare
        return None


class StoredLeaf(NamedTuple):
    """An event as it lies in the log."""

    previous: str
    """The digest of the event before it, of the same aggregate."""
    digest: str
    event: dict[str, Any]


def stored(service: InProcessCaller) -> list[StoredLeaf]:
    """All events of the log, in its order."""
    log, last, found = service._log, dict[UUID, str](), []
    for row in log.recorder.select_notifications(1, 100_000):
        digest, body = log.mapper.link(row)
        previous = last.get(row.originator_id, GENESIS)
        found.append(StoredLeaf(previous, digest, msgspec.json.decode(body)))
        last[row.originator_id] = digest
    return found


async def leaves(service: InProcessCaller, client: Client) -> list[bytes]:
    """All leaves, as strangers read them."""
    size = int((await client.get_checkpoint()).checkpoint.splitlines()[1])
    raw = b""
    for index in range(-(-size // 256)):
        width = min(256, size - 256 * index)
        part = "" if width == 256 else f".p/{width}"
        path = f"{service.http_address}/tlog/tile/entries/{index:03}{part}"
        found = await Http().get(path)
        assert found.status == 200, path
        raw += found.content
    return [raw[at + 2 : at + 34] for at in range(0, len(raw), 34)]


class PlayedService(NamedTuple):
    """A service in which something of every kind is hidden."""

    service: InProcessCaller
    shop: GatewaySetup
    """A table at which North chooses a mage of Res Arcana by taps."""
    mage: str
    """The one that was tapped."""


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[InProcessCaller]:
    data = str(tmp_path / "data")
    with patch("services.proof.published_tree.PUBLISH_SECONDS", 0.0):
        async with InProcessCaller(
            Settings(data=data, listen="127.0.0.1:0", drain_seconds=1)
        ) as running:
            yield running


async def play_all_kinds(service: InProcessCaller, client: Client) -> PlayedService:
    """Play so that events of every kind of aggregate are in the log."""
    shop = await set_up_gateway(service, "res-arcana", ["north"])
    async with GatewayConnection(service, shop) as line:
        taps: list[str] = []
        while not (taps and line.prompt.events):
            taps.append(next_code(line.prompt))
            await line.tap(taps[-1])
    kind, _, mage = taps[0].partition(" ")
    assert kind == "piece"
    planned = await create_match(client)
    node = conditional_moves_pb2.ConditionalMove(trigger_action="a6-b6", responses=["h3-g3"])
    await client.set_conditional_moves(planned.tokens["black"], planned.id, moves=[node])
    lions = {"faction": "gudanna", "golems": [{"type": "sand-lion"}]}
    await client.create_army(army={"game": "golem-arcana", "name": "Secret lions", "roster": lions})
    site = await open_site(service)
    async with site.client:
        await site.introduce("a", "Ada")
    assert service._runner is not None
    assert await asyncio.to_thread(service._runner.catch_up, 30.0)
    return PlayedService(service, shop, mage)


def replaced(event: dict[str, Any], field: str, values: Iterable[Any]) -> list[dict[str, Any]]:
    """The event with each of these in place of what it has."""
    return [event | {field: value} for value in values]


def secrets_of(found: PlayedService) -> dict[str, tuple[StoredLeaf, list[dict[str, Any]]]]:
    """Of each secret the event that has it, and what it could be, with all else as it is."""
    log = stored(found.service)
    tap = next(
        each
        for each in log
        if each.event["type"] == "table.TapTaken"
        and each.event.get("target") == f"piece {found.mage}"
    )
    mages = [card.id for card in BASE.mages.values()]
    event_text = msgspec.json.encode(tap.event).decode()
    taps = [msgspec.json.decode(re.sub(rf"\b{found.mage}\b", mage, event_text)) for mage in mages]
    plan = next(each for each in log if each.event["type"] == "plan.PlanSet")
    (node,) = plan.event["nodes"]
    replies = [[node | {"replies": [reply]}] for reply in ("c8-c7", "h3-g3", "b5-c5")]
    army = next(each for each in log if each.event["type"] == "army.Saved")
    golems = ["sand-lion", "charred-demon", "basalt-regent"]
    contents = [{"faction": "gudanna", "golems": [{"type": golem}]} for golem in golems]
    return {
        "the mage that was tapped": (tap, taps),
        "what a plan does": (plan, replaced(plan.event, "nodes", replies)),
        "what an army is of": (army, replaced(army.event, "content", contents)),
    }


async def test_no_hidden_choice_is_found_by_trying(service: InProcessCaller) -> None:
    async with Client(service.address) as client:
        found = await play_all_kinds(service, client)
        attacker = Attacker(await leaves(service, client))
        for secret, (leaf, candidates) in secrets_of(found).items():
            assert len(candidates) > 2
            assert attacker.finds(leaf.previous, candidates) is None, secret


async def test_the_attacker_finds_each_of_them_if_its_salt_is_left_away(
    service: InProcessCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CommandContext, "event_salt", lambda *_: "")
    async with Client(service.address) as client:
        found = await play_all_kinds(service, client)
        attacker = Attacker(await leaves(service, client))
        for secret, (leaf, candidates) in secrets_of(found).items():
            assert attacker.finds(leaf.previous, candidates) == leaf.event, secret


async def test_who_knows_an_event_and_the_salts_of_all_others_does_not_find_its_own(
    service: InProcessCaller,
) -> None:
    """No event, of any kind, has a salt that another one has or that is not secret."""
    async with Client(service.address) as client:
        await play_all_kinds(service, client)
        public = await leaves(service, client)
        log = stored(service)
        assert [bytes.fromhex(leaf.digest) for leaf in log] == public
        assert {leaf.event["type"].partition(".")[0] for leaf in log} == {
            topic.partition(".")[0] for topic in TOPICS
        }
        salts = [leaf.event["salt"] for leaf in log]
        assert len({*salts}) == len(log)
        for number, leaf in enumerate(log):
            others = Attacker(public, salts[:number] + salts[number + 1 :])
            assert others.finds(leaf.previous, [leaf.event]) is None, leaf.event["type"]
            assert Attacker(public, salts).finds(leaf.previous, [leaf.event]), "all else is known"


# --- reports of findings -------------------------------------------------------------------------


async def test_no_answer_has_a_salt_in_it(service: InProcessCaller) -> None:
    """Of a game that hides anything, the referee alone is given salts, with the whole events."""
    async with Client(service.address) as client:
        found = await play_all_kinds(service, client)
        match = await client.match(found.shop.match, token=found.shop.tokens["spectator"])
        salts = [leaf.event["salt"] for leaf in stored(service)]
    side = Side(service, match, found.shop.tokens)
    given: dict[str, set[str]] = {}
    for viewer in side.tokens:
        look = ViewerContext(GAMES["res-arcana"], viewer, ("north", "east"))
        for (rpc, _), answer in await read(side, look):
            for message in answer:
                raw = message.SerializeToString() if isinstance(message, Message) else message
                text = raw if isinstance(raw, str) else raw.decode(errors="replace")
                if any(salt in text for salt in salts):
                    given.setdefault(viewer, set()).add(rpc)
    assert given == {"referee": {"ExportMatch"}}
