"""The HTTP port answers for the hosts that are its own, so that no page of another site can reach
it by DNS rebinding."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.main import Service
from services.runtime.settings import Settings
from services.transport.hosts import AllowedHosts, parse_host
from tests.hostile_peers import connected, ended
from tests.services.certificate_authority import new_authority

GAMES = "/emeth.v1.GamesService/ListGames"
PATHS = ("/", "/healthz", "/metrics", "/checkpoint", f"{GAMES}?encoding=json&message=%7B%7D", "/no")


async def answered(service: Service, path: str, *hosts: str, version: str = "1.1") -> bytes:
    """Ask for a path with these `Host` headers; all that the service answers."""
    lines = [
        f"GET {path} HTTP/{version}",
        *(f"host: {each}" for each in hosts),
        "connection: close",
    ]
    with connected(service.http_address) as line:
        line.sendall("\r\n".join((*lines, "", "")).encode("latin-1"))
        return await asyncio.to_thread(ended, line)


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize("path", PATHS)
async def test_no_path_is_answered_for_the_host_of_another_site(
    service: Service, path: str
) -> None:
    right = status(await answered(service, path, "localhost"))
    assert right == (404 if path == "/no" else right)
    assert right != 421
    for host in ("evil.example", "evil.example:20080", "localhost.evil.example", "evil"):
        answer = await answered(service, path, host)
        assert status(answer) == 421, host
        assert b"EMETH_CORS" in answer
        assert b"access-control" not in answer


@pytest.mark.parametrize(
    "hosts",
    [
        (), ("localhost", "localhost"), ("localhost", "evil.example"), ("",), ("a b",), ("[::1",),
        ("[::1]x",), ("[1]",), ("user@localhost",), ("localhost:http",), ("localhost:65536",),
        ("localhost, evil.example",), ("localhost/x",), ("l\xf6calhost",),
    ],
)  # fmt: skip
async def test_a_request_without_exactly_one_valid_host_is_refused(
    service: Service, hosts: tuple[str, ...]
) -> None:
    answer = await answered(service, "/healthz", *hosts)
    assert status(answer) == 400
    if answer.endswith(b"}"):
        assert b"HEADER_INVALID" in answer or b"`Host`" in answer
    assert status(await answered(service, "/healthz", *hosts, version="1.0")) == 400


LOOPBACK = ("localhost", "localhost.", "LOCALHOST:1", "a.localhost", "127.0.0.1", "127.9.9.9:80",
            "[::1]", "[::1]:20080", "[::ffff:127.0.0.1]", "[0:0::1]")  # fmt: skip
"""What every service is known by."""
PRIVATE = ("192.168.1.5", "[fd00::1]", "203.0.113.9", "emeth", "play:20080", "box.local",
           "emeth.default.svc.cluster.local", "metadata.internal")  # fmt: skip
"""What nobody else can have point to a service, and is its own where other machines can call."""
FOREIGN = ("evil.example", "localhost.evil.example", "local", "127.0.0.1.evil.example", "1.2.3",
           "localhost.com")  # fmt: skip


@pytest.mark.parametrize("host", LOOPBACK)
async def test_a_service_is_known_by_the_loopback_names_and_addresses(
    service: Service, host: str
) -> None:
    assert status(await answered(service, "/healthz", host)) == 200


@pytest.mark.parametrize("http", ["", "127.0.0.1:0", "[::1]:0", "localhost:0"])
def test_a_service_of_one_machine_is_known_by_loopback_names_alone(http: str) -> None:
    known = AllowedHosts(Settings(http=http))
    assert all(name(each) in known for each in LOOPBACK)
    assert not [each for each in (*PRIVATE, *FOREIGN) if name(each) in known]


@pytest.mark.parametrize("http", ["0.0.0.0:0", "[::]:0", "192.168.1.5:0", "emeth.example.org:0"])
def test_a_service_for_other_machines_is_known_by_what_public_dns_never_names(http: str) -> None:
    known = AllowedHosts(Settings(http=http))
    assert all(name(each) in known for each in (*LOOPBACK, *PRIVATE))
    assert not [each for each in FOREIGN if each != "local" and name(each) in known]
    assert ("emeth.example.org" in known) is http.startswith("emeth.example.org")


def name(header: str) -> str:
    found = parse_host(header)
    assert found is not None
    return found


async def test_a_service_is_known_by_the_origins_whose_pages_may_call(settings: Settings) -> None:
    cors = "https://emeth.example.org,http://[::2]:80, https://other.example:444"
    async with Service(replace(settings, cors=cors)) as service:
        for host in ("emeth.example.org", "EMETH.example.org:80", "[::2]", "other.example"):
            assert status(await answered(service, "/healthz", host)) == 200
        for host in ("example.org", "x.emeth.example.org", "[::3]"):
            assert status(await answered(service, "/healthz", host)) == 421
    known = AllowedHosts(Settings(cors="*"))
    assert "evil.example" in known  # any page may call already


def test_a_service_is_known_by_the_names_in_its_certificate(tmp_path: Path) -> None:
    hosts = ("emeth.example.org", "*.play.example.org")
    certificate, _ = new_authority().signed("emeth", hosts=hosts)
    path = tmp_path / "certificate.pem"
    path.write_bytes(certificate)
    known = AllowedHosts(Settings(tls_certificate=str(path)))
    assert "emeth.example.org" in known
    assert "a.play.example.org" in known
    assert "a.b.play.example.org" not in known
    assert "play.example.org" not in known
