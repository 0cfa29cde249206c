"""Envoy, with the very file of deploy/, in front of services that play and services that read."""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing, closing, contextmanager
from hashlib import sha256
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import grpc.aio
import pytest
import yaml
from google.protobuf.descriptor import MethodDescriptor
from msgspec.structs import replace
from playwright.async_api import async_playwright

from services.client import Client
from services.client.subscriptions import match_subscription
from services.main import Service
from services.transport.pipeline import CallPipeline
from services.wire.emeth.admin.v1 import admin_pb2
from services.wire.emeth.devices.v1 import connections_pb2, gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import (
    analysis_pb2,
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    games_pb2,
    history_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
    statistics_pb2,
    tables_pb2,
    views_pb2,
)
from services.wire.emeth.v1.views_pb2_grpc import ViewsServiceStub
from tests.console.conftest import FLAGS, chromium_path
from tests.services.cli.conftest import RunningService
from tests.services.conftest import (
    OPENING,
    STYLUS,
    GatewayConnection,
    create_match,
    play,
    set_up_gateway,
)
from tests.services.test_replicas import settings_of
from tests.services.transport.connect_channel import ConnectChannel

ROOT: Final = Path(__file__).parents[2]
CONFIG: Final = ROOT / "deploy" / "envoy.yaml"
BIN: Final = Path(sys.executable).parent
PATIENCE_SECONDS: Final = 30
WATCHERS: Final = 2000
GATEWAYS: Final = 6
WATCHES_OF_A_BROWSER: Final = 10
"""More than the six connections that a browser makes to one host."""
ENDPOINT: Final = (
    "              - endpoint: {{address: {{socket_address: {{address: {}, port_value: {}}}}}}}"
)
FILES: Final = (
    admin_pb2, analysis_pb2, armies_pb2, audit_pb2, frontends_pb2, games_pb2, gateways_pb2,
    history_pb2, matches_pb2, play_service_pb2, players_pb2, statistics_pb2, styluses_pb2,
    views_pb2,
)  # fmt: skip
METHODS: Final = [
    method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]


class Addresses(NamedTuple):
    """Where a service listens."""

    grpc: str
    http: str


class Proxy(NamedTuple):
    """Where Envoy listens."""

    grpc: str
    http: str


class Behind(NamedTuple):
    """The services behind a proxy."""

    play: list[Service]
    read: Service


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


def with_tls(text: str, folder: Path) -> str:
    """The configuration with TLS, as its heading says."""
    assert "sed -i 's/#tls //' envoy.yaml" in text
    return text.replace("#tls ", "").replace("/etc/envoy-tls", str(folder))


@contextmanager
def envoy(
    folder: Path,
    playing: Sequence[Addresses],
    reading: Sequence[Addresses],
    certificates: Path | None = None,
) -> Iterator[Proxy]:
    """Run Envoy, with the addresses of these services in place of names in DNS."""
    text = CONFIG.read_text()
    if certificates is not None:
        text = with_tls(text, certificates)
    ports = free_port(), free_port()
    for usual, own in zip((20051, 20080), ports, strict=True):
        listening = f"address: 0.0.0.0, port_value: {usual}"
        assert listening in text
        text = text.replace(listening, f"address: 127.0.0.1, port_value: {own}")
    for role, services in (("play", playing), ("read", reading)):
        for usual, addresses in (
            (20051, [each.grpc for each in services]),
            (20080, [each.http for each in services]),
        ):
            named = ENDPOINT.format(role, usual)
            assert named in text
            real = [ENDPOINT.format("127.0.0.1", port_of(each)) for each in addresses]
            text = text.replace(named, "\n".join(real))
    config = folder / "envoy.yaml"
    config.write_text(text)
    flags = ["--config-path", str(config), "--use-dynamic-base-id", "--concurrency", "1"]
    process = Popen([str(BIN / "envoy"), *flags, "--log-level", "error"], stdout=DEVNULL)
    try:
        scheme = "http" if certificates is None else "https"
        yield Proxy(f"localhost:{ports[0]}", f"{scheme}://localhost:{ports[1]}")
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except TimeoutExpired:
            process.kill()
            process.wait()


