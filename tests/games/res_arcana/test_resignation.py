"""A seat that gives up is out of the game, and the others play on without it."""

from collections.abc import Callable
from itertools import islice
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.res_arcana import GAME
from domain.games.res_arcana.state import Choosing, Options, State
from domain.kernel.any_game import fold
from domain.kernel.game import ResolvedAction, Result
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Accepted
from tests.games.res_arcana.invariants import broken

At = Callable[..., str]
After = Callable[..., str]
Cited = Callable[..., dict[str, object]]
SeatOf = Callable[[str, str], str]

THREE = {
    "north": "4e | research,scholar",
    "east": "2l1g | alchemy,seer | hawk",
    "south": "1c | divination,healer",
}


def read(position: str) -> State:
    return GAME.read_position(position, Options(players=3))


def gives_up(position: str, seat: str) -> State:
    assert GAME.forfeit is not None
    state = read(position)
    return fold(GAME, state, GAME.forfeit(state, seat).facts)


def asked(state: State) -> list[str]:
    return [f"{prompt.seat} {prompt.expected_action}" for prompt in GAME.turn(state)]


# --- whose turn it is ----------------------------------------------------------------------------


def test_its_own_turn_goes_to_the_next_seat(at: At) -> None:
    after = gives_up(at(**THREE), "north")
    assert asked(after) == ["east act"]
    assert " north/gone/4e/research,scholar/" in GAME.write_position(after)


def test_the_turn_of_another_continues(at: At) -> None:
    after = gives_up(at(**THREE), "east")
    assert asked(after) == ["north act"]


def test_turns_leave_it_out(at: At, after: After) -> None:
    gone = GAME.write_position(gives_up(at(**THREE), "east"))
    assert after(gone, "north pass protection").split(" ")[4] == "south"


def test_it_resigns_as_the_last_that_has_not_passed_and_points_are_counted(at: At) -> None:
    seats = THREE | {"north": f"out {THREE['north']}", "south": f"out {THREE['south']}"}
    after = gives_up(at(turn="east", **seats), "east")
    assert after.round == 4


def test_it_is_no_first_to_pass(at: At, after: After) -> None:
    gone = GAME.write_position(gives_up(at(first="south", **THREE), "east"))
    assert after(gone, "north pass protection").split(" ")[3] == "north", "the token is taken"


def test_a_round_starts_with_the_next_seat_if_it_has_the_token(at: At, after: After) -> None:
    seats = THREE | {"south": "out 0 | divination,druid"}
    gone = GAME.write_position(gives_up(at(turn="east", first="north", **seats), "north"))
    assert after(gone, "east pass protection").split(" ")[2:5] == ["r4", "north", "east"]


# --- what is asked of it -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "queue",
    [
        "gain.north.2.elcdg",
        "same.north.2.elcdg",
        "put.north.research.1.elcd",
        "drop.north.1",
        "order.north.deck.2",
        "order.north.monuments.2",
    ],
)
def test_a_prompt_of_its_own_action_is_dropped(at: At, queue: str) -> None:
    seats = THREE | {"north": "4e | research,scholar | bone-dragon,prism | vault,treant"}
    after = gives_up(at(queue, **seats), "north")
    assert asked(after) == ["east act"]
    assert after.areas[0].pool == "4e", "it pays nothing and gains nothing"


def test_it_loses_nothing_to_an_attack_and_others_answer_theirs(at: At) -> None:
    seats = THREE | {"north": "0 | research,scholar,sea-serpent*"}
    queue = "loss.east.2.sea-serpent.1>loss.south.2.sea-serpent.1"
    seats["south"] = "2l | divination,healer,temple"
    seats["east"] = "2l1g | alchemy,seer,vault"
    after = gives_up(at(queue, mdeck="oracle", **seats), "east")
    assert asked(after) == ["south loss"]
    assert after.areas[1].pool == "2l1g"


def test_its_own_attack_stands(at: At) -> None:
    seats = THREE | {
        "north": "0 | research,scholar,sea-serpent*",
        "east": "2l1g | alchemy,seer,vault",
    }
    after = gives_up(at("loss.east.2.sea-serpent.1", **seats), "north")
    assert asked(after) == ["east loss"]


