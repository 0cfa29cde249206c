"""Every position of every game can be drawn, for everybody who may look: as a document that can be
put into any page, small enough to be sent with each event, and as text that fits a terminal."""

from random import Random

import pytest

from domain.kernel.any_game import fold, read_options
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from projections.drawing import closeup, svg, text
from tests.projections.drawing.test_svg import MOST, check_alone

STEPS = 90
"""Actions of a random game; every fifteenth position is drawn."""
CHOICES = [
    *((slug, {}) for slug in GAMES),
    ("earthen-war", {"artillery": True, "board": 8}),
    ("res-arcana", {"players": 4}),
    ("golem-arcana", {"scenario": "night-of-embers"}),
]


@pytest.mark.parametrize(
    ("slug", "choice"), CHOICES, ids=[f"{slug}-{len(choice)}" for slug, choice in CHOICES]
)
def test_any_position_is_drawn_small_and_safe_for_everybody(
    slug: str, choice: dict[str, object]
) -> None:
    game = GAMES[slug]
    options = read_options(game, choice)
    viewers = (*game.seats(options)[:2], SPECTATOR, REFEREE)
    chance = Random(slug)
    state = game.start(options)
    for step in range(STEPS):
        prompts = game.turn(state)
        if not prompts:
            break
        if step % 15 == 0:
            look_at(game, state, viewers[step // 15 % len(viewers)])
        seat = chance.choice(prompts).seat
        listed = [each for each in game.legal(state, seat) if not game.is_administrative(each)]
        outcome = game.decide(state, seat, chance.choice(listed))
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)


def look_at(game: AnyGame, state: object, viewer: str) -> None:
    """Draw a position in every way."""
    scene = game.scene(state, viewer)
    for narrow in (False, True):
        drawn = svg.draw(scene, game.theme, narrow=narrow)
        check_alone(drawn)
        assert len(drawn.encode()) < MOST
        assert drawn == svg.draw(scene, game.theme, narrow=narrow)
    for lines in (text.draw(scene), closeup.draw(scene)):
        assert max(map(len, lines.splitlines())) <= text.WIDTH
    for name in closeup.part_names(scene)[:5]:
        found = closeup.select_part(scene, name)
        assert found is not None
        check_alone(svg.draw(found, game.theme, scale=3))
