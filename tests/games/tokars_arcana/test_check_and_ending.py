"""Check, and how the game ends."""

from collections.abc import Callable
from itertools import takewhile
from random import Random

import pytest
from msgspec.structs import replace

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.check import threats
from domain.games.tokars_arcana.facts import FirebrewBurned, ModelKilled
from domain.games.tokars_arcana.orders import orders
from domain.games.tokars_arcana.state import (
    OTHER,
    Options,
    Ordering,
    Seat,
    State,
    general_square,
)
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted, Figures

Wandered = Callable[[Random], tuple[State, list[tuple[str, Action]]]]
After = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]


def checked(position: str, **options: bool) -> bool:
    rows = position.partition(" ")[0].count("/") + 1
    state = GAME.read_position(position, Options(rows=rows, **options))
    assert GAME.announcements is not None
    announced = GAME.announcements(state)
    assert bool(announced) == ("check" in GAME.scene(state, "spectator").attributes)
    return bool(announced)


THREATS = {
    "a Duelist reaches a square beside the general": "8/8/3n4/8/8/8/8/8/8/B2D4",
    "a knight leaps upon him": "8/8/3n4/8/2K5/8/8/8/8/B7",
    "a wind mage teleports upon him": "8/8/3n4/8/1W6/8/8/8/8/B7",
    "a wind mage's lightning strikes him": "8/8/3n4/8/8/3W4/8/8/8/B7",
    "a warrior steps and strikes diagonally": "8/8/3n4/8/2I5/8/8/8/8/B7",
    "a mage rides up": "8/2M5/3n4/8/3B4/8/8/8/8/8",
    "a zombie comes in two steps": "8/8/3n4/8/3Z4/8/8/8/8/B7",
    "a zombie comes round a corner": "8/8/3n4/3iZ3/8/8/8/8/8/B7",
    "a mummy enters": "8/8/3n4/3M4/8/8/8/8/8/B7",
    "a tomb keeper rides up": "8/8/3n4/8/3T4/8/8/8/8/B7",
    "a skeleton enters": "8/8/3n4/3S4/8/8/8/8/8/B7",
    "a dark priest slays": "8/3X4/3n4/8/8/8/8/8/8/B7",
    "a dark priest explodes a neighbour": "8/3K4/3n4/8/8/8/8/8/8/B6X",
}
NO_THREATS = {
    "a model stands in the line": "8/8/3n4/8/8/8/3i4/8/3i4/B2D4",
    "a warrior right ahead": "8/8/3n4/3I4/8/8/8/8/8/B7",
    "a priest kills soldiers only": "8/8/3n4/3P4/8/8/8/8/8/B7",
    "an alchemist kills nobody at once": "8/8/3n4/3A4/8/8/8/8/8/B7",
    "a zombie's ways are blocked": "8/8/3n4/3i4/3Z4/8/8/8/8/B7",
    "a soldier does not explode": "8/3S4/3n4/8/8/8/8/8/8/B6X",
    "the threat is paralysed": "8/8/3n4/8/2Km4/8/8/8/8/B7",
    "the dark priest was moved": "8/3X!4/3n4/8/8/8/8/8/8/B7",
}


@pytest.mark.parametrize("why", THREATS)
def test_check_is_announced_when_the_general_could_be_killed_next(why: str) -> None:
    position = f"{THREATS[why]} - - north order -"
    assert checked(position)
    assert checked(position.replace("order", "draw"))
    assert not checked(position, check=False)
    assert not checked(position.replace("north", "south"))  # told to the seat on turn only


@pytest.mark.parametrize("why", NO_THREATS)
def test_what_is_no_check(why: str) -> None:
    assert not checked(f"{NO_THREATS[why]} - - north order -")


def killers(state: State, seat: Seat) -> set[str]:
    """The models of the other side with an order that kills this seat's general at once."""
    enemy = OTHER[seat]
    theirs = replace(state, turn=enemy, phase=Ordering())
    general = general_square(state.board, seat)
    found = set()
    for order in orders(theirs, enemy):
        outcome = GAME.decide(theirs, enemy, order)
        assert isinstance(outcome, Accepted), order
        at_once = takewhile(lambda fact: not isinstance(fact, FirebrewBurned), outcome.facts)
        if any(isinstance(fact, ModelKilled) and fact.square == general for fact in at_once):
            found.add(order.start)
    return found


