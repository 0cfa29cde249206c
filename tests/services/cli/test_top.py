"""`emeth top` shows what a service did between two looks."""

import asyncio
from collections.abc import Callable
from io import StringIO
from math import inf

from click.testing import Result
from rich.console import Console

from services.cli.terminal.top_screen import quantile, read, shown
from services.doors.metrics import page
from services.server import Service
from services.tallies import Sources, no_device_tallies, no_tallies

Emeth = Callable[..., Result]


def test_rates_and_quantiles_are_of_the_time_between() -> None:
    before = read(FIGURES.format(ok=10, bad=0, fast=10, all=10), at=100.0)
    now = read(FIGURES.format(ok=70, bad=40, fast=60, all=110), at=110.0)
    console = Console(width=120, record=True, file=StringIO())
    console.print(shown(before, now))
    text = console.export_text()
    row = next(line.split() for line in text.splitlines() if "SubmitAction" in line)
    assert row == ["SubmitAction", "10.0", "4.0", "1", "ms", "20", "ms"]
    assert "matches live 7" in text


def test_a_quantile_of_nothing_is_nothing() -> None:
    assert quantile({}, 0.5) == quantile({0.1: 0.0, inf: 0.0}, 0.5) == 0.0


FIGURES = """\
emeth_matches_live 7
emeth_calls_total{{rpc="SubmitAction",door="grpc",reason="OK"}} {ok}
emeth_calls_total{{rpc="SubmitAction",door="grpc",reason="LIMIT_EXCEEDED"}} {bad}
emeth_call_seconds_bucket{{rpc="SubmitAction",le="0.001"}} {fast}
emeth_call_seconds_bucket{{rpc="SubmitAction",le="0.02"}} {all}
emeth_call_seconds_bucket{{rpc="SubmitAction",le="+Inf"}} {all}
"""


def test_wrong_addresses_are_told(emeth: Emeth) -> None:
    assert emeth("top", "--count", "1", "--every", "0.1", "--url", "ftp://x").exit_code == 2
    away = emeth("top", "--url", "http://127.0.0.1:1")
    assert (away.exit_code, "cannot reach http://127.0.0.1:1" in away.output) == (1, True)


async def test_a_service_is_watched(emeth: Emeth, service: Service) -> None:
    asked = ("top", "--count", "1", "--every", "0.1", "--url", service.http_address)
    seen = await asyncio.to_thread(emeth, *asked)
    assert (seen.exit_code, "matches live 0" in seen.output) == (0, True), seen.output
    sources = Sources(service.figures, no_tallies(), no_device_tallies(), service._log.stats)
    reading = read(page(sources).decode(), 0.0)
    assert reading.figure("matches_live") == 0
