"""Hints on orders: forecasts of attacks and movements, what orders reach, refused lines."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.aim import Aim as Figures
from domain.games.golem_arcana.battle.ancients import mana_cost
from domain.games.golem_arcana.battle.attacks import (
    aims,
    attack_of,
    judge,
    refuse_attack,
    region_of,
)
from domain.games.golem_arcana.battle.battle import Battle, read_battle
from domain.games.golem_arcana.battle.cooldown import cost, refuse_ap, refuse_mana, refuse_price
from domain.games.golem_arcana.battle.destruction import (
    credit,
    hit_points,
    kill_points,
    released_mana,
)
from domain.games.golem_arcana.battle.movement import (
    movement_points,
    path_of,
    refuse_motion,
    stops,
    ways,
)
from domain.games.golem_arcana.battle.powers import refuse_power, refuse_target
from domain.games.golem_arcana.battle.sight import block
from domain.games.golem_arcana.content.card_faces import price
from domain.games.golem_arcana.content.vocabulary import Ability, Attack, Fly, Power, Walk
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.display.attack_words import effects_told
from domain.games.golem_arcana.display.names import (
    ability_line,
    ability_verb,
    relic_line,
    seat_name,
    unit_of,
    unit_piece,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import Roll, State, on_board, seat_named, seat_of
from domain.kernel.hints import Aim, Forecast, Outcome, RefusedLine, RefusedTarget, RollRange, Term
from domain.kernel.language import capitalized
from domain.kernel.rulings import Refused
from domain.kernel.scene import Mark, Tone

_say: Final = ENGLISH.format
_SIDES: Final = 100
_MOST_OUTCOMES: Final = 4


# --- forecasts -----------------------------------------------------------------------------------


def forecast(state: State, seat: str, action: Action) -> Forecast | None:
    """Return what a legal attack, Charge or movement would do; None for any other action."""
    del seat
    battle = read_battle(state)
    match action:
        case a.Move(golem, ability, region):
            return _movement(battle, golem, ability, region)
        case a.Attack(golem, ability, target):
            item = Roll(golem, ability, target)
            attack = attack_of(battle, item)
            marks: tuple[Mark, ...] = ()
            if attack.mode == "ranged":
                end = target if attack.area else unit_piece(battle, target)
                marks = (Mark("line", at=(unit_piece(battle, golem), end)),)
            return _attack(battle, item, marks)
        case a.Charge(golem, ability, movement, target):
            item = Roll(golem, ability, target, charge=True)
            there = region_of(battle, attack_of(battle, item), target)
            path = _path(battle, golem, movement, there)
            return _attack(battle, item, (Mark("path", at=(unit_piece(battle, golem), *path)),))
        case _:
            return None


def _path(battle: Battle, golem: str, ability: str, region: str) -> tuple[str, ...]:
    movement = battle.abilities(golem)[ability]
    assert isinstance(movement, Walk | Fly), "only movement abilities lead anywhere"
    return path_of(battle, ways(battle, golem, movement)[region])


def _movement(battle: Battle, golem: str, ability: str, region: str) -> Forecast:
    movement = battle.abilities(golem)[ability]
    assert isinstance(movement, Walk | Fly), "only movement abilities move"
    way, most = ways(battle, golem, movement)[region], movement_points(battle, golem, movement)
    key = "tag.move-hurts" if way.damage else "tag.move"
    return Forecast(_say(key, points=way.points, most=most, n=way.damage))


def _attack(battle: Battle, item: Roll, marks: tuple[Mark, ...]) -> Forecast:
    attack, found = attack_of(battle, item), aims(battle, item)
    foes = [aim for aim in found if battle.hostile(item.attacker, aim.target)]
    hits = [any(judge(aim, roll).hits for aim in foes) for roll in range(_SIDES)]
    chance = sum(hits)
    rolls = tuple(
        RollRange(each[0], each[-1], "good")
        for is_hit, group in groupby(range(_SIDES), hits.__getitem__)
        for each in ([*group],)
        if is_hit
    )
    if attack.area:
        return Forecast(
            _say("tag.area", n=len(found), chance=chance), chance, _SIDES, rolls,
            tuple(_chances(battle, found)), tuple(_effects(battle, item, found)), marks,
        )  # fmt: skip
    (aim,) = found
    key = "tag.destroys" if aim.hit >= hit_points(battle.state, aim.target) else "tag.attack"
    outcomes = [*_outcomes(battle, item, aim), *_effects(battle, item, found)]
    return Forecast(
        _say(key, chance=chance, n=aim.hit), chance, _SIDES, rolls, tuple(_terms(battle, aim)),
        tuple(outcomes[:_MOST_OUTCOMES]), marks,
    )  # fmt: skip


def _chances(battle: Battle, found: Iterable[Figures]) -> Iterator[Term]:
    """Yield the chance to hit each unit in a Region, and what a hit costs it."""
    for aim in found:
        name = battle.named(aim.target)
        yield Term(name, aim.chance, unit="%", rule="ga.hit.chance")
        yield Term(name, aim.hit, "-", "HP", rule="ga.area.all")


def _terms(battle: Battle, aim: Figures) -> Iterator[Term]:
    """Yield what adds up to the chance, then what adds up to the damage."""
    there = battle.where(aim.target)
    yield _term("accuracy", aim.accuracy, rule="ga.hit.chance")
    yield from _taken("dodge", aim.dodge, "ga.hit.chance")
    yield from _taken("cover", aim.cover, "ga.hit.cover", there)
    is_full = battle.state.variants.intervening == "full"
    between = [
        (share.region, share.points if is_full else share.points // 2)
        for share in aim.between_shares
    ]
    if sum(points for _, points in between) == aim.between:
        for region, points in between:
            yield from _taken("between", points, "ga.hit.between", region)
    else:
        # Halved as a sum, the shares of the Regions are no whole numbers.
        yield from _taken("between-all", aim.between, "ga.hit.between")
    yield from _taken("engaged", aim.engaged, "ga.hit.engaged")
    yield from _taken("pit", aim.pit, "ga.hit.pit")
    yield Term(_say("term.chance"), aim.chance, "=", "%", rule="ga.hit.chance")
    yield Term(_say("term.damage"), aim.damage, "", "HP", rule="ga.damage.armor")
    armor = min(aim.armor, aim.damage)
    if armor:
        yield Term(_say("term.armor"), armor, "-", "HP", rule="ga.damage.armor")
    if aim.taken_ranged:
        yield Term(_say("term.taken"), aim.taken_ranged, "+", "HP", rule="ga.effect.status")
    yield Term(_say("term.hit"), aim.hit, "=", "HP", rule="ga.damage.armor")


def _term(name: str, value: int, *, rule: str) -> Term:
    return Term(_say(f"term.{name}"), value, "", "%", rule=rule)


def _taken(name: str, value: int, rule: str, region: str = "") -> Iterator[Term]:
    if value:
        yield Term(_say(f"term.{name}", region=region), value, "-", "%", region, rule)


def _outcomes(battle: Battle, item: Roll, aim: Figures) -> Iterator[Outcome]:
    """Yield what a hit on one unit does."""
    target, left = aim.target, hit_points(battle.state, aim.target)
    if aim.hit >= left:
        yield Outcome("destroyed", _say("outcome.destroys"), "good")
        yield from _spoils(battle, item, target)
        return
    is_golem = target in battle.state.golems
    most = (battle.card(target) if is_golem else battle.construct_card(target)).hp
    yield Outcome("hp", _say("outcome.left", left=left - aim.hit, most=most), "good")
    yield Outcome("damage", _say("outcome.critical", n=aim.critical), "good")
    if aim.critical >= left:
        yield from _spoils(battle, item, target)


def _spoils(battle: Battle, item: Roll, target: str) -> Iterator[Outcome]:
    """Yield the points for destroying a unit, and the Mana that its seat gets."""
    owner, is_golem = seat_of(target), target in battle.state.golems
    points = kill_points(battle, battle.size(target) if is_golem else "construct")
    seat = credit(battle, owner, seat_of(item.attacker))
    if points and seat is not None:
        yield Outcome("vp", _say("outcome.vp", seat=seat_name(seat), n=points), "good")
    if is_golem and (mana := released_mana(battle, target)):
        yield Outcome("mana", _say("outcome.mana", seat=seat_name(owner), n=mana), "bad")


def _effects(battle: Battle, item: Roll, found: list[Figures]) -> Iterator[Outcome]:
    told = effects_told(battle, item.attacker, attack_of(battle, item), found)
    if told:
        yield Outcome("power", capitalized(told), "good")


# --- aims ----------------------------------------------------------------------------------------


def aim(state: State, seat: str, actor: str, line: str) -> Aim:
    """Return what an order of a Golem reaches, and why it is refused its other targets."""
    battle, golem = read_battle(state), unit_of(actor)
    if state.todo or seat != acting(state) or golem not in state.golems:
        return Aim()
    if not on_board(battle.golem(golem).where):
        return Aim()
    match ability := _ability(battle, golem, line):
        case Walk() | Fly():
            return Aim(tuple(_reach(battle, golem, ability)))
        case Attack():
            refused = [
                (unit, refusal)
                for unit in _enemies(battle, golem)
                if (refusal := _refuse_attack(battle, golem, ability, unit)) is not None
            ]
            reach = 0 if ability.mode == "melee" else ability.range or 0
            return _ranged(battle, golem, reach, refused)
        case Power(target="ally" | "enemy"):
            refused = [
                (unit, refusal)
                for unit in battle.golems
                if on_board(battle.golem(unit).where)
                if battle.hostile(golem, unit) == (ability.target == "enemy")
                if (refusal := refuse_target(battle, golem, ability, unit)) is not None
            ]
            return _ranged(battle, golem, ability.range or 0, refused)
        case Power(target="region"):
            return _ranged(battle, golem, ability.range or 0, [])
        case _:
            return Aim()


def _ability(battle: Battle, golem: str, line: str) -> Ability | None:
    relic = battle.relic(golem)
    if relic is not None and line == relic_line(relic.id, relic.ability.id):
        return relic.ability
    return battle.abilities(golem).get(line.rpartition("/")[2])


def _enemies(battle: Battle, golem: str) -> list[str]:
    """Return the enemy units on the board, the nearest first."""
    here = battle.golem(golem).where
    units = (*battle.golems, *battle.constructs)
    foes = [u for u in units if battle.hostile(golem, u) and on_board(battle.where(u))]
    return sorted(foes, key=lambda unit: battle.board.steps(here, battle.where(unit)))


def _refuse_attack(battle: Battle, golem: str, attack: Attack, unit: str) -> Refused | None:
    target = battle.where(unit) if attack.area else unit
    return refuse_attack(battle, golem, attack, target)


def _reach(battle: Battle, golem: str, movement: Walk | Fly) -> Iterator[Mark]:
    """Yield a mark for each Region, with the Movement Points of the way."""
    found = ways(battle, golem, movement)
    for region in stops(battle, golem, movement):
        tone: Tone = "bad" if found[region].damage else ""
        yield Mark("reach", at=(region,), label=str(found[region].points), tone=tone)


def _ranged(battle: Battle, golem: str, reach: int, refused: Iterable[tuple[str, Refused]]) -> Aim:
    """Return the Regions within a range, refused targets, and what blocks the view of them."""
    board, here = battle.board, battle.golem(golem).where
    ruler = battle.state.variants.range
    within = tuple(each for each in board.regions if board.distance(here, each, ruler) <= reach)
    marks, targets = [Mark("range", at=within)], []
    for unit, refusal in refused:
        targets.append(RefusedTarget(unit_piece(battle, unit), refusal))
        if refusal.rule == "ga.los.blocked":
            found = block(battle, here, battle.where(unit))
            assert found is not None, "refused for what blocks the view"
            mark = Mark("blocked", at=(found.region,), tone="bad")
            marks += [] if mark in marks else [mark]
    return Aim(tuple(marks), tuple(targets))


# --- refused lines -------------------------------------------------------------------------------


def refused_lines(state: State, seat: str, actor: str) -> tuple[RefusedLine, ...]:
    """Return the abilities and powers that a seat cannot use in its Turn, with the reasons."""
    if state.todo or seat != acting(state):
        return ()
    battle, golem = read_battle(state), unit_of(actor)
    if golem in state.golems and golem[0] == seat[0] and on_board(battle.golem(golem).where):
        return tuple(_refused_abilities(battle, golem))
    return tuple(_refused_powers(battle, seat, actor))


def _refused_abilities(battle: Battle, golem: str) -> Iterator[RefusedLine]:
    card = battle.golem(golem)
    for ability in battle.abilities(golem).values():
        refusal = _refuse(battle, golem, ability, relic=False)
        if refusal is not None:
            mana, hp = (ability.mana, ability.hp) if isinstance(ability, Power) else (0, 0)
            line = ability_line(battle.pack, card.type, card.knight, ability.id)
            now = price(cost(battle, golem, ability), mana, hp)
            yield RefusedLine(line, refusal, ability_verb(ability), now)
    relic = battle.relic(golem)
    if relic is not None:
        power = relic.ability
        refusal = _refuse(battle, golem, power, relic=True)
        if refusal is not None:
            now = price(power.ap, power.mana, power.hp)
            yield RefusedLine(relic_line(card.relic, power.id), refusal, "relic", now)


def _refuse(battle: Battle, golem: str, ability: Ability, *, relic: bool) -> Refused | None:
    """Return why an ability cannot be used at all: its price, or the nearest target's refusal."""
    match ability:
        case Walk() | Fly():
            refusal = refuse_motion(battle, golem, ability)
            if refusal is None and not stops(battle, golem, ability):
                return Refused("ga.move.reach", _say("nobody-in-reach"))
            return refusal
        case Attack():
            refusal = refuse_ap(battle, golem, ability)
            if refusal is not None:
                return refusal
            refusals = (_refuse_attack(battle, golem, ability, u) for u in _enemies(battle, golem))
            rule = "ga.target.unknown"
        case Power(target="self"):
            return refuse_power(battle, golem, ability, None, relic=relic)
        case Power():
            refusal = refuse_price(battle, golem, ability, relic=relic)
            if relic and battle.spent(golem):
                return refuse_power(battle, golem, ability, None, relic=True)
            if refusal is not None:
                return refusal
            refusals = (
                refuse_target(battle, golem, ability, each)
                for each in _aimed(battle, golem, ability)
            )
            rule = "ga.power.range"
    first: Refused | None = None
    for refusal in refusals:
        if refusal is None:
            return None
        first = first or refusal
    return first or Refused(rule, _say("nobody-in-reach"))


def _aimed(battle: Battle, golem: str, power: Power) -> Iterable[str]:
    """Return what a power could be meant for."""
    if power.target == "region":
        return battle.board.regions
    is_foe = power.target == "enemy"
    return [
        unit
        for unit in battle.golems
        if on_board(battle.golem(unit).where) and battle.hostile(golem, unit) == is_foe
    ]


def _refused_powers(battle: Battle, seat: str, actor: str) -> Iterator[RefusedLine]:
    """Yield the power of an Ancient One that this piece is, if the Mana does not suffice."""
    owner, _, rest = actor.partition(".")
    ancient, _, name = rest.partition(".")
    if owner != seat or ancient not in battle.state.seats[seat_named(seat)].ancients:
        return
    for power in battle.pack.ancients[ancient].power:
        mana, needed = battle.state.seats[seat_named(seat)].mana, 0
        if power.id == name:
            needed = mana_cost(battle, seat_named(seat), ancient, power)
        if needed > mana:
            refusal = refuse_mana(power.name, needed, mana)
            yield RefusedLine(power.id, refusal, "invoke", price(mana=needed))
