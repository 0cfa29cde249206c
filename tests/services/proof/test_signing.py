"""Notes are those of C2SP's signed-note: other tools open ours, and we open theirs."""

from uuid import UUID

import pytest

from services.proof.signed_notes import (
    Checkpoint,
    Inclusion,
    Receipt,
    read_checkpoint,
    read_inclusion,
    read_receipt,
)
from services.proof.signing import (
    WEAK_POINTS,
    NoteError,
    Signer,
    VerifierKey,
    encode,
    format_note,
    read_key,
)

# The example of golang.org/x/mod/sumdb/note, whose form signed-note is.
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"  # noqa: E501  # a note has no line breaks of ours
)
SIGNER = Signer(bytes(range(32)), "example.org/emeth")
MATCH = UUID("4c1e0000-0000-4000-8000-000000000001")


def test_a_note_that_another_tool_signed_opens() -> None:
    text = read_key(GO_KEY).open(GO_NOTE)
    assert text.startswith("If you think cryptography")
    assert str(read_key(GO_KEY)) == GO_KEY


def test_a_note_opens_with_its_key_alone() -> None:
    note = SIGNER.note("a text\n")
    assert SIGNER.key.open(note) == "a text\n"
    assert read_key(str(SIGNER.key)).open(note) == "a text\n"
    other = Signer(bytes(32), "example.org/emeth")
    with pytest.raises(NoteError, match="has not signed it"):
        other.key.open(note)


def test_signatures_by_other_keys_are_ignored() -> None:
    witness = Signer(bytes(32), "witness.example")
    cosigned = witness.sign("a text\n")
    note = SIGNER.note("a text\n") + f"— {witness.key.name} {cosigned}\n"
    assert SIGNER.key.open(note) == witness.key.open(note) == "a text\n"


def test_no_byte_of_a_note_can_be_changed() -> None:
    raw = SIGNER.note("a text\n").encode()
    for place in range(len(raw)):
        for change in (1, 2, 4, 32, 128):
            changed = bytearray(raw)
            changed[place] ^= change
            with pytest.raises(NoteError):
                SIGNER.key.open(changed.decode(errors="replace"))


def test_no_sign_of_a_key_can_be_changed() -> None:
    text = str(SIGNER.key)
    for place in range(len(text)):
        with pytest.raises(NoteError):
            read_key(text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :])


def test_a_key_without_a_name_is_named_after_itself() -> None:
    assert Signer(bytes(32)).key.name.startswith("emeth/")
    assert Signer(bytes(32)).key.name != Signer(bytes(range(32))).key.name


def test_a_receipt_is_a_note_of_four_lines() -> None:
    receipt = Receipt(MATCH, 12, "ab" * 32)
    assert receipt.text == f"emeth receipt\n{MATCH}\n12\n{'ab' * 32}\n"
    note = format_note(receipt.text, SIGNER.key.name, SIGNER.sign(receipt.text))
    assert note == SIGNER.note(receipt.text)
    assert read_receipt(SIGNER.key.open(note)) == receipt
    with pytest.raises(NoteError):
        read_checkpoint(receipt.text)


def test_a_checkpoint_has_origin_size_and_root() -> None:
    checkpoint = Checkpoint("example.org/emeth", 7, bytes(32))
    assert checkpoint.text == "example.org/emeth\n7\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
    assert read_checkpoint(checkpoint.text) == checkpoint
    for wrong in (checkpoint.text.replace("7", "07"), checkpoint.text + "\n", "a\nb\nc\n"):
        with pytest.raises(NoteError):
            read_checkpoint(wrong)
    with pytest.raises(NoteError):
        read_receipt(checkpoint.text)


def test_a_proof_is_written_as_tlog_proof() -> None:
    proof = Inclusion(3, (bytes(32), b"\1" * 32), SIGNER.note("example.org/emeth\n7\nAAAA\n"))
    lines = proof.text.split("\n")
    assert lines[:2] == ["c2sp.org/tlog-proof@v1", "index 3"]
    assert lines[4] == ""
    assert lines[5] == "example.org/emeth"
    assert read_inclusion(proof.text) == proof
    extra = proof.text.replace("index 3", "extra QUJD\nindex 3")
    assert read_inclusion(extra) == proof
    with pytest.raises(NoteError):
        read_inclusion(proof.text.replace("index", "place"))


@pytest.mark.parametrize("sign", [0, 0x80])
@pytest.mark.parametrize("point", sorted(WEAK_POINTS))
def test_a_key_with_which_anybody_can_sign_is_none(point: bytes, sign: int) -> None:
    raw = point[:-1] + bytes([point[-1] | sign])
    key = VerifierKey("example.org/emeth", raw)
    with pytest.raises(NoteError, match="anybody can sign"):
        read_key(str(key))


@pytest.mark.parametrize("point", sorted(WEAK_POINTS))
def test_a_signature_with_a_point_that_each_library_takes_otherwise_does_not_hold(
    point: bytes,
) -> None:
    signer = Signer(bytes(32), "example.org/emeth")
    with pytest.raises(NoteError, match="does not fit"):
        signer.key.check("text\n", encode(signer.key.id + point + bytes(32)))
