"""Pointing by the parts of actions, for any game."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from domain.kernel.any_game import action_outline
from domain.kernel.armies import StatusRow
from domain.kernel.game import AnyGame
from domain.kernel.parts import Group, Parts
from domain.stylus.cards import side_lines
from domain.stylus.entries import (
    GROUP,
    OTHER_ACTIONS,
    OTHER_ACTIONS_ENTRY,
    TARGET_KINDS,
    Entry,
    Key,
    contains_key,
    count_dice,
    entry_of,
    indistinguishable_entries,
    key_of,
    key_of_picks,
    next_things,
    options_by_digits,
)
from domain.stylus.targets import Forecast, IconView, Option, Pointing, RemainingOptions

MAX_ACTIONS: Final = 50_000
"""Actions of one position that are looked at, at most: nobody pages through more."""
MANY_ACTIONS: Final = 1000
"""Actions of one thing that are looked at in between, at most: they take some 20 ms."""


class _GroupTargets(NamedTuple):
    """A group with what all its actions point at."""

    group: Group[Any]
    key: Key
    things: tuple[str, ...]


class PartsPointing:
    """Pointing by the parts of actions, for any game.

    Any legal action can be reached: tap all that it points at, in its order. What then is left
    points at the same things, and if it is not alone, the runes list it.
    """

    second_tap_deselects: Final = True

    def __init__(self, game: AnyGame, state: Any, seat: str, own: str) -> None:
        """`seat` is who is to act, empty if nobody may; `own` is whose table it is."""
        self._game = game
        self._state = state
        self._seat = seat
        self._own = own
        self._opened: dict[str, tuple[Entry, ...]] = {}
        self._heads: dict[str, Entry] = {}
        self._lefts: dict[tuple[str, ...], Sequence[Entry]] = {}

    def narrow(self, picked: tuple[str, ...]) -> RemainingOptions:
        """What is left after these picks."""
        left = self._left(picked)
        if not left:
            return RemainingOptions(is_possible=False)
        alike = indistinguishable_entries(left)
        armed = _armed_entry(picked, left, alike)
        runes = () if armed is not None and len(alike) == 1 and picked else alike
        count = count_dice(runes)
        return RemainingOptions(
            is_possible=True,
            armed=armed.option if armed else None,
            runes=tuple([entry.option for entry in runes]),
            digits=options_by_digits(runes),
            dice=count > 0,
            dice_count=count,
            next=next_things(left, picked),
        )

    def has_many_actions(self, thing: str) -> bool:
        """Is there a group that this opens, or that points at nothing, with more than a few
        actions?"""
        return any(
            next(islice(each.group.actions(), MANY_ACTIONS, None), None) is not None
            for name, each in self._groups.items()
            if name not in self._opened
            and (not each.things or name == thing or thing in each.things)
        )

    def can_start_with(self, thing: str) -> bool:
        """May this thing be picked first?"""
        return bool(self._left((thing,)))

    def interpretations(self, thing: str) -> tuple[str, ...]:
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
        _, things = key_of(action_outline(self._game, self._state, action))
        return things

    def refusal(self, picked: tuple[str, ...], thing: str) -> None:
        """None: no rule tells which action was meant."""
        del picked, thing

    def info(self, thing: str) -> tuple[str, ...]:
        """None: the scene tells of each thing beside it."""
        del thing
        return ()

    def forecast(self, action: Any) -> Forecast:
        """Nothing beyond its parts."""
        del action
        return Forecast()

    def guide(self, picked: tuple[str, ...]) -> tuple[str, ...]:
        """Nothing: what may be tapped next is listed beside it."""
        del picked
        return ()

    def abilities(self, things: Iterable[str]) -> tuple[tuple[str, StatusRow], ...]:
        """None: what an action costs stands beside it."""
        del things
        return ()

    def views(self) -> tuple[IconView, ...]:
        """The sides: a page for each."""
        return (IconView(icon="army", entries=self._sides(), lines=side_lines, pages=lambda _: 1),)

    def _sides(self) -> tuple[str, ...]:
        """Whoever owns something that the scene shows: one's own side, then the others in turn."""
        scene = self._game.scene(self._state, self._own)
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
        if picked[0] == OTHER_ACTIONS:
            return self._first[1] if len(picked) == 1 else ()
        if any(pick.partition(" ")[0] not in TARGET_KINDS for pick in picked):
            return ()
        among, last = self._among(picked), picked[-1]
        if not last.startswith(GROUP):
            among = [entry for entry in among if last in entry.things]
            if len(picked) == 1:
                return among
        wanted = key_of_picks(picked)
        return [entry for entry in among if contains_key(entry.key, wanted)]

    def _among(self, picked: tuple[str, ...]) -> Sequence[Entry]:
        """Those entries among which is what these picks leave."""
        # Each pick leaves fewer, and most taps add one to those of the tap before.
        return self._level(picked) if self._groups else self._left(picked[:-1])

    @cached_property
    def _first(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """What there is to choose among before anything is picked; and what is no move and points
        at nothing, which the last of these opens."""
        listed = self._level(()) if self._groups else self._listed()
        moves = [entry for entry in listed if entry.things or not entry.is_administrative]
        if len(moves) == len(listed):
            return tuple(moves), ()
        asides = tuple([entry for entry in listed if entry.is_administrative and not entry.things])
        return (*moves, OTHER_ACTIONS_ENTRY), asides

    def _level(self, picked: tuple[str, ...]) -> Sequence[Entry]:
        """What to choose among: groups, until a tap tells one from the others."""
        name = next((pick for pick in picked if pick.startswith(GROUP)), None)
        if name is not None:
            return self._open(name) if name in self._groups else ()
        wanted, groups = key_of_picks(picked), self._groups
        found = [
            name
            for name, each in groups.items()
            if not picked or not each.things or picked[0] in each.things
        ]
        if len(found) > 1 and (
            not picked or all(contains_key(groups[n].key, wanted) for n in found)
        ):
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
        option = Option(
            name.removeprefix(GROUP), pick=name, write_sentence=each.group.write_sentence
        )
        return Entry(each.key, each.things, option, each.group.parts.choices)

    def _open(self, name: str) -> tuple[Entry, ...]:
        if name not in self._opened:
            actions = islice(self._groups[name].group.actions(), MAX_ACTIONS)
            self._opened[name] = tuple(map(self._entry, actions))
        return self._opened[name]

    def _entry(self, action: Any) -> Entry:
        return entry_of(self._game, action_outline(self._game, self._state, action), action)

    @cached_property
    def _groups(self) -> dict[str, _GroupTargets]:
        if self._game.groups is None or not self._seat:
            return {}
        return {
            _group_pick(group.parts): _GroupTargets(group, *key_of(group.parts))
            for group in self._game.groups(self._state, self._seat)
        }

    def _listed(self) -> Sequence[Entry]:
        """What may be done, in a game that has no groups. Not kept: a list has as many entries as
        there are actions, and `_first` has them."""
        if not self._seat:
            return ()
        legal = self._game.legal(self._state, self._seat)
        return [*map(self._entry, islice(legal, MAX_ACTIONS))]

    @cached_property
    def _where(self) -> dict[str, str]:
        """The space that each piece stands on, as the seat sees it."""
        scene = self._game.scene(self._state, self._own)
        spaces = {space.id for space in scene.spaces}
        return {piece.id: piece.where for piece in scene.pieces if piece.where in spaces}

    @cached_property
    def _standing(self) -> dict[str, list[str]]:
        standing: dict[str, list[str]] = {}
        for piece, space in self._where.items():
            standing.setdefault(space, []).append(piece)
        return standing


def pointing_for(game: AnyGame, state: Any, seat: str, own: str) -> Pointing:
    """How things are pointed at in this state, for the seat that is to act (or empty). `own` is the
    seat for which the views are shown, whether or not it is to act; empty for an onlooker."""
    bring: Callable[[Any, str, str], Pointing] | None = game.pointing
    return PartsPointing(game, state, seat, own) if bring is None else bring(state, seat, own)


def _group_pick(parts: Parts) -> str:
    words = (parts.verb, *parts.pieces, *parts.spaces, *parts.cards, *parts.choices)
    return GROUP + " ".join(dict.fromkeys(words))


def _armed_entry(
    picked: tuple[str, ...], left: Sequence[Entry], alike: Sequence[Entry]
) -> Entry | None:
    if picked[:1] == (OTHER_ACTIONS,):
        return None
    if not picked:  # to give up, or to offer a draw, is never the thing that is simply left
        left = [entry for entry in left if not entry.is_administrative]
        alike = left if len(left) == 1 else ()
    only = alike[0] if len(alike) == 1 else None
    if only is None or only.option.action is None or only.requires_explicit_choice:
        return None
    return only
