"""A real log, real read files, matches to put into them, and a game that keeps secrets."""

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from eventsourcing.persistence import JSONTranscoder, StoredEvent
from msgspec import Struct
from msgspec.structs import replace
from sqlite_utils import Database

from domain.kernel.game import (
    Display,
    Game,
    Notation,
    Prompt,
    ResolvedAction,
    Result,
    Rules,
    Secrets,
    Words,
)
from domain.kernel.narration import narrate_by_facts
from domain.kernel.parts import Parts
from domain.kernel.rulings import Accepted, Rule
from domain.kernel.scene import Scene
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.match import (
    AnyMatch,
    Changeset,
    Event,
    MatchSetup,
    Terms,
    act,
    claim,
    create,
    leave,
    raise_dispute,
    roles,
)
from domain.registry import ENTRIES, GAMES
from domain.storage import mapper
from domain.storage.mapper import EventMapper
from projections.projector import schema
from projections.projector.projector import Projector
from projections.projector.runner import ProjectionRunner
from projections.queries.read_files import ReadModels
from services.store.postgres import recorder as postgres
from services.store.sqlite.recorder import Factory
from tests.command_contexts import context_at

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class MatchBuilder:
    """A match being played; `events` and `states` grow with each command."""

    def __init__(
        self, game: str = "agog", title: str = "", minute: int = 0, terms: Terms | None = None
    ) -> None:
        self.id: UUID = uuid4()
        self.events: list[SealedEvent[Any]] = []
        self.states: list[AnyMatch] = []
        self.minute = minute
        rules = GAMES[game]
        options = rules.options()
        keys = {role: self.key(role) for role in roles(rules, options)}
        self.record(
            create(
                MatchSetup(rules, options, title, terms or Terms()),
                self.id,
                keys,
                self.command_context,
            )
        )

    @property
    def match(self) -> AnyMatch:
        return self.states[-1]

    @property
    def command_context(self) -> CommandContext:
        at = NOON + timedelta(minutes=self.minute, seconds=len(self.events))
        return context_at(at, f"request {len(self.events)}")

    def key(self, role: str) -> str:
        return f"{role} of {self.id}"

    def record(self, changeset: Any) -> "MatchBuilder":
        assert isinstance(changeset, Changeset), changeset
        self.states.extend(changeset.states)
        self.events.extend(changeset.events)
        return self

    def claim(self, seat: str, player: str) -> "MatchBuilder":
        return self.record(claim(self.match, seat, player, self.key(player), self.command_context))

    def dispute(self, seat: str, on: int) -> "MatchBuilder":
        return self.record(raise_dispute(self.match, seat, on, "I doubt it", self.command_context))

    def leave(self, seat: str) -> "MatchBuilder":
        return self.record(leave(self.match, seat, self.command_context))

    def act(self, seat: str, text: str) -> "MatchBuilder":
        action = self.match.rules.read_action(text)
        return self.record(act(self.match, seat, action, self.command_context))

    def play(self, actions: int, seed: int = 1) -> "MatchBuilder":
        """Take this many random actions, or fewer if the game ends."""
        rules, chance = self.match.rules, random.Random(seed)
        for _ in range(actions):
            asked = rules.turn(self.match.position)
            if not asked:
                break
            legal = rules.legal(self.match.position, asked[0].seat)
            action = chance.choice([each for each in legal if not rules.is_administrative(each)])
            self.record(act(self.match, asked[0].seat, action, self.command_context))
        return self


class TestLog:
    """A log in a real file, or in a real database."""

    __test__ = False

    def __init__(self, file: Path, store: str = "") -> None:
        self.file = file
        self._factory: Any = Factory({"SQLITE_DBNAME": str(file)})
        if store:
            self._factory = postgres.Factory({postgres.URI: store})
        self.recorder = self._factory.application_recorder()
        self.mapper: Any = self._factory.mapper(JSONTranscoder(), EventMapper)

    def write(self, *events: SealedEvent[Event]) -> None:
        self.recorder.insert_events([self.mapper.to_stored_event(each) for each in events])

    def write_raw(self, match: UUID, version: int, state: bytes) -> None:
        self.recorder.insert_events([StoredEvent(match, version, "match.ActionTaken", state)])

    def close(self) -> None:
        self._factory.close()


def settle(follower: ProjectionRunner) -> None:
    """Wait until the read models have all that is in the log."""
    patience = time.monotonic() + 10
    while follower.status().lag:
        assert time.monotonic() < patience, follower.status()
        time.sleep(0.002)


@pytest.fixture(scope="session")
def settled() -> Callable[[ProjectionRunner], None]:
    return settle


@pytest.fixture(scope="session")
def playing() -> type[MatchBuilder]:
    return MatchBuilder


@pytest.fixture(scope="session")
def open_log() -> type[TestLog]:
    return TestLog


@pytest.fixture
def log(tmp_path: Path, store: str) -> Iterator[TestLog]:
    opened = TestLog(tmp_path / "log.sqlite", store)
    yield opened
    opened.close()


@pytest.fixture
def models(tmp_path: Path) -> Iterator[ReadModels]:
    opened = ReadModels(tmp_path / "reads")
    yield opened
    opened.close()


