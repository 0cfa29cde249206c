"""What a request asked for, told from its events: for one that comes again."""

from typing import Any

import pytest

from domain.kernel.game import REFEREE
from domain.log.digests import canonical_bytes
from domain.match import Terms, offer_draw, redo, requested_command
from domain.registry import GAMES
from tests.domain.conftest import MatchBuilder


def requests_of(story: MatchBuilder) -> list[list[Any]]:
    """What each request of a story asked for, in order."""
    versions: dict[str, list[int]] = {}
    for sealed in story.events:
        versions.setdefault(sealed.event.request, []).append(sealed.event.version)
    return [
        requested_command(
            story.states[max(made[0] - 2, 0)],
            [story.events[version - 1].event for version in made],
        )
        for made in versions.values()
    ]


@pytest.mark.parametrize("game", GAMES)
def test_all_that_happens_in_a_match_shows_what_was_requested(game: str) -> None:
    story = MatchBuilder(game, 3, Terms(undo="consent")).seat_players().wander(12).end()
    asked = requests_of(story)
    assert asked[0][:2] == ["create", game]
    assert {"claim", "act"} <= {each[0] for each in asked}
    assert all(canonical_bytes(each) for each in asked)


def test_the_request_of_each_match_command_is_derived_from_its_events() -> None:
    story = MatchBuilder("agog", 1, Terms(undo="consent")).play(4)
    black = story.match.seats[1]
    story.take_back(3, black)
    story.answer(granted=True)
    story.dispute(2)
    assert requests_of(story)[5:] == [
        ["undo", black, 3],
        ["answer-undo", "white", True],
        ["dispute", "white", 2, "I doubt it"],
        ["judge", story.match.version - 1, "upheld", "it was so", (), None, ()],
    ]


def test_an_undo_and_a_redo_of_the_same_version_are_two_requests() -> None:
    story = MatchBuilder("agog", 1, Terms(undo="free")).play(4)
    assert story.take_back(2)
    assert requests_of(story)[-1] == ["undo", REFEREE, 2]
    left = story.events[2:5]
    assert story.tell(redo(story.match, REFEREE, story.states[4], left, story.command_context))
    assert requests_of(story)[-1] == ["redo", REFEREE, 5]


def test_offering_a_draw_is_an_action_where_the_game_has_one() -> None:
    offered = {}
    for game, rules in GAMES.items():
        story = MatchBuilder(game, 2)
        seat = story.match.seats[0]
        if story.tell(offer_draw(story.match, seat, story.command_context, story.seeds)):
            offered[game] = requests_of(story)[-1][0] == "act"
            assert offered[game] == (rules.draws is not None)
    assert {*offered.values()} == {True, False}
