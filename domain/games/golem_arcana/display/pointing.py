"""How actions are tapped with the stylus: which things fill which place of an action.

Source: the reference, section 11, "Stylus and Control Card protocol".
"""

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final, assert_never

from msgspec import Struct

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.ancients import invocations
from domain.games.golem_arcana.battle.battle import Battle, units_in_order
from domain.games.golem_arcana.battle.naming import power_of
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import Attack
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.display.forecast import abilities, forecast
from domain.games.golem_arcana.display.guide import guide
from domain.games.golem_arcana.display.helping import TOPICS, help_lines, topic
from domain.games.golem_arcana.display.info import ancient_info, info
from domain.games.golem_arcana.display.tap_refusals import refuse_tap
from domain.games.golem_arcana.legal import legal_in
from domain.games.golem_arcana.notation.actions import write_action
from domain.games.golem_arcana.state import State
from domain.kernel.armies import StatusRow
from domain.kernel.rulings import Refused
from domain.stylus.cards import side_lines
from domain.stylus.targets import Forecast, IconView, Option, RemainingOptions

Slot = frozenset[str]
"""The targets that fill one place of an action; any of them will do."""


class Slots(Struct, frozen=True):
    """What has to be tapped for an action."""

    option: Option
    slots: tuple[Slot, ...]
    rune: bool = False
    """A rune symbol must say so, for nothing on the table does."""
    digits: str = ""
    things: frozenset[str] = frozenset()
    """Everything that can be tapped for it: what is in the slots."""

    def filled(self, picked: frozenset[str]) -> bool:
        """Does every place hold a picked target?"""
        return all(slot & picked for slot in self.slots)


