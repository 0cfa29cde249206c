"""Helpers that query the rules of A.G.O.G. in notation, and random positions."""

from collections.abc import Callable
from functools import reduce
from random import Random

import pytest

from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.facts import Fact
from domain.games.agog.state import SEATS, Options, State
from domain.kernel.any_game import fold
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Accepted, Figures, Refused
from projections.drawing.text import draw

Outcome = Accepted[Fact] | Refused


def read(position: str) -> State:
    return GAME.read_position(position, Options(fresh_supply=" fresh " in position))


def judge(position: str, text: str, by: str | None) -> tuple[State, Outcome]:
    """What comes of an action by the player to move, unless it is another's."""
    state = read(position)
    action = GAME.read_action(text)
    if isinstance(action, Refused):
        return state, action
    seat = by or text.removeprefix("resign ") if GAME.is_administrative(action) else by
    return state, GAME.decide(state, seat or GAME.turn(state)[0].seat, action)


def accepted(position: str, text: str, by: str | None) -> tuple[State, Accepted[Fact]]:
    state, outcome = judge(position, text, by)
    board = draw(GAME.scene(state, "spectator"))
    assert isinstance(outcome, Accepted), f"{text} is refused: {outcome}\n{position}\n{board}"
    return state, outcome


@pytest.fixture(scope="session")
def after() -> Callable[..., str]:
    """`after(position, action, by=mover)`: the position to which an accepted action leads."""

    def after(position: str, text: str, by: str | None = None) -> str:
        state, outcome = accepted(position, text, by)
        return GAME.write_position(fold(GAME, state, outcome.facts))

    return after


@pytest.fixture(scope="session")
def refusal() -> Callable[..., str]:
    """`refusal(position, action, by=mover)`: the rule that a refused action breaks."""

    def refusal(position: str, text: str, by: str | None = None) -> str:
        state, outcome = judge(position, text, by)
        board = draw(GAME.scene(state, "spectator"))
        assert isinstance(outcome, Refused), f"{text} is accepted\n{position}\n{board}"
        return outcome.rule

    return refusal


@pytest.fixture(scope="session")
def cited() -> Callable[..., dict[str, Figures]]:
    """`cited(position, action)`: the rules cited for an accepted action, with their figures."""

    def cited(position: str, text: str, by: str | None = None) -> dict[str, Figures]:
        _, outcome = accepted(position, text, by)
        return {rule: ruling.figures for ruling in outcome.rulings for rule in ruling.rules}

    return cited


@pytest.fixture(scope="session")
def turns() -> Callable[[str], str]:
    """`turns(position)`: every turn of the player to move, sorted, resignations left out."""

    def turns(position: str) -> str:
        state = read(position)
        listed = (action for seat in SEATS for action in GAME.legal(state, seat))
        return " ".join(
            sorted(GAME.write_action(a) for a in listed if not GAME.is_administrative(a))
        )

    return turns


@pytest.fixture(scope="session")
def scattered() -> Callable[[Random], State]:
    """`scattered(random)`: an open position with any units anywhere, most of which no game saw."""

    def attempt(random: Random) -> str:
        squares = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]
        count = random.randint(2, 30)
        letters = ["J", "j", *random.choices("GGHCgghc", k=count - 2)]
        units = dict(zip(random.sample(squares, count), letters, strict=True))
        rows = ["".join(units.get(f"{file}{n}", "1") for file in "abcdefgh") for n in "87654321"]
        board = "/".join(rows)
        for gap in range(8, 1, -1):
            board = board.replace("1" * gap, str(gap))
        supplies = f"{random.randint(0, 3)} {random.randint(0, 3)}"
        return f"{board} {random.choice('wb')} {supplies} {random.choice(('-', 'fresh'))} *"

    def scattered(random: Random) -> State:
        while True:
            try:
                return read(attempt(random))
            except NotationError:
                continue  # a unit on the enemy sanctum, or nobody can act: scatter again

    return scattered


@pytest.fixture(scope="session")
def wandered() -> Callable[[Random], tuple[State, list[Action]]]:
    """`wandered(random)`: the start of a match, and a whole match of turns taken at random."""

    def wandered(random: Random) -> tuple[State, list[Action]]:
        state = start = GAME.start(
            Options(random.randint(0, 20), fresh_supply=random.choice((True, False)))
        )
        actions: list[Action] = []
        while asked := GAME.turn(state):
            turns = [a for a in GAME.legal(state, asked[0].seat) if not GAME.is_administrative(a)]
            action = random.choice(turns)
            assert GAME.consequences is not None
            state = reduce(GAME.evolve, GAME.consequences(state, action), state)
            actions.append(action)
        return start, actions

    return wandered
