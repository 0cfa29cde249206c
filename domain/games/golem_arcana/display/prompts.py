"""The prompt of a scene: what is expected of whom, from the viewer's side, and why."""

from textwrap import shorten
from typing import Final, assert_never

from domain.games.golem_arcana.battle.attacks import aims, attack_of
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.deployment import unplaced
from domain.games.golem_arcana.battle.displacement import places, step_places
from domain.games.golem_arcana.battle.surprises import encounter_of
from domain.games.golem_arcana.battle.victory import reason
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.display.attack_words import aims_told, target_name
from domain.games.golem_arcana.display.clauses import ended
from domain.games.golem_arcana.display.names import (
    ability_name,
    listed,
    regions_name,
    seat_name,
    unit_name,
)
from domain.games.golem_arcana.display.tutoring import lesson
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.facts import GameEnded
from domain.games.golem_arcana.state import (
    Advance,
    Begin,
    Choice,
    DealQuest,
    DeployArmy,
    Displace,
    Hide,
    Item,
    Meet,
    Outcome,
    Roll,
    Step,
)
from domain.kernel.language import capitalized
from domain.kernel.scene import PromptText

_HEADING: Final = 40
_WHY: Final = 120
_say: Final = ENGLISH.format


def prompt_of(battle: Battle, viewer: str) -> PromptText:
    """Return what is expected now; in a tutorial with the lesson as the reason."""
    state = battle.state
    if state.outcome is not None:
        return _ended(battle, state.outcome)
    seat, step = acting(state) or "", lesson(battle)
    whose = _say("heading.your" if viewer == seat else "heading.whose", seat=seat_name(seat))
    if state.todo:
        found = _asked(battle, state.todo[0], capitalized(whose))
    else:
        ap = state.seats[state.turn].ap if state.turn else 0
        found = _prompt(_say("heading.turn", whose=whose, n=ap))
    return found if step is None else _prompt(found.heading, step.text, found.rule)


def _prompt(heading: str, why: str = "", rule: str = "") -> PromptText:
    """Return a prompt, with texts that are too long cut at a word."""
    heading, why = (
        shorten(text, width, placeholder="...")
        for text, width in ((heading, _HEADING), (capitalized(why), _WHY))
    )
    return PromptText(heading, why, rule)


def _ended(battle: Battle, outcome: Outcome) -> PromptText:
    key = "heading.won" if outcome.won else "heading.drawn"
    if outcome.won and len(outcome.leaders) > 1:
        key = "heading.won-together"
    leaders = ENGLISH.join_and([*map(seat_name, outcome.leaders)])
    why = ended(battle.state, GameEnded(outcome.leaders, outcome.won, reason(battle)))
    return _prompt(_say(key, leaders=leaders), why, "ga.end.winner")


def _asked(battle: Battle, item: Item, whose: str) -> PromptText:
    match item:
        case Hide():
            return _prompt(_say("heading.hide"), "", "ga.setup.order")
        case DealQuest():
            return _prompt(_say("heading.quest", whose=whose), "", "ga.setup.order")
        case DeployArmy(seat=seat):
            left, most = len(unplaced(battle, seat)), battle.scenario.reserve.max
            zone = regions_name(battle.scenario.zone.get(seat, ()))
            why = _say("why.deploy-reserve" if most else "why.deploy", zone=zone, n=most)
            return _prompt(_say("heading.deploy", whose=whose, n=left), why, "ga.deploy.zone")
        case Roll(attacker=golem, ability=ability, target=target):
            name = ability_name(battle, golem, ability)
            needed = aims_told(battle, attack_of(battle, item), aims(battle, item))
            at = target_name(battle, golem, ability, target)
            why = _say("why.dice", target=at, needed=needed)
            return _prompt(_say("heading.dice", whose=whose, ability=name), why, "ga.hit.roll")
        case Displace(golem=golem):
            key = "heading.die" if item.way == "random" else "heading.displace"
            regions = listed(places(battle, item))
            why = _say("why.displace", golem=unit_name(battle, golem), regions=regions)
            return _prompt(_say(key, whose=whose), why, "ga.displace.place")
        case Step(golem=golem):
            regions = listed(step_places(battle, item))
            why = _say("why.step", golem=unit_name(battle, golem), regions=regions)
            return _prompt(_say("heading.step", whose=whose), why, "ga.step.place")
        case Choice(golem=golem):
            name = encounter_of(battle, item.encounter).name
            why = _say("why.choose", golem=unit_name(battle, golem), encounter=name)
            return _prompt(_say("heading.choose", whose=whose), why, "ga.encounter.meet")
        case Begin() | Advance() | Meet():
            raise AssertionError("waits for nobody")
        case unreachable:
            assert_never(unreachable)
