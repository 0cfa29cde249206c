"""A seat that gives up is out: its Golems stay, its Turns are over, the others play on.

`docs/rulings/golem-arcana.md` has the rulings; the match's part is `domain.match.resign`.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.battle.sides import teams_of
from domain.games.golem_arcana.content.packs import BANNERS, CORE
from domain.games.golem_arcana.options import Options
from domain.kernel.any_game import fold
from domain.kernel.game import ResolvedAction
from domain.kernel.rulings import Accepted, Refused
from domain.match import Audit, Changeset, MatchSetup, act, create, resign, roles
from tests.command_contexts import context_at
from tests.games.golem_arcana.conftest import Table
from tests.games.golem_arcana.invariants import broken

THREE = "south:{ap}:0:0:-;north:0:0:0:-;east:0:0:0:-"
GOLEMS = "s1=sand-lion@a1:50;n1=horned-blight@a5:60;e1=bramblehorn@i2:45"


@pytest.fixture
def three(at: Callable[..., Table]) -> Callable[..., Table]:
    """South, North and East, each for itself; South to move with 4 Action Points."""

    def set_up(golems: str = GOLEMS, **more: str | int) -> Table:
        more.setdefault("seats", THREE.format(ap=4 if more.get("turn", "south") == "south" else 0))
        return at(golems, scenario="three-banners", **more)

    return set_up


def gives_up(table: Table, seat: str) -> Table:
    """What the match does when a seat resigns, or its clock runs out."""
    assert GAME.forfeit is not None
    answer = GAME.forfeit(table.state, seat)
    table.facts, table.rulings = answer.facts, answer.rulings
    table.state = fold(GAME, table.state, answer.facts)
    return table


# --- Turns ---------------------------------------------------------------------------------------


def test_its_turn_ends_at_once_and_its_golems_stay(three) -> None:
    table = gives_up(three(), "south")
    assert table.field(6) == "south:0:4:0:-:out;north:4:0:0:-;east:0:0:0:-"
    assert table.asked == "north"
    assert table.unit("s1") == "sand-lion@a1:50"
    assert table.figures("ga.resign.out") == {"seat": "south"}
    assert GAME.read_position(table.position, Options(scenario="three-banners")) == table.state


def test_it_is_passed_over_from_then_on_and_what_it_did_runs_out(three) -> None:
    slow = GOLEMS.replace("i2:45", "i2:45!sand-lion.hamstring:dodge:-15:1:south")
    table = gives_up(three(slow, turn="east", seats=THREE.format(ap=0)), "south")
    assert table.asked == "east"
    table.do("end")
    assert (table.field(4), table.asked) == ("R2", "north")
    assert table.unit("e1") == "bramblehorn@i2:45"


def test_its_upkeep_gives_it_nothing(three) -> None:
    """Who is out does not hold places; its Golems keep others from holding them."""
    golems = "s1=sand-lion@e4:50;n1=horned-blight@e4:60;e1=bramblehorn@i2:45"
    table = gives_up(three(golems), "south").do("end", "end")
    assert [table.purse(seat)[2] for seat in ("south", "north", "east")] == [0, 0, 0]


def test_it_is_nobody_to_be_asked_and_has_nothing_to_do(three) -> None:
    table = gives_up(three(), "south")
    assert list(GAME.legal(table.state, "south")) == []
    assert table.refused("end", by="south") == "ga.turn.not-yours"
    assert GAME.resigned_seats is not None
    assert GAME.resigned_seats(table.state) == ("south",)


def test_its_golems_are_enemies_as_before(three) -> None:
    golems = "s1=horned-blight@a1:5;n1=sand-lion@a1:50;e1=bramblehorn@i2:45"
    table = gives_up(three(golems), "south")
    assert "attack n1 bite s1" in table.legal("attack")
    table.do("attack n1 bite s1", "dice 00")
    assert table.purse("north")[2] == 1
    assert table.purse("south")[1] > 4  # the Mana of the destroyed is its own all the same


# --- questions -----------------------------------------------------------------------------------


def test_dice_that_it_has_not_rolled_strike_no_blow_and_a_charge_stays(three) -> None:
    golems = "s1=sand-lion@a1:50;n1=horned-blight@c1:60;e1=bramblehorn@i2:45"
    table = three(golems).do("charge s1 bite walk n1")
    assert table.field(12) == "croll/s1/bite/n1,advance/s1/walk/b1-c1"
    gives_up(table, "south")
    assert (table.unit("s1"), table.unit("n1")) == (
        "sand-lion@a1:50%walk.1.1",
        "horned-blight@c1:60",
    )
    assert (table.field(12), table.asked) == ("-", "north")
    assert table.figures("ga.resign.least") == {}


def test_whom_it_would_displace_stays(three) -> None:
    golems = "s1=sand-lion@a1:50;n1=horned-blight@c1:60;e1=bramblehorn@i2:45"
    table = three(golems).do("charge s1 bite walk n1", "dice 30")
    assert table.field(12).startswith("displace/n1")
    gives_up(table, "south")
    assert table.unit("n1").startswith("horned-blight@c1")
    assert table.asked == "north"


def test_what_is_asked_of_another_is_still_asked(three) -> None:
    """South's Turn is over when East has said where its Golem goes."""
    golems = "s1=sand-lion@a1:50;n1=horned-blight@a5:60;e1=bramblehorn@c1:45"
    table = three(golems, todo="displace/e1/choose/1/a1/east,step/s1")
    gives_up(table, "south")
    assert (table.asked, table.field(5)) == ("east", "south")
    assert table.do("displace d1").asked == "north"
    assert table.unit("s1").startswith("sand-lion@a1")


