"""What cannot be on a board: every check names what is wrong in a sentence."""

from collections.abc import Iterator

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.deployment import mustered
from domain.games.golem_arcana.battle.sides import refuse_teams
from domain.games.golem_arcana.battle.stacking import room
from domain.games.golem_arcana.battle.surprises import encounter_of
from domain.games.golem_arcana.battle.victory import leaders
from domain.games.golem_arcana.content.lessons import lessons
from domain.games.golem_arcana.content.vocabulary import Attack, Miracle
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import (
    UNPLACED,
    Advance,
    Choice,
    DealQuest,
    DeployArmy,
    Displace,
    Golem,
    Hide,
    Item,
    Meet,
    Outcome,
    Roll,
    State,
    Step,
    on_board,
    seat_of,
    status_key,
)
from domain.kernel.notation_error import NotationError


def check_state(state: State) -> None:
    """Raises NotationError for the first thing that cannot be."""
    battle = Battle(state)
    checks = (_seats, _owners, _golems, _stacking, _constructs, _lying, _secrets, _course, _work)
    for check in checks:
        for fault in check(battle):
            raise NotationError(fault)


def check_units(state: State, options: Options) -> None:
    """Raises NotationError for a Golem that the armies of a tutorial do not have.

    A position of any other scenario stands for itself: it may show any Golems of the pack. But the
    lessons of a tutorial compare the battle with the armies that it started with.
    """
    if not lessons(state.pack, state.scenario):
        return
    armies = mustered(options)
    strangers = [name for name in Battle(state).golems if name not in armies]
    if strangers:
        raise NotationError(
            f"{state.scenario} has no Golem {strangers[0]}: its Golems are {', '.join(armies)}"
        )


def _seats(battle: Battle) -> Iterator[str]:
    seats = battle.scenario.seats
    if battle.state.seats.keys() != {*seats}:
        yield f"the seats of {battle.scenario.id} are {', '.join(seats)}"
    if (why := refuse_teams(battle.state.variants.teams, seats)) is not None:
        yield why
    for seat, purse in battle.state.seats.items():
        unknown = [name for name in purse.ancients if name not in battle.pack.ancients]
        if unknown:
            yield f"{seat} has an Ancient One {unknown[0]} that there is not"
        if len(set(purse.ancients)) < len(purse.ancients):
            yield f"{seat} has an Ancient One twice"


def _owners(battle: Battle) -> Iterator[str]:
    state, seats = battle.state, battle.seats
    strangers = [unit for unit in (*state.golems, *state.constructs) if seat_of(unit) not in seats]
    if strangers:
        yield f"{strangers[0]} belongs to a seat that does not play"
    if any(seat not in seats for seat in state.quests):
        yield "a seat that does not play has a quest"


def _golems(battle: Battle) -> Iterator[str]:
    pack, state = battle.pack, battle.state
    for name, golem in state.golems.items():
        if golem.type not in pack.golems:
            yield f"{name} is a {golem.type}, and there is no such Golem"
        if golem.knight is not None and golem.knight not in pack.knights:
            yield f"{name} has a Knight {golem.knight}, and there is none"
        if golem.relic is not None and golem.relic not in pack.relics:
            yield f"{name} carries {golem.relic}, and there is no such Relic"
    for name, golem in state.golems.items():
        yield from _golem(battle, name, golem)


def _golem(battle: Battle, name: str, golem: Golem) -> Iterator[str]:
    printed = battle.card(name).hp
    if golem.hp > printed:
        yield f"{name} has {golem.hp} Hit Points, more than the printed {printed}"
    relic = battle.relic(name)
    if relic is not None and (golem.charges is None) != (relic.charges is None):
        yield f"{name} carries {relic.id}, which has {relic.charges or 'no'} charges"
    elif relic is not None and (golem.charges or 0) > (relic.charges or 0):
        yield f"{name} has {golem.charges} charges, more than {relic.charges}"
    if on_board(golem.where) and golem.where not in battle.board.number:
        yield f"{name} is in {golem.where}, which is not on this board"
    for ability, heat in golem.heat.items():
        if ability not in battle.abilities(name):
            yield f"{name} has no ability {ability} that could cool"
        if not heat.pips and not (heat.used and not heat.doublings):
            yield f"{name} has a Cooldown of {ability} without pips"
        if heat.used and battle.state.variants.cooldown != "text":
            yield f"{name} has {ability} marked as used, which only option cooldown=text needs"
    if len({*map(status_key, golem.statuses)}) < len(golem.statuses):
        yield f"{name} has a status effect twice: of one source, stat and seat"
    for status in golem.statuses:
        if status.seat not in battle.state.seats:
            yield f"{name} has a status effect of a seat that does not play"