def test_check_is_given_by_each_model_with_an_order_that_kills_the_general(
    wandered: Wandered,
) -> None:
    checks = 0
    for seed in range(4):
        state, done = wandered(Random(seed))
        for seat, action in done:
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted)
            state = fold(GAME, state, outcome.facts)
            if isinstance(state.phase, Ordering) and state.turn is not None:
                given = {threat.square for threat in threats(state, state.turn)}
                assert given == killers(state, state.turn), GAME.write_position(state)
                checks += bool(given)
    assert checks > 10


def test_with_warrior_either_a_warrior_threatens_what_it_can_strike_at_once() -> None:
    far = "8/8/3n4/8/2I5/8/8/8/8/B7 - - north order -"
    state = GAME.read_position(far, Options(warrior="either"))
    assert GAME.announcements is not None
    assert GAME.announcements(state) == ()


def test_the_ruling_shows_who_is_in_check_and_by_whom(cited: Cited) -> None:
    position = "8/8/3n4/8/8/8/4m3/6m1/8/B2D4 - - south order -"
    rulings = cited(position, "d1-c1")
    assert rulings["ta.check.announce"] == {"in_check": "north", "by": "c1"}
    assert "ta.check.announce" not in cited(position, "d1-c1", check=False)


def announced(board: str) -> str:
    state = GAME.read_position(f"{board} - - north order -", Options())
    assert GAME.announcements is not None
    (sentence,) = GAME.announcements(state)
    return sentence


def test_the_announcement_names_the_general_and_all_who_threaten_it() -> None:
    assert announced("8/8/3n4/8/2K5/8/8/8/8/B2D4") == (
        "Check: North's general on d8 is in danger from South's Duelist on d1 and South's Blue"
        " Knight on c6."
    )


def test_of_an_explosion_it_names_all_models_that_could_be_exploded() -> None:
    assert announced("8/3KT3/3n4/8/8/8/8/8/8/B6X").endswith(
        " from South's Dark Priest on h1 (exploding his Blue Knight on d9 or Tomb Keeper on e9)"
        " and South's Tomb Keeper on e9."
    )
    assert announced("3X4/4A3/3n4/8/8/8/8/8/8/B7").endswith(
        " from South's Dark Priest on d10 (exploding his Alchemist on e9)."
    )


def test_a_priest_next_to_the_general_slays_him() -> None:
    assert announced("8/3X4/3n4/8/8/8/8/8/8/B7").endswith(" from South's Dark Priest on d9.")


def test_check_forbids_nothing(after: After) -> None:
    assert after("8/8/3n4/8/8/8/8/8/8/B2D4 - - north order -", "pass").endswith(" south order -")


def test_who_kills_the_enemy_general_has_won(after: After, cited: Cited) -> None:
    position = "8/8/3n4/3D4/8/8/8/8/8/B7 - - south order -"
    assert after(position, "d7*d8").endswith(" - n south end:south:general -")
    figures = cited(position, "d7*d8")["ta.end.general"]
    assert figures == {"winner": "south", "dead": "North's Necromancer"}


def test_who_kills_the_own_general_has_lost(after: After) -> None:
    position = "8/8/3n4/8/8/8/8/8/B7/D7 - - south order -"
    assert after(position, "a1*a2").endswith(" B - south end:north:general -")


def test_if_both_generals_die_at_one_moment_the_seat_on_turn_has_won(
    after: After, cited: Cited
) -> None:
    position = "3x4/8/8/8/8/2Ptn3/3B4/8/8/8 - - north order -"
    assert after(position, "d10 explode d5").endswith(" PB tn north end:north:general -")
    assert after(position, "d10 explode d5", both_generals="draw").endswith("end:draw:generals -")
    both = cited(position, "d10 explode d5")["ta.end.both"]
    assert both["dead"] == "South's Battle Mage and North's Necromancer"
    drawn = cited(position, "d10 explode d5", both_generals="draw")["ta.end.both"]
    assert drawn["winner"] == "nobody"


def test_a_general_who_dies_burns_nobody_at_the_end_of_the_turn(after: After) -> None:
    position = "8/8/3n4/3D4/8/8/8/8/8/B6I* - - south order -"
    assert "I*" in after(position, "d7*d8")


@pytest.mark.parametrize(
    ("phase", "winners", "score"),
    [
        ("end:south:general", ("south",), "south:general"),
        ("end:north:resign", ("north",), "north:resign"),
        ("end:draw:agreement", (), "draw:agreement"),
    ],
)
def test_the_result_names_who_has_won_and_why(
    phase: str, winners: tuple[str, ...], score: str
) -> None:
    state = GAME.read_position(f"8/8/8/8/8/8/8/8/8/B7 - n south {phase} -", Options())
    result = GAME.result(state)
    assert result is not None
    assert (result.winners, result.score) == (winners, score)
    assert score.endswith(result.reason)
