"""Traces reach a collector over OTLP: from the call to the commit to the watcher."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from services.client import Client
from tests.services.conftest import create_match

EMETH = Path(sys.executable).with_name("emeth")


@contextmanager
def collector() -> Iterator[tuple[str, list[Any]]]:
    """A collector at an address, and the spans that it was sent."""
    spans: list[Any] = []

    class Receives(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            raw = self.rfile.read(int(self.headers["content-length"]))
            for sent in ExportTraceServiceRequest.FromString(raw).resource_spans:
                names = {each.key: each.value.string_value for each in sent.resource.attributes}
                assert names["service.name"] == "emeth"
                spans.extend(span for scope in sent.scope_spans for span in scope.spans)
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("content-type", "application/x-protobuf")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Nothing is to be printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receives) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", spans
        server.shutdown()
        thread.join()


def started(address: str, data: Path, ready: Path) -> subprocess.Popen[bytes]:
    """A service that sends its traces there."""
    ours = ("EMETH_", "OTEL_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.Popen(
        (EMETH, "serve", "--data", data, "--listen", "127.0.0.1:0", "--ready-file", ready),
        env=environment | {"EMETH_TRACES": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": address},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


async def test_a_service_sends_its_traces_to_a_collector(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    with collector() as (address, spans):
        service = started(address, tmp_path / "data", ready)
        while not ready.exists() or not ready.read_text():
            assert service.poll() is None
            await asyncio.sleep(0.05)
        async with Client(ready.read_text()) as client:
            match = await create_match(client)
            watching = client.watch(match.tokens["black"], match.id, after_version=1)
            await client.submit(match.tokens["white"], match.id, "a6-b6")
            await anext(watching)
            await watching.aclose()
        service.send_signal(signal.SIGTERM)
        assert service.wait() == 0, "what is still to be sent is sent before the end"
    (call,) = (each for each in spans if each.name == "SubmitAction")
    (commit,) = (each for each in spans if each.parent_span_id == call.span_id)
    assert (commit.name, commit.trace_id) == ("commit", call.trace_id)
    shown = [each for each in spans if each.name == "shown"]
    assert [link.span_id for each in shown for link in each.links] == [commit.span_id]
    text = "".join(map(str, spans))
    assert not [token for token in match.tokens.values() if token in text]
