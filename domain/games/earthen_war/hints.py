"""What dice would do: forecasts of actions, the way of a die, and lines that cannot be used."""

from collections.abc import Iterator
from functools import reduce

from domain.games.earthen_war.actions import (
    Action,
    Downgrade,
    EndTurn,
    Place,
    Swap,
    Upgrade,
    Use,
)
from domain.games.earthen_war.battlefield import WAYS, plan_of, ray
from domain.games.earthen_war.damage import line_of
from domain.games.earthen_war.decide import decide
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.evolve import evolve
from domain.games.earthen_war.faces import USE_VERBS
from domain.games.earthen_war.facts import (
    Fact,
    GameEnded,
    GridDamaged,
    LocationAwaited,
    ShellExploded,
)
from domain.games.earthen_war.improve_dice import refuse_upgrade
from domain.games.earthen_war.moving import obstacle
from domain.games.earthen_war.scene import cell_id, die_id, golem_id
from domain.games.earthen_war.state import (
    EDGE,
    OTHER,
    Cell,
    Die,
    Placing,
    Seat,
    State,
    Turn,
    acting,
    die_on,
    golem_of,
)
from domain.games.earthen_war.use_dice import refuse_use
from domain.games.earthen_war.uses import direction, hindrance
from domain.kernel.hints import Aim, Forecast, Outcome, RefusedLine
from domain.kernel.rulings import Accepted
from domain.kernel.scene import Mark, Tone


def forecast(state: State, seat: str, action: Action) -> Forecast | None:
    """Return what an action would do, or what the dice that it changes would do then."""
    own = acting(state.phase)
    if own is None or own != seat:
        return None
    match action:
        case Use() | EndTurn():
            return _resolved(state, own, action)
        case Place(cell):
            assert isinstance(state.phase, Placing)
            return _ready(state, own, {cell: Die(state.phase.colour, state.phase.dots)})
        case Upgrade(cell) | Downgrade(cell):
            die = _own_die(state, own, cell)
            dots = die.dots + (1 if isinstance(action, Upgrade) else -1)
            if dots:
                return _ready(state, own, {cell: Die(die.colour, dots)})
            return Forecast(ENGLISH.format("tag supply", colour=die.colour))
        case Swap(first, second):
            grid = golem_of(state, own).grid
            dice = {second: die_on(grid, first), first: die_on(grid, second)}
            return _ready(state, own, {cell: die for cell, die in dice.items() if die})
        case _:
            return None


def aim(state: State, seat: str, actor: str, line: str) -> Aim:
    """Return the way of a die that is to be used; `line` may be empty for all that a die does."""
    match state.phase:
        case Turn(own, "use") if own == seat and line in ("", "use"):
            cell = _cell_of(own, actor)
            if cell:
                return Aim((_way(state, own, cell, _own_die(state, own, cell)),))
        case _:
            pass
    return Aim()


def refused_lines(state: State, seat: str, actor: str) -> tuple[RefusedLine, ...]:
    """Return the line of a die that cannot be used in this step of the turn, if there is one."""
    match state.phase:
        case Turn(own, step) if own == seat and (cell := _cell_of(own, actor)):
            if step == "improve" and (refused := refuse_upgrade(state, own, cell)):
                return (RefusedLine("up", refused, "up"),)
            if step == "use" and (refused := refuse_use(state, own, cell)):
                verb = USE_VERBS[_own_die(state, own, cell).colour]
                return (RefusedLine("use", refused, verb),)
        case _:
            pass
    return ()


def _cell_of(seat: Seat, piece: str) -> Cell | None:
    """Return the square of the seat's die with this id, or None."""
    return next((cell for cell in EDGE if die_id(seat, cell) == piece), None)


def _own_die(state: State, seat: Seat, cell: Cell) -> Die:
    die = die_on(golem_of(state, seat).grid, cell)
    assert die is not None, f"no die on {cell}"
    return die


# --- ways ----------------------------------------------------------------------------------------


def _way(state: State, seat: Seat, cell: Cell, die: Die) -> Mark:
    """Return the mark of the path or the shot of a die, up to what stops it."""
    here, enemy = golem_of(state, seat).square, golem_of(state, OTHER[seat]).square
    squares = ray(plan_of(state.options), here, WAYS[seat][cell], die.dots)
    if die.colour == "black":
        landing = squares[-1]
        return Mark("line", at=(here, landing) if landing else (here,))
    stopped = obstacle(plan_of(state.options), squares, enemy)
    free = [square for square in squares if square]
    if stopped and stopped[1]:
        return Mark("blocked", at=(stopped[1],))
    return Mark("path", at=(here, *free))


