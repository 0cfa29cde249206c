"""What is printed on cards, as faces: a title, a price, figures, a line for each thing it does.

Texts may name icons in braces; `card_words` has the same as plain text. The faces of a pack never
change, so whoever shows many of them keeps them.
"""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from domain.games.golem_arcana.content.cards import (
    AncientCard,
    ConstructCard,
    GolemCard,
    KnightCard,
    RelicCard,
)
from domain.games.golem_arcana.content.vocabulary import (
    SIZES,
    Ability,
    AncientPower,
    AnyEffect,
    Attack,
    Cleanse,
    Cool,
    DrainMana,
    Fly,
    FreeStep,
    GainAp,
    GainMana,
    GainVp,
    Heal,
    Hurt,
    Miracle,
    Passive,
    Power,
    Push,
    Raise,
    Size,
    Status,
    Teleport,
    Walk,
)
from domain.games.golem_arcana.display.effect_words import stat_words
from domain.games.golem_arcana.english import ENGLISH
from domain.kernel.scene import CardFace
from domain.kernel.scene import Stat as Figure

_say = ENGLISH.format
_GAINS: Final = (GainMana, GainAp, GainVp)


def figure(name: str, value: object) -> Figure:
    """A figure on a card, by its word in the table."""
    return Figure(_say(f"card.stat.{name}"), str(value))


def arcanum_name(arcanum: str) -> str:
    """An arcanum as people write it; content has no name for it but its id.

    >>> arcanum_name("zikia")
    'Zikia'
    """
    return arcanum.replace("-", " ").title()


def price(ap: int = 0, mana: int = 0, hp: int = 0) -> str:
    """What something costs, with icons; "free" for nothing."""
    costs = {"card.price.ap": ap, "card.price.mana": mana, "card.price.hp": hp}
    paid = [_say(key, n=n) for key, n in costs.items() if n]
    return _say("comma").join(paid) or _say("card.free")


# --- abilities -----------------------------------------------------------------------------------


def ability_face(ability: Ability) -> CardFace:
    """An ability of a Golem, a Knight or a Relic, with its printed price."""
    match ability:
        case Walk() | Fly():
            kind = _say("card.walk" if isinstance(ability, Walk) else "card.fly")
            kind = _say("card.nimble", kind=kind) if ability.nimble else kind
            lines: list[str] = []
            cost, stats = price(ability.ap), [figure("mp", ability.mp)]
        case Attack():
            kind = _say(f"card.{ability.mode}{'-area' if ability.area else ''}")
            lines = [*_on_hit(ability), *effect_lines(ability.effects)]
            cost, stats = price(ability.ap), [*_attack_figures(ability)]
        case Power():
            kind, stats = _say("card.power"), []
            effects = _say("semicolon").join(effect_lines(ability.effects))
            lines = [_say("card.does", whom=_whom(ability), effects=effects)]
            cost = price(ability.ap, ability.mana, ability.hp)
        case unreachable:
            assert_never(unreachable)
    return CardFace(ability.name, kind, cost, tuple(stats), tuple(lines))


def printed_pips(ability: Ability) -> int:
    """Return the pips that a first use of an ability brings (GA-R4)."""
    if not ability.ap:
        return 0
    return 2 if isinstance(ability, Attack) else 1


def _attack_figures(attack: Attack) -> Iterator[Figure]:
    yield figure("accuracy", attack.accuracy)
    yield figure("damage", attack.damage)
    if attack.range is not None:
        yield figure("range", attack.range)


def _on_hit(attack: Attack) -> Iterator[str]:
    if attack.critical is not None:
        yield _say("card.critical", n=attack.critical)
    if attack.pierce:
        yield _say("card.pierce", n=attack.pierce)


def _whom(power: Power) -> str:
    whom = _say(f"card.on.{power.target}")
    if power.range is not None:
        whom = _say("card.range" if power.range else "card.range-here", whom=whom, n=power.range)
    return _say("card.sight", whom=whom) if power.los else whom


# --- effects and passives ------------------------------------------------------------------------


def sizes_name(sizes: Iterable[Size]) -> str:
    """Golems of some sizes: "Warsprites and Ogres"."""
    return ENGLISH.join_and([_say(f"sizes.{size}") for size in sizes])


def effect_lines(effects: Iterable[AnyEffect]) -> Iterator[str]:
    """What effects do, one by one."""
    for effect in effects:
        told = _effect(effect)
        if isinstance(effect, Push) and effect.spares:
            told = _say("card.effect.spares", effect=told, sizes=sizes_name(effect.spares))
        # Whom it is for is plain where it is the seat that gains something.
        told = told if isinstance(effect, _GAINS) else _say(f"card.to.{effect.to}", effect=told)
        yield _say("card.only-enemy", effect=told) if effect.only else told


