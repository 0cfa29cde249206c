"""A benchmark of how strong bots are: matches between levels, and against simple players.

Each pairing is played until it has the wanted number of matches. The players of a pairing swap
seats after each match, and the two matches of a pair start alike. Each result is written to
bench/bots.json at once, so a run can be stopped at any time and continues where it stopped. Matches
are played again if their level has changed, or the code of the bots of their game. Seconds are of
processor time.
"""

import ast
import inspect
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from hashlib import sha256
from itertools import pairwise, product
from math import log10, sqrt
from pathlib import Path
from time import process_time
from typing import Any, Final

import bot_matches
import click
import msgspec
from bot_matches import PLAYERS, Played, match

from domain import bots
from domain.bots import LEVELS
from domain.bots.random_play import prompt_for, random_action, random_entry
from domain.bots.splitmix import SplitMix64
from domain.kernel import win_probabilities
from domain.kernel.any_game import state_after
from domain.registry import GAMES

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "bots.json"
PAGE: Final = HERE.parent / "docs" / "bots.md"
BEGIN, END = "<!-- figures: written by bench/bots.py --write -->", "<!-- end of figures -->"
LETTERS: Final = {1.0: "w", 0.5: "d", 0.0: "l"}
SOME: Final = 40
"""Matches of each pairing that are played first; of an easy pairing, all matches."""
SURE: Final = 1.96
"""Standard deviations on either side of a 95 % interval."""

Pairing = tuple[str, str]
Row = dict[str, Any]
PAIRINGS: Final[tuple[Pairing, ...]] = (
    *((higher, lower) for lower, higher in pairwise(LEVELS)),
    *((name, other) for other in ("random", "greedy") for name in LEVELS),
)
"""Pairs of players, the one expected to be stronger first."""


