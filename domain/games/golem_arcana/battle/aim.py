"""The figures of an attack: the chance to hit, the damage of a hit (Combat Resolution)."""

from typing import Final

from msgspec import Struct

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cover import (
    NO_COVER,
    CoverShare,
    cover_between,
    is_bare,
    own_cover,
)
from domain.games.golem_arcana.battle.modifiers import Fight, Share, is_on, shares, traits
from domain.games.golem_arcana.content.vocabulary import Attack
from domain.games.golem_arcana.state import seat_of

ENGAGED_PENALTY: Final = 20
PIT_PENALTY: Final = 30


class Aim(Struct, frozen=True):
    """An attack on one target, worked out before the dice. All but the damage in percent."""

    target: str
    accuracy: int
    accuracy_shares: tuple[Share, ...]
    dodge: int
    """Taken off, as all that follow."""
    dodge_shares: tuple[Share, ...]
    cover: int
    cover_shares: tuple[CoverShare, ...]
    between: int
    between_shares: tuple[CoverShare, ...]
    engaged: int
    pit: int
    printed: int
    """The attack's damage as it is printed."""
    damage: int
    """The same with modifiers, before armor."""
    damage_shares: tuple[Share, ...]
    armor: int
    armor_shares: tuple[Share, ...]
    taken_ranged: int
    times: int | None
    """How many times the damage a critical hit does; None for one and a half times."""
    gross: bool
    fated: bool

    @property
    def chance(self) -> int:
        """The chance to hit; it may be below 0 or above 100 (GA-R51)."""
        return self.accuracy - self.dodge - self.cover - self.between - self.engaged - self.pit

    @property
    def hit(self) -> int:
        """The Hit Points that a hit costs."""
        return max(self.damage - self.armor, 0) + self.taken_ranged

    @property
    def critical(self) -> int:
        """The Hit Points that a critical hit costs (GA-R54)."""
        if self.gross:
            return max(self._multiplied(self.damage) - self.armor, 0) + self.taken_ranged
        return self._multiplied(self.hit)

    def _multiplied(self, points: int) -> int:
        return points * 3 // 2 if self.times is None else points * self.times


def take_aim(battle: Battle, name: str, attack: Attack, target: str, *, charging: bool) -> Aim:
    """The figures of this attack on a unit, from where the attacker stands (GA-R28)."""
    golem = target if target in battle.state.golems else None
    fight = Fight(attack.mode, charging, golem)
    accuracy = shares(battle, name, "accuracy", fight)
    damage = shares(battle, name, "damage", fight)
    harm = max(attack.damage + sum(n for _, n in damage), 0)
    if attack.mode == "melee" and is_on(battle, name, "disarmed"):
        damage.append(("disarmed", -harm))
        harm = 0
    dodge, dodge_shares = _defence(battle, attack, target, "dodge")
    armor, armor_shares = _pierced(attack, *_defence(battle, attack, target, "armor"))
    cover, between = _cover(battle, name, attack, target)
    taken = shares(battle, target, "taken-ranged", Fight(attack.mode)) if golem else []
    ranged = attack.mode == "ranged"
    where = battle.golem(name).where
    return Aim(
        target=target,
        accuracy=max(attack.accuracy + sum(n for _, n in accuracy), 0),
        accuracy_shares=tuple(accuracy),
        dodge=dodge,
        dodge_shares=dodge_shares,
        cover=cover[0],
        cover_shares=cover[1],
        between=between[0],
        between_shares=between[1],
        engaged=ENGAGED_PENALTY if ranged and battle.enemies_at(seat_of(name), where) else 0,
        pit=PIT_PENALTY if ranged and battle.terrain(where).base == "pit" else 0,
        printed=attack.damage,
        damage=harm,
        damage_shares=tuple(damage),
        armor=armor,
        armor_shares=armor_shares,
        taken_ranged=max(sum(n for _, n in taken), 0) if ranged else 0,
        times=attack.critical,
        gross=battle.state.variants.critical == "gross",
        fated=golem is not None and bool(traits(battle, golem, "fated")),
    )


def _defence(
    battle: Battle, attack: Attack, target: str, stat: str
) -> tuple[int, tuple[Share, ...]]:
    """Dodge or armor of a unit with modifiers, at least 0. They see only the attack's mode."""
    if target in battle.state.constructs:
        construct = battle.construct_card(target)
        return (construct.dodge if stat == "dodge" else construct.armor), ()
    card = battle.card(target)
    fight = Fight(attack.mode)
    if stat == "dodge":
        found = shares(battle, target, "dodge", fight)
        return max(card.dodge + sum(n for _, n in found), 0), tuple(found)
    found = shares(battle, target, "armor", fight)
    return max(card.armor + sum(n for _, n in found), 0), tuple(found)


def _pierced(
    attack: Attack, armor: int, shares: tuple[Share, ...]
) -> tuple[int, tuple[Share, ...]]:
    """The armor that is left when an attack ignores some of it; never below 0."""
    ignored = min(attack.pierce, armor)
    if not ignored:
        return armor, shares
    return armor - ignored, (*shares, (f"{attack.name} ignores", -ignored))


def _cover(
    battle: Battle, name: str, attack: Attack, target: str
) -> tuple[tuple[int, tuple[CoverShare, ...]], tuple[int, tuple[CoverShare, ...]]]:
    """The cover of the target's own Region, and that of the Regions between."""
    if attack.area or is_bare(battle, target):
        return NO_COVER, NO_COVER
    if attack.mode == "ranged":
        return (
            own_cover(battle, target, attack.mode),
            cover_between(battle, battle.golem(name).where, target),
        )
    if battle.state.variants.melee_cover == "no":
        return NO_COVER, NO_COVER
    return own_cover(battle, target, attack.mode), NO_COVER
