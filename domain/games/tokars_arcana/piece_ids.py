"""What the pieces of a scene are called, and which of them an event calls otherwise.

A piece is called by the place where it lies: its square, its place among the dead of its unit, who
are all alike, or its place in the queue of models that wait in the air or for an angel. Who leaves
first, of the dead as of a queue, is number 1, however many there are; those behind the first of a
queue are counted from its end, so that they keep their names while it gets shorter.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.facts import (
    AngelsCalled,
    Fact,
    ModelKilled,
    ModelMoved,
    ModelPlaced,
    ModelReturned,
    ModelsVanquished,
    ModelWithdrawn,
    PriestRevived,
    RowSlid,
    Shift,
    WindBlew,
)
from domain.games.tokars_arcana.state import Seat, Square, Unit
from domain.kernel.game import ResolvedAction

AIR: Final = "air"
ANGEL: Final = "angel"


def model_id(square: Square) -> str:
    """The id of the piece on this square."""
    return f"model-{square}"


def dead_id(seat: Seat, unit: Unit, place: int) -> str:
    """The id of one of the dead of this unit."""
    return f"dead-{seat}-{unit}-{place}"


def waiting_id(queue: str, place: int = 1, count: int = 1) -> str:
    """The id of a piece in a queue of so many.

    >>> [waiting_id(AIR, place, 3) for place in (1, 2, 3)]
    ['air-1', 'air-3', 'air-2']
    """
    return f"{queue}-{1 if place == 1 else count + 2 - place}"


def piece_id_changes(happening: ResolvedAction[Action, Fact]) -> Mapping[str, str]:
    """The new ids of pieces by their old ones. Not of the killed, of whom an event does not say how
    many lie there already."""
    places = _Places()
    for fact in happening.facts:
        _follow(places, fact)
    return places.renamed()


class _Places:
    """Where those are by now whom the event has moved so far, each called as before it."""

    def __init__(self) -> None:
        self._standing: dict[Square, str] = {}
        self._waiting: dict[str, str] = {}
        self._dead: dict[tuple[Seat, Unit], list[str]] = {}

    def lift(self, square: Square) -> str:
        """Takes the piece from a square."""
        return self._standing.pop(square, model_id(square))

    def put(self, square: Square, piece: str) -> None:
        """Sets a piece on a square."""
        self._standing[square] = piece

    def shift(self, shifts: Iterable[Shift]) -> None:
        """Moves pieces from square to square, all at once."""
        lifted = [(each.end, self.lift(each.start)) for each in shifts]
        for end, piece in lifted:
            self.put(end, piece)

    def bury(self, seat: Seat, unit: Unit, square: Square) -> None:
        """Takes the piece from a square to the graveyard."""
        self._dead.setdefault((seat, unit), []).append(self.lift(square))

    def unbury(self, seat: Seat, unit: Unit) -> str:
        """Takes a unit from the graveyard: whom the event has just killed, if it is of the unit."""
        killed = self._dead.get((seat, unit))
        return killed.pop() if killed else dead_id(seat, unit, 1)

    def queue(self, queue: str, pieces: Sequence[str]) -> None:
        """Lets pieces wait in a queue."""
        for place, piece in enumerate(pieces, 1):
            self._waiting[waiting_id(queue, place, len(pieces))] = piece

    def renamed(self) -> dict[str, str]:
        """New ids by old ones."""
        standing = {was: model_id(square) for square, was in self._standing.items()}
        return standing | {was: now for now, was in self._waiting.items()}


def _follow(places: _Places, fact: Fact) -> None:
    match fact:
        case ModelMoved(start, end):
            places.shift((Shift(start, end),))
        case RowSlid(start, end, swapped):
            places.shift((Shift(start, end), *swapped))
        case WindBlew(pushed):
            places.shift(pushed)
        case ModelKilled(seat, unit, square) | ModelWithdrawn(seat, unit, square):
            places.bury(seat, unit, square)
        case ModelReturned(seat, unit, square):
            places.put(square, places.unbury(seat, unit))
        case ModelsVanquished(squares):
            places.queue(AIR, [places.lift(square) for square in squares])
        case ModelPlaced(square):
            places.put(square, waiting_id(AIR))
        case AngelsCalled(seats):
            places.queue(ANGEL, [places.unbury(seat, "P") for seat in seats])
        case PriestRevived(_, square):
            places.put(square, waiting_id(ANGEL))
        case _:
            pass
