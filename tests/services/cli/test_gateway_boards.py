"""Boards that are tried out from afar: what is right passes, others are told why."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from services.cli import gateway_board_acts as acts
from services.cli.gateway_rules import judge
from services.cli.gateway_stage import Opening, Play, begins, opened
from services.cli.gateway_trials import TrialError
from services.client.gateway import GatewayClient
from tests.services.tables.test_journals import start

BOARD = "BOARD"
SECONDS = 120
WAIT = 10.0
"""Seconds that whoever works a board has for each act: what is wrong is told when they are over."""
Moves = dict[str, Any]
WHITE: Moves = {"a6": [], "b6": ["white/golem"]}
BLACK: Moves = {"h3": [], "g3": ["black/golem"]}


class Hands:
    """Whoever works a board's hardware: does what is said."""

    def __init__(self, shows: Moves, moves: list[Moves]) -> None:
        self.told: list[str] = []
        self.heard = asyncio.Event()
        self._shows, self._moves = shows, moves

    def say(self, told: str) -> None:
        self.told.append(told)
        self.heard.set()

    def given(self, word: str) -> str:
        return next(each.partition(" ")[2] for each in self.told if each.startswith(f"{word} "))

    async def work(self, board: GatewayClient) -> None:
        done = 0
        while True:
            await self.heard.wait()
            self.heard.clear()
            while done < len(self.told):
                await self._do(board, self.told[done].partition(" ")[0])
                done += 1

    async def _do(self, board: GatewayClient, word: str) -> None:
        match word:
            case "CONNECT":
                await board.__aenter__()
            case "TAP":
                for code in ("space a6", "cc map"):
                    await board.tap("AA:01", code)
            case "SHOW":
                await board.answer(board.scan(BOARD, self._shows))
            case "MOVE":
                await board.answer(board.scan(BOARD, self._moves.pop(0), whole=False))
            case "CONFIRM":
                board.send(BOARD, "button/confirm")
            case "MOVE-CONFIRM":
                board.scan(BOARD, self._moves.pop(0), whole=False)
                board.send(BOARD, "button/confirm")


async def tried_out(hands: Hands, *wanted: Callable[[Play], Awaitable[None]]) -> list[str]:
    """What the rules find in a board that was worked like this."""
    async with asyncio.timeout(SECONDS):
        async with opened(Opening("127.0.0.1:0", "AA:01", WAIT, BOARD), hands.say) as play:
            board = GatewayClient(hands.given("ADDRESS"), hands.given("KEY"))
            working = asyncio.create_task(hands.work(board))
            try:
                for act in (begins, *wanted):
                    await act(play)
            finally:
                working.cancel()
                await board.__aexit__(None, None, None)
            return [each.failed for each in judge(play.stage.entries) if each.failed]


async def test_a_board_that_shows_what_is_played_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by the rules: that it could not connect for longer than they wait is not its fault."""
    monkeypatch.setattr("services.cli.gateway_rules.PATIENCE_MS", 5_000)
    monkeypatch.setattr(acts, "OFFLINE_SECONDS", 6.0)
    assert await tried_out(Hands(start(), [WHITE, BLACK]), *acts.ACTS) == []


WRONG: list[tuple[Moves, list[Moves], str]] = [
    ({**start(), "a6": []}, [], "White's golem"),
    (start(), [{"a6": [], "e5": ["white/golem"]}], "White's golem stands on e5, not a6"),
    (start(), [WHITE, {"h3": [], "e4": ["black/golem"]}], "Black's golem stands on e4, not h3"),
]


async def test_what_a_board_shows_wrongly_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "OFFLINE_SECONDS", 1.0)

    async def wrong(shows: Moves, moves: list[Moves], why: str) -> None:
        with pytest.raises(TrialError, match=why):
            await tried_out(Hands(shows, moves), *acts.ACTS)

    # All at once: each waits until there is no more time to put it right.
    await asyncio.gather(*(wrong(*each) for each in WRONG))