def test_it_answers_nothing_in_the_collect_phase(at: At) -> None:
    seats = {
        "north": "0 | research,scholar,vault:2g |||| ?vault",
        "east": "0 | alchemy,seer",
        "south": "0 | divination,healer",
    }
    after = gives_up(at("collect", "-", **seats), "north")
    assert asked(after) == ["east act"], "the token is north's, who is gone"
    assert after.areas[0].todo == ()


def test_a_shuffle_of_its_discards_is_dropped(at: At) -> None:
    seats = THREE | {"north": "out 0 | research,scholar ||| prism,treant"}
    after = gives_up(at("shuffle.north.discard>draw.north.1.keep", **seats), "north")
    assert asked(after) == ["east act"]
    assert after.areas[0].discard == ("prism", "treant")


def test_it_is_not_asked_to_react_to_a_check(at: At) -> None:
    seats = THREE | {
        "north": "0 | coral-castle*,research,scholar",
        "east": "3g | alchemy,golden-statue,seer",
    }
    after = gives_up(at("check.now.1.0,0,0", **seats), "east")
    assert asked(after) == ["south act"]


# --- the others ----------------------------------------------------------------------------------


def test_it_is_nobodys_rival(at: At, after: After, seat_of: SeatOf) -> None:
    seats = THREE | {"north": "0 | hand-of-glory,research,scholar"}
    gone = GAME.write_position(gives_up(at(**seats), "east"))
    used = after(gone, "north use hand-of-glory 1")
    assert seat_of(used, "south").startswith("1c1d")
    assert seat_of(used, "east").startswith("gone 2l1g ")


def test_its_cards_stay_where_they_are(at: At) -> None:
    before, after = read(at(**THREE)), gives_up(at(**THREE), "east")
    assert after.areas[1].table == before.areas[1].table
    assert after.items == before.items
    assert after.first == before.first


def test_it_cannot_win_by_points(at: At, after: After) -> None:
    seats = {
        "north": "0 | alchemists-tower:10g,research,scholar",
        "east": "out 0 | alchemy,catacombs-of-the-dead:10d,seer",
        "south": "out 0 | divination,healer",
    }
    gone = GAME.write_position(gives_up(at(first="south", **seats), "east"))
    ended = read(after(gone, "north pass protection"))
    result = GAME.result(ended)
    assert result is not None
    assert (result.winners, result.reason) == (("north",), "points")


# --- the end -------------------------------------------------------------------------------------


def test_the_last_one_left_wins(at: At) -> None:
    one = GAME.write_position(gives_up(at(**THREE), "north"))
    end = gives_up(one, "south")
    assert GAME.result(end) == Result(("east",), "resign", "over.east.1,0,0.4,4,1")
    assert GAME.turn(end) == ()
    text = GAME.write_position(end)
    assert GAME.read_position(text, Options(players=3)) == end
    assert GAME.caption(end, "spectator") == "The game is over: East wins, since all others gave up"


def test_rulings_say_why(at: At) -> None:
    assert GAME.forfeit is not None
    state = gives_up(at(**THREE), "north")
    outcome = GAME.forfeit(state, "south")
    assert [rule for ruling in outcome.rulings for rule in ruling.rules] == [
        "ra.resign.out",
        "ra.resign.last",
    ]
    end = fold(GAME, state, outcome.facts)
    narration = GAME.narrate(
        state, ResolvedAction("south", None, outcome.facts, outcome.rulings), end
    )
    assert narration.facts[0] == "South gives up and is out of the game."
    assert narration.outcome == f"{narration.facts[0]} East wins, since all others gave up."


