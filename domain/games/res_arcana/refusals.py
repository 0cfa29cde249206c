"""Refusals in words."""

from typing import Final

from domain.games.res_arcana.card_faces import names_of
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.state import State, pack_of
from domain.kernel.rulings import Figures, Refused

_NONE: Final[Figures] = {}


def refused(rule: str, why: str, figures: Figures = _NONE, /, **values: object) -> Refused:
    """The refusal by this rule, with the words that stand under `why` and their values."""
    return Refused(rule, ENGLISH.format(f"why.{why}", **values), figures)


def named(state: State, card: str) -> str:
    """What a card is called that somebody named by its id, whether or not there is one."""
    return names_of(pack_of(state)).the(card)
