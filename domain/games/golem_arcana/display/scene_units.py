"""Golems and Constructs as they stand: what they are, how they are, what is on them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.games.golem_arcana.battle.battle import Battle, named
from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.content.card_faces import (
    construct_face,
    golem_face,
    price,
    printed_pips,
    unit_lines,
)
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import Ability, Power
from domain.games.golem_arcana.display.effect_words import stat_words
from domain.games.golem_arcana.display.names import (
    ability_line,
    relic_line,
    seat_name,
    source_name,
    terrain_name,
    unit_name,
    unit_piece,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import (
    OFF,
    UNPLACED,
    Advance,
    Choice,
    Displace,
    Heat,
    Meet,
    Roll,
    StatusEffect,
    Step,
    on_board,
    seat_of,
)
from domain.kernel.scene import CardFace, Counter, LineState, Piece
from domain.kernel.scene import State as PieceState

_say: Final = ENGLISH.format
_MARKED: Final[tuple[PieceState, ...]] = ("marked",)
MAX_RANK: Final = 6
MAX_PIPS: Final = 9
_ON: Final = ("pinned", "uncovered", "disarmed")
"""Statuses that are on or off."""


def units(battle: Battle) -> Iterator[Piece]:
    """Golems, wherever they are, and Constructs, in id order."""
    asked = asked_about(battle)
    for name in battle.golems:
        yield _golem(battle, name, _MARKED if name in asked else ())
    for unit in battle.constructs:
        yield _construct(battle, unit, _MARKED if unit in asked else ())


def asked_about(battle: Battle) -> tuple[str, ...]:
    """The units that the open question is about."""
    item = battle.state.todo[0] if battle.state.todo else None
    match item:
        case Roll(attacker=golem, target=target):
            return golem, target
        case Displace(golem=golem) | Advance(golem=golem) | Step(golem=golem) | Meet(golem=golem):
            return (golem,)
        case Choice(golem=golem):
            return (golem,)
        case _:
            return ()


@lru_cache(maxsize=1024)
def unit_face(pack: Pack, golem: str, knight: str | None, relic: str | None) -> CardFace:
    """A Golem with its Knight and Relic; its abilities are cards of their own."""
    card = pack.golems[golem]
    carried = (
        pack.knights[knight] if knight is not None else None,
        pack.relics[relic] if relic is not None else None,
    )
    return golem_face(card, pack.tables.base_size[card.size], unit_lines(card, *carried))


class _Effect(Struct, frozen=True):
    """A status effect with its names."""

    stat: str
    amount: int
    left: int
    source: str
    seat: str


def _golem(battle: Battle, name: str, states: tuple[PieceState, ...]) -> Piece:
    golem = battle.golem(name)
    terrain = battle.terrain(golem.where) if on_board(golem.where) else None
    effects = tuple([_effect(battle, each) for each in golem.statuses])
    carried = (golem.type, golem.knight, golem.relic, golem.charges)
    heat = tuple(sorted(golem.heat.items())) if golem.heat else ()
    lines = _lines(battle.pack, golem.type, golem.knight, golem.relic, heat)
    piece = unit_piece(battle, name)
    return _standing(
        battle.pack, piece, name, carried, golem.hp, golem.where, terrain, effects, lines, states
    )


@lru_cache(maxsize=4096)
def _lines(
    pack: Pack, card: str, knight: str | None, relic: str | None, heat: tuple[tuple[str, Heat], ...]
) -> tuple[LineState, ...]:
    """Return the lines of a Golem that cool, and all those of its Knight and its Relic."""
    hot, found = dict(heat), []
    for ability in pack.abilities(card, knight).values():
        line = ability_line(pack, card, knight, ability.id)
        if ability.id in hot and hot[ability.id].pips:
            found.append(_hot_line(line, ability, hot[ability.id]))
        elif line != ability.id:
            found.append(LineState(line))
    if relic is not None:
        found.append(LineState(relic_line(relic, pack.relics[relic].ability.id)))
    return tuple(found)


def _hot_line(line: str, ability: Ability, heat: Heat) -> LineState:
    mana, hp = (ability.mana, ability.hp) if isinstance(ability, Power) else (0, 0)
    cost = price(ability.ap << heat.doublings, mana, hp) if heat.doublings else None
    return LineState(
        line, cost, min(heat.pips, MAX_PIPS), min(max(heat.pips, printed_pips(ability)), MAX_PIPS)
    )


def _effect(battle: Battle, status: StatusEffect) -> _Effect:
    source, seat = source_name(battle, status.source), seat_name(status.seat)
    return _Effect(status.stat, status.amount, status.left, source, seat)


@lru_cache(maxsize=4096)
def _standing(
    pack: Pack,
    piece: str,
    name: str,
    carried: tuple[str, str | None, str | None, int | None],
    hp: int,
    where: str,
    terrain: Terrain | None,
    effects: tuple[_Effect, ...],
    lines: tuple[LineState, ...],
    states: tuple[PieceState, ...],
) -> Piece:
    """A Golem as it stands. An event changes one or two of them: the others are made already."""
    golem, knight, relic, charges = carried
    card, seat = pack.golems[golem], seat_of(name)
    attributes = {
        "size": card.size,
        "hit points": f"{hp} of {card.hp}",
        "armor": str(card.armor),
        "dodge": str(card.dodge),
    }
    told = []
    if knight is not None:
        attributes["knight"] = pack.knights[knight].name
        told.append(_say("scene.knight", knight=attributes["knight"]))
    if relic is not None:
        called = pack.relics[relic].name
        attributes["relic"] = called if charges is None else f"{called}, {charges} charges"
        key = "scene.relic" if charges is None else "scene.relic-charges"
        told.append(_say(key, relic=called, n=charges))
    for each in effects:
        key = _say("scene.status", stat=each.stat, source=each.source, seat=each.seat)
        amount = f"{each.amount:+d}, {each.left} Upkeeps left"
        # Two cards may have abilities of one name.
        attributes[key] = f"{attributes[key]}; {amount}" if key in attributes else amount
        told.append(_effect_words(each))
    unit = named(name, card.name)
    place = _say("scene.where", region=where, terrain=terrain_name(terrain)) if terrain else ""
    words = _say(
        "scene.unit", unit=unit, size=_say(f"size.{card.size}"),
        where=place or _say(_WORDS[where]), left=hp, most=card.hp, armor=card.armor,
        dodge=card.dodge,
    )  # fmt: skip
    if told:
        words = _say("scene.unit-with", unit=words, what=_say("semicolon").join(told))
    counters = (
        Counter("hp", hp, card.hp, "bar"),
        *_effect_counters(effects),
        *_cooling(sum(line.pips > 0 for line in lines)),
        *_charges(pack, relic, charges),
    )
    return Piece(
        piece, card.size, name, where if terrain else f"{_ZONES[where]}-{seat}", seat, unit,
        attributes, words, states, badges=_badges(effects),
        card=unit_face(pack, golem, knight, relic), face=f"golem.{golem}",
        rank=min(pack.tables.base_size[card.size], MAX_RANK), counters=counters, lines=lines,
    )  # fmt: skip


def _effect_counters(effects: tuple[_Effect, ...]) -> Iterator[Counter]:
    """Return what all status effects on a Golem come to, with where they come from."""
    by_stat: dict[str, list[_Effect]] = {}
    for each in effects:
        by_stat.setdefault(each.stat, []).append(each)
    for stat, alike in by_stat.items():
        if amount := sum(each.amount for each in alike):
            note = _say("semicolon").join(map(_effect_words, alike))
            yield Counter(stat, amount, style="badge", note=note)


def _cooling(abilities: int) -> Iterator[Counter]:
    if abilities:
        yield Counter("pip", abilities, style="pips", note=_say("counter.cooling", n=abilities))


def _charges(pack: Pack, relic: str | None, left: int | None) -> Iterator[Counter]:
    if relic is not None and left is not None:
        called = pack.relics[relic].name
        most = max(pack.relics[relic].charges or 0, left)
        note = _say("scene.relic-charges", relic=called, n=left)
        yield Counter("charge", left, most, "pips", note=note)


_ZONES: Final = {OFF: "reserve", UNPLACED: "muster"}
_WORDS: Final = {OFF: "info.reserve", UNPLACED: "info.undeployed"}


def _effect_words(effect: _Effect) -> str:
    stat = stat_words(effect.stat, effect.amount)
    told = _say("scene.status", stat=stat, source=effect.source, seat=effect.seat)
    return _say("scene.status-left", status=told, n=effect.left)


def _badges(effects: tuple[_Effect, ...]) -> tuple[str, ...]:
    """What all status effects on a Golem come to, by what they change."""
    sums: dict[str, int] = {}
    for each in effects:
        sums[each.stat] = sums.get(each.stat, 0) + each.amount
    return tuple(_badge(stat, amount) for stat, amount in sums.items() if amount)


def _badge(stat: str, amount: int) -> str:
    key = "on" if stat in _ON else "dot" if stat == "dot" else "stat"
    return _say(f"scene.badge.{key}", icon=stat, n=amount)


def _construct(battle: Battle, unit: str, states: tuple[PieceState, ...]) -> Piece:
    construct, card = battle.state.constructs[unit], battle.construct_card(unit)
    attributes = {"hit points": f"{construct.hp} of {card.hp}", "armor": str(card.armor)}
    attributes |= {"dodge": str(card.dodge)}
    name = unit_name(battle, unit)
    told = _say(
        "scene.construct", unit=name, region=construct.where, left=construct.hp, most=card.hp,
        armor=card.armor, dodge=card.dodge,
    )  # fmt: skip
    return Piece(
        unit_piece(battle, unit), "construct", unit, construct.where, seat_of(unit), name,
        attributes, told, states, card=_construct_face(battle.pack, construct.relic),
        face=f"construct.{construct.relic}",
        counters=(Counter("hp", construct.hp, card.hp, "bar"),),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _construct_face(pack: Pack, relic: str) -> CardFace:
    card = pack.relics[relic].construct
    assert card is not None, "only such Relics are placed"
    return construct_face(card)
