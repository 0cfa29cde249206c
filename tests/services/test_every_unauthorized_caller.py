"""Nobody without a right sees anything of a private match, by any rpc or stream.

Private matches are set up with titles, names and reasons that occur nowhere else, and public ones
that were made of them. Then every rpc of every package is called by every kind of stranger, with
what strangers may know of these matches.
Rpcs about a match refuse; all others answer with nothing of a private match in the answer. What is
asked without naming a match is answered as it was before the matches were there, so that no count,
order or length reveals them.
"""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import pytest
from google.protobuf.descriptor import MethodDescriptor

from domain.match import TimeBudget
from services.client import Client
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.runtime.limits import Limits
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1.frontends_pb2 import Frontend, FrontendQuotas
from services.wire.emeth.v1.matches_pb2 import VISIBILITY_PRIVATE, VISIBILITY_PUBLIC
from tests.secrets.unauthorized_calls import (
    METHODS,
    About,
    Answer,
    Caller,
    StrangerConnection,
    requests,
    writes,
)
from tests.services.accounts.conftest import KnownPlayer, Site, open_site, resign
from tests.services.conftest import STYLUS, set_up_gateway

RPCS: Final[Mapping[About, str]] = {
    "a match": """
        AnalysisService.AnalyzeMatch AnalysisService.GetHint AuditService.ExplainEvent
        AuditService.ListCitations AuditService.VerifyMatch AuditService.CreateDispute
        AuditService.ResolveDispute AuditService.ReadjudicateMatches
        StylusesService.CreateTapGrant StylusesService.ListTapGrants
        StylusesService.DeleteTapGrant HistoryService.ListEvents HistoryService.ListBranches
        HistoryService.ExportMatch MatchesService.GetMatch MatchesService.UpdateMatch
        MatchesService.CancelMatch MatchesService.JoinMatch MatchesService.LeaveMatch
        MatchesService.ForkMatch MatchesService.CreateInvite MatchesService.RevokeInvite
        PlayService.ListActions PlayService.SubmitAction PlayService.PreviewOrder
        PlayService.CreateProposal PlayService.RespondToProposal PlayService.SetConditionalMoves
        PlayService.GetConditionalMoves PlayService.DeleteConditionalMoves ViewsService.GetView""",
    "a list": """
        AuditService.ListDisputes MatchesService.ListMatches StatisticsService.GetStatistics
        StatisticsService.SearchEvents ViewsService.Subscribe ViewsService.UpdateSubscription""",
    "a player": """
        PlayersService.UpdatePlayer PlayersService.GetPlayer PlayersService.ListPlayers
        PlayersService.RotatePlayerToken PlayersService.DeletePlayer""",
    "a frontend": """
        FrontendsService.CreateFrontend FrontendsService.GetFrontend
        FrontendsService.ListFrontends FrontendsService.UpdateFrontend
        FrontendsService.DeleteFrontend FrontendsService.RotateFrontendKey
        FrontendsService.TestWebhook FrontendsService.RedeliverNotices""",
    "a table": """
        GatewaysService.CreateGateway GatewaysService.Connect GatewaysService.Listen
        GatewaysService.Send GatewaysService.RotateGatewayKey GatewaysService.DeleteGateway
        GatewaysService.CloseTable GatewaysService.CreateGatewayInvite
        GatewaysService.CertifyGateway GatewaysService.CommandDevice GatewaysService.ListDevices
        StylusesService.PairStylus StylusesService.UpdateStylus StylusesService.ReleaseStylus
        StylusesService.UpdateTapMap StylusesService.ListTaps""",
    "an army": """
        ArmiesService.CreateArmy ArmiesService.GetArmy ArmiesService.ListArmies
        ArmiesService.UpdateArmy ArmiesService.DeleteArmy ArmiesService.ValidateArmy""",
    "the service": """
        AdminService.RebuildProjections AuditService.GetCheckpoint AuditService.GetProof
        GamesService.ListGames GamesService.GetGame GamesService.ListContent
        HistoryService.ImportTranscript HistoryService.ImportMatch MatchesService.CreateMatch
        PlayService.Session ViewsService.CreateStreamTicket""",
}
ABOUT: Final[Mapping[str, About]] = {
    rpc: about for about, rpcs in RPCS.items() for rpc in rpcs.split()
}
"""Every rpc. Who adds one says here what it is about."""
OPEN: Final = frozenset[str]()
"""Rpcs that still show strangers what they may not see."""
COUNTS_EVENTS: Final = frozenset({"AuditService.GetCheckpoint", "AuditService.GetProof"})
"""The tree over the log has a leaf for every event: it reveals only how many there were."""
DENIED: Final = {"PERMISSION_DENIED", "UNAUTHENTICATED"}
REFUSALS: Final = {*DENIED, "NOT_FOUND", "INVALID_ARGUMENT"}
"""Codes of errors that say nothing of how a match stands."""
TITLES: Final = ("Xylotomy", "Zugunruhe", "Quidnunc", "Borborygm")
NAMES: Final = ("Tamsyn", "Ysolde", "Osgyth", "Wulfric")
REASON: Final = "Brimborion"
RULE: Final = "agog.move.step"
LOOKING: Final = {
    "version": (1, 2),
    "rule": RULE,
    "format": (1, 2, 3, 4),
    "paths": ("event", "match", "view.match"),
    "topic_id": "a topic",
    "until_now": True,
    "game": "agog",
}
"""What everybody may ask of a public match, by the names of fields."""
CLOCK: Final = time_control_message(TimeBudget(7_654_321))


