"""Content is data: another pack is another game of stones, and a faulty one says where."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content import cards
from domain.games.golem_arcana.content import vocabulary as v
from domain.games.golem_arcana.content.cards import SecretQuest
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.pack_reading import PackError, pack_digest, read_pack
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.options import Options
from domain.kernel.any_game import fold, read_options
from domain.kernel.packs import library_of
from domain.kernel.rulings import Accepted
from domain.log.digests import canonical_bytes

HERE = Path(__file__).with_name("packs")
CONTENT = (HERE / "duel.content.toml").read_bytes()
BOARDS = (HERE / "duel.boards.toml").read_bytes()


@pytest.fixture
def duel():
    """The second pack."""
    return read_pack(CONTENT, BOARDS)


def played(options: Options, *steps: tuple[str, str]) -> str:
    state = GAME.start(options)
    for seat, text in steps:
        outcome = GAME.decide(state, seat, GAME.read_action(text))
        assert isinstance(outcome, Accepted), (text, outcome, GAME.write_position(state))
        state = fold(GAME, state, outcome.facts)
        assert GAME.read_position(GAME.write_position(state), options) == state
        found = library_of(options).decode_hook(GAME.packs)
        assert msgspec.json.decode(canonical_bytes(state), type=GAME.state, dec_hook=found) == state
    return GAME.write_position(state)


def test_a_second_pack_is_played_by_the_same_code(duel: Pack) -> None:
    """Toss: 60 - 5 - 30 = 25; 9 - 1 and 2 more, and a Victory Point for who hit."""
    options = Options(pack=duel, scenario="duel")
    assert GAME.seats(options) == ("west", "east")
    toss = played(options, ("west", "attack w1 toss e1"), ("west", "dice 25"))
    assert toss == (
        "ga1 duel - R1 west west:2:0:1:mountain;east:0:0:0:- "
        "w1=pebble@a1:20%toss.2.1;e1=pebble@b2:10 - - - - - *"
    )
    curse = played(
        options,
        ("west", "end"),
        ("east", "move e1 roll b1"),
        ("east", "end"),
        ("west", "invoke mountain rockfall b1"),
        ("west", "end"),
    )
    assert "e1=pebble@b1:14" in curse, "a Curse with dot hurts in the Upkeep"


def test_a_pack_is_named_by_the_hash_of_both_files(duel: Pack) -> None:
    assert duel.digest == pack_digest(CONTENT, BOARDS)
    assert duel.digest != CORE.digest
    assert read_pack(CONTENT + b"\n", BOARDS).digest != duel.digest
    assert pack_digest(CONTENT, BOARDS) != pack_digest(BOARDS, CONTENT)


def test_a_pack_that_is_in_no_library_cannot_be_played() -> None:
    with pytest.raises(msgspec.ValidationError, match="there is no content pack"):
        read_options(GAME, {"pack": pack_digest(CONTENT, BOARDS), "scenario": "duel"})


FAULTS = [
    (b"hp = 20", b"hp = -1", "content: golem pebble: hp: Expected `int` >= 1"),
    (b"hp = 20", b'hp = "20"', "content: golem pebble: hp: Expected `int`, got `str`"),
    (b"hp = 20\n", b"", "content: golem pebble: entry: Object missing required field `hp`"),
    (b"hp = 20", b"hp = 20\nsmell = 3", "content: golem pebble: entry: Object contains unknown"),
    (b'op = "damage"', b'op = "explode"',
     "content: golem pebble: ability[1].effects[0].op: Invalid value 'explode'"),
    (b"range = 2,", b"", "content: golem pebble: ability[1].range: a ranged attack has a range"),
    (b"amount = 2 }", b'amount = 2, to = "moon" }',
     "content: golem pebble: ability[1].effects[0].to: Invalid enum value 'moon'"),
    (b'stat = "dot"', b'stat = "luck"',
     "content: ancient mountain: power[0].modifiers[0].stat: Invalid enum value 'luck'"),
    (b'factions = ["quarry"]', b'factions = ["mine"]',
     "content: ancient mountain: factions[0]: there is no faction mine"),
    (b'arcana = ["stone"]', b'arcana = ["mud"]', "content: faction quarry: arcana: no golem is of"),
    (b"colossus = 6", b"", "content: base_size: colossus: missing"),
    (b"[kill_vp]", b"[kill_points]", "content: kill_points: unknown;"),
    (b"[pack]", b"[pack", "content: this is no TOML"),
    (b"\nwarsprite = 1\n", b"\n", "content: base_size: warsprite: missing"),
    (b"region = 6", b"", "content: capacity: region: missing"),
    (b"construct = 1", b"", "content: kill_vp: construct: missing"),
    (b"plain = 1", b"", "content: walk_cost: plain: missing"),
    (b"ogre = 2, titan = 3, colossus = 4 }", b"titan = 3 }",
     "content: cover: ground: ogre, colossus missing"),
    (b'"100" = 3', b'"many" = 3', "content: ap_pool: many: must be a number"),
    (b'to = "self" }', b'to = "self" }, { op = "teleport" }',
     "content: golem pebble: ability[1].effects[2].op: only a power"),
    (b'to = "self" }', b'to = "self" }, { op = "step" }',
     "content: golem pebble: ability[1].effects[2].to: a free step is for the attacker"),
    (b'source = "house"\nability', b'source = "house"\npassive = [ { name = "X" } ]\nability',
     "content: golem pebble: passive[0]: has either stat or kind"),
    (b'kind = "curse", mana = 1, move = 1, modifiers = [ { stat = "dot", amount = 6 } ]',
     b'kind = "miracle", mana = 1, group = "own", effects = [ { op = "step" } ]',
     "content: ancient mountain: power[0].effects[0].op: not possible here"),
    (b"[[ancient]]", b'[[knight]]\nid = "k"\nname = "K"\napv = 1\nfactions = ["quarry"]\n'
     b'source = "house"\nability = [ { id = "roll", name = "R", class = "power", target = "self", '
     b'effects = [ { op = "construct" } ], range = 1, los = true } ]\n\n[[ancient]]',
     "content: knight k: ability: roll is an ability of golem pebble too"),
    (b"[[ancient]]", b'[[relic]]\nid = "r"\nname = "R"\nsize = 1\napv = 1\ncharges = 2\n'
     b'source = "house"\nability = { id = "up", name = "U", target = "region", range = 1, '
     b'effects = [ { op = "construct" } ] }\nconstruct = { name = "C", hp = 1, armor = 0, '
     b"dodge = 0 }\n\n[[ancient]]", "content: relic r: charges: a Construct is placed once"),
    (b'id = "toss"', b'id = "roll"', "content: golem pebble: ability: roll is there twice"),
    (b"[[ancient]]", b'[[relic]]\nid = "r"\nname = "R"\nsize = 1\napv = 1\ncharges = 1\n'
     b'source = "house"\nability = { id = "up", name = "U", target = "region", range = 1, '
     b'effects = [ { op = "construct" }, { op = "construct" } ] }\nconstruct = { name = "C", '
     b"hp = 1, armor = 0, dodge = 0 }\n\n[[ancient]]",
     "content: relic r: ability.effects: a Construct is placed once"),
]  # fmt: skip


@pytest.mark.parametrize(("was", "now", "error"), FAULTS)
def test_a_fault_in_the_cards_names_entry_and_field(was: bytes, now: bytes, error: str) -> None:
    assert was in CONTENT
    with pytest.raises(PackError) as caught:
        read_pack(CONTENT.replace(was, now, 1), BOARDS)
    assert any(line.startswith(error) for line in caught.value.errors), caught.value.errors


BOARD_FAULTS = [
    (b'"P Pm P"', b'"P Qm P"', "boards: scenario duel: board: 'Qm' is no terrain"),
    (b'[["1A"]]', b'[["7B"]]', "boards: scenario duel: board: '7B' is no face of a tile"),
    (b'at = "a1"', b'at = "d1"', "boards: scenario duel: army.west.golems[0].at: d1 is not on"),
    (b'type = "pebble", at = "a1"', b'type = "rock", at = "a1"',
     "boards: scenario duel: army.west.golems[0].type: there is no golem rock"),
    (b"rounds = 3", b"rounds = 0", "boards: scenario duel: rounds: must be limited"),
    (b"apv = 100", b"apv = 150", "boards: scenario duel: apv: the table of pools has no 150"),
    (b"rounds = 3", b'rounds = 3\nzone.north = ["a1"]', "boards: scenario duel: zone.north:"),
    (b"rounds = 3", b'rounds = 3\nwells = [ { at = "j9", start = 1, depleted = 1 } ]',
     "boards: scenario duel: wells[0].at: 'j9' is not on the board"),
    (b"rounds = 3", b"rounds = 3\nbuild = true", "boards: scenario duel: zone.west: missing"),
    (b'board = [["1A"]]', b'grid = ["P P", "P"]', "boards: scenario duel: grid: the rows must be"),
    (b'seats = ["west", "east"]', b'seats = ["west", "up"]',
     "boards: scenario duel: seats[1]: Invalid enum value 'up'"),
    (b"rounds = 3", b'rounds = 3\nencounter = [ { id = "x", name = "X", candidates = ["a1"], '
     b'effects = [ { op = "teleport" } ] } ]',
     "boards: scenario duel: encounter x.effects[0].op: not possible here"),
    (b"rounds = 3", b'rounds = 3\nquest = [ { id = "q", name = "Q", kind = "mana", amount = 1, '
     b"vp = 1 } ]", "boards: scenario duel: quest: every seat needs one of its own"),
    (b"rounds = 3", b"rounds = 3\nquest = [ " + b", ".join(
        b'{ id = "q%d", name = "Q", kind = "mana", amount = 1, vp = 1 }' % n for n in range(100)
     ) + b" ]", "boards: scenario duel: quest: at most 99"),
    (b'"P P P"]', b'"B P P"]', "boards: scenario duel: army.west.golems[0].at: a1 is blocking"),
    (b'board = [["1A"]]', b'grid = ["P P", "O3 P"]\narmy.north = { faction = "quarry", golems = ['
     b' { type = "pebble", at = "a1" }, { type = "pebble", at = "a1" }, { type = "pebble", at = '
     b'"a1" } ] }', "boards: scenario duel: army: Base Sizes of 4 in a1, which has room for 3"),
    (b'["mountain"]', b'["mountain", "mountain"]',
     "boards: scenario duel: army.west.ancients: mountain is there twice"),
    (b"apv = 100", b"apv = 9\nap = 3\nbuild = true",
     "boards: scenario duel: apv: no faction fields a Golem for 9"),
]  # fmt: skip


@pytest.mark.parametrize(("was", "now", "error"), BOARD_FAULTS)
def test_a_fault_in_the_boards_names_entry_and_field(was: bytes, now: bytes, error: str) -> None:
    assert was in BOARDS
    with pytest.raises(PackError) as caught:
        read_pack(CONTENT, BOARDS.replace(was, now, 1))
    assert any(line.startswith(error) for line in caught.value.errors), caught.value.errors


def test_all_faults_are_reported_at_once() -> None:
    content = CONTENT.replace(b"hp = 20", b"hp = 0").replace(b"mana = 1,", b"mana = -1,")
    with pytest.raises(PackError) as caught:
        read_pack(content, BOARDS.replace(b"set = 1", b"set = 0"))
    assert [line.split(":")[1].strip() for line in caught.value.errors] == [
        "golem pebble",
        "ancient mountain",
        "tile 1A",
    ]


def test_the_page_for_authors_has_every_word() -> None:
    page = (Path(__file__).parents[3] / "docs" / "packs.md").read_text()
    words = {*get_args(v.Stat), *get_args(v.When), *get_args(v.Mode), *get_args(v.Way)}
    for union in (v.AnyEffect, v.Ability, v.AncientPower, SecretQuest):
        words |= {kind.__struct_config__.tag for kind in get_args(union)}
    assert [word for word in sorted(words) if f"`{word}`" not in page] == []


def test_the_page_for_authors_has_every_key() -> None:
    page = (Path(__file__).parents[3] / "docs" / "packs.md").read_text()
    kinds = [cards.Faction, cards.GolemCard, cards.KnightCard, cards.RelicCard, cards.AncientCard]
    kinds += [cards.ConstructCard, cards.Tables, cards.Tile, cards.Scenario, cards.Well]
    kinds += [cards.Location, cards.Reserve, cards.Encounter, cards.EncounterChoice, cards.PackHead]
    kinds += [cards.Army, cards.MusteredGolem, v.Passive, v.Modifier, v.Aura]
    for union in (v.AnyEffect, v.Ability, v.AncientPower, SecretQuest):
        kinds += get_args(union)
    keys = {field.encode_name for kind in kinds for field in msgspec.structs.fields(kind)}
    missing = [key for key in sorted(keys) if not re.search(rf"[`\[. {{]{key}\b", page)]
    assert missing == []
