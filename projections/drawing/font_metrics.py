"""Text width in unknown fonts: generous estimates, truncating and wrapping.

Texts may contain icons in braces, such as `{life}`, with a width of `ICON_WIDTH` ems.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

_ICON_NAME: Final = re.compile(r"\{([a-z0-9][a-z0-9 _-]*)\}")
_NUMBER_BEFORE_ICON: Final = re.compile(r"([0-9+]) \{")
"""A number and the icon of what it counts, which stay on one line."""
ICON_WIDTH: Final = 1.25
"""The width of an icon, in ems."""
_LETTER_WIDTHS: Final = (
    ("ijl.,:;'|!`", 0.27),
    (" \u00a0", 0.27),
    ('ftrI()[]{}-/\\*"°', 0.37),
    ("sczxkvyJ", 0.52),
    ("0123456789abdeghnopqu+=~<>", 0.575),
    ("mw", 0.86),
    ("MWQO@%&…—", 0.94),
    ("ABCDEFGHKLNPRSTUVXYZ", 0.68),
)
_BOLD_FACTOR: Final = 1.07
_UNLISTED_WIDTH: Final = 0.61
_FULL_WIDTH: Final = 1.0
"""The width of characters beyond Latin, Greek and Cyrillic, in ems."""


class _Advances(dict[str, float]):
    """Letter widths in ems, with defaults for letters that are not listed."""

    def __missing__(self, letter: str) -> float:
        return _UNLISTED_WIDTH if letter < "\u0590" else _FULL_WIDTH


_LETTER_ADVANCES: Final = _Advances(
    {letter: width for letters, width in _LETTER_WIDTHS for letter in letters}
)


@lru_cache(maxsize=16384)
def ems(text: str, *, bold: bool = False) -> float:
    """Return the width of a text, in ems."""
    width = sum(map(_LETTER_ADVANCES.__getitem__, text))
    return width * _BOLD_FACTOR if bold else width


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text without icons at a font size."""
    return ems(text, bold=bold) * size


def truncate(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return as much of the text as fits, with an ellipsis if it is shortened."""
    if width(text, size, bold=bold) <= room:
        return text
    left = room / size - ems("…", bold=bold)
    for number, letter in enumerate(text):
        left -= ems(letter, bold=bold)
        if left < 0:
            return f"{text[:number].rstrip()}…"
    return text


class Run(Struct, frozen=True):
    """A part of a line: words, or one icon."""

    words: str
    icon: bool
    at: float
    """Offset from the start of the line, in ems."""
    width: float


Line = tuple[Run, ...]
_Part = tuple[str, bool, float]
"""Words or an icon name, whether it is an icon, and the width in ems."""


def split_icons(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words and icon names of a text; the flag is True for icons."""
    for number, part in enumerate(_ICON_NAME.split(text)):
        if part:
            yield part, number % 2 == 1


def icons_in(text: str) -> list[str]:
    """Return the names of all icons in a text."""
    return _ICON_NAME.findall(text) if "{" in text else []


def wrap_text(text: str, room: float, *, bold: bool = False, limit: int = 0) -> list[Line]:
    """Return the text in lines no wider than `room`, in ems.

    If `limit` is positive, it is the greatest number of lines; the rest is cut.
    """
    if "{" not in text and (whole := ems(text, bold=bold)) <= room:
        words = text.strip(" ")
        return [(Run(words, False, 0.0, whole),)] if words else []
    lines: list[Line] = []
    line: list[_Part] = []
    used = 0.0
    for word in _words(text, room, bold=bold):
        wide = sum(each[2] for each in word)
        gap = _LETTER_ADVANCES[" "] if line else 0.0
        if line and used + gap + wide > room:
            lines.append(_merge_runs(line))
            line, used, gap = [], 0.0, 0.0
        if gap:
            line.append((" ", False, gap))
        line.extend(word)
        used += gap + wide
    if line:
        lines.append(_merge_runs(line))
    if limit and len(lines) > limit:
        lines = [*lines[: limit - 1], _truncate_line(lines[limit - 1], room, bold=bold)]
    return lines


def _words(text: str, room: float, *, bold: bool) -> Iterator[list[_Part]]:
    """Yield the words, each with its adjacent icons; words wider than a line are split."""
    word: list[_Part] = []
    used = 0.0
    for part in _parts(text, room, bold=bold):
        if part is None or (word and used + part[2] > room):
            if word:
                yield word
            word, used = [], 0.0
        if part is not None:
            word.append(part)
            used += part[2]
    if word:
        yield word


def _parts(text: str, room: float, *, bold: bool) -> Iterator[_Part | None]:
    """Yield icons and letter groups no wider than a line, and None between words."""
    for part, icon in split_icons(_NUMBER_BEFORE_ICON.sub("\\1\u00a0{", text)):
        if icon:
            yield part, True, ICON_WIDTH
            continue
        for number, word in enumerate(part.split(" ")):
            if number:
                yield None
            chunk = word
            while chunk and ems(chunk, bold=bold) > room:
                limit = max(_fitting_length(chunk, room, bold=bold), 1)
                yield chunk[:limit], False, ems(chunk[:limit], bold=bold)
                chunk = chunk[limit:]
            if chunk:
                yield chunk, False, ems(chunk, bold=bold)


def _fitting_length(text: str, room: float, *, bold: bool) -> int:
    for number, letter in enumerate(text):
        room -= ems(letter, bold=bold)
        if room < 0:
            return number
    return len(text)


def _merge_runs(parts: list[_Part]) -> Line:
    """Return the parts as runs; adjacent words become one run."""
    runs: list[Run] = []
    at = 0.0
    for words, icon, wide in parts:
        last = runs[-1] if runs else None
        if last is not None and not icon and not last.icon:
            runs[-1] = Run(last.words + words, False, last.at, last.width + wide)
        else:
            runs.append(Run(words, icon, at, wide))
        at += wide
    return tuple(runs)


def _truncate_line(line: Line, room: float, *, bold: bool) -> Line:
    """Return the line with an ellipsis at its end."""
    dots = ems("…", bold=bold)
    runs = list(line)
    while len(runs) > 1 and runs[-1].at + runs[-1].width + dots > room:
        runs.pop()
    last = runs[-1]
    if last.icon:
        return (*runs, Run("…", False, last.at + last.width, dots))
    words = last.words[: _fitting_length(last.words, room - last.at - dots, bold=bold)].rstrip()
    return (*runs[:-1], Run(f"{words}…", False, last.at, ems(words, bold=bold) + dots))