@pytest.fixture
def limits() -> Limits:
    """Nobody is held back for asking too often."""
    return Limits(address=0, token=0, frontend=0)


class Stage(NamedTuple):
    """A service with strangers."""

    service: Service
    site: Site
    strangers: dict[str, Caller]
    seated: tuple[KnownPlayer, KnownPlayer, KnownPlayer]
    public: str
    """A public match."""
    referee: str
    """The token of its referee."""


class Private(NamedTuple):
    """What strangers may not see."""

    matches: tuple[str, ...]
    marks: frozenset[str]
    """What occurs nowhere but in private matches; their IDs are not among it."""
    rights: tuple[Caller, ...]
    """Who may ask for them: a referee, a player, who has a free seat, the operator."""
    known: dict[str, Any]
    """What a stranger may know of them, by the names of fields."""
    before: str
    """One of them, which is over, and of which there may be a rematch."""
    gwen: str
    """The token of a player of that one."""

    def known_to(self, method: MethodDescriptor) -> dict[str, Any]:
        """Return the same for the requests of an rpc: a request that writes has no hidden text,
        which its own response would show."""
        hidden = {"title", "player", "text"} if writes(method) else set[str]()
        return {name: value for name, value in self.known.items() if name not in hidden}


@pytest.fixture
async def stage(service: Service) -> AsyncIterator[Stage]:
    site, other = await open_site(service), await open_site(service, "Another")
    async with site.client, other.client:
        ada, bob, dot = [await site.introduce(name.lower(), name) for name in NAMES[:3]]
        new = (await site.client.rotate_player_token(player_id=ada.id)).token
        eve, cid = await other.introduce("1", "Eve"), await site.introduce("3", "Cid")
        shop = await set_up_gateway(service)
        strangers = {
            "nobody": Caller(),
            "a player of another match": Caller(shop.tokens["white"]),
            "a player of another frontend": Caller(eve.token),
            "another player of the frontend": Caller(cid.token),
            "another frontend": Caller(frontend_key=other.key),
            "another frontend for its player": Caller(eve.token, other.key),
            "a token that was replaced": Caller(ada.token),
            "a token that has expired": Caller(dot.token),
            "another table": Caller(shop.key),
            "a token that is none": Caller("x" * 43),
        }
        # By others than creators of private ones: a match shows how many its creator made.
        async with Client(service.address) as anyone:
            made = await anyone.create_match(game="agog", visibility=VISIBILITY_PUBLIC)
            match, tokens = made.match.match_id, made.tokens
            await anyone.submit(tokens["white"], match, "a6-b6")
            await anyone.match(match, 2)
        seated = (KnownPlayer(ada.id, new), bob, dot)
        yield Stage(service, site, strangers, seated, match, tokens["referee"])


