"""docs/proofs.md and docs/export.md: their examples are so, and their Python checks our files."""

import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature

from domain.log.merkle import verify_inclusion
from services.proof.match_file import attest, file_chunks
from services.proof.receipts import open_receipt
from services.proof.signed_notes import read_checkpoint, read_inclusion, read_receipt
from services.proof.signing import Signer, read_key
from tests.domain.conftest import MatchBuilder

DOCS = Path(__file__).parents[3] / "docs"
BLOCKS = re.findall(r"```\n(.*?)```", (DOCS / "proofs.md").read_text(), re.DOTALL)
SIGNER = Signer(bytes(range(32)), "example.org/emeth")


def test_the_notes_on_the_page_open_with_the_key_on_the_page() -> None:
    key, receipt, shared, checkpoint, proof = BLOCKS
    opener = read_key(key.strip())
    word = read_receipt(opener.open(receipt))
    assert open_receipt(receipt, opener) == open_receipt(shared, opener) == word
    head = read_checkpoint(opener.open(checkpoint))
    shown = read_inclusion(proof)
    assert shown.checkpoint == checkpoint
    leaf = bytes.fromhex(word.digest)
    assert verify_inclusion(leaf, shown.index, head.size, shown.path, head.root)


def test_the_python_of_the_page_checks_a_file() -> None:
    page: dict[str, Any] = {}
    code = re.search(r"```python\n(.*?)```", (DOCS / "export.md").read_text(), re.DOTALL)
    assert code is not None
    exec(code[1], page)  # noqa: S102  # it is ours
    for game in ("agog", "earthen-war"):
        story = MatchBuilder(game, 4).seat_players().wander(6)
        raw = b"".join(file_chunks(story.match, story.events, attest(story.match, SIGNER)))
        page["check"](raw)
        with pytest.raises(AssertionError):
            page["check"](raw.replace(b"Player", b"Prayer", 1))
        forged = attest(story.match, Signer(bytes(32))).line
        with pytest.raises((AssertionError, InvalidSignature)):
            page["check"](raw.replace(raw.splitlines()[-1][-60:], forged[-61:-1]))
