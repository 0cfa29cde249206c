"""One signature for many receipts, and receipts as text."""

import asyncio
from uuid import UUID

import pytest

from domain.log.merkle import (
    audit_paths,
    leaf_hash,
    node_hash,
    root_from_inclusion_proof,
    verify_inclusion,
)
from services.proof.receipts import (
    ReceiptGroup,
    ReceiptSignature,
    ReceiptSigner,
    group_text,
    open_receipt,
)
from services.proof.signed_notes import Receipt, read_checkpoint
from services.proof.signing import NoteError, Signer

SIGNER = Signer(bytes(range(32)), "example.org/emeth")
KEY = SIGNER.key


def receipts(count: int) -> list[Receipt]:
    return [Receipt(UUID(int=number + 1), number + 2, f"{number:064x}") for number in range(count)]


async def signed(words: list[Receipt], signer: ReceiptSigner) -> list[ReceiptSignature]:
    return await asyncio.gather(*(signer.sign(each.text, grouped=True) for each in words))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 64, 65])
def test_every_leaf_of_a_tree_has_a_path_to_its_root(count: int) -> None:
    leaves = [bytes([number]) for number in range(count)]
    root, found = audit_paths(leaves)
    for index, (leaf, path) in enumerate(zip(leaves, found, strict=True)):
        assert verify_inclusion(leaf, index, count, path, root)
        assert not verify_inclusion(leaf, index + 1, count, path, root)
        assert root_from_inclusion_proof(leaf, index, count, (*path, root)) is None
        if path:
            assert root_from_inclusion_proof(leaf, index, count, path[:-1]) is None


def test_the_tree_is_that_of_rfc_6962() -> None:
    one, two, three = map(leaf_hash, (b"1", b"2", b"3"))
    assert audit_paths([b"1", b"2", b"3"])[0] == node_hash(node_hash(one, two), three)


@pytest.mark.parametrize("count", [2, 3, 64])
async def test_what_is_requested_together_is_signed_once(count: int) -> None:
    words = receipts(count)
    found = await signed(words, ReceiptSigner(SIGNER))
    assert len({each.signature for each in found}) == 1
    assert [each.group.index for each in found if each.group] == [*range(count)]
    for word, each in zip(words, found, strict=True):
        each.check(word, KEY)
        text = each.as_text(word, KEY.name)
        assert open_receipt(text, KEY) == word
        assert text.startswith(word.text)


async def test_what_is_alone_or_not_to_share_is_signed_as_ever() -> None:
    signer, (word, other) = ReceiptSigner(SIGNER), receipts(2)
    alone = await signer.sign(word.text, grouped=True)
    first, second = await asyncio.gather(
        signer.sign(word.text, grouped=False), signer.sign(other.text, grouped=True)
    )
    assert alone == first == ReceiptSignature(SIGNER.sign(word.text))
    assert second == ReceiptSignature(SIGNER.sign(other.text))
    assert open_receipt(first.as_text(word, KEY.name), KEY) == word


async def test_a_cancelled_caller_does_not_affect_the_others() -> None:
    signer, words = ReceiptSigner(SIGNER), receipts(3)
    asked = [asyncio.create_task(signer.sign(each.text, grouped=True)) for each in words]
    await asyncio.sleep(0)  # each has asked
    asked[1].cancel()
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(done[1], asyncio.CancelledError)
    for place in (0, 2):
        each = done[place]
        assert isinstance(each, ReceiptSignature)
        each.check(words[place], KEY)


async def test_a_receipt_that_was_not_signed_with_the_others_is_refused() -> None:
    words = receipts(5)
    one, two, *_ = await signed(words, ReceiptSigner(SIGNER))
    assert one.group is not None
    with pytest.raises(NoteError, match="does not fit the text"):
        two.check(words[0], KEY)
    with pytest.raises(NoteError, match="does not fit the text"):
        ReceiptSignature(one.signature).check(words[0], KEY)  # nor is either form read as the other
    short = ReceiptSignature(one.signature, ReceiptGroup(5, 0, one.group.path[:-1]))
    with pytest.raises(NoteError, match="does not fit its place"):
        short.check(words[0], KEY)
    text = one.as_text(words[0], KEY.name)
    for wrong, why in (
        (text.replace(words[0].digest, words[1].digest, 1), "not among those"),
        (text.replace("index 0", "index 1"), "not among those"),
        (text.replace("index 0", "index 00"), "does not say its place"),
        (text.replace("\nindex 0", ""), "does not say its place"),
        (text.replace("emeth receipts\n5", "emeth receipts\n6"), "does not fit the text"),
        (text.replace("emeth receipt\n", "emeth repeat\n", 1), "not among those"),
    ):
        with pytest.raises(NoteError, match=why):
            open_receipt(wrong, KEY)
    with pytest.raises(NoteError, match="has not signed it"):
        open_receipt(text, Signer(bytes(32), "example.org/other").key)


def test_what_is_signed_for_many_is_no_checkpoint() -> None:
    with pytest.raises(NoteError):
        read_checkpoint(group_text(2, bytes(32)))


class Fails(Signer):
    """A key that cannot be used just now."""

    works = False

    def sign(self, text: str) -> str:
        if not self.works:
            raise OSError("the key is not to be had")
        return super().sign(text)


@pytest.mark.parametrize("count", [1, 3])
async def test_a_signing_failure_reaches_all_waiting_callers_and_the_next_batch_is_signed(
    count: int,
) -> None:
    key = Fails(bytes(range(32)), KEY.name)
    signer, words = ReceiptSigner(key), receipts(count)
    asked = (signer.sign(each.text, grouped=True) for each in words)
    async with asyncio.timeout(30):
        found = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(each) for each in found] == [OSError] * count
    key.works = True
    for word, each in zip(words, await signed(words, signer), strict=True):
        each.check(word, KEY)
