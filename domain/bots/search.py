"""Thinking: information-set Monte Carlo tree search, with a glance ahead in place of playouts.

Follows Cowling, Powley and Whitehouse 2012 (worlds drawn from what the thinker may know, one tree),
Couëtoux et al. 2011 (more and more actions and dice are tried), and max^n for any number of seats.
"""

from collections.abc import Callable
from math import isqrt
from typing import Any, Final

from domain.bots.levels import Level
from domain.bots.random_play import (
    Shares,
    equal_shares,
    prompt_for,
    random_action,
    random_entry,
    result_shares,
)
from domain.bots.splitmix import SplitMix64
from domain.bots.tree import Edge, Node, SampledNode, rank_edges, select_edge
from domain.kernel.any_game import state_after
from domain.kernel.game import AnyGame

MAX_SAMPLED_STATES: Final = 12
"""States that are imagined, at most."""
BUDGET_PER_SAMPLED_STATE: Final = 25
MIN_ACTIONS: Final = 12
"""Actions that are tried where one comes for the first time."""
MIN_CHANCE_ENTRIES: Final = 3
"""Entries of chance that are tried where one comes for the first time."""
MAX_PLAYOUT_ACTIONS: Final = 60
"""Actions at random after which a playout is cut off, in games without prospects."""


