"""One space of a scene as text, with everything on it told in words."""

from collections.abc import Iterator

from domain.kernel.scene import Scene, Space
from projections.drawing.layout import contents, described, pieces_by_place, reading


def draw(scene: Scene) -> str:
    r"""The spaces of a scene that has few of them, what stands on each with all of its cards and
    tracks, then the caption; lines end in \n."""
    lines = [line for space in scene.spaces for line in _space(scene, space)]
    return "".join(f"{line}\n" for line in (*lines, "", scene.caption))


def _space(scene: Scene, space: Space) -> Iterator[str]:
    particulars = [f"{name.replace('_', ' ')} {value}" for name, value in space.attributes.items()]
    yield f"{space.id}: {', '.join(filter(None, (space.kind, *particulars))) or 'nothing special'}"
    lying = pieces_by_place(scene)
    if space.id not in lying:
        yield "  nobody and nothing is here"
    for piece in lying.get(space.id, ()):
        yield f"  {piece.glyph}  {described(piece)}"
        for track in scene.tracks:
            if track.piece == piece.id:
                yield f"      {track.name}  {reading(track)}"
        for zone in scene.zones:
            if zone.piece == piece.id:
                yield f"      {zone.name}"
                yield from (f"        {words}" for words in contents(lying.get(zone.id, ())))
