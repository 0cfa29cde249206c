"""Runs a shadow beside the service: what is recorded is judged once more, and play never waits.

The event loop only puts what was decided into a bounded queue. A thread takes it from there, writes
it out as text and hands it to a process of its own, one step at a time. A shadow that is slow costs
steps, which are counted as dropped; one that crashes or hangs is started again.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread, Timer
from typing import IO, Any, Final

import msgspec
import structlog
from msgspec import Struct

from domain.log.digests import as_digest
from domain.log.ledger import Decided
from domain.match import ActionTaken, AnyMatch, MatchCreated
from services.shadow.comparing import Step
from services.shadow.report import ShadowReport
from services.shadow.worker import Answer, Hello
from services.store.cipher_keys import NO_KEYS, CipherKeys

log = structlog.get_logger(__name__)

MOST_WAITING: Final = 1_000
"""Decisions that wait to be judged; more are dropped."""
LONGEST_SECONDS: Final = 20.0
"""For one step; then the shadow is taken to hang."""
PATIENCE_SECONDS: Final = 0.2
"""Between two looks whether to stop, while there is nothing to judge."""
PAUSES: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Before it is started again, by how often it failed in a row."""


class ShadowLostError(Exception):
    """The process has ended, or was ended since it hung."""


class _Recorded(Struct, frozen=True):
    """What was decided for a match that stood like this."""

    before: AnyMatch | None
    decided: Decided[AnyMatch]


class ShadowTallies(Struct):
    """What came of it since the service began."""

    judged: int = 0
    dropped: int = 0
    differences: int = 0
    failures: int = 0
    """Steps for which the shadow gave no answer, and starts that failed."""


class ShadowProcess:
    """The process in which the shadow runs."""

    def __init__(self, module: str) -> None:
        """Start it; `greet` waits until it is there."""
        # Settings may be secrets, and another's code has no need of them.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("EMETH_")}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(  # noqa: S603  the operator's own module, by its name
            [sys.executable, "-m", "services.shadow.worker", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        self.game = ""
        """The game that it judges; empty until it has greeted."""

    def greet(self) -> None:
        """Learn which game it judges. ShadowLostError if there is no such shadow."""
        hello = msgspec.json.decode(self._answered(), type=Hello)
        if hello.problem:
            raise ShadowLostError(hello.problem)
        self.game = hello.game

    def ask(self, step: Step) -> Answer:
        """What the shadow says of a step. ShadowLostError."""
        try:
            self._in.write(msgspec.json.encode(step) + b"\n")
            self._in.flush()
        except OSError as error:
            raise ShadowLostError(str(error)) from None
        return msgspec.json.decode(self._answered(), type=Answer)

    def _answered(self) -> bytes:
        hangs = Timer(LONGEST_SECONDS, self.kill)
        hangs.daemon = True
        hangs.start()
        try:
            line = self._out.readline()
        finally:
            hangs.cancel()
        if not line.endswith(b"\n"):
            raise ShadowLostError(f"its process ended with code {self._process.wait()}")
        return line

    def kill(self) -> None:
        """End it at once, from any thread: it holds nothing that would be lost."""
        self._process.kill()

    def close(self) -> None:
        """End it, and leave nothing of it behind."""
        self.kill()
        self._process.wait()
        for pipe in (self._in, self._out):
            try:
                pipe.close()
            except OSError:  # what was not written any more
                continue


class Shadowing:
    """A shadow beside a service, from its start to `close`."""

    def __init__(self, module: str, folder: Path, cipher: CipherKeys = NO_KEYS) -> None:
        """What it finds is kept in the folder, encrypted if the log is."""
        self.tallies = ShadowTallies()
        self._module = module
        self._report = ShadowReport(folder, module, cipher)
        self._waiting: Queue[_Recorded] = Queue(MOST_WAITING)
        self._game: str | None = None
        self._closing = Event()
        self._failed = 0
        """How often in a row it was lost."""
        self._process: ShadowProcess | None = None
        self._thread = Thread(target=self._run, name="shadow", daemon=True)
        self._thread.start()

    def note(self, before: AnyMatch | None, decided: Decided[AnyMatch]) -> None:
        """This is on disk now. Never blocks, never raises."""
        if self._game not in (None, decided.state.game):
            return
        try:
            self._waiting.put_nowait(_Recorded(before, decided))
        except Full:
            self.tallies.dropped += len(decided.events)

    def figures(self) -> dict[str, int]:
        """What `GetStats` tells of it."""
        told = {f"shadow.{name}": n for name, n in msgspec.structs.asdict(self.tallies).items()}
        return {**told, "shadow.waiting": self._waiting.qsize()}

    def close(self) -> None:
        """End the thread and the process. What waits is not judged any more."""
        self._closing.set()
        if (process := self._process) is not None:
            process.kill()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            process = self._process = ShadowProcess(self._module)
            try:
                if not self._closing.is_set():
                    process.greet()
                    self._game = process.game
                    log.info("shadow started", module=self._module, game=self._game)
                    self._judge(process)
            except Exception as error:  # the outermost layer of a thread that must go on
                if not self._closing.is_set():
                    self.tallies.failures += 1
                    log.warning(
                        "shadow lost", module=self._module, why=f"{type(error).__name__}: {error}"
                    )
            finally:
                process.close()
            self._closing.wait(PAUSES[min(self._failed, len(PAUSES) - 1)])
            self._failed += 1

    def _judge(self, process: ShadowProcess) -> None:
        """Judge what comes, until told to stop. ShadowLostError."""
        while not self._closing.is_set():
            try:
                recorded = self._waiting.get(timeout=PATIENCE_SECONDS)
            except Empty:
                continue
            if recorded.decided.state.game == process.game:
                for step in steps(recorded.before, recorded.decided):
                    self._take(step, process.ask(step))

    def _take(self, step: Step, answer: Answer) -> None:
        self._failed = 0
        told = {"match": step.match, "version": step.version}
        if answer.problem:
            self.tallies.failures += 1
            log.warning("shadow failed", why=answer.problem, **told)
            return
        if answer.differences:
            self._tell(step, answer, told)
        self.tallies.judged += 1  # only now: who sees it finds all that it told in the report

    def _tell(self, step: Step, answer: Answer, told: dict[str, Any]) -> None:
        self.tallies.differences += len(answer.differences)
        for each in answer.differences:  # never positions: they may show what is hidden
            log.warning("shadow differs", about=each.about, **told)
        try:
            self._report.note(step, answer.differences)
        except OSError as error:
            log.warning("shadow report not written", why=error.strerror)


def steps(before: AnyMatch | None, decided: Decided[AnyMatch]) -> Iterator[Step]:
    """What of these events the rules decided, as text."""
    for sealed, after in zip(decided.events, decided.states, strict=True):
        event: Any = sealed.event
        common: dict[str, Any] = {"game": after.game, "match": str(after.id)}
        common["version"] = after.version
        write = after.rules.write_position
        if isinstance(event, MatchCreated) and event.origin is None:
            yield Step(options=event.options, after=event.start, **common)
        elif isinstance(event, ActionTaken) and before is not None:
            yield Step(
                options=msgspec.to_builtins(after.options, enc_hook=as_digest),
                before=write(before.position),
                seat=event.seat,
                action=after.rules.write_action(event.action),
                facts=tuple(msgspec.to_builtins(event.facts, enc_hook=as_digest)),
                after=write(after.position),
                **common,
            )
        before = after
