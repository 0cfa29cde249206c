"""Actions as one line of text each, and back."""

import re
from collections.abc import Callable
from typing import Any, Final, assert_never

from domain.games.tokars_arcana.actions import (
    Action,
    AngelDecline,
    AngelRevive,
    Answer,
    AnyOrder,
    Brew,
    BrewAndSlide,
    DrawAccept,
    DrawDecline,
    DrawOffer,
    Enter,
    Explode,
    First,
    Move,
    MoveAndStrike,
    MoveAndVanquish,
    Off,
    Pass,
    Place,
    Promote,
    RaiseUnit,
    Ready,
    Recall,
    Resign,
    Return,
    Revive,
    Skip,
    Slay,
    SlideAndBrew,
    Strike,
    TradeDead,
    TradeModels,
    Vanquish,
    Wind,
)
from domain.kernel.notation_error import short_quote
from domain.kernel.rulings import Refused

NOTATION: Final = """\
Position: board grave grave turn phase quiet
  mztnxtzm/ssssssss/8/8/8/8/8/8/IIIIIIII/WKPDBAKW - - south order -
  Rows from the last down to row 1, squares a to h; numbers are free squares. Capitals are South's.
  I Imperial Warrior, K Blue Knight, W Wind Mage, P Priest of the Winds, Q the same with his angel
  spent, A Alchemist, D Duelist, B Battle Mage; S Skeleton, Z Zombie, M Mummy, T Tomb Keeper,
  X Dark Priest, N Necromancer. After a model ! for a Dark Priest that was moved and takes no order,
  and one * for each firebrew token. South's and North's graveyard. Turn south, north, or - before
  the toss. Phase order, order! (draw offer declined), draw, vanquish:zm** (in the air),
  revive:P+raise:e4:captain, raise:d6:lieutenant, endrevive:P, brief:sn, toss, end:south:general.
  Quiet turns, - if option quiet_limit is 0.
Action: an order begins with the square of the commanded model
  a2-a3             move                       e1 vanquish        vanquish around e1
  d4xe5             enter and kill             e1-e2 vanquish     move, then vanquish
  d4*d7             kill at a distance         e1 promote b10 K   the soldier on b10 becomes a K
  d4-d5*e6          move, then kill            e1 recall b10 e2   it comes back to e2
  a5 off            walk off the board         a10 revive I b10   a dead soldier to b10
  d1 brew e3        throw firebrew             d1 trade d2 a7 M e2   two models for an M on e2
  d1-f1 brew e3     slide, then throw          d1 trade S S M e2  two dead (option trade=graveyard)
  d1 brew e3 then f1   throw, then slide       d1 wind a6         night wind for the soldier on a6
  c1 return b5      a Skeleton comes back      d1 explode d4      the model on d4 explodes
  pass   draw offer   resign south             d1 slay            all adjacent enemies
Answers: place e5, revive e4 or decline, raise M e7 or skip, draw accept or draw decline,
  ready south, first north
"""

_SQUARE: Final = "([a-h][1-9][0-9]?)"
_UNIT: Final = "([IKWPQADBSZMTXN])"
_SEAT: Final = "(south|north)"

# Every form with what it makes. `S` stands for a square, `U` for a unit, `SEAT` for a seat.
_FORMS: Final[tuple[tuple[str, Callable[..., Action]], ...]] = (
    ("S-S", Move),
    ("SxS", Enter),
    (r"S\*S", Strike),
    (r"S-S\*S", MoveAndStrike),
    ("S off", Off),
    ("S brew S", Brew),
    ("S-S brew S", SlideAndBrew),
    ("S brew S then S", BrewAndSlide),
    ("S vanquish", Vanquish),
    ("S-S vanquish", MoveAndVanquish),
    ("S promote S U", Promote),
    ("S recall S S", Recall),
    ("S return S", Return),
    ("S revive U S", Revive),
    ("S trade S S U S", TradeModels),
    ("S trade U U U S", TradeDead),
    ("S wind S", Wind),
    ("S explode S", Explode),
    ("S slay", Slay),
    ("pass", Pass),
    ("place S", Place),
    ("revive S", AngelRevive),
    ("decline", AngelDecline),
    ("raise U S", RaiseUnit),
    ("skip", Skip),
    ("draw offer", DrawOffer),
    ("draw accept", DrawAccept),
    ("draw decline", DrawDecline),
    ("ready SEAT", Ready),
    ("first SEAT", First),
    ("resign SEAT", Resign),
)
_READERS: Final = tuple(
    (
        re.compile(
            re.sub("SEAT|S|U", lambda sign: {"S": _SQUARE, "U": _UNIT}.get(sign[0], _SEAT), form)
        ),
        make,
    )
    for form, make in _FORMS
)
_LONGEST: Final = len("d10 trade d10 a10 M e10")


