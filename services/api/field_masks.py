"""Field masks of requests: which fields an update sets, and which fields a response has.

A path names a field of a message, with dots between the names of nested fields: `quotas.watchers`.
The path `*` stands for every field that the request may name. A path may end in a repeated field or
a map, and never continues inside one (AIP-134, AIP-157 and AIP-161).
"""

from collections.abc import Collection, Iterable
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message

from services.runtime.errors import ApiError, field_invalid

EVERYTHING = "*"


def update_paths(
    resource: Message, mask: FieldMask, updatable: Collection[str], field: str = "update_mask"
) -> tuple[str, ...]:
    """Return the paths of the fields that a request updates, in the order of `updatable`.

    Args:
        resource: The resource in the request.
        mask: The request's mask. An empty mask stands for every field that `resource` has set.
        updatable: The paths that callers may update; each includes what is below it.
        field: The name of the mask in the request, for errors.

    Raises:
        ApiError: FIELD_INVALID, which names the path, if there is no such field or if callers may
            not update it.
    """
    if not mask.paths:
        return tuple(path for path in updatable if _is_set(resource, path))
    described: Any = resource.DESCRIPTOR
    paths = _paths(described, mask, updatable, field)
    return tuple(path for allowed in updatable for path in paths if _is_within(path, allowed))


def read_paths(
    message: Descriptor, mask: FieldMask, usual: Collection[str] = (), field: str = "read_mask"
) -> tuple[str, ...]:
    """Return the paths of the fields that a response has.

    Args:
        message: The message that the mask is about.
        mask: The request's mask.
        usual: The paths that an empty mask stands for; none for every field.
        field: The name of the mask in the request, for errors.

    Raises:
        ApiError: FIELD_INVALID, which names the path, if there is no such field.
    """
    every = [each.name for each in message.fields]
    return _paths(message, mask, every, field) if mask.paths else tuple(usual or every)


def includes(paths: Iterable[str], path: str) -> bool:
    """Return whether any of these paths covers a field, or a part of it.

    >>> includes(["scene.svg", "text"], "scene"), includes(["scene"], "scene.svg")
    (True, True)
    >>> includes(["scenery"], "scene")
    False
    """
    return any(_is_within(each, path) or _is_within(path, each) for each in paths)


def copy_fields(source: Any, target: Any, paths: Iterable[str]) -> None:
    """Set these fields of `target` as they are in `source`, a message of the same type.

    A field that is not set in `source` is cleared. A list or a map is replaced as a whole.
    """
    for path in paths:
        name, _, rest = path.partition(".")
        if rest:
            copy_fields(getattr(source, name), getattr(target, name), [rest])
            continue
        target.ClearField(name)
        if _is_set(source, name):
            one = type(target)()
            one.CopyFrom(source)
            for other in {each.name for each, _ in one.ListFields()} - {name}:
                one.ClearField(other)
            target.MergeFrom(one)


def keep_fields(message: Any, paths: Collection[str]) -> None:
    """Clear every field of a message that none of these paths covers."""
    for descriptor, value in message.ListFields():
        name = descriptor.name
        below = [path.partition(".")[2] for path in paths if path.partition(".")[0] == name]
        if not below:
            message.ClearField(name)
        elif all(below):
            keep_fields(value, below)


def _paths(
    message: Descriptor, mask: FieldMask, allowed: Collection[str], field: str
) -> tuple[str, ...]:
    """Return the paths of a mask without repetitions, and without those that another covers."""
    if EVERYTHING in mask.paths:
        if len(mask.paths) > 1:
            raise field_invalid(field, "`*` must be the only path")
        return tuple(allowed)
    for path in mask.paths:
        _check(message, path, field)
        if not any(_is_within(path, each) for each in allowed):
            raise _mask_error(field, path, f"can be set: {', '.join(allowed)}")
    named = dict.fromkeys(mask.paths)
    return tuple(
        path for path in named if not any(_is_within(path, each) for each in named if each != path)
    )


def _check(message: Descriptor, path: str, field: str) -> None:
    inner: Descriptor | None = message
    for name in path.split("."):
        found: FieldDescriptor | None = inner.fields_by_name.get(name) if inner else None
        if found is None:
            known = ", ".join(each.name for each in inner.fields) if inner else "nothing below it"
            raise _mask_error(field, path, f"there is: {known}")
        inner = None if found.is_repeated else found.message_type


def _mask_error(field: str, path: str, why: str) -> ApiError:
    return field_invalid(field, f"the path {path[:80]!r} is not allowed; {why}")


def _is_within(path: str, place: str) -> bool:
    """Return whether a path names a place, or a part of it."""
    return path == place or path.startswith(f"{place}.")


def _is_set(message: Any, path: str) -> bool:
    name, _, rest = path.partition(".")
    if rest:
        return bool(message.HasField(name)) and _is_set(getattr(message, name), rest)
    return any(each.name == name for each, _ in message.ListFields())
