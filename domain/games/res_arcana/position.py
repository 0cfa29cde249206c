"""Positions, and views of them, as one line of text."""

from collections.abc import Iterable
from typing import assert_never

from domain.games.res_arcana.bundles import NOTHING
from domain.games.res_arcana.legal import write_over
from domain.games.res_arcana.state import (
    TABLE,
    Acting,
    Checking,
    Choosing,
    ChoosingItem,
    Collecting,
    Component,
    Drawing,
    Dropping,
    Entering,
    Gaining,
    GainingSame,
    Looking,
    Losing,
    Ordering,
    Over,
    Placing,
    Putting,
    Revealing,
    Shuffling,
    State,
    Waiting,
)
from domain.games.res_arcana.view import Pile, SeenArea, View, see


def write_position(state: State) -> str:
    """The state as one line: what the table sees, which is everything."""
    return _write(see(state, TABLE))


def write_view(state: State, viewer: str) -> str:
    """The position as a viewer may see it: a seat, `spectator`, `table` or `referee`."""
    return _write(see(state, viewer))


def _write(view: View) -> str:
    return " ".join(
        (
            "ra1",
            _write_rules(view),
            f"r{view.round}",
            view.first or "-",
            view.turn or "-",
            ">".join(write_step(step) for step in view.queue),
            _list(view.items),
            _list(view.places),
            _list(view.row),
            _write_pile(view.monuments),
            *(_write_area(area) for area in view.areas),
        )
    )


def _write_rules(view: View) -> str:
    words = ["t1" if view.token else "t0"]
    words += ["draft"] if view.draft else []
    words += [view.hand] if view.hand else []
    return ".".join(words)


def _list(words: Iterable[str]) -> str:
    return ",".join(words) or "-"


def _write_pile(pile: Pile) -> str:
    rest = f"#{pile.unseen}" if pile.unseen else "-"
    if pile.loose:
        rest = "~" + ",".join(pile.loose)
    if pile.opened:
        return f"{','.join(pile.known)}|{rest}"
    return ",".join(pile.known) if pile.known else rest


def _write_area(area: SeenArea) -> str:
    return "/".join(
        (
            area.seat,
            "gone" if area.gone else "out" if area.out else "in",
            area.pool,
            _list(_write_component(own) for own in area.table),
            _write_pile(area.hand),
            _write_pile(area.deck),
            _write_pile(area.discard),
            _write_mages(area),
            _write_pile(area.pack),
            _list(question.sign + question.card for question in area.todo),
        )
    )


def _write_component(own: Component) -> str:
    turned = "*" if own.turned else ""
    return f"{own.id}{turned}" if own.on == NOTHING else f"{own.id}{turned}:{own.on}"


def _write_mages(area: SeenArea) -> str:
    if area.mages.unseen:
        return _write_pile(area.mages) + ("*" if area.chosen else "")
    return _list(card + ("*" if card == area.mage else "") for card in area.mages.known)


def write_step(step: Waiting) -> str:
    """A step of the queue, as `gain.north.3.elcd`."""
    match step:
        case Entering(what) | Choosing(what):
            return what
        case ChoosingItem():
            return "item"
        case Collecting():
            return "collect"
        case Acting():
            return "act"
        case Revealing():
            return "reveal"
        case Shuffling(seat, pile):
            return f"shuffle.{seat}.{pile}"
        case Gaining(seat, n, of):
            return f"gain.{seat}.{n}.{of}"
        case GainingSame(seat, n, of):
            return f"same.{seat}.{n}.{of}"
        case Putting(seat, card, n, of):
            return f"put.{seat}.{card}.{n}.{of}"
        case Placing(seat, card, power):
            return f"place.{seat}.{card}.{power}"
        case Drawing(seat, n, then):
            return f"draw.{seat}.{n}.{then}"
        case Dropping(seat, n):
            return f"drop.{seat}.{n}"
        case Looking(seat, deck, n):
            return f"look.{seat}.{deck}.{n}"
        case Ordering(seat, deck, n):
            return f"order.{seat}.{deck}.{n}"
        case Losing(seat, n, card, power):
            return f"loss.{seat}.{n}.{card}.{power}"
        case Checking(kind, at, added):
            return f"check.{kind}.{at}.{','.join(map(str, added))}"
        case Over():
            return write_over(step)
        case _:
            assert_never(step)
