"""Lists below a text board: tracks by owner, zones, and the legend."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import TextWrapper
from typing import Final

from domain.kernel.scene import MarkKind, Piece, Scene, Track, Zone
from projections.drawing.font_metrics import split_icons as parts_of
from projections.drawing.layout import (
    count_duplicates,
    describe_piece,
    format_track,
    group_marks,
    pieces_by_place,
    seat_name,
    space_text,
    track_label,
    zone_pieces,
)
from projections.drawing.markup import clean
from projections.drawing.words import EMPTY, MARK_MEANINGS, icon_words, points, state_words

_MARK_CHARACTERS: Final[dict[MarkKind, str]] = {
    "last": "*=^",
    "legal": "+&:",
    "danger": "!¡%",
    "reachable": "~_;",
}
"""Characters behind marked things, in order of preference; the first that no glyph uses is
taken."""
_MAX_LEGEND_COLUMNS: Final = 5
"""The greatest number of columns in the legend."""
_MIN_LONG_ENTRY: Final = 34
"""Characters beyond which each entry of a zone gets a line of its own."""


def wrap(text: str, width: int, first: str = "", more: str = "") -> list[str]:
    """Wrap a text into lines; `first` indents the first line, `more` the others."""
    wrapper = TextWrapper(
        width, initial_indent=first, subsequent_indent=more, break_on_hyphens=False
    )
    return wrapper.wrap(text)


class TextSymbols:
    """The characters and words for the marks, icons and states of one scene."""

    def __init__(self, scene: Scene) -> None:
        self.icons = icon_words(scene)
        self.states = state_words(scene)
        self.used_symbols: dict[str, str] = {}
        """Meanings of the mark characters used so far."""
        self._spaces, self._pieces = group_marks(scene)
        taken = {letter for piece in scene.pieces for letter in piece.glyph} if scene.marks else ()
        self._characters: dict[MarkKind, str] = {
            kind: next((each for each in several if each not in taken), several[0])
            for kind, several in _MARK_CHARACTERS.items()
        }

    def piece_with_marks(self, piece: Piece) -> str:
        """Return the glyph of a piece with its marks."""
        before, after = self._around(self._pieces.get(piece.id, ()))
        return f"{before}{clean(piece.glyph)}{after}"

    @property
    def trailing(self) -> frozenset[str]:
        """Return the used characters that follow what they mark."""
        return frozenset(self.used_symbols) - {"[ ]"}

    def marks_around_space(self, space: str, pieces: Iterable[Piece] = ()) -> tuple[str, str]:
        """Return the mark text before and after the content of a space.

        Marks that one of `pieces` on this space has already are left out.
        """
        said = {kind for piece in pieces for kind in self._pieces.get(piece.id, ())}
        return self._around([kind for kind in self._spaces.get(space, ()) if kind not in said])

    def _around(self, kinds: Sequence[MarkKind]) -> tuple[str, str]:
        if not kinds:
            return "", ""
        before = after = ""
        for kind in dict.fromkeys(kinds):
            if kind == "selected":
                before, after = "[", f"{after}]"
                self.used_symbols["[ ]"] = MARK_MEANINGS[kind]
            else:
                after += self._characters[kind]
                self.used_symbols[self._characters[kind]] = MARK_MEANINGS[kind]
        return before, after

    def spell_icons(self, text: str) -> str:
        """Return the text with icons written as words."""
        if "{" not in text:
            return clean(text)
        return clean(
            "".join(self.icons.get(part, part) if icon else part for part, icon in parts_of(text))
        )

    def short_description(self, piece: Piece) -> str:
        """Return a short description of a piece: its name, states, badges and points."""
        if not (piece.card or piece.states or piece.badges or piece.description):
            before, after = self._around(self._pieces.get(piece.id, ()))
            return f"{before}{clean(describe_piece(piece))}{after}"
        extra = [self.states[state] for state in piece.states if state != "hidden"]
        extra += [self.spell_icons(badge) for badge in piece.badges]
        if piece.card is not None and piece.card.points is not None:
            extra.append(points(piece.card.points))
        name = clean(piece.name or piece.glyph)
        before, after = self._around(self._pieces.get(piece.id, ()))
        return f"{before}{name}{after}" + (f" ({', '.join(extra)})" if extra else "")


# --- tracks --------------------------------------------------------------------------------------


def track_lines(scene: Scene, symbols: TextSymbols, width: int) -> list[str]:
    """Return a line for each owner, such as "South: 3 death, 2 life", then the tracks of pieces."""
    by_owner: dict[str, list[Track]] = {}
    for track in scene.tracks:
        if not track.piece:
            by_owner.setdefault(track.owner, []).append(track)
    lines: list[str] = []
    for owner, tracks in by_owner.items():
        figures = [_track_text(track) for track in tracks]
        whose = f"{seat_name(clean(owner))}: " if owner else ""
        lines += wrap(whose + ", ".join(figures), width, more="  ")
    return lines + _piece_track_lines(scene, symbols, width)


def _track_text(track: Track) -> str:
    """Return the value of a track, such as "3 death" or "Victory Points 3 of 20"."""
    words = clean(track_label(track))
    if track.owner and track.most is None:
        return f"{track.value} {words}"
    return f"{words} {format_track(track)}"


def _piece_track_lines(scene: Scene, symbols: TextSymbols, width: int) -> list[str]:
    """Return lines for pieces with tracks, such as "s1 Sand Lion: 31 of 40", by owner."""
    figures: dict[str, list[str]] = {}
    for track in scene.tracks:
        if track.piece:
            figures.setdefault(track.piece, []).append(
                f"{symbols.spell_icons(track.label)} {format_track(track)}".strip()
            )
    by_owner: dict[str, list[str]] = {}
    for piece in scene.pieces:
        if piece.id in figures:
            states = "".join(f", {symbols.states[state]}" for state in piece.states)
            name = clean(piece.name or piece.glyph)
            glyph = clean(piece.glyph)
            words = name if glyph in name.split() else f"{glyph} {name}"
            text = f"{words}: {', '.join(figures[piece.id])}{states}"
            by_owner.setdefault(piece.owner, []).append(text)
    lines: list[str] = []
    for several in by_owner.values():
        for words in several:
            lines += wrap(words, width, "  ", "    ")
    return lines


# --- zones ---------------------------------------------------------------------------------------


def zone_lines(scene: Scene, symbols: TextSymbols, width: int) -> list[str]:
    """Return lines for each zone and its content; long entries get lines of their own."""
    by_place = pieces_by_place(scene)
    return [
        line
        for zone in scene.zones
        if zone.arrangement != "board"
        for line in _lines_of_zone(zone, zone_pieces(zone, by_place), symbols, width)
    ]


def _lines_of_zone(
    zone: Zone, pieces: list[Piece], symbols: TextSymbols, width: int
) -> Iterator[str]:
    before, after = symbols.marks_around_space(zone.id)
    name = f"{before}{clean(zone.name)}{after}"
    things = count_duplicates(symbols.short_description(piece) for piece in pieces) or [EMPTY]
    if max(map(len, things)) <= _MIN_LONG_ENTRY or (
        len(things) == 1 and len(name) + len(things[0]) < width
    ):
        yield from _joined_lines(f"{name}: ", things, width)
        return
    yield from wrap(f"{name}:", width, more="  ")
    for thing in things:
        yield from wrap(thing, width, "  ", "      ")


def _joined_lines(head: str, things: Iterable[str], width: int) -> list[str]:
    """Return a comma-separated list in lines, breaking no entry that fits into a line."""
    lines = wrap(head, width, more="  ")
    line = f"{lines.pop()} " if lines else ""
    first = True
    for thing in things:
        comma = "" if first else ", "
        if not first and len(line) + len(thing) + 3 > width:
            lines.append(f"{line},")
            line, comma = "    ", ""
        line += comma + thing
        first = False
    return [part for each in (*lines, line) for part in wrap(each, width, more="    ") or [""]]


# --- the legend ----------------------------------------------------------------------------------


def legend_lines(scene: Scene, symbols: TextSymbols, width: int) -> list[str]:
    """Return the legend in columns: the characters on the board and the marks."""
    entries = list(dict.fromkeys(_legend_entries(scene, symbols)))
    for across in range(min(len(entries), _MAX_LEGEND_COLUMNS), 0, -1):
        down = -(-len(entries) // across)
        columns = [entries[at : at + down] for at in range(0, len(entries), down)]
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) + 3 * (len(columns) - 1) <= width:
            rows = zip_longest(*columns, fillvalue="")
            return ["   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return [line for entry in entries for line in wrap(entry, width, more="    ")]


def _legend_entries(scene: Scene, symbols: TextSymbols) -> Iterator[str]:
    """Yield legend entries: glyphs and letters on the board, then marks."""
    ids = {space.id for space in scene.spaces}
    shown = {piece.glyph for piece in scene.pieces if piece.where in ids}
    for sign in scene.legend:
        if sign.kind == "glyph" and any(sign.sign in glyph for glyph in shown):
            yield f"{clean(sign.sign)} {clean(sign.meaning)}"
    meanings = {sign.sign: sign.meaning for sign in scene.legend if sign.kind == "space"}
    for letters, kind in _space_letters(scene).items():
        yield f"{clean(letters)} {clean(meanings.get(kind, kind))}"
    for character, meaning in symbols.used_symbols.items():
        yield f"{character} {meaning}"


def _space_letters(scene: Scene) -> dict[str, str]:
    """Return the labels that stand for exactly one kind of space, with that kind."""
    pairs = {(space_text(space), space.kind) for space in scene.spaces if space.kind}
    letters, kinds = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    return {
        word: kind for word, kind in sorted(pairs) if word and letters[word] == kinds[kind] == 1
    }
