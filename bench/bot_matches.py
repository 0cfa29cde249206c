"""Matches between bots: what bench/bots.py plays."""

from collections.abc import Callable
from time import process_time
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.bots import LEVELS, Level, choose
from domain.bots.random_play import actions, any_action, asked, entry, equal, shared_out
from domain.bots.splitmix import Luck
from domain.kernel.any_game import after
from domain.kernel.game import AnyGame
from domain.registry import GAMES

LONGEST: Final = 1000
"""Actions after which a match counts as drawn."""
OPENING: Final = 6
"""Actions that are drawn among good ones, so that no two pairs of matches are the same."""
SAMPLES: Final = 3
"""How often the greedy player looks at an action after which dice decide."""
OPENER: Final = Level("opener", 0, "Plays the opening.", 12, 0.1)

OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "tokars-arcana": ({"north": "human"}, {"south": "undead"}),
    "golem-arcana": ({"scenario": "twin-wells"},),
}
"""What the pairs of matches of a game choose in turn, where the usual options favour a seat, or
leave most to the dice."""

Player = Callable[[AnyGame, Any, str, bytes], Any]
"""Chooses an action from what its seat may know."""


class Played(Struct, frozen=True):
    """How a match went for the first of two players."""

    share: float
    plies: int
    seconds: tuple[float, float]
    """Of processor time, of each player."""
    choices: tuple[int, int]


def random_player(game: AnyGame, known: Any, seat: str, seed: bytes) -> Any:
    """Anything that is legal, but for giving up."""
    return any_action(game, known, seat, Luck(seed))


def greedy_player(game: AnyGame, known: Any, seat: str, seed: bytes) -> Any:
    """What leads to the best prospects at once."""
    assert game.prospects is not None
    luck = Luck(seed)
    state = game.imagine(known, seat, luck.below)
    if game.groups is None:
        listed = list(actions(game, state, seat))
    else:
        listed = [group.first for group in game.groups(state, seat) if not game.aside(group.first)]
    luck.shuffle(listed)
    return max(listed, key=lambda action: _prospects(game, state, seat, action, luck))


def _prospects(game: AnyGame, state: Any, seat: str, action: Any, luck: Luck) -> float:
    """The mean over a few throws of what an action leads to."""
    first = after(game, state, seat, action)
    shares = [_thrown(game, first, seat, luck) for _ in range(SAMPLES)]
    return sum(shares) / SAMPLES


def _thrown(game: AnyGame, state: Any, seat: str, luck: Luck) -> float:
    assert game.prospects is not None
    while (prompt := asked(game, state)) is not None and prompt.is_chance:
        state = after(game, state, prompt.seat, entry(game, state, prompt.seat, luck))
    shares = game.prospects(state)
    if (result := game.result(state)) is not None:
        shares = shared_out(result, tuple(shares))
    return shares.get(seat, 0.0)


def of_level(level: Level) -> Player:
    """The player of a level."""
    return lambda game, known, seat, seed: choose(game, known, seat, level, seed).action


PLAYERS: Final[dict[str, Player]] = {
    "random": random_player,
    "greedy": greedy_player,
    **{name: of_level(level) for name, level in LEVELS.items()},
}


def match(slug: str, first: Player, second: Player, number: int) -> Played:
    """One match. The two matches of a pair, an even number and the next, begin alike and give the
    players each other's seats."""
    game = GAMES[slug]
    chosen = OPTIONS.get(slug, ({},))
    options = msgspec.convert(chosen[number // 2 % len(chosen)], game.options)
    seats = game.seats(options)
    luck = Luck(f"{slug} {number // 2}".encode())
    state, plies = game.start(options), 0
    drawn = 0
    seconds, choices = [0.0, 0.0], [0, 0]
    while game.result(state) is None and plies < LONGEST:
        prompt = asked(game, state)
        assert prompt is not None, "nobody is asked, and it is not over"
        seed = f"{slug} {number // 2 if drawn < OPENING else number} {plies}".encode()
        if prompt.is_chance or prompt.seat not in seats:
            action = entry(game, state, prompt.seat, luck)
        elif drawn < OPENING:
            drawn += 1
            known = game.known(state, prompt.seat)
            action = choose(game, known, prompt.seat, OPENER, seed).action
        else:
            who = (seats.index(prompt.seat) + number) % 2
            began = process_time()
            player = (first, second)[who]
            action = player(game, game.known(state, prompt.seat), prompt.seat, seed)
            seconds[who] += process_time() - began
            choices[who] += 1
        state, plies = after(game, state, prompt.seat, action), plies + 1
    result = game.result(state)
    shares = shared_out(result, seats) if result else equal(seats)
    own = sum(shares[seat] for n, seat in enumerate(seats) if (n + number) % 2 == 0)
    return Played(own, plies, (seconds[0], seconds[1]), (choices[0], choices[1]))
