"""What a board senses, and how it differs from a position.

A board tells of each space that it watches which *signs* it reads there. A sign says as much of a
piece as the board can tell: `*` that there is one, `white` whose it is, `white/golem` what it is,
`nobody/white-die/die-3` which way up it lies, or the piece's id. Spaces that a board does not watch
are compared with nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.kernel.scene import Piece, Scene

Board = Mapping[str, tuple[str, ...]]
"""The signs on each space that a board watches: none where it sees nothing."""
Standing = Mapping[str, tuple[Piece, ...]]
"""The pieces on each space where one stands."""

PIECE: Final = "*"
"""The sign of a piece of which a board knows only that it is there."""
NOBODY: Final = "nobody"
"""Whose a piece is that is nobody's."""


class Step(Struct, frozen=True):
    """A piece that does not stand where it belongs."""

    sign: str
    """The piece, as surely as it is known."""
    name: str
    """What people call it."""
    stands: str
    """The space where it is; empty if it is nowhere."""
    belongs: str
    """Where it belongs; empty if it is to be taken off."""

    @property
    def sentence(self) -> str:
        """What differs.

        >>> Step("black/golem", "Black's golem", "f7", "f6").sentence
        "Black's golem stands on f7, not f6"
        """
        if not self.stands:
            return f"{self.name} is missing on {self.belongs}"
        if not self.belongs:
            return f"{self.name} does not belong on {self.stands}"
        return f"{self.name} stands on {self.stands}, not {self.belongs}"


def signs_of(piece: Piece) -> tuple[str, ...]:
    """All signs by which a board may know a piece, the most exact first.

    >>> signs_of(Piece("unit-a6", "golem", "G", "a6", owner="white"))
    ('unit-a6', 'white/golem', 'white', '*')
    """
    owner = piece.owner or NOBODY
    kind = f"{owner}/{piece.kind.lower().replace(' ', '-')}"
    lying = (f"{kind}/{piece.icon}",) if piece.icon else ()
    return (piece.id, *lying, kind, owner, PIECE)


def kind_of(piece: Piece) -> str:
    """The sign that says what a piece is and which way up it lies, but not which one it is."""
    return signs_of(piece)[1]


def standing_in(scene: Scene) -> dict[str, tuple[Piece, ...]]:
    """The pieces on the spaces of a scene."""
    found: dict[str, tuple[Piece, ...]] = {space.id: () for space in scene.spaces}
    for piece in scene.pieces:
        if piece.where in found:
            found[piece.where] = (*found[piece.where], piece)
    return {space: pieces for space, pieces in found.items() if pieces}


def differing(board: Board, standing: Standing) -> frozenset[str]:
    """The watched spaces on which something else stands."""
    return frozenset(
        space
        for space, signs in board.items()
        if (signs or space in standing) and any(_unmatched(signs, standing.get(space, ())))
    )


def changed(before: Standing, after: Standing) -> frozenset[str]:
    """The spaces on which something else stands afterwards."""
    return frozenset(
        space
        for space in {*before, *after}
        if sorted(map(kind_of, before.get(space, ()))) != sorted(map(kind_of, after.get(space, ())))
    )


def steps(board: Board, scene: Scene) -> tuple[Step, ...]:
    """What differs, piece by piece, in the order of the spaces: what is moved comes first."""
    standing = standing_in(scene)
    strange: list[tuple[str, str]] = []
    missing: list[tuple[str, Piece]] = []
    for space in sorted(differing(board, standing)):
        signs, pieces = _unmatched(board[space], standing.get(space, ()))
        strange += [(space, sign) for sign in signs]
        missing += [(space, piece) for piece in pieces]
    return (*_moved(strange, missing), *_left(strange, missing, scene))


def _moved(strange: list[tuple[str, str]], missing: list[tuple[str, Piece]]) -> Iterator[Step]:
    """Pieces that are missing where they belong and may be those that stand elsewhere; both lists
    are left without them. What is known exactly is told apart first."""
    for space, sign in sorted(strange, key=lambda each: -_exactness(each[1])):
        found = next((each for each in missing if sign in signs_of(each[1])), None)
        if found is not None:
            strange.remove((space, sign))
            missing.remove(found)
            yield Step(kind_of(found[1]), _name(found[1]), space, found[0])


def _left(
    strange: Iterable[tuple[str, str]], missing: Iterable[tuple[str, Piece]], scene: Scene
) -> Iterator[Step]:
    for space, sign in strange:
        known = next((piece for piece in scene.pieces if sign in signs_of(piece)), None)
        named = _name(known) if known is not None and _exactness(sign) > 1 else ""
        yield Step(sign, named or _in_words(sign), space, "")
    for space, piece in missing:
        yield Step(kind_of(piece), _name(piece), "", space)


def _unmatched(
    signs: tuple[str, ...], pieces: tuple[Piece, ...]
) -> tuple[tuple[str, ...], tuple[Piece, ...]]:
    """The signs that fit none of these pieces, and the pieces that no sign is left for. Signs are
    nested, from a piece to any piece, so taking the most exact first finds the best match."""
    left, strange = [*pieces], []
    for sign in sorted(signs, key=lambda each: -_exactness(each)):
        found = next((piece for piece in left if sign in signs_of(piece)), None)
        if found is None:
            strange.append(sign)
        else:
            left.remove(found)
    return tuple(strange), tuple(left)


def _exactness(sign: str) -> int:
    """How much a sign says; an id says all, but is not told from an owner by its looks."""
    return 0 if sign == PIECE else 1 + sign.count("/")


def _name(piece: Piece) -> str:
    return piece.name or _in_words(kind_of(piece))


def _in_words(sign: str) -> str:
    """A sign as people would say it.

    >>> _in_words("nobody/white-die/die-3"), _in_words("white"), _in_words("*")
    ('white die', "white's piece", 'a piece')
    """
    if sign == PIECE:
        return "a piece"
    owner, _, rest = sign.partition("/")
    kind = rest.partition("/")[0].replace("-", " ") or "piece"
    return kind if owner == NOBODY else f"{owner}'s {kind}"
