"""Random play of any game in the registry, shared by the scripts of this folder."""

import argparse
import random
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame
from domain.kernel.packs import BUILT_IN_PACKS
from domain.kernel.rulings import Accepted
from domain.registry import GAMES


class Moment(Struct, frozen=True):
    """One step of a random game: the legal actions, the chosen one, and its outcome."""

    before: Any
    seat: str
    listed: tuple[Any, ...]
    """All legal actions of the seat, administrative ones too."""
    action: Any
    outcome: Accepted[Any]
    after: Any


def random_game(game: AnyGame, start: Any, chance: random.Random, steps: int) -> Iterator[Moment]:
    """Yield the steps of a random game without administrative actions, at most `steps`."""
    state = start
    for _ in range(steps):
        prompts = game.turn(state)
        if not prompts:
            return
        seat = chance.choice(prompts).seat
        listed = tuple(game.legal(state, seat))
        action = any_kind(
            chance, [action for action in listed if not game.is_administrative(action)]
        )
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted), f"{game.write_action(action)}: {outcome}"
        moment = Moment(state, seat, listed, action, outcome, fold(game, state, outcome.facts))
        yield moment
        state = moment.after


def any_kind(chance: random.Random, actions: list[Any]) -> Any:
    """Return a random action, each type of action being equally likely."""
    kinds: dict[type, list[Any]] = {}
    for action in actions:
        kinds.setdefault(type(action), []).append(action)
    return chance.choice(chance.choice([*kinds.values()]))


def arguments(about: str, matches: int) -> argparse.ArgumentParser:
    """Return a parser of the arguments that several scripts share."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games if none is named")
    parser.add_argument("--matches", type=int, default=matches, metavar="N")
    parser.add_argument("--steps", type=int, default=400, help="actions in a match, at most")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def games(slugs: list[str]) -> list[AnyGame]:
    """Return the games of these names, or all; exit if there is no such game."""
    unknown = [slug for slug in slugs if slug not in GAMES]
    if unknown:
        raise SystemExit(f"there is no game {unknown[0]!r}; there is {', '.join(GAMES)}")
    return [GAMES[slug] for slug in slugs or GAMES]


def options(game: AnyGame, given: list[str]) -> Any:
    """Return the options in texts such as `artillery=true`; exit if they are invalid."""
    pairs = (pair.partition("=") for pair in given)
    chosen = {name: value for name, _, value in pairs}
    try:
        return msgspec.convert(
            chosen, game.options, strict=False, dec_hook=BUILT_IN_PACKS.decode_hook(game.packs)
        )
    except msgspec.ValidationError as error:
        raise SystemExit(f"{game.name}: {error}") from None
