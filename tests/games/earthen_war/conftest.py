"""Helpers that query the rules of Earthen-War, and random positions."""

from collections.abc import Callable
from random import Random
from typing import Literal

import pytest

from domain.games.earthen_war import GAME
from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.state import SEATS, Axes, Options, State
from domain.kernel.any_game import fold
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Accepted, Figures, Refused
from projections.drawing.text import draw

Outcome = Accepted[Fact] | Refused


def read(position: str) -> State:
    """The state of a position, under the options that it shows."""
    board = position.split(" ")[1]
    axes: Axes = "white-row" if "r" in board else "white-column"
    start: Literal["c0-d7", "d0-c7"] = "d0-c7" if "m" in board else "c0-d7"
    options = Options(int(board[0]), "a" in board, "o" in board, axes, start)
    return GAME.read_position(position, options)


def judge(state: State, text: str, by: str | None) -> Outcome:
    """What comes of an action by the seat that is to act, unless it is another's."""
    action = GAME.read_action(text)
    if isinstance(action, Refused):
        return action
    return GAME.decide(state, by or GAME.turn(state)[0].seat, action)


def accepted(state: State, text: str) -> Accepted[Fact]:
    outcome = judge(state, text, None)
    board = draw(GAME.scene(state, "spectator"))
    position = GAME.write_position(state)
    assert isinstance(outcome, Accepted), f"{text} is refused: {outcome}\n{position}\n{board}"
    return outcome


@pytest.fixture(scope="session")
def state_of() -> Callable[[str], State]:
    """`state_of(position)`: the state, under the options that the position shows."""
    return read


@pytest.fixture(scope="session")
def after() -> Callable[..., str]:
    """`after(position, action, ...)`: the position to which accepted actions lead."""

    def after(position: str, *texts: str) -> str:
        state = read(position)
        for text in texts:
            state = fold(GAME, state, accepted(state, text).facts)
        return GAME.write_position(state)

    return after


@pytest.fixture(scope="session")
def refusal() -> Callable[..., str]:
    """`refusal(position, action, by=mover)`: the rule that a refused action breaks."""

    def refusal(position: str, text: str, by: str | None = None) -> str:
        state = read(position)
        outcome = judge(state, text, by)
        board = draw(GAME.scene(state, "spectator"))
        assert isinstance(outcome, Refused), f"{text} is accepted\n{position}\n{board}"
        return outcome.rule

    return refusal


@pytest.fixture(scope="session")
def cited() -> Callable[..., dict[str, Figures]]:
    """`cited(position, action)`: the rules cited for an accepted action, with their figures."""

    def cited(position: str, text: str) -> dict[str, Figures]:
        outcome = accepted(read(position), text)
        return {rule: ruling.figures for ruling in outcome.rulings for rule in ruling.rules}

    return cited


@pytest.fixture(scope="session")
def choices() -> Callable[[str], list[str]]:
    """`choices(position)`: everything that the seat to act may do, as listed."""

    def choices(position: str) -> list[str]:
        state = read(position)
        return [GAME.write_action(action) for seat in SEATS for action in GAME.legal(state, seat)]

    return choices


@pytest.fixture(scope="session")
def scattered() -> Callable[[Random], State]:
    """`scattered(random)`: an open position with anything anywhere, most of which no game saw."""

    def grid(random: Random) -> str:
        dice = random.choice(("WWWB...", "WB", "B...", "......W"))
        cells = []
        for n in range(9):
            letter = "." if n == 4 else random.choice(dice)
            die = "" if letter == "." else random.choice("123") + random.choice(("", "", "u"))
            cells.append(letter + die + random.choice(("", "", "", "x")))
        return "/".join(",".join(cells[n : n + 3]) for n in (0, 3, 6))

    def shells(random: Random, squares: list[str]) -> str:
        chosen = sorted(random.sample(squares, random.choice((0, 0, 1, 3, 6))))
        return ",".join(f"{square}={random.randint(1, 3)}" for square in chosen) or "-"

    def attempt(random: Random) -> str:
        size = random.randint(5, 8)
        variants = random.choice(("", "a", "a", "ao", "o"))
        squares = [f"{file}{rank}" for file in "abcdefgh"[:size] for rank in range(1, size + 1)]
        phase = random.choice(
            (
                "init", f"init:{random.randint(2, 6)}", "improve", "swap", "use", "use", "use",
                f"roll:{random.choice(('white', 'black'))}",
                f"place:{random.choice('WB')}{random.randint(1, 3)}",
                f"hit:{random.choice(('fl', 'f', 'fr', 'l', 'r', 'bl', 'b', 'br'))}",
                f"shell:{random.choice(squares)}",
            )
        )  # fmt: skip
        golems = ",".join(random.sample(squares, 2))
        lying = shells(random, squares) if "a" in variants else "-"
        return (
            f"ew1 {size}{variants} {random.choice('wb')} {phase} {golems}"
            f" {grid(random)} {grid(random)} {lying} *"
        )

    def scattered(random: Random) -> State:
        while True:
            try:
                return read(attempt(random))
            except NotationError:
                continue  # too many dice, a line, or a question about nothing: scatter again

    return scattered


@pytest.fixture(scope="session")
def wandered() -> Callable[[Random, Options, int], list[State]]:
    """`wandered(random, options, steps)`: the states of a match of actions taken at random."""

    def wandered(random: Random, options: Options, steps: int) -> list[State]:
        states = [GAME.start(options)]
        while len(states) <= steps and (asked := GAME.turn(states[-1])):
            action = random.choice(list(GAME.legal(states[-1], asked[0].seat)))
            outcome = GAME.decide(states[-1], asked[0].seat, action)
            assert isinstance(outcome, Accepted)
            states.append(fold(GAME, states[-1], outcome.facts))
        return states

    return wandered
