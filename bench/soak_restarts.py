"""A comparison of a service that restarts often with one that does not, over random matches.

    python bench/soak_restarts.py golem-arcana --matches 20 --option scenario=twin-wells

Both services get the same calls. One keeps every match in memory. The other keeps a single match,
takes snapshots often, and restarts after every few actions. Their responses must be equal except
for IDs, digests and times: legal actions, outcomes, previews, scenes, army statuses, history,
transcripts, exports, repeated requests, undos, far ones too, and forks. The last line is "N passed,
N failed".
"""

import asyncio
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, Final, Self

import msgspec
import structlog
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from play import arguments, games

from domain.kernel import packs
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.rulings import Accepted
from services.client import Client, ServiceError, new_request
from services.main import Service
from services.proof.match_file import verify_file
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED, UNDO_POLICY_FREE

RESTART: Final = 7
"""Actions between two restarts."""
LOOK: Final = 10
"""Actions between two comparisons of all views."""
FAR: Final = 80
"""Actions to undo at the end: more than a cached match remembers."""
DRAWINGS: Final = ("scene", "text", "svg")

UNLIKE: Final = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # ids
    r"|\b[0-9a-f]{64}\b"  # digests
    r"|\d{4}[-.]\d\d[-.]\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)?)?"  # times
)
"""Parts of texts that differ between two equal matches."""
OWN: Final = {"receipt", "salt", "commitment", "digest", "tokens", "token", "group"}
"""Fields that differ, signatures and opaque tokens among them."""


class DifferentError(AssertionError):
    """A difference between the responses of the two services."""


def alike(views: Any) -> str:
    """Return a response without IDs, dates and signatures."""
    if isinstance(views, list | tuple):
        return "\n".join(map(alike, views))
    if isinstance(views, Message):
        views = json.dumps(_shared(MessageToDict(views)), sort_keys=True, indent=0)
    return UNLIKE.sub("-", str(views))


def _shared(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _shared(part) for name, part in value.items() if name not in OWN}
    return [_shared(part) for part in value] if isinstance(value, list) else value


