"""What a refusal says would be right is right: an action that is spelt out in it can be taken."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Accepted, Refused
from domain.registry import GAMES

SLUGS = ("agog", "earthen-war", "tokars-arcana")
"""Games whose actions do not read like words of a sentence."""
LONGEST = 8
"""Words of an action, at most."""


def spelt_out(game: AnyGame, why: str) -> Iterator[Any]:
    """The actions that stand in a sentence, the longest at each place."""
    words = [word.strip(".,:;()`") for word in why.split(" ")]
    at = 0
    while at < len(words):
        for length in range(min(LONGEST, len(words) - at), 0, -1):
            text = " ".join(words[at : at + length])
            # A bare word is as likely one of the sentence.
            if (length == 1 and text.isalpha()) or not text:
                continue
            action = game.read_action(text)
            if not isinstance(action, Refused):
                yield action
                at += length - 1
                break
        at += 1


def mutated(random: Random, texts: list[str], text: str) -> str:
    """The text, or one much like it."""
    words = text.split(" ")
    match random.randrange(5):
        case 0:
            random.shuffle(words)
        case 1:
            words[random.randrange(len(words))] = random.choice(random.choice(texts).split(" "))
        case 2:
            words = [words[0], *random.choice(texts).split(" ")[1:]]
        case 3:
            place = random.randrange(len(text))
            return text[:place] + random.choice("-x*abcdefgh12345678rfs") + text[place + 1 :]
        case _:
            pass
    return " ".join(words)


@pytest.mark.parametrize("slug", SLUGS)
@settings(max_examples=12)
@given(seed=st.integers(0, 100_000))
def test_an_action_that_a_refusal_spells_out_can_be_taken(slug: str, seed: int) -> None:
    game, random = GAMES[slug], Random(seed)
    options = msgspec.convert({}, game.options)
    state, texts = game.start(options), ["x"]
    for _ in range(60):
        prompts = game.turn(state)
        if not prompts:
            break
        seat = random.choice(prompts).seat
        listed = [*islice(game.legal(state, seat), 300)]
        texts = [*texts[-200:], *(game.write_action(each) for each in listed)]
        for text in random.sample(texts, min(25, len(texts))):
            tried = mutated(random, texts, text)
            action = game.read_action(tried)
            if not isinstance(action, Refused):
                refused = game.decide(state, seat, action)
                if isinstance(refused, Refused):
                    for hint in spelt_out(game, refused.why):
                        holds = isinstance(game.decide(state, seat, hint), Accepted)
                        assert hint == action or holds, (
                            game.write_position(state),
                            seat,
                            tried,
                            refused,
                        )
        action = random.choice([each for each in listed if not game.is_administrative(each)])
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)
