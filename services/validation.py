"""Validation of messages against the bounds that the proto files declare with `buf.validate`.

`violations` finds every violated bound of a message, with field paths as protovalidate writes them.
The service refuses such requests before their handlers, and the client does not send them.

Only the standard rules in `CHECKS` are known, and no CEL: another rule raises NotImplementedError
when a message of its type is first validated, which a test does for all requests.
"""

import json
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from services.wire.buf.validate import validate_pb2 as pb

Check = Callable[[Any], str]
"""Returns what is wrong with a value, or an empty text."""
Violations = dict[str, str]
"""What is wrong with each field, by the field's path."""
Visit = Callable[[Any, str, Violations], None]
"""Adds what is wrong with a value, given its path; or with a message, given its path and a dot."""

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_NO_CHECKS: Final = frozenset({"items", "keys", "values", "example"})
_ORDERED: Final[Mapping[str, tuple[Callable[[Any, Any], bool], str]]] = {
    "gt": (operator.gt, "greater than"),
    "gte": (operator.ge, "at least"),
    "lt": (operator.lt, "less than"),
    "lte": (operator.le, "at most"),
}


def violations(message: Message) -> Violations:
    """Return what is wrong with each field of a message; empty if all bounds are kept."""
    found: Violations = {}
    for visit in _visits(message.DESCRIPTOR):
        visit(message, "", found)
    return found


@cache
def is_bounded(kind: Descriptor) -> bool:
    """Return whether a message type, or one that it can contain, declares bounds."""
    reached, waiting = set(), [kind]
    while waiting:
        if (each := waiting.pop()) not in reached:
            reached.add(each)
            waiting += [field.message_type for field in each.fields if field.message_type]
    return any(map(_declares, reached))


def _declares(kind: Descriptor) -> bool:
    return (
        kind.GetOptions().HasExtension(pb.message)
        or any(field.GetOptions().HasExtension(pb.field) for field in kind.fields)
        or any(oneof.GetOptions().HasExtension(pb.oneof) for oneof in kind.oneofs)
    )


# --- what a value must be ------------------------------------------------------------------------


def _check(holds: Callable[[Any], object], why: str) -> Check:
    """Return a check that says what the value must be or have where `holds` is false."""
    return lambda value: "" if holds(value) else f"must {why}"


def _counted(rule: str, unit: str) -> Callable[[int], Check]:
    """Compare the number of characters, bytes, elements or entries."""
    holds, words = _ORDERED[rule]

    def bind(bound: int) -> Check:
        why = f"must have {words} {bound} {unit}{'s' * (bound != 1)}, not "
        return lambda value: "" if holds(len(value), bound) else f"{why}{len(value)}"

    return bind


def _ordered(rule: str, bound: Any) -> Check:
    """Compare numbers, durations or times."""
    holds, words = _ORDERED[rule]
    if isinstance(bound, Duration | Timestamp):
        limit, shown = bound.ToNanoseconds(), bound.ToJsonString()
        return _check(lambda value: holds(value.ToNanoseconds(), limit), f"be {words} {shown}")
    return _check(lambda value: holds(value, bound), f"be {words} {bound}")


def _one_of(allowed: Collection[Any]) -> Check:
    known = frozenset(allowed)
    return _check(known.__contains__, f"be one of {', '.join(map(str, allowed))}")


def _paths_in(allowed: Collection[str]) -> Check:
    """Check that a FieldMask has only the allowed paths, and paths below them."""
    below = tuple(f"{path}." for path in allowed)
    return _check(
        lambda mask: all(path in allowed or path.startswith(below) for path in mask.paths),
        f"have only paths of {', '.join(allowed)}",
    )


def _pattern(pattern: str) -> Check:
    # In RE2, `$` is the end of the text alone, and not a place before a last line feed.
    compiled = re.compile(re.sub(r"\$$", r"\\Z", pattern), re.ASCII)
    return _check(compiled.search, f"match {pattern}")


CHECKS: Final[Mapping[str, Callable[[Any], Check]]] = {
    "string.uuid": lambda _: _check(
        _UUID.fullmatch, "be a UUID, such as 123e4567-e89b-42d3-a456-426614174000"
    ),
    "string.min_len": _counted("gte", "character"),
    "string.max_len": _counted("lte", "character"),
    "string.pattern": _pattern,
    "string.in": _one_of,
    "bytes.min_len": _counted("gte", "byte"),
    "bytes.max_len": _counted("lte", "byte"),
    "bool.const": lambda wanted: _check(wanted.__eq__, f"be {str(wanted).lower()}"),
    "enum.defined_only": lambda enum: _check(
        enum.values_by_number.__contains__, f"be a value of {enum.name}"
    ),
    "enum.in": _one_of,
    "enum.not_in": lambda refused: _check(lambda value: value not in refused, "be set"),
    "repeated.min_items": _counted("gte", "element"),
    "repeated.max_items": _counted("lte", "element"),
    "repeated.unique": lambda _: _check(
        lambda values: len(set(values)) == len(values), "have no element twice"
    ),
    "map.min_pairs": _counted("gte", "pair"),
    "map.max_pairs": _counted("lte", "pair"),
    "field_mask.in": _paths_in,
    "double.finite": lambda _: _check(lambda value: abs(value) < float("inf"), "be finite"),
}
"""The standard rules that are known, but for comparisons."""


