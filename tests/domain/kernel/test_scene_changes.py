"""A scene and the changes to it give the next scene, whatever the two are."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.scene import (
    Counter,
    Mark,
    Phase,
    Piece,
    PromptText,
    Scene,
    Side,
    Space,
    Track,
    Zone,
)
from domain.kernel.scene_changes import (
    Change,
    PieceAppeared,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    Rearranged,
    TrackCounted,
    apply_changes,
    diff_scenes,
)
from projections.views.scenes import marks_for_changes

NAMES = st.sampled_from("abcdef")


def listed(part: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(part, max_size=5, unique_by=lambda each: each.id).map(tuple)


counters = st.lists(st.builds(Counter, NAMES, st.integers(0, 2)), max_size=2).map(tuple)
scenes = st.builds(
    Scene,
    caption=st.sampled_from(["White to move", "Black to move"]),
    spaces=listed(st.builds(Space, NAMES, st.just(0), st.just(0), kind=st.sampled_from(["", "x"]))),
    pieces=listed(st.builds(Piece, NAMES, st.sampled_from(["golem", "hulk"]), st.just("G"), NAMES)),
    zones=listed(st.builds(Zone, NAMES, NAMES)),
    tracks=listed(st.builds(Track, NAMES, st.just("Mana"), st.integers(0, 2))),
    attributes=st.dictionaries(NAMES, NAMES, max_size=2),
    marks=st.lists(st.builds(Mark, st.just("last"), NAMES), max_size=2).map(tuple),
    sides=st.lists(st.builds(Side, NAMES, NAMES, counters=counters), max_size=2).map(tuple),
    counters=counters,
    phases=st.lists(st.builds(Phase, NAMES, st.just("now")), max_size=2).map(tuple),
    prompt=st.none() | st.builds(PromptText, NAMES, NAMES),
    theme=st.sampled_from(["", "f00d"]),
)


@given(before=scenes, after=scenes, data=st.data())
def test_a_scene_and_its_changes_are_the_next_scene(
    before: Scene, after: Scene, data: st.DataObject
) -> None:
    old, new = [p.id for p in before.pieces], [p.id for p in after.pieces]
    renamed = dict(
        zip(
            data.draw(st.permutations(old)),
            data.draw(st.permutations(new)),
            strict=False,
        )
    )
    for names in ({}, renamed):
        reached = apply_changes(before, diff_scenes(before, after, names))
        assert reached == after
        assert [*reached.attributes] == [*after.attributes]


def piece(identity: str, where: str, kind: str = "golem") -> Piece:
    return Piece(identity, kind, kind[0], where)


def test_a_piece_named_by_its_place_moves_and_takes() -> None:
    before = Scene("", pieces=(piece("unit-a1", "a1"), piece("unit-b2", "b2")))
    after = Scene("", pieces=(piece("unit-b2", "b2"),))
    found = diff_scenes(before, after, {"unit-a1": "unit-b2"})
    assert found == (
        PieceRemoved("unit-b2", "b2"),
        PieceMoved("unit-a1", "a1", "b2", piece("unit-b2", "b2")),
    )
    assert apply_changes(before, found) == after


def one_after_the_other(scene: Scene, steps: tuple[Change, ...]) -> dict[str, Piece]:
    """The pieces as a frontend keeps them that knows each by its id, and no event as a whole."""
    pieces = {each.id: each for each in scene.pieces}
    for step in steps:
        if isinstance(step, PieceRemoved | PieceMoved | PieceChanged):
            del pieces[step.piece]
        if isinstance(step, PieceAppeared | PieceMoved | PieceChanged):
            assert step.now.id not in pieces, (steps, step)
            pieces[step.now.id] = step.now
    return pieces


@given(before=scenes, after=scenes, data=st.data())
def test_a_frontend_may_apply_the_steps_one_after_the_other(
    before: Scene, after: Scene, data: st.DataObject
) -> None:
    names = zip(
        data.draw(st.permutations([each.id for each in before.pieces])),
        data.draw(st.permutations([each.id for each in after.pieces])),
        strict=False,
    )
    reached = one_after_the_other(before, diff_scenes(before, after, dict(names)))
    assert reached == {each.id: each for each in after.pieces}


def test_of_two_pieces_that_exchange_their_ids_one_has_another_meanwhile() -> None:
    before = Scene("", pieces=(piece("on-a", "a"), piece("on-b", "b", "hulk")))
    after = Scene("", pieces=(piece("on-a", "a", "hulk"), piece("on-b", "b")))
    found = diff_scenes(before, after, {"on-a": "on-b", "on-b": "on-a"})
    assert found == (
        PieceMoved("on-b", "b", "a", piece("on-a~", "a", "hulk")),
        PieceMoved("on-a", "a", "b", piece("on-b", "b")),
        PieceChanged("on-a~", ("id",), piece("on-a", "a", "hulk")),
        Rearranged("pieces", ("on-a", "on-b")),
    )
    assert apply_changes(before, found) == after
    assert {mark.piece for mark in marks_for_changes(found)} == {"", "on-a", "on-b"}


def test_a_piece_that_stays_is_changed_and_not_moved() -> None:
    before = Scene("", pieces=(piece("x", "a1"),))
    after = Scene("", pieces=(piece("x", "a1", "hulk"),))
    (found,) = diff_scenes(before, after)
    assert found == PieceChanged("x", ("kind", "glyph"), piece("x", "a1", "hulk"))


def test_a_number_counts() -> None:
    before, after = (Scene("", tracks=(Track("mana", "Mana", n),)) for n in (2, 5))
    assert diff_scenes(before, after) == (TrackCounted("mana", 2, 5),)


def test_nothing_changes_between_equal_scenes() -> None:
    scene = Scene("", pieces=(piece("x", "a1"),), attributes={"a": "b"})
    assert diff_scenes(scene, scene) == ()
