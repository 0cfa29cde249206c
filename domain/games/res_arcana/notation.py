"""Actions as one line of text each, and back."""

import re
from collections.abc import Callable
from typing import Any, Final

from domain.games.res_arcana.actions import (
    Action,
    ChooseMage,
    Claim,
    Collect,
    Deal,
    Decline,
    Discard,
    DrawFirst,
    Drop,
    Flip,
    Gain,
    Ignore,
    Keep,
    Leave,
    Lose,
    Next,
    Order,
    Pass,
    Pay,
    Pick,
    Place,
    Play,
    Put,
    React,
    Skip,
    Take,
    TakeItem,
    Turn,
    Use,
)
from domain.games.res_arcana.bundles import is_bundle
from domain.kernel.notation_error import short_quote
from domain.kernel.rulings import Refused

NOTATION: Final = """\
Position: ra1 rules round first turn queue items places row deck seat seat [seat [seat]]
  ra1 t1 r3 north east act alchemy,research library - oracle,temple colossus north/in/2e1g/...
  rules t1 or t0 (does the token count), with .draft, .draw, .choose in the set-up. queue: steps
  joined by >, the pending one first. A seat is name/in, out or gone/pool/table/hand/deck/discard/
  mages/pack/todo (out: has passed; gone: has resigned); a component is id, * if turned, :2g if
  essences are on it. Essences: e elan, l life, c calm, d death, g gold, in this order. In a view
  #3 is three cards unseen, ~ a set in no order.
Action:
  first SEAT, flip ID, next ID, deal ID     what the table enters
  pick ID, keep A B C, mage ID, item ID     the set-up
  collect ID B, take ID, leave ID [B], pay ID, turn ID          phase 1; B is a bundle as 2e1g
  play ID B, claim ID, claim top, discard ID B, use ID K ..., pass ITEM         phase 2
  gain B, put B, place ID B, decline, drop A B, order A B C     when a power asks
  lose B, react ID, ignore [ID], skip                           when another seat acts
"""

_LINE: Final = re.compile(r"[a-z0-9-]+(?: [a-z0-9-]+)*")
_VERBS: Final[dict[type[Any], str]] = {
    kind: str(kind.__struct_config__.tag).partition(".")[2] for kind in Action.__args__
}


def write_action(action: Action) -> str:
    """The one spelling of this action.

    >>> write_action(Use("witch", 1, ("2e", "witch")))
    'use witch 1 2e witch'
    """
    words = [_VERBS[type(action)]]
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if isinstance(value, tuple):
            words += value
        elif value is not None:
            words.append(str(value))
    return " ".join(words)


Reader = Callable[..., Action]
_CARD: Final[dict[str, Reader]] = {
    "first": DrawFirst,
    "flip": Flip,
    "next": Next,
    "deal": Deal,
    "pick": Pick,
    "mage": ChooseMage,
    "item": TakeItem,
    "take": Take,
    "pay": Pay,
    "turn": Turn,
    "claim": Claim,
    "pass": Pass,
    "react": React,
}
"""Words that one card, seat or item follows."""
_CARD_AND_BUNDLE: Final[dict[str, Reader]] = {
    "collect": Collect,
    "play": Play,
    "discard": Discard,
    "place": Place,
}
_BUNDLE: Final[dict[str, Reader]] = {"gain": Gain, "put": Put, "lose": Lose}
_ALONE: Final[dict[str, Reader]] = {"decline": Decline, "skip": Skip}


def read_action(text: str) -> Action | Refused:
    """The action that a text spells, legal or not. Unknown ids are no fault of notation."""
    if not _LINE.fullmatch(text):
        return _not_read(text, "an action is words of a-z, 0-9 and -, with one space between")
    verb, *words = text.split(" ")
    if verb in _ALONE:
        return _ALONE[verb]() if not words else _not_read(text, f"nothing follows {verb}")
    if verb in _CARD:
        return _CARD[verb](words[0]) if len(words) == 1 else _not_read(text, f"{verb} ID")
    if verb in _BUNDLE:
        if len(words) == 1 and is_bundle(words[0]):
            return _BUNDLE[verb](words[0])
        return _not_read(text, f"{verb} B, where B is a bundle as 2e1g")
    if verb in _CARD_AND_BUNDLE:
        if len(words) == 2 and is_bundle(words[1]):
            return _CARD_AND_BUNDLE[verb](words[0], words[1])
        return _not_read(text, f"{verb} ID B, where B is a bundle as 2e1g")
    return _read_others(text, verb, words)


def _read_others(text: str, verb: str, words: list[str]) -> Action | Refused:
    match verb:
        case "keep":
            if len(words) == 3 and words == sorted(words):
                return Keep((words[0], words[1], words[2]))
            return _not_read(text, "keep A B C, sorted")
        case "drop":
            if 1 <= len(words) <= 9 and words == sorted(words):
                return Drop(tuple(words))
            return _not_read(text, "drop A B ..., sorted")
        case "order":
            if 1 <= len(words) <= 3:
                return Order(tuple(words))
            return _not_read(text, "order A B C, one to three cards")
        case "leave":
            if len(words) == 1 or (len(words) == 2 and is_bundle(words[1])):
                return Leave(*words)
            return _not_read(text, "leave ID or leave ID B, where B is a bundle as 2e1g")
        case "ignore":
            if len(words) <= 1:
                return Ignore(*words)
            return _not_read(text, "ignore or ignore ID")
        case "use":
            if 2 <= len(words) <= 9 and re.fullmatch("[1-9]", words[1]):
                return Use(words[0], int(words[1]), tuple(words[2:]))
            return _not_read(text, "use ID K ..., where K is the number of the power")
        case _:
            return _not_read(text, f"there is no word {verb[:20]}")


def _not_read(text: str, why: str) -> Refused:
    return Refused("ra.notation", f"{short_quote(text)} is not an action: {why}")


def verb_of(action: Action) -> str:
    """The first word of an action."""
    return _VERBS[type(action)]
