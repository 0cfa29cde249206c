"""What holds of boards that sense their pieces in every game that has a board: what stands after a
legal action gives that action, whatever was lifted on the way and whatever a sensor made up."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import msgspec
import pytest
from hypothesis import given, settings

from domain.kernel.game import AnyGame
from domain.kernel.scene import Piece
from domain.registry import GAMES
from domain.stylus.boards import Board, changed, kind_of, signs_of, standing_in
from domain.stylus.scans import Boards, Next
from domain.stylus.taps import Hand, Moment, scan, show, tap
from services.client.simulated_board import board_of, on_the_way
from tests.test_every_tap import moments, seeds

STEPS = 20
TRIED = 12
SENSES: dict[str, Callable[[Piece], str]] = {
    "what it is": kind_of,
    "whose it is": lambda piece: piece.owner or "nobody",
    "that it is there": lambda _: "*",
    "which one it is": lambda piece: piece.id,
}
BOARDS = {slug: game for slug, game in GAMES.items() if slug != "res-arcana"}
WHOLE = ("agog", "tokars-arcana", "earthen-war")

every_board = pytest.mark.parametrize("game", BOARDS.values(), ids=BOARDS)


def nexts(game: AnyGame, seed: int) -> Iterator[tuple[Moment, Next, Random]]:
    """Actions of a random game, with what stands after them."""
    random = Random(seed)
    for moment, _ in moments(game, seed, STEPS):
        found = moment.boards.next
        for each in random.sample(found, min(TRIED, len(found))):
            yield moment, each, random


@every_board
@settings(max_examples=2)
@given(seed=seeds)
def test_what_stands_after_an_action_gives_that_action(game: AnyGame, seed: int) -> None:
    for moment, action, random in nexts(game, seed):
        hand, touched, before = Hand(), frozenset[str](), board_of(moment.scene)
        assert moment.boards.read(before).agrees
        for board in on_the_way(moment, action, random):
            touched |= {space for space in board if board[space] != before[space]}
            hand, read = scan(moment, hand, board, touched)
            before = board
        alike = [n for n in moment.boards.next if not changed(n.standing, action.standing)]
        asked = next(ask for ask in game.turn(moment.state) if ask.seat == moment.seat)
        if asked.chance and len(alike) > 1:
            assert not read.leads, "nobody guesses what dice showed"
            continue
        # All that it could be, and nothing else; what Confirm takes if it could be one thing only.
        assert set(read.leads) <= {each.notation for each in alike}
        assert len(read.leads) == min(len(alike), 36)
        armed = show(moment, hand).armed
        deliberate = game.parts(moment.state, action.action).deliberate
        if len(alike) == 1:
            assert (armed is None) == deliberate
        chosen = hand if armed else choose(moment, hand, read.leads.index(alike[0].notation))
        assert tap(moment, chosen, "button confirm").action == alike[0].action


def choose(moment: Moment, hand: Hand, at: int) -> Hand:
    """Turn to a rune of the list, and tap it."""
    for _ in range(at // 6):
        hand = tap(moment, hand, "button page").hand
    return tap(moment, hand, f"cc rune {at % 6 + 1}").hand


@every_board
def test_a_board_shows_one_of_many_positions(game: AnyGame) -> None:
    """Put before all positions of a game, a board is known to show those that stand as it does."""
    stand = [moment for moment, _ in islice(moments(game, 5, STEPS), STEPS)]
    boards = [board_of(moment.scene) for moment in stand]
    for board in boards:
        shown = [at for at, moment in enumerate(stand) if moment.boards.shows(board)]
        alike = [at for at, other in enumerate(boards) if _alike(other, board)]
        assert shown == (alike if any(board.values()) else [])  # nothing on it shows nothing
        few = dict(islice(board.items(), len(board) // 2 - 1))
        strange = {**board, "nowhere": ()}
        assert not any(m.boards.shows(b) for m in stand for b in (few, strange, {}))


def _alike(one: Board, other: Board) -> bool:
    return all(sorted(one[space]) == sorted(other[space]) for space in one)


@every_board
@pytest.mark.parametrize("sense", SENSES.values(), ids=SENSES)
def test_a_board_that_knows_less_finds_no_less(
    game: AnyGame, sense: Callable[[Piece], str]
) -> None:
    for moment, action, _ in islice(nexts(game, 7), 150):
        if sense(Piece("x", "", "", "")) == "x" and game.renamed.__name__ != "_nothing_renamed":
            continue  # ids that name the place say nothing of what came there
        read = moment.boards.read(board_of(action.scene, sense), action.changed)
        chance = any(a.chance for a in game.turn(moment.state) if a.seat == moment.seat)
        assert action.notation in read.leads or read.agrees or chance
        assert not read.agrees or sense is not kind_of


@every_board
def test_a_board_says_what_differs_until_it_agrees(game: AnyGame) -> None:
    for moment, action, _ in islice(nexts(game, 11), 40):
        board = {k: list(v) for k, v in board_of(action.scene).items()}
        for step in moment.boards.read(board_of(action.scene)).steps:
            assert step.sentence
            if step.stands:
                board[step.stands].remove(step.sign)
            if step.belongs:
                board[step.belongs].append(step.sign)
        assert moment.boards.read({k: tuple(v) for k, v in board.items()}).agrees


@pytest.mark.parametrize("slug", WHOLE)
def test_a_whole_board_tells_every_action_that_moves_anything(slug: str) -> None:
    game = GAMES[slug]
    for moment, _ in moments(game, 3, 40):
        moving = {each.notation for each in moment.boards.next}
        before = standing_in(moment.scene)
        for action in islice(game.legal(moment.state, moment.seat), 300):
            outcome = game.decide(moment.state, moment.seat, action)
            after = game.look(_folded(game, moment.state, outcome), moment.viewer)
            stirs = bool(changed(before, standing_in(after))) and not game.aside(action)
            assert stirs == (game.write_action(action) in moving)


def _folded(game: AnyGame, state: object, outcome: object) -> object:
    for fact in outcome.facts:  # type: ignore[attr-defined]  # what is legal is accepted
        state = game.evolve(state, fact)
    return state


def test_spaces_that_a_board_does_not_watch_are_compared_with_nothing() -> None:
    game = GAMES["earthen-war"]
    state = game.start(msgspec.convert({}, game.options))
    golems = {"c0": ("white/golem",), "d7": ("black/golem",), "d4": ()}
    boards = Boards(game, state, "white", "white")
    assert boards.read(golems).agrees
    assert not boards.read(golems | {"d4": ("*",)}).agrees


def test_pieces_on_one_space_are_told_apart_by_the_most_exact_signs() -> None:
    golem = Piece("s1", "ogre", "o", "c4", owner="south")
    other = Piece("s2", "ogre", "o", "c4", owner="south")
    assert signs_of(golem) == ("s1", "south/ogre", "south", "*")
    game = GAMES["golem-arcana"]
    boards = Boards(game, game.start(msgspec.convert({}, game.options)), "", "spectator")
    boards._standing = {"c3": (golem, other)}
    for signs in (("*", "s1"), ("south", "s2"), ("south/ogre", "south/ogre"), ("s1", "s2")):
        assert boards.read({"c3": signs}).agrees, signs
    for signs in (("s1", "s1"), ("*",), ("north", "*"), ("s1", "s2", "*")):
        assert not boards.read({"c3": signs}).agrees, signs
