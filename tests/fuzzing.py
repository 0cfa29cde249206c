"""Every parser, given what was changed at random: it answers, or says in its own way what is wrong.

A case begins with a sample that is right, from `samples`, and is changed byte by byte. Hypothesis
chooses both, and finds the smallest change that breaks a parser. What broke one is written into
`tests/corpora`, in a folder with the parser's name; the test reads all that is there again. For
more than the test does:

    python -m tests.fuzzing --examples 100000
"""

import argparse
import base64
import sys
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import hypothesis.strategies as st
import msgspec
from hypothesis import HealthCheck, given, settings

from domain.kernel.game import AnyGame
from domain.kernel.notation_error import NotationError
from domain.log.merkle import audit_paths
from domain.match import is_playable
from domain.registry import GAMES
from domain.storage.mapper import read_event
from domain.table.codes import DEFAULT_TAP_MAP, is_target, target_of
from projections.views.transcripts import TranscriptError
from projections.views.transcripts import read as read_transcript
from services.accounts.jwts import issuer_of, parse_jwk_set
from services.proof.cosignatures import Cosigner, read_cosigner
from services.proof.match_file import verify_file
from services.proof.receipts import ReceiptGroup, ReceiptSignature, group_text, open_receipt
from services.proof.signed_notes import (
    Inclusion,
    Receipt,
    read_checkpoint,
    read_inclusion,
    read_receipt,
    read_size,
)
from services.proof.signing import NoteError, Signer, read_key
from services.proof.witness.cosigning import read_witnesses
from services.proof.witness.requests import AddCheckpointRequest, read_request
from services.runtime import logging
from services.runtime.errors import ApiError
from services.transport.tiles import PATH
from tests import device_fuzz_targets
from tests.fuzz_targets import Parser
from tests.services.proof.mutations import mutate_bytes, mutate_lines

ROOT = Path(__file__).parent
CORPORA = ROOT / "corpora"
LARGEST = 20_000
"""Bytes of a sample: a parser's work must be bounded by what it is given, and the test be quick."""


def _text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda raw: read(raw.decode(errors="replace"))


def _files(pattern: str) -> tuple[bytes, ...]:
    found = (path.read_bytes() for path in sorted(ROOT.glob(pattern)))
    return tuple(each for each in found if len(each) <= LARGEST)


def _read_position(game: AnyGame, options: Any, text: str) -> Any:
    """What is read as a position can be shown to everybody and played on: one that could not would
    be imported, and break whatever shows it."""
    position = game.read_position(text, options)
    assert is_playable(game, options, position), text
    return position


def _of_game(slug: str) -> Iterable[tuple[str, Parser]]:
    game = GAMES[slug]
    options: Any = msgspec.convert({}, game.options)
    start = game.start(options)
    prompts = game.turn(start)
    position = game.write_position(start).encode()
    legal = [each for _, each in zip(range(20), game.legal(start, prompts[0].seat), strict=False)]
    actions = tuple(game.write_action(each).encode() for each in legal)
    yield (
        f"{slug} position",
        Parser(_text(lambda t: _read_position(game, options, t)), (position,), (NotationError,)),
    )
    yield f"{slug} action", Parser(_text(game.read_action), actions)
    if game.packs is not None:
        packs = game.packs
        for place, ending in enumerate(packs.file_suffixes):
            if found := _files(f"games/{slug.replace('-', '_')}/**/*{ending}"):

                def read(raw: bytes, place: int = place) -> Any:
                    contents = [raw if n == place else b"" for n in range(len(packs.file_suffixes))]
                    return packs.read(contents, False)

                yield f"{slug} pack {ending}", Parser(read, found)


def _read_target(text: str) -> None:
    """What a tap map may name is found again as it is, where no map has it."""
    assert not is_target(text) or target_of({}, text) == DEFAULT_TAP_MAP.get(text, text)


def _token(raw: bytes) -> str:
    """A JSON Web Token whose header is the first line, and whose claims are the rest."""
    parts = (*raw.partition(b"\n")[::2], bytes(64))
    return ".".join(base64.urlsafe_b64encode(each).rstrip(b"=").decode() for each in parts)


