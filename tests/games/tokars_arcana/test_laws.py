"""Laws of every position: the rules are consistent, and no piece is lost or created."""

from collections import Counter
from collections.abc import Callable
from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.facts import Fact
from domain.games.tokars_arcana.state import OTHER, SEATS, State
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted, Refused
from tests.games.tokars_arcana.invariants import broken
from tests.hypothesis_settings import example_settings

Wandered = Callable[[Random], tuple[State, list[tuple[str, Action]]]]

_ACTIONS = msgspec.json.Decoder(GAME.actions)
_FACTS = msgspec.json.Decoder(tuple[Fact, ...])
_STATES = msgspec.json.Decoder(State)


def check_every_action(state: State, at_most: int = 60) -> None:
    position = GAME.write_position(state)
    for seat in SEATS:
        listed = Counter(GAME.legal(state, seat))
        assert set(listed.values()) <= {1}, position
        taps = Counter(taps_of(state, action) for action in listed)
        assert set(taps.values()) <= {1}, (position, taps.most_common(1))
        for action in list(listed)[:: 1 + len(listed) // at_most]:
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted), (position, GAME.write_action(action), outcome)
            assert GAME.consequences is not None
            assert outcome.facts == GAME.consequences(state, action)
            check_stored(state, action, outcome)


def taps_of(state: State, action: Action) -> object:
    """All that a player points at and says, without the sentence."""
    parts = GAME.parts(state, action)
    scene = GAME.scene(state, "spectator")
    assert {*parts.pieces} <= {piece.id for piece in scene.pieces}, parts
    assert {*parts.spaces} <= {space.id for space in scene.spaces}, parts
    return parts.verb, parts.pieces, parts.spaces, parts.cards, parts.choices


def check_stored(state: State, action: Action, outcome: Accepted[Fact]) -> None:
    """What the log keeps is enough: the action, the facts and the state after them."""
    text = GAME.write_action(action)
    position = GAME.write_position(state)
    assert GAME.read_action(text) == action
    assert _ACTIONS.decode(msgspec.json.encode(action)) == action
    after = fold(GAME, state, outcome.facts)
    stored = _FACTS.decode(msgspec.json.encode(outcome.facts))
    assert stored == outcome.facts
    assert _STATES.decode(msgspec.json.encode(after)) == after
    assert GAME.read_position(GAME.write_position(after), state.options) == after, (position, text)
    assert list(broken(state, after)) == [], (position, text)
    assert {rule for ruling in outcome.rulings for rule in ruling.rules} <= GAME.rules.keys()
    explained = {ruling.fact for ruling in outcome.rulings} - {None}
    assert explained == set(range(len(outcome.facts))), (position, text, outcome)


@example_settings(25, deadline=None)
@given(st.randoms(use_true_random=True))
def test_every_listed_action_is_accepted_and_its_facts_are_all_that_is_needed(
    scattered: Callable[[Random], State], random: Random
) -> None:
    check_every_action(scattered(random))


@example_settings(4, deadline=None)
@given(st.randoms(use_true_random=True))
def test_so_it_is_all_through_a_match(wandered: Wandered, random: Random) -> None:
    start, done = wandered(random)
    state = start
    log: list[Fact] = []
    for n, (seat, action) in enumerate(done):
        if n % 10 == 0:
            check_every_action(state, at_most=10)
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        check_stored(state, action, outcome)
        log += outcome.facts
        state = fold(GAME, state, outcome.facts)
    assert fold(GAME, start, _FACTS.decode(msgspec.json.encode(log))) == state


# --- what is not listed is refused ---------------------------------------------------------------

_FORMS = (
    "{}-{}", "{}x{}", "{}*{}", "{}-{}*{}", "{} off", "{} brew {}", "{}-{} brew {}",
    "{} brew {} then {}", "{} vanquish", "{}-{} vanquish", "{} recall {} {}", "{} return {}",
    "{} wind {}", "{} explode {}", "{} slay", "place {}", "revive {}", "{} trade {} {} U {}",
    "{} promote {} U", "{} revive U {}", "{} trade U U U {}", "raise U {}", "pass", "draw offer",
    "draw accept", "draw decline", "decline", "skip", "ready south", "ready north", "first south",
    "resign south", "resign north",
)  # fmt: skip


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


def random_text(state: State, random: Random) -> str:
    """Any action, its first square mostly that of some model."""
    rows = state.options.rows + (random.random() < 0.1)

    def square() -> str:
        return f"{random.choice('abcdefgh')}{random.randint(1, rows)}"

    def nearby(start: str) -> str:
        column = min(max(ord(start[0]) + random.randint(-2, 2), ord("a")), ord("h"))
        return f"{chr(column)}{min(max(int(start[1:]) + random.randint(-2, 2), 1), rows)}"

    start = random.choice([*state.board, square()])
    text = random.choice(_FORMS)
    while "U" in text:
        text = text.replace("U", random.choice("IKWPQADBSZMTXN"), 1)
    squares = [start, *(random.choice((square(), nearby(start))) for _ in range(4))]
    return text.format(*squares)


@example_settings(70, deadline=None)
@given(st.randoms(use_true_random=True))
def test_whatever_is_not_listed_is_refused(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    for _ in range(20):
        check_attempt(state, random.choice(SEATS), random_text(state, random))


@example_settings(25, deadline=None)
@given(st.randoms(use_true_random=True))
def test_a_legal_action_with_one_thing_changed_is_refused_unless_listed(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    seat = GAME.turn(state)[0].seat
    listed = list(GAME.legal(state, seat))
    for action in random.sample(listed, min(len(listed), 15)):
        text = GAME.write_action(action)
        at = random.randrange(len(text))
        for changed in (
            text[:at] + random.choice("abcdefgh123456789") + text[at + 1 :],
            text.replace("-", "x", 1),
            text.replace("x", "-", 1),
            text.replace("*", "-", 1),
            text.partition("*")[0],
            text.partition(" then")[0],
        ):
            if not isinstance(GAME.read_action(changed), Refused):
                check_attempt(state, seat, changed)
                check_attempt(state, OTHER["south" if seat == "south" else "north"], changed)
