"""Every rpc, and how a viewer asks it of a match; or why there is nothing to compare.

An rpc that is in none of `READS`, `DEEDS`, `DEVICES` and `ELSEWHERE` fails the law of secrets: who
adds one says here how its answers are compared.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from difflib import unified_diff
from itertools import zip_longest
from typing import Any, Final
from uuid import UUID

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message_factory import GetMessageClass

from domain.kernel.game import AnyGame
from services.wire.emeth.devices.v1 import connections_pb2, styluses_pb2
from services.wire.emeth.v1 import history_pb2, match_views_pb2, play_pb2, subscriptions_pb2
from tests.secrets.answers import (
    METHODS,
    Answer,
    ServiceCaller,
    answered,
    describe_answer,
    is_same_answer,
)

EVERYTHING: Final = FieldMask(paths=["*"])
DRAWINGS: Final = FieldMask(paths=["scene", "text", "svg"])
EVENT: Final = FieldMask(paths=["event", "view"])
PAGES: Final = 4
"""Pages of a list that are turned."""
WORDS: Final = ("secret quest", "hawk", "grave")
"""What is searched for in histories and disputes."""


class Side:
    """One match of a pair, on a service."""

    def __init__(self, way: ServiceCaller, match: Any, tokens: dict[str, str]) -> None:
        self.way = way
        self.id: str = match.match_id
        self.title: str = match.title
        self.version: int = match.version
        self.tokens = tokens
        self._requests = 0

    async def ask(self, rpc: str, token: str, /, **fields: Any) -> Answer:
        """What is to be compared of the answer, page by page where there are pages."""
        method = METHODS[rpc]
        known = {field.name for field in method.input_type.fields}
        usual = {"match_id": self.id, "at_least_version": self.version}
        if "request_id" in known:
            self._requests += 1
            usual["request_id"] = str(UUID(int=(UUID(self.id).int + self._requests) % 2**128))
        fields = {n: v for n, v in usual.items() if n in known} | fields
        make, came = GetMessageClass(method.input_type), []
        for _ in range(PAGES):
            turned: list[Any] = []
            request = make(**fields)
            came += await answered(self.way, rpc, request, token, 10_000, turned.append)
            fields["page_token"] = getattr(turned[-1], "next_page_token", "") if turned else ""
            if not fields["page_token"]:
                break
        return tuple(came)

    async def do(self, rpc: str, token: str, /, **fields: Any) -> Answer:
        """The same for what changes the match, and how far it has come."""
        came = await self.ask(rpc, token, **fields)
        await self.catch_up()
        return came

    async def catch_up(self) -> None:
        """Take note of the version that the match is at."""
        request = play_pb2.ListActionsRequest(match_id=self.id, page_size=1)
        seat = next(role for role in self.tokens if role not in ("referee", "spectator"))
        request.seat = seat
        async for answer in self.way.call("ListActions", request, self.tokens["referee"]):
            self.version = answer.version  # type: ignore[attr-defined]  # of that rpc


class ViewerContext:
    """The viewer, and the subject of the requests."""

    def __init__(self, game: AnyGame, viewer: str, seats: tuple[str, ...]) -> None:
        self.game = game
        self.viewer = viewer
        self.seats = seats
        self.previews: list[str] = []
        self.refused: list[str] = []
        """What the viewer may not do in either match."""
        self.space = ""
        """A space of the scene to look at closely."""


Requests = Iterator[dict[str, Any]]


def _analysis(side: Side, look: ViewerContext) -> Iterator[dict[str, Any]]:
    del look
    yield {"nodes": 2, "from_version": max(side.version - 4, 0)}


def _once(side: Side, look: ViewerContext) -> Requests:
    del side, look
    yield {}


def _matches(side: Side, look: ViewerContext) -> Requests:
    titled = f'title : "{side.title}"'
    yield {"filter": titled}
    wanted = f"{titled} AND status = ACTIVE AND open_seat = true"
    yield {"filter": wanted, "order_by": "update_time desc"}


def _actions(side: Side, look: ViewerContext) -> Requests:
    yield {"page_size": 5}
    verbs = dict.fromkeys(text.partition(" ")[0] for text in look.previews)
    yield from ({"filter": f'verb = "{verb}"', "page_size": 500} for verb in verbs)
    yield from ({"seat": seat} for seat in look.seats)


def _previews(side: Side, look: ViewerContext) -> Requests:
    for first in range(0, len(look.previews), 100):
        yield {"notations": look.previews[first : first + 100]}
    yield {"notations": ["no such thing"]}


def _refused(side: Side, look: ViewerContext) -> Requests:
    yield from ({"action": text, "validate_only": True} for text in look.previews)
    yield from (
        {"action": text, "validate_only": True, "include_changes": True}
        for text in look.previews[:3]
    )
    yield {"score_notation": "1. anything"}
    yield from ({"action": text} for text in look.refused)
    yield {"action": "no such thing"}
    yield {"action": "end", "expected_version": side.version + 7}


def _views(side: Side, look: ViewerContext) -> Requests:
    yield {}
    yield {"read_mask": EVERYTHING}
    for version in dict.fromkeys((1, max(side.version - 2, 1), max(side.version - 1, 1))):
        yield {"read_mask": EVERYTHING, "version": version}
    yield {"version": side.version + 1}
    if look.space:
        yield {"read_mask": DRAWINGS, "focus": look.space}
    yield {"read_mask": DRAWINGS, "mark_legal": True, "narrow": True}
    yield {"read_mask": DRAWINGS, "view_from": match_views_pb2.VIEW_FROM_OPPOSITE}
    yield {"viewer": "referee"}
    yield {"read_mask": EVERYTHING, "viewer": "spectator"}
    yield {"read_mask": FieldMask(paths=["army_status"]), "army_seat": look.seats[-1]}


def _watch(side: Side, look: ViewerContext) -> Requests:
    for topic in _topics():
        match = subscriptions_pb2.MatchTopic(match_id=side.id, **topic)
        yield {"topics": [subscriptions_pb2.Topic(topic_id="match", match=match)]}


def _topics() -> Requests:
    yield {"until_now": True}
    yield {"until_now": True, "latest_read_mask": EVENT, "narrow": True, "mark_legal": True}
    yield {"mainline_only": True, "read_mask": EVENT}
    yield {"until_now": True, "read_mask": EVENT, "view_from": match_views_pb2.VIEW_FROM_OPPOSITE}


def _history(side: Side, look: ViewerContext) -> Requests:
    yield {"page_size": 2}
    yield {"include_changes": True}
    yield {"page_size": 2, "order_by": "version desc"}
    yield {"filter": f"rule = {next(iter(look.game.rules))}"}
    yield from ({"filter": f'text : "{word}"'} for word in WORDS)
    yield {"filter": f"seat = {look.seats[-1]} AND kind = match.ActionTaken"}
    yield {"filter": "kind = golem-arcana.encounter-hidden"}


def _versions(side: Side, look: ViewerContext) -> Requests:
    for version in dict.fromkeys((1, max(side.version - 2, 1), max(side.version - 1, 1))):
        yield {"version": version}
    yield {"version": side.version}
    yield {"version": side.version + 1}


def _exports(side: Side, look: ViewerContext) -> Requests:
    """Every format but the replay page, which draws what a replay and the match file say."""
    yield {}
    yield {"format": history_pb2.EXPORT_FORMAT_TRANSCRIPT}
    yield {"format": history_pb2.EXPORT_FORMAT_SCORE}


def _text(side: Side, look: ViewerContext) -> Requests:
    yield {}
    yield {"filter": f'text : "{WORDS[-1]}"'}


READS: Final[dict[str, Callable[[Side, ViewerContext], Requests]]] = {
    "GetMatch": _once,
    "ListMatches": _matches,
    "ListActions": _actions,
    "PreviewOrder": _previews,
    "SubmitAction": _refused,
    "GetView": _views,
    "Subscribe": _watch,
    "ListEvents": _history,
    "ListBranches": _once,
    "ForkMatch": _once,
    "ExportMatch": _exports,
    "ExplainEvent": _versions,
    "ListCitations": _once,
    "AnalyzeMatch": _analysis,
    "GetHint": _once,
    "ListDisputes": _text,
    "VerifyMatch": _once,
    "ReadjudicateMatches": _once,
}
"""What changes nothing, refusals with it."""
NOW: Final = ("ListActions", "PreviewOrder", "SubmitAction", "GetView")
"""Those that tell what there is and what could be."""

Write = Callable[[Side, ViewerContext], Awaitable[Answer]]


async def _disputes(side: Side, look: ViewerContext) -> Answer:
    own, referee = side.tokens[look.viewer], side.tokens["referee"]
    raised = await side.do("CreateDispute", own, version=side.version, reason="Is it so?")
    given = {"dispute_number": side.version, "reason": "It is.", "uphold": True}
    refused = await side.do("ResolveDispute", own, **given)
    await side.do("ResolveDispute", referee, **given)
    return (*raised, *refused)


async def _seats(side: Side, look: ViewerContext) -> Answer:
    if look.viewer not in look.seats:
        return ()
    own = side.tokens[look.viewer]
    named = {"role": look.viewer, "player": "Ada", "entropy": "luck"}
    request = GetMessageClass(METHODS["JoinMatch"].input_type)(
        request_id=str(UUID(int=UUID(side.id).int ^ 1)), match_id=side.id, **named
    )
    async for claimed in side.way.call("JoinMatch", request, own):
        token = claimed.token  # type: ignore[attr-defined]  # of that rpc
    again = await side.do("JoinMatch", own, **named)
    left = await side.do("LeaveMatch", token, seat=look.viewer)
    return (*again, *left)


async def _referee(side: Side, look: ViewerContext) -> Answer:
    """The viewer tries to give the referee's role away."""
    return await side.do("CreateInvite", side.tokens[look.viewer], kind=2)


