"""Matches that are made of others: forks and transcripts, over gRPC."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from domain.registry import ENTRIES, GAMES
from services.client import Client, ServiceError, new_request
from services.wire.emeth.v1 import matches_pb2
from tests.services.conftest import (
    OPENING,
    CreatedMatch,
    Table,
    advance,
    create_match,
    match_state,
    newest_version,
    play,
    position,
    refusal,
)

ROOT = Path(__file__).parents[3]


async def test_a_fork_continues_from_any_version_and_leaves_its_origin_alone(
    client: Client,
) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    await client.undo(match.tokens["referee"], match.id, 2)
    before = await client.list_events(match.tokens["referee"], match.id, at_least_version=6)
    for version in (1, 3, 5, 6):
        made = await client.fork_match(match.tokens["black"], match.id, version, "Another try")
        fork = CreatedMatch(made.match.match_id, dict(made.tokens))
        assert await position(client, fork) == await position(client, match, version)
        assert (made.match.fork_origin.match_id, made.match.fork_origin.version) == (
            match.id,
            version,
        )
        assert made.tokens.keys() == match.tokens.keys()
        assert not {*made.tokens.values()} & {*match.tokens.values()}
        assert made.match.title == "Another try"
    await play(client, fork, ("black", "h3-g3"))
    assert await client.list_events(match.tokens["referee"], match.id) == before


async def test_a_match_and_its_forks_know_each_other(client: Client) -> None:
    match = await create_match(client)
    made = [await client.fork_match(match.tokens["white"], match.id) for _ in range(3)]
    for each in made:
        public = await client.update_match(
            each.tokens["referee"],
            match={"match_id": each.match.match_id, "visibility": matches_pb2.VISIBILITY_PUBLIC},
        )
        await client.match(each.match.match_id, public.version)
    assert (await match_state(client, match)).fork_count == 3
    listed = await client.list_matches_page(filter=f"forked_from = {match.id}")
    assert {each.match_id for each in listed.matches} == {each.match.match_id for each in made}


async def test_repeating_a_fork_gives_the_same_match_and_tokens(client: Client) -> None:
    match = await create_match(client)
    request = new_request()
    first = await client.fork_match(match.tokens["white"], match.id, request_id=request)
    await play(client, match, *OPENING)
    assert await client.fork_match(match.tokens["white"], match.id, request_id=request) == first
    other = client.fork_match(match.tokens["white"], match.id, 2, request_id=request)
    assert await refusal(other) == "REQUEST_ID_REUSED"


async def test_a_fork_takes_a_seat_or_the_referee(client: Client, table: Table) -> None:
    assert await refusal(client.fork_match(table.spectator, table.id)) == "ROLE_NOT_ALLOWED"
    assert await refusal(client.fork_match(table.white, table.id, 99)) == "VERSION_OUT_OF_RANGE"
    assert (await client.fork_match(table.referee, table.id)).tokens


async def test_a_fork_rolls_its_own_dice(client: Client, earthen: CreatedMatch) -> None:
    made = await client.fork_match(earthen.tokens["referee"], earthen.id, 1)
    assert made.match.commitment != (await match_state(client, earthen)).commitment
    assert made.match.chance == matches_pb2.CHANCE_ROLLED
    await advance(client, CreatedMatch(made.match.match_id, dict(made.tokens)), 5)


# --- transcripts ----------------------------------------------------------------------------------


async def retold(client: Client, match: CreatedMatch) -> tuple[str, CreatedMatch]:
    version = await newest_version(client, match)
    transcript = await client.transcript(match.tokens["referee"], match.id, version)
    made = await client.import_transcript(transcript=transcript.text)
    return transcript.text, CreatedMatch(made.match.match_id, dict(made.tokens))


async def positions(client: Client, match: CreatedMatch) -> list[str]:
    """Those along the line, each once."""
    version = await newest_version(client, match)
    await client.view(match.tokens["referee"], match.id, at_least_version=version)
    shown = client.replay(match.tokens["referee"], match.id, line_only=True)
    found = [watched.view.position async for watched in shown]
    return [one for one, next_ in zip(found, [*found[1:], ""], strict=True) if one != next_]


async def test_a_transcript_is_read_back_into_the_same_positions(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    await client.undo(match.tokens["referee"], match.id, 3)
    await play(client, match, ("white", "f1-f2"))
    text, again = await retold(client, match)
    moves = [line for line in text.split("\n\n", 1)[1].splitlines() if "golem" not in line]
    assert moves == [
        "1. white ab6",
        "2. black hg3",
        "{undone: white g1}",
        "{undone: black 8c7}",
        "{The match goes on from version 3.}",
        "3. white 1f2",
        "",
        "*",
    ]
    assert "1. white ab6\n{White's golem moves from a6 to b6.}\n" in text
    assert await positions(client, again) == await positions(client, match)


async def test_a_transcript_shows_rolls_which_are_entered_when_it_is_read_back(
    client: Client, earthen: CreatedMatch
) -> None:
    text, again = await retold(client, earthen)
    assert "{draw 1 of the service}" in text
    assert await positions(client, again) == await positions(client, earthen)
    assert (await match_state(client, again)).chance == matches_pb2.CHANCE_ENTERED


async def test_a_transcript_shows_how_the_match_ended(
    client: Client, earthen: CreatedMatch
) -> None:
    one, other = (earthen.tokens[seat.name] for seat in (await match_state(client, earthen)).seats)
    await client.create_proposal(one, earthen.id, draw={})
    await client.answer(other, earthen.id, accepted=False)
    await client.submit_action(one, earthen.id, resignation=True)
    text, again = await retold(client, earthen)
    assert "(offers a draw)" in text
    assert "(declines the draw)" in text
    assert "(resigns)" in text
    ended, imported = [await client.match(each.id) for each in (earthen, again)]
    assert imported.result == ended.result
    assert imported.HasField("result")


async def test_reading_a_transcript_again_gives_the_same_match(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    transcript = await client.transcript(match.tokens["referee"], match.id, 5)
    request = new_request()
    first = await client.import_transcript(transcript=transcript.text, request_id=request)
    assert await client.import_transcript(transcript=transcript.text, request_id=request) == first
    shorter = "\n".join(each for each in transcript.text.split("\n") if each[:2] != "4.")
    assert (
        await refusal(client.import_transcript(transcript=shorter, request_id=request))
        == "REQUEST_ID_REUSED"
    )


WRONG = {
    "no transcript at all": "hello",
    "an unknown game": '[Emeth "1"]\n[Game "chess"]\n\n*\n',
    "an unknown form": '[Emeth "9"]\n[Game "agog"]\n\n*\n',
    "no result": '[Emeth "1"]\n[Game "agog"]\n\n1. white ab6\n',
    "a wrong result": '[Emeth "1"]\n[Game "agog"]\n\n1. white ab6\n1-0\n',
    "an illegal action": '[Emeth "1"]\n[Game "agog"]\n\n1. white a6-a8\n*\n',
    "a wrong number": '[Emeth "1"]\n[Game "agog"]\n\n2. white ab6\n*\n',
    "an unknown seat": '[Emeth "1"]\n[Game "agog"]\n\n1. north ab6\n*\n',
    "a wrong option": '[Emeth "1"]\n[Game "agog"]\n[Option "handicap=99"]\n\n*\n',
    "a wrong start": '[Emeth "1"]\n[Game "agog"]\n[Start "8/8"]\n\n*\n',
    "an unknown visibility": '[Emeth "1"]\n[Game "agog"]\n[Visibility "loud"]\n\n*\n',
    "an unknown stand-in": '[Emeth "1"]\n[Game "agog"]\n[StandIn "black"]\n\n*\n',
    "a wrong policy": '[Emeth "1"]\n[Game "agog"]\n[Undo "always"]\n\n*\n',
    "something hidden": '[Emeth "1"]\n[Game "agog"]\n[Viewer "white"]\n\n*\n',
    "a draw in a game without": '[Emeth "1"]\n[Game "agog"]\n\n1. white (accepts the draw)\n*\n',
    "a broken correction": '[Emeth "1"]\n[Game "agog"]\n\n1. referee (corrects) {"facts":[]}\n*\n',
    "a header that is no text": '[Emeth "1"]\n[Game "\\q"]\n\n*\n',
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
async def test_what_cannot_be_read_is_refused_by_the_line(client: Client, text: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.import_transcript(transcript=text)
    assert refused.value.reason == "TRANSCRIPT_INVALID"
    assert refused.value.message.startswith("line ")
    assert int(refused.value.metadata["line"]) >= 1


async def test_the_example_on_the_page_can_be_read(client: Client) -> None:
    page = (ROOT / "docs" / "transcripts.md").read_text()
    (example,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    made = await client.import_transcript(transcript=example)
    match = CreatedMatch(made.match.match_id, dict(made.tokens))
    assert made.match.title == "Sunday"
    transcript = await client.transcript(match.tokens["referee"], match.id, made.match.version)
    numbered = r"(?m)^[0-9]+\. .*"
    assert re.findall(numbered, transcript.text) == re.findall(numbered, example)


# --- where something is hidden --------------------------------------------------------------------


@pytest.fixture
def secretive(monkeypatch: pytest.MonkeyPatch) -> None:
    """A.G.O.G., as if something were hidden in it from everybody but the referee."""
    hidden = replace(GAMES["agog"], redact=lambda action, viewer: action)
    monkeypatch.setitem(ENTRIES, "agog", hidden)


async def test_only_the_referee_forks_a_match_with_secrets_even_when_it_is_over(
    secretive: None, client: Client
) -> None:
    match = await create_match(client)
    assert await refusal(client.fork_match(match.tokens["white"], match.id)) == "ROLE_NOT_ALLOWED"
    assert (await client.fork_match(match.tokens["referee"], match.id)).tokens
    await client.submit_action(match.tokens["white"], match.id, resignation=True)
    assert await refusal(client.fork_match(match.tokens["white"], match.id)) == "ROLE_NOT_ALLOWED"


async def test_a_transcript_with_secrets_left_out_cannot_be_played_again(
    secretive: None, client: Client
) -> None:
    match = await create_match(client)
    transcript = await client.transcript(match.tokens["white"], match.id, 1)
    assert '[Viewer "white"]' in transcript.text
    assert (
        await refusal(client.import_transcript(transcript=transcript.text)) == "TRANSCRIPT_INVALID"
    )
    whole = await client.transcript(match.tokens["referee"], match.id, 1)
    assert (await client.import_transcript(transcript=whole.text)).tokens


async def test_a_correction_is_narrated_and_replayed(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING[:1])
    raised = (
        await client.create_dispute(match.tokens["black"], match.id, 2, "it fell over")
    ).number
    fact = '{"type":"agog.unit-moved","unit":"G","start":"b6","end":"a6"}'
    await client.resolve_dispute(
        match.tokens["referee"], match.id, raised, "so it did", correction={"facts_json": [fact]}
    )
    text, again = await retold(client, match)
    assert "2. referee (corrects) {" in text
    assert await positions(client, again) == await positions(client, match)
