"""Laws of a whole match: the rules are consistent, and no card is lost or created."""

from collections.abc import Callable, Iterator
from itertools import chain, islice, pairwise, product
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.res_arcana import GAME
from domain.games.res_arcana.bundles import LETTERS, counts, minus, spell
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    EssencesGained,
    EssencesLost,
    EssencesPaid,
    EssencesPut,
    EssencesReturned,
    Fact,
    ItemSwapped,
)
from domain.games.res_arcana.payments import payments, pays, pays_power, power_payments
from domain.games.res_arcana.state import Options, State, area_of, component, pack_of
from domain.games.res_arcana.vocabulary import Power
from domain.kernel.any_game import fold
from domain.kernel.packs import BUILT_IN_PACKS
from domain.kernel.rulings import Accepted, Refused
from domain.log.digests import canonical_bytes
from tests.games.res_arcana.invariants import broken

Course = list[tuple[State, str, str]]
Wandered = Callable[[Random, Options, int], Course]

OPTIONS = [
    Options(sides="a"),
    Options(players=3, first="random", draft="yes", sides="b"),
    Options(players=4, first="west", hand="choose", token="0"),  # noqa: S106  a wooden token
    Options(players=2, draft="yes", hand="draw"),
]
every_kind = pytest.mark.parametrize("options", OPTIONS, ids=["two", "three", "four", "drafted"])
_FACTS = msgspec.json.Decoder(tuple[Fact, ...])
_STATES = msgspec.json.Decoder(State, dec_hook=BUILT_IN_PACKS.decode_hook(GAME.packs))


def essences(state: State) -> int:
    """All in pools and on components."""
    bundles = [a.pool for a in state.areas] + [own.on for a in state.areas for own in a.table]
    return sum(sum(counts(bundle)) for bundle in bundles)


def flow(state: State, fact: Fact) -> int:
    """How many essences a fact brings from the supply, or takes there."""
    match fact:
        case EssencesGained(essences=some) | EssencesPut(essences=some):
            return sum(counts(some))
        case EssencesPaid(essences=some) | EssencesLost(essences=some):
            return -sum(counts(some))
        case EssencesReturned(essences=some):
            return -sum(counts(some))
        case ArtifactDestroyed(seat, card) | ItemSwapped(seat, card, _):
            own = component(area_of(state, seat), card)
            return -sum(counts(own.on)) if own else 0
        case _:
            return 0


@every_kind
@settings(max_examples=3)
@given(st.randoms(use_true_random=True))
def test_essences_and_cards_are_conserved_and_facts_are_all_that_is_needed(
    wandered: Wandered, options: Options, random: Random
) -> None:
    course = wandered(random, options, 400)
    log: list[Fact] = []
    for (state, seat, text), (after, _, _) in pairwise(course):
        action = GAME.read_action(text)
        assert not isinstance(action, Refused)
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        log += outcome.facts
        expected, step = essences(state), state
        for fact in outcome.facts:
            expected += flow(step, fact)
            step = GAME.evolve(step, fact)
        position = GAME.write_position(state)
        assert essences(after) == expected, (position, text)
        assert not list(broken(state, after)), (position, text)
        assert _STATES.decode(canonical_bytes(after)) == after
        assert GAME.read_position(GAME.write_position(after), options) == after
        assert set(chain(*(r.rules for r in outcome.rulings))) <= GAME.rules.keys()
        assert _FACTS.decode(msgspec.json.encode(outcome.facts)) == outcome.facts
    assert fold(GAME, course[0][0], log) == course[-1][0]


@every_kind
@settings(max_examples=3)
@given(st.randoms(use_true_random=True))
def test_listed_actions_are_accepted_grouped_and_distinguished(
    wandered: Wandered, options: Options, random: Random
) -> None:
    for state, _, _ in random.sample(wandered(random, options, 400), 40):
        position = GAME.write_position(state)
        for prompt in GAME.turn(state):
            listed = list(GAME.legal(state, prompt.seat))
            assert len(set(listed)) == len(listed), position
            for action in random.sample(listed, min(30, len(listed))):
                assert isinstance(GAME.decide(state, prompt.seat, action), Accepted), position
            assert GAME.groups is not None
            groups = list(GAME.groups(state, prompt.seat))
            assert [a for group in groups for a in group.actions()] == listed, position
            assert len({group.parts for group in groups}) == len(groups), position
            parts = {
                (p.verb, p.pieces, p.spaces, p.cards, p.choices)
                for p in (GAME.parts(state, action) for action in listed)
            }
            assert len(parts) == len(listed), position


def mutations(random: Random, text: str, words: list[str]) -> list[str]:
    """A legal action with one word exchanged, added or left out, or a number changed."""
    parts = text.split(" ")
    at = random.randrange(len(parts))
    digits = [n for n, letter in enumerate(text) if letter.isdigit()]
    made = [
        " ".join([*parts[:at], random.choice(words), *parts[at + 1 :]]),
        " ".join([*parts[:at], *parts[at + 1 :]]),
        " ".join([*parts, random.choice(words)]),
    ]
    if digits:
        n = random.choice(digits)
        made.append(text[:n] + random.choice("123456789") + text[n + 1 :])
    return made


