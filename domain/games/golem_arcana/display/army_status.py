"""Army status: everything a viewer may know of each side, as the Control Card tells it."""

from collections.abc import Iterator
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost, heat_of
from domain.games.golem_arcana.battle.deployment import mustered
from domain.games.golem_arcana.battle.sides import partner_of
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import Ability, Power
from domain.games.golem_arcana.display.effect_words import quest_goal, stat_words
from domain.games.golem_arcana.display.names import (
    ability_card,
    relic_card,
    seat_name,
    source_name,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import OFF, UNPLACED, Golem, State, StatusEffect
from domain.kernel.armies import SideStatus, StatusRow, UnitStatus
from domain.kernel.game import REFEREE
from domain.kernel.scene import Track

_OFF_BOARD: Final = {OFF: "army.reserve", UNPLACED: "army.undeployed"}


def status(state: State, viewer: str, options: Options) -> tuple[SideStatus, ...]:
    """Every side in Turn order, as a seat, `spectator` or `referee` may see it.

    `options` say which Golems there were at first: those that are missing are losses.
    """
    battle = Battle(state)
    began = mustered(options)
    return tuple(_side(battle, seat, viewer, began) for seat in battle.seats)


def _side(battle: Battle, seat: Seat, viewer: str, began: dict[str, Golem]) -> SideStatus:
    state, purse = battle.state, battle.state.seats[seat]
    return SideStatus(
        seat=seat,
        tracks=(
            _purse(seat, "ap", purse.ap),
            _purse(seat, "mana", purse.mana),
            _purse(seat, "vp", purse.vp, battle.scenario.vp_target),
        ),
        units=(
            *(_golem(battle, name) for name in battle.golems if name[0] == seat[0]),
            *(_construct(battle, unit) for unit in battle.constructs if unit[0] == seat[0]),
        ),
        losses=tuple(
            _lost(battle.pack, name, golem)
            for name, golem in began.items()
            if name[0] == seat[0] and name not in state.golems
        ),
        rows=(
            *_standing(battle, seat),
            *(
                StatusRow("ancient", name, battle.pack.ancients[name].name)
                for name in purse.ancients
            ),
            *_quest(battle, seat, viewer),
        ),
    )


def _standing(battle: Battle, seat: Seat) -> Iterator[StatusRow]:
    """Who fights beside the seat, and whether it is still in the battle."""
    partner = partner_of(battle.state.variants.teams).get(seat)
    if partner is not None:
        yield StatusRow("partner", partner, seat_name(partner))
    if battle.is_out(seat):
        yield StatusRow("out", "", ENGLISH.format("army.out"))


def _purse(seat: Seat, what: str, amount: int, most: int | None = None) -> Track:
    name = ENGLISH.format(f"scene.{what}-label")
    return Track(what, name, amount, seat, most, icon=what, label=name)


def _hit_points(unit: str, left: int, most: int) -> Track:
    label = ENGLISH.format("scene.hp-label")
    return Track(f"hp-{unit}", ENGLISH.format("army.hp"), left, most=most, icon="hp", label=label)


def _where(golem: Golem) -> str:
    key = _OFF_BOARD.get(golem.where)
    return golem.where if key is None else ENGLISH.format(key)


def _golem(battle: Battle, name: str) -> UnitStatus:
    golem, card = battle.golem(name), battle.card(name)
    knight, relic = battle.knight(name), battle.relic(name)
    rows = [ability_row(battle, name, each) for each in battle.abilities(name).values()]
    if knight is not None:
        rows.append(StatusRow("knight", knight.id, knight.name))
    if relic is not None:
        left = {**charges(battle, name), **_prices(relic.ability)}
        rows.append(StatusRow("relic", relic_card(name), relic.name, left))
    rows += (_effect(battle, each) for each in golem.statuses)
    return UnitStatus(
        id=name,
        kind="golem",
        name=card.name,
        where=_where(golem),
        tracks=(_hit_points(name, golem.hp, card.hp),),
        rows=tuple(rows),
        attributes={
            "size": ENGLISH.format(f"size.{card.size}"),
            "armor": str(card.armor),
            "dodge": str(card.dodge),
        },
    )


def charges(battle: Battle, name: str) -> dict[str, str]:
    """What is left of the charges of a Golem's Relic, if it has any."""
    left = battle.golem(name).charges
    return {} if left is None else {"charges": str(left)}


def ability_row(battle: Battle, name: str, ability: Ability) -> StatusRow:
    """An ability with what it costs now, and its pips of Cooldown."""
    figures = {"AP": str(cost(battle, name, ability))}
    if isinstance(ability, Power):
        figures |= _prices(ability)
    figures["pips"] = str(heat_of(battle, name, ability.id).pips)
    return StatusRow("ability", ability_card(name, ability.id), ability.name, figures)


def _prices(power: Power) -> dict[str, str]:
    """What a power costs besides Action Points."""
    prices = {"Mana": power.mana, "HP": power.hp}
    return {what: str(amount) for what, amount in prices.items() if amount}


def _effect(battle: Battle, effect: StatusEffect) -> StatusRow:
    figures = {
        "by": seat_name(effect.seat),
        "source": source_name(battle, effect.source),
        "Upkeeps left": str(effect.left),
    }
    return StatusRow("effect", effect.source, stat_words(effect.stat, effect.amount), figures)


def _construct(battle: Battle, unit: str) -> UnitStatus:
    construct, card = battle.state.constructs[unit], battle.construct_card(unit)
    return UnitStatus(
        id=unit,
        kind="construct",
        name=card.name,
        where=construct.where,
        tracks=(_hit_points(unit, construct.hp, card.hp),),
        attributes={"armor": str(card.armor), "dodge": str(card.dodge)},
    )


def _lost(pack: Pack, name: str, golem: Golem) -> UnitStatus:
    card = pack.golems[golem.type]
    return UnitStatus(id=name, kind="golem", name=card.name, attributes={"points": str(card.apv)})


def _quest(battle: Battle, seat: Seat, viewer: str) -> Iterator[StatusRow]:
    """The seat's secret quest, without its name for those who may not know it."""
    dealt = battle.state.quests.get(seat)
    if dealt is None:
        return
    quest = battle.quest(seat)
    if quest is not None and (dealt.fulfilled or viewer in (seat, REFEREE)):
        done = ENGLISH.format("army.yes" if dealt.fulfilled else "army.no")
        figures = {"VP": str(quest.vp), "goal": quest_goal(quest), "fulfilled": done}
        yield StatusRow("quest", quest.id, quest.name, figures)
    else:
        yield StatusRow("quest", "", ENGLISH.format("army.secret"))
