"""Checks in the page of a match: sound files pass.

Of the faults that `emeth verify` finds, the page finds all that need no rules of a game."""

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.log.digests import GENESIS, canonical_bytes, chain_digest
from domain.log.sealed_events import SealedEvent, seal
from domain.match import Terms
from domain.registry import GAMES
from projections.views.replay.page import Inclusion
from services.client import Client
from services.main import Service
from services.proof.match_file import attest
from services.proof.signing import Signer
from services.proof.tap_evidence import is_evidence, lost_taps_line
from tests.domain.conftest import MatchBuilder
from tests.domain.kernel.test_chance_docs import DISPLACING, LIVES, ROLLED, over
from tests.projections.views.replay.checks import Case, Result, Shown, fails, run
from tests.services.proof import test_exported_taps as taps
from tests.services.proof.mutations import MALLORY, change_json, forge, mutate_bytes, mutate_lines
from tests.services.proof.test_exported_taps import PlayedByTaps
from tests.services.proof.test_match_file import checked, file_of, hostile
from tests.services.proof.test_mutated_files import Mutation, tapped, written
from tests.services.proof.test_recorded_matches import FILES

played = taps.played
WHOLE, CHANGED, MISSING, SIGNED = "The file", "The events", "Their order", "The signature"
LOGGED, TAPPED, DRAWN, SHOWN = "The log", "The taps", "Dice and cards", "This page"
EACH = 40


def one(raw: bytes, **fields: Any) -> list[Result]:
    """What is found in one file."""
    (found,) = run([Case(raw, **fields)])
    return found


def findings_of(results: list[Result], name: str) -> list[tuple[int, str]]:
    """What one check found."""
    (check,) = [each for each in results if each.name == name]
    return [(each.version, each.why) for each in check.findings]


def text(results: list[Result], name: str) -> str:
    (check,) = [each for each in results if each.name == name]
    return check.text


# --- sound files ---------------------------------------------------------------------------------


def test_what_earlier_versions_recorded_passes() -> None:
    for file, found in zip(FILES, run(Case(file.read_bytes()) for file in FILES), strict=True):
        assert not fails(found), file.name


@pytest.mark.parametrize("chance", ["entered", "rolled"])
def test_a_match_of_every_game_passes(chance: Any) -> None:
    stories = [
        MatchBuilder(game, 5, Terms(chance=chance)).seat_players().wander(15).end()
        for game in GAMES
    ]
    for story, found in zip(stories, run(Case(file_of(each)) for each in stories), strict=True):
        assert not fails(found), story.match.game
        assert text(found, WHOLE).startswith(f"{len(story.events)} events")


@pytest.mark.parametrize(("game", "options", "kinds"), LIVES)
def test_every_draw_of_a_finished_match_is_made_again(
    game: str, options: dict[str, Any], kinds: set[str]
) -> None:
    stories = []
    for seed in range(3):
        story = MatchBuilder(game, seed, ROLLED, options).play(60).seat_players().play(40)
        story.take_back(story.random.randint(1, story.match.version - 1))
        stories.append(over(story.play(20)))
    all_drawn = 0
    for story, found in zip(stories, run(Case(file_of(each)) for each in stories), strict=True):
        drawn = sum(getattr(each.event, "draw", None) is not None for each in story.events)
        entered = any(getattr(each.event, "entry", False) for each in story.events)
        none = (
            "The service drew nothing" if entered else "Nothing in this match was left to chance."
        )
        due = f"{drawn} of {drawn} draws are" if drawn else none
        assert text(found, DRAWN).startswith(due), findings_of(found, DRAWN)
        all_drawn += drawn
    assert bool(all_drawn) == bool(kinds)


def test_a_random_displacement_is_rolled_again() -> None:
    stories = []
    for seed in range(12):
        story = MatchBuilder(
            "golem-arcana", seed, ROLLED, {"scenario": "proving-ground"}, DISPLACING
        )
        attack = story.rules.read_action("attack s1 bone-flail n1")
        stories.append(over(story.play_this(attack)))
    assert any(b'"golem-arcana.die"' in file_of(each) for each in stories)
    for story, found in zip(stories, run(Case(file_of(each)) for each in stories), strict=True):
        drawn = sum(getattr(each.event, "draw", None) is not None for each in story.events)
        assert text(found, DRAWN).startswith(f"{drawn} of {drawn} draws are")


