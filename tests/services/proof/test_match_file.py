"""The file of a match: whole, it passes; with any byte changed, it does not."""

from collections.abc import Iterator
from io import BytesIO
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.notation_error import NotationError
from domain.log.digests import GENESIS, chain_digest
from domain.log.sealed_events import SealedEvent, seal
from domain.match import Terms
from domain.registry import GAMES
from services.proof.match_file import FileVerification, attest, file_chunks, verify_file
from services.proof.signing import Signer, read_key
from tests.domain.conftest import MatchBuilder

SIGNER = Signer(bytes(range(32)), "example.org/emeth")


def file_of(story: MatchBuilder, events: list[SealedEvent[Any]] | None = None) -> bytes:
    events = story.events if events is None else events
    return b"".join(file_chunks(story.match, events, attest(story.match, SIGNER)))


def checked(raw: bytes, key: str = "") -> FileVerification:
    return verify_file(BytesIO(raw), read_key(key) if key else None)


def first(raw: bytes) -> tuple[int, str, str]:
    finding = checked(raw).report.findings[0]
    return finding.version, finding.check, finding.sentence


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("chance", ["entered", "rolled"])
def test_a_file_passes_and_holds_the_match(game: str, chance: Any) -> None:
    story = MatchBuilder(game, 5, Terms(chance=chance)).seat_players().wander(15).end()
    verified = checked(file_of(story))
    assert verified.report.sound, verified.report.findings
    assert verified.match == story.match
    assert [*verified.events] == story.events
    assert file_of(story, [*verified.events]) == file_of(story)


def test_a_file_whose_position_has_its_lists_in_another_order_passes() -> None:
    """As earlier releases wrote them after a restart."""
    story = MatchBuilder("golem-arcana", 5).seat_players().play(6)
    trailer = attest(story.match, SIGNER)
    fields = trailer.position.split(" ")
    fields[5:7] = [";".join(reversed(field.split(";"))) for field in fields[5:7]]
    reordered = replace(trailer, position=" ".join(fields))
    assert reordered.position != trailer.position
    assert checked(b"".join(file_chunks(story.match, story.events, reordered))).report.sound
    moved = replace(trailer, position=reordered.position.replace(":4:", ":3:", 1))
    raw = b"".join(file_chunks(story.match, story.events, moved))
    assert "do not fold to the position" in first(raw)[2]


def changed(raw: bytes, place: int, byte: int) -> bytes:
    return raw[:place] + bytes([raw[place] ^ byte]) + raw[place + 1 :]


@pytest.fixture(scope="module")
def small() -> bytes:
    story = MatchBuilder("agog", 2).play(1)
    story.events = [*story.events]
    return file_of(story)


@pytest.mark.parametrize("quarter", range(4))
def test_every_changed_byte_of_a_small_match_is_caught(small: bytes, quarter: int) -> None:
    for place in range(quarter, len(small), 4):
        for byte in (1, 32):
            assert not checked(changed(small, place, byte)).report.sound, (place, byte)


def test_every_lost_or_doubled_byte_is_caught(small: bytes) -> None:
    for place in range(0, len(small), 3):
        assert not checked(small[:place] + small[place + 1 :]).report.sound, place
        assert not checked(small[:place] + small[place : place + 1] + small[place:]).report.sound


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("chance", ["entered", "rolled"])
def test_changed_bytes_of_other_matches_are_caught(game: str, chance: Any) -> None:
    raw = file_of(MatchBuilder(game, 6, Terms(chance=chance)).seat_players().wander(4).end())
    random = Random(1)
    for _ in range(60):
        place, byte = random.randrange(len(raw)), random.randrange(1, 256)
        assert not checked(changed(raw, place, byte)).report.sound, (place, byte)


