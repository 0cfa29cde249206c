"""The board in a terminal."""

from rich.console import Console

from domain.games.agog import GAME
from domain.kernel.scene import Piece, Scene, Zone
from services.cli.terminal.board import MARKED, paint

START = GAME.scene(GAME.start(GAME.options()), "white")


def shown(scene: Scene, *, colours: bool = False, **more: tuple[str, ...]) -> str:
    system = "truecolor" if colours else None
    console = Console(width=100, force_terminal=True, color_system=system, legacy_windows=False)
    with console.capture() as captured:
        console.print(paint(scene, **more))
    return captured.get()


def test_pieces_are_tiles_between_ranks_and_files() -> None:
    lines = [line.rstrip() for line in shown(START).splitlines()]
    assert lines[0].startswith("8       ▐g▌▐g▌▐g▌▐g▌▐g▌▐j▌    White to move")
    assert lines[7] == "1 ▐J▌▐G▌▐G▌▐G▌▐G▌▐G▌"
    assert lines[8] == "   a  b  c  d  e  f  g  h"


def test_tracks_and_events_are_shown_next_to_the_board() -> None:
    lines = shown(START, texts=("1 A match began.",)).splitlines()
    assert lines[1].rstrip().endswith("▐▌ Black  ▐▌ White")
    assert "    White: " in lines[2]
    assert lines[2].rstrip().endswith(" 0 of 20")
    assert any(line.rstrip().endswith("1 A match began.") for line in lines)


def test_the_spaces_of_the_last_action_are_marked() -> None:
    marked = "48;2;{};{};{}".format(*bytes.fromhex(MARKED.removeprefix("#")))
    assert marked not in shown(START, colours=True)
    assert shown(START, colours=True, marked=("a6", "b6")).count(marked) >= 2


def test_a_table_without_a_board_shows_its_zones() -> None:
    hand = Piece("p", "card", "P", "hand", "north", "Prism")
    scene = Scene("North to play", pieces=(hand,), zones=(Zone("hand", "North's hand", "north"),))
    assert "North's hand: Prism" in shown(scene)


def test_marked_spaces_are_shown_without_colors_too() -> None:
    lines = shown(START, marked=("a6", "b6")).splitlines()
    assert "[G]" in lines[2], lines[2]
    assert lines[3].startswith("5 ▐G▌▐G▌"), lines[3]
