"""The scene of a match for a viewer, with marks, and the changes that an event made to it."""

from itertools import islice
from typing import Any, Final

from msgspec.structs import replace

from domain.kernel.any_game import action_outline
from domain.kernel.game import AnyGame
from domain.kernel.scene import Mark, MarkKind, Scene
from domain.kernel.scene_changes import (
    Change,
    PieceAppeared,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    SceneChanged,
    diff_scenes,
)
from domain.match import AnyMatch, visible_match
from projections.drawing.theme_files import theme_files
from projections.views.captions import caption
from projections.views.transitions import Transition
from projections.views.viewer_events import redacted_action

MAX_LISTED_ACTIONS: Final = 2_000
"""The greatest number of legal actions examined for marks; a few positions have many thousands."""
_EMPTY_SCENE: Final = Scene("")
_DESCRIPTIVE_FIELDS: Final = frozenset({"description", "card"})
"""Descriptive fields of a piece, which can change because of other pieces."""


def scene(match: AnyMatch, viewer: str, last: Transition | None = None) -> Scene:
    """Return the scene of a match for a viewer.

    Args:
        match: The match.
        viewer: A seat, `spectator` or `referee`.
        last: The last transition, whose changes are marked.
    """
    shown = _whole_scene(match, viewer)
    if last is None:
        return shown
    marks = _last_change_marks(last, viewer, _scene_changes(last, viewer, shown))
    return replace(shown, marks=(*shown.marks, *marks))


def scene_change(step: Transition, viewer: str) -> tuple[Scene, tuple[Change, ...]]:
    """Return the scene after a transition with its changes marked, and these changes."""
    after = _whole_scene(step.after, viewer)
    steps = _scene_changes(step, viewer, after)
    marks = (*after.marks, *_last_change_marks(step, viewer, steps))
    return replace(after, marks=marks), _append_marks(steps, marks)


def _whole_scene(match: AnyMatch, viewer: str) -> Scene:
    """Return the scene with what the game does not know: the match's caption, and the theme."""
    shown = match.rules.scene(match.position, viewer)
    theme = theme_files(match.game, match.options).hash
    return replace(shown, caption=caption(match, viewer), theme=theme)


def _scene_changes(step: Transition, viewer: str, after: Scene) -> tuple[Change, ...]:
    before = _whole_scene(step.before, viewer) if step.before else _EMPTY_SCENE
    game = step.after.rules
    renamed = (
        game.piece_id_changes(redacted_action(game, step.sealed.event, viewer))
        if step.before
        else {}
    )
    # Marks are set as a whole after the other changes, so they are not compared here.
    return diff_scenes(replace(before, marks=()), replace(after, marks=()), renamed)


def _append_marks(steps: tuple[Change, ...], marks: tuple[Mark, ...]) -> tuple[Change, ...]:
    if steps and isinstance(steps[-1], SceneChanged):
        return (*steps[:-1], replace(steps[-1], marks=marks))
    return (*steps, SceneChanged(marks=marks))


def _last_change_marks(
    step: Transition, viewer: str, steps: tuple[Change, ...]
) -> tuple[Mark, ...]:
    """Return marks for the changes of a transition; none for the first event of a match.

    If the event did not change the position, the last earlier event that did is marked.
    """
    if step.last_change is not None:
        last_change = step.last_change
        return _last_change_marks(
            last_change,
            viewer,
            _scene_changes(last_change, viewer, _whole_scene(last_change.after, viewer)),
        )
    return () if step.before is None else marks_for_changes(steps)


def marks_for_changes(steps: tuple[Change, ...]) -> tuple[Mark, ...]:
    """Return marks of all places and pieces that changed, except for merely descriptive changes."""
    found: dict[Mark, None] = {}
    for step in steps:
        match step:
            case PieceMoved(start=start, end=end, now=now):
                found |= {
                    _space_mark(start): None,
                    _space_mark(end): None,
                    Mark("last", piece=now.id): None,
                }
            case PieceRemoved(start=start):
                found[_space_mark(start)] = None
            case PieceAppeared(now=now):
                found[Mark("last", piece=now.id)] = None
            case PieceChanged(piece=piece, fields=("id",), now=now):
                # The piece gets its final id after a temporary one.
                found.pop(Mark("last", piece=piece), None)
                found[Mark("last", piece=now.id)] = None
            case PieceChanged(fields=fields, now=now) if not _DESCRIPTIVE_FIELDS.issuperset(fields):
                found[Mark("last", piece=now.id)] = None
            case _:
                pass
    return tuple(found)


def _space_mark(space: str) -> Mark:
    return Mark("last", space=space)


# --- what may be done ----------------------------------------------------------------------------


def with_legal_marks(shown: Scene, match: AnyMatch, viewer: str, selected: str = "") -> Scene:
    """Return the scene with the viewer's legal actions marked.

    Args:
        shown: The scene.
        match: The match that the scene shows.
        viewer: A seat; other viewers get no marks.
        selected: A piece whose targets and destinations are marked. If it is empty, the pieces
            and spaces of all actions are marked.
    """
    if match.result is not None or not any(prompt.seat == viewer for prompt in match.prompts):
        return shown
    own = visible_match(match, viewer)
    kind: MarkKind = "reachable" if selected else "legal"
    there = {piece.id for piece in shown.pieces}
    found: dict[Mark, None] = {}
    for parts in islice(_listed_actions(own.rules, own.position, viewer), MAX_LISTED_ACTIONS):
        if selected and parts.pieces[:1] != (selected,):
            continue
        pieces = parts.pieces[1:] if selected else parts.pieces[:1] or parts.cards[:1]
        found |= {Mark(kind, piece=piece): None for piece in pieces if piece in there}
        found |= {Mark(kind, space=space): None for space in parts.spaces}
    return replace(shown, marks=(*shown.marks, *found))


def with_selection_mark(shown: Scene, piece: str) -> Scene | None:
    """Return the scene with a piece marked as selected, or None if it has no such piece."""
    if all(each.id != piece for each in shown.pieces):
        return None
    return replace(shown, marks=(*shown.marks, Mark("selected", piece=piece)))


def _listed_actions(game: AnyGame, position: Any, seat: str) -> Any:
    if game.groups is not None:
        return (group.parts for group in game.groups(position, seat))
    return (
        action_outline(game, position, action)
        for action in game.legal(position, seat)
        if not game.is_administrative(action)
    )
