"""Legal actions, narrowed by what was tapped.

A stylus taps *things*: `piece white-golem-a1`, `space a6`, `card athanor`. Each tap leaves fewer
legal actions. When one is left, or one that no further tap could tell from the rest, Confirm takes
it; when several are left that no tap can tell apart, the rune symbols of the Control Card choose.

`Pointing` is how things are pointed at in one position. `PartsPointing` works for any game, from
the parts of its actions; a game whose own reference says how it is done brings its own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, groupby, islice
from operator import eq
from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.armies import Row
from domain.kernel.game import AnyGame, Figures, Group, Parts, Refused, outlined
from domain.kernel.scene import Scene
from domain.stylus.side_view import side

MOST: Final = 50_000
"""Actions of one position that are looked at, at most: nobody pages through more."""

Key = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""What an action points at: pieces, spaces and cards, each in order."""


class Option(Struct, frozen=True):
    """Something that can be chosen: a legal action, or a group of them that is opened first."""

    label: str
    """The action's notation, or what names the group."""
    action: Any = None
    """None for a group. Its parts say what it does and costs: few options are ever shown."""
    pick: str = ""
    """What choosing it adds to the picks, for a group."""
    sentence: str = ""
    """What a group is."""


class Narrowed(Struct, frozen=True):
    """What is left after some taps."""

    any: bool
    """Does some legal action agree with them?"""
    armed: Option | None = None
    """What Confirm would take."""
    runes: tuple[Option, ...] = ()
    """What the rune symbols choose among."""
    digits: Mapping[str, Option] = {}
    """What typing these digits would choose, dice above all."""
    dice: bool = False
    """Are they what dice show? Other digits choose among the runes, where these are listed."""
    next: tuple[str, ...] = ()
    """The things that may be tapped next."""


class Outlook(Struct, frozen=True):
    """What is worth knowing of an action before it is taken."""

    figures: Figures = {}
    """By name: its chances above all."""
    path: tuple[str, ...] = ()
    """The spaces that it leads through, in order, the last one with them."""


class View(Struct, frozen=True, kw_only=True):
    """What an icon of the Control Card shows: one of several entries, with arrows to the others."""

    icon: str
    """As `army`, which taps call `cc army`, `cc army<` and `cc army>`."""
    entries: tuple[str, ...]
    lines: Callable[[Scene, str, int], tuple[str, ...]]
    """A page of an entry, for whoever may see this scene."""
    first: Callable[[tuple[str, ...]], str] | None = None
    """The entry that the icon shows when so much is picked; where it is not given, the first."""
    pages: Callable[[str], int] | None = None
    """How many pages an entry has. Where it is not given, the page button shows the next entry."""
    options: Callable[[str], tuple[Option, ...]] | None = None
    """What of an entry can be chosen now, by the rune symbols."""
    picks: str = ""
    """The kind of thing that choosing one of these options picks."""


class Pointing(Protocol):
    """How things are pointed at in one position, for the seat that is to act."""

    @property
    def takes_back(self) -> bool:
        """Does a second tap on the same thing take it back?"""

    def narrow(self, picked: tuple[str, ...]) -> Narrowed:
        """What is left after these picks."""

    def begins(self, thing: str) -> bool:
        """May this thing be picked first?"""

    def readings(self, thing: str) -> tuple[str, ...]:
        """What a tap on this thing can mean, the likeliest first."""

    def path(self, action: Any) -> tuple[str, ...]:
        """The things that would be tapped for a legal action, in order."""

    def refusal(self, picked: tuple[str, ...], thing: str) -> Refused | None:
        """Why the action is refused that this thing would have completed; None if there is none."""

    def info(self, thing: str) -> tuple[str, ...]:
        """The card of a thing on the table, in lines; empty if it has none to show."""

    def outlook(self, action: Any) -> Outlook:
        """What is worth knowing of a legal action."""

    def guide(self, picked: tuple[str, ...]) -> tuple[str, ...]:
        """What the play view tells beside the prompt, in lines: what is asked walked through, or
        where what is picked leads."""

    def abilities(self, things: Iterable[str]) -> tuple[tuple[str, Row], ...]:
        """Those of these things that stand for abilities, and what these cost now."""

    def views(self) -> tuple[View, ...]:
        """What icons of the Control Card show here, beside the map."""