class Search:
    """One spell of thinking about one position. The only mutable thing here, as its tree is."""

    def __init__(self, game: AnyGame, known: Any, viewer: str, level: Level, seed: bytes) -> None:
        self.game: Final = game
        self.level: Final = level
        self.luck: Final = SplitMix64(seed)
        self.made = 0
        """States made so far."""
        self._gained = 0.0
        """By how much the best glance was above the prospects of its position, in all."""
        self._glanced = 0
        """Positions of which that was learned."""
        self.root: Final = Node()
        self._worlds: Final = self._imagined(known, viewer)
        self.seats: Final = self._seats(viewer)
        for number, state in enumerate(self._worlds):
            if number not in self.root.looks:
                self.root.looks[number] = self._look(state, viewer)

    def think(self, stop: Callable[[], bool]) -> None:
        """Visit the tree until the budget is spent, or it is to stop, or all is known."""
        number = 0
        while True:
            self._visit(number % len(self._worlds))
            number += 1
            if self.made >= self.level.budget or number >= self.level.budget or stop():
                return

    def verdict(self) -> Shares:
        """What each seat may expect, if whoever acts does what was thought about most."""
        look = self.root.looks[0]
        if look.over is not None:
            return look.over
        if look.chance:
            return self.root.means()
        return rank_edges(self.root.edges.values(), look.seat)[0].expected()

    # --- worlds ----------------------------------------------------------------------------------

    def _imagined(self, known: Any, viewer: str) -> list[Any]:
        if not self.game.has_hidden_information:
            return [known]
        wanted = max(1, min(MAX_SAMPLED_STATES, self.level.budget // BUDGET_PER_SAMPLED_STATE))
        worlds = [self.game.sample_state(known, viewer, self.luck.below) for _ in range(wanted)]
        return worlds[:1] if all(world == known for world in worlds) else worlds

    def _seats(self, viewer: str) -> tuple[str, ...]:
        """Whose chances are told: in a game that tells no prospects, who is asked in a playout."""
        state = self._worlds[0]
        if self.game.evaluate is not None:
            return tuple(self.game.evaluate(state))
        found: dict[str, None] = {}
        for _ in range(MAX_PLAYOUT_ACTIONS):
            prompt = prompt_for(self.game, state)
            if prompt is None or self.game.result(state) is not None:
                break
            if not prompt.is_chance:
                found[prompt.seat] = None
            state = state_after(
                self.game, state, prompt.seat, self._any(state, prompt.seat, prompt.is_chance)
            )
        return tuple(found) or (viewer,)

    # --- states ----------------------------------------------------------------------------------

    def _look(self, state: Any, first: str | None = None) -> SampledNode:
        game = self.game
        result = game.result(state)
        if result is not None:
            return SampledNode(game, state, "", False, result_shares(result, self.seats))
        prompt = prompt_for(game, state, first)
        if prompt is None:  # nobody is asked, and it is not over: nothing can be said
            return SampledNode(game, state, "", False, equal_shares(self.seats))
        return SampledNode(game, state, prompt.seat, prompt.is_chance, None)

    def _step(self, world: int, look: SampledNode, edge: Edge) -> SampledNode:
        """How it looks in this world after something was done."""
        looks = edge.node.looks
        if world not in looks:
            self.made += 1
            looks[world] = self._look(state_after(self.game, look.state, look.seat, edge.action))
        return looks[world]

    # --- visits ----------------------------------------------------------------------------------

    def _visit(self, world: int) -> None:
        node, look = self.root, self.root.looks[world]
        path = [node]
        last = ""
        while look.over is None:
            if look.chance:
                edge = self._face(node, look)
            else:
                fresh = not look.fitting
                look.fit(node, self.luck)
                if self.game.evaluate is None:
                    fresh = self._play_out(world, node, look)
                else:
                    self._widen(world, node, look)
                if fresh and self._rests(look, last):
                    break
                edge, last = select_edge(look), look.seat
            look, node = self._step(world, look, edge), edge.node
            path.append(node)
        shares = look.over or self._worth(look)
        for each in path:
            each.count(shares)

    def _rests(self, look: SampledNode, last: str) -> bool:
        """Is a new position to be judged as it is? Not in the midst of a seat's turn, where it
        would seem that the rest of the turn is never played: what looks best is done first."""
        if self.game.evaluate is None or look.seat != last:
            return True
        return self.made >= self.level.budget

    def _worth(self, look: SampledNode) -> Shares:
        """What a position is worth that was come to for the first time: the best glance in it, less
        what acting seems to bring wherever one looks. Nobody has answered that glance yet, so that
        without this whoever acts last would always seem to stand better.
        """
        if self.game.evaluate is None:
            return look.fitting[-1].expected()
        seat = look.seat
        best = max(look.fitting, key=lambda edge: edge.hope(seat, 0.0)).expected()
        self._gained += best[seat] - self._glance(look)[seat]
        self._glanced += 1
        share = min(1.0, max(0.0, best[seat] - self._gained / self._glanced))
        others = 1.0 - best[seat]
        if not others:
            return best
        rest = (1.0 - share) / others
        return {each: share if each == seat else has * rest for each, has in best.items()}

    def _widen(self, world: int, node: Node, look: SampledNode) -> None:
        """Try more actions, the more of them the more often one comes here."""
        width = MIN_ACTIONS + 2 * isqrt(node.visits)
        if node is self.root:
            width = max(width, self.level.budget // 2)
        while len(look.fitting) < width:
            if look.fitting and self.made >= self.level.budget:
                return
            action = look.untried(node)
            if action is None:
                return
            edge = node.edges.setdefault(action, Edge(action))
            look.fitting.append(edge)
            if edge.first is None:
                then = self._step(world, look, edge)
                edge.glance(look.seat, self._glance(then), then.over is not None)

    def _play_out(self, world: int, node: Node, look: SampledNode) -> bool:
        """Try one action more, by a playout: False if all were tried. One throw of the dice says
        little, so it is counted like any other, and nothing is thought the best for it."""
        action = look.untried(node)
        if action is None:
            return False
        edge = node.edges.setdefault(action, Edge(action))
        look.fitting.append(edge)
        edge.node.count(self._glance(self._step(world, look, edge)))
        return True

    def _face(self, node: Node, look: SampledNode) -> Edge:
        """What chance shows here: something new, or when much was tried something tried again."""
        tried = node.edges
        if look.fitting and len(look.fitting) >= MIN_CHANCE_ENTRIES + isqrt(node.visits):
            return self.luck.one_of(look.fitting)
        action = random_entry(self.game, look.state, look.seat, self.luck)
        edge = tried.setdefault(action, Edge(action))
        if edge not in look.fitting:
            look.fitting.append(edge)
        return edge

    # --- glances ---------------------------------------------------------------------------------

    def _glance(self, look: SampledNode) -> Shares:
        """What a position looks like without thinking, when the dice have been rolled."""
        state = look.state
        while look.over is None and look.chance:
            state = state_after(
                self.game, state, look.seat, random_entry(self.game, state, look.seat, self.luck)
            )
            self.made += 1
            look = self._look(state)
        if look.over is not None:
            return look.over
        if self.game.evaluate is None:
            return self._playout(state)
        return self._hazy(self.game.evaluate(state))

    def _hazy(self, shares: Shares) -> Shares:
        if not self.level.evaluation_noise:
            return shares
        evaluation_noise = self.level.evaluation_noise
        guessed = {
            seat: max(0.0, share + evaluation_noise * (2 * self.luck.share() - 1))
            for seat, share in shares.items()
        }
        whole = sum(guessed.values()) or 1.0
        return {seat: share / whole for seat, share in guessed.items()}

    def _playout(self, state: Any) -> Shares:
        for _ in range(MAX_PLAYOUT_ACTIONS):
            result = self.game.result(state)
            if result is not None:
                return result_shares(result, self.seats)
            prompt = prompt_for(self.game, state)
            if prompt is None:
                break
            state = state_after(
                self.game, state, prompt.seat, self._any(state, prompt.seat, prompt.is_chance)
            )
            self.made += 1
        return equal_shares(self.seats)

    def _any(self, state: Any, seat: str, chance: bool) -> Any:
        pick = random_entry if chance else random_action
        return pick(self.game, state, seat, self.luck)
