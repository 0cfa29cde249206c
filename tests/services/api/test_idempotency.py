"""A response that holds a secret is given again to the caller that was given it first, and to
no other that knows the request's id; what is stored of that id is keyed."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from hashlib import sha256
from typing import Any, NamedTuple

import grpc.aio
import pytest
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec.structs import replace

from services.accounts.tokens import TokenIssuer, token_digest
from services.client import Client, ServiceError, new_request
from services.client.connection import authorization_metadata
from services.main import Service
from services.runtime.json_values import to_struct
from services.runtime.settings import Settings
from services.store.log import FILE
from services.wire.emeth.devices.v1 import gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import (
    armies_pb2,
    frontends_pb2,
    history_pb2,
    matches_pb2,
    play_pb2,
    players_pb2,
)
from tests.services.accounts.conftest import open_site
from tests.services.conftest import create_match
from tests.services.transport.any_request import METHODS

SECRETS = {
    *("token", "tokens", "key", "gateway_key", "owner_key", "owner_token", "webhook_secrets"),
    *("code", "codes", "invite_code", "invite_codes"),
}
"""Fields of responses that hold secrets."""


def secrets_of(kind: Descriptor, depth: int = 1) -> list[tuple[str, ...]]:
    """The paths of such fields in a kind of responses."""
    found = [(name,) for name in SECRETS.intersection(kind.fields_by_name.keys())]
    for field in kind.fields if depth else ():
        if field.message_type is not None and not field.is_repeated:
            found += [(field.name, *path) for path in secrets_of(field.message_type, depth - 1)]
    return found


GIVING = {
    str(method.name): method
    for method in METHODS
    if secrets_of(method.output_type) and "request_id" in method.input_type.fields_by_name
}
"""The rpcs that can be repeated and whose responses hold secrets."""
MINE, OTHER = "0123456789abcdef-0123456789", "fedcba9876543210-fedcba9876"
LIONS = {"faction": "gudanna", "golems": [{"type": "sand-lion"}, {"type": "sand-lion"}]}


class Caller(NamedTuple):
    """Who makes a call: what it shows."""

    token: str = ""
    secret: str = ""
    frontend_key: str = ""


STRANGERS = (Caller(), Caller(secret=OTHER), Caller("x" * 40), Caller("x" * 40, OTHER))


class Case(NamedTuple):
    """A request whose response holds a secret."""

    method: str
    request: Any
    owner: Caller
    """Who makes it first."""
    others: tuple[Caller, ...] = ()
    """Who might make such a request too, and has not made this one."""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, outbound="any")


async def called(service: Service, method: str, request: Message, caller: Caller) -> Any:
    """The response to a request that a caller makes. Raises ServiceError."""
    descriptor: MethodDescriptor = GIVING[method]
    sent: Any = type(request).FromString(request.SerializeToString())
    if "client_secret" in sent.DESCRIPTOR.fields_by_name:
        sent.client_secret = caller.secret
    async with grpc.aio.insecure_channel(service.address) as channel:
        call = channel.unary_unary(
            f"/{descriptor.containing_service.full_name}/{descriptor.name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(descriptor.output_type).FromString,
        )
        try:
            return await call(
                sent, metadata=authorization_metadata(caller.token, caller.frontend_key)
            )
        except grpc.aio.AioRpcError as error:
            raise ServiceError.from_rpc(error) from None


def secrets_in(response: Any) -> set[str]:
    """The secrets in a response."""
    found = set[str]()
    for path in secrets_of(response.DESCRIPTOR):
        value = response
        for name in path:
            value = getattr(value, name)
        found |= {value} if isinstance(value, str) else set(value.values())
    return found - {""}


async def cases(service: Service, client: Client) -> AsyncIterator[Case]:
    """Each rpc that gives out secrets, by each kind of caller."""
    admin = service.admin_key
    site, other_site = await open_site(service), await open_site(service, "Another")
    await site.client.__aexit__()
    await other_site.client.__aexit__()
    frontends = Caller(frontend_key=site.key), Caller(frontend_key=other_site.key)

    def new(message: Any, **fields: Any) -> Any:
        return message(request_id=new_request(), **fields)

    # Matches, by nobody with a token and by a frontend.
    create = matches_pb2.CreateMatchRequest
    own_seat = matches_pb2.OwnSeat(seat="white", player="Ada")
    yield Case("CreateMatch", new(create, game="agog"), Caller(secret=MINE), frontends)
    yield Case("CreateMatch", new(create, game="agog", own_seat=own_seat), Caller(secret=MINE))
    yield Case("CreateMatch", new(create, game="agog"), Caller(admin), (Caller(admin[:-1] + "?"),))
    yield Case("CreateMatch", new(create, game="agog"), frontends[0], frontends[1:])
    match = await create_match(client)
    white, black = Caller(match.tokens["white"]), Caller(match.tokens["black"])
    fork = new(matches_pb2.ForkMatchRequest, match_id=match.id)
    yield Case("ForkMatch", fork, white, (black, Caller(match.tokens["referee"])))
    text = (await client.transcript(match.tokens["referee"], match.id)).text
    transcript = new(history_pb2.ImportTranscriptRequest, transcript=text)
    yield Case("ImportTranscript", transcript, Caller(secret=MINE), frontends)

    # Seats.
    claim = matches_pb2.JoinMatchRequest
    ada = new(claim, match_id=match.id, role="white", player="Ada")
    yield Case("JoinMatch", ada, white, (black, Caller(match.tokens["referee"])))
    for admission in (matches_pb2.JOIN_POLICY_ANYONE, matches_pb2.JOIN_POLICY_LINK):
        when_full = matches_pb2.START_POLICY_WHEN_FULL
        made = await client.create_match(game="agog", start_policy=when_full, join_policy=admission)
        link = made.invite_codes.get("link", "")
        seat = new(claim, match_id=made.match.match_id, player="Bob")
        yield Case("JoinMatch", seat, Caller(link, MINE), (Caller(link), Caller(link, OTHER)))
    made = await client.create_match(game="agog", start_policy=when_full)
    codes, waiting = made.invite_codes, made.match.match_id
    taken = await client.join_match(codes["white"], waiting, "white", "Ada")
    leave = new(matches_pb2.LeaveMatchRequest, match_id=waiting, seat="white")
    yield Case("LeaveMatch", leave, Caller(taken.token), (Caller(codes["black"]),))
    referee = match.tokens["referee"]
    invite = new(
        matches_pb2.CreateInviteRequest,
        match_id=match.id,
        kind=matches_pb2.INVITE_KIND_REFEREE,
    )
    yield Case("CreateInvite", invite, Caller(referee), (white, Caller(admin)))
    over = await create_match(client)
    await client.submit_action(over.tokens["white"], over.id, resignation=True)
    seats = [
        await client.join_match(over.tokens[seat], over.id, seat, seat)
        for seat in ("white", "black")
    ]
    again = new(play_pb2.CreateProposalRequest, match_id=over.id, rematch={})
    yield Case("CreateProposal", again, Caller(seats[0].token), (Caller(seats[1].token),))
    accepted = new(
        play_pb2.RespondToProposalRequest,
        match_id=over.id,
        decision=play_pb2.PROPOSAL_DECISION_ACCEPT,
    )
    wanted = f"rematch_of = {over.id}"
    while not (found := await client.list_matches(seats[0].token, wanted)):  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    accepted.proposal_id = found[0].match_id
    yield Case("RespondToProposal", accepted, Caller(seats[1].token), (Caller(seats[0].token),))

    # Armies and tables.
    army = armies_pb2.Army(game="golem-arcana", name="Lions", roster=to_struct(LIONS))
    save = new(armies_pb2.CreateArmyRequest, army=army)
    yield Case("CreateArmy", save, Caller(secret=MINE))
    register = gateways_pb2.CreateGatewayRequest
    yield Case("CreateGateway", new(register, name="A"), Caller(admin), (Caller(secret=MINE),))
    yield Case("CreateGateway", new(register, name="B"), Caller(secret=MINE), (Caller(admin),))
    shop = await called(service, "CreateGateway", new(register, name="C"), Caller(admin))
    owner = Caller(shop.owner_key)
    second = new(register, name="D", table_id=shop.table_id)
    yield Case("CreateGateway", second, owner, (Caller(admin), Caller(shop.gateway_key)))
    invite = new(gateways_pb2.CreateGatewayInviteRequest, table_id=shop.table_id)
    yield Case("CreateGatewayInvite", invite, owner, (Caller(admin), Caller(shop.gateway_key)))
    code = (await called(service, "CreateGatewayInvite", invite, owner)).code
    yield Case("CreateGateway", new(register, name="E", code=code), Caller(secret=MINE))
    rotate = new(gateways_pb2.RotateGatewayKeyRequest, gateway_id=shop.gateway_id)
    yield Case("RotateGatewayKey", rotate, owner, (Caller(admin), Caller(shop.gateway_key)))
    grant = new(styluses_pb2.CreateTapGrantRequest, match_id=match.id)
    yield Case("CreateTapGrant", grant, black, (Caller(match.tokens["referee"]),))

    # Accounts.
    hook = frontends_pb2.Webhook(url="http://127.0.0.1:9/")
    new_site = frontends_pb2.Frontend(name="S", webhooks=[hook])
    yield Case(
        "CreateFrontend",
        new(frontends_pb2.CreateFrontendRequest, frontend=new_site),
        Caller(admin),
        frontends,
    )
    known_site = frontends_pb2.Frontend(frontend_id=site.id, webhooks=[hook])
    update_site = new(frontends_pb2.UpdateFrontendRequest, frontend=known_site)
    yield Case("UpdateFrontend", update_site, frontends[0], (Caller(admin), frontends[1]))
    ada = players_pb2.Player(external_id="1", name="Ada")
    update = new(players_pb2.UpdatePlayerRequest, player=ada, allow_missing=True)
    yield Case("UpdatePlayer", update, frontends[0], (frontends[1], Caller(admin)))
    known = await called(service, "UpdatePlayer", update, frontends[0])
    player_id = known.player.player_id
    token = new(players_pb2.RotatePlayerTokenRequest, player_id=player_id)
    others = (Caller(admin), frontends[1], Caller(known.token))
    yield Case("RotatePlayerToken", token, frontends[0], others)
    key = new(frontends_pb2.RotateFrontendKeyRequest, frontend_id=site.id)
    yield Case("RotateFrontendKey", key, Caller(admin), frontends)


def check_kept(case: Case, other: Caller, first: Any, answer: Any) -> None:
    """What another caller is answered has none of the secrets."""
    if isinstance(answer, ServiceError):
        assert answer.code.name in REFUSALS, (case, other, answer)
        return
    # A code of its own, by its own right.
    assert case.method in ("CreateGatewayInvite", "CreateTapGrant"), (case, other, answer)
    assert not secrets_in(answer) & secrets_in(first)


async def test_a_secret_is_given_again_to_its_first_caller_alone(
    service: Service, client: Client
) -> None:
    tried = set[str]()
    async for case in cases(service, client):
        tried.add(case.method)
        first = await called(service, case.method, case.request, case.owner)
        assert secrets_in(first), case
        assert await called(service, case.method, case.request, case.owner) == first, case
        for other in (*STRANGERS, *case.others):
            answer = await asyncio.gather(
                called(service, case.method, case.request, other), return_exceptions=True
            )
            check_kept(case, other, first, *answer)
        assert await called(service, case.method, case.request, case.owner) == first, case
    assert tried == GIVING.keys()


REFUSALS = {"PERMISSION_DENIED", "UNAUTHENTICATED", "ALREADY_EXISTS", "FAILED_PRECONDITION"}


async def test_an_unknown_caller_gets_no_secret_twice_and_the_reason(service: Service) -> None:
    request = matches_pb2.CreateMatchRequest(request_id=new_request(), game="agog")
    await called(service, "CreateMatch", request, Caller())
    for again in (Caller(), Caller(secret=MINE)):
        with pytest.raises(ServiceError) as refused:
            await called(service, "CreateMatch", request, again)
        assert refused.value.reason == "RESPONSE_WITHHELD"
        assert "client_secret" in refused.value.message


@pytest.mark.parametrize("secret", ["x", "a" * 21, "a" * 201, "a" * 30 + "\n"])
async def test_a_client_secret_that_can_be_guessed_is_refused(
    service: Service, secret: str
) -> None:
    request = matches_pb2.CreateMatchRequest(request_id=new_request(), game="agog")
    with pytest.raises(ServiceError) as refused:
        await called(service, "CreateMatch", request, Caller(secret=secret))
    assert refused.value.violations.keys() == {"client_secret"}


async def test_a_client_is_known_by_a_secret_of_its_own(service: Service) -> None:
    request, shared = new_request(), "s" * 32
    async with Client(service.address) as one, Client(service.address) as other:
        made = await one.create_match(game="agog", request_id=request)
        assert await one.create_match(game="agog", request_id=request) == made
        with pytest.raises(ServiceError) as refused:
            await other.create_match(game="agog", request_id=request)
        assert refused.value.reason == "RESPONSE_WITHHELD"
    request = new_request()
    for _ in range(2):  # a program that starts again, and has kept its secret
        async with Client(service.address, client_secret=shared) as client:
            match = (await client.create_match(game="agog", request_id=request)).match.match_id
            assert (await client.match(match)).game == "agog"


async def test_a_registration_that_a_table_has_forgotten_gives_no_key_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["domain.table.fold"], "MAX_REMEMBERED_REQUESTS", 2)
    register = gateways_pb2.CreateGatewayRequest
    first = register(request_id=new_request(), name="A")
    shop = await called(service, "CreateGateway", first, Caller(secret=MINE))
    owner = Caller(shop.owner_key)
    second = register(request_id=new_request(), name="B", table_id=shop.table_id)
    await called(service, "CreateGateway", second, owner)
    for _ in range(3):
        rotate = gateways_pb2.RotateGatewayKeyRequest(
            request_id=new_request(), gateway_id=shop.gateway_id
        )
        rotated = await called(service, "RotateGatewayKey", rotate, owner)
    for request, caller in (
        (first, Caller()), (first, Caller(secret=MINE)), (second, owner),
    ):  # fmt: skip
        with pytest.raises(ServiceError) as refused:
            await called(service, "CreateGateway", request, caller)
        assert refused.value.reason == "RESPONSE_WITHHELD"
    async with Client(service.address) as gateway:
        await gateway.list_devices(rotated.gateway_key)  # the present key is still good


async def test_a_code_that_was_used_is_not_good_again_after_a_repetition_that_is_refused(
    service: Service,
) -> None:
    register = gateways_pb2.CreateGatewayRequest
    invite = gateways_pb2.CreateGatewayInviteRequest(request_id=new_request())
    code = (await called(service, "CreateGatewayInvite", invite, Caller(service.admin_key))).code
    request = register(request_id=new_request(), name="A", code=code)
    await called(service, "CreateGateway", request, Caller(secret=MINE))
    for name, reason in (("A", "RESPONSE_WITHHELD"), ("B", "REQUEST_ID_REUSED")):
        request.name = name
        with pytest.raises(ServiceError) as refused:
            await called(service, "CreateGateway", request, Caller(secret=OTHER))
        assert refused.value.reason == reason
    again = register(request_id=new_request(), name="C", code=code)
    with pytest.raises(ServiceError) as refused:
        await called(service, "CreateGateway", again, Caller(secret=OTHER))
    assert refused.value.reason == "CODE_INVALID"


@pytest.fixture
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The service stores requests as earlier versions did: a digest of the id alone."""
    with monkeypatch.context() as patched:
        patched.setattr(
            TokenIssuer, "stored_request", lambda self, request_id, caller: token_digest(request_id)
        )
        yield patched


