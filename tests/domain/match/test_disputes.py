"""Disputes and verdicts: what may be questioned, what the referee may decide, what comes of it."""

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from domain.games.agog.facts import GameEnded, TurnPassed, UnitCaptured, UnitMoved
from domain.games.golem_arcana.facts import GameEnded as BattleEnded
from domain.log.ledger import Rejection
from domain.match import (
    MAX_OPEN_DISPUTES,
    ActionTaken,
    AnyMatch,
    Changeset,
    MatchSetup,
    SeedRevealed,
    Terms,
    Verdict,
    VerdictGiven,
    act,
    correct,
    create,
    offer_draw,
    parse_match_action,
    raise_dispute,
    replay,
    resign,
    respond_to_draw,
    revert,
    roles,
    uphold,
)
from domain.registry import GAMES
from tests.command_contexts import context_at

AGOG, DUEL = GAMES["agog"], GAMES["earthen-war"]
STAMP = context_at(datetime(2026, 11, 21, 12, tzinfo=UTC), "request")


def seeds(epoch: int) -> bytes:
    return sha256(f"seed {epoch}".encode()).digest()


class Log:
    """A match and its events; each command is recorded or must be denied."""

    def __init__(self, game: Any = AGOG, **terms: Any) -> None:
        keys = {role: f"{role}-key" for role in roles(game, game.options())}
        made = create(
            MatchSetup(game, game.options(), terms=Terms(**terms)),
            UUID(int=1),
            keys,
            STAMP,
            seeds=seeds,
        )
        self.events = [*made.events]
        self.matches = [*made.states]

    @property
    def match(self) -> AnyMatch:
        return self.matches[-1]

    @property
    def position(self) -> str:
        return self.match.rules.write_position(self.match.position)

    def take(self, outcome: Any) -> int:
        """The number of the first event that was recorded."""
        assert isinstance(outcome, Changeset), outcome
        self.events += outcome.events
        self.matches += outcome.states
        return int(outcome.events[0].event.version)

    def play(self, *actions: str) -> "Log":
        for text in actions:
            seat = self.match.prompts[0].seat
            self.take(act(self.match, seat, self.match.rules.read_action(text), STAMP, seeds))
        return self

    def dispute(self, on: int, seat: str = "white", reason: str = "it was not so") -> int:
        return self.take(raise_dispute(self.match, seat, on, reason, STAMP))

    def version_lookup(self, version: int) -> Any:
        return self.matches[version - 1]

    def uphold(self, dispute: int, *rules: str) -> Any:
        return uphold(self.match, Verdict(dispute, "it stands", rules), STAMP)

    def revert(self, dispute: int, to: int) -> Any:
        return revert(
            self.match, Verdict(dispute, "not so", ()), to, STAMP, self.version_lookup, seeds
        )

    def correct(self, dispute: int, *facts: Any) -> Any:
        return correct(self.match, Verdict(dispute, "it fell", ()), facts, STAMP, seeds)


def played(**terms: Any) -> Log:
    return Log(**terms).play("a6-b6", "h3-g3")


# --- raising ----------------------------------------------------------------------------------


@pytest.mark.parametrize("on", [1, 2, 3])
def test_any_event_can_be_disputed(on: int) -> None:
    log = played()
    number = log.dispute(on)
    (dispute,) = log.match.details.disputes
    assert (dispute.number, dispute.on, dispute.seat) == (number, on, "white")


@pytest.mark.parametrize("on", [-1, 0, 4, 2**64])
def test_an_event_that_there_is_not_cannot_be_disputed(on: int) -> None:
    denied = raise_dispute(played().match, "white", on, "why", STAMP)
    assert denied == Rejection("VERSION_OUT_OF_RANGE", f"the match has events 1 to 3, not {on}")


def test_several_disputes_are_open_at_once_and_answered_in_any_order() -> None:
    log = played()
    first, second, third = log.dispute(2), log.dispute(2, "black"), log.dispute(3)
    log.take(log.uphold(second))
    assert [each.number for each in log.match.details.disputes] == [first, third]
    log.take(log.uphold(first))
    log.take(log.uphold(third))
    assert log.match.details.disputes == ()


def test_a_seat_has_one_open_dispute_of_an_event() -> None:
    log = played()
    number = log.dispute(2)
    again = raise_dispute(log.match, "white", 2, "once more", STAMP)
    assert again == Rejection(
        "DISPUTE_ALREADY_OPEN", f"dispute {number} of white on event 2 is open already"
    )
    log.take(log.uphold(number))
    assert log.dispute(2)


