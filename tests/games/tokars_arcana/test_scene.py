"""How the game looks: the scene, its captions, its legend, the cards to study."""

import pytest

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.faces import faces
from domain.games.tokars_arcana.state import SEATS, UNITS, Options, State
from domain.kernel.game import REFEREE, SPECTATOR, ResolvedAction
from domain.kernel.rulings import Accepted, Refused
from domain.kernel.scene import LegendEntry, Mark
from projections.drawing.svg import draw as draw_svg
from projections.drawing.text import draw

BEGUN = GAME.start(Options())
BUSY = "7n/8/8/8/3m**4/2z1s3/2IBt3/8/3X!4/8 IIK m south order -"


def state_of(position: str, options: Options | None = None) -> State:
    return GAME.read_position(position, options or Options())


def test_the_scene_shows_board_ranks_tokens_marks_and_graveyards() -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    assert len(scene.spaces) == 80
    pieces = {piece.id: piece for piece in scene.pieces}
    mummy = pieces["model-d6"]
    assert (mummy.kind, mummy.glyph, mummy.owner) == ("Mummy", "m**", "north")
    assert mummy.name == "North's Mummy"
    assert mummy.attributes == {"rank": "lieutenant", "firebrew": "2"}
    assert pieces["model-d2"].attributes["moved"] == "no order next turn"
    dead = [piece.glyph for piece in scene.pieces if piece.where == "graveyard-south"]
    assert dead == ["I", "I", "K"]
    assert [(zone.id, zone.place, zone.description) for zone in scene.zones] == [
        ("graveyard-south", "left", "South's graveyard: Imperial Warrior x 2 and Blue Knight"),
        ("graveyard-north", "right", "North's graveyard: Mummy"),
    ]


def test_pieces_and_spaces_are_described_for_those_who_do_not_see_them() -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    pieces = {piece.id: piece for piece in scene.pieces}
    assert pieces["model-d6"].description == ("North's Mummy, d6, lieutenant, firebrew: 2 tokens")
    assert pieces["model-d6"].badges == ("2 {firebrew}",)
    assert pieces["model-d2"].description == (
        "South's Dark Priest, d2, chief, moved by another: no order in its next turn"
    )
    assert pieces["model-d2"].states == ("moved",)
    assert pieces["dead-south-I-2"].description == (
        "South's Imperial Warrior, in the graveyard, soldier"
    )
    spaces = {space.id: space.description for space in scene.spaces}
    assert (spaces["a1"], spaces["d10"], spaces["c4"]) == (
        "a1, corner, South's rear row", "d10, North's rear row", "c4",
    )  # fmt: skip


def test_the_legend_explains_every_sign_of_the_scene() -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    signs = {(sign.kind, sign.sign): sign.meaning for sign in scene.legend}
    assert signs["glyph", "m**"] == "North's Mummy, firebrew: 2 tokens"
    assert signs["state", "moved"].startswith("moved by another")
    assert {piece.glyph for piece in scene.pieces} == {s for kind, s in signs if kind == "glyph"}
    icons = {piece.icon for piece in scene.pieces} | {"firebrew"}
    assert icons == {s for kind, s in signs if kind == "icon"} <= GAME.theme.icons.keys()
    states = {state for piece in scene.pieces for state in piece.states}
    assert states == {s for kind, s in signs if kind == "state"}
    assert {space.kind for space in scene.spaces} == {s for kind, s in signs if kind == "space"}


def test_a_model_has_a_card_to_study() -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    face = next(piece.face for piece in scene.pieces if piece.id == "model-e4")
    assert face is not None
    assert (face.title, face.kind, face.stats[0].value) == ("Tomb Keeper", "undead", "captain")
    assert face.lines[-1] == "Immune: no soldier can kill it."


def test_cards_say_what_the_options_of_the_match_decide() -> None:
    usual, other = faces(Options()), faces(Options(warrior="either", trade="graveyard"))
    assert [unit for unit in UNITS if usual[unit] != other[unit]] == ["I", "N"]
    assert other["I"].lines[1].startswith("Attack, instead of moving:")
    assert "two of his dead" in other["N"].lines[3]


def test_in_the_debriefing_both_seats_cards_lie_on_the_table() -> None:
    state = GAME.start(Options(debriefing=True))
    scene = GAME.scene(state, SPECTATOR)
    zones = {zone.id: zone.name for zone in scene.zones}
    assert zones["cards-north"] == "North's Arcana cards"
    cards = [piece for piece in scene.pieces if piece.where == "cards-north"]
    assert [piece.face and piece.face.title for piece in cards] == [
        "Skeleton", "Zombie", "Mummy", "Tomb Keeper", "Dark Priest", "Necromancer",
    ]  # fmt: skip
    assert not any(zone.id.startswith("cards") for zone in GAME.scene(BEGUN, SPECTATOR).zones)


def test_the_theme_has_a_token_and_an_icon_for_every_unit() -> None:
    for unit in UNITS:
        token = GAME.theme.tokens[CARDS[unit].name]
        assert token.icon in GAME.theme.icons
    assert len({token.icon for token in GAME.theme.tokens.values()}) == len(UNITS) + 1


