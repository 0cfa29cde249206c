"""How a match is stored: mapping, shapes that must be readable for ever, upcasts, snapshots."""

import dataclasses
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from eventsourcing.compressor import ZlibCompressor
from eventsourcing.persistence import JSONTranscoder, MapperDeserialisationError, StoredEvent

from domain.log.digests import canonical_bytes, chain_digest
from domain.log.origin import Origin
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionEffects,
    ActionTaken,
    Changeset,
    MatchSetup,
    act,
    claim,
    create,
    leave,
    replay,
)
from domain.registry import GAMES
from domain.storage import snapshots, upcasts
from domain.storage.mapper import EventMapper, read_event
from domain.storage.projector import project
from domain.storage.snapshots import read_snapshot, take_snapshot
from tests.command_contexts import context_at

ROOT = Path(__file__).parents[3]
SHAPES = Path(__file__).parents[1] / "stored_shapes"
AGOG = GAMES["agog"]
STAMP = context_at(datetime(2026, 11, 21, 12, tzinfo=UTC), "request", Origin("test/1"))
ROLES = ("white", "black", "referee", "spectator")


def log_of_a_match() -> list[SealedEvent[Any]]:
    keys = {role: f"{role}-key" for role in ROLES}
    begun = create(MatchSetup(AGOG, AGOG.options(), "A match"), UUID(int=1), keys, STAMP)
    log, match = [*begun.events], begun.state
    for command in (
        lambda now: claim(now, "white", "Ada", "ada-key", STAMP),
        lambda now: act(now, "white", AGOG.read_action("a6-b6"), STAMP),
        lambda now: act(now, "black", AGOG.read_action("h3-g3"), STAMP),
        lambda now: leave(now, "white", STAMP),
        lambda now: act(now, "black", AGOG.read_action("resign black"), STAMP),
    ):
        changeset = command(match)
        assert isinstance(changeset, Changeset), changeset
        log += changeset.events
        match = changeset.state
    return log


def mapper(**layers: Any) -> EventMapper:
    return EventMapper(transcoder=JSONTranscoder(), **layers)


@pytest.mark.parametrize(
    "layers", [{}, {"compressor": ZlibCompressor()}], ids=["plain", "compressed"]
)
def test_a_stored_event_comes_back_as_it_was(layers: dict[str, Any]) -> None:
    writes, reads = mapper(**layers), mapper(**layers)
    for sealed in log_of_a_match():
        assert reads.to_domain_event(writes.to_stored_event(sealed)) == sealed


def test_a_subscriber_receives_stored_events_and_reads_the_rest() -> None:
    through, (sealed, *_) = mapper(), log_of_a_match()
    stored = through.to_stored_event(sealed)
    assert through.leaf(stored) == bytes.fromhex(sealed.digest)
    assert through.to_domain_event(stored) is sealed
    again = through.to_domain_event(stored)  # it was at hand once: this one is read
    assert again == sealed
    assert again is not sealed
    through.to_stored_event(sealed)
    spoiled = dataclasses.replace(stored, state=stored.state.replace(b"A match", b"B match"))
    assert through.to_domain_event(spoiled).event.title == "B match"
    foreign = dataclasses.replace(stored, topic="table.TapTaken")
    with pytest.raises(MapperDeserialisationError):
        through.to_domain_event(foreign)


def test_the_log_can_be_read_without_us() -> None:
    stored = mapper().to_stored_event(log_of_a_match()[2])
    state = msgspec.json.decode(stored.state)
    assert stored.topic == state["event"]["type"] == "match.ActionTaken"
    assert state["event"]["seat"] == "white"
    log = log_of_a_match()
    assert state["digest"] == chain_digest(log[1].digest, canonical_bytes(state["event"]))


def test_the_projector_folds_a_match_from_nothing() -> None:
    match = project(None, log_of_a_match())
    assert match is not None
    assert match.version == 6
    assert match.result is not None