class Side:
    """A service with its client, and the match that is played there."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self.folder = folder
        self._settings = Settings(
            data=str(folder), listen="127.0.0.1:0", drain_seconds=1, log_level="error"
        )
        self._limits = limits
        self.id = ""
        self.tokens: dict[str, str] = {}
        self.version = 1

    async def __aenter__(self) -> Self:
        self.service = await Service(self._settings, self._limits).__aenter__()
        self.client = await Client(self.service.address, name="soak/1").__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.__aexit__()
        await self.service.__aexit__(None, None, None)

    async def restart(self) -> None:
        """Stop the service, and start it again on the same files."""
        await self.__aexit__()
        await self.__aenter__()

    async def begin(self, game: str, options: dict[str, Any]) -> None:
        """Create a match in which every player may undo."""
        created = await self.client.create_match(
            game=game,
            options=options,
            title="A soak",
            chance=CHANCE_ENTERED,
            undo_policy=UNDO_POLICY_FREE,
        )
        self.id, self.tokens = created.match.match_id, dict(created.tokens)
        self.version = created.match.version

    async def position(self) -> str:
        """Return the position with all that is hidden."""
        referee, now = self.tokens[REFEREE], self.version
        return (await self.client.view(referee, self.id, at_least_version=now)).position

    async def submit(self, seat: str, action: str, request: str) -> Any:
        """Submit an action, and note the new version."""
        answer = await self.client.submit(self.tokens[seat], self.id, action, request_id=request)
        if answer.HasField("accepted"):
            self.version = answer.accepted.version
        return answer

    async def undo(self, to: int) -> Any:
        """Undo to a version as the referee, past dice too."""
        consent = await self.client.undo(self.tokens[REFEREE], self.id, to)
        self.version = consent.version
        return consent

    async def views(self, listed: Iterable[tuple[str, str]], *, status: bool) -> list[Any]:
        """Return the views of all roles, previews of these actions, and the transcript."""
        said: list[Any] = []
        for token in self.tokens.values():
            said += await self._seen_by(token)
            if status:
                said.append(await self.client.view(token, self.id, "army_status"))
        for seat, text in listed:
            said += [await self.client.submit(self.tokens[seat], self.id, text, validate_only=True)]
        record = await self.client.transcript(self.tokens[REFEREE], self.id, self.version)
        return [*said, record.text]

    async def _seen_by(self, token: str) -> list[Any]:
        client, now = self.client, self.version
        return [
            *[await client.view(token, self.id, f, at_least_version=now) for f in DRAWINGS],
            *await client.list_events(token, self.id, at_least_version=now),
            *[await client.view(token, self.id, version=at) for at in {1, (1 + now) // 2, now}],
        ]

    async def exported(self) -> list[str]:
        """Return the position and events of the export; raise DifferentError if it is unsound."""
        stream = self.client.export_match(self.tokens[REFEREE], self.id)
        file = b"".join([piece.data async for piece in stream])
        checked = verify_file(file.splitlines(keepends=True))
        if not checked.report.sound or checked.trailer is None:
            raise DifferentError(f"its export is not sound: {checked.report.findings[0]}")
        events = [json.dumps(_shared(json.loads(each.body))) for each in checked.events]
        return [checked.trailer.position, *events]

    async def forked(self, version: int) -> list[Any]:
        """Fork the match at a version, and return the views of the fork."""
        made = await self.client.fork_match(self.tokens[REFEREE], self.id, version)
        identity, tokens = made.match.match_id, dict(made.tokens)
        said: list[Any] = [await self.client.match(identity, made.match.version)]
        for role, token in tokens.items():
            said.append(await self.client.view(token, identity, "text"))
            if role not in (REFEREE, SPECTATOR):
                said.append(await self.client.list_actions(token, identity))
        return said


class Soak:
    """One match on both services."""

    def __init__(
        self, game: AnyGame, options: Any, sides: tuple[Side, Side], chance: random.Random
    ) -> None:
        self.game, self.options, self.sides, self.chance = game, options, sides, chance
        self.states: dict[int, Any] = {}
        self.line: list[int] = []
        """Versions that lead to the present, and at which the state is known."""
        self.requests: list[tuple[str, str, str, str]] = []
        self.actions = 0

    async def both(self, what: str, ask: Callable[[Side], Awaitable[Any]]) -> str:
        """Return the response of both services; raise DifferentError if they differ."""
        steady, restless = [alike(await ask(side)) for side in self.sides]
        if steady != restless:
            pairs = zip(steady.splitlines(), restless.splitlines(), strict=False)
            place = next((f"{a!r}, and after a restart {b!r}" for a, b in pairs if a != b), "")
            raise DifferentError(
                f"{what}: {place}\n    {self.game.write_position([*self.states.values()][-1])}"
            )
        return steady

    @property
    def state(self) -> Any:
        """The state at the present version."""
        return self.states[self.sides[0].version]

    async def play(self, steps: int, given: dict[str, Any]) -> None:
        """Play a match to its end, or for so many actions."""
        steady, restless = self.sides
        async with steady:
            await steady.begin(self.game.slug, given)
        # The same keys and the same match: what the service deals is then the same, too.
        shutil.copytree(steady.folder, restless.folder)
        restless.id, restless.tokens, restless.version = steady.id, steady.tokens, steady.version
        async with steady, restless:
            await self._stands()
            await self._played(steps)

    async def _played(self, steps: int) -> None:
        for number in range(steps):
            if not self.game.turn(self.state):
                break
            await self.act()
            if number % RESTART == RESTART - 1:
                await self.sides[1].restart()
                await self.repeat()
            if number % LOOK == LOOK - 1:
                await self.look()
            if self.chance.random() < 0.05:
                await self.back(self.chance.randint(1, 5))
        await self.look()
        await self.both("export", lambda side: side.exported())
        for version in {1, self.chance.choice(self.line)}:
            await self.both(f"fork of {version}", lambda side, at=version: side.forked(at))
        await self.back(FAR)
        await self.look()
        await self.both("export", lambda side: side.exported())

    async def act(self) -> None:
        """Take one random action on both services, and check it against the rules."""
        game, before = self.game, self.state
        seat = self.chance.choice(game.turn(before)).seat
        if seat in game.seats(self.options):
            await self.both("actions", lambda s: s.client.list_actions(s.tokens[seat], s.id))
        listed = [each for each, _ in zip(game.legal(before, seat), range(500), strict=False)]
        action = self.chance.choice([each for each in listed if not game.is_administrative(each)])
        text, request = game.write_action(action), new_request()
        answer = await self.both(f"{seat}: {text}", lambda s: s.submit(seat, text, request))
        self.requests.append((seat, text, request, answer))
        outcome = game.decide(before, seat, action)
        assert isinstance(outcome, Accepted)
        due, alone = fold(game, before, outcome.facts), self.line[-1] + 1
        await self._stands()
        if self.line[-1] == alone and self.state != due:
            raise DifferentError(f"{text} is not what the rules make of it")
        self.actions += 1

    async def repeat(self) -> None:
        """Repeat the last requests, and check that the responses are the same as before."""
        for seat, text, request, first in self.requests[-RESTART:]:
            for side in self.sides:
                again = await side.client.submit(
                    side.tokens[seat], side.id, text, request_id=request
                )
                if alike(again) != first:
                    raise DifferentError(
                        f"{seat}: {text} is answered otherwise when it is repeated"
                    )

    async def look(self) -> None:
        """Compare the views of all roles on both services."""
        previews = []
        for prompt in self.game.turn(self.state):
            if prompt.seat in self.game.seats(self.options):
                legal = zip(range(3), self.game.legal(self.state, prompt.seat), strict=False)
                previews += [(prompt.seat, self.game.write_action(each)) for _, each in legal]
        status = self.game.status is not None
        await self.both("what is told", lambda side: side.views(previews, status=status))

    async def back(self, actions: int) -> None:
        """Undo so many actions, or all there are."""
        to = self.line[-1 - min(actions, len(self.line) - 1)]
        if to == self.line[-1]:
            return
        await self.both(f"going back to {to}", lambda side: side.undo(to))
        self.line = [version for version in self.line if version <= to]
        await self._stands()

    async def _stands(self) -> None:
        """Note the present version and position, which includes what the service dealt."""
        text = await self.both("the position", lambda side: side.position())
        steady = self.sides[0]
        steady.version = (await steady.client.match(steady.id, steady.version)).version
        self.sides[1].version = steady.version
        self.states[steady.version] = self.game.read_position(text, self.options)
        self.line.append(steady.version)


async def match(game: AnyGame, given: dict[str, Any], steps: int, seed: str) -> tuple[int, str]:
    """Play one match; return its number of actions, and the fault or an empty text."""
    options = msgspec.convert(
        given, game.options, strict=False, dec_hook=packs.BUILT_IN_PACKS.decode_hook(game.packs)
    )
    with tempfile.TemporaryDirectory() as folder:
        steady = Side(Path(folder) / "steady")
        restless = Side(Path(folder) / "restless", Limits(cached_matches=1, snapshot_every=10))
        soak = Soak(game, options, (steady, restless), random.Random(seed))
        try:
            await soak.play(steps, given)
        except (DifferentError, ServiceError) as error:
            return soak.actions, f"{type(error).__name__}: {error}"
        return soak.actions, ""


def main() -> int:
    """Soak the games that the command line names; return 1 if anything was wrong."""
    given = arguments("Play with restarts and without.", matches=2).parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    pairs = (pair.split("=", 1) for pair in given.option)
    chosen = {name: int(value) if value.isdigit() else value for name, value in pairs}
    passed = failed = 0
    for game in games(given.games):
        began, actions = time.perf_counter(), 0
        for number in range(given.matches):
            seed = f"{given.seed}/{game.slug}/{number}"
            played, wrong = asyncio.run(match(game, chosen, given.steps, seed))
            actions += played
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"{game.slug}, match {number} of seed {given.seed}: {wrong}", flush=True)
        took = time.perf_counter() - began
        print(f"{game.slug}: {given.matches} matches, {actions} actions, {took:.0f} s", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
