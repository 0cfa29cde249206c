"""What people read in a terminal."""

from domain.kernel.scene import Piece, Scene, Space
from projections.drawing.text import draw


def test_the_board_has_ranks_on_the_left_and_files_below(board: Scene) -> None:
    assert draw(board).splitlines()[:3] == [
        "2 .  GJ .",
        "1 .  .  h",
        "  a  b  c",
    ]


def test_tracks_stand_in_a_column_and_the_caption_is_last(board: Scene) -> None:
    assert draw(board).splitlines()[3:] == [
        "",
        "White's supply  3 of 20",
        "Turn            7",
        "",
        "White to move",
    ]


def test_a_zone_counts_equal_things_and_an_empty_one_says_so(cards: Scene) -> None:
    assert draw(cards) == (
        'North\'s hand: Prism x 2, Vault <of "gold"> (essence 2)\n'
        "Deck: empty\n"
        "\n"
        "North & South trade\n"
    )


def test_a_space_outside_the_rectangle_keeps_its_place() -> None:
    spaces = (Space("a1", 0, 1), Space("b1", 1, 1), Space("b0", 1, 0, kind="trench"))
    piece = Piece("w", "golem", "W", "b0")
    assert draw(Scene("", spaces, (piece,))).splitlines()[:3] == ["1 . .", "0   W", "  a b"]


def test_ranks_of_two_digits_stand_flush_right() -> None:
    spaces = tuple(Space(f"a{y}", 0, y) for y in (9, 10))
    assert draw(Scene("", spaces)).splitlines()[:3] == ["10 .", " 9 .", "   a"]


def test_spaces_that_are_not_named_like_squares_have_no_coordinates() -> None:
    spaces = (Space("left", 0, 0, label="L"), Space("right", 1, 0, label="right"))
    assert draw(Scene("", spaces)).splitlines()[0] == " L ."
