"""The client for JavaScript, and the board's own reckoning, run by Node."""

from pathlib import Path

import pytest

from domain.registry import GAMES
from tests.console.conftest import WEB, ConsoleService, node

EXAMPLE = WEB / "client" / "example.ts"


@pytest.mark.parametrize("game", ["agog", "res-arcana"])
def test_the_example_plays_a_match(game: str, served: ConsoleService) -> None:
    assert game in GAMES
    output = node("client/example.ts", served.url, game, "12").splitlines()
    assert output[0].startswith("1 A match of ")
    assert len(output) > 13
    assert "seed" in output[-1]
    assert ("draws" in output[-1]) == GAMES[game].has_chance
    assert "FIELD_INVALID: match_id: must be a valid UUID" in output


def test_the_example_is_short() -> None:
    code = [line for line in EXAMPLE.read_text().splitlines() if line.strip()]
    assert len(code) < 40


@pytest.mark.parametrize(
    "tests",
    sorted([*WEB.glob("board/*.test.ts"), *WEB.glob("client/*.test.ts")]),
    ids=lambda path: path.name,
)
def test_the_board_reckons_right(tests: Path) -> None:
    assert "# fail 0" in node("--test", "--test-reporter=tap", str(tests.relative_to(WEB)))
