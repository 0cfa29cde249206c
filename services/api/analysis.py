"""AnalysisService: evaluates matches and positions with what the caller may know."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Final
from uuid import UUID

import msgspec

from domain.bots.random_play import Shares, result_shares
from domain.kernel.game import REFEREE
from domain.match import ActionTaken, AnyMatch, give_hint, line
from domain.match.information_states import information_state_fingerprint, write_information_state
from projections.views import board_views
from projections.views.transitions import Transition
from services.accounts.context import RequestContext, require_role
from services.accounts.tokens import TokenIssuer
from services.analysis.assessment import (
    Assessment,
    AssessmentRequest,
    HintRequest,
    SuggestedAction,
    assess,
    hint,
)
from services.api.forks import check_origins_over
from services.api.permissions import viewing_role
from services.api.requests import check_same, issue_context, parse_uuid, raise_if_denied
from services.bots.process_pool import SearchFailedError, SearchPool
from services.bots.search_process import seed_of
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.read_models import ReadModelQueries
from services.store.recorded_requests import find_recorded_request
from services.wire.emeth.v1 import analysis_pb2 as pb

DEFAULT_NODES: Final = 200
MAX_CONCURRENT_ANALYSES: Final = 2
"""Number of matches that are analyzed at once."""
MAX_HINTS: Final = 40
"""Number of hints that a seat may get in a match."""
EVENTS_PER_READ: Final = 50
"""Number of events to read at once."""
MAX_SECONDS_PER_EVENT: Final = 60.0
"""Time limit of the evaluation of one event. The best result so far is used."""
MISTAKE_KINDS: Final = {
    "": pb.MISTAKE_KIND_NONE,
    "inaccuracy": pb.MISTAKE_KIND_INACCURACY,
    "mistake": pb.MISTAKE_KIND_MISTAKE,
    "blunder": pb.MISTAKE_KIND_BLUNDER,
}


class AnalysisHandlers:
    """Handlers of the rpcs of AnalysisService."""

    def __init__(
        self,
        live: MatchCache,
        read_models: ReadModelQueries,
        token_issuer: TokenIssuer,
        pool: SearchPool | None,
    ) -> None:
        """Create the handlers. Without a pool they refuse with BOTS_DISABLED."""
        self._live = live
        self._token_issuer = token_issuer
        self._read_models = read_models
        self._pool = pool
        self._running_count = 0

    async def analyze_match(
        self, call: RequestContext, request: pb.AnalyzeMatchRequest
    ) -> AsyncIterator[pb.AnalyzeMatchResponse]:
        """Yield an evaluation of each event in the mainline."""
        identity, viewer, pool, versions = await self._check_analysis(call, request)
        nodes = request.nodes or DEFAULT_NODES
        versions = [each for each in versions if each >= request.from_version]
        with self._counted_analysis():
            done = 0
            async for step in self._steps(identity, versions):
                call.check()  # a token may have been replaced meanwhile
                done += 1
                yield await self._assess(
                    pool, step, viewer, nodes, request.seat, (done, len(versions))
                )

    async def get_hint(
        self, call: RequestContext, request: pb.GetHintRequest
    ) -> pb.GetHintResponse:
        """Return the actions that a bot suggests, after the hint was recorded for all to see."""
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        nodes = request.nodes or DEFAULT_NODES

        async def decide(live: CachedMatch) -> Decision[tuple[AnyMatch, str, int]]:
            match = live.state
            seat = require_role(match, call)
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                check_same(request_id, first.version, first.command, ["hint", seat])
                return None, (first.before, seat, first.version)
            if match.hints.get(seat, 0) >= MAX_HINTS:
                raise ApiError(
                    Reason.QUOTA_EXCEEDED,
                    f"{seat} has used all {MAX_HINTS} hints that a seat gets in a match",
                    quota="hints",
                    used=match.hints[seat],
                    most=MAX_HINTS,
                )
            await check_origins_over(self._live, match)
            given = raise_if_denied(
                give_hint(match, seat, issue_context(self._token_issuer, identity, request_id))
            )
            return given, (match, seat, given.state.version)

        with self._counted_analysis():
            if self._pool is None:
                raise ApiError(Reason.BOTS_DISABLED)
            match, seat, version = await self._live.command(identity, decide)
            question = HintRequest(
                game=match.game,
                shape=information_state_fingerprint(match.rules),
                state=write_information_state(match, seat),
                seat=seat,
                nodes=nodes,
                seed=seed_of("coach", str(match.version)),
                until=time.monotonic() + MAX_SECONDS_PER_EVENT,
            )
            answer = await self._run_in_pool(self._pool, hint, question)
        response = pb.GetHintResponse(version=version, seat=seat)
        for each in msgspec.msgpack.decode(answer, type=tuple[SuggestedAction, ...]):
            response.suggestions.add(**msgspec.structs.asdict(each))
        return response

    async def _check_analysis(
        self, call: RequestContext, request: pb.AnalyzeMatchRequest
    ) -> tuple[UUID, str, SearchPool, list[int]]:
        """Return the match's ID, the viewer, the pool and the mainline's versions.

        Raises:
            ApiError: HELP_FORBIDDEN while the match is in progress.
        """
        identity = parse_uuid(request.match_id)
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        viewer = await viewing_role(self._read_models, identity, call)
        match = (await self._live.get(identity)).state
        if request.seat and request.seat not in match.seats:
            raise field_invalid("seat", f"it must be one of {', '.join(match.seats)}")
        if match.result is None:
            raise ApiError(Reason.HELP_FORBIDDEN)
        await check_origins_over(self._live, match)
        if self._pool is None:
            raise ApiError(Reason.BOTS_DISABLED)
        return (
            identity,
            viewer,
            self._pool,
            [each for event_range in line(match) for each in event_range],
        )

    async def _run_in_pool(
        self, pool: SearchPool, work: Callable[[bytes], bytes], question: msgspec.Struct
    ) -> bytes:
        try:
            return await pool.run(work, msgspec.msgpack.encode(question))
        except SearchFailedError as error:
            raise ApiError(Reason.BOTS_BUSY, str(error)) from None

    @contextmanager
    def _counted_analysis(self) -> Iterator[None]:
        """Count an analysis in progress. Raise BOTS_BUSY if there are too many."""
        if self._running_count >= MAX_CONCURRENT_ANALYSES:
            raise ApiError(
                Reason.BOTS_BUSY,
                f"{MAX_CONCURRENT_ANALYSES} matches are being analyzed already, the most at"
                " once: try again later",
            )
        self._running_count += 1
        try:
            yield
        finally:
            self._running_count -= 1

    async def _steps(self, identity: UUID, versions: list[int]) -> AsyncIterator[Transition]:
        """Yield these events of a match, read in pages."""
        wanted, after = set(versions), (versions[0] - 1 if versions else 0)
        while wanted and after < versions[-1]:

            def read(connection: Connection, after: int = after) -> list[Transition]:
                return board_views.read_transitions(connection, identity, after, EVENTS_PER_READ)

            page = await self._read_models.ask(read)
            for step in page:
                if step.after.version in wanted:
                    yield step
            after = page[-1].after.version

    async def _assess(
        self,
        pool: SearchPool,
        step: Transition,
        viewer: str,
        nodes: int,
        seat: str,
        progress: tuple[int, int],
    ) -> pb.AnalyzeMatchResponse:
        event, shown = step.sealed.event, pb.AnalyzeMatchResponse(version=step.after.version)
        shown.done, shown.total = progress
        question = _question(step, viewer, nodes, seat)
        answer = await self._run_in_pool(pool, assess, question)
        found = msgspec.msgpack.decode(answer, type=Assessment)
        if isinstance(event, ActionTaken):
            shown.seat = event.seat
        shown.action = question.action
        shown.win_probabilities.update(found.chances)
        shown.mistake = MISTAKE_KINDS[found.kind]
        shown.threat = found.reply
        shown.win_probability, shown.best_win_probability = found.taken, found.best
        for each in found.better:
            shown.better_actions.add(**msgspec.structs.asdict(each))
        return shown


def _question(step: Transition, viewer: str, nodes: int, seat: str) -> AssessmentRequest:
    """Return the analysis task for an event, with only what its viewer may know."""
    event, after, before = step.sealed.event, step.after, step.before
    question = AssessmentRequest(
        game=after.game,
        shape=information_state_fingerprint(after.rules),
        viewer=viewer,
        after=write_information_state(after, viewer),
        nodes=nodes,
        # The seed depends on the version alone. So a repeated question gets the same answer, as do
        # matches that differ only in hidden information.
        seed=seed_of("coach", str(after.version)),
        until=time.monotonic() + MAX_SECONDS_PER_EVENT,
        ended=_result_shares(after),
    )
    if before is None or not isinstance(event, ActionTaken) or event.draw is not None:
        return question
    if not _can_know(after, viewer, event.seat) or seat not in ("", event.seat):
        return question
    if event.entry or after.rules.is_administrative(event.action):
        return question
    return msgspec.structs.replace(
        question,
        seat=event.seat,
        action=after.rules.write_action(event.action),
        before=write_information_state(before, event.seat),
    )


def _result_shares(match: AnyMatch) -> Shares:
    """Return each seat's share of the result; empty before the match is over."""
    return result_shares(match.result, match.seats) if match.result is not None else {}


def _can_know(match: AnyMatch, viewer: str, seat: str) -> bool:
    """Return whether a viewer may know all that a seat knew."""
    return viewer in (seat, REFEREE) or not match.rules.has_hidden_information
