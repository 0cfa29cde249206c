"""Content packs: cards as data, checked when they are loaded, named by their hash."""

from hashlib import sha256
from importlib.resources import files

import msgspec
import pytest

from domain.games import res_arcana
from domain.games.res_arcana import GAME
from domain.games.res_arcana.actions import Gain
from domain.games.res_arcana.bundles import total
from domain.games.res_arcana.pack_checks import PackError
from domain.games.res_arcana.packs import BASE, read_pack
from domain.games.res_arcana.state import Options
from domain.kernel.any_game import fold, read_options
from domain.kernel.game import ResolvedAction
from domain.kernel.rulings import Accepted, Refused

FILE = files(res_arcana).joinpath("res-arcana.cards.toml").read_text()

WEAVER = """
[[artifact]]
id = "dream-weaver"
name = "Dream Weaver"
type = ["creature"]
cost = "1c1*"
collect = { any = 1, of = "cd" }
power = [
  { turn = true, pay = "1c", do = [ { put = "1g" }, { rivals = "1l" }, { draw = 1 } ] },
  { turn = true, take = "1g", do = [
    { any = 2, of = "lcd" }, { loss = 1, ignore = { discard = 1 } } ] },
]
"""
GROWN = FILE.replace("artifact = 40", "artifact = 41") + WEAVER


def test_the_base_pack_is_named_by_the_hash_of_its_file_for_ever() -> None:
    # Matches in the log pin this hash. To change a card is to make another pack.
    assert BASE.digest == "fd94b26a48da1994396192b2c304b9b5316bec1417b216dc8ace79014951bfc5"
    assert sha256(FILE.encode()).hexdigest() == BASE.digest
    assert Options().pack is BASE


def test_the_base_pack_has_78_components() -> None:
    pack = BASE
    kinds = (pack.items, pack.mages, pack.artifacts, pack.monuments, pack.places)
    assert [len(kind) for kind in kinds] == [8, 10, 40, 10, 10]
    assert pack.monument_cost == "4g"


def test_a_match_pins_its_pack_and_an_unknown_one_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"there is no content pack 0+ here"):
        read_options(GAME, {"pack": "0" * 64})
    with pytest.raises(msgspec.ValidationError):
        read_options(GAME, {"pack": "base"})


def play(options: Options, position: str, *lines: str) -> str:
    state = GAME.read_position(position, options)
    for line in lines:
        seat, _, text = line.partition(" ")
        action = GAME.read_action(text)
        assert not isinstance(action, Refused)
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted), outcome
        state = fold(GAME, state, outcome.facts)
    return GAME.write_position(state)


POSITION = (
    "ra1 t1 r3 north north act divination - great-pyramid,library oracle,temple"
    " north/in/2e2c/research,scholar/dream-weaver/hawk/-/-/-/-"
    " east/in/1l/alchemy,seer/vault/-/-/-/-/-"
)


def test_adding_a_card_is_adding_data() -> None:
    options = Options(pack=read_pack(GROWN.encode()))
    placed = play(options, POSITION, "north play dream-weaver 1e1c")
    assert "/in/1e1c/dream-weaver,research,scholar/" in placed
    used = play(
        options,
        POSITION,
        "north play dream-weaver 1e1c",
        "east discard vault 1g",
        "north use dream-weaver 1",
    )
    assert "north/in/1e/dream-weaver*:1g,research,scholar/hawk/-/" in used
    assert "east/in/2l1g/" in used
    # Without the pack that has it there is no such card.
    with pytest.raises(ValueError, match="dream-weaver is no card"):
        play(Options(), POSITION)


