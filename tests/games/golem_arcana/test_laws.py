"""What holds in every battle: random play over all scenarios and options."""

from random import Random

import msgspec
import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.battle.sides import teams_of
from domain.games.golem_arcana.content.packs import CORE, SHIPPED
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State, Variants
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, ResolvedAction
from domain.kernel.packs import library_of
from domain.kernel.rulings import Accepted, Refused
from domain.log.digests import canonical_bytes
from tests.games.golem_arcana.conftest import narrated
from tests.games.golem_arcana.invariants import broken
from tests.hypothesis_settings import example_settings

VARIANTS: dict[str, list[str]] = {
    name: list(schema["enum"])
    for name, schema in msgspec.json.schema(Variants)["$defs"]["Variants"]["properties"].items()
}


@st.composite
def any_options(draw: st.DrawFn) -> Options:
    """Any scenario of any pack, with any teams and readings of the rules."""
    pack = draw(st.sampled_from(SHIPPED))
    scenario = draw(st.sampled_from(list(pack.scenarios.values())))
    chosen = {n: st.sampled_from(v) for n, v in VARIANTS.items()}
    chosen["teams"] = st.sampled_from(teams_of(scenario.seats))
    readings = draw(st.fixed_dictionaries({}, optional=chosen))
    given = {"pack": pack, "scenario": scenario.id, **readings}
    return msgspec.convert(given, Options)


OPTIONS = any_options()
CHANCE = st.randoms(use_true_random=True)
"""A whole battle from one seed: hundreds of choices would be too many to draw and to shrink."""
# `bench/soak_games.py` plays thousands.
PLAYS = example_settings(8, deadline=None, phases=[Phase.explicit, Phase.generate])
WALK = 40
SCRAPS = ["s1", "n1", "n2", "s1k", "a1", "b3", "walk", "fly", "1", "00", "bite", "end", "z9"]


def walk(options: Options, chance: Random):
    """States of one random battle, each with the seat to act and what it may do."""
    state = GAME.start(options)
    for _ in range(WALK):
        prompts = GAME.turn(state)
        if not prompts:
            return
        actions = list(GAME.legal(state, prompts[0].seat))
        yield state, prompts[0].seat, actions
        outcome = GAME.decide(state, prompts[0].seat, chance.choice(actions))
        assert isinstance(outcome, Accepted)
        state = fold(GAME, state, outcome.facts)


@PLAYS
@given(OPTIONS, CHANCE)
def test_in_every_state_the_invariants_hold_and_the_formats_are_inverse(
    options: Options, chance: Random
) -> None:
    before = None
    for state, _, _ in walk(options, chance):
        assert list(broken(before or state, state)) == [], GAME.write_position(state)
        before = state
        text = GAME.write_position(state)
        assert GAME.read_position(text, options) == state, text
        found = library_of(options).decode_hook(GAME.packs)
        assert msgspec.json.decode(canonical_bytes(state), type=GAME.state, dec_hook=found) == state


@PLAYS
@given(OPTIONS, CHANCE)
def test_what_is_listed_is_accepted_once_and_says_what_it_is(
    options: Options, chance: Random
) -> None:
    for state, seat, actions in walk(options, chance):
        assert len(set(actions)) == len(actions)
        parts = [msgspec.structs.replace(GAME.parts(state, a), sentence="") for a in actions]
        assert len(set(parts)) == len(parts), "no two actions have equal parts"
        for action in actions[:: max(len(actions) // 12, 1)]:
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted), (GAME.write_position(state), action, outcome)
            assert GAME.read_action(GAME.write_action(action)) == action
            assert msgspec.json.decode(msgspec.json.encode(action), type=GAME.actions) == action
            assert GAME.consequences is not None
            assert GAME.consequences(state, action) == outcome.facts


@PLAYS
@given(OPTIONS, CHANCE)
def test_a_changed_action_is_refused_unless_it_is_listed(options: Options, chance: Random) -> None:
    for state, seat, actions in walk(options, chance):
        words = GAME.write_action(chance.choice(actions)).split(" ")
        words[chance.randrange(len(words))] = chance.choice(SCRAPS)
        action = GAME.read_action(" ".join(words))
        if isinstance(action, Refused):
            continue
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted) == (action in actions), GAME.write_position(state)
        assert isinstance(outcome, Accepted) or outcome.rule in GAME.rules


@PLAYS
@given(OPTIONS, CHANCE)
def test_facts_fold_to_the_same_state_and_are_narrated(options: Options, chance: Random) -> None:
    for state, seat, actions in walk(options, chance):
        action = chance.choice(actions)
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        stored = msgspec.json.encode(outcome)
        again = msgspec.json.decode(stored, type=Accepted[GAME.facts])
        assert fold(GAME, state, again.facts) == fold(GAME, state, outcome.facts)
        sentences = narrated(state, seat, action, outcome).facts
        assert all(not sentence or sentence.endswith(".") for sentence in sentences)
        assert len(sentences) == len(outcome.facts)
        for ruling in outcome.rulings:
            assert set(ruling.rules) <= set(GAME.rules)
            assert ruling.fact is None or ruling.fact < len(outcome.facts), ruling


@PLAYS
@given(CHANCE)
def test_no_viewer_is_sent_what_it_may_not_know(chance: Random) -> None:
    """In Night of Embers two worlds differ only in the secrets."""
    options = Options(scenario="night-of-embers")
    for state, seat, actions in walk(options, chance):
        for viewer in ("south", "north", "spectator"):
            other = elsewhere(state, viewer)
            assert GAME.write_view(state, viewer) == GAME.write_view(other, viewer)
            assert GAME.scene(state, viewer) == GAME.scene(other, viewer)
            if state.round:
                assert list(GAME.legal(state, viewer)) == list(GAME.legal(other, viewer))
        action = chance.choice(actions)
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        resolved = ResolvedAction(seat, action, outcome.facts, outcome.rulings)
        assert GAME.redact(resolved, REFEREE) == resolved
        if state.round == 0:
            seen = msgspec.json.encode(GAME.redact(resolved, "spectator")).decode()
            assert "buried-cache" not in seen
            assert "unquiet-grave" not in seen


def elsewhere(state: State, viewer: str) -> State:
    """The same, as far as this viewer may know, with all hidden things different."""
    turned = {1: 2, 2: 3, 3: 1}
    candidates = {e.id: e.candidates for e in CORE.scenarios["night-of-embers"].encounters}
    return msgspec.structs.replace(
        state,
        quests={
            seat: quest
            if quest.fulfilled or seat == viewer
            else msgspec.structs.replace(quest, number=turned[quest.number])
            for seat, quest in state.quests.items()
        },
        encounters={
            name: each
            if each.triggered
            else msgspec.structs.replace(each, where=candidates[name][-1])
            for name, each in state.encounters.items()
        },
    )


@pytest.mark.parametrize("seat", ["south", "north", "east", "referee", "spectator"])
def test_only_the_seat_that_is_asked_may_act(seat: str) -> None:
    state = GAME.start(Options())
    assert bool(list(GAME.legal(state, seat))) == (seat == "south")
