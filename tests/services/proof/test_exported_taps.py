"""The file of a match that was played by taps has them, proven; with any of them changed, lost or
made up, it does not pass."""

import json
import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.log.digests import GENESIS
from domain.log.merkle import leaf_hash
from domain.log.origin import Origin, Taps
from domain.log.sealed_events import SealedEvent, seal
from domain.match import Changeset, MatchSetup, TimeBudget, act, create
from domain.registry import GAMES
from domain.table import TapTaken
from domain.table.tap_evidence import tap_evidence_faults, tapped_event
from services.client import Client, ServiceError
from services.client.gateway import GatewayClient
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.proof.match_file import FileVerification, attest, file_chunks, verify_file
from services.proof.signing import Signer
from services.proof.tap_evidence import ProvenTap, evidence_lines, is_evidence, lost_taps_line
from services.runtime.settings import Settings
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from tests.command_contexts import context_at

PEN = "AA:01"
SIGNER = Signer(bytes(range(32)), "example.org/mallory")


class PlayedByTaps(NamedTuple):
    """A match that was played by taps, at a table with a stylus of its own name and PIN."""

    key: str
    table: str
    match: str
    tokens: dict[str, str]


async def seated(
    service: Service, client: Client, match: str, tokens: dict[str, str], pen: str = PEN
) -> PlayedByTaps:
    made = await client.create_gateway(service.admin_key, name="Corner table")
    await client.pair_stylus(made.gateway_key, pen, pin="0000")
    await client.update_stylus(made.gateway_key, pen, name="Ada's pen", pin="4711")
    seats = [token for role, token in tokens.items() if role not in ("referee", "spectator")]
    await client.seat_stylus(made.gateway_key, pen, match, seats)
    return PlayedByTaps(made.gateway_key, made.table_id, match, tokens)


@pytest.fixture
async def played(service: Service, client: Client) -> PlayedByTaps:
    """White and black have moved by taps, and white by hand."""
    created = await client.create_match(game="agog")
    tokens = dict(created.tokens)
    played = await seated(service, client, created.match.match_id, tokens)
    async with GatewayClient(service.address, played.key) as gateway:
        await gateway.wait_for_prompt(PEN, 1)
        for code in ("space a6", "figure/9", "space b6", "button/confirm", "space h3", "space g3"):
            await gateway.tap(PEN, code)
        await gateway.tap(PEN, "button confirm")
    await client.submit(tokens["white"], played.match, "f1-g1")
    return played


async def file_of(client: Client, played: PlayedByTaps, role: str = "referee") -> bytes:
    stream = client.export_match(played.tokens[role], played.match)
    return b"".join([piece.data async for piece in stream])


def checked(raw: bytes) -> FileVerification:
    return verify_file(BytesIO(raw))


def lines_of(raw: bytes) -> list[bytes]:
    return raw.splitlines(keepends=True)


def first(raw: bytes) -> tuple[int, str, str]:
    finding = checked(raw).report.findings[0]
    return finding.version, finding.check, finding.sentence