def test_draws_wait_for_a_seed_that_is_not_revealed() -> None:
    story = MatchBuilder("earthen-war", 3, ROLLED).seat_players().play(6)
    (check,) = [each for each in one(file_of(story)) if each.name == DRAWN]
    assert check.state == "open"
    assert "wait for the seed" in check.text


def test_draws_of_a_pack_that_the_page_does_not_have_are_reported_as_unchecked() -> None:
    story = over(MatchBuilder("res-arcana", 3, ROLLED).seat_players().play(6))
    pack = pack_of("res-arcana").encode()
    bodies = [each.body.replace(pack, b"0" * 64) for each in story.events]
    (check,) = [each for each in one(sealed_again(bodies)) if each.name == DRAWN]
    assert check.state == "open"
    assert "not known here" in check.text


def pack_of(game: str) -> str:
    created = json.loads(MatchBuilder(game).events[0].body)
    return str(created["options"]["pack"])


# --- changed files -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {**{game: written(game) for game in GAMES}, "tapped": asyncio.run(tapped())}


def but_the_position(raw: bytes) -> bytes | None:
    """The file with no position in its last line: that takes the rules. None if it has none."""
    head, _, last = raw.removesuffix(b"\n").rpartition(b"\n")
    try:
        end = json.loads(last)
        if not isinstance(end["position"], str):
            return None
        end["position"] = ""
    except (ValueError, TypeError, KeyError):
        return None
    return head + b"\n" + canonical_bytes(end)


@pytest.mark.parametrize("name", [*GAMES, "tapped"])
@pytest.mark.parametrize("mutation", [mutate_bytes, mutate_lines, change_json])
def test_a_file_that_was_changed_in_any_way_fails(
    files: dict[str, bytes], name: str, mutation: Mutation
) -> None:
    raw, random = files[name], Random(name)
    changed = [mutation(raw, random) for _ in range(EACH)]
    for number, (each, found) in enumerate(zip(changed, run(map(Case, changed)), strict=True)):
        untouched = each == raw or but_the_position(each) == but_the_position(raw)
        assert bool(fails(found)) != untouched, number


