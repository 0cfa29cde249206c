"""The game's own conformance vectors: checks of armies, figures of attacks, positions as read."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.content.army_options import Constraints, check
from domain.games.golem_arcana.content.cards import Army
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.content.shelf import SHELF
from domain.games.golem_arcana.display.questions import attack_figures
from domain.games.golem_arcana.legal import turn
from domain.games.golem_arcana.notation.actions import read_action
from domain.games.golem_arcana.notation.position import write_position
from domain.games.golem_arcana.notation.position_reading import read_position
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State
from domain.kernel.game import VectorMismatch
from domain.kernel.notation_error import NotationError
from domain.kernel.packs import BUILT_IN_PACKS
from domain.kernel.rulings import Refused

V = TypeVar("V")


class ArmyVector(Struct, frozen=True, forbid_unknown_fields=True):
    """An army, and every error it has: `rule path`, sorted."""

    game: str
    kind: str
    name: str
    army: Army
    errors: tuple[str, ...]
    scenario: str | None = None
    """Without one nothing limits the army's value."""
    pack: str = CORE.digest


class FiguresVector(Struct, frozen=True, forbid_unknown_fields=True):
    """An attack or Charge, and what it comes to for one of its targets."""

    game: str
    kind: str
    position: str
    action: str
    target: str
    figures: dict[str, int]
    """Parts of the chance by name; penalties are negative."""
    chance: int
    damage: int
    """Hit Points that a hit costs."""
    critical: int
    """Hit Points that a critical hit costs."""
    pack: str = CORE.digest


class ReadingVector(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as somebody may write it, and as it is written back."""

    game: str
    kind: str
    name: str
    read: str
    position: str
    pack: str = CORE.digest


def check_army_vector(line: bytes) -> tuple[VectorMismatch, ...]:
    """Where the check of an army differs.

    Raises NotationError for a line that is no such vector.
    """
    vector = _read(line, ArmyVector)
    raw = {"pack": vector.pack} | ({"scenario": vector.scenario} if vector.scenario else {})
    found = tuple(map(str, check(vector.army, _convert(raw, Constraints)).faults))
    if found == vector.errors:
        return ()
    return (VectorMismatch(f"errors of {vector.name!r}", _lines(vector.errors), _lines(found)),)


def check_figures_vector(line: bytes) -> tuple[VectorMismatch, ...]:
    """Where the figures of an attack differ.

    Raises NotationError for a line that is no such vector.
    """
    vector = _read(line, FiguresVector)
    what = f"{vector.action} at {vector.target}"
    try:
        state = _state(vector.position, vector.pack)
    except NotationError as error:
        return (VectorMismatch(f"position of {what}", vector.position, str(error)),)
    action = read_action(vector.action)
    if not isinstance(action, a.Attack | a.Charge):
        return (VectorMismatch(what, "an attack", "no attack"),)
    found = attack_figures(state, turn(state)[0].seat, action)
    if isinstance(found, Refused):
        return (VectorMismatch(what, "an attack that may be made", f"refused by {found.rule}"),)
    aim = next((each for each in found if each.target == vector.target), None)
    if aim is None:
        return (VectorMismatch(what, f"a target {vector.target}", "no such target"),)
    wanted = vector.figures | {name: getattr(vector, name) for name in _SUMS}
    return tuple(
        VectorMismatch(f"{name} of {what}", str(value), str(getattr(aim, name, "no such figure")))
        for name, value in wanted.items()
        if getattr(aim, name, None) != value
    )


def check_reading_vector(line: bytes) -> tuple[VectorMismatch, ...]:
    """Where a position is read or written back otherwise.

    Raises NotationError for a line that is no such vector.
    """
    vector = _read(line, ReadingVector)
    return tuple(
        VectorMismatch(f"{vector.name}: {what}", vector.position, written)
        for what, text in (("as it is read", vector.read), ("read again", vector.position))
        if (written := _written(text, vector.pack)) != vector.position
    )


def _written(text: str, pack: str) -> str:
    """A position read and written; why it cannot be read, if it cannot."""
    try:
        return write_position(_state(text, pack))
    except NotationError as error:
        return str(error)


def _state(position: str, pack: str) -> State:
    """The position, in a match of the scenario that it names."""
    scenario = "".join(position.split(" ")[1:2])
    return read_position(position, _convert({"pack": pack, "scenario": scenario}, Options))


_SUMS: Final = ("chance", "damage", "critical")


def _read(line: bytes, kind: type[V]) -> V:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise NotationError(f"not a vector: {error}") from None


def _convert(raw: Mapping[str, Any], kind: type[V]) -> V:
    try:
        return msgspec.convert(raw, kind, dec_hook=BUILT_IN_PACKS.decode_hook(SHELF))
    except msgspec.ValidationError as error:
        raise NotationError(str(error)) from None


def _lines(errors: tuple[str, ...]) -> str:
    return ", ".join(errors) or "no errors"
