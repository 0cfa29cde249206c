"""Messages for scenes and scene changes, in both directions.

The messages have the fields of the domain's structs. In addition, each map of attributes has the
order in which to show them. A test covers both directions.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from domain.kernel import scene as kernel
from domain.kernel import scene_changes as steps
from services.wire.emeth.v1 import scenes_pb2 as pb

M = TypeVar("M", bound=Message)


def scene(shown: kernel.Scene) -> pb.Scene:
    """Return the message of a scene."""
    return to_message(shown, pb.Scene)


def part(shown: kernel.Space | kernel.Piece | kernel.Zone | kernel.Track) -> Any:
    """Return the message of a space, piece, zone or track."""
    return to_message(shown, _PART_MESSAGES[type(shown)])


_PART_MESSAGES: Final[Mapping[type, Any]] = {
    kernel.Space: pb.Space, kernel.Piece: pb.Piece, kernel.Zone: pb.Zone, kernel.Track: pb.Track
}  # fmt: skip


def to_message(struct: Any, message: type[M]) -> M:
    """Return a message with the fields of a struct that differ from their defaults.

    Both have the same field names. Nested structs become nested messages.
    """
    values: dict[str, Any] = {}
    kinds: Any = type(struct), message
    for name, default, nested, is_list in _plan(*kinds):
        value = getattr(struct, name)
        if value == default:
            continue
        if nested is None:
            values[name] = value
        elif is_list:
            values[name] = [to_message(each, nested) for each in value]
        elif value is not None:
            values[name] = to_message(value, nested)
    if attributes := values.get("attributes"):
        values["attribute_order"] = attributes
    return message(**values)


@cache
def _plan(
    struct: type[msgspec.Struct], message: type[Message]
) -> tuple[tuple[str, Any, Any, bool], ...]:
    """Return the fields of a struct for `to_message`.

    Each has the value that a message omits, the class of nested messages if it holds structs, and
    whether it is a list.
    """
    known = message.DESCRIPTOR.fields_by_name
    return tuple(
        (each.name, _default(each), _nested(known[each.name]), known[each.name].is_repeated)
        for each in msgspec.structs.fields(struct)
    )


def _nested(field: Any) -> Any:
    kind = field.message_type
    if kind is None or kind.GetOptions().map_entry:
        return None
    return GetMessageClass(kind)


def _default(field: Any) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    # A message cannot tell a default text from an empty one, so default texts are sent.
    is_word = isinstance(field.default, str) and field.default
    return msgspec.NODEFAULT if is_word else field.default


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
    message = pb.SceneChanged(caption=step.caption, theme=step.theme)
    if step.attributes is not None:
        message.attributes.CopyFrom(pb.Attributes(values=step.attributes, order=step.attributes))
    if step.prompt is not None:
        message.prompt.CopyFrom(to_message(step.prompt, pb.PromptText))
    for name, (wrapper, field, kind) in _WRAPPED_LISTS.items():
        found = getattr(step, name)
        if found is not None:
            listed = [to_message(each, kind) for each in found]
            getattr(message, name).CopyFrom(wrapper(**{field: listed}))
    return message


_WRAPPED_LISTS: Final[Mapping[str, tuple[Any, str, Any]]] = {
    "marks": (pb.Marks, "marks", pb.Mark),
    "legend": (pb.Legend, "lines", pb.LegendLine),
    "sides": (pb.Sides, "sides", pb.Side),
    "counters": (pb.Counters, "counters", pb.Counter),
    "phases": (pb.Phases, "phases", pb.Phase),
}
"""Lists of `SceneChanged` by name: the message around the list, its field, and its items."""


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
    plain = _unwrapped(whole, message.DESCRIPTOR)
    return {"type": kind, **plain} if kind in _TAGS else plain


_TAGS: Final = frozenset(step.__name__ for step in _STEPS.values())
_WRAPPERS: Final = {wrapper.DESCRIPTOR.name: field for wrapper, field, _ in _WRAPPED_LISTS.values()}


def _unwrapped(fields: dict[str, Any], kind: Any) -> dict[str, Any]:
    """Return the fields of a message of this kind, with lists instead of messages around them."""
    plain: dict[str, Any] = {}
    for name, value in fields.items():
        nested = kind.fields_by_name[name].message_type
        if nested is None or nested.GetOptions().map_entry:
            plain[name] = value
        elif nested.name == "Attributes":
            plain[name] = {key: value["values"][key] for key in value["order"]}
        elif nested.name in _WRAPPERS:
            inner = _unwrapped(value, nested)
            plain[name] = inner[_WRAPPERS[nested.name]]
        elif isinstance(value, list):
            plain[name] = [_unwrapped(each, nested) for each in value]
        else:
            plain[name] = _unwrapped(value, nested)
    if order := plain.pop("attribute_order", None):
        plain["attributes"] = {key: plain["attributes"][key] for key in order}
    return plain