async def test_a_request_of_an_earlier_version_is_known_and_its_secrets_are_withheld(
    settings: Settings, as_before: pytest.MonkeyPatch
) -> None:
    create = matches_pb2.CreateMatchRequest(request_id=new_request(), game="agog")
    caller = Caller(secret=MINE)
    async with Service(settings) as service:
        made = await called(service, "CreateMatch", create, caller)
        claim = matches_pb2.JoinMatchRequest(
            request_id=new_request(), match_id=made.match.match_id, role="white", player="Ada"
        )
        white = Caller(made.tokens["white"])
        await called(service, "JoinMatch", claim, white)
        register = gateways_pb2.CreateGatewayRequest(request_id=new_request(), name="A")
        await called(service, "CreateGateway", register, caller)
    as_before.undo()
    async with Service(settings) as service:
        for method, request, first in (
            ("CreateMatch", create, caller),
            ("JoinMatch", claim, white),
            ("CreateGateway", register, caller),
        ):
            with pytest.raises(ServiceError) as refused:
                await called(service, method, request, first)
            assert refused.value.reason == "RESPONSE_WITHHELD"
        async with Client(service.address) as client:
            found = await client.match(made.match.match_id, token=made.tokens["black"])
            assert found.version == 2


async def test_nothing_that_is_stored_follows_from_the_id_of_a_request(
    service: Service, client: Client, store: str
) -> None:
    ids = list[str]()
    async for case in cases(service, client):
        await called(service, case.method, case.request, case.owner)
        ids.append(case.request.request_id)
    if store:
        return  # the events have the same bytes there
    with closing(sqlite3.connect(service.settings.folder / FILE)) as log:
        events = [bytes(state) for (state,) in log.execute("SELECT state FROM stored_events")]
    stored = b"".join(events)
    assert len(events) > len(ids)
    for each in ids:
        assert each.encode() not in stored
        assert sha256(each.encode()).hexdigest()[:8].encode() not in stored
