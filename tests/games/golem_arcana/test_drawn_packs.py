"""Whatever the check of packs lets through can be played: packs made up at random are.

`python bench/soak_packs.py` plays thousands of them.
"""

from random import Random

from hypothesis import Phase, given
from hypothesis import strategies as st

from bench.golem_packs import draw_options, draw_pack, draw_start
from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.state import State
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE
from domain.kernel.rulings import Accepted
from domain.stylus.tap_machine import Selection, StylusView, tap
from domain.stylus.tap_paths import taps_for
from tests.games.golem_arcana.conftest import narrated
from tests.games.golem_arcana.invariants import broken
from tests.hypothesis_settings import example_settings

SEEDS = st.integers(0, 10**9)
"""A whole pack from one number: its many choices would be too many to draw and to shrink."""
PLAYS = example_settings(4, deadline=None, phases=[Phase.explicit, Phase.generate])
WALK = 30


@PLAYS
@given(SEEDS)
def test_everything_listed_is_played_and_every_position_written_is_read(seed: int) -> None:
    chance = Random(seed)
    pack = draw_pack(chance)
    options = draw_options(chance, pack)
    state = draw_start(chance, options)
    for _ in range(WALK):
        prompts = GAME.turn(state)
        if not prompts:
            break
        actions = list(GAME.legal(state, prompts[0].seat))
        text = GAME.write_position(state)
        assert len({GAME.parts(state, action) for action in actions}) == len(actions), text
        for action in chance.sample(actions, min(len(actions), 8)):
            assert GAME.read_action(GAME.write_action(action)) == action
            outcome = GAME.decide(state, prompts[0].seat, action)
            assert isinstance(outcome, Accepted), (text, action, outcome)
            after = fold(GAME, state, outcome.facts)
            written = GAME.write_position(after)
            assert GAME.read_position(written, options) == after, (text, action, written)
            assert GAME.write_position(GAME.read_position(written, options)) == written
            assert not list(broken(state, after)), (text, action, written)
            assert narrated(state, prompts[0].seat, action, outcome).outcome
        state = after


@PLAYS
@given(SEEDS)
def test_every_action_of_a_seat_can_be_tapped(seed: int) -> None:
    chance = Random(seed)
    pack = draw_pack(chance)
    state = draw_start(chance, draw_options(chance, pack))
    for _ in range(WALK // 2):
        prompts = GAME.turn(state)
        if not prompts:
            break
        actions = list(GAME.legal(state, prompts[0].seat))
        if prompts[0].seat != REFEREE:
            for action in chance.sample(actions, min(len(actions), 3)):
                assert tapped(state, action) == action, GAME.write_position(state)
        outcome = GAME.decide(state, prompts[0].seat, chance.choice(actions))
        assert isinstance(outcome, Accepted)
        state = fold(GAME, state, outcome.facts)


def tapped(state: State, action: Action) -> Action | None:
    """What a stylus that is passed round submits after the taps for an action."""
    moment, hand, taken = StylusView(GAME, state, (), shared=True), Selection(), None
    for each in taps_for(moment, action):
        answer = tap(moment, hand, each)
        assert answer.refusal is None, (GAME.write_position(state), each, answer.refusal)
        hand, taken = answer.hand, answer.action
    return taken


@PLAYS
@given(SEEDS)
def test_every_viewer_sees_every_battle(seed: int) -> None:
    chance = Random(seed)
    pack = draw_pack(chance)
    options = draw_options(chance, pack)
    state = draw_start(chance, options)
    for viewer in (*GAME.seats(options), "spectator", "referee"):
        scene = GAME.scene(state, viewer)
        places = {space.id for space in scene.spaces} | {zone.id for zone in scene.zones}
        assert {piece.where for piece in scene.pieces} <= places
        assert len({piece.id for piece in scene.pieces}) == len(scene.pieces)
        assert GAME.write_view(state, viewer)
        assert GAME.status is not None
        assert GAME.status(state, viewer, options)
    assert GAME.packs is not None
    assert GAME.packs.entries(pack)


def test_a_drawn_pack_is_drawn_again_from_its_seed() -> None:
    one, other = draw_pack(Random(7)), draw_pack(Random(7))
    assert one.digest == other.digest
