"""Progress of conditional moves, derived from the events of their match."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import JSONTranscoder, StoredEvent

from domain.conditional_moves import (
    ConditionalMove,
    ConditionalMoves,
    ConditionalMovesEnding,
    advance,
    cancel,
    conditional_moves_id,
    end,
    initial_progress,
    next_action,
    set_conditional_moves,
)
from domain.kernel.game import ResolvedAction
from domain.log.digests import GENESIS, chain_digest
from domain.log.ledger import Changeset, Rejection
from domain.match import ActionTaken, Terms
from domain.registry import GAMES
from domain.storage.mapper import EventMapper
from domain.storage.projector import project
from tests.command_contexts import context_at
from tests.domain.conftest import MatchBuilder

SHAPES = sorted((Path(__file__).parents[1] / "stored_shapes").glob("plan.*.json"))
MATCH = UUID(int=7)
STAMP = context_at(datetime(2026, 11, 22, 12, tzinfo=UTC), "request")


def left(seat: str, *nodes: ConditionalMove, since: int = 1) -> ConditionalMoves:
    return set_conditional_moves(None, MATCH, seat, "key", since, nodes, STAMP).state


def written_down(story: MatchBuilder, seat: str, since: int) -> tuple[ConditionalMove, ...]:
    """The plan that foresees all that others did, and does all that the seat then did."""
    nodes: list[ConditionalMove] = []
    for sealed in story.events[since:]:
        event = sealed.event
        if not isinstance(event, ActionTaken) or event.draw is not None:
            continue
        if event.seat == seat and nodes:
            said = (*nodes[-1].replies, story.rules.write_action(event.action))
            nodes[-1] = ConditionalMove(nodes[-1].parent, nodes[-1].by, nodes[-1].on, said)
        elif event.seat != seat:
            done = ResolvedAction(event.seat, event.action, event.facts, event.rulings)
            seen = story.rules.write_action(story.rules.redact(done, seat).action)
            nodes.append(ConditionalMove(len(nodes), event.seat, seen))
    return tuple(nodes)


@pytest.mark.parametrize("game", [*GAMES])
def test_a_plan_that_foresees_all_does_what_was_done(game: str) -> None:
    story = MatchBuilder(game, 3, Terms(chance="rolled")).play(40)
    since = 1 + next(n for n, each in enumerate(story.events[5:], 5) if _is_action(each))
    seat = story.match.seats[-1]
    plan = left(seat, *written_down(story, seat, since), since=since)
    standing, did = initial_progress(plan), 0
    for before, sealed in zip(story.states[since - 1 :], story.events[since:], strict=False):
        own = isinstance(sealed.event, ActionTaken) and sealed.event.seat == seat
        if own and sealed.event.draw is None and standing.answers:
            assert next_action(plan, standing, before) == story.rules.write_action(
                sealed.event.action
            )
            did += 1
        standing = advance(plan, standing, story.rules, sealed.event)
        assert standing.ending is None or standing.ending.reason in ("done", "over")
    assert did > 0


def _is_action(sealed: Any) -> bool:
    return isinstance(sealed.event, ActionTaken) and sealed.event.draw is None


def played(*actions: str, game: str = "agog") -> MatchBuilder:
    story = MatchBuilder(game)
    for text in actions:
        story.play_this(story.rules.read_action(text))
    return story


def follow(plan: ConditionalMoves, story: MatchBuilder) -> Any:
    standing = initial_progress(plan)
    for sealed in story.events[plan.since :]:
        standing = advance(plan, standing, story.rules, sealed.event)
    return standing


def test_the_first_node_that_fits_is_taken_and_any_fits_all() -> None:
    story = played("a6-b6")
    plan = left(
        "black", ConditionalMove(0, "", "f1-g1", ("c8-c7",)), ConditionalMove(0, "", "", ("h3-g3",))
    )
    standing = follow(plan, story)
    assert next_action(plan, standing, story.match) == "h3-g3"
    assert standing.answers == 2


def test_a_manual_action_continues_the_plan_if_it_matches_and_ends_it_otherwise() -> None:
    plan = left(
        "black",
        ConditionalMove(0, "", "a6-b6", ("h3-g3",)),
        ConditionalMove(1, "", "f1-g1", ("c8-c7",)),
    )
    as_planned = played("a6-b6", "h3-g3", "f1-g1")
    assert next_action(plan, follow(plan, as_planned), as_planned.match) == "c8-c7"
    assert follow(plan, played("a6-b6", "c8-c7")).ending.reason == "own-action"


def test_giving_up_as_planned_is_what_was_planned() -> None:
    plan = left("black", ConditionalMove(0, "", "a6-b6", ("resign black",)))
    assert follow(plan, played("a6-b6", "resign black")).ending.reason == "done"


def test_a_draw_is_offered_once_as_planned_and_the_plan_continues() -> None:
    declined = ConditionalMove(1, "", "draw decline", ("h9-h8",))
    plan = left("north", ConditionalMove(0, "", "", ("draw offer",)), declined)
    story = played("a1-c3", game="tokars-arcana")
    assert next_action(plan, follow(plan, story), story.match) == "draw offer"
    story = played("a1-c3", "draw offer", "draw decline", game="tokars-arcana")
    assert next_action(plan, follow(plan, story), story.match) == "h9-h8"


def test_a_plan_that_waits_does_nothing_out_of_turn() -> None:
    story = played()
    plan = left("black", ConditionalMove(0, "", "", ("h3-g3",)))
    assert next_action(plan, follow(plan, story), story.match) is None


def test_what_does_not_fit_ends_it() -> None:
    plan = left("black", ConditionalMove(0, "", "a6-b6", ("h3-g3",)))
    assert follow(plan, played("f1-g1")).ending.reason == "unforeseen"
    taken_back = played("a6-b6")
    assert taken_back.take_back(1)
    assert follow(plan, taken_back).ending.reason == "moved"


def test_a_player_that_left_the_seat_has_no_plan_there() -> None:
    story = played().seat_players()
    plan = left("black", ConditionalMove(0, "", "", ("h3-g3",)))
    assert follow(plan, story).ending.reason == "seat"


def test_a_plan_is_left_again_undone_and_ended() -> None:
    first = set_conditional_moves(
        None, MATCH, "black", "key", 1, (ConditionalMove(0, "", "", ("h3-g3",)),), STAMP
    )
    assert (
        first.state.id
        == conditional_moves_id(MATCH, "black")
        != conditional_moves_id(MATCH, "white")
    )
    gone = cancel(first.state, STAMP)
    assert isinstance(gone, Changeset)
    assert gone.state.ending is not None
    assert isinstance(cancel(gone.state, STAMP), Rejection)
    again = set_conditional_moves(gone.state, MATCH, "black", "key", 4, first.state.nodes, STAMP)
    assert (again.state.ending, again.state.since, again.state.set_at) == (None, 4, 3)
    over = end(again.state, ConditionalMovesEnding("done", "all of it has been done", 9), STAMP)
    events = (*first.events, *gone.events, *again.events, *over.events)
    mapper = EventMapper(transcoder=JSONTranscoder())
    stored = [mapper.to_domain_event(mapper.to_stored_event(each)) for each in events]
    assert project(None, stored) == over.state


@pytest.mark.parametrize("sample", SHAPES, ids=lambda path: path.stem)
def test_every_stored_shape_of_a_plan_can_still_be_read(sample: Path) -> None:
    body = sample.read_bytes().strip()
    state = b'{"digest":"%b","event":%b}' % (chain_digest(GENESIS, body).encode(), body)
    kind = sample.stem.removesuffix(".salted")
    stored = StoredEvent(MATCH, 1, kind, state)
    read = EventMapper(transcoder=JSONTranscoder()).to_domain_event(stored)
    assert read.body == body
    assert type(read.event).__struct_config__.tag == kind