ASIDE: Final = "group aside"
"""What is no move and points at nothing, as giving up: opened first, so that it takes two runes."""


class _Entry(Struct, frozen=True):
    """An action or a group with what it points at."""

    key: Key
    things: tuple[str, ...]
    """The key as taps name it."""
    option: Option
    parts: Parts
    """Perhaps without their sentence."""
    aside: bool = False


_ASIDES: Final = _Entry(
    ((), (), ()),
    (),
    Option("aside", pick=ASIDE, sentence="Give up, or what else is no move"),
    Parts("aside", ""),
    aside=True,
)


def _is_aside(entry: _Entry) -> bool:
    return entry.aside and not entry.things


def key_of(parts: Parts) -> Key:
    """What is pointed at, with repetitions that follow each other told once: a second tap on the
    same thing would take it back."""
    return _once(parts.pieces), _once(parts.spaces), _once(parts.cards)


def _once(ids: tuple[str, ...]) -> tuple[str, ...]:
    repeated = any(map(eq, ids, ids[1:]))
    return tuple(each for each, _ in groupby(ids)) if repeated else ids


def things_of(key: Key) -> Iterator[str]:
    """The things of a key, as taps name them.

    >>> list(things_of((("p1",), ("a1", "a2"), ())))
    ['piece p1', 'space a1', 'space a2']
    """
    for kind, ids in zip(KINDS, key, strict=True):
        for each in ids:
            yield f"{kind} {each}"


KINDS: Final = ("piece", "space", "card")
GROUP: Final = "group "
KNOWN: Final = (*KINDS, "group")
"""What picks begin with: other targets belong to other games, or to the match itself."""


