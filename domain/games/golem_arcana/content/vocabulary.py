"""The words in which content speaks: abilities, effects, passives, powers.

A content pack is made of these and nothing else; an unknown word is an error when it is loaded.
Amounts are points: Action Points (`ap`), Movement Points (`mp`), Hit Points (`hp`), percentage
points of a chance (accuracy, dodge, cover), damage.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=40)]
Name = Annotated[str, Meta(min_length=1, max_length=80, pattern="^[ -~]+$")]
Natural = Annotated[int, Meta(ge=0, le=9999)]
Positive = Annotated[int, Meta(ge=1, le=9999)]
Amount = Annotated[int, Meta(ge=-9999, le=9999)]

Size = Literal["warsprite", "ogre", "titan", "colossus"]
SIZES: Final[tuple[Size, ...]] = ("warsprite", "ogre", "titan", "colossus")
"""From the smallest to the largest."""

Stat = Literal[
    "dodge", "armor", "accuracy", "damage", "mp", "cover", "taken-ranged",
    "pinned", "uncovered", "disarmed", "dot",
]  # fmt: skip
"""What a modifier changes. The last four are on while their sum is above 0; `dot` is damage."""

When = Literal[
    "always", "no-cover", "open", "in-ground", "in-medium", "elevated", "water", "engaged",
    "wounded", "vs-melee", "vs-ranged", "charging", "target-larger", "target-smaller",
]  # fmt: skip
"""When a passive is in effect."""

Mode = Literal["melee", "ranged"]
Way = Literal["choose", "defender", "random", "away", "toward"]
"""Who chooses where a displaced Golem goes, or which Regions it may go to."""


class Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op"):
    """What an ability does besides its damage. `op` in the content names the kind."""

    to: Literal["target", "self", "target-group", "own-group"] = "target"
    """`self` and `own-group` are the acting Golem, and it with its allies in its Region."""
    only: Literal["enemy"] | None = None
    """Set, it spares the acting seat's own Golems."""

    @property
    def inward(self) -> bool:
        """Is it for the acting Golem's own side? Then it happens once, whatever was hit."""
        return self.to in ("self", "own-group")


class Status(Effect, frozen=True, kw_only=True, tag="status"):
    """A status effect for so many Rounds."""

    stat: Stat
    amount: Amount
    rounds: Positive


class Heal(Effect, frozen=True, kw_only=True, tag="heal"):
    """Gives Hit Points back, up to the printed ones."""

    amount: Positive


class Hurt(Effect, frozen=True, kw_only=True, tag="damage"):
    """Does damage that armor does not help against."""

    amount: Positive


class Push(Effect, frozen=True, kw_only=True, tag="displace"):
    """Displaces the target."""

    kind: Way
    distance: Positive = 1
    spares: tuple[Size, ...] = field(name="except", default=())


class FreeStep(Effect, frozen=True, kw_only=True, tag="step"):
    """Lets the attacker step."""


class Teleport(Effect, frozen=True, kw_only=True, tag="teleport"):
    """Moves the Golem to the target Region."""


class Raise(Effect, frozen=True, kw_only=True, tag="construct"):
    """Places the Relic's Construct in the target Region."""


class Cool(Effect, frozen=True, kw_only=True, tag="cool"):
    """Takes pips of Cooldown off each ability of a class."""

    amount: Positive
    ability_class: Literal["movement", "attack", "all"] = field(name="class")
    """`attack` is all that is not movement."""


class Cleanse(Effect, frozen=True, kw_only=True, tag="cleanse"):
    """Ends every status effect that another seat caused."""


class DrainMana(Effect, frozen=True, kw_only=True, tag="drain-mana"):
    """Takes up to so much Mana from an enemy seat."""

    amount: Positive


class GainMana(Effect, frozen=True, kw_only=True, tag="gain-mana"):
    """Mana for the acting seat."""

    amount: Positive


class GainAp(Effect, frozen=True, kw_only=True, tag="gain-ap"):
    """Action Points for the acting seat."""

    amount: Positive


class GainVp(Effect, frozen=True, kw_only=True, tag="gain-vp"):
    """Victory Points for the acting seat."""

    amount: Positive


AnyEffect = (
    Status
    | Heal
    | Hurt
    | Push
    | FreeStep
    | Teleport
    | Raise
    | Cool
    | Cleanse
    | DrainMana
    | GainMana
    | GainAp
    | GainVp
)


class Passive(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something always in effect: a modifier (`stat`) or a trait (`kind`), never both."""

    name: Name
    stat: Stat | None = None
    kind: Literal["aura", "landing", "fated"] | None = None
    amount: Amount = 0
    when: When = "always"
    affects: Literal["self", "allies"] = "self"
    """`allies` are the other Golems of its side in its Region; a modifier alone can help them."""


class _Ability(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="class"):
    id: Id
    name: Name


class Walk(_Ability, frozen=True, kw_only=True, tag="walk"):
    """Movement on the ground. `nimble` goes diagonally too."""

    ap: Natural
    mp: Natural
    nimble: bool = False


class Fly(_Ability, frozen=True, kw_only=True, tag="fly"):
    """Movement in the air."""

    ap: Natural
    mp: Natural
    nimble: bool = False


class Attack(_Ability, frozen=True, kw_only=True, tag="attack"):
    """An attack: accuracy in percent, damage in Hit Points, range in Regions (ranged only)."""

    mode: Mode
    ap: Natural
    accuracy: Natural
    damage: Natural
    range: Positive | None = None
    area: bool = False
    critical: Annotated[int, Meta(ge=2, le=9)] | None = None
    """How many times the damage a critical hit does; one and a half times if not given."""
    pierce: Natural = 0
    """How much of the target's armor it ignores."""
    effects: tuple[AnyEffect, ...] = ()


class Power(_Ability, frozen=True, kw_only=True, tag="power"):
    """What a Knight or a Relic can do, for any of three prices."""

    target: Literal["self", "ally", "enemy", "region"]
    effects: tuple[AnyEffect, ...]
    ap: Natural = 0
    mana: Natural = 0
    hp: Natural = 0
    range: Natural | None = None
    los: bool = False


Movement = Walk | Fly
Ability = Walk | Fly | Attack | Power


class Modifier(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a Blessing or Curse changes."""

    stat: Stat
    amount: Amount


class Aura(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a Construct changes for the Golems of one side in its Region."""

    affects: Literal["own", "enemy"]
    stat: Stat
    amount: Amount


class Miracle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind",
              tag="miracle"):  # fmt: skip
    """A spell on a group of Golems."""

    id: Id
    name: Name
    mana: Natural
    group: Literal["own", "enemy"]
    effects: tuple[AnyEffect, ...]
    sizes: tuple[Size, ...] = SIZES


class Blessing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind",
               tag="blessing"):  # fmt: skip
    """A boon for one's own Golems in a Region. `mana` places it, `move` moves it."""

    id: Id
    name: Name
    mana: Natural
    move: Natural
    modifiers: tuple[Modifier, ...]


class Curse(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind",
            tag="curse"):  # fmt: skip
    """An ill for enemy Golems in a Region. `mana` places it, `move` moves it."""

    id: Id
    name: Name
    mana: Natural
    move: Natural
    modifiers: tuple[Modifier, ...]


AncientPower = Miracle | Blessing | Curse