def _checks(field: FieldDescriptor, rules: pb.FieldRules) -> Iterator[Check]:
    """Yield the checks of one value of a field."""
    if rules.cel or rules.cel_expression:
        raise NotImplementedError(f"{field.full_name}: CEL")
    kind = rules.WhichOneof("type")
    for rule, bound in getattr(rules, kind).ListFields() if kind else ():
        if rule.name in _ORDERED:
            yield _ordered(rule.name, bound)
        elif rule.name not in _NO_CHECKS and (bound is not False or rule.name == "const"):
            if (bind := CHECKS.get(f"{kind}.{rule.name}")) is None:
                raise NotImplementedError(f"{field.full_name}: {kind}.{rule.name}")
            yield bind(field.enum_type if rule.name == "defined_only" else bound)


# --- where values are ----------------------------------------------------------------------------


@cache
def _visits(kind: Descriptor) -> tuple[Visit, ...]:
    """Return what validates the fields and oneofs of a message type."""
    if kind.GetOptions().HasExtension(pb.message):
        raise NotImplementedError(f"{kind.full_name}: rules of a whole message")
    if not is_bounded(kind):
        return ()
    visits = [*map(_visit_field, kind.fields), *map(_visit_oneof, kind.oneofs)]
    return tuple(visit for visit in visits if visit is not None)


def _add(found: Violations, path: str, why: str) -> None:
    found[path] = f"{found[path]}; {why}" if path in found else why


def _visit_oneof(oneof: OneofDescriptor) -> Visit | None:
    if not oneof.GetOptions().Extensions[pb.oneof].required:
        return None
    names = ", ".join(field.name for field in oneof.fields)
    name, why = oneof.name, f"must be set to one of {names}"

    def visit(message: Message, prefix: str, found: Violations) -> None:
        if message.WhichOneof(name) is None:
            _add(found, prefix + name, why)

    return visit


def _visit_field(field: FieldDescriptor) -> Visit | None:
    """Return what validates one field of a message."""
    rules = field.GetOptions().Extensions[pb.field]
    inner = _visit_whole(field, rules)
    if rules.ignore == pb.IGNORE_ALWAYS or not (inner or rules.required):
        return None
    name, presence, required = field.name, field.has_presence, rules.required
    skips_zero = rules.ignore == pb.IGNORE_IF_ZERO_VALUE

    def visit(message: Message, prefix: str, found: Violations) -> None:
        value = getattr(message, name)
        if not (message.HasField(name) if presence else value):
            if required:
                _add(found, prefix + name, "must be set")
                return
            if presence:
                return
        if inner and not (skips_zero and not value):
            inner(value, prefix + name, found)

    return visit


def _visit_whole(field: FieldDescriptor, rules: pb.FieldRules) -> Visit | None:
    """Return what validates the value of a field with all its elements or entries."""
    if not field.is_repeated:
        return _visit_value(field, rules)
    checks = tuple(_checks(field, rules))
    if not (field.message_type and field.message_type.GetOptions().map_entry):
        items = _visit_value(field, rules.repeated.items)
        return _visit_elements(checks, None, items, enumerate) if checks or items else None
    key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
    keys, values = _visit_value(key, rules.map.keys), _visit_value(value, rules.map.values)
    if not (checks or keys or values):
        return None
    return _visit_elements(checks, keys, values, lambda entries: entries.items())


def _visit_elements(
    checks: tuple[Check, ...],
    keys: Visit | None,
    values: Visit | None,
    pairs: Callable[[Any], Any],
) -> Visit:
    def visit(whole: Any, path: str, found: Violations) -> None:
        for check in checks:
            if why := check(whole):
                _add(found, path, why)
        if keys or values:
            for key, value in pairs(whole):
                place = f"{path}[{json.dumps(key, ensure_ascii=False)}]"
                if keys:
                    keys(key, place, found)
                if values:
                    values(value, place, found)

    return visit


def _visit_value(field: FieldDescriptor, rules: pb.FieldRules) -> Visit | None:
    """Return what validates one value: of a singular field, an element, or a map's key or value."""
    checks = tuple(_checks(field, rules))
    kind = field.message_type if field.message_type and is_bounded(field.message_type) else None
    skips_zero = rules.ignore == pb.IGNORE_IF_ZERO_VALUE
    if not (checks or kind):
        return None

    def visit(value: Any, path: str, found: Violations) -> None:
        if skips_zero and not value:
            return
        for check in checks:
            if why := check(value):
                _add(found, path, why)
        if kind:
            for visit in _visits(kind):
                visit(value, path + ".", found)

    return visit