def split(picked: Iterable[str]) -> Key:
    """Picks as a key: each kind of thing in the order in which it was tapped."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for pick in picked:
        kind, _, name = pick.partition(" ")
        if kind in found:
            found[kind].append(name)
    pieces, spaces, cards = (tuple(found[kind]) for kind in KINDS)
    return pieces, spaces, cards


def holds(key: Key, other: Key) -> bool:
    """Does this key have all of the other, in the same order?

    >>> holds((("p",), ("a1", "b2", "c3"), ()), (("p",), ("a1", "c3"), ()))
    True
    """
    return key == other or all(map(_in_order, other, key))


def _in_order(wanted: tuple[str, ...], there: tuple[str, ...]) -> bool:
    if len(wanted) == 1:  # most often
        return wanted[0] in there
    rest = iter(there)
    return all(each in rest for each in wanted)


class PartsPointing:
    """Pointing by the parts of actions, for any game.

    Any legal action can be reached: tap all that it points at, in its order. What then is left
    points at the same things, and if it is not alone, the runes list it.
    """

    takes_back: Final = True

    def __init__(self, game: AnyGame, state: Any, seat: str, own: str) -> None:
        """`seat` is who is to act, empty if nobody may; `own` is whose table it is."""
        self._game = game
        self._state = state
        self._seat = seat
        self._own = own
        self._opened: dict[str, tuple[_Entry, ...]] = {}
        self._heads: dict[str, _Entry] = {}

    def narrow(self, picked: tuple[str, ...]) -> Narrowed:
        """What is left after these picks."""
        left = self._left(picked)
        if not left:
            return Narrowed(any=False)
        alike = _settled(left)
        armed = _armed(picked, left, alike)
        runes = () if armed is not None and len(alike) == 1 and picked else alike
        return Narrowed(
            any=True,
            armed=armed.option if armed else None,
            runes=tuple(entry.option for entry in runes),
            digits=_typed(runes),
            dice=_are_dice(runes),
            next=_next(left, split(picked)),
        )

    def begins(self, thing: str) -> bool:
        """May this thing be picked first?"""
        return bool(self._left((thing,)))

    def readings(self, thing: str) -> tuple[str, ...]:
        """The thing itself, then what it holds or lies on: pieces of a space, a piece's space."""
        kind, _, name = thing.partition(" ")
        others: list[str] = []
        if kind == "space":
            others = [f"piece {each}" for each in self._standing.get(name, ())]
        elif kind == "piece":
            others = [f"card {name}"]
            if name in self._where:
                others.append(f"space {self._where[name]}")
        elif kind == "card":
            others = [f"piece {name}"]
        return (thing, *others)

    def path(self, action: Any) -> tuple[str, ...]:
        """All that the action points at."""
        return tuple(things_of(key_of(outlined(self._game, self._state, action))))

    def refusal(self, picked: tuple[str, ...], thing: str) -> None:
        """None: no rule tells which action was meant."""
        del picked, thing

    def info(self, thing: str) -> tuple[str, ...]:
        """None: the scene tells of each thing beside it."""
        del thing
        return ()

    def outlook(self, action: Any) -> Outlook:
        """Nothing beyond its parts."""
        del action
        return Outlook()

    def guide(self, picked: tuple[str, ...]) -> tuple[str, ...]:
        """Nothing: what may be tapped next is listed beside it."""
        del picked
        return ()

    def abilities(self, things: Iterable[str]) -> tuple[tuple[str, Row], ...]:
        """None: what an action costs stands beside it."""
        del things
        return ()

    def views(self) -> tuple[View, ...]:
        """The sides: a page for each."""
        return (View(icon="army", entries=self._sides(), lines=side, pages=lambda _: 1),)

    def _sides(self) -> tuple[str, ...]:
        """Whoever owns something that the scene shows: one's own side, then the others in turn."""
        scene = self._game.look(self._state, self._own)
        owners = (
            *(track.owner for track in scene.tracks),
            *(zone.owner for zone in scene.zones),
            *(piece.owner for piece in scene.pieces),
        )
        seats = tuple(dict.fromkeys(owner for owner in owners if owner))
        at = seats.index(self._own) if self._own in seats else 0
        return seats[at:] + seats[:at]

    # --- what is left ------------------------------------------------------------------------

    def _left(self, picked: tuple[str, ...]) -> list[_Entry]:
        """The entries that these picks leave."""
        if picked[:1] == (ASIDE,):
            return [*self._asides] if len(picked) == 1 else []
        if any(pick.partition(" ")[0] not in KNOWN for pick in picked):
            return []
        if picked:
            wanted = split(picked)
            return [entry for entry in self._among(picked) if holds(entry.key, wanted)]
        moves = [entry for entry in self._first if not _is_aside(entry)]
        return [*moves, _ASIDES] if self._asides else moves

    @cached_property
    def _first(self) -> tuple[_Entry, ...]:
        """What there is to choose among before anything is picked."""
        return tuple(self._level(()))

    @cached_property
    def _asides(self) -> tuple[_Entry, ...]:
        """What is no move and points at nothing."""
        return tuple(filter(_is_aside, self._first))

    def _among(self, picked: tuple[str, ...]) -> Iterable[_Entry]:
        """Those entries that these picks may leave: of hundreds of actions few point at a thing."""
        if self._groups:
            return self._level(picked)
        things = (pick for pick in picked if not pick.startswith(GROUP))
        fewest = min((self._pointing_at.get(each, ()) for each in things), key=len, default=None)
        return self._actions if fewest is None else fewest

    @cached_property
    def _pointing_at(self) -> dict[str, list[_Entry]]:
        """The actions that point at each thing, in order."""
        found: dict[str, list[_Entry]] = {}
        for entry in self._actions:
            for thing in dict.fromkeys(entry.things):
                found.setdefault(thing, []).append(entry)
        return found

    def _level(self, picked: tuple[str, ...]) -> Iterable[_Entry]:
        """What to choose among: groups, until a tap tells one from the others."""
        if not self._groups:
            return self._actions
        name = next((pick for pick in picked if pick.startswith(GROUP)), None)
        if name is not None:
            return self._open(name) if name in self._groups else ()
        wanted = split(picked)
        found = [
            name
            for name, (group, key) in self._groups.items()
            if not picked or not any(key) or picked[0] in things_of(key)
        ]
        if len(found) > 1 and all(holds(self._groups[name][1], wanted) for name in found):
            return [self._head(name) for name in found]
        return [entry for name in found for entry in self._open(name)]

    def _head(self, name: str) -> _Entry:
        """A group, or its only action."""
        if name not in self._heads:
            self._heads[name] = self._headed(name)
        return self._heads[name]

    def _headed(self, name: str) -> _Entry:
        group, key = self._groups[name]
        things = tuple(things_of(key))
        few = list(islice(group.actions(), 2))
        if len(few) == 1:
            return replace(self._entry(few[0]), key=key, things=things)
        option = Option(name.removeprefix(GROUP), pick=name, sentence=group.parts.sentence)
        return _Entry(key, things, option, group.parts)

    def _open(self, name: str) -> tuple[_Entry, ...]:
        if name not in self._opened:
            actions = islice(self._groups[name][0].actions(), MOST)
            self._opened[name] = tuple(map(self._entry, actions))
        return self._opened[name]

    def _entry(self, action: Any) -> _Entry:
        parts = outlined(self._game, self._state, action)
        option = Option(self._game.write_action(action), action)
        key = key_of(parts)
        return _Entry(key, tuple(things_of(key)), option, parts, self._game.aside(action))

    @cached_property
    def _groups(self) -> dict[str, tuple[Group[Any], Key]]:
        if self._game.groups is None or not self._seat:
            return {}
        return {
            _name(group.parts): (group, key_of(group.parts))
            for group in self._game.groups(self._state, self._seat)
        }

    @cached_property
    def _actions(self) -> tuple[_Entry, ...]:
        if not self._seat:
            return ()
        legal = self._game.legal(self._state, self._seat)
        return tuple(map(self._entry, islice(legal, MOST)))

    @cached_property
    def _where(self) -> dict[str, str]:
        """The space that each piece stands on, as the seat sees it."""
        scene = self._game.look(self._state, self._own)
        spaces = {space.id for space in scene.spaces}
        return {piece.id: piece.where for piece in scene.pieces if piece.where in spaces}

    @cached_property
    def _standing(self) -> dict[str, list[str]]:
        standing: dict[str, list[str]] = {}
        for piece, space in self._where.items():
            standing.setdefault(space, []).append(piece)
        return standing