def test_a_card_of_an_added_pack_is_named_by_its_pack_everywhere() -> None:
    renamed = GROWN.replace('name = "Dream Weaver"', 'name = "Weaver of Dreams"')
    options = Options(pack=read_pack(renamed.encode()))
    position = POSITION.replace(
        "research,scholar/dream-weaver", "dream-weaver:1g,research,scholar/-"
    )
    state = GAME.read_position(position.replace("/in/1l/", "/in/1e1l/"), options)
    action = GAME.read_action("use dream-weaver 2")
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, "north", action)
    assert isinstance(outcome, Accepted)
    after = fold(GAME, state, outcome.facts)
    narration = GAME.narrate(
        state, ResolvedAction("north", action, outcome.facts, outcome.rulings), after
    )
    assert GAME.groups is not None
    groups = [group.write_sentence() for group in GAME.groups(state, "north")]
    losing = GAME.decide(after, "north", Gain("2d"))
    assert isinstance(losing, Accepted)
    own = GAME.decide(fold(GAME, after, losing.facts), "east", action)
    assert isinstance(own, Refused)
    for text in (
        narration.outcome,
        narration.facts[1],
        GAME.parts(state, action).sentence,
        next(sentence for sentence in groups if "take 1 gold" in sentence),
        GAME.caption(fold(GAME, after, losing.facts), "east"),
        own.why,
        next(p.description for p in GAME.scene(state, "east").pieces if p.id == "dream-weaver"),
    ):
        assert "Weaver of Dreams" in text
        assert "Dream Weaver" not in text


def test_effects_that_ask_follow_each_other_in_order() -> None:
    options = Options(pack=read_pack(GROWN.encode()))
    position = POSITION.replace(
        "research,scholar/dream-weaver", "dream-weaver:1g,research,scholar/-"
    )
    asked = play(options, position, "north use dream-weaver 2")
    assert " gain.north.2.lcd>loss.east.1.dream-weaver.2 " in asked
    assert " loss.east.1.dream-weaver.2 " in play(
        options, position, "north use dream-weaver 2", "north gain 2d"
    )


def test_a_pack_that_is_read_again_is_equal() -> None:
    again = read_pack(FILE.encode())
    assert again is not BASE
    assert (again, hash(again)) == (BASE, hash(BASE))
    assert again != read_pack(GROWN.encode())


