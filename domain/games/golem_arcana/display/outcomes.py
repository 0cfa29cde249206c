"""What came of an action: the clauses after its headline, the weightiest if there are many."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.battle.surprises import encounter_of
from domain.games.golem_arcana.display.attack_words import Strike
from domain.games.golem_arcana.display.clauses import all_gained, cause, worn_off
from domain.games.golem_arcana.display.effect_words import status_words
from domain.games.golem_arcana.display.headlines import Headline
from domain.games.golem_arcana.display.names import ability_name, seat_name
from domain.games.golem_arcana.display.story import Story
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import StatusEffect


class Clause:
    """Part of a sentence. Heavier ones stay where there is no room for all."""

    def __init__(
        self,
        weight: int,
        told: str,
        *,
        gainer: str = "",
        moved: str = "",
        status: StatusEffect | None = None,
    ) -> None:
        self.weight: Final = weight
        self.told = told
        self.gainer: Final = gainer
        """Set, `told` is what this seat gains, and more of it may be added."""
        self.moved: Final = moved
        """Set, it tells where this Golem came to."""
        self.status: Final = status
        """Set, it tells who has this status effect."""
        self.golems: Final[list[str]] = []
        """The names of these Golems."""

    def __str__(self) -> str:
        if self.gainer:
            return ENGLISH.format("gains", seat=seat_name(self.gainer), list=self.told)
        return self.told


class Telling:
    """Goes through the facts that the headline has left, and gathers clauses."""

    def __init__(self, story: Story, head: Headline) -> None:
        self.clauses: Final[list[Clause]] = []
        self.upkeep: Final[list[Clause]] = []
        """What came of the next seat's Upkeep."""
        self._story: Final = story
        self._head: Final = head
        self._taken: Final = {*head.facts}
        self._into = self.clauses
        self._go_through()

    def _go_through(self) -> None:
        for strike in self._head.strikes:
            self._strike(strike)
        for number, fact in enumerate(self._story.facts):
            tell = _TOLD.get(type(fact))
            if tell is not None and number not in self._taken:
                self._taken.add(number)
                tell(self, number, fact)

    def _say(self, weight: int, key: str, /, **values: object) -> None:
        self._into.append(Clause(weight, ENGLISH.format(key, **values)))

    def _gains(self, seat: str, key: str, /, **values: object) -> None:
        told = ENGLISH.format(key, **values)
        last = self._into[-1] if self._into else None
        if last is not None and last.gainer == seat:
            last.told = ENGLISH.format("comma").join((last.told, told))
        else:
            self._into.append(Clause(4, told, gainer=seat))

    # --- harm ------------------------------------------------------------------------------------

    def _strike(self, strike: Strike) -> None:
        number = self._harm(strike.target)
        if self._head.area:
            self._one_of_many(strike, number)
        elif strike.damage:
            unit = self._story.unit(strike.target)
            if self._falls(number, strike.target):
                result = ENGLISH.format("destroyed", unit=unit)
            else:
                left, most = self._story.hit_points(number, strike.target)
                result = ENGLISH.format("hp", unit=unit, left=left, most=most)
            self._say(6, "damage-result", damage=strike.damage, result=result)
            self._spoils(number + 2)

    def _one_of_many(self, strike: Strike, number: int) -> None:
        """What an area attack did to one of its targets."""
        values = {"unit": self._story.unit(strike.target), "wanted": strike.wanted}
        verdict = ENGLISH.format(f"many.{strike.verdict}")
        if not strike.damage:
            self._say(4, "of-many", **values, verdict=verdict)
            return
        if self._falls(number, strike.target):
            result = ENGLISH.format("gone")
        else:
            left, most = self._story.hit_points(number, strike.target)
            result = ENGLISH.format("left", left=left, most=most)
        self._say(5, "of-many-hit", **values, verdict=verdict, result=result)
        self._spoils(number + 2)

    def _harm(self, unit: str) -> int:
        """The fact that tells what a blow cost a unit; -1 if it cost nothing."""
        for number, fact in enumerate(self._story.facts):
            hurts = isinstance(fact, f.DamageTaken) and fact.unit == unit
            if hurts and number not in self._taken and not cause(self._story, number):
                self._taken.add(number)
                return number
        return -1

    def _falls(self, number: int, unit: str) -> bool:
        """Is a unit destroyed by the fact that tells what it lost?"""
        facts = self._story.facts
        after = number + 1
        if number < 0 or after == len(facts) or facts[after] != f.UnitDestroyed(unit):
            return False
        self._taken.add(after)
        return True

    def _spoils(self, number: int) -> None:
        """The Mana that the destroyed release, and the points for it: the facts from here on."""
        story, gains = self._story, list[str]()
        for at, fact in enumerate(story.facts[number : number + 2], number):
            match fact:
                case f.ManaChanged(seat, by) if story.cited(at, "ga.mana.destroyed") is not None:
                    gains.append(ENGLISH.format("gain.mana", n=by, seat=seat_name(seat)))
                case f.VpGained(seat, amount) if story.cited(at, "ga.vp.kill") is not None:
                    gains.append(ENGLISH.format("gain.vp", n=amount, seat=seat_name(seat)))
                case _:
                    break
            self._taken.add(at)
        if gains:
            self._into.append(Clause(4, ENGLISH.format("comma").join(gains)))

    def _hurt(self, number: int, fact: f.DamageTaken) -> None:
        source = cause(self._story, number)
        called = self._story.unit(fact.unit)
        if self._falls(number, fact.unit):
            self._say(5, "dies-of" if source else "destroyed", unit=called, source=source)
            self._spoils(number + 2)
            return
        left, most = self._story.hit_points(number, fact.unit)
        values = {"unit": called, "n": fact.amount, "left": left, "most": most}
        self._say(4, "loses-to" if source else "loses", **values, source=source)

    def _destroyed(self, number: int, fact: f.UnitDestroyed) -> None:
        self._say(5, "destroyed", unit=self._story.unit(fact.unit))
        self._spoils(number + 1)

    def _healed(self, number: int, fact: f.HitPointsRestored) -> None:
        left, most = self._story.hit_points(number, fact.golem)
        golem = self._story.unit(fact.golem)
        self._say(3, "healed", golem=golem, n=fact.amount, left=left, most=most)

    # --- effects ---------------------------------------------------------------------------------

    def _status(self, _: int, fact: f.StatusGained) -> None:
        golem, status = self._story.unit(fact.golem), fact.status
        same = next((each for each in self._into if each.status == status), None)
        if same is None:
            told = status_words(golem, status.stat, status.amount, status.left)
            same = Clause(3, told, status=status)
            self._into.append(same)
        elif golem not in same.golems:
            same.told = all_gained(status, [*same.golems, golem])
        same.golems.append(golem)

    def _faded(self, number: int, fact: f.StatusesFaded | f.TurnSkipped) -> None:
        if isinstance(fact, f.TurnSkipped):
            self._say(3, "skipped", seat=seat_name(fact.seat))
        over = {(name, each.source) for name, each in self._story.worn_off(number)}
        for name, source in sorted(over):
            self._into.append(Clause(2, worn_off(self._story, name, source)))

    def _cleansed(self, _: int, fact: f.StatusesCleansed) -> None:
        self._say(2, "cleansed", golem=self._story.unit(fact.golem))

    def _cooled(self, _: int, fact: f.CooldownLost) -> None:
        ability = ability_name(self._story.battle, fact.golem, fact.ability)
        self._say(1, "cooled", ability=ability, golem=self._story.unit(fact.golem), n=fact.pips)

    # --- points ----------------------------------------------------------------------------------

    def _ap(self, number: int, fact: f.ApChanged) -> None:
        if fact.by > 0 and self._story.cited(number, "ga.ap.pool") is None:
            self._gains(fact.seat, "gain.plain-ap", n=fact.by)

    def _mana(self, number: int, fact: f.ManaChanged) -> None:
        facts, seat = self._story.facts, seat_name(fact.seat)
        if self._story.cited(number, "ga.ap.leftover") is not None:
            self._say(1, "leftover", seat=seat, n=fact.by)
            return
        if fact.by > 0:
            self._gains(fact.seat, "gain.plain-mana", n=fact.by)
            return
        if self._story.cited(number, "ga.effect.drain") is None:
            self._say(3, "lost-mana", seat=seat, n=-fact.by)
            return
        taker = facts[number + 1]
        assert isinstance(taker, f.ManaChanged), "what is drained goes to somebody"
        self._taken.add(number + 1)
        self._say(3, "drained", seat=seat_name(taker.seat), n=-fact.by, victim=seat)

    def _vp(self, number: int, fact: f.VpGained) -> None:
        place = self._story.cited(number, "ga.vp.place")
        if place is None:
            self._gains(fact.seat, "gain.plain-vp", n=fact.amount)
        else:
            self._gains(fact.seat, "gain.place", n=fact.amount, place=place["place"])

    def _well(self, number: int, fact: f.WellHarvested) -> None:
        after = self._story.facts[number + 1 : number + 2]
        if after and isinstance(after[0], f.ManaChanged):
            self._taken.add(number + 1)
            self._gains(after[0].seat, "gain.well", n=after[0].by, region=fact.region)

    # --- places ----------------------------------------------------------------------------------

    def _moved(self, _: int, fact: f.GolemMoved) -> None:
        golem = self._story.unit(fact.golem)
        told = ENGLISH.format("advanced", golem=golem, region=fact.path[-1])
        for clause in self._into:
            if clause.moved == fact.golem:
                clause.told = told
                return
        self._into.append(Clause(4, told, moved=fact.golem))

    def _placed(self, _: int, fact: f.GolemDisplaced | f.GolemTeleported) -> None:
        key = "displaced" if isinstance(fact, f.GolemDisplaced) else "teleported"
        self._say(4, key, golem=self._story.unit(fact.golem), region=fact.region)

    def _raised(self, _: int, fact: f.ConstructPlaced) -> None:
        unit = self._story.unit(fact.construct)
        self._say(4, "raised", construct=unit, region=fact.region, n=fact.hp)

    # --- surprises, and the course of the battle -------------------------------------------------

    def _met(self, _: int, fact: f.EncounterTriggered) -> None:
        name = encounter_of(self._story.battle, fact.encounter).name
        self._say(5, "met", golem=self._story.unit(fact.golem), encounter=name, region=fact.region)

    def _hidden(self, _: int, fact: f.EncounterHidden) -> None:
        name = encounter_of(self._story.battle, fact.encounter).name
        self._say(2, "hidden-known", encounter=name, region=fact.region)

    def _fulfilled(self, number: int, fact: f.QuestFulfilled) -> None:
        quest = self._story.battle.scenario.quests[fact.number - 1]
        values = {"seat": seat_name(fact.seat), "quest": quest.name}
        if self._story.cited(number + 1, "ga.vp.quest") is None:
            self._say(5, "fulfilled-plain", **values)
        else:
            self._taken.add(number + 1)
            self._say(5, "fulfilled", **values, n=quest.vp)

    def _held(self, _: int, fact: f.GolemHeld) -> None:
        self._say(1, "held", golem=self._story.unit(fact.golem))

    def _turn(self, _: int, fact: f.TurnBegan) -> None:
        del fact
        self._into = self.upkeep


_TOLD: Final[dict[type, Callable[[Telling, int, Any], None]]] = {
    f.EncounterHidden: Telling._hidden,
    f.GolemHeld: Telling._held,
    f.TurnBegan: Telling._turn,
    f.TurnSkipped: Telling._faded,
    f.ApChanged: Telling._ap,
    f.ManaChanged: Telling._mana,
    f.VpGained: Telling._vp,
    f.WellHarvested: Telling._well,
    f.DamageTaken: Telling._hurt,
    f.HitPointsRestored: Telling._healed,
    f.UnitDestroyed: Telling._destroyed,
    f.CooldownLost: Telling._cooled,
    f.StatusGained: Telling._status,
    f.StatusesFaded: Telling._faded,
    f.StatusesCleansed: Telling._cleansed,
    f.GolemMoved: Telling._moved,
    f.GolemDisplaced: Telling._placed,
    f.GolemTeleported: Telling._placed,
    f.ConstructPlaced: Telling._raised,
    f.EncounterTriggered: Telling._met,
    f.QuestFulfilled: Telling._fulfilled,
}
"""The facts that an outcome tells; the others are told one by one only."""
