"""Keys are remembered by their services, as ssh remembers hosts: told when new, warned of when
they change."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from services.proof.match_file import attest, file_chunks
from services.proof.signing import Signer
from tests.domain.conftest import MatchBuilder
from tests.services.cli.conftest import RunningService

Emeth = Callable[..., Result]
OURS = Signer(bytes(range(32)), "example.org/emeth")
MALLORYS = Signer(bytes(32), "example.org/emeth")


def written(path: Path, signer: Signer) -> Path:
    story = MatchBuilder("agog", 9).seat_players().play(2)
    path.write_bytes(b"".join(file_chunks(story.match, story.events, attest(story.match, signer))))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "match.emeth", OURS)


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    """A match that somebody else signed in the service's name."""
    return written(tmp_path / "forged.emeth", MALLORYS)


@pytest.fixture
def known(tmp_path: Path) -> Path:
    return tmp_path / "config" / "known_keys"


def test_a_new_key_is_reported_and_remembered(emeth: Emeth, file: Path, known: Path) -> None:
    result = emeth("verify", file)
    assert result.exit_code == 0
    assert "the key is new here: it is remembered as that of example.org/emeth" in result.output
    assert known.read_text() == f"example.org/emeth {OURS.key}\n"
    again = emeth("verify", file)
    assert "\nthe key is known\n" in again.output
    assert known.read_text() == f"example.org/emeth {OURS.key}\n"


def test_a_key_that_changed_is_warned_of_and_not_remembered(
    emeth: Emeth, file: Path, forged: Path, known: Path
) -> None:
    emeth("verify", file)
    for _ in range(2):
        result = emeth("verify", forged)
        assert result.exit_code == 1
        assert result.stdout.startswith("sound: ")
        assert result.stderr.startswith("WARNING: THE KEY OF example.org/emeth HAS CHANGED\n")
        assert f"known:  {OURS.key}" in result.stderr
        assert f"signed: {MALLORYS.key}" in result.stderr
        assert str(known) in result.stderr
    report = json.loads(emeth("verify", forged, "--json").stdout)
    assert report["keys"] == {str(MALLORYS.key): "changed"}
    assert known.read_text() == f"example.org/emeth {OURS.key}\n"


def test_a_key_that_was_requested_takes_the_place_of_the_old_one(
    emeth: Emeth, file: Path, forged: Path, known: Path
) -> None:
    emeth("verify", file)
    assert emeth("verify", forged, "--key", MALLORYS.key).exit_code == 0
    assert known.read_text() == f"example.org/emeth {MALLORYS.key}\n"
    assert emeth("verify", file).exit_code == 1


def test_a_service_may_have_several_keys_if_somebody_writes_them_down(
    emeth: Emeth, file: Path, forged: Path, known: Path
) -> None:
    emeth("verify", file)
    known.write_text(known.read_text() + f"# the new one\nexample.org/emeth {MALLORYS.key}\n")
    assert emeth("verify", file).exit_code == emeth("verify", forged).exit_code == 0


def test_the_key_of_a_file_that_is_not_sound_is_not_remembered(
    emeth: Emeth, file: Path, known: Path
) -> None:
    file.write_bytes(file.read_bytes().replace(b"Player white", b"Player Black"))
    assert emeth("verify", file).exit_code == 1
    assert not known.exists()


def test_a_file_is_checked_though_no_key_can_be_remembered(
    emeth: Emeth, file: Path, known: Path
) -> None:
    known.parent.write_text("no folder")
    result = emeth("verify", file)
    assert result.exit_code == 0
    assert "the key is new here, and is not remembered: cannot write to" in result.output


def test_a_file_of_known_keys_that_cannot_be_read_is_left_alone(
    emeth: Emeth, file: Path, known: Path
) -> None:
    known.parent.mkdir()
    known.write_bytes(b"\xff\xfe example.org/emeth\n")
    result = emeth("verify", file)
    assert result.exit_code == 0
    assert "is not remembered: cannot read" in result.output
    assert known.read_bytes() == b"\xff\xfe example.org/emeth\n"


def test_only_the_owner_may_read_or_change_what_is_known(
    emeth: Emeth, file: Path, known: Path
) -> None:
    emeth("verify", file)
    assert os.stat(known).st_mode & 0o777 == 0o600


def test_a_service_that_was_asked_for_its_key_is_known_by_its_address(
    emeth_online: Emeth, shared_service: RunningService, tmp_path: Path, known: Path
) -> None:
    first = emeth_online("checkpoint", "--key")
    assert "the key is new here: it is remembered as that of 127.0.0.1:" in first.stderr
    assert emeth_online("checkpoint").stderr == ""
    emeth_online("new", "agog")
    path = tmp_path / "match.emeth"
    emeth_online("export", path)
    assert (
        f"the key is of {shared_service.address}, new here" in emeth_online("verify", path).output
    )
    assert f"the key is of {shared_service.address}, known" in emeth_online("verify", path).output
    known.write_text(f"{shared_service.address} {OURS.key}\n")
    refused = emeth_online("checkpoint", "--key")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert f"THE KEY OF {shared_service.address} HAS CHANGED" in refused.stderr
