"""Which pieces of a scene have other names after something happened.

A card that a viewer may read is called by its id wherever it lies. One that lies face down is
called by its place in its pile, counted from the top, and so are all beneath it.
"""

from functools import lru_cache
from typing import Final

from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.facts import (
    ArtifactPlaced,
    CardClaimed,
    CardDiscarded,
    CardPicked,
    CardsDrawn,
    Fact,
    MageRevealed,
    MonumentRevealed,
)
from domain.games.res_arcana.state import HIDDEN
from domain.kernel.game import Happening

_REACH: Final = 80
"""Cards of a pile that are followed. No state is at hand to count them, and names of cards that are
not there rename nothing."""


def renamed(happening: Happening[Action, Fact]) -> dict[str, str]:
    """The new ids of the pieces whose ids are others now, as far as this viewer saw them go."""
    piles = _Piles()
    for fact in happening.facts:
        match fact:
            case CardsDrawn(seat, cards):
                for _ in cards if HIDDEN in cards else ():
                    piles.put(f"{seat}-hand", piles.top(f"{seat}-deck"))
            case CardPicked(seat, card) if card == HIDDEN:
                piles.put(f"{seat}-hand", piles.top(f"{seat}-pack"))
            case CardDiscarded(seat, card) | ArtifactPlaced(seat, card, None):
                piles.shown[piles.top(f"{seat}-hand")] = card
            case MageRevealed(seat, card):
                piles.shown[piles.top(f"{seat}-mages")] = card
            case MonumentRevealed(card) | CardClaimed(card=card, where="top"):
                piles.shown[piles.top("monument-deck")] = card
            case _:
                pass
    return piles.shown | piles.moved()


class _Piles:
    """Piles of cards that lie face down, by the ids they had at first, the top first."""

    def __init__(self) -> None:
        self.shown: dict[str, str] = {}
        """What came up, with its card."""
        self._piles: dict[str, list[str]] = {}

    def top(self, zone: str) -> str:
        """Take the top card off."""
        return self._pile(zone).pop(0)

    def put(self, zone: str, card: str) -> None:
        """Put a card on top."""
        self._pile(zone).insert(0, card)

    def moved(self) -> dict[str, str]:
        """Where the cards that are still face down lie now."""
        return {
            was: now
            for zone, pile in self._piles.items()
            for was, now in zip(pile, _named(zone), strict=False)
            if was != now
        }

    def _pile(self, zone: str) -> list[str]:
        if zone not in self._piles:
            self._piles[zone] = list(_named(zone))
        return self._piles[zone]


@lru_cache(maxsize=64)
def _named(zone: str) -> tuple[str, ...]:
    return tuple(f"{zone}-{place}" for place in range(1, _REACH + 1))
