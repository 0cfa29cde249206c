"""A happening with all that its sentences need: names, rulings by fact, the states between."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.battle import Battle, named
from domain.games.golem_arcana.display.names import unit_name
from domain.games.golem_arcana.evolve import evolve
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.state import State, StatusEffect
from domain.kernel.game import ResolvedAction
from domain.kernel.rulings import Figures, Ruling

_SECRET: Final = (f.EncounterHidden, f.QuestDealt, f.EncounterTriggered, f.QuestFulfilled)
"""Facts about what may be hidden. Nothing that is told is read from where they lead: a viewer's
state lacks what they are about."""


_UNIT: Final = re.compile("<([snew][0-9]+k?)>")


class Story:
    """What one action did, from the state before it. All of it is as the viewer may know it."""

    def __init__(self, before: State, happening: ResolvedAction[Action, Fact]) -> None:
        self.battle: Final = Battle(before)
        self.action: Final = happening.action
        self.seat: Final = happening.seat
        self.facts: Final = happening.facts
        self.rulings: Final = happening.rulings
        self._constructs: Final = {
            fact.construct: fact.relic for fact in self.facts if isinstance(fact, f.ConstructPlaced)
        }

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The state before each fact, and that after the last."""
        found = [self.battle.state]
        for fact in self.facts:
            here = found[-1]
            found.append(here if isinstance(fact, _SECRET) else evolve(here, fact))
        return tuple(found)

    @cached_property
    def _by_fact(self) -> Mapping[int, list[Ruling]]:
        found: dict[int, list[Ruling]] = {}
        for ruling in self.rulings:
            if ruling.fact is not None:
                found.setdefault(ruling.fact, []).append(ruling)
        return found

    def cited(self, number: int, rule: str) -> Figures | None:
        """The figures of the ruling that cites a rule for a fact; None if none does."""
        for ruling in self._by_fact.get(number, ()):
            if rule in ruling.rules:
                return ruling.figures
        return None

    def rules(self, number: int) -> Iterator[tuple[str, Figures]]:
        """The rules that are cited for a fact, each with its figures."""
        for ruling in self._by_fact.get(number, ()):
            for rule in ruling.rules:
                yield rule, ruling.figures

    def unit(self, unit: str) -> str:
        """Stands for a unit in what is told, until `in_full` or `once_in_full` names it."""
        return f"<{unit}>"

    def in_full(self, told: str) -> str:
        """What is told, with every unit by its name."""
        return _UNIT.sub(lambda found: self._named(found[1]), told)

    def once_in_full(self, told: str) -> str:
        """The same, but a unit that was named before goes by its id, save at the beginning of a
        sentence."""
        named: set[str] = set()

        def name(found: re.Match[str]) -> str:
            unit, at = found[1], found.start()
            if unit in named and at and told[at - 2 : at] != ". ":
                return unit
            named.add(unit)
            return self._named(unit)

        return _UNIT.sub(name, told)

    def _named(self, unit: str) -> str:
        """A unit by its name, whether it stood before, or is placed now."""
        relic = self._constructs.get(unit)
        if relic is None or unit in self.battle.state.constructs:
            return unit_name(self.battle, unit)
        card = self.battle.pack.relics[relic].construct
        assert card is not None, "only such Relics are placed"
        return named(unit, card.name)

    def hit_points(self, number: int, unit: str) -> tuple[int, int]:
        """What a unit has after a fact, and what is printed on its card."""
        state = self.states[number + 1]
        construct = state.constructs.get(unit)
        if construct is None:
            golem = state.golems[unit]
            return golem.hp, self.battle.pack.golems[golem.type].hp
        card = self.battle.pack.relics[construct.relic].construct
        assert card is not None, "only such Relics are placed"
        return construct.hp, card.hp

    def worn_off(self, number: int) -> Iterator[tuple[str, StatusEffect]]:
        """The status effects that end by a fact, each with its Golem."""
        before, after = self.states[number], self.states[number + 1]
        for name in Battle(before).golems:
            golem = after.golems.get(name)
            left = () if golem is None else golem.statuses
            still = {(each.source, each.stat, each.seat) for each in left}
            for status in before.golems[name].statuses:
                if golem and (status.source, status.stat, status.seat) not in still:
                    yield name, status
