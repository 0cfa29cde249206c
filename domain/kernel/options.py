"""What players may choose before a match, described for any frontend: titles, bounds, choices.

A game states all of it where it declares its options, with `option`. What it leaves out is shown by
its name.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, inspect

from domain.kernel.packs import Pack

Kind = Literal["boolean", "integer", "choice", "text", "content", "armies", "pack"]
"""What a value is: a content option holds the id of a content entry, `armies` a roster by seat, and
a pack option the digest of a content pack."""
FORM_ORDER: Final[dict[Kind, int]] = {"content": -2, "armies": -1, "pack": 1}
"""What is asked before the others, which come in the order of their fields, and what after."""


class Choice(Struct, frozen=True):
    """One of the values that an option may have."""

    value: str | int | None
    title: str


class Option(Struct, frozen=True, kw_only=True):
    """An option of a match, or a constraint of an army."""

    name: str
    title: str
    description: str
    kind: Kind
    default: Any
    """As JSON has it."""
    choices: tuple[Choice, ...] = ()
    min_value: int | None = None
    max_value: int | None = None
    max_length: int | None = None
    content_kind: str = ""
    """The kind of the content entries that the value names."""


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
    """Return the annotation of a field that is an option.

    Args:
        title: What the option is called in a form.
        description: What the option changes, as a sentence without a full stop.
        choices: The titles of the values of an option that has a few.
        content: The kind of content of which the value is an id.
        ge: The smallest value.
        le: The largest value.
        max_length: The most characters of a text.
        extra_json_schema: What JSON Schema is to say besides.
    """
    meta: Any = Meta  # whose overloads allow the bounds of one type at a time
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
    """Return the options that are the fields of a Struct, in the order in which people are asked.

    Args:
        kind: The Struct.
        encode: Writes values of other types than JSON's, for defaults.
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
    """Yield the values of a type that has a few; None first, where it stands for the usual one."""
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
