"""What people see in a browser, read back as XML."""

import re
from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec.structs import replace

from domain.kernel.scene import CardFace, LegendEntry, Mark, Piece, Scene, Space, Track, Zone
from domain.kernel.theme import DEFAULT_THEME, Ground, Theme, Token
from projections.drawing.markup import clean
from projections.drawing.svg import draw
from tests.projections.drawing.sample_scenes import BATTLE, CARDS, HOSTILE, battle, hostile, table

SVG = "{http://www.w3.org/2000/svg}"
MOST = 150_000
"""Bytes of a drawing."""
SEATS = ("north", "south", "east", "west")
DRAWN = {
    "battle": (battle(), BATTLE),
    "many abilities": (battle(23), BATTLE),
    "two seats": (table(SEATS[:2]), CARDS),
    "four seats": (table(SEATS, 12), CARDS),
    "a whole box of cards": (table(SEATS, 18), CARDS),
    "plain": (table(SEATS, 7), DEFAULT_THEME),
    "plain battle": (battle(), DEFAULT_THEME),
}


def drawn(scene: Scene, theme: Theme = DEFAULT_THEME, *, narrow: bool = False) -> Element:
    """The drawing as a tree; fails if it is not well-made."""
    return fromstring(draw(scene, theme, narrow=narrow))  # noqa: S314  our own output


def titles(root: Element) -> list[str | None]:
    """All titles, in order; the first is the whole drawing's."""
    return [title.text for title in root.iter(f"{SVG}title")]


def group(root: Element, identity: str) -> Element:
    """The group of this id."""
    found = root.find(f".//{SVG}g[@id='{identity}']")
    assert found is not None, identity
    return found


def words(root: Element) -> list[str]:
    """All that is written."""
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def center(root: Element, piece: str) -> tuple[float, float]:
    """Where a piece is drawn, in units from the board's origin."""
    found = group(root, f"piece-{piece}").find(f"{SVG}g[@transform]")
    assert found is not None
    numbers = re.findall(r"-?[\d.]+", found.get("transform", ""))
    return float(numbers[0]), float(numbers[1])


# --- titles and descriptions --------------------------------------------------------------------


def test_the_caption_is_the_title(board: Scene) -> None:
    root = drawn(board)
    assert titles(root)[0] == "White to move"
    assert root.get("role") == "img"


def test_on_a_phone_only_the_first_sentence_of_a_long_caption_is_large(
    board: Scene,
) -> None:
    lesson = "Each golem has a pool of points, which its abilities cost. Begin by moving one. "
    taught = replace(board, caption=f"Round 1: White to move. {lesson}So it goes on.")
    written = list(drawn(taught, narrow=True).iter(f"{SVG}text"))
    headline = written[0]
    assert "".join(headline.itertext()) == "Round 1: White to move."
    assert headline.get("font-weight") == "700"
    small = [each for each in written[1:] if "pool" in "".join(each.itertext())]
    assert len(small) == 1
    assert small[0].get("font-weight") is None
    assert " ".join(lesson.split()[:4]) in "".join(small[0].itertext())
    assert "So it goes on." in " ".join(words(drawn(taught, narrow=True)))
    assert "Round 1: White to move. Each" in words(drawn(taught))[0]


def test_a_piece_has_its_name_as_title_and_what_is_particular_to_it_as_description(
    board: Scene,
) -> None:
    root = drawn(board)
    hulk = group(root, "piece-b1")
    assert hulk.findtext(f"{SVG}title") == "Black's hulk"
    assert hulk.findtext(f"{SVG}desc") == "Black's hulk (stack two golems)"
    assert group(root, "piece-w1").find(f"{SVG}desc") is None


def test_the_description_of_a_piece_is_the_scenes_where_it_has_one() -> None:
    root = drawn(*DRAWN["battle"])
    assert group(root, "piece-s1").findtext(f"{SVG}desc") == "Sand Lion s1, c3, 31 of 40 Hit Points"
    assert group(root, "space-c3").findtext(f"{SVG}title") == "c3, water"


def test_every_track_has_a_title(board: Scene) -> None:
    assert {"White's supply: 3 of 20", "Turn: 7"} <= {*titles(drawn(board))}


def test_the_description_shows_where_everything_is(board: Scene) -> None:
    description = drawn(board).findtext(f"{SVG}desc")
    assert description == "b2: White's golem, White's journeyman; c1: Black's hulk"


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("narrow", [False, True])
def test_all_spaces_pieces_zones_and_tracks_of_seats_can_be_found_by_their_ids(
    name: str, *, narrow: bool
) -> None:
    scene, theme = DRAWN[name]
    root = drawn(scene, theme, narrow=narrow)
    found = {key: {g.get(f"data-{key}") for g in root.iter(f"{SVG}g")} for key in ("space", "zone")}
    assert found["space"] >= {space.id for space in scene.spaces}
    assert found["zone"] >= {zone.id for zone in scene.zones}
    # Of a pile only the top is seen, and of very many abilities none.
    piled = {zone.id for zone in scene.zones if zone.arrangement == "pile"}
    if name == "many abilities":
        piled |= {zone.id for zone in scene.zones if zone.place == "card"}
    for piece in scene.pieces:
        if piece.where not in piled:
            assert group(root, f"piece-{piece.id}").get("data-piece") == piece.id


