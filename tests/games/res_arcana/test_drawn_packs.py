"""Whatever the check of packs lets through can be played: packs made up at random are.

`python bench/soak_packs.py res-arcana` plays many more of them.
"""

from itertools import islice
from random import Random

import msgspec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bench.res_packs import draw_options, draw_pack, draw_start
from domain.games.res_arcana import GAME
from domain.games.res_arcana.outcomes import LONGEST
from domain.kernel.any_game import fold
from domain.kernel.game import ResolvedAction
from domain.kernel.packs import library_of
from domain.kernel.rulings import Accepted
from domain.log.digests import canonical_bytes
from tests.games.res_arcana.invariants import broken
from tests.test_every_sentence import check_text

SEEDS = st.integers(0, 10**9)
"""A whole pack from one number: its many choices would be too many to draw and to shrink."""
PLAYS = settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate])
WALK = 150
LISTED = 3000
"""Of the actions of a step, so many are looked at: payments from a full pool are many."""


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
        seat = chance.choice(prompts).seat
        actions = list(islice(GAME.legal(state, seat), LISTED))
        text = GAME.write_position(state)
        for action in chance.sample(actions, min(len(actions), 5)):
            assert GAME.read_action(GAME.write_action(action)) == action
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted), (text, action, outcome)
            after = fold(GAME, state, outcome.facts)
            written = GAME.write_position(after)
            assert GAME.read_position(written, options) == after, (text, action, written)
            assert not list(broken(state, after)), (text, action, written)
            resolved = ResolvedAction(seat, action, outcome.facts, outcome.rulings)
            narration = GAME.narrate(state, resolved, after)
            assert 0 < len(narration.outcome) <= LONGEST, (text, action, narration)
            check_text(narration.outcome, set())
            assert GAME.parts(state, action).sentence
            found = library_of(options).decode_hook(GAME.packs)
            assert (
                msgspec.json.decode(canonical_bytes(after), type=GAME.state, dec_hook=found)
                == after
            )
        assert GAME.scene(after, seat)
        state = after
