"""What is said: what actions do, what came of them, and each fact."""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.facts import Fact, PriestLost
from domain.games.tokars_arcana.state import Options, State
from domain.kernel.any_game import fold
from domain.kernel.game import ResolvedAction
from domain.kernel.narration import Narration
from domain.kernel.parts import Parts, Pick
from domain.kernel.rulings import Accepted, Figures, Refused
from tests.games.golden import assert_golden, book, moments
from tests.hypothesis_settings import example_settings

BUSY = "7n/8/8/8/3m**4/2z1s3/2IBt3/8/3X!4/8 IIK m south order -"


def state_of(position: str, options: Options | None = None) -> State:
    return GAME.read_position(position, options or Options())


def action_of(text: str) -> Action:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    return action


def parts_of(position: str, text: str, options: Options | None = None) -> Parts:
    return GAME.parts(state_of(position, options), action_of(text))


def narrate(position: str, text: str, options: Options | None = None) -> Narration:
    state, action = state_of(position, options), action_of(text)
    seat = GAME.turn(state)[0].seat
    done = GAME.decide(state, seat, action)
    assert isinstance(done, Accepted), done
    resolved = ResolvedAction(seat, action, done.facts, done.rulings)
    return GAME.narrate(state, resolved, fold(GAME, state, done.facts))


# --- parts ---------------------------------------------------------------------------------------


def test_the_parts_of_an_order_name_what_a_player_points_at_in_turn() -> None:
    parts = parts_of(BUSY, "d4-d5*d6")
    assert parts == Parts(
        "strike",
        "South's Battle Mage goes from d4 to d5 and kills North's Mummy on d6",
        ("model-d4", "model-d6"),
        ("d4", "d5", "d6"),
        actor="model-d4",
        line="strike",
        picks=(Pick("d5", "to"), Pick("model-d6", "target")),
    )
    assert parts_of(BUSY, "d4 vanquish").spaces == ("d4",)


def test_units_of_a_graveyard_are_choices() -> None:
    far = "1I*3S2/2I4n/8/8/8/8/8/8/8/3B4 KWP - south order -"
    parts = parts_of(far, "d1 promote b10 W")
    assert parts.choices == ("Wind Mage",)
    assert parts.sentence == (
        "South's Battle Mage on d1 promotes South's Imperial Warrior on b10: a Wind Mage from the"
        " graveyard takes its square, and it goes to the graveyard"
    )
    trade = "7n/8/8/8/8/8/8/8/3S4/3N4 SSZM - south order -"
    dead = parts_of(trade, "d1 trade S S M e2", Options(trade="graveyard"))
    assert dead.choices == ("Skeleton", "Skeleton", "Mummy")


def test_a_throw_after_a_slide_names_the_model_that_is_hit_though_it_was_swapped() -> None:
    row = "7n/8/8/8/8/8/8/B7/8/3Az3 - - south order -"
    parts = parts_of(row, "d1-f1 brew d1")
    assert parts.pieces == ("model-d1", "model-e1")
    assert parts.spaces == ("d1", "f1", "d1")
    assert parts.sentence == (
        "South's Alchemist slides from d1 to f1, changing places with North's Zombie; then he"
        " throws firebrew at North's Zombie on d1 (3 tokens)"
    )


ANSWERS = {
    "south vanquish:zm": ("place a2", "South sets North's Zombie down on a2"),
    "south revive:p": (
        "revive a2",
        "The guardian angel saves North's Priest of the Winds from the graveyard: he stands on a2,"
        " and his angel is spent",
    ),
    "south endrevive:P": (
        "decline",
        "South's Priest of the Winds stays dead, since South calls no angel",
    ),
    "north raise:a1:soldier": (
        "raise S a2",
        "North's Zombie on a1 raises a Skeleton from the graveyard on a2",
    ),
    "north raise:a1:sergeant": ("skip", "North's Zombie on a1 raises nobody"),
    "south draw": ("draw accept", "North accepts the draw"),
    "south brief:sn": ("ready north", "North is ready"),
    "- toss": ("first north", "North takes the first turn"),
    "north order": ("pass", "North passes"),
    "south order": ("resign north", "North resigns"),
}


@pytest.mark.parametrize("phase", ANSWERS)
def test_answers_are_described_in_sentences(phase: str) -> None:
    text, sentence = ANSWERS[phase]
    assert parts_of(f"7n/8/8/8/8/8/8/8/8/z6B - sz {phase} -", text).sentence == sentence


# --- what came of it -----------------------------------------------------------------------------

