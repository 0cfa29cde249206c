"""What a card does, in a line for people who choose between cards."""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from msgspec.structs import fields

from domain.games.golem_arcana.content.cards import (
    AncientCard,
    ConstructCard,
    GolemCard,
    KnightCard,
    RelicCard,
)
from domain.games.golem_arcana.content.vocabulary import (
    Ability,
    AncientPower,
    AnyEffect,
    Attack,
    Fly,
    Miracle,
    Passive,
    Power,
    Push,
    Status,
    Walk,
)


def golem_words(card: GolemCard) -> str:
    """A Golem: its figures, abilities and passives."""
    figures = f"{card.hp} HP, armor {card.armor}, dodge {card.dodge}"
    return _line([figures, *map(ability_words, card.ability), *map(passive_words, card.passive)])


def knight_words(card: KnightCard) -> str:
    """What a Knight adds to its Golem."""
    return _line([*map(ability_words, card.ability), *map(passive_words, card.passive)])


def relic_words(card: RelicCard) -> str:
    """What a Relic can do, and how often."""
    words = [ability_words(card.ability)]
    if card.charges is not None:
        words.append(f"{card.charges} charge{'s' * (card.charges > 1)}")
    if card.arcana:
        words.append(f"carried by {' and '.join(card.arcana)}")
    construct = [construct_words(card.construct)] if card.construct else []
    return _line([*words, *construct, *map(passive_words, card.passive)])


def construct_words(card: ConstructCard) -> str:
    """A Construct as it is placed."""
    auras = [f"{each.affects} Golems there {each.stat} {each.amount:+d}" for each in card.aura]
    figures = [f"{card.hp} HP", f"armor {card.armor}", f"dodge {card.dodge}"]
    return f"{card.name}: {', '.join((*figures, *auras))}"


def ancient_words(card: AncientCard) -> str:
    """The powers of an Ancient One."""
    return _line(map(power_words, card.power))


def ability_words(ability: Ability) -> str:
    """An ability with its price and figures.

    >>> ability_words(Walk(id="walk", name="Walk", ap=1, mp=3, nimble=True))
    'Walk (1 AP): walk 3 MP, nimble'
    """
    match ability:
        case Walk() | Fly():
            kind = "walk" if isinstance(ability, Walk) else "fly"
            does = [f"{kind} {ability.mp} MP", *(["nimble"] if ability.nimble else [])]
        case Attack():
            does = [*_attack(ability), *_effects(ability.effects)]
        case Power():
            reach = [] if ability.range is None else [f"range {ability.range}"]
            sight = ["in line of sight"] if ability.los else []
            does = [f"on {ability.target}", *reach, *sight, *_effects(ability.effects)]
        case unreachable:
            assert_never(unreachable)
    return f"{ability.name} ({_price(ability)}): {', '.join(does)}"


def _attack(attack: Attack) -> Iterator[str]:
    yield f"{attack.mode}{' area' if attack.area else ''}"
    if attack.range is not None:
        yield f"range {attack.range}"
    yield f"accuracy {attack.accuracy}"
    yield f"damage {attack.damage}"
    if attack.critical is not None:
        yield f"critical x{attack.critical}"
    if attack.pierce:
        yield f"ignores {attack.pierce} armor"


def _price(ability: Ability) -> str:
    paid = [f"{ability.ap} AP"] if ability.ap else []
    if isinstance(ability, Power):
        paid += [f"{ability.mana} Mana"] if ability.mana else []
        paid += [f"{ability.hp} HP"] if ability.hp else []
    return ", ".join(paid) or "free"


def _effects(effects: Iterable[AnyEffect]) -> Iterator[str]:
    """Effects by their word in the content, with the figures that differ from what is usual."""
    for effect in effects:
        words = [str(effect.__struct_config__.tag)]
        for field in fields(effect):
            value = getattr(effect, field.name)
            if value != field.default and field.name not in _SAID_OTHERWISE:
                signed = isinstance(effect, Status) and field.name == "amount"
                words.append(f"{value:+d}" if signed else str(value))
        if isinstance(effect, Status):
            words.append(f"round{'s' * (effect.rounds > 1)}")
        if effect.to != "target":
            words.append(f"on {effect.to}")
        if effect.only:
            words.append("enemies only")
        if isinstance(effect, Push) and effect.spares:
            words.append(f"except {' and '.join(effect.spares)}")
        yield " ".join(words)


_SAID_OTHERWISE: Final = ("to", "only", "spares")


def passive_words(passive: Passive) -> str:
    """A passive: what it changes, and when."""
    what = passive.stat or passive.kind
    amount = f" {passive.amount:+d}" if passive.amount else ""
    whose = f" for {passive.affects}" if passive.affects != "self" else ""
    when = "" if passive.when == "always" else f" when {passive.when}"
    return f"{passive.name}: {what}{amount}{whose}{when}"


def power_words(power: AncientPower) -> str:
    """A power of an Ancient One: its kind, its price, what it does."""
    kind = str(power.__struct_config__.tag)
    if isinstance(power, Miracle):
        does = [f"{power.group} Golems", *_effects(power.effects)]
        return f"{power.name} ({kind}, {power.mana} Mana): {', '.join(does)}"
    changes = ", ".join(f"{each.stat} {each.amount:+d}" for each in power.modifiers)
    return f"{power.name} ({kind}, {power.mana} Mana, {power.move} to move): {changes}"


def _line(parts: Iterable[str]) -> str:
    return "; ".join(parts)
