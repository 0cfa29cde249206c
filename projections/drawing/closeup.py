"""One space, piece or zone of a scene as text, with all its details in words."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.kernel.scene import CardFace, Piece, Scene, Space, Zone, space_detail
from projections.drawing.layout import format_track, pieces_by_place
from projections.drawing.markup import clean
from projections.drawing.text.lists import TextSymbols, wrap
from projections.drawing.words import COSTS, EMPTY, NOTHING_HERE, NOTHING_SPECIAL, points

WIDTH: Final = 100


def draw(scene: Scene, width: int = WIDTH) -> str:
    """Draw a scene of few spaces with all pieces, cards and tracks in full.

    Zones without a piece, pieces outside the board and the caption follow. Each line ends with a
    newline.
    """
    symbols = TextSymbols(scene)
    by_place = pieces_by_place(scene)
    shown = {space.id for space in scene.spaces}
    lines = [line for space in scene.spaces for line in _space_lines(scene, space, symbols, width)]
    cards = {zone.id for zone in scene.zones if zone.piece}
    for zone in scene.zones:
        if not zone.piece or not any(zone.piece == piece.id for piece in scene.pieces):
            lines += _zone_lines(scene, zone, by_place.get(zone.id, []), symbols, width)
        shown.add(zone.id)
    loose = [p for p in scene.pieces if p.where not in shown and p.where not in cards]
    lines += [line for piece in loose for line in _piece_lines(scene, piece, symbols, "", width)]
    return "".join(
        f"{line}\n" for line in (*lines, "", *(wrap(clean(scene.caption), width) or [""]))
    )


def select_part(scene: Scene, what: str) -> Scene | None:
    """Return the part of a scene that shows one space, zone or piece.

    Args:
        scene: The whole scene.
        what: The id of a space, zone or piece, or the name or glyph of pieces. Case is ignored
            in names.

    Returns:
        The part as a scene, or None if nothing has this name.
    """
    found = space_detail(scene, what)
    if found is not None:
        return found
    if any(zone.id == what for zone in scene.zones):
        return _part(scene, [piece for piece in scene.pieces if piece.where == what], {what})
    wanted = what.casefold()
    for names in (_id, _glyph, _name):
        if pieces := [piece for piece in scene.pieces if wanted == names(piece).casefold()]:
            return _part(scene, pieces, {piece.where for piece in pieces})
    return None


def part_names(scene: Scene) -> list[str]:
    """Return the names for `select_part`: spaces, or pieces if there are no spaces."""
    if scene.spaces:
        return [space.id for space in scene.spaces]
    return list(
        dict.fromkeys(_name(piece) for piece in scene.pieces if "hidden" not in piece.states)
    )


def _id(piece: Piece) -> str:
    return piece.id


def _glyph(piece: Piece) -> str:
    return piece.glyph


def _name(piece: Piece) -> str:
    return piece.card.title if piece.card else piece.name


def _part(scene: Scene, pieces: list[Piece], places: set[str]) -> Scene:
    """Return a scene of these pieces with their cards, in the places where they are."""
    named = {piece.id for piece in pieces}
    zones = tuple(zone for zone in scene.zones if zone.id in places or zone.piece in named)
    cards = {zone.id for zone in zones if zone.piece in named}
    shown = (*pieces, *(each for each in scene.pieces if each.where in cards))
    ids = {piece.id for piece in shown}
    return replace(
        scene,
        spaces=tuple(space for space in scene.spaces if space.id in places),
        pieces=shown,
        zones=zones,
        tracks=tuple(track for track in scene.tracks if track.piece in ids),
        marks=tuple(mark for mark in scene.marks if mark.piece in ids),
    )


def _space_lines(scene: Scene, space: Space, symbols: TextSymbols, width: int) -> Iterator[str]:
    particulars = [f"{name.replace('_', ' ')} {value}" for name, value in space.attributes.items()]
    known = space.description or ", ".join(filter(None, (space.kind, *particulars)))
    description = clean(known or NOTHING_SPECIAL)
    yield from wrap(
        description if description.startswith(space.id) else f"{space.id}: {description}",
        width,
        more="  ",
    )
    if space.badges:
        yield from wrap(", ".join(map(symbols.spell_icons, space.badges)), width, "  ", "  ")
    by_place = pieces_by_place(scene)
    if space.id not in by_place:
        yield f"  {NOTHING_HERE}"
    for piece in by_place.get(space.id, ()):
        yield from _piece_lines(scene, piece, symbols, "  ", width)


def _zone_lines(
    scene: Scene, zone: Zone, pieces: list[Piece], symbols: TextSymbols, width: int
) -> Iterator[str]:
    yield from wrap(f"{clean(zone.name)}:", width, more="  ")
    if not pieces:
        yield f"  {EMPTY}"
    for piece in pieces:
        yield from _piece_lines(scene, piece, symbols, "  ", width)


def _piece_lines(
    scene: Scene, piece: Piece, symbols: TextSymbols, indent: str, width: int
) -> Iterator[str]:
    """Return the lines of a piece: its face, its tracks and its cards, each indented."""
    inner = f"{indent}    "
    same = piece.card is not None or piece.name in ("", piece.glyph)
    glyph = "" if same else f"{clean(piece.glyph)}  "
    yield from wrap(f"{glyph}{_piece_summary(piece, symbols)}", width, indent, inner)
    if piece.card is not None:
        yield from face_lines(piece.card, symbols, inner, width)
    for track in scene.tracks:
        if track.piece == piece.id:
            yield from wrap(
                f"{clean(track.label or track.name)}  {format_track(track)}", width, inner
            )
    for zone in scene.zones:
        if zone.piece == piece.id:
            yield from wrap(clean(zone.name), width, inner, inner)
            for card in scene.pieces:
                if card.where == zone.id:
                    yield from _piece_lines(scene, card, symbols, f"{inner}  ", width)


def _piece_summary(piece: Piece, symbols: TextSymbols) -> str:
    """Return one line about a piece: its name with states and badges, or its description."""
    name = clean(piece.name or piece.glyph)
    if piece.description and not piece.card:
        return symbols.spell_icons(piece.description)
    extra = [symbols.states[state] for state in piece.states]
    extra += [symbols.spell_icons(badge) for badge in piece.badges]
    if not piece.card:
        extra += [f"{key} {value}".strip() for key, value in piece.attributes.items()]
    return clean(f"{name} ({', '.join(extra)})") if extra else name


def face_lines(face: CardFace, symbols: TextSymbols, indent: str, width: int) -> Iterator[str]:
    """Return the lines of a card face: kind, cost and points, then figures, then each ability."""
    cost = COSTS.format(cost=symbols.spell_icons(face.cost)) if face.cost else ""
    worth = points(face.points) if face.points is not None else ""
    head = ", ".join(filter(None, (symbols.spell_icons(face.kind), cost, worth)))
    if head:
        yield from wrap(head, width, indent, f"{indent}  ")
    if face.stats:
        stats = ", ".join(f"{stat.name} {stat.value}" for stat in face.stats)
        yield from wrap(symbols.spell_icons(stats), width, indent, f"{indent}  ")
    for line in face.lines:
        yield from wrap(symbols.spell_icons(line), width, f"{indent}- ", f"{indent}  ")