async def _undos(side: Side, look: ViewerContext) -> Answer:
    """The viewer asks to go back to the start, in vain and then not, and to come back."""
    own, others = side.tokens[look.viewer], [s for s in look.seats if s != look.viewer]
    came: list[Any] = []
    accept, reject = play_pb2.PROPOSAL_DECISION_ACCEPT, play_pb2.PROPOSAL_DECISION_REJECT
    for kind, version, decision in (
        ("undo", 1, play_pb2.PROPOSAL_DECISION_WITHDRAW),
        ("undo", 1, reject),
        ("undo", 1, accept),
        ("redo", side.version, accept),
    ):
        came += await side.do("CreateProposal", own, **{kind: {"version": version}})
        came += await side.do("RespondToProposal", own, decision=decision)
        for seat in others:
            await side.do("RespondToProposal", side.tokens[seat], decision=decision)
    return tuple(came)


async def _draws(side: Side, look: ViewerContext) -> Answer:
    own = side.tokens[look.viewer]
    accept, reject = play_pb2.PROPOSAL_DECISION_ACCEPT, play_pb2.PROPOSAL_DECISION_REJECT
    came = list(await side.do("CreateProposal", own, draw={}))
    came += await side.do("RespondToProposal", own, decision=accept)
    for seat in look.seats:
        if seat != look.viewer:
            await side.do("RespondToProposal", side.tokens[seat], decision=reject)
    return tuple(came)


