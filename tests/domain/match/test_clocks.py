"""Clocks: what time is left follows from the times of the events, and from nothing else."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from domain.kernel.game import REFEREE
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.match import (
    ActionTaken,
    Audit,
    Changeset,
    CorrespondenceTime,
    DowntimeCredited,
    FlagFallPendingError,
    FlagFell,
    MatchSetup,
    MoveTime,
    Terms,
    TimeBudget,
    TimeControl,
    Verdict,
    act,
    create,
    credit_downtime,
    deduct_elapsed,
    moved_ranges,
    next_flag_fall,
    raise_dispute,
    record_flag_fall,
    replay,
    respond_to_undo,
    revert,
    roles,
    undo,
    uphold,
)
from domain.match.clocks import MS, SeatClock
from domain.match.recording import seal_as_stored
from domain.registry import GAMES
from tests.command_contexts import context_at

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SIDE = TimeBudget(60_000)


class Timed:
    """A match with clocks, and a time that advances only by `wait`."""

    def __init__(
        self,
        clock: TimeControl | None = SIDE,
        game: str = "agog",
        options: Any = None,
        **terms: Any,
    ) -> None:
        self.now = NOON
        self.events: list[Any] = []
        self.states: list[Any] = []
        self.rules = GAMES[game]
        given = options or self.rules.options()
        keys = dict.fromkeys(roles(self.rules, given), "a" * 64)
        setting = MatchSetup(self.rules, given, terms=Terms(clock=clock, **terms))
        self.take(create(setting, self.id, keys, self.command_context, seeds=self.seeds))

    id = UUID(int=7)

    @property
    def match(self) -> Any:
        return self.states[-1]

    @property
    def command_context(self) -> CommandContext:
        return context_at(self.now, f"request {len(self.events)}")

    def seeds(self, epoch: int) -> bytes:
        return bytes([epoch]) * 32

    def version_lookup(self, version: int) -> Any:
        return self.states[version - 1]

    def take(self, outcome: Any) -> Any:
        assert isinstance(outcome, Changeset), outcome
        self.events += outcome.events
        self.states += outcome.states
        return outcome

    def wait(self, ms: int) -> "Timed":
        self.now += MS * ms
        return self

    def play(self, seat: str | None = None) -> Any:
        prompt = next(prompt for prompt in self.match.prompts if seat in (None, prompt.seat))
        match = self.match
        actions = match.rules.legal(match.position, prompt.seat)
        possible = [each for each in actions if not match.rules.is_administrative(each)]
        action = Random(match.version).choice(possible)
        return self.take(act(match, prompt.seat, action, self.command_context, self.seeds))

    def left(self, seat: str) -> int:
        """Milliseconds that a seat has now."""
        clocks = deduct_elapsed(self.match.clocks, self.match.time_controls, self.now)
        return clocks.times[seat].left_ms

    def undo(self, to: int) -> None:
        seat = self.match.prompts[0].seat if self.match.prompts else REFEREE
        events = [self.events[v - 1] for stretch in moved_ranges(self.match, to) for v in stretch]
        self.take(
            undo(
                self.match, seat, self.version_lookup(to), events, self.command_context, self.seeds
            )
        )
        for other in self.match.proposal.awaiting if self.match.proposal else ():
            self.take(
                respond_to_undo(
                    self.match, other, True, self.command_context, self.version_lookup, self.seeds
                )
            )

    def findings(self) -> list[Any]:
        audit = Audit()
        found = [finding for sealed in self.events for finding in audit.take(sealed)]
        return [*found, *audit.end()]


def test_a_side_has_what_it_has_not_used() -> None:
    timed = Timed()
    timed.wait(1_500).play("white")
    assert (timed.left("white"), timed.left("black")) == (58_500, 60_000)
    timed.wait(10_000)
    assert (timed.left("white"), timed.left("black")) == (58_500, 50_000)


def test_an_increment_is_added_when_the_turn_passes_on() -> None:
    timed = Timed(TimeBudget(60_000, increment_ms=5_000))
    timed.wait(2_000).play()
    assert timed.left("white") == 63_000


def test_a_simple_delay_is_waited_for_and_not_kept() -> None:
    timed = Timed(TimeBudget(60_000, delay_ms=3_000))
    assert timed.wait(2_000).left("white") == 60_000
    assert timed.wait(2_000).left("white") == 59_000
    timed.play()
    timed.play()
    assert timed.wait(3_000).left("white") == 59_000
    flag = next_flag_fall(timed.match)
    assert flag is not None
    assert flag.at == timed.now + MS * 59_000


def test_of_a_bronstein_delay_what_was_used_is_given_back() -> None:
    timed = Timed(TimeBudget(60_000, delay_ms=3_000, delay="bronstein"))
    assert timed.wait(2_000).left("white") == 58_000
    timed.play()
    assert timed.left("white") == 60_000
    timed.wait(10_000).play()
    assert timed.left("black") == 53_000


@pytest.mark.parametrize("clock", [MoveTime(30_000), CorrespondenceTime(1)])
def test_each_action_has_its_own_time(clock: TimeControl) -> None:
    timed = Timed(clock)
    full = timed.left("white")
    timed.wait(20_000)
    assert timed.left("white") == full - 20_000
    timed.play()
    assert timed.left("white") == timed.left("black") == full


def test_a_handicap_is_a_clock_of_ones_own() -> None:
    timed = Timed(SIDE, seat_clocks={"black": TimeBudget(5_000)})
    assert (timed.left("white"), timed.left("black")) == (60_000, 5_000)
    assert "white" not in Timed(None, seat_clocks={"black": SIDE}).match.clocks.times


def test_dice_that_the_table_throws_cost_nobody_anything() -> None:
    timed = Timed(SIDE, "earthen-war")
    assert all(prompt.is_chance for prompt in timed.match.prompts)
    assert timed.match.clocks.running == ()
    assert next_flag_fall(timed.wait(10**9).match) is None
    while all(prompt.is_chance for prompt in timed.match.prompts):
        timed.play()
    assert timed.left(timed.match.clocks.running[0]) == 60_000


def test_who_chooses_at_the_same_time_is_on_the_clock_at_the_same_time() -> None:
    rules = GAMES["res-arcana"]
    timed = Timed(SIDE, "res-arcana", rules.options(), chance="rolled")
    seats = {prompt.seat for prompt in timed.match.prompts}
    assert {*timed.match.clocks.running} == seats
    assert len(seats) > 1


def test_a_dispute_that_pauses_stops_the_clocks() -> None:
    timed = Timed(SIDE, pause=True)
    timed.wait(1_000).take(raise_dispute(timed.match, "black", 1, "hm", timed.command_context))
    timed.wait(500_000)
    assert timed.left("white") == 59_000
    number = timed.match.details.disputes[0].number
    timed.take(uphold(timed.match, Verdict(number, "so it is"), timed.command_context))
    timed.wait(2_000)
    assert timed.left("white") == 57_000
    assert timed.findings() == []


def test_an_undo_and_a_verdict_give_the_time_back() -> None:
    timed = Timed()
    timed.wait(1_000).play()
    timed.wait(9_000).play()
    timed.wait(4_000).undo(2)
    assert (timed.left("white"), timed.left("black")) == (59_000, 60_000)
    timed.wait(7_000).take(raise_dispute(timed.match, "white", 2, "hm", timed.command_context))
    words = (timed.match, Verdict(timed.match.version, "not so"))
    timed.take(revert(*words, 1, timed.command_context, timed.version_lookup))
    assert (timed.left("white"), timed.left("black")) == (60_000, 60_000)
    assert timed.findings() == []


def test_nobody_gives_himself_time_back_by_a_free_undo() -> None:
    timed = Timed(SIDE, undo="free")
    timed.wait(30_000).play("white")
    seat, to = "white", 1
    events = [timed.events[1]]
    asked = undo(
        timed.match, seat, timed.version_lookup(to), events, timed.command_context, timed.seeds
    )
    assert isinstance(asked, Changeset)
    assert asked.state.proposal is not None
    assert asked.state.proposal.awaiting == ("black",)


def test_time_that_is_up_is_recorded_before_anything_else() -> None:
    timed = Timed()
    timed.wait(59_999)
    assert isinstance(record_flag_fall(timed.match, "white", timed.command_context), Rejection)
    late = timed.wait(1).match
    action = next(iter(late.rules.legal(late.position, "white")))
    with pytest.raises(FlagFallPendingError):
        act(late, "white", action, timed.command_context)
    assert isinstance(record_flag_fall(late, "black", timed.command_context), Rejection)
    timed.take(record_flag_fall(late, "white", timed.command_context))
    assert timed.match.result.winners == ("black",)
    assert (timed.match.result.reason, timed.match.result.score) == ("time", "black:time")
    assert timed.findings() == []


def test_an_action_in_the_last_millisecond_stands() -> None:
    timed = Timed()
    timed.wait(59_999).play("white")
    assert timed.left("white") == 1


def test_with_more_than_two_seats_the_others_play_on() -> None:
    rules = GAMES["res-arcana"]
    options = rules.options(players=3)
    timed = Timed(SIDE, "res-arcana", options, chance="rolled")
    seat = timed.match.clocks.running[0]
    timed.wait(60_000)
    timed.take(record_flag_fall(timed.match, seat, timed.command_context, timed.seeds))
    assert timed.match.result is None
    assert timed.match.out == (seat,)
    assert timed.findings() == []


def test_the_time_of_an_absent_service_is_nobodys() -> None:
    timed = Timed(SIDE, seat_clocks={"black": CorrespondenceTime(1)})
    since = timed.wait(1_000).now
    timed.wait(3_600_000)
    timed.take(credit_downtime(timed.match, since, timed.command_context))
    assert timed.left("white") == 59_000
    timed.play()
    assert isinstance(credit_downtime(timed.match, timed.now, timed.command_context), Rejection)
    assert timed.findings() == []


def test_times_in_events_never_run_backwards_and_are_whole() -> None:
    timed = Timed()
    timed.wait(5_000).play()
    timed.now -= timedelta(seconds=3, microseconds=-77)
    timed.play()
    times = [sealed.event.at for sealed in timed.events[1:]]
    assert times == [NOON + MS * 5_000] * 2
    assert timed.findings() == []


def forged(timed: Timed) -> Iterator[tuple[str, Any]]:
    """Events that say what cannot be, each beside what is wrong with it."""
    events = [each.event for each in timed.events]
    head = timed.events[-2].digest

    def sealed(event: Any) -> Any:
        return seal_as_stored(head, event)

    last = events[-1]
    yield "no whole millisecond", sealed(replace(last, at=NOON - MS))
    yield "no whole millisecond", sealed(replace(last, at=last.at + timedelta(microseconds=5)))
    yield "white had no time left", sealed(replace(last, at=NOON + MS * 60_000))
    place = {"match": last.match, "version": last.version, "request": "x"}
    early = FlagFell(**place, at=NOON + MS * 59_999, seat="white")
    yield "white has time left", sealed(early)
    held = DowntimeCredited(**place, at=NOON + MS * 5_000, since=NOON - MS)
    yield "was not away since then", sealed(held)


@pytest.mark.parametrize("number", range(5))
def test_an_audit_finds_times_that_cannot_be(number: int) -> None:
    timed = Timed()
    timed.wait(1_000).play()
    why, event = [*forged(timed)][number]
    audit = Audit()
    found = [f for sealed in (*timed.events[:-1], event) for f in audit.take(sealed)]
    assert any(why in finding.sentence for finding in found), found


class ClockModel(RuleBasedStateMachine):
    """A match whose clocks are kept a second time: as seconds that pass, and never from events."""

    def __init__(self) -> None:
        super().__init__()
        self.timed = Timed(TimeBudget(20_000, increment_ms=1_000), pause=True)
        self.left = {"white": 20_000, "black": 20_000}
        self.kept = [dict(self.left)]

    def on_turn(self) -> str | None:
        prompts = self.timed.match.prompts
        return prompts[0].seat if prompts else None

    def remember(self) -> None:
        while len(self.kept) < len(self.timed.states):
            self.kept.append(dict(self.left))

    @rule(ms=st.integers(1, 9_000))
    def wait(self, ms: int) -> None:
        seat = self.on_turn()
        self.timed.wait(ms)
        if seat is not None:
            self.left[seat] = max(0, self.left[seat] - ms)
            if self.left[seat] == 0:
                self.timed.take(
                    record_flag_fall(self.timed.match, seat, self.timed.command_context)
                )
                self.remember()

    @precondition(lambda self: self.on_turn() is not None)
    @rule()
    def play(self) -> None:
        seat = self.on_turn()
        assert seat is not None
        self.timed.play(seat)
        if self.timed.match.result is None and self.on_turn() != seat:
            self.left[seat] += 1_000
        self.remember()

    @precondition(lambda self: self.timed.match.version > 1)
    @rule(data=st.data())
    def undo(self, data: Any) -> None:
        line = [v for stretch in moved_ranges(self.timed.match, 1) for v in stretch]
        to = data.draw(st.sampled_from([1, *line[:-1]]))
        later = (self.timed.events[v - 1].event for v in line if v > to)
        played = any(isinstance(event, ActionTaken | FlagFell) for event in later)
        if not played or self.timed.version_lookup(to).result is not None:
            return
        self.timed.undo(to)
        self.left = dict(self.kept[to - 1])
        self.remember()

    @precondition(lambda self: self.on_turn() is not None)
    @rule()
    def dispute(self) -> None:
        match = self.timed.match
        self.timed.take(
            raise_dispute(match, "white", match.version, "hm", self.timed.command_context)
        )
        self.remember()

    @precondition(lambda self: self.timed.match.pause is not None)
    @rule()
    def uphold(self) -> None:
        match = self.timed.match
        verdict = Verdict(match.pause.number, "so it is")
        self.timed.take(uphold(match, verdict, self.timed.command_context))
        self.remember()

    @precondition(lambda self: self.on_turn() is not None)
    @rule(ms=st.integers(0, 100_000))
    def restart(self, ms: int) -> None:
        """The service goes away for a while, and reads the log again."""
        since = self.timed.now
        self.timed.wait(ms)
        self.timed.take(credit_downtime(self.timed.match, since, self.timed.command_context))
        self.remember()
        assert replay(None, self.timed.events) == self.timed.match

    @invariant()
    def the_clocks_agree(self) -> None:
        assert {seat: self.timed.left(seat) for seat in self.left} == self.left

    def teardown(self) -> None:
        assert self.timed.findings() == []


TestClockModel = ClockModel.TestCase
TestClockModel.settings = settings(
    max_examples=40, stateful_step_count=20, deadline=None, phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip


def test_the_referee_is_no_seat_and_has_no_clock() -> None:
    assert {*Timed().match.clocks.times} == {"white", "black"}
    assert REFEREE not in Timed().match.clocks.times
    assert Timed().match.clocks.times["white"] == SeatClock(60_000)
    assert Timed(None).match.clocks is None
