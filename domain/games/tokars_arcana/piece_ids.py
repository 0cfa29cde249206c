"""What the pieces of a scene are called, and which of them an event calls otherwise.

A piece is called by the place where it lies: its square, its place in the queue of models that
wait in the air or for an angel, its place in a pile of the dead, of whom those of one unit are
alike. The first of a queue and the top of a pile is number 1.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.facts import (
    AngelsCalled,
    DeadRemoved,
    Fact,
    ModelKilled,
    ModelMoved,
    ModelPlaced,
    ModelReturned,
    ModelsVanquished,
    ModelWithdrawn,
    PriestLost,
    PriestRevived,
    RowSlid,
    Shift,
    WindBlew,
)
from domain.games.tokars_arcana.state import Seat, Square, Unit
from domain.kernel.game import Happening

AIR: Final = "air-{}"
ANGEL: Final = "angel-{}"
_DEEPEST: Final = 16
"""No pile or queue is deeper: an army has so many models."""


def model_id(square: Square) -> str:
    """The id of the piece on this square."""
    return f"model-{square}"


def dead_id(seat: Seat, unit: Unit, place: int) -> str:
    """The id of one of the dead of this unit, the top one being 1."""
    return _pile(seat, unit).format(place)


def _pile(seat: Seat, unit: Unit) -> str:
    return f"dead-{seat}-{unit}-{{}}"


def renamed(happening: Happening[Action, Fact]) -> Mapping[str, str]:
    """The new ids of pieces by their old ones. Where a pile changes, its deeper pieces are named
    too, be there any or not: an event does not say how many lie there."""
    places = _Places()
    for fact in happening.facts:
        _follow(places, fact)
    return places.renamed()


class _Places:
    """Who is where by now, each called as before the event."""

    def __init__(self) -> None:
        self._board: dict[Square, str | None] = {}
        self._piles: dict[str, list[str]] = {}

    def lift(self, square: Square) -> str:
        """Takes the piece from a square."""
        was = self._board.get(square) or model_id(square)
        self._board[square] = None
        return was

    def put(self, square: Square, piece: str) -> None:
        """Sets a piece on a square."""
        self._board[square] = piece

    def shift(self, shifts: Iterable[Shift]) -> None:
        """Moves pieces from square to square, all at once."""
        lifted = [(each.end, self.lift(each.start)) for each in shifts]
        for end, piece in lifted:
            self.put(end, piece)

    def pile(self, name: str) -> list[str]:
        """A pile or queue, the first at the front."""
        if name not in self._piles:
            self._piles[name] = [name.format(n) for n in range(1, _DEEPEST + 1)]
        return self._piles[name]

    def renamed(self) -> dict[str, str]:
        """New ids by old ones."""
        on_board = ((was, model_id(square)) for square, was in self._board.items() if was)
        in_piles = (
            (was, name.format(n))
            for name, pile in self._piles.items()
            for n, was in enumerate(pile, 1)
        )
        return {was: now for was, now in (*on_board, *in_piles) if was != now}


def _follow(places: _Places, fact: Fact) -> None:
    match fact:
        case ModelMoved(start, end):
            places.shift((Shift(start, end),))
        case RowSlid(start, end, swapped):
            places.shift((Shift(start, end), *swapped))
        case WindBlew(pushed):
            places.shift(pushed)
        case ModelKilled(seat, unit, square) | ModelWithdrawn(seat, unit, square):
            places.pile(_pile(seat, unit)).insert(0, places.lift(square))
        case ModelReturned(seat, unit, square):
            places.put(square, places.pile(_pile(seat, unit)).pop(0))
        case DeadRemoved(seat, unit):
            places.pile(_pile(seat, unit)).pop(0)
        case ModelsVanquished(squares):
            places.pile(AIR)[:] = [places.lift(square) for square in squares]
        case ModelPlaced(square):
            places.put(square, places.pile(AIR).pop(0))
        case AngelsCalled(seats):
            places.pile(ANGEL)[:] = [places.pile(_pile(seat, "P")).pop(0) for seat in seats]
        case PriestRevived(_, square):
            places.put(square, places.pile(ANGEL).pop(0))
        case PriestLost(seat):
            places.pile(_pile(seat, "P")).insert(0, places.pile(ANGEL).pop(0))
        case _:
            pass