async def test_the_taps_that_actions_name_are_in_the_file_as_the_log_has_them(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    verified = checked(raw := await file_of(client, played))
    assert verified.report.sound, verified.report.findings
    assert (verified.taps.proven_count, verified.taps.lost_count) == (6, 0)
    assert list(verified.taps.keys) == [(await client.get_checkpoint()).verifier_key]
    evidence = [json.loads(line) for line in lines_of(raw) if line.startswith(b'{"hashes":')]
    stored = {each.event.version: each for each in service._log.table_events(UUID(played.table))}
    assert [each["tap"]["event"]["target"] for each in evidence] == [
        "space a6", "space b6", "button confirm", "space h3", "space g3", "button confirm",
    ]  # fmt: skip
    for each in evidence:
        sealed = stored[each["tap"]["event"]["version"]]
        assert each["tap"]["digest"] == sealed.digest
        assert each["previous"] == stored[sealed.event.version - 1].digest


async def test_taps_bear_out_the_actions_of_a_match_with_clocks(
    service: Service, client: Client
) -> None:
    """Its times are those of its clocks, which have no fractions of milliseconds."""
    clock = time_control_message(TimeBudget(ms=3_600_000))
    created = await client.create_match(game="agog", time_control=clock)
    played = await seated(service, client, created.match.match_id, dict(created.tokens))
    async with GatewayClient(service.address, played.key) as gateway:
        await gateway.wait_for_prompt(PEN, 1)
        for square, to in (("a6", "b6"), ("h3", "g3"), ("f1", "g1")):
            for code in (f"space {square}", f"space {to}", "button confirm"):
                await gateway.tap(PEN, code)
    verified = checked(await file_of(client, played))
    assert verified.report.sound, verified.report.findings
    assert verified.taps.proven_count == 9


async def test_a_tap_whose_service_had_a_clock_behind_anothers_bears_out_its_action(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    """The match goes by the time of the event before, and the tap by its own."""
    taps = (await taps_of(service, played))[:3]
    first, second, *_ = (each.event for each in checked(await file_of(client, played)).events)
    event = tapped_event(second)
    assert event is not None
    assert not [*tap_evidence_faults(event, taps, first.at)]
    behind = [*taps[:2], replace(taps[2], at=event.at - timedelta(seconds=5))]
    assert not [*tap_evidence_faults(event, behind, event.at)]
    assert [*tap_evidence_faults(event, behind, first.at)]


async def test_a_file_with_taps_is_always_the_same(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    raw = await file_of(client, played)
    await client.create_match(game="agog")
    assert await file_of(client, played, "spectator") == raw


async def test_no_pin_key_or_right_of_a_stylus_is_in_the_file(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    raw = (await file_of(client, played)).decode()
    table = (await service._tables.get(UUID(played.table))).state
    (pen,), (gateway,) = table.styluses.values(), table.gateways.values()
    secrets = [played.key, gateway.key, pen.pin, '"4711"', *played.tokens.values()]
    for secret in secrets:
        assert secret not in raw
    evidence = [line for line in raw.splitlines(keepends=True) if is_evidence(line.encode())]
    for digest in pen.seats.values():
        assert not any(digest in line for line in evidence)
    kinds = {json.loads(line).get("tap", {}).get("event", {}).get("type") for line in evidence}
    assert kinds == {None, "table.TapTaken"}


async def test_the_python_of_the_page_checks_taps(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    page: dict[str, Any] = {}
    text = (Path(__file__).parents[3] / "docs/export.md").read_text()
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    exec(code[1], page)  # noqa: S102  # it is ours
    page["check"](raw := await file_of(client, played))
    for said, otherwise in ((b'"space b6"', b'"space b5"'), (b'"index":', b'"index":1')):
        with pytest.raises(AssertionError):
            page["check"](raw.replace(said, otherwise, 1))
        lines = lines_of(raw.replace(said, otherwise, 1))
        with pytest.raises(AssertionError):
            page["check"](resigned(raw, [line for line in lines if is_evidence(line)]))


async def test_a_match_without_taps_has_the_form_without_them(
    service: Service, client: Client
) -> None:
    created = await client.create_match(game="agog")
    tokens, match = dict(created.tokens), created.match.match_id
    await client.submit(tokens["white"], match, "a6-b6")
    raw = await file_of(client, PlayedByTaps("", "", match, tokens))
    assert json.loads(lines_of(raw)[0])["format"] == 1
    assert "taps" not in json.loads(lines_of(raw)[-1])
    assert checked(raw).report.sound


@pytest.mark.parametrize("game", ["agog", "earthen-war"])
async def test_a_resignation_by_stylus_has_its_taps_too(
    service: Service, client: Client, game: str
) -> None:
    """By the game's own action, or by an event of the match where the game has none."""
    created = await client.create_match(game=game)
    played = await seated(service, client, created.match.match_id, dict(created.tokens))
    async with GatewayClient(service.address, played.key) as gateway:
        await gateway.wait_for_prompt(PEN, 1)
        for code in ("match resign", "button confirm"):
            done = await gateway.tap(PEN, code)
    verified = checked(await file_of(client, played))
    assert verified.report.sound, verified.report.findings
    assert verified.taps.proven_count == 2
    version = done.events[0].version
    explained = await client.explain(
        played.tokens["spectator"], played.match, version, at_least_version=version
    )
    assert [tap.target for tap in explained.taps] == ["match resign", "button confirm"]


async def test_hidden_taps_are_exported_with_the_referees_token_alone(
    service: Service, client: Client
) -> None:
    created = await client.create_match(game="res-arcana", chance=CHANCE_ROLLED)
    tokens = dict(created.tokens)
    played = await seated(service, client, created.match.match_id, tokens)
    random, acted = Random(2), 0
    async with GatewayClient(service.address, played.key) as gateway:
        prompt = await gateway.wait_for_prompt(PEN, 1)
        while acted < 6:
            code = "button confirm" if prompt.HasField("armed") else "cc rune 1"
            if prompt.next_targets and not prompt.HasField("armed"):
                code = random.choice(prompt.next_targets)
            prompt = await gateway.tap(PEN, code)
            acted += bool(prompt.events)
    verified = checked(await file_of(client, played))
    assert verified.report.sound, verified.report.findings
    assert verified.taps.proven_count > 6
    for role in set(tokens) - {"referee"}:
        assert await reason(file_of(client, played, role)) == "ROLE_NOT_ALLOWED"


async def reason(call: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.reason


# --- what was changed ----------------------------------------------------------------------------


async def test_every_changed_byte_of_a_tap_is_caught(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    raw = await file_of(client, played)
    begin = raw.index(b'{"checkpoint":')
    random = Random(3)
    for _ in range(150):
        place = random.randrange(begin, len(raw))
        changed = raw[:place] + bytes([raw[place] ^ random.choice((1, 32))]) + raw[place + 1 :]
        assert not checked(changed).report.sound, place


async def test_a_line_that_is_lost_doubled_or_moved_is_caught(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    lines = lines_of(await file_of(client, played))
    for number, line in enumerate(lines):
        if is_evidence(line):
            without = lines[:number] + lines[number + 1 :]
            assert not checked(b"".join(without)).report.sound
            assert not checked(b"".join([*lines[:number], line, *lines[number:]])).report.sound
            assert not checked(b"".join([*without[:-1], line, without[-1]])).report.sound or (
                line == lines[-2]
            )


def resigned(raw: bytes, evidence: list[bytes]) -> bytes:
    """The file with other lines of taps, signed anew by somebody else."""
    verified = checked(raw)
    assert verified.match is not None
    trailer = attest(verified.match, SIGNER, evidence)
    return b"".join(file_chunks(verified.match, verified.events, trailer, evidence))


def made_up(*taps: TapTaken) -> list[bytes]:
    """Lines for taps that were never recorded, each in a log of its own."""
    lines: list[bytes] = []
    for tap in taps:
        sealed: SealedEvent[TapTaken] = seal(GENESIS, tap)
        leaf = leaf_hash(bytes.fromhex(sealed.digest))
        lines += evidence_lines([ProvenTap(sealed, GENESIS, 0, ())], 1, leaf, SIGNER)
    return lines


async def taps_of(service: Service, played: PlayedByTaps) -> list[TapTaken]:
    """Those that the two actions name."""
    events = [each.event for each in service._log.table_events(UUID(played.table))]
    return [tap for tap in events if isinstance(tap, TapTaken) and tap.outcome in ("done", "acted")]


OTHER = UUID(int=5)
NOW = context_at(datetime(2026, 11, 21, 12, tzinfo=UTC), "request")
KEYS = {role: f"{role}-key" for role in ("white", "black", "referee", "spectator")}
FORGERIES: list[tuple[str, Callable[[list[TapTaken]], list[TapTaken]], str]] = [
    ("missing", lambda taps: taps[1:], "is not in the file"),
    ("of another match", lambda t: [replace(t[0], match=OTHER), *t[1:]], "was for match"),
    ("of another stylus", lambda t: [replace(t[0], stylus="BB:02"), *t[1:]], "of stylus BB:02"),
    ("stale", lambda t: [replace(t[0], outcome="stale"), *t[1:]], "selected nothing"),
    ("no Confirm", lambda t: [*t[:2], replace(t[2], target="cc map"), *t[3:]], "not the Confirm"),
    ("not the end", lambda t: [*t[:2], replace(t[2], outcome="done"), *t[3:]], "not the Confirm"),
    ("of the action before", lambda t: [*t[:2], replace(t[2], match_version=0), *t[3:]], "another"),
    ("of another time", lambda t: [*t[:2], replace(t[2], at=t[0].at), *t[3:]], "another action"),
    ("of another number", lambda t: [*t[:2], replace(t[2], seq=99), *t[3:]], "another action"),
    ("named by nobody", lambda t: [*t, replace(t[0], version=999)], "no action names tap 999"),
]


@pytest.mark.parametrize(("forge", "why"), [each[1:] for each in FORGERIES],
                         ids=[each[0] for each in FORGERIES])  # fmt: skip
async def test_taps_that_do_not_support_their_action_are_reported_even_if_all_is_signed(
    service: Service, client: Client, played: PlayedByTaps, forge: Any, why: str
) -> None:
    raw, taps = await file_of(client, played), await taps_of(service, played)
    assert checked(resigned(raw, made_up(*taps))).report.sound, "the same made up passes"
    findings = checked(resigned(raw, made_up(*forge(taps)))).report.findings
    assert findings[0].check == "taps"
    assert why in findings[0].sentence


def test_an_action_of_a_stylus_that_names_no_tap_is_reported() -> None:
    created = create(MatchSetup(GAMES["agog"], GAMES["agog"].options()), OTHER, KEYS, NOW)
    source = Origin("gateway", Taps(OTHER, "g", PEN, ()))
    action = GAMES["agog"].read_action("a6-b6")
    acted = act(created.state, "white", action, replace(NOW, source=source))
    assert isinstance(acted, Changeset)
    events = [*created.events, *acted.events]
    raw = b"".join(file_chunks(acted.state, events, attest(acted.state, SIGNER)))
    assert first(raw) == (2, "taps", "it came from a stylus, and names no tap")


async def test_a_proof_that_does_not_lead_to_the_checkpoint_is_reported(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    raw = await file_of(client, played)
    evidence = [line for line in lines_of(raw) if is_evidence(line)]
    decoded = json.loads(evidence[1])
    for name, value in (
        ("index", decoded["index"] + 1),
        ("previous", "0" * 64),
        ("hashes", decoded["hashes"][:-1]),
        ("hashes", [decoded["hashes"][0].upper(), *decoded["hashes"][1:]]),
    ):
        line = json.dumps(decoded | {name: value}, separators=(",", ":")).encode() + b"\n"
        _, check, _ = first(resigned(raw, [evidence[0], line, *evidence[2:]]))
        assert check == "taps", name
    assert "no checkpoint" in first(resigned(raw, evidence[1:]))[2]


async def test_taps_that_were_cut_out_with_the_signature_are_missed(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    """Removing all of them, and signing the rest, is reported as missing taps."""
    version, check, why = first(resigned(await file_of(client, played), []))
    assert (version, check) == (2, "taps")
    assert "is not in the file" in why


async def test_taps_may_be_said_to_be_lost_by_who_signs(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    taps = await taps_of(service, played)
    gone = lost_taps_line(UUID(played.table), [tap.version for tap in taps])
    verified = checked(resigned(await file_of(client, played), [gone]))
    assert verified.report.sound
    assert (verified.taps.proven_count, verified.taps.lost_count) == (0, 6)


# --- taken in elsewhere --------------------------------------------------------------------------


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[Service]:
    settings = Settings(data=str(tmp_path / "other"), listen="127.0.0.1:0", drain_seconds=1)
    async with Service(settings) as running:
        yield running


@pytest.fixture
async def other(elsewhere: Service) -> AsyncIterator[Client]:
    async with Client(elsewhere.address) as connected:
        yield connected


async def test_a_match_that_was_taken_in_keeps_its_taps_as_evidence(
    client: Client, played: PlayedByTaps, elsewhere: Service, other: Client
) -> None:
    raw = await file_of(client, played)
    await other.import_file(elsewhere.admin_key, raw)
    assert await file_of(other, played) == raw
    assert await other.list_devices(elsewhere.admin_key) == []
    explained = await other.explain(played.tokens["referee"], played.match, 2, at_least_version=2)
    assert not explained.taps, "they are evidence in the file, and nobody's taps here"


async def test_a_match_that_continues_elsewhere_has_the_taps_of_both_places(
    client: Client, played: PlayedByTaps, elsewhere: Service, other: Client
) -> None:
    await other.import_file(elsewhere.admin_key, await file_of(client, played))
    there = await seated(elsewhere, other, played.match, played.tokens, "ZZ:26")
    async with GatewayClient(elsewhere.address, there.key) as gateway:
        await gateway.wait_for_prompt("ZZ:26", 4)
        for code in ("space c8", "space c7", "button confirm"):
            done = await gateway.tap("ZZ:26", code)
    assert done.match_version == 5
    verified = checked(again := await file_of(other, played))
    assert verified.report.sound, verified.report.findings
    assert verified.taps.proven_count == 9
    keys = [(await each.get_checkpoint()).verifier_key for each in (client, other)]
    assert list(verified.taps.keys) == keys
    assert verified.trailer is not None
    assert verified.trailer.key == keys[1]
    assert await file_of(other, played) == again


async def test_evidence_that_is_gone_is_said_to_be_lost(
    client: Client, played: PlayedByTaps, elsewhere: Service, other: Client
) -> None:
    """The folder is no part of the log, so that a backup may be without it."""
    await other.import_file(elsewhere.admin_key, await file_of(client, played))
    folder = elsewhere.settings.folder / "vouchers"
    for content in (None, b"nonsense\n"):
        path = folder / f"{played.match}.taps"
        path.unlink() if content is None else path.write_bytes(content)
        verified = checked(await file_of(other, played))
        assert verified.report.sound, verified.report.findings
        assert (verified.taps.proven_count, verified.taps.lost_count) == (0, 6)


async def test_a_file_whose_taps_do_not_verify_is_not_taken_in(
    service: Service,
    client: Client,
    played: PlayedByTaps,
    elsewhere: Service,
    other: Client,
) -> None:
    taps = await taps_of(service, played)
    raw = resigned(await file_of(client, played), made_up(*taps[1:]))
    assert await reason(other.import_file(elsewhere.admin_key, raw)) == "MATCH_FILE_INVALID"
    assert not (elsewhere.settings.folder / "vouchers").exists()
