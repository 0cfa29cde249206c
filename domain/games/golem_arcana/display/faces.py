"""The faces of all content of a pack: what is printed on cards and units, by the keys of pieces."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, assert_never

from domain.games.golem_arcana.content.card_faces import (
    ability_face,
    construct_face,
    golem_face,
    passive_line,
    power_face,
    power_kind,
    printed_pips,
    relic_face,
)
from domain.games.golem_arcana.content.card_words import printed_words
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import (
    Ability,
    AncientPower,
    Attack,
    Fly,
    Passive,
    Power,
    Walk,
)
from domain.games.golem_arcana.display.names import ability_verb
from domain.games.golem_arcana.display.scene_goals import encounter_face, quest_face
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.theme import ART
from domain.kernel.language import capitalized
from domain.kernel.scene import CardFace
from domain.kernel.table_theme import CardLine, Face, FaceStat

_say: Final = ENGLISH.format
_STATS: Final = {
    _say(f"card.stat.{name}"): symbol
    for name, symbol in {
        "hp": "hp", "armor": "armor", "dodge": "dodge", "base": "base", "charges": "charge",
    }.items()
}  # fmt: skip
"""Symbols of figures, by their names."""


@lru_cache(maxsize=16)
def faces(pack: Pack) -> Mapping[str, Face]:
    """Return the faces of all content of a pack."""
    return dict(_all(pack))


def _all(pack: Pack) -> Iterator[tuple[str, Face]]:
    for golem in pack.golems.values():
        printed = golem_face(golem, pack.tables.base_size[golem.size], ())
        lines = (*map(ability_line, golem.ability), *_passives(golem.passive))
        yield f"golem.{golem.id}", _face(printed, golem.size, _figure(golem.id, golem.size), lines)
    for knight in pack.knights.values():
        lines = (*map(ability_line, knight.ability), *_passives(knight.passive))
        printed = CardFace(knight.name, _say("card.knight-kind"))
        yield f"knight.{knight.id}", _face(printed, "knight", _picture(knight.id, "knight"), lines)
    for relic in pack.relics.values():
        figure = relic.id if relic.id in ART.figures else _picture(relic.id, "relic")
        printed, own = relic_face(relic), len(ability_face(relic.ability).lines)
        lines = (ability_line(relic.ability, "relic"), *_texts(printed.lines[own:]))
        yield f"relic.{relic.id}", _face(printed, "relic", figure, lines)
        if relic.construct is not None:
            printed = construct_face(relic.construct)
            figure = _figure(relic.id, "construct")
            face = _face(printed, "construct", figure, _texts(printed.lines))
            yield f"construct.{relic.id}", face
    for ancient in pack.ancients.values():
        for power in ancient.power:
            yield f"power.{ancient.id}.{power.id}", _power(power)
    for scenario in pack.scenarios.values():
        for number, quest in enumerate(scenario.quests, 1):
            yield f"quest.{scenario.id}.{number}", _plain(quest_face(quest), "quest")
        for encounter in scenario.encounters:
            face = _plain(encounter_face(encounter), "encounter")
            yield f"encounter.{scenario.id}.{encounter.id}", face


def _figure(name: str, kind: str) -> str:
    return name if name in ART.figures else kind


def _picture(name: str, kind: str) -> str:
    return ART.cards.get(name, ART.cards[kind])


def _face(printed: CardFace, frame: str, art: str, lines: Iterable[CardLine]) -> Face:
    stats = tuple(FaceStat(_STATS[stat.name], stat.name, stat.value) for stat in printed.stats
                  if stat.name in _STATS)  # fmt: skip
    return Face(
        printed.title, printed.kind, frame, art, printed.cost, printed.points, stats, tuple(lines)
    )


def _plain(printed: CardFace, kind: str) -> Face:
    return _face(printed, kind, _picture("", kind), _texts(printed.lines))


def _power(power: AncientPower) -> Face:
    printed, kind = power_face(power), power_kind(power)
    line = CardLine(
        power.id, capitalized("; ".join(printed.lines)), "invoke", power.name,
        f"{{{kind}}} {power.name}", printed.cost,
    )  # fmt: skip
    return _face(printed, kind, _picture(power.id, kind), (line,))


def _texts(lines: Iterable[str]) -> Iterator[CardLine]:
    for number, text in enumerate(lines, 1):
        yield CardLine(f"text-{number}", capitalized(text))


def _passives(passives: Iterable[Passive]) -> Iterator[CardLine]:
    return _texts(map(passive_line, passives))


def ability_line(ability: Ability, verb: str = "") -> CardLine:
    """Return an ability as a line of its card."""
    printed = ability_face(ability)
    verb = verb or ability_verb(ability)
    return CardLine(
        ability.id, capitalized(printed_words(printed)), verb, ability.name,
        _in_symbols(ability, verb), printed.cost, 0 if verb == "relic" else printed_pips(ability),
    )  # fmt: skip


def _in_symbols(ability: Ability, verb: str) -> str:
    match ability:
        case Walk():
            return _say("line.walk", mp=ability.mp)
        case Fly():
            return _say("line.fly", mp=ability.mp)
        case Attack(range=None):
            return _say("line.melee", accuracy=ability.accuracy, n=ability.damage)
        case Attack():
            return _say(
                "line.ranged", range=ability.range, accuracy=ability.accuracy, n=ability.damage
            )
        case Power():
            return _say("line.relic" if verb == "relic" else "line.power", power=ability.name)
        case unreachable:
            assert_never(unreachable)
