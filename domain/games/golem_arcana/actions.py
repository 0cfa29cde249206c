"""What a seat may ask for. Fields are words as they were written: judging them is `decide`'s."""

from typing import Annotated

from msgspec import Meta, Struct

Word = Annotated[str, Meta(pattern="^[a-z0-9-]+$", max_length=40)]
Entry = Annotated[str, Meta(pattern="^([a-z0-9-]+|[?])$", max_length=40)]
"""A word, or `?` where it is hidden from who reads it."""


class Move(Struct, frozen=True, tag="golem-arcana.move"):
    """Move a Golem by a movement ability to a Region."""

    golem: Word
    ability: Word
    region: Word


class Attack(Struct, frozen=True, tag="golem-arcana.attack"):
    """Attack a unit, or with an area attack a Region."""

    golem: Word
    ability: Word
    target: Word


class Charge(Struct, frozen=True, tag="golem-arcana.charge"):
    """Charge a unit in another Region: a melee attack and a movement ability."""

    golem: Word
    attack: Word
    movement: Word
    target: Word


class Use(Struct, frozen=True, omit_defaults=True, tag="golem-arcana.use"):
    """Use a Knight's power."""

    golem: Word
    ability: Word
    target: Word | None = None


class UseRelic(Struct, frozen=True, omit_defaults=True, tag="golem-arcana.relic"):
    """Use the ability of a Golem's Relic."""

    golem: Word
    ability: Word
    target: Word | None = None


class Invoke(Struct, frozen=True, omit_defaults=True, tag="golem-arcana.invoke"):
    """Call upon a power of an Ancient One."""

    ancient: Word
    power: Word
    region: Word | None = None


class Enter(Struct, frozen=True, tag="golem-arcana.enter"):
    """Bring a Golem in from the reserve."""

    golem: Word
    region: Word


class EndTurn(Struct, frozen=True, tag="golem-arcana.end"):
    """End the Turn."""


class RollDice(Struct, frozen=True, tag="golem-arcana.dice"):
    """Enter percentile dice, as `07`."""

    roll: Entry


class ChooseRegion(Struct, frozen=True, tag="golem-arcana.displace"):
    """Say where a displaced Golem goes."""

    region: Word


class RollDie(Struct, frozen=True, tag="golem-arcana.die"):
    """Enter the die for a random displacement."""

    roll: Entry


class TakeStep(Struct, frozen=True, tag="golem-arcana.step"):
    """Take a free step."""

    region: Word


class Stay(Struct, frozen=True, tag="golem-arcana.stay"):
    """Take no free step."""


class Choose(Struct, frozen=True, tag="golem-arcana.choose"):
    """Make a choice of an encounter, by its number from 1."""

    number: Entry


class Deploy(Struct, frozen=True, tag="golem-arcana.deploy"):
    """Place a Golem before the battle."""

    golem: Word
    region: Word


class Hold(Struct, frozen=True, tag="golem-arcana.hold"):
    """Keep a Golem in reserve."""

    golem: Word


class EnterQuest(Struct, frozen=True, tag="golem-arcana.quest"):
    """Enter which secret quest was dealt, by its number from 1."""

    number: Entry


class EnterHiding(Struct, frozen=True, tag="golem-arcana.hide"):
    """Enter in which of its candidate Regions an encounter lies, by number from 1."""

    number: Entry


Action = (
    Move
    | Attack
    | Charge
    | Use
    | UseRelic
    | Invoke
    | Enter
    | EndTurn
    | RollDice
    | ChooseRegion
    | RollDie
    | TakeStep
    | Stay
    | Choose
    | Deploy
    | Hold
    | EnterQuest
    | EnterHiding
)
