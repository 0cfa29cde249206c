"""The tree of what was thought about: nodes by what was done, and how a node looks in each world.

A world is one whole state that the thinker holds possible. What is done in one is found in the
same node as when it is done in another, so that a node tells of what the thinker can tell apart.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import exp, sqrt
from typing import Any, Final

from domain.bots.random_play import MAX_LISTED_ACTIONS, Shares, is_legal, play_actions
from domain.bots.splitmix import SplitMix64
from domain.kernel.game import AnyGame

EXPLORATION: Final = 0.8
"""The constant of PUCT: how much what was tried less is tried for that."""
PRIOR_TEMPERATURE: Final = 0.08
"""Of two actions the one that promises this much more is tried e times as often."""


class Node:
    """What follows after the same was done, in any world."""

    __slots__ = ("edges", "looks", "totals", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.totals: dict[str, float] = {}
        """The shares of each seat, over all visits."""
        self.edges: dict[Any, Edge] = {}
        self.looks: dict[int, SampledNode] = {}

    def count(self, shares: Shares) -> None:
        """Keep what a visit came to."""
        self.visits += 1
        totals = self.totals
        for seat, share in shares.items():
            totals[seat] = totals.get(seat, 0.0) + share

    def mean(self, seat: str) -> float:
        """What this seat may expect here."""
        return self.totals.get(seat, 0.0) / self.visits if self.visits else 0.0

    def means(self) -> Shares:
        """What each seat may expect here."""
        return {seat: total / self.visits for seat, total in self.totals.items()}


class Edge:
    """Something done, and what follows."""

    __slots__ = ("action", "first", "node", "open", "sure", "weight")

    def __init__(self, action: Any) -> None:
        self.action = action
        self.node = Node()
        self.open = 0
        """How often it could have been chosen."""
        self.first: Shares | None = None
        """What it looked like at the first glance, before it was looked into."""
        self.sure = False
        """Did it end the game when it was tried?"""
        self.weight = 1.0
        """How much it promised at the first glance, beside its like."""

    def glance(self, seat: str, shares: Shares, sure: bool) -> None:
        """Keep what it looked like when it was first tried."""
        self.first, self.sure = shares, sure
        self.weight = exp(shares.get(seat, 0.0) / PRIOR_TEMPERATURE)

    def hope(self, seat: str, excess: float) -> float:
        """What this seat may expect of it: before it was looked into, what it promised, less
        `excess`, by which such promises were too hopeful."""
        if self.node.visits:
            return self.node.mean(seat)
        first = self.first.get(seat, 0.0) if self.first else 0.0
        return first if self.sure else first - excess

    def expected(self) -> Shares:
        """What each seat may expect of it."""
        return self.node.means() if self.node.visits else self.first or {}


def overestimate(edges: Iterable[Edge], seat: str) -> float:
    """By how much first glances were too hopeful, on average over what was looked into since. They
    are, for a glance sees what was done, and not yet the answer."""
    whole, count = 0.0, 0
    for edge in edges:
        if edge.node.visits and edge.first is not None and not edge.sure:
            whole += edge.first.get(seat, 0.0) - edge.node.mean(seat)
            count += 1
    return whole / count if count else 0.0


def rank_edges(edges: Iterable[Edge], seat: str) -> list[Edge]:
    """The best first: what wins at once; then, by what may be expected, what was looked into at
    least half as often as what was looked into most; then the others."""
    every = list(edges)
    excess = overestimate(every, seat)
    most = max((edge.node.visits for edge in every), default=0)

    def key(edge: Edge) -> tuple[bool, bool, float]:
        hope = edge.hope(seat, excess)
        return edge.sure and hope == 1.0, 2 * edge.node.visits >= most, hope

    return sorted(every, key=key, reverse=True)


class SampledNode:
    """A node in one world."""

    __slots__ = ("_firsts", "_rest", "chance", "fitting", "game", "over", "seat", "state")

    def __init__(
        self, game: AnyGame, state: Any, seat: str, chance: bool, over: Shares | None
    ) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.chance = chance
        """Do dice or a shuffle decide here?"""
        self.over = over
        self.fitting: list[Edge] = []
        """What was tried and is legal here."""
        self._firsts: list[Any] | None = None
        self._rest: list[tuple[Any, Iterator[Any]]] = []

    def fit(self, node: Node, luck: SplitMix64) -> None:
        """Find what was tried in other worlds and is legal in this one too."""
        if self._firsts is not None:
            return
        self._firsts = self._listed(luck)
        for action, edge in node.edges.items():
            listed = action in self._firsts
            if listed:
                self._firsts.remove(action)
            if listed or (self._rest and is_legal(self.game, self.state, self.seat, action)):
                self.fitting.append(edge)

    def untried(self, node: Node) -> Any | None:
        """The next thing to try, the most promising first; None if all was tried.

        Of groups the first action of each comes first, and then what else there is in the group
        whose first was visited most.
        """
        assert self._firsts is not None, "what fits comes first"
        if self._firsts:
            return self._firsts.pop()
        while self._rest:
            tail = max(self._rest, key=lambda each: _visits(node, each[0]))
            action = next(tail[1], None)
            if action is None:
                self._rest.remove(tail)
            elif action not in node.edges and not self.game.is_administrative(action):
                return action
        return None

    def _listed(self, luck: SplitMix64) -> list[Any]:
        """What to try first, the most promising last, in no order where all promises alike."""
        game = self.game
        found: list[Any] = []
        if game.groups is None:
            found += islice(play_actions(game, self.state, self.seat), MAX_LISTED_ACTIONS)
        else:
            for group in islice(game.groups(self.state, self.seat), MAX_LISTED_ACTIONS):
                if not game.is_administrative(group.first):
                    found.append(group.first)
                self._rest.append((group.first, group.actions()))
        # Where there is nothing else to do, to give up is what there is to think about.
        found = found or [*islice(game.legal(self.state, self.seat), MAX_LISTED_ACTIONS)]
        luck.shuffle(found)
        promise = game.move_ordering
        if promise is not None:
            found.sort(key=lambda action: promise(self.state, action))
        return found


def _visits(node: Node, action: Any) -> int:
    edge = node.edges.get(action)
    return edge.node.visits if edge else 0


def select_edge(look: SampledNode) -> Edge:
    """What to look into next (PUCT: Rosin 2011, Silver et al. 2017), among what is legal here; how
    often it could have been chosen counts, as in Cowling, Powley and Whitehouse 2012."""
    seat, fitting = look.seat, look.fitting
    excess, whole = overestimate(fitting, seat), sum(edge.weight for edge in fitting)
    best, most = fitting[0], float("-inf")
    for edge in fitting:
        edge.open += 1
        bonus = EXPLORATION * edge.weight / whole * sqrt(edge.open) / (1 + edge.node.visits)
        if (worth := edge.hope(seat, excess) + bonus) > most:
            best, most = edge, worth
    return best
