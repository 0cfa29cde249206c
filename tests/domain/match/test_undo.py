"""Who must consent when something is taken back, and where the line may go."""

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from domain.kernel.game import REFEREE
from domain.log.ledger import Denied
from domain.log.sealed_events import Sealed
from domain.log.stamps import Stamp
from domain.match import (
    AnyMatch,
    Decided,
    LineContinued,
    SeedRevealed,
    Setting,
    Terms,
    UndoAsked,
    UndoPolicy,
    act,
    answer_draw,
    answer_undo,
    create,
    first_of_turn,
    last_action,
    line,
    moved,
    offer_draw,
    raise_dispute,
    redo,
    resign,
    undo,
)
from domain.registry import ENTRIES, GAMES

AGOG = GAMES["agog"]
KEYS = {role: f"{role}-key" for role in ("white", "black", "referee", "spectator")}
STAMP = Stamp(datetime(2026, 11, 21, 12, tzinfo=UTC), "request")


def seeds(epoch: int) -> bytes:
    return bytes([epoch]) * 32


class Told:
    """A match and all that happened in it."""

    def __init__(self, game: str = "agog", **terms: Any) -> None:
        rules = GAMES[game]
        created = create(
            Setting(rules, rules.options(), terms=Terms(**terms)),
            UUID(int=1),
            KEYS,
            STAMP,
            seeds=seeds,
        )
        self.events: list[Sealed[Any]] = [*created.events]
        self.stood: list[AnyMatch] = [*created.states]

    @property
    def match(self) -> AnyMatch:
        return self.stood[-1]

    def tell(self, outcome: Any) -> Decided[AnyMatch]:
        assert isinstance(outcome, Decided), outcome
        self.events += outcome.events
        self.stood += outcome.states
        return outcome

    def play(self, *texts: str) -> "Told":
        for text in texts:
            seat = self.match.asks[0].seat
            self.tell(act(self.match, seat, AGOG.read_action(text), STAMP, seeds))
        return self

    def undo(self, seat: str, to: int, go: Any = undo) -> Any:
        told = [self.events[v - 1] for each in moved(self.match, to) for v in each]
        return go(self.match, seat, self.stood[to - 1], told, STAMP, seeds)

    def answer(self, seat: str, granted: bool = True) -> Any:
        def recall(version: int) -> Any:
            return self.stood[version - 1].position

        return answer_undo(self.match, seat, granted, STAMP, recall, seeds)

    def backwards(self) -> Iterator[Any]:
        for stretch in reversed(line(self.match)):
            for version in reversed(stretch):
                yield self.events[version - 1].event


def asked(outcome: Any) -> tuple[str, ...]:
    """Who is asked; nobody if the line has moved."""
    assert isinstance(outcome, Decided), outcome
    event = outcome.events[0].event
    assert isinstance(event, UndoAsked | LineContinued)
    return event.awaiting if isinstance(event, UndoAsked) else ()


@pytest.mark.parametrize(
    ("policy", "own", "after_another"),
    [
        ("free", (), ("black",)),
        ("consent", ("black",), ("black",)),
        ("referee", (REFEREE,), (REFEREE,)),
    ],
)
def test_who_is_asked_follows_from_the_policy(
    policy: UndoPolicy, own: tuple[str, ...], after_another: tuple[str, ...]
) -> None:
    told = Told(undo=policy).play("a6-b6")
    assert asked(told.undo("white", 1)) == own
    assert asked(told.play("h3-g3").undo("white", 1)) == after_another
    assert asked(told.undo(REFEREE, 1)) == ()


@pytest.fixture
def secretive(monkeypatch: pytest.MonkeyPatch) -> None:
    """A.G.O.G., as if something were hidden in it, and white's moves showed it."""

    def reveals(fact: Any) -> bool:
        return getattr(fact, "seat", "") == "black"

    hidden = dataclasses.replace(AGOG, veil=lambda happening, viewer: happening, reveals=reveals)
    monkeypatch.setitem(ENTRIES, "agog", hidden)


def test_what_was_hidden_and_shown_is_not_undone_without_consent(secretive: None) -> None:
    told = Told(undo="free").play("a6-b6")
    outcome = told.undo("white", 1)
    assert asked(outcome) == ("black",)
    assert outcome.events[0].event.revealed == (2,)
    assert outcome.state.pending.revealed == (2,)
    told.play("h3-g3")
    assert asked(told.undo("black", 2)) == (), "black's own move showed nothing"


def test_a_roll_is_not_undone_without_consent() -> None:
    told = Told("earthen-war", undo="free", chance="rolled")
    rolls = [each.event.version for each in told.events if getattr(each.event, "draw", None)]
    outcome = told.undo("white", 1)
    assert asked(outcome) == ("black",)
    assert outcome.events[0].event.rolled == tuple(rolls)


