"""A match at any of its versions, from the read models."""

from typing import Any

import pytest

from projections.projector.schema import KEYFRAME_INTERVAL
from projections.views import board_views


def test_at_each_version_the_match_is_what_folding_gives(playing: Any, caught_up: Any) -> None:
    match = (
        playing().claim("white", "Ada").play(3 * KEYFRAME_INTERVAL).leave("white").play(200, seed=2)
    )
    with caught_up(match) as connection:
        for version, state in enumerate(match.states, start=1):
            assert board_views.match_at(connection, match.id, version) == state


def test_the_present_match_is_the_last_one_folded(playing: Any, caught_up: Any) -> None:
    match = playing(title="Final").claim("black", "Ben").play(20)
    with caught_up(match) as connection:
        found = board_views.find_match_row(connection, match.id)
        assert found is not None
        assert found.match == match.match
        assert (found.updated, found.projection_error) == (match.events[-1].event.at, "")
        assert board_views.latest_version(connection, match.id) == len(match.events)


@pytest.mark.parametrize("version", [-1, 0, 23, 24, 2**64 - 1])
def test_there_is_no_board_at_a_version_that_was_never_reached(
    playing: Any, caught_up: Any, version: int
) -> None:
    match = playing().play(21)
    with caught_up(match) as connection:
        assert board_views.match_at(connection, match.id, version) is None


def test_of_a_match_that_nobody_created_nothing_is_known(playing: Any, caught_up: Any) -> None:
    stranger = playing().id
    with caught_up() as connection:
        assert board_views.find_match_row(connection, stranger) is None
        assert board_views.latest_version(connection, stranger) == 0
        assert board_views.match_at(connection, stranger, 1) is None
        assert board_views.read_transitions(connection, stranger, 0, 10) == []


@pytest.mark.parametrize("after", [0, 1, 2, 15, 16, 17, 32, 33, 40, 41, 50])
@pytest.mark.parametrize("limit", [1, 16, 17, 100])
def test_each_step_has_its_event_and_the_match_on_both_sides(
    playing: Any, caught_up: Any, after: int, limit: int
) -> None:
    match = playing().play(40)
    with caught_up(match) as connection:
        steps = board_views.read_transitions(connection, match.id, after, limit)
    assert [step.sealed for step in steps] == match.events[after : after + limit]
    around = [None, *match.states]
    assert [step.before for step in steps] == around[after : after + len(steps)]
    assert [step.after for step in steps] == match.states[after : after + limit]


def test_from_a_step_that_is_at_hand_the_next_ones_are_the_same(
    playing: Any, caught_up: Any
) -> None:
    match = playing().play(20).claim("white", "Ada").leave("white").play(20, seed=2)
    with caught_up(match) as connection:
        known = None
        for after in range(len(match.events)):
            found = board_views.read_transitions(connection, match.id, after, 3)
            assert board_views.read_transitions(connection, match.id, after, 3, known) == found
            elsewhere = board_views.read_transitions(
                connection, match.id, max(after - 3, 0), 3, known
            )
            assert elsewhere == board_views.read_transitions(
                connection, match.id, max(after - 3, 0), 3
            )
            known = found[0]


@pytest.mark.parametrize(("after", "found"), [(-1, 22), (22, 0), (23, 0), (2**64 - 1, 0)])
def test_after_a_version_that_no_match_has_there_is_everything_or_nothing(
    playing: Any, caught_up: Any, after: int, found: int
) -> None:
    match = playing().play(21)
    with caught_up(match) as connection:
        assert len(board_views.read_transitions(connection, match.id, after, 500)) == found
