"""How the game looks: the scene, actions taken apart, facts as sentences."""

import pytest

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.state import SEATS, Options, State
from domain.kernel.game import REFEREE, SPECTATOR, Accepted, Happening, Parts, Refused
from projections.drawing.svg import draw as draw_svg
from projections.drawing.text import draw

BUSY = "7n/8/8/8/3m**4/2z1s3/2IBt3/8/3X!4/8 IIK m south order -"


def state_of(position: str, options: Options | None = None) -> State:
    return GAME.read_position(position, options or Options())


def parts_of(position: str, text: str, options: Options | None = None) -> Parts:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    return GAME.parts(state_of(position, options), action)


def test_the_scene_shows_board_ranks_tokens_marks_and_graveyards() -> None:
    scene = GAME.look(state_of(BUSY), SPECTATOR)
    assert len(scene.spaces) == 80
    pieces = {piece.id: piece for piece in scene.pieces}
    mummy = pieces["model-d6"]
    assert (mummy.kind, mummy.glyph, mummy.owner) == ("Mummy", "m**", "north")
    assert mummy.name == "North's Mummy"
    assert mummy.attributes == {"rank": "lieutenant", "firebrew": "2"}
    assert pieces["model-d2"].attributes["moved"] == "no order next turn"
    dead = [piece.glyph for piece in scene.pieces if piece.where == "graveyard-south"]
    assert dead == ["I", "I", "K"]
    assert [zone.id for zone in scene.zones] == ["graveyard-south", "graveyard-north"]


def test_paralysed_models_are_shown_as_such() -> None:
    held = "8/8/8/8/8/3n4/2mI4/8/8/7B - - south order -"
    scene = GAME.look(state_of(held), SPECTATOR)
    warrior = next(piece for piece in scene.pieces if piece.id == "model-d4")
    assert warrior.attributes["paralysed"] == "by tomb gas"
    assert warrior.glyph == "I~"


def test_models_in_the_air_and_priests_awaiting_their_angel_lie_in_zones() -> None:
    air = GAME.look(state_of("7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish:zm** -"), SPECTATOR)
    assert [piece.glyph for piece in air.pieces if piece.where == "air"] == ["z", "m**"]
    angels = GAME.look(state_of("7n/8/8/8/8/3B4/8/8/8/8 - - south revive:Pp -"), SPECTATOR)
    assert [piece.owner for piece in angels.pieces if piece.where == "angels"] == [
        "south",
        "north",
    ]


def test_the_drawings_show_all_that_players_need() -> None:
    scene = GAME.look(state_of(BUSY), SPECTATOR)
    text = draw(scene)
    assert " 6 .   .   .   m** .   .   .   .\n" in text
    assert "South's graveyard: Imperial Warrior x 2, Blue Knight\n" in text
    assert text.endswith("South to give an order; South is in check\n")
    assert "North&apos;s Mummy" in draw_svg(scene) or "North's Mummy" in draw_svg(scene)


@pytest.mark.parametrize(
    ("phase", "caption"),
    [
        ("south order", "South to give an order"),
        ("north order!", "North to give an order"),
        ("south draw", "North to answer South's draw offer"),
        ("south vanquish:zm", "South to place North's Zombie"),
        ("south revive:p", "North to say where the angel revives the priest, if at all"),
        ("north raise:a1:soldier", "North to raise a soldier beside the Zombie on a1, or nobody"),
        ("south brief:sn", "Debriefing: South and North to say ready"),
        ("- toss", "Who begins is to be entered"),
        ("north end:south:general", "South has won by killing the general"),
        ("north end:north:resign", "North has won by resignation"),
        ("north end:draw:generals", "The game is drawn: both generals died at once"),
        ("north end:draw:quiet", "The game is drawn: too many quiet turns"),
    ],
)
def test_the_caption_says_what_is_going_on(phase: str, caption: str) -> None:
    position = f"7n/8/8/8/8/8/8/8/8/z6B - s {phase} -"
    assert GAME.look(state_of(position), SPECTATOR).caption == caption


def test_check_is_announced_in_words() -> None:
    assert GAME.announce is not None
    checked = state_of("8/8/3n4/8/8/8/8/8/8/B2D4 - - north order -")
    assert GAME.announce(checked) == (
        "Check: North's general on d8 is in danger from South's Duelist on d1",
    )
    assert GAME.look(checked, "south").attributes["check"] == "north"
    assert GAME.look(checked, "south").caption == "North to give an order; North is in check"


def test_quiet_turns_are_a_track_where_they_count() -> None:
    options = Options(quiet_limit=30)
    scene = GAME.look(state_of("7n/8/8/8/8/8/8/8/8/7B - - south order 4", options), SPECTATOR)
    (track,) = scene.tracks
    assert (track.value, track.most) == (4, 30)


