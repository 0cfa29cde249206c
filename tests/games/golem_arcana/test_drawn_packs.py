"""Whatever the check of packs lets through can be played: packs made up at random are.

`python bench/soak_packs.py` plays thousands of them.
"""

from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bench.golem_packs import draw_options, draw_pack, draw_start, put_away
from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.invariants import broken
from domain.kernel.game import Accepted, fold

SEEDS = st.integers(0, 10**9)
"""A whole pack from one number: its many choices would be too many to draw and to shrink."""
PLAYS = settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.generate])
WALK = 30


@PLAYS
@given(SEEDS)
def test_everything_listed_is_played_and_every_position_written_is_read(seed: int) -> None:
    chance = Random(seed)
    pack = draw_pack(chance)
    try:
        options = draw_options(chance, pack)
        state = draw_start(chance, options)
        for _ in range(WALK):
            asks = GAME.turn(state)
            if not asks:
                break
            actions = list(GAME.legal(state, asks[0].seat))
            text = GAME.write_position(state)
            assert len({GAME.parts(state, action) for action in actions}) == len(actions), text
            for action in chance.sample(actions, min(len(actions), 8)):
                assert GAME.read_action(GAME.write_action(action)) == action
                outcome = GAME.decide(state, asks[0].seat, action)
                assert isinstance(outcome, Accepted), (text, action, outcome)
                after = fold(GAME, state, outcome.facts)
                written = GAME.write_position(after)
                assert GAME.read_position(written, options) == after, (text, action, written)
                assert GAME.write_position(GAME.read_position(written, options)) == written
                assert not list(broken(state, after)), (text, action, written)
                assert all(GAME.tell(fact) for fact in outcome.facts)
            state = after
    finally:
        put_away(pack)


@PLAYS
@given(SEEDS)
def test_every_viewer_sees_every_battle(seed: int) -> None:
    chance = Random(seed)
    pack = draw_pack(chance)
    try:
        options = draw_options(chance, pack)
        state = draw_start(chance, options)
        for viewer in (*GAME.seats(options), "spectator", "referee"):
            scene = GAME.look(state, viewer)
            places = {space.id for space in scene.spaces} | {zone.id for zone in scene.zones}
            assert {piece.where for piece in scene.pieces} <= places
            assert len({piece.id for piece in scene.pieces}) == len(scene.pieces)
            assert GAME.write_view(state, viewer)
            assert GAME.status is not None
            assert GAME.status(state, viewer, options)
        assert GAME.packs is not None
        assert GAME.packs.entries(pack.digest)
    finally:
        put_away(pack)


def test_a_drawn_pack_is_drawn_again_from_its_seed() -> None:
    one, other = draw_pack(Random(7)), draw_pack(Random(7))
    put_away(one)
    assert one.digest == other.digest
