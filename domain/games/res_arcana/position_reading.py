"""Reading a position: from a line of text to a state, or a kind word on what is wrong."""

import re
from collections.abc import Callable
from typing import Final, Literal, cast

from domain.games.res_arcana.bundles import NOTHING, is_bundle
from domain.games.res_arcana.position import write_position
from domain.games.res_arcana.position_checks import check
from domain.games.res_arcana.state import (
    SEATS,
    Acting,
    Area,
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
    Options,
    Ordering,
    Over,
    Placing,
    Putting,
    Question,
    Revealing,
    Seat,
    Shuffling,
    State,
    Waiting,
)
from domain.kernel.notation_error import NotationError, short_quote

Hand = Literal["draw", "choose"] | None
Sign = Literal["+", "?", "!"]
_HEAD: Final = (
    "ra1",
    "rules",
    "round",
    "first player",
    "turn",
    "queue",
    "items",
    "places",
    "row",
    "monument deck",
)
_AREA: Final = (
    "name",
    "in, out or gone",
    "pool",
    "table",
    "hand",
    "deck",
    "discard",
    "mages",
    "pack",
    "todo",
)
_SEAT: Final = "(north|east|south|west)"
_ID: Final = "([a-z0-9-]+)"
_N: Final = "([1-9][0-9]{0,8})"
_COUNT: Final = "(?:0|[1-9][0-9]{0,8})"
_OF: Final = "((?=.)e?l?c?d?g?)"
_COUNTS: Final = f"({_COUNT}(?:,{_COUNT})*)"


def read_position(text: str, options: Options) -> State:
    """The state that a line shows, in a match with these options.

    Raises NotationError for a text that is no position, that these options do not lead to, or
    from which the rules would go on by themselves.
    """
    fields = text.split(" ")
    if len(fields) != len(_HEAD) + options.players:
        raise NotationError(
            f"a position has {len(_HEAD)} fields ({', '.join(_HEAD)}) and one for each of"
            f" {options.players} seats, with one space between; {short_quote(text)} has"
            f" {len(fields)}"
        )
    if fields[0] != "ra1":
        raise NotationError(f"a position begins with ra1, not {short_quote(fields[0])}", 0)
    token, draft, hand = _read_rules(fields[1])
    state = State(
        cards=options.pack,
        token=token,
        draft=draft,
        hand=hand,
        round=_read_round(fields[2]),
        first=_read_seat(fields[3], "first player", options),
        turn=_read_seat(fields[4], "turn", options),
        queue=tuple(_read_step(step) for step in fields[5].split(">")),
        items=_read_set(fields[6]),
        # While sides are told the places stand in the order of their tiles.
        places=_read_list(fields[7]) if fields[5] == "sides" else _read_set(fields[7]),
        row=_read_set(fields[8]),
        monuments=_read_list(fields[9]),
        areas=tuple(
            _read_area(field, seat)
            for field, seat in zip(fields[len(_HEAD) :], SEATS, strict=False)
        ),
    )
    _check_spelling(state, fields)
    check(state, options)
    return state


def _check_spelling(state: State, fields: list[str]) -> None:
    """A state has one spelling: sets sorted, no leading zeros."""
    written = write_position(state).split(" ")
    names = (*_HEAD, *SEATS)
    for name, field, right in zip(names, fields, written, strict=False):
        if field != right:
            raise NotationError(f"{name} must be written {short_quote(right)}")


def _read_rules(text: str) -> tuple[bool, bool, Hand]:
    found = re.fullmatch(r"t([01])(\.draft)?(?:\.(draw|choose))?", text)
    if found is None:
        raise NotationError(
            f"rules are t1 or t0, then .draft and .draw or .choose, not {short_quote(text)}"
        )
    return found[1] == "1", found[2] is not None, cast(Hand, found[3])


def _read_round(text: str) -> int:
    found = re.fullmatch(f"r({_COUNT})", text)
    if found is None:
        raise NotationError(f"the round is written r3, not {short_quote(text)}")
    return int(found[1])


def _read_seat(text: str, what: str, options: Options) -> Seat | None:
    seats = SEATS[: options.players]
    if text != "-" and text not in seats:
        raise NotationError(f"{what} is {', '.join(seats)} or -, not {short_quote(text)}")
    return None if text == "-" else cast(Seat, text)


def _read_list(text: str) -> tuple[str, ...]:
    if text == "-":
        return ()
    words = text.split(",")
    for word in words:
        if not re.fullmatch(_ID, word):
            raise NotationError(f"{short_quote(word)} is not the id of a card")
    return tuple(words)


def _read_set(text: str) -> tuple[str, ...]:
    """A list whose order means nothing: it is written sorted."""
    return tuple(sorted(_read_list(text)))