NARRATIONS = {
    ("8/8/8/8/8/n3s3/4S3/8/8/2s**B4 - - north order -", "c1 return b5"): Narration(
        "North's Skeleton walks over the far edge from c1 and reappears beside its general on b5."
        " Firebrew burns on North's Skeleton on b5 (1 token left).",
        (
            "North's Skeleton goes from c1 to b5.",
            "A firebrew token burns away on North's Skeleton on b5: 1 left.",
            "",
        ),
    ),
    ("3x3n/s7/8/8/8/8/8/8/3X4/7B - - north order -", "d10 wind a9"): Narration(
        "North's Dark Priest on d10 sacrifices North's Skeleton on a9: the night wind pushes 1 of"
        " South's 2 models one square back; South's Dark Priest, moved to d1, takes no order next"
        " turn.",
        (
            "North's Skeleton on a9 goes to the graveyard.",
            "The night wind pushes 1 of South's 2 models one square back: South's Dark Priest from"
            " d2 to d1; South's Dark Priest, moved to d1, takes no order next turn.",
            "",
        ),
    ),
    ("7n/8/8/8/8/8/8/B4i2/8/3Az3 - - south order -", "d1 brew e1 then f1"): Narration(
        "South's Alchemist on d1 throws firebrew at North's Zombie on e1 (3 tokens); then he"
        " slides to f1, changing places with North's Zombie.",
        (
            "Firebrew strikes North's Zombie on e1: 3 tokens.",
            "South's Alchemist slides from d1 to f1, changing places with North's Zombie (now on"
            " d1).",
            "",
        ),
    ),
    ("7n/8/8/8/8/8/4z3/8/8/7B - stt north revive:P+raise:e4:captain -", "revive d3"): Narration(
        "The guardian angel saves South's Priest of the Winds from the graveyard: he stands on d3,"
        " and his angel is spent. For its victim, North's Zombie on e4 may raise a captain.",
        (
            "The guardian angel sets South's Priest of the Winds down on d3.",
            "For its victim, North's Zombie on e4 may raise a captain.",
        ),
    ),
    ("8/8/3n4/3D4/8/8/8/8/8/B7 - - south order -", "d7*d8"): Narration(
        "South's Duelist on d7 kills North's Necromancer on d8 with his pistol. North's general is"
        " dead: South wins.",
        (
            "North's Necromancer on d8 dies.",
            "North's general is dead: South wins.",
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("position", "text"), NARRATIONS)
def test_an_event_is_narrated_as_a_whole_and_fact_by_fact(position: str, text: str) -> None:
    assert narrate(position, text) == NARRATIONS[position, text]


@pytest.mark.parametrize(
    ("position", "text", "outcome"),
    [
        (  # nobody else killed it
            "7n/8/8/8/8/8/8/8/8/7B - - south order -", "h1 off",
            "South's Battle Mage on h1 walks off the board and dies. South's general is dead: North"
            " wins.",
        ),
        (
            "7n/8/8/8/8/8/8/8/4**4/W2B4 - - north order -".replace("4**4", "8"), "pass",
            "North passes.",
        ),
        (
            "7n/8/8/8/8/8/8/8/8/W*2B*4 - - south order -", "pass",
            "South passes. Firebrew kills South's Wind Mage on a1 and South's Battle Mage on d1."
            " South's general is dead: North wins.",
        ),
        (
            "7n/8/8/8/8/8/8/8/8/W*2B**4 - - south order -", "pass",
            "South passes. Firebrew kills South's Wind Mage on a1, and burns on 1 more model.",
        ),
        (
            "7n/8/8/8/8/8/8/8/8/P*2B4 - - south order -", "pass",
            "South passes. Firebrew kills South's Priest of the Winds on a1. A guardian angel may"
            " save South's Priest of the Winds.",
        ),
        (
            "3x4/8/8/8/8/2Ptn3/3B4/8/8/8 - - north order -", "d10 explode d5",
            "North's Dark Priest on d10 explodes North's Tomb Keeper on d5, which dies with South's"
            " Battle Mage on d4, North's Necromancer on e5 and South's Priest of the Winds on c5."
            " Both generals are dead: North, whose turn it was, wins.",
        ),
        (
            "7n/8/8/8/8/8/8/1X1k3/8/7B - - south order -".replace("1X1k3", "X1k5"), "draw offer",
            "South offers a draw.",
        ),
        (
            "8/8/3n4/8/8/8/8/8/8/B2D4 - - south order -", "d1-c1",
            "South's Duelist goes from d1 to c1. Check: North's general on d8 is in danger from"
            " South's Duelist on c1.",
        ),
        (
            "7n/8/8/8/8/3i4/3Bs3/8/8/8 - - south order -", "d4 vanquish",
            "South's Battle Mage on d4 vanquishes North's Skeleton on e4 and North's Imperial"
            " Warrior on d5: South chooses a free square for each.",
        ),
    ],
)  # fmt: skip
def test_the_outcome_says_who_did_what_and_what_came_of_it(
    position: str, text: str, outcome: str
) -> None:
    assert narrate(position, text).outcome == outcome


def test_what_is_the_least_of_it_is_left_out_of_a_long_outcome() -> None:
    row = "7n/8/8/8/8/8/8/q1q1q3/8/AQ**QQ1Q1B - - south order -"
    narration = narrate(row, "a1-f1 brew e3")
    assert narration.outcome == (
        "South's Alchemist slides from a1 to f1; then he throws firebrew at North's Priest of the"
        " Winds without angel on e3 (3 tokens)."
    )
    assert len(narration.facts[0]) > 240


def test_quiet_turns_are_shown_with_their_limit() -> None:
    position = "7n/8/8/8/8/8/8/8/8/7B - - south order 13"
    narration = narrate(position, "pass", Options(quiet_limit=15))
    assert narration.facts[0] == "14 quiet turns in a row; with 15 the game is drawn."
    assert narrate(position.replace("13", "14"), "pass", Options(quiet_limit=15)).outcome == (
        "South passes. 15 quiet turns in a row: the game is drawn."
    )


def test_orders_that_hit_nobody_say_so() -> None:
    options = Options(gestures="allowed")
    nobody = "7n/8/8/8/8/8/3z**4/8/2X5/2A3B1 - - south order -"
    assert parts_of(nobody, "g1*g2", options).sentence == (
        "South's Battle Mage on g1 strikes at g2, where nobody stands"
    )
    assert parts_of(nobody, "c1 brew d1", options).sentence.endswith(
        " throws firebrew at d1, where nobody stands"
    )
    assert parts_of(nobody, "c2 slay", options).sentence.endswith(" slays nobody")
    assert parts_of(nobody, "g1 vanquish", options).sentence.endswith(" vanquishes nobody")
    burning = nobody.replace("3z**4/8/2X5/2A3B1", "8/3z**4/2X5/2A3B1")
    assert parts_of(burning, "c1 brew d3", options).sentence.endswith(
        " throws firebrew at North's Zombie on d3, which burns already and keeps its 2 tokens"
    )


def test_facts_without_an_action_are_narrated_too() -> None:
    """A correction by the referee has no action."""
    state = state_of("8/8/3n4/3D4/8/8/8/8/8/B7 - - south order -")
    done = GAME.decide(state, "south", action_of("d7*d8"))
    assert isinstance(done, Accepted)
    narration = GAME.narrate(
        state, ResolvedAction("", None, done.facts), fold(GAME, state, done.facts)
    )
    assert narration.outcome == (
        "North's Necromancer on d8 dies. North's general is dead: South wins."
    )


@example_settings(4)
@given(st.randoms(use_true_random=True))
def test_every_outcome_of_a_match_is_short(
    wandered: Callable[[Random], tuple[State, list[tuple[str, Action]]]], random: Random
) -> None:
    state, done = wandered(random)
    assert GAME.consequences is not None
    for seat, action in done:
        facts = GAME.consequences(state, action)
        after = reduce(GAME.evolve, facts, state)
        narration = GAME.narrate(state, ResolvedAction(seat, action, facts), after)
        assert 1 <= narration.outcome.count(".") <= 3
        assert len(narration.outcome) <= 240, narration.outcome
        assert len(narration.facts) == len(facts)
        assert all(not each or each.endswith(".") for each in narration.facts)
        state = after


def test_every_kind_of_fact_is_in_the_golden_file() -> None:
    in_matches = {type(fact) for m in moments(GAME) for fact in m.done.facts}
    assert in_matches | {PriestLost} == set(get_args(Fact))


def test_the_golden_file_has_an_example_of_everything_that_is_said() -> None:
    declined = narrate("7n/8/8/8/8/8/8/8/8/7B - - south revive:P -", "decline")
    besides = "\n    ".join((declined.outcome, *filter(None, declined.facts)))
    pages = f"{book(GAME)}\n== besides ==\n\nangel-decline\n    {besides}\n"
    assert_golden(Path(__file__).parent / "golden" / "sentences.txt", pages)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"victim": "South's Duelist", "rank": "chief", "square": "e4", "immunity": "none",
          "means": "a strike", "by": "North's Mummy", "attacker_rank": "lieutenant", "from": "d4",
          "to": "e4"},
         "South's Duelist, chief, on e4, by North's Mummy, a lieutenant, by a strike, from d4"),
        ({"in_check": "north", "by": "d1 e1"},
         "North's general, by South's Duelist on d1 and South's Battle Mage on e1"),
        ({"columns": -2, "rows_ahead": -1}, "2 columns aside, 1 row back"),
        ({"columns": 0, "rows_ahead": 3}, "3 rows ahead"),
        ({"columns": 8, "rows": 10}, "8 columns, 10 rows"),
        ({"graveyard": "IIP"}, "in the graveyard: Imperial Warrior x 2 and Priest of the Winds"),
        ({"graveyard": "-"}, "nobody in the graveyard"),
        ({"order": "move-and-strike"}, "to move and strike"),
        ({"vanquished": 2, "from": "b5 c5"}, "from b5 and c5, 2 models vanquished"),
    ],
)  # fmt: skip
def test_figures_are_said_as_people_say_them(figures: Figures, said: str) -> None:
    state = GAME.start(Options())
    assert ", ".join(GAME.figures_in_words(state, figures, state)) == said
