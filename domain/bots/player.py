"""Choosing an action for a seat."""

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
    """Something that could be done, as it looks after thinking."""

    action: Any
    win_chance: float
    """From 0 to 1, of the seat that acts; a draw counts half."""
    visits: int


class Choice(Struct, frozen=True):
    """What a bot would do, and what it thought."""

    action: Any
    win_chance: float
    """From 0 to 1, of the seat that acts; a draw counts half."""
    line: tuple[Any, ...]
    """What it expects, from this action on, up to where dice or a shuffle decide."""
    alternatives: tuple[Candidate, ...]
    """All that it thought about, this action too, the best first."""
    nodes: int
    """States that it made while thinking."""


def never_stop() -> bool:
    """Think to the end."""
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
    """What a seat should do now.

    `known` is the state as this seat may know it (`Game.known`): whatever lies hidden, the choice
    is the same. It follows from the arguments alone, unless `stop` ends the thinking early: that is
    asked now and then. Raises ValueError if this seat is asked for nothing.
    """
    prompt = prompt_for(game, known, seat)
    if prompt is None or prompt.seat != seat or game.result(known) is not None:
        raise ValueError(f"{seat} is asked for nothing")
    if prompt.is_chance:
        action = random_entry(game, known, seat, SplitMix64(seed))
        return Choice(action, 0.5, (action,), (), 0)
    luck = SplitMix64(b"slip " + seed)
    random_move_rate = luck.share() < level.random_move_rate
    if random_move_rate or len([*islice(play_actions(game, known, seat), 2)]) == 1:
        level = replace(level, budget=1)  # there is nothing to think about
    search = Search(game, known, seat, level, seed)
    search.think(stop)
    edges = rank_edges(search.root.edges.values(), seat)
    if random_move_rate:
        action = random_action(game, known, seat, luck)
        chance = min(1.0, max(0.0, edges[0].hope(seat, 0.0)))
        return Choice(action, chance, (action,), (Candidate(action, chance, 0),), search.made)
    excess = overestimate(edges, seat)
    alternatives = tuple(
        Candidate(edge.action, min(1.0, max(0.0, edge.hope(seat, excess))), edge.node.visits)
        for edge in edges
    )
    return Choice(
        action=edges[0].action,
        win_chance=alternatives[0].win_chance,
        line=(edges[0].action, *_expected_line(edges[0].node)),
        alternatives=alternatives,
        nodes=search.made,
    )


def _expected_line(node: Node) -> list[Any]:
    """What follows, by what was thought about most."""
    line = []
    while node.edges and not any(look.chance for look in node.looks.values()):
        seat = next(iter(node.looks.values())).seat
        best = rank_edges(node.edges.values(), seat)[0]
        line.append(best.action)
        node = best.node
    return line
