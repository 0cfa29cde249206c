"""Each seat its own way: the service rolls for one, and another enters what real dice showed."""

from typing import Any

import pytest
from eventsourcing.persistence import JSONTranscoder
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log.sealed_events import SealedEvent
from domain.match import ActionTaken, Audit, MatchCreated, SeedRevealed, Terms, replay
from domain.match.recording import as_stored
from domain.registry import GAMES
from domain.storage.mapper import EventMapper
from domain.storage.snapshots import read_snapshot, take_snapshot
from tests.domain.conftest import MatchBuilder
from tests.domain.match.test_audit import forged

WITH_CHANCE = ("earthen-war", "golem-arcana", "res-arcana")


def judged(events: list[SealedEvent[Any]]) -> list[Any]:
    audit = Audit()
    return [*(each for sealed in events for each in audit.take(sealed)), *audit.end()]


def entries(story: MatchBuilder) -> list[ActionTaken[Any, Any]]:
    events = [sealed.event for sealed in story.events]
    return [each for each in events if isinstance(each, ActionTaken) and each.entry]


def test_the_service_rolls_for_one_seat_and_the_other_enters_its_own() -> None:
    story = MatchBuilder("earthen-war", terms=Terms(seat_chance={"white": "rolled"}))
    (rolled,) = entries(story)
    assert (rolled.seat, rolled.draw) == ("white", 1)
    assert [(prompt.seat, prompt.is_chance) for prompt in story.match.prompts] == [("black", True)]
    created = story.events[0].event
    assert isinstance(created, MatchCreated)
    assert created.chance == "entered"
    assert created.commitment


def test_so_it_is_the_other_way_round() -> None:
    story = MatchBuilder("earthen-war", terms=Terms("rolled", seat_chance={"white": "entered"}))
    assert [(prompt.seat, prompt.is_chance) for prompt in story.match.prompts] == [("white", True)]


def test_what_is_as_for_the_match_is_not_said_of_a_seat() -> None:
    terms = Terms(seat_chance={"white": "entered", "black": "rolled"})
    assert MatchBuilder("earthen-war", terms=terms).match.terms.seat_chance == {"black": "rolled"}


def test_entries_of_no_seat_follow_the_match() -> None:
    everybody: Any = {"north": "rolled", "east": "rolled"}
    story = MatchBuilder("res-arcana", terms=Terms(seat_chance=everybody)).play(60)
    assert {each.seat for each in entries(story)} == {"table"}
    assert not any(each.draw for each in entries(story))
    nobody: Any = {"north": "entered", "east": "entered"}
    story = MatchBuilder("res-arcana", terms=Terms("rolled", seat_chance=nobody)).play(60)
    assert all(each.draw for each in entries(story))


@pytest.mark.parametrize("game", WITH_CHANCE)
@pytest.mark.parametrize("chance", ["entered", "rolled"])
@settings(max_examples=6)
@given(seed=st.integers(0, 10_000))
def test_whatever_happens_each_entry_is_made_as_its_seat_wants_and_verifies(
    game: str, chance: Any, seed: int
) -> None:
    other: Any = {"entered": "rolled", "rolled": "entered"}[chance]
    seat = GAMES[game].seats(GAMES[game].options())[seed % 2]
    terms = Terms(chance, undo="free", seat_chance={seat: other})
    story = MatchBuilder(game, seed, terms).seat_players().wander(14).end()
    for state in story.states:
        assert state.terms.is_rolled_for(seat) == (other == "rolled")
    for event in entries(story):
        drawn = event.draw is not None
        dealt = game == "golem-arcana" and GAMES[game].write_action(event.action).startswith(
            "quest"
        )
        assert drawn == terms.is_rolled_for(event.seat) or dealt
    assert judged(story.events) == []
    assert any(isinstance(each.event, SeedRevealed) for each in story.events)
    mapper = EventMapper(transcoder=JSONTranscoder())
    stored = [mapper.to_stored_event(sealed) for sealed in story.events]
    assert replay(None, [mapper.to_domain_event(each) for each in stored]) == story.match
    assert read_snapshot(take_snapshot(story.match, {})) == (story.match, {})


def test_who_made_an_entry_is_checked() -> None:
    story = MatchBuilder("earthen-war", 3, Terms(seat_chance={"black": "rolled"})).play(20)
    log = forged(story.events, 1, seat_chance={"white": "rolled"})
    checks = {finding.check for finding in judged(log)}
    assert "chance" in checks
    log = forged(story.events, 1, seat_chance=as_stored({"nobody": "rolled"}))
    assert any("where it is not as for the match" in each.sentence for each in judged(log))
