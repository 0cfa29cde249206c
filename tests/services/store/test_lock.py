"""A log has one writer process; the lock ends with the process that holds it."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from services.store.errors import LogLocked, LogUnavailable
from services.store.log import Log
from services.store.sqlite import integrity
from services.store.sqlite.lock import LogLock

ROOT = Path(__file__).parents[3]
HOLD = """
import sys
from pathlib import Path
from services.store.sqlite.lock import LogLock

with LogLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(log_file: Path) -> Iterator["subprocess.Popen[str]"]:
    """Holds the lock of this log until the end, or until it is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(log_file)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process


def test_a_second_process_is_refused_with_the_id_of_the_writer(log_file: Path) -> None:
    with another_process(log_file) as holder:
        with pytest.raises(LogLocked, match=f"process {holder.pid} holds") as caught:
            LogLock(log_file)
        assert caught.value.pid == holder.pid
    LogLock(log_file).release()


def test_a_killed_process_holds_nothing(log_file: Path) -> None:
    with another_process(log_file) as holder:
        holder.kill()
        holder.wait()
        with LogLock(log_file), pytest.raises(LogLocked) as caught:
            LogLock(log_file)
        assert caught.value.pid != holder.pid  # what the killed one left there means nothing


def test_a_second_log_object_of_one_process_is_refused_too(log_file: Path) -> None:
    with LogLock(log_file):
        with pytest.raises(LogLocked):
            LogLock(log_file)
        with pytest.raises(LogLocked):  # the refusal did not take anything from the holder
            LogLock(log_file)


def test_a_released_lock_is_free(log_file: Path) -> None:
    lock = LogLock(log_file)
    lock.release()
    lock.release()
    with LogLock(log_file):
        lock.release()  # it is no longer the first one's to release
        with pytest.raises(LogLocked):
            LogLock(log_file)


def test_a_log_reached_through_a_link_has_the_same_lock(log_file: Path) -> None:
    log_file.touch()
    link = log_file.with_name("link.sqlite")
    link.symlink_to(log_file)
    with LogLock(log_file), pytest.raises(LogLocked):
        LogLock(link)


def test_a_child_process_does_not_keep_the_lock(log_file: Path) -> None:
    lock = LogLock(log_file)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        lock.release()
        LogLock(log_file).release()
        child.kill()


def no_folder(tmp_path: Path) -> Path:
    return tmp_path / "missing" / "log.sqlite"


def a_file_for_a_folder(tmp_path: Path) -> Path:
    (tmp_path / "file").touch()
    return tmp_path / "file" / "log.sqlite"


def a_folder_for_a_lock(tmp_path: Path) -> Path:
    (tmp_path / "log.sqlite.lock").mkdir()
    return tmp_path / "log.sqlite"


@pytest.mark.parametrize(
    ("place", "code"),
    [(no_folder, "ENOENT"), (a_file_for_a_folder, "ENOTDIR"), (a_folder_for_a_lock, "EISDIR")],
)
def test_where_no_lock_can_be_made_there_is_no_log(
    tmp_path: Path, place: Callable[[Path], Path], code: str
) -> None:
    with pytest.raises(
        LogUnavailable, match=r"no lock can be made of .*log\.sqlite\.lock"
    ) as caught:
        LogLock(place(tmp_path))
    assert caught.value.code == code


def test_what_needs_nothing_of_the_log_is_done_while_it_is_gone_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that starts looks at its log and at its read models side by side; nobody else has
    the folder then."""
    done = Event()

    def look_long(connection: sqlite3.Connection) -> integrity.IntegrityReport:
        assert done.wait(10), "nothing else is done meanwhile"
        return integrity.check_file(connection)

    def meanwhile() -> None:
        with pytest.raises(LogLocked):
            Log(tmp_path, print)
        done.set()

    monkeypatch.setattr("services.store.sqlite.open.check_file", look_long)
    with closing(Log(tmp_path, print, meanwhile=meanwhile)) as log:
        assert log.newest() == 0


def test_services_with_logs_of_their_own_cannot_share_a_folder(tmp_path: Path) -> None:
    """What else lies there, as the read models, would be of both."""
    one, other = (f"sqlite:{tmp_path / name}.sqlite" for name in ("one", "other"))
    with closing(Log(tmp_path, print, one)), pytest.raises(LogLocked):
        Log(tmp_path, print, other)
    Log(tmp_path, print, other).close()