def test_an_id_of_odd_characters_is_kept_in_a_data_attribute() -> None:
    scene = Scene("", (Space("a1", 0, 0),), (Piece('s1!x:"', "k", "G", "a1"),))
    assert group(drawn(scene), "piece-s1_21x_3a_22").get("data-piece") == 's1!x:"'


# --- how it is laid out --------------------------------------------------------------------------


def test_files_run_to_the_right_and_ranks_upwards(board: Scene) -> None:
    root = drawn(board)
    (golem_x, golem_y), (hulk_x, hulk_y) = center(root, "w1"), center(root, "b1")
    assert golem_x < hulk_x
    assert golem_y < hulk_y


def test_pieces_that_share_a_space_stand_side_by_side(board: Scene) -> None:
    root = drawn(board)
    (left, golem_y), (right, journeyman_y) = center(root, "w1"), center(root, "w2")
    assert left + 30 < right
    assert golem_y == journeyman_y


def test_a_phone_gets_the_same_in_one_column() -> None:
    for scene, theme in DRAWN.values():
        root = drawn(scene, theme, narrow=True)
        left, top, wide, _ = map(float, root.get("viewBox", "").split())
        assert (left, top) == (0, 0)
        assert wide <= 400


def test_a_table_of_two_seats_fits_a_landscape_page() -> None:
    _, _, wide, high = map(float, drawn(*DRAWN["two seats"]).get("viewBox", "").split())
    assert high <= wide * 0.75


def test_a_turned_card_lies_aslant_and_says_so() -> None:
    root = drawn(*DRAWN["two seats"])
    turned, straight = group(root, "piece-north-mat-1"), group(root, "piece-north-mat-0")
    assert any("rotate" in g.get("transform", "") for g in turned.iter(f"{SVG}g"))
    assert not any("rotate" in g.get("transform", "") for g in straight.iter(f"{SVG}g"))
    assert "turned" in words(turned)


def test_a_card_has_its_title_kind_cost_lines_and_points() -> None:
    card = group(drawn(*DRAWN["two seats"]), "piece-north-mat-0")
    texts = words(card)
    assert {"Bone Dragon", "artifact, dragon", "1 point"} <= {*texts}
    icons = [use.get("href", "").partition("-")[2].strip(".") for use in card.iter(f"{SVG}use")]
    assert icons[:2] == ["leaf", "death"]  # of its first line; the cost follows
    assert icons.count("death") == 3  # in a line, in the cost, on the card


def test_pips_show_what_a_die_shows() -> None:
    root = drawn(*DRAWN["battle"])
    dots = list(group(root, "piece-die-1").iter(f"{SVG}circle"))
    assert len(dots) == 5
    assert group(root, "piece-die-1").find(f".//{SVG}rect") is not None


def test_a_face_down_card_shows_its_back_and_nothing_else() -> None:
    back = group(drawn(*DRAWN["two seats"]), "piece-south-hand-b0")
    assert words(back) == []
    assert titles(back) == ["face-down card"]


def test_a_unit_is_drawn_with_its_figure_and_a_bar() -> None:
    root = drawn(*DRAWN["battle"])
    assert "n4 80/80" in words(root)
    assert "HP 31/40" in " ".join(words(group(root, "zone-card-s1")))


# --- colors and signs ---------------------------------------------------------------------------


def test_owners_wear_different_colors_and_different_rings(board: Scene) -> None:
    root = drawn(board)
    shapes = {
        piece: [
            (each.get("class"), each.get("stroke-dasharray"))
            for each in group(root, f"piece-{piece}").iter(f"{SVG}circle")
        ]
        for piece in ("w1", "b1")
    }  # fmt: skip
    (white, *ring), (black, *none) = shapes["w1"], shapes["b1"]
    assert white != black
    assert ring != none


def test_every_kind_of_mark_has_a_shape_of_its_own() -> None:
    kinds = ("last", "legal", "danger", "selected", "reachable")
    shapes = set()
    for kind in kinds:
        scene = Scene("", (Space("a1", 0, 0),), marks=(Mark(kind, "a1"),))
        space = group(drawn(scene), "space-a1")
        tags = [(each.tag, each.get("stroke-dasharray", "")[:1], each.get("d", "")[:1])
                for each in space if each.tag != f"{SVG}title"]  # fmt: skip
        shapes.add((tuple(tags), len(space.findall(f"{SVG}path"))))
        path = space.find(f"{SVG}path")
        shapes.add("" if path is None else re.sub(r"[\d. -]", "", path.get("d", ""))[:8])
    assert len(shapes) >= len(kinds) + 2