def test_everybody_sees_everything() -> None:
    state = state_of(BUSY)
    scene = GAME.look(state, SPECTATOR)
    action = GAME.read_action("d4*e4")
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, "south", action)
    assert isinstance(outcome, Accepted)
    happening = Happening("south", action, outcome.facts, outcome.rulings)
    for viewer in (*SEATS, REFEREE):
        assert GAME.look(state, viewer) == scene
        assert GAME.write_view(state, viewer) == BUSY
        assert GAME.veil(happening, viewer) == happening


# --- parts ---------------------------------------------------------------------------------------


def test_the_parts_of_an_order_name_what_a_player_points_at_in_turn() -> None:
    parts = parts_of(BUSY, "d4-d5*d6")
    assert parts == Parts(
        "move-and-strike",
        "South's Battle Mage on d4 moves to d5 and strikes North's Mummy on d6",
        ("model-d4", "model-d6"),
        ("d4", "d5", "d6"),
    )
    assert parts_of(BUSY, "d4 vanquish").spaces == ("d4",)


def test_units_of_a_graveyard_are_choices() -> None:
    far = "1I*3S2/2I4n/8/8/8/8/8/8/8/3B4 KWP - south order -"
    parts = parts_of(far, "d1 promote b10 W")
    assert parts.choices == ("Wind Mage",)
    assert parts.sentence.endswith("promotes South's Imperial Warrior on b10 to Wind Mage")
    trade = "7n/8/8/8/8/8/8/8/3S4/3N4 SSZM - south order -"
    dead = parts_of(trade, "d1 trade S S M e2", Options(trade="graveyard"))
    assert dead.choices == ("Skeleton", "Skeleton", "Mummy")


def test_a_throw_after_a_slide_names_the_model_that_is_hit_though_it_was_swapped() -> None:
    row = "7n/8/8/8/8/8/8/B7/8/3Az3 - - south order -"
    parts = parts_of(row, "d1-f1 brew d1")
    assert parts.pieces == ("model-d1", "model-e1")
    assert parts.spaces == ("d1", "f1", "d1")
    assert parts.sentence == (
        "South's Alchemist on d1 slides to f1 and throws firebrew at North's Zombie, then on d1"
    )


ANSWERS = {
    "south vanquish:zm": ("place a2", "South places North's Zombie on a2"),
    "south revive:p": ("revive a2", "The angel revives North's Priest of the Winds on a2"),
    "north raise:a1:soldier": ("raise S a2", "North's Zombie raises a Skeleton on a2"),
    "south draw": ("draw accept", "North accepts the draw"),
    "south brief:sn": ("ready north", "North is ready"),
    "- toss": ("first north", "North begins"),
    "north order": ("pass", "North passes"),
    "south order": ("resign north", "North resigns"),
}


@pytest.mark.parametrize("phase", ANSWERS)
def test_answers_are_told_in_words(phase: str) -> None:
    text, sentence = ANSWERS[phase]
    assert parts_of(f"7n/8/8/8/8/8/8/8/8/z6B - s {phase} -", text).sentence == sentence


# --- facts ---------------------------------------------------------------------------------------

TOLD = {
    ("8/8/8/8/8/n3s3/4S3/8/8/2s**B4 - - north order -", "c1 return b5"): (
        "The model on c1 went to b5.",
        "A token burned on b5: 1 left.",
        "It was South's turn.",
    ),
    ("3x3n/s7/8/8/8/8/8/8/3X4/7B - - north order -", "d10 wind a9"): (
        "North's Skeleton on a9 went to the graveyard.",
        "The night wind blew and pushed d2 to d1 (marked).",
        "It was South's turn.",
    ),
    ("7n/8/8/8/8/8/8/B4i2/8/3Az3 - - south order -", "d1 brew e1 then f1"): (
        "Firebrew struck the model on e1: 3 tokens.",
        "The Alchemist slid from d1 to f1, swapping e1 to d1.",
        "It was North's turn.",
    ),
    ("7n/8/8/8/8/8/4z3/8/8/7B - stt north revive:P+raise:e4:captain -", "revive d3"): (
        "The angel revived South's Priest of the Winds on d3.",
        "The Zombie on e4 could raise a unit for its victim, a captain.",
    ),
    ("8/8/3n4/3D4/8/8/8/8/8/B7 - - south order -", "d7*d8"): (
        "North's Necromancer on d8 was killed.",
        "South won by killing the general.",
    ),
}


@pytest.mark.parametrize(("position", "text"), TOLD)
def test_facts_are_told_in_order(position: str, text: str) -> None:
    state = state_of(position)
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, GAME.turn(state)[0].seat, action)
    assert isinstance(outcome, Accepted), outcome
    assert tuple(GAME.tell(fact) for fact in outcome.facts) == TOLD[position, text]