def _ready(state: State, seat: Seat, dice: dict[Cell, Die]) -> Forecast:
    """Return what dice would do on these squares. The tag tells of the first one."""
    tags = [_tag_of(state, seat, cell, die) for cell, die in dice.items()]
    return Forecast(tags[0], marks=tuple(_way(state, seat, *each) for each in dice.items()))


def _tag_of(state: State, seat: Seat, cell: Cell, die: Die) -> str:
    here, enemy = golem_of(state, seat).square, golem_of(state, OTHER[seat]).square
    if hindrance(state.options, seat, cell, die, here, enemy):
        way = direction(seat, cell)
        return ENGLISH.format(f"tag blocked {die.colour}", n=die.dots, way=way)
    square = ray(plan_of(state.options), here, WAYS[seat][cell], die.dots)[-1]
    return ENGLISH.format(f"tag {die.colour}" if square else "tag off", square=square)


# --- consequences --------------------------------------------------------------------------------


def _resolved(state: State, seat: Seat, action: Use | EndTurn) -> Forecast | None:
    """Return what using a die or ending the turn would do, shells included."""
    outcome = decide(state, seat, action)
    if not isinstance(outcome, Accepted):
        return None
    facts, after = outcome.facts, reduce(evolve, outcome.facts, state)
    damaged = [fact for fact in facts if isinstance(fact, GridDamaged)]
    exploded = sum(isinstance(fact, ShellExploded) for fact in facts)
    if exploded:
        tag = ENGLISH.format("tag explodes, damage" if damaged else "tag explodes", n=exploded)
    elif isinstance(action, Use):
        tag = _used(state, seat, action.cell, facts)
    else:
        return None
    return Forecast(
        tag,
        outcomes=tuple(_outcomes(seat, facts))[:4] if exploded else (),
        marks=tuple(_marks(seat, damaged, after)),
    )


def _used(state: State, seat: Seat, cell: Cell, facts: tuple[Fact, ...]) -> str:
    """Return the tag of a die that is used without an explosion."""
    die, name = _own_die(state, seat, cell), ENGLISH.format(f"cell {cell}")
    ended = any(isinstance(fact, GameEnded) for fact in facts)
    for fact in facts:
        if isinstance(fact, GridDamaged):
            return ENGLISH.format("tag destroys" if ended else "tag damages", cell=name)
        if isinstance(fact, LocationAwaited):
            return ENGLISH.format("tag again", cell=name)
    tag = _tag_of(state, seat, cell, die)
    square = ray(plan_of(state.options), golem_of(state, seat).square, WAYS[seat][cell], die.dots)[
        -1
    ]
    return ENGLISH.format("tag misses", square=square) if die.colour == "black" and square else tag


def _outcomes(seat: Seat, facts: tuple[Fact, ...]) -> Iterator[Outcome]:
    """Yield what explosions lead to: damage, and the end."""
    for fact in facts:
        match fact:
            case GameEnded(winner):
                tone: Tone = "plain" if winner is None else "good" if winner == seat else "bad"
                key = "heading won" if winner else "heading drawn"
                text = ENGLISH.format(key, seat=ENGLISH.format(winner or seat))
                yield Outcome("golem", text, tone)
            case GridDamaged(victim, cell):
                text = ENGLISH.format(
                    "outcome damaged",
                    seat=ENGLISH.format(victim),
                    cell=ENGLISH.format(f"cell {cell}"),
                )
                yield Outcome("damage", text, "bad" if victim == seat else "good")
            case _:
                pass


def _marks(seat: Seat, damaged: list[GridDamaged], after: State) -> Iterator[Mark]:
    """Yield marks of golems and squares that are damaged, and of lines that destroy a golem."""
    for fact in damaged:
        tone: Tone = "bad" if fact.seat == seat else "good"
        yield Mark("danger", at=(golem_id(fact.seat), cell_id(fact.seat, fact.cell)), tone=tone)
        line = line_of(golem_of(after, fact.seat).grid)
        if line:
            yield Mark("group", at=tuple(cell_id(fact.seat, cell) for cell in line), tone=tone)
