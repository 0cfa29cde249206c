"""Laws of every position: the rules are consistent, and no piece is lost or created."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from domain.games.earthen_war import GAME
from domain.games.earthen_war.actions import Action
from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.state import COLOURS, DICE, SEATS, Options, State, golem_of, supply
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR, ResolvedAction
from domain.kernel.rulings import Accepted, Refused
from tests.games.earthen_war.invariants import broken
from tests.hypothesis_settings import example_settings

_ACTIONS = msgspec.json.Decoder(GAME.actions)
_FACTS = msgspec.json.Decoder(tuple[GAME.facts, ...])
_STATES = msgspec.json.Decoder(State)

CELLS = ("fl", "f", "fr", "l", "c", "r", "bl", "b", "br")
ALL_TEXTS = (
    *(f"{verb} {cell}" for verb in ("place", "up", "down", "use") for cell in CELLS),
    *(f"swap {a} {b}" for n, a in enumerate(CELLS) for b in CELLS[n + 1 :]),
    *(f"dice {a}" for a in range(5)),
    *(f"dice {a} {b}" for a in range(5) for b in range(5)),
    *("add white", "add black", "skip", "shell", "no-shell", "end"),
)


def dice_of(state: State) -> Counter[str]:
    """The dice of each colour, wherever they are, counted one by one."""
    lying = [
        square.die.colour
        for seat in SEATS
        for square in golem_of(state, seat).grid
        if square.die is not None
    ]
    shells = ["black"] * len(state.shells)
    in_hand = [getattr(state.phase, "colour", None)]
    found = Counter[str](filter(None, (*lying, *shells, *in_hand)))
    return found + Counter({colour: supply(state, colour) for colour in COLOURS})


def check_stored(state: State, action: Action, outcome: Accepted[Fact]) -> None:
    """What the log keeps is enough: the action, the facts and the state after them."""
    text = GAME.write_action(action)
    assert GAME.read_action(text) == action
    assert _ACTIONS.decode(msgspec.json.encode(action)) == action
    after = fold(GAME, state, outcome.facts)
    stored = _FACTS.decode(msgspec.json.encode(outcome.facts))
    assert stored == outcome.facts
    assert fold(GAME, state, stored) == after
    assert _STATES.decode(msgspec.json.encode(after)) == after
    assert GAME.read_position(GAME.write_position(after), after.options) == after
    explained = [ruling.fact for ruling in outcome.rulings]
    assert set(explained) == set(range(len(outcome.facts))), (GAME.write_position(state), text)
    assert {rule for ruling in outcome.rulings for rule in ruling.rules} <= GAME.rules.keys()


def check_every_text(state: State, seat: str) -> Iterator[tuple[str, State]]:
    """An action is accepted if and only if it is listed. Gives each with the state after it."""
    position = GAME.write_position(state)
    listed = Counter(GAME.write_action(action) for action in GAME.legal(state, seat))
    assert set(listed.values()) <= {1}, position
    assert listed.keys() <= set(ALL_TEXTS)
    for text in ALL_TEXTS:
        action = GAME.read_action(text)
        assert not isinstance(action, Refused), text
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted) == (text in listed), (position, text, outcome)
        if isinstance(outcome, Refused):
            assert outcome.rule in GAME.rules
            assert outcome.why
        else:
            check_stored(state, action, outcome)
            after = fold(GAME, state, outcome.facts)
            assert dice_of(after) == dice_of(state) == dict.fromkeys(COLOURS, DICE)
            yield text, after


@example_settings(60, deadline=None)
@given(st.randoms(use_true_random=True))
def test_an_action_is_accepted_if_it_is_listed_and_refused_by_a_rule_if_not(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    for seat in (*SEATS, SPECTATOR):
        assert list(check_every_text(state, seat)) or seat != GAME.turn(state)[0].seat


@example_settings(3, deadline=None)
@given(
    st.randoms(use_true_random=True),
    st.builds(
        Options,
        board=st.integers(5, 8),
        artillery=st.booleans(),
        offboard_attacks=st.booleans(),
        dice_axes=st.sampled_from(["white-column", "white-row"]),
        start=st.sampled_from(["c0-d7", "d0-c7"]),
    ),
)
def test_so_it_is_all_through_a_match(
    wandered: Callable[[Random, Options, int], list[State]],
    random: Random,
    options: Options,
) -> None:
    for state in wandered(random, options, 60):
        for seat in SEATS:
            for text, after in check_every_text(state, seat):
                assert not list(broken(state, after)), (GAME.write_position(state), text)


@example_settings(5, deadline=None)
@given(st.randoms(use_true_random=True), st.booleans())
def test_a_golem_that_has_left_its_trench_never_stands_in_one_again(
    wandered: Callable[[Random, Options, int], list[State]], random: Random, artillery: bool
) -> None:
    for seat in SEATS:
        squares = [
            golem_of(state, seat).square
            for state in wandered(random, Options(artillery=artillery), 200)
        ]
        trench = squares[0]
        left = next((n for n, square in enumerate(squares) if square != trench), len(squares))
        assert not {"c0", "d7"} & set(squares[left:])


@example_settings(30, deadline=None)
@given(st.randoms(use_true_random=True))
def test_the_seat_that_is_asked_can_always_answer_and_nobody_else(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    (prompt,) = GAME.turn(state)
    for seat in SEATS:
        assert bool(list(GAME.legal(state, seat))) == (seat == prompt.seat)
    texts = [GAME.write_action(action) for action in GAME.legal(state, prompt.seat)]
    assert prompt.is_chance == all(text.startswith("dice ") for text in texts)


def test_everybody_sees_everything(state_of: Callable[[str], State]) -> None:
    position = "ew1 6a w hit:f c3,c4 .,W1,./.,.,./.,.,. .,.x,./.,.,./.,.,. a1=2 *"
    state = state_of(position)
    action = GAME.read_action("dice 1 3")
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, "white", action)
    assert isinstance(outcome, Accepted)
    happened = ResolvedAction("white", action, outcome.facts, outcome.rulings)
    for viewer in (*SEATS, SPECTATOR, REFEREE):
        assert GAME.write_view(state, viewer) == position
        assert GAME.redact(happened, viewer) == happened
        seen, whole = GAME.scene(state, viewer), GAME.scene(state, REFEREE)
        assert msgspec.structs.replace(seen, prompt=whole.prompt) == whole