async def _conditional(side: Side, look: ViewerContext) -> Answer:
    """Conditional moves that answer any action, are looked at, and are deleted."""
    if look.viewer not in look.seats:
        return ()
    own, text = side.tokens[look.viewer], look.previews[0] if look.previews else "no such thing"
    moves = [{"trigger_action": text, "responses": [text]}]
    came = list(await side.do("SetConditionalMoves", own, moves=moves))
    came += await side.do("GetConditionalMoves", own)
    came += await side.do("DeleteConditionalMoves", own)
    return tuple(came)


async def _end(side: Side, look: ViewerContext) -> Answer:
    return await side.do("SubmitAction", side.tokens[look.viewer], resignation=True)


async def _again(side: Side, look: ViewerContext) -> Answer:
    return await side.ask("CreateProposal", side.tokens[look.viewer], rematch={})


WRITES: Final[dict[tuple[str, ...], Write]] = {
    ("CreateProposal", "RespondToProposal", "undo"): _undos,
    ("CreateDispute", "ResolveDispute"): _disputes,
    ("JoinMatch", "LeaveMatch"): _seats,
    ("CreateInvite",): _referee,
    ("CreateProposal", "RespondToProposal", "draw"): _draws,
    ("SetConditionalMoves", "GetConditionalMoves", "DeleteConditionalMoves"): _conditional,
    ("SubmitAction", "resignation"): _end,
    ("CreateProposal", "rematch"): _again,
}
"""What changes the match, in this order."""

