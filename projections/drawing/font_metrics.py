"""How wide text is in fonts that are not known: estimates on the wide side, cutting, wrapping.

Texts may have icons in braces, `{life}`, which take about the room of a letter and a half.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

_ICON_NAME: Final = re.compile(r"\{([a-z0-9][a-z0-9 _-]*)\}")
_NUMBER_BEFORE_ICON: Final = re.compile(r"([0-9+]) \{")
"""A figure and the icon of what it counts stay on one line."""
ICON_WIDTH: Final = 1.25
"""The room an icon takes, in ems."""
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
"""Beyond Latin, Greek and Cyrillic: as wide as high."""


class _Advances(dict[str, float]):
    """Widths of letters, in ems, with one for those that are not listed."""

    def __missing__(self, letter: str) -> float:
        return _UNLISTED_WIDTH if letter < "\u0590" else _FULL_WIDTH


_LETTER_ADVANCES: Final = _Advances(
    {letter: width for letters, width in _LETTER_WIDTHS for letter in letters}
)


@lru_cache(maxsize=16384)
def ems(text: str, *, bold: bool = False) -> float:
    """The width of a text, in ems."""
    width = sum(map(_LETTER_ADVANCES.__getitem__, text))
    return width * _BOLD_FACTOR if bold else width


def width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text without icons, at this size of letters."""
    return ems(text, bold=bold) * size


def truncate(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """As much of the text as there is room for, with an ellipsis if it is not all."""
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
    """From the start of the line, in ems."""
    width: float


Line = tuple[Run, ...]
_Part = tuple[str, bool, float]
"""Words or the name of an icon, which of both, and the width."""


def split_icons(text: str) -> Iterator[tuple[str, bool]]:
    """The text taken apart: words and names of icons, the latter with True."""
    for number, part in enumerate(_ICON_NAME.split(text)):
        if part:
            yield part, number % 2 == 1


def icons_in(text: str) -> list[str]:
    """The names of all icons in a text."""
    return _ICON_NAME.findall(text) if "{" in text else []


def wrap_text(text: str, room: float, *, bold: bool = False, most: int = 0) -> list[Line]:
    """The text in lines, as wide as there is room for, in ems; of more than `most` lines the rest
    is cut."""
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
    if most and len(lines) > most:
        lines = [*lines[: most - 1], _truncate_line(lines[most - 1], room, bold=bold)]
    return lines


def _words(text: str, room: float, *, bold: bool) -> Iterator[list[_Part]]:
    """The words, each with the icons that stick to it; one that is wider than a line in parts."""
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
    """Icons, and letters that belong together, none wider than a line; None between words."""
    for part, icon in split_icons(_NUMBER_BEFORE_ICON.sub("\\1\u00a0{", text)):
        if icon:
            yield part, True, ICON_WIDTH
            continue
        for number, word in enumerate(part.split(" ")):
            if number:
                yield None
            chunk = word
            while chunk and ems(chunk, bold=bold) > room:
                most = max(_fitting_length(chunk, room, bold=bold), 1)
                yield chunk[:most], False, ems(chunk[:most], bold=bold)
                chunk = chunk[most:]
            if chunk:
                yield chunk, False, ems(chunk, bold=bold)


def _fitting_length(text: str, room: float, *, bold: bool) -> int:
    for number, letter in enumerate(text):
        room -= ems(letter, bold=bold)
        if room < 0:
            return number
    return len(text)


def _merge_runs(parts: list[_Part]) -> Line:
    """Parts as runs: words that follow each other become one."""
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
    """The line with an ellipsis at its end."""
    dots = ems("…", bold=bold)
    runs = list(line)
    while len(runs) > 1 and runs[-1].at + runs[-1].width + dots > room:
        runs.pop()
    last = runs[-1]
    if last.icon:
        return (*runs, Run("…", False, last.at + last.width, dots))
    words = last.words[: _fitting_length(last.words, room - last.at - dots, bold=bold)].rstrip()
    return (*runs[:-1], Run(f"{words}…", False, last.at, ems(words, bold=bold) + dots))
