"""The narrowing of legal actions by taps on their parts, for any game."""

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
"""The most actions of one position that are considered: nobody pages through more."""
MANY_ACTIONS: Final = 1000
"""The number of actions from which on a group is large; this many take some 20 ms."""


class _GroupTargets(NamedTuple):
    """A group with the things that all its actions point at."""

    group: Group[Any]
    key: Key
    things: tuple[str, ...]


class PartsPointing:
    """The `Pointing` of any game, by the parts of its actions.

    Any legal action can be reached: tap the things that it points at, in order. The actions left
    then point at the same things, and if there are several, the runes list them.
    """

    second_tap_deselects: Final = True

    def __init__(self, game: AnyGame, state: Any, seat: str, own: str) -> None:
        """Create the pointing of one state.

        Args:
            game: The game.
            state: The state, as the seat may know it.
            seat: The seat to act for; empty if none may act.
            own: The seat whose views are shown; empty for a spectator.
        """
        self._game = game
        self._state = state
        self._seat = seat
        self._own = own
        self._opened: dict[str, tuple[Entry, ...]] = {}
        self._heads: dict[str, Entry] = {}
        self._lefts: dict[tuple[str, ...], Sequence[Entry]] = {}

    def narrow(self, picked: tuple[str, ...]) -> RemainingOptions:
        """Return the options that are left after these picks."""
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
        """Return whether a tap on a thing would open an unopened group with many actions."""
        return any(
            next(islice(each.group.actions(), MANY_ACTIONS, None), None) is not None
            for name, each in self._groups.items()
            if name not in self._opened
            and (not each.things or name == thing or thing in each.things)
        )

    def can_start_with(self, thing: str) -> bool:
        """Return whether a thing may be picked first."""
        return bool(self._left((thing,)))

    def interpretations(self, thing: str) -> tuple[str, ...]:
        """Return the thing itself, then the pieces on a space, or a piece's card and space."""
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
        """Return all things that the action points at."""
        _, things = key_of(action_outline(self._game, self._state, action))
        return things

    def refusal(self, picked: tuple[str, ...], thing: str) -> None:
        """Return None: no rule can tell which action was meant."""
        del picked, thing

    def info(self, thing: str) -> tuple[str, ...]:
        """Return nothing: the card of each thing comes from the scene."""
        del thing
        return ()

    def forecast(self, action: Any) -> Forecast:
        """Return an empty forecast: nothing is known beyond the action's parts."""
        del action
        return Forecast()

    def guide(self, picked: tuple[str, ...]) -> tuple[str, ...]:
        """Return nothing: the things to tap next are listed elsewhere."""
        del picked
        return ()

    def abilities(self, things: Iterable[str]) -> tuple[tuple[str, StatusRow], ...]:
        """Return nothing: the cost of an action is shown with the action."""
        del things
        return ()

    def views(self) -> tuple[IconView, ...]:
        """Return the view of the sides, with one entry for each side."""
        return (IconView(icon="army", entries=self._sides(), lines=side_lines, pages=lambda _: 1),)

    def _sides(self) -> tuple[str, ...]:
        """Return the seats that own something in the scene, the own seat first."""
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
        """Return the entries that are left after these picks."""
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
        """Return the entries to filter by these picks."""
        # Each pick leaves fewer entries, and most taps add one pick to the previous ones.
        return self._level(picked) if self._groups else self._left(picked[:-1])

    @cached_property
    def _first(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """Return the entries before the first pick, and the administrative ones without things.

        The last entry of the first tuple opens the second tuple.
        """
        listed = self._level(()) if self._groups else self._listed()
        moves = [entry for entry in listed if entry.things or not entry.is_administrative]
        if len(moves) == len(listed):
            return tuple(moves), ()
        asides = tuple([entry for entry in listed if entry.is_administrative and not entry.things])
        return (*moves, OTHER_ACTIONS_ENTRY), asides

    def _level(self, picked: tuple[str, ...]) -> Sequence[Entry]:
        """Return groups to choose among, or their actions once the picks distinguish a group."""
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
        """Return the entry of a group, or of its only action."""
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
        """Return the entries of all legal actions, in a game without groups.

        The list is not cached because `_first` keeps its entries.
        """
        if not self._seat:
            return ()
        legal = self._game.legal(self._state, self._seat)
        return [*map(self._entry, islice(legal, MAX_ACTIONS))]

    @cached_property
    def _where(self) -> dict[str, str]:
        """The space of each piece, as the seat sees it."""
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
    """Return the pointing of a state: the game's own, or the one by parts.

    Args:
        game: The game.
        state: The state, as the seat may know it.
        seat: The seat to act for; empty if none may act.
        own: The seat whose views are shown, even if it may not act; empty for a spectator.
    """
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
    if not picked:  # a resignation or a draw offer is never armed as the only action left
        left = [entry for entry in left if not entry.is_administrative]
        alike = left if len(left) == 1 else ()
    only = alike[0] if len(alike) == 1 else None
    if only is None or only.option.action is None or only.requires_explicit_choice:
        return None
    return only
