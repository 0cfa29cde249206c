"""What is said about units, and what happened as sentences."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, assert_never

from domain.games.agog.actions import Action, Capture
from domain.games.agog.board import AT, GOAL, SQUARES
from domain.games.agog.english import ENGLISH
from domain.games.agog.evolve import evolve
from domain.games.agog.facts import (
    Fact,
    GameEnded,
    TurnPassed,
    UnitCaptured,
    UnitCorrupted,
    UnitMoved,
    UnitPromoted,
    UnitTakenOut,
)
from domain.games.agog.state import OTHER, OWNER, Outcome, State
from domain.kernel.game import ResolvedAction
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration

_LISTED: Final = 3
"""Units that an outcome names, of those that one turn has captured or corrupted."""
_PATH: Final = 5
"""Squares that an outcome names of the path of one turn."""


@cache
def whose(unit: str) -> str:
    """A unit with its owner, as `White's golem`."""
    return ENGLISH.format(
        "whose", seat=ENGLISH.format(OWNER[unit]), unit=ENGLISH.format(unit.lower())
    )


@cache
def the(unit: str, square: str) -> str:
    """A unit where it stands, as `the golem on a6`."""
    return ENGLISH.format(
        "on", unit=ENGLISH.format("the", unit=ENGLISH.format(unit.lower())), square=square
    )


def shortened(names: Sequence[str], most: int = _LISTED) -> list[str]:
    """The first of these names, and how many more there are; never only one more."""
    return ENGLISH.abbreviate(names, most)


def how_it_ended(outcome: Outcome) -> str:
    """How a game ended and why, as a caption."""
    return _ending("won", outcome)


def _ending(key: str, outcome: Outcome) -> str:
    """By the key with which it begins: `won`, or `wins` for what has just happened."""
    loser, sanctum = ENGLISH.format(OTHER[outcome.winner]), SQUARES[GOAL[outcome.winner]]
    return ENGLISH.format(
        key,
        seat=ENGLISH.format(outcome.winner),
        how=ENGLISH.format(f"by {outcome.reason}"),
        why=ENGLISH.format(f"why {outcome.reason}", loser=loser, sanctum=sanctum),
    )


def narrate(before: State, happening: ResolvedAction[Action, Fact], after: State) -> Narration:
    """A turn or a resignation, told to anybody."""
    told = []
    state = before
    for fact in happening.facts:
        after_it = evolve(state, fact)
        told.append(as_sentence(_fact(state, fact, after_it)))
        state = after_it
    if happening.action is None:
        return Narration(" ".join(shortened([each for each in told if each])), tuple(told))
    outcome = (as_sentence(part) for part in _outcome(before, happening, after))
    return Narration(" ".join(outcome), tuple(told))


def _outcome(before: State, happening: ResolvedAction[Action, Fact], after: State) -> Iterator[str]:
    """The parts of the outcome, in order."""
    facts, left, ended = happening.facts, "", ""
    for fact in facts:
        match fact:
            case UnitMoved():
                yield _way(before, fact, happening)
            case UnitPromoted(sanctum=sanctum, square=square):
                left = ENGLISH.format("promotes", sanctum=sanctum, square=square)
            case UnitTakenOut(sanctum=sanctum):
                left = ENGLISH.format("goes out", sanctum=sanctum)
            case GameEnded(winner, reason):
                ended = _ending("wins", Outcome(winner, reason))
            case UnitCaptured() | UnitCorrupted() | TurnPassed():
                pass
            case unreachable:
                assert_never(unreachable)
    # At the end nobody needs to know what could have been corrupted.
    supplies = "" if ended else _supplies(before, after)
    yield from filter(None, (left, supplies, ended))


def _way(before: State, moved: UnitMoved, happening: ResolvedAction[Action, Fact]) -> str:
    """The unit's way, and what it jumped."""
    unit, action = whose(moved.unit), happening.action
    if not isinstance(action, Capture):
        return ENGLISH.format("moves", unit=unit, start=moved.start, end=moved.end)
    squares = [action.start, *(jump.to for jump in action.jumps)]
    # What comes of an end on the enemy sanctum is told too: then less is named of the way there.
    fewer = int(any(isinstance(each, UnitPromoted | UnitTakenOut) for each in happening.facts))
    deeds = _deeds(before, happening.facts, _LISTED - fewer)
    if len(squares) > _PATH - fewer:
        jumps = len(action.jumps)
        return ENGLISH.format(
            "jumps on", unit=unit, n=jumps, start=moved.start, end=moved.end, deeds=deeds
        )
    return ENGLISH.format("jumps", unit=unit, path=path(squares), deeds=deeds)


def path(squares: Sequence[str]) -> str:
    """A way over these squares, as `a1 to a3 to c3`."""
    return ENGLISH.format("to").join(squares)


def _deeds(before: State, facts: Sequence[Fact], most: int) -> str:
    captured = [the(fact.unit, fact.square) for fact in facts if isinstance(fact, UnitCaptured)]
    corrupted = [
        the(before.board[AT[fact.square]], fact.square)
        for fact in facts
        if isinstance(fact, UnitCorrupted)
    ]
    done = {"captures": captured, "corrupts": corrupted}
    return ENGLISH.join_and(
        [
            ENGLISH.format(key, units=ENGLISH.join_and(shortened(units, most)))
            for key, units in done.items()
            if units
        ]
    )


def _supplies(before: State, after: State) -> str:
    """What is removed from play now, if that has changed."""
    if (before.white_supply, before.black_supply) == (after.white_supply, after.black_supply):
        return ""
    return ENGLISH.format("removed", white=after.white_supply, black=after.black_supply)


def _fact(state: State, fact: Fact, after: State) -> str:
    """A fact between the states around it; empty for one that tells people nothing."""
    match fact:
        case UnitMoved(unit, start, end):
            key = "moved round" if start == end else "moved"
            said = ENGLISH.format(key, unit=whose(unit), start=start, end=end)
        case UnitCaptured(unit, square):
            said = ENGLISH.format("captured", unit=_placed(unit, square))
        case UnitCorrupted(unit, square):
            was = _placed(state.board[AT[square]], square)
            said = ENGLISH.format("corrupted", unit=was, now=whose(unit))
        case UnitPromoted(_, sanctum, square):
            golem = _placed(state.board[AT[square]], square)
            said = ENGLISH.format("promoted", unit=golem, sanctum=sanctum)
        case UnitTakenOut(unit, sanctum):
            said = ENGLISH.format("taken out", unit=_placed(unit, sanctum))
        case TurnPassed():
            return ""
        case GameEnded(winner, reason):
            return _ending("wins", Outcome(winner, reason))
        case unreachable:
            assert_never(unreachable)
    removed = _supplies(state, after)
    return ENGLISH.format("with removed", fact=said, removed=removed) if removed else said


@cache
def _placed(unit: str, square: str) -> str:
    return ENGLISH.format("on", unit=whose(unit), square=square)