VIEWS: Final = ("cc army", "cc army>", "button page", "cc map", "cc ancients", "cc ancients>")
CARD: Final = (*(f"cc rune {n}" for n in range(1, 4)), *(f"cc digit {n}" for n in range(4)))


class StylusCaller:
    """A stylus at a table of its own, that acts for the viewer in one of the matches."""

    def __init__(self, side: Side, key: str) -> None:
        self._side = side
        self._key = key
        self._stylus = side.id
        """Every stylus has a name of its own, and this one is known for a name."""
        self._seq = 0
        self._prompt = 0

    async def pair_and_seat(self, tokens: list[str]) -> Answer:
        """Pair it, and seat it."""
        side, key = self._side, self._key
        seating = {"match_id": side.id, "tokens": tokens}
        came = [
            await side.ask("PairStylus", key, stylus_id=self._stylus, pin="0000"),
            await side.ask("UpdateStylus", key, stylus_id=self._stylus, pin="1234", name="Pen"),
            await side.ask("UpdateTapMap", key, codes={"x": "cc map"}),
            await side.ask("UpdateStylus", key, stylus_id=self._stylus, seating=seating),
        ]
        return tuple(each for answer in came for each in answer)

    async def asks(self) -> Answer:
        """What a gateway may ask of its devices."""
        side, key, versions = self._side, self._key, [0]
        came: list[Any] = []
        request = styluses_pb2.ListTapsRequest(page_size=500)

        def seen(answer: Any) -> None:
            versions.extend(tap.version for tap in answer.taps)

        came += await answered(side.way, "ListTaps", request, key, 1, seen)
        came += await side.ask("ListDevices", key, at_least_version=max(versions))
        return tuple(came)

    async def taps(self, codes: list[str], shown: Callable[[Any], None]) -> Answer:
        """The prompts that answer these taps, over one stream; `shown` is given each."""
        prompted = asyncio.Semaphore(0)

        async def sent() -> Any:
            yield connections_pb2.ConnectRequest(hello=self._hello())
            for code in codes:
                await prompted.acquire()
                self._seq += 1
                tap = connections_pb2.Tap(
                    seq=self._seq, stylus_id=self._stylus, code=code, prompt_number=self._prompt
                )
                yield connections_pb2.ConnectRequest(tap=tap)

        def seen(answer: Any) -> None:
            if answer.WhichOneof("message") == "prompt":
                self._prompt = answer.prompt.prompt_number
                prompted.release()
                shown(answer.prompt)

        most = 2 + len(codes)
        return await answered(self._side.way, "Connect", sent(), self._key, most, seen)

    def _hello(self) -> connections_pb2.Hello:
        return connections_pb2.Hello(gateway_id=self._key.rpartition(".")[0], epoch="e")


DEVICES: Final = frozenset(
    {"CreateGateway", "PairStylus", "UpdateStylus", "UpdateTapMap", "Connect",
     "ListDevices", "ListTaps"}
)  # fmt: skip
"""What a gateway asks, with a stylus that acts for the viewer."""

