"""How armies stand and one Region closely, over the API, each as its viewer may see it."""

from xml.etree import ElementTree

import pytest

from services.client import Client, ServiceError

GOLEM = "golem-arcana"


async def test_each_side_is_described_with_its_units_and_their_abilities(client: Client) -> None:
    made = await client.create_match(game=GOLEM)
    identity, tokens = made.match.match_id, made.tokens
    south = await client.join_match(tokens["south"], identity, "south", "Ada")
    moved = await client.submit(south.token, identity, "move s1 walk c2")
    present = moved.accepted.version
    status = await client.view(
        tokens["spectator"], identity, "army_status", at_least_version=present
    )
    assert status.version == present
    assert [(side.seat, side.player) for side in status.army_status.sides] == [
        ("south", "Ada"),
        ("north", ""),
    ]
    lion = status.army_status.sides[0].units[0]
    assert (lion.id, lion.name, lion.where) == ("s1", "Sand Lion", "c2")
    assert [(track.name, track.value, track.most) for track in lion.tracks] == [
        ("Hit Points", 50, 50)
    ]
    walk = next(row for row in lion.rows if row.id == "s1.walk")
    assert dict(walk.attributes) == {"AP": "2", "pips": "1"}
    begun = await client.view(
        tokens["spectator"], identity, "army_status", version=1, army_seat="south"
    )
    assert [side.seat for side in begun.army_status.sides] == ["south"]
    assert begun.army_status.sides[0].units[0].where == "a1"


async def test_a_secret_quest_is_shown_to_its_seat_and_the_referee_only(client: Client) -> None:
    made = await client.create_match(game=GOLEM, options={"scenario": "night-of-embers"})
    identity, tokens = made.match.match_id, made.tokens
    for _ in range(2):
        answer = await client.submit(tokens["referee"], identity, "hide 1")
        assert answer.WhichOneof("outcome") == "accepted", answer
    present = answer.accepted.version  # the quests are dealt at once, by the service

    async def quests(role: str, viewer: str = "") -> list[str]:
        status = await client.view(
            tokens[role], identity, "army_status", viewer=viewer, at_least_version=present
        )
        return [
            row.name
            for side in status.army_status.sides
            for row in side.rows
            if row.kind == "quest"
        ]

    souths, norths = await quests("referee")
    assert {souths, norths} < {"Mark the stones", "Break a giant", "Hoard"}
    assert await quests("south") == [souths, "secret"]
    assert await quests("north") == ["secret", norths]
    assert await quests("spectator") == ["secret", "secret"]
    assert await quests("south", "spectator") == ["secret", "secret"]
    assert await quests("referee", "north") == ["secret", norths]
    with pytest.raises(ServiceError, match="may not view the match as north"):
        await quests("south", "north")


async def test_a_game_whose_sides_have_no_armies_has_no_status(client: Client) -> None:
    made = await client.create_match(game="agog")
    shown = await client.view(made.tokens["white"], made.match.match_id, "army_status")
    assert not shown.HasField("army_status")


async def test_status_needs_a_token_a_seat_and_a_version_that_there_are(client: Client) -> None:
    made = await client.create_match(game=GOLEM)
    identity, token = made.match.match_id, made.tokens["spectator"]
    for call, reason in (
        (client.view("", identity, "army_status"), "TOKEN_MISSING"),
        (client.view(token, identity, "army_status", army_seat="west"), "SEAT_INVALID"),
        (client.view(token, identity, "army_status", version=9), "VERSION_OUT_OF_RANGE"),
    ):
        with pytest.raises(ServiceError) as caught:
            await call
        assert caught.value.reason == reason


async def test_one_space_is_shown_with_everything_on_it(client: Client) -> None:
    made = await client.create_match(game=GOLEM)
    token, identity = made.tokens["spectator"], made.match.match_id
    close = await client.view(token, identity, "scene", focus="a1")
    assert [space.id for space in close.scene.spaces] == ["a1"]
    assert [zone.piece for zone in close.scene.zones] == ["s1"]
    assert [track.id for track in close.scene.tracks] == ["hp-s1"]
    assert {"Walk", "Hamstring", "Bite"} == {
        piece.name for piece in close.scene.pieces if piece.where == "card-s1"
    }
    text = (await client.view(token, identity, "text", focus="a1")).text
    assert text.startswith("a1")
    for expected in ("South's Sand Lion s1", "50 of 50", "Hamstring"):
        assert expected in text
    assert "Prism Archer" not in text
    drawn = await client.view(token, identity, "svg", focus="a1")
    root = ElementTree.fromstring(drawn.svg)  # noqa: S314  it is our own
    whole = await client.view(token, identity, "svg")
    assert len(drawn.svg) < len(whole.svg)
    pieces = {each.get("data-piece", "") for each in root.iter()} - {""}
    assert "s1" in pieces
    assert not any(piece.startswith("n") for piece in pieces)


async def test_a_space_that_is_not_there_is_malformed(client: Client) -> None:
    made = await client.create_match(game="agog")
    for focus in ("z9", "supply", "x" * 200):
        with pytest.raises(ServiceError) as caught:
            await client.view(made.tokens["white"], made.match.match_id, "text", focus=focus)
        assert [*caught.value.violations] == ["focus"]
    seen = await client.view(made.tokens["white"], made.match.match_id, "text", focus="a6")
    assert seen.text.startswith("a6")