def pointing(game: AnyGame, state: Any, seat: str, own: str) -> Pointing:
    """How things are pointed at in this state, for the seat that is to act (or empty). `own` is the
    seat for which the views are shown, whether or not it is to act; empty for an onlooker."""
    bring: Callable[[Any, str, str], Pointing] | None = game.point
    return PartsPointing(game, state, seat, own) if bring is None else bring(state, seat, own)


def _name(parts: Parts) -> str:
    words = (parts.verb, *parts.pieces, *parts.spaces, *parts.cards, *parts.choices)
    return GROUP + " ".join(dict.fromkeys(words))


def _settled(left: list[_Entry]) -> tuple[_Entry, ...]:
    """The actions that no further tap could tell from the others: all others point at what they
    point at, and perhaps at more."""
    size = min(len(entry.things) for entry in left)
    least = [entry for entry in left if len(entry.things) == size]
    key = least[0].key
    if all(holds(entry.key, key) for entry in left):
        return tuple(least)
    return ()


def _armed(picked: tuple[str, ...], left: list[_Entry], alike: tuple[_Entry, ...]) -> _Entry | None:
    if picked[:1] == (ASIDE,):
        return None
    if not picked:  # to give up, or to offer a draw, is never the thing that is simply left
        left = [entry for entry in left if not entry.aside]
        alike = tuple(left) if len(left) == 1 else ()
    only = alike[0] if len(alike) == 1 else None
    if only is None or only.option.action is None or only.parts.deliberate:
        return None
    return only


def _typed(runes: tuple[_Entry, ...]) -> dict[str, Option]:
    """By what digits each entry is chosen: what the dice show, or else its place in the list."""
    places = [str(number) for number in range(1, len(runes) + 1)]
    keys = _shown(runes) if _are_dice(runes) else places
    return {typed: entry.option for typed, entry in zip(keys, runes, strict=True)}


def _are_dice(runes: tuple[_Entry, ...]) -> bool:
    """Does each of them tell what dice show, and no two the same?"""
    return bool(runes) and all(map(_is_dice, runes)) and len({*_shown(runes)}) == len(runes)


def _shown(runes: tuple[_Entry, ...]) -> list[str]:
    return ["".join(entry.parts.choices) for entry in runes]


def _is_dice(entry: _Entry) -> bool:
    choices = entry.parts.choices
    return bool(choices) and all(choice.isascii() and choice.isdigit() for choice in choices)


def _next(left: list[_Entry], picked: Key) -> tuple[str, ...]:
    """The things that may be tapped next: those that some of what is left points at and some does
    not, or that are still to be tapped."""
    taken = set(things_of(picked))
    found = dict.fromkeys(chain.from_iterable(entry.things for entry in left))
    return tuple(thing for thing in found if thing not in taken)
