"""The shared state of one drawing: its scene and style, the ids in use, and the signs it used."""

from collections.abc import Iterable

from domain.kernel.scene import Piece, Scene, State, Track
from projections.drawing.layout import Places, describe_piece, group_marks, pieces_by_place
from projections.drawing.markup import clean, escape_xml, identifier, title_elements
from projections.drawing.pen import Pen
from projections.drawing.style import Style
from projections.drawing.words import icon_words, state_words


class Canvas(Pen):
    """One drawing in progress."""

    def __init__(self, scene: Scene, style: Style) -> None:
        super().__init__(style, icon_words(scene))
        self.scene = scene
        self.pieces_by_place: Places = pieces_by_place(scene)
        self.pieces = {piece.id: piece for piece in scene.pieces}
        self.tracks = _by_piece(scene.tracks)
        self.marks, self.piece_marks = group_marks(scene)
        self.state_words = state_words(scene)
        self.used_kinds: set[str] = set()
        self.used_glyphs: set[str] = set()
        self.used_states: set[State] = set()
        self.hides_abilities = False
        """Whether the cards of pieces are drawn without their abilities."""
        self._ids: set[str] = set()

    def group(self, kind: str, raw: str, *parts: str) -> str:
        """Return an SVG group for one part of the scene, on a line of its own.

        The group's id is unique, such as `piece-w1`. The unescaped id stands in `data-piece`.
        """
        found = base = f"{kind}-{identifier(raw)}"
        number_of = 1
        while found in self._ids:
            number_of += 1
            found = f"{base}-{number_of}"
        self._ids.add(found)
        return f'\n<g id="{found}" data-{kind}="{escape_xml(raw)}">{"".join(parts)}</g>'

    def state(self, state: State) -> str:
        """Return the icon name of a state, and list the state in the legend."""
        self.used_states.add(state)
        return f"state-{state}"

    def piece_title(self, piece: Piece) -> str:
        """Return the title and description elements of a piece."""
        name = clean(piece.name or piece.glyph)
        return title_elements(name, clean(piece.description or describe_piece(piece)))


def _by_piece(tracks: Iterable[Track]) -> dict[str, list[Track]]:
    found: dict[str, list[Track]] = {}
    for track in tracks:
        if track.piece:
            found.setdefault(track.piece, []).append(track)
    return found
