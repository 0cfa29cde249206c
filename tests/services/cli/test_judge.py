"""`emeth judge`: the page as one file, where it is built."""

from pathlib import Path

import pytest

from services.cli.commands import judge
from services.files import JUDGE_FILE
from tests.services.cli.conftest import Emeth


def test_the_page_is_written_as_it_was_built(emeth: Emeth, tmp_path: Path) -> None:
    file = tmp_path / "judge.html"
    done = emeth("judge", "--html", file)
    assert done.exit_code == 0, done.output
    assert file.read_bytes() == JUDGE_FILE.read_bytes()
    assert "open it in a browser" in done.output


def test_where_it_is_not_built_the_command_says_how(
    emeth: Emeth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "JUDGE_FILE", tmp_path / "none")
    done = emeth("judge", "--html", tmp_path / "judge.html")
    assert done.exit_code != 0
    assert "make judge" in done.output
    assert not (tmp_path / "judge.html").exists()


def test_a_place_that_cannot_be_written_is_told(emeth: Emeth, tmp_path: Path) -> None:
    done = emeth("judge", "--html", tmp_path / "no" / "judge.html")
    assert done.exit_code == 2
    assert "cannot write" in done.output
