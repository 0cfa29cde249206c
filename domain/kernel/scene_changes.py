"""The difference between two scenes as generic steps, for animation without knowledge of the game.

`apply_changes(before, diff_scenes(before, after))` equals `after`, including the order of parts.
The steps can be applied one at a time: no step gives a piece an id that another piece has then.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from domain.kernel.scene import (
    Counter,
    LegendEntry,
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


class PieceMoved(Struct, frozen=True, tag=True):
    """A piece moved. Its id and other fields may have changed too: `now` is the whole piece."""

    piece: str
    """The piece's id before this step."""
    start: str
    end: str
    now: Piece


class PieceAppeared(Struct, frozen=True, tag=True):
    """A piece appeared that was absent or invisible before."""

    now: Piece


class PieceRemoved(Struct, frozen=True, tag=True):
    """A piece left the scene."""

    piece: str
    start: str


class PieceChanged(Struct, frozen=True, tag=True):
    """A piece changed without moving, for example when it is turned."""

    piece: str
    """The piece's id before this step."""
    fields: tuple[str, ...]
    """The names of the changed fields, such as `states`."""
    now: Piece


class TrackCounted(Struct, frozen=True, tag=True):
    """The value of a track changed."""

    track: str
    start: int
    end: int


class PartChanged(Struct, frozen=True, tag=True):
    """A space, zone or track appeared or changed."""

    now: Space | Zone | Track


class PartRemoved(Struct, frozen=True, tag=True):
    """A space, zone or track was removed."""

    part: str
    """The list of the scene that it was removed from: `spaces`, `zones` or `tracks`."""
    id: str


class Rearranged(Struct, frozen=True, tag=True):
    """The order of one list changed in a way that the other changes do not imply.

    Without this step, parts keep their order and new parts come last, in order of appearance.
    """

    part: str
    """The list in a new order: `spaces`, `pieces`, `zones` or `tracks`."""
    ids: tuple[str, ...]


class SceneChanged(Struct, frozen=True, tag=True):
    """Scene-wide fields changed; None for a field that did not change."""

    caption: str | None = None
    attributes: dict[str, str] | None = None
    marks: tuple[Mark, ...] | None = None
    legend: tuple[LegendEntry, ...] | None = None
    sides: tuple[Side, ...] | None = None
    counters: tuple[Counter, ...] | None = None
    phases: tuple[Phase, ...] | None = None
    prompt: PromptText | None = None
    """The new prompt; `NO_PROMPT` if there is none any more."""
    theme: str | None = None


NO_PROMPT: Final = PromptText("")
"""The prompt of a change after which a scene has none."""

Change = (
    PieceMoved | PieceAppeared | PieceRemoved | PieceChanged
    | TrackCounted | PartChanged | PartRemoved | Rearranged | SceneChanged
)  # fmt: skip

TEMPORARY_SUFFIX: Final = "~"
"""The suffix of temporary ids while pieces exchange their ids. No game's ids end with it."""

P = TypeVar("P", bound=Space | Zone | Track)

_PART_NAMES: Final[dict[type, str]] = {Space: "spaces", Zone: "zones", Track: "tracks"}
_SCENE_WIDE_FIELDS: Final = SceneChanged.__struct_fields__


def diff_scenes(
    before: Scene, after: Scene, renamed: Mapping[str, str] | None = None
) -> tuple[Change, ...]:
    """Return the changes from one scene of a match to another.

    Changes of spaces, zones and tracks come first, then pieces that leave, move, change and
    appear, then scene-wide changes.

    Args:
        before: The earlier scene.
        after: The later scene.
        renamed: New ids of pieces by their earlier ids, for pieces whose ids changed.
    """
    return (
        *_part_changes(before.spaces, after.spaces, "spaces"),
        *_part_changes(before.zones, after.zones, "zones"),
        *_part_changes(before.tracks, after.tracks, "tracks"),
        *_piece_changes(before.pieces, after.pieces, renamed or {}),
        *_scene_wide_changes(before, after),
    )


def _part_changes(before: tuple[P, ...], after: tuple[P, ...], part: str) -> Iterator[Change]:
    if before == after:
        return
    old, new = {each.id: each for each in before}, {each.id: each for each in after}
    yield from (PartRemoved(part, key) for key in old if key not in new)
    for key, now in new.items():
        was = old.get(key)
        if was == now:
            continue
        if isinstance(was, Track) and isinstance(now, Track) and _differs_in_value_only(was, now):
            yield TrackCounted(key, was.value, now.value)
        else:
            yield PartChanged(now)
    reached = [*(key for key in old if key in new), *(key for key in new if key not in old)]
    yield from _order_changes(part, reached, new)


def _differs_in_value_only(was: Track, now: Track) -> bool:
    return was == msgspec.structs.replace(now, value=was.value)


