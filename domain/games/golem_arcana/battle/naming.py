"""Finding what an action names, or saying why it cannot be found ("Naming things")."""

from domain.games.golem_arcana.actions import Use, UseRelic
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import Ability, Attack, Fly, Power, Walk
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import on_board
from domain.kernel.rulings import Refused


def printed(battle: Battle, name: str) -> str:
    """What cards call an ability, power or Ancient One of this id; the id if none does."""
    pack = battle.pack
    found = (
        *pack.ancients.values(),
        *(power for card in pack.ancients.values() for power in card.power),
        *(ability for card in pack.golems.values() for ability in card.ability),
        *(ability for card in pack.knights.values() for ability in card.ability),
        *(card.ability for card in pack.relics.values()),
    )
    return next((each.name for each in found if each.id == name), name)


def find_golem(battle: Battle, seat: Seat, name: str) -> Refused | None:
    """Why a seat cannot act with a Golem of this name."""
    if name not in battle.state.golems:
        return Refused("ga.golem.unknown", f"there is no Golem {name}")
    if name[0] != seat[0]:
        why = f"{battle.named(name)} is none of {ENGLISH.format(f'seat.{seat}')}'s Golems"
        return Refused("ga.golem.not-yours", why)
    return None


def find_golem_on_board(battle: Battle, seat: Seat, name: str) -> Refused | None:
    """Why a seat cannot act on the board with a Golem of this name."""
    refusal = find_golem(battle, seat, name)
    if refusal is None and not on_board(battle.golem(name).where):
        why = f"{battle.named(name)} is not on the board: it must enter first"
        return Refused("ga.golem.off-board", why)
    return refusal


def find_ability(battle: Battle, name: str, ability: str) -> Ability | Refused:
    """An ability of a Golem or its Knight."""
    abilities = battle.abilities(name)
    found = abilities.get(ability)
    if found is not None:
        return found
    has = ", ".join(each.name for each in abilities.values())
    why = f"{battle.named(name)} has no ability {printed(battle, ability)}, but {has}"
    return Refused("ga.ability.unknown", why)


def find_movement(battle: Battle, name: str, ability: str) -> Walk | Fly | Refused:
    """A movement ability of a Golem."""
    found = find_ability(battle, name, ability)
    if isinstance(found, Walk | Fly | Refused):
        return found
    return _other_class(found, "a movement ability")


def find_attack(battle: Battle, name: str, ability: str) -> Attack | Refused:
    """An attack of a Golem."""
    found = find_ability(battle, name, ability)
    if isinstance(found, Attack | Refused):
        return found
    return _other_class(found, "an attack")


def find_power(battle: Battle, name: str, ability: str) -> Power | Refused:
    """A power of a Golem's Knight."""
    found = find_ability(battle, name, ability)
    if isinstance(found, Power | Refused):
        return found
    return _other_class(found, "a power of a Knight")


def find_relic(battle: Battle, name: str, ability: str) -> Power | Refused:
    """The ability of a Golem's Relic."""
    relic = battle.relic(name)
    if relic is not None and relic.ability.id == ability:
        return relic.ability
    has = f"its {relic.name} has {relic.ability.name}" if relic else "it carries no Relic"
    wanted = printed(battle, ability)
    why = f"{battle.named(name)} has no Relic with the ability {wanted}: {has}"
    return Refused("ga.ability.unknown", why)


def power_of(battle: Battle, action: Use | UseRelic) -> Power:
    """The power of a Knight or Relic that is used, in an action that may be taken."""
    if isinstance(action, UseRelic):
        relic = battle.relic(action.golem)
        assert relic is not None, "only Relics that are there are used"
        return relic.ability
    power = battle.abilities(action.golem)[action.ability]
    assert isinstance(power, Power), "only powers are used"
    return power


def _other_class(ability: Ability, wanted: str) -> Refused:
    kinds = {Walk: "movement", Fly: "movement", Attack: "attack", Power: "power"}
    why = f"{ability.name} is no use here: it is of the class {kinds[type(ability)]}, not {wanted}"
    return Refused("ga.ability.class", why)