@every_kind
@settings(max_examples=4)
@given(st.randoms(use_true_random=True))
def test_a_legal_action_with_one_thing_changed_is_refused_unless_listed(
    wandered: Wandered, options: Options, random: Random
) -> None:
    names = [*pack_of(GAME.start(options)).cards, "-", "deck", "north", "0", "1e", "2g", "1l1c"]
    for state, _, _ in random.sample(wandered(random, options, 400), 25):
        for prompt in GAME.turn(state):
            listed = set(islice(GAME.legal(state, prompt.seat), 6000))
            for action in random.sample(sorted(listed, key=repr), min(12, len(listed))):
                for text in mutations(random, GAME.write_action(action), names):
                    attempt = GAME.read_action(text)
                    if isinstance(attempt, Refused):
                        continue
                    outcome = GAME.decide(state, prompt.seat, attempt)
                    context = (GAME.write_position(state), text, outcome)
                    assert isinstance(outcome, Accepted) == (attempt in listed), context
                    if isinstance(outcome, Refused):
                        assert outcome.rule in GAME.rules, context
                        assert outcome.why, context


# --- payments, against a slow and simple reading of the reference ---------------------------------

Five = tuple[int, int, int, int, int]
few = st.integers(0, 3)
small = st.tuples(few, few, few, few, few)
costs = st.tuples(small, few)


ONE: list[Five] = [(1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 1, 0)]


def written(fixed: Five, stars: int) -> str:
    text = "".join(f"{n}{letter}" for n, letter in zip(fixed, LETTERS, strict=True) if n)
    return (text + (f"{stars}*" if stars else "")) or "0"


def strikings(fixed: Five, stars: int, less: int) -> set[tuple[Five, int]]:
    """Every cost that is left when so many essences, none of them gold, have been struck off."""
    left = {(fixed, stars)}
    for _ in range(less):
        struck = set()
        for some, any_type in left:
            if any_type:
                struck.add((some, any_type - 1))
            for at in range(4):
                if some[at]:
                    struck.add((minus(some, ONE[at]), any_type))
        if not struck:
            break
        left = struck
    return left


def bundles_of(pool: Five) -> Iterator[Five]:
    """Every bundle that the pool holds."""
    return product(*(range(most + 1) for most in pool))


@settings(max_examples=60)
@given(pool=small, cost=costs, less=st.integers(0, 8))
def test_a_payment_pays_if_some_way_of_striking_leaves_what_it_pays_exactly(
    pool: Five, cost: tuple[Five, int], less: int
) -> None:
    text = written(*cost)
    left = strikings(*cost, less)
    expected = set()
    for some in bundles_of(pool):
        if any(
            sum(some) == sum(fixed) + stars
            and all(a >= b for a, b in zip(some, fixed, strict=True))
            for fixed, stars in left
        ):
            expected.add(spell(some))
    listed = list(payments(spell(pool), text, less))
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    for some in bundles_of(pool):
        bundle = spell(some)
        assert pays(bundle, text, less) == (bundle in expected)


@settings(max_examples=60)
@given(
    pool=small,
    cost=costs,
    same=st.booleans(),
    of=st.sampled_from(["elcdg", "lcg", "e"]),
)
def test_a_power_is_paid_by_its_cost_any_types_and_identical_essences(
    pool: Five, cost: tuple[Five, int], same: bool, of: str
) -> None:
    fixed, stars = cost
    power = msgspec.convert(
        {
            "pay": written(fixed, stars),
            "pay_of": "elcdg" if same else of,
            "same": same,
            "do": [{"effect": "gain", "gain": "1g"}],
        },
        Power,
    )
    expected = set()
    for some in bundles_of(pool):
        rest = [a - b for a, b in zip(some, fixed, strict=True)]
        if min(rest) < 0:
            continue
        alike = sum(rest) - stars
        if same and 0 <= alike <= max(rest):
            expected.add(spell(some))
        if (
            not same
            and alike == 0
            and all(letter in of for n, letter in zip(rest, LETTERS, strict=True) if n)
        ):
            expected.add(spell(some))
    listed = list(power_payments(spell(pool), power))
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    for some in bundles_of(pool):
        bundle = spell(some)
        assert pays_power(bundle, power) == (bundle in expected)


def test_a_sample_of_every_action_and_fact_is_frozen() -> None:
    """Facts are stored for ever: a change of one must show in a file that is never changed."""
    folder = Path(__file__).parents[2] / "domain" / "stored_shapes"
    frozen = "".join(file.read_text() for file in folder.glob("*res-arcana*.json"))
    for kind in (*GAME.actions.__args__, *GAME.facts.__args__):
        assert f'"type":"{kind.__struct_config__.tag}"' in frozen