def interval(wins: int, draws: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a score after Wilson (1927).

    Draws count half and narrow the interval, as if more matches had been played.
    """
    share = (wins + draws / 2) / count
    spread = share * (1 - share) - draws / 4 / count
    most = share * (1 - share)
    count = round(count * most / spread) if spread > 0 else count
    square = SURE**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = SURE * sqrt(share * (1 - share) / count + square / (4 * count**2)) / (1 + square / count)
    return middle - half, middle + half


def elo(share: float) -> float:
    """Return the Elo difference of a player who scores this share."""
    share = min(0.9999, max(0.0001, share))
    return -400 * log10(1 / share - 1)


@cache
def thinking(slug: str) -> str:
    """Return a digest of the code by which the bots of a game choose.

    It covers how matches are played, how bots search, and the game's heuristics. It covers neither
    comments and docstrings nor the numbers of levels, which `signature` has.
    """
    game = GAMES[slug]
    heuristics = (
        game.evaluate,
        game.move_ordering,
        game.sample_state if game.has_hidden_information else None,
    )
    parts = sorted(Path(bots.__file__).parent.glob("*.py"))
    files = [Path(bot_matches.__file__), *(part for part in parts if part.stem != "levels")]
    files += [
        Path(inspect.getfile(each)) for each in (win_probabilities, *heuristics) if each is not None
    ]
    return sha256("".join(map(_code_of, files)).encode()).hexdigest()[:16]


def _code_of(path: Path) -> str:
    """Return a module's syntax tree without comments and docstrings."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                text.value = ""
    return ast.dump(tree)


def signature(slug: str, pairing: Pairing) -> Row:
    """Return what the results of a pairing depend on: its levels, and their code."""
    levels = [
        [(level := LEVELS[name]).budget, level.evaluation_noise, level.random_move_rate]
        if name in LEVELS
        else name
        for name in pairing
    ]
    return {"levels": levels, "thinking": thinking(slug)}


class Results:
    """The matches played so far, in a file.

    Results of changed levels or changed code are dropped.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        self.all: dict[str, dict[str, Row]] = {slug: {} for slug in GAMES}
        for slug, pairing in product(GAMES, PAIRINGS):
            name, now = " ".join(pairing), signature(slug, pairing)
            row = found.get(slug, {}).get(name, {})
            fresh = {key: row.get(key) for key in now} == now
            self.all[slug][name] = row if fresh else {**now, "matches": {}}

    def of(self, slug: str, pairing: Pairing) -> Row:
        """Return the results of one pairing."""
        return self.all[slug][" ".join(pairing)]

    def add(self, slug: str, pairing: Pairing, number: int, played: Played) -> None:
        """Record a match, and write the file."""
        row = self.of(slug, pairing)
        row["matches"][str(number)] = [
            LETTERS[played.share], played.plies, *(round(s, 3) for s in played.seconds),
            *played.choices,
        ]  # fmt: skip
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.all) + "\n")
        part.replace(self.path)


def play(job: tuple[str, Pairing, int]) -> tuple[str, Pairing, int, Played]:
    """Play one match in a worker process."""
    slug, pairing, number = job
    first, second = (PLAYERS[name] for name in pairing)
    return slug, pairing, number, match(slug, first, second, number)


def wanted(pairing: Pairing, matches: int) -> int:
    """Return how many matches to play: fewer if a level that thinks meets a simple player."""
    easy = pairing[1] not in LEVELS and pairing[0] != next(iter(LEVELS))
    return min(matches, SOME) if easy else matches


def jobs(results: Results, slugs: list[str], only: str, matches: int) -> Iterator[Any]:
    """Yield the matches still to play, the first `SOME` of every pairing before the rest."""
    begun = 0
    for most in (SOME, matches):
        for pairing in PAIRINGS:
            for slug in slugs:
                if only not in " ".join(pairing):
                    continue
                done = results.of(slug, pairing)["matches"]
                for number in range(begun, min(most, wanted(pairing, matches))):
                    if str(number) not in done:
                        yield slug, pairing, number
        begun = most


# --- what it came to -----------------------------------------------------------------------------


def summed(row: Row) -> dict[str, float]:
    """Return counts and means over the matches of a pairing."""
    found = [*row["matches"].values()]
    letters = [each[0] for each in found]
    spent = [sum(each[2 + n] for each in found) for n in (0, 1)]
    made = [max(1, sum(each[4 + n] for each in found)) for n in (0, 1)]
    return {
        "count": len(found),
        "wins": letters.count("w"),
        "draws": letters.count("d"),
        "plies": sum(each[1] for each in found) / len(found),
        "ms": 1000 * spent[0] / made[0],
    }


def table(results: Results) -> list[str]:
    """Return the results as lines of a Markdown table."""
    lines = [
        "| game | player | against | matches | score | 95 in 100 | Elo | draws | ms a choice |",
        "|---|---|---|---:|---:|---|---:|---:|---:|",
    ]
    for slug, game in GAMES.items():
        for pairing in PAIRINGS:
            row = results.of(slug, pairing)
            if not row["matches"]:
                continue
            totals = summed(row)
            count, wins, draws = (round(totals[name]) for name in ("count", "wins", "draws"))
            share = (wins + draws / 2) / count
            low, high = interval(wins, draws, count)
            lines.append(
                f"| {game.name} | {pairing[0]} | {pairing[1]} | {count} | {share:.1%} "
                f"| {low:.1%} to {high:.1%} | {elo(share):+.0f} | {draws} "
                f"| {totals['ms']:.1f} |"
            )
    return lines


def write(results: Results) -> None:
    """Write the table into docs/bots.md."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after_it = rest.partition(END)
    PAGE.write_text("\n".join((before + BEGIN, "", *table(results), "", END)) + after_it)


def playouts(slug: str, seconds: float) -> tuple[float, float, float]:
    """Return playouts, states and evaluations a second, in random play."""
    game, generator = GAMES[slug], SplitMix64(b"playouts")
    options = msgspec.convert({}, game.options)
    whole, states = 0, 0
    looked: list[Any] = []
    began = process_time()
    while (spent := process_time() - began) < seconds or not whole:
        state = game.start(options)
        while game.result(state) is None and (prompt := prompt_for(game, state)) is not None:
            pick = random_entry if prompt.is_chance else random_action
            state = state_after(game, state, prompt.seat, pick(game, state, prompt.seat, generator))
            states += 1
            if states % 20 == 0 and len(looked) < 200:
                looked.append(state)
            if states % 5000 == 0:
                break
        whole += 1
    assert game.evaluate is not None
    began = process_time()
    for state in looked:
        game.evaluate(state)
    return whole / spent, states / spent, len(looked) / (process_time() - began)


@click.command(context_settings={"show_default": True})
@click.argument("games", nargs=-1)
@click.option("--matches", default=200, help="Of each pairing.")
@click.option("--processes", default=1, help="Matches that are played at a time.")
@click.option("--only", default="", help="Pairings whose two names have this in them.")
@click.option("--results", default=str(RESULTS), help="The file that matches are kept in.")
@click.option("--show", is_flag=True, help="Play nothing: print what was played so far.")
@click.option("--write", "into_page", is_flag=True, help="The same, into docs/bots.md.")
@click.option("--playouts", "seconds", type=float, help="Measure playouts, for so many seconds.")
def main(
    games: tuple[str, ...], matches: int, processes: int, only: str, results: str, show: bool,
    into_page: bool, seconds: float | None,
) -> None:  # fmt: skip
    """Measure how strong the levels of bots are, by matches between them."""
    slugs, kept = [*(games or GAMES)], Results(Path(results))
    if seconds is not None:
        for slug in slugs:
            runs, states, looks = playouts(slug, seconds)
            click.echo(
                f"{slug}: {runs:.1f} playouts/s, {states:,.0f} states/s, {looks:,.0f} prospects/s"
            )
    elif into_page:
        write(kept)
    else:
        if not show:
            with ProcessPoolExecutor(processes) as pool:
                for slug, pairing, number, played in pool.map(
                    play, jobs(kept, slugs, only, matches)
                ):
                    kept.add(slug, pairing, number, played)
        click.echo("\n".join(table(kept)))


if __name__ == "__main__":
    main()
