"""The Match: seats, tokens, actions, and the digest chain."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from domain.kernel.rulings import Refused
from domain.log.digests import GENESIS, chain_digest
from domain.log.ledger import Rejection
from domain.log.origin import Origin
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionTaken,
    AnyMatch,
    Changeset,
    MatchSetup,
    act,
    claim,
    create,
    evolve,
    leave,
    role_of,
)
from domain.registry import GAMES
from tests.command_contexts import context_at

AGOG = GAMES["agog"]
KEYS = {role: f"{role}-key" for role in ("white", "black", "referee", "spectator")}
STAMP = context_at(datetime(2026, 11, 21, 12, tzinfo=UTC), "request", Origin("test/1"))


def begun() -> tuple[AnyMatch, list[SealedEvent[Any]]]:
    created = create(MatchSetup(AGOG, AGOG.options(), "A match"), UUID(int=1), KEYS, STAMP)
    return created.state, [*created.events]


def taken(match: AnyMatch, seat: str, text: str) -> SealedEvent[Any]:
    outcome = act(match, seat, AGOG.read_action(text), STAMP)
    assert isinstance(outcome, Changeset), outcome
    (sealed,) = outcome.events
    assert outcome.state == evolve(match, sealed)
    return sealed


def test_a_match_starts_where_its_game_starts() -> None:
    match, (created,) = begun()
    assert AGOG.write_position(match.position) == created.event.start
    assert (match.version, match.digest, match.result) == (1, created.digest, None)


def test_the_log_keeps_every_option_with_its_value() -> None:
    _, (created,) = begun()
    assert created.event.options == {
        "handicap": 0,
        "handicap_tie": "front",
        "handicap_supply": False,
        "fresh_supply": False,
    }


def test_an_action_that_stands_becomes_one_event() -> None:
    match, _ = begun()
    sealed = taken(match, "white", "a6-b6")
    event = sealed.event
    assert isinstance(event, ActionTaken)
    assert (event.seat, AGOG.write_action(event.action), event.version) == ("white", "a6-b6", 2)
    assert event.facts
    assert event.rulings
    after = evolve(match, sealed)
    assert AGOG.write_position(after.position).split()[1] == "b"


def test_an_action_that_a_rule_forbids_records_nothing() -> None:
    match, _ = begun()
    outcome = act(match, "black", AGOG.read_action("h3-g3"), STAMP)
    assert isinstance(outcome, Refused)
    assert outcome.rule == "agog.turn.order"


def test_each_event_is_chained_to_the_one_before() -> None:
    match, log = begun()
    for seat, text in (("white", "a6-b6"), ("black", "h3-g3"), ("white", "f1-g1")):
        log.append(taken(match, seat, text))
        match = evolve(match, log[-1])
    digest = GENESIS
    for sealed in log:
        digest = chain_digest(digest, sealed.body)
        assert sealed.digest == digest
    assert match.digest == digest


def test_a_resignation_ends_the_match() -> None:
    match, _ = begun()
    match = evolve(match, taken(match, "black", "resign black"))
    assert match.result is not None
    assert (match.result.winners, match.result.reason) == (("white",), "resign")


def test_an_invitation_stands_for_its_role_until_the_seat_is_claimed() -> None:
    match, _ = begun()
    assert role_of(match, "white-key") == "white"
    claimed = claim(match, "white", "Ada", "ada-key", STAMP)
    assert isinstance(claimed, Changeset)
    match = claimed.state
    assert role_of(match, "white-key") is None
    assert role_of(match, "ada-key") == "white"
    left = leave(match, "white", STAMP)
    assert isinstance(left, Changeset)
    match = left.state
    assert role_of(match, "white-key") == "white"
    assert role_of(match, "ada-key") is None


@pytest.mark.parametrize("role", ["referee", "spectator"])
def test_referee_and_spectators_have_roles_of_their_own(role: str) -> None:
    match, _ = begun()
    assert role_of(match, f"{role}-key") == role
    assert role_of(match, "stranger") is None


def test_a_seat_that_is_held_cannot_be_claimed() -> None:
    match, _ = begun()
    first: Any = claim(match, "white", "Ada", "ada-key", STAMP)
    second = claim(first.state, "white", "Bob", "bob-key", STAMP)
    assert second == Rejection("SEAT_TAKEN", "Ada holds white")


def test_only_seats_of_the_match_can_be_claimed() -> None:
    match, _ = begun()
    denied = claim(match, "referee", "Ada", "ada-key", STAMP)
    assert denied == Rejection(
        "SEAT_INVALID", "referee is not a seat of this match; white and black are"
    )


def test_a_seat_that_is_open_cannot_be_left() -> None:
    match, _ = begun()
    assert leave(match, "white", STAMP) == Rejection("SEAT_OPEN", "nobody holds white")


def test_events_cannot_be_folded_out_of_order() -> None:
    match, _ = begun()
    second = taken(match, "white", "a6-b6")
    with pytest.raises(AssertionError):
        evolve(evolve(match, second), second)
