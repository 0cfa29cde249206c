"""The scripts of bench run, and say what they found."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a script, which keeps its files where the test does."""

    def running(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, f"bench/{script}", *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )

    return running


def test_a_soak_plays_and_checks_matches_of_any_game(run: Run) -> None:
    done = run("soak_games.py", "--matches", "2", "--steps", "30")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith(" passed, 0 failed")


def test_a_soak_plays_with_the_options_that_it_is_given(run: Run) -> None:
    options = ("--option", "artillery=true", "--option", "board=5")
    done = run("soak_games.py", "earthen-war", "--matches", "2", "--steps", "30", *options)
    assert "board=5, artillery=True" in done.stdout
    assert done.stdout.endswith("2 passed, 0 failed\n")


def test_wrong_names_are_reported(run: Run) -> None:
    assert "there is no game 'chess'" in run("soak_games.py", "chess").stderr
    assert "there is no place 'moon'" in run("soak_flips.py", "moon").stderr
    assert "unknown field" in run("legal.py", "agog", "--option", "colour=red").stderr


def test_the_listing_of_actions_is_timed(run: Run) -> None:
    done = run("legal.py", "earthen-war", "--matches", "1", "--steps", "20")
    assert "ms on average" in done.stdout
    assert "99th percentile" in done.stdout


def test_verifying_is_timed_for_each_game(run: Run) -> None:
    done = run("verify.py", "agog", "earthen-war", "--matches", "1", "--steps", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "verifying",
        "agog",
        "earthen-war",
    ]
    assert "there is no game 'chess'" in run("verify.py", "chess").stderr


def test_gateways_are_timed_from_tap_to_prompt(run: Run) -> None:
    done = run("gateways.py", "agog", "--gateways", "3", "--idle", "3", "--seconds", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "99th percentile" in done.stdout
    assert "KB of the service's memory each" in done.stdout


def test_each_http_watcher_receives_all_events(run: Run) -> None:
    crowd = ("--watchers", "6", "--each", "1", "3")
    done = run("web_watchers.py", *crowd, "--rate", "10", "--seconds", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line[:10] for line in done.stdout.splitlines()[::3]] == ["1 a match,", "3 a match,"]


def test_taps_are_timed_separately(run: Run) -> None:
    done = run("taps.py", "tokars-arcana", "--matches", "1", "--taps", "10", "--rounds", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "us a tap" in done.stdout


def test_random_workloads_are_run_and_counted(run: Run) -> None:
    done = run("soak_sound.py", "agog", "--lives", "1", "--steps", "10")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("1 lives, 0 unsound\n")


def test_a_soak_of_taps_misses_no_prompt(run: Run) -> None:
    taps = ("--taps", "72", "--tables", "2", "--watchers", "2")
    done = run("soak_prompts.py", *taps, "--pause-ms", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "0 missing"


def test_a_soak_of_packs_plays_what_it_has_made_up(run: Run) -> None:
    done = run("soak_packs.py", "--packs", "2", "--steps", "15")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "4 passed, 0 failed"


def test_a_soak_with_restarts_plays_as_without(run: Run) -> None:
    done = run("soak_restarts.py", "agog", "golem-arcana", "--matches", "1", "--steps", "12")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("2 passed, 0 failed\n")


@pytest.mark.parametrize("seed", [1])
def test_bits_that_flip_on_the_disk_make_nobody_believe_anything_wrong(run: Run, seed: int) -> None:
    done = run("soak_flips.py", "--flips", "3", "--seed", str(seed))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("\n0 silently wrong\n")
    assert "rebuilt: " in done.stdout
