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


class RecordedMatch:
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

    def sit(self, seat: str, entropy: str = "") -> list[Any]:
        sits = (seat, f"Player {seat}", f"{seat}-key", STAMP, entropy)
        return self.take(claim(self.match, *sits, seeds=self.seeds))

    def fill(self, entropy: str = "luck") -> list[Any]:
        events: list[Any] = []
        for seat in self.match.seats:
            if seat not in self.match.holders:
                events += self.sit(seat, entropy)
        return events

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
    recorded = RecordedMatch(slug)
    assert len(recorded.events) == 1
    *others, last = recorded.match.seats
    for seat in others:
        assert [type(each) for each in recorded.sit(seat, f"luck of {seat}")] == [SeatClaimed]
        assert (recorded.match.status, recorded.match.prompts, recorded.match.draws) == (
            "waiting",
            (),
            0,
        )
    claimed, began, *drawn = recorded.sit(last, "luck of the last")
    assert (type(claimed), type(began)) == (SeatClaimed, MatchStarted)
    assert [each.draw for each in drawn] == [*range(1, len(drawn) + 1)]
    assert recorded.match.status == "active"
    assert len(recorded.match.details.entropy) == len(recorded.match.seats)
    assert not any(prompt.is_chance for prompt in recorded.match.prompts)
    recorded.play(3)
    assert recorded.found() == []


@pytest.mark.parametrize("slug", ["earthen-war", "res-arcana"])
def test_the_share_of_the_last_player_changes_what_is_drawn(slug: str) -> None:
    tables = [RecordedMatch(slug) for _ in range(12)]
    positions = set()
    for number, recorded in enumerate(tables):
        *others, last = recorded.match.seats
        for seat in others:
            recorded.sit(seat, "the same")
        recorded.sit(last, f"luck {number}")
        positions.add(recorded.game.write_position(recorded.match.position))
    assert len(positions) > 1


@every_game
def test_what_waits_for_players_takes_nothing_else(slug: str) -> None:
    recorded = RecordedMatch(slug)
    seat = recorded.match.seats[0]
    recorded.sit(seat)
    action = next(
        recorded.game.legal(
            recorded.match.position, recorded.game.turn(recorded.match.position)[0].seat
        )
    )
    for outcome in (
        act(recorded.match, seat, action, STAMP, recorded.seeds),
        resign(recorded.match, seat, STAMP, recorded.seeds),
        recorded.go_back(seat, 1),
        recorded.go_back(REFEREE, 1),
        redo(recorded.match, REFEREE, recorded.match, [], STAMP),
        raise_dispute(recorded.match, seat, 1, "Why?", STAMP),
    ):
        assert isinstance(outcome, Rejection)
        assert outcome.reason in ("MATCH_NOT_STARTED", "VERSION_OUT_OF_RANGE")


def test_a_code_takes_its_seat_once_and_shows_no_more_than_a_spectator_sees() -> None:
    recorded = RecordedMatch("res-arcana")
    north, *_ = recorded.match.seats
    assert role_of(recorded.match, f"{north}-code") == SPECTATOR
    assert invitation_role(recorded.match, f"{north}-code") == north
    recorded.sit(north)
    assert role_of(recorded.match, f"{north}-code") is None
    assert invitation_role(recorded.match, f"{north}-code") == ""
    assert role_of(recorded.match, f"{north}-key") == north
    assert role_of(recorded.match, "spectator-code") == SPECTATOR


def test_a_seat_that_is_left_before_the_start_is_taken_by_the_same_code() -> None:
    recorded = RecordedMatch("res-arcana")
    north, *_ = recorded.match.seats
    recorded.sit(north)
    recorded.take(leave(recorded.match, north, STAMP, "new-code"))
    assert code_digest(recorded.match, north) == f"{north}-code"


def test_the_code_of_the_creation_does_not_take_a_hand_that_somebody_left() -> None:
    recorded = RecordedMatch("res-arcana")
    recorded.fill()
    north, *_ = recorded.match.seats
    recorded.take(leave(recorded.match, north, STAMP, "new-code"))
    assert role_of(recorded.match, f"{north}-code") is None
    assert role_of(recorded.match, f"{north}-key") is None
    assert code_digest(recorded.match, north) == "new-code"
    recorded.sit(north)
    assert role_of(recorded.match, "new-code") is None
    assert recorded.match.status == "active"
    assert recorded.found() == []


