"""Forecasts: what an order does, in a few words at its target."""

from domain.games.tokars_arcana.actions import Action, AnyOrder, Off, is_order
from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.effects import effects
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.facts import (
    Fact,
    FirebrewStruck,
    ModelKilled,
    ModelReturned,
    ModelsVanquished,
    RowSlid,
    WindBlew,
)
from domain.games.tokars_arcana.state import GENERALS, State, Unit
from domain.kernel.hints import Forecast


def forecast(state: State, seat: str, action: Action) -> Forecast | None:
    """Return the tag of a legal order: whom it kills, lifts or moves, or who returns by it."""
    if not is_order(action):
        return None
    facts = effects(state, state.board[action.start].seat, action)
    tag = _kills(seat, action, facts) or next(filter(None, map(_effect, facts)), "")
    return Forecast(tag=tag) if tag else None


def _kills(seat: str, order: AnyOrder, facts: tuple[Fact, ...]) -> str:
    dead = [fact for fact in facts if isinstance(fact, ModelKilled)]
    own = sum(fact.seat == seat for fact in dead)
    if isinstance(order, Off):
        return ENGLISH.format("tag off")
    if any(fact.unit in GENERALS and fact.seat != seat for fact in dead):
        return ENGLISH.format("tag win")
    if len(dead) == 1:
        return ENGLISH.format("tag kill own" if own else "tag kill", unit=_short(dead[0].unit))
    if not dead:
        return ""
    return ENGLISH.format("tag kills own" if own else "tag kills", n=len(dead), own=own)


def _short(unit: Unit) -> str:
    """Return a name of at most four words."""
    return CARDS[unit].name.partition(" without")[0]


def _effect(fact: Fact) -> str:
    match fact:
        case FirebrewStruck(_, tokens):
            return ENGLISH.format("tag brew", n=tokens)
        case ModelsVanquished(squares):
            return ENGLISH.format("tag lift", n=len(squares))
        case WindBlew(pushed):
            return ENGLISH.format("tag push", n=len(pushed))
        case ModelReturned(_, unit):
            return ENGLISH.format("tag return", unit=_short(unit))
        case RowSlid(swapped=swapped) if swapped:
            return ENGLISH.format("tag swap", n=len(swapped))
        case _:
            return ""
