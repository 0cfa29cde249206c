"""Changes from one scene to the next: each piece that moves has a move, and none is created."""

from collections.abc import Callable
from functools import reduce
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.board import plane
from domain.games.tokars_arcana.facts import (
    Fact,
    ModelKilled,
    ModelMoved,
    ModelPlaced,
    ModelReturned,
    ModelsVanquished,
    ModelWithdrawn,
    PriestRevived,
    RowSlid,
    WindBlew,
)
from domain.games.tokars_arcana.state import Options, State
from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.kernel.rulings import Accepted, Refused
from domain.kernel.scene_changes import (
    PieceAppeared,
    PieceMoved,
    apply_changes,
    diff_scenes,
)
from tests.hypothesis_settings import example_settings

Route = tuple[str, str]


def routes(facts: tuple[Fact, ...]) -> set[Route]:
    """Where each piece that moves starts and ends, by the facts: in whole, where one continues from
    where another fact has left it."""
    came: dict[str, str] = {}
    for fact in facts:
        moved = dict(steps(fact))
        origins = {end: came.pop(start, start) for start, end in moved.items()}
        came |= origins
    return {(start, end) for end, start in came.items() if start != end}


def steps(fact: Fact) -> list[Route]:
    match fact:
        case ModelMoved(start, end):
            return [(start, end)]
        case RowSlid(start, end, swapped):
            return [(start, end), *((each.start, each.end) for each in swapped)]
        case WindBlew(pushed):
            return [(each.start, each.end) for each in pushed]
        case ModelPlaced(square):
            return [("air", square)]
        case PriestRevived(_, square):
            return [("angels", square)]
        case _:
            return []


def check_moves(state: State, seat: str, action: Action, facts: tuple[Fact, ...]) -> State:
    after = reduce(GAME.evolve, facts, state)
    before, now = GAME.scene(state, SPECTATOR), GAME.scene(after, SPECTATOR)
    renamed = GAME.piece_id_changes(ResolvedAction(seat, action, facts))
    assert {*renamed} <= {piece.id for piece in before.pieces}, renamed
    assert {*renamed.values()} <= {piece.id for piece in now.pieces}, renamed
    found = diff_scenes(before, now, renamed)
    context = (GAME.write_position(state), GAME.write_action(action), found)
    assert apply_changes(before, found) == now, context
    moved = {(each.start, each.end) for each in found if isinstance(each, PieceMoved)}
    killed = {f.square for f in facts if isinstance(f, ModelKilled | ModelWithdrawn)}
    on_board = {route for route in routes(facts) if route[1] not in killed}
    assert on_board <= moved, context
    for fact in facts:
        match fact:
            case ModelReturned(seat=owner, square=square) if square not in killed:
                assert (f"graveyard-{owner}", square) in moved, context
            case ModelsVanquished(squares):
                start = {end: start for start, end in routes(facts)}
                assert {(start.get(each, each), "air") for each in squares} <= moved, context
    # Who stands on the board came from somewhere, and who has left it lies in a graveyard.
    came = [each.now.where for each in found if isinstance(each, PieceAppeared)]
    assert not {*came} & {*plane(state.options.rows).squares}, context
    return after


@example_settings(4, deadline=None)
@given(st.randoms(use_true_random=True))
def test_in_a_match_every_model_that_goes_somewhere_is_moved(
    wandered: Callable[[Random], tuple[State, list[tuple[str, Action]]]], random: Random
) -> None:
    state, done = wandered(random)
    assert GAME.consequences is not None
    for seat, action in done:
        state = check_moves(state, seat, action, GAME.consequences(state, action))


@example_settings(25, deadline=None)
@given(st.randoms(use_true_random=True))
def test_so_it_is_anywhere(scattered: Callable[[Random], State], random: Random) -> None:
    state = scattered(random)
    assert GAME.consequences is not None
    seat = GAME.turn(state)[0].seat
    kinds: dict[type, list[Action]] = {}
    for action in GAME.legal(state, seat):
        kinds.setdefault(type(action), []).append(action)
    for actions in kinds.values():
        action = random.choice(actions)
        check_moves(state, seat, action, GAME.consequences(state, action))


def read(position: str) -> State:
    return GAME.read_position(position, Options())


def resolve(state: State, text: str) -> ResolvedAction[Action, Fact]:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    seat = GAME.turn(state)[0].seat
    done = GAME.decide(state, seat, action)
    assert isinstance(done, Accepted), done
    return ResolvedAction(seat, action, done.facts)


def played(position: str, text: str) -> State:
    state = read(position)
    return reduce(GAME.evolve, resolve(state, text).facts, state)


def moves_of(position: str, text: str) -> list[PieceMoved]:
    state = read(position)
    scenes = [GAME.scene(each, SPECTATOR) for each in (state, played(position, text))]
    found = diff_scenes(*scenes, GAME.piece_id_changes(resolve(state, text)))
    return [each for each in found if isinstance(each, PieceMoved)]


def seen(moves: list[PieceMoved]) -> set[tuple[str, str, str]]:
    return {(each.now.name, each.start, each.end) for each in moves}


def test_the_rest_of_a_queue_keep_their_names() -> None:
    air = "7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish:zms -"
    before, now = (GAME.scene(each, SPECTATOR) for each in (read(air), played(air, "place a1")))
    names = {piece.glyph: piece.id for piece in before.pieces}
    after = {piece.glyph: piece.id for piece in now.pieces}
    assert (names["z"], names["m"], names["s"]) == ("air-1", "air-3", "air-2")
    assert (after["z"], after["m"], after["s"]) == ("model-a1", "air-1", "air-2")
    assert seen(moves_of(air, "place a1")) == {("North's Zombie", "air", "a1")}


def test_all_whom_an_alchemist_passes_are_moved() -> None:
    row = "7n/8/8/8/8/8/8/B7/8/3Az1i1 - - south order -"
    assert seen(moves_of(row, "d1-g1")) == {
        ("South's Alchemist", "d1", "g1"),
        ("North's Zombie", "e1", "d1"),
        ("North's Imperial Warrior", "g1", "f1"),
    }


def test_a_trade_moves_one_from_the_graveyard() -> None:
    position = "7n/8/8/S**7/8/8/8/8/2TS4/2ZNM3 MTX - south order -"
    assert seen(moves_of(position, "d1 trade d2 a7 M d2")) == {
        ("South's Mummy", "graveyard-south", "d2"),
    }


def test_a_priest_goes_to_his_angel_and_comes_back_without_it() -> None:
    killed = moves_of("7n/8/8/8/8/4z3/4P3/8/8/7B - - north order -", "e5xe4")
    assert ("South's Priest of the Winds", "e4", "angels") in seen(killed)
    back = moves_of("7n/8/8/8/8/8/4z3/8/8/7B - - north revive:P -", "revive d3")
    assert seen(back) == {("South's Priest of the Winds without angel", "angels", "d3")}
