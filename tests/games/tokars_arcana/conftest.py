"""Helpers that query the rules of Tokar's Arcana, and random positions."""

from collections.abc import Callable
from functools import reduce
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.facts import Fact
from domain.games.tokars_arcana.state import SEATS, Options, State
from domain.kernel.any_game import fold
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Accepted, Figures, Refused
from projections.drawing.text import draw

Outcome = Accepted[Fact] | Refused


def read(position: str, options: dict[str, Any]) -> State:
    rows = position.partition(" ")[0].count("/") + 1
    return GAME.read_position(position, msgspec.convert({"rows": rows, **options}, Options))


def judge(position: str, text: str, by: str | None, options: dict[str, Any]) -> tuple[State, Any]:
    """What comes of an action by the seat that is asked, unless it is another's."""
    state = read(position, options)
    action = GAME.read_action(text)
    if isinstance(action, Refused):
        return state, action
    asked = GAME.turn(state)
    return state, GAME.decide(state, by or (asked[0].seat if asked else "south"), action)


def accepted(
    position: str, text: str, by: str | None, options: dict[str, Any]
) -> tuple[State, Accepted[Fact]]:
    state, outcome = judge(position, text, by, options)
    board = draw(GAME.scene(state, "spectator"))
    assert isinstance(outcome, Accepted), f"{text} is refused: {outcome}\n{position}\n{board}"
    return state, outcome


@pytest.fixture(scope="session")
def after() -> Callable[..., str]:
    """`after(position, action, .., by=asked, option=value)`: where accepted actions lead."""

    def after(position: str, *texts: str, by: str | None = None, **options: Any) -> str:
        for text in texts:
            state, outcome = accepted(position, text, by, options)
            position = GAME.write_position(fold(GAME, state, outcome.facts))
        return position

    return after


@pytest.fixture(scope="session")
def refusal() -> Callable[..., str]:
    """`refusal(position, action, by=asked, option=value)`: the rule that it breaks."""

    def refusal(position: str, text: str, by: str | None = None, **options: Any) -> str:
        state, outcome = judge(position, text, by, options)
        board = draw(GAME.scene(state, "spectator"))
        assert isinstance(outcome, Refused), f"{text} is accepted\n{position}\n{board}"
        return outcome.rule

    return refusal


@pytest.fixture(scope="session")
def cited() -> Callable[..., dict[str, Figures]]:
    """`cited(position, action)`: the rules cited for an accepted action, with all their figures."""

    def cited(
        position: str, text: str, by: str | None = None, **options: Any
    ) -> dict[str, Figures]:
        _, outcome = accepted(position, text, by, options)
        found: dict[str, Figures] = {}
        for ruling in outcome.rulings:
            for rule in ruling.rules:
                found[rule] = {**found.get(rule, {}), **ruling.figures}
        return found

    return cited


@pytest.fixture(scope="session")
def orders() -> Callable[..., str]:
    """`orders(position, square)`: what is listed for the model there, without its square."""

    def orders(position: str, square: str = "", **options: Any) -> str:
        state = read(position, options)
        listed = (GAME.write_action(a) for seat in SEATS for a in GAME.legal(state, seat))
        own = [text for text in listed if text.startswith(square) and "resign" not in text]
        return " ".join(sorted(text.removeprefix(square).strip() for text in own))

    return orders


def facts_of(state: State, action: Action) -> tuple[Fact, ...]:
    assert GAME.consequences is not None
    return GAME.consequences(state, action)


def random_options(random: Random) -> Options:
    chosen = {
        "rows": random.choice((8, 9, 10, 10, 10, 12)),
        "south": random.choice(("human", "undead")),
        "north": random.choice(("human", "undead")),
        "formation": random.choice(("rotated", "mirrored")),
        "first": random.choice(("south", "north", "random")),
        "debriefing": random.random() < 0.1,
        "friendly_fire": random.choice(("cards", "cards", "any", "explicit")),
        "offboard": random.choice(("kill", "forbid")),
        "pass": random.choice(("always", "stuck")),
        "warrior": random.choice(("both", "either")),
        "trade": random.choice(("board", "graveyard")),
        "trade_square": random.choice(("freed", "empty")),
        "raise_rank": random.choice(("exact", "class")),
        "gestures": random.choice(("refused", "allowed")),
        "both_generals": random.choice(("actor", "draw")),
        "draw_offers": random.random() < 0.8,
        "quiet_limit": random.choice((0, 0, 15)),
    }
    return msgspec.convert(chosen, Options)


@pytest.fixture(scope="session")
def scattered() -> Callable[[Random], State]:
    """`scattered(random)`: a position with any units anywhere, most of which no game saw."""

    def model(random: Random, letter: str) -> str:
        moved = "!" if letter in "Xx" and random.random() < 0.2 else ""
        return letter + moved + "*" * (random.randint(1, 3) if random.random() < 0.15 else 0)

    def attempt(random: Random, options: Options) -> str:
        squares = [(x, y) for x in range(8) for y in range(options.rows)]
        count = random.randint(4, 40)
        letters = [
            random.choice("BN"),
            random.choice("bn"),
            *random.choices("IKWPQADSZMTXikwpqadszmtx", k=count - 2),
        ]
        board = dict(zip(random.sample(squares, count), letters, strict=True))
        rows = [
            "".join(model(random, board[x, y]) if (x, y) in board else "." for x in range(8))
            for y in range(options.rows)
        ]
        text = "/".join(rows)
        for gap in range(8, 0, -1):
            text = text.replace("." * gap, str(gap))
        order = "IKWPQADBSZMTXN"
        graves = [
            "".join(sorted(random.choices("IKWPQADSZMTX", k=random.randint(0, 6)), key=order.index))
            for _ in SEATS
        ]
        quiet = str(random.randint(0, 14)) if options.quiet_limit else "-"
        phases = [
            "order", "order", "order", "order", "order!", "draw", "vanquish:zi*", "vanquish:MS",
            "revive:P", "revive:pP", "revive:p", "endrevive:p", "endrevive:PP",
            f"raise:{random.choice('abcdefgh')}{random.randint(1, options.rows)}:soldier",
        ]  # fmt: skip
        grave, other = graves[0] or "-", graves[1].lower() or "-"
        turn, phase = random.choice(SEATS), random.choice(phases)
        return f"{text} {grave} {other} {turn} {phase} {quiet}"

    def scattered(random: Random) -> State:
        while True:
            options = random_options(random)
            try:
                return GAME.read_position(attempt(random, options), options)
            except NotationError:
                continue  # a phase that does not fit the board: scatter again

    return scattered


@pytest.fixture(scope="session")
def wandered() -> Callable[[Random], tuple[State, list[tuple[str, Action]]]]:
    """`wandered(random)`: the start of a match, and what was done in it, the generals spared.

    Actions that would end the game at once are taken only now and then, so that matches get long.
    """

    def wandered(random: Random) -> tuple[State, list[tuple[str, Action]]]:
        state = start = GAME.start(random_options(random))
        done: list[tuple[str, Action]] = []
        while (asked := GAME.turn(state)) and len(done) < 150:
            seat = random.choice(asked).seat
            listed = [a for a in GAME.legal(state, seat) if not GAME.is_administrative(a)]
            for _ in range(20):
                action = random.choice(listed)
                after = reduce(GAME.evolve, facts_of(state, action), state)
                if GAME.result(after) is None:
                    break
            done.append((seat, action))
            state = after
        return start, done

    return wandered
