"""Descriptions of a match's options for any frontend: titles, bounds, choices.

A game describes its options where it declares them, with `option`. An option or a value without a
title is shown by its name.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, inspect

from domain.kernel.packs import Pack

Kind = Literal["boolean", "integer", "choice", "text", "content", "armies", "pack"]
"""The kind of an option's value: `content` is the id of a content entry, `armies` a roster by seat,
and `pack` the digest of a content pack."""
FORM_ORDER: Final[dict[Kind, int]] = {"content": -2, "armies": -1, "pack": 1}
"""The rank of a kind in a form: negative before the other options, positive after them. Options of
equal rank keep the order of their fields."""


class Choice(Struct, frozen=True):
    """One allowed value of an option."""

    value: str | int | None
    title: str


class Option(Struct, frozen=True, kw_only=True):
    """An option of a match, or a constraint of an army."""

    name: str
    title: str
    description: str
    kind: Kind
    default: Any
    """The default as a JSON value."""
    choices: tuple[Choice, ...] = ()
    min_value: int | None = None
    max_value: int | None = None
    max_length: int | None = None
    content_kind: str = ""
    """The kind of content entry that the value is an id of."""


def option(
    title: str,
    *,
    description: str,
    choices: Mapping[str | int | None, str] | None = None,
    content: str = "",
    ge: int | None = None,
    le: int | None = None,
    max_length: int | None = None,
    extra_json_schema: dict[str, Any] | None = None,
) -> Meta:
    """Return the annotation of an option's field.

    Args:
        title: The label in a form.
        description: The effect of the option, as a sentence without a full stop.
        choices: The titles of the allowed values, in the order to show them.
        content: The kind of content entry that the value is an id of.
        ge: The smallest allowed value.
        le: The largest allowed value.
        max_length: The most characters of a text.
        extra_json_schema: Additional fields of the JSON Schema.
    """
    meta: Any = Meta  # its overloads allow the bounds of only one type at a time
    annotation: Meta = meta(
        title=title,
        description=description,
        ge=ge,
        le=le,
        max_length=max_length,
        extra_json_schema=extra_json_schema,
        extra={"choices": choices or {}, "content": content},
    )
    return annotation


def options_in(
    kind: type[Struct], encode: Callable[[Any], Any] | None = None
) -> tuple[Option, ...]:
    """Return the options that a Struct's fields declare, in the order of a form.

    Args:
        kind: The Struct.
        encode: Converts default values of types that JSON does not have.
    """
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    found = [_option(field, encode) for field in described.fields]
    return tuple(sorted(found, key=lambda each: FORM_ORDER.get(each.kind, 0)))


def _option(field: inspect.Field, encode: Callable[[Any], Any] | None) -> Option:
    extra: dict[str, Any] = {}
    schema: dict[str, Any] = {}
    kind = field.type
    while isinstance(kind, inspect.Metadata):
        extra = {**(kind.extra or {}), **extra}
        schema = {**(kind.extra_json_schema or {}), **schema}
        kind = kind.type
    titles: Mapping[Any, str] = extra.get("choices", {})
    values = sorted(_values(kind), key=[*titles].index) if titles else [*_values(kind)]
    content = extra.get("content", "")
    return Option(
        name=field.encode_name,
        title=schema.get("title", "") or _in_words(field.encode_name),
        description=schema.get("description", ""),
        kind="content" if content else _kind(kind, values),
        default=msgspec.to_builtins(_default(field), enc_hook=encode),
        choices=tuple(Choice(value, titles.get(value) or _in_words(value)) for value in values),
        min_value=getattr(kind, "ge", None),
        max_value=getattr(kind, "le", None),
        max_length=getattr(kind, "max_length", None),
        content_kind=content,
    )


def _values(kind: inspect.Type) -> Iterable[str | int | None]:
    """Yield the values of a Literal type; None first if the type is optional."""
    match kind:
        case inspect.LiteralType(values):
            yield from values
        case inspect.UnionType(types) if any(isinstance(t, inspect.LiteralType) for t in types):
            yield None
            for each in types:
                yield from _values(each)


def _kind(kind: inspect.Type, values: list[Any]) -> Kind:
    if values:
        return "choice"
    match kind:
        case inspect.BoolType():
            return "boolean"
        case inspect.IntType():
            return "integer"
        case inspect.DictType():
            return "armies"
        case inspect.CustomType(cls) if issubclass(cls, Pack):
            return "pack"
    return "text"


def _default(field: inspect.Field) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return None if field.default is msgspec.NODEFAULT else field.default


def _in_words(name: object) -> str:
    text = str(name).replace("_", " ").replace("-", " ")
    return text[:1].upper() + text[1:]
