"""Messages for scenes and scene changes, in both directions.

The messages have the fields of the domain's structs. In addition, each map of attributes has the
order in which to show them. A test covers both directions.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from domain.kernel import scene as kernel
from domain.kernel import scene_changes as steps
from services.wire.emeth.v1 import scenes_pb2 as pb

M = TypeVar("M", bound=Message)

_PARTS: Final = ("spaces", "pieces", "zones", "tracks")


def scene(shown: kernel.Scene) -> pb.Scene:
    """Return the message of a scene."""
    message = pb.Scene(
        caption=shown.caption,
        attributes=shown.attributes,
        attribute_order=shown.attributes,
        marks=[_fields(mark, pb.Mark) for mark in shown.marks],
        legend=[_fields(sign, pb.LegendLine) for sign in shown.legend],
    )
    for name in _PARTS:
        getattr(message, name).extend(part(each) for each in getattr(shown, name))
    return message


def part(shown: kernel.Space | kernel.Piece | kernel.Zone | kernel.Track) -> Any:
    """Return the message of a space, piece, zone or track."""
    match shown:
        case kernel.Space():
            return _fields(shown, pb.Space)
        case kernel.Piece():
            return _fields(shown, pb.Piece)
        case kernel.Zone():
            return _fields(shown, pb.Zone)
        case kernel.Track():
            return _fields(shown, pb.Track)


def _fields(struct: Any, message: type[M]) -> M:
    """Return a message with the fields of a struct that differ from their defaults."""
    values: dict[str, Any] = {}
    for name, default in _DEFAULTS[type(struct)]:
        value = getattr(struct, name)
        if value != default:
            values[name] = _face(value) if name == "face" else value
    if attributes := values.get("attributes"):
        values["attribute_order"] = attributes
    return message(**values)


def _face(face: kernel.CardFace) -> pb.Face:
    values = {name: getattr(face, name) for name in ("title", "kind", "cost", "lines", "points")}
    stats = [pb.Stat(name=stat.name, value=stat.value) for stat in face.stats]
    return pb.Face(stats=stats, **values)


def _defaults(struct: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a struct, each with the value that a message omits."""
    return tuple((field.name, _default(field)) for field in msgspec.structs.fields(struct))


def _default(field: Any) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    # A message cannot tell a default text from an empty one, so default texts are sent.
    is_word = isinstance(field.default, str) and field.default
    return msgspec.NODEFAULT if is_word else field.default


_DEFAULTS: Final = {
    struct: _defaults(struct)
    for struct in (
        kernel.Space, kernel.Piece, kernel.Zone, kernel.Track, kernel.Mark, kernel.LegendEntry
    )
}  # fmt: skip


# --- changes -------------------------------------------------------------------------------------


def fill_changes(into: Any, found: Iterable[steps.Change]) -> None:
    """Add the changes from one scene to the next to a repeated field."""
    for step in found:
        into.append(_change(step))


def _change(step: steps.Change) -> pb.SceneChange:
    match step:
        case steps.PieceMoved(piece, start, end, now):
            moved = pb.PieceMoved(piece=piece, start=start, end=end, now=part(now))
            return pb.SceneChange(moved=moved)
        case steps.PieceAppeared(now):
            return pb.SceneChange(appeared=pb.PieceAppeared(now=part(now)))
        case steps.PieceRemoved(piece, start):
            return pb.SceneChange(removed=pb.PieceRemoved(piece=piece, start=start))
        case steps.PieceChanged(piece, fields, now):
            changed = pb.PieceChanged(piece=piece, fields=fields, now=part(now))
            return pb.SceneChange(changed=changed)
        case steps.TrackCounted(track, start_at, end_at):
            counted = pb.TrackCounted(track=track, start=start_at, end=end_at)
            return pb.SceneChange(counted=counted)
        case steps.PartChanged(now_part):
            return pb.SceneChange(**{type(now_part).__name__.lower(): part(now_part)})
        case steps.PartRemoved(name, identity):
            return pb.SceneChange(part_removed=pb.PartRemoved(part=name, id=identity))
        case steps.Rearranged(name, ids):
            return pb.SceneChange(rearranged=pb.Rearranged(part=name, ids=ids))
        case steps.SceneChanged():
            return pb.SceneChange(scene=_whole(step))


def _whole(step: steps.SceneChanged) -> pb.SceneChanged:
    message = pb.SceneChanged(caption=step.caption)
    if step.attributes is not None:
        message.attributes.CopyFrom(pb.Attributes(values=step.attributes, order=step.attributes))
    if step.marks is not None:
        message.marks.CopyFrom(pb.Marks(marks=[_fields(mark, pb.Mark) for mark in step.marks]))
    if step.legend is not None:
        lines = [_fields(sign, pb.LegendLine) for sign in step.legend]
        message.legend.CopyFrom(pb.Legend(lines=lines))
    return message


# --- and back ------------------------------------------------------------------------------------


def read_scene(message: pb.Scene) -> kernel.Scene:
    """Return the scene in a message."""
    return msgspec.convert(_plain(message), kernel.Scene, strict=False)


def read_change(message: pb.SceneChange) -> steps.Change | None:
    """Return the scene change in a message; None for a kind that only later versions know."""
    kind = message.WhichOneof("change")
    if kind is None:
        return None
    fields = _plain(getattr(message, kind))
    if kind in _CHANGED_PARTS:
        return steps.PartChanged(msgspec.convert(fields, _CHANGED_PARTS[kind], strict=False))
    step: steps.Change = msgspec.convert(fields, _STEPS[kind], strict=False)
    return step


_CHANGED_PARTS: Final[Mapping[str, Any]] = {
    "space": kernel.Space, "zone": kernel.Zone, "track": kernel.Track
}  # fmt: skip
_STEPS: Final[Mapping[str, Any]] = {
    "moved": steps.PieceMoved,
    "appeared": steps.PieceAppeared,
    "removed": steps.PieceRemoved,
    "changed": steps.PieceChanged,
    "counted": steps.TrackCounted,
    "part_removed": steps.PartRemoved,
    "rearranged": steps.Rearranged,
    "scene": steps.SceneChanged,
}


def _plain(message: Message) -> dict[str, Any]:
    """Return a message as builtins for the domain's structs, without wrappers."""
    whole = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    kind = str(message.DESCRIPTOR.name)
    plain = _unwrapped(whole)
    return {"type": kind, **plain} if kind in _TAGS else plain


_TAGS: Final = frozenset(step.__name__ for step in _STEPS.values())


def _unwrapped(fields: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, value in fields.items():
        match value:
            case {"values": values, "order": order}:
                plain[name] = {key: values[key] for key in order}
            case {"marks": marks}:
                plain[name] = marks
            case {"lines": lines} if name == "legend":
                plain[name] = lines
            case dict():
                plain[name] = value if name == "attributes" else _unwrapped(value)
            case [dict(), *_]:
                plain[name] = [_unwrapped(each) for each in value]
            case _:
                plain[name] = value
    if order := plain.pop("attribute_order", None):
        plain["attributes"] = {key: plain["attributes"][key] for key in order}
    return plain
