"""Receipts: each signed by itself, or many by one signature.

Whoever asks for it shares a signature with all others whose actions were written in the same
commit: it is over the root of a tree of their receipts, and each comes with the path to that root.
`docs/proofs.md` has an example of both forms.
"""

import asyncio
from typing import Final, NoReturn

from msgspec import Struct

from domain.log.merkle import audit_paths, root_from_inclusion_proof
from services.proof.signed_notes import Receipt, hashes_of, read_receipt
from services.proof.signing import NoteError, Signer, VerifierKey, decode, encode, format_note

GROUP_HEADER: Final = "emeth receipts"
"""The first line of what is signed for many. No other note begins so."""


class ReceiptGroup(Struct, frozen=True):
    """Where a receipt is among those that were signed together."""

    size: int
    index: int
    path: tuple[bytes, ...]

    def text(self, receipt: str) -> str:
        """What was signed, if this receipt was among them. NoteError if the path leads nowhere."""
        root = root_from_inclusion_proof(
            receipt.encode(), self.index, self.size, hashes_of(self.path)
        )
        if root is None:
            _fail("the path of the receipt does not fit its place in the group")
        return group_text(self.size, root)


def group_text(size: int, root: bytes) -> str:
    """What is signed for so many receipts."""
    return f"{GROUP_HEADER}\n{size}\n{root.hex()}\n"


class ReceiptSignature(Struct, frozen=True):
    """A signature for a receipt, which may be one for several."""

    signature: str
    group: ReceiptGroup | None = None

    def check(self, receipt: Receipt, key: VerifierKey) -> None:
        """NoteError if this key has not signed the receipt so."""
        key.check(self.group.text(receipt.text) if self.group else receipt.text, self.signature)

    def as_text(self, receipt: Receipt, name: str) -> str:
        """The receipt to be kept, in the form that `open_receipt` reads; `name` is the key's."""
        if self.group is None:
            return format_note(receipt.text, name, self.signature)
        path = "".join(f"{encode(step)}\n" for step in self.group.path)
        note = format_note(self.group.text(receipt.text), name, self.signature)
        return f"{receipt.text}index {self.group.index}\n{path}\n{note}"


def open_receipt(text: str, key: VerifierKey) -> Receipt:
    """The receipt in a text, of either form. NoteError if it is none, or not signed by this key."""
    head, _, note = text.partition("\n\n")
    if not note.startswith(f"{GROUP_HEADER}\n"):
        return read_receipt(key.open(text))
    lines, signed = head.split("\n"), key.open(note)
    word, _, index = "".join(lines[4:5]).partition(" ")
    size = signed.split("\n")[1]
    if word != "index" or not _is_number(index) or not _is_number(size):
        _fail("the receipt does not say its place in the group")
    text = "".join(f"{line}\n" for line in lines[:4])
    group = ReceiptGroup(int(size), int(index), tuple(map(decode, lines[5:])))
    if group.text(text) != signed:
        _fail("the receipt is not among those that were signed together")
    return read_receipt(text)


class ReceiptSigner:
    """Signs receipts of what is on disk. It lives on one event loop."""

    def __init__(self, signer: Signer) -> None:
        self.name = signer.key.name
        self._signer = signer
        self._waiting: list[tuple[str, asyncio.Future[ReceiptSignature]]] = []

    async def sign(self, receipt: str, *, grouped: bool) -> ReceiptSignature:
        """The signature for the text of a receipt, `grouped` with what is signed at this moment.

        One that is alone is signed by itself all the same: that is shorter. What signing raises is
        raised to each of those who share it.
        """
        if not grouped:
            return ReceiptSignature(self._signer.sign(receipt))
        loop = asyncio.get_running_loop()
        if not self._waiting:
            # The writer wakes all of a commit in one turn of the loop, so each of them is here
            # before its next turn.
            loop.call_soon(self._sign_waiting)
        signed: asyncio.Future[ReceiptSignature] = loop.create_future()
        self._waiting.append((receipt, signed))
        return await signed

    def _sign_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        try:
            words = self._words([text for text, _ in waiting])
        except Exception as error:  # nobody else would hear of it, and all of these would wait on
            for _, signed in waiting:
                if not signed.done():
                    signed.set_exception(error)
            return
        for (_, signed), word in zip(waiting, words, strict=True):
            if not signed.done():  # whoever asked went away
                signed.set_result(word)

    def _words(self, texts: list[str]) -> list[ReceiptSignature]:
        if len(texts) == 1:
            return [ReceiptSignature(self._signer.sign(texts[0]))]
        root, found = audit_paths([text.encode() for text in texts])
        signature = self._signer.sign(group_text(len(texts), root))
        return [
            ReceiptSignature(signature, ReceiptGroup(len(texts), index, path))
            for index, path in enumerate(found)
        ]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10 and str(int(text)) == text


def _fail(why: str) -> NoReturn:
    raise NoteError(why)
