"""Checking, proving and moving matches from the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import Result

from domain.log.merkle import audit_paths
from services.proof.match_file import attest, file_chunks
from services.proof.receipts import ReceiptGroup, ReceiptSignature, group_text
from services.proof.signed_notes import Receipt
from services.proof.signing import Signer
from tests.domain.conftest import MatchBuilder
from tests.services.cli.conftest import RunningService

Emeth = Callable[..., Result]
SIGNER = Signer(bytes(range(32)), "example.org/emeth")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match of another service."""
    story = MatchBuilder("agog", 9).seat_players().play(6)
    path = tmp_path / "match.emeth"
    path.write_bytes(b"".join(file_chunks(story.match, story.events, attest(story.match, SIGNER))))
    return path


@pytest.fixture
def match(emeth_online: Emeth) -> str:
    """A new match in which something was played."""
    made = json.loads(emeth_online("new", "agog", "--json").output)
    emeth_online("play", "a6-b6")
    emeth_online("play", "h3-g3")
    return str(made["match"]["match_id"])


def test_a_file_is_checked_without_a_service(emeth: Emeth, file: Path) -> None:
    result = emeth("verify", file)
    assert result.exit_code == 0
    assert result.output.startswith("sound: 9 events of match ")
    assert f"signed with {SIGNER.key}" in result.output


def test_the_difference_of_a_changed_file_is_reported(emeth: Emeth, file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"Player white", b"Player Black"))
    result = emeth("verify", file)
    assert result.exit_code == 1
    assert result.output.startswith("event 2, chain: its bytes")
    assert "the event was changed" in result.output
    assert result.output.endswith("not sound, 1 finding\n")
    report = json.loads(emeth("verify", file, "--json").output)
    assert (report["sound"], report["findings"][0]["version"]) == (False, 2)


def test_a_file_may_be_asked_for_its_signer(emeth: Emeth, file: Path) -> None:
    assert emeth("verify", file, "--key", SIGNER.key).exit_code == 0
    other = emeth("verify", file, "--key", Signer(bytes(32)).key)
    assert other.exit_code == 1
    assert "vouches for it" in other.output
    assert emeth("verify", file, "--key", "nonsense").exit_code == 2
    assert emeth("verify", file.parent / "none").exit_code == 2


def test_a_receipt_that_was_kept_is_checked(emeth: Emeth, tmp_path: Path) -> None:
    word = Receipt(UUID(int=1), 3, "ab" * 32)
    _, (path, _) = found = audit_paths([word.text.encode(), b"another"])
    shared = ReceiptSignature(SIGNER.sign(group_text(2, found[0])), ReceiptGroup(2, 0, path))
    file = tmp_path / "receipt.txt"
    for signed in (ReceiptSignature(SIGNER.sign(word.text)), shared):
        text = signed.as_text(word, SIGNER.key.name)
        file.write_text(text)
        result = emeth("verify", file, "--key", SIGNER.key)
        assert result.output.startswith(f"sound: event 3 of match {word.match} has the digest abab")
        report = json.loads(emeth("verify", file, "--key", SIGNER.key, "--json").output)
        assert (report["version"], report["digest"]) == (3, word.digest)
        assert emeth("verify", file, "--key", Signer(bytes(32)).key).exit_code == 1
        assert "give it with --key" in emeth("verify", file).output
        file.write_text(text.replace("\n3\n", "\n4\n"))
        wrong = emeth("verify", file, "--key", SIGNER.key)
        assert (wrong.exit_code, "the receipt does not verify" in wrong.output) == (1, True)


def test_a_match_of_the_log_is_checked_by_the_service(emeth_online: Emeth, match: str) -> None:
    result = emeth_online("verify")
    assert result.output == f"sound: 3 events of match {match}\n"
    assert emeth_online("verify", "--key", "k").exit_code == 2


def test_a_match_is_exported_and_taken_in_again(
    emeth_online: Emeth, match: str, shared_service: RunningService, tmp_path: Path
) -> None:
    path = tmp_path / "out.emeth"
    assert emeth_online("export", path).output.startswith(f"{path}: ")
    assert emeth_online("export").stdout_bytes == path.read_bytes()
    assert emeth_online("verify", path).exit_code == 0
    taken = emeth_online("restore", path, "--data", shared_service.data)
    assert taken.output == f"Match {match} is in the log, with 3 events.\n"


def test_a_match_from_elsewhere_is_taken_in_if_it_is_whole(
    emeth_online: Emeth, shared_service: RunningService, file: Path
) -> None:
    restored = emeth_online("restore", file, "--data", shared_service.data, "--json")
    assert json.loads(restored.output)["version"] == 9
    file.write_bytes(file.read_bytes()[:-10])
    wrong = emeth_online("restore", file, "--data", shared_service.data)
    assert wrong.exit_code == 3
    assert "MATCH_FILE_INVALID" in wrong.output


def test_matches_are_judged_again(
    emeth_online: Emeth, match: str, shared_service: RunningService
) -> None:
    assert emeth_online("readjudicate").output == "1 match judged again, 0 findings\n"
    every = emeth_online("readjudicate", "--all", "--data", shared_service.data, "--json")
    assert json.loads(every.output)["matches"] >= 1


def test_a_checkpoint_is_kept_and_extended(emeth_online: Emeth, match: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text(emeth_online("checkpoint").stdout)
    emeth_online("play", "f1-g1")
    emeth_online("history")  # which waits until the read models have it
    result = emeth_online("checkpoint", "--extends", kept)
    assert "begins with the" in result.output
    key = emeth_online("checkpoint", "--key").stdout.strip()
    assert key.startswith("emeth/")
    kept.write_text(kept.read_text().replace("\n\n", "x\n\n"))
    assert emeth_online("checkpoint", "--extends", kept).exit_code == 1


def test_an_event_is_proven(emeth_online: Emeth, match: str) -> None:
    result = emeth_online("proof", "3")
    assert result.output.startswith("c2sp.org/tlog-proof@v1\nindex ")
    wrong = emeth_online("proof", "3", "--digest", "00" * 32)
    assert wrong.exit_code == 1
    assert emeth_online("proof", "9").exit_code == 3


def test_a_witness_watches(emeth_online: Emeth, match: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    emeth_online("resign")
    result = emeth_online("watch", "--after", "0", "--witness", kept)
    assert result.exit_code == 0, result.output
    held = json.loads(kept.read_text())
    assert held["matches"][match]["version"] == 4
    held["matches"][match]["digest"] = "00" * 32
    kept.write_text(json.dumps(held))
    assert emeth_online("proof", "4").exit_code == 0  # which waits until it is published
    refused = emeth_online("watch", "--after", "0", "--witness", kept)
    assert refused.exit_code == 1
    assert "no longer event 4" in refused.output
