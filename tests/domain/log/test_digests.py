"""Digests can be recomputed in any language: canonical bytes are those of RFC 8785."""

from hashlib import sha256

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.log.digests import GENESIS, canonical_bytes, chain_digest

KEYS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=8)
INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
# Control characters are the one place where the two writers of JSON differ; no text has them.
TEXTS = st.text(st.characters(min_codepoint=0x20, exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_canonical_bytes_are_those_of_rfc_8785(value: object) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)  # type: ignore[arg-type]  # JSON by strategy


def test_a_digest_covers_the_digest_before_it() -> None:
    body = b'{"type":"match.SeatLeft"}'
    first = chain_digest(GENESIS, body)
    assert first == sha256(bytes(32) + body).hexdigest()
    assert chain_digest(first, body) == sha256(bytes.fromhex(first) + body).hexdigest()