@pytest.fixture
def follower(log: TestLog, models: ReadModels) -> Iterator[ProjectionRunner]:
    with ProjectionRunner(log.recorder, models, log.mapper) as following:
        yield following


@pytest.fixture
def caught_up(log: TestLog, models: ReadModels) -> Callable[..., Any]:
    """Writes matches to the log, and gives a connection to read models that have them all."""

    @contextmanager
    def read(*matches: MatchBuilder) -> Iterator[sqlite3.Connection]:
        for match in matches:
            log.write(*match.events)
        with ProjectionRunner(log.recorder, models, log.mapper) as following:
            settle(following)
        with models.reading() as connection:
            yield connection

    return read


@pytest.fixture
def tables() -> Callable[[Path], dict[str, list[tuple[Any, ...]]]]:
    """All rows of a read file that anybody can ask for."""

    def read(file: Path) -> dict[str, list[tuple[Any, ...]]]:
        with sqlite3.connect(file) as connection:
            database = Database(connection)
            found = {
                name: [
                    tuple(row.values()) for row in database.table(name).rows_where(order_by="1, 2")
                ]
                for name in schema.TABLES
            }
            titles = "SELECT rowid FROM titles WHERE titles MATCH 'match' ORDER BY 1"
            found["titles"] = connection.execute(titles).fetchall()
        connection.close()
        return found

    return read


@pytest.fixture
def in_one_go(tmp_path: Path, log: TestLog) -> Callable[[], Path]:
    """Makes a read file of the log as it is, without any interruption."""

    def project() -> Path:
        file = tmp_path / "in-one-go.sqlite"
        connection = schema.connect_writer(file)
        schema.create_tables(connection, ready=True)
        projector = Projector(connection, log.mapper)
        while events := log.recorder.select_notifications(
            projector.position, 1000, inclusive_of_start=False
        ):
            projector.apply(events)
        projector.close()
        return file

    return project


# --- a game that keeps secrets: each of two seats whispers words that only it and the referee hear


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class State(Struct, frozen=True):
    words: tuple[tuple[str, str], ...] = ()


class Whisper(Struct, frozen=True, tag="whispers.whisper"):
    word: str


class Whispered(Struct, frozen=True, tag="whispers.whispered"):
    seat: str
    word: str


def hears(viewer: str, seat: str) -> bool:
    return viewer in (seat, "referee")


def redact(action: ResolvedAction[Any, Any], viewer: str) -> ResolvedAction[Any, Any]:
    if hears(viewer, action.seat):
        return action
    facts = tuple(replace(fact, word="?") for fact in action.facts)
    return replace(action, action=Whisper("?"), facts=facts)


def view(state: State, viewer: str) -> str:
    return " ".join(f"{seat}:{word if hears(viewer, seat) else '?'}" for seat, word in state.words)


def read_position(text: str, _: Options) -> State:
    pairs = [word.split(":") for word in text.split()]
    return State(tuple((seat, word) for seat, word in pairs))


def whispering(_: State, action: Whisper) -> Parts:
    return Parts("whisper", f"Somebody whispers {action.word}")


WHISPERS: Game[Options, State, Whisper, Whispered] = Game.of(
    "whispers",
    "Whispers",
    "Two whisper.",
    words=Words(
        Options,
        State,
        Whisper,
        Whispered,
        {"whispers.say": Rule("whispers.say", "anybody may whisper", "none")},
    ),
    rules=Rules(
        seats=lambda _: ("north", "south"),
        start=lambda _: State(),
        turn=lambda _: (Prompt("north", "word"), Prompt("south", "word")),
        legal=lambda _, seat: iter((Whisper(f"{seat}-secret"),)),
        decide=lambda _, seat, action: Accepted((Whispered(seat, action.word),)),
        evolve=lambda state, fact: State((*state.words, (fact.seat, fact.word))),
        result=lambda state: Result((), "tired", "0-0") if len(state.words) > 99 else None,
    ),
    notation=Notation(
        notation="whisper WORD",
        write_position=lambda state: view(state, "referee"),
        read_position=read_position,
        write_action=lambda action: f"whisper {action.word}",
        read_action=lambda text: Whisper(text.removeprefix("whisper ")),
    ),
    display=Display(
        scene=lambda state, viewer: Scene(caption=f"Heard: {view(state, viewer)}"),
        parts=whispering,
        narrate=narrate_by_facts(whispering, lambda fact: f"{fact.seat} whispered {fact.word}."),
    ),
    secrets=Secrets(
        redact=redact,
        information_state=lambda state, viewer: read_position(view(state, viewer), Options()),
        sample_state=lambda known, *_: known,
        reveals=lambda _: True,
        deals_face_down=lambda _: False,
        write_view=view,
    ),
)


@pytest.fixture
def whispers(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Adds the game to the registry for one test, and gives its slug."""
    monkeypatch.setitem(ENTRIES, "whispers", WHISPERS)
    mapper.event_decoder.cache_clear()
    yield "whispers"
    monkeypatch.undo()
    mapper.event_decoder.cache_clear()


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Two matches that differ are shown as their positions."""
    matches = [each for each in (left, right) if hasattr(each, "rules")]
    if op != "==" or len(matches) != 2:
        return None
    shown = [f"{m.version}: {m.rules.write_position(m.position)}" for m in matches]
    return ["the matches differ", *shown, msgspec.json.encode(left).decode()]