def _order_changes(part: str, reached: list[str], wanted: Iterable[str]) -> Iterator[Change]:
    ids = tuple(wanted)
    if reached != list(ids):
        yield Rearranged(part, ids)


def _piece_changes(
    before: tuple[Piece, ...], after: tuple[Piece, ...], renamed: Mapping[str, str]
) -> Iterator[Change]:
    old, new = {each.id: each for each in before}, {each.id: each for each in after}
    became = {key: renamed.get(key, key) for key in old}
    # An id belongs to one piece only: another piece that had it before has left.
    heirs = {now: key for key, now in became.items() if key not in renamed}
    heirs |= {now: key for key, now in became.items() if key in renamed}
    was_of = {now: old[key] for now, key in heirs.items() if now in new}
    stayed = {was.id for was in was_of.values()}
    yield from (PieceRemoved(key, each.where) for key, each in old.items() if key not in stayed)
    yield from _piece_steps([(was_of[key], now) for key, now in new.items() if key in was_of])
    yield from (PieceAppeared(now) for key, now in new.items() if key not in was_of)
    reached = [became[key] for key in old if key in stayed]
    yield from _order_changes("pieces", [*reached, *(key for key in new if key not in was_of)], new)


def _piece_steps(pairs: list[tuple[Piece, Piece]]) -> Iterator[Change]:
    """Yield the steps of pieces that stay, so that each takes an id that no other piece has then.

    A piece whose id another piece will take goes first. Where pieces exchange ids, one of them gets
    a temporary id until the others have theirs.
    """
    left = {was.id: (was, now) for was, now in pairs if was != now}
    named_last: list[tuple[str, Piece]] = []
    while left:
        free = [key for key, (_, now) in left.items() if now.id == key or now.id not in left]
        for key in free:
            was, now = left.pop(key)
            yield _step(was, now)
        if left and not free:
            was, now = left.pop(next(iter(left)))
            meanwhile = msgspec.structs.replace(now, id=f"{now.id}{TEMPORARY_SUFFIX}")
            named_last.append((meanwhile.id, now))
            yield _step(was, meanwhile)
    yield from (PieceChanged(key, ("id",), now) for key, now in named_last)


def _step(was: Piece, now: Piece) -> Change:
    if was.where != now.where:
        return PieceMoved(was.id, was.where, now.where, now)
    return PieceChanged(was.id, _changed_fields(was, now), now)


def _changed_fields(was: Piece, now: Piece) -> tuple[str, ...]:
    names = Piece.__struct_fields__
    return tuple(name for name in names if getattr(was, name) != getattr(now, name))


def _scene_wide_changes(before: Scene, after: Scene) -> Iterator[Change]:
    differs = {
        name: getattr(after, name)
        for name in _SCENE_WIDE_FIELDS
        if getattr(before, name) != getattr(after, name)
    }
    # The order of attributes is the order in which they are shown, so it counts as a change.
    if [*before.attributes] != [*after.attributes]:
        differs["attributes"] = after.attributes
    if "prompt" in differs and after.prompt is None:
        differs["prompt"] = NO_PROMPT
    if differs:
        yield SceneChanged(**differs)


def apply_changes(scene: Scene, steps: Iterable[Change]) -> Scene:
    """Return the scene after these changes.

    Raises:
        KeyError: The changes belong to another scene.
    """
    lists: dict[str, dict[str, Any]] = {
        part: {each.id: each for each in getattr(scene, part)}
        for part in ("spaces", "pieces", "zones", "tracks")
    }
    whole: dict[str, Any] = {}
    for step in steps:
        match step:
            case PieceMoved(piece=piece, now=now) | PieceChanged(piece=piece, now=now):
                pieces = lists["pieces"]
                if piece not in pieces or (now.id != piece and now.id in pieces):
                    raise KeyError(now.id)
                lists["pieces"] = {
                    now.id if key == piece else key: now if key == piece else each
                    for key, each in pieces.items()
                }
            case PieceRemoved(piece=piece):
                del lists["pieces"][piece]
            case PieceAppeared(now=now):
                if now.id in lists["pieces"]:
                    raise KeyError(now.id)
                lists["pieces"][now.id] = now
            case TrackCounted(track=track, end=end):
                was = lists["tracks"][track]
                lists["tracks"][track] = msgspec.structs.replace(was, value=end)
            case PartChanged(now=part):
                lists[_PART_NAMES[type(part)]][part.id] = part
            case PartRemoved(part=name, id=key):
                del lists[name][key]
            case Rearranged(part=name, ids=ids):
                lists[name] = {key: lists[name][key] for key in ids}
            case SceneChanged():
                values = {name: getattr(step, name) for name in _SCENE_WIDE_FIELDS}
                whole |= {name: value for name, value in values.items() if value is not None}
                if step.prompt == NO_PROMPT:
                    whole["prompt"] = None
    return msgspec.structs.replace(
        scene, **{part: tuple(found.values()) for part, found in lists.items()}, **whole
    )