def test_automatic_choices_of_a_resigned_seat_are_not_narrated_as_its_actions() -> None:
    assert GAME.forfeit is not None
    state = GAME.start(Options(players=3))
    while not isinstance(state.queue[0], Choosing):
        (prompt,) = GAME.turn(state)
        found = GAME.decide(state, prompt.seat, next(iter(GAME.legal(state, prompt.seat))))
        assert isinstance(found, Accepted)
        state = fold(GAME, state, found.facts)
    outcome = GAME.forfeit(state, "north")
    assert "MageChosen" in [type(fact).__name__ for fact in outcome.facts]
    end = fold(GAME, state, outcome.facts)
    narration = GAME.narrate(
        state, ResolvedAction("north", None, outcome.facts, outcome.rulings), end
    )
    assert narration.outcome == "North gives up and is out of the game."


def test_everybody_sees_that_it_is_gone(at: At) -> None:
    state = gives_up(at(**THREE), "east")
    assert GAME.resigned_seats is not None
    assert GAME.resigned_seats(state) == ("east",)
    for viewer in ("north", "east", "spectator"):
        assert " east/gone/" in GAME.write_view(state, viewer)
        scene = GAME.scene(state, viewer)
        assert "gone_east" in scene.attributes
        assert "East's table, has given up" in [zone.name for zone in scene.zones]


def test_a_position_asks_nothing_of_it(at: At) -> None:
    seats = THREE | {"east": f"gone {THREE['east']}"}
    assert asked(read(at(**seats))) == ["north act"]
    with pytest.raises(NotationError, match="east has passed, and acts no more"):
        read(at(turn="east", **seats))
    with pytest.raises(NotationError, match="of a seat that is gone nothing is asked"):
        read(at("gain.east.2.elcdg", **seats))
    with pytest.raises(NotationError, match="all others are gone: the game is over"):
        read(at(**seats | {"north": f"gone {THREE['north']}"}))


# --- at any moment -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_a_seat_that_resigned_gets_no_more_prompts(players: int, random: Random) -> None:
    options = msgspec.convert(
        {
            "players": players,
            "draft": random.choice(["no", "yes"]),
            "hand": random.choice(["draw", "choose"]),
            "first": random.choice(["north", "random"]),
        },
        Options,
    )
    state = GAME.start(options)
    moments = sorted(random.sample(range(250), players - 1))
    for step in range(300):
        before = state
        if moments and step >= moments[0] and GAME.result(state) is None:
            moments.pop(0)
            assert GAME.forfeit is not None
            assert GAME.resigned_seats is not None
            still = [seat for seat in GAME.seats(options) if seat not in GAME.resigned_seats(state)]
            outcome = GAME.forfeit(state, _who(state, still, random))
        else:
            prompts = GAME.turn(state)
            if not prompts:
                break
            seat = random.choice(prompts).seat
            action = random.choice([*islice(GAME.legal(state, seat), 200)])
            judged = GAME.decide(state, seat, action)
            assert isinstance(judged, Accepted)
            outcome = judged
        state = fold(GAME, state, outcome.facts)
        holds(before, state, options)
    result = GAME.result(state)
    if not moments and result is not None and result.reason == "resign":
        assert result.winners == tuple(a.seat for a in state.areas if not a.gone)


def _who(state: State, still: list[str], random: Random) -> str:
    """Mostly a seat that is asked: that is where it can go wrong."""
    asked_now = [prompt.seat for prompt in GAME.turn(state) if prompt.seat in still]
    waiting = [each.seat for each in state.queue if getattr(each, "seat", None) in still]  # type: ignore[union-attr]
    return random.choice(random.choice([asked_now, waiting, still]) or still)


def holds(before: State, state: State, options: Options) -> None:
    text = GAME.write_position(state)
    assert GAME.resigned_seats is not None
    gone = GAME.resigned_seats(state)
    assert not {prompt.seat for prompt in GAME.turn(state)} & set(gone), text
    assert GAME.read_position(text, options) == state, text
    if not any(isinstance(step, Choosing) for step in before.queue):
        assert not [*broken(before, state)], text
    result = GAME.result(state)
    assert (result is not None) == (not GAME.turn(state)), text
    assert result is None or not set(result.winners) & set(gone), text
    assert result is not None or len(gone) < options.players - 1, text
    for seat in gone:
        was = next(area for area in before.areas if area.seat == seat)
        now = next(area for area in state.areas if area.seat == seat)
        assert not was.gone or was.pool == now.pool, text
