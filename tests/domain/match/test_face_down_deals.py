"""What is dealt face down the service deals, also where the players enter all else that is chance.

Numbered slips lie face down: a list of those that are left would tell what the other seat drew.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.match import (
    AnyMatch,
    Audit,
    Changeset,
    MatchSetup,
    SeedRevealed,
    SeedSource,
    Terms,
    act,
    create,
    no_seeds,
    resign,
    roles,
    undo,
)
from domain.registry import GAMES
from tests.command_contexts import context_at

GAME = GAMES["golem-arcana"]
STAMP = context_at(datetime(2026, 11, 22, tzinfo=UTC), "request")


def seeds(epoch: int) -> bytes:
    return bytes([epoch]) * 32


def begun(scenario: str = "night-of-embers", seeds: SeedSource = seeds) -> Changeset[AnyMatch]:
    options = msgspec.convert({"scenario": scenario}, GAME.options)
    keys = dict.fromkeys(roles(GAME, options), "5" * 64)
    return create(
        MatchSetup(GAME, options, terms=Terms("entered")), UUID(int=1), keys, STAMP, seeds=seeds
    )


def take(match: AnyMatch, seat: str, text: str, seeds: SeedSource = seeds) -> Changeset[AnyMatch]:
    outcome = act(match, seat, GAME.read_action(text), STAMP, seeds)
    assert isinstance(outcome, Changeset), outcome
    return outcome


def hidden(seeds: SeedSource = seeds) -> list[Changeset[AnyMatch]]:
    """A match in which the referee has hidden both encounters."""
    made = [begun(seeds=seeds)]
    for _ in range(2):
        made.append(take(made[-1].state, "referee", "hide 1", seeds))
    return made


def judged(made: list[Changeset[AnyMatch]]) -> list[Any]:
    audit = Audit()
    found = [finding for each in made for event in each.events for finding in audit.take(event)]
    return [*found, *audit.end()]


def test_the_secret_quests_are_dealt_by_the_service_in_a_match_of_entered_dice() -> None:
    made = hidden()
    draws = [(event.event.seat, event.event.draw) for event in made[-1].events]
    assert draws == [("referee", None), ("south", 1), ("north", 2)]
    assert [prompt.expected_action for prompt in made[-1].state.prompts] == ["turn"]
    numbers = {dealt.number for dealt in made[-1].state.position.quests.values()}
    assert len(numbers) == 2


def test_dice_are_still_the_players_own() -> None:
    options = msgspec.convert({"scenario": "night-of-embers"}, GAME.options)
    match = hidden()[-1].state
    text = GAME.write_position(match.position)
    golems = "s1=sand-lion@a1:50;n1=sand-lion@a1:50"
    fields = text.split(" ")
    fields[6], fields[11] = golems, "roll/s1/bite/n1"
    position = GAME.read_position(" ".join(fields), options)
    made = take(msgspec.structs.replace(match, position=position), "south", "dice 07")
    assert [event.event.draw for event in made.events] == [None]


def test_what_was_dealt_is_checked_against_the_seed_that_the_end_reveals() -> None:
    made = hidden()
    over = resign(made[-1].state, "south", STAMP, seeds)
    assert isinstance(over, Changeset)
    assert isinstance(over.events[-1].event, SeedRevealed)
    made.append(over)
    assert judged(made) == []
    dealt = made[2].events[1]
    other = msgspec.structs.replace(
        dealt.event, action=GAME.read_action(f"quest {int(dealt.event.action.number) % 3 + 1}")
    )
    forged = msgspec.structs.replace(dealt, event=other)
    made[2] = msgspec.structs.replace(made[2], events=(made[2].events[0], forged))
    assert {finding.check for finding in judged(made)} >= {"chain", "facts"}


def test_quests_are_dealt_afresh_when_the_match_goes_back_behind_them() -> None:
    made = hidden()
    match, was = made[-1].state, made[1].state
    back = undo(match, "referee", was, made[-1].events, STAMP, seeds)
    assert isinstance(back, Changeset)
    again = take(back.state, "referee", "hide 2")
    assert [event.event.draw for event in again.events] == [None, 3, 4]


def test_a_service_that_lost_the_seed_lets_the_match_end_unproven() -> None:
    made = hidden()
    over = resign(made[-1].state, "south", STAMP, lambda epoch: b"other" + bytes([epoch]))
    assert isinstance(over, Changeset)
    assert over.state.result is not None
    assert judged([*made, over]) == []


def test_a_match_that_promised_no_seed_asks_the_seats_as_it_always_did() -> None:
    """Matches of earlier versions, and those imported from a transcript."""
    made = hidden(no_seeds)
    assert [(prompt.seat, prompt.expected_action) for prompt in made[-1].state.prompts] == [
        ("south", "quest")
    ]
    made.append(take(made[-1].state, "south", "quest 2", no_seeds))
    made.append(take(made[-1].state, "north", "quest 3", no_seeds))
    assert judged(made) == []
    known = GAME.information_state(made[3].state.position, "north")
    listed = sorted(map(GAME.write_action, GAME.legal(known, "north")))
    assert listed == ["quest 1", "quest 2", "quest 3"], "no gap tells what South was dealt"


@pytest.mark.parametrize("scenario", ["night-of-embers", "first-steps"])
def test_a_seed_is_committed_to_only_where_something_is_dealt(scenario: str) -> None:
    made = begun(scenario)
    assert bool(made.state.details.commitment) == (scenario == "night-of-embers")
    assert judged([made]) == []
