"""Golems and Constructs as they stand: what they are, how they are, what is on them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.content.card_faces import (
    construct_face,
    golem_face,
    unit_lines,
)
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.display.effect_words import stat_words
from domain.games.golem_arcana.display.names import (
    seat_name,
    source_name,
    terrain_name,
    unit_name,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import (
    OFF,
    UNPLACED,
    Advance,
    Choice,
    Displace,
    Golem,
    Meet,
    Roll,
    StatusEffect,
    Step,
    on_board,
    seat_of,
)
from domain.kernel.scene import Face, Piece
from domain.kernel.scene import State as PieceState

_say: Final = ENGLISH.say
_MARKED: Final[tuple[PieceState, ...]] = ("marked",)
_ON: Final = ("pinned", "uncovered", "disarmed")
"""Statuses that are on or off."""


def units(battle: Battle) -> Iterator[Piece]:
    """Golems, wherever they are, and Constructs, in id order."""
    asked = _asked_about(battle)
    for name in battle.golems:
        yield _golem(battle, name, _MARKED if name in asked else ())
    for unit in battle.constructs:
        yield _construct(battle, unit, _MARKED if unit in asked else ())


def _asked_about(battle: Battle) -> tuple[str, ...]:
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
def unit_face(pack: Pack, golem: str, knight: str | None, relic: str | None) -> Face:
    """A Golem with its Knight and Relic; its abilities are cards of their own."""
    card = pack.golems[golem]
    carried = (
        pack.knights[knight] if knight is not None else None,
        pack.relics[relic] if relic is not None else None,
    )
    return golem_face(card, pack.tables.base_size[card.size], unit_lines(card, *carried))


def _golem(battle: Battle, name: str, states: tuple[PieceState, ...]) -> Piece:
    golem, card = battle.golem(name), battle.card(name)
    seat = seat_of(name)
    attributes = {
        "size": card.size,
        "hit points": f"{golem.hp} of {card.hp}",
        "armor": str(card.armor),
        "dodge": str(card.dodge),
    }
    with_it = _carried(battle, name, golem, attributes)
    for status in golem.statuses:
        told = status_name(battle, status)
        key = _say(
            "scene.status", stat=status.stat, source=source_name(battle, status.source),
            seat=seat_name(status.seat),
        )  # fmt: skip
        amount = f"{status.amount:+d}, {status.left} Upkeeps left"
        # Two cards may have abilities of one name.
        attributes[key] = f"{attributes[key]}; {amount}" if key in attributes else amount
        with_it.append(_say("scene.status-left", status=told, n=status.left))
    place = golem.where if on_board(golem.where) else f"{_ZONES[golem.where]}-{seat}"
    return Piece(
        name, card.size, name, place, seat, unit_name(battle, name), attributes,
        _described(battle, name, golem, with_it), states, badges=_badges(golem.statuses),
        face=unit_face(battle.pack, golem.type, golem.knight, golem.relic),
    )  # fmt: skip


_ZONES: Final = {OFF: "reserve", UNPLACED: "muster"}
_WORDS: Final = {OFF: "info.reserve", UNPLACED: "info.undeployed"}


def _carried(battle: Battle, name: str, golem: Golem, attributes: dict[str, str]) -> list[str]:
    """Its Knight and its Relic in words, and among its attributes."""
    told = []
    knight, relic = battle.knight(name), battle.relic(name)
    if knight is not None:
        attributes["knight"] = knight.name
        told.append(_say("scene.knight", knight=knight.name))
    if relic is not None:
        left = golem.charges
        attributes["relic"] = relic.name if left is None else f"{relic.name}, {left} charges"
        key = "scene.relic" if left is None else "scene.relic-charges"
        told.append(_say(key, relic=relic.name, n=left))
    return told


def _described(battle: Battle, name: str, golem: Golem, with_it: list[str]) -> str:
    card = battle.card(name)
    where = golem.where
    place = _place(where, battle.terrain(where)) if on_board(where) else _say(_WORDS[where])
    told = _say(
        "scene.unit", unit=unit_name(battle, name), size=_say(f"size.{card.size}"), where=place,
        left=golem.hp, most=card.hp, armor=card.armor, dodge=card.dodge,
    )  # fmt: skip
    if not with_it:
        return told
    return _say("scene.unit-with", unit=told, what=_say("semicolon").join(with_it))


@lru_cache(maxsize=2048)
def _place(where: str, terrain: Terrain) -> str:
    return _say("scene.where", region=where, terrain=terrain_name(terrain))


def status_name(battle: Battle, status: StatusEffect) -> str:
    """A status effect: "dodge -15 by Hamstring of South"."""
    return _say(
        "scene.status",
        stat=stat_words(status.stat, status.amount),
        source=source_name(battle, status.source),
        seat=seat_name(status.seat),
    )


def _badges(statuses: tuple[StatusEffect, ...]) -> tuple[str, ...]:
    """What all status effects on a Golem come to, by what they change."""
    if not statuses:
        return ()
    sums: dict[str, int] = {}
    for status in statuses:
        sums[status.stat] = sums.get(status.stat, 0) + status.amount
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
        unit, "construct", unit, construct.where, seat_of(unit), name, attributes, told, states,
        face=_construct_face(battle.pack, construct.relic),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _construct_face(pack: Pack, relic: str) -> Face:
    card = pack.relics[relic].construct
    assert card is not None, "only such Relics are placed"
    return construct_face(card)