def test_a_roll_that_was_undone_is_made_again_at_once_with_a_new_number() -> None:
    told = Told("earthen-war", chance="rolled")
    before = told.match.draws
    outcome = told.tell(told.undo(REFEREE, 1))
    assert not any(ask.chance for ask in told.match.asks)
    assert [each.event.draw for each in outcome.events[1:]] == [
        *range(before + 1, told.match.draws + 1)
    ]


def test_a_seed_that_was_revealed_is_not_undone_without_consent_and_never_used_again() -> None:
    told = Told("earthen-war", undo="free", chance="rolled")
    told.tell(resign(told.match, "white", STAMP, seeds))
    assert isinstance(told.events[-1].event, SeedRevealed)
    following = told.events[-1].event.following
    assert asked(told.undo("white", told.match.version - 2)) == ("black",)
    told.tell(told.undo("white", 1))
    told.tell(told.answer("black"))
    assert told.match.result is None
    assert (told.match.affairs.epoch, told.match.affairs.commitment) == (1, following)
    again = told.tell(told.undo(REFEREE, told.match.version - 1))
    assert not isinstance(again.events[-1].event, SeedRevealed)


def test_an_end_that_the_players_made_is_no_place_to_go_back_to() -> None:
    told = Told("earthen-war", chance="rolled")
    told.tell(resign(told.match, "white", STAMP, seeds))
    ended = told.match.version - 1
    refused = told.undo("white", ended)
    assert isinstance(refused, Denied)
    assert refused.reason == "NOTHING_TO_UNDO"
    told.tell(told.undo(REFEREE, ended - 1))
    refused = told.undo(REFEREE, ended, redo)
    assert isinstance(refused, Denied)
    assert refused.reason == "NOT_PLAYABLE"


def test_giving_up_is_not_taken_back_for_nothing() -> None:
    told = Told(undo="free").play("a6-b6", "h3-g3")
    told.tell(resign(told.match, "white", STAMP))
    assert asked(told.undo("white", 3)) == ("black",)


def test_while_a_dispute_pauses_the_match_only_the_referee_takes_back() -> None:
    told = Told(undo="free", pause=True).play("a6-b6")
    told.tell(told.undo("white", 1))
    told.play("a6-b6", "h3-g3")
    told.tell(told.undo("white", 3))
    told.tell(raise_dispute(told.match, "white", 2, "why?", STAMP))
    for outcome in (told.undo("black", 3), told.answer("black")):
        assert isinstance(outcome, Denied)
        assert outcome.reason in ("MATCH_PAUSED", "REQUEST_PENDING")
    assert asked(told.undo(REFEREE, 3)) == ()
    assert isinstance(told.answer(REFEREE), Decided)


def test_all_opponents_must_consent_and_one_may_refuse() -> None:
    told = Told().play("a6-b6")
    told.tell(told.undo("white", 1))
    refused = told.answer("black", granted=False)
    assert len(refused.events) == 1
    assert refused.state.pending is None
    granted = told.answer("black")
    assert [type(each.event).__name__ for each in granted.events] == [
        "UndoAnswered",
        "LineContinued",
    ]
    assert granted.state.position == told.stood[0].position


def test_an_offer_of_a_draw_is_no_undo() -> None:
    told = Told("earthen-war", chance="rolled")
    told.tell(offer_draw(told.match, "white", STAMP, seeds))
    outcome = told.answer("black")
    assert isinstance(outcome, Denied)
    assert outcome.reason == "NO_REQUEST"
    assert isinstance(answer_draw(told.match, "black", True, STAMP, seeds), Decided)


def test_a_redo_asks_for_what_it_leaves_and_for_what_it_takes_up() -> None:
    told = Told(undo="free").play("a6-b6", "h3-g3")
    told.tell(told.undo(REFEREE, 1))
    assert asked(told.undo("white", 2, redo)) == ("black",), "the referee's undo is not white's"
    told = Told(undo="free").play("a6-b6")
    told.tell(told.undo("white", 1))
    assert asked(told.undo("white", 2, redo)) == ()
    told.play("b5-c5")
    assert asked(told.undo("white", 2, redo)) == ()
    told.play("h3-g3")
    assert asked(told.undo("white", 2, redo)) == ("black",)


def test_the_last_action_and_the_turn_of_a_seat_are_found_on_the_line() -> None:
    told = Told().play("a6-b6", "h3-g3", "f1-g1")
    assert last_action("white", told.backwards()) == 4
    assert last_action("black", told.backwards()) == 3
    assert first_of_turn(told.match, "black", told.backwards(), whole=True) == 3
    told.tell(told.undo(REFEREE, 2))
    assert last_action("white", told.backwards()) == 2
    assert last_action("black", told.backwards()) is None
    few = [*told.backwards()][:1]
    assert first_of_turn(told.match, "white", few, whole=False) is None
    assert first_of_turn(told.match, "white", told.backwards(), whole=True) == 2
