"""Interactive play: a prompt for each turn of the player's seats, bots for the other seats."""

import signal
from collections.abc import Mapping
from contextlib import aclosing
from typing import Final

import click
import grpc

from services.bots.player import BotSeat, act
from services.bots.process_pool import SearchPool
from services.cli import keyring
from services.cli.access import MatchAccess
from services.cli.connection import WATCHER_PATIENCE_SECONDS
from services.cli.terminal import sentences
from services.cli.terminal.console import print_table
from services.cli.terminal.screen import KEPT, Screen
from services.cli.terminal.ticking import Ticking
from services.client import Client, ServiceError
from services.wire.emeth.v1.actions_pb2 import Action
from services.wire.emeth.v1.match_views_pb2 import MatchEvent
from services.wire.emeth.v1.play_pb2 import (
    PROPOSAL_DECISION_ACCEPT,
    PROPOSAL_DECISION_REJECT,
    CreateProposalResponse,
    RespondToProposalResponse,
    SubmitActionResponse,
)

HELP: Final = """\
Type an action in the game's notation, or:
  actions          list your legal actions
  preview ACTION   show the effect of an action, and its rules
  undo [VERSION]   undo your last action, or go back to a version, or propose it
  redo [VERSION]   redo what was undone, or propose it
  draw             offer a draw
  yes, no          accept or reject the proposal of another seat
  resign           resign the match
  quit             stop here; `emeth play` continues later"""


FORGIVEN: Final = ("VERSION_STALE", "FIELD_INVALID", "VERSION_OUT_OF_RANGE", "SEAT_NOT_AWAITED")
"""Reasons of errors, besides FAILED_PRECONDITION ones, after which the player is prompted again."""


BOT_SECONDS: Final = 10.0
"""The most seconds that a bot thinks about one action."""


async def sit(client: Client, access: MatchAccess, *, level: str | None) -> None:
    """Play for every remembered seat until the match is over or the player quits.

    With the `level` of a bot, the player has only the chosen or first seat, and bots play the other
    remembered seats.
    """
    mine, bots = _seating(access, bot=level is not None)
    sitting = _Sitting(client, access, mine, bots, level or "")
    present = (await access.present(client)).version
    news = client.watch(
        next(iter(mine.values())),
        access.match,
        "scene",
        after_version=max(present - KEPT, 0),
        patience_seconds=WATCHER_PATIENCE_SECONDS,
    )
    async with aclosing(news):
        async for watched in news:
            sitting.screen.add(watched)
            if watched.event.version < present:
                continue
            keyring.set_last_used(access.match, watched.event.version)
            if watched.view.HasField("result"):
                sitting.screen.draw()
                click.echo(sentences.standing(watched.view.prompts, watched.view.result))
                return
            if not await sitting.go_on(watched):
                return


