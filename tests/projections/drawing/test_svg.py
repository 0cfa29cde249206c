"""What people see in a browser, read back as XML."""

from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec.structs import replace

from domain.kernel.scene import Piece, Scene, Space
from projections.drawing.svg import draw

SVG = "{http://www.w3.org/2000/svg}"


def drawn(scene: Scene) -> Element:
    """The drawing as a tree; fails if it is not well-made."""
    return fromstring(draw(scene))  # noqa: S314  our own output, not a stranger's


def titles(root: Element) -> list[str | None]:
    """All titles, in order; the first is the whole drawing's."""
    return [title.text for title in root.iter(f"{SVG}title")]


def centre(root: Element, piece: str) -> tuple[float, float]:
    """Where a piece is drawn, in pixels from the board's origin."""
    group = root.find(f".//{SVG}g[@id='piece-{piece}']")
    assert group is not None
    disc = group.findall(f"{SVG}circle")[1]
    return float(disc.get("cx", "")), float(disc.get("cy", ""))


def test_the_caption_is_the_title(board: Scene) -> None:
    root = drawn(board)
    assert titles(root)[0] == "White to move"
    assert root.get("role") == "img"


def test_every_piece_has_its_name_and_particulars_as_title(board: Scene) -> None:
    assert {"White's golem", "White's journeyman", "Black's hulk (stack two golems)"} <= {
        *titles(drawn(board))
    }


def test_every_track_has_a_title(board: Scene) -> None:
    assert {"White's supply 3 of 20", "Turn 7"} <= {*titles(drawn(board))}


def test_the_description_tells_where_everything_is(board: Scene) -> None:
    description = drawn(board).find(f"{SVG}desc")
    assert description is not None
    assert description.text == (
        "b2: White's golem, White's journeyman; c1: Black's hulk (stack two golems)"
    )


def test_files_run_to_the_right_and_ranks_upwards(board: Scene) -> None:
    root = drawn(board)
    (golem_x, golem_y), (hulk_x, hulk_y) = centre(root, "w1"), centre(root, "b1")
    assert golem_x < hulk_x
    assert golem_y < hulk_y


def test_pieces_that_share_a_space_stand_side_by_side(board: Scene) -> None:
    root = drawn(board)
    (left, golem_y), (right, journeyman_y) = centre(root, "w1"), centre(root, "w2")
    assert left + 30 < right
    assert golem_y == journeyman_y


def test_owners_wear_different_colours(board: Scene) -> None:
    fills = {
        circle.get("fill")
        for group in drawn(board).iter(f"{SVG}g")
        if group.get("data-kind")
        for circle in group.findall(f"{SVG}circle")[1:2]
    }
    assert len(fills) == 2


def test_kinds_of_space_that_are_not_plain_are_explained(board: Scene) -> None:
    corner = Space("d1", 3, 0, "sanctum")
    words = [text.text for text in drawn(replace(board, spaces=(*board.spaces, corner))).iter()]
    assert "sanctum" in words
    assert "dark" not in words


def test_a_table_of_cards_needs_no_board(cards: Scene) -> None:
    root = drawn(cards)
    assert root.find(f".//{SVG}g[@id='board']") is None
    assert {"Prism x 2", 'Vault <of "gold"> (essence 2)'} <= {*titles(root)}


@pytest.mark.parametrize("name", ["<script>", "Fire & Ice", "\"'", "]]>", "\x00\x1b[31mred", "名"])
def test_any_name_gives_a_well_made_document(name: str) -> None:
    scene = Scene(name, (Space("a1", 0, 0, name, name),), (Piece("p", name, name, "a1", name),))
    expected = "".join(character for character in name if character.isprintable())
    assert titles(drawn(scene))[0] == expected


def test_nothing_is_loaded_from_elsewhere(board: Scene) -> None:
    text = draw(board).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in text
    assert "script" not in text
