"""JSON Web Tokens of a frontend's own issuer, in place of tokens of ours."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from services.accounts import jwts
from services.client import Client, ServiceError
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import frontends_pb2 as pb
from tests.services.accounts.conftest import EVERY_RIGHT, Site, open_site
from tests.services.conftest import refusal
from tests.services.misbehaving_servers import run_server


@cache
def rsa_key(number: int) -> rsa.RSAPrivateKey:
    del number
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


EC_KEY = ec.generate_private_key(ec.SECP256R1())


def published(**keys: Any) -> str:
    """A JWK Set of the public halves of these keys, by name."""
    listed = []
    for name, key in keys.items():
        algorithm: Any = (
            jwt.algorithms.RSAAlgorithm
            if isinstance(key, rsa.RSAPrivateKey)
            else jwt.algorithms.ECAlgorithm
        )
        listed.append(algorithm.to_jwk(key.public_key(), as_dict=True) | {"kid": name})
    return json.dumps({"keys": listed})


def issuer(**given: Any) -> pb.FrontendIssuer:
    return pb.FrontendIssuer(
        **{"issuer": "https://site.example", "audience": "emeth"}
        | (given or {"keys": published(a=rsa_key(1), b=EC_KEY)})
    )


def signed(
    key: Any = None, algorithm: str = "RS256", headers: dict[str, Any] | None = None, **claims: Any
) -> str:
    usual = {
        "iss": "https://site.example",
        "aud": "emeth",
        "sub": "user-7",
        "name": "Ada",
        "exp": int(time.time()) + 60,
    }
    payload = {name: value for name, value in (usual | claims).items() if value is not None}
    return jwt.encode(
        payload, rsa_key(1) if key is None else key, algorithm, headers or {"kid": "a"}
    )


@pytest.fixture
async def signing(service: Service) -> Any:
    site = await open_site(service, issuer=issuer())
    async with site.client:
        yield site


async def fault(call: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    assert refused.value.reason == "JWT_INVALID"
    return refused.value.metadata["fault"]


async def test_a_jwt_stands_for_its_player(signing: Site, service: Service) -> None:
    match, tokens = await signing.match()
    async with Client(service.address) as page:  # in a browser: it has no key of the frontend
        token = signed()
        assert await refusal(page.get_player(token)) == "PLAYER_NOT_FOUND"
        made = await page.update_player(token, player={}, allow_missing=True)
        assert (made.player.name, made.player.external_id, made.token) == ("Ada", "", "")
        await page.join_match(token, match, "white", invite_code=tokens["white"])
        other = signed(EC_KEY, "ES256", {"kid": "b"})
        assert (await page.submit(other, match, "a6-b6")).HasField("accepted")
        (mine,) = await page.list_matches(other, "player_id = me")
        assert mine.match_id == match
        assert await refusal(page.rotate_player_token(token)) == "FRONTEND_KEY_MISSING"
        assert (
            await refusal(
                page.update_player(token, player={"external_id": "user-8"}, allow_missing=True)
            )
            == "FIELD_INVALID"
        )
    known = await signing.client.update_player(player={"external_id": "user-7"}, allow_missing=True)
    assert known.player.player_id == made.player.player_id
    await signing.client.delete_player(player_id=known.player.player_id)
    assert await refusal(signing.client.get_player(token)) == "PLAYER_NOT_FOUND"


def _unsigned() -> str:
    claims = {"iss": "https://site.example", "aud": "emeth", "sub": "x", "exp": time.time() + 9}
    return jwt.encode(claims, "", "none", {"kid": "a"})


def _by_public_key_as_secret() -> str:
    """Signed by HMAC with what everybody knows: the old trick."""
    claims = {"iss": "https://site.example", "aud": "emeth", "sub": "x", "exp": time.time() + 9}
    return jwt.encode(claims, "public" * 20, "HS256", {"kid": "a"})


BAD = {
    "none": (_unsigned, "algorithm"),
    "hmac": (_by_public_key_as_secret, "algorithm"),
    "other algorithm of the key": (lambda: signed(rsa_key(1), "RS256", {"kid": "b"}), "algorithm"),
    "wrong key": (lambda: signed(rsa_key(2)), "signature"),
    "unpublished key": (lambda: signed(rsa_key(2), headers={"kid": "z"}), "key"),
    "key unnamed among two": (lambda: signed(headers={"typ": "JWT"}), "key"),
    "wrong audience": (lambda: signed(aud="elsewhere"), "audience"),
    "no audience": (lambda: signed(aud=None), "claims"),
    "foreign issuer": (lambda: signed(iss="https://evil.example"), "issuer"),
    "no issuer": (lambda: signed(iss=None), "issuer"),
    "expired": (lambda: signed(exp=int(time.time()) - 60), "expired"),
    "never expiring": (lambda: signed(exp=None), "claims"),
    "not yet valid": (lambda: signed(nbf=int(time.time()) + 90), "not-yet-valid"),
    "no subject": (lambda: signed(sub=None), "claims"),
    "expiring in too many digits": (lambda: signed(exp=int("9" * 1000)), "unreadable"),
    "expiring never at all": (lambda: signed(exp=float("inf")), "unreadable"),
    "cut off": (lambda: signed()[:-9], "unreadable"),  # of no length that base64 has
    "garbled": (lambda: "eyJ.eyJ.x", "unreadable"),
}


@pytest.mark.parametrize(("make", "wrong"), BAD.values(), ids=BAD)
async def test_a_jwt_that_is_not_good_is_refused(signing: Site, make: Any, wrong: str) -> None:
    await signing.client.update_player(
        player={"external_id": "user-7", "name": "Ada"}, allow_missing=True
    )
    token = make()
    assert await fault(signing.client.get_player(token)) == wrong
    assert await fault(signing.client.update_player(token, player={}, allow_missing=True)) == wrong


async def test_an_issuer_is_one_frontends(signing: Site, service: Service) -> None:
    taken = signing.client.create_frontend(
        service.admin_key, frontend={"name": "B", "issuer": issuer()}
    )
    assert await refusal(taken) == "ISSUER_TAKEN"
    await signing.client.delete_frontend(service.admin_key, signing.id)
    async with Client(service.address) as client:
        assert await fault(client.get_player(signed())) == "issuer"
        await client.create_frontend(service.admin_key, frontend={"name": "B", "issuer": issuer()})


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"keys": "no JSON"},
        {"keys": '{"keys": []}'},
        {"keys": json.dumps({"keys": [{"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"}]})},
        {"keys": published(a=rsa_key(1)), "keys_url": "https://site.example/keys"},
        {"keys": published(**{f"k{n}": EC_KEY for n in range(21)})},
    ],
    ids=["none", "unreadable", "empty", "secret", "two ways", "too many"],
)
async def test_keys_that_cannot_serve_are_refused(service: Service, given: dict[str, str]) -> None:
    async with Client(service.address) as client:
        bad = pb.FrontendIssuer(issuer="i", audience="a", **given)
        call = client.create_frontend(
            service.admin_key, frontend={"name": "A", "rights": EVERY_RIGHT, "issuer": bad}
        )
        assert await refusal(call) == "FIELD_INVALID"


async def test_private_keys_are_refused(service: Service) -> None:
    key = jwt.algorithms.ECAlgorithm.to_jwk(EC_KEY, as_dict=True) | {"kid": "a"}
    async with Client(service.address) as client:
        bad = issuer(keys=json.dumps({"keys": [key]}))
        with pytest.raises(ServiceError, match="private key"):
            await client.create_frontend(service.admin_key, frontend={"name": "A", "issuer": bad})


class KeyServer:
    """Publishes keys at this machine."""

    def __init__(self) -> None:
        self.text = published(a=rsa_key(1))
        self.status = 200
        self.asked = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked += 1
                self.send_response(outer.status)
                self.end_headers()
                self.wfile.write(outer.text.encode())

            def log_message(self, *_: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/keys.json"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def key_server() -> Iterator[KeyServer]:
    server = KeyServer()
    yield server
    server.close()


async def test_keys_are_fetched_once_and_again_when_there_is_a_new_one(
    settings: Settings, key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anywhere = Settings(data=settings.data, listen=settings.listen, drain_seconds=1, outbound="any")
    async with Service(anywhere) as service:
        site = await open_site(service, issuer=issuer(keys_url=key_server.url))
        async with site.client as client:
            await client.update_player(
                player={"external_id": "user-7", "name": "Ada"}, allow_missing=True
            )
            await asyncio.gather(*(client.get_player(signed()) for _ in range(5)))
            assert key_server.asked == 1
            key_server.text = published(a=rsa_key(1), c=rsa_key(2))
            new = signed(rsa_key(2), headers={"kid": "c"})
            assert await fault(client.get_player(new)) == "key"  # it was asked for just now
            monkeypatch.setattr(jwts, "MIN_REFETCH_SECONDS", 0.0)
            assert (await client.get_player(new)).name == "Ada"
            key_server.status = 500
            monkeypatch.setattr(jwts, "KEY_CACHE_SECONDS", 0.0)
            assert (await client.get_player(new)).name == "Ada"  # the keys that it had serve on
            assert key_server.asked == 3


async def test_keys_that_cannot_be_fetched_are_reported(
    settings: Settings, key_server: KeyServer
) -> None:
    anywhere = Settings(data=settings.data, listen=settings.listen, drain_seconds=1, outbound="any")
    key_server.status = 404
    async with Service(anywhere) as service:
        site = await open_site(service, issuer=issuer(keys_url=key_server.url))
        async with Client(service.address, patience_seconds=0) as client, site.client:
            assert await refusal(client.get_player(signed())) == "JWT_KEYS_UNAVAILABLE"


async def test_keys_that_could_not_be_fetched_are_requested_again_soon(
    settings: Settings, key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anywhere = Settings(data=settings.data, listen=settings.listen, drain_seconds=1, outbound="any")
    key_server.status = 500
    async with Service(anywhere) as service:
        site = await open_site(service, issuer=issuer(keys_url=key_server.url))
        async with Client(service.address, patience_seconds=0) as client, site.client:
            await site.client.update_player(
                player={"external_id": "user-7", "name": "Ada"}, allow_missing=True
            )
            assert await refusal(client.get_player(signed())) == "JWT_KEYS_UNAVAILABLE"
            key_server.status = 200
            assert await refusal(client.get_player(signed())) == "JWT_KEYS_UNAVAILABLE"
            assert key_server.asked == 1  # it was asked for just now
            monkeypatch.setattr(jwts, "MIN_REFETCH_SECONDS", 0.0)
            assert (await client.get_player(signed())).name == "Ada"


async def test_an_issuer_that_does_not_answer_holds_up_its_own_players_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.outbound.SECONDS", 600.0)
    anywhere = Settings(data=settings.data, listen=settings.listen, drain_seconds=1, outbound="any")
    asked = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()

    async with run_server(serve) as port, Service(anywhere) as service:
        slow = await open_site(service, issuer=issuer(keys_url=f"http://127.0.0.1:{port}/"))
        async with Client(service.address, patience_seconds=0) as client, slow.client:
            waiting = [asyncio.create_task(client.get_player(signed())) for _ in range(40)]
            await asked.wait()
            other = await open_site(service, "Another")
            async with asyncio.timeout(10), other.client:
                ada = await other.introduce("1", "Ada")
                assert (await other.client.get_player(ada.token)).name == "Ada"
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)


async def test_keys_at_this_machine_are_not_fetched_unless_allowed(
    service: Service, key_server: KeyServer
) -> None:
    async with Client(service.address) as client:
        for url in (key_server.url, key_server.url.replace("http:", "https:")):
            call = client.create_frontend(
                service.admin_key, frontend={"name": "A", "issuer": issuer(keys_url=url)}
            )
            assert await refusal(call) == "URL_NOT_ALLOWED"
    assert key_server.asked == 0