# --- areas ---------------------------------------------------------------------------------------


def _read_area(text: str, seat: Seat) -> Area:
    parts = text.split("/")
    if len(parts) != len(_AREA):
        raise NotationError(
            f"a seat has {len(_AREA)} parts ({', '.join(_AREA)}) with / between, not {len(parts)}"
        )
    name, there, pool, table, hand, deck, discard, mages, pack, todo = parts
    if name != seat:
        raise NotationError(f"seats stand in the order {', '.join(SEATS)}: {seat} is missing here")
    if there not in ("in", "out", "gone"):
        raise NotationError(f"{seat} is in, out or gone, not {short_quote(there)}")
    if not is_bundle(pool):
        raise NotationError(f"{short_quote(pool)} is not a bundle: write 2e1g, or 0 for nothing")
    marked = [mage for mage in mages.split(",") if mage.endswith("*")]
    if len(marked) > 1:
        raise NotationError(f"{seat} has chosen {len(marked)} mages, not one")
    return Area(
        seat,
        there != "in",
        pool,
        _read_table(table),
        _read_set(hand),
        _read_list(deck),
        _read_set(discard),
        _read_set(mages.replace("*", "") if marked else mages),
        marked[0].rstrip("*") if marked else None,
        _read_set(pack),
        tuple(_read_question(each) for each in todo.split(",")) if todo != "-" else (),
        there == "gone",
    )


def _read_table(text: str) -> tuple[Component, ...]:
    if text == "-":
        return ()
    return tuple(sorted(map(_read_component, text.split(",")), key=lambda own: own.id))


def _read_component(text: str) -> Component:
    found = re.fullmatch(rf"{_ID}(\*)?(?::(.+))?", text)
    if found is None or (found[3] is not None and not is_bundle(found[3])):
        raise NotationError(f"a component is written vault, vault* or vault:2g, not {text[:40]!r}")
    return Component(found[1], found[2] is not None, found[3] or NOTHING)


def _read_question(text: str) -> Question:
    found = re.fullmatch(rf"([+?!]){_ID}", text)
    if found is None:
        raise NotationError(f"a question is written +id, ?id or !id, not {short_quote(text)}")
    return Question(cast(Sign, found[1]), found[2])


# --- steps ---------------------------------------------------------------------------------------

Make = Callable[..., Waiting]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


_STEPS: Final[tuple[tuple[str, Make], ...]] = (
    ("(first|sides|monuments|mages|artifacts|deal)", Entering),
    ("(draft|keep|mage)", Choosing),
    ("item", ChoosingItem),
    ("collect", Collecting),
    ("act", Acting),
    ("reveal", Revealing),
    (rf"shuffle\.{_SEAT}\.(pack|discard)", Shuffling),
    (rf"gain\.{_SEAT}\.{_N}\.{_OF}", lambda s, n, of: Gaining(s, int(n), of)),
    (rf"same\.{_SEAT}\.{_N}\.{_OF}", lambda s, n, of: GainingSame(s, int(n), of)),
    (rf"put\.{_SEAT}\.{_ID}\.{_N}\.{_OF}", lambda s, i, n, of: Putting(s, i, int(n), of)),
    (rf"place\.{_SEAT}\.{_ID}\.([1-9])", lambda s, i, k: Placing(s, i, int(k))),
    (rf"draw\.{_SEAT}\.{_N}\.(keep|drop)", lambda s, n, then: Drawing(s, int(n), then)),
    (rf"drop\.{_SEAT}\.{_N}", lambda s, n: Dropping(s, int(n))),
    (rf"look\.{_SEAT}\.(deck|monuments)\.{_N}", lambda s, d, n: Looking(s, d, int(n))),
    (rf"order\.{_SEAT}\.(deck|monuments)\.{_N}", lambda s, d, n: Ordering(s, d, int(n))),
    (
        rf"loss\.{_SEAT}\.{_N}\.{_ID}\.([1-9])",
        lambda s, n, i, k: Losing(s, int(n), i, int(k)),
    ),
    (
        rf"check\.(end|now)\.({_COUNT})\.{_COUNTS}",
        lambda kind, at, added: Checking(kind, int(at), _numbers(added)),
    ),
    (
        rf"over\.((?:{_SEAT[1:-1]})(?:\+(?:{_SEAT[1:-1]}))*)\.{_COUNTS}\.{_COUNTS}",
        lambda who, points, ess: Over(tuple(who.split("+")), _numbers(points), _numbers(ess)),
    ),
)


def _read_step(text: str) -> Waiting:
    for pattern, make in _STEPS:
        found = re.fullmatch(pattern, text)
        if found is not None:
            return make(*found.groups())
    raise NotationError(
        f"{short_quote(text)} is not a step of a queue, such as act or gain.north.2.elcd"
    )
