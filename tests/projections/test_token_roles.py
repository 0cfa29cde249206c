"""Whose a token is, of a match as the read models have it."""

from typing import Any

from domain.match import role_of
from projections import board_views


def _role(connection: Any, match: Any, key: str) -> str | None:
    found = board_views.present(connection, match.id)
    return role_of(found.match, key) if found else None


def test_an_invitation_stands_for_its_role_until_the_seat_is_claimed(
    playing: Any, caught_up: Any
) -> None:
    match = playing().claim("white", "Ada")
    with caught_up(match) as connection:
        roles = {
            key: _role(connection, match, match.key(key))
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
        assert _role(connection, match, match.key("Ada")) is None
        assert _role(connection, match, match.key("white")) == "white"


def test_a_token_of_one_match_is_worth_nothing_in_another(playing: Any, caught_up: Any) -> None:
    one, other = playing(), playing()
    with caught_up(one, other) as connection:
        assert _role(connection, one, other.key("white")) is None
