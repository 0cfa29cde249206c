"""What people read in a terminal."""

import pytest

from domain.kernel.scene import LegendEntry, Mark, Piece, Scene, Space, Track, Zone
from projections.drawing import closeup
from projections.drawing.text import draw
from tests.projections.drawing.sample_scenes import HOSTILE, battle, hostile, table

SEATS = ("north", "south", "east", "west")


def test_the_board_has_ranks_on_the_left_and_files_below(board: Scene) -> None:
    assert draw(board).splitlines()[:3] == [
        "2 .  GJ .",
        "1 .  .  h",
        "  a  b  c",
    ]


def test_what_an_owner_has_stands_in_one_line_and_the_caption_is_last(board: Scene) -> None:
    assert draw(board).splitlines()[3:] == [
        "",
        "White: Supply 3 of 20",
        "Turn 7",
        "",
        "White to move",
    ]


def test_figures_without_a_bound_read_as_amounts() -> None:
    tracks = (
        Track("s-death", "South's death", 3, "south", label="death"),
        Track("s-points", "South's points", 12, "south"),
        Track("round", "Round", 2, most=6),
    )
    assert draw(Scene("", tracks=tracks)).splitlines()[:2] == [
        "South: 3 death, 12 Points",
        "Round 2 of 6",
    ]


def test_a_zone_counts_equal_things_and_an_empty_one_says_so(cards: Scene) -> None:
    assert draw(cards) == (
        'North\'s hand: Prism x 2, Vault <of "gold"> (essence 2)\n'
        "Deck: empty\n"
        "\n"
        "North & South trade\n"
    )


def test_a_card_in_a_zone_is_its_name_its_state_and_what_is_on_it() -> None:
    text = draw(table(("north",), 4))
    assert "North's table: Bone Dragon+ (2 death, 1 point), Prism (turned)," in text
    assert "each rival" not in text
    assert "North's deck: face-down card x 4" in text


def test_a_long_thing_has_a_line_of_its_own() -> None:
    long = "all that there is to say of this card in so many words"
    pieces = tuple(Piece(f"p{n}", "k", "P", "z", name=f"{long} {n}") for n in range(2))
    assert draw(Scene("", pieces=pieces, zones=(Zone("z", "Zone"),))).splitlines()[:3] == [
        "Zone:",
        f"  {long} 0",
        f"  {long} 1",
    ]


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


def test_marks_are_characters_and_the_legend_explains_them(board: Scene) -> None:
    marks = (
        Mark("selected", "b2"),
        Mark("last", "a1"),
        Mark("legal", "a2"),
        Mark("legal", piece="b1"),
    )
    scene = Scene("", board.spaces, board.pieces, marks=marks)
    assert draw(scene).splitlines() == [
        "2 .+   [GJ] .",
        "1 .*   .    h+",
        "  a    b    c",
        "",
        "+ can be chosen now   [ ] picked   * the last action",
        "",
        "",
    ]


def test_a_mark_is_no_character_that_the_scene_uses_already() -> None:
    spaces = (Space("a1", 0, 0), Space("b1", 1, 0))
    well = Piece("w", "well", "*", "a1")
    scene = Scene("", spaces, (well,), marks=(Mark("last", "b1"), Mark("last", piece="w")))
    assert draw(scene).splitlines()[0] == "1 *=.="


def test_the_legend_has_the_glyphs_on_the_board_and_the_letters_of_its_spaces() -> None:
    spaces = (
        Space("a1", 0, 0, "forest", "F"), Space("b1", 1, 0, "deep water", "D"),
        Space("c1", 2, 0, "forest", "F"),
    )  # fmt: skip
    legend = (
        LegendEntry("glyph", "G", "golem"),
        LegendEntry("glyph", "Q", "what nobody has"),
        LegendEntry("space", "forest", "a forest, hard to see into"),
    )
    text = draw(Scene("", spaces, (Piece("g", "golem", "G", "a1"),), legend=legend))
    assert text.splitlines()[3:4] == ["G golem   D deep water   F a forest, hard to see into"]


def test_a_board_too_wide_for_the_terminal_fills_several_lines() -> None:
    spaces = tuple(Space(f"{'abcdefghijklmnopqrst'[x]}1", x, 0) for x in range(20))
    pieces = tuple(
        Piece(f"{x}{n}", "k", f"u{n}", space.id) for x, space in enumerate(spaces) for n in range(4)
    )
    lines = draw(Scene("", spaces, pieces)).splitlines()
    assert lines[0].split() == ["1", *["u0u1"] * 20] or lines[0].split() == ["1", *["u0"] * 20]
    assert max(map(len, lines)) <= 100
    assert draw(Scene("", spaces, pieces)).count("u3") == 20


@pytest.mark.parametrize(
    "scene", [battle(), table(SEATS[:2]), table(SEATS, 12), *map(hostile, HOSTILE)]
)
@pytest.mark.parametrize("width", [100, 60])
def test_nothing_is_wider_than_the_terminal_and_nothing_controls_it(
    scene: Scene, width: int
) -> None:
    for text in (draw(scene, width), closeup.draw(scene, width)):
        assert all(len(line) <= width for line in text.split("\n"))
        assert not {*text} & {*map(chr, range(32)), "\x7f"} - {"\n"}
        assert text.endswith("\n")
        text.encode()


def test_what_hides_nothing_is_drawn_the_same_again() -> None:
    assert draw(battle()) == draw(battle())
