"""What stands out in a scene after an event."""

from typing import Any

from domain.kernel.game import SPECTATOR
from domain.kernel.scene import Mark
from domain.kernel.scene_changes import SceneChanged
from projections.projector.schema import KEYFRAME_INTERVAL
from projections.views import board_views
from projections.views.scenes import scene, scene_change, with_legal_marks, with_selection_mark
from projections.views.transitions import Transition


def last(match: Any) -> Transition:
    """The newest event of a match being played."""
    before = match.states[-2] if len(match.states) > 1 else None
    return Transition(before, match.events[-1], match.states[-1])


def test_a_match_that_starts_has_nothing_marked(playing: Any) -> None:
    match = playing()
    shown, _ = scene_change(last(match), SPECTATOR)
    assert len(shown.pieces) == 42
    assert shown.marks == scene(match.match, SPECTATOR, last(match)).marks == ()


def test_a_move_is_marked_where_it_started_and_ended(playing: Any) -> None:
    match = playing().act("white", "a6-b6")
    shown, _ = scene_change(last(match), SPECTATOR)
    assert shown.marks == (
        Mark("last", space="a6"),
        Mark("last", space="b6"),
        Mark("last", piece="unit-b6"),
    )


def test_a_change_of_text_alone_is_not_marked(playing: Any) -> None:
    # The text about where the dice would take a golem from c1 changes on all of them.
    match = playing("earthen-war")
    for seat, text in (
        ("white", "dice 3 3"), ("black", "dice 1 1"), ("white", "up f"), ("white", "skip"),
        ("white", "use f"),
    ):  # fmt: skip
        match.act(seat, text)
    shown, _ = scene_change(last(match), SPECTATOR)
    assert shown.marks == (
        Mark("last", space="c0"),
        Mark("last", space="c2"),
        Mark("last", piece="golem-white"),
        Mark("last", piece="die-white-f"),
    )


def test_the_last_move_stays_marked_after_events_that_are_none(
    playing: Any, caught_up: Any
) -> None:
    match = playing().claim("white", "Ada").act("white", "a6-b6")
    moved = [
        Mark("last", space="a6"),
        Mark("last", space="b6"),
        Mark("last", piece="unit-b6"),
    ]
    for number in range(2 * KEYFRAME_INTERVAL):
        if number % 2:
            match.claim("white", f"Ada {number}")
        else:
            match.leave("white")
    with caught_up(match) as connection:
        for after in range(2, len(match.events)):
            (step,) = board_views.read_transitions(connection, match.id, after, 1)
            assert [*scene(step.after, SPECTATOR, step).marks] == moved, after
            shown, found = scene_change(step, SPECTATOR)
            assert [*shown.marks] == moved
            assert isinstance(found[-1], SceneChanged)
            assert found[-1].marks == shown.marks
        (seated,) = board_views.read_transitions(connection, match.id, 1, 1)
    assert scene(seated.after, SPECTATOR, seated).marks == ()


def test_every_region_that_a_golem_can_reach_is_marked(playing: Any) -> None:
    match = playing("golem-arcana").match
    shown = scene(match, "south")
    picked = with_selection_mark(shown, "s1")
    assert picked is not None
    rules = match.rules
    reached = {
        action.region
        for action in rules.legal(match.position, "south")
        if rules.parts(match.position, action).verb == "move" and action.golem == "s1"
    }
    marks = with_legal_marks(picked, match, "south", "s1").marks
    assert len(reached) > 3
    assert {mark.space for mark in marks if mark.kind == "reachable"} == reached
    assert Mark("selected", piece="s1") in marks
    assert not any(
        mark.kind == "reachable" for mark in with_legal_marks(picked, match, "north").marks
    )
