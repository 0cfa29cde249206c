"""One space, one piece or one zone of a scene as text, with everything about it told in words."""

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
    r"""The spaces of a scene that has few of them, what stands on each with all of its cards and
    tracks, what lies elsewhere, then the caption; lines end in \n."""
    signs = TextSymbols(scene)
    lying = pieces_by_place(scene)
    shown = {space.id for space in scene.spaces}
    lines = [line for space in scene.spaces for line in _space_lines(scene, space, signs, width)]
    cards = {zone.id for zone in scene.zones if zone.piece}
    for zone in scene.zones:
        if not zone.piece or not any(zone.piece == piece.id for piece in scene.pieces):
            lines += _zone_lines(scene, zone, lying.get(zone.id, []), signs, width)
        shown.add(zone.id)
    loose = [p for p in scene.pieces if p.where not in shown and p.where not in cards]
    lines += [line for piece in loose for line in _piece_lines(scene, piece, signs, "", width)]
    return "".join(
        f"{line}\n" for line in (*lines, "", *(wrap(clean(scene.caption), width) or [""]))
    )


def select_part(scene: Scene, what: str) -> Scene | None:
    """What there is to see of one space, zone or piece, by its id, or by a piece's name or glyph;
    None if there is nothing that is called so."""
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
    """What can be picked: the spaces, or what lies about where there are none."""
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
    return piece.face.title if piece.face else piece.name


def _part(scene: Scene, pieces: list[Piece], places: set[str]) -> Scene:
    """These pieces with their cards, in the places where they are."""
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


def _space_lines(scene: Scene, space: Space, signs: TextSymbols, width: int) -> Iterator[str]:
    particulars = [f"{name.replace('_', ' ')} {value}" for name, value in space.attributes.items()]
    known = space.description or ", ".join(filter(None, (space.kind, *particulars)))
    told = clean(known or NOTHING_SPECIAL)
    yield from wrap(told if told.startswith(space.id) else f"{space.id}: {told}", width, more="  ")
    if space.badges:
        yield from wrap(", ".join(map(signs.spelt, space.badges)), width, "  ", "  ")
    lying = pieces_by_place(scene)
    if space.id not in lying:
        yield f"  {NOTHING_HERE}"
    for piece in lying.get(space.id, ()):
        yield from _piece_lines(scene, piece, signs, "  ", width)


def _zone_lines(
    scene: Scene, zone: Zone, pieces: list[Piece], signs: TextSymbols, width: int
) -> Iterator[str]:
    yield from wrap(f"{clean(zone.name)}:", width, more="  ")
    if not pieces:
        yield f"  {EMPTY}"
    for piece in pieces:
        yield from _piece_lines(scene, piece, signs, "  ", width)


def _piece_lines(
    scene: Scene, piece: Piece, signs: TextSymbols, indent: str, width: int
) -> Iterator[str]:
    """A piece with its face, its tracks and its cards, each further in."""
    inner = f"{indent}    "
    same = piece.face is not None or piece.name in ("", piece.glyph)
    glyph = "" if same else f"{clean(piece.glyph)}  "
    yield from wrap(f"{glyph}{_piece_summary(piece, signs)}", width, indent, inner)
    if piece.face is not None:
        yield from face_lines(piece.face, signs, inner, width)
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
                    yield from _piece_lines(scene, card, signs, f"{inner}  ", width)


def _piece_summary(piece: Piece, signs: TextSymbols) -> str:
    """A piece in a line: its name with its states and counters, or all that is particular to it."""
    name = clean(piece.name or piece.glyph)
    if piece.description and not piece.face:
        return signs.spelt(piece.description)
    extra = [signs.states[state] for state in piece.states]
    extra += [signs.spelt(badge) for badge in piece.badges]
    if not piece.face:
        extra += [f"{key} {value}".strip() for key, value in piece.attributes.items()]
    return clean(f"{name} ({', '.join(extra)})") if extra else name


def face_lines(face: CardFace, signs: TextSymbols, indent: str, width: int) -> Iterator[str]:
    """A face as people read a card: kind, cost and worth, figures, and a line for each ability."""
    cost = COSTS.format(cost=signs.spelt(face.cost)) if face.cost else ""
    worth = points(face.points) if face.points is not None else ""
    head = ", ".join(filter(None, (signs.spelt(face.kind), cost, worth)))
    if head:
        yield from wrap(head, width, indent, f"{indent}  ")
    if face.stats:
        stats = ", ".join(f"{stat.name} {stat.value}" for stat in face.stats)
        yield from wrap(signs.spelt(stats), width, indent, f"{indent}  ")
    for line in face.lines:
        yield from wrap(signs.spelt(line), width, f"{indent}- ", f"{indent}  ")
