"""The filter grammar of lists."""

from datetime import UTC, datetime

import pytest

from services.api.filters import (
    choice_field,
    flag_field,
    id_field,
    ids_field,
    number_field,
    parse_filter,
    parse_order,
    text_field,
    time_field,
)
from services.runtime.errors import ApiError, Reason

ONE = "123e4567-e89b-42d3-a456-426614174000"
OTHER = "8f14e45f-ceea-4674-a0b6-3c5b0a5a7b11"
FIELDS = {
    "game": choice_field({"agog": "A", "res-arcana": "R"}),
    "title": text_field(":"),
    "seat": text_field(),
    "my_turn": flag_field(),
    "match_id": ids_field(2),
    "player_id": id_field(),
    "version": number_field(1, 1_000),
    "create_time": time_field(),
}
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("   ", {}),
        ("game = agog", {("game", "="): "A"}),
        ('game="res-arcana"', {("game", "="): "R"}),
        ("game != agog", {("game", "!="): "A"}),
        ('title : "sunday AND more"', {("title", ":"): "sunday AND more"}),
        (r'title : "say \"yes\" \\"', {("title", ":"): r'say "yes" \\'.replace(r"\\", "\\")}),
        ("title:sunday", {("title", ":"): "sunday"}),
        ("my_turn = true", {("my_turn", "="): True}),
        ("my_turn = false AND seat = white", {("my_turn", "="): False, ("seat", "="): "white"}),
        (f"player_id = {ONE.upper()}", {("player_id", "="): ONE}),
        (f'match_id : "{ONE}, {OTHER}"', {("match_id", ":"): (ONE, OTHER)}),
        ("version>=2 AND version<9", {("version", ">="): 2, ("version", "<"): 9}),
        ('create_time <= "2026-11-24T12:00:00Z"', {("create_time", "<="): NOON}),
        ('create_time > "2026-11-24T14:00:00+02:00"', {("create_time", ">"): NOON}),
        ('  game = agog\n AND\tseat = "white" ', {("game", "="): "A", ("seat", "="): "white"}),
    ],
)
def test_a_filter_is_read(text: str, found: object) -> None:
    assert parse_filter(text, FIELDS) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("color = red", "there is no field 'color'; the fields are game, title, seat"),
        ("game", "an operator after game is missing, at the end"),
        ("game =", "a value for game is missing, at the end"),
        ("game = agog AND", "a field is missing, at the end"),
        ("game = agog OR seat = white", "comparisons must be joined by AND"),
        ("game = agog seat = white", "comparisons must be joined by AND"),
        ("AND game = agog", "there is no field 'AND'"),
        ("= agog", "a field is missing, not ="),
        ("game = = agog", "a value for game is missing, not ="),
        ("game < agog", "game takes = !=, not <"),
        ("title = sunday", "title takes :, not ="),
        ('title : "sunday', "character 8 is not part of the filter syntax"),
        ("(game = agog)", "character 1 is not part of the filter syntax"),
        ("game = chess", "game: it is one of agog, res-arcana"),
        ('seat = ""', "seat: it has 1 to 200 characters"),
        ("my_turn = yes", "my_turn: it is one of true, false"),
        ("player_id = me", "player_id: it is a UUID"),
        (f'match_id : "{ONE},{ONE},{ONE}"', "match_id: 2 IDs at most, not 3"),
        ("version = 0", "version: it is a whole number from 1 to 1000"),
        ("version = 1.5", "version: it is a whole number"),
        ("create_time > yesterday", "create_time: it is a time"),
        ("seat = white AND seat = black", "seat = is given twice"),
    ],
)
def test_what_is_wrong_with_a_filter_is_said(text: str, why: str) -> None:
    with pytest.raises(ApiError) as refused:
        parse_filter(text, FIELDS)
    assert refused.value.reason is Reason.FIELD_INVALID
    assert refused.value.violations.keys() == {"filter"}
    assert why in refused.value.violations["filter"]


def test_the_first_order_is_the_usual_one_and_others_are_named() -> None:
    orders = {"create_time desc": 1, "update_time desc": 2}
    assert parse_order("", orders) == 1
    assert parse_order(" update_time  desc ", orders) == 2
    with pytest.raises(ApiError) as refused:
        parse_order("title", orders)
    assert "'create_time desc', 'update_time desc'" in refused.value.violations["order_by"]
