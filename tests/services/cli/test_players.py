"""`emeth frontend`, `emeth player` and `emeth mine`, from the operator to a move."""

import re
from collections.abc import Callable

import pytest
from click.testing import Result

from tests.services.cli.conftest import RunningService

Emeth = Callable[..., Result]


def told(result: Result, name: str) -> str:
    """What follows a name in what a command printed."""
    found = re.search(rf"^{name}\s+(\S+)", result.output, re.MULTILINE)
    assert found, result.output
    return found[1]


def test_a_frontend_brings_a_player_who_plays(
    emeth: Emeth, shared_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMETH_ADDRESS", shared_service.address)
    monkeypatch.setenv("EMETH_DATA", str(shared_service.data))
    made = emeth("frontend", "create", "Club", "--right", "create", "--open-matches", "1")
    frontend = told(made, "frontend")
    monkeypatch.setenv("EMETH_FRONTEND", told(made, "key"))
    ann = emeth("player", "update", "user-7", "Ann")
    bob = emeth("player", "update", "user-8", "Bob")
    assert emeth("new", "agog", "--title", "Evening").exit_code == 0
    refused = emeth("new", "agog")
    assert (refused.exit_code, "[QUOTA_EXCEEDED]" in refused.output) == (3, True)
    joined = emeth("join", "white", "--player", told(ann, "token"))
    assert "Ann is white" in joined.output
    assert emeth("join", "black").exit_code == 2
    assert "Bob is black" in emeth("join", "black", "--player", told(bob, "token")).output
    mine = emeth("mine", "--player", told(ann, "token"), "--which", "my-turn")
    assert re.search(r"white\s+your turn", mine.output)
    assert emeth("play", "a6-b6", "--as", "white").exit_code == 0
    monkeypatch.setenv("EMETH_PLAYER", told(bob, "token"))
    assert re.search(r"black\s+your turn", emeth("mine").output)
    assert emeth("resign", "--as", "black").exit_code == 0
    results = emeth("player", "results", "--against", told(ann, "player"))
    assert re.search(r"agog\s+black\s+0\s+0\s+1\s+a6-b6", results.output)
    assert "user-8" in emeth("player", "show", told(bob, "player")).output
    assert re.search(r"user-7\s+Ann", emeth("player", "list").output)
    assert "Club" in emeth("frontend", "list").output
    assert re.search(r"open matches\s+0\s+1", emeth("frontend", "show", frontend).output)
    new = emeth("player", "rotate-token")
    assert emeth("mine").exit_code == 3
    monkeypatch.setenv("EMETH_PLAYER", told(new, "token"))
    assert emeth("mine").exit_code == 0
    assert emeth("player", "delete", told(bob, "player")).output == "deleted\n"
    assert "A former player" in emeth("list").output
    assert emeth("frontend", "update", frontend).exit_code == 2
    assert emeth("frontend", "update", frontend, "--watchers", "9").exit_code == 0
    quotas = emeth("frontend", "show", frontend).output
    assert re.search(r"open matches\s+0\s+1", quotas)
    assert re.search(r"watchers\s+0\s+9", quotas)
    rotated = emeth("frontend", "rotate-key", frontend, "--overlap-hours", "0")
    monkeypatch.setenv("EMETH_FRONTEND", told(rotated, "key"))
    assert emeth("frontend", "delete", frontend).exit_code == 0
    assert emeth("frontend", "list").exit_code == 3
    monkeypatch.delenv("EMETH_FRONTEND")
    assert "deleted" in emeth("frontend", "list").output
