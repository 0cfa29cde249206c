"""Rate limits and fair queueing of calls, so that a flood by one caller never slows another.

Each token, player and frontend has a token bucket of its own. All callers without a token share the
bucket of their network. A call that comes too early waits its turn; one that would wait too long is
refused, after a delay, so that retrying at once costs the service nothing. All this happens before
the request is read.

A token that has not been verified since the service started also takes from a second bucket of its
network, and puts that back when it proves valid. So nobody can guess tokens or invent them to get
more buckets, and a caller with a verified token is not slowed by a neighbor who tries.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from functools import cache
from types import TracebackType
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from msgspec.structs import replace

from services.accounts.context import RequestContext, client_network
from services.accounts.tokens import token_digest
from services.runtime import tracing
from services.runtime.errors import ApiError, Reason
from services.runtime.limits import Limits
from services.runtime.rate_limits import RateLimit, TimeSource, TokenBuckets

T = TypeVar("T")
Principal = tuple[str, str]
"""Who is rate limited: a kind, and a network, a token's digest or an account's ID."""

BURST_SECONDS: Final = 10.0
"""A caller may make at once the calls that its rate allows in this time."""
MAX_WAIT_SECONDS: Final = 1.0
"""A call that would have to wait longer is refused."""
MAX_STREAM_WAIT_SECONDS: Final = 10.0
"""Like `MAX_WAIT_SECONDS`, for a stream. Many are opened at once when a service starts."""
MIN_REFUSAL_DELAY_SECONDS: Final = 1.0
"""Shortest delay of a refusal."""
REFUSAL_RATE: Final = RateLimit(per_second=100.0, burst=1.0)
"""Rate of the refusals to one caller. Sent all at once, they would delay the calls of players."""
MAX_REFUSAL_DELAY_SECONDS: Final = 10.0
"""Longest extra delay of a refusal that queues behind others."""
MAX_DELAYED_REFUSALS: Final = 10_000
"""Number of refusals that are delayed at once. More are sent without delay."""
MAX_CONCURRENT_CALLS: Final = {"token": 4, "player": 4, "frontend": 16}
"""Concurrent calls of one caller. Others wait in order, so that frequent callers delay rare ones
little."""
MAX_CONCURRENT_OPENINGS: Final = {"address": 16, "token": 4, "player": 4, "frontend": 16}
"""Streams of one caller that are being opened at once. Others wait."""
OPENING_SECONDS: Final = 0.02
"""A stream counts as being opened until its first message, or for this time at most."""
OPENING_PAUSE_SECONDS: Final = 0.02
"""Pause before the slot of a stream that was opened is free again. Opening streams uses the event
loop, and without a pause one caller could take half of it."""
MAX_CONCURRENT_HEAVY_CALLS: Final = 2
"""Concurrent calls with a cost above one, and calls from one network without a token. It is less
than the number of reader threads, so that one caller's reads never block another's."""
MAX_CONCURRENT_CPU_BOUND_CALLS: Final = {"address": 1, "token": 1, "player": 1, "frontend": 2}
"""Concurrent CPU-bound calls of one caller. Python's threads take turns, so that two at once finish
no sooner and delay players twice as long."""
CPU_BOUND_RPCS: Final = frozenset({
    "CreateMatch", "ForkMatch", "ImportMatch", "ImportTranscript", "ExportMatch",
    "VerifyMatch", "ReadjudicateMatches",
})  # fmt: skip
EVENT_COST: Final = 0.5
"""Cost of an event in a call that records or renders many. Dealing cards one by one makes dozens of
events."""
UNPROVEN_TOKEN_RATE: Final = RateLimit(per_second=20.0, burst=400.0)
"""Rate of tokens from one network that have not proved valid."""
TOKEN_FIELDS: Final = ("tokens", "token", "key", "gateway_key", "owner_key", "owner_token")
"""Fields of responses in which tokens are issued."""
MAX_TOKEN_FIELD_DEPTH: Final = 1
"""Depth of nested messages that are searched for these fields."""
MAX_KNOWN_TOKENS: Final = 100_000
"""Number of verified tokens to remember. The least recently used one is forgotten first."""
CALL_COSTS: Final = {
    "CreateMatch": 5, "ForkMatch": 5, "CreateArmy": 4, "UpdateArmy": 4,
    "ValidateArmy": 4, "ListActions": 2, "ListMatches": 2, "ListEvents": 2, "ListCitations": 4,
    "ExportMatch": 25, "GetProof": 2, "ListTaps": 2,
    "VerifyMatch": 20, "ReadjudicateMatches": 20, "ImportMatch": 10, "ImportTranscript": 5,
    "CreateDispute": 4, "CreateProposal": 2, "PreviewOrder": 2, "CreateGateway": 4,
    "UpdatePlayer": 2, "ListPlayers": 2, "TestWebhook": 10,
}  # fmt: skip
"""Cost of calls that take more than one from a bucket."""


TOPIC_RPC: Final = "Topic"
"""Name under which topics of subscriptions are admitted."""


class AdmissionController:
    """Admits calls within the limits of their callers."""

    def __init__(self, limits: Limits, clock: TimeSource = time.monotonic) -> None:
        token = _rate(limits.token)
        self._rates = {
            "address": _rate(limits.address),
            "token": token,
            "player": token,
            "frontend": _rate(limits.frontend),
        }
        self._max_streams = limits.streams
        self._max_streams_at_address = limits.address_streams
        self._limited = bool(limits.address)
        self._buckets = TokenBuckets[Principal](clock=clock)
        self._unproven_tokens = TokenBuckets[str](clock=clock)
        self._refusals = TokenBuckets[Principal](clock=clock)
        self._known_tokens: OrderedDict[str, Principal] = OrderedDict()
        self._semaphores: WeakValueDictionary[tuple[Principal, str], asyncio.Semaphore]
        self._semaphores = WeakValueDictionary()
        self._streams: Counter[Principal] = Counter()
        self._streams_at: Counter[str] = Counter()
        self._delayed_refusals = 0

    def permit(
        self,
        call: RequestContext,
        rpc: str,
        *,
        stream: bool = False,
        in_session: bool = False,
        later: bool = False,
    ) -> "Permit":
        """Return the permit of a call, an asynchronous context that lasts as long as the call.

        Args:
            call: Context of the call.
            rpc: Name of the rpc.
            stream: Whether the response is a stream.
            in_session: Whether the call came on a session, which limits its concurrency itself.
            later: Whether the caller invokes `Permit.work` when the request has been read.
        """
        return Permit(self, call, rpc, stream=stream, in_session=in_session, later=later)

    def callers(self, digests: Sequence[str], peer: str) -> tuple[Principal, ...]:
        """Return the principals that a call with tokens of these digests counts against.

        The first one is the principal whose concurrency is limited.
        """
        if not digests:
            return (("address", client_network(peer)),)
        return tuple(dict.fromkeys(self._known_tokens.get(key, ("token", key)) for key in digests))

    def has_verified(self, digests: Sequence[str]) -> bool:
        """Return whether all tokens with these digests have proved valid before."""
        for key in digests:
            if key not in self._known_tokens:
                return False
            self._known_tokens.move_to_end(key)
        return True

    def remember_valid(self, token: str, principal: Principal | None = None) -> None:
        """Remember that a token is valid, and the account that it belongs to."""
        key = token_digest(token)
        if principal is not None or key not in self._known_tokens:
            self._known_tokens[key] = principal or ("token", key)
        if len(self._known_tokens) > MAX_KNOWN_TOKENS:
            self._known_tokens.popitem(last=False)

    def remember_issued(self, answer: Message) -> None:
        """Remember the tokens that a response issues."""
        for path in _token_field_paths(answer.DESCRIPTOR):
            given: Any = answer
            for name in path:
                given = getattr(given, name)
            for token in (given,) if isinstance(given, str) else given.values():
                if token:
                    self.remember_valid(token)

    # --- for permits -----------------------------------------------------------------------------

    async def wait(self, callers: tuple[Principal, ...], rpc: str, *, stream: bool) -> None:
        """Wait until the rate limits admit a call of these principals.

        Raises:
            ApiError: LIMIT_EXCEEDED if the wait would be too long.
        """
        longest = MAX_STREAM_WAIT_SECONDS if stream else MAX_WAIT_SECONDS
        cost, pause = CALL_COSTS.get(rpc, 1), 0.0
        for caller in callers:
            rate = self._rates[caller[0]]
            wait = self._buckets.take(caller, rate, cost, longest)
            if wait > longest:
                await self._refuse(caller, caller[0], rate, wait)
            pause = max(pause, wait)
        if pause:
            await asyncio.sleep(pause)

    def owed_seconds(self, caller: Principal) -> float:
        """Return how long a caller must wait for its events; 0 if that is tolerable."""
        wait = self._buckets.take(caller, self._rates[caller[0]], 0, MAX_WAIT_SECONDS)
        return wait if wait > MAX_WAIT_SECONDS else 0.0

    async def refund_and_refuse(self, caller: Principal, rpc: str, owed: float) -> None:
        """Refund the cost of a call that was admitted, and raise LIMIT_EXCEEDED."""
        rate = self._rates[caller[0]]
        self._buckets.give_back(caller, rate, CALL_COSTS.get(rpc, 1))
        await self._refuse(caller, caller[0], rate, owed)

    async def count_bad_token(self, address: str) -> None:
        """Wait until a token from this network may be checked, and count it as unproven.

        Raises:
            ApiError: LIMIT_EXCEEDED if the wait would be too long.
        """
        if not self._limited:
            return
        wait = self._unproven_tokens.take(address, UNPROVEN_TOKEN_RATE, longest=MAX_WAIT_SECONDS)
        if wait > MAX_WAIT_SECONDS:
            await self._refuse(("wrong", address), "wrong tokens", UNPROVEN_TOKEN_RATE, wait)
        if wait:
            await asyncio.sleep(wait)

    def refund_unproven_token(self, address: str) -> None:
        """Refund the count of an unproven token, which has proved valid."""
        if self._limited:
            self._unproven_tokens.give_back(address, UNPROVEN_TOKEN_RATE)

    def concurrency(self, caller: Principal, rpc: str) -> asyncio.Semaphore:
        """Return the semaphore that limits the concurrency of a caller for rpcs of this kind.

        It exists as long as somebody refers to it.
        """
        if rpc in CPU_BOUND_RPCS:
            return self._semaphore(caller, "computing", MAX_CONCURRENT_CPU_BOUND_CALLS[caller[0]])
        if caller[0] == "address" or rpc in CALL_COSTS:
            return self._semaphore(caller, "heavy", MAX_CONCURRENT_HEAVY_CALLS)
        return self._semaphore(caller, "light", MAX_CONCURRENT_CALLS[caller[0]])

    def opening_slots(self, caller: Principal) -> asyncio.Semaphore | None:
        """Return the semaphore for streams that a caller is opening; None without limits."""
        return (
            self._semaphore(caller, "opening", MAX_CONCURRENT_OPENINGS[caller[0]])
            if self._limited
            else None
        )

    def _semaphore(self, caller: Principal, kind: str, limit: int) -> asyncio.Semaphore:
        found = self._semaphores.get((caller, kind))
        if found is None:
            found = self._semaphores[caller, kind] = asyncio.Semaphore(limit)
        return found

    def open_stream(self, caller: Principal, place: str) -> None:
        """Count an open stream of a caller on a network.

        Raises:
            ApiError: LIMIT_EXCEEDED if either has too many.
        """
        for who, most, has in (
            ("caller", self._max_streams, self._streams[caller]),
            ("address", self._max_streams_at_address, self._streams_at[place]),
        ):
            if most and has >= most:
                raise ApiError(
                    Reason.LIMIT_EXCEEDED,
                    f"the {who} has {most} open streams, the most allowed: close one,"
                    " or follow several topics on one",
                    retry_seconds=MIN_REFUSAL_DELAY_SECONDS,
                    limit="streams" if who == "caller" else "streams of an address",
                    most=most,
                )
        self._streams[caller] += 1
        self._streams_at[place] += 1

    def close_stream(self, caller: Principal, place: str) -> None:
        """Release one open stream of this caller."""
        _decrement(self._streams, caller)
        _decrement(self._streams_at, place)

    def charge(self, caller: Principal, events: int) -> None:
        """Charge a caller for events that its call has recorded or rendered."""
        self._buckets.charge(caller, self._rates[caller[0]], events * EVENT_COST)

    def refusal_delay_seconds(self, caller: Principal) -> float:
        """Return how long to delay a refusal to this caller, behind those already delayed."""
        behind = self._refusals.take(caller, REFUSAL_RATE, longest=MAX_REFUSAL_DELAY_SECONDS)
        return MIN_REFUSAL_DELAY_SECONDS + min(behind, MAX_REFUSAL_DELAY_SECONDS)

    async def _refuse(self, caller: Principal, limit: str, rate: RateLimit, wait: float) -> None:
        if self._delayed_refusals < MAX_DELAYED_REFUSALS:
            self._delayed_refusals += 1
            try:
                await asyncio.sleep(self.refusal_delay_seconds(caller))
            finally:
                self._delayed_refusals -= 1
        raise ApiError(
            Reason.LIMIT_EXCEEDED,
            f"too many calls: on average {rate.per_second:g} a second are allowed for one"
            f" {limit}; wait {wait:.1f} s",
            retry_seconds=wait,
            limit=limit,
            per_second=f"{rate.per_second:g}",
        )


class Permit:
    """The permit of one call, from its admission to its end."""

    def __init__(
        self,
        admission: AdmissionController,
        call: RequestContext,
        rpc: str,
        *,
        stream: bool,
        in_session: bool,
        later: bool,
    ) -> None:
        self._admission = admission
        self._call = call
        self._rpc = rpc
        self._stream = stream
        self._in_session = in_session
        self._later = later
        self._is_unproven = False
        self._caller: Principal = ("address", "")
        self._slot: asyncio.Semaphore | None = None
        self._has_stream = False
        self._opening_timer: asyncio.TimerHandle | None = None
        self._is_pausing = False

    async def __aenter__(self) -> RequestContext:
        admission, call = self._admission, self._call
        self._end_trace = tracing.start_span(self._rpc, call.trace)
        digests = [token_digest(each) for each in (call.token, call.frontend_key) if each]
        callers = admission.callers(digests, call.peer)
        self._caller = callers[0]
        if not admission.has_verified(digests):
            await admission.count_bad_token(client_network(call.peer))
            self._is_unproven = True
        await admission.wait(callers, self._rpc, stream=self._stream)
        if self._stream:
            admission.open_stream(self._caller, client_network(call.peer))
            self._has_stream = True
            if not self._in_session:
                await self._acquire_slot()
        elif not (self._in_session or self._later):
            await self.acquire()
        return replace(call, confirm_tokens=self._confirm_tokens, charge_events=self._charge)

    async def acquire(self) -> None:
        """Wait for a free slot of the caller.

        Raises:
            ApiError: LIMIT_EXCEEDED if calls admitted before have charged the caller too much
                meanwhile.
        """
        slot = self._admission.concurrency(self._caller, self._rpc)
        await slot.acquire()
        if owed := self._admission.owed_seconds(self._caller):
            slot.release()
            await self._admission.refund_and_refuse(self._caller, self._rpc, owed)
        self._slot = slot

    async def _acquire_slot(self) -> None:
        """Wait for a free slot to open the stream.

        A CPU-bound stream holds its slot until its first message, however long that takes.
        """
        is_cpu_bound = self._rpc in CPU_BOUND_RPCS
        if is_cpu_bound:
            self._slot = self._admission.concurrency(self._caller, self._rpc)
        else:
            self._slot = self._admission.opening_slots(self._caller)
        if self._slot is None:
            return
        try:
            await self._slot.acquire()
        except BaseException:
            self._admission.close_stream(self._caller, client_network(self._call.peer))
            raise
        if not is_cpu_bound:
            self._opening_timer = asyncio.get_running_loop().call_later(
                OPENING_SECONDS, self._free_slot
            )

    def stream_opened(self) -> None:
        """Free the slot of a stream that has sent its first message."""
        if self._opening_timer is not None:
            self._opening_timer.cancel()
            self._free_after_pause()
        elif self._rpc in CPU_BOUND_RPCS:
            self._free_slot()

    def _free_after_pause(self) -> None:
        """Free the slot after a pause."""
        self._opening_timer, self._is_pausing = None, True
        asyncio.get_running_loop().call_later(OPENING_PAUSE_SECONDS, self._free_slot)

    def _free_slot(self) -> None:
        self._opening_timer = None
        if self._slot is not None:
            self._slot.release()
            self._slot = None

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end_trace(_reason_name(error))
        if self._opening_timer is not None:  # the call was canceled
            self._opening_timer.cancel()
            self._free_after_pause()
        if not self._is_pausing:
            self._free_slot()
        if self._has_stream:
            self._admission.close_stream(self._caller, client_network(self._call.peer))

    def _confirm_tokens(self, call: RequestContext) -> None:
        """Remember that the tokens of the call are valid, and refund the count of unproven ones."""
        if self._is_unproven:
            self._is_unproven = False
            self._admission.refund_unproven_token(client_network(self._call.peer))
        if call.frontend is not None:
            self._admission.remember_valid(call.frontend_key, ("frontend", str(call.frontend)))
        if call.player is not None:
            self._admission.remember_valid(call.token, ("player", str(call.player)))
        elif call.token and not call.has_only_frontend_key:
            self._admission.remember_valid(call.token)

    def _charge(self, events: int) -> None:
        """Charge the caller for events of the call."""
        self._admission.charge(self._caller, events)


@cache
def _token_field_paths(
    kind: Descriptor, depth: int = MAX_TOKEN_FIELD_DEPTH
) -> tuple[tuple[str, ...], ...]:
    """Return the paths of the fields in a response type that issue tokens."""
    found: list[tuple[str, ...]] = []
    found += [(name,) for name in TOKEN_FIELDS if name in kind.fields_by_name]
    for field in kind.fields if depth else ():
        if field.message_type is not None and not field.is_repeated:
            found += [
                (field.name, *path) for path in _token_field_paths(field.message_type, depth - 1)
            ]
    return tuple(found)


def _reason_name(error: BaseException | None) -> str:
    if error is None:
        return ""
    return error.reason.name if isinstance(error, ApiError) else type(error).__name__


def _decrement(counts: Counter[T], key: T) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def _rate(per_second: int) -> RateLimit:
    return RateLimit(per_second, per_second * BURST_SECONDS)
