"""A match that begins when it is full: its seats are taken by codes, nothing is drawn before the
last player has come, and nobody sees more or has better luck for having made it."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.kernel.game import REFEREE, SPECTATOR
from domain.log.ledger import Rejection
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionTaken,
    AnyMatch,
    Audit,
    Changeset,
    LineContinued,
    MatchSetup,
    MatchStarted,
    MoveTime,
    RefereeSeated,
    SeatClaim,
    SeatClaimed,
    SeedRevealed,
    Terms,
    UndoRequested,
    Verdict,
    act,
    assign_referee,
    can_claim_any_seat,
    claim,
    code_digest,
    create,
    creator_seat_rejection,
    invitation_role,
    invite_referee,
    is_expectation_current,
    leave,
    moved_ranges,
    raise_dispute,
    redo,
    referee_seats,
    resign,
    respond_to_undo,
    revert,
    role_of,
    seat_for,
    token_roles,
    undo,
)
from domain.registry import GAMES
from tests.command_contexts import context_at

STAMP = context_at(datetime(2026, 11, 22, tzinfo=UTC), "request")
WAITS = Terms("rolled", begins="when-full", referee="nobody")
every_game = pytest.mark.parametrize("slug", GAMES)


class Told:
    """A match, and all that happened to it."""

    def __init__(self, slug: str, terms: Terms = WAITS, **sits: Any) -> None:
        self.game = GAMES[slug]
        self.events: list[SealedEvent[Any]] = []
        self.states: list[AnyMatch] = []
        options: Any = msgspec.convert({}, self.game.options)
        keys = {role: f"{role}-code" for role in token_roles(self.game, options, terms)}
        setting = MatchSetup(self.game, options, "A table", terms=terms, **sits)
        self.take(create(setting, UUID(int=7), keys, STAMP, self.seeds))

    @property
    def match(self) -> AnyMatch:
        return self.states[-1]

    def seeds(self, epoch: int) -> bytes:
        return bytes([epoch]) * 32

    def version_lookup(self, version: int) -> Any:
        return self.states[version - 1]

    def take(self, outcome: Any) -> list[Any]:
        assert isinstance(outcome, Changeset), outcome
        self.events += outcome.events
        self.states += outcome.states
        return [each.event for each in outcome.events]

    def sit(self, seat: str, luck: str = "") -> list[Any]:
        sits = (seat, f"Player {seat}", f"{seat}-key", STAMP, luck)
        return self.take(claim(self.match, *sits, seeds=self.seeds))

    def fill(self, luck: str = "luck") -> list[Any]:
        told: list[Any] = []
        for seat in self.match.seats:
            if seat not in self.match.holders:
                told += self.sit(seat, luck)
        return told

    def play(self, actions: int) -> None:
        for _ in range(actions):
            prompt = self.match.prompts[0]
            legal = self.game.legal(self.match.position, prompt.seat)
            action = next(each for each in legal if not self.game.is_administrative(each))
            self.take(act(self.match, prompt.seat, action, STAMP, self.seeds))

    def go_back(self, seat: str, to: int) -> Any:
        left = [self.events[v - 1] for each in moved_ranges(self.match, to) for v in each]
        return undo(self.match, seat, self.states[to - 1], left, STAMP, self.seeds)

    def found(self) -> list[Any]:
        audit = Audit()
        return [*(f for each in self.events for f in audit.take(each)), *audit.end()]


@every_game
def test_nothing_is_drawn_and_nobody_is_asked_until_the_last_seat_is_taken(slug: str) -> None:
    told = Told(slug)
    assert len(told.events) == 1
    *others, last = told.match.seats
    for seat in others:
        assert [type(each) for each in told.sit(seat, f"luck of {seat}")] == [SeatClaimed]
        assert (told.match.status, told.match.prompts, told.match.draws) == ("waiting", (), 0)
    claimed, began, *drawn = told.sit(last, "luck of the last")
    assert (type(claimed), type(began)) == (SeatClaimed, MatchStarted)
    assert [each.draw for each in drawn] == [*range(1, len(drawn) + 1)]
    assert told.match.status == "active"
    assert len(told.match.details.entropy) == len(told.match.seats)
    assert not any(prompt.is_chance for prompt in told.match.prompts)
    told.play(3)
    assert told.found() == []


@pytest.mark.parametrize("slug", ["earthen-war", "res-arcana"])
def test_the_share_of_the_last_player_changes_what_is_drawn(slug: str) -> None:
    tables = [Told(slug) for _ in range(12)]
    positions = set()
    for number, told in enumerate(tables):
        *others, last = told.match.seats
        for seat in others:
            told.sit(seat, "the same")
        told.sit(last, f"luck {number}")
        positions.add(told.game.write_position(told.match.position))
    assert len(positions) > 1


@every_game
def test_what_waits_for_players_takes_nothing_else(slug: str) -> None:
    told = Told(slug)
    seat = told.match.seats[0]
    told.sit(seat)
    action = next(told.game.legal(told.match.position, told.game.turn(told.match.position)[0].seat))
    for outcome in (
        act(told.match, seat, action, STAMP, told.seeds),
        resign(told.match, seat, STAMP, told.seeds),
        told.go_back(seat, 1),
        told.go_back(REFEREE, 1),
        redo(told.match, REFEREE, told.match, [], STAMP),
        raise_dispute(told.match, seat, 1, "Why?", STAMP),
    ):
        assert isinstance(outcome, Rejection)
        assert outcome.reason in ("MATCH_NOT_STARTED", "VERSION_OUT_OF_RANGE")


def test_a_code_takes_its_seat_once_and_shows_no_more_than_a_spectator_sees() -> None:
    told = Told("res-arcana")
    north, *_ = told.match.seats
    assert role_of(told.match, f"{north}-code") == SPECTATOR
    assert invitation_role(told.match, f"{north}-code") == north
    told.sit(north)
    assert role_of(told.match, f"{north}-code") is None
    assert invitation_role(told.match, f"{north}-code") == ""
    assert role_of(told.match, f"{north}-key") == north
    assert role_of(told.match, "spectator-code") == SPECTATOR


def test_a_seat_that_is_left_before_the_beginning_is_taken_by_the_same_code() -> None:
    told = Told("res-arcana")
    north, *_ = told.match.seats
    told.sit(north)
    told.take(leave(told.match, north, STAMP, "new-code"))
    assert code_digest(told.match, north) == f"{north}-code"


def test_the_code_of_the_creation_does_not_take_a_hand_that_somebody_left() -> None:
    told = Told("res-arcana")
    told.fill()
    north, *_ = told.match.seats
    told.take(leave(told.match, north, STAMP, "new-code"))
    assert role_of(told.match, f"{north}-code") is None
    assert role_of(told.match, f"{north}-key") is None
    assert code_digest(told.match, north) == "new-code"
    told.sit(north)
    assert role_of(told.match, "new-code") is None
    assert told.match.status == "active"
    assert told.found() == []


def test_who_makes_a_match_takes_a_seat_with_it() -> None:
    told = Told("res-arcana", seat_claim=SeatClaim("north", "Ann", "ann-key", "luck"))
    assert role_of(told.match, "ann-key") == "north"
    assert role_of(told.match, "north-code") is None
    told.fill()
    assert told.match.status == "active"
    assert told.found() == []


# --- tables to join ------------------------------------------------------------------------------


def test_a_link_is_good_for_any_open_seat_until_the_match_begins() -> None:
    told = Told("res-arcana", msgspec.structs.replace(WAITS, admission="linked"))
    assert role_of(told.match, "link-code") == SPECTATOR
    assert can_claim_any_seat(told.match, "link-code")
    assert not can_claim_any_seat(told.match, "north-key")
    assert seat_for(told.match, "") == "north"
    told.fill()
    assert not can_claim_any_seat(told.match, "link-code")
    assert role_of(told.match, "link-code") is None
    assert told.found() == []


def test_anybody_is_admitted_while_a_table_waits_and_to_no_hand_after_that() -> None:
    told = Told("res-arcana", msgspec.structs.replace(WAITS, admission="anybody"))
    assert can_claim_any_seat(told.match, "nobody's")
    told.fill()
    told.take(leave(told.match, "north", STAMP, "new-code"))
    assert not can_claim_any_seat(told.match, "nobody's")


def test_seats_are_taken_in_order_where_that_is_the_order() -> None:
    told = Told("earthen-war", msgspec.structs.replace(WAITS, seat_order="in-order"))
    places = [seat_for(told.match, each) for each in ("", "white", "black")]
    assert places == ["white", "white", None]
    told.sit("white")
    assert seat_for(told.match, "") == "black"


@every_game
def test_seats_are_drawn_when_the_match_begins(slug: str) -> None:
    ways = set()
    for luck in range(8):
        told = Told(slug, msgspec.structs.replace(WAITS, seat_order="drawn"))
        *others, last = told.match.seats
        for seat in others:
            told.sit(seat, f"luck {luck}")
            assert role_of(told.match, f"{seat}-key") == SPECTATOR, "nobody has a seat yet"
        _, began, *drawn = told.sit(last, "the last")
        assert began.draw == 1
        assert [each.draw for each in drawn] == [*range(2, len(drawn) + 2)]
        for seat, taken in began.seats.items():
            assert told.match.player_of(seat) == f"Player {taken}"
            assert role_of(told.match, f"{taken}-key") == seat
        ways.add(tuple(began.seats.values()))
        told.play(2)
        assert told.found() == []
    assert len(ways) > 1


def test_seats_that_the_seed_does_not_give_are_found() -> None:
    told = Told("earthen-war", msgspec.structs.replace(WAITS, seat_order="drawn"))
    told.fill()
    told.take(resign(told.match, "white", STAMP, told.seeds))
    audit, found = Audit(), []
    for sealed in told.events:
        event = sealed.event
        if isinstance(event, MatchStarted):
            seats = dict(zip(event.seats, reversed(event.seats.values()), strict=True))
            sealed = msgspec.structs.replace(
                sealed, event=msgspec.structs.replace(event, seats=seats)
            )
        found += audit.take(sealed)
    assert any(each.check == "chance" for each in found)


# --- the referee ---------------------------------------------------------------------------------


@every_game
def test_without_a_referee_the_service_draws_what_no_seat_is_asked_for(slug: str) -> None:
    told = Told(slug, Terms("entered", begins="when-full", referee="nobody"))
    told.fill()
    assert {prompt.seat for prompt in told.match.prompts} <= {*told.match.seats}
    drawn = [e.event for e in told.events if isinstance(e.event, ActionTaken)]
    assert all(each.seat not in told.match.seats for each in drawn)
    assert bool(told.match.details.commitment) == told.game.has_hidden_information
    assert told.found() == []
    assert role_of(told.match, "referee-code") is None
    assert isinstance(invite_referee(told.match, "code", STAMP), Rejection)


def test_a_referee_who_was_invited_has_the_role_when_the_code_is_used() -> None:
    told = Told("res-arcana", Terms("rolled", begins="when-full", referee="invited"))
    assert role_of(told.match, "referee-code") == SPECTATOR
    assert invitation_role(told.match, "referee-code") == REFEREE
    told.take(assign_referee(told.match, "Rea", "rea-key", STAMP))
    assert role_of(told.match, "referee-code") is None
    assert role_of(told.match, "rea-key") == REFEREE
    assert told.found() == []


def test_the_role_is_handed_over() -> None:
    told = Told("agog", Terms())
    told.take(invite_referee(told.match, "first", STAMP))
    told.take(invite_referee(told.match, "second", STAMP))
    assert role_of(told.match, "first") is None, "a later code replaces it"
    assert role_of(told.match, "referee-code") == REFEREE, "until the code is used"
    (seated,) = told.take(assign_referee(told.match, "Rea", "rea-key", STAMP))
    assert isinstance(seated, RefereeSeated)
    assert role_of(told.match, "referee-code") is None
    assert role_of(told.match, "second") is None
    assert role_of(told.match, "rea-key") == REFEREE
    assert told.found() == []


def test_nobody_referees_a_game_of_hidden_hands_and_plays_in_it() -> None:
    told = Told("res-arcana", Terms("rolled", begins="when-full", referee="invited"))
    told.sit("north")
    refused = assign_referee(told.match, "player NORTH", "key", STAMP)
    assert isinstance(refused, Rejection)
    assert refused.reason == "REFEREE_CONFLICT"
    told.take(assign_referee(told.match, "Rea", "rea-key", STAMP))
    refused = claim(told.match, told.match.seats[-1], "Rea", "key", STAMP)
    assert isinstance(refused, Rejection)
    assert refused.reason == "REFEREE_CONFLICT"
    game = GAMES["res-arcana"]
    options: Any = game.options()
    hidden = MatchSetup(game, options, terms=Terms(begins="when-full"))
    assert isinstance(creator_seat_rejection(hidden), Rejection)


def test_where_nothing_is_hidden_everybody_is_told_that_the_referee_plays() -> None:
    told = Told("agog", Terms(begins="when-full"), seat_claim=SeatClaim("white", "Ann", "ann-key"))
    assert referee_seats(told.match) == ("white",)
    told.take(invite_referee(told.match, "code", STAMP))
    told.take(assign_referee(told.match, "Rea", "rea-key", STAMP))
    assert referee_seats(told.match) == ()
    told.take(claim(told.match, "black", "rea", "key", STAMP, seeds=told.seeds))
    assert referee_seats(told.match) == ("black",)
    assert told.found() == []


# --- luck ----------------------------------------------------------------------------------------


def rolled(terms: Terms) -> tuple[Told, int]:
    """A match of Earthen-War in which dice were rolled, and the version before they were."""
    told = Told("earthen-war", terms)
    told.fill()
    before = next(e.event.version for e in told.events if isinstance(e.event, ActionTaken)) - 1
    return told, before


@pytest.mark.parametrize("policy", ["free", "consent", "referee"])
def test_not_even_the_referee_has_dice_rolled_again_without_the_players(policy: Any) -> None:
    told, before = rolled(Terms("rolled", policy, begins="when-full"))
    (asked,) = told.take(told.go_back(REFEREE, before))
    assert isinstance(asked, UndoRequested)
    assert asked.awaiting == told.match.seats
    alone = respond_to_undo(told.match, REFEREE, True, STAMP, told.version_lookup, told.seeds)
    assert isinstance(alone, Rejection)
    for seat in told.match.seats:
        told.take(respond_to_undo(told.match, seat, True, STAMP, told.version_lookup, told.seeds))
    assert any(isinstance(each.event, LineContinued) for each in told.events)
    assert told.found() == []


def test_where_the_referee_decides_on_undos_the_players_must_agree_to_new_dice() -> None:
    told, before = rolled(Terms("rolled", "referee", begins="when-full"))
    (asked,) = told.take(told.go_back("white", before))
    assert asked.awaiting == ("black", REFEREE)
    (granted,) = told.take(
        respond_to_undo(told.match, REFEREE, True, STAMP, told.version_lookup, told.seeds)
    )
    assert granted.granted
    assert told.match.proposal is not None
    assert told.match.proposal.awaiting == ("black",)
    told.take(respond_to_undo(told.match, "black", True, STAMP, told.version_lookup, told.seeds))
    assert told.match.proposal is None
    assert told.found() == []


def test_a_verdict_does_not_roll_again_either() -> None:
    told, before = rolled(Terms("rolled", begins="when-full"))
    told.take(raise_dispute(told.match, "white", before + 1, "I want another.", STAMP))
    left = [told.events[v - 1].event for each in moved_ranges(told.match, before) for v in each]
    said = Verdict(told.match.version, "So be it.")
    refused = revert(told.match, said, before, STAMP, told.version_lookup, told.seeds, left)
    assert isinstance(refused, Rejection)
    assert refused.reason == "CONSENT_REQUIRED"
    at_once = Told("earthen-war", Terms("rolled"))
    at_once.take(raise_dispute(at_once.match, "white", 2, "I want another.", STAMP))
    said = Verdict(at_once.match.version, "So be it.")
    left = [at_once.events[v - 1].event for each in moved_ranges(at_once.match, 1) for v in each]
    at_once.take(revert(at_once.match, said, 1, STAMP, at_once.version_lookup, at_once.seeds, left))


def test_a_match_that_began_early_or_twice_is_found() -> None:
    told = Told("earthen-war")
    told.fill()
    audit = Audit()
    (early,) = (e for e in told.events if isinstance(e.event, MatchStarted))
    for each in told.events[:2]:
        assert audit.take(each) == []
    found = audit.take(msgspec.structs.replace(early, event=_at(early.event, 3)))
    assert any("waited for its seats" in each.sentence for each in found)


def _at(event: Any, version: int) -> Any:
    return msgspec.structs.replace(event, version=version)


def test_the_seed_of_all_draws_is_revealed_at_the_end() -> None:
    told = Told("res-arcana")
    told.fill()
    told.take(resign(told.match, told.match.seats[0], STAMP, told.seeds))
    assert isinstance(told.events[-1].event, SeedRevealed)
    assert told.found() == []


# --- choosing at the same time -------------------------------------------------------------------


def test_what_a_seat_was_shown_holds_until_it_may_do_something_else() -> None:
    told = Told("res-arcana", Terms("rolled"))
    one, other = (prompt.seat for prompt in told.match.prompts[:2])
    shown = told.match
    (action, *_) = told.game.legal(shown.position, other)
    told.take(act(told.match, other, action, STAMP, told.seeds))
    assert is_expectation_current(shown, told.match, one)
    assert not is_expectation_current(shown, told.match, other)
    between = told.match
    told.take(told.go_back(REFEREE, shown.version))
    assert not is_expectation_current(between, told.match, one), "the line has moved"


# --- clocks --------------------------------------------------------------------------------------


def test_no_clock_runs_before_the_match_begins() -> None:
    told = Told("agog", msgspec.structs.replace(WAITS, clock=MoveTime(60_000)))
    told.sit("white")
    assert told.match.clocks is not None
    assert told.match.clocks.running == ()
    told.sit("black")
    assert told.match.clocks.running == ("white",)
    assert told.found() == []