def test_who_makes_a_match_takes_a_seat_with_it() -> None:
    recorded = RecordedMatch("res-arcana", seat_claim=SeatClaim("north", "Ann", "ann-key", "luck"))
    assert role_of(recorded.match, "ann-key") == "north"
    assert role_of(recorded.match, "north-code") is None
    recorded.fill()
    assert recorded.match.status == "active"
    assert recorded.found() == []


# --- tables to join ------------------------------------------------------------------------------


def test_a_link_is_good_for_any_open_seat_until_the_match_starts() -> None:
    recorded = RecordedMatch("res-arcana", msgspec.structs.replace(WAITS, admission="linked"))
    assert role_of(recorded.match, "link-code") == SPECTATOR
    assert can_claim_any_seat(recorded.match, "link-code")
    assert not can_claim_any_seat(recorded.match, "north-key")
    assert seat_for(recorded.match, "") == "north"
    recorded.fill()
    assert not can_claim_any_seat(recorded.match, "link-code")
    assert role_of(recorded.match, "link-code") is None
    assert recorded.found() == []


def test_anybody_is_admitted_while_a_table_waits_and_to_no_hand_after_that() -> None:
    recorded = RecordedMatch("res-arcana", msgspec.structs.replace(WAITS, admission="anybody"))
    assert can_claim_any_seat(recorded.match, "nobody's")
    recorded.fill()
    recorded.take(leave(recorded.match, "north", STAMP, "new-code"))
    assert not can_claim_any_seat(recorded.match, "nobody's")


def test_seats_are_taken_in_order_where_that_is_the_order() -> None:
    recorded = RecordedMatch("earthen-war", msgspec.structs.replace(WAITS, seat_order="in-order"))
    places = [seat_for(recorded.match, each) for each in ("", "white", "black")]
    assert places == ["white", "white", None]
    recorded.sit("white")
    assert seat_for(recorded.match, "") == "black"


@every_game
def test_seats_are_drawn_when_the_match_starts(slug: str) -> None:
    ways = set()
    for number in range(8):
        recorded = RecordedMatch(slug, msgspec.structs.replace(WAITS, seat_order="drawn"))
        *others, last = recorded.match.seats
        for seat in others:
            recorded.sit(seat, f"luck {number}")
            assert role_of(recorded.match, f"{seat}-key") == SPECTATOR, "nobody has a seat yet"
        _, began, *drawn = recorded.sit(last, "the last")
        assert began.draw == 1
        assert [each.draw for each in drawn] == [*range(2, len(drawn) + 2)]
        for seat, taken in began.seats.items():
            assert recorded.match.player_of(seat) == f"Player {taken}"
            assert role_of(recorded.match, f"{taken}-key") == seat
        ways.add(tuple(began.seats.values()))
        recorded.play(2)
        assert recorded.found() == []
    assert len(ways) > 1


def test_seats_that_the_seed_does_not_give_are_found() -> None:
    recorded = RecordedMatch("earthen-war", msgspec.structs.replace(WAITS, seat_order="drawn"))
    recorded.fill()
    recorded.take(resign(recorded.match, "white", STAMP, recorded.seeds))
    audit, found = Audit(), []
    for sealed in recorded.events:
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
def test_without_a_referee_the_service_draws_what_no_seat_is_requested(slug: str) -> None:
    recorded = RecordedMatch(slug, Terms("entered", begins="when-full", referee="nobody"))
    recorded.fill()
    assert {prompt.seat for prompt in recorded.match.prompts} <= {*recorded.match.seats}
    drawn = [e.event for e in recorded.events if isinstance(e.event, ActionTaken)]
    assert all(each.seat not in recorded.match.seats for each in drawn)
    assert bool(recorded.match.details.commitment) == recorded.game.has_hidden_information
    assert recorded.found() == []
    assert role_of(recorded.match, "referee-code") is None
    assert isinstance(invite_referee(recorded.match, "code", STAMP), Rejection)


