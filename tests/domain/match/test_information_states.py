"""What a program is given of a state can be read back, and is what its viewer may know."""

from random import Random

import pytest

from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR
from domain.log.digests import canonical_bytes
from domain.match.information_states import (
    SchemaMismatchError,
    information_state_fingerprint,
    read_information_state,
)
from domain.registry import GAMES


@pytest.mark.parametrize("slug", GAMES)
def test_a_known_state_is_read_back_as_it_was_written(slug: str) -> None:
    game, random = GAMES[slug], Random(7)
    options = game.options()
    state = game.start(options)
    for step in range(25):
        if step % 6 == 0:
            for viewer in (*game.seats(options), SPECTATOR, REFEREE):
                known = game.information_state(state, viewer)
                assert (
                    read_information_state(
                        game, canonical_bytes(known), information_state_fingerprint(game)
                    )
                    == known
                )
        prompts = game.turn(state)
        if not prompts:
            break
        legal = [
            each for _, each in zip(range(40), game.legal(state, prompts[0].seat), strict=False)
        ]
        actions = [each for each in legal if not game.is_administrative(each)]
        outcome = game.decide(state, prompts[0].seat, random.choice(actions))
        state = fold(game, state, outcome.facts)


def test_a_state_of_another_release_is_refused() -> None:
    game = GAMES["agog"]
    raw = canonical_bytes(game.start(game.options()))
    with pytest.raises(SchemaMismatchError, match="another shape"):
        read_information_state(game, raw, "0" * 16)
