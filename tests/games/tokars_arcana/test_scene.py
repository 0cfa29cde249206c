"""How the game looks: the scene, captions, legend, cards to study, orders by pointing."""

from collections import Counter as Multiset
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.faces import ORDERS, faces
from domain.games.tokars_arcana.state import SEATS, UNITS, Options, State
from domain.games.tokars_arcana.theme import ICONS_OF
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR, ResolvedAction
from domain.kernel.orders import orders
from domain.kernel.parts import Pick
from domain.kernel.rulings import Accepted, Refused
from domain.kernel.scene import Counter, LegendEntry, Mark, PromptText, Side, Zone
from projections.drawing.svg import draw as draw_svg
from projections.drawing.text import draw
from tests.hypothesis_settings import example_settings

BEGUN = GAME.start(Options())
BUSY = "7n/8/8/8/3m**4/2z1s3/2IBt3/8/3X!4/8 IIK m south order -"


def state_of(position: str, options: Options | None = None) -> State:
    return GAME.read_position(position, options or Options())


def test_the_scene_shows_board_ranks_tokens_marks_and_graveyards() -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    assert len(scene.spaces) == 80
    pieces = {piece.id: piece for piece in scene.pieces}
    mummy = pieces["model-d6"]
    assert (mummy.kind, mummy.glyph, mummy.owner) == ("mummy", "m**", "north")
    assert mummy.name == "North's Mummy"
    assert mummy.attributes == {"rank": "lieutenant", "firebrew": "2"}
    assert pieces["model-d2"].attributes["moved"] == "no order next turn"
    dead = [piece.glyph for piece in scene.pieces if piece.where == "graveyard-south"]
    assert dead == ["I", "I", "K"]
    assert [(zone.id, zone.place, zone.description) for zone in scene.zones] == [
        ("board", "main", ""),
        ("graveyard-south", "bar", "South's graveyard: Imperial Warrior x 2 and Blue Knight"),
        ("graveyard-north", "bar", "North's graveyard: Mummy"),
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
    face = next(piece.card for piece in scene.pieces if piece.id == "model-e4")
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
    assert [piece.card and piece.card.title for piece in cards] == [
        "Skeleton", "Zombie", "Mummy", "Tomb Keeper", "Dark Priest", "Necromancer",
    ]  # fmt: skip
    assert not any(zone.id.startswith("cards") for zone in GAME.scene(BEGUN, SPECTATOR).zones)


def test_the_theme_has_a_token_and_an_icon_for_every_unit() -> None:
    for unit in UNITS:
        token = GAME.theme.tokens[ICONS_OF[unit]]
        assert token.icon in GAME.theme.icons
    assert len({token.icon for token in GAME.theme.tokens.values()}) == len(UNITS) + 1


def test_check_marks_the_general_and_who_threatens_it() -> None:
    scene = GAME.scene(state_of("8/3KT3/3n4/8/8/8/8/8/8/B6X - - north order -"), SPECTATOR)
    assert scene.marks == (Mark("danger", piece="model-d8", at=("model-d8",), tone="bad"),)
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
        assert replace(GAME.scene(state, viewer), prompt=None) == replace(scene, prompt=None)
        assert GAME.write_view(state, viewer) == BUSY
        assert GAME.redact(resolved, viewer) == resolved


# --- the table -----------------------------------------------------------------------------------


def test_a_model_has_its_rank_its_face_and_its_firebrew() -> None:
    pieces = {piece.id: piece for piece in GAME.scene(state_of(BUSY), SPECTATOR).pieces}
    mummy, mage = pieces["model-d6"], pieces["model-d4"]
    (brew,) = mummy.counters
    assert (mummy.face, mummy.rank, mage.face, mage.rank) == ("mummy", 3, "battle-mage", 6)
    assert (brew.symbol, brew.value, brew.max, brew.style) == ("firebrew", 2, 3, "badge")
    assert (pieces["dead-north-M-1"].face, pieces["dead-north-M-1"].rank) == ("", 0)


def test_the_board_has_labels_and_the_seats_their_armies() -> None:
    scene = GAME.scene(GAME.start(Options(rows=8, north="human", quiet_limit=9)), SPECTATOR)
    rows = tuple("12345678")
    assert scene.zones[0] == Zone(
        "board", "Board", place="main", arrangement="board", columns=tuple("abcdefgh"), rows=rows
    )
    assert scene.sides == (
        Side("south", "Humans", "battle-mage"), Side("north", "Humans", "battle-mage"),
    )  # fmt: skip
    note = "Turns in a row without a death or a return; with 9 the game is drawn"
    assert scene.counters == (Counter("quiet", 0, 9, note=note),)
    notes = {space.id: space.note for space in scene.spaces}
    assert (notes["a1"], notes["b8"]) == ("Priests revive from the corners of the board", "")


@pytest.mark.parametrize(
    ("phase", "viewer", "heading", "rule"),
    [
        ("south order", "south", "Your turn: give one order", "turn.one_order"),
        ("south order", SPECTATOR, "South to give one order", "turn.one_order"),
        ("south draw", "north", "Your answer: accept the draw?", "draw.offer"),
        ("south draw", "south", "North to answer the draw offer", "draw.offer"),
        ("south vanquish:zm", "south", "Your turn: place the Zombie", "battlemage.vanquish.square"),
        ("south revive:p", "north", "Your choice: call the guardian angel?", "priest.angel"),
        ("north raise:a1:soldier", "south", "North may raise a unit", "zombie.raise"),
        ("south brief:sn", "north", "Your turn: study the armies", "setup.debriefing"),
        ("- toss", "referee", "Enter who takes the first turn", "setup.first"),
        ("north end:south:general", "south", "South wins", "end.general"),
        ("north end:draw:quiet", "south", "The game is drawn", "end.quiet"),
    ],
)
def test_the_prompt_says_what_is_asked(phase: str, viewer: str, heading: str, rule: str) -> None:
    prompt = GAME.scene(state_of(f"7n/8/8/8/8/8/8/8/8/z6B - s {phase} -"), viewer).prompt
    assert prompt is not None
    assert (prompt.heading, prompt.rule) == (heading, f"ta.{rule}")


def test_the_prompt_explains_check() -> None:
    checked = state_of("8/8/3n4/8/8/8/8/8/8/B2D4 - - north order -")
    why = "Check: North's general on d8 is in danger from South's Duelist on d1."
    prompt = PromptText("Your turn: give one order", why, "ta.check.announce")
    assert GAME.scene(checked, "north").prompt == prompt


def picks_of(position: str, text: str, **options: Any) -> tuple[str, str, list[str]]:
    """The actor's line, the verb, and the picks with their roles."""
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    parts = GAME.parts(state_of(position, Options(**options)), action)
    return parts.line, parts.verb, [f"{pick.role} {pick.id}" for pick in parts.picks or ()]


MAGE = "1I6/8/8/8/8/3szs2/3SB3/8/8/7n KW - south order -"
ALCHEMIST = "7n/8/8/8/8/8/8/B7/8/3Az3 - - south order -"
NECROMANCER = "7n/8/8/8/8/8/8/8/3Sz3/S2NX3 SSZ ssz south order -"
TRADE = "8/8/8/8/8/8/8/7b/3S4/S2N4 SSZM - south order -"


@pytest.mark.parametrize(
    ("position", "text", "line", "picks"),
    [
        (MAGE, "e4-f4", "move", ["to f4"]),
        (MAGE, "d5xd4", "move", ["hit model-d4", "to d4"]),
        (MAGE, "e4*d5", "strike", ["target model-d5"]),
        (MAGE, "e4-f4*f5", "strike", ["to f4", "target model-f5"]),
        (MAGE, "e4 vanquish", "vanquish", ["hit model-d5", "hit model-e5", "hit model-f5"]),
        (
            MAGE,
            "e4-f4 vanquish",
            "move-and-vanquish",
            ["to f4", "hit model-e5", "hit model-f5"],
        ),
        (MAGE, "e4 promote b10 W", "promote", ["target model-b10", "option W"]),
        (MAGE, "e4 recall b10 e3", "recall", ["target model-b10", "to e3"]),
        (MAGE, "b10 off", "", []),
        (ALCHEMIST, "d1 brew e1", "brew", ["target model-e1"]),
        (ALCHEMIST, "d1-f1 brew d1", "slide-and-brew", ["to f1", "target model-e1"]),
        (ALCHEMIST, "d1 brew e1 then f1", "brew-and-slide", ["target model-e1", "to f1"]),
        (NECROMANCER, "e1 wind a1", "wind", ["target model-a1"]),
        (
            NECROMANCER,
            "e1 explode d1",
            "explode",
            ["target model-d1", "hit model-e1", "hit model-d2", "hit model-e2"],
        ),
        (NECROMANCER, "e1 slay", "slay", ["hit model-e2"]),
        (NECROMANCER, "d2 return g10", "return", ["to g10"]),
        (TRADE, "d1 revive S e2", "revive", ["to e2", "option S"]),
        (
            TRADE,
            "d1 trade a1 d2 Z e2",
            "trade",
            ["target model-a1", "target model-d2", "to e2", "option Z"],
        ),
        (TRADE, "d1 trade S S Z e2", "trade", ["to e2", "option SS", "option Z"]),
    ],
)
def test_an_order_is_a_line_with_picks(
    position: str, text: str, line: str, picks: list[str]
) -> None:
    assert picks_of(position, text) == (line, line or "off", picks)


@pytest.mark.parametrize(
    ("phase", "text", "actor", "picks"),
    [
        ("south vanquish:zm", "place a2", "air-1", [Pick("a2", "to")]),
        ("south revive:p", "revive a2", "angel-1", [Pick("a2", "to")]),
        ("south revive:p", "decline", "", []),
        (
            "north raise:a1:soldier",
            "raise S a2",
            "model-a1",
            [Pick("a2", "to"), Pick("S", "option", "Skeleton")],
        ),
        ("north raise:a1:soldier", "skip", "", []),
        ("- toss", "first north", "", [Pick("north", "option", "North")]),
        ("south order", "pass", "", []),
    ],
)
def test_answers_are_buttons_or_begin_with_who_waits(
    phase: str, text: str, actor: str, picks: list[Pick]
) -> None:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    parts = GAME.parts(state_of(f"7n/8/8/8/8/8/8/8/8/z6B - s {phase} -"), action)
    assert (parts.actor, [*(parts.picks or ())]) == (actor, picks)


@pytest.mark.parametrize(
    ("position", "model", "line", "rule"),
    [
        ("1I6/8/8/8/8/8/3B4/7n/8/8 -", "d4", "promote", "battlemage.promote.unit"),
        ("1I6/8/8/8/8/8/3B4/7n/8/8 K", "d4", "recall", "battlemage.recall.available"),
        ("8/8/8/8/8/8/3B4/7n/2I5/8 K", "d4", "promote", "battlemage.promote.row"),
        ("8/8/8/8/8/8/3B4/7n/8/8 K", "d4", "promote", "battlemage.promote.soldier"),
        ("8/8/8/8/8/8/3B4/7n/8/8 K", "d4", "vanquish", "battlemage.vanquish.nobody"),
        ("8/8/8/8/8/8/3B4/n7/7I/8 -", "h2", "strike", "kill.target"),
        ("8/8/8/8/8/8/3B4/7n/7I/8 -", "h2", "strike", "warrior.kill.rank"),
        ("8/8/8/8/8/8/3B4/7n/7I/8 -", "h2", "move", "move.occupied"),
        ("I7/8/8/8/8/8/3B4/8/8/7n -", "a10", "move", "board.square"),
        ("8/8/8/8/8/8/3B4/6m1/7I/7n -", "h2", "move", "mummy.gas"),
        ("8/8/8/8/8/8/8/7b/3S4/S2N4 -", "d1", "trade", "necromancer.trade.unit"),
        ("8/8/8/8/8/8/8/7b/8/S2N4 -", "d1", "trade", "necromancer.trade.models"),
        ("8/8/8/8/8/8/8/7b/8/S2N4 -", "d1", "revive", "necromancer.revive.unit"),
        ("8/8/8/8/8/8/8/7b/8/S2N4 -", "a1", "return", "skeleton.return.row"),
        ("8/8/8/8/8/8/8/7b/8/X2N4 -", "a1", "wind", "darkpriest.wind.soldier"),
    ],
)
def test_an_order_that_is_not_possible_says_why(
    position: str, model: str, line: str, rule: str
) -> None:
    state = state_of(f"{position} - south order -")
    lines = {each.line: each for each in GAME.refused_lines(state, "south", f"model-{model}")}
    assert (lines[line].refused.rule, lines[line].verb) == (f"ta.{rule}", line)


@pytest.mark.parametrize(
    ("position", "text", "tag"),
    [
        (MAGE, "e4*d5", "Kills the Skeleton"),
        (MAGE, "e4 vanquish", "Lifts 3 models"),
        (MAGE, "e4 promote b10 W", "Wind Mage returns"),
        (MAGE, "b10 off", "Dies"),
        (ALCHEMIST, "d1 brew e1", "3 firebrew tokens"),
        (ALCHEMIST, "d1-f1", "Changes places with 1 model"),
        (NECROMANCER, "e1 wind a1", "Pushes back 1 model"),
        (NECROMANCER, "e1 slay", "Kills the Zombie"),
        (NECROMANCER, "e1 explode d1", "Kills 4, 3 of them yours"),
        ("8/8/8/8/8/8/3Bn3/8/8/8 - - south order -", "d4*e4", "Kills the general and wins"),
        ("8/8/8/8/8/8/3Qb3/8/8/N7 - - north order -", "e4*d4", "Kills the Priest of the Winds"),
        ("8/8/8/8/8/8/3Bn3/8/1I6/8 - - south order -", "b2-b3", ""),
    ],
)
def test_a_forecast_says_the_effect_in_a_few_words(position: str, text: str, tag: str) -> None:
    state, action = state_of(position), GAME.read_action(text)
    assert not isinstance(action, Refused)
    found = GAME.forecast(state, GAME.turn(state)[0].seat, action)
    assert (found.tag if found else "") == tag


@pytest.mark.parametrize(
    ("position", "model", "line", "refused"),
    [
        ("8/8/8/8/8/3st3/3I4/8/8/B6n", "d4", "strike", {"e5": "kill.immune", "d5": "kill.immune"}),
        ("8/8/8/8/8/3z4/3I4/8/8/B6n", "d4", "strike", {"d5": "warrior.kill.rank"}),
        ("8/8/8/8/8/3s4/3S4/8/8/N6n", "d4", "move", {"d5": "kill.immune"}),
        ("7n/8/8/8/8/8/8/8/4z**3/B2A4", "d1", "brew", {"e2": "alchemist.brew.already"}),
        ("7n/8/8/8/8/8/8/8/4z3/B2A4", "d1", "brew", {}),
        ("7n/8/8/8/8/8/8/8/4z3/B2A4", "d1", "slide-and-brew", {}),
    ],
)
def test_an_enemy_within_reach_that_cannot_be_hit_says_why(
    position: str, model: str, line: str, refused: dict[str, str]
) -> None:
    aim = GAME.aim(state_of(f"{position} - - south order -"), "south", f"model-{model}", line)
    found = {target.id: target.refused.rule for target in aim.refused_targets}
    assert found == {f"model-{at}": f"ta.{rule}" for at, rule in refused.items()}


def check_table(state: State) -> None:
    """Pointing decides, every line of a card has orders or a reason, the theme has every key."""
    position = GAME.write_position(state)
    theme, known = GAME.table_theme, GAME.faces(None)
    for viewer in (*SEATS, SPECTATOR):
        scene = GAME.scene(state, viewer)
        ids = {each.id for group in (scene.spaces, scene.pieces, scene.zones) for each in group}
        assert len(ids) == sum(map(len, (scene.spaces, scene.pieces, scene.zones)))
        assert {space.kind for space in scene.spaces} <= theme.grounds.keys()
        assert {piece.kind for piece in scene.pieces} <= theme.tokens.keys()
        assert {piece.face for piece in scene.pieces} - {""} <= known.keys()
        assert {look for piece in scene.pieces for look in piece.states} <= theme.states.keys()
        held = [scene.counters, *(piece.counters for piece in scene.pieces)]
        assert {each.symbol for counters in held for each in counters} <= theme.symbols.keys()
        assert scene.prompt is not None
        assert len(scene.prompt.heading) <= 40, scene.prompt
        assert len(scene.prompt.why) <= 120, scene.prompt
        assert scene.prompt.rule in GAME.rules
        faces_of = {piece.id: known[piece.face] for piece in scene.pieces if piece.face}
        lines = Multiset[tuple[str, str]]()
        for order in orders(GAME, state, viewer):
            assert order.verb in theme.verbs
            lines[order.actor, order.line or order.verb] += 1
            assert not order.line or order.line in {
                line.id for line in faces_of[order.actor].lines
            }, (position, order)
            pointed = [
                tuple(pick.id for pick in action.picks if pick.role not in ("hit", "via"))
                for action in order.actions
            ]
            assert len({*pointed}) == len(pointed), (position, order)
            assert order.refused is None or order.refused.rule in GAME.rules
            picked = {p.id for action in order.actions for p in action.picks if p.role != "option"}
            assert picked <= ids
        assert set(lines.values()) <= {1}, position
        if viewer == state.turn and "order" in {
            prompt.expected_action for prompt in GAME.turn(state)
        }:
            for square, model in state.board.items():
                if model.seat == viewer:
                    actor = f"model-{square}"
                    assert all((actor, verb) in lines for verb in ORDERS[model.unit]), position


@example_settings(20, deadline=None)
@given(st.randoms(use_true_random=True))
def test_the_table_has_all_that_a_position_needs(
    scattered: Callable[[Random], State], random: Random
) -> None:
    check_table(scattered(random))


@example_settings(3, deadline=None)
@given(st.randoms(use_true_random=True))
def test_the_table_has_all_that_a_match_needs(
    wandered: Callable[[Random], tuple[State, list[tuple[str, Any]]]], random: Random
) -> None:
    state, done = wandered(random)
    for seat, action in islice(done, 40):
        check_table(state)
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(GAME, state, outcome.facts)


def test_the_sprite_has_every_drawing_of_the_theme() -> None:
    theme = GAME.table_theme
    named = [
        *(each.symbol for each in theme.grounds.values()),
        *(each.symbol for each in theme.tokens.values()),
        *(each.symbol for each in theme.verbs.values()),
        *(face.art for face in GAME.faces(None).values()),
        "firebrew",
    ]
    assert [name for name in named if name and f'<symbol id="{name}"' not in theme.sprite] == []
    lines = [line for face in GAME.faces(None).values() for line in face.lines]
    assert {line.verb for line in lines} - {""} <= theme.verbs.keys()