def test_a_seat_cannot_flood_a_match_with_disputes() -> None:
    log = played()
    for number in range(MAX_OPEN_DISPUTES):
        log.dispute(number + 1)
    denied = raise_dispute(log.match, "white", 21, "another", STAMP)
    assert isinstance(denied, Rejection)
    assert denied.reason == "TOO_MANY_DISPUTES"
    assert log.dispute(21, "black")


def test_a_verdict_can_be_disputed_too() -> None:
    log = played()
    verdict = log.take(log.uphold(log.dispute(2)))
    number = log.dispute(verdict, "black", "the referee did not look")
    log.take(log.revert(number, 1))
    assert log.position == AGOG.write_position(log.matches[0].position)


def test_a_finished_match_can_be_disputed() -> None:
    log = played().play("resign white")
    assert log.match.result is not None
    log.take(log.revert(log.dispute(4), 3))
    assert log.match.result is None
    assert [prompt.seat for prompt in log.match.prompts] == ["white"]


# --- verdicts ---------------------------------------------------------------------------------


def test_what_is_upheld_stands_and_play_continues() -> None:
    log = played()
    before = log.position
    given = log.take(log.uphold(log.dispute(2), "agog.move.step"))
    event = log.events[given - 1].event
    assert isinstance(event, VerdictGiven)
    assert (event.verdict, event.rules, event.precedent) == (
        "upheld",
        ("agog.move.step",),
        f"00000000-{given}",
    )
    assert log.position == before
    log.play("b6-c6")


def test_a_match_is_reverted_to_any_version_before() -> None:
    log = played()
    log.take(log.revert(log.dispute(3), 2))
    assert log.position == AGOG.write_position(log.matches[1].position)
    log.play("h3-g3")
    assert replay(None, log.events) == log.match


@pytest.mark.parametrize("end", ["resigned", "drawn"])
def test_a_match_is_not_reverted_to_an_end_that_the_players_made(end: str) -> None:
    log = Log(DUEL, chance="rolled")
    one, other = log.match.seats
    before = log.match.version
    if end == "resigned":
        log.take(resign(log.match, one, STAMP, seeds))
    else:
        log.take(offer_draw(log.match, one, STAMP))
        log.take(respond_to_draw(log.match, other, True, STAMP, seeds))
    ended = log.match.version
    dispute, _ = log.dispute(1, one), log.dispute(2, one)
    for to in (ended, dispute):
        assert log.revert(dispute, to) == Rejection(
            "NOT_PLAYABLE",
            f"the players had ended the match at version {to}: choose an earlier one",
        )
    log.take(log.revert(dispute, before))
    assert log.match.result is None


@pytest.mark.parametrize("to", [-1, 0, 4, 5, 2**64])
def test_a_match_is_not_reverted_to_a_version_that_is_not_before(to: int) -> None:
    log = played()
    denied = log.revert(log.dispute(2), to)
    assert denied == Rejection("VERSION_OUT_OF_RANGE", "a verdict goes to a version from 1 to 3")


def test_a_position_is_corrected_by_facts() -> None:
    log = played()
    facts = (UnitMoved("G", "b6", "a6"), TurnPassed("black"))
    given = log.take(log.correct(log.dispute(2), *facts))
    assert log.position == "2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG2g1/GGGGG3/JGGGGG2 b 0 0 - *"
    assert log.events[given - 1].event.facts == facts
    assert replay(None, log.events) == log.match


def test_a_correction_can_end_the_match_and_another_can_open_it_again() -> None:
    log = played()
    ended = (GameEnded("black", "resign"),)
    log.take(log.correct(log.dispute(2), *ended))
    assert log.match.result is not None
    assert log.match.result.winners == ("black",)
    again = (TurnPassed("white"),)
    log.take(log.correct(log.dispute(3), *again))
    assert log.match.result is None


def test_an_end_that_the_players_made_outlives_a_correction() -> None:
    log = Log(DUEL, chance="rolled")
    log.take(resign(log.match, log.match.seats[0], STAMP, seeds))
    ended = log.match.result
    assert ended is not None
    position = log.match.position
    seat = DUEL.turn(position)[0].seat
    outcome = DUEL.decide(position, seat, next(DUEL.legal(position, seat)))
    log.take(log.correct(log.dispute(1), *outcome.facts))
    assert log.match.position != position
    assert log.match.result == ended


