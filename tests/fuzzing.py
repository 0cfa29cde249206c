"""Every parser, given what was changed at random: it answers, or says in its own way what is wrong.

A case begins with a sample that is right, from `samples`, and is changed byte by byte. Hypothesis
chooses both, and finds the smallest change that breaks a parser; what broke one is then kept as an
`example` of the test. For more than the test does:

    python -m tests.fuzzing --examples 100000
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import hypothesis.strategies as st
import msgspec
from hypothesis import HealthCheck, given, settings

from domain.aggregates.mapper import read_event
from domain.kernel.text import NotationError
from domain.log.merkle import paths
from domain.registry import GAMES
from services import logs
from services.accounts.jwts import read_keys
from services.proof.match_file import verify
from services.proof.receipts import Group, Signed, group_text, open_receipt
from services.proof.signed_notes import Receipt, read_checkpoint, read_receipt
from services.proof.signing import NoteError, Signer, read_key
from tests.services.proof.mutations import bytewise, linewise

ROOT = Path(__file__).parent
LARGEST = 20_000
"""Bytes of a sample: a parser's work must be bounded by what it is given, and the test be quick."""


class Parser(NamedTuple):
    """What reads some bytes, what is right for it, and what it may raise."""

    read: Callable[[bytes], Any]
    samples: tuple[bytes, ...]
    raises: tuple[type[Exception], ...] = ()


def _text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda raw: read(raw.decode(errors="replace"))


def _files(pattern: str) -> tuple[bytes, ...]:
    found = (path.read_bytes() for path in sorted(ROOT.glob(pattern)))
    return tuple(each for each in found if len(each) <= LARGEST)


def _of_game(slug: str) -> Iterable[tuple[str, Parser]]:
    game = GAMES[slug]
    options: Any = msgspec.convert({}, game.options)
    start = game.start(options)
    asks = game.turn(start)
    position = game.write_position(start).encode()
    legal = [each for _, each in zip(range(20), game.legal(start, asks[0].seat), strict=False)]
    actions = tuple(game.write_action(each).encode() for each in legal)
    yield (
        f"{slug} position",
        Parser(_text(lambda t: game.read_position(t, options)), (position,), (NotationError,)),
    )
    yield f"{slug} action", Parser(_text(game.read_action), actions)
    if game.packs is not None:
        packs = game.packs
        for place, ending in enumerate(packs.endings):
            if found := _files(f"games/{slug.replace('-', '_')}/**/*{ending}"):

                def read(raw: bytes, place: int = place) -> Any:
                    contents = [raw if n == place else b"" for n in range(len(packs.endings))]
                    return packs.read(contents, False)

                yield f"{slug} pack {ending}", Parser(read, found)


def parsers() -> dict[str, Parser]:
    """All of them, by name."""
    found = {name: parser for slug in GAMES for name, parser in _of_game(slug)}
    stored = _files("domain/stored_shapes/match.*.json")
    exports = _files("services/proof/recorded/*.emeth") or (b"\n".join(stored[:3]),)
    signer = Signer(bytes(range(32)), "emeth/tests")
    key = str(signer.key).encode()
    note = b"emeth/06867195\n3\n2hr1+NqBisTQfRWZYVuGZft6mQXAoTJxO4mQnd90+74=\n"
    word = Receipt(UUID(int=1), 3, "ab" * 32)
    receipt = word.text.encode()
    root, (path, _) = paths([receipt, receipt])
    signed = Signed(signer.sign(group_text(2, root)), Group(2, 0, path))
    shared = signed.as_text(word, signer.key.name).encode()
    jwks = (
        b'{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a",'
        b'"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}'
    )
    return found | {
        "event": Parser(read_event, stored, (msgspec.MsgspecError, ValueError, RecursionError)),
        "export": Parser(lambda raw: verify(raw.splitlines(keepends=True)), exports),
        "key": Parser(_text(read_key), (key,), (NoteError,)),
        "checkpoint": Parser(_text(read_checkpoint), (note,), (NoteError,)),
        "receipt": Parser(_text(read_receipt), (receipt,), (NoteError,)),
        "kept receipt": Parser(
            _text(lambda text: open_receipt(text, signer.key)), (shared,), (NoteError,)
        ),
        "key set": Parser(_text(read_keys), (jwks,), (ValueError,)),
    }


PARSERS = parsers()


def changed(sample: bytes, seed: int) -> bytes:
    """A sample, changed in one way or another; or a long stretch of one of its bytes."""
    random = Random(seed)
    if seed % 16 == 0:
        return sample[: random.randrange(len(sample))] + sample[:1] * 50_000
    for _ in range(1 + seed % 3):
        sample = bytewise(sample, random) or b" "
    return linewise(sample, random) if seed % 5 == 0 else sample


def read_changed(name: str, place: int, seed: int) -> None:
    """Have a parser read a changed sample; whatever it may not raise goes through."""
    parser = PARSERS[name]
    raw = changed(parser.samples[place % len(parser.samples)], seed)
    try:
        parser.read(raw)
    except parser.raises:
        return


cases = {
    "name": st.sampled_from(sorted(PARSERS)),
    "place": st.integers(0, 99),
    "seed": st.integers(0, 2**32),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=10_000)
    chosen = parser.parse_args()
    logs.configure("critical")
    many = settings(
        max_examples=chosen.examples, deadline=None, suppress_health_check=list(HealthCheck)
    )
    many(given(**cases)(read_changed))()
    print(f"{chosen.examples} examples")  # noqa: T201
    sys.exit(0)


if __name__ == "__main__":
    main()