async def private(stage: Stage) -> Private:
    """Private matches: one that is played, with a dispute, one that ended, one that waits for
    players, and one that is played at a table."""
    site, (ada, bob, dot) = stage.site, stage.seated
    client = site.client
    played, tokens = await site.match(ada, bob, title=TITLES[0], time_control=CLOCK)
    await client.submit(ada.token, played, "a6-b6")
    await client.submit(bob.token, played, "h3-g3")
    await client.create_dispute(bob.token, played, 4, REASON)
    ended, more = await site.match(bob, ada, title=TITLES[1])
    await client.submit(bob.token, ended, "a6-b6")
    await resign(site, ada, ended)
    when_full = matches_pb2.START_POLICY_WHEN_FULL
    waiting = await client.create_match(game="agog", title=TITLES[2], start_policy=when_full)
    places = waiting.match.match_id
    code = waiting.invite_codes["white"]
    await client.join_match(dot.token, places, "white", invite_code=code)
    async with Client(stage.service.address) as tables:
        table = await tables.create_gateway(stage.service.admin_key, name=NAMES[3])
        shown = await client.create_match(game="agog", title=TITLES[3])
        own = [shown.tokens[seat] for seat in ("white", "black")]
        await tables.pair_stylus(table.gateway_key, STYLUS, pin="0000")
        await tables.seat_stylus(table.gateway_key, STYLUS, shown.match.match_id, own)
    gwen, hild = await site.introduce("6", "Gwen"), await site.introduce("7", "Hild")
    before, others = await site.match(gwen, hild, title="Before")
    dispute = (await client.create_dispute(gwen.token, before, 1, REASON)).number
    given = await client.resolve_dispute(
        others["referee"], before, dispute, REASON, [RULE], uphold=True
    )
    await resign(site, gwen, before)
    fork = (await client.fork_match(stage.referee, stage.public)).match.match_id
    await client.update_match(
        match={"match_id": fork, "title": TITLES[0], "visibility": VISIBILITY_PRIVATE}
    )
    matches = (played, ended, places, shown.match.match_id, before, fork)
    secrets = {
        *tokens.values(), *more.values(), *waiting.invite_codes.values(), *waiting.tokens.values(),
        *shown.tokens.values(), table.gateway_key, ada.token, bob.token,
    }  # fmt: skip
    known = {
        "match_id": matches,
        "topic_id": "a topic",
        "player_id": (ada.id, bob.id, dot.id),
        "opponent_id": bob.id,
        "frontend_id": site.id,
        "table_id": table.table_id,
        "gateway_id": table.gateway_id,
        "rematch_of": ended,
        "forked_from": played,
        "seat": "white",
        "version": 2,
        "dispute_number": 6,
        "action": "f1-g1",
        "notations": "f1-g1",
        "game": "agog",
        "title": TITLES[0],
        "player": NAMES[0],
        "text": REASON,
        "reason": "so it is",
        "uphold": True,
        "name": "Corner",
        "external_id": "9",
        "stylus": STYLUS,
        "pin": "0000",
        "filter": tuple(f'{field} "{each}"' for field, each in (
            ("player_id =", ada.id), ("frontend_id =", site.id), ("game =", "agog"),
            ("title :", TITLES[0]), ("player :", NAMES[0]), ("text :", REASON), ("rule =", RULE),
            ("forked_from =", played), ("rematch_of =", before),
        )),
    }  # fmt: skip
    await client.match(shown.match.match_id, 1)  # the read models have come so far
    soon = datetime.now(UTC) + timedelta(milliseconds=100)
    last = (await client.rotate_player_token(player_id=dot.id, token_expire_time=soon)).token
    stage.strangers["a token that has expired"] = Caller(last)
    while datetime.now(UTC) < soon:
        pass
    marks = frozenset(
        {*TITLES, *NAMES, REASON, *secrets, given.dispute.verdict.precedent_id, "321000000"}
    )
    shown_to = (tokens["referee"], ada.token, own[0], stage.service.admin_key)
    return Private(matches, marks, tuple(map(Caller, shown_to)), known, before, gwen.token)


async def published(stage: Stage, hidden: Private) -> tuple[str, str]:
    """Publish a fork and a rematch of private matches. In the fork a rule is applied that a verdict
    in a private match rests on."""
    client = stage.site.client
    proposed = await client.create_proposal(hidden.gwen, hidden.before, rematch={})
    again = proposed.rematch_seat.match_id
    fork = await client.fork_match(hidden.rights[0].token, hidden.matches[0])
    match = fork.match.match_id
    await client.submit(fork.tokens["white"], match, "f1-g1")
    await client.update_match(
        match={"match_id": again, "title": "Again", "visibility": VISIBILITY_PUBLIC}
    )
    updated = await client.update_match(match={"match_id": match, "visibility": VISIBILITY_PUBLIC})
    await client.match(match, updated.version)
    return match, again


def test_every_rpc_is_about_something() -> None:
    assert METHODS.keys() <= ABOUT.keys()


