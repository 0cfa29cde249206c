"""A table of all figures that are promised, each beside its floor or peer of the same run.

Runs the other scripts of this folder, several times where one run is short, and reads the figures
from their output. Writes bench/results.json, from which docs/performance.md is made. A script that
fails leaves a row that says so. Each row notes the load of the machine, since figures of a busy one
mean little.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from msgspec import Struct

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.json"
LONGEST_SECONDS: Final = 300
"""Timeout of one run of a script that has no other."""


class Figure(Struct, frozen=True):
    """One number that a script prints."""

    name: str
    unit: str
    pattern: str
    """Regular expression of the line in the output: the first group is the number."""
    goal: str = ""
    """`<= 330` or `>= 0.4`; empty for a figure that only informs."""


class Script(Struct, frozen=True):
    """A script, and the figures that are read from its output."""

    name: str
    arguments: tuple[str, ...]
    figures: tuple[Figure, ...]
    runs: int = 1
    short: tuple[str, ...] = ()
    """Arguments for a short run, which only shows that the script works."""
    longest_seconds: int = LONGEST_SECONDS


GAMES: Final = ("agog", "earthen-war", "tokars-arcana", "res-arcana", "golem-arcana")
FLOODS: Final = (
    "creating",
    "refused actions",
    "wrong tokens",
    "lists",
    "verifying",
    "transcripts",
    "streams",
)
NUMBER: Final = r"([\d.]+)"
SIGNED: Final = r"(-?[\d.]+)"


def _session(name: str, label: str, goal: str) -> Figure:
    pattern = rf"^{name} .*server +{NUMBER} us"
    return Figure(f"{label}: processor time an action", "us", pattern, goal)


def _gateway(game: str) -> Script:
    prompt = rf"from tap to prompt: .*99th percentile {NUMBER} ms"
    idle = rf"idle gateways: {NUMBER} KB of the service's memory each"
    used = rf"gateways x .* {NUMBER} ms of processor time of the service each"
    figures = (
        Figure(f"tap to next prompt, 200 gateways, {game}: p99", "ms", prompt, "<= 50"),
        Figure(f"the same: the service's processor time for a tap, {game}", "ms", used),
        Figure(f"memory of an idle gateway, {game}", "KB", idle, "<= 40"),
    )
    arguments = ("gateways.py", game, "--seconds", "4")
    short = ("--gateways", "10", "--idle", "10", "--seconds", "1")
    return Script(f"gateways-{game}", arguments, figures, 2, short)


def _web_watchers(each: int) -> tuple[Figure, ...]:
    start, who = rf"^{each} a match.* ", f"1,000 by HTTP, {each} a match"
    return (
        Figure(f"{who}: actions beside them", "/s", rf"{start}{NUMBER} actions/s", ">= 490"),
        Figure(f"{who}: the service's processor time an action", "ms", rf"{start}{NUMBER} ms of"),
    )


def _flood(kind: str) -> Figure:
    name = f"a quiet pair beside a flood of {kind}: p99 to its p99 alone"
    return Figure(name, "ratio", rf"^{kind} .*: +{NUMBER} times", "<= 2")


def _peer(adapter: str, goal: str) -> tuple[Figure, ...]:
    line, ours = rf"^boardgame.io {adapter}", "ours to its"
    return (
        Figure(f"boardgame.io, {adapter}: moves", "/s", rf"{line} +{NUMBER} moves"),
        Figure(f"{ours} {adapter}, FULL answers", "ratio", rf"{line} .*ratio +{NUMBER}", goal),
        Figure(f"{ours} {adapter}, BASIC answers", "ratio", rf"{line} .*basic +{NUMBER}", goal),
    )


def _memory(game: str) -> Figure:
    return Figure(f"memory of a live match, {game}", "KB", rf"^{game} +{NUMBER} KB", "<= 60")


def _stream_bytes(game: str) -> tuple[Figure, ...]:
    kinds = {"board": "drawn by the service, for the board", "slim": "drawn by the client"}
    found = []
    for kind, label in kinds.items():
        start, who = rf"^{game} {kind}: .*", f"an action of {game}, {label}"
        found += [
            Figure(f"{who}: p95", "B", rf"{start}actions p95 {NUMBER} B most"),
            Figure(f"{who}: most", "B", rf"{start}most {NUMBER} B"),
            Figure(f"{who}: p95, each message by itself", "B", rf"{start}alone p95 {NUMBER} B"),
            Figure(f"{who}: to its plain bytes", "ratio", rf"{start}ratio {NUMBER}"),
        ]
    return tuple(found)


def _fold(game: str) -> Figure:
    goal = ">= 100000" if game == "agog" else ""
    return Figure(f"fold, {game}", "events/s", rf"^{game} +{NUMBER} events", goal)


SCRIPTS: Final = (
    Script(
        "sessions",
        ("sessions.py", "--clients", "64", "--seconds", "2"),
        (
            Figure("session: actions", "/s", rf"^session .* {NUMBER} calls/s"),
            Figure("session: of an equal floor", "ratio", rf"^ratio .* {NUMBER} of", ">= 0.4"),
            Figure("floor of a session: actions", "/s", rf"^floor .* {NUMBER} calls/s"),
            _session("floor", "floor of a session", ""),
            _session("session", "session, FULL answers", "<= 330"),
            _session("basic", "session, BASIC answers", "<= 250"),
            _session("unary", "unary SubmitAction", "<= 550"),
        ),
        5,
        ("--seconds", "0.3", "--clients", "4"),
    ),
    Script(
        "peers",
        ("peers.py", "--seconds", "4"),
        (*_peer("durable", ">= 4"), *_peer("memory", ">= 0.5")),
        3,
        ("--seconds", "0.3", "--matches", "4"),
    ),
    Script(
        "rules",
        ("rules.py", "--rounds", "3", "--seconds", "0.5", "--games", "3"),
        (
            Figure(
                "perft of A.G.O.G. to python-chess, from the start",
                "ratio",
                rf"^from the start.* {NUMBER}$",
                ">= 2",
            ),
            Figure("the same amid games", "ratio", rf"^amid games at random.* {NUMBER}$", ">= 2"),
        ),
        3,
        ("--rounds", "1", "--seconds", "0.1", "--games", "1"),
    ),
    Script(
        "folding",
        ("folding.py", "--seconds", "0.5"),
        (
            *map(_fold, GAMES),
            *(
                Figure(f"cold load of {n} actions", "ms", rf"^load +{n} actions +{NUMBER} ms")
                for n in (100, 1000, 10_000)
            ),
        ),
        3,
        ("--seconds", "0.05"),
    ),
    Script(
        "age",
        ("long_matches.py", "--matches", "40", "--pairs", "2", "--young", "10", "--old", "10000"),
        (Figure("10,000th action to the 10th", "ratio", rf"^act .*ratio {NUMBER}", "<= 1.2"),),
        3,
        ("--matches", "2", "--pairs", "1", "--old", "200"),
    ),
    Script(
        "watchers",
        ("watchers.py", "--watchers", "1000", "--rounds", "3"),
        (Figure("1,000 watchers of a match: p99 from commit", "ms", rf"^told .*p99 +{NUMBER}"),),
        3,
        ("--watchers", "50", "--rounds", "1"),
    ),
    Script(
        "many-watched",
        ("watchers.py", "--watchers", "1000", "--matches", "1000", "--rounds", "2"),
        (Figure("a watcher each of 1,000: p99 from commit", "ms", rf"^told .*p99 +{NUMBER}"),),
        2,
        ("--watchers", "50", "--matches", "50", "--rounds", "1"),
    ),
    Script(
        "crowd",
        ("watchers.py", "--watchers", "5000", "--rounds", "3"),
        (
            Figure("action elsewhere, no crowd: p99", "ms", rf"^quiet .*p99 +{NUMBER}"),
            Figure("action elsewhere, no crowd: longest", "ms", rf"^quiet .*most +{NUMBER}"),
            Figure("action beside 5,000 watchers: p99", "ms", rf"^busy .*p99 +{NUMBER}"),
            Figure("action beside 5,000 watchers: longest", "ms", rf"^busy .*most +{NUMBER}"),
            Figure("later for the crowd: median", "ms", rf"^later +p50 +{SIGNED}"),
            Figure("later for the crowd: p99", "ms", rf"^later .*p99 +{SIGNED}", "<= 20"),
        ),
        2,
        ("--watchers", "100", "--rounds", "1"),
    ),
    Script(
        "web-watchers",
        ("web_watchers.py", "--watchers", "1000", "--rate", "500", "--each", "1", "4", "20"),
        tuple(chain.from_iterable(map(_web_watchers, (1, 4, 20)))),
        2,
        ("--watchers", "20", "--rate", "20", "--seconds", "2"),
    ),
    Script(
        "stream-bytes",
        ("stream_bytes.py",),
        tuple(chain.from_iterable(map(_stream_bytes, GAMES))),
    ),
    Script(
        "floods",
        ("floods.py", "--seconds", "4", "--turns", "3"),
        tuple(map(_flood, FLOODS)),
        short=("--seconds", "0.5", "--turns", "1", "--callers", "5"),
        longest_seconds=600,
    ),
    Script(
        "memory",
        ("memory.py", "--matches", "8"),
        tuple(map(_memory, GAMES)),
        short=("--matches", "1"),
    ),
    Script(
        "connections",
        ("connections.py", "--count", "2000"),
        (
            Figure("memory of a watcher", "KB", rf"^watcher +{NUMBER} KB"),
            Figure("memory of a session", "KB", rf"^session +{NUMBER} KB"),
        ),
        2,
        ("--count", "100"),
    ),
    *map(_gateway, GAMES),
    Script(
        "starting",
        ("starting.py", "--rounds", "3"),
        (
            Figure("start with 1,000,000 events", "s", rf"^listens {NUMBER} s", "<= 3"),
            Figure("the same, to its first answer", "s", rf"answers {NUMBER} s"),
            Figure("read models made of as many", "s", rf"^followed .* in {NUMBER} s"),
        ),
        short=("--rounds", "1", "--events", "4000"),
        longest_seconds=1800,
    ),
)


def run(script: Script, *, short: bool) -> dict[str, Any]:
    """Run a script; return all values of its figures, and its error if it failed."""
    found: dict[str, list[float]] = {each.name: [] for each in script.figures}
    why, began = "", perf_counter()
    arguments = script.arguments[1:] + (script.short if short else ())
    for _ in range(1 if short else script.runs):
        try:
            ended = subprocess.run(
                [sys.executable, str(HERE / script.arguments[0]), *arguments],
                capture_output=True,
                text=True,
                timeout=script.longest_seconds,
            )
        except subprocess.TimeoutExpired:
            why = f"not done in {script.longest_seconds} s"
            break
        print(ended.stdout, end="", flush=True)
        if ended.returncode:
            why = (ended.stderr.strip().splitlines() or ["it failed"])[-1][:200]
            break
        for figure in script.figures:
            values = re.findall(figure.pattern, ended.stdout.replace(",", ""), re.MULTILINE)
            found[figure.name] += map(float, values)
    return {
        "script": " ".join(script.arguments),
        "why": why,
        "runs": script.runs,
        "seconds": round(perf_counter() - began),
        "figures": [
            {"name": each.name, "unit": each.unit, "goal": each.goal, "values": found[each.name]}
            for each in script.figures
        ],
    }


def main() -> None:
    """Run the named scripts and record their figures, or check that they run."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [each.name for each in SCRIPTS]
    parser.add_argument("--only", choices=names, action="append", metavar="NAME")
    parser.add_argument(
        "--short", action="store_true", help="only see that each runs, and write nothing"
    )
    given = parser.parse_args()
    if given.short:
        check([each for each in SCRIPTS if given.only is None or each.name in given.only])
        return
    known = json.loads(RESULTS.read_text())["scripts"] if RESULTS.exists() else {}
    for script in SCRIPTS:
        if given.only is None or script.name in given.only:
            print(f"== {script.name}", flush=True)
            before = os.getloadavg()[0]
            known[script.name] = run(script, short=False) | {
                "load": round(before, 1),
                "at": datetime.now(UTC).isoformat(timespec="minutes"),
            }
            write(known)
    for name, each in known.items():
        for figure in each["figures"]:
            shown = f"{median(figure['values']):,.2f} {figure['unit']}" if figure["values"] else "-"
            print(f"{name:14} {figure['name']:52} {shown:>18}  {figure['goal']}")


def check(scripts: Sequence[Script]) -> None:
    """Run each script briefly; exit if one fails or does not print all of its figures."""
    lacking = []
    for script in scripts:
        print(f"== {script.name}", flush=True)
        found = run(script, short=True)
        print(f"   {found['seconds']} s {found['why']}", flush=True)
        lacking += [
            f"{script.name}: {each['name']}" for each in found["figures"] if not each["values"]
        ]
    if lacking:
        raise SystemExit("not measured: " + "; ".join(lacking))


def write(known: dict[str, Any]) -> None:
    """Write the results to the file, in the order of the scripts."""
    machine = f"{os.cpu_count()} processors, Python {platform.python_version()}"
    ordered = {each.name: known[each.name] for each in SCRIPTS if each.name in known}
    RESULTS.write_text(json.dumps({"machine": machine, "scripts": ordered}, indent=1) + "\n")


if __name__ == "__main__":
    main()
