"""Positions read: every field in its one spelling, and nothing that cannot come about."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import msgspec

from domain.games.golem_arcana.battle.pending_items import settle, waits
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.notation.position import VERSION, write_item, write_position
from domain.games.golem_arcana.notation.position_checks import check_state, check_units
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import (
    Advance,
    Begin,
    Choice,
    Construct,
    DealQuest,
    DealtQuest,
    DeployArmy,
    Displace,
    Golem,
    Heat,
    HiddenEncounter,
    Hide,
    Item,
    Meet,
    Outcome,
    Purse,
    Roll,
    State,
    StatusEffect,
    Step,
    status_key,
)
from domain.kernel.notation_error import NotationError, short_quote
from domain.log.digests import encode_as_digest

T = TypeVar("T")

FIELDS: Final = (
    "version", "scenario", "options", "Round", "Turn", "seats", "Golems", "Constructs", "wells",
    "Blessings and Curses", "secrets", "work", "result",
)  # fmt: skip
LONGEST: Final = 200_000
"""Characters of a position, at most."""

_NAME: Final = "[a-z][a-z0-9-]*"
_SEAT: Final = "(south|north|east|west)"
_N: Final = "(0|[1-9][0-9]{0,3})"
_POINTS: Final = "(0|[1-9][0-9]{0,8})"
_REGION: Final = "([a-z][1-9][0-9]?)"
_UNIT: Final = "[snew][1-9][0-9]?"

_GOLEM: Final = re.compile(
    rf"({_UNIT})=({_NAME})(?:\+({_NAME}))?(?:\*({_NAME})(?:\.{_N})?)?@({_REGION[1:-1]}|off|[?]):{_N}"
    rf"((?:%[^%!;]*)*)((?:![^!;]*)*)"
)
_HEAT: Final = re.compile(rf"({_NAME})\.{_N}\.{_N}(u?)")
_STATUS: Final = re.compile(rf"([a-z0-9.-]+):([a-z-]+):(-?(?:{_N[1:-1]})):{_N}:{_SEAT}")
_CONSTRUCT: Final = re.compile(rf"({_UNIT}k)=({_NAME})@{_REGION}:{_N}")
_PURSE: Final = re.compile(
    rf"{_SEAT}:{_POINTS}:{_POINTS}:{_POINTS}:(-|{_NAME}(?:\+{_NAME})*)(:out)?"
)
_WELL: Final = re.compile(rf"{_REGION}:([LS])")
_POWER: Final = re.compile(rf"({_SEAT}\.{_NAME}\.{_NAME})@{_REGION}")
_QUEST: Final = re.compile(rf"{_SEAT}={_N}(!?)")
_ENCOUNTER: Final = re.compile(rf"({_NAME})={_REGION}(!?)")
_RESULT: Final = re.compile(rf"(win|draw):((?:{_SEAT[1:-1]})(?:\+{_SEAT})*)")


def read_position(text: str, options: Options) -> State:
    """The state that a line shows, in a match with these options.

    Lists may be in any order. Work of setting up that waits for nobody is carried out, if it is the
    first, and what then comes to the front with it: nobody is asked where there is nothing to
    choose. Raises NotationError for a text that is no position of such a match.
    """
    recalled = read_stored_position(text, options)
    check_units(recalled, options)
    course = Resolution(recalled)
    if any(isinstance(item, Hide | DeployArmy) for item in course.state.todo[:1]):
        settle(course)
    todo = course.state.todo
    if todo and not waits(course.battle, todo[0]):
        raise NotationError(
            f"the first work must need a decision or an entry, but {write_item(todo[0])} needs"
            " neither"
        )
    return course.state


def read_stored_position(text: str, options: Options) -> State:
    """The state that a line shows, with its work as it is listed, whether or not it waits.

    So the first positions of matches are read that were stored before today's rulings: what was
    asked then was answered. Raises NotationError as `read_position` does.
    """
    if len(text) > LONGEST:
        raise NotationError(f"a position has at most {LONGEST} characters, not {len(text)}")
    fields = text.split(" ")
    if len(fields) != len(FIELDS):
        raise NotationError(
            f"a position has {len(FIELDS)} fields with one space between ({', '.join(FIELDS)}), "
            f"but {short_quote(text)} has {len(fields)}"
        )
    _check_head(fields, options)
    state = _state(fields, options)
    check_state(state)
    written = write_position(state)
    if _unordered(written) != _unordered(text):
        raise NotationError(f"this position has only one spelling, apart from its order: {written}")
    return state


def _unordered(text: str) -> tuple[Any, ...]:
    """A position without the order of its lists: what the order of a list does not say."""
    return tuple(
        field if comma is None else Counter(map(_marked, re.split(comma, field)))
        for field, comma in zip(text.split(" "), _COMMAS, strict=True)
    )


def _marked(part: str) -> tuple[str, ...]:
    """A part of a list; of a Golem its Cooldown and status effects, which are lists themselves."""
    return tuple(sorted(re.split("(?=[%!])", part)))


_COMMAS: Final = (None, None, ",", None, None, ";", ";", ";", ",", ",", ",", None, "[:+]")
"""Between the parts of a list, by field. The order of work and of Ancient Ones tells something."""


def _check_head(fields: list[str], options: Options) -> None:
    for at, right in ((0, VERSION), (1, options.scenario)):
        if fields[at] != right:
            raise NotationError(
                f"the {FIELDS[at]} of this match's positions is {right}, not"
                f" {short_quote(fields[at])}",
                sum(len(field) + 1 for field in fields[:at]),
            )


def _state(fields: list[str], options: Options) -> State:
    reader = _Reader(fields)
    quests, encounters = reader.secrets()
    seats = options.pack.scenarios[options.scenario].seats
    raw: Any = {
        "pack": options.pack,
        "scenario": options.scenario,
        "variants": reader.variants(),
        "round": reader.number(3, "R"),
        "turn": None if fields[4] == "-" else fields[4],
        "seats": dict(reader.each(5, ";", _PURSE, _purse)),
        "golems": dict(reader.each(6, ";", _GOLEM, reader.golem)),
        "constructs": dict(reader.each(7, ";", _CONSTRUCT, _construct)),
        "wells": dict(reader.each(8, ",", _WELL, lambda found: (found[1], found[2]))),
        "powers": dict(reader.each(9, ",", _POWER, lambda found: (found[1], found[3]))),
        "quests": quests,
        "encounters": encounters,
        "todo": tuple(reader.items()),
        "outcome": reader.outcome(seats),
    }
    try:
        # Through plain values, since only decoding checks bounds.
        return msgspec.convert(
            msgspec.to_builtins(raw, enc_hook=encode_as_digest),
            State,
            dec_hook=lambda *_: options.pack,
        )
    except msgspec.ValidationError as error:
        raise NotationError(f"this cannot be: {error}") from None


class _Reader:
    """The fields of one position, read with errors that say which."""

    def __init__(self, fields: list[str]) -> None:
        self.fields = fields

    def error(self, at: int, part: str, wanted: str) -> NotationError:
        """That a part of a field is not what it should be."""
        start = sum(len(field) + 1 for field in self.fields[:at])
        offset = max(self.fields[at].find(part), 0)
        return NotationError(
            f"among the {FIELDS[at]}, {short_quote(part)} is not {wanted}", start + offset
        )

    def variants(self) -> dict[str, str]:
        """The options that differ from their default; a position shows its own."""
        if self.fields[2] == "-":
            return {}
        parts = [part.partition("=") for part in self.fields[2].split(",")]
        return {name: value for name, _, value in parts}

    def number(self, at: int, prefix: str) -> int:
        """A number behind a letter."""
        found = re.fullmatch(prefix + _POINTS, self.fields[at])
        if found is None:
            raise self.error(at, self.fields[at], f"written as {prefix}1")
        return int(found[1])

    def each(
        self, at: int, comma: str, shape: re.Pattern[str], make: Callable[[re.Match[str]], T]
    ) -> list[T]:
        """The parts of a list, each made from its match."""
        if self.fields[at] == "-":
            return []
        made: list[T] = []
        for part in self.fields[at].split(comma):
            found = shape.fullmatch(part)
            if found is None:
                raise self.error(at, part, f"written as {_EXAMPLES[at]}")
            made.append(make(found))
        names = [part.partition("=")[0] for part in self.fields[at].split(comma)]
        if at in (6, 7) and len(set(names)) < len(names):
            raise self.error(at, self.fields[at], "a list that names each unit once")
        return made

    def golem(self, found: re.Match[str]) -> tuple[str, Golem]:
        """A Golem with its Cooldown and status effects."""
        heats: dict[str, Heat] = {}
        for text in found[8].split("%")[1:]:
            heat = _HEAT.fullmatch(text)
            if heat is None:
                raise self.error(6, text, "a Cooldown, as bite.2.1")
            heats[heat[1]] = Heat(int(heat[2]), int(heat[3]), bool(heat[4]))
        statuses: list[StatusEffect] = []
        for text in found[9].split("!")[1:]:
            status = _STATUS.fullmatch(text)
            if status is None:
                raise self.error(
                    6, text, "a status effect, as sand-lion.hamstring:dodge:-15:2:south"
                )
            seat: Any = status[5]
            stat: Any = status[2]
            statuses.append(StatusEffect(status[1], stat, int(status[3]), int(status[4]), seat))
        statuses.sort(key=status_key)
        # A Relic without charges is written without any.
        charges = int(found[5]) if found[5] else (None if found[4] else 0)
        golem = Golem(
            found[2], found[6], int(found[7]), found[3], found[4], charges, heats, tuple(statuses)
        )
        return found[1], golem

    def secrets(self) -> tuple[dict[str, DealtQuest], dict[str, HiddenEncounter]]:
        """Quests by seat, encounters by id."""
        quests: dict[str, DealtQuest] = {}
        encounters: dict[str, HiddenEncounter] = {}
        parts = [] if self.fields[10] == "-" else self.fields[10].split(",")
        for part in parts:
            if quest := _QUEST.fullmatch(part):
                quests[quest[1]] = DealtQuest(int(quest[2]), bool(quest[3]))
            elif met := _ENCOUNTER.fullmatch(part):
                encounters[met[1]] = HiddenEncounter(met[2], bool(met[3]))
            else:
                raise self.error(10, part, "written as south=1 or stranger=c4")
        return quests, encounters

    def items(self) -> Iterable[Item]:
        """The work items."""
        parts = [] if self.fields[11] == "-" else self.fields[11].split(",")
        for part in parts:
            item = _read_item(part)
            if item is None:
                raise self.error(11, part, "work, as roll/s1/bite/n1")
            yield item

    def outcome(self, seats: tuple[Seat, ...]) -> Outcome | None:
        """The result; `seats` are in Turn order."""
        text = self.fields[12]
        if text == "*":
            return None
        found = _RESULT.fullmatch(text)
        named = found[2].split("+") if found else []
        leaders = tuple(seat for seat in seats if seat in named)
        if found is None:
            raise self.error(12, text, "*, win:south or draw:south+north")
        return Outcome(leaders, found[1] == "win")


_EXAMPLES: Final = {
    5: "south:4:0:0:-",
    6: "s1=sand-lion@a1:50",
    7: "s2k=briar-totem@a1:18",
    8: "e5:L",
    9: "south.urzal.grave-chill@c4",
}


def _purse(found: re.Match[str]) -> tuple[str, Purse]:
    ancients = () if found[5] == "-" else tuple(found[5].split("+"))
    return found[1], Purse(int(found[2]), int(found[3]), int(found[4]), ancients, bool(found[6]))


def _construct(found: re.Match[str]) -> tuple[str, Construct]:
    return found[1], Construct(found[2], found[3], int(found[4]))


def _read_item(text: str) -> Item | None:
    kind, *words = text.split("/")
    spread: Any = words
    match kind, len(words):
        case "hide", 1:
            return Hide(words[0])
        case "quest", 1:
            return DealQuest(*spread)
        case "deploy", 1:
            return DeployArmy(*spread)
        case "begin", 0:
            return Begin()
        case (("roll" | "croll"), 3):
            return Roll(words[0], words[1], words[2], kind == "croll")
        case "displace", 5 if re.fullmatch("[1-9][0-9]{0,3}", words[2]):
            golem, way, steps, origin, seat = spread
            return Displace(golem, way, int(steps), origin, seat)
        case "advance", 3:
            golem, way, path = spread
            return Advance(golem, way, tuple(path.split("-")))
        case "step", 1:
            return Step(words[0])
        case "meet", 1:
            return Meet(words[0])
        case "choice", 2:
            return Choice(words[0], words[1])
        case _:
            return None