def test_a_seat_that_is_out_in_another_s_turn_is_answered_for(three) -> None:
    golems = "s1=sand-lion@a1:50;n1=horned-blight@a5:60;e1=bramblehorn@c1:45"
    table = three(golems, todo="displace/e1/choose/1/a1/east")
    assert table.asked == "east"
    gives_up(table, "east")
    assert (table.asked, table.unit("e1")) == ("south", "bramblehorn@c1:45")


def test_who_is_out_before_the_battle_deploys_nobody_and_starts_nothing(start) -> None:
    table = start(scenario="three-banners")
    assert table.asked == "south"
    gives_up(table, "south")
    assert {golem.where for name, golem in table.state.golems.items() if name[0] == "s"} == {"off"}
    assert table.asked == "north"
    while table.state.round == 0:
        table.do(table.legal("deploy")[0])
    assert table.asked == "north"


def test_no_quest_is_dealt_to_who_is_out(start) -> None:
    table = start(scenario="crossed-errands", pack=BANNERS).do("hide 1", "hide 1")
    gives_up(table, "west").do("quest 1", by="south")
    assert table.asked == "north"
    assert "west" not in table.state.quests


# --- the end -------------------------------------------------------------------------------------


def test_the_last_one_left_has_won(three) -> None:
    table = gives_up(gives_up(three(), "east"), "south")
    assert table.field(13) == "win:north"
    result = GAME.result(table.state)
    assert result is not None
    assert (result.winners, result.reason) == (("north",), "resign")
    assert table.figures("ga.end.last")["left"] == "north"
    assert GAME.scene(table.state, "south").attributes["out"] == "South, East"
    assert GAME.read_position(table.position, Options(scenario="three-banners")) == table.state


def test_the_last_with_golems_has_won_by_the_scenario_s_rule(three) -> None:
    """Three Banners: Victory Points count where the last army does not lead (GA-R38)."""
    golems = "s1=sand-lion@a1:50;e1=bramblehorn@i2:45"
    seats = "south:4:0:0:-;north:0:0:2:-;east:0:0:1:-"
    assert gives_up(three(golems, seats=seats), "east").field(13) == "win:north"
    seats = "south:4:0:0:-;north:0:0:0:-;east:0:0:1:-"
    assert gives_up(three(golems, seats=seats), "east").field(13) == "win:south"


def test_who_is_out_does_not_win_by_points(three) -> None:
    seats = "south:0:0:5:-;north:0:0:1:-;east:4:0:0:-"
    table = gives_up(three(turn="east", rounds=6, seats=seats), "south").do("end")
    assert table.field(13) == "win:north"