def _stacking(battle: Battle) -> Iterator[str]:
    for region in battle.standing:
        if battle.terrain(region).base == "blocking":
            yield f"no Golem can stand in {region}: it is blocking terrain"
        if room(battle, region) < 0:
            yield f"{', '.join(battle.standing[region])} do not fit into {region} together"


def _constructs(battle: Battle) -> Iterator[str]:
    for unit, construct in battle.state.constructs.items():
        relic = battle.pack.relics.get(construct.relic)
        if relic is None or relic.construct is None:
            yield f"{unit} is a {construct.relic}, which is no Construct"
        elif construct.hp > relic.construct.hp:
            yield f"{unit} has {construct.hp} Hit Points, more than {relic.construct.hp}"
        if construct.where not in battle.board.number:
            yield f"{unit} is in {construct.where}, which is not on this board"
        elif battle.terrain(construct.where).base == "blocking":
            yield f"{unit} stands in blocking terrain"
    for region, units in battle.constructs_at.items():
        if len(units) > 1:
            yield f"{' and '.join(units)} stand in {region}: one Construct in a Region"


def _lying(battle: Battle) -> Iterator[str]:
    wells = {well.at for well in battle.scenario.wells}
    for region in battle.state.wells:
        if region not in wells:
            yield f"there is no well in {region}"
    for name, region in battle.state.powers.items():
        seat, ancient, power = name.split(".")
        serving = [each for n, purse in battle.state.seats.items() if n == seat
                   for each in purse.ancients]  # fmt: skip
        if ancient not in serving:
            yield f"{name}: {seat} has no Ancient One {ancient}"
            continue
        card = battle.pack.ancients[ancient]
        if not any(p.id == power and not isinstance(p, Miracle) for p in card.power):
            yield f"{name}: {ancient} has no such Blessing or Curse"
        if region not in battle.board.number:
            yield f"{name} lies in {region}, which is not on this board"
        elif battle.terrain(region).base in ("shallow", "deep"):
            yield f"{name} lies in water"


def _secrets(battle: Battle) -> Iterator[str]:
    state, scenario = battle.state, battle.scenario
    numbers = [dealt.number or 0 for dealt in state.quests.values()]
    if any(number > len(scenario.quests) for number in numbers):
        yield f"there are {len(scenario.quests)} quests"
    if len(set(numbers)) < len(numbers):
        yield "two seats have the same quest"
    known = {each.id: each for each in scenario.encounters}
    for name, hidden in state.encounters.items():
        if name not in known or hidden.where not in known[name].candidates:
            yield f"{name}={hidden.where} is no encounter of {scenario.id}"