async def test_no_stranger_sees_anything_of_a_private_match(stage: Stage) -> None:
    async with StrangerConnection(stage.service.address) as line:
        hidden = await private(stage)
        public = await published(stage, hidden)
        looking = {**LOOKING, "match_id": (*public, stage.public)}
        calls = [
            (rpc, who, method, request, caller)
            for rpc, method in METHODS.items()
            for request in requests(method, hidden.known_to(method), parts=ABOUT[rpc] != "a match")
            for who, caller in stage.strangers.items()
        ]
        calls += [
            (rpc, who, method, request, caller)
            for rpc, method in METHODS.items()
            for request in requests(method, looking, parts=False)
            for who, caller in stage.strangers.items()
            if not writes(method)
        ]
        # A frontend may list the private matches that it makes itself, so it makes them last.
        calls.sort(key=lambda call: writes(call[2]))
        reads = sum(not writes(call[2]) for call in calls)
        answers = await line.ask_all([call[2:] for call in calls[:reads]])
        answers += await line.ask_all([call[2:] for call in calls[reads:]])
        found = sorted(
            f"{rpc} shows {who} {why}"
            for (rpc, who, _, request, _), answer in zip(calls, answers, strict=True)
            if (why := wrong(rpc, answer, str(request), hidden, public)) and rpc not in OPEN
        )
        assert not found, "\n".join(found)
        # All requests name real things: strangers were refused, and permitted callers are answered.
        refused = {
            call[0] for call, answer in zip(calls, answers, strict=True) if answer.code in DENIED
        }
        assert {rpc for rpc in METHODS if ABOUT[rpc] == "a match"} - OPEN <= refused
        for rpc, method in METHODS.items():
            if ABOUT[rpc] == "a match" and not writes(method):
                asked = requests(method, hidden.known)
                results = await line.ask_all([(method, r, c) for r in asked for c in hidden.rights])
                assert "" in {each.code for each in results}, f"{rpc} refuses all"


async def test_no_stranger_can_detect_private_matches(stage: Stage) -> None:
    async with StrangerConnection(stage.service.address) as line:
        once, twice = await unnamed(line, stage), await unnamed(line, stage)
        await private(stage)
        after = await unnamed(line, stage)
    found = sorted(
        f"{rpc} to {who}: {asked}"
        for (rpc, who, asked), answer in after.items()
        if once[rpc, who, asked] == twice[rpc, who, asked] != answer
        if rpc not in OPEN | COUNTS_EVENTS
    )
    assert not found, "\n".join(found)


async def test_no_stranger_uses_up_anything_of_a_frontend(stage: Stage) -> None:
    site, (ada, bob, _) = stage.site, stage.seated
    quotas = FrontendQuotas(
        actions_per_minute=12, player_actions_per_minute=6, watchers=1, open_matches=6
    )
    bounded = Frontend(frontend_id=site.id, quotas=quotas)
    await site.client.update_frontend(stage.service.admin_key, bounded)
    async with StrangerConnection(stage.service.address) as line:
        hidden = await private(stage)
        calls = [
            (method, request, caller)
            for rpc, method in METHODS.items()
            for request in requests(method, hidden.known_to(method), parts=False)
            for caller in stage.strangers.values()
            if ABOUT[rpc] == "a match"
        ]
        await line.ask_all(calls)
    for player, action in ((ada, "f1-g1"), (bob, "c8-c7")):
        answer = await site.client.submit(player.token, hidden.matches[0], action)
        assert answer.HasField("accepted")
    assert (await site.client.get_frontend()).usage.watchers == 0
    await site.client.create_match(game="agog")


async def unnamed(line: StrangerConnection, stage: Stage) -> dict[tuple[str, str, str], Answer]:
    """What strangers receive who name no match, but search for what is in them."""
    known = {
        "topic_id": "a topic",
        "game": "agog",
        "title": TITLES[0],
        "text": REASON,
        "player": NAMES[0],
        "seat": "white",
    }
    known["filter"] = (f'title : "{TITLES[0]}"', f'player : "{NAMES[0]}"', f'text : "{REASON}"')
    calls = [
        (rpc, who, method, request, caller)
        for rpc, method in METHODS.items()
        if not writes(method)
        for request in requests(method, known)
        for who, caller in stage.strangers.items()
        if who != "a token that has expired"
    ]
    answers = await line.ask_all([call[2:] for call in calls])
    return {
        (rpc, who, str(request)): answer
        for (rpc, who, _, request, _), answer in zip(calls, answers, strict=True)
    }


def wrong(rpc: str, answer: Answer, asked: str, hidden: Private, public: tuple[str, ...]) -> str:
    """Return what a stranger sees that it may not; empty if all is well."""
    marks = {mark for mark in hidden.marks if mark not in asked}
    if not any(match in asked for match in hidden.matches):
        marks |= {*hidden.matches}
    elif ABOUT[rpc] == "a match" and answer.code not in REFUSALS:
        return f"{answer.code or 'an answer'} {answer.reason}"
    else:  # nobody learns by a private match which ones were made of it
        marks |= {match for match in public if match not in asked}
    return ", ".join(sorted(answer.shows(marks)))