class GolemPointing:
    """Pointing at things of a Golem Arcana table."""

    second_tap_deselects: Final = False

    def __init__(self, state: State, seat: str, own: str) -> None:
        """`seat` is who is to act, empty if nobody may; `own` is whose stylus it is."""
        self._state = state
        self._seat = seat
        self._own = own
        self._battle = Battle(state)

    def narrow(self, picked: tuple[str, ...]) -> RemainingOptions:
        """What is left after these picks."""
        taken = frozenset(picked)
        left = [each for each in self._all if taken <= each.things]
        full = [each for each in left if not (each.rune or each.digits) and each.filled(taken)]
        if len(left) > 1 and len(full) == len(left):
            runes = full
        else:
            runes = [each for each in left if each.rune and each.filled(taken)]
        only = left[0] if len(left) == 1 and not (left[0].rune or left[0].digits) else None
        if only is None and len(full) == 1:
            only = full[0]
        return RemainingOptions(
            is_possible=bool(left),
            armed=only.option if picked and only is not None else None,
            runes=tuple(each.option for each in runes),
            digits=_digits(left, runes),
            dice=any(each.digits and not each.rune for each in left),
            dice_count=_count_dice(left),
            next=tuple(sorted(_next(left, taken), key=str.encode)),
        )

    def has_many_actions(self, thing: str) -> bool:
        """Never: a battle has some hundreds of actions at most."""
        del thing
        return False

    def can_start_with(self, thing: str) -> bool:
        """Does it fill the first place of some action?"""
        return any(each.slots and thing in each.slots[0] for each in self._all)

    def interpretations(self, thing: str) -> tuple[str, ...]:
        """Every target of this game means itself."""
        return (thing,)

    def path(self, action: Action) -> tuple[str, ...]:
        """One target for each place of the action."""
        return tuple(_plainest(slot) for slot in self._places(action))

    def refusal(self, picked: tuple[str, ...], thing: str) -> Refused | None:
        """Why the action that this tap would have completed is not allowed."""
        return refuse_tap(self._state, self._seat, picked, thing)

    def info(self, thing: str) -> tuple[str, ...]:
        """The card of a thing, whosesoever it is."""
        return info(self._battle, thing)

    def forecast(self, action: Action) -> Forecast:
        """Its chance to hit, and its path."""
        return forecast(self._battle, self._seat, action)

    def guide(self, picked: tuple[str, ...]) -> tuple[str, ...]:
        """An open question walked through, or where what is picked leads."""
        taken = frozenset(picked)
        left = [each.option.action for each in self._all if taken <= each.things]
        return guide(self._battle, left, picked)

    def abilities(self, things: Iterable[str]) -> tuple[tuple[str, StatusRow], ...]:
        """The abilities among them, with costs and pips."""
        return tuple(abilities(self._battle, things))

    def views(self) -> tuple[IconView, ...]:
        """The armies, and the Ancient Ones that serve anybody."""
        armies = IconView(
            icon="army", entries=self._armies(), lines=side_lines, pages=self._army_pages
        )
        helping = IconView(
            icon="help",
            entries=tuple(TOPICS),
            first=lambda picked: topic(self._battle, picked),
            lines=lambda _scene, entry, _page: help_lines(entry),
        )
        if not self._ancients:
            return armies, helping
        numbers = tuple(str(number) for number in range(1, len(self._ancients) + 1))
        ancients = IconView(
            icon="ancients",
            entries=numbers,
            lines=lambda _scene, number, _page: self._ancient(number),
            options=self._powers,
            picks="power",
        )
        return armies, ancients, helping

    def _armies(self) -> tuple[Seat, ...]:
        """One's own army, then the others in Turn order."""
        return tuple(sorted(self._battle.seats, key=lambda seat: seat != self._own))

    def _army_pages(self, seat: str) -> int:
        """A page for the side, and one for each of its Golems."""
        return 1 + sum(name[0] == seat[0] for name in self._state.golems)

    def _ancient(self, number: str) -> tuple[str, ...]:
        """An Ancient One with all its powers, affordable or not."""
        owner, shown = self._ancients[int(number) - 1]
        return ancient_info(self._battle, owner, shown)

    def _powers(self, number: str) -> tuple[Option, ...]:
        """The powers of one's own Ancient One that can be invoked now."""
        owner, shown = self._ancients[int(number) - 1]
        if owner != self._seat or self._state.todo or acting(self._state) != self._seat:
            return ()
        found = dict.fromkeys(
            power for ancient, power, _ in invocations(self._battle, owner) if ancient == shown
        )
        cards = {each.id: each.name for each in self._battle.pack.ancients[shown].power}
        return tuple(
            Option(power, pick=f"power {shown} {power}", sentence=cards[power]) for power in found
        )

    @cached_property
    def _ancients(self) -> tuple[tuple[Seat, str], ...]:
        """One's own Ancient Ones in army order, then the opponents'."""
        purses = self._state.seats
        return tuple(
            (seat, ancient) for seat in self._armies() for ancient in purses[seat].ancients
        )

    @cached_property
    def _all(self) -> tuple[Slots, ...]:
        """Every legal action, in the order of their notations."""
        found = map(self._slots, legal_in(self._battle, self._seat))
        return tuple(sorted(found, key=_by_notation))

    def _slots(self, action: Action) -> Slots:
        return _slots_of(action, tuple(self._places(action)))

    def _places(self, action: Action) -> Iterator[Slot]:
        match action:
            case a.Move(golem, ability, region):
                yield from self._of_card(golem, ability)
                yield _one("region", region)
            case a.Attack(golem, ability, target):
                yield from self._of_card(golem, ability)
                yield self._aimed(golem, ability, target)
            case a.Charge(golem, attack, movement, target):
                yield _base_or_card(golem, attack, movement)
                yield _one("card", golem, attack)
                yield _one("card", golem, movement)
                yield self._aimed(golem, attack, target)
            case a.Use(golem, ability, aim):
                yield from self._of_card(golem, ability)
                if aim is not None:
                    yield self._named(action, aim)
            case a.UseRelic(golem, _, aim):
                yield _one("relic", golem)
                if aim is not None:
                    yield self._named(action, aim)
            case a.Invoke(ancient, power, where):
                yield _one("power", ancient, power)
                if where is not None:
                    yield _one("region", where)
            case a.Enter(golem, region) | a.Deploy(golem, region):
                yield _base_or_card(golem)
                yield _one("region", region)
            case a.Hold(golem):
                yield _base_or_card(golem)
            case a.ChooseRegion(region) | a.TakeStep(region):
                yield _one("region", region)
            case (
                a.RollDice() | a.RollDie() | a.Choose() | a.EnterQuest() | a.EnterHiding()
                | a.EndTurn() | a.Stay()
            ):  # fmt: skip
                return
            case unreachable:
                assert_never(unreachable)

    def _of_card(self, golem: str, ability: str) -> Iterator[Slot]:
        yield _base_or_card(golem, ability)
        yield _one("card", golem, ability)

    def _aimed(self, golem: str, ability: str, target: str) -> Slot:
        """What an attack is aimed at: a unit, or with an area attack a Region, for which the base
        of any enemy unit there does too."""
        battle = self._battle
        attack = battle.abilities(golem)[ability]
        if not (isinstance(attack, Attack) and attack.area):
            return self._unit(target)
        foes = (unit for unit in units_in_order(battle, target) if battle.hostile(golem, unit))
        return frozenset({f"region {target}", *(f"base {unit}" for unit in foes)})

    def _named(self, action: a.Use | a.UseRelic, target: str) -> Slot:
        """What a power is used on, a Region or a unit."""
        if power_of(self._battle, action).target == "region":
            return _one("region", target)
        return self._unit(target)

    def _unit(self, unit: str) -> Slot:
        """A unit, or the Region where it stands."""
        return _either(f"base {unit}", f"region {self._battle.where(unit)}")