def addresses(*services: Service) -> list[Addresses]:
    return [Addresses(each.address, each.http_address) for each in services]


@pytest.fixture
async def behind(tmp_path: Path, database: str) -> AsyncIterator[Behind]:
    async with AsyncExitStack() as stack:

        async def start(name: str, role: str) -> Service:
            settings = settings_of(tmp_path / name, database, role=role, proxies="127.0.0.1")
            return await stack.enter_async_context(
                Service(replace(settings, http="127.0.0.1:0", limits=0.0))
            )

        yield Behind([await start("a", "play"), await start("b", "play")], await start("c", "read"))


async def fetched(url: str, message: dict[str, Any] | None = None, token: str = "") -> bytes:
    """What an HTTP request brings."""

    def fetch() -> bytes:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if message is None else json.dumps(message).encode()
        with urlopen(Request(url, data, headers), timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
            return bytes(answer.read())

    return await asyncio.to_thread(fetch)


# --- the file ------------------------------------------------------------------------------------


def listeners() -> dict[str, list[dict[str, Any]]]:
    """The routes of each listener, by its name."""
    return {
        each["name"]: each["filter_chains"][0]["filters"][0]["typed_config"]["route_config"][
            "virtual_hosts"
        ][0]["routes"]
        for each in yaml.safe_load(CONFIG.read_text())["static_resources"]["listeners"]
    }


def route_of(listener: str, path: str) -> dict[str, Any]:
    """The first route that takes a path, as Envoy finds it."""
    for route in listeners()[listener]:
        match route["match"]:
            case {"path": exact} if exact == path:
                return route
            case {"prefix": prefix} if path.startswith(prefix):
                return route
            case {"safe_regex": {"regex": regex}} if re.fullmatch(regex, path):
                return route
    raise AssertionError(path)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
def test_each_call_goes_where_it_is_served_and_may_take_as_long_as_it_needs(
    method: MethodDescriptor,
) -> None:
    service = method.containing_service
    path = f"/{service.full_name}/{method.name}"
    plays = service.name == "PlayService" or path == "/emeth.devices.v1.GatewaysService/Connect"
    streams = method.server_streaming or method.client_streaming
    by_grpc = route_of("grpc", path)["route"]
    assert by_grpc["cluster"] == ("play-grpc" if plays else "read-grpc")
    assert by_grpc["timeout"] == ("0s" if streams else "60s")
    if not (method.server_streaming and method.client_streaming):  # no browser streams both ways
        by_http = route_of("http", path)["route"]
        assert by_http["cluster"] == ("play-http" if plays else "read-http")
        assert by_http["timeout"] == ("0s" if streams else "60s")
        assert ("idle_timeout" in by_http) == streams, "HTTP/1.1 has no pings"


def test_no_cluster_has_the_limits_of_envoy_or_calls_services_that_are_away() -> None:
    clusters = yaml.safe_load(CONFIG.read_text())["static_resources"]["clusters"]
    assert len(clusters) == 4
    for each in clusters:
        (limits,) = each["circuit_breakers"]["thresholds"]
        assert min(limits[f"max_{name}"] for name in ("connections", "requests")) > 16_384
        assert each["common_lb_config"]["healthy_panic_threshold"]["value"] == 0
        assert each["health_checks"]
        assert each["outlier_detection"]


@pytest.mark.parametrize("tls", [False, True])
def test_envoy_takes_the_file(tls: bool, tmp_path: Path) -> None:
    config = tmp_path / "envoy.yaml"
    make_certificate(tmp_path)
    text = CONFIG.read_text()
    config.write_text(with_tls(text, tmp_path) if tls else text)
    flags = ("--mode", "validate", "--use-dynamic-base-id", "--config-path", str(config))
    found = subprocess.run((BIN / "envoy", *flags), capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert "deprecated" not in found.stderr.lower()


def make_certificate(folder: Path) -> Path:
    """A certificate for this machine and its key, made as an operator would."""
    subprocess.run(
        (
            "openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "tls.key",
            "-out", folder / "tls.crt",
        ),
        check=True,
        capture_output=True,
    )  # fmt: skip
    return folder


# --- calls through it ----------------------------------------------------------------------------


async def test_each_call_finds_a_service_that_has_it(tmp_path: Path, behind: Behind) -> None:
    with envoy(tmp_path, addresses(*behind.play), addresses(behind.read)) as proxy:
        async with (
            Client(proxy.grpc, patience_seconds=PATIENCE_SECONDS) as client,
            Client(proxy.grpc, session=True, patience_seconds=PATIENCE_SECONDS) as session,
        ):
            match = await create_match(client)  # waits until all is there
            watching = client.watch(match.tokens["spectator"], match.id)
            seen = [await anext(watching)]
            await play(client, match, *OPENING[:2])
            await play(session, match, *OPENING[2:3])
            async with asyncio.timeout(PATIENCE_SECONDS):
                while seen[-1].event.version < 4:
                    seen.append(await anext(watching))
            await watching.aclose()
            scene = await client.view(match.tokens["white"], match.id, "text", at_least_version=4)
            assert scene.version == 4

            through: Any = SimpleNamespace(address=proxy.grpc, admin_key=behind.read.admin_key)
            shop = await set_up_gateway(through)
            async with GatewayConnection(through, shop) as line:
                await line.taps("space a6", "space b6", "button confirm")
                assert line.prompt.match_version == 2

            assert b"<!doctype html>" in (await fetched(f"{proxy.http}/")).lower()
            asked = {"matchId": match.id, "seat": "black"}
            listed = await fetched(
                f"{proxy.http}/emeth.v1.PlayService/ListActions", asked, match.tokens["black"]
            )
            assert json.loads(listed)["version"] == 4

            # One of those that play stops; new callers are served by the other.
            await behind.play[0].__aexit__()
            await play(client, match, *OPENING[3:])


async def test_metrics_are_not_for_callers_of_the_proxy(tmp_path: Path, behind: Behind) -> None:
    with envoy(tmp_path, addresses(*behind.play), addresses(behind.read)) as proxy:
        async with Client(proxy.grpc, patience_seconds=PATIENCE_SECONDS) as client:
            await client.list_games()  # waits until all is there
        for path in (
            "/metrics", "/metrics/", "/metrics?a=b", "//metrics", "/./metrics", "/tlog/../metrics",
            "/%6detrics", "/%6Detric%73", "/metrics%2F", "/%2Fmetrics", "/%2e/metrics",
            "/metrics%00", "/%2e%2e/metrics", "/.//metrics",
        ):  # fmt: skip
            with pytest.raises(HTTPError) as refused:
                await fetched(f"{proxy.http}{path}")
            body = refused.value.read()
            refused.value.close()
            assert refused.value.code in (400, 404), path
            assert b"emeth_" not in body, path


async def test_services_see_the_address_of_the_caller_and_not_what_it_says(
    tmp_path: Path, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers: list[str] = []
    find = CallPipeline.peer

    def peer(gate: CallPipeline, host: str, forwarded: Any) -> str:
        peers.append(find(gate, host, forwarded))
        return peers[-1]

    monkeypatch.setattr(CallPipeline, "peer", peer)
    forged = "203.0.113.9, 127.0.0.1"
    with envoy(tmp_path, addresses(*behind.play), addresses(behind.read)) as proxy:
        async with Client(proxy.grpc, patience_seconds=PATIENCE_SECONDS) as client:
            await client.list_games()  # waits until all is there
        peers.clear()
        channel = ("grpc.local_address", "127.0.0.2")
        async with grpc.aio.insecure_channel(proxy.grpc, [channel]) as line:
            call = line.unary_unary("/emeth.v1.GamesService/ListGames")
            await call(b"", metadata=[("x-forwarded-for", forged)])
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port_of(proxy.http), local_addr=("127.0.0.3", 0)
        )
        head = (
            "POST /emeth.v1.GamesService/ListGames HTTP/1.1",
            f"host: {proxy.http.removeprefix('http://')}",
            f"x-forwarded-for: {forged}",
            "content-type: application/json",
            "content-length: 2",
        )
        writer.write("\r\n".join((*head, "", "{}")).encode())
        assert b"200" in await reader.readline()
        writer.close()
    assert peers[-1] == "127.0.0.3"
    assert {*peers} <= {"127.0.0.1", "127.0.0.2", "127.0.0.3"}


@pytest.mark.parametrize("port", ["grpc", "http"])
async def test_what_a_gateway_sends_comes_to_the_service_that_it_listens_to(
    port: str, tmp_path: Path, database: str
) -> None:
    async with AsyncExitStack() as stack:
        both = [
            await stack.enter_async_context(
                Service(
                    replace(
                        settings_of(tmp_path / name, database, proxies="127.0.0.1"),
                        http="127.0.0.1:0",
                    )
                )
            )
            for name in "ab"
        ]
        proxy = stack.enter_context(envoy(tmp_path, addresses(*both), addresses(*both)))
        client = Client(proxy.grpc, patience_seconds=PATIENCE_SECONDS)
        await client.list_games()  # waits until all is there
        if port == "http":
            await client.__aexit__()
            client = Client(proxy.grpc)
            client._use(cast(Any, ConnectChannel(proxy.http)))
        await stack.enter_async_context(client)
        for number in range(GATEWAYS):
            key = (
                await client.create_gateway(both[0].admin_key, name=f"Corner {number}")
            ).gateway_key
            hello = connections_pb2.Hello(
                gateway_id=key.rpartition(".")[0], epoch="e", first_kept_seq=1
            )
            listening = await stack.enter_async_context(aclosing(client.listen(key, hello)))
            assert (await anext(listening)).response.HasField("welcome")
            sign = connections_pb2.StylusStatus(
                seq=1, stylus_id=STYLUS, kind=tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED
            )
            await client.send(key, "e", [connections_pb2.ConnectRequest(status=sign)])
            async with asyncio.timeout(PATIENCE_SECONDS):
                assert (await anext(listening)).response.acknowledgement.highest_seq == 1


async def test_thousands_watch_through_it(tmp_path: Path, behind: Behind) -> None:
    with envoy(tmp_path, addresses(*behind.play), addresses(behind.read)) as proxy:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(
                Client(proxy.grpc, patience_seconds=PATIENCE_SECONDS)
            )
            match = await create_match(client)
            line = await stack.enter_async_context(grpc.aio.insecure_channel(proxy.grpc))
            typed_for_blocking: Any = ViewsServiceStub(line)
            request = match_subscription(match.id)
            metadata = (("authorization", f"Bearer {match.tokens['spectator']}"),)
            calls = [
                typed_for_blocking.Subscribe(request, metadata=metadata) for _ in range(WATCHERS)
            ]
            async with asyncio.timeout(100):
                for opened in ("subscription_started", "topic_started"):
                    messages = await asyncio.gather(*(call.read() for call in calls))
                    assert {each.WhichOneof("event") for each in messages} == {opened}
                first = await asyncio.gather(*(call.read() for call in calls))
                assert [each.match_event.event.version for each in first] == [1] * WATCHERS
                await play(client, match, OPENING[0])
                second = await asyncio.gather(*(call.read() for call in calls))
                assert [each.match_event.event.version for each in second] == [2] * WATCHERS
            for call in calls:
                call.cancel()


# --- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
async def test_a_service_that_is_gone_keeps_nobody_waiting(
    fault: signal.Signals, tmp_path: Path, database: str
) -> None:
    keys = {"secret": sha256(b"s").hexdigest(), "signing-key": sha256(b"k").hexdigest()}
    common = [f"--{name}={value}" for name, value in keys.items()]
    common += [f"--store={database}", "--admin-key=the-admin-key-of-all", "--limits=0"]
    common += ["--bots=0", "--proxies=127.0.0.1"]
    https = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    services = [
        RunningService(tmp_path / str(number), *common, f"--http={http}")
        for number, http in enumerate(https)
    ]
    await asyncio.gather(*(asyncio.to_thread(each.start) for each in services))
    try:
        both = [Addresses(e.address, http) for e, http in zip(services, https, strict=True)]
        with envoy(tmp_path, both, both) as proxy:
            async with AsyncExitStack() as stack:
                clients = [
                    await stack.enter_async_context(
                        Client(proxy.grpc, session=session, patience_seconds=60)
                    )
                    for session in (False, True, False, True)
                ]
                match = await create_match(clients[0])
                watches = [
                    await stack.enter_async_context(
                        aclosing(client.watch(match.tokens["spectator"], match.id))
                    )
                    for client in clients
                    for _ in range(3)
                ]
                for each in watches:
                    assert (await anext(each)).event.version == 1
                services[0].send(fault)
                async with asyncio.timeout(60):
                    for client, action in zip(clients, OPENING, strict=True):
                        await play(client, match, action)
                    for each in watches:
                        versions = [(await anext(each)).event.version for _ in OPENING]
                        assert versions == [2, 3, 4, 5]
                    asked = {"matchId": match.id}
                    path = f"{proxy.http}/emeth.v1.MatchesService/GetMatch"
                    for _ in range(6):
                        assert json.loads(await fetched(path, asked))["match"]["version"] == 5
    finally:
        if fault is signal.SIGSTOP:
            services[0].send(signal.SIGCONT)
        for each in services:
            await asyncio.to_thread(each.stop, signal.SIGKILL)


# --- TLS -----------------------------------------------------------------------------------------

WATCH: Final = """
async ([match, token, most]) => {
  const text = new TextEncoder().encode(JSON.stringify({ matchId: match }));
  const body = new Uint8Array(5 + text.length);
  new DataView(body.buffer).setUint32(1, text.length);
  body.set(text, 5);
  const headers = { "content-type": "application/connect+json", authorization: `Bearer ${token}` };
  const watch = async () => {
    const path = "/emeth.v1.ViewsService/Subscribe";
    const answer = await fetch(path, { method: "POST", headers, body });
    const { value } = await answer.body.getReader().read();
    return value.length > 5;
  };
  const shown = await Promise.all(Array.from({ length: most }, watch));
  const [page] = performance.getEntriesByType("navigation");
  return [shown.filter(Boolean).length, page.nextHopProtocol];
}
"""


async def test_a_browser_and_a_client_of_grpc_speak_http_2_by_tls(
    tmp_path: Path, behind: Behind
) -> None:
    certificates = make_certificate(tmp_path)
    ours = grpc.ssl_channel_credentials((certificates / "tls.crt").read_bytes())
    with envoy(tmp_path, addresses(*behind.play), addresses(behind.read), certificates) as proxy:
        async with Client(
            proxy.grpc, credentials=ours, patience_seconds=PATIENCE_SECONDS
        ) as client:
            match = await create_match(client)
            await play(client, match, OPENING[0])
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=chromium_path(), args=FLAGS)
            context = await browser.new_context(ignore_https_errors=True)
            page = await context.new_page()
            await page.goto(f"{proxy.http}/", timeout=PATIENCE_SECONDS * 1000)
            given = [match.id, match.tokens["spectator"], WATCHES_OF_A_BROWSER]
            async with asyncio.timeout(PATIENCE_SECONDS):
                assert await page.evaluate(WATCH, given) == [WATCHES_OF_A_BROWSER, "h2"]
            await browser.close()