WRONG = [
    ('cost = "1l4d"', 'cost = "4d1l"', "bone-dragon: cost"),
    ('cost = "1l4d"', "cost = 5", "bone-dragon: cost"),
    ('cost = "1l4d"', "", "bone-dragon: cost"),
    ('cost = "1l4d"', 'cost = "1l4d"\ncolour = "white"', "bone-dragon: colour"),
    ('type = ["dragon"]\ncost = "1l4d"', 'type = ["wyrm"]\ncost = "1l4d"', "bone-dragon: type"),
    ('type = ["dragon"]\ncost = "1l4d"', 'type = ["dragon", "dragon"]\ncost = "1l4d"',
     "bone-dragon: type"),
    ("{ put = \"2e\" } ] },\n  { turn = true, take = \"6e\"",
     "{ putt = \"2e\" } ] },\n  { turn = true, take = \"6e\"", "athanor: power[0].do[0]"),
    ('take = "6e", same = true', 'take = "6e"', "athanor: power[1].do[0]"),
    ('{ loss = 2, ignore = { pay = "1d" } }', '{ loss = 0, ignore = { pay = "1d" } }',
     "bone-dragon: power[0].do[0].loss"),
    ('{ loss = 2, ignore = { pay = "1d" } }', '{ loss = 2, ignore = { pay = "1x" } }',
     "bone-dragon: power[0].do[0].ignore.pay"),
    ('{ loss = 2, ignore = { pay = "1d" } }', "{ loss = 2 }, { loss = 1 }",
     "bone-dragon: power[0].do"),
    ('{ gain = "3e" }, { rivals = "1e" }', '{ any = 3, of = "e" }, { rivals = "1e" }',
     "fiery-whip: power[0].do[1]"),
    ('pay = "1*", pay_of = "lcg"', 'pay = "1*", same = true, pay_of = "lcg"',
     "mermaid: power[0].pay_of"),
    ('while_turned = true, pay = "1e"', 'while_turned = true, turn = true, pay = "1e"',
     "guard-dog: power[0].while_turned"),
    ('turn = true, destroy = "artifact", do', "turn = true, do", "corrupt-altar: power[1].do[0]"),
    ('do = [ { put = "1d" }, { ignore = true } ]', 'do = [ { put = "1d" } ]',
     "dancing-sword: react.do"),
    ('do = [ { put = "1d" }, { ignore = true } ]', 'do = [ { gain = "1d" }, { ignore = true } ]',
     "dancing-sword: react.do[0]"),
    ('to = "check", turn = true, pay = "3g"', 'to = "check"', "golden-statue: react.turn"),
    ('to = "check", turn = true', 'to = "check", from = "dragon", turn = true',
     "golden-statue: react.from"),
    ("on_claim = [ { any = 6", "on_claim = [ { look = 3 }, { any = 6", "obelisk: on_claim[0]"),
    ('stored = { has = "g", any = 2, of = "elcd" }', 'stored = { has = "g" }', "vault: stored.any"),
    ('stored = { has = "g", any = 2, of = "elcd" }', "stored = { any = 2 }", "vault: stored.has"),
    ('{ loss = 2, ignore = { pay = "1d" } }', '{ loss = 2, ignore = { pay = "1d", discard = 1 } }',
     "bone-dragon: power[0].do[0]: a loss is ignored at one price"),
    ('or = "turn"', 'or = "destroy"', "cursed-forge: upkeep.or"),
    ('id = "colossus"\nname = "Colossus"\ncost = "4g"', 'id = "colossus"\nname = "C"\ncost = "3g"',
     "golden-statue: cost"),
    ('id = "crypt"', 'id = "athanor"', "athanor: id"),
    ('cost = "1l4d"', 'cost = "1l4d16*"', "bone-dragon: cost: 21 essences are too many"),
    ('{ put = "1d" }, { ignore', '{ put = "21d" }, { ignore', "dancing-sword: react.do[0].put"),
    ('id = "crypt"', 'id = "Crypt"', "Crypt: id"),
    ('id = "crypt"', 'id = "top"', "top: id"),
    ('tile = 1\nside = "a"', 'tile = 1\nside = "b"', "sacred-grove: side"),
    ('tile = 1\nside = "a"', 'tile = 6\nside = "a"', "sacred-grove: tile"),
    ("item = 8", "item = 9", "pack: counts.item"),
    ("[token]", "[coins]", "pack: coins"),
    ("points = 1\nsource", 'points = "1"\nsource', "token: points"),
    ("[pack]", "[pack", "pack: the file is no TOML"),
    ('power = [ { turn = true, do = [ { gain = "1g" } ] } ]',
     'power = [ { destroy = "self", do = [ { gain = "1g" } ] } ]',
     "solomons-mine: power[0].destroy"),
    ('do = [ { put_paid = "self" } ]', 'do = [ { ignore = true } ]', "windup-man: power[0].do[0]"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "named"), WRONG, ids=[case[2] for case in WRONG])
def test_an_unsound_pack_is_refused_with_the_card_and_the_field(
    right: str, wrong: str, named: str
) -> None:
    assert right in FILE
    with pytest.raises(PackError) as error:
        read_pack(FILE.replace(right, wrong, 1).encode())
    assert str(error.value).startswith(named), error.value
    assert len(str(error.value)) > len(named) + 10


@pytest.mark.parametrize("kind", ["item", "mage", "artifact", "monument", "place"])
def test_a_pack_has_enough_cards_for_four_players(kind: str) -> None:
    head = FILE.partition(f"[[{kind}]]")[0].replace("counts = {", "counts = {} # {")
    with pytest.raises(PackError, match=r"too few|has no side"):
        read_pack(head.encode())


def test_bytes_that_are_no_text_are_no_pack() -> None:
    with pytest.raises(PackError):
        read_pack(b"\xff\xfe")


def test_a_pool_holds_no_more_than_a_bundle_can_say() -> None:
    """Nine digits: what would go beyond is lost."""
    assert total("999999998e", "1e") == "999999999e"
    assert total("999999999e", "5e2g") == "999999999e2g"
