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
from services.client import Client, ServiceError
from services.client.gateway import GatewayClient
from services.main import Service
from services.proof.match_file import verify_file
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Action

STYLUS: Final = "AA:01"
LIMITS = Limits(cached_matches=2, snapshot_every=10)
"""Few matches in memory, and snapshots often: loading is to be part of every life."""
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
EXPECTED_REFUSALS: Final = (
    "DISPUTE_ALREADY_OPEN",
    "FACTS_IMPOSSIBLE",
    "FIELD_INVALID",
    "MATCH_OVER",
    "MATCH_PAUSED",
    "NOTHING_TO_REDO",
    "NOTHING_TO_UNDO",
    "SEAT_NOT_AWAITED",
    "NOT_IN_MAINLINE",
    "NOT_PLAYABLE",
    "ALREADY_IN_MAINLINE",
    "DISPUTE_NOT_OPEN",
    "NO_DRAWS",
    "NO_PROPOSAL",
    "PROPOSAL_PENDING",
    "ROLE_NOT_ALLOWED",
    "SEAT_OPEN",
    "SEAT_TAKEN",
    "SEED_MISSING",
    "TOO_MANY_DISPUTES",
    "UNDO_FORBIDDEN",
    "VERSION_OUT_OF_RANGE",
)
"""Reasons for which something may well not be done."""
MISTAKES: Final = ("a1-h8", "dice 1 1", "pass", "end", "collect", "\u2620", "x " * 40)
UNKNOWN: Final = "?"
"""The score at a version that no answer told."""


class UnsoundError(AssertionError):
    """What must always hold does not; the text says what, and what was done before."""


@dataclass
class KnownMatch:
    """What the model knows of a match."""

    id: str
    game: str
    tokens: dict[str, str]
    players: dict[str, str]
    """By seat; empty for a seat that is open."""
    invitations: dict[str, str] = field(default_factory=dict)
    scores: list[str] = field(default_factory=list)
    """The score after each event; empty while the match is in progress."""
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


