"""Pairs of positions that differ only in what one viewer may not see, and how they go on alike."""

import json
from itertools import islice
from random import Random
from types import ModuleType
from typing import Any, Final, NamedTuple

import msgspec

from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR, AnyGame
from domain.kernel.rulings import Accepted, Refused
from domain.log.digests import encode_as_digest
from domain.registry import GAMES
from tests.secrets import golem_arcana, res_arcana

HIDING: Final[dict[str, ModuleType]] = {
    "golem-arcana": golem_arcana,
    "res-arcana": res_arcana,
}
"""For each game that hides anything: the `options` to try, the `STEPS` of a random match, `twin`,
`open_part`, `open_facts`, `secret`, and `livelier`."""

LISTED: Final = 300
"""Legal actions that are chosen among."""
TRIES: Final = 8
RESIGN_PROBABILITY: Final = 0.01
"""How likely a seat gives up, where the others play on."""


class Step(NamedTuple):
    """What a seat did in the one and in the other."""

    seat: str
    texts: tuple[str, str]


class Pair(NamedTuple):
    """Two matches that the viewer cannot tell apart, from a position on."""

    game: AnyGame
    options: Any
    viewer: str
    starts: tuple[Any, Any]
    steps: tuple[Step, ...]
    """What was done since."""
    states: tuple[Any, Any]
    """How they stand now."""

    def transcript(self, side: int, title: str) -> str:
        """One of the two matches, as it can be imported."""
        game = self.game
        options = msgspec.to_builtins(self.options, enc_hook=encode_as_digest)
        headers = [
            ("Emeth", "1"),
            ("Game", game.slug),
            ("Title", title),
            *(("Option", f"{name}={json.dumps(value)}") for name, value in options.items()),
            ("Start", game.write_position(self.starts[side])),
        ]
        lines = [f"[{name} {json.dumps(value)}]" for name, value in headers]
        lines += [f"{n}. {s.seat} {s.texts[side]}" for n, s in enumerate(self.steps, 1)]
        result = game.result(self.states[side])
        return "\n".join((*lines, result.score if result else "*", ""))


def pair(slug: str, options: Any, random: Random, steps: int = 3) -> Pair | None:
    """A pair from somewhere in a random match; None if nothing is hidden there."""
    game, hiding = GAMES[slug], HIDING[slug]
    state = _wandered(game, options, random, random.randrange(1, hiding.STEPS))
    state = hiding.livelier(state, random)
    prompts = game.turn(state)
    if not prompts or game.result(state) is not None:
        return None
    asked = random.choice(prompts).seat
    viewers = [*game.seats(options), SPECTATOR]
    viewer = asked if asked in viewers and random.random() < 0.7 else random.choice(viewers)
    other = hiding.twin(state, viewer, random)
    if other == state:
        return None
    assert hiding.open_part(state, viewer) == hiding.open_part(other, viewer)
    made = Pair(game, options, viewer, (state, other), (), (state, other))
    for _ in range(random.randrange(steps + 1)):
        made = advance_pair(made, random) or made
    return made


def from_the_start(slug: str, options: Any, random: Random, steps: int) -> Pair | None:
    """A pair with its whole history: what chance gave others is entered otherwise in the other."""
    game = GAMES[slug]
    viewer = random.choice([*game.seats(options), SPECTATOR])
    state = game.start(options)
    made = Pair(game, options, viewer, (state, state), (), (state, state))
    for _ in range(steps):
        made = advance_pair(made, random) or made
    return made if made.states[0] != made.states[1] else None


def advance_pair(made: Pair, random: Random) -> Pair | None:
    """The pair after somebody did the same in both, as far as the viewer may know; None if whatever
    can be done would show the viewer which is which."""
    game, hiding, viewer = made.game, HIDING[made.game.slug], made.viewer
    left, right = made.states
    prompts = game.turn(left)
    if not prompts or prompts != game.turn(right):
        return None
    seat = random.choice(prompts).seat
    choices = [list(islice(game.legal(state, seat), LISTED)) for state in made.states]
    for _ in range(TRIES):
        action = other = random.choice(choices[0])
        if hiding.secret(left, seat, action, viewer):
            other = random.choice([each for each in choices[1] if type(each) is type(action)])
        outcomes = (game.decide(left, seat, action), game.decide(right, seat, other))
        if any(isinstance(each, Refused) for each in outcomes):
            continue  # a card of a rival, who does not hold it in the other
        seen = [hiding.open_facts(each.facts, viewer) for each in outcomes]
        if seen[0] != seen[1]:
            continue
        after = tuple(fold(game, s, o.facts) for s, o in zip(made.states, outcomes, strict=True))
        if hiding.open_part(after[0], viewer) == hiding.open_part(after[1], viewer):
            step = Step(seat, (game.write_action(action), game.write_action(other)))
            return made._replace(steps=(*made.steps, step), states=after)
    return None


def _wandered(game: AnyGame, options: Any, random: Random, steps: int) -> Any:
    state = game.start(options)
    for _ in range(steps):
        prompts = game.turn(state)
        if not prompts or game.result(state) is not None:
            break
        seat = random.choice(prompts).seat
        if random.random() < RESIGN_PROBABILITY and _may_give_up(game, options, state, seat):
            assert game.forfeit is not None
            state = fold(game, state, game.forfeit(state, seat).facts)
            continue
        action = random.choice(list(islice(game.legal(state, seat), LISTED)))
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted), (game.write_position(state), action, outcome)
        state = fold(game, state, outcome.facts)
    return state


def _may_give_up(game: AnyGame, options: Any, state: Any, seat: str) -> bool:
    """Would the others play on?"""
    seats = game.seats(options)
    out = game.resigned_seats(state) if game.resigned_seats is not None else ()
    return game.forfeit is not None and seat in seats and len(seats) - len(out) > 2
