"""Laws of every position: the rules are consistent, and no unit is lost or created."""

from collections import Counter
from collections.abc import Callable
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.facts import Fact
from domain.games.agog.state import GOLEMS, SEATS, STACKS, Options, State
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted, Refused
from tests.hypothesis_settings import example_settings

_ACTIONS = msgspec.json.Decoder(GAME.actions)
_FACTS = msgspec.json.Decoder(tuple[Fact, ...])
_STATES = msgspec.json.Decoder(State)


def golems(state: State) -> tuple[int, int]:
    """White's and Black's golems, in play and out of it."""
    stacks = [STACKS[unit] for unit in state.board if unit in STACKS]
    return (
        sum(white for white, _ in stacks) + state.white_supply,
        sum(black for _, black in stacks) + state.black_supply,
    )


def check_every_action(state: State) -> None:
    position = GAME.write_position(state)
    for seat in SEATS:
        listed = Counter(GAME.legal(state, seat))
        assert set(listed.values()) <= {1}, position
        for action in listed:
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted), (position, GAME.write_action(action), outcome)
            assert GAME.consequences is not None
            assert outcome.facts == GAME.consequences(state, action)
            check_stored(state, action, outcome)


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
    position = GAME.write_position(after)
    assert GAME.read_position(position, Options(fresh_supply=after.fresh_supply)) == after
    assert golems(after) == golems(state), (GAME.write_position(state), text)
    assert {rule for ruling in outcome.rulings for rule in ruling.rules} <= GAME.rules.keys()
    explained = {ruling.fact for ruling in outcome.rulings}
    assert explained == set(range(len(outcome.facts))), (GAME.write_position(state), text)


@example_settings(30, deadline=None)
@given(st.randoms(use_true_random=True))
def test_every_listed_action_is_accepted_and_its_facts_are_all_that_is_needed(
    scattered: Callable[[Random], State], random: Random
) -> None:
    check_every_action(scattered(random))


@settings(max_examples=4, deadline=None)
@given(st.randoms(use_true_random=True))
def test_so_it_is_all_through_a_match(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    start, actions = wandered(random)
    state = start
    log: list[Fact] = []
    for action in actions:
        check_every_action(state)
        outcome = GAME.decide(state, GAME.turn(state)[0].seat, action)
        assert isinstance(outcome, Accepted)
        log += outcome.facts
        state = fold(GAME, state, outcome.facts)
    assert fold(GAME, start, log) == state
    assert golems(state)[0] == GOLEMS


_SQUARE = st.sampled_from([f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)])
_SUFFIX = st.one_of(st.just(""), st.just("=out"), _SQUARE.map("={}".format))
_STEP = st.tuples(st.sampled_from("x+"), _SQUARE).map("".join)
_TEXT = st.one_of(
    st.tuples(_SQUARE, st.just("-"), _SQUARE, _SUFFIX).map("".join),
    st.tuples(_SQUARE, st.lists(_STEP, min_size=1, max_size=3).map("".join), _SUFFIX).map("".join),
    st.sampled_from(["resign white", "resign black"]),
)


def check_attempt(state: State, seat: str, text: str) -> None:
    """An action is accepted if it is listed, and else refused by a rule."""
    action = GAME.read_action(text)
    assert not isinstance(action, Refused), text
    outcome = GAME.decide(state, seat, action)
    listed = action in GAME.legal(state, seat)
    assert isinstance(outcome, Accepted) == listed, (GAME.write_position(state), text, outcome)
    if isinstance(outcome, Refused):
        assert outcome.rule in GAME.rules
        assert outcome.why


@example_settings(100, deadline=None)
@given(st.randoms(use_true_random=True), st.lists(_TEXT, min_size=20, max_size=20))
def test_whatever_is_not_listed_is_refused(
    scattered: Callable[[Random], State], random: Random, texts: list[str]
) -> None:
    state = scattered(random)
    for text in texts:
        check_attempt(state, random.choice(SEATS), text)


@example_settings(50, deadline=None)
@given(st.randoms(use_true_random=True))
def test_a_legal_action_with_one_thing_changed_is_refused_unless_listed(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    seat = GAME.turn(state)[0].seat
    for action in [a for a in GAME.legal(state, seat) if not GAME.is_administrative(a)][:10]:
        text = GAME.write_action(action)
        for changed in (
            text[:-1] + random.choice("12345678"),
            text[:-2] + random.choice("abcdefgh") + text[-1],
            random.choice("abcdefgh") + text[1:],
            text.replace("x", "+"),
            text.replace("+", "x"),
            text.partition("=")[0],
            text.partition("=")[0] + "=out",
            text.partition("=")[0] + "x" + text[:2],
            text[:-3],
        ):
            if not isinstance(GAME.read_action(changed), Refused):
                check_attempt(state, seat, changed)
                check_attempt(state, "black" if seat == "white" else "white", changed)
