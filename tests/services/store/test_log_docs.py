"""`docs/log.md` shows commands with what they print: here they are run again."""

import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.log.origin import CommandContext, Origin
from domain.match import MatchSetup, act, claim, create
from domain.registry import GAMES
from services.store.errors import LogFailed
from services.store.log import Log
from services.store.sqlite.format import APPLICATION_ID, FORMAT
from tests.command_contexts import context_at

PAGE = (Path(__file__).parents[3] / "docs" / "log.md").read_text()
EXAMPLES = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE)
AGOG = GAMES["agog"]
MATCH = UUID("4c1e0000-0000-4000-8000-000000000001")
KEYS = {role: f"digest-of-the-{role}-token" for role in ("white", "black", "referee", "spectator")}


def command_context(second: int) -> CommandContext:
    now = datetime(2026, 11, 21, 12, 0, second, tzinfo=UTC)
    return context_at(now, f"request-{second}", Origin("emeth-cli/0.1"))


async def write_the_log_of_the_page(folder: Path) -> None:
    def failed(failure: LogFailed) -> None:
        raise failure

    log = Log(folder, failed)
    created: Any = create(
        MatchSetup(AGOG, AGOG.options(), "Ada against Bert"), MATCH, KEYS, command_context(1)
    )
    await log.write(created.events)
    match = created.state
    steps: tuple[Any, ...] = (
        lambda match: claim(match, "white", "Ada", KEYS["white"], command_context(2)),
        lambda match: claim(match, "black", "Bert", KEYS["black"], command_context(3)),
        lambda match: act(match, "white", AGOG.read_action("a6-b6"), command_context(4)),
        lambda match: act(match, "black", AGOG.read_action("h3-g3"), command_context(5)),
    )
    for step in steps:
        changeset = step(match)
        await log.write(changeset.events)
        match = changeset.state
    log.close()


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
async def test_each_command_of_the_page_prints_what_the_page_shows(
    tmp_path: Path, command: str, output: str
) -> None:
    await write_the_log_of_the_page(tmp_path)
    program, *arguments = shlex.split(command)
    assert program == "sqlite-utils"
    done = subprocess.run(  # noqa: ASYNC221  # nothing else runs in this loop
        [sys.executable, "-m", "sqlite_utils", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == output.splitlines()


def test_the_page_has_commands_and_names_the_present_format() -> None:
    assert len(EXAMPLES) >= 5
    assert f"`application_id` is {APPLICATION_ID}" in PAGE
    assert f"is the format, now {FORMAT}" in " ".join(PAGE.split())
