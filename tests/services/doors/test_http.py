"""The HTTP port: health, figures, and where it listens."""

import re
import socket
from pathlib import Path

import msgspec
import pytest
from pyqwest import Client as Http

from services.client import Client, ServiceError
from services.client.gateway import GatewayClient
from services.doors import metrics
from services.server import Service
from services.settings import Settings
from services.starting import StartError
from services.wire.emeth.v1.gateways_pb2 import SIGN_KIND_BATTERY, SIGN_KIND_LOST
from tests.services.conftest import PEN, Table, open_shop


async def test_health_says_whether_calls_are_let_in(service: Service) -> None:
    http = Http()
    found = await http.get(f"{service.http_address}/healthz")
    assert (found.status, found.json()) == (200, {"status": "serving"})
    service._gate.open = False
    found = await http.get(f"{service.http_address}/healthz")
    assert (found.status, found.json()) == (503, {"status": "stopping"})


async def samples(service: Service) -> dict[str, float]:
    """What Prometheus reads."""
    found = await Http().get(f"{service.http_address}/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = found.content.decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


async def test_figures_are_told_to_prometheus(service: Service) -> None:
    names = await samples(service)
    assert {f"emeth_{name.replace('.', '_')}" for name in service.figures()} <= names.keys()


PROXIED = (
    {"x-forwarded-for": "203.0.113.7"},
    {"X-Forwarded-Proto": "https"},
    {"forwarded": "for=203.0.113.7"},
    {"via": "1.1 proxy"},
    {"x-real-ip": "203.0.113.7"},
    {"x-envoy-external-address": "203.0.113.7"},
)


@pytest.mark.parametrize("headers", [*PROXIED, {"authorization": "Bearer guess"}])
async def test_strangers_read_no_metrics(service: Service, headers: dict[str, str]) -> None:
    found = await Http().get(f"{service.http_address}/metrics", headers=headers)
    assert found.status == 401
    assert b"emeth_" not in found.content
    own = {"authorization": f"Bearer {service.admin_key}"}
    if "authorization" not in headers:
        found = await Http().get(f"{service.http_address}/metrics", headers=headers | own)
        assert found.status == 200


@pytest.mark.parametrize(
    ("host", "may"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:203.0.113.7", False),
        ("10.0.0.1", False),
        ("203.0.113.7", False),
        ("fe80::1%eth0", False),
        ("", False),
    ],
)
def test_metrics_are_for_this_machine_and_for_the_operator(host: str, may: bool) -> None:
    assert metrics.may_read(host, {}, "key") is may
    assert metrics.may_read(host, {"authorization": "Bearer key"}, "key")
    assert not metrics.may_read(host, {"authorization": "Basic key"}, "key")


async def test_calls_commits_and_events_are_counted(service: Service, table: Table) -> None:
    async with (
        Client(service.address) as client,
        Client(service.address, session=True) as other,
    ):
        await client.submit(table.white, table.id, "a6-b6")
        await other.submit(table.black, table.id, "h3-g3")
        with pytest.raises(ServiceError):
            await client.submit("guess", table.id, "b5-c5")
    http = Http()
    body = f'{{"match_id": "{table.id}"}}'.encode()
    path = "emeth.v1.MatchesService/GetMatch"
    headers = {"content-type": "application/json"}
    await http.post(f"{service.http_address}/{path}", headers=headers, content=body)
    found = await samples(service)

    def calls(rpc: str, door: str, reason: str) -> float:
        return found[f'emeth_calls_total{{door="{door}",reason="{reason}",rpc="{rpc}"}}']

    assert calls("SubmitAction", "grpc", "OK") == 1
    assert calls("SubmitAction", "grpc", "TOKEN_FOREIGN") == 1
    assert calls("SubmitAction", "session", "OK") == 1
    assert calls("GetMatch", "connect", "OK") == 1
    assert found['emeth_call_seconds_count{rpc="SubmitAction"}'] == 3
    assert found['emeth_events_total{topic="match.ActionTaken"}'] == 2
    commits = found["emeth_commit_seconds_count"]
    assert commits == found["emeth_log_batches"]
    assert found['emeth_commit_decisions_bucket{le="1.0"}'] == commits
    assert table.id not in str(found)


async def test_how_devices_are_is_counted_without_their_names(service: Service) -> None:
    shop = await open_shop(service)
    async with GatewayClient(service.address, shop.key) as gateway:
        await gateway.shown(PEN, 1)
        await gateway.tap(PEN, "space a6")
        await gateway.tap(PEN, "nonsense")
        gateway.sign(PEN, SIGN_KIND_BATTERY, percent=8)
        gateway.sign(PEN, SIGN_KIND_LOST)
        await gateway.settled()
    found = await samples(service)
    counted = {
        (kind, outcome): found[f'emeth_device_messages_total{{kind="{kind}",outcome="{outcome}"}}']
        for kind, outcome in (
            ("tap", "done"), ("tap", "unknown-code"), ("battery", "done"), ("lost", "done"),
        )
    }  # fmt: skip
    assert set(counted.values()) == {1}
    assert found['emeth_device_battery_percent_bucket{le="5.0"}'] == 0
    assert found['emeth_device_battery_percent_bucket{le="10.0"}'] == 1
    assert PEN not in str(found)
    assert shop.key.rpartition(".")[0] not in str(found)


DEPLOYED = Path(__file__).parents[3] / "deploy/monitoring"


@pytest.mark.parametrize("file", ["alerts.yml", "dashboard.json"])
async def test_dashboard_and_alerts_ask_for_what_there_is(
    service: Service, table: Table, file: str
) -> None:
    text = (DEPLOYED / file).read_text()
    asked = set(re.findall(r"\bemeth_\w+", text))
    there = {re.split(r"[{ ]", name)[0] for name in await samples(service)}
    assert asked
    assert asked <= there


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
