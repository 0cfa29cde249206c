"""A benchmark of folding events into the read models, against inserting as many bare rows.

The floor is one INSERT of the same event bytes into a table with the same key, in transactions of
the same size and with the same durability. Both are measured in turn, in one run, and the best
round of each counts, since other programs can only slow a round down. Printed too are the time of
one query of each kind at the end, and how fast SQLite checks the file at a start.
"""

import argparse
import logging
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Final
from uuid import UUID

import structlog
from eventsourcing.persistence import JSONTranscoder, Notification

from domain.log.sealed_events import SealedEvent
from domain.match import Changeset, Event, MatchSetup, act, create, roles
from domain.registry import GAMES
from domain.storage.mapper import EventMapper
from projections.projector import schema
from projections.projector.projector import Projector
from projections.projector.runner import MAX_BATCH, ProjectionRunner
from projections.queries import history, match_list
from projections.queries.read_files import ReadModels
from projections.views import board_views
from services.store.sqlite.recorder import Factory
from tests.command_contexts import context_at

STAMP: Final = context_at(datetime(2026, 11, 21, tzinfo=UTC), "bench")
MAPPER: Final = EventMapper(transcoder=JSONTranscoder())


def played(game: str, number: int, most: int) -> list[SealedEvent[Event]]:
    """Return the events of a randomly played match, at most `most`."""
    rules, chance = GAMES[game], random.Random(number)
    options = rules.options()
    keys = dict.fromkeys(roles(rules, options), "0" * 64)
    created = create(MatchSetup(rules, options, f"Match {number}"), UUID(int=number), keys, STAMP)
    events, match = [*created.events], created.state
    while match.prompts and len(events) < most:
        seat = match.prompts[0].seat
        legal = [
            each for each in rules.legal(match.position, seat) if not rules.is_administrative(each)
        ]
        changeset = act(match, seat, chance.choice(legal), STAMP)
        assert isinstance(changeset, Changeset)
        events += changeset.events
        match = changeset.state
    return events


def whole_log(game: str, events: int) -> list[Notification]:
    """Return a log of so many events, of matches that act in turn."""
    matches: list[list[SealedEvent[Event]]] = []
    while sum(map(len, matches)) < events:
        matches.append(played(game, len(matches) + 1, most=100))
    mixed = [each for row in zip_longest(*matches) for each in row if each is not None]
    stored = [MAPPER.to_stored_event(each) for each in mixed[:events]]
    return [
        Notification(each.originator_id, each.originator_version, each.topic, each.state, number)
        for number, each in enumerate(stored, start=1)
    ]


def batches(log: Sequence[Notification], size: int) -> Iterator[Sequence[Notification]]:
    """Yield the log in batches of this size."""
    for start in range(0, len(log), size):
        yield log[start : start + size]


def fold(log: Sequence[Notification], size: int, file: Path) -> float:
    """Return the seconds to fold the log into a new read file."""
    connection = schema.connect_writer(file)
    schema.create_tables(connection, ready=True)
    projector = Projector(connection, MAPPER)
    began = time.perf_counter()
    for batch in batches(log, size):
        projector.apply(batch)
    took = time.perf_counter() - began
    projector.close()
    return took


def bare(log: Sequence[Notification], size: int, file: Path) -> float:
    """Return the seconds to insert the same bytes as bare rows."""
    connection = schema.connect_writer(file)
    connection.execute(
        "CREATE TABLE bare (match INTEGER, version INTEGER, state TEXT, UNIQUE (match, version))"
    )
    rows = [
        (each.originator_id.int, each.originator_version, each.state.decode())
        for each in log
        if isinstance(each.originator_id, UUID)
    ]
    began = time.perf_counter()
    for start in range(0, len(rows), size):
        connection.execute("BEGIN IMMEDIATE")
        schema.insert(connection, ("INSERT INTO bare VALUES ", 3, ""), rows[start : start + size])
        connection.execute("COMMIT")
    took = time.perf_counter() - began
    connection.close()
    return took


Measure = Callable[[Sequence[Notification], int, Path], float]


def best(measure: Measure, log: Sequence[Notification], size: int, rounds: int) -> float:
    """Return the shortest of so many measurements, each with its own file."""
    with tempfile.TemporaryDirectory() as folder:
        return min(measure(log, size, Path(folder, f"{n}.sqlite")) for n in range(rounds))


def follow(log: Sequence[Notification], folder: Path) -> tuple[float, ReadModels]:
    """Return the seconds to follow a log file from start to end, and the read models."""
    factory = Factory({"SQLITE_DBNAME": str(folder / "log.sqlite")})
    recorder = factory.application_recorder()
    for batch in batches(log, MAX_BATCH):
        recorder.insert_events(batch)
    models = ReadModels(folder / "reads")
    began = time.perf_counter()
    with ProjectionRunner(recorder, models, MAPPER) as follower:
        while follower.position < len(log):
            time.sleep(0.001)
        took = time.perf_counter() - began
    factory.close()
    return took, models


def ask(models: ReadModels, log: Sequence[Notification]) -> None:
    """Print the time of one query of each kind."""
    longest = max(log, key=lambda each: each.originator_version)
    match, version = longest.originator_id, longest.originator_version
    assert isinstance(match, UUID)
    some, newest = match_list.MatchFilter(title="match 1"), match_list.MatchOrder.CREATED
    words = history.HistoryQuery(text="captured")
    questions: dict[str, Callable[[sqlite3.Connection], object]] = {
        "the present board": lambda c: board_views.find_match_row(c, match),
        "an earlier board, on average": lambda c: [
            board_views.match_at(c, match, number) for number in range(1, version)
        ],
        "50 matches of the lobby": lambda c: match_list.match_page(c, some, newest, 50),
        "50 events of a history": lambda c: history.history_page(c, match, "white", 50),
        f"a search in {version} events": lambda c: history.history_page(
            c, match, "white", 50, query=words
        ),
    }
    for name, question in questions.items():
        with models.reading() as connection:
            took = min(_seconds(question, connection) for _ in range(10))
        each = took / (version - 1) if "average" in name else took
        print(f"{name:32}{each * 1e6:10,.0f} µs")


def _seconds(question: Callable[[sqlite3.Connection], object], c: sqlite3.Connection) -> float:
    began = time.perf_counter()
    question(c)
    return time.perf_counter() - began


def main() -> None:
    """Measure, and print figures with their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES), default="agog")
    parser.add_argument("--events", type=int, default=10_000, help="in the log (10000)")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts (3)")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    log = whole_log(given.game, given.events)
    print(f"{len(log):,} events of {given.game}")
    for size in (MAX_BATCH, 16):
        floor = best(bare, log, size, given.rounds)
        folded = best(fold, log, size, given.rounds)
        print(
            f"{size:4} a batch: bare rows {len(log) / floor:10,.0f}/s"
            f"   folded {len(log) / folded:8,.0f}/s   ratio {floor / folded:.2f}"
        )
    with tempfile.TemporaryDirectory() as folder:
        took, models = follow(log, Path(folder))
        print(f"a follower, from a log file {len(log) / took:12,.0f}/s")
        with models.reading() as connection:
            took = _seconds(schema.find_damage, connection)
        print(f"checked at a start, {models.path.stat().st_size / took / 2**20:,.0f} MiB/s")
        ask(models, log)
        models.close()


if __name__ == "__main__":
    main()