class RandomWorkload:
    """Two services, and the matches that are played there."""

    def __init__(self, folder: Path, random: Random, games: tuple[str, ...] = ()) -> None:
        self.random = random
        self.games = games or tuple(GAMES)
        self.matches: list[KnownMatch] = []
        self.done: list[str] = []
        """The actions so far, for reports of failures."""
        # Ids and secrets follow from the seed too, so that the same life can be lived again.
        common: dict[str, Any] = {
            "secret": random.randbytes(32).hex(),
            "signing_key": random.randbytes(32).hex(),
        }
        common |= {"listen": "127.0.0.1:0", "drain_seconds": 1, "packs": str(PACKS)}
        common |= {"log_level": "error"}
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
        self.here = await self._stack.enter_async_context(Service(self._here, LIMITS))
        self.client = await self._stack.enter_async_context(
            Client(self.here.address, name="lives/1")
        )
        self.there = await self._stack.enter_async_context(Service(self._there, LIMITS))
        self.elsewhere = await self._stack.enter_async_context(Client(self.there.address))

    async def live(self, steps: int) -> None:
        """Do so many things, and look that all is sound in between and at the end."""
        await self.begin()
        for number in range(steps):
            await self.step()
            if number % 8 == 7:
                await self.check(self.random.choice(self.matches))
        for known in self.matches:
            await self.check(known)

    async def step(self) -> None:
        """Do anything, to any match."""
        doings, weights = zip(*self._operations.items(), strict=True)
        (doing,) = self.random.choices(doings, weights)
        known = self.random.choice(self.matches[-3:])
        self.done.append(f"{doing.__name__} {known.id[:8]} {known.game} at {known.version}")
        try:
            await doing(self, known)
        except ServiceError as error:
            self.done[-1] += f": {error.reason} {error.message}"
            if error.reason not in EXPECTED_REFUSALS:
                raise self.wrong(f"{error.code} {error.reason}: {error}") from error
        await self.agree(known)

    def wrong(self, why: str) -> UnsoundError:
        """The error for what does not hold."""
        return UnsoundError("\n".join((why, "after:", *self.done[-40:])))

    # --- what holds ------------------------------------------------------------------------------

    async def agree(self, known: KnownMatch) -> None:
        """The service says of the match what the model does."""
        shown = await self.client.match(known.id, known.version, token=known.referee)
        if shown.version != known.version:
            raise self.wrong(f"it is at version {shown.version}, not {known.version}")
        players = {seat.name: seat.player for seat in shown.seats}
        if players != known.players:
            raise self.wrong(f"at it sit {players}, not {known.players}")
        if known.scores[-1] == UNKNOWN:
            known.scores[-1] = shown.result.score
        if shown.result.score != known.scores[-1]:
            raise self.wrong(f"the score is {shown.result.score!r}, not {known.scores[-1]!r}")

    async def check(self, known: KnownMatch) -> None:
        """The match is sound, here, as a file, and elsewhere."""
        self.done.append(f"check {known.id[:8]}")
        viewer = self.random.choice([SPECTATOR, REFEREE])
        answer = await self.client.verify_match(known.tokens[viewer], known.id)
        if not answer.sound or answer.event_count != known.version:
            raise self.wrong(f"{known.game} {known.id}: {answer}")
        raw = await exported(self.client, known)
        if raw != await exported(self.client, known):
            raise self.wrong("the file of a match is another each time")
        verified = verify_file(BytesIO(raw))
        if not verified.report.sound:
            raise self.wrong(f"{known.game} {known.id}: {verified.report.findings[:5]}")
        try:
            taken = await self.elsewhere.import_file(self.there.admin_key, raw)
        except ServiceError as error:
            if error.reason != "MATCH_CONFLICT":
                raise self.wrong(f"it is refused elsewhere: {error}") from error
            return  # an earlier state of it is there
        again = await exported(self.elsewhere, known)
        answer = await self.elsewhere.verify_match(known.referee, known.id)
        if taken.version != known.version or not answer.sound or again != raw:
            raise self.wrong(f"{known.game} {known.id} elsewhere: {answer}")
        if self.random.random() < 0.5:
            await self._continue_elsewhere(known)

    async def _continue_elsewhere(self, known: KnownMatch) -> None:
        """Continue the match on the service that imported it, as far as possible."""
        seat, client = self._seat(known), self.elsewhere
        try:
            number = (
                await client.create_dispute(known.tokens[seat], known.id, known.version, "And?")
            ).number
            await client.resolve_dispute(known.referee, known.id, number, "So it was", uphold=True)
            await client.undo(known.referee, known.id, self.random.randint(1, known.version))
            await client.submit_action(known.tokens[seat], known.id, resignation=True)
        except ServiceError as error:
            if error.reason not in EXPECTED_REFUSALS:
                raise self.wrong(f"elsewhere: {error.code} {error.reason}: {error}") from error
        answer = await client.verify_match(known.referee, known.id)
        raw = await exported(client, known)
        if not answer.sound or not verify_file(BytesIO(raw)).report.sound:
            raise self.wrong(f"{known.game} {known.id}, gone on with elsewhere: {answer}")

    # --- beginnings ------------------------------------------------------------------------------

    async def begin(self, _: KnownMatch | None = None) -> None:
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
                game=game,
                options=options,
                title="Evening " * random.randrange(3),
                chance=random.choice(pb.Chance.values()),
                undo_policy=random.choice(pb.UndoPolicy.values()),
                pause_on_dispute=random.random() < 0.5,
                armies=armies,
            )
        except ServiceError as error:
            if error.reason != "OPTIONS_INVALID":
                raise
            made = await self.client.create_match(game=game)
        self.done.append(f"began {made.match.match_id} of {game}: {options} {armies}")
        self._keep(made.match, made.tokens)

    def _options(self, game: str) -> dict[str, Any]:
        """Any values for some of the options that can be listed."""
        if game == "golem-arcana" and self.random.random() < 0.2:
            return {"pack": DUEL, "scenario": "duel"}
        found = {}
        for name, known in schema_fields(GAMES[game].options).items():
            values = known.get("enum") or [
                value for each in known.get("anyOf", ()) for value in each.get("enum", (None,))
            ]
            if known.get("type") == "boolean":
                values = [False, True]
            if known.get("type") == "integer":
                values = range(known["minimum"], min(known["maximum"], 12) + 1)
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
            saved = await self.client.create_army(
                army={"game": "golem-arcana", "name": "Any", "roster": army}
            )
            found[seat] = saved.army.army_id
        return found

    def _keep(self, made: pb.Match, tokens: Any) -> None:
        known = KnownMatch(
            made.match_id, made.game, dict(tokens), {each.name: "" for each in made.seats}
        )
        known.invitations = {**known.tokens}
        known.happened(made.version, made.result.score)
        self.matches.append(known)

    async def fork(self, known: KnownMatch) -> None:
        version = self.random.choice([0, self.random.randint(1, known.version)])
        made = await self.client.fork_match(known.referee, known.id, version)
        self._keep(made.match, made.tokens)

    async def retell(self, known: KnownMatch) -> None:
        text = await self.client.transcript(known.referee, known.id, known.version)
        try:
            made = await self.client.import_transcript(transcript=text.text)
        except ServiceError as error:
            raise self.wrong(f"a transcript cannot be read back: {error}") from error
        self._keep(made.match, made.tokens)

    # --- play ------------------------------------------------------------------------------------

    async def play(self, known: KnownMatch) -> None:
        """Take a few actions for the seats that are prompted."""
        for _ in range(self.random.randint(1, 6)):
            found = await self._action(known)
            if found is None:
                return
            seat, action = found
            score_notation = bool(action.score_notation) and self.random.random() < 0.3
            text = action.score_notation if score_notation else action.notation
            answer = await self.client.submit(
                known.tokens[seat], known.id, text, score_notation=score_notation
            )
            if not answer.HasField("accepted"):
                raise self.wrong(f"{text} of {seat} is listed, and refused: {answer.refused}")
            known.happened(answer.accepted.version, answer.accepted.result.score)

    async def _action(self, known: KnownMatch) -> tuple[str, Action] | None:
        """A legal action, and whose it is."""
        roles = [role for role in known.tokens if role not in (REFEREE, SPECTATOR)]
        for role in self.random.sample(roles, len(roles)):
            token = known.tokens[role]
            listed = await self.client.list_actions(token, known.id, role)
            if listed:
                action = self.random.choice(listed)
                if action.group:
                    listed = await self.client.list_actions(
                        token, known.id, role, group=action.group
                    )
                    action = self.random.choice(listed)
                return role, action
        return None

    async def mistake(self, known: KnownMatch) -> None:
        """Something that is no action, or none of the moment; nothing comes of it."""
        seat = self.random.choice([*known.players])
        text = self.random.choice(
            ["", "a1-h8", "dice 1 1", "pass", "end", "collect", "\u2620", "x " * 40]
        )
        answer = await self.client.submit(known.tokens[seat], known.id, text)
        known.happened(answer.accepted.version, answer.accepted.result.score)

    async def tap(self, known: KnownMatch) -> None:
        """Taps at random, on anything, by a stylus that has all seats."""
        key = (await self.client.create_gateway(self.here.admin_key, name="Corner")).gateway_key
        await self.client.pair_stylus(key, f"{STYLUS}{self.random.random()}"[:16], pin="0000")
        (stylus,) = (await self.client.list_devices(key))[0].styluses
        seats = [token for role, token in known.tokens.items() if role not in (REFEREE, SPECTATOR)]
        pen = stylus.stylus_id
        await self.client.seat_stylus(key, pen, known.id, seats)
        async with GatewayClient(self.here.address, key) as gateway, asyncio.timeout(30):
            prompt = await gateway.wait_for_prompt(pen, 1)
            for _ in range(self.random.randint(5, 25)):
                code = self._code(prompt)
                prompt = await gateway.tap(pen, code)
        answer = await self.client.verify_match(known.referee, known.id)
        known.happened(answer.event_count, UNKNOWN)

    def _code(self, prompt: Any) -> str:
        """Something to tap, mostly what leads on."""
        chance = self.random.random()
        if prompt.HasField("armed") and chance < 0.7:
            return "button confirm"
        if prompt.next_targets and chance < 0.9:
            return str(self.random.choice(prompt.next_targets))
        order = self.random.choice(["undo", "redo", "draw", "agree", "refuse", "dispute"])
        return self.random.choice([f"match {order}", "cc rune 1", "button page", "nonsense"])

    async def resign(self, known: KnownMatch) -> None:
        answer = await self.client.submit_action(
            known.tokens[self._seat(known)], known.id, resignation=True
        )
        known.happened(answer.accepted.version, answer.accepted.result.score)

    async def draw(self, known: KnownMatch) -> None:
        """An offer of a draw, and answers to it."""
        seat = self._seat(known)
        offer = await self.client.create_proposal(known.tokens[seat], known.id, draw={})
        known.happened(offer.accepted.version, offer.accepted.result.score)
        for other in known.players:
            if other != seat and self.random.random() < 0.8:
                yes = self.random.random() < 0.6
                answer = await self.client.answer(known.tokens[other], known.id, accepted=yes)
                known.happened(answer.accepted.version, answer.accepted.result.score)

    def _seat(self, known: KnownMatch) -> str:
        return self.random.choice([*known.players])

    # --- seats -----------------------------------------------------------------------------------

    async def claim(self, known: KnownMatch) -> None:
        seat, name = self._seat(known), self.random.choice(["Ada", "Bob", "Zoë \u2680", "x" * 80])
        entropy = self.random.choice(["", "7 of spades", "\u00e9"])
        claimed = await self.client.join_match(
            known.invitations[seat], known.id, seat, name, entropy=entropy
        )
        known.players[seat], known.tokens[seat] = name, claimed.token
        known.happened(claimed.match.version, known.scores[-1])

    async def leave(self, known: KnownMatch) -> None:
        seat = self._seat(known)
        left = await self.client.leave_match(known.tokens[seat], known.id, seat)
        known.players[seat], known.tokens[seat] = "", known.invitations[seat]
        known.happened(left.match.version, known.scores[-1])

    # --- going back ------------------------------------------------------------------------------

    async def move(self, known: KnownMatch) -> None:
        """An undo or a redo, and the consent that it takes."""
        role = self.random.choice([*known.players, REFEREE, REFEREE])
        to = self.random.randint(max(1, known.version - 15), known.version)
        token, redo = known.tokens[role], self.random.randrange(3) == 0
        choice = self.random.choice([to, to, to, None])
        if redo:
            made = await self.client.create_proposal(token, known.id, redo={"version": choice or 0})
            consent = made.accepted
        else:
            consent = await self.client.undo(token, known.id, choice)
        self._moved(known, consent)
        for _ in range(6):
            if not consent.proposal.awaiting_seats:
                return
            who = self.random.choice([*consent.proposal.awaiting_seats, REFEREE])
            yes = self.random.random() < 0.8
            consent = (await self.client.answer(known.tokens[who], known.id, accepted=yes)).accepted
            self._moved(known, consent)
            if not yes:
                return

    def _moved(self, known: KnownMatch, consent: Any) -> None:
        kinds = [event.kind for event in consent.events]
        moved = "match.LineContinued" in kinds
        score = known.scores[consent.proposal.target_version - 1] if moved else known.scores[-1]
        known.happened(consent.version, UNKNOWN if "match.ActionTaken" in kinds else score)

    # --- disputes --------------------------------------------------------------------------------

    async def dispute(self, known: KnownMatch) -> None:
        on = self.random.randint(1, known.version)
        number = (
            await self.client.create_dispute(
                known.tokens[self._seat(known)], known.id, on, "That was not so \u2014 or was it?"
            )
        ).number
        known.disputes.append(number)
        known.happened(number, known.scores[-1])

    async def judge(self, known: KnownMatch) -> None:
        """A verdict of any kind, on a dispute that is open."""
        if not known.disputes:
            await self.dispute(known)
        number = self.random.choice(known.disputes)
        rules = self.random.sample(sorted(GAMES[known.game].rules), self.random.randrange(3))
        kind = self.random.choice(["uphold", "revert", "correct", "correct"])
        to = self.random.randint(1, known.version - 1) if kind == "revert" else None
        facts = await self._facts(known) if kind == "correct" else ()
        given = await self.client.resolve_dispute(
            known.referee,
            known.id,
            number,
            "As it was seen",
            rules,
            uphold=kind == "uphold" or None,
            revert_to=to,
            correction={"facts_json": facts} if kind == "correct" else None,
        )
        known.disputes.remove(number)
        known.happened(given.dispute.verdict.version, UNKNOWN)
        answer = await self.client.verify_match(known.referee, known.id)
        known.happened(answer.event_count, UNKNOWN)

    async def _facts(self, known: KnownMatch) -> list[str]:
        """Facts that would follow now, or any from before, which mostly do not fit."""
        events = await self.client.list_events(known.referee, known.id)
        acted = [event.version for event in events if event.facts]
        if not acted:
            return []
        shown = await self.client.explain(
            known.referee, known.id, self.random.choice(acted), at_least_version=known.version
        )
        return [json.dumps(json.loads(fact)) for fact in shown.facts_json][:3]

    # --- services --------------------------------------------------------------------------------

    async def restart(self, known: KnownMatch) -> None:
        """Both services stop and start; files are the same after it."""
        before = await exported(self.client, known)
        await self._stack.aclose()
        self._stack = AsyncExitStack()
        await self._start()
        if await exported(self.client, known) != before:
            raise self.wrong("the file of a match is another after a restart")

    _operations: ClassVar[dict[Callable[["RandomWorkload", KnownMatch], Awaitable[None]], int]] = {
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


async def exported(client: Client, known: KnownMatch) -> bytes:
    """The file of a match."""
    async with aclosing(client.export_match(known.referee, known.id)) as pieces:
        return b"".join([piece.data async for piece in pieces])
