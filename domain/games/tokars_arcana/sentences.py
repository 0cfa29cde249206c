"""Facts as sentences."""

from typing import assert_never

from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.facts import (
    AngelsCalled,
    DeadRemoved,
    DrawDeclined,
    DrawOffered,
    Fact,
    FirebrewBurned,
    FirebrewStruck,
    GameEnded,
    MarkLifted,
    ModelKilled,
    ModelMoved,
    ModelPlaced,
    ModelReturned,
    ModelsVanquished,
    ModelWithdrawn,
    PriestLost,
    PriestRevived,
    QuietCounted,
    RaiseAsked,
    ReadySaid,
    RowSlid,
    Shift,
    TossAsked,
    TurnBegan,
    WindBlew,
)
from domain.games.tokars_arcana.scene import ENDS

_OfModels = (
    MarkLifted | ModelMoved | RowSlid | WindBlew | ModelKilled | ModelWithdrawn | ModelReturned
    | DeadRemoved | FirebrewStruck | FirebrewBurned | ModelsVanquished | ModelPlaced
    | AngelsCalled | PriestRevived | PriestLost | RaiseAsked
)  # fmt: skip


def tell(fact: Fact) -> str:
    """A fact as a sentence."""
    match fact:
        case ReadySaid(seat):
            return f"{seat.title()} was ready."
        case TossAsked():
            return "Who began was to be entered."
        case TurnBegan(seat):
            return f"It was {seat.title()}'s turn."
        case DrawOffered(seat):
            return f"{seat.title()} offered a draw."
        case DrawDeclined(seat):
            return f"{seat.title()} declined the draw."
        case QuietCounted(turns):
            return f"The count of quiet turns was {turns}."
        case GameEnded(None, reason):
            return f"The game was drawn: {ENDS[reason]}."
        case GameEnded(winner, reason):
            return f"{str(winner).title()} won {ENDS[reason]}."
        case _:
            return _of_models(fact)


def _of_models(fact: _OfModels) -> str:
    match fact:
        case MarkLifted(square):
            return f"The Dark Priest on {square} could take orders again."
        case ModelMoved(start, end):
            return f"The model on {start} went to {end}."
        case RowSlid(start, end, swapped):
            return f"The Alchemist slid from {start} to {end}{_shifted(swapped, ', swapping ')}."
        case WindBlew(pushed):
            return f"The night wind blew{_shifted(pushed, ' and pushed ') or ' and moved nobody'}."
        case ModelKilled(seat, unit, square):
            return f"{named(seat, unit)} on {square} was killed."
        case ModelWithdrawn(seat, unit, square):
            return f"{named(seat, unit)} on {square} went to the graveyard."
        case ModelReturned(seat, unit, square):
            return f"{named(seat, unit)} left the graveyard for {square}."
        case DeadRemoved(seat, unit):
            return f"{named(seat, unit)} left the graveyard and the game."
        case FirebrewStruck(square, tokens):
            return f"Firebrew struck the model on {square}: {tokens} tokens."
        case FirebrewBurned(square, tokens):
            return f"A token burned on {square}: {tokens} left."
        case ModelsVanquished(squares):
            return f"The models on {_listed(squares)} were vanquished."
        case ModelPlaced(square):
            return f"The first model in the air was placed on {square}."
        case AngelsCalled(seats):
            priests = [f"{seat.title()}'s {CARDS['P'].name}" for seat in seats]
            return f"The angels of {_listed(priests)} were called."
        case PriestRevived(seat, square):
            return f"The angel revived {named(seat, 'P')} on {square}."
        case PriestLost(seat):
            return f"{named(seat, 'P')} stayed dead."
        case RaiseAsked(square, rank):
            return f"The Zombie on {square} could raise a unit for its victim, a {rank}."
        case unreachable:
            assert_never(unreachable)


def _shifted(shifts: tuple[Shift, ...], verb: str) -> str:
    """Who was moved by another, as `, swapping e1 to d1`; nothing if nobody was."""
    moves = [
        f"{shift.start} to {shift.end}{' (marked)' if shift.marked else ''}" for shift in shifts
    ]
    return f"{verb}{_listed(moves)}" if moves else ""


def _listed(names: list[str] | tuple[str, ...]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