def read_action(text: str) -> Action | Refused:
    """The action that a text spells, legal or not."""
    if len(text) <= _LONGEST:
        for reader, make in _READERS:
            found = reader.fullmatch(text)
            if found is not None:
                parts: tuple[Any, ...] = found.groups()
                return make(*parts)
    return Refused(
        "ta.notation.form",
        f"{short_quote(text)} is not an action: write a2-a3 to move, d4xe5 to enter and kill, d4*d7"
        " to kill at a distance, d4-d5*e6 to move and then kill, a square and a word for other"
        " orders as in e1 vanquish, or pass, draw offer, resign south",
    )


def write_action(action: Action) -> str:
    """The one spelling of this action.

    >>> write_action(TradeModels("d1", "d2", "a7", "M", "e2"))
    'd1 trade d2 a7 M e2'
    """
    match action:
        case Pass():
            return "pass"
        case DrawOffer():
            return "draw offer"
        case Resign(seat):
            return f"resign {seat}"
        case (
            Ready() | First() | Place() | AngelRevive() | AngelDecline() | RaiseUnit() | Skip()
            | DrawAccept() | DrawDecline()
        ):  # fmt: skip
            return _write_answer(action)
        case order:
            return _write_order(order)


def _write_answer(answer: Answer) -> str:
    match answer:
        case Ready(seat):
            return f"ready {seat}"
        case First(seat):
            return f"first {seat}"
        case Place(to):
            return f"place {to}"
        case AngelRevive(to):
            return f"revive {to}"
        case AngelDecline():
            return "decline"
        case RaiseUnit(unit, to):
            return f"raise {unit} {to}"
        case Skip():
            return "skip"
        case DrawAccept():
            return "draw accept"
        case DrawDecline():
            return "draw decline"
        case unreachable:
            assert_never(unreachable)


def _write_order(order: AnyOrder) -> str:
    match order:
        case Move(start, end):
            return f"{start}-{end}"
        case Enter(start, end):
            return f"{start}x{end}"
        case Strike(start, target):
            return f"{start}*{target}"
        case MoveAndStrike(start, end, target):
            return f"{start}-{end}*{target}"
        case Off(start):
            return f"{start} off"
        case Brew(start, target):
            return f"{start} brew {target}"
        case SlideAndBrew(start, end, target):
            return f"{start}-{end} brew {target}"
        case BrewAndSlide(start, target, end):
            return f"{start} brew {target} then {end}"
        case Vanquish(start):
            return f"{start} vanquish"
        case MoveAndVanquish(start, end):
            return f"{start}-{end} vanquish"
        case _:
            return _write_rite(order)


def _write_rite(
    order: Promote | Recall | Return | Revive | TradeModels | TradeDead | Wind | Explode | Slay,
) -> str:
    match order:
        case Promote(start, soldier, unit):
            return f"{start} promote {soldier} {unit}"
        case Recall(start, soldier, to):
            return f"{start} recall {soldier} {to}"
        case Return(start, to):
            return f"{start} return {to}"
        case Revive(start, unit, to):
            return f"{start} revive {unit} {to}"
        case TradeModels(start, first, second, unit, to):
            return f"{start} trade {first} {second} {unit} {to}"
        case TradeDead(start, first, second, unit, to):
            return f"{start} trade {first} {second} {unit} {to}"
        case Wind(start, soldier):
            return f"{start} wind {soldier}"
        case Explode(start, target):
            return f"{start} explode {target}"
        case Slay(start):
            return f"{start} slay"
        case unreachable:
            assert_never(unreachable)
