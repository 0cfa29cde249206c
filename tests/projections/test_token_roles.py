"""Whose a token is, from the read models."""

from typing import Any

from projections import token_roles


def test_an_invitation_stands_for_its_role_until_the_seat_is_claimed(
    playing: Any, caught_up: Any
) -> None:
    match = playing().claim("white", "Ada")
    with caught_up(match) as connection:
        roles = {
            key: token_roles.role(connection, match.id, match.key(key))
            for key in ("Ada", "white", "black", "referee", "spectator", "stranger")
        }
    assert roles == {
        "Ada": "white",
        "white": None,
        "black": "black",
        "referee": "referee",
        "spectator": "spectator",
        "stranger": None,
    }


def test_a_seat_that_was_left_has_its_invitation_back(playing: Any, caught_up: Any) -> None:
    match = playing().claim("white", "Ada").leave("white")
    with caught_up(match) as connection:
        assert token_roles.role(connection, match.id, match.key("Ada")) is None
        assert token_roles.role(connection, match.id, match.key("white")) == "white"


def test_a_token_of_one_match_is_worth_nothing_in_another(playing: Any, caught_up: Any) -> None:
    one, other = playing(), playing()
    with caught_up(one, other) as connection:
        assert token_roles.role(connection, one.id, other.key("white")) is None
        assert token_roles.role(connection, playing().id, one.key("white")) is None
