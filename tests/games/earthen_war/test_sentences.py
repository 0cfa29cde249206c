"""What is said: prompts, what actions do, what came of them."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.earthen_war import GAME
from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.state import Options, State
from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.kernel.narration import Narration
from domain.kernel.rulings import Accepted, Figures, Refused
from tests.games.golden import assert_golden, book, moments
from tests.hypothesis_settings import example_settings

StateOf = Callable[[str], State]

EMPTY = ".,.,./.,.,./.,.,."
LINE = ".x,.x,.x/.,.,./.,.,."


def narrate(state: State, text: str) -> Narration:
    action, seat = GAME.read_action(text), GAME.turn(state)[0].seat
    assert not isinstance(action, Refused)
    done = GAME.decide(state, seat, action)
    assert isinstance(done, Accepted), done
    resolved = ResolvedAction(seat, action, done.facts, done.rulings)
    return GAME.narrate(state, resolved, fold(GAME, state, done.facts))


@pytest.mark.parametrize(
    ("position", "caption"),
    [
        (f"ew1 6 w init c0,d7 {EMPTY} {EMPTY} - *", "White to roll two dice for the initiative"),
        (
            f"ew1 6 b init:4 c0,d7 {EMPTY} {EMPTY} - *",
            "Black to roll two dice for the initiative (White has 4)",
        ),
        (
            f"ew1 6 w improve c3,d4 {EMPTY} {EMPTY} - *",
            "White to improve: add a die, upgrade or downgrade one, or do nothing",
        ),
        (
            f"ew1 6 w swap c3,d4 {EMPTY} {EMPTY} - *",
            "White to swap two adjacent squares of the grid, or nothing",
        ),
        (
            f"ew1 6 w use c3,d4 W2,B2u,./W1,.,./.,B1,. {EMPTY} - *",
            "White to use a die (white 2 on front-left, white 1 on left, black 1 on back), or end"
            " the turn",
        ),
        (
            f"ew1 6 w use c3,c4 .,W1,./.,.,./.,B1u,. {EMPTY} - *",
            "White to end the turn: no die can be used",
        ),
        (f"ew1 6 b roll:white c3,d4 {EMPTY} {EMPTY} - *", "Black to roll the new white die"),
        (
            f"ew1 6 b place:W3 c3,d4 {EMPTY} {EMPTY} - *",
            "Black to place the new white 3 on the grid: there it moves the golem 3 squares",
        ),
        (
            f"ew1 6 w hit:f c3,d4 {EMPTY} .,.x,./.,.,./.,.,. - *",
            "White to roll where the damage goes, for Black's front is damaged already: a white"
            " die for the column, a black die for the row",
        ),
        (
            f"ew1 6r w hit:f c3,d4 {EMPTY} .,.x,./.,.,./.,.,. - *",
            "White to roll where the damage goes, for Black's front is damaged already: a white"
            " die for the row, a black die for the column",
        ),
        (
            f"ew1 6a w shell:a1 c3,d4 {EMPTY} {EMPTY} - *",
            "White to place a shell on a1, which explodes after 3 turns, or no shell",
        ),
        (
            f"ew1 6 - - c3,d4 {EMPTY} {LINE} - white",
            "White has won: three damage tokens in a row (front-left, front and front-right)"
            " destroy Black's golem",
        ),
        (
            f"ew1 6a - - c3,d4 {LINE} {LINE} - draw",
            "Drawn: three damage tokens in a row destroy both golems at once",
        ),
    ],
)
def test_the_caption_says_who_is_to_do_what(state_of: StateOf, position: str, caption: str) -> None:
    assert GAME.caption(state_of(position), SPECTATOR) == caption


@pytest.mark.parametrize(
    ("position", "text", "outcome"),
    [
        (
            f"ew1 6 b init:3 c0,d7 {EMPTY} {EMPTY} - *",
            "dice 3 1",
            "Black rolls 3 and 1 for the initiative: 4 against White's 3, so Black begins.",
        ),
        (
            f"ew1 6 b init:4 c0,d7 {EMPTY} {EMPTY} - *",
            "dice 3 1",
            "Black rolls 3 and 1 for the initiative: 4, a tie, so both roll again, White first.",
        ),
        (
            f"ew1 6 w improve c1,d6 .,B2,./.,.,./.,.,. {EMPTY} - *",
            "up f",
            "White upgrades the black 2 on front to 3.",
        ),
        (
            f"ew1 6 w improve c1,d6 .,W1,./.,.,./.,.,. {EMPTY} - *",
            "down f",
            "White downgrades the white 1 on front: it goes back to the supply.",
        ),
        (
            f"ew1 6 w swap c1,d6 .,.,./.,.,./.,W2,B3 {EMPTY} - *",
            "swap b br",
            "White swaps the white 2 on back with the black 3 on back-right.",
        ),
        (
            f"ew1 6 w swap c1,d6 .,.,./B1,.,./.,.,. {EMPTY} - *",
            "swap fl l",
            "White swaps the black 1 on left with the empty front-left.",
        ),
        (
            f"ew1 6 b use b2,d4 {EMPTY} .,W2,./.,.,./.,.,. - *",
            "use f",
            "Black's golem moves 2 squares south by the white 2 on front, from d4 to d2.",
        ),
        (
            f"ew1 6 w use c3,c4 .,B1,./.,.,./.,.,. {EMPTY} - *",
            "use f",
            "White attacks Black's golem on c4, 1 square north, by the black 1 on front: a hit,"
            " with damage on front. The die goes back to the supply.",
        ),
        (
            f"ew1 6 w use c3,c4 .,B2,./.,.,./.,.,. {EMPTY} - *",
            "use f",
            "White attacks the empty square c5, 2 squares north, by the black 2 on front: no golem"
            " is hit. The die becomes a 1.",
        ),
        (
            "ew1 6 w use c3,c4 .,B1,./.,.,./.,.,. .,.x,./.,.,./.,.,. - *",
            "use f",
            "White attacks Black's golem on c4, 1 square north, by the black 1 on front: a hit on"
            " front, which is damaged already, so two dice tell where the damage goes. The die"
            " goes back to the supply.",
        ),
        (
            f"ew1 6 w hit:f c3,c4 {EMPTY} .,.x,./.,.,./.,.,. - *",
            "dice 1 3",
            "The dice show white 1, black 3: Black's back-left is damaged.",
        ),
        (
            f"ew1 6 w hit:f c3,c4 {EMPTY} .,.x,./.,.,./.,.,. - *",
            "dice 2 1",
            "The dice show white 2, black 1: Black's front is damaged already and takes no more"
            " damage.",
        ),
        (
            f"ew1 6a w use c3,d5 {EMPTY} .,W1u,./.,.,./.,.,. a6=3,c4=1 *",
            "end",
            "White ends the turn, and Black's used dice are available again. The shell on c4"
            " explodes: White's golem is damaged on front and Black's golem is damaged on"
            " front-right.",
        ),
        (
            f"ew1 6a w use c3,d5 {EMPTY} {EMPTY} a6=3,c4=2 *",
            "end",
            "White ends the turn. Shells count down: c4 to 1 and a6 to 2.",
        ),
        (
            f"ew1 6a w use c2,f6 .,W1,./.,.,./.,.,. {EMPTY} c3=3,d3=2 *",
            "use f",
            "White's golem moves 1 square north by the white 1 on front, from c2 to c3. The shells"
            " on c3 and d3 explode: White's golem is damaged on front and front-right.",
        ),
        (
            "ew1 6a w use c1,b3 .,W3,./.,.,./.,.,. .,.x,.x/.,.,./.,.,. c2=3 *",
            "use f",
            "White's golem uses the white 3 on front and stays on c1. The shell on c2 explodes."
            " White wins: three damage tokens in a row (front-left, front and front-right) destroy"
            " Black's golem.",
        ),
    ],
)
def test_an_outcome_is_narrated_in_full(
    state_of: StateOf, position: str, text: str, outcome: str
) -> None:
    assert narrate(state_of(position), text).outcome == outcome


def test_a_new_die_is_narrated_with_its_effect(state_of: StateOf) -> None:
    state = state_of(f"ew1 6 b improve c3,d5 {EMPTY} {EMPTY} - *")
    for text, outcome in (
        ("add black", "Black takes a new black die: 9 of 10 are left in the supply."),
        ("dice 2", "Black's new black die shows 2."),
        ("place fl", "Black places the black 2 on front-left, where it attacks 2 squares"
         " south-east."),
    ):  # fmt: skip
        assert narrate(state, text).outcome == outcome
        action = GAME.read_action(text)
        assert not isinstance(action, Refused)
        done = GAME.decide(state, "black", action)
        assert isinstance(done, Accepted)
        state = fold(GAME, state, done.facts)


def test_facts_are_narrated_in_order(state_of: StateOf) -> None:
    position = f"ew1 6a w use c3,d5 W1u,.,./.,.,./.,.,. {EMPTY} c4=1,d4=2 *"
    assert narrate(state_of(position), "end").facts == (
        "Black's turn begins.",
        "Every shell has one turn less.",
        "The shell on c4 explodes.",
        "The shell on d4 explodes.",
        "White's golem is damaged on front.",
        "Black's golem is damaged on front-right.",
        "White's golem is damaged on front-right.",
        "Black's golem is damaged on front.",
    )
    placed = f"ew1 6a w shell:c4 c1,d5 {EMPTY} {EMPTY} - *"
    assert narrate(state_of(placed), "shell").facts == (
        "A shell lies on c4 and explodes after 3 turns.",
        "",
    )


def test_facts_without_an_action_are_narrated_too(state_of: StateOf) -> None:
    """A correction by the referee has no action."""
    state = state_of(f"ew1 6 w use c3,c4 .,B1,./.,.,./.,.,. {EMPTY} - *")
    action = GAME.read_action("use f")
    assert not isinstance(action, Refused)
    done = GAME.decide(state, "white", action)
    assert isinstance(done, Accepted)
    narration = GAME.narrate(
        state, ResolvedAction("", None, done.facts), fold(GAME, state, done.facts)
    )
    assert narration.outcome == (
        "White returns the black 1 on front to the supply. Black's golem is damaged on front."
    )


@example_settings(30)
@given(st.randoms(use_true_random=True))
def test_every_outcome_is_short(scattered: Callable[[Random], State], random: Random) -> None:
    state = scattered(random)
    for prompt in GAME.turn(state):
        for action in GAME.legal(state, prompt.seat):
            done = GAME.decide(state, prompt.seat, action)
            assert isinstance(done, Accepted)
            after = fold(GAME, state, done.facts)
            outcome = GAME.narrate(
                state, ResolvedAction(prompt.seat, action, done.facts), after
            ).outcome
            assert 1 <= outcome.count(".") <= 3, outcome
            assert len(outcome) <= 240, outcome


def test_every_kind_of_fact_is_in_the_golden_file() -> None:
    assert {type(fact) for m in moments(GAME) for fact in m.done.facts} == set(get_args(Fact))


def test_the_golden_file_has_an_example_of_everything_that_is_said() -> None:
    assert_golden(Path(__file__).parent / "golden" / "sentences.txt", book(GAME))


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"grid_square": "fl", "from": "a4", "distance": 2, "direction": "north-east", "to": "c6"},
         "front-left of the grid, from a4, 2 squares, towards the north-east, to c6"),
        ({"to": "off the battlefield"}, "off the battlefield"),
        ({"first": "black", "white_total": 3, "black_total": 5}, "White 3, Black 5, Black begins"),
        ({"first": "fl", "second": "l"}, "front-left, left"),
        ({"seat": "white", "dice": "1 2", "total": 3}, "White, dice 1 and 2, 3 in all"),
        ({"seat": "white", "dice": 3}, "White, 3 dice"),
        ({"black_line": "fl f fr"}, "Black's front-left, front and front-right"),
    ],
)  # fmt: skip
def test_figures_are_said_as_people_say_them(figures: Figures, said: str) -> None:
    state = GAME.start(Options())
    assert ", ".join(GAME.figures_in_words(state, figures, state)) == said