def _of_witnesses() -> Iterable[tuple[str, Parser]]:
    log = Signer(bytes(range(32)), "emeth/tests")
    text = "emeth/tests\n3\n2hr1+NqBisTQfRWZYVuGZft6mQXAoTJxO4mQnd90+74=\n"
    note = f"{text}\n— emeth/tests {log.sign(text)}\n"
    cosigner = Cosigner(bytes(range(32)), "example.org/witness")
    cosigned = note + cosigner.cosign(text, 1_700_000_000)
    asked = AddCheckpointRequest(2, (bytes(32), bytes(range(32))), note)
    key = str(cosigner.key).encode()
    yield "cosigner", Parser(_text(read_cosigner), (key,), (NoteError,))
    yield "cosigned note", Parser(_text(cosigner.key.find), (cosigned.encode(),), (NoteError,))
    yield "witness request", Parser(read_request, (asked.text.encode(),), (NoteError,))


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
    root, (path, _) = audit_paths([receipt, receipt])
    signed = ReceiptSignature(signer.sign(group_text(2, root)), ReceiptGroup(2, 0, path))
    shared = signed.as_text(word, signer.key.name).encode()
    jwks = (
        b'{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a",'
        b'"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}'
    )
    claims = b'{"alg":"EdDSA","kid":"a"}\n{"iss":"https://example.org","sub":"ada","exp":1}'
    witness = str(Cosigner(bytes(range(32)), "example.org/witness").key).encode()
    witness += b" https://example.org/witness"
    transcript = (
        b'[Emeth "1"]\n[Game "earthen-war"]\n[Option "artillery=true"]\n\n'
        b"1. white a6-b6\n{so it is}\n2. black h3-g3\n*\n"
    )
    return (
        found
        | dict(_of_witnesses())
        | dict(device_fuzz_targets.parsers())
        | {
            "JWT": Parser(lambda raw: issuer_of(_token(raw)), (claims,), (ApiError,)),
            "token": Parser(_text(issuer_of), (_token(claims).encode(),), (ApiError,)),
            "tap target": Parser(_text(_read_target), (b"base s1", b"cc rune 2", b"space a6")),
            "tile path": Parser(_text(PATH.fullmatch), (b"0/x001/234.p/56", b"entries/000")),
            "witnesses": Parser(_text(read_witnesses), (witness,), (NoteError,)),
            "transcript": Parser(_text(read_transcript), (transcript,), (TranscriptError,)),
            "event": Parser(read_event, stored, (msgspec.MsgspecError, ValueError, RecursionError)),
            "export": Parser(lambda raw: verify_file(raw.splitlines(keepends=True)), exports),
            "key": Parser(_text(read_key), (key,), (NoteError,)),
            "checkpoint": Parser(_text(read_checkpoint), (note,), (NoteError,)),
            "size": Parser(_text(read_size), (b"0", b"20852163"), (NoteError,)),
            "inclusion": Parser(
                _text(read_inclusion),
                (Inclusion(2, (bytes(32),), note.decode()).text.encode(),),
                (NoteError,),
            ),
            "receipt": Parser(_text(read_receipt), (receipt,), (NoteError,)),
            "kept receipt": Parser(
                _text(lambda text: open_receipt(text, signer.key)), (shared,), (NoteError,)
            ),
            "key set": Parser(_text(parse_jwk_set), (jwks,), (ValueError,)),
        }
    )


PARSERS = parsers()


def mutate(sample: bytes, seed: int) -> bytes:
    """A sample, changed in one way or another; or a long stretch of one of its bytes."""
    random = Random(seed)
    if seed % 16 == 0:
        return sample[: random.randrange(len(sample))] + sample[:1] * 50_000
    for _ in range(1 + seed % 3):
        sample = mutate_bytes(sample, random) or b" "
    return mutate_lines(sample, random) if seed % 5 == 0 else sample


def read_mutated(name: str, place: int, seed: int) -> None:
    """Have a parser read a changed sample; whatever it may not raise goes through."""
    samples = PARSERS[name].samples
    read_bytes(name, mutate(samples[place % len(samples)], seed))


def read_bytes(name: str, raw: bytes) -> None:
    """The same with these bytes."""
    parser = PARSERS[name]
    try:
        parser.read(raw)
    except parser.raises:
        return


def saved_samples() -> list[Path]:
    """What once broke a parser."""
    return sorted(path for path in CORPORA.glob("*/*") if path.is_file())


def save_failing_sample(name: str, place: int, seed: int) -> None:
    """As `read_changed`; what breaks the parser is kept. Of what Hypothesis tries, it is the last:
    the smallest."""
    samples = PARSERS[name].samples
    raw = mutate(samples[place % len(samples)], seed)
    try:
        read_bytes(name, raw)
    except Exception:
        folder = CORPORA / name
        folder.mkdir(parents=True, exist_ok=True)
        for before in folder.glob("found-*"):
            before.unlink()
        (folder / f"found-{sha256(raw).hexdigest()[:12]}").write_bytes(raw)
        raise


cases = {
    "name": st.sampled_from(sorted(PARSERS)),
    "place": st.integers(0, 99),
    "seed": st.integers(0, 2**32),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=10_000)
    chosen = parser.parse_args()
    logging.configure("critical")
    many = settings(
        max_examples=chosen.examples, deadline=None, suppress_health_check=list(HealthCheck)
    )
    many(given(**cases)(save_failing_sample))()
    print(f"{chosen.examples} examples")  # noqa: T201
    sys.exit(0)


if __name__ == "__main__":
    main()
