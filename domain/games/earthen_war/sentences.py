"""What happened, as sentences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from domain.games.earthen_war.actions import Action
from domain.games.earthen_war.captions import cells, why_it_ended
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.evolve import evolve
from domain.games.earthen_war.facts import (
    DiceRefreshed,
    DiceSwapped,
    DieExtinguished,
    DiePlaced,
    DieReturned,
    DieRolled,
    DieTaken,
    DieTurned,
    Fact,
    GameEnded,
    GolemMoved,
    GridDamaged,
    InitiativeRolled,
    InitiativeTied,
    LocationAwaited,
    PhaseBegan,
    ShellExploded,
    ShellOffered,
    ShellPlaced,
    ShellsCountedDown,
    TurnBegan,
)
from domain.games.earthen_war.outcomes import deed
from domain.games.earthen_war.state import OTHER, SEATS, Cell, Seat, State, die_on, golem_of
from domain.games.earthen_war.uses import content, swapped
from domain.kernel.game import ResolvedAction
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration

_EXPLODED: Final = 2
"""Exploding shells that an outcome names."""
_COUNTED: Final = 4
"""Shells of which an outcome tells how many turns are left."""
_DAMAGED: Final = 2
"""Damaged squares of one grid that an outcome names."""
_TOLD: Final = 3
"""Sentences of an outcome that is told from facts alone."""


def narrate(before: State, happening: ResolvedAction[Action, Fact], after: State) -> Narration:
    """An action, told to anybody."""
    facts = tuple(as_sentence(said) for said in _each(before, happening.facts))
    if happening.action is None:
        return Narration(" ".join([said for said in facts if said][:_TOLD]), facts)
    parts = (
        *deed(before, happening.action, happening.facts, after),
        _shells(happening.facts, after),
        _end(happening.facts, after),
    )
    return Narration(" ".join(as_sentence(part) for part in parts if part), facts)


def _shells(facts: Sequence[Fact], after: State) -> str:
    """What the shells did: which explode, and what that damages; else how they count down."""
    exploded = [fact.square for fact in facts if isinstance(fact, ShellExploded)]
    if exploded:
        squares = ENGLISH.join_and(ENGLISH.abbreviate(exploded, _EXPLODED))
        key = "explode one" if len(exploded) == 1 else "explode"
        said = ENGLISH.format(key, squares=squares)
        # At the end the damage that counts is in the line that destroys a golem.
        over = any(isinstance(fact, GameEnded) for fact in facts)
        return said if over else ENGLISH.format("explode with", explode=said, came=_damage(facts))
    if after.shells and any(isinstance(fact, ShellsCountedDown) for fact in facts):
        left = sorted(after.shells.items(), key=lambda shell: (shell[1], shell[0]))
        names = [ENGLISH.format("counted", square=square, turns=turns) for square, turns in left]
        return ENGLISH.format(
            "counts", shells=ENGLISH.join_and(ENGLISH.abbreviate(names, _COUNTED))
        )
    return ""


def _damage(facts: Iterable[Fact]) -> str:
    found: dict[Seat, list[Cell]] = {seat: [] for seat in SEATS}
    for fact in facts:
        if isinstance(fact, GridDamaged):
            found[fact.seat].append(fact.cell)
    told = [
        ENGLISH.format("damaged", seat=ENGLISH.format(seat), cells=cells(damaged))
        if len(damaged) <= _DAMAGED
        else ENGLISH.format("damaged much", seat=ENGLISH.format(seat), n=len(damaged))
        for seat, damaged in found.items()
        if damaged
    ]
    return ENGLISH.join_and(told) or ENGLISH.format("none damaged")


def _end(facts: Iterable[Fact], after: State) -> str:
    for fact in facts:
        if isinstance(fact, GameEnded):
            return _ended(fact, after)
    return ""


def _ended(fact: GameEnded, state: State) -> str:
    why = why_it_ended(state)
    if fact.winner is None:
        return ENGLISH.format("draw", why=why)
    return ENGLISH.format("wins", seat=ENGLISH.format(fact.winner), why=why)


def _each(state: State, facts: Iterable[Fact]) -> Iterator[str]:
    """A sentence for each fact, in the state before it; empty for what tells people nothing."""
    for fact in facts:
        yield _fact(state, fact)
        state = evolve(state, fact)


def _fact(state: State, fact: Fact) -> str:
    match fact:
        case InitiativeRolled(seat, total):
            return ENGLISH.format("fact rolled", seat=ENGLISH.format(seat), total=total)
        case InitiativeTied():
            return ENGLISH.format("tied")
        case TurnBegan(seat):
            return ENGLISH.format("fact begins", seat=ENGLISH.format(seat))
        case DiceRefreshed(seat):
            return ENGLISH.format("fact refreshed", seat=ENGLISH.format(seat))
        case PhaseBegan():
            return ""
        case LocationAwaited(seat, cell):
            name = ENGLISH.format(f"cell {cell}")
            return ENGLISH.format("fact awaited", victim=ENGLISH.format(OTHER[seat]), cell=name)
        case GolemMoved(seat, start, end):
            return ENGLISH.format("fact moved", seat=ENGLISH.format(seat), start=start, end=end)
        case GridDamaged(seat, cell):
            return ENGLISH.format("damaged", seat=ENGLISH.format(seat), cells=cells([cell]))
        case GameEnded():
            return _ended(fact, state)
        case ShellOffered() | ShellPlaced() | ShellsCountedDown() | ShellExploded():
            return _shell_fact(fact)
        case _:
            return _die_fact(state, fact)


def _shell_fact(fact: ShellOffered | ShellPlaced | ShellsCountedDown | ShellExploded) -> str:
    match fact:
        case ShellOffered(seat, square):
            return ENGLISH.format("fact offered", seat=ENGLISH.format(seat), square=square)
        case ShellPlaced(square, turns):
            return ENGLISH.format("fact shell", square=square, n=turns)
        case ShellsCountedDown():
            return ENGLISH.format("fact counted")
        case ShellExploded(square):
            return ENGLISH.format("fact exploded", square=square)
        case unreachable:
            assert_never(unreachable)


DieFact = DieTaken | DieRolled | DiePlaced | DieTurned | DieReturned | DiceSwapped | DieExtinguished


def _die_fact(state: State, fact: DieFact) -> str:
    seat = ENGLISH.format(fact.seat)
    match fact:
        case DieTaken(_, colour):
            return ENGLISH.format(
                "fact taken", seat=seat, colour=ENGLISH.format(f"colour {colour}")
            )
        case DieRolled(_, colour, dots):
            name = ENGLISH.format(f"colour {colour}")
            return ENGLISH.format("shows", seat=seat, colour=name, dots=dots)
        case DiePlaced(_, cell, colour, dots):
            name, where = ENGLISH.format(f"colour {colour}"), ENGLISH.format(f"cell {cell}")
            return ENGLISH.format("fact placed", seat=seat, colour=name, dots=dots, cell=where)
        case DieTurned(_, cell, dots):
            die = content(state, fact.seat, cell)
            return ENGLISH.format("fact turned", seat=seat, die=die, dots=dots)
        case DieReturned(_, cell):
            return ENGLISH.format("fact returned", seat=seat, die=content(state, fact.seat, cell))
        case DiceSwapped(_, first, second):
            return ENGLISH.format("swaps", seat=seat, **swapped(state, fact.seat, (first, second)))
        case DieExtinguished(_, cell, dots):
            used = die_on(golem_of(state, fact.seat).grid, cell)
            key = "fact kept" if used is not None and used.dots == dots else "fact used"
            name = content(state, fact.seat, cell)
            return ENGLISH.format(key, seat=seat, die=name, dots=dots)
        case unreachable:
            assert_never(unreachable)