def test_a_referee_who_was_invited_has_the_role_when_the_code_is_used() -> None:
    recorded = RecordedMatch("res-arcana", Terms("rolled", begins="when-full", referee="invited"))
    assert role_of(recorded.match, "referee-code") == SPECTATOR
    assert invitation_role(recorded.match, "referee-code") == REFEREE
    recorded.take(assign_referee(recorded.match, "Rea", "rea-key", STAMP))
    assert role_of(recorded.match, "referee-code") is None
    assert role_of(recorded.match, "rea-key") == REFEREE
    assert recorded.found() == []


def test_the_role_is_handed_over() -> None:
    recorded = RecordedMatch("agog", Terms())
    recorded.take(invite_referee(recorded.match, "first", STAMP))
    recorded.take(invite_referee(recorded.match, "second", STAMP))
    assert role_of(recorded.match, "first") is None, "a later code replaces it"
    assert role_of(recorded.match, "referee-code") == REFEREE, "until the code is used"
    (seated,) = recorded.take(assign_referee(recorded.match, "Rea", "rea-key", STAMP))
    assert isinstance(seated, RefereeSeated)
    assert role_of(recorded.match, "referee-code") is None
    assert role_of(recorded.match, "second") is None
    assert role_of(recorded.match, "rea-key") == REFEREE
    assert recorded.found() == []


def test_nobody_referees_a_game_of_hidden_hands_and_plays_in_it() -> None:
    recorded = RecordedMatch("res-arcana", Terms("rolled", begins="when-full", referee="invited"))
    recorded.sit("north")
    refused = assign_referee(recorded.match, "player NORTH", "key", STAMP)
    assert isinstance(refused, Rejection)
    assert refused.reason == "REFEREE_CONFLICT"
    recorded.take(assign_referee(recorded.match, "Rea", "rea-key", STAMP))
    refused = claim(recorded.match, recorded.match.seats[-1], "Rea", "key", STAMP)
    assert isinstance(refused, Rejection)
    assert refused.reason == "REFEREE_CONFLICT"
    game = GAMES["res-arcana"]
    options: Any = game.options()
    hidden = MatchSetup(game, options, terms=Terms(begins="when-full"))
    assert isinstance(creator_seat_rejection(hidden), Rejection)


def test_without_hidden_information_every_viewer_sees_that_the_referee_plays() -> None:
    recorded = RecordedMatch(
        "agog", Terms(begins="when-full"), seat_claim=SeatClaim("white", "Ann", "ann-key")
    )
    assert referee_seats(recorded.match) == ("white",)
    recorded.take(invite_referee(recorded.match, "code", STAMP))
    recorded.take(assign_referee(recorded.match, "Rea", "rea-key", STAMP))
    assert referee_seats(recorded.match) == ()
    recorded.take(claim(recorded.match, "black", "rea", "key", STAMP, seeds=recorded.seeds))
    assert referee_seats(recorded.match) == ("black",)
    assert recorded.found() == []


# --- luck ----------------------------------------------------------------------------------------


def rolled(terms: Terms) -> tuple[RecordedMatch, int]:
    """A match of Earthen-War in which dice were rolled, and the version before they were."""
    recorded = RecordedMatch("earthen-war", terms)
    recorded.fill()
    before = next(e.event.version for e in recorded.events if isinstance(e.event, ActionTaken)) - 1
    return recorded, before


@pytest.mark.parametrize("policy", ["free", "consent", "referee"])
def test_not_even_the_referee_has_dice_rolled_again_without_the_players(policy: Any) -> None:
    recorded, before = rolled(Terms("rolled", policy, begins="when-full"))
    (asked,) = recorded.take(recorded.go_back(REFEREE, before))
    assert isinstance(asked, UndoRequested)
    assert asked.awaiting == recorded.match.seats
    alone = respond_to_undo(
        recorded.match, REFEREE, True, STAMP, recorded.version_lookup, recorded.seeds
    )
    assert isinstance(alone, Rejection)
    for seat in recorded.match.seats:
        recorded.take(
            respond_to_undo(
                recorded.match, seat, True, STAMP, recorded.version_lookup, recorded.seeds
            )
        )
    assert any(isinstance(each.event, LineContinued) for each in recorded.events)
    assert recorded.found() == []