@pytest.mark.parametrize("name", [*GAMES, "tapped"])
def test_a_forged_file_is_checked_to_the_end_and_never_wrongly_blamed(
    files: dict[str, bytes], name: str
) -> None:
    random = Random(name)
    made = [forge(files[name], random) for _ in range(EACH // 2)]
    for raw, found in zip(made, run(map(Case, made)), strict=True):
        assert not fails(found) or not checked(raw).report.sound, fails(found)


def test_hostile_files_fail() -> None:
    for raw, found in zip(
        made := [*hostile(MatchBuilder("agog"))], run(map(Case, made)), strict=True
    ):
        assert fails(found), raw[:200]


def test_a_changed_event_is_reported_with_its_version() -> None:
    story = MatchBuilder("agog", 4).seat_players().play(6)
    raw = file_of(story)
    lines = raw.splitlines(keepends=True)
    (version, why), *_ = findings_of(one(raw.replace(b"Player white", b"Player Black")), CHANGED)
    assert (version, "the event was changed" in why) == (2, True)
    (version, why), *_ = findings_of(
        one(raw.replace(story.events[4].digest.encode(), b"0" * 64)), CHANGED
    )
    assert (version, "its digest was changed" in why) == (5, True)
    without = one(b"".join(lines[:4] + lines[5:]))
    assert findings_of(without, MISSING)[0][0] == 4
    assert "last line" in findings_of(one(b"".join(lines[:-1])), WHOLE)[0][1]
    assert "cut off" in findings_of(one(raw[:-1]), WHOLE)[0][1]
    assert (
        "line 1"
        in findings_of(one(raw.replace(b'"game":"agog"', b'"game":"agoh"', 1)), WHOLE)[0][1]
    )
    assert "2 lines" in findings_of(one(lines[0] + lines[-1]), WHOLE)[0][1]


def test_an_event_that_was_cut_off_with_the_chain_mended_is_missed_by_the_signature() -> None:
    story = MatchBuilder("agog", 4).seat_players().play(6)
    log: list[SealedEvent[Any]] = []
    for each in story.events[:-2]:
        log.append(seal(log[-1].digest if log else GENESIS, each.event))
    found = one(file_of(story, log))
    assert fails(found) == [SIGNED]
    assert f"event {len(story.events)}" in findings_of(found, SIGNED)[0][1]


def test_a_signature_of_another_key_fails() -> None:
    raw = file_of(MatchBuilder("agog").play(2))
    head, _, last = raw.removesuffix(b"\n").rpartition(b"\n")
    end = json.loads(last)
    named = Signer(bytes(range(1, 33)), "example.org/emeth").key
    for key in (MALLORY.key, named):
        other = head + b"\n" + canonical_bytes(end | {"key": str(key)}) + b"\n"
        assert fails(one(other)) == [SIGNED]


def test_without_ed25519_the_signature_is_reported_as_unchecked_and_all_else_is_checked() -> None:
    without = """const known = crypto.subtle.importKey.bind(crypto.subtle);
    crypto.subtle.importKey = async (form, key, name, ...rest) => {
      if (name === "Ed25519") throw new DOMException("unknown", "NotSupportedError");
      return known(form, key, name, ...rest);
    };"""
    raw = file_of(MatchBuilder("agog").seat_players().play(2))
    sound, changed = run([Case(raw), Case(raw.replace(b"Player white", b"Player Black"))], without)
    states = {each.name: each.state for each in sound}
    assert states[SIGNED] == "open"
    assert set(states.values()) == {"open", "holds", "nothing"}
    assert fails(changed) == [CHANGED]


# --- chance --------------------------------------------------------------------------------------


def sealed_again(bodies: list[bytes]) -> bytes:
    """A file of these events, with all digests and the signature made to fit."""
    log, digest = [], GENESIS
    for body in bodies:
        digest = chain_digest(digest, body)
        log.append(b'{"digest":"%b","event":%b}\n' % (digest.encode(), body))
    first, match = json.loads(bodies[0]), MatchBuilder("agog").match
    match = replace(match, id=first["match"], version=len(bodies), digest=digest)
    header = {key: first[key] for key in ("game", "match")} | {"format": 1, "type": "emeth.match"}
    return canonical_bytes(header) + b"\n" + b"".join(log) + attest(match, MALLORY).line


Draws = list[dict[str, Any]]


def another_side(events: Draws) -> int:
    """White's die fell otherwise."""
    event = next(each for each in events if "draw" in each)
    event["action"]["dice"][0] = event["action"]["dice"][0] % 3 + 1
    return int(event["version"])


def another_number(events: Draws) -> int:
    """A draw was left out: the service rolled again until it liked the die."""
    event = [each for each in events if "draw" in each][-1]
    event["draw"] += 1
    return int(event["version"])


def another_seed(events: Draws) -> int:
    event = next(each for each in events if each["type"] == "match.SeedRevealed")
    event["seed"] = "11" * 32
    return int(event["version"])


def another_share(events: Draws) -> int:
    """A player wrote something else, before the draws that follow."""
    claims = [each for each in events if each["type"] == "match.SeatClaimed"]
    claims[0]["entropy"] = "other"
    return next(int(e["version"]) for e in events if "draw" in e and e["version"] > len(claims) + 2)


@pytest.mark.parametrize("change", [another_side, another_number, another_seed, another_share])
def test_a_draw_that_does_not_follow_from_the_seed_is_reported_even_if_all_is_signed(
    change: Callable[[Draws], int],
) -> None:
    story = over(MatchBuilder("earthen-war", 3, ROLLED).seat_players().play(30))
    events = [json.loads(each.body) for each in story.events]
    assert not fails(one(sealed_again([canonical_bytes(each) for each in events])))
    version = change(events)
    found = one(sealed_again([canonical_bytes(each) for each in events]))
    assert fails(found) == [DRAWN]
    assert version in [each for each, _ in findings_of(found, DRAWN)]


def test_seats_that_were_drawn_are_drawn_again() -> None:
    drawn = msgspec.structs.replace(ROLLED, begins="when-full", seat_order="drawn")
    story = over(MatchBuilder("res-arcana", 3, drawn, {"players": 4}).seat_players().play(4))
    events = [json.loads(each.body) for each in story.events]
    assert not fails(one(sealed_again([canonical_bytes(each) for each in events])))
    began = next(each for each in events if each["type"] == "match.Began")
    first, second, *_ = began["seats"]
    began["seats"][first], began["seats"][second] = began["seats"][second], began["seats"][first]
    found = one(sealed_again([canonical_bytes(each) for each in events]))
    assert began["version"] in [each for each, _ in findings_of(found, DRAWN)]


# --- taps ----------------------------------------------------------------------------------------


async def test_taps_are_proven_and_bear_out_their_action(
    service: Service, client: Client, played: PlayedByTaps
) -> None:
    raw, there = await taps.file_of(client, played), await taps.taps_of(service, played)
    evidence = [line for line in raw.splitlines(keepends=True) if is_evidence(line)]
    gone = lost_taps_line(there[0].table, [tap.version for tap in there])
    sound = [raw, taps.resigned(raw, taps.made_up(*there)), taps.resigned(raw, [gone])]
    for each, found in zip(sound, run(map(Case, sound)), strict=True):
        assert not fails(found), each[-400:]
    assert text(run([Case(raw)])[0], TAPPED).startswith("6 taps of a stylus are in")
    unsound = [
        *(taps.resigned(raw, taps.made_up(*forge(there))) for _, forge, _ in taps.FORGERIES),
        *(taps.resigned(raw, changed) for changed in unproven(evidence)),
        taps.resigned(raw, []),
    ]
    for each, found in zip(unsound, run(map(Case, unsound)), strict=True):
        assert fails(found) == [TAPPED], checked(each).report.findings[0]


def unproven(evidence: list[bytes]) -> list[list[bytes]]:
    """The lines of taps, with one proof spoiled or one line lost or doubled."""
    line = json.loads(evidence[1])
    spoiled = [
        ("index", line["index"] + 1),
        ("previous", "0" * 64),
        ("hashes", line["hashes"][:-1]),
        ("hashes", [line["hashes"][0].upper(), *line["hashes"][1:]]),
    ]
    made = [canonical_bytes(line | {name: value}) + b"\n" for name, value in spoiled]
    return [
        *([evidence[0], each, *evidence[2:]] for each in made),
        evidence[1:],
        [*evidence, evidence[-1]],
    ]


# --- the page ------------------------------------------------------------------------------------


def test_a_page_that_shows_something_else_than_the_file_fails() -> None:
    story = MatchBuilder("agog", 4).seat_players().play(6)
    raw = file_of(story)
    shown = [
        Shown(each.event.version, each.digest, f"{each.event.at:%Y-%m-%d %H:%M:%S} UTC")
        for each in story.events
    ]
    assert not fails(one(raw, shown=shown))
    digest = replace(shown[3], digest="0" * 64)
    later = replace(shown[3], at="2027-01-01 00:00:00 UTC")
    for other in (
        [*shown[:3], digest, *shown[4:]],
        [*shown[:3], later, *shown[4:]],
        [*shown[:3], *shown[4:]],
    ):
        found = one(raw, shown=other)
        assert (fails(found), findings_of(found, SHOWN)[0][0]) == ([SHOWN], 4)
    extra = replace(shown[-1], version=len(shown) + 1)
    for other, version in ((shown[:-1], len(shown)), ([*shown, extra], len(shown) + 1)):
        assert findings_of(one(raw, shown=other), SHOWN) != []
        assert findings_of(one(raw, shown=other), SHOWN)[0][0] == version


async def test_the_last_event_is_proven_to_be_in_the_log(
    client: Client, played: PlayedByTaps
) -> None:
    raw = await taps.file_of(client, played)
    version = raw.count(b'\n{"digest":')
    for _ in range(3):  # so that there is a tree
        await client.create_match(game="agog")
    proof = await client.inclusion(played.match, version)
    key = (await client.get_checkpoint()).verifier_key
    whole = Inclusion(key, proof.proof)
    assert not fails(one(raw, proof=whole))
    earlier = (await client.inclusion(played.match, version - 1)).proof
    lines = proof.proof.split("\n")
    size = lines[lines.index("") + 2]
    for text_ in (
        earlier,
        proof.proof.replace(f"index {proof.log_index}", f"index {proof.log_index - 1}"),
        proof.proof.replace(f"\n{size}\n", f"\n{int(size) + 1}\n"),
        "\n".join([*lines[:2], *lines[3:]]),
    ):
        assert text_ != proof.proof
        assert fails(one(raw, proof=Inclusion(key, text_))) == [LOGGED]
    assert fails(one(raw, proof=Inclusion(str(MALLORY.key), proof.proof))) == [LOGGED]
