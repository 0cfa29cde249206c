"""Conformance vectors played on a running service with the calls of an ordinary client."""

from collections.abc import Iterable, Mapping

from domain.conformance.vectors import (
    Attempt,
    Mismatch,
    Vector,
    VectorStep,
    sort_by_bytes,
    summarize_difference,
)
from domain.kernel.any_game import fold, read_options
from domain.kernel.game import REFEREE, SPECTATOR
from domain.kernel.rulings import Accepted, Refused
from domain.registry import GAMES
from services.client import Client, ServiceError
from services.wire.emeth.v1.play_pb2 import SubmitActionResponse

_MALFORMED = "FIELD_INVALID"


def has_service_entries(vector: Vector) -> bool:
    """Return whether a vector that begins at the start reaches an entry dealt face down.

    The service makes such entries, and no client can choose their values.
    """
    game = GAMES[vector.game]
    options = read_options(game, vector.options)
    if not game.deals_face_down(options):
        return False
    state = game.start(options)
    for step in vector.steps:
        action = game.read_action(step.do)
        outcome = None if isinstance(action, Refused) else game.decide(state, step.by, action)
        if not isinstance(outcome, Accepted):
            return False  # the service says so too
        state = fold(game, state, outcome.facts)
        if any(prompt.is_face_down for prompt in game.turn(state)):
            return True
    return False


async def check_vector_by_grpc(client: Client, vector: Vector) -> list[Mismatch]:
    """Return the differences between the service and a vector that begins at the start.

    Vectors contain the results of chance, so the match has entered dice and shuffles.

    Raises:
        ServiceError: A call failed.
    """
    options = dict(vector.options)
    if "chance" in GAMES[vector.game].options.__struct_fields__:
        options["chance"] = "entered"
    created = await client.create_match(game=vector.game, options=options, title="conformance")
    match = _VectorRun(client, vector, created.match.match_id, created.tokens)
    await match.play()
    return match.found


class _VectorRun:
    """A run of one vector on the service, with the version and position of its match."""

    def __init__(
        self, client: Client, vector: Vector, match_id: str, tokens: Mapping[str, str]
    ) -> None:
        self.found: list[Mismatch] = []
        self._client = client
        self._vector = vector
        self._id = match_id
        self._tokens = tokens
        self._version = 1
        self._position = ""

    async def play(self) -> None:
        """Play the vector to its end, or to the first step that differs."""
        vector = self._vector
        self._position = await self._view(REFEREE)
        for at, step in enumerate(vector.steps):
            await self._look(at)
            if not await self._step(at, step):
                return
        last = len(vector.steps)
        await self._look(last)
        if vector.record is not None:
            answer = await self._client.score(self._tokens[REFEREE], self._id, self._version)
            self._compare(last, "record", vector.record, answer.text)

    async def _look(self, at: int) -> None:
        """Check the legal actions, refusals and views of the position before a step."""
        for key, expected in self._vector.legal.items():
            index, _, seat = key.partition(":")
            if int(index) == at:
                listed = await self._listed([seat] if seat else self._seats())
                self._compare(at, f"legal actions {key}", *summarize_difference(expected, listed))
        for attempt in self._vector.illegal:
            if attempt.at == at:
                await self._attempt(attempt)
        for viewer, view in self._vector.views.get(str(at), {}).items():
            self._compare(at, f"view of {viewer}", view, await self._view(viewer))

    def _seats(self) -> list[str]:
        return [role for role in self._tokens if role not in (REFEREE, SPECTATOR)]

    async def _listed(self, seats: Iterable[str]) -> tuple[str, ...]:
        listed: set[str] = set()
        for seat in seats:
            actions = await self._client.list_every_action(self._tokens[seat], self._id)
            listed |= {action.notation for action in actions}
        return sort_by_bytes(listed)

    async def _attempt(self, attempt: Attempt) -> None:
        what = f"attempt by {attempt.by}: {attempt.do}"
        try:
            outcome = await self._submit(attempt.by, attempt.do)
        except ServiceError as error:
            # An empty text, or one with control characters, does not get as far as the rules.
            if error.reason != _MALFORMED:
                raise
            return
        if outcome.HasField("refused"):
            self._compare(attempt.at, what, attempt.rule, outcome.refused.rule)
        else:
            self._compare(attempt.at, what, f"refused by {attempt.rule}", "accepted")

    async def _step(self, at: int, step: VectorStep) -> bool:
        """Take a step, and return whether the position after it is as the vector says."""
        what = f"{step.by}: {step.do}"
        outcome = await self._submit(step.by, step.do)
        if outcome.HasField("refused"):
            refused = f"refused by {outcome.refused.rule}: {outcome.refused.why}"
            self._compare(at, what, "accepted", refused, wanted=step.position)
            return False
        self._version = outcome.accepted.version
        action = outcome.accepted.events[0].action
        self._compare(at, "notation", step.do, action.notation)
        if step.human is not None:
            self._compare(at, "human notation", step.human, action.score_notation)
        self._position = await self._view(REFEREE)
        what = f"position after {what}"
        self._compare(at + 1, what, step.position, self._position, wanted=step.position)
        return self._position == step.position

    async def _submit(self, seat: str, action: str) -> SubmitActionResponse:
        return await self._client.submit(self._tokens[seat], self._id, action)

    async def _view(self, viewer: str) -> str:
        """Return the position as a viewer sees it; the referee sees all of it."""
        token = self._tokens[viewer]
        view = await self._client.view(token, self._id, at_least_version=self._version)
        return view.position

    def _compare(self, at: int, what: str, expected: str, got: str, *, wanted: str = "") -> None:
        if expected != got:
            position = self._position
            self.found.append(Mismatch(at, what, expected, got, wanted or position, position))
