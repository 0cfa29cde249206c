"""Who may act, what they may do, and how the game ended.

Legal actions come in bunches, one for each card and what is done with it: the many payments for
one artifact are one bunch. Nothing is worked out before it is asked for.
"""

from collections.abc import Iterator
from typing import Final, assert_never

from domain.games.res_arcana import artifacts, collect, decks, losses, mixes, setup, victory
from domain.games.res_arcana.actions import Action, ChooseMage, Pick, TakeItem
from domain.games.res_arcana.claims import claims
from domain.games.res_arcana.powers import uses
from domain.games.res_arcana.state import (
    TABLE,
    Acting,
    Area,
    Checking,
    Choosing,
    ChoosingItem,
    Collecting,
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
    Seat,
    Shuffling,
    State,
    Waiting,
    area_of,
)
from domain.games.res_arcana.turns import passes
from domain.kernel.game import Prompt, Result

Bunch = Iterator[Action]
"""Actions with the same verb and the same first card."""

WANTS: Final[dict[type[Waiting], str]] = {
    ChoosingItem: "item",
    Shuffling: "shuffle",
    Collecting: "collect",
    Acting: "act",
    Gaining: "gain",
    GainingSame: "same",
    Putting: "put",
    Placing: "place",
    Dropping: "drop",
    Ordering: "order",
    Losing: "loss",
    Checking: "check",
}
"""What is asked for, in the words of the notation; set-up steps say it themselves."""


def turn(state: State) -> tuple[Prompt, ...]:
    """Who is asked, and for what; nobody once the game is over."""
    step = state.queue[0]
    kind = type(step)
    want = WANTS.get(kind)
    if want is None:
        want = step.what if isinstance(step, Entering | Choosing) else ""
    chance = kind is Entering or kind is Shuffling
    return tuple([Prompt(seat, want, chance) for seat in asked(state)])


def asked(state: State) -> tuple[str, ...]:
    """The seats that may act now; `table` for an entry."""
    step = state.queue[0]
    match step:
        case Acting():
            return (state.turn,) if state.turn else ()
        case Over():
            return ()
        case Entering() | Shuffling():
            return (TABLE,)
        case Choosing(what):
            return _still_choosing(state, what)
        case ChoosingItem():
            seat = setup.item_chooser(state)
            return (seat,) if seat else ()
        case Collecting():
            return tuple(area.seat for area in state.areas if area.todo)
        case Checking():
            return (victory.asked(state, step).seat,)
        case Drawing() | Looking() | Revealing():
            return ()
        case Gaining() | GainingSame() | Putting() | Placing() | Dropping() | Ordering() | Losing():
            return (step.seat,)
        case _:
            assert_never(step)


def _still_choosing(state: State, what: str) -> tuple[Seat, ...]:
    if what == "draft":
        return setup.picking(state)
    return setup.keeping(state) if what == "keep" else setup.choosing_mage(state)


def legal(state: State, seat: str) -> Iterator[Action]:
    """Every action this seat may take, each once."""
    for bunch in bunches(state, seat):
        yield from bunch


def bunches(state: State, seat: str) -> Iterator[Bunch]:
    """The same, in bunches; some may be empty."""
    if seat not in asked(state):
        return iter(())
    step = state.queue[0]
    match step:
        case Acting():
            return _acts(state, area_of(state, seat))
        case Entering(what):
            return map(_alone, setup.entries(state, what))
        case Shuffling():
            return map(_alone, decks.nexts(state, step))
        case Choosing(what):
            return _choices(area_of(state, seat), what)
        case ChoosingItem():
            return (_alone(TakeItem(item)) for item in state.items)
        case Collecting():
            return collect.answers(state, area_of(state, seat))
        case Checking():
            return map(_alone, victory.answers(state, step))
        case _:
            return prompted(state, step)


def _alone(action: Action) -> Bunch:
    return iter((action,))


def _choices(area: Area, what: str) -> Iterator[Bunch]:
    if what == "keep":
        return iter((setup.hands(area),))
    if what == "draft":
        return (_alone(Pick(card)) for card in area.pack)
    return (_alone(ChooseMage(card)) for card in area.mages)


def _acts(state: State, area: Area) -> Iterator[Bunch]:
    yield from artifacts.plays(state, area)
    yield from map(_alone, claims(state, area))
    yield from uses(state, area)
    yield from artifacts.discards(area)
    yield from map(_alone, passes(state))


def prompted(state: State, step: Waiting) -> Iterator[Bunch]:
    """The answers to a prompt inside an action."""
    match step:
        case Gaining() | GainingSame():
            return iter((mixes.gains(step),))
        case Putting():
            return iter((mixes.puts(step),))
        case Placing():
            return artifacts.places(state, step)
        case Dropping():
            return iter((decks.drops(area_of(state, step.seat), step),))
        case Ordering():
            return iter((decks.orders(state, step),))
        case Losing():
            return losses.answers(state, step)
        case _:
            return iter(())


def result(state: State) -> Result | None:
    """How the game ended, or None."""
    step = state.queue[0]
    if not isinstance(step, Over):
        return None
    return Result(step.winners, _how(state, step), write_over(step))


def _how(state: State, step: Over) -> str:
    still = [n for area, n in zip(state.areas, step.points, strict=True) if not area.gone]
    if len(still) == 1:
        return "resign"
    if len(step.winners) > 1:
        return "shared"
    return "essences" if still.count(max(still)) > 1 else "points"


def write_over(step: Over) -> str:
    """The end as positions write it: `over.east.10,12.0,1`."""
    points, essences = (",".join(map(str, row)) for row in (step.points, step.essences))
    return f"over.{'+'.join(step.winners)}.{points}.{essences}"
