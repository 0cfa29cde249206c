"""Certification of gateways: the reference gateway passes, and who breaks a rule fails."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from services.cli.certification import certify, load_scenarios
from services.client import Client, gateway
from services.main import Service
from tests.services.cli.conftest import Emeth
from tests.services.conftest import STYLUS, actions, set_up_gateway

PROGRAM = f"{sys.executable} -m {gateway.__name__}"
SOURCE = Path(gateway.__file__).read_text()
SPOILED = {
    "hello": ("first_kept_seq=self._journal.first_kept", "first_kept_seq=9"),
    "numbers": ("self._journal.acknowledge(highest)", "pass"),
    "prompts": (
        "not prompt.answered_seq or prompt.answered_seq >= shown.answered_seq",
        "prompt.prompt_number > shown.prompt_number",
    ),
    "lost-tap": ("asyncio.timeout(self._device.resend_seconds)", "asyncio.timeout(None)"),
    "lost-answer": ("asyncio.timeout(self._device.resend_seconds)", "asyncio.timeout(None)"),
    "unchanged": (
        "await call.write(request)",
        "request.tap.prompt_number = self.prompts[request.tap.stylus_id].prompt_number\n"
        "        await call.write(request)",
    ),
    "gap": (
        "self._sent = min(self._sent, answer.gap.expected_seq - 1)",
        "self._journal.acknowledge(answer.gap.expected_seq)",
    ),
    "doubled": (
        "if prompt.acknowledged_seq:",
        "if prompt.replayed: os._exit(1)\n        if True:",
    ),
    "cut": ("epoch=self._journal.epoch", "epoch=os.urandom(8).hex()"),
    "offline": ("offline=not self._is_online", "offline=False"),
    "power": ('Path(os.environ["EMETH_JOURNAL"])', "None"),
    "ahead": ("max(self._journal.last, answer.welcome.highest_seq)", "self._journal.last"),
    "closed": ("self._start_epoch()\n", "pass\n"),
    "disconnect": (
        "case _:",
        'case "disconnect":\n                os._exit(1)\n            case _:',
    ),
    "later": ("case _:", "case None:\n                os._exit(1)\n            case _:"),
    "commands": ("self._reports.append(", "str("),
}
"""How the source of the reference gateway is changed so that it breaks each rule."""


def test_the_reference_gateway_passes(emeth: Emeth) -> None:
    tried = emeth("gateway", "certify", PROGRAM)
    assert tried.exit_code == 0, tried.output
    assert tried.output.endswith(f"{len(load_scenarios())} rules, 0 broken\n")


CHOOSE = """\
import os, pathlib, runpy
rule = pathlib.Path(os.environ["EMETH_JOURNAL"]).parts[-3]
runpy.run_path(str(pathlib.Path(__file__).with_name(f"gateway-{rule}.py")), run_name="__main__")
"""
"""A program that becomes the gateway that was spoiled for the rule under test."""


async def test_a_gateway_that_breaks_a_rule_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.cli.certification.PATIENCE_SECONDS", 4.0)
    assert SPOILED.keys() == load_scenarios().keys()
    for rule, (good, bad) in SPOILED.items():
        assert SOURCE.count(good) == 1, rule
        (tmp_path / f"gateway-{rule}.py").write_text(SOURCE.replace(good, bad))
    program = tmp_path / "choose.py"
    program.write_text(CHOOSE)
    broken = await certify(f"{sys.executable} {program}", [*SPOILED], "127.0.0.1")
    assert [rule for rule, why in broken.items() if not why] == []
    at_once = [rule for rule, why in broken.items() if "{'match_version': 1}" in why]
    assert at_once == [], "each fails by its rule"
    # A tap that was made in prompt 1 came again with the newer one.
    assert broken["unchanged"] == "message 1 came again without its {'prompt_number': 1}"


def test_what_is_no_program_is_said(emeth: Emeth) -> None:
    tried = emeth("gateway", "certify", "/nonexistent/gateway", "--only", "hello", "--json")
    assert tried.exit_code == 1
    assert "No such file" in json.loads(tried.output)[0]["failed"]


async def test_the_program_plays_on_a_real_service(service: Service, tmp_path: Path) -> None:
    shop = await set_up_gateway(service)
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
            assert (await program.stdout.readline()).split(b"\t")[0] == STYLUS.encode()
            for code, line in (
                ("space a6", b"space a6\ttap what is next"),
                ("space b6", b"Confirm takes\ta6-b6"),
                ("button confirm", b"Your turn\tblack"),
            ):
                program.stdin.write(json.dumps({"stylus": STYLUS, "code": code}).encode() + b"\n")
                assert line in await program.stdout.readline()
            program.stdin.close()
            assert await program.wait() == 0, "all is acknowledged"
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()
    async with Client(service.address) as client:
        assert await actions(client, shop.tokens["referee"], shop.match) == ["a6-b6"]


async def test_the_program_ends_if_its_key_is_wrong(service: Service, tmp_path: Path) -> None:
    shop = await set_up_gateway(service)
    environment = {
        **os.environ,
        "EMETH_ADDRESS": service.address,
        "EMETH_GATEWAY_KEY": f"{shop.key}x",
        "EMETH_JOURNAL": str(tmp_path / "journal"),
    }
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(
        *PROGRAM.split(" "), stdin=pipe, stderr=pipe, env=environment
    )
    _, said = await program.communicate()
    assert (program.returncode, b"the service does not take this gateway" in said) == (1, True)
