"""Conformance vectors: recorded matches with the expected position and actions at each step.

A vector is one JSON object on a line. `start` is a position, or null for the options' start. Each
step has the seat, the action, the position after it, and the score notation (`human`) if the game
has one. `legal["i"]` lists the legal actions of all seats after i steps, sorted by bytes;
`legal["i:seat"]` those of one seat. `illegal` lists attempts with the rule that refuses each.
`views` has the position as viewers see it, and `record` the score of the match.

`check` returns the mismatches with the positions to draw.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from domain.kernel.any_game import fold, parse_action, read_options
from domain.kernel.game import SPECTATOR, AnyGame
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Refused

StepIndex = Annotated[str, Meta(pattern="^[0-9]+$")]
"""A number of steps, as a JSON key."""
SeatStepIndex = Annotated[str, Meta(pattern="^[0-9]+(:.+)?$")]
"""A number of steps, with a seat after a colon for the actions of one seat."""


NO_SCORE: Final = "the game has no score notation"


class VectorStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One action, with the expected position after it."""

    by: str
    do: str
    position: str
    human: str | None = None
    check: bool | None = None
    """True if the scene has the attribute `check`; None if that is not checked."""


class Attempt(Struct, frozen=True, forbid_unknown_fields=True):
    """An action that must be refused after `at` steps, and the rule that must be cited."""

    at: Annotated[int, Meta(ge=0)]
    by: str
    do: str
    rule: str


