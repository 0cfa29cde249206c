"""Matches between bots, for bench/bots.py."""

from collections.abc import Callable
from time import process_time
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.bots import LEVELS, Level, choose_action
from domain.bots.random_play import (
    equal_shares,
    play_actions,
    prompt_for,
    random_action,
    random_entry,
    result_shares,
)
from domain.bots.splitmix import SplitMix64
from domain.kernel.any_game import state_after
from domain.kernel.game import AnyGame
from domain.registry import GAMES

LONGEST: Final = 1000
"""Actions after which a match counts as drawn."""
OPENING: Final = 6
"""Opening actions, drawn among good ones, so that no two pairs of matches are the same."""
SAMPLES: Final = 3
"""Evaluations of each action by the greedy player, since dice after it may fall differently."""
OPENER: Final = Level("opener", 0, "Plays the opening.", 12, 0.1)

OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "tokars-arcana": ({"north": "human"}, {"south": "undead"}),
    "golem-arcana": ({"scenario": "twin-wells"},),
}
"""Options that pairs of matches take in turn, where usual options favor a seat or chance."""

Player = Callable[[AnyGame, Any, str, bytes], Any]
"""A function that chooses an action from its seat's information state."""


class Played(Struct, frozen=True):
    """The outcome of a match for the first of two players."""

    share: float
    plies: int
    seconds: tuple[float, float]
    """Seconds of processor time that each player used."""
    choices: tuple[int, int]


def random_player(game: AnyGame, known: Any, seat: str, seed: bytes) -> Any:
    """Return a random legal action that is not administrative."""
    return random_action(game, known, seat, SplitMix64(seed))


def greedy_player(game: AnyGame, known: Any, seat: str, seed: bytes) -> Any:
    """Return the action with the best evaluation right after it."""
    assert game.evaluate is not None
    generator = SplitMix64(seed)
    state = game.sample_state(known, seat, generator.below)
    if game.groups is None:
        listed = list(play_actions(game, state, seat))
    else:
        listed = [
            group.first
            for group in game.groups(state, seat)
            if not game.is_administrative(group.first)
        ]
    generator.shuffle(listed)
    return max(listed, key=lambda action: _mean_share(game, state, seat, action, generator))


def _mean_share(game: AnyGame, state: Any, seat: str, action: Any, generator: SplitMix64) -> float:
    """Return the mean evaluation after an action, over `SAMPLES` throws of the dice."""
    first = state_after(game, state, seat, action)
    shares = [_thrown(game, first, seat, generator) for _ in range(SAMPLES)]
    return sum(shares) / SAMPLES


def _thrown(game: AnyGame, state: Any, seat: str, generator: SplitMix64) -> float:
    assert game.evaluate is not None
    while (prompt := prompt_for(game, state)) is not None and prompt.is_chance:
        state = state_after(
            game, state, prompt.seat, random_entry(game, state, prompt.seat, generator)
        )
    shares = game.evaluate(state)
    if (result := game.result(state)) is not None:
        shares = result_shares(result, tuple(shares))
    return shares.get(seat, 0.0)


def of_level(level: Level) -> Player:
    """Return the player of a bot level."""
    return lambda game, known, seat, seed: choose_action(game, known, seat, level, seed).action


PLAYERS: Final[dict[str, Player]] = {
    "random": random_player,
    "greedy": greedy_player,
    **{name: of_level(level) for name, level in LEVELS.items()},
}


def match(slug: str, first: Player, second: Player, number: int) -> Played:
    """Play one match.

    The two matches of a pair, an even number and the next, start alike and swap the players' seats.
    """
    game = GAMES[slug]
    chosen = OPTIONS.get(slug, ({},))
    options = msgspec.convert(chosen[number // 2 % len(chosen)], game.options)
    seats = game.seats(options)
    generator = SplitMix64(f"{slug} {number // 2}".encode())
    state, plies = game.start(options), 0
    drawn = 0
    seconds, choices = [0.0, 0.0], [0, 0]
    while game.result(state) is None and plies < LONGEST:
        prompt = prompt_for(game, state)
        assert prompt is not None, "nobody is asked, and it is not over"
        seed = f"{slug} {number // 2 if drawn < OPENING else number} {plies}".encode()
        if prompt.is_chance or prompt.seat not in seats:
            action = random_entry(game, state, prompt.seat, generator)
        elif drawn < OPENING:
            drawn += 1
            known = game.information_state(state, prompt.seat)
            action = choose_action(game, known, prompt.seat, OPENER, seed).action
        else:
            who = (seats.index(prompt.seat) + number) % 2
            began = process_time()
            player = (first, second)[who]
            action = player(game, game.information_state(state, prompt.seat), prompt.seat, seed)
            seconds[who] += process_time() - began
            choices[who] += 1
        state, plies = state_after(game, state, prompt.seat, action), plies + 1
    result = game.result(state)
    shares = result_shares(result, seats) if result else equal_shares(seats)
    own = sum(shares[seat] for n, seat in enumerate(seats) if (n + number) % 2 == 0)
    return Played(own, plies, (seconds[0], seconds[1]), (choices[0], choices[1]))
