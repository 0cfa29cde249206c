"""Trials of a maker's gateway: the reference passes them all, and who breaks a rule fails."""

import ast
import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from services.cli.gateway_trials import TRIALS, try_out
from services.client import reference_gateway
from services.client.gateways import TableClient
from services.server import Service
from tests.services.cli.conftest import Emeth
from tests.services.conftest import PEN, actions, open_shop

SOURCE = Path(reference_gateway.__file__).read_text()
PROGRAM = f"{sys.executable} -m {reference_gateway.__name__}"
BREAKS = {
    "hello": ('software="emeth-reference/1"', 'software="x" * 81'),
    "numbers": ('"prompt": shown}', '"prompt": 0}'),
    "silence": ("time.monotonic() - self._heard > SILENCE", "not self._news"),
    "gap": ("self._sent = min(self._sent, answer.gap.expected - 1)", "pass"),
    "cut": ("self._journal.acknowledge(prompt.acknowledged)", "pass"),
    "ahead": ("self.last = max(self.last, highest)\n        self._append", "self._append"),
    "closed": ("self._journal.renew()", "pass"),
    "scans": ('"stylus": message["stylus"]}', '"stylus": "OTHER"}'),
    "memory": ('"offline": not self._welcomed', '"offline": False'),
    "attached": (
        "self._prompts[prompt.stylus] = prompt.prompt",
        "self._prompts[prompt.stylus] = max(prompt.prompt, self._prompts.get(prompt.stylus, 0))",
    ),
    "power": ('self._append({"seq": self.last, "message": message})', "pass"),
}
"""What of the reference is spoilt for which trial."""


def test_the_reference_passes_every_trial(emeth: Emeth) -> None:
    tried = emeth("gateway", "certify", PROGRAM)
    assert tried.exit_code == 0, tried.output
    assert tried.output.endswith(f"{len(TRIALS)} trials, 0 failed\n")


async def test_a_gateway_that_breaks_a_rule_fails_its_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.cli.gateway_trials.PATIENCE", 4.0)

    async def tried(name: str, good: str, bad: str) -> None:
        assert SOURCE.count(good) == 1, name
        spoilt = tmp_path / f"{name}.py"
        spoilt.write_text(SOURCE.replace(good, bad))
        assert (await try_out(f"{sys.executable} {spoilt}", name)).failed, name

    await asyncio.gather(*(tried(name, *spoilt) for name, spoilt in BREAKS.items()))


def test_what_is_no_program_is_told(emeth: Emeth) -> None:
    tried = emeth("gateway", "certify", "/nonexistent/gateway", "--only", "hello")
    assert tried.exit_code == 1
    assert "No such file" in tried.output


def test_the_reference_knows_nothing_but_the_stubs() -> None:
    imported = {
        name.partition(".")[0] if not name.startswith("services") else name
        for node in ast.walk(ast.parse(SOURCE))
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom)
            else [each.name for each in node.names] if isinstance(node, ast.Import)
            else []
        )
    }  # fmt: skip
    ours = {name for name in imported if name not in sys.stdlib_module_names}
    assert ours == {"grpc", "services.wire.emeth.v1", "services.wire.emeth.v1.gateways_pb2_grpc"}
    assert len(SOURCE.splitlines()) < 300


async def test_the_reference_plays_on_a_real_service(service: Service, tmp_path: Path) -> None:
    shop = await open_shop(service)
    environment = {
        **os.environ,
        "EMETH_ADDRESS": service.address,
        "EMETH_GATEWAY_KEY": shop.key,
        "EMETH_JOURNAL": str(tmp_path / "journal"),
    }
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(
        *PROGRAM.split(" "), stdin=pipe, stdout=pipe, env=environment
    )
    assert program.stdin is not None
    assert program.stdout is not None
    try:
        async with asyncio.timeout(30):
            assert (await program.stdout.readline()).split(b"\t")[0] == PEN.encode()
            for code, line in (
                ("space a6", b"space a6\ttap what is next"),
                ("space b6", b"Confirm takes\ta6-b6"),
                ("button confirm", b"Your turn\tblack"),
            ):
                told = {"stylus": PEN, "code": code}
                program.stdin.write(json.dumps(told).encode() + b"\n")
                assert line in await program.stdout.readline()
    finally:
        program.kill()
        await program.wait()
    async with TableClient(service.address) as client:
        assert await actions(client, shop.tokens["referee"], shop.match) == ["a6-b6"]


@pytest.mark.parametrize("name", TRIALS)
def test_each_trial_says_what_it_holds(name: str) -> None:
    assert (TRIALS[name].__doc__ or "").endswith(".")