@lru_cache(maxsize=1 << 13)
def _slots_of(action: Action, slots: tuple[Slot, ...]) -> Slots:
    """What has to be tapped for an action, which is the same in most positions: about 1 KB."""
    option = Option(write_action(action), action)
    match action:
        case a.RollDice(roll=dice):
            return Slots(option, (), digits=dice)
        case a.EndTurn() | a.Stay():
            return Slots(option, (), rune=True)
        case (
            a.RollDie(roll=number) | a.Choose(number=number)
            | a.EnterQuest(number=number) | a.EnterHiding(number=number)
        ):  # fmt: skip
            return Slots(option, (), rune=True, digits=number)
        case _:
            things = frozenset(chain.from_iterable(slots))
            return Slots(option, slots, rune=isinstance(action, a.Hold), things=things)


def _by_notation(slots: Slots) -> bytes:
    return slots.option.label.encode()


def _plainest(slot: Slot) -> str:
    """The target of a place that a player would tap: a base before a card or a Region."""
    return min(slot, key=lambda each: (not each.startswith("base"), each))


@lru_cache(maxsize=4096)
def _one(*words: str) -> Slot:
    return frozenset({" ".join(words)})


@lru_cache(maxsize=4096)
def _either(*things: str) -> Slot:
    return frozenset(things)


@lru_cache(maxsize=4096)
def _base_or_card(golem: str, *abilities: str) -> Slot:
    cards = (f"card {golem} {ability}" for ability in abilities)
    return frozenset({f"base {golem}", f"card {golem}", *cards})


def _count_dice(left: list[Slots]) -> int:
    """Return how many dice all that is left tells the outcome of; 0 if it tells of none."""
    if left and all(isinstance(each.option.action, a.RollDie) for each in left):
        return 1
    return max((len(each.digits) for each in left if not each.rune), default=0)


def _digits(left: list[Slots], runes: list[Slots]) -> dict[str, Option]:
    dice = [each for each in left if each.digits and not each.rune]
    return {each.digits: each.option for each in dice or runes if each.digits}


def _next(left: list[Slots], taken: frozenset[str]) -> Iterator[str]:
    """What fills a place that is not filled yet, or tells some of what is left from the rest."""
    if not taken:
        firsts = (each.slots[0] for each in left if each.slots)
        yield from frozenset(chain.from_iterable(firsts))
        return
    unfilled = (slot for each in left for slot in each.slots if not slot & taken)
    every = [each.things for each in left]
    shared = frozenset.intersection(*every) if every else frozenset()
    telling = chain.from_iterable(things - shared for things in every)
    yield from frozenset(chain(chain.from_iterable(unfilled), telling)) - taken
