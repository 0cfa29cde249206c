"""What the clocks of a match of A.G.O.G. must show, reckoned from the times of its events alone.

It shares nothing with the service's own reckoning but the rules of the game, which tell whose turn
it is. All times are whole milliseconds.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from services.wire.emeth.v1.actions_pb2 import Event

GAME: Final = GAMES["agog"]
REWINDS: Final = ("match.LineContinued", "match.VerdictGiven")
ENDS: Final = ("match.Resigned", "match.TimeRanOut")


class Budget(NamedTuple):
    """What a seat has, and what it gets at the end of each of its turns."""

    ms: int
    increment_ms: int


class Moment(NamedTuple):
    """A match after an event."""

    at: int
    position: Any
    left: Mapping[str, int]
    turn: str
    """Whose clock runs; empty if nobody's does."""


def start() -> Any:
    """The position in which a match begins."""
    options: Any = msgspec.convert({}, GAME.options)
    return GAME.start(options)


def acted(position: Any, seat: str, notation: str) -> Any:
    """The position after an action that the rules allow."""
    changeset = GAME.decide(position, seat, GAME.read_action(notation))
    assert isinstance(changeset, Accepted), changeset
    for fact in changeset.facts:
        position = GAME.evolve(position, fact)
    return position


def read(position: str) -> Any:
    """A position as the service writes it."""
    options: Any = msgspec.convert({}, GAME.options)
    return GAME.read_position(position, options)


def legal_actions(position: Any, seat: str) -> list[str]:
    """What a seat may do, but for resigning."""
    legal = (GAME.write_action(each) for each in GAME.legal(position, seat))
    return [each for each in legal if each != "resign"]


def turn_of(position: Any) -> str:
    """Who is asked in a position; empty once it is decided."""
    return next((prompt.seat for prompt in GAME.turn(position)), "")


def moments(
    events: Iterable[Event], budget: Budget, positions: Mapping[int, str]
) -> dict[int, Moment]:
    """The match after each event, by version. What a verdict corrected is as in `positions`.

    AssertionError if somebody acted when his time was up, or lost on time when it was not.
    """
    found: dict[int, Moment] = {}
    before: Moment | None = None
    for event in events:
        at = event.create_time.ToMilliseconds()
        if before is None:
            seats = GAME.seats(msgspec.convert({}, GAME.options))
            begun = start()
            before = Moment(at, begun, dict.fromkeys(seats, budget.ms), turn_of(begun))
        else:
            before = _after(before, event, at, budget, found)
            if _corrected(event):
                stands = read(positions[event.version])
                before = _pass_turn(before._replace(position=stands), before.turn, budget)
        found[event.version] = before
    return found


def _after(
    before: Moment, event: Event, at: int, budget: Budget, found: Mapping[int, Moment]
) -> Moment:
    assert at >= before.at, f"time runs backwards at version {event.version}"
    ran = at - before.at
    if event.kind == "match.ClocksHeld":
        since = datetime.fromisoformat(event.details["since"]).astimezone(UTC)
        ran = min(ran, max(0, int(since.timestamp() * 1_000) - before.at))
    left = dict(before.left)
    if seat := before.turn:
        flagged = event.kind == "match.TimeRanOut"
        assert flagged == (left[seat] <= ran), f"{event.kind} with {left[seat] - ran} ms to go"
        left[seat] = max(0, left[seat] - ran)
    if (to := event.details.get("to")) and event.kind in REWINDS:
        return found[int(to)]._replace(at=at)
    if event.kind in ENDS or _agreed(event):
        return Moment(at, before.position, left, "")
    if event.kind != "match.ActionTaken":
        return Moment(at, before.position, left, before.turn)
    position = acted(before.position, event.seat, event.action.notation)
    return _pass_turn(Moment(at, position, left, before.turn), before.turn, budget)


def _pass_turn(moment: Moment, whose: str, budget: Budget) -> Moment:
    """Once it is clear whose turn it is after a turn of somebody's."""
    turn, left = turn_of(moment.position), dict(moment.left)
    if turn and whose and turn != whose:
        left[whose] += budget.increment_ms
    return moment._replace(turn=turn, left=left)


def _agreed(event: Event) -> bool:
    return event.kind == "match.DrawAnswered" and event.details.get("accepted") == "true"


def _corrected(event: Event) -> bool:
    return event.kind == "match.VerdictGiven" and event.details.get("verdict") == "corrected"
