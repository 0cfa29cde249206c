"""The C example of a gateway over HTTP and JSON: compiled, and played with on a real service."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from services.client import Client
from services.main import Service
from tests.services.conftest import STYLUS, GatewaySetup, actions, set_up_gateway

SOURCE = Path(__file__).parents[3] / "web/examples/stylus.c"
COMPILER = shutil.which("cc")
MOVE = (
    ("space a6", "space a6\ttap what is next\t"),
    ("space b6", "Confirm takes\ta6-b6\t"),
    ("button confirm", "Your turn\tblack\tWhite's golem moves from a6 to b6."),
)

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, compiled without a warning."""
    built = tmp_path_factory.mktemp("c") / "stylus"
    flags = ("-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1")
    subprocess.run((str(COMPILER), *flags, "-o", built, SOURCE), check=True)
    return built


@asynccontextmanager
async def switched_on(
    program: Path, port: int, key: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program, connected to this port."""
    pipe = asyncio.subprocess.PIPE
    running = await asyncio.create_subprocess_exec(
        program, "127.0.0.1", str(port), key, STYLUS, stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        async with asyncio.timeout(60):
            yield running
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()


def port_of(service: Service) -> int:
    return int(service.http_address.rpartition(":")[2])


async def played(service: Service, shop: GatewaySetup) -> list[str]:
    async with Client(service.address) as client:
        return await actions(client, shop.tokens["referee"], shop.match)


async def test_a_whole_action_is_tapped(service: Service, program: Path) -> None:
    shop = await set_up_gateway(service)
    async with switched_on(program, port_of(service), shop.key) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert await running.stdout.readline() == b"Your turn\twhite\t\n"
        running.stdin.write(b"space nowhere\n")
        refused = (await running.stdout.readline()).decode()
        assert refused.startswith("Means nothing\tnothing\t"), refused
        for code, shown in MOVE:
            running.stdin.write(f"{code}\n".encode())
            assert (await running.stdout.readline()).decode() == f"{shown}\n"
        running.stdin.close()
        assert await running.wait() == 0, "all is acknowledged"
    assert await played(service, shop) == ["a6-b6"]


@asynccontextmanager
async def cutting(port: int, cuts: set[int]) -> AsyncIterator[int]:
    """A port that passes on to another, and cuts these connections after their requests went on."""
    number = 0
    handling: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal number
        number += 1
        cut = number in cuts
        own = asyncio.current_task()
        assert own is not None
        handling.add(own)
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)

        async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while data := await source.read(4096):
                target.write(data)

        up = asyncio.create_task(pass_on(reader, there_writer))
        try:
            if cut:
                await asyncio.sleep(0.5)
            else:
                await pass_on(there_reader, writer)
        finally:
            up.cancel()
            await asyncio.gather(up, return_exceptions=True)
            for each in (writer, there_writer):
                each.close()
                with suppress(ConnectionError):
                    await each.wait_closed()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for each in handling:
            each.cancel()
        await asyncio.gather(*handling, return_exceptions=True)


async def test_over_connections_that_are_cut_each_tap_counts_once(
    service: Service, program: Path
) -> None:
    """What was sent on a connection that is cut was done or not: it is sent again either way."""
    shop = await set_up_gateway(service)
    async with (
        cutting(port_of(service), {3, 6}) as port,
        switched_on(program, port, shop.key) as running,
    ):
        assert running.stdin is not None
        assert running.stdout is not None
        assert (await running.stdout.readline()).startswith(b"Your turn\twhite")
        for code, shown in MOVE:
            running.stdin.write(f"{code}\n".encode())
            title = shown.partition("\t")[0].encode()
            while not (await running.stdout.readline()).startswith(title):
                pass
        running.stdin.close()
        assert await running.wait() == 0
    assert await played(service, shop) == ["a6-b6"]


async def test_it_ends_if_its_key_is_wrong(service: Service, program: Path) -> None:
    shop = await set_up_gateway(service)
    async with switched_on(program, port_of(service), f"{shop.key}x") as running:
        assert running.stderr is not None
        assert b"key" in await running.stderr.read()
        assert await running.wait() == 1
