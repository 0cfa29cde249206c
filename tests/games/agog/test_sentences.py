"""What is said: prompts, what actions do, what came of them."""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.facts import Fact
from domain.games.agog.state import Options, State
from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.kernel.narration import Narration
from domain.kernel.rulings import Accepted, Figures, Refused
from tests.games.golden import assert_golden, book, moments

GATE = "8/3j4/8/8/8/2G4H/8/J7 w 0 0 - *"
PAIR = "7j/8/8/8/8/1h6/g7/J7 w 1 0 - *"


def state_of(position: str) -> State:
    return GAME.read_position(position, Options(fresh_supply=" fresh " in position))


def action_of(text: str) -> Action:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    return action


def narrate(position: str, text: str, by: str | None = None) -> Narration:
    state, action = state_of(position), action_of(text)
    seat = by or GAME.turn(state)[0].seat
    done = GAME.decide(state, seat, action)
    assert isinstance(done, Accepted), done
    resolved = ResolvedAction(seat, action, done.facts, done.rulings)
    return GAME.narrate(state, resolved, fold(GAME, state, done.facts))


@pytest.mark.parametrize(
    ("position", "caption"),
    [
        ("7j/8/8/8/8/8/8/J7 b 0 0 - *", "Black to move"),
        (
            "7j/8/8/8/2h5/2J5/8/8 w 1 0 - *",
            "White to capture 1 unit, with the journeyman on c3",
        ),
        (
            "7j/8/8/3gG3/2gg4/2GG4/8/J7 w 0 0 - *",
            "White to capture 1 unit, with the golem on e5 or the golem on c3",
        ),
        (
            "8/8/8/2J5/8/8/8/8 - 5 0 - 1-0:capture",
            "White has won by capture: Black's journeyman is captured",
        ),
        (
            "7j/8/8/8/8/8/8/J7 - 0 0 - 0-1:resign",
            "Black has won by resignation: White has resigned",
        ),
    ],
)
def test_the_caption_says_who_is_to_do_what(position: str, caption: str) -> None:
    assert GAME.caption(state_of(position), SPECTATOR) == caption


@pytest.mark.parametrize(
    ("position", "text", "sentence"),
    [
        ("7j/8/G7/8/8/8/8/J7 w 0 0 - *", "a6-b6", "Move the golem from a6 to b6"),
        (
            PAIR,
            "a1xa3+c3",
            "Jump with the journeyman from a1 to a3 to c3: capture the golem on a2 and corrupt"
            " the hulk on b3",
        ),
        (GATE, "h3-h8=c3", "Move the hulk from h3 to h8, and make the golem on c3 a hulk"),
        (GATE, "h3-h8=out", "Move the hulk from h3 to h8, and remove it from play"),
        (GATE, "resign black", "Resign: White wins"),
    ],
)
def test_an_action_says_what_it_does(position: str, text: str, sentence: str) -> None:
    assert GAME.parts(state_of(position), action_of(text)).sentence == sentence


def test_a_capture_shows_the_way_what_was_jumped_and_what_is_removed_from_play() -> None:
    assert narrate(PAIR, "a1xa3+c3") == Narration(
        "White's journeyman jumps from a1 to a3 to c3: it captures the golem on a2 and corrupts"
        " the hulk on b3. Golems removed from play: White 0, Black 2.",
        (
            "White's journeyman goes from a1 to c3.",
            "Black's golem on a2 is captured (golems removed from play: White 1, Black 1).",
            "Black's hulk on b3 is corrupted and is White's corrupted hulk now (golems removed"
            " from play: White 0, Black 2).",
            "",
        ),
    )


def test_what_ends_on_the_enemy_sanctum_shows_what_becomes_of_it() -> None:
    assert narrate(GATE, "h3-h8=c3").outcome == (
        "White's hulk moves from h3 to h8. It ends on the enemy sanctum h8 and makes the golem on"
        " c3 a hulk. Golems removed from play: White 1, Black 0."
    )
    assert narrate(GATE, "h3-h8=out").outcome == (
        "White's hulk moves from h3 to h8. It ends on the enemy sanctum h8 and is removed from"
        " play. Golems removed from play: White 2, Black 0."
    )