def test_kinds_of_space_that_are_not_plain_are_explained(board: Scene) -> None:
    corner = Space("d1", 3, 0, "sanctum")
    texts = words(drawn(replace(board, spaces=(*board.spaces, corner))))
    assert "sanctum" in texts
    assert "dark" not in texts


def test_the_legend_explains_what_is_drawn_and_nothing_else() -> None:
    legend = group(drawn(*DRAWN["battle"]), "legend")
    texts = words(legend)
    assert {"South", "forest", "Mana Well", "has moved this Turn", "the last action"} <= {*texts}
    scene = replace(battle(), legend=(LegendEntry("icon", "gold", "nothing is of gold"),))
    assert "nothing is of gold" not in words(drawn(scene, BATTLE))


def test_a_theme_shows_shapes_patterns_and_icons() -> None:
    theme = Theme(
        grounds={"hill": Ground("#aa9966", "#443322", "peaks")},
        tokens={"golem": Token("hexagon", "#123456")},
    )
    scene = Scene("", (Space("a1", 0, 0, "hill"),), (Piece("g", "golem", "G", "a1"),))
    text = draw(scene, theme)
    assert "<pattern" in text
    assert "<polygon" in text
    assert "fill:#aa9966" in text
    assert "fill:#443322" in text
    assert "fill:#123456" in text


def test_a_dark_page_is_drawn_where_the_reader_prefers_it_or_it_is_requested(board: Scene) -> None:
    both, day, night = (draw(board, night=chosen) for chosen in (None, False, True))
    assert "prefers-color-scheme:dark" in both
    assert "prefers-color-scheme" not in day
    assert "prefers-color-scheme" not in night
    assert day != night


# --- what may be embedded anywhere ---------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("narrow", [False, True])
def test_a_drawing_is_small_stands_alone_and_has_no_id_twice(name: str, *, narrow: bool) -> None:
    scene, theme = DRAWN[name]
    text = draw(scene, theme, narrow=narrow)
    check_alone(text)
    assert len(text.encode()) < MOST


def check_alone(text: str) -> None:
    """A document without scripts, outside references, foreign objects and repeated ids."""
    root = fromstring(text)  # noqa: S314  our own output
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len({*ids})
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {
        "svg", "title", "desc", "style", "defs", "symbol", "pattern", "path", "g", "rect",
        "circle", "polygon", "text", "use",
    }  # fmt: skip
    for each in root.iter():
        assert not any(name.startswith("on") for name in each.attrib)
        for name, value in each.items():
            if name == "href":
                assert value.startswith("#"), (name, value)
                assert value[1:] in ids
            if name == "fill":
                assert value.startswith("url(#"), value
                assert value[5:-1] in ids
    for style in root.iter(f"{SVG}style"):
        assert "url" not in (style.text or "")
        assert "@import" not in (style.text or "")


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_scene_is_drawn_the_same_to_the_byte(name: str) -> None:
    scene, theme = DRAWN[name]
    again = Theme(**{field: getattr(theme, field) for field in Theme.__struct_fields__})
    assert draw(scene, theme) == draw(scene, theme) == draw(scene, again)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("narrow", [False, True])
def test_any_text_in_any_place_gives_a_safe_document(text: str, *, narrow: bool) -> None:
    theme = replace(BATTLE, tokens={text: Token("card")}, grounds={text: Ground("#88aa66", text)})
    for chosen in (DEFAULT_THEME, theme):
        made = draw(hostile(text), chosen, narrow=narrow)
        check_alone(made)
        made.encode()
        assert titles(fromstring(made))[0] == (clean(text) or None)  # noqa: S314


def test_a_theme_cannot_write_into_the_style_sheet_or_the_document() -> None:
    bad = '#fff}</style><script>x</script>"'
    theme = Theme(
        grounds={"k": Ground(bad, bad, bad)},  # type: ignore[arg-type]
        tokens={"k": Token(bad, bad, bad)},  # type: ignore[arg-type]
        seats={"k": bad},
        backs=bad,
    )
    scene = Scene("", (Space("a1", 0, 0, "k"),), (Piece("p", "k", "G", "a1", "k"),))
    check_alone(draw(scene, theme))


def test_a_long_name_is_truncated_and_complete_in_its_title() -> None:
    name = "The Endless Wandering Golem of the Outermost Western Marches, " * 3
    scene = Scene(
        "",
        pieces=(Piece("p", "k", "G", "z", "", name.strip()),),
        zones=(Zone("z", name.strip()),),
        tracks=(Track("t", name.strip(), 3),),
    )
    root = drawn(scene, narrow=True)
    assert any(word.endswith("…") for word in words(root))
    assert titles(root).count(name.strip()) == 2


def test_a_wide_glyph_and_an_empty_face_do_no_harm() -> None:
    scene = Scene(
        "",
        (Space("a1", 0, 0),),
        (Piece("p", "k", "WWWWWWWWWW", "a1"), Piece("q", "k", "", "z", card=CardFace(""))),
        (Zone("z", ""),),
    )
    check_alone(draw(scene))
