"""Conformance of taps: sequences of taps with the answer to each, as the reference has them.

A line is one JSON object of `"kind": "taps"`: a position, the seats of the stylus, the taps with
what its screen shows after each, and the position at the end.
"""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.games.golem_arcana.decide import decide
from domain.games.golem_arcana.evolve import evolve
from domain.games.golem_arcana.notation.position import write_position
from domain.games.golem_arcana.notation.position_reading import read_position
from domain.games.golem_arcana.state import State
from domain.kernel.any_game import read_options
from domain.kernel.game import AnyGame, VectorMismatch
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Refused
from domain.stylus.tap_machine import (
    Selection,
    StylusScreen,
    StylusView,
    TapResult,
    stylus_screen,
    tap,
)


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """A tap, and what the screen shows after it."""

    tap: str
    refusal: str | None
    did: str | None
    view: str
    page: int
    picked: tuple[str, ...]
    digits: str
    regions: tuple[str, ...]
    units: tuple[str, ...]
    abilities: tuple[str, ...]
    runes: tuple[str, ...]
    armed: str | None


class TapVector(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file of tap vectors."""

    game: str
    kind: Literal["taps"]
    name: str
    start: str
    seats: tuple[str, ...]
    taps: tuple[Answer, ...]
    position: str
    options: dict[str, Any] = {}


def read_tap_vector(line: str | bytes) -> TapVector:
    """The vector on a line. Raises NotationError for a line that is none."""
    try:
        vector = msgspec.json.decode(line, type=TapVector)
    except msgspec.DecodeError as error:
        raise NotationError(f"not a vector of taps: {error}") from None
    # Any position names its scenario, so a vector need not do it again.
    scenario = vector.start.split(" ")[1:2]
    given = {"scenario": scenario[0], **vector.options} if scenario else vector.options
    return msgspec.structs.replace(vector, options=given)


def check_taps(game: AnyGame, line: str | bytes) -> tuple[VectorMismatch, ...]:
    """Where the tap machine and the vector on a line differ; nothing if they agree.

    Raises NotationError for a line that is no such vector.
    """
    vector = read_tap_vector(line)
    return tuple(_differences(game, vector, _start(game, vector)))


def _start(game: AnyGame, vector: TapVector) -> State:
    try:
        return read_position(vector.start, read_options(game, vector.options))
    except msgspec.ValidationError as error:
        raise NotationError(str(error)) from None


def _differences(game: AnyGame, vector: TapVector, state: State) -> Iterator[VectorMismatch]:
    hand = Selection()
    for at, expected in enumerate(vector.taps, 1):
        tapped = tap(StylusView(game, state, vector.seats), hand, expected.tap)
        hand = tapped.hand
        if tapped.action is not None:
            outcome = decide(state, StylusView(game, state, vector.seats).seat, tapped.action)
            assert not isinstance(outcome, Refused), outcome
            for fact in outcome.facts:
                state = evolve(state, fact)
        shown = stylus_screen(StylusView(game, state, vector.seats), hand)
        got = _answer(expected.tap, tapped, shown)
        for name in Answer.__struct_fields__:
            mine, theirs = str(getattr(got, name)), str(getattr(expected, name))
            if mine != theirs:
                what = f"{vector.name}, tap {at}: {name} after {expected.tap}"
                yield VectorMismatch(what, theirs, mine)
    if (end := write_position(state)) != vector.position:
        yield VectorMismatch(f"{vector.name}: position at the end", vector.position, end)


def _answer(target: str, tapped: TapResult, shown: StylusScreen) -> Answer:
    return Answer(
        tap=target,
        refusal=tapped.refusal.rule if tapped.refusal else None,
        did=tapped.notation or None,
        view=shown.view,
        page=shown.page,
        picked=shown.picked,
        digits=shown.digits,
        regions=_named(shown.next, "region"),
        units=_named(shown.next, "base"),
        abilities=tuple(name for name in _named(shown.next, "card") if " " in name),
        runes=tuple(option.label for option in shown.runes),
        armed=shown.armed.label if shown.armed else None,
    )


def _named(things: tuple[str, ...], kind: str) -> tuple[str, ...]:
    return tuple(thing.partition(" ")[2] for thing in things if thing.startswith(f"{kind} "))