def test_the_first_difference_is_described_in_words() -> None:
    builder = MatchBuilder("agog", 4).seat_players().play(6)
    raw = file_of(builder)
    lines = raw.splitlines(keepends=True)

    def without(number: int) -> bytes:
        return b"".join(lines[: number - 1] + lines[number:])

    version, check, why = first(raw.replace(b"Player white", b"Player Black"))
    assert (version, check) == (2, "chain")
    assert "the event was changed" in why
    version, check, why = first(raw.replace(builder.events[4].digest.encode(), b"0" * 64))
    assert (version, check) == (5, "chain")
    assert "its digest was changed" in why
    findings = checked(without(5)).report.findings
    assert findings[-1].sentence == "event 4 is due here, and this is event 5"
    assert first(without(len(lines)))[1] == "signature"
    assert "does not say who vouches" in first(without(len(lines)))[2]
    assert first(raw[:-1])[1] == "signature"
    assert "line 1" in first(b"not a match\n" + raw)[2]
    assert "line 1" in first(raw.replace(b'"game":"agog"', b'"game":"agoh"', 1))[2]
    assert "2 lines" in first(lines[0] + lines[-1])[2]
    assert first(b"")[0] == 0


def test_a_file_with_an_event_that_was_taken_out_and_the_chain_mended_is_not_attested() -> None:
    builder = MatchBuilder("agog", 4).seat_players().play(6)
    log: list[SealedEvent[Any]] = []
    for sealed in builder.events[:-2]:
        log.append(seal(log[-1].digest if log else GENESIS, sealed.event))
    version, check, why = first(file_of(builder, log))
    assert (version, check) == (len(log), "signature")
    assert f"the receipt is for event {len(builder.events)}" in why


def test_a_file_is_attested_by_the_key_that_is_expected() -> None:
    raw = file_of(MatchBuilder("agog").play(2))
    assert checked(raw, str(SIGNER.key)).report.sound
    other = checked(raw, str(Signer(bytes(32)).key))
    assert [finding.check for finding in other.report.findings] == ["signature"]


def test_a_position_that_the_events_do_not_fold_to_is_reported() -> None:
    builder = MatchBuilder("agog").play(2)
    trailer = replace(attest(builder.match, SIGNER), position=GAMES["agog"].notation[:10])
    raw = b"".join(file_chunks(builder.match, builder.events, trailer))
    assert first(raw)[1] == "position"


def hostile(story: MatchBuilder) -> Iterator[bytes]:
    """Files that somebody made to do harm, in the right form as far as possible."""
    begin, event, end = b'{"digest":"%b","event":%b}\n', story.events[0].body, b"\n"
    head, *_, tail = file_of(story).splitlines(keepends=True)
    bodies = [
        b"[" * 100_000,
        b'{"type":"match.MatchCreated"}',
        b'{"type":"match.Unknown"}',
        event[:-1] + b',"zzz":' + b"[" * 900 + b"]" * 900 + b"}",
        event.replace(b'"title":"A story"', b'"title":"' + b"x" * 100_000 + b'"'),
        event.replace(b'"agog"', b'"chess"'),
        event.replace(b'"handicap":0', b'"handicap":1e999'),
        event.replace(b'"handicap":0', b'"handicap":-1'),
        event.replace(b'"version":1', b'"version":99999999999999999999999'),
        event.replace(b'"start":"', b'"start":"9'),
        event.replace(b'"white"', '"whité"'.encode()),
        b"null",
        b"\xff\xfe",
    ]
    for body in bodies:
        yield head + begin % (chain_digest(GENESIS, body).encode(), body) + tail
    yield head + end + tail
    yield b"{}\n{}\n{}\n"
    yield b"\0" * 1000
    yield head * 50
    yield tail * 50


def test_hostile_files_are_refused_with_a_finding() -> None:
    for raw in hostile(MatchBuilder("agog")):
        try:
            assert not checked(raw).report.sound, raw[:200]
        except NotationError as error:
            raise AssertionError(raw[:300]) from error
