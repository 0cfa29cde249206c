"""Themes of the table are read strictly from the files of a game's package."""

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from domain.kernel.table_theme import SymbolInfo, read_theme
from domain.kernel.theme import Ground

DRAWINGS = '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="{}" viewBox="0 0 1 1"/></svg>\n'


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "themed_game"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    sys.modules.pop("themed_game", None)


def test_a_theme_has_the_drawings_of_both_files(package: Path) -> None:
    (package / "theme.toml").write_text(
        'move_list = "columns"\n[grounds.sand]\nfill = "#ead9b9"\n[symbols.gold]\nname = "gold"\n'
        "precious = true\n"
    )
    (package / "symbols.svg").write_text(DRAWINGS.format("sand"))
    (package / "symbols.icons.svg").write_text(DRAWINGS.format("game-icons:coins"))
    theme = read_theme("themed_game")
    assert theme.move_list == "columns"
    assert theme.grounds == {"sand": Ground("#ead9b9")}
    assert theme.symbols == {"gold": SymbolInfo("gold", precious=True)}
    assert theme.sprite.count("<svg") == theme.sprite.count("</svg>") == 1
    assert '"sand"' in theme.sprite
    assert '"game-icons:coins"' in theme.sprite


@pytest.mark.parametrize(
    "text",
    [
        "colour = 1",
        "[grounds.sand]\nfill = '#fff'\nshade = '#000'",
        "[tokens.golem]\nsize = 'big'",
        "[verbs.move]\nname = 'Move'\ngait = 'crawl'",
    ],
)
def test_a_theme_with_unknown_fields_or_values_is_refused(package: Path, text: str) -> None:
    (package / "theme.toml").write_text(text)
    with pytest.raises(msgspec.ValidationError):
        read_theme("themed_game")


def test_drawings_are_one_element(package: Path) -> None:
    (package / "theme.toml").touch()
    (package / "symbols.svg").write_text("<g/>")
    with pytest.raises(ValueError, match="one <svg> element"):
        read_theme("themed_game")
