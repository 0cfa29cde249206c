"""One space of a scene in words."""

from domain.kernel.scene import Piece, Scene, Space, Track, Zone, space_detail
from projections.drawing import closeup, svg
from tests.projections.drawing.sample_scenes import CARDS, battle, table

SCENE = Scene(
    caption="White to move",
    spaces=(
        Space("a1", 0, 0, "deep water", attributes={"room": "2", "damage_on_entering": "5"}),
        Space("b1", 1, 0),
    ),
    pieces=(
        Piece("g1", "golem", "g", "a1", "white", "White's golem", {"armor": "3"}),
        Piece("g2", "golem", "h", "b1", "black", "Black's golem"),
        Piece("walk", "ability", "Walk", "card-1", attributes={"cost": "2"}),
        Piece("bite", "ability", "Bite", "card-2"),
    ),
    zones=(
        Zone("card-1", "The golem's card", piece="g1"),
        Zone("card-2", "The other's card", piece="g2"),
        Zone("supply", "Supply"),
    ),
    tracks=(Track("hp-1", "hit points", 3, most=5, piece="g1"), Track("round", "Round", 1)),
)


def close(space: str) -> str:
    found = space_detail(SCENE, space)
    assert found is not None
    return closeup.draw(found)


def test_a_space_lists_its_pieces_and_their_cards() -> None:
    assert close("a1") == (
        "a1: deep water, room 2, damage on entering 5\n"
        "  g  White's golem (armor 3)\n"
        "      hit points  3 of 5\n"
        "      The golem's card\n"
        "        Walk (cost 2)\n"
        "\n"
        "White to move\n"
    )


def test_an_empty_plain_space_says_so() -> None:
    bare = Scene(caption="Over", spaces=(Space("c1", 0, 0),))
    assert closeup.draw(bare) == ("c1: nothing special\n  nobody and nothing is here\n\nOver\n")


def test_focus_keeps_what_is_on_the_space_and_what_belongs_to_that() -> None:
    found = space_detail(SCENE, "b1")
    assert found is not None
    assert [piece.id for piece in found.pieces] == ["g2", "bite"]
    assert [zone.id for zone in found.zones] == ["card-2"]
    assert found.tracks == ()


def test_there_is_no_focus_on_what_is_no_space() -> None:
    assert space_detail(SCENE, "card-1") is None
    assert space_detail(SCENE, "") is None


def test_a_card_has_its_full_text() -> None:
    found = closeup.select_part(table(("north", "south"), 4), "north-mat-0")
    assert found is not None
    assert closeup.draw(found) == (
        "North's table:\n"
        "  Bone Dragon (2 death)\n"
        "      artifact, dragon, costs 4 death 1 leaf, 1 point\n"
        "      - Turn: each rival loses 2 leaf, or pays 1 death\n"
        "      - Reaction: ignore it for 1 gold\n"
        "\n"
        "Round 3. North may act, or pass\n"
    )


def test_a_unit_has_its_figures_and_abilities() -> None:
    found = closeup.select_part(battle(), "s1")
    assert found is not None
    lines = closeup.draw(found).splitlines()
    assert lines[:6] == [
        "c3, water",
        "  South's Sand Lion s1",
        "      warsprite",
        "      Armor 4, Dodge 20",
        "      HP  31 of 40",
        "      s1 Sand Lion",
    ]
    assert "        Walk (used up)" in lines
    assert "            melee attack, costs 2 Action Points" in lines


def test_what_is_looked_at_is_picked_by_id_glyph_or_name() -> None:
    scene = battle()
    by_id, by_glyph, by_name = (
        closeup.select_part(scene, what) for what in ("n1", "N1", "grave chill")
    )
    assert by_id == by_glyph
    assert by_name is not None
    assert [piece.id for piece in by_name.pieces] == ["curse-d4"]
    assert closeup.select_part(scene, "c3") == space_detail(scene, "c3")
    zone = closeup.select_part(scene, "new")
    assert zone is not None
    assert [piece.id for piece in zone.pieces] == ["die-3"]
    assert closeup.select_part(scene, "nothing is called so") is None


def test_a_card_that_is_picked_is_drawn_where_it_lies() -> None:
    found = closeup.select_part(table(("north", "south"), 4), "hand of glory")
    assert found is not None
    assert {zone.id for zone in found.zones} >= {"north-mat", "south-mat"}
    drawn = svg.draw(found, CARDS)
    assert drawn.count("Hand of Glory") >= 2
    assert "Bone Dragon" not in drawn


def test_part_names_lists_what_can_be_selected() -> None:
    assert closeup.part_names(battle())[:2] == ["a1", "b1"]
    assert "Bone Dragon" in closeup.part_names(table(("north",), 4))
    assert "face-down card" not in closeup.part_names(table(("north", "south"), 4))
