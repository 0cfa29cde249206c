"""Giving up with three seats or more: the others play on, and the last one left wins."""

from typing import Any

import pytest
from eventsourcing.persistence import JSONTranscoder
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.golem_arcana.content.packs import BANNERS
from domain.log.ledger import Rejection
from domain.log.sealed_events import SealedEvent
from domain.match import (
    Audit,
    PlayerResigned,
    Terms,
    concede,
    evolve,
    line,
    moved_ranges,
    redo,
    replay,
    resign,
    undo,
)
from domain.registry import GAMES
from domain.storage.mapper import EventMapper, read_event
from domain.storage.snapshots import read_snapshot, take_snapshot
from projections.views.transitions import Transition
from projections.views.viewer_events import render_event
from tests.domain.conftest import MatchBuilder
from tests.domain.match.test_audit import forged

MANY = [game for game in GAMES if GAMES[game].forfeit]
SEATS: dict[str, dict[int, dict[str, Any]]] = {
    "res-arcana": {3: {"players": 3}, 4: {"players": 4}},
    "golem-arcana": {
        3: {"scenario": "three-banners"},
        4: {"scenario": "crossed-errands", "pack": BANNERS},
    },
}
"""The options with which so many play."""

every_game_of_many = pytest.mark.parametrize("game", MANY)


def begun(game: str, seed: int = 1, seats: int = 3, **terms: Any) -> MatchBuilder:
    return MatchBuilder(game, seed, Terms(**terms), SEATS[game][seats]).seat_players()


def give_up(story: MatchBuilder, seat: str) -> PlayerResigned[Any]:
    number = len(story.events)
    assert story.tell(resign(story.match, seat, story.command_context, story.seeds))
    event = story.events[number].event
    assert isinstance(event, PlayerResigned)
    return event


def judged(events: list[SealedEvent[Any]]) -> list[Any]:
    audit = Audit()
    found = [finding for sealed in events for finding in audit.take(sealed)]
    return [*found, *audit.end()]


def test_a_game_that_continues_shows_who_is_out() -> None:
    assert [game for game in GAMES if GAMES[game].resigned_seats] == MANY
    assert MANY


@every_game_of_many
def test_the_others_play_on(game: str) -> None:
    story = begun(game).play(5)
    first, *others = story.match.seats
    event = give_up(story, first)
    assert event.facts
    assert event.rulings
    assert story.match.result is None
    assert story.match.out == (first,)
    story.play(30)
    assert {prompt.seat for prompt in story.match.prompts} <= {*others, *GAMES[game].entry_roles}


@every_game_of_many
def test_the_last_one_left_wins(game: str) -> None:
    story = begun(game).play(8)
    one, two, three = story.match.seats
    give_up(story, two)
    give_up(story, three)
    assert story.match.result is not None
    assert (story.match.result.winners, story.match.result.reason) == ((one,), "resign")
    assert story.match.prompts == ()


@every_game_of_many
def test_a_seat_resigns_once(game: str) -> None:
    story = begun(game)
    seat = story.match.seats[1]
    give_up(story, seat)
    again = resign(story.match, seat, story.command_context)
    assert isinstance(again, Rejection)
    assert again.reason == "SEAT_ELIMINATED"


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].resign is None])
def test_with_two_seats_it_ends_the_match(game: str) -> None:
    story = MatchBuilder(game).play(3)
    one, two = story.match.seats
    assert give_up(story, one).facts == ()
    assert story.match.result is not None
    assert story.match.result.winners == (two,)
    assert story.match.result.score == f"{two}:resign"


@every_game_of_many
def test_what_was_recorded_as_an_end_stays_one_and_is_judged_as_one(game: str) -> None:
    story = begun(game).play(4)
    one, *others = story.match.seats
    assert story.tell(concede(story.match, one, story.command_context, story.seeds))
    assert story.match.result is not None
    assert story.match.result.winners == tuple(others)
    assert judged(story.events) == []


@every_game_of_many
@pytest.mark.parametrize("chance", ["entered", "rolled"])
@pytest.mark.parametrize("seats", [3, 4])
@settings(max_examples=6)
@given(seed=st.integers(0, 10_000))
def test_each_resignation_is_stored_folded_and_judged_alike(
    game: str, chance: str, seats: int, seed: int
) -> None:
    story = begun(game, seed, seats, chance=chance)
    for seat in story.random.sample(story.match.seats, seats - 1):
        story.play(story.random.randint(0, 60))
        if story.match.result is None:
            give_up(story, seat)
    mapper = EventMapper(transcoder=JSONTranscoder())
    stored = [mapper.to_stored_event(sealed) for sealed in story.events]
    assert [mapper.to_domain_event(each) for each in stored] == story.events
    assert replay(None, [mapper.to_step(each) for each in stored]) == story.match
    folded = None
    for sealed, stood in zip(story.events, story.states, strict=True):
        folded = evolve(folded, sealed)
        assert folded == stood
    assert read_snapshot(take_snapshot(story.match, {})) == (story.match, {})
    assert judged(story.events) == []
    for sealed in story.events:
        assert read_event(sealed.body) == sealed.event


@every_game_of_many
def test_taking_it_back_asks_all_who_are_still_in(game: str) -> None:
    story = begun(game, undo="free").play(3)
    one, two, three = story.match.seats
    before = story.match
    give_up(story, two)
    assert story.take_back(before.version, one)
    proposal = story.match.proposal
    assert proposal is not None
    assert (proposal.seat, proposal.awaiting, proposal.to) == (one, (three,), before.version)
    assert story.answer(granted=True)
    assert story.match.position == before.position
    assert story.match.out == ()
    assert judged(story.events) == []


@every_game_of_many
def test_doing_it_again_brings_the_same_position(game: str) -> None:
    story = begun(game).play(3)
    before = story.match
    give_up(story, story.match.seats[2])
    gone = story.match
    assert story.take_back(before.version)
    stretches = moved_ranges(story.match, gone.version)
    moved = [story.events[version - 1] for each in stretches for version in each]
    again = redo(
        story.match, "referee", story.states[gone.version - 1], moved, story.command_context
    )
    assert story.tell(again)
    assert story.match.position == gone.position
    assert gone.version in {version for stretch in line(story.match) for version in stretch}
    assert judged(story.events) == []


@every_game_of_many
def test_all_see_the_facts_that_they_may_know(game: str) -> None:
    story = begun(game).play(20)
    before = story.match
    give_up(story, story.match.seats[0])
    for viewer in (*before.seats, "spectator", "referee"):
        seen = render_event(Transition(before, story.events[before.version], story.match), viewer)
        assert seen.action is None
        assert seen.sentence.startswith(before.seats[0].title())
        assert len(seen.facts) == len(story.events[before.version].event.facts)


def test_a_forged_fact_is_found() -> None:
    story = begun("res-arcana").play(4)
    event = give_up(story, "east")
    log = forged(story.events, event.version, facts=(*event.facts, event.facts[0]))
    assert "its facts would be different" in [finding.sentence for finding in judged(log)]


def test_a_seat_that_is_out_is_not_asked_to_consent_to_an_undo() -> None:
    story = begun("res-arcana", undo="consent").play(6)
    one, two, three = story.match.seats
    give_up(story, three)
    undone = undo(
        story.match, one, story.states[2], story.events[3:], story.command_context, story.seeds
    )
    assert story.tell(undone)
    assert story.match.proposal is not None
    assert story.match.proposal.awaiting == (two,)
