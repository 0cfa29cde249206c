"""Information-set Monte Carlo tree search, with static evaluation in place of playouts.

Follows Cowling, Powley and Whitehouse 2012 (sampled states share one tree), Couëtoux et al. 2011
(progressive widening of actions and chance entries), and max^n for any number of seats. Games
without an evaluation function are scored by random playouts.
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
"""The most states that are sampled from the viewer's information state."""
BUDGET_PER_SAMPLED_STATE: Final = 25
"""The search budget for which one more state is sampled."""
MIN_ACTIONS: Final = 12
"""The number of actions tried on the first visit of a node."""
MIN_CHANCE_ENTRIES: Final = 3
"""The number of chance entries tried before widening."""
MAX_PLAYOUT_ACTIONS: Final = 60
"""The number of random actions after which a playout is cut off."""


class Search:
    """The search of one position: a mutable tree with its budget and random generator."""

    def __init__(self, game: AnyGame, known: Any, viewer: str, level: Level, seed: bytes) -> None:
        self.game: Final = game
        self.level: Final = level
        self.rng: Final = SplitMix64(seed)
        self.states_made = 0
        """The number of states created so far."""
        self._total_gain = 0.0
        """The sum of the differences between the best action's evaluation and its position's."""
        self._gain_count = 0
        """The number of positions in `_total_gain`."""
        self.root: Final = Node()
        self._worlds: Final = self._sample_states(known, viewer)
        self.seats: Final = self._seats(viewer)
        for number, state in enumerate(self._worlds):
            if number not in self.root.samples:
                self.root.samples[number] = self._sampled_node(state, viewer)

    def run(self, stop: Callable[[], bool]) -> None:
        """Visit the tree until the budget is spent or `stop` returns True."""
        number = 0
        while True:
            self._visit(number % len(self._worlds))
            number += 1
            if self.states_made >= self.level.budget or number >= self.level.budget or stop():
                return

    def expected_shares(self) -> Shares:
        """Return each seat's expected share, given the best action found."""
        sample = self.root.samples[0]
        if sample.over is not None:
            return sample.over
        if sample.chance:
            return self.root.means()
        return rank_edges(self.root.edges.values(), sample.seat)[0].expected()

    # --- worlds ----------------------------------------------------------------------------------

    def _sample_states(self, known: Any, viewer: str) -> list[Any]:
        if not self.game.has_hidden_information:
            return [known]
        count = max(1, min(MAX_SAMPLED_STATES, self.level.budget // BUDGET_PER_SAMPLED_STATE))
        worlds = [self.game.sample_state(known, viewer, self.rng.below) for _ in range(count)]
        return worlds[:1] if all(world == known for world in worlds) else worlds

    def _seats(self, viewer: str) -> tuple[str, ...]:
        """Return the seats to score: those of the evaluation, else those prompted in a playout."""
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
                self.game,
                state,
                prompt.seat,
                self._random_action(state, prompt.seat, prompt.is_chance),
            )
        return tuple(found) or (viewer,)

    # --- states ----------------------------------------------------------------------------------

    def _sampled_node(self, state: Any, first: str | None = None) -> SampledNode:
        game = self.game
        result = game.result(state)
        if result is not None:
            return SampledNode(game, state, "", False, result_shares(result, self.seats))
        prompt = prompt_for(game, state, first)
        if prompt is None:  # no prompt and no result: the value is unknown
            return SampledNode(game, state, "", False, equal_shares(self.seats))
        return SampledNode(game, state, prompt.seat, prompt.is_chance, None)

    def _step(self, world: int, sample: SampledNode, edge: Edge) -> SampledNode:
        """Return the child node of an edge in this sampled state; create it on the first visit."""
        samples = edge.node.samples
        if world not in samples:
            self.states_made += 1
            samples[world] = self._sampled_node(
                state_after(self.game, sample.state, sample.seat, edge.action)
            )
        return samples[world]

    # --- visits ----------------------------------------------------------------------------------

    def _visit(self, world: int) -> None:
        node, sample = self.root, self.root.samples[world]
        path = [node]
        last = ""
        while sample.over is None:
            if sample.chance:
                edge = self._chance_edge(node, sample)
            else:
                fresh = not sample.legal_edges
                sample.match_edges(node, self.rng)
                if self.game.evaluate is None:
                    fresh = self._add_playout(world, node, sample)
                else:
                    self._widen(world, node, sample)
                if fresh and self._should_evaluate(sample, last):
                    break
                edge, last = select_edge(sample), sample.seat
            sample, node = self._step(world, sample, edge), edge.node
            path.append(node)
        shares = sample.over or self._position_value(sample)
        for each in path:
            each.count(shares)

    def _should_evaluate(self, sample: SampledNode, last: str) -> bool:
        """Return whether to evaluate a new position now.

        Within a seat's turn the search continues with the best action first: the evaluation would
        miss the rest of the turn.
        """
        if self.game.evaluate is None or sample.seat != last:
            return True
        return self.states_made >= self.level.budget

    def _position_value(self, sample: SampledNode) -> Shares:
        """Return the value of a new position.

        The value is that of its best action, less the average gain that an action brings in all
        new positions. Without this correction the seat that acted last would always seem better,
        because the opponents' responses are not evaluated yet.
        """
        if self.game.evaluate is None:
            return sample.legal_edges[-1].expected()
        seat = sample.seat
        best = max(sample.legal_edges, key=lambda edge: edge.estimate(seat, 0.0)).expected()
        self._total_gain += best[seat] - self._static_evaluation(sample)[seat]
        self._gain_count += 1
        share = min(1.0, max(0.0, best[seat] - self._total_gain / self._gain_count))
        others = 1.0 - best[seat]
        if not others:
            return best
        rest = (1.0 - share) / others
        return {each: share if each == seat else has * rest for each, has in best.items()}

    def _widen(self, world: int, node: Node, sample: SampledNode) -> None:
        """Try more actions as the node is visited more often (progressive widening)."""
        width = MIN_ACTIONS + 2 * isqrt(node.visits)
        if node is self.root:
            width = max(width, self.level.budget // 2)
        while len(sample.legal_edges) < width:
            if sample.legal_edges and self.states_made >= self.level.budget:
                return
            action = sample.untried(node)
            if action is None:
                return
            edge = node.edges.setdefault(action, Edge(action))
            sample.legal_edges.append(edge)
            if edge.prior is None:
                then = self._step(world, sample, edge)
                edge.record_prior(sample.seat, self._static_evaluation(then), then.over is not None)

    def _add_playout(self, world: int, node: Node, sample: SampledNode) -> bool:
        """Try one more action by a playout; return False if all were tried.

        One playout is weak evidence, so it counts as one visit and sets no prior.
        """
        action = sample.untried(node)
        if action is None:
            return False
        edge = node.edges.setdefault(action, Edge(action))
        sample.legal_edges.append(edge)
        edge.node.count(self._static_evaluation(self._step(world, sample, edge)))
        return True

    def _chance_edge(self, node: Node, sample: SampledNode) -> Edge:
        """Return a chance entry: a new one, or a tried one once enough were tried."""
        tried = node.edges
        width = MIN_CHANCE_ENTRIES + isqrt(node.visits)
        if len(sample.legal_edges) >= width:
            return self.rng.one_of(sample.legal_edges)
        action = random_entry(self.game, sample.state, sample.seat, self.rng)
        edge = tried.setdefault(action, Edge(action))
        if edge not in sample.legal_edges:
            sample.legal_edges.append(edge)
        return edge

    # --- evaluation ------------------------------------------------------------------------------

    def _static_evaluation(self, sample: SampledNode) -> Shares:
        """Return the static evaluation of a position, after random chance entries if needed."""
        state = sample.state
        while sample.over is None and sample.chance:
            state = state_after(
                self.game, state, sample.seat, random_entry(self.game, state, sample.seat, self.rng)
            )
            self.states_made += 1
            sample = self._sampled_node(state)
        if sample.over is not None:
            return sample.over
        if self.game.evaluate is None:
            return self._playout_shares(state)
        return self._add_noise(self.game.evaluate(state))

    def _add_noise(self, shares: Shares) -> Shares:
        if not self.level.evaluation_noise:
            return shares
        evaluation_noise = self.level.evaluation_noise
        guessed = {
            seat: max(0.0, share + evaluation_noise * (2 * self.rng.share() - 1))
            for seat, share in shares.items()
        }
        whole = sum(guessed.values()) or 1.0
        return {seat: share / whole for seat, share in guessed.items()}

    def _playout_shares(self, state: Any) -> Shares:
        for _ in range(MAX_PLAYOUT_ACTIONS):
            result = self.game.result(state)
            if result is not None:
                return result_shares(result, self.seats)
            prompt = prompt_for(self.game, state)
            if prompt is None:
                break
            state = state_after(
                self.game,
                state,
                prompt.seat,
                self._random_action(state, prompt.seat, prompt.is_chance),
            )
            self.states_made += 1
        return equal_shares(self.seats)

    def _random_action(self, state: Any, seat: str, chance: bool) -> Any:
        pick = random_entry if chance else random_action
        return pick(self.game, state, seat, self.rng)