ELSEWHERE: Final[dict[str, str]] = {
    "ListGames": "tells of games, and of no match",
    "GetGame": "tells of a game, and of no match",
    "CreateMatch": "makes another match",
    "UpdateMatch": "shows the match as GetMatch does, by the same function",
    "CancelMatch": "shows the match as GetMatch does, by the same function",
    "RevokeInvite": "shows the match as GetMatch does, by the same function",
    "ImportTranscript": "makes another match, of a text that the caller has",
    "ImportMatch": "takes in a file that the caller has",
    "GetCheckpoint": "a digest of the whole log, which has all matches in it",
    "CreateStreamTicket": "encrypts what the caller sends",
    "UpdateSubscription": "adds topics to a stream, which are followed as those of Subscribe",
    "GetProof": "digests, and places in a log that all matches share",
    "ValidateArmy": "judges what the caller sends, by the content packs alone",
    "CreateArmy": "keeps what the caller sends",
    "UpdateArmy": "keeps what the caller sends",
    "ListArmies": "lists the armies of an owner, of no match",
    "GetArmy": "an army of an owner, of no match",
    "DeleteArmy": "an army of an owner, of no match",
    "ListContent": "lists what content packs have, whatever is played with them",
    "Listen": "is Connect, which is compared, with its messages by Send",
    "Send": "hands messages over, and tells nothing",
    "Session": "carries other calls, to the same handlers",
    "RebuildProjections": "is the operator's, who has the log",
    "RotateGatewayKey": "is the table's owner's, about a key",
    "DeleteGateway": "is the table's owner's, about a gateway",
    "ReleaseStylus": "is about a stylus, and no match",
    "CloseTable": "is the table's owner's, about a table",
    "CreateGatewayInvite": "is the table's owner's, and makes a code",
    "CertifyGateway": "is the table's owner's, about a certificate",
    "CommandDevice": "is the table's owner's, and asks a device",
    "CreateTapGrant": "makes a code for the caller's own seat",
    "ListTapGrants": "lists what the caller's own seat has given",
    "DeleteTapGrant": "takes back what the caller's own seat has given",
    "CreateFrontend": "is the operator's, about a frontend",
    "ListFrontends": "is the operator's: counts of matches and bytes, of all matches together",
    "GetFrontend": "counts of matches and bytes, of all matches of a frontend together",
    "UpdateFrontend": "is about a frontend; what is posted to a webhook is what WatchPlayer tells",
    "RotateFrontendKey": "is about a key, and no match",
    "TestWebhook": "posts nothing of a match",
    "RedeliverNotices": "is about a place; what is posted from there on was posted before",
    "DeleteFrontend": "is the operator's, about a frontend",
    "UpdatePlayer": "is about a player, and no match",
    "GetPlayer": "is about a player, and no match",
    "ListPlayers": "is about players, and no match",
    "RotatePlayerToken": "is about a token, and no match",
    "DeletePlayer": "is about a player, and no match",
    "SearchEvents": "finds what ListEvents tells a spectator, by the same function",
    "GetStatistics": "counts matches; openings and rules pass the veil of a spectator",
}
"""Rpcs that reveal nothing of a match, and why."""


async def read(side: Side, look: ViewerContext, names: tuple[str, ...] = tuple(READS)) -> list[Any]:
    """All that the viewer reads, each with what was asked."""
    token = side.tokens[look.viewer]
    return [
        ((name, _named(side, fields)), await side.ask(name, token, **fields))
        for name in names
        for fields in READS[name](side, look)
    ]


def _named(side: Side, fields: dict[str, Any]) -> str:
    """What was asked, but for the title and the ID, which are others for each match."""
    return str(fields).replace(side.title, "TITLE").replace(side.id, "ID")


def difference(left: list[Any], right: list[Any]) -> str:
    """The first thing in which the answers differ, for people; empty if they are the same."""
    for one, other in zip_longest(left, right, fillvalue=(("nothing", ""), ())):
        if one[0] != other[0] or not is_same_answer(one[1], other[1]):
            lines = (
                f"{asked}\n{describe_answer(came)}".splitlines() for asked, came in (one, other)
            )
            return "\n".join((str(one[0]), *unified_diff(*lines, "the one", "the other", n=4)))
    return ""
