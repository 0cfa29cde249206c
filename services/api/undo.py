"""Taking back and doing again. `domain.match` decides."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from domain.match import (
    AnyMatch,
    Decided,
    LineContinued,
    Outcome,
    first_of_turn,
    last_action,
)
from projections.following.schema import Names
from projections.transitions import transitions
from projections.visible_events import see
from services import messages
from services.accounts.bounds import Bounds
from services.api.requests import check_same, check_version, identifier, not_denied, stamped
from services.callers import Call, asking_seat, role_in
from services.errors import ApiError, Reason, malformed
from services.proof.receipts import ReceiptSigner
from services.store.first_answers import FirstAnswer, decided_again, first_answer
from services.store.line_moves import LineMove, answer, find, last_branch, move
from services.store.live_matches import Decision, LiveMatch, LiveMatches
from services.tokens import Mint
from services.wire.emeth.v1 import play_pb2 as pb

Moving = pb.UndoRequest | pb.RedoRequest


class Undo:
    """What moves the line of a match, and the consent that this may take."""

    def __init__(
        self, live: LiveMatches, mint: Mint, signer: ReceiptSigner, bounds: Bounds
    ) -> None:
        self._live = live
        self._bounds = bounds
        self._mint = mint
        self._signer = signer

    async def undo(self, call: Call, request: pb.UndoRequest) -> pb.UndoResponse:
        """Take back to an earlier version of the line, or ask for it."""
        return pb.UndoResponse(consent=await self._move(call, request))

    async def redo(self, call: Call, request: pb.RedoRequest) -> pb.RedoResponse:
        """Take up an undone branch again, or ask for it."""
        return pb.RedoResponse(consent=await self._move(call, request))

    async def answer_undo(self, call: Call, request: pb.AnswerUndoRequest) -> pb.AnswerUndoResponse:
        """Grant or refuse what is asked for."""
        identity = identifier("match_id", request.match_id)
        request_id = str(identifier("request_id", request.request_id))

        async def decide(live: LiveMatch) -> Decision[pb.Consent]:
            match = live.state
            seat = asking_seat(match, role_in(match, call, request.seat), request.seat)
            if (first := await first_answer(self._live, live, request_id)) is not None:
                asked = ["answer-undo", seat, request.granted]
                check_same(request_id, first.version, first.asked, asked)
                return None, await self._consented(live, first, seat)
            stamp = stamped(self._mint, identity, request_id)
            seeds = self._mint.seeds(identity)
            outcome = await answer(self._live, live, seat, stamp, seeds, granted=request.granted)
            return self._recorded(match, outcome, seat)

        return pb.AnswerUndoResponse(consent=await self._signed(identity, request, decide))

    async def _move(self, call: Call, request: Moving) -> pb.Consent:
        identity = identifier("match_id", request.match_id)
        request_id = str(identifier("request_id", request.request_id))

        async def decide(live: LiveMatch) -> Decision[pb.Consent]:
            match = live.state
            seat = asking_seat(match, role_in(match, call, request.seat), request.seat)
            redoes = isinstance(request, pb.RedoRequest)
            if (first := await first_answer(self._live, live, request_id)) is not None:
                to = await self._target(live, first.before, seat, request)
                asked = ["redo" if redoes else "undo", seat, to]
                check_same(request_id, first.version, first.asked, asked)
                return None, await self._consented(live, first, seat)
            if request.HasField("expected_version"):
                check_version(match, request.expected_version)
            to = await self._target(live, match, seat, request)
            wanted = LineMove(seat, to, redoes=redoes)
            stamp = stamped(self._mint, identity, request_id)
            seeds = self._mint.seeds(identity)
            outcome = await move(self._live, live, wanted, stamp, seeds)
            recorded = self._recorded(match, outcome, seat)
            if recorded[1].awaiting:
                self._bounds.ask(identity, seat)
            return recorded

        return await self._signed(identity, request, decide)

    async def _signed(
        self,
        identity: UUID,
        request: Moving | pb.AnswerUndoRequest,
        decide: Callable[[LiveMatch], Awaitable[Decision[pb.Consent]]],
    ) -> pb.Consent:
        """What comes of a command, signed once it is on disk."""
        consent = await self._live.command(identity, decide)
        await messages.sign(consent.receipt, self._signer, grouped=request.group_receipt)
        return consent

    async def _target(self, live: LiveMatch, match: AnyMatch, seat: str, request: Moving) -> int:
        """The version that a request means, when the match stands, or stood, so."""
        if isinstance(request, pb.RedoRequest):
            return request.version or await self._last_branch(live, match)
        match request.WhichOneof("back_to"):
            case "version":
                return request.version
            case "my_last_action":
                found = await find(
                    self._live, live, match, lambda events, _: last_action(seat, events)
                )
            case "start_of_my_turn":
                found = await find(
                    self._live,
                    live,
                    match,
                    lambda events, all_: first_of_turn(match, seat, events, whole=all_),
                )
            case _:
                raise malformed("back_to", "say how far to go back")
        if found is None:
            raise ApiError(Reason.NOTHING_TO_UNDO, f"{seat} has done nothing on the line")
        return found - 1

    async def _last_branch(self, live: LiveMatch, match: AnyMatch) -> int:
        """The end of the branch that was left last."""
        head = await last_branch(self._live, live, match)
        if head is None:
            raise ApiError(Reason.NOTHING_TO_REDO)
        return head

    async def _consented(self, live: LiveMatch, first: FirstAnswer, seat: str) -> pb.Consent:
        """The first answer to a request that comes again."""
        again = await decided_again(self._live, live, first)
        return _consent(first.before, again, seat, self._live.names)

    def _recorded(self, before: AnyMatch, outcome: Outcome, seat: str) -> Decision[pb.Consent]:
        decided = not_denied(outcome)
        assert isinstance(decided, Decided)
        return decided, _consent(before, decided, seat, self._live.names)


def _consent(before: AnyMatch, decided: Decided[AnyMatch], seat: str, names: Names) -> pb.Consent:
    """The answer to what was decided, which follows `before`, for who asked or answered."""
    match = decided.state
    goals = [each.event.to for each in decided.events if isinstance(each.event, LineContinued)]
    # A move that takes nobody's consent was never asked for; any other was, now or before.
    at_once = isinstance(decided.events[0].event, LineContinued)
    asked = None if at_once else match.pending or before.pending
    state = pb.CONSENT_STATE_DONE if goals else pb.CONSENT_STATE_REFUSED
    if match.pending is not None:
        state = pb.CONSENT_STATE_PENDING
    line = decided.events[0].event
    shown = line if isinstance(line, LineContinued) else asked
    consent = pb.Consent(
        version=match.version,
        state=state,
        events=[messages.event(see(step, seat)) for step in transitions(before, decided, names)],
        awaiting=match.pending.awaiting if match.pending else (),
        to=goals[0] if goals else (asked.to if asked else None) or 0,
        rolled=shown.rolled if shown else (),
        revealed=shown.revealed if shown else (),
        position=match.rules.write_view(match.position, seat),
    )
    messages.fill_receipt(consent.receipt, match)
    return consent