def _course(battle: Battle) -> Iterator[str]:
    state = battle.state
    rounds = battle.scenario.rounds
    if state.outcome is not None:
        if state.turn is not None or state.todo:
            yield "after the end it is nobody's Turn, and there is no work"
        if any(leader not in state.seats for leader in state.outcome.leaders):
            yield "a seat that does not play has won"
        yield from _won(battle, state.outcome)
        return
    if len(battle.sides_in) < 2:
        yield "one side alone is not out: it has won"
    before = state.round == 0
    if before != (state.turn is None):
        yield "it is somebody's Turn from Round 1 on, and only then"
    if rounds and state.round > rounds:
        yield f"{battle.scenario.id} has {rounds} Rounds"
    if state.turn is not None and state.turn not in state.seats:
        yield f"{state.turn} does not play"
    elif state.turn is not None and battle.is_out(state.turn):
        yield f"{state.turn} is out: it has no Turn"
    if before != any(isinstance(item, DeployArmy | Hide | DealQuest) or _begins(item)
                     for item in state.todo):  # fmt: skip
        yield "setting up is the work before Round 1, and only then"
    if before and not (state.todo and _begins(state.todo[-1])):
        yield "the last work of setting up is to begin"
    waiting = {item.seat[0] for item in state.todo if isinstance(item, DeployArmy)}
    for name, golem in state.golems.items():
        if golem.where == UNPLACED and name[0] not in waiting:
            yield f"{name} is not deployed, and nobody is to deploy it"


def _won(battle: Battle, outcome: Outcome) -> Iterator[str]:
    leading = [side for side in battle.sides_in if any(seat in outcome.leaders for seat in side)]
    if outcome.leaders != leaders(battle, leading):
        yield f"{'+'.join(outcome.leaders)} are not whole sides, or are out"
    if outcome.won != (len(leading) == 1):
        yield "one side wins, and several draw"


def _begins(item: Item) -> bool:
    return type(item).__struct_config__.tag == "begin"


def _work(battle: Battle) -> Iterator[str]:
    state = battle.state
    for item in state.todo:
        yield from _item(battle, item)
    dealt = [item for item in state.todo if isinstance(item, Hide | DealQuest | DeployArmy)]
    if len({*dealt}) < len(dealt):
        yield "each work of setting up is done once"


def _item(battle: Battle, item: Item) -> Iterator[str]:
    match item:
        case Hide(encounter=name):
            if name not in {each.id for each in battle.scenario.encounters}:
                yield f"there is no encounter {name} to hide"
            elif name in battle.state.encounters:
                yield f"{name} is hidden already"
        case DealQuest(seat=seat) | DeployArmy(seat=seat):
            if seat not in battle.state.seats:
                yield f"{seat} does not play"
            elif isinstance(item, DealQuest) and (
                seat in battle.state.quests or not battle.scenario.quests
            ):
                yield f"no quest is to be dealt to {seat}"
        case Roll():
            yield from _roll(battle, item)
        case Displace():
            yield from _present(battle, item.golem)
            if item.origin not in battle.board.number or item.seat not in battle.state.seats:
                yield f"{item.origin} or {item.seat} is not in this battle"
        case Advance():
            yield from _present(battle, item.golem)
            if not all(region in battle.board.number for region in item.path):
                yield "an advance goes through Regions of the board"
        case Step(golem=golem) | Meet(golem=golem):
            yield from _present(battle, golem)
        case Choice():
            yield from _present(battle, item.golem)
            if item.encounter not in battle.state.encounters:
                yield f"there is no encounter {item.encounter}"
            elif not encounter_of(battle, item.encounter).choices:
                yield f"{item.encounter} offers no choice"
        case _:
            return


def _present(battle: Battle, golem: str) -> Iterator[str]:
    if golem not in battle.state.golems or not on_board(battle.golem(golem).where):
        yield f"{golem} is not on the board, yet there is work for it"


def _roll(battle: Battle, item: Roll) -> Iterator[str]:
    yield from _present(battle, item.attacker)
    if item.attacker not in battle.state.golems:
        return
    attack = battle.abilities(item.attacker).get(item.ability)
    if not isinstance(attack, Attack):
        yield f"{item.attacker} has no attack {item.ability}"
    elif attack.area:
        if item.target not in battle.board.number:
            yield f"{item.ability} is an area attack on a Region"
        elif item.charge and battle.state.variants.charge_area == "no":
            yield f"{item.ability} is an area attack, and only option charge-area=yes charges so"
    elif item.target in battle.state.golems:
        if not on_board(battle.golem(item.target).where) or item.target == item.attacker:
            yield f"{item.target} is no target"
    elif item.target not in battle.state.constructs:
        yield f"there is no unit {item.target} to roll against"
