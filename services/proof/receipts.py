"""Receipts: signed one by one, or in a group under one signature.

Receipts of actions in one commit can share a signature. It covers the root of a Merkle tree of the
receipts, and each receipt has the path to that root. `docs/proofs.md` shows both forms.
"""

import asyncio
from typing import Final, NoReturn

from msgspec import Struct

from domain.log.merkle import audit_paths, root_from_inclusion_proof
from services.proof.signed_notes import Receipt, hashes_of, read_receipt
from services.proof.signing import NoteError, Signer, VerifierKey, decode, encode, format_note

GROUP_HEADER: Final = "emeth receipts"
"""The first line of the text that is signed for a group. No other note begins with it."""


class ReceiptGroup(Struct, frozen=True):
    """The position of a receipt among those that were signed together."""

    size: int
    index: int
    path: tuple[bytes, ...]

    def text(self, receipt: str) -> str:
        """Return the text that was signed for the group of a receipt.

        Raises:
            NoteError: The path does not fit the index and the size.
        """
        root = root_from_inclusion_proof(
            receipt.encode(), self.index, self.size, hashes_of(self.path)
        )
        if root is None:
            _fail("the path of the receipt does not fit its place in the group")
        return group_text(self.size, root)


def group_text(size: int, root: bytes) -> str:
    """Return the text that is signed for a group of receipts."""
    return f"{GROUP_HEADER}\n{size}\n{root.hex()}\n"


class ReceiptSignature(Struct, frozen=True):
    """A signature for one receipt or a group of receipts."""

    signature: str
    group: ReceiptGroup | None = None

    def check(self, receipt: Receipt, key: VerifierKey) -> None:
        """Raise NoteError unless this is the key's signature of the receipt."""
        key.check(self.group.text(receipt.text) if self.group else receipt.text, self.signature)

    def as_text(self, receipt: Receipt, name: str) -> str:
        """Return the receipt as text that `open_receipt` reads; `name` is the key's name."""
        if self.group is None:
            return format_note(receipt.text, name, self.signature)
        path = "".join(f"{encode(step)}\n" for step in self.group.path)
        note = format_note(self.group.text(receipt.text), name, self.signature)
        return f"{receipt.text}index {self.group.index}\n{path}\n{note}"


def open_receipt(text: str, key: VerifierKey) -> Receipt:
    """Return the receipt in a text of either form.

    Raises:
        NoteError: The text is not a receipt, or this key has not signed it.
    """
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
    """A signer for receipts of durable events. Bound to one event loop."""

    def __init__(self, signer: Signer) -> None:
        self.name = signer.key.name
        self._signer = signer
        self._pending: list[tuple[str, asyncio.Future[ReceiptSignature]]] = []

    async def sign(self, receipt: str, *, grouped: bool) -> ReceiptSignature:
        """Return the signature for the text of a receipt.

        A single receipt is not grouped, since that form is shorter. An error while signing is
        raised to all callers that share the signature.

        Args:
            receipt: The text of the receipt.
            grouped: Whether to share the signature with receipts that are signed at this moment.
        """
        if not grouped:
            return ReceiptSignature(self._signer.sign(receipt))
        loop = asyncio.get_running_loop()
        if not self._pending:
            # The writer wakes all callers of a commit in one iteration of the event loop, so all
            # of them are waiting before the next iteration.
            loop.call_soon(self._sign_waiting)
        signed: asyncio.Future[ReceiptSignature] = loop.create_future()
        self._pending.append((receipt, signed))
        return await signed

    def _sign_waiting(self) -> None:
        waiting, self._pending = self._pending, []
        try:
            words = self._sign_group([text for text, _ in waiting])
        except Exception as error:  # otherwise all callers would wait forever
            for _, signed in waiting:
                if not signed.done():
                    signed.set_exception(error)
            return
        for (_, signed), word in zip(waiting, words, strict=True):
            if not signed.done():  # the caller was canceled
                signed.set_result(word)

    def _sign_group(self, texts: list[str]) -> list[ReceiptSignature]:
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
