"""A witness cosigns a log that grows, and no other: C2SP's tlog-witness, answer by answer."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.log.merkle import Frontier, prove_consistency, root
from services.proof.cosignatures import Cosigner
from services.proof.signed_notes import Checkpoint
from services.proof.signing import NoteError, Signer
from services.proof.witness.records import WitnessResponse, WitnessStore
from services.proof.witness.requests import SIZE_MEDIA_TYPE, AddCheckpointRequest, read_request

LOG = Signer(bytes(32), "example.org/emeth")
WITNESS = Cosigner(bytes(range(32)), "example.org/witness")
NOW = 1_800_000_000


class History:
    """A log of 40 events; or another one, which differs from the tenth on."""

    def __init__(self, *, other: bool = False) -> None:
        edge, self._nodes = Frontier(0, lambda level, index: b""), dict[tuple[int, int], bytes]()
        for at in range(40):
            for level, index, found in edge.add(bytes([at, other and at >= 9])):
                self._nodes[level, index] = found

    def _node(self, level: int, index: int) -> bytes:
        return self._nodes[level, index]

    def note(self, size: int) -> str:
        return LOG.note(Checkpoint(LOG.key.name, size, root(self._node, size)).text)

    def asked(self, old: int, new: int) -> bytes:
        proof = prove_consistency(self._node, old, new)
        return AddCheckpointRequest(old, tuple(proof), self.note(new)).text.encode()


TRUE, FALSE = History(), History(other=True)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[WitnessStore]:
    with closing(WitnessStore(tmp_path, WITNESS, [LOG.key], lambda: NOW)) as opened:
        yield opened


def is_cosigned(answer: WitnessResponse, note: str) -> bool:
    found = WITNESS.key.find(note + answer.text) if answer.status == 200 else None
    return found is not None and found == (answer.text, found[1]) and found[1].at == NOW


def test_a_log_that_grows_is_cosigned(records: WitnessStore) -> None:
    old = 0
    for size in (0, 1, 7, 8, 8, 31, 40):
        assert is_cosigned(records.add(TRUE.asked(old, size)), TRUE.note(size)), size
        old = size


def test_a_request_with_an_outdated_size_is_answered_with_the_current_size(
    records: WitnessStore,
) -> None:
    records.add(TRUE.asked(0, 7))
    assert records.add(TRUE.asked(0, 12)) == WitnessResponse(409, "7\n", SIZE_MEDIA_TYPE)
    assert records.add(TRUE.asked(6, 12)) == WitnessResponse(409, "7\n", SIZE_MEDIA_TYPE)
    assert is_cosigned(records.add(TRUE.asked(7, 12)), TRUE.note(12))


def test_two_histories_are_never_cosigned(records: WitnessStore) -> None:
    assert records.add(TRUE.asked(0, 12)).status == 200
    assert records.add(FALSE.asked(12, 20)).status == 422
    assert records.add(FALSE.asked(12, 12)) == WitnessResponse(409, "12\n", SIZE_MEDIA_TYPE)
    assert records.add(FALSE.asked(0, 20)).status == 409
    unproven = AddCheckpointRequest(12, (), TRUE.note(20)).text.encode()
    assert records.add(unproven).status == 422
    assert is_cosigned(records.add(TRUE.asked(12, 20)), TRUE.note(20))


def test_a_smaller_log_is_not_cosigned(records: WitnessStore) -> None:
    records.add(TRUE.asked(0, 12))
    assert records.add(TRUE.asked(0, 7)) == WitnessResponse(409, "12\n", SIZE_MEDIA_TYPE)
    assert records.add(AddCheckpointRequest(12, (), TRUE.note(7)).text.encode()).status == 400


def test_what_was_cosigned_is_known_after_a_restart_and_to_others(tmp_path: Path) -> None:
    with closing(WitnessStore(tmp_path, WITNESS, [LOG.key])) as first:
        assert first.add(TRUE.asked(0, 12)).status == 200
        with closing(WitnessStore(tmp_path, WITNESS, [LOG.key])) as second:
            assert second.add(FALSE.asked(0, 20)) == WitnessResponse(409, "12\n", SIZE_MEDIA_TYPE)
            assert second.add(TRUE.asked(12, 20)).status == 200
        assert first.add(FALSE.asked(12, 30)) == WitnessResponse(409, "20\n", SIZE_MEDIA_TYPE)


def test_only_logs_that_are_known_are_cosigned(records: WitnessStore) -> None:
    stranger = Signer(bytes([7]) * 32, "example.org/other")
    text = Checkpoint("example.org/other", 1, bytes(32)).text
    assert records.add(AddCheckpointRequest(0, (), stranger.note(text)).text.encode()).status == 404
    liar = Signer(bytes([7]) * 32, LOG.key.name)
    text = Checkpoint(LOG.key.name, 1, bytes(32)).text
    assert records.add(AddCheckpointRequest(0, (), liar.note(text)).text.encode()).status == 403
    assert records.add(TRUE.asked(0, 7).replace(b"\n7\n", b"\n8\n")).status == 403


def test_a_checkpoint_with_extension_lines_is_cosigned_with_them(records: WitnessStore) -> None:
    """C2SP's tlog-checkpoint: they are opaque, not empty, and part of what is cosigned."""
    first = Checkpoint(LOG.key.name, 7, root(TRUE._node, 7), ("sequenced by a", "— b"))
    note = LOG.note(first.text)
    answer = records.add(AddCheckpointRequest(0, (), note).text.encode())
    assert is_cosigned(answer, note)
    with pytest.raises(NoteError, match="does not fit"):
        WITNESS.key.find(note.replace("by a", "by b") + answer.text)
    assert is_cosigned(records.add(TRUE.asked(7, 12)), TRUE.note(12))
    assert records.add(FALSE.asked(0, 12)) == WitnessResponse(409, "12\n", SIZE_MEDIA_TYPE)