@pytest.mark.parametrize(
    "layers", [{}, {"compressor": ZlibCompressor()}], ids=["plain", "compressed"]
)
def test_as_much_as_folding_needs_says_nothing_of_what_and_why(
    layers: dict[str, Any],
) -> None:
    through, log = mapper(**layers), log_of_a_match()
    steps = [through.to_step(through.to_stored_event(sealed)) for sealed in log]
    assert [step.digest for step in steps] == [sealed.digest for sealed in log]
    third = log[2].event
    assert steps[2].event == ActionEffects(3, third.at, "request", "white", third.facts)
    assert steps[0].event == log[0].event
    assert replay(None, steps) == replay(None, log)


@pytest.mark.parametrize("state", [b"", b"{}", b'{"digest":"","event":{"type":"match.Unknown"}}'])
def test_data_that_is_no_event_is_reported(state: bytes) -> None:
    stored = StoredEvent(UUID(int=1), 7, "match.ActionTaken", state)
    for read in (mapper().to_domain_event, mapper().to_step):
        with pytest.raises(MapperDeserialisationError, match="event 7 of match"):
            read(stored)


@pytest.mark.parametrize("sample", sorted(SHAPES.glob("match.*")), ids=lambda path: path.stem)
def test_every_shape_that_was_ever_stored_can_still_be_read(sample: Path) -> None:
    body = sample.read_bytes().strip()
    event = read_event(body)
    if event.__struct_config__.tag == sample.stem.split("-")[0]:
        assert canonical_bytes(event) == body


def test_there_is_a_frozen_sample_of_each_shape_stored_now() -> None:
    stored = {type(sealed.event).__struct_config__.tag for sealed in log_of_a_match()}
    assert stored <= {sample.stem.split("-")[0] for sample in SHAPES.glob("match.*.json")}


def test_an_old_shape_is_brought_up_to_date_when_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def renamed(old: dict[str, Any]) -> dict[str, Any]:
        return {**{k: v for k, v in old.items() if k != "who"}, "type": "match.SeatLeft"} | {
            "seat": old["who"]
        }

    monkeypatch.setitem(upcasts.UPCASTS, "match.SeatGivenUp", renamed)
    now = log_of_a_match()[4].event
    old = msgspec.to_builtins(now) | {"type": "match.SeatGivenUp", "who": "white"}
    del old["seat"]
    assert read_event(canonical_bytes(old)) == now
    line = b'{"digest":"ab","event":%b}' % canonical_bytes(old)
    assert mapper().to_step(StoredEvent(UUID(int=1), 5, "match.SeatGivenUp", line)).event == now


def test_a_snapshot_holds_the_match_and_its_requests() -> None:
    match = project(None, log_of_a_match()[:4])
    assert match is not None
    assert read_snapshot(take_snapshot(match, {"request": 1})) == (match, {"request": 1})


def test_a_snapshot_of_another_shape_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    match = project(None, log_of_a_match()[:4])
    assert match is not None
    taken = take_snapshot(match, {})
    monkeypatch.setattr(snapshots, "match_shape", lambda game: "another")
    assert read_snapshot(taken) is None


def test_actions_of_different_games_have_different_tags() -> None:
    assert isinstance(log_of_a_match()[2].event, ActionTaken)
    for game in GAMES.values():
        for kind in (*game.actions.__args__, *game.facts.__args__):
            assert kind.__struct_config__.tag.startswith(f"{game.slug}.")


READY = """
import msgspec
from domain.storage import mapper

usual, prepared = msgspec.json.Decoder, []

class Counted:
    def __new__(cls, *kinds, **how):
        prepared.extend(kinds)
        return usual(*kinds, **how)

    def __class_getitem__(cls, kind):
        return usual[kind]

msgspec.json.Decoder = Counted
mapper.prepare_decoders()
kinds = [msgspec.Struct]
for kind in kinds:
    kinds += kind.__subclasses__()
print([kind.__name__ for kind in kinds if not any(kind is each for each in prepared)])
"""


def test_types_of_games_that_nobody_has_used_yet_are_prepared_too() -> None:
    """Games are loaded when they are used: in a fresh process none of them is."""
    done = subprocess.run(
        [sys.executable, "-c", READY], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