def test_check_marks_the_general_and_who_threatens_it() -> None:
    scene = GAME.scene(state_of("8/3KT3/3n4/8/8/8/8/8/8/B6X - - north order -"), SPECTATOR)
    assert scene.marks == (Mark("threatened", piece="model-d8"),)
    marked = [piece.id for piece in scene.pieces if "marked" in piece.states]
    assert marked == ["model-h1", "model-e9"]
    assert (
        LegendEntry("state", "marked", "could kill the general with its next order") in scene.legend
    )


def test_paralysed_models_are_shown_as_such() -> None:
    held = "8/8/8/8/8/3n4/2mI4/8/8/7B - - south order -"
    scene = GAME.scene(state_of(held), SPECTATOR)
    warrior = next(piece for piece in scene.pieces if piece.id == "model-d4")
    assert warrior.attributes["paralysed"] == "by tomb gas"
    assert (warrior.glyph, warrior.states) == ("I~", ("spent",))


def test_models_in_the_air_and_priests_awaiting_their_angel_lie_in_zones() -> None:
    air = GAME.scene(state_of("7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish:zm** -"), SPECTATOR)
    assert [piece.glyph for piece in air.pieces if piece.where == "air"] == ["z", "m**"]
    angels = GAME.scene(state_of("7n/8/8/8/8/3B4/8/8/8/8 - - south revive:Pp -"), SPECTATOR)
    assert [piece.owner for piece in angels.pieces if piece.where == "angels"] == [
        "south",
        "north",
    ]


def test_the_drawings_show_all_that_players_need() -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    text = draw(scene)
    assert " 6 .   .   .   m** .   .   .   .\n" in text
    assert "South's graveyard: Imperial Warrior x 2" in text
    assert "South to give one model an order, pass or offer a draw; check: South's general" in text
    assert "North&apos;s Mummy" in draw_svg(scene) or "North's Mummy" in draw_svg(scene)


@pytest.mark.parametrize(
    ("phase", "caption"),
    [
        ("south order", "South to give one model an order, pass or offer a draw"),
        ("north order!", "North to give one model an order, or pass"),
        ("south draw", "North to accept or decline the draw that South offers"),
        (
            "south vanquish:zm",
            "South to set North's Zombie down on any free square; then North's Mummy",
        ),
        (
            "south revive:p",
            "North to choose: the guardian angel sets North's Priest of the Winds down on any free"
            " square, or he stays dead",
        ),
        (
            "north raise:a1:soldier",
            "North to choose: North's Zombie on a1 raises a Skeleton on a free square beside it,"
            " or nobody",
        ),
        ("south brief:sn", "Debriefing: South and North to study the Arcana cards and say ready"),
        ("- toss", "The toss: does South or North take the first turn?"),
        ("north end:south:general", "The game is over: North's general is dead, and South has won"),
        ("north end:north:resign", "The game is over: South has resigned, and North has won"),
        ("north end:draw:generals", "The game is over: both generals are dead, and it is drawn"),
        ("north end:draw:agreement", "The game is over: drawn by agreement"),
        ("north end:draw:quiet", "The game is over: drawn after too many quiet turns"),
    ],
)
def test_the_caption_says_what_is_asked_of_whom(phase: str, caption: str) -> None:
    position = f"7n/8/8/8/8/8/8/8/8/z6B - s {phase} -"
    assert GAME.scene(state_of(position), SPECTATOR).caption == caption
    assert GAME.caption(state_of(position), SPECTATOR) == caption


def test_the_caption_offers_no_pass_and_no_draw_where_there_is_none() -> None:
    options = Options(passing="stuck", draw_offers=False)
    state = state_of("7n/8/8/8/8/8/8/8/8/z6B - - south order -", options)
    assert GAME.caption(state, SPECTATOR) == "South to give one model an order"


def test_who_killed_both_generals_has_won_by_having_the_turn() -> None:
    state = state_of("8/8/8/8/8/8/8/8/8/8 B n north end:north:general -")
    assert GAME.caption(state, SPECTATOR) == (
        "The game is over: both generals are dead, and North, whose turn it was, has won"
    )


def test_check_is_announced_in_words() -> None:
    assert GAME.announcements is not None
    checked = state_of("8/8/3n4/8/8/8/8/8/8/B2D4 - - north order -")
    danger = "North's general on d8 is in danger from South's Duelist on d1"
    assert GAME.announcements(checked) == (f"Check: {danger}.",)
    assert GAME.scene(checked, "south").attributes["check"] == "north"
    assert GAME.scene(checked, "south").caption.endswith(f"; check: {danger}")


def test_quiet_turns_are_a_track_where_they_count() -> None:
    options = Options(quiet_limit=30)
    scene = GAME.scene(state_of("7n/8/8/8/8/8/8/8/8/7B - - south order 4", options), SPECTATOR)
    (track,) = scene.tracks
    assert (track.value, track.most) == (4, 30)


def test_everybody_sees_everything() -> None:
    state = state_of(BUSY)
    scene = GAME.scene(state, SPECTATOR)
    action = GAME.read_action("d4*e4")
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, "south", action)
    assert isinstance(outcome, Accepted)
    resolved = ResolvedAction("south", action, outcome.facts, outcome.rulings)
    for viewer in (*SEATS, REFEREE):
        assert GAME.scene(state, viewer) == scene
        assert GAME.write_view(state, viewer) == BUSY
        assert GAME.redact(resolved, viewer) == resolved
