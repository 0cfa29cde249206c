"""Helpers that query the rules of Res Arcana, in notation.

A position is written by seats: `pool | table | hand | deck | discard | todo`, what is left out at
the end being empty; a leading `out` means that the seat has passed, a leading `gone` that it has
resigned. The rest has usual values.
"""

from collections.abc import Callable, Iterable
from random import Random

import msgspec
import pytest

from domain.games.res_arcana import GAME
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.packs import BASE
from domain.games.res_arcana.state import SEATS, Options, State
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted, Figures, Refused
from projections.drawing.text import draw

PACK = BASE
REST = {"row": "great-pyramid,library", "mdeck": "oracle,temple", "places": "-"}


def area(seat: str, text: str) -> str:
    there = "in"
    if text.startswith(("out ", "gone ")):
        there, _, text = text.partition(" ")
    pool, table, hand, deck, discard, todo = (
        *(part.strip() or "-" for part in text.split("|")),
        *["-"] * 5,
    )[:6]
    return "/".join((seat, there, pool, table, hand, deck, discard, "-", "-", todo))


def _rest(cards: Iterable[str], tables: str) -> str:
    """Those of the cards that no seat has."""
    return ",".join(card for card in cards if card not in tables) or "-"


def written(queue: str = "act", turn: str = "north", **fields: str) -> str:
    seats = [seat for seat in SEATS if seat in fields]
    tables = " ".join(fields[seat] for seat in seats)
    lying = {name: _rest(cards.split(","), tables) for name, cards in REST.items()}
    rest = lying | fields
    return " ".join(
        (
            "ra1",
            rest.get("rules", "t1"),
            rest.get("round", "r3"),
            rest.get("first", "north"),
            turn,
            queue,
            _rest(PACK.items, tables),
            rest["places"],
            rest["row"],
            rest["mdeck"],
            *(area(seat, fields[seat]) for seat in seats),
        )
    )


def read(position: str) -> State:
    fields = position.split(" ")
    players, token = len(fields) - 10, fields[1][1]
    options = msgspec.convert({"players": players, "token": token}, Options)
    return GAME.read_position(position, options)


def judge(state: State, line: str) -> Accepted[Fact] | Refused:
    """What comes of `seat action`."""
    seat, _, text = line.partition(" ")
    action = GAME.read_action(text)
    return action if isinstance(action, Refused) else GAME.decide(state, seat, action)


def accepted(state: State, line: str) -> Accepted[Fact]:
    outcome = judge(state, line)
    if isinstance(outcome, Refused):
        board = draw(GAME.scene(state, "referee"))
        pytest.fail(f"{line} is refused: {outcome}\n{GAME.write_position(state)}\n{board}")
    return outcome


def played(position: str, *lines: str) -> State:
    state = read(position)
    for line in lines:
        state = fold(GAME, state, accepted(state, line).facts)
    return state


@pytest.fixture(scope="session")
def at() -> Callable[..., str]:
    """`at(queue, turn, north=..., east=...)`: a position, its seats written as above."""
    return written


@pytest.fixture(scope="session")
def after() -> Callable[..., str]:
    """`after(position, "north use prism 1 1e", ...)`: the position that these lead to."""

    def after(position: str, *lines: str) -> str:
        return GAME.write_position(played(position, *lines))

    return after


@pytest.fixture(scope="session")
def refusal() -> Callable[..., str]:
    """`refusal(position, ..., "north pass hawk")`: the rule that the last of these breaks."""

    def refusal(position: str, *lines: str) -> str:
        state = played(position, *lines[:-1])
        outcome = judge(state, lines[-1])
        board = draw(GAME.scene(state, "referee"))
        assert isinstance(outcome, Refused), f"{lines[-1]} is accepted\n{position}\n{board}"
        assert outcome.why
        return outcome.rule

    return refusal


@pytest.fixture(scope="session")
def cited() -> Callable[..., dict[str, Figures]]:
    """`cited(position, ..., action)`: the rules cited for the last of these, with figures."""

    def cited(position: str, *lines: str) -> dict[str, Figures]:
        outcome = accepted(played(position, *lines[:-1]), lines[-1])
        return {rule: ruling.figures for ruling in outcome.rulings for rule in ruling.rules}

    return cited


@pytest.fixture(scope="session")
def legal() -> Callable[..., list[str]]:
    """`legal(position, seat)`: what this seat may do, sorted."""

    def legal(position: str, seat: str, verb: str = "") -> list[str]:
        listed = map(GAME.write_action, GAME.legal(read(position), seat))
        return sorted(text for text in listed if text.startswith(verb))

    return legal


@pytest.fixture(scope="session")
def seat_of() -> Callable[[str, str], str]:
    """`seat_of(position, seat)`: what is that seat's, written as in `at`."""

    def seat_of(position: str, seat: str) -> str:
        field = next(f for f in position.split(" ") if f.startswith(f"{seat}/"))
        _, there, pool, table, hand, deck, discard, _, _, todo = field.split("/")
        parts = ["" if part == "-" else part for part in (table, hand, deck, discard, todo)]
        text = pool + " " + "".join(f"| {part} " if part else "|" for part in parts)
        return ("" if there == "in" else f"{there} ") + text.rstrip("| ")

    return seat_of


@pytest.fixture(scope="session")
def wandered() -> Callable[..., list[tuple[State, str, str]]]:
    """`wandered(random, options, steps)`: a random match, each state with who did what in it."""

    def wandered(random: Random, options: Options, steps: int) -> list[tuple[State, str, str]]:
        state, course = GAME.start(options), []
        for _ in range(steps):
            prompts = GAME.turn(state)
            if not prompts:
                break
            seat = random.choice(prompts).seat
            action = random.choice(list(GAME.legal(state, seat)))
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted), (GAME.write_position(state), action, outcome)
            course.append((state, seat, GAME.write_action(action)))
            state = fold(GAME, state, outcome.facts)
        return [*course, (state, "", "")]

    return wandered