@pytest.mark.parametrize(
    ("position", "text", "by", "end"),
    [
        (
            "8/8/8/8/2j5/2G5/8/J7 w 0 0 - *",
            "c3xc5",
            "white",
            "White wins by capture: Black's journeyman is captured.",
        ),
        (
            "8/7J/8/8/3j4/8/8/8 w 0 0 - *",
            "h7-h8",
            "white",
            "White wins by sanctum: its journeyman has ended the turn on the enemy sanctum h8.",
        ),
        (
            "Jgg5/8/8/4j3/8/8/8/8 b 0 0 - *",
            "e5-d5",
            "black",
            "Black wins by immobilization: White has no legal move.",
        ),
        (PAIR, "resign black", "black", "White wins by resignation: Black has resigned."),
    ],
)
def test_the_end_shows_who_won_and_why(position: str, text: str, by: str, end: str) -> None:
    narration = narrate(position, text, by)
    assert narration.outcome.endswith(end)
    assert narration.facts[-1] == end


def test_a_long_sequence_is_abbreviated() -> None:
    crowd = "3g1g1j/2G1ghgg/5g1g/4ggg1/1GG5/J1G3g1/2C1Gg2/6G1 w 13 5 - *"
    assert narrate(crowd, "e2xg2xg4xg6xe6xe8xg8xg6").outcome == (
        "White's golem makes 7 jumps from e2 to g6: it captures the golem on f2, the golem on g3,"
        " the golem on g5 and 4 more. Golems removed from play: White 13, Black 12."
    )


@settings(max_examples=8)
@given(st.randoms(use_true_random=True))
def test_every_outcome_is_short(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    state, actions = wandered(random)
    assert GAME.consequences is not None
    for action in actions:
        facts = GAME.consequences(state, action)
        after = reduce(GAME.evolve, facts, state)
        narration = GAME.narrate(
            state, ResolvedAction(GAME.turn(state)[0].seat, action, facts), after
        )
        assert 1 <= narration.outcome.count(".") <= 3
        assert len(narration.outcome) <= 240
        assert len(narration.facts) == len(facts)
        state = after


def test_facts_without_an_action_are_narrated_too() -> None:
    """A correction by the referee has no action."""
    state = state_of(PAIR)
    done = GAME.decide(state, "white", action_of("a1xa3+c3"))
    assert isinstance(done, Accepted)
    narration = GAME.narrate(
        state, ResolvedAction("", None, done.facts), fold(GAME, state, done.facts)
    )
    assert narration.outcome.startswith("White's journeyman goes from a1 to c3. Black's golem")


def test_every_kind_of_fact_is_in_the_golden_file() -> None:
    assert {type(fact) for m in moments(GAME) for fact in m.done.facts} == set(get_args(Fact))


def test_the_golden_file_has_an_example_of_everything_that_is_said() -> None:
    assert_golden(Path(__file__).parent / "golden" / "sentences.txt", book(GAME))


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"unit": "golem", "square": "c4", "white_supply_before": 2, "white_supply_after": 2,
          "black_supply_before": 0, "black_supply_after": 1},
         "the golem, on c4, Black had no golem removed from play before, 1 now"),
        ({"unit": "hulk", "sanctum": "h8", "square": "c3"},
         "the hulk, on the sanctum h8, with the golem on c3"),
        ({"from": "c3", "over": "c4", "to": "c5", "way": "forward"},
         "from c3, over c4, to c5, forward"),
        ({"winner": "white"}, "White wins"),
        ({"handicap": 2, "left_off": "d4 e5"}, "2 golems left off, from d4 and e5"),
    ],
)  # fmt: skip
def test_figures_are_said_as_people_say_them(figures: Figures, said: str) -> None:
    state = GAME.start(Options())
    assert ", ".join(GAME.figures_in_words(state, figures, state)) == said
