"""The HTTP port: health, figures, and where it listens."""

import socket

import msgspec
import pytest
from pyqwest import Client as Http

from services.server import Service, StartError
from services.settings import Settings


async def test_health_says_whether_calls_are_let_in(service: Service) -> None:
    http = Http()
    found = await http.get(f"{service.http_address}/healthz")
    assert (found.status, found.json()) == (200, {"status": "serving"})
    service._gate.open = False
    found = await http.get(f"{service.http_address}/healthz")
    assert (found.status, found.json()) == (503, {"status": "stopping"})


async def test_figures_are_told_to_prometheus(service: Service) -> None:
    found = await Http().get(f"{service.http_address}/metrics")
    lines = found.content.decode().splitlines()
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    names = {line.split()[0] for line in lines if not line.startswith("#")}
    assert names == {f"emeth_{name.replace('.', '_')}" for name in service.figures()}


async def test_search_engines_keep_out(service: Service) -> None:
    http = Http()
    found = await http.get(f"{service.http_address}/robots.txt")
    assert found.content.decode() == "User-agent: *\nDisallow: /\n"
    assert (await http.get(f"{service.http_address}/nothing/here")).status == 404


async def test_a_service_may_have_no_http_port(settings: Settings) -> None:
    async with Service(msgspec.structs.replace(settings, http="no")) as service:
        assert service.http_address == ""


async def test_a_port_that_is_taken_is_named(settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(StartError, match=f"cannot listen on {address}.*EMETH_HTTP"):
            async with Service(msgspec.structs.replace(settings, http=address)):
                pass


async def test_an_address_without_a_port_is_refused(settings: Settings) -> None:
    with pytest.raises(StartError, match="is not an address and port"):
        async with Service(msgspec.structs.replace(settings, http="localhost")):
            pass
