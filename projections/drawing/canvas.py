"""What all parts of one drawing share: its scene and look, the ids that are taken, what it used."""

from collections.abc import Iterable

from domain.kernel.scene import Mark, MarkKind, Piece, Scene, State, Track
from projections.drawing.layout import Places, described, pieces_by_place
from projections.drawing.look import Look
from projections.drawing.markup import clean, escaped, identifier, number, told
from projections.drawing.text_metrics import Line, ems, pieces, wrapped
from projections.drawing.words import icon_words, state_words


class Canvas:
    """One drawing while it is made."""

    def __init__(self, scene: Scene, look: Look) -> None:
        self.scene = scene
        self.look = look
        self.lying: Places = pieces_by_place(scene)
        self.pieces = {piece.id: piece for piece in scene.pieces}
        self.tracks = _by_piece(scene.tracks)
        self.marks = _by_target(scene.marks)
        self.icon_words = icon_words(scene)
        self.state_words = state_words(scene)
        self.used_icons: set[str] = set()
        self.used_kinds: set[str] = set()
        self.used_states: set[State] = set()
        self._ids: set[str] = set()

    def id(self, kind: str, raw: str) -> str:
        """An id for an element, as `piece-w1`, with the raw id beside it as `data-piece`."""
        found = base = f"{kind}-{identifier(raw)}"
        number_of = 1
        while found in self._ids:
            number_of += 1
            found = f"{base}-{number_of}"
        self._ids.add(found)
        return f'id="{found}" data-{kind}="{escaped(raw)}"'

    def icon(self, name: str, x: float, y: float, side: float, paint: str) -> str:
        """An icon with its upper left corner here, in a class."""
        self.used_icons.add(name)
        return (
            f'<use href="#{self.look.symbol(name)}" x="{number(x)}" y="{number(y)}"'
            f' width="{number(side)}" height="{number(side)}" class="{paint}"/>'
        )

    def state(self, state: State) -> str:
        """The name of the icon of a state, which the legend then explains."""
        self.used_states.add(state)
        return f"state-{state}"

    def rich(
        self,
        line: Line,
        x: float,
        y: float,
        size: float,
        paint: str = "k",
        *,
        bold: bool = False,
        room: float = 0,
    ) -> str:
        """A line of words and icons, its words on the line y. Where it is nearly as wide as there
        is room, or an icon follows, the words keep to their width whatever the font."""
        parts = []
        for number_of, run in enumerate(line):
            at = x + run.at * size
            if run.icon and self.look.knows(run.words):
                side = size * 1.15
                ink = self.look.ink(run.words, paint)
                parts.append(self.icon(run.words, at + size * 0.05, y - size * 0.93, side, ink))
                continue
            words = self.icon_words.get(run.words, run.words) if run.icon else run.words
            if not words.strip():
                continue
            weight = ' font-weight="700"' if bold else ""
            wide = run.width * size
            if words.startswith(" "):  # which is not drawn at the start of an element
                gap = min(ems(" ", bold=bold) * size, wide)
                at, wide, words = at + gap, wide - gap, words[1:]
            full = room and run.at * size + wide > 0.85 * room
            if run.icon or full or (number_of + 1 < len(line) and len(words) > 3):
                weight += f' textLength="{number(wide)}"'
            parts.append(
                f'<text x="{number(at)}" y="{number(y)}" font-size="{number(size)}"'
                f' class="{paint}"{weight}>{escaped(words)}</text>'
            )
        return "".join(parts)

    def lines(
        self, text: str, room: float, size: float, *, bold: bool = False, most: int = 0
    ) -> list[Line]:
        """A text in lines, icons that nobody drew written out."""
        return wrapped(self.spelt(text), room / size, bold=bold, most=most)

    def spelt(self, text: str) -> str:
        """A text in which icons that there are stay, and others are words."""
        return spelt(clean(text), self.look, self.icon_words)

    def told(self, piece: Piece) -> str:
        """The title and description of a piece."""
        name = clean(piece.name or piece.glyph)
        return told(name, clean(piece.description or described(piece)))


def spelt(text: str, look: Look, words: dict[str, str]) -> str:
    """A text with the names of icons that nobody drew as words, without braces."""
    if "{" not in text:
        return text
    return "".join(
        part if not icon else f"{{{part}}}" if look.knows(part) else words.get(part, part)
        for part, icon in pieces(text)
    )


def _by_piece(tracks: Iterable[Track]) -> dict[str, list[Track]]:
    found: dict[str, list[Track]] = {}
    for track in tracks:
        if track.piece:
            found.setdefault(track.piece, []).append(track)
    return found


def _by_target(marks: Iterable[Mark]) -> dict[str, list[MarkKind]]:
    """The kinds of marks by space, and by piece under `piece:` and its id."""
    found: dict[str, list[MarkKind]] = {}
    for mark in marks:
        for key in (mark.space, f"piece:{mark.piece}" if mark.piece else ""):
            if key and mark.kind not in found.setdefault(key, []):
                found[key].append(mark.kind)
    return found