def _effect(effect: AnyEffect) -> str:
    match effect:
        case Status(stat=stat, amount=amount, rounds=rounds):
            return _say("card.effect.status", stat=stat_words(stat, amount), rounds=rounds)
        case Push(kind=kind, distance=distance):
            return _say(f"card.effect.displace.{kind}", n=distance)
        case Cool(ability_class=group, amount=amount):
            return _say(f"card.effect.cool.{group}", n=amount)
        case FreeStep() | Teleport() | Raise() | Cleanse():
            return _say(f"card.effect.{_op(effect)}")
        case (
            Heal(amount=amount) | Hurt(amount=amount) | DrainMana(amount=amount)
            | GainMana(amount=amount) | GainAp(amount=amount) | GainVp(amount=amount)
        ):  # fmt: skip
            return _say(f"card.effect.{_op(effect)}", n=amount)
        case unreachable:
            assert_never(unreachable)


def _op(effect: AnyEffect) -> str:
    return str(effect.__struct_config__.tag)


def passive_line(passive: Passive) -> str:
    """A passive: what it changes, for whom, and when."""
    if passive.stat is not None:
        what = stat_words(passive.stat, passive.amount)
    else:
        what = _say(f"card.passive.{passive.kind}", n=passive.amount)
    if passive.affects == "allies":
        what = _say("card.passive.allies", what=what)
    if passive.when != "always":
        when = _say(f"card.when.{passive.when}")
        what = _say("card.passive.when", what=what, when=when)
    return _say("card.passive", name=passive.name, what=what)


# --- whole cards ---------------------------------------------------------------------------------


def golem_face(card: GolemCard, base_size: int, lines: Iterable[str]) -> CardFace:
    """A Golem with its figures, and lines of what it does."""
    size = _say(f"size.{card.size}")
    stats = (
        figure("hp", card.hp), figure("armor", card.armor), figure("dodge", card.dodge),
        figure("base", base_size),
    )  # fmt: skip
    kind = _say("card.golem", size=size, arcanum=arcanum_name(card.arcanum))
    return CardFace(card.name, kind, "", stats, tuple(lines))


def unit_lines(card: GolemCard, knight: KnightCard | None, relic: RelicCard | None) -> list[str]:
    """What is always in effect for a Golem with a Knight and a Relic, and who its Knight is."""
    lines = [passive_line(each) for each in card.passive]
    if knight is not None:
        lines.append(_say("card.knight", knight=knight.name))
    for carried in (knight, relic):
        for each in carried.passive if carried else ():
            card_name = carried.name if carried else ""
            lines.append(_say("card.carried", passive=passive_line(each), card=card_name))
    return lines


def relic_face(card: RelicCard) -> CardFace:
    """A Relic with its ability, and the Construct that it places."""
    ability = ability_face(card.ability)
    lines = [*ability.lines]
    if card.construct is not None:
        lines += construct_lines(card.construct)
    if card.arcana:
        names = [arcanum_name(arcanum) for arcanum in card.arcana]
        lines.append(_say("card.carriers", arcana=ENGLISH.join_and(names)))
    lines += [passive_line(each) for each in card.passive]
    title = _say("card.relic-title", relic=card.name, ability=card.ability.name)
    stats = [figure("base", card.size)]
    if card.charges is not None:
        stats.append(figure("charges", card.charges))
    return CardFace(title, _say("card.relic-kind"), ability.cost, tuple(stats), tuple(lines))


def construct_face(card: ConstructCard) -> CardFace:
    """A Construct as it stands on the board."""
    stats = (figure("hp", card.hp), figure("armor", card.armor), figure("dodge", card.dodge))
    return CardFace(card.name, _say("size.construct"), "", stats, tuple(_auras(card)))


def construct_lines(card: ConstructCard) -> list[str]:
    """The same in lines of its Relic's card."""
    values = {"name": card.name, "hp": card.hp, "armor": card.armor, "dodge": card.dodge}
    return [_say("card.construct", **values), *_auras(card)]


def _auras(card: ConstructCard) -> Iterator[str]:
    for each in card.aura:
        yield _say(f"card.aura.{each.affects}", stat=stat_words(each.stat, each.amount))


def power_kind(power: AncientPower) -> str:
    """`miracle`, `blessing` or `curse`."""
    return str(power.__struct_config__.tag)


def power_face(power: AncientPower) -> CardFace:
    """A power of an Ancient One, with both its prices where it has two."""
    kind = power_kind(power)
    if isinstance(power, Miracle):
        cost = price(mana=power.mana)
        group = _say(f"card.group.{power.group}")
        if power.sizes != SIZES:
            group = _say("card.group-sized", group=group, sizes=sizes_name(power.sizes))
        effects = _say("semicolon").join(effect_lines(power.effects))
        lines = (_say("card.group-has", group=group, effects=effects),)
    else:
        cost = _say("card.lay", mana=power.mana, move=power.move)
        stats = ENGLISH.join_and([stat_words(each.stat, each.amount) for each in power.modifiers])
        lines = (_say(f"card.laid.{kind}", stats=stats),)
    return CardFace(power.name, _say(f"card.{kind}"), cost, (), lines)


def ancient_faces(card: AncientCard) -> tuple[CardFace, ...]:
    """The powers of an Ancient One."""
    return tuple(map(power_face, card.power))
