"""Pieces of SVG as strings: numbers, escaped text, ids and elements.

Strings are joined without building a tree, because a drawing has thousands of elements.
"""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from projections.drawing.font_metrics import ems

TEXT_SIZE: Final = 11.5
"""The usual font size."""
ICON_SIZE: Final = 1.15
"""The side of an icon within text, in ems."""
_UNPRINTABLE: Final = (
    *range(9), 11, 12, *range(14, 32), *range(0x7F, 0xA0),
    # Characters that change the writing direction could make one name look like another.
    0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A),
    *range(0xD800, 0xE000), 0xFEFF, 0xFFFE, 0xFFFF,
)  # fmt: skip
"""Characters that XML forbids, or that no name needs."""
_XML_REPLACEMENTS: Final = {
    **dict.fromkeys(_UNPRINTABLE),
    **dict.fromkeys((9, 10, 13), " "),
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
}
_REPLACEMENTS: Final = {**dict.fromkeys(_UNPRINTABLE), **dict.fromkeys((9, 10, 13), " ")}
_ID_CHARACTERS: Final = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
)


class Block(Struct, frozen=True):
    """A drawing with its upper left corner at (0, 0)."""

    width: float
    height: float
    body: str


def clean(text: str) -> str:
    """Return the text without characters that cannot be shown."""
    return text if text.isascii() and text.isprintable() else text.translate(_REPLACEMENTS)


def escape_xml(text: str) -> str:
    """Return the text escaped for an XML element or attribute."""
    return text.translate(_XML_REPLACEMENTS)


@lru_cache(maxsize=32768)
def format_length(value: float) -> str:
    """Return a length rounded to a tenth, such as `12` or `3.5`."""
    return f"{round(value, 1):g}"


def identifier(raw: str) -> str:
    """Return a text as part of an id: characters other than letters, digits, `-_.` become codes."""
    if _ID_CHARACTERS.issuperset(raw):
        return raw
    return "".join(each if each in _ID_CHARACTERS else f"_{ord(each):x}" for each in raw)


def translate(x: float, y: float, body: str) -> str:
    """Return a drawing moved from (0, 0) to another point."""
    if not body:
        return ""
    if not x and not y:
        return body
    return f'<g transform="translate({format_length(x)} {format_length(y)})">{body}</g>'


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    paint: str,
    *,
    corner: float = 0,
    more: str = "",
) -> str:
    """Return a rectangle with a class of the style sheet."""
    at = f' x="{format_length(x)}" y="{format_length(y)}"' if x or y else ""
    rounded = f' rx="{format_length(corner)}"' if corner else ""
    return (
        f'<rect{at} width="{format_length(width)}" height="{format_length(height)}"'
        f'{rounded} class="{paint}"{more}/>'
    )


def circle(x: float, y: float, radius: float, paint: str, more: str = "") -> str:
    """Return a disc with a class of the style sheet."""
    center = f'cx="{format_length(x)}" cy="{format_length(y)}"'
    return f'<circle {center} r="{format_length(radius)}" class="{paint}"{more}/>'


def label(
    x: float,
    y: float,
    words: str,
    size: float,
    paint: str = "k",
    *,
    anchor: str = "",
    bold: bool = False,
) -> str:
    """Return a line of text, stretched to its estimated width whatever the font."""
    where = f' text-anchor="{anchor}"' if anchor else ""
    if len(words) > 2:
        where += f' textLength="{format_length(ems(words, bold=bold) * size)}"'
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{format_length(x)}" y="{format_length(y)}"{text_attributes(size, paint)}'
        f"{where}{weight}>{escape_xml(words)}</text>"
    )


def text_attributes(size: float, paint: str) -> str:
    """Return the font size and class as attributes, without those that equal the default."""
    written = "" if size == TEXT_SIZE else f' font-size="{format_length(size)}"'
    return written if paint == "k" else f'{written} class="{paint}"'


def title_elements(title: str, description: str = "") -> str:
    """Return `<title>` and `<desc>` elements for screen readers and tooltips."""
    more = f"<desc>{escape_xml(description)}</desc>" if description and description != title else ""
    return f"<title>{escape_xml(title)}</title>{more}" if title else more
