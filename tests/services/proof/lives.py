"""Evenings at random on real services: everything that can begin a match or change one, in any
order, against a model of dicts. For the test of sound matches, and for the soak in `bench`.

A `World` has a service on a real file, which is restarted now and then, and another one elsewhere,
which takes in what is exported. What is held all through: a match is at the version, has the
players and the score that the model says, and it is sound: for the service, as a file without any
service, and for the service elsewhere. Every file is the same whenever it is written.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final, Self
from unittest.mock import patch
from uuid import UUID

from domain.games.golem_arcana.content.packs import CORE
from domain.kernel.game import REFEREE, SPECTATOR
from domain.registry import GAMES
from services.cli.options import schema_fields
from services.client import ServiceError
from services.client.gateway import GatewayClient
from services.client.gateways import TableClient
from services.proof.match_file import verify
from services.server import Service
from services.settings import Settings
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Action

PEN: Final = "AA:01"
PACKS: Final = Path(__file__).parents[2] / "games" / "golem_arcana" / "packs"
DUEL: Final = "2a71216e8a385a5c55010b3f51c3da4d3529670ef2e9035c1c73a84c01441ef0"
ARMIES: Final[tuple[dict[str, Any], ...]] = (
    {
        "faction": "gudanna",
        "golems": [{"type": "sand-lion", "knight": "yeshe"}, {"type": "sand-lion"}],
        "ancients": ["urzal"],
    },
    {"faction": "durani", "golems": [{"type": "prism-archer"}, {"type": "horned-blight"}]},
    {"faction": "durani", "golems": [{"type": "prism-archer"}], "ancients": []},
)
NO: Final = (
    "DISPUTE_OPEN",
    "FACTS_IMPOSSIBLE",
    "FIELD_INVALID",
    "MATCH_OVER",
    "MATCH_PAUSED",
    "NOTHING_TO_REDO",
    "NOTHING_TO_UNDO",
    "NOT_ASKED",
    "NOT_ON_LINE",
    "NOT_PLAYABLE",
    "NOT_UNDONE",
    "NO_DISPUTE",
    "NO_DRAWS",
    "NO_REQUEST",
    "REQUEST_PENDING",
    "ROLE_FORBIDS",
    "SEAT_OPEN",
    "SEAT_TAKEN",
    "SEED_LOST",
    "TOO_MANY_DISPUTES",
    "UNDO_FORBIDDEN",
    "VERSION_UNKNOWN",
)
"""Reasons for which something may well not be done."""
MISTAKES: Final = ("a1-h8", "dice 1 1", "pass", "end", "collect", "\u2620", "x " * 40)
UNKNOWN: Final = "?"
"""The score at a version that no answer told."""


class UnsoundError(AssertionError):
    """What must always hold does not; the text says what, and what was done before."""


@dataclass
class Told:
    """What the model knows of a match."""

    id: str
    game: str
    tokens: dict[str, str]
    players: dict[str, str]
    """By seat; empty for a seat that is open."""
    invitations: dict[str, str] = field(default_factory=dict)
    scores: list[str] = field(default_factory=list)
    """The score after each event; empty while it goes on."""
    disputes: list[int] = field(default_factory=list)

    @property
    def version(self) -> int:
        return len(self.scores)

    @property
    def referee(self) -> str:
        return self.tokens[REFEREE]

    def happened(self, version: int, score: str) -> None:
        """The match has come to this version, with this score."""
        if version > self.version:
            unknown = [UNKNOWN] * (version - self.version - 1)
            self.scores += [*unknown, score]


class World:
    """Two services, and the matches that are played there."""

    def __init__(self, folder: Path, random: Random, games: tuple[str, ...] = ()) -> None:
        self.random = random
        self.games = games or tuple(GAMES)
        self.matches: list[Told] = []
        self.done: list[str] = []
        """What was done, for who wants to know how it came to this."""
        # Ids and secrets follow from the seed too, so that the same life can be lived again.
        common: dict[str, Any] = {
            "secret": random.randbytes(32).hex(),
            "signing_key": random.randbytes(32).hex(),
        }
        common |= {"listen": "127.0.0.1:0", "drain_seconds": 1, "packs": str(PACKS)}
        # Few matches in memory, and snapshots often: loading is to be part of every life.
        common |= {"cache_matches": 2, "snapshot_every": 10, "log_level": "error"}
        self._here = Settings(data=str(folder / "here"), **common)
        common |= {"secret": "", "signing_key": ""}
        self._there = Settings(data=str(folder / "elsewhere"), **common)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._ids = patch("services.client.connection.uuid4", self._next_id)
        self._ids.start()
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ids.stop()
        await self._stack.aclose()

    def _next_id(self) -> UUID:
        return UUID(int=self.random.getrandbits(128), version=4)

    async def _start(self) -> None:
        self.here = await self._stack.enter_async_context(Service(self._here))
        self.client = await self._stack.enter_async_context(
            TableClient(self.here.address, name="lives/1")
        )
        self.there = await self._stack.enter_async_context(Service(self._there))
        self.elsewhere = await self._stack.enter_async_context(TableClient(self.there.address))

    async def live(self, steps: int) -> None:
        """Do so many things, and look that all is sound in between and at the end."""
        await self.begin()
        for number in range(steps):
            await self.step()
            if number % 8 == 7:
                await self.check(self.random.choice(self.matches))
        for told in self.matches:
            await self.check(told)

    async def step(self) -> None:
        """Do anything, to any match."""
        doings, weights = zip(*self._doings.items(), strict=True)
        (doing,) = self.random.choices(doings, weights)
        told = self.random.choice(self.matches[-3:])
        self.done.append(f"{doing.__name__} {told.id[:8]} {told.game} at {told.version}")
        try:
            await doing(self, told)
        except ServiceError as error:
            self.done[-1] += f": {error.reason} {error.message}"
            if error.reason not in NO:
                raise self.wrong(f"{error.code} {error.reason}: {error}") from error
        await self.agree(told)

    def wrong(self, why: str) -> UnsoundError:
        """The error for what does not hold."""
        return UnsoundError("\n".join((why, "after:", *self.done[-40:])))

    # --- what holds ------------------------------------------------------------------------------

    async def agree(self, told: Told) -> None:
        """The service says of the match what the model does."""
        shown = await self.client.match(told.id, told.version)
        if shown.version != told.version:
            raise self.wrong(f"it is at version {shown.version}, not {told.version}")
        players = {seat.name: seat.player for seat in shown.seats}
        if players != told.players:
            raise self.wrong(f"at it sit {players}, not {told.players}")
        if told.scores[-1] == UNKNOWN:
            told.scores[-1] = shown.result.score
        if shown.result.score != told.scores[-1]:
            raise self.wrong(f"the score is {shown.result.score!r}, not {told.scores[-1]!r}")

    async def check(self, told: Told) -> None:
        """The match is sound, here, as a file, and elsewhere."""
        self.done.append(f"check {told.id[:8]}")
        viewer = self.random.choice([SPECTATOR, REFEREE])
        answer = await self.client.verify_match(told.tokens[viewer], told.id)
        if not answer.sound or answer.events != told.version:
            raise self.wrong(f"{told.game} {told.id}: {answer}")
        raw = await exported(self.client, told)
        if raw != await exported(self.client, told):
            raise self.wrong("the file of a match is another each time")
        verified = verify(BytesIO(raw))
        if not verified.report.sound:
            raise self.wrong(f"{told.game} {told.id}: {verified.report.findings[:5]}")
        try:
            taken = await self.elsewhere.import_match(self.there.admin_key, raw)
        except ServiceError as error:
            if error.reason != "MATCH_DIFFERS":
                raise self.wrong(f"it is refused elsewhere: {error}") from error
            return  # an earlier state of it is there
        again = await exported(self.elsewhere, told)
        answer = await self.elsewhere.verify_match(told.referee, told.id)
        if taken.version != told.version or not answer.sound or again != raw:
            raise self.wrong(f"{told.game} {told.id} elsewhere: {answer}")
        if self.random.random() < 0.5:
            await self._go_on_elsewhere(told)

    async def _go_on_elsewhere(self, told: Told) -> None:
        """The service that took the match in goes on with it, as far as it can."""
        seat, client = self._seat(told), self.elsewhere
        try:
            number = await client.raise_dispute(told.tokens[seat], told.id, told.version, "And?")
            await client.give_verdict(told.referee, told.id, number, "So it was")
            await client.undo(told.referee, told.id, self.random.randint(1, told.version))
            await client.resign(told.tokens[seat], told.id)
        except ServiceError as error:
            if error.reason not in NO:
                raise self.wrong(f"elsewhere: {error.code} {error.reason}: {error}") from error
        answer = await client.verify_match(told.referee, told.id)
        raw = await exported(client, told)
        if not answer.sound or not verify(BytesIO(raw)).report.sound:
            raise self.wrong(f"{told.game} {told.id}, gone on with elsewhere: {answer}")

    # --- beginnings ------------------------------------------------------------------------------

    async def begin(self, _: Told | None = None) -> None:
        """A new match, with any options."""
        random, game = self.random, self.random.choice(self.games)
        options = self._options(game) if random.random() < 0.7 else {}
        armies = {}
        if game == "golem-arcana" and random.random() < 0.5:
            options = {**options, "scenario": "twin-wells"}
            options.pop("pack", None)
            armies = await self._armies()
        try:
            made = await self.client.create_match(
                game,
                options,
                "Evening " * random.randrange(3),
                chance=random.choice(pb.Chance.values()),
                undo=random.choice(pb.UndoPolicy.values()),
                pause_on_dispute=random.random() < 0.5,
                armies=armies,
            )
        except ServiceError as error:
            if error.reason != "OPTIONS_INVALID":
                raise
            made = await self.client.create_match(game)
        self.done.append(f"began {made.match.match_id} of {game}: {options} {armies}")
        self._keep(made.match, made.tokens)

    def _options(self, game: str) -> dict[str, Any]:
        """Any values for some of the options that can be listed."""
        if game == "golem-arcana" and self.random.random() < 0.2:
            return {"pack": DUEL, "scenario": "duel"}
        found = {}
        for name, told in schema_fields(GAMES[game].options).items():
            values = told.get("enum") or [
                value for each in told.get("anyOf", ()) for value in each.get("enum", (None,))
            ]
            if told.get("type") == "boolean":
                values = [False, True]
            if told.get("type") == "integer":
                values = range(told["minimum"], min(told["maximum"], 12) + 1)
            if values and self.random.random() < 0.4:
                found[name] = self.random.choice(values)
        if game == "golem-arcana":
            found["scenario"] = self.random.choice([*CORE.scenarios])
        return found

    async def _armies(self) -> dict[str, str]:
        """Saved armies for some of the seats."""
        found = {}
        for seat in self.random.sample(["south", "north"], self.random.randint(1, 2)):
            army = self.random.choice(ARMIES)
            saved = await self.client.save_army("", "golem-arcana", "Any", army)
            found[seat] = saved.saved.army_id
        return found

    def _keep(self, made: pb.Match, tokens: Any) -> None:
        told = Told(made.match_id, made.game, dict(tokens), {each.name: "" for each in made.seats})
        told.invitations = {**told.tokens}
        told.happened(made.version, made.result.score)
        self.matches.append(told)

    async def fork(self, told: Told) -> None:
        version = self.random.choice([0, self.random.randint(1, told.version)])
        made = await self.client.fork(told.referee, told.id, version)
        self._keep(made.match, made.tokens)

    async def retell(self, told: Told) -> None:
        text = await self.client.transcript(told.referee, told.id, told.version)
        try:
            made = await self.client.import_transcript(text.transcript)
        except ServiceError as error:
            raise self.wrong(f"a transcript cannot be read back: {error}") from error
        self._keep(made.match, made.tokens)

    # --- play ------------------------------------------------------------------------------------

    async def play(self, told: Told) -> None:
        """A few actions of whoever is asked."""
        for _ in range(self.random.randint(1, 6)):
            found = await self._action(told)
            if found is None:
                return
            seat, action = found
            human = bool(action.human) and self.random.random() < 0.3
            text = action.human if human else action.notation
            answer = await self.client.submit(told.tokens[seat], told.id, text, human=human)
            if not answer.HasField("accepted"):
                raise self.wrong(f"{text} of {seat} is listed, and refused: {answer.refused}")
            told.happened(answer.accepted.version, answer.accepted.result.score)

    async def _action(self, told: Told) -> tuple[str, Action] | None:
        """A legal action, and whose it is."""
        roles = [role for role in told.tokens if role not in (REFEREE, SPECTATOR)]
        for role in self.random.sample(roles, len(roles)):
            token = told.tokens[role]
            listed = await self.client.list_actions(token, told.id, role)
            if listed:
                action = self.random.choice(listed)
                if action.group:
                    listed = await self.client.list_actions(
                        token, told.id, role, group=action.group
                    )
                    action = self.random.choice(listed)
                return role, action
        return None

    async def mistake(self, told: Told) -> None:
        """Something that is no action, or none of the moment; nothing comes of it."""
        seat = self.random.choice([*told.players])
        text = self.random.choice(
            ["", "a1-h8", "dice 1 1", "pass", "end", "collect", "\u2620", "x " * 40]
        )
        answer = await self.client.submit(told.tokens[seat], told.id, text)
        told.happened(answer.accepted.version, answer.accepted.result.score)

    async def tap(self, told: Told) -> None:
        """Taps at random, on anything, by a stylus that has all seats."""
        key = (await self.client.register_gateway(self.here.admin_key, "Corner")).key
        await self.client.pair_stylus(key, f"{PEN}{self.random.random()}"[:16], "0000")
        (stylus,) = (await self.client.list_styluses(key)).styluses
        seats = [token for role, token in told.tokens.items() if role not in (REFEREE, SPECTATOR)]
        pen = stylus.stylus
        await self.client.seat_stylus(key, pen, told.id, seats)
        async with GatewayClient(self.here.address, key) as gateway, asyncio.timeout(30):
            prompt = await gateway.shown(pen, 1)
            for _ in range(self.random.randint(5, 25)):
                code = self._code(prompt)
                prompt = await gateway.tap(pen, code)
        answer = await self.client.verify_match(told.referee, told.id)
        told.happened(answer.events, UNKNOWN)

    def _code(self, prompt: Any) -> str:
        """Something to tap, mostly what leads on."""
        chance = self.random.random()
        if prompt.HasField("armed") and chance < 0.7:
            return "button confirm"
        if prompt.next and chance < 0.9:
            return str(self.random.choice(prompt.next))
        order = self.random.choice(["undo", "redo", "draw", "agree", "refuse", "dispute"])
        return self.random.choice([f"match {order}", "cc rune 1", "button page", "nonsense"])

    async def resign(self, told: Told) -> None:
        answer = await self.client.resign(told.tokens[self._seat(told)], told.id)
        told.happened(answer.accepted.version, answer.accepted.result.score)

    async def draw(self, told: Told) -> None:
        """An offer of a draw, and answers to it."""
        seat = self._seat(told)
        offer = await self.client.offer_draw(told.tokens[seat], told.id)
        told.happened(offer.accepted.version, offer.accepted.result.score)
        for other in told.players:
            if other != seat and self.random.random() < 0.8:
                yes = self.random.random() < 0.6
                answer = await self.client.answer_draw(told.tokens[other], told.id, accepted=yes)
                told.happened(answer.accepted.version, answer.accepted.result.score)

    def _seat(self, told: Told) -> str:
        return self.random.choice([*told.players])

    # --- seats -----------------------------------------------------------------------------------

    async def claim(self, told: Told) -> None:
        seat, name = self._seat(told), self.random.choice(["Ada", "Bob", "Zoë \u2680", "x" * 80])
        entropy = self.random.choice(["", "7 of spades", "\u00e9"])
        claimed = await self.client.claim_seat(
            told.invitations[seat], told.id, seat, name, entropy=entropy
        )
        told.players[seat], told.tokens[seat] = name, claimed.token
        told.happened(claimed.version, told.scores[-1])

    async def leave(self, told: Told) -> None:
        seat = self._seat(told)
        left = await self.client.leave_seat(told.tokens[seat], told.id, seat)
        told.players[seat], told.tokens[seat] = "", told.invitations[seat]
        told.happened(left.version, told.scores[-1])

    # --- going back ------------------------------------------------------------------------------

    async def move(self, told: Told) -> None:
        """An undo or a redo, and the consent that it takes."""
        role = self.random.choice([*told.players, REFEREE, REFEREE])
        to = self.random.randint(max(1, told.version - 15), told.version)
        go = self.random.choice([self.client.undo, self.client.undo, self.client.redo])
        choice = self.random.choice([to, to, to, None if go == self.client.undo else 0])
        consent = await go(told.tokens[role], told.id, choice)  # type: ignore[operator]
        self._moved(told, consent)
        for _ in range(6):
            if not consent.awaiting:
                return
            who = self.random.choice([*consent.awaiting, REFEREE])
            yes = self.random.random() < 0.8
            consent = await self.client.answer_undo(told.tokens[who], told.id, granted=yes)
            self._moved(told, consent)
            if not yes:
                return

    def _moved(self, told: Told, consent: Any) -> None:
        kinds = [event.kind for event in consent.events]
        moved = "match.LineContinued" in kinds
        score = told.scores[consent.to - 1] if moved else told.scores[-1]
        told.happened(consent.version, UNKNOWN if "match.ActionTaken" in kinds else score)

    # --- disputes --------------------------------------------------------------------------------

    async def dispute(self, told: Told) -> None:
        on = self.random.randint(1, told.version)
        number = await self.client.raise_dispute(
            told.tokens[self._seat(told)], told.id, on, "That was not so \u2014 or was it?"
        )
        told.disputes.append(number)
        told.happened(number, told.scores[-1])

    async def judge(self, told: Told) -> None:
        """A verdict of any kind, on a dispute that is open."""
        if not told.disputes:
            await self.dispute(told)
        number = self.random.choice(told.disputes)
        rules = self.random.sample(sorted(GAMES[told.game].rules), self.random.randrange(3))
        kind = self.random.choice(["uphold", "revert", "correct", "correct"])
        to = self.random.randint(1, told.version - 1) if kind == "revert" else None
        facts = await self._facts(told) if kind == "correct" else ()
        given = await self.client.give_verdict(
            told.referee, told.id, number, "As it was seen", revert_to=to, facts=facts, rules=rules
        )
        told.disputes.remove(number)
        told.happened(given.version, UNKNOWN)
        answer = await self.client.verify_match(told.referee, told.id)
        told.happened(answer.events, UNKNOWN)

    async def _facts(self, told: Told) -> list[str]:
        """Facts that would follow now, or any from before, which mostly do not fit."""
        events = await self.client.list_history(told.referee, told.id)
        acted = [event.version for event in events if event.facts]
        if not acted:
            return []
        shown = await self.client.explain(
            told.referee, told.id, self.random.choice(acted), at_least_version=told.version
        )
        return [json.dumps(json.loads(fact)) for fact in shown.facts][:3]

    # --- services --------------------------------------------------------------------------------

    async def restart(self, told: Told) -> None:
        """Both services stop and start; files are the same after it."""
        before = await exported(self.client, told)
        await self._stack.aclose()
        self._stack = AsyncExitStack()
        await self._start()
        if await exported(self.client, told) != before:
            raise self.wrong("the file of a match is another after a restart")

    _doings: ClassVar[dict[Callable[["World", Told], Awaitable[None]], int]] = {
        begin: 2,
        fork: 2,
        retell: 2,
        play: 24,
        mistake: 2,
        tap: 4,
        resign: 1,
        draw: 2,
        claim: 4,
        leave: 2,
        move: 12,
        dispute: 5,
        judge: 10,
        restart: 2,
    }


async def exported(client: TableClient, told: Told) -> bytes:
    """The file of a match."""
    async with aclosing(client.export_match(told.referee, told.id)) as pieces:
        return b"".join([piece async for piece in pieces])