@pytest.mark.parametrize("lines", ["x\n\n", "\nx\n", "\n"])
def test_an_extension_line_that_is_empty_is_refused(records: WitnessStore, lines: str) -> None:
    note = LOG.note(Checkpoint(LOG.key.name, 7, root(TRUE._node, 7)).text + lines)
    assert records.add(AddCheckpointRequest(0, (), note).text.encode()).status in (400, 403)


@pytest.mark.parametrize("size", ["9" * 5000, "9" * 19, "07", "٣", "+7", "-7", "1e3"])
def test_a_size_that_no_log_has_is_refused(records: WitnessStore, size: str) -> None:
    note = LOG.note(TRUE.note(7).partition("\n\n")[0].replace("\n7\n", f"\n{size}\n") + "\n")
    assert records.add(AddCheckpointRequest(0, (), note).text.encode()).status == 400


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"old 0",
        b"old 00\n\n",
        b"old -1\n\n",
        b"new 0\n\nx\n",
        b"old 0\nnot base64\n\nx\n",
        b"old 0\nAAAA\n\nx\n",
        b"old 99999999999999999999\n\nx\n",
        b"\xff\n\n",
        b"old 1\n" + 64 * (b"A" * 43 + b"=\n") + b"\nx\n",
    ],
)
def test_what_is_no_request_is_refused(records: WitnessStore, raw: bytes) -> None:
    assert records.add(raw).status == 400


def test_a_signed_text_that_is_no_checkpoint_is_refused(records: WitnessStore) -> None:
    note = LOG.note(f"{LOG.key.name}\nhello\n")
    assert records.add(AddCheckpointRequest(0, (), note).text.encode()).status == 400


def test_a_request_has_the_form_of_the_standard() -> None:
    raw = TRUE.asked(7, 12)
    request = read_request(raw)
    assert (request.old, request.text.encode()) == (7, raw)
    assert raw.startswith(b"old 7\n")
    with pytest.raises(NoteError):
        read_request(raw.replace(b"old 7", b"old 7 "))


def test_what_a_witness_keeps_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "witness"
    before = os.umask(0o022)
    try:
        with closing(WitnessStore(folder, WITNESS, [LOG.key])):
            assert not [p for p in (folder, *folder.rglob("*")) if p.stat().st_mode & 0o077]
    finally:
        os.umask(before)
