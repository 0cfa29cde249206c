"""The Arcana cards as people read them: what each unit does, under the options of a match."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.state import UNITS, Options, Unit
from domain.kernel.scene import CardFace, Stat

_LINES: Final[dict[Unit, tuple[str, ...]]] = {
    "I": ("I.move", "I.{warrior}"),
    "K": ("K.move", "K.{knight}"),
    "W": ("W.move", "W.enter", "W.bolt"),
    "P": ("step", "P.strike", "P.revive", "P.angel"),
    "Q": ("step", "P.strike", "P.revive", "Q.angel"),
    "A": ("A.move", "A.brew"),
    "D": ("D.move", "D.strike"),
    "B": ("step", "strike", "B.vanquish", "B.promote"),
    "S": ("S.move", "entering", "S.return"),
    "Z": ("Z.move", "entering", "Z.{raised}"),
    "M": ("M.move", "entering", "M.gas"),
    "T": ("step", "strike"),
    "X": ("X.move", "X.wind", "X.explode", "X.slay"),
    "N": ("step", "strike", "N.revive", "N.{trade}"),
}
"""The keys of what is on each card; in braces what an option decides."""


@lru_cache(maxsize=32)
def faces(options: Options) -> dict[Unit, CardFace]:
    """All cards in a match with these options."""
    changeset = {
        "warrior": options.warrior,
        "knight": "any" if options.friendly_fire == "any" else "enemy",
        "raised": options.raise_rank,
        "trade": options.trade,
    }
    return {unit: _face(unit, changeset) for unit in UNITS}


def _face(unit: Unit, changeset: dict[str, str]) -> CardFace:
    card = CARDS[unit]
    rank, race = ENGLISH.format(f"rank.{card.rank}"), ENGLISH.format(f"race.{card.race}")
    return CardFace(
        title=card.name,
        kind=race,
        stats=(Stat(ENGLISH.format("stat-rank"), rank),),
        lines=tuple(_lines(unit, changeset)),
    )


def _lines(unit: Unit, changeset: dict[str, str]) -> Iterator[str]:
    card = CARDS[unit]
    for key in _LINES[unit]:
        yield ENGLISH.format(key.format(**changeset))
    if card.immune:
        yield ENGLISH.format("immune")
    if card.rank == "general":
        yield ENGLISH.format("general")
