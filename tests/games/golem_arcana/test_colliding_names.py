"""`e1` is a Golem of East and a Region of column e: which is meant, its place in an action says."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.cards import SEATS
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.pack_reading import read_pack
from domain.games.golem_arcana.content.vocabulary import Attack
from domain.games.golem_arcana.display.names import unit_name, unit_piece
from domain.games.golem_arcana.display.pointing import GolemPointing
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State
from domain.kernel.any_game import fold
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Accepted
from domain.stylus.tap_machine import Selection, StylusView, stylus_screen, tap
from tests.games.golem_arcana.test_readings import STARTS
from tests.hypothesis_settings import example_settings

BANNERS = Options(scenario="three-banners")


def banners(golems: str) -> State:
    """A battle of three in South's Turn, on a board that has a column e."""
    seats = "south:6:9:0:-;north:0:0:0:-;east:0:0:0:-"
    text = f"ga1 three-banners - R1 south {seats} {golems} - - - - - *"
    return GAME.read_position(text, BANNERS)


def armed(state: State, seat: str, *taps: str) -> str:
    """What Confirm would take after these taps; the rule of the last refusal if nothing."""
    moment, hand, refused = StylusView(GAME, state, (seat,)), Selection(), ""
    for each in taps:
        tapped = tap(moment, hand, each)
        hand, refused = tapped.hand, tapped.refusal.rule if tapped.refusal else ""
    found = stylus_screen(moment, hand).armed
    return refused or (found.label if found else "")


def test_a_golem_that_is_named_like_a_region_is_attacked_by_its_base() -> None:
    state = banners("s1=sand-lion@b2:50;n1=sand-lion@a6:50;e1=horned-blight@b2:60")
    bite = ("base s1", "card s1 bite")
    assert armed(state, "south", *bite, "base e1") == "attack s1 bite e1"
    assert armed(state, "south", *bite, "region b2") == "attack s1 bite e1"
    assert armed(state, "south", *bite, "region e1") == "ga.stylus.nothing"
    parts = GAME.parts(state, GAME.read_action("attack s1 bite e1"))
    attack = "South's Sand Lion s1 attacks East's Horned Blight e1 with Bite"
    assert parts.sentence == f"{attack}: 45 or less hits for 17 of its 60 HP"
    assert (parts.pieces, parts.spaces) == (("s1", "unit-e1"), ())
    scene = GAME.scene(state, "south")
    ids = [each.id for each in (*scene.spaces, *scene.pieces, *scene.zones)]
    assert len({*ids}) == len(ids)


def test_the_line_of_sight_is_drawn_to_where_the_golem_stands() -> None:
    state = banners("s1=prism-archer@b1:40;n1=sand-lion@a6:50;e1=horned-blight@b3:60")
    outcome = GAME.decide(state, "south", GAME.read_action("attack s1 shard-shot e1"))
    assert isinstance(outcome, Accepted)
    after = fold(GAME, state, outcome.facts)
    assert GAME.scene(after, "south").attributes["line_of_sight"].startswith("b1 to b3: ")


def test_an_area_attack_on_the_region_is_not_one_on_the_golem() -> None:
    state = banners("s1=mossback-elder@d1:130;n1=sand-lion@e1:50;e1=horned-blight@c1:60")
    cloud = "card s1 spore-cloud"
    assert armed(state, "south", cloud, "region e1") == "attack s1 spore-cloud e1"
    assert armed(state, "south", cloud, "base n1") == "attack s1 spore-cloud e1"
    assert armed(state, "south", cloud, "base e1") == "attack s1 spore-cloud c1"
    parts = GAME.parts(state, GAME.read_action("attack s1 spore-cloud e1"))
    attack = "South's Mossback Elder s1 attacks all in e1 with Spore Cloud"
    assert parts.sentence == (
        f"{attack}: to hit North's Sand Lion n1 at 64; who is hit takes 4 damage in each Upkeep "
        "for 3 Rounds"
    )
    assert (parts.pieces, parts.spaces) == (("s1",), ("e1",))


def test_a_refused_tap_on_a_region_is_not_about_the_golem() -> None:
    """Knit the Cracks is for one's own Golems near by: e1 is East's Region here, not its Golem."""
    state = banners("s1=sand-lion+ilbeth@b2:30;n1=sand-lion@a6:50;e1=horned-blight@b2:60")
    assert armed(state, "south", "card s1 knit-the-cracks", "region e1") == "ga.stylus.nothing"
    assert armed(state, "south", "card s1 knit-the-cracks", "base e1") == "ga.target.foe"


# --- all seats, all boards -----------------------------------------------------------------------

CAST = ("sand-lion", "prism-archer", "mossback-elder", "bramblehorn", "cinder-aurochs")
ORDERS = [order for many in (2, 3, 4) for order in permutations(SEATS, many)]
FIELDS = [
    (order, width, 2 + n % 8)
    for n, order in enumerate(ORDERS)
    for width in (2 + n % 24, 26)  # with as many columns as there are letters, and with fewer
]
"""Seats in each order, with a board that has so many columns and rows."""


