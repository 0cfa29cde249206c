"""A frontend and its players by `emeth call`, and `emeth mine`, from the operator to a move."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from tests.services.cli.conftest import RunningService

Emeth = Callable[..., Result]


def test_a_frontend_brings_a_player_who_plays(
    emeth: Emeth, shared_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def called(method: str, request: dict[str, Any], *flags: str) -> Any:
        return json.loads(emeth("call", method, json.dumps(request), *flags).output)

    def introduced(name: str) -> str:
        player = {"external_id": name, "name": name}
        made = called("UpdatePlayer", {"player": player, "allow_missing": True})
        return str(made["token"])

    monkeypatch.setenv("EMETH_ADDRESS", shared_service.address)
    club = {"name": "Club", "rights": ["FRONTEND_RIGHT_CREATE"], "quotas": {"open_matches": 1}}
    key = f"@{shared_service.data}/admin.key"
    made = called("CreateFrontend", {"frontend": club}, "--token", key)
    monkeypatch.setenv("EMETH_FRONTEND", made["key"])
    ann, bob = introduced("Ann"), introduced("Bob")
    assert emeth("new", "agog", "--title", "Evening").exit_code == 0
    refused = emeth("new", "agog")
    assert (refused.exit_code, "[QUOTA_EXCEEDED]" in refused.output) == (3, True)
    assert "Ann is white" in emeth("join", "white", "--player", ann).output
    assert emeth("join", "black").exit_code == 2
    assert "Bob is black" in emeth("join", "black", "--player", bob).output
    mine = emeth("mine", "--player", ann, "--which", "my-turn")
    assert re.search(r"white\s+your turn", mine.output)
    assert emeth("play", "a6-b6", "--as", "white").exit_code == 0
    monkeypatch.setenv("EMETH_PLAYER", bob)
    assert re.search(r"black\s+your turn", emeth("mine").output)
    assert emeth("resign", "--as", "black").exit_code == 0
    new = called("RotatePlayerToken", {}, "--token", bob)
    assert emeth("mine").exit_code == 3
    monkeypatch.setenv("EMETH_PLAYER", new["token"])
    assert emeth("mine").exit_code == 0