class Vector(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a vector file."""

    game: str
    name: str
    options: dict[str, Any]
    start: str | None
    steps: tuple[VectorStep, ...]
    legal: dict[SeatStepIndex, tuple[str, ...]] = {}
    illegal: tuple[Attempt, ...] = ()
    views: dict[StepIndex, dict[str, str]] = {}
    record: str | None = None


class Mismatch(Struct, frozen=True):
    """A difference between the rules and a vector."""

    at: int
    """The number of steps before the difference."""
    what: str
    """The compared value, as "position after a6-b6"."""
    expected: str
    got: str
    expected_position: str
    got_position: str


def read_vector(line: str | bytes) -> Vector:
    """Return the vector on a line.

    Raises:
        NotationError: The line is not a vector.
    """
    try:
        vector = msgspec.json.decode(line, type=Vector)
    except msgspec.DecodeError as error:
        raise NotationError(f"not a vector: {error}") from None
    keys = [int(key.partition(":")[0]) for key in (*vector.legal, *vector.views)]
    last = max((*keys, *(attempt.at for attempt in vector.illegal)), default=0)
    if last > len(vector.steps):
        raise NotationError(f"refers to step {last}, but has {len(vector.steps)} steps")
    return vector


def check(game: AnyGame, vector: Vector) -> list[Mismatch]:
    """Return the differences between the rules and one of the game's vectors.

    A wrong position ends the check, since all later steps would differ too.
    """
    return list(_VectorRun(game, vector).mismatches())


def acting_seats(game: AnyGame, options: Any, state: Any) -> tuple[str, ...]:
    """Return all roles that may act: the seats, and the roles of current chance entries."""
    asked = (prompt.seat for prompt in game.turn(state))
    return tuple(dict.fromkeys((*game.seats(options), *asked)))


def sort_by_bytes(actions: Iterable[str]) -> tuple[str, ...]:
    """Return notations sorted by their UTF-8 bytes, the order of vectors."""
    return tuple(sorted(actions, key=str.encode))


def summarize_difference(expected: Iterable[str], got: Iterable[str]) -> tuple[str, str]:
    """Return summaries of two lists of actions, equal only if the lists are.

    >>> summarize_difference(["a6-a7", "a6-b6"], ["a6-b6"])
    ('2 actions, among them a6-a7', '1 actions')
    """
    expected, got = list(expected), list(got)
    words = []
    for mine, other in ((expected, got), (got, expected)):
        only = ", ".join(action for action in mine if action not in other)
        words.append(f"{len(mine)} actions{f', among them {only}' if only else ''}")
    if expected != got and words[0] == words[1]:
        return ", ".join(expected), ", ".join(got)
    return words[0], words[1]


class _VectorRun:
    """The run of one vector, with its current state and its options."""

    def __init__(self, game: AnyGame, vector: Vector) -> None:
        self.game = game
        self.vector = vector
        self.options: Any = None
        self.state: Any = None

    def mismatches(self) -> Iterator[Mismatch]:
        vector = self.vector
        try:
            self.options = read_options(self.game, vector.options)
            self.state = first = self._start()
        except (msgspec.ValidationError, NotationError) as error:
            yield self._differs(0, "start", vector.start or f"options {vector.options}", str(error))
            return
        if vector.start is not None:
            yield from self._compare(0, "start read and written", vector.start, self._position())
        actions: list[Any] = []
        for at in range(len(vector.steps) + 1):
            yield from self._standing(at)
            if at == len(vector.steps):
                break
            if not (yield from self._step(at, vector.steps[at], actions)):
                return
        if vector.record is not None:
            score = self.game.score
            written = NO_SCORE if score is None else score.record(first, actions)
            yield from self._compare(len(actions), "record", vector.record, written)

    def _start(self) -> Any:
        if self.vector.start is None:
            return self.game.start(self.options)
        return self.game.read_position(self.vector.start, self.options)

    def _standing(self, at: int) -> Iterator[Mismatch]:
        """Check the position before a step: legal actions, refusals and views."""
        everyone = acting_seats(self.game, self.options, self.state)
        for key, expected in self.vector.legal.items():
            index, _, seat = key.partition(":")
            if int(index) == at:
                listed = yield from self._listed(at, (seat,) if seat else everyone)
                yield from self._compare(
                    at, f"legal actions {key}", *summarize_difference(expected, listed)
                )
        for attempt in self.vector.illegal:
            if attempt.at == at:
                yield from self._refusal_mismatches(attempt)
        for viewer, view in self.vector.views.get(str(at), {}).items():
            shown = self.game.write_view(self.state, viewer)
            yield from self._compare(at, f"view of {viewer}", view, shown)

    def _listed(self, at: int, seats: Iterable[str]) -> Generator[Mismatch, None, tuple[str, ...]]:
        """Return the notations of these seats' legal actions, sorted by bytes."""
        write, legal = self.game.write_action, self.game.legal
        listed: set[str] = set()
        for seat in seats:
            counted = Counter(write(action) for action in legal(self.state, seat))
            for action, times in counted.items():
                if times > 1:
                    yield self._differs(at, f"{action} of {seat}", "once", f"{times} times")
            listed |= counted.keys()
        return sort_by_bytes(listed)

    def _refusal_mismatches(self, attempt: Attempt) -> Iterator[Mismatch]:
        what = f"attempt by {attempt.by}: {attempt.do}"
        outcome = self._decide(attempt.by, attempt.do)
        if isinstance(outcome, Refused):
            yield from self._compare(attempt.at, what, attempt.rule, outcome.rule)
            return
        after = self.game.write_position(fold(self.game, self.state, outcome.facts))
        yield self._differs(attempt.at, what, f"refused by {attempt.rule}", "accepted", after)

    def _step(
        self, at: int, step: VectorStep, actions: list[Any]
    ) -> Generator[Mismatch, None, bool]:
        """Take a step; return whether the position after it is the expected one."""
        what = f"{step.by}: {step.do}"
        action = self.game.read_action(step.do)
        outcome = self._decide(step.by, step.do)
        if isinstance(outcome, Refused):
            got = f"refused by {outcome.rule}: {outcome.why}"
            yield self._differs(at, what, "accepted", got, wanted=step.position)
            return False
        yield from self._compare(at, "notation", step.do, self.game.write_action(action))
        if step.human is not None:
            yield from self._human(at, step.human, action)
        if self.game.consequences is not None:
            quick = self.game.consequences(self.state, action)
            yield from self._compare(at, f"facts of {what}", str(outcome.facts), str(quick))
        actions.append(action)
        self.state = fold(self.game, self.state, outcome.facts)
        position = self._position()
        if position != step.position:
            what = f"position after {what}"
            yield self._differs(at + 1, what, step.position, position, wanted=step.position)
            return False
        yield from self._arrived(at + 1, position, step.check)
        return True

    def _arrived(self, at: int, position: str, check: bool | None) -> Iterator[Mismatch]:
        try:
            again = self.game.write_position(self.game.read_position(position, self.options))
        except NotationError as error:
            again = str(error)
        yield from self._compare(at, "position read and written", position, again)
        if check is not None:
            announced = "check" in self.game.scene(self.state, SPECTATOR).attributes
            yield from self._compare(at, "check announced", str(check), str(announced))

    def _human(self, at: int, human: str, action: Any) -> Iterator[Mismatch]:
        score = self.game.score
        if score is None:
            yield self._differs(at, "human notation", human, NO_SCORE)
            return
        yield from self._compare(at, "human notation", human, score.write(self.state, action))
        read = score.read(self.state, human)
        meant = (
            f"refused by {read.rule}: {read.why}"
            if isinstance(read, Refused)
            else self.game.write_action(read)
        )
        written = self.game.write_action(action)
        yield from self._compare(at, f"meaning of {human}", written, meant)

    def _decide(self, seat: str, notation: str) -> Any:
        action = parse_action(self.game, self.state, notation)
        if isinstance(action, Refused):
            return action
        return self.game.decide(self.state, seat, action)

    def _position(self) -> str:
        return self.game.write_position(self.state)

    def _compare(self, at: int, what: str, expected: str, got: str) -> Iterator[Mismatch]:
        if expected != got:
            yield self._differs(at, what, expected, got)

    def _differs(
        self, at: int, what: str, expected: str, got: str, after: str = "", *, wanted: str = ""
    ) -> Mismatch:
        present = self._position() if self.state is not None else self.vector.start or ""
        return Mismatch(at, what, expected, got, wanted or present, after or present)
