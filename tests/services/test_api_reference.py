"""The API reference: every call has an example, and every example runs as it stands on its page."""

import asyncio
import json
import re
import shutil
import tomllib
from asyncio.subprocess import PIPE
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

from services.main import Service
from services.runtime.settings import Settings
from tests.services.transport.any_request import METHODS

ROOT = Path(__file__).resolve().parent.parent.parent
LISTED = tomllib.loads((ROOT / "docs/api/examples.toml").read_text())
HOOK = "http://127.0.0.1:9/"
"""Where nobody takes what is posted."""
LINK = r"\]\(([\w-]+\.md)?#([\w-]+)\)"
"""To a heading of a page beside the one that has it, or of its own."""
TIMED_OUT = 28
"""The exit code of curl when a stream is still open."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    data = str(tmp_path / "data")
    return Settings(data, listen="127.0.0.1:0", drain_seconds=1, bots="1", outbound="any")


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / ".ci")
    loader = SourceFileLoader("write_api_reference", str(ROOT / ".ci" / "write-api-reference"))
    spec = spec_from_loader("write_api_reference", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_call_that_curl_can_make_has_an_example() -> None:
    shown = [example["rpc"] for example in LISTED["example"]]
    assert len(shown) == len(set(shown)), "one for each"
    lacking = {
        method.full_name
        for method in METHODS
        if method.full_name.startswith("emeth.")
        and not (method.client_streaming and method.server_streaming)
    } - set(shown)
    assert lacking == set()


def test_the_pages_are_fresh(reference: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["write-api-reference", "--check"])
    reference.main()


def test_the_index_leads_to_every_call_and_every_message_is_linked(reference: Any) -> None:
    pages = reference.Reference(reference.compiled(), {}).pages()
    headings = {
        (page, re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-"))
        for page, text in pages.items()
        for heading in re.findall(r"^#+ (.*)$", text, re.M)
    }
    links = {
        page: {(to or page, anchor) for to, anchor in re.findall(LINK, text)}
        for page, text in pages.items()
    }
    index = [anchor for page, anchor in links["README.md"] if page != "README.md"]
    assert sorted(index) == sorted(method.name.lower() for method in METHODS)
    linked = set[tuple[str, str]]().union(*links.values())
    assert linked <= headings
    assert {*reference.Reference(reference.compiled(), {}).homes.values()} <= linked


@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples are for curl")
async def test_every_example_runs(service: Service, reference: Any) -> None:
    methods = {method.full_name: method for method in METHODS}
    known = {"AT": service.http_address, "ADMIN_KEY": service.admin_key, "HOOK": HOOK}
    helpers = "\n".join(re.findall(r"^\$ (framed\(\).*)$", reference.INDEX, re.M))
    listening = list[asyncio.subprocess.Process]()
    for example in LISTED["example"]:
        command = reference.rendered(example, methods[example["rpc"]]).removeprefix("$ ")
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", f"{UUIDGEN}\n{helpers}\n{command}",
            env={"PATH": "/usr/bin:/bin", **known}, stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        if example.get("goes_on"):
            assert process.stdout is not None
            said = (await process.stdout.readuntil(b"}")).decode(errors="replace")
            listening.append(process)
        else:
            said = await said_by(process, command)
        fails = example.get("fails", "")
        failed = re.search(r'"code": ?"[a-z_]+", ?"message"', said) is not None
        assert (failed, fails in said) == (bool(fails), True), f"{command}\n{said}"
        for name, path in example.get("keep", {}).items():
            known[name] = value_at(said, path)
    for process in listening:  # it ends with what a later example does
        await said_by(process, "in the background")


async def said_by(process: asyncio.subprocess.Process, command: str) -> str:
    """Return what a command wrote when it has ended; it has to have done what was asked."""
    written, complaints = await process.communicate()
    said = written.decode(errors="replace")
    assert process.returncode in (0, TIMED_OUT), (command, said, complaints)
    assert said, command
    return said


def value_at(said: str, path: str) -> str:
    """Return the value at a place of a response, such as `frontend.webhooks.0.webhookId`. Of a
    stream that is its first message, which is framed."""
    found, _ = json.JSONDecoder().raw_decode(said[said.index("{") :])
    for step in path.split("."):
        assert isinstance(found, list) or step in found, f"no {path} in {said}"
        found = found[int(step) if isinstance(found, list) else step]
    return str(found)


UUIDGEN = "uuidgen() { cat /proc/sys/kernel/random/uuid; }"
"""For machines that have no such program."""
