"""Looking costs something, in every game that hides anything: what an action lets a seat learn of
what lies hidden counts as revealed.

Two states that a viewer cannot tell apart are each taken through the same action. If the viewer can
tell the two apart afterwards, be it by what is there or by what is not, then the action may not be
undone without consent, and a preview of it ends before that.
"""

from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from domain.kernel.any_game import fold, previewable_fact_count
from domain.kernel.game import AnyGame, ResolvedAction
from domain.kernel.rulings import Accepted, Ruling
from domain.registry import GAMES
from tests.secrets.pairs import HIDING, LISTED, pair

PAIRS = 120
IMAGINED = 4


@pytest.mark.parametrize("slug", HIDING)
def test_what_an_action_lets_a_seat_learn_counts_as_revealed(slug: str) -> None:
    random, game = Random(11), GAMES[slug]
    choices, tried, telling = HIDING[slug].options(), 0, 0
    while tried < PAIRS:
        options = random.choice(choices)
        found = pair(slug, options, random)
        if found is None:
            continue
        tried += 1
        viewer, state = found.viewer, found.states[0]
        seen = game.information_state(state, viewer)
        imagined = (game.sample_state(seen, viewer, random.randrange) for _ in range(IMAGINED))
        states = [*found.states, *imagined]
        for prompt in game.turn(state):
            if prompt.is_chance:
                continue  # an entry is never undone without consent
            for action in islice(game.legal(state, prompt.seat), LISTED):
                done = [(state, game.decide(state, prompt.seat, action)) for state in states]
                # A card of a rival, who does not hold it in all of them.
                taken = [(state, each) for state, each in done if isinstance(each, Accepted)]
                acted = Acted(game, prompt.seat, action, viewer)
                ends = [acted.seen(state, each.facts, each.rulings) for state, each in taken]
                if all(end == ends[0] for end in ends):
                    continue
                telling += 1
                for at, each in taken:
                    learned = previewable_fact_count(game, options, each.facts)
                    assert learned is not None, (game.write_position(at), action, viewer)
    assert telling > PAIRS // 4


class Acted(NamedTuple):
    """An action of a seat, as a viewer sees it."""

    game: AnyGame
    seat: str
    action: Any
    viewer: str

    def seen(self, state: Any, facts: tuple[Any, ...], rulings: tuple[Ruling, ...]) -> Any:
        """Return the viewer's redacted action, and the information state after it."""
        resolved = ResolvedAction(self.seat, self.action, facts, rulings)
        redacted = self.game.redact(resolved, self.viewer)
        return redacted, self.game.information_state(fold(self.game, state, facts), self.viewer)


@pytest.mark.parametrize("slug", HIDING)
def test_previews_do_not_depend_on_hidden_information(slug: str) -> None:
    """A preview is worked out in the state as the seat knows it, and ends before anything shows."""
    random, game = Random(12), GAMES[slug]
    choices, tried = HIDING[slug].options(), 0
    while tried < PAIRS:
        options = random.choice(choices)
        found = pair(slug, options, random)
        if found is None or all(
            prompt.seat != found.viewer for prompt in game.turn(found.states[0])
        ):
            continue
        tried += 1
        viewer = found.viewer
        known = game.information_state(found.states[0], viewer)
        if any(prompt.is_chance for prompt in game.turn(known)):
            continue
        for action in islice(game.legal(known, viewer), LISTED):
            states = (known, *found.states)
            done = [game.decide(state, viewer, action) for state in states]
            facts = [each.facts for each in done if isinstance(each, Accepted)]
            previewable = {
                (shown := previewable_fact_count(game, options, each)) is None for each in facts
            }
            assert len(previewable) == 1, (game.write_position(found.states[0]), action, viewer)
            shown = previewable_fact_count(game, options, facts[0])
            if shown is not None:
                least = min(
                    shown, *(previewable_fact_count(game, options, each) or 0 for each in facts)
                )
                assert len({each[:least] for each in facts}) == 1
