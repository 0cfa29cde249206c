"""The figures of rulings and refusals as people say them."""

import re
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle, named
from domain.games.golem_arcana.content.cards import SEATS
from domain.games.golem_arcana.content.vocabulary import SIZES
from domain.games.golem_arcana.display.effect_words import stat_words
from domain.games.golem_arcana.display.names import seat_name, source_name, unit_name
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import State
from domain.kernel.figures import Value, format_figures
from domain.kernel.rulings import Figures

_SHARE: Final = re.compile("(accuracy|dodge|damage|armor) from (.+)")
_COVER: Final = re.compile("([a-z][0-9]+) (.+)")
_VP: Final = re.compile("vp_([a-z]+)")
_UNIT: Final = re.compile("[snew][0-9]+k?")
_OF_UNIT: Final = re.compile(f"(.+) of ({_UNIT.pattern})")
_CONSTRUCT: Final = re.compile(f".+ ({_UNIT.pattern})")

_TAKEN_OFF: Final = {"dodge", "cover", "between", "engaged", "pit", "armor"}
"""Figures that are taken off, and stored as what they add."""

_OTHER_NAMES: Final = {
    "attacker": {"attacker": "attacker_size", "target": "target_size"},
    "printed": {"amount": "heal"},
    "taken": {"amount": "drain"},
    "capacity": {"taken": "occupied"},
    "side": {"capacity": "well"},
    "to": {"between": "line"},
    "cost": {"mana": "mana_left", "hit_points": "hp_left"},
    "mana": {"cost": "mana_cost"},
    "hit_points": {"cost": "price"},
    "stat": {"rounds": "for_rounds"},
}
"""Figures that mean something else where the first one is there."""


def figures_in_words(before: State, figures: Figures, after: State) -> tuple[str, ...]:
    """Units, seats and sources of effects by name, and figures with what went into them."""
    # Who is destroyed stood before, and what is placed is told by its Relic.
    del after
    battle = Battle(before)
    told = _renamed(figures)
    if "stat" in told:
        told["status"] = stat_words(str(told.pop("stat")), int(told.pop("amount", 0)))
    if "heal" in told:
        told["printed_hp"] = told.pop("printed")
    if int(told.get("chance", 1)) <= 0:
        told["chance"] = "doubles"
    told = {
        name: abs(value) if name in _TAKEN_OFF and isinstance(value, int) else value
        for name, value in told.items()
    }
    _put_parts_together(battle, told)
    return format_figures(ENGLISH, told, lambda name, value: _in_words(battle, name, value))


def _renamed(figures: Figures) -> Figures:
    if figures.keys() == {"cost"}:
        # What has no other figure is paid in Mana.
        return {"mana_cost": figures["cost"]}
    names = {name: name for name in figures}
    for beside, others in _OTHER_NAMES.items():
        if beside in figures:
            names |= {name: other for name, other in others.items() if name in names}
    return {names[name]: value for name, value in figures.items()}


def _put_parts_together(battle: Battle, told: Figures) -> None:
    """Figures whose names say what they come from become one with what they are part of."""
    shares: dict[str, list[str]] = {}
    for name in sorted(told):
        value = told[name]
        if found := _SHARE.fullmatch(name):
            what, source = found.groups()
            share = ENGLISH.format("figure.one-share", source=_source(battle, source), n=value)
        elif found := _VP.fullmatch(name):
            what, share = "score", ENGLISH.format("score-of", seat=seat_name(found[1]), n=value)
        elif found := _COVER.fullmatch(name):
            what, why = "covers", _cover(battle, found[2])
            share = ENGLISH.format("figure.one-cover", why=why, region=found[1], n=value)
        else:
            continue
        del told[name]
        shares.setdefault(what, []).append(share)
    for what, parts in shares.items():
        listed = ENGLISH.join_and(parts)
        # The damage is the printed one, the others are sums.
        key = "figure.more" if what == "damage" else "figure.with"
        told[what] = ENGLISH.format(key, n=told[what], shares=listed) if what in told else listed


def _cover(battle: Battle, why: str) -> str:
    what, _, size = why.rpartition(", ")
    if size in SIZES:
        return ENGLISH.format("figure.sized", what=what, sizes=ENGLISH.format(f"sizes.{size}"))
    return _source(battle, why)


def _in_words(battle: Battle, name: str, value: Value) -> Value:
    if isinstance(value, int):
        return value
    match name:
        case "unit" | "target" | "golem" | "source":
            return _source(battle, value)
        case "golems" | "left" | "line" | "path":
            return ENGLISH.join_and([_word(battle, each) for each in value.split(", ")])
        case "possible":
            return ENGLISH.join_or(value.split(", "))
        case "size":
            return ENGLISH.format(f"size.{value}")
        case _:
            return _word(battle, value)


def _word(battle: Battle, value: str) -> str:
    if value in SEATS:
        return seat_name(value)
    return _unit(battle, value) if value in battle.state.golems else value


def _source(battle: Battle, source: str) -> str:
    """What hurts, helps or is meant, as rulings name it: a unit, an ability, a passive, terrain."""
    if _UNIT.fullmatch(source):
        return _unit(battle, source)
    if found := _OF_UNIT.fullmatch(source):
        return ENGLISH.format("passive-of", passive=found[1], unit=_unit(battle, found[2]))
    if found := _CONSTRUCT.fullmatch(source):
        return _unit(battle, found[1])
    if f"source.{source}" in ENGLISH.templates:
        return ENGLISH.format(f"source.{source}")
    met = any(each.id == source for each in battle.scenario.encounters)
    return source_name(battle, source) if met or "." in source else source


def _unit(battle: Battle, unit: str) -> str:
    """A unit by its name; a Construct that is gone by the Relic of its Golem."""
    golem = battle.state.golems.get(unit.removesuffix("k"))
    if unit.endswith("k") and unit not in battle.state.constructs and golem and golem.relic:
        card = battle.pack.relics[golem.relic].construct
        return named(unit, card.name) if card else unit_name(battle, unit)
    return unit_name(battle, unit)
