"""The HTTP port: health, figures, and where it listens."""

import json
import re
import socket
from pathlib import Path

import msgspec
import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from pyqwest import Client as Http

from services.client import Client, ServiceError
from services.client.gateway import GatewayClient
from services.main import Service
from services.runtime.errors import Reason
from services.runtime.metrics import Availability, MetricSources
from services.runtime.settings import Settings
from services.store.startup import StartError
from services.transport import metrics
from services.transport.ports import DEFAULT_HTTP
from services.wire.emeth.v1.tables_pb2 import (
    STYLUS_STATUS_KIND_BATTERY,
    STYLUS_STATUS_KIND_DISCONNECTED,
)
from tests.services.conftest import STYLUS, Table, set_up_gateway
from tests.services.test_docs import rows


async def test_health_says_whether_calls_are_let_in(service: Service) -> None:
    http = Http()
    found = await http.get(f"{service.http_address}/healthz")
    assert (found.status, found.json()) == (200, {"status": "serving"})
    service._pipeline.open = False
    found = await http.get(f"{service.http_address}/healthz")
    assert (found.status, found.json()) == (503, {"status": "stopping"})


async def samples(service: Service) -> dict[str, float]:
    """What Prometheus reads."""
    found = await Http().get(f"{service.http_address}/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = found.content.decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


POOL = {"pool_size": 4, "pool_available": 1, "requests_waiting": 2, "connections_num": 9}


@pytest.fixture
def all_metrics(service: Service) -> dict[str, Metric]:
    """Every family of metrics that there can be, by the name that Prometheus knows it by."""
    sources = MetricSources(
        service.figures,
        service._pipeline.metrics,
        service._gateways.metrics,
        service._log.stats,
        lambda: Availability(can_write=True, can_read=True, ready=True, waiting_seconds=0.0),
        lambda: POOL,
        {"data": service.settings.folder, "reads": Path("nowhere")},
    )
    text = metrics.metrics_page(sources).decode()
    families = text_string_to_metric_families(text)
    return {f"{each.name}{'_total' * (each.type == 'counter')}": each for each in families}


async def test_every_metric_is_on_the_page_of_operations(
    service: Service, table: Table, all_metrics: dict[str, Metric]
) -> None:
    documented = {
        row[0].strip("`"): row for row in rows("operations.md") if row[0].startswith("`emeth_")
    }
    own = {name: each for name, each in all_metrics.items() if name.startswith("emeth_")}
    assert documented.keys() == own.keys()
    for name, each in own.items():
        assert documented[name][1] == each.type, name
        named = set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", documented[name][2])))
        found = {label for sample in each.samples for label in sample.labels} - {"le"}
        assert found <= named, name
        assert named == found or not each.samples, name


async def test_names_of_metrics_follow_the_rules_of_prometheus(
    all_metrics: dict[str, Metric],
) -> None:
    for name, each in all_metrics.items():
        assert (each.type == "counter") == name.endswith("_total"), name
        assert not re.search("milli|micro|percent|minute|kilo|mega", name), name
        if each.type == "histogram" and re.search("duration|time|wait", name):
            assert name.endswith("_seconds"), name
    process = {"process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds"}
    assert process <= all_metrics.keys()


async def test_the_pool_and_the_disks_are_reported_as_they_are(
    service: Service, all_metrics: dict[str, Metric]
) -> None:
    pool = {each.labels["state"]: each.value for each in all_metrics["emeth_database_pool"].samples}
    assert pool == {"idle": 1, "used": 3, "waiting": 2}
    (free,) = all_metrics["emeth_disk_free_bytes"].samples
    assert free.labels == {"folder": "data"}
    assert free.value > 0
    (build,) = all_metrics["emeth_build_info"].samples
    assert build.labels["version"]


async def test_the_figures_of_stats_are_exported_to_prometheus(
    service: Service, all_metrics: dict[str, Metric]
) -> None:
    reported_otherwise = {"log.batches", "log.jobs", "log.last_commit_microseconds"}
    assert metrics.GAUGES.keys() | reported_otherwise == service.figures().keys()
    assert {name for name, _ in metrics.GAUGES.values()} <= all_metrics.keys()


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
    assert metrics.can_read(host, {}, "key") is may
    assert metrics.can_read(host, {"authorization": "Bearer key"}, "key")
    assert not metrics.can_read(host, {"authorization": "Basic key"}, "key")


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
    headers = {"content-type": "application/json", "authorization": f"Bearer {table.white}"}
    await http.post(f"{service.http_address}/{path}", headers=headers, content=body)
    found = await samples(service)

    def calls(rpc: str, transport: str, reason: str) -> float:
        return found[f'emeth_calls_total{{reason="{reason}",rpc="{rpc}",transport="{transport}"}}']

    assert calls("SubmitAction", "grpc", "OK") == 1
    assert calls("SubmitAction", "grpc", "TOKEN_WRONG_MATCH") == 1
    assert calls("SubmitAction", "session", "OK") == 1
    assert calls("GetMatch", "connect", "OK") == 1
    assert found['emeth_call_duration_seconds_count{rpc="SubmitAction"}'] == 3
    assert found['emeth_events_total{topic="match.ActionTaken"}'] == 2
    commits = found["emeth_commit_duration_seconds_count"]
    assert commits == service.figures()["log.batches"]
    assert found['emeth_commit_decisions_bucket{le="1.0"}'] == commits
    assert table.id not in str(found)


async def test_how_devices_are_is_counted_without_their_names(service: Service) -> None:
    shop = await set_up_gateway(service)
    async with GatewayClient(service.address, shop.key) as gateway:
        await gateway.wait_for_prompt(STYLUS, 1)
        await gateway.tap(STYLUS, "space a6")
        await gateway.tap(STYLUS, "nonsense")
        gateway.report_status(STYLUS, STYLUS_STATUS_KIND_BATTERY, percent=8)
        gateway.report_status(STYLUS, STYLUS_STATUS_KIND_DISCONNECTED)
        await gateway.wait_until_settled()
    found = await samples(service)
    counted = {
        (kind, outcome): found[f'emeth_device_messages_total{{kind="{kind}",outcome="{outcome}"}}']
        for kind, outcome in (
            ("tap", "done"), ("tap", "unknown-code"), ("battery", "done"), ("lost", "done"),
        )
    }  # fmt: skip
    assert set(counted.values()) == {1}
    assert found['emeth_device_battery_ratio_bucket{le="0.05"}'] == 0
    assert found['emeth_device_battery_ratio_bucket{le="0.1"}'] == 1
    assert STYLUS not in str(found)
    assert shop.key.rpartition(".")[0] not in str(found)


DEPLOYED = Path(__file__).parents[3] / "deploy/monitoring"


UP = {"up"}
"""What Prometheus itself measures of a target."""
WORDS = {
    "sum", "by", "rate", "instance", "le", "rpc", "reason", "absent", "predict_linear", "count",
    "histogram_quantile", "topic", "code", "state", "version", "job", "emeth", "or", "folder",
}  # fmt: skip
"""What else stands in an expression: functions of PromQL, and labels."""


def expressions() -> list[str]:
    alerts = yaml.safe_load((DEPLOYED / "alerts.yml").read_text())["groups"]
    panels = json.loads((DEPLOYED / "dashboard.json").read_text())["panels"]
    return [
        *(rule["expr"] for group in alerts for rule in group["rules"]),
        *(target["expr"] for panel in panels for target in panel["targets"]),
    ]


@pytest.mark.parametrize("expression", expressions())
async def test_dashboard_and_alerts_ask_for_what_there_is(
    table: Table, all_metrics: dict[str, Metric], expression: str
) -> None:
    reasons = re.findall(r'reason[!=]~?"([A-Z_|]*)"', expression)
    known = {each.name for each in Reason} | {"OK", "CANCELLED"}
    assert set("|".join(reasons).split("|")) - {""} <= known
    bare = re.sub(r'"[^"]*"|\[\w+\]', "", expression)
    asked = set(re.findall(r"[a-z]\w*", bare)) - WORDS - UP
    there = all_metrics.keys() | {
        f"{name}_{part}"
        for name, each in all_metrics.items()
        if each.type == "histogram"
        for part in ("bucket", "sum", "count")
    }
    assert asked <= there
    assert asked or "up{" in expression


def test_every_alert_is_on_the_page_of_operations_with_what_to_do() -> None:
    groups = yaml.safe_load((DEPLOYED / "alerts.yml").read_text())["groups"]
    alerts = [rule for group in groups for rule in group["rules"]]
    documented = [row[0].strip("`") for row in rows("operations.md") if row[0].startswith("`Emeth")]
    assert sorted(documented) == sorted(each["alert"] for each in alerts)
    for each in alerts:
        assert each["labels"]["severity"] in ("page", "ticket")
        assert each["annotations"]["summary"].endswith((".", "?"))


async def test_prometheus_reads_the_metrics_by_the_scrape_configuration(service: Service) -> None:
    whole = yaml.safe_load((DEPLOYED / "prometheus.yml").read_text())
    (job,) = whole["scrape_configs"]
    assert job["static_configs"] == [{"targets": [DEFAULT_HTTP]}]
    assert all((DEPLOYED / each).is_file() for each in whole["rule_files"])
    assert f'job="{job["job_name"]}"' in (DEPLOYED / "alerts.yml").read_text()
    shown = f"{job['authorization']['type']} {service.admin_key}\n".strip()
    headers = {"authorization": shown, "x-forwarded-for": "203.0.113.7"}  # as a stranger would come
    found = await Http().get(f"{service.http_address}{job['metrics_path']}", headers=headers)
    assert found.status == 200
    assert b"emeth_ready 1.0" in found.content


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