def test_where_the_referee_decides_on_undos_the_players_must_agree_to_new_dice() -> None:
    recorded, before = rolled(Terms("rolled", "referee", begins="when-full"))
    (asked,) = recorded.take(recorded.go_back("white", before))
    assert asked.awaiting == ("black", REFEREE)
    (granted,) = recorded.take(
        respond_to_undo(
            recorded.match, REFEREE, True, STAMP, recorded.version_lookup, recorded.seeds
        )
    )
    assert granted.granted
    assert recorded.match.proposal is not None
    assert recorded.match.proposal.awaiting == ("black",)
    recorded.take(
        respond_to_undo(
            recorded.match, "black", True, STAMP, recorded.version_lookup, recorded.seeds
        )
    )
    assert recorded.match.proposal is None
    assert recorded.found() == []


def test_a_verdict_does_not_roll_again_either() -> None:
    recorded, before = rolled(Terms("rolled", begins="when-full"))
    recorded.take(raise_dispute(recorded.match, "white", before + 1, "I want another.", STAMP))
    left = [
        recorded.events[v - 1].event for each in moved_ranges(recorded.match, before) for v in each
    ]
    said = Verdict(recorded.match.version, "So be it.")
    refused = revert(
        recorded.match, said, before, STAMP, recorded.version_lookup, recorded.seeds, left
    )
    assert isinstance(refused, Rejection)
    assert refused.reason == "CONSENT_REQUIRED"
    at_once = RecordedMatch("earthen-war", Terms("rolled"))
    at_once.take(raise_dispute(at_once.match, "white", 2, "I want another.", STAMP))
    said = Verdict(at_once.match.version, "So be it.")
    left = [at_once.events[v - 1].event for each in moved_ranges(at_once.match, 1) for v in each]
    at_once.take(revert(at_once.match, said, 1, STAMP, at_once.version_lookup, at_once.seeds, left))


def test_a_match_that_started_early_or_twice_is_found() -> None:
    recorded = RecordedMatch("earthen-war")
    recorded.fill()
    audit = Audit()
    (early,) = (e for e in recorded.events if isinstance(e.event, MatchStarted))
    for each in recorded.events[:2]:
        assert audit.take(each) == []
    found = audit.take(msgspec.structs.replace(early, event=_at(early.event, 3)))
    assert any("waited for its seats" in each.sentence for each in found)


def _at(event: Any, version: int) -> Any:
    return msgspec.structs.replace(event, version=version)


def test_the_seed_of_all_draws_is_revealed_at_the_end() -> None:
    recorded = RecordedMatch("res-arcana")
    recorded.fill()
    recorded.take(resign(recorded.match, recorded.match.seats[0], STAMP, recorded.seeds))
    assert isinstance(recorded.events[-1].event, SeedRevealed)
    assert recorded.found() == []


# --- choosing at the same time -------------------------------------------------------------------


def test_what_a_seat_was_shown_holds_until_it_may_do_something_else() -> None:
    recorded = RecordedMatch("res-arcana", Terms("rolled"))
    one, other = (prompt.seat for prompt in recorded.match.prompts[:2])
    shown = recorded.match
    (action, *_) = recorded.game.legal(shown.position, other)
    recorded.take(act(recorded.match, other, action, STAMP, recorded.seeds))
    assert is_expectation_current(shown, recorded.match, one)
    assert not is_expectation_current(shown, recorded.match, other)
    between = recorded.match
    recorded.take(recorded.go_back(REFEREE, shown.version))
    assert not is_expectation_current(between, recorded.match, one), "the line has moved"


# --- clocks --------------------------------------------------------------------------------------


def test_no_clock_runs_before_the_match_starts() -> None:
    recorded = RecordedMatch("agog", msgspec.structs.replace(WAITS, clock=MoveTime(60_000)))
    recorded.sit("white")
    assert recorded.match.clocks is not None
    assert recorded.match.clocks.running == ()
    recorded.sit("black")
    assert recorded.match.clocks.running == ("white",)
    assert recorded.found() == []
