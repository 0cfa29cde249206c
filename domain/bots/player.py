"""The bot's choice of an action for a seat."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.bots.levels import Level
from domain.bots.random_play import play_actions, prompt_for, random_action, random_entry
from domain.bots.search import Search
from domain.bots.splitmix import SplitMix64
from domain.bots.tree import Node, overestimate, rank_edges
from domain.kernel.game import AnyGame


class Candidate(Struct, frozen=True):
    """An action that the search considered."""

    action: Any
    win_chance: float
    """The acting seat's win probability, from 0 to 1; a draw counts half."""
    visits: int


class Choice(Struct, frozen=True):
    """The chosen action, with the results of the search."""

    action: Any
    win_chance: float
    """The acting seat's win probability, from 0 to 1; a draw counts half."""
    line: tuple[Any, ...]
    """The expected actions, from the chosen one up to the next dice or shuffle."""
    alternatives: tuple[Candidate, ...]
    """All considered actions, the chosen one included, the best first."""
    nodes: int
    """The number of states that the search created."""


def never_stop() -> bool:
    """Return False: never stop a search early."""
    return False


def choose_action(
    game: AnyGame,
    known: Any,
    seat: str,
    level: Level,
    seed: bytes,
    *,
    stop: Callable[[], bool] = never_stop,
) -> Choice:
    """Choose an action for a seat.

    The choice depends on the arguments only, unless `stop` ends the search early.

    Args:
        game: The game.
        known: The seat's information state, so that hidden cards cannot affect the choice.
        seat: The seat to act for.
        level: The playing strength.
        seed: Determines all random choices.
        stop: Polled during the search; True ends it early.

    Raises:
        ValueError: The seat has no prompt.
    """
    prompt = prompt_for(game, known, seat)
    if prompt is None or prompt.seat != seat or game.result(known) is not None:
        raise ValueError(f"{seat} has no prompt")
    if prompt.is_chance:
        action = random_entry(game, known, seat, SplitMix64(seed))
        return Choice(action, 0.5, (action,), (), 0)
    rng = SplitMix64(b"slip " + seed)
    plays_randomly = rng.share() < level.random_move_rate
    if plays_randomly or len([*islice(play_actions(game, known, seat), 2)]) == 1:
        level = replace(level, budget=1)  # no search is needed
    search = Search(game, known, seat, level, seed)
    search.run(stop)
    edges = rank_edges(search.root.edges.values(), seat)
    if plays_randomly:
        action = random_action(game, known, seat, rng)
        chance = min(1.0, max(0.0, edges[0].estimate(seat, 0.0)))
        return Choice(
            action, chance, (action,), (Candidate(action, chance, 0),), search.states_made
        )
    excess = overestimate(edges, seat)
    alternatives = tuple(
        Candidate(edge.action, min(1.0, max(0.0, edge.estimate(seat, excess))), edge.node.visits)
        for edge in edges
    )
    return Choice(
        action=edges[0].action,
        win_chance=alternatives[0].win_chance,
        line=(edges[0].action, *_expected_line(edges[0].node)),
        alternatives=alternatives,
        nodes=search.states_made,
    )


def _expected_line(node: Node) -> list[Any]:
    """Return the most visited line from a node on."""
    line = []
    while node.edges and not any(sample.chance for sample in node.samples.values()):
        seat = next(iter(node.samples.values())).seat
        best = rank_edges(node.edges.values(), seat)[0]
        line.append(best.action)
        node = best.node
    return line