def test_a_partner_plays_on_and_wins_for_itself_with_the_points_of_both(three) -> None:
    seats = "south:0:0:2:-;north:0:0:3:-;east:4:0:2:-"
    table = three(turn="east", rounds=6, seats=seats, options="teams=south+east")
    gives_up(table, "south")
    assert table.asked == "east"
    assert table.do("end").field(13) == "win:east"


def test_the_side_that_is_left_has_won(three) -> None:
    assert gives_up(three(options="teams=south+east"), "north").field(13) == "win:south+east"
    table = gives_up(three(options="teams=south+east"), "south")
    assert GAME.result(table.state) is None
    assert gives_up(table, "east").field(13) == "win:north"


@pytest.mark.parametrize(
    ("seats", "turn", "why"),
    [
        ("south:0:0:0:-:out;north:0:0:0:-;east:0:0:0:-", "south", "it has no Turn"),
        ("south:0:0:0:-:out;north:0:0:0:-:out;east:4:0:0:-", "east", "it has won"),
        ("south:0:0:0:out;north:0:0:0:-;east:4:0:0:-", "east", "who|Ancient One"),
    ],
)
def test_an_impossible_position_is_refused(three, seats: str, turn: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        three(turn=turn, seats=seats)


# --- laws ----------------------------------------------------------------------------------------

ARENAS = ((CORE, "three-banners"), (BANNERS, "four-banners"), (BANNERS, "crossed-errands"))


@given(st.sampled_from(ARENAS), st.randoms(use_true_random=True))
def test_a_battle_continues_after_any_resignation(arena, chance: Random) -> None:
    pack, scenario = arena
    seats = pack.scenarios[scenario].seats
    chosen = {"pack": pack, "scenario": scenario, "teams": chance.choice(teams_of(seats))}
    options = msgspec.convert(chosen, Options)
    state = GAME.start(options)
    for _ in range(60):
        before, out = state, GAME.resigned_seats(state)
        left = [seat for seat in seats if seat not in out]
        if chance.random() < 0.06:
            seat = chance.choice(left)
            answer = GAME.forfeit(state, seat)
            resolved = ResolvedAction(seat, None, answer.facts, answer.rulings)
            assert GAME.redact(resolved, "referee") == resolved
        else:
            asked = GAME.turn(state)[0].seat
            assert asked not in out, GAME.write_position(state)
            answer = GAME.decide(state, asked, chance.choice(list(GAME.legal(state, asked))))
        assert isinstance(answer, Accepted)
        state = fold(GAME, state, answer.facts)
        assert not list(broken(before, state)), GAME.write_position(state)
        assert GAME.read_position(GAME.write_position(state), options) == state
        if (result := GAME.result(state)) is not None:
            assert not {*result.winners} & {*GAME.resigned_seats(state)}
            return
        assert len({*seats} - {*GAME.resigned_seats(state)}) > 1


@pytest.mark.parametrize("seat", ["south", "north", "east"])
def test_a_match_continues_and_is_sound(seat: str) -> None:
    options = msgspec.convert({"scenario": "three-banners"}, Options)
    command_context = context_at(datetime(2026, 11, 22, tzinfo=UTC), "request")
    keys = {role: f"{role}-key" for role in roles(GAME, options)}
    changeset = create(MatchSetup(GAME, options), UUID(int=1), keys, command_context)
    log, match, chance = [*changeset.events], changeset.state, Random(5)
    for number in range(60):
        if number == 30:
            changeset = resign(match, seat, command_context)
        else:
            asked = match.prompts[0].seat
            legal = list(GAME.legal(match.position, asked))
            changeset = act(match, asked, chance.choice(legal), command_context)
        assert isinstance(changeset, Changeset), changeset
        log += changeset.events
        match = changeset.state
    assert match.out == (seat,)
    assert match.result is None
    audit = Audit()
    assert [finding for sealed in log for finding in audit.take(sealed)] == []
    assert not isinstance(resign(match, seat, command_context), Changeset | Refused)