def _seating(access: MatchAccess, *, bot: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Return the tokens of the player's seats, and those of the bots' seats.

    Raises:
        UsageError: No seat is remembered for the player or for the bot.
    """
    if access.token is not None and access.role is None:
        raise click.UsageError("--token needs --as: name the seat that the token is for")
    tokens = access.ring.tokens
    own = (access.role,) if access.role else access.ring.seats[: 1 if bot else None]
    mine = {seat: access.token_of(seat) for seat in own}
    others = [role for role in tokens if role not in (*mine, *keyring.OTHER_ROLES)]
    if not mine or (bot and not others):
        raise click.UsageError(
            f"no seat's token is remembered for {'the bot' if mine else 'you'}: take a seat with"
            " `emeth join`, or start a match with `emeth new`"
        )
    return mine, {seat: tokens[seat] for seat in others} if bot else {}


class _Sitting:
    """A session of interactive play: the player's seats, the bots' seats and the screen."""

    def __init__(
        self,
        client: Client,
        access: MatchAccess,
        mine: Mapping[str, str],
        bots: Mapping[str, str],
        level: str,
    ) -> None:
        self._level = level
        self._pool = SearchPool(0)
        self.screen = Screen()
        self._client = client
        self._match = access.match
        self._access = access
        self._mine = mine
        self._bots = bots

    async def go_on(self, watched: MatchEvent) -> bool:
        """Act for the seats that have a prompt now. Return False if the player has quit."""
        expected = {prompt.seat: prompt.expected_action for prompt in watched.view.prompts}
        version = watched.event.version
        if (await self._access.present(self._client, version)).version > version:
            return True  # the match has moved already, for example by a roll of the service
        if await self._act_for_bots(version):
            return True
        self.screen.draw()
        for seat, action in expected.items():
            if seat in self._mine:
                return await self._ask(seat, action, version)
        for line in sentences.pending_sentences(watched.view):
            click.echo(line)
        if prompts := watched.view.prompts:
            click.echo(f"waiting for {sentences.standing(prompts, None)}")
        return True

    async def _act_for_bots(self, version: int) -> bool:
        """Let the first bot that has a prompt act. Return whether there was one."""
        match = await self._access.present(self._client, version)
        for seat, token in self._bots.items():
            bot_seat = BotSeat(self._match, seat, token, self._level)
            try:
                if await act(self._client, bot_seat, match, self._pool, BOT_SECONDS):
                    return True
            except ServiceError as error:
                _forgive(error)
                return True
        return False

    async def _ask(self, seat: str, expected: str, version: int) -> bool:
        """Prompt the player until the match moves on. Return False if the player has quit."""
        while True:
            with Ticking((await self._access.present(self._client)).clocks):
                line = read_line(f"{seat}, your {expected} (? for help): ")
            words = line.split()
            if line == "quit":
                return False
            if words:
                try:
                    if await self._obey(self._mine[seat], words, line, version):
                        return True
                except ServiceError as error:
                    _forgive(error)
                    if error.reason == "VERSION_STALE":
                        return True

    async def _obey(self, token: str, words: list[str], line: str, version: int) -> bool:
        """Run the line that the player typed. Return whether the match moves on by it."""
        client, match = self._client, self._match
        match words:
            case ["?" | "help"]:
                click.echo(HELP)
                return False
            case ["actions"]:
                _show(await client.list_actions(token, match))
                return False
            case ["preview", *_]:
                text = line.removeprefix("preview").strip()
                score_notation = self._access.is_score_notation(text)
                seen = await client.submit(
                    token, match, text, score_notation=score_notation, validate_only=True
                )
                if _tell(seen):
                    click.echo("\n".join(sentences.outcome_lines(seen.accepted, explained=True)))
                return False
            case ["resign"]:
                return _tell(await client.submit_action(token, match, resignation=True))
            case ["undo" | "redo" | "draw" | "yes" | "no", *_]:
                return await self._ask_others(token, words)
            case _:
                score_notation = self._access.is_score_notation(line)
                return _tell(
                    await client.submit(
                        token, match, line, score_notation=score_notation, expected_version=version
                    )
                )

    async def _ask_others(self, token: str, words: list[str]) -> bool:
        """Make a proposal or answer one. Return whether anything was recorded."""
        client, match = self._client, self._match
        match words:
            case ["undo" | "redo" as go, *rest] if all(each.isdecimal() for each in rest[:1]):
                to = int(rest[0]) if rest else None
                if go == "undo":
                    made = await client.undo(token, match, to)
                else:
                    made = (
                        await client.create_proposal(token, match, redo={"version": to or 0})
                    ).accepted
                if awaiting := made.proposal.awaiting_seats:
                    click.echo(f"{' and '.join(awaiting)} must agree")
                return True
            case ["draw"]:
                return _tell(await client.create_proposal(token, match, draw={}))
            case ["yes" | "no" as reply]:
                yes = reply == "yes"
                decision = PROPOSAL_DECISION_ACCEPT if yes else PROPOSAL_DECISION_REJECT
                return _tell(await client.respond_to_proposal(token, match, decision=decision))
            case _:
                click.echo(HELP)
                return False


Response = SubmitActionResponse | CreateProposalResponse | RespondToProposalResponse


def _tell(response: Response) -> bool:
    """Print a refusal, and return whether the response is an acceptance."""
    if response.HasField("refused"):
        click.echo(sentences.refusal_sentence(response.refused))
        return False
    return True


def _show(actions: list[Action]) -> None:
    print_table(("ACTION", "WHAT IT IS"), ((a.notation, a.sentence) for a in actions))


def _forgive(error: ServiceError) -> None:
    """Print an error that the player can correct, or that a change of the match caused.

    Raises:
        ServiceError: The error is of another kind.
    """
    untimely = error.code is grpc.StatusCode.FAILED_PRECONDITION
    if not untimely and error.reason not in FORGIVEN:
        raise error
    click.echo(error.message)


def read_line(prompt: str) -> str:
    """Return the line that the player types; `quit` at the end of the input."""
    # asyncio handles Ctrl+C itself, and would not act on it before the player presses Enter.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return input(prompt).strip()
    except EOFError:
        return "quit"
    finally:
        signal.signal(signal.SIGINT, before)
