"""The search tree, shared by all sampled states: a node for each sequence of actions.

A world is one full state sampled from the viewer's information state. The same action in two worlds
leads to the same node, so that a node stands for what the viewer can distinguish.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import exp, sqrt
from typing import Any, Final

from domain.bots.random_play import MAX_LISTED_ACTIONS, Shares, is_legal, play_actions
from domain.bots.splitmix import SplitMix64
from domain.kernel.game import AnyGame

EXPLORATION: Final = 0.8
"""The exploration constant of PUCT."""
PRIOR_TEMPERATURE: Final = 0.08
"""The softmax temperature of priors: an evaluation higher by this makes a prior e times as high."""


class Node:
    """The statistics after one sequence of actions, over all worlds."""

    __slots__ = ("edges", "samples", "totals", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.totals: dict[str, float] = {}
        """Each seat's sum of shares over all visits."""
        self.edges: dict[Any, Edge] = {}
        self.samples: dict[int, SampledNode] = {}

    def count(self, shares: Shares) -> None:
        """Add the result of one visit."""
        self.visits += 1
        totals = self.totals
        for seat, share in shares.items():
            totals[seat] = totals.get(seat, 0.0) + share

    def mean(self, seat: str) -> float:
        """Return a seat's mean share."""
        return self.totals.get(seat, 0.0) / self.visits if self.visits else 0.0

    def means(self) -> Shares:
        """Return each seat's mean share."""
        return {seat: total / self.visits for seat, total in self.totals.items()}


class Edge:
    """An action with its prior evaluation and the node that it leads to."""

    __slots__ = ("action", "availability", "ends_game", "node", "prior", "weight")

    def __init__(self, action: Any) -> None:
        self.action = action
        self.node = Node()
        self.availability = 0
        """The number of selections in which the action was legal."""
        self.prior: Shares | None = None
        """The static evaluation after the action, before any visit."""
        self.ends_game = False
        """True if the action ended the game when it was tried."""
        self.weight = 1.0
        """The unnormalized prior probability of the action."""

    def record_prior(self, seat: str, shares: Shares, ends_game: bool) -> None:
        """Store the evaluation after the action as its prior."""
        self.prior, self.ends_game = shares, ends_game
        self.weight = exp(shares.get(seat, 0.0) / PRIOR_TEMPERATURE)

    def estimate(self, seat: str, excess: float) -> float:
        """Return a seat's estimated share: the mean of the visits, else the prior less `excess`.

        Args:
            seat: The seat.
            excess: The average overestimate of priors (first-play urgency).
        """
        if self.node.visits:
            return self.node.mean(seat)
        first = self.prior.get(seat, 0.0) if self.prior else 0.0
        return first if self.ends_game else first - excess

    def expected(self) -> Shares:
        """Return each seat's mean share, or the prior before the first visit."""
        return self.node.means() if self.node.visits else self.prior or {}


def overestimate(edges: Iterable[Edge], seat: str) -> float:
    """Return the mean amount by which priors exceeded the visited edges' means.

    Priors are too high because they do not include the opponents' responses.
    """
    whole, count = 0.0, 0
    for edge in edges:
        if edge.node.visits and edge.prior is not None and not edge.ends_game:
            whole += edge.prior.get(seat, 0.0) - edge.node.mean(seat)
            count += 1
    return whole / count if count else 0.0


def rank_edges(edges: Iterable[Edge], seat: str) -> list[Edge]:
    """Return the edges, the best for a seat first.

    Immediate wins come first, then edges with at least half the visits of the most visited one,
    then the others, each by estimated share.
    """
    every = list(edges)
    excess = overestimate(every, seat)
    most = max((edge.node.visits for edge in every), default=0)

    def key(edge: Edge) -> tuple[bool, bool, float]:
        estimate = edge.estimate(seat, excess)
        return edge.ends_game and estimate == 1.0, 2 * edge.node.visits >= most, estimate

    return sorted(every, key=key, reverse=True)


class SampledNode:
    """A node in one world, with its state and legal edges."""

    __slots__ = (
        "_group_rests",
        "_untried",
        "chance",
        "game",
        "legal_edges",
        "over",
        "seat",
        "state",
    )

    def __init__(
        self, game: AnyGame, state: Any, seat: str, chance: bool, over: Shares | None
    ) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.chance = chance
        """True if dice or a shuffle decide here."""
        self.over = over
        self.legal_edges: list[Edge] = []
        """The tried edges that are legal in this world."""
        self._untried: list[Any] | None = None
        self._group_rests: list[tuple[Any, Iterator[Any]]] = []

    def match_edges(self, node: Node, rng: SplitMix64) -> None:
        """Add the edges that were tried in other worlds and are legal in this one."""
        if self._untried is not None:
            return
        self._untried = self._listed(rng)
        for action, edge in node.edges.items():
            listed = action in self._untried
            if listed:
                self._untried.remove(action)
            if listed or (self._group_rests and is_legal(self.game, self.state, self.seat, action)):
                self.legal_edges.append(edge)

    def untried(self, node: Node) -> Any | None:
        """Return the next untried action, by move ordering, or None if all were tried.

        The first action of each group comes first, then the other actions of the group whose first
        action has the most visits.
        """
        assert self._untried is not None, "fit() comes first"
        if self._untried:
            return self._untried.pop()
        while self._group_rests:
            tail = max(self._group_rests, key=lambda each: _visits(node, each[0]))
            action = next(tail[1], None)
            if action is None:
                self._group_rests.remove(tail)
            elif action not in node.edges and not self.game.is_administrative(action):
                return action
        return None

    def _listed(self, rng: SplitMix64) -> list[Any]:
        """Return the actions to try first, the best last; actions of equal rank are shuffled."""
        game = self.game
        found: list[Any] = []
        if game.groups is None:
            found += islice(play_actions(game, self.state, self.seat), MAX_LISTED_ACTIONS)
        else:
            for group in islice(game.groups(self.state, self.seat), MAX_LISTED_ACTIONS):
                if not game.is_administrative(group.first):
                    found.append(group.first)
                self._group_rests.append((group.first, group.actions()))
        # If only administrative actions are legal, as a resignation, consider those.
        found = found or [*islice(game.legal(self.state, self.seat), MAX_LISTED_ACTIONS)]
        rng.shuffle(found)
        promise = game.move_ordering
        if promise is not None:
            found.sort(key=lambda action: promise(self.state, action))
        return found


def _visits(node: Node, action: Any) -> int:
    edge = node.edges.get(action)
    return edge.node.visits if edge else 0


def select_edge(sample: SampledNode) -> Edge:
    """Return the edge to visit next, by PUCT (Rosin 2011, Silver et al. 2017).

    An edge's availability count replaces the parent's visits, as in Cowling, Powley and Whitehouse
    2012, because an edge may be illegal in other worlds.
    """
    seat, legal_edges = sample.seat, sample.legal_edges
    excess, whole = overestimate(legal_edges, seat), sum(edge.weight for edge in legal_edges)
    best, most = legal_edges[0], float("-inf")
    for edge in legal_edges:
        edge.availability += 1
        bonus = EXPLORATION * edge.weight / whole * sqrt(edge.availability) / (1 + edge.node.visits)
        if (worth := edge.estimate(seat, excess) + bonus) > most:
            best, most = edge, worth
    return best
