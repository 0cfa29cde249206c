"""Which match a command is about, and as whom."""

import click
import pytest

from services.cli.access import MatchAccess
from services.cli.keyring import KeyringEntry
from services.client import Client
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from tests.services.cli.conftest import Emeth
from tests.services.conftest import create_match

TOKENS = {"white": "w", "black": "b", "referee": "r", "spectator": "s"}
MATCH = "11111111-1111-4111-8111-111111111111"
RING = KeyringEntry("agog", TOKENS)
GIVEN = "t"


def test_one_looks_as_the_seat_that_was_claimed_or_as_a_spectator() -> None:
    assert MatchAccess(MATCH, RING).viewing() == "s"
    assert (
        MatchAccess(MATCH, KeyringEntry("agog", TOKENS, held={"black": "mine"})).viewing() == "mine"
    )


def test_a_role_or_a_token_that_is_given_comes_first() -> None:
    assert MatchAccess(MATCH, RING, role="referee").viewing() == "r"
    assert MatchAccess(MATCH, RING, role="referee", token=GIVEN).viewing() == GIVEN
    assert MatchAccess(MATCH, RING, token=GIVEN).token_of("white") == GIVEN


def test_a_role_without_a_token_is_refused_with_the_available_roles() -> None:
    with pytest.raises(click.UsageError, match="for south, only for white, black, referee"):
        MatchAccess(MATCH, RING, role="south").viewing()


async def test_one_acts_as_the_seat_that_is_asked(client: Client) -> None:
    match = await create_match(client)
    access = MatchAccess(match.id, KeyringEntry("agog", match.tokens, version=1))
    assert await access.acting(client) == match.tokens["white"]
    await client.submit(match.tokens["white"], match.id, "a6-b6")
    access = MatchAccess(match.id, KeyringEntry("agog", match.tokens, version=2))
    assert await access.acting(client) == match.tokens["black"]


async def test_where_several_seats_are_asked_one_is_to_be_named(client: Client) -> None:
    match = await create_match(
        client, "res-arcana", options={"hand": "choose"}, chance=CHANCE_ROLLED
    )
    access = MatchAccess(match.id, KeyringEntry("res-arcana", match.tokens, version=1))
    with pytest.raises(click.UsageError, match="cannot tell which seat acts"):
        await access.acting(client)


def test_score_notation_is_distinguished_from_machine_notation_where_a_game_has_both() -> None:
    assert MatchAccess(MATCH, RING).is_score_notation("ab6")
    assert not MatchAccess(MATCH, RING).is_score_notation("a6-b6")
    assert not MatchAccess(MATCH, KeyringEntry("earthen-war", TOKENS)).is_score_notation("anything")


def test_a_whole_id_with_a_token_needs_nothing_remembered(emeth: Emeth) -> None:
    result = emeth("show", "--match", MATCH, "--token", "t")
    assert "no service answers" in result.output  # it went as far as to ask
    result = emeth("show", "--match", MATCH[:8], "--token", "t")
    assert result.exit_code == 2