def test_a_correction_does_not_end_otherwise_what_the_players_had_ended() -> None:
    log = Log(GAMES["golem-arcana"])
    one, other = log.match.seats
    log.take(resign(log.match, one, STAMP, seeds))
    denied = log.correct(log.dispute(1, one), BattleEnded((other,), won=True, reason="rounds"))
    assert isinstance(denied, Rejection)
    assert denied.reason == "FACTS_IMPOSSIBLE"
    assert "the players had ended the match" in denied.why


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ((), "a correction has at least one fact"),
        ((UnitMoved("G", "b6", "b9"),), "fact 1 (agog.unit-moved) does not fit"),
        ((UnitMoved("G", "a1\n", "b6"),), "fact 1 (agog.unit-moved) does not fit"),
        (
            (TurnPassed("black"), UnitCaptured("g", "zz")),
            "fact 2 (agog.unit-captured) does not fit",
        ),
        ((UnitCaptured("g", "c7", white=500),), "White's supply is a number from 0 to 20"),
        ((UnitCaptured("g", "c7", black=-1),), "these facts do not give a position of A.G.O.G."),
    ],
)
def test_facts_that_fit_no_rule_are_reported(facts: Any, why: str) -> None:
    log = played()
    denied = log.correct(log.dispute(2), *facts)
    assert isinstance(denied, Rejection)
    assert denied.reason == "FACTS_IMPOSSIBLE"
    assert why in denied.why


def test_a_dispute_is_answered_once() -> None:
    log = played()
    number = log.dispute(2)
    log.take(log.uphold(number))
    for unknown in (number, 2, 99):
        denied = log.uphold(unknown)
        assert denied == Rejection(
            "DISPUTE_NOT_OPEN", f"no dispute {unknown} is open in this match"
        )


def test_a_verdict_rests_on_rules_of_the_game() -> None:
    log = played()
    number = log.dispute(2)
    denied = log.uphold(number, "agog.move.step", "chess.castling")
    assert denied == Rejection("RULE_NOT_FOUND", "A.G.O.G. has no rule chess.castling")


# --- pausing ----------------------------------------------------------------------------------


def test_where_it_was_agreed_nobody_acts_while_a_dispute_is_open() -> None:
    log = played(pause=True)
    number = log.dispute(3)
    waits = Rejection("MATCH_PAUSED", f"the match waits for the verdict on dispute {number}")
    assert act(log.match, "white", AGOG.read_action("b6-c6"), STAMP) == waits
    for text in ("b6-c6", "nonsense"):
        assert parse_match_action(log.match, text) == waits
    assert parse_match_action(log.match, "b6c6", score_notation=True) == waits
    assert resign(log.match, "white", STAMP) == waits
    assert log.dispute(2, "black")
    log.take(log.uphold(number))
    assert isinstance(act(log.match, "white", AGOG.read_action("b6-c6"), STAMP), Rejection)
    log.take(log.uphold(number + 1))
    log.play("b6-c6")


def test_where_it_was_agreed_a_dispute_stops_giving_up_and_draws_too() -> None:
    log = Log(DUEL, pause=True)
    first, second = log.match.seats[:2]
    log.dispute(1, first)
    for outcome in (
        resign(log.match, first, STAMP),
        offer_draw(log.match, first, STAMP),
        respond_to_draw(log.match, second, True, STAMP),
    ):
        assert isinstance(outcome, Rejection)
        assert outcome.reason in ("MATCH_PAUSED", "NO_DRAWS")


def test_otherwise_play_continues_during_a_dispute() -> None:
    log = played()
    log.dispute(3)
    stood = log.match.version
    log.play("b6-c6")
    assert log.match.version == stood + 1


# --- chance -----------------------------------------------------------------------------------


def test_a_roll_that_was_undone_is_drawn_afresh_by_the_service() -> None:
    log = Log(DUEL, chance="rolled")
    drawn = [each.event for each in log.events if getattr(each.event, "draw", None)]
    assert drawn
    given = log.take(log.revert(log.dispute(2), 1))
    after = [each.event for each in log.events[given:]]
    assert after, "the service rolls at once: nobody else may make its entries"
    assert all(isinstance(each, ActionTaken) and each.entry for each in after)
    numbers = [each.draw for each in (*drawn, *after)]
    assert numbers == [*range(1, len(numbers) + 1)], "the old numbers are spent"
    assert replay(None, log.events) == log.match


def test_another_verdict_does_not_reveal_the_next_seed_of_a_finished_match() -> None:
    log = Log(AGOG, chance="rolled").play("a6-b6", "resign black")
    assert isinstance(log.events[-1].event, SeedRevealed)
    facts = (UnitMoved("G", "b6", "a6"),)
    log.take(log.correct(log.dispute(2), *facts))
    assert isinstance(log.events[-1].event, VerdictGiven)