def field(number: int) -> str:
    """A scenario on open ground."""
    seats, width, height = FIELDS[number]
    rows = "".join(f'  "{" ".join("P" * width)}",\n' for _ in range(height))
    armies = "".join(
        f'army.{seat} = {{ faction = "mercenary", golems = [ {{ type = "bramblehorn", at = '
        f'"{"ab"[n % 2]}{1 + n // 2}" }} ] }}\n'
        for n, seat in enumerate(seats)
    )
    listed = ", ".join(f'"{seat}"' for seat in seats)
    return (
        f'[[scenario]]\nid = "field-{number}"\nname = "Field"\nabout = "A field."\n'
        f'source = "house"\nseats = [{listed}]\napv = 1000\ngrid = [\n{rows}]\nrounds = 0\n'
        f'elimination = "win"\n{armies}'
    )


@pytest.fixture(scope="module")
def fields() -> Pack:
    """A pack with all these boards."""
    content = STARTS.with_suffix(".content.toml").read_bytes()
    return read_pack(content, "\n".join(map(field, range(len(FIELDS)))).encode())


@st.composite
def battles(draw: st.DrawFn) -> tuple[int, str]:
    """A field, and Golems on it where they like to stand: near each other, and where Regions are
    called like Golems."""
    number = draw(st.integers(0, len(FIELDS) - 1))
    seats, width, _ = FIELDS[number]
    columns = [chr(97 + n) for n in range(width)]
    columns = [c for c in columns if c in "snew"] + columns[:3]
    places = st.builds("{}{}".format, st.sampled_from(columns), st.integers(1, 2))
    golems = [
        f"{seat[0]}{n}={draw(st.sampled_from(CAST))}@{draw(places)}:40"
        for seat in seats
        for n in range(1, draw(st.integers(1, 3)) + 1)
    ]
    return number, ";".join(golems)


@example_settings(30, deadline=None)
@given(battle=battles(), yes=st.booleans())
def test_what_an_action_names_is_known_from_its_place(
    fields: Pack, battle: tuple[int, str], yes: bool
) -> None:
    number, golems = battle
    seats = FIELDS[number][0]
    purses = ";".join(f"{seat}:{6 * (seat == seats[0])}:0:0:-" for seat in seats)
    variants = "charge-area=yes" if yes else "-"
    text = f"ga1 field-{number} {variants} R1 {seats[0]} {purses} {golems} - - - - - *"
    try:
        state = GAME.read_position(text, Options(pack=fields, scenario=f"field-{number}"))
    except NotationError:  # too many in one Region
        return
    named: dict[tuple[str, str], set[str]] = {}
    for action in GAME.legal(state, seats[0]):
        if isinstance(action, a.Attack | a.Charge):
            ability = action.attack if isinstance(action, a.Charge) else action.ability
            named.setdefault((action.golem, ability), set()).update(means(state, action, ability))
    pointing = GolemPointing(state, seats[0], seats[0])
    for (golem, ability), things in named.items():
        following = pointing.narrow((f"base {golem}", f"card {golem} {ability}")).next
        assert {each for each in following if not each.startswith("card ")} == things


def means(state: State, action: a.Attack | a.Charge, ability: str) -> set[str]:
    """Targets tapped for an attack: the same thing is narrated and drawn."""
    battle, target = Battle(state), action.target
    attack = battle.abilities(action.golem)[ability]
    assert isinstance(attack, Attack)
    parts = GAME.parts(state, action)
    if attack.area:
        where = target
        foes = [unit for unit in battle.standing[target] if unit[0] != action.golem[0]]
        things = {f"region {target}", *(f"base {unit}" for unit in foes)}
        pieces, spaces = (action.golem,), (target,)
        assert f"all in {target}" in parts.sentence
    else:
        where = battle.where(target)
        things = {f"region {where}", f"base {target}"}
        pieces, spaces = (action.golem, target), ()
        assert unit_name(battle, target) in parts.sentence
    assert (parts.pieces, parts.spaces) == (
        tuple(unit_piece(battle, each) for each in pieces), spaces,
    )  # fmt: skip
    outcome = GAME.decide(state, GAME.turn(state)[0].seat, action)
    assert isinstance(outcome, Accepted)
    drawn = GAME.scene(fold(GAME, state, outcome.facts), "spectator").attributes["line_of_sight"]
    assert drawn.startswith(f"{battle.golem(action.golem).where} to {where}: ")
    return things


def test_the_boards_of_the_law_have_regions_called_like_golems(fields: Pack) -> None:
    for number, (seats, width, _) in enumerate(FIELDS):
        state = GAME.start(Options(pack=fields, scenario=f"field-{number}"))
        assert GAME.turn(state)[0].seat == seats[0]
        if width == 26:
            assert {"s1", "n1", "e1", "w1"} <= {*Battle(state).board.number}
