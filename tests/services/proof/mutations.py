"""Files of matches, changed at random: by the byte, by the line, and in what their JSON says."""

import json
from random import Random
from typing import Any, Final
from uuid import UUID

from domain.log.digests import GENESIS, canonical_bytes, chain_digest
from services.proof.match_file import Trailer, taps_statement
from services.proof.signed_notes import Receipt
from services.proof.signing import Signer

STRANGE: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 1, 7, 2**31, 2**63, 2**64, -(2**70), 1.5, 1e308, "", " ", "a1", "z99", "w",
    "\x00", "é", "\u2028", "x" * 3000, "match.ActionTaken", "match.SeedRevealed", [], {}, [[]],
    [None], {"type": "agog.resign"}, {"type": []}, "00" * 32, "1970-01-01T00:00:00Z",
    "00000000-0000-4000-8000-000000000000",
)  # fmt: skip
"""Values that stand anywhere but where they belong."""

MALLORY: Final = Signer(bytes(range(32)), "example.org/mallory")


def mutate_bytes(raw: bytes, random: Random) -> bytes:
    """Some bytes changed, lost, added or moved."""
    changed = bytearray(raw)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(changed))
        match random.randrange(5):
            case 0:
                changed[at] ^= 1 << random.randrange(8)
            case 1:
                del changed[at : at + random.randint(1, 40)]
            case 2:
                changed[at:at] = random.randbytes(random.randint(1, 8))
            case 3:
                changed[at:at] = changed[random.randrange(len(changed)) :][: random.randint(1, 99)]
            case _:
                del changed[max(1, at) :]
        if not changed:
            break
    return bytes(changed)


def mutate_lines(raw: bytes, random: Random) -> bytes:
    """A line lost, doubled, moved or cut."""
    lines = raw.splitlines(keepends=True)
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case _:
            lines[at] = lines[at][: random.randrange(len(lines[at]))]
    return b"".join(lines)


def change_json(raw: bytes, random: Random) -> bytes:
    """Something said otherwise in one or two lines, as they stand."""
    lines = [json.loads(line) for line in raw.splitlines()]
    for _ in range(random.randint(1, 2)):
        _change(random.choice(lines), random)
    return b"".join(canonical_bytes(line) + b"\n" for line in lines)


def forge(raw: bytes, random: Random) -> bytes:
    """An event that says something else, and every digest and signature made to fit again."""
    header, *middle, trailer = raw.splitlines()
    lines = [json.loads(line) for line in middle]
    events = [line["event"] for line in lines if "event" in line]
    for _ in range(random.randint(1, 2)):
        at = random.randrange(len(events))
        if random.random() < 0.8:
            _change(events[at], random)
        else:
            events[at] = {**random.choice(events), "version": at + 1}
    made, digest = [header], GENESIS
    for event in events:
        body = canonical_bytes(event)
        digest = chain_digest(digest, body)
        made.append(b'{"digest":"%b","event":%b}' % (digest.encode(), body))
    evidence = tuple(line + b"\n" for line in middle if not line.startswith(b'{"digest"'))
    made += [line.rstrip(b"\n") for line in evidence]
    end = json.loads(trailer)
    match = UUID(json.loads(header)["match"])
    receipt = MALLORY.note(Receipt(match, len(events), digest).text)
    taps = MALLORY.note(taps_statement(match, evidence).text) if evidence else ""
    made.append(Trailer(str(MALLORY.key), end["position"], receipt, taps).line.rstrip(b"\n"))
    return b"".join(line + b"\n" for line in made)


def _change(value: Any, random: Random) -> None:
    """Change something in this JSON, at any depth."""
    while True:
        if isinstance(value, dict) and value:
            key: Any = random.choice([*value])
        elif isinstance(value, list) and value:
            key = random.randrange(len(value))
        else:
            return
        if isinstance(value[key], dict | list) and value[key] and random.random() < 0.75:
            value = value[key]
            continue
        _set(value, key, random)
        return


def _set(value: Any, key: Any, random: Random) -> None:
    old = value[key]
    match random.randrange(6):
        case 0:
            del value[key]
        case 1 if isinstance(old, str) and old:
            at = random.randrange(len(old))
            value[key] = old[:at] + random.choice("abz019 /+-*\u00e9") + old[at + 1 :]
        case 2 if isinstance(old, str):
            value[key] = old[: random.randrange(len(old) + 1)]
        case 3 if isinstance(old, int):
            value[key] = old + random.choice((-1, 1, 100, 10**9))
        case 4 if isinstance(value, list):
            value.insert(key, random.choice(value))
        case 4:
            value[random.choice(["seat", "type", "to", "facts", "x"])] = random.choice(STRANGE)
        case _:
            value[key] = random.choice(STRANGE)
