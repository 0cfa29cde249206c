"""What the page's table needs: theme, faces, scene, orders, forecasts, aims, refused lines."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.packs import SHIPPED
from domain.games.golem_arcana.options import Options
from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR
from domain.kernel.hints import Aim, Forecast, Outcome, RollRange, Term
from domain.kernel.orders import Order, orders
from domain.kernel.parts import Pick
from domain.kernel.rulings import Accepted
from domain.kernel.scene import Counter, LineState, Mark, Phase, PromptText, Scene, Side

SYMBOL = re.compile(r"\{([a-z][a-z-]*)\}")
DRAWN = frozenset(re.findall(r'<symbol id="([^"]+)"', GAME.table_theme.sprite))


def shown(found: Order[Any]) -> tuple[str, str, str, str]:
    return found.actor, found.line, found.verb, found.cost


def forecast(table, text: str) -> Forecast:
    found = GAME.forecast(table.state, table.asked, GAME.read_action(text))
    assert found is not None
    return found


# --- theme and faces -----------------------------------------------------------------------------


def test_the_theme_draws_all_that_it_names() -> None:
    theme = GAME.table_theme
    assert theme.symbols.keys() <= DRAWN
    styles = (*theme.grounds.values(), *theme.tokens.values(), *theme.verbs.values())
    assert {style.symbol for style in styles} - {""} <= DRAWN


@pytest.mark.parametrize("pack", SHIPPED, ids=lambda pack: pack.head.id)
def test_faces_keep_to_the_theme(pack) -> None:
    theme = GAME.table_theme
    for key, face in GAME.faces(pack).items():
        assert face.art in DRAWN, key
        assert len({line.id for line in face.lines}) == len(face.lines), key
        assert {line.verb for line in face.lines} - {""} <= theme.verbs.keys()
        assert {stat.symbol for stat in face.stats} <= theme.symbols.keys()
        texts = [text for line in face.lines for text in (line.text, line.icons, line.cost)]
        assert {*SYMBOL.findall(" ".join(texts))} <= theme.symbols.keys(), key


def test_an_ability_is_a_line_of_its_card() -> None:
    faces = GAME.faces(Options().pack)
    lance = next(line for line in faces["golem.winged-preserver"].lines if line.verb == "ranged")
    assert lance.text == "Ranged attack, accuracy 80, damage 30, range 2"
    assert (lance.name, lance.cost, lance.pips) == ("Dawn Lance", "2 {ap}", 2)
    assert lance.icons == "{ranged} 2 · 80 % · 30 {damage}"
    assert faces["knight.cartographer"].lines[0].cost == "6 {mana}"


def test_content_without_a_picture_has_the_one_of_its_kind() -> None:
    (pack, *_) = SHIPPED
    card = msgspec.structs.replace(pack.golems["sand-lion"], id="tin-man")
    golems = {**pack.golems, "tin-man": card}
    other = type(pack).__new__(type(pack))
    other.__dict__.update(vars(pack), golems=golems, digest="0" * 64)
    assert GAME.faces(other)["golem.tin-man"].art == "warsprite"


# --- the scene -----------------------------------------------------------------------------------


def test_a_unit_has_its_figures_as_counters_and_what_cools_as_lines(at) -> None:
    table = at(
        "s1=sand-lion+hexmother*ember-lens.3@a9:50%bite.2.1%walk.1.0!x.y:dodge:-15:2:north;"
        "n1=plague-bringer@e6:85"
    )
    lion = GAME.scene(table.state, SPECTATOR).pieces[0]
    assert (lion.face, lion.rank) == ("golem.sand-lion", 1)
    assert lion.counters == (
        Counter("hp", 50, 50, "bar"),
        Counter("dodge", -15, None, "badge", "", "dodge -15 by an effect of North, 2 Upkeeps left"),
        Counter("pip", 2, None, "pips", "", "2 abilities cool"),
        Counter("charge", 3, 3, "pips", "", "Relic Ember Lens, 3 charges left"),
    )
    assert lion.lines == (
        LineState("walk", None, 1, 1),
        LineState("bite", "4 {ap}", 2, 2),
        LineState("knight.hexmother/hurled-hex"),
        LineState("relic.ember-lens/focus"),
    )


def test_seats_have_what_they_spend_and_score(at) -> None:
    scene = GAME.scene(at("s1=sand-lion@a9:50;n1=plague-bringer@e6:85").state, "south")
    note = "South's Victory Points"
    assert scene.sides[0] == Side(
        "south",
        "1 Golem",
        "golem",
        (
            Counter("vp", 0, None, note=note),
            Counter("ap", 6, 6, "coins", note="South's Action Points"),
            Counter("mana", 0, note="South's Mana"),
        ),
    )
    board = next(zone for zone in scene.zones if zone.place == "main")
    assert (board.columns, board.rows) == (tuple("abcdefghi"), tuple("123456789"))


@pytest.mark.parametrize(
    ("todo", "viewer", "prompt"),
    [
        ("-", "south", PromptText("Your Turn: 6 AP left")),
        ("-", "north", PromptText("South's Turn: 6 AP left")),
        (
            "roll/s1/shard-shot/n1",
            "south",
            PromptText(
                "Your dice for Shard Shot",
                "North's Horned Blight n1: 40 or less hits for 14 of its 60 HP",
                "ga.hit.roll",
            ),
        ),
        (
            "step/s1",
            "north",
            PromptText(
                "South's free step",
                "South's Prism Archer s1 may step to c6, d5, d7 and e6, or stay",
                "ga.step.place",
            ),
        ),
    ],
)
def test_the_prompt_speaks_from_the_viewers_side(at, todo: str, viewer: str, prompt) -> None:
    table = at("s1=prism-archer@d6:40;n1=horned-blight@f6:60", todo=todo)
    assert GAME.scene(table.state, viewer).prompt == prompt


def test_what_is_in_question_is_marked(at) -> None:
    table = at("s1=prism-archer@d6:40;n1=horned-blight@f6:60", todo="roll/s1/shard-shot/n1")
    marks = GAME.scene(table.state, "south").marks
    assert Mark("asked", at=("s1", "n1")) in marks
    assert Mark("line", at=("s1", "n1")) in marks


def test_who_holds_a_place_is_good_or_bad_for_the_viewer(at) -> None:
    table = at("s1=sand-lion@i5:50;n1=sand-lion@a9:50")
    for viewer, tone in (("south", "good"), ("north", "bad"), (SPECTATOR, "")):
        held = next(mark for mark in GAME.scene(table.state, viewer).marks if mark.label)
        assert (held.kind, held.label, held.tone) == ("area", "South holds", tone)


def test_before_the_battle_there_are_phases(start) -> None:
    scene = GAME.scene(start(scenario="night-of-embers").state, "south")
    assert scene.phases == (
        Phase("Encounters", "now"), Phase("Quests", "next"), Phase("Battle", "next"),
    )  # fmt: skip
    assert GAME.scene(start().state, "south").phases == ()


# --- orders --------------------------------------------------------------------------------------


def test_an_order_is_a_line_of_a_card(at) -> None:
    table = at(
        "s1=prism-archer+cartographer*ember-lens.3@d6:40;n1=horned-blight@f6:60",
        seats="south:2:6:0:nahesh;north:0:0:0:-",
    )
    found = {shown(each): each for each in orders(GAME, table.state, "south")}
    assert {key for key, each in found.items() if each.actions} >= {
        ("s1", "walk", "move", "1 {ap}"),
        ("s1", "shard-shot", "ranged", "1 {ap}"),
        ("s1", "knight.cartographer/fold-the-map", "use", "6 {mana}"),
        ("s1", "relic.ember-lens/focus", "relic", "3 {mana}"),
        ("south.nahesh.calm-harbour", "calm-harbour", "invoke", "6 {mana}"),
        ("", "", "end", ""),
    }
    refused = {key[:2]: each.refused.rule for key, each in found.items() if each.refused}
    assert refused == {("south.nahesh.tide-of-mending", "tide-of-mending"): "ga.mana.short"}


def test_a_walk_passes_the_regions_of_its_path(at) -> None:
    table = at("s1=horned-blight@a4:60;n1=sand-lion@i9:50")
    parts = GAME.parts(table.state, GAME.read_action("move s1 walk c4"))
    assert parts.picks == (
        Pick("a3", "via"), Pick("b3", "via"), Pick("c3", "via"), Pick("c4", "to"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("golems", "line", "rule"),
    [
        ("s1=sand-lion@a1:50%bite.2.2;n1=sand-lion@a1:50", "bite", "ga.cooldown.double"),
        ("s1=prism-archer@d6:40;n1=horned-blight@i9:60", "shard-shot", "ga.ranged.range"),
        ("s1=sand-lion@a1:50;n1=sand-lion@i9:50", "bite", "ga.melee.same-region"),
        ("s1=sand-lion@a1:50!x.y:pinned:1:1:north;n1=sand-lion@i9:50", "walk", "ga.status.pinned"),
        ("s1=sand-lion*warding-obelisk.0@a1:50;n1=sand-lion@i9:50", "relic.warding-obelisk/raise",
         "ga.relic.spent"),
    ],
)  # fmt: skip
def test_a_line_without_actions_says_why(at, golems: str, line: str, rule: str) -> None:
    found = GAME.refused_lines(at(golems).state, "south", "s1")
    assert {each.line: each.refused.rule for each in found}[line] == rule


# --- forecasts and aims --------------------------------------------------------------------------


def test_an_attack_is_foreseen_with_all_that_adds_up(at) -> None:
    table = at("s1=prism-archer@d6:40;n1=horned-blight@f6:60")
    found = forecast(table, "attack s1 shard-shot n1")
    # 00 to 40, and 44, 55, 66, 77, 88, 99.
    assert (found.tag, found.chance, found.sides) == ("{*47 %}, 14 {hp}", 47, 100)
    assert found.rolls[:2] == (RollRange(0, 40, "good"), RollRange(44, 44, "good"))
    assert found.terms == (
        Term("accuracy", 80, "", "%", "", "ga.hit.chance"),
        Term("dodge", 10, "-", "%", "", "ga.hit.chance"),
        Term("cover in f6", 20, "-", "%", "f6", "ga.hit.cover"),
        Term("past e6", 10, "-", "%", "e6", "ga.hit.between"),
        Term("chance", 40, "=", "%", "", "ga.hit.chance"),
        Term("damage", 18, "", "HP", "", "ga.damage.armor"),
        Term("armor", 4, "-", "HP", "", "ga.damage.armor"),
        Term("a hit", 14, "=", "HP", "", "ga.damage.armor"),
    )
    assert [outcome.text for outcome in found.outcomes] == [
        "A hit leaves 46 of 60 HP",
        "A critical hit does 21 damage",
    ]
    assert found.marks == (Mark("line", at=("s1", "n1")),)


def test_a_hit_that_destroys_is_foreseen_with_its_spoils(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=horned-blight@a1:5")
    found = forecast(table, "attack s1 bite n1")
    assert found.tag.endswith(", destroys")
    assert [(each.symbol, each.tone) for each in found.outcomes[:3]] == [
        ("destroyed", "good"), ("vp", "good"), ("mana", "bad"),
    ]  # fmt: skip
    assert found.outcomes[0] == Outcome("destroyed", "A hit destroys it", "good")


def test_a_charge_is_foreseen_with_its_path_and_a_move_with_its_points(at) -> None:
    table = at("s1=sand-lion@b7:50;n1=horned-blight@d7:60")
    assert forecast(table, "charge s1 bite walk n1").marks == (Mark("path", at=("s1", "c6", "d7")),)
    assert forecast(table, "move s1 walk c6").tag == "1 of 3 {mp}"


def test_an_aim_shows_range_reach_and_why_targets_are_refused(at) -> None:
    table = at("s1=prism-archer@d6:40;n1=horned-blight@f6:60;n2=sand-lion@a1:50")
    found = GAME.aim(table.state, "south", "s1", "shard-shot")
    (within,) = (mark for mark in found.marks if mark.kind == "range")
    assert "f6" in within.at
    assert {each.id: each.refused.rule for each in found.refused_targets} == {
        "n2": "ga.ranged.range"
    }
    reach = GAME.aim(table.state, "south", "s1", "walk")
    assert {mark.kind for mark in reach.marks} == {"reach"}
    assert GAME.aim(table.state, "north", "n1", "walk") == Aim()


def keeps_to_the_theme(scene: Scene) -> None:
    theme, faces = GAME.table_theme, GAME.faces(Options().pack)
    assert {piece.kind for piece in scene.pieces} <= theme.tokens.keys()
    assert {space.kind for space in scene.spaces} <= theme.grounds.keys()
    assert {state for piece in scene.pieces for state in piece.states} <= theme.states.keys()
    assert {piece.face for piece in scene.pieces} - {""} <= faces.keys()
    for holder in (*scene.pieces, *scene.spaces, *scene.sides, scene):
        symbols = [counter.symbol for counter in holder.counters]
        assert len({*symbols}) == len(symbols)
        assert {*symbols} <= theme.symbols.keys()
    assert scene.prompt is not None
    assert len(scene.prompt.heading) <= 40
    assert len(scene.prompt.why) <= 120
    assert all(len(side.note) <= 20 for side in scene.sides)
    things = {each.id for each in (*scene.spaces, *scene.pieces, *scene.zones)}
    assert all({*mark.at} <= things and len(mark.label) <= 12 for mark in scene.marks)


@pytest.mark.parametrize("scenario", ["twin-wells", "night-of-embers", "first-steps"])
def test_orders_and_hints_of_a_match_name_what_there_is(start, scenario: str) -> None:
    chance, state = Random(scenario), start(scenario=scenario).state
    faces, theme = GAME.faces(Options().pack), GAME.table_theme
    for _ in range(60):
        if not (prompts := GAME.turn(state)):
            break
        seat = prompts[0].seat
        scene = GAME.scene(state, seat)
        keeps_to_the_theme(scene)
        pieces = {piece.id: piece for piece in scene.pieces}
        things = {*pieces, *(space.id for space in scene.spaces)}
        actions = []
        for order in orders(GAME, state, seat):
            assert order.verb in theme.verbs
            if order.line:
                key, _, line = order.line.rpartition("/")
                face = faces[key or pieces[order.actor].face]
                assert line in {each.id for each in face.lines}
            picks = [
                tuple(p.id for p in action.picks if p.role not in ("hit", "via"))
                for action in order.actions
            ]
            begun = {each[:n] for each in picks for n in range(len(each))}
            assert len({*picks}) == len(picks)
            assert not begun & {*picks}
            for action in order.actions:
                actions.append(action.action)
                pointed = (p.id for p in action.picks if p.role in ("to", "target", "via"))
                assert {*pointed} <= things
            aim = GAME.aim(state, seat, order.actor, order.line or order.verb)
            assert {each.id for each in aim.refused_targets} <= things
        assert len(actions) == len([*GAME.legal(state, seat)])
        for action in chance.sample(actions, min(len(actions), 4)):
            found = GAME.forecast(state, seat, action)
            if found is not None:
                words = re.sub(r"\{[*!](.*?)\}", r"\1", found.tag).split()
                assert len(words) <= 6
                assert len(found.outcomes) <= 4
                assert {term.rule for term in found.terms} <= GAME.rules.keys()
        answer = GAME.decide(state, seat, chance.choice(actions))
        assert isinstance(answer, Accepted)
        state = fold(GAME, state, answer.facts)
