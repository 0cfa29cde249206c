"""Pointing by the parts of actions, for any game."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from domain.kernel.any_game import outlined
from domain.kernel.armies import Row
from domain.kernel.game import AnyGame
from domain.kernel.parts import Group, Parts
from domain.stylus.cards import side
from domain.stylus.entries import (
    ASIDE,
    ASIDES,
    GROUP,
    KNOWN,
    Entry,
    Key,
    count_dice,
    entry_of,
    following,
    holds,
    key_of,
    settled,
    split,
    typed,
)
from domain.stylus.targets import Narrowed, Option, Outlook, Pointing, View

MOST: Final = 50_000
"""Actions of one position that are looked at, at most: nobody pages through more."""
AT_ONCE: Final = 1000
"""Actions of one thing that are looked at in between, at most: they take some 20 ms."""


class _Grouped(NamedTuple):
    """A group with what all its actions point at."""

    group: Group[Any]
    key: Key
    things: tuple[str, ...]


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
        self._opened: dict[str, tuple[Entry, ...]] = {}
        self._heads: dict[str, Entry] = {}
        self._lefts: dict[tuple[str, ...], Sequence[Entry]] = {}

    def narrow(self, picked: tuple[str, ...]) -> Narrowed:
        """What is left after these picks."""
        left = self._left(picked)
        if not left:
            return Narrowed(any=False)
        alike = settled(left)
        armed = _armed(picked, left, alike)
        runes = () if armed is not None and len(alike) == 1 and picked else alike
        count = count_dice(runes)
        return Narrowed(
            any=True,
            armed=armed.option if armed else None,
            runes=tuple([entry.option for entry in runes]),
            digits=typed(runes),
            dice=count > 0,
            dice_count=count,
            next=following(left, picked),
        )

    def crowded(self, thing: str) -> bool:
        """Is there a group that this opens, or that points at nothing, with more than a few
        actions?"""
        return any(
            next(islice(each.group.actions(), AT_ONCE, None), None) is not None
            for name, each in self._groups.items()
            if name not in self._opened
            and (not each.things or name == thing or thing in each.things)
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
        _, things = key_of(outlined(self._game, self._state, action))
        return things

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

    def _left(self, picked: tuple[str, ...]) -> Sequence[Entry]:
        """The entries that these picks leave."""
        found = self._lefts.get(picked)
        if found is None:
            found = self._lefts[picked] = self._filtered(picked)
        return found

    def _filtered(self, picked: tuple[str, ...]) -> Sequence[Entry]:
        if not picked:
            return self._first[0]
        if picked[0] == ASIDE:
            return self._first[1] if len(picked) == 1 else ()
        if any(pick.partition(" ")[0] not in KNOWN for pick in picked):
            return ()
        among, last = self._among(picked), picked[-1]
        if not last.startswith(GROUP):
            among = [entry for entry in among if last in entry.things]
            if len(picked) == 1:
                return among
        wanted = split(picked)
        return [entry for entry in among if holds(entry.key, wanted)]

    def _among(self, picked: tuple[str, ...]) -> Sequence[Entry]:
        """Those entries among which is what these picks leave."""
        # Each pick leaves fewer, and most taps add one to those of the tap before.
        return self._level(picked) if self._groups else self._left(picked[:-1])

    @cached_property
    def _first(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """What there is to choose among before anything is picked; and what is no move and points
        at nothing, which the last of these opens."""
        listed = self._level(()) if self._groups else self._listed()
        moves = [entry for entry in listed if entry.things or not entry.aside]
        if len(moves) == len(listed):
            return tuple(moves), ()
        asides = tuple([entry for entry in listed if entry.aside and not entry.things])
        return (*moves, ASIDES), asides

    def _level(self, picked: tuple[str, ...]) -> Sequence[Entry]:
        """What to choose among: groups, until a tap tells one from the others."""
        name = next((pick for pick in picked if pick.startswith(GROUP)), None)
        if name is not None:
            return self._open(name) if name in self._groups else ()
        wanted, groups = split(picked), self._groups
        found = [
            name
            for name, each in groups.items()
            if not picked or not each.things or picked[0] in each.things
        ]
        if len(found) > 1 and (not picked or all(holds(groups[n].key, wanted) for n in found)):
            return [self._head(name) for name in found]
        return [entry for name in found for entry in self._open(name)]

    def _head(self, name: str) -> Entry:
        """A group, or its only action."""
        if name not in self._heads:
            self._heads[name] = self._headed(name)
        return self._heads[name]

    def _headed(self, name: str) -> Entry:
        each = self._groups[name]
        few = list(islice(each.group.actions(), 2))
        if len(few) == 1:
            entry = self._entry(few[0])
            return (
                entry if entry.key == each.key else replace(entry, key=each.key, things=each.things)
            )
        option = Option(name.removeprefix(GROUP), pick=name, say=each.group.say)
        return Entry(each.key, each.things, option, each.group.parts.choices)

    def _open(self, name: str) -> tuple[Entry, ...]:
        if name not in self._opened:
            actions = islice(self._groups[name].group.actions(), MOST)
            self._opened[name] = tuple(map(self._entry, actions))
        return self._opened[name]

    def _entry(self, action: Any) -> Entry:
        return entry_of(self._game, outlined(self._game, self._state, action), action)

    @cached_property
    def _groups(self) -> dict[str, _Grouped]:
        if self._game.groups is None or not self._seat:
            return {}
        return {
            _name(group.parts): _Grouped(group, *key_of(group.parts))
            for group in self._game.groups(self._state, self._seat)
        }

    def _listed(self) -> Sequence[Entry]:
        """What may be done, in a game that has no groups. Not kept: a list has as many entries as
        there are actions, and `_first` has them."""
        if not self._seat:
            return ()
        legal = self._game.legal(self._state, self._seat)
        return [*map(self._entry, islice(legal, MOST))]

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


def _armed(picked: tuple[str, ...], left: Sequence[Entry], alike: Sequence[Entry]) -> Entry | None:
    if picked[:1] == (ASIDE,):
        return None
    if not picked:  # to give up, or to offer a draw, is never the thing that is simply left
        left = [entry for entry in left if not entry.aside]
        alike = left if len(left) == 1 else ()
    only = alike[0] if len(alike) == 1 else None
    if only is None or only.option.action is None or only.deliberate:
        return None
    return only
