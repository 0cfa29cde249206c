"""A match over gRPC, from creation to result."""

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from domain.conformance.vectors import read_vector
from services.client import Client, ServiceError, new_request
from services.main import Service
from services.wire.emeth.v1 import history_pb2, match_views_pb2, matches_pb2, play_pb2
from tests.services.conftest import OPENING, Table

TOKARS = [
    read_vector(line)
    for line in (Path(__file__).parents[2] / "games/tokars_arcana/vectors.jsonl")
    .read_bytes()
    .splitlines()
]


async def test_creating_a_match_gives_a_token_for_each_role(client: Client) -> None:
    created = await client.create_match(
        game="agog", options={"handicap": 2}, title="Ada against Bob"
    )
    assert created.tokens.keys() == {"white", "black", "referee", "spectator"}
    assert (created.match.version, created.match.title) == (1, "Ada against Bob")
    assert created.match.options["handicap"] == 2


async def test_repeating_a_creation_gives_the_same_match_and_tokens(client: Client) -> None:
    request = new_request()
    first = await client.create_match(game="agog", request_id=request)
    assert await client.create_match(game="agog", request_id=request) == first
    listed = await client.list_matches_page()
    assert len(listed.matches) <= 1


async def test_a_claimed_seat_has_one_token_and_its_invitation_is_worth_nothing(
    client: Client,
) -> None:
    created = await client.create_match(game="agog")
    identity, invitation = created.match.match_id, created.tokens["white"]
    claimed = await client.join_match(invitation, identity, "white", "Ada")
    with pytest.raises(ServiceError) as refused:
        await client.submit(invitation, identity, "a6-b6")
    assert refused.value.reason == "TOKEN_WRONG_MATCH"
    accepted = await client.submit(claimed.token, identity, "a6-b6")
    assert accepted.accepted.version == 3


async def test_repeating_a_claim_gives_the_same_token(client: Client) -> None:
    created = await client.create_match(game="agog")
    identity, invitation, request = created.match.match_id, created.tokens["white"], new_request()
    first = await client.join_match(invitation, identity, "white", "Ada", request_id=request)
    assert (
        await client.join_match(invitation, identity, "white", "Ada", request_id=request) == first
    )
    with pytest.raises(ServiceError) as refused:
        await client.join_match(invitation, identity, "white", "Eve", request_id=request)
    assert refused.value.reason == "REQUEST_ID_REUSED"


async def test_every_reader_sees_all_acknowledged_events(
    client: Client, service: Service, table: Table
) -> None:
    for number, (seat, action) in enumerate(OPENING, 4):
        await client.submit(getattr(table, seat), table.id, action)
        async with Client(service.address) as other:  # it has acted nowhere, and asks for nothing
            assert (await other.view(table.spectator, table.id, "text")).version == number


@pytest.mark.parametrize("spelled", [str.upper, str.title])
async def test_an_id_is_the_same_however_it_is_spelled(
    client: Client, table: Table, spelled: Callable[[str], str]
) -> None:
    request, match = new_request(), table.id
    first = await client.submit(table.white, match, "a6-b6", request_id=request)
    again = await client.submit(table.white, spelled(match), "a6-b6", request_id=spelled(request))
    assert again.accepted.events == first.accepted.events
    with pytest.raises(ServiceError) as refused:
        await client.submit(table.white, match, "b5-c5", request_id=spelled(request))
    assert refused.value.reason == "REQUEST_ID_REUSED"


async def test_a_seat_that_was_left_can_be_claimed_again(client: Client) -> None:
    created = await client.create_match(game="agog")
    identity, invitation = created.match.match_id, created.tokens["white"]
    ada = await client.join_match(invitation, identity, "white", "Ada")
    with pytest.raises(ServiceError) as taken:
        await client.join_match(invitation, identity, "white", "Eve")
    assert taken.value.reason == "SEAT_TAKEN"
    request = new_request()
    left = await client.leave_match(ada.token, identity, "white", request_id=request)
    assert await client.leave_match(ada.token, identity, "white", request_id=request) == left
    eve = await client.join_match(invitation, identity, "white", "Eve")
    with pytest.raises(ServiceError) as foreign:
        await client.submit(ada.token, identity, "a6-b6")
    assert foreign.value.reason == "TOKEN_WRONG_MATCH"
    assert (await client.submit(eve.token, identity, "a6-b6")).HasField("accepted")


async def test_an_accepted_action_says_what_followed(client: Client, table: Table) -> None:
    answer = (await client.submit(table.white, table.id, "a6-b6")).accepted
    (event,) = answer.events
    assert (event.seat, event.player, event.action.notation) == ("white", "Ada", "a6-b6")
    assert event.facts
    assert len(event.digest) == 64
    assert [prompt.seat for prompt in answer.prompts] == ["black"]
    assert event.client == "tests/1"


async def test_a_basic_answer_is_the_version_the_result_and_the_receipt(
    client: Client, table: Table
) -> None:
    request = new_request()
    basic = await client.submit(table.white, table.id, "a6-b6", request_id=request, basic=True)
    fields = {field.name for field, _ in basic.accepted.ListFields()}
    assert fields == {"version", "receipt"}
    full = await client.submit(table.white, table.id, "a6-b6", request_id=request)
    assert (basic.accepted.version, basic.accepted.receipt) == (4, full.accepted.receipt)
    assert full.accepted.events
    resigned = await client._call(
        client._play.SubmitAction,
        play_pb2.SubmitActionRequest(
            request_id=new_request(),
            match_id=table.id,
            resignation=True,
            view=play_pb2.RESPONSE_VIEW_BASIC,
        ),
        table.black,
    )
    assert resigned.accepted.result.winners == ["white"]
    assert not resigned.accepted.events


async def test_an_action_may_be_given_as_the_rulebook_writes_it(
    client: Client, table: Table
) -> None:
    score_notation = (
        (await client.submit(table.white, table.id, "a6-b6", validate_only=True))
        .accepted.events[0]
        .action.score_notation
    )
    answer = await client.submit(table.white, table.id, score_notation, score_notation=True)
    assert answer.accepted.events[0].action.notation == "a6-b6"


async def test_a_forbidden_action_is_an_answer_with_its_rule(client: Client, table: Table) -> None:
    answer = await client.submit(table.white, table.id, "a6-h8")
    assert answer.refused.rule.startswith("agog.")
    assert answer.refused.why
    assert (await client.match(table.id, 3)).version == 3


async def test_a_preview_records_nothing(client: Client, table: Table) -> None:
    preview = (await client.submit(table.white, table.id, "a6-b6", validate_only=True)).accepted
    assert preview.events[0].facts
    submitted = (await client.submit(table.white, table.id, "a6-b6")).accepted
    assert submitted.version == 4
    assert preview.position == submitted.position


async def test_every_listed_action_stands_and_pages_make_up_the_whole(
    client: Client, table: Table
) -> None:
    actions = await client.list_actions(table.white, table.id)
    for action in actions:
        assert (
            await client.submit(table.white, table.id, action.notation, validate_only=True)
        ).HasField("accepted")
    assert await client.list_actions(table.black, table.id) != actions
    assert await client.list_actions(table.referee, table.id, "white") == actions


async def test_a_match_is_played_to_its_result_and_watched(client: Client, table: Table) -> None:
    random = Random(7)
    tokens = {"white": table.white, "black": table.black}
    for seat in cycle(tokens):
        actions = [
            a for a in await client.list_actions(tokens[seat], table.id) if a.verb != "resign"
        ]
        if not actions:
            break
        answer = await client.submit(tokens[seat], table.id, random.choice(actions).notation)
        if answer.accepted.HasField("result"):
            break
    watched = [news async for news in client.watch(table.spectator, table.id, until_over=True)]
    version = answer.accepted.version
    assert [news.event.version for news in watched] == [*range(1, version + 1)]
    assert watched[-1].view.position == answer.accepted.position
    assert watched[-1].view.result == answer.accepted.result
    history = await client.list_events(table.white, table.id, at_least_version=version)
    assert [event.digest for event in history] == [news.event.digest for news in watched]
    over = await client.match(table.id, version)
    assert over.status == matches_pb2.MATCH_STATUS_OVER
    record = await client.score(table.black, table.id, version)
    assert record.version == version
    assert (over.result.score, over.result.reason) == ("1-0", "capture")


async def test_a_match_that_is_given_up_without_an_action_of_the_game_says_so_in_its_record(
    client: Client,
) -> None:
    created = await client.create_match(game="res-arcana")
    identity, tokens = created.match.match_id, created.tokens
    resigned = await client.submit_action(tokens["north"], identity, resignation=True)
    score = resigned.accepted.result.score
    record = (await client.score(tokens["referee"], identity)).text
    assert score == "0-1"
    assert record.splitlines()[-1] == "east:resign"


async def test_resigning_ends_the_match(client: Client, table: Table) -> None:
    request = new_request()
    answer = await client.submit_action(table.black, table.id, request_id=request, resignation=True)
    assert answer.accepted.result.winners == ["white"]
    assert (
        await client.submit_action(table.black, table.id, request_id=request, resignation=True)
        == answer
    )


async def test_a_watcher_sees_events_as_they_come_and_resumes_where_it_was(
    client: Client, table: Table
) -> None:
    stream = client.watch(table.spectator, table.id, "text", after_version=3)
    await client.submit(table.white, table.id, "a6-b6")
    first = await anext(stream)
    assert (first.event.version, first.event.action.notation) == (4, "a6-b6")
    assert "b" in first.view.text
    await client.submit(table.black, table.id, "h3-g3")
    assert (await anext(stream)).event.version == 5
    await stream.aclose()


async def test_a_watcher_whose_seat_is_given_away_sees_no_more(
    client: Client, table: Table
) -> None:
    stream = client.watch(table.white, table.id, after_version=3)
    await client.leave_match(table.white, table.id, "white")
    with pytest.raises(ServiceError) as refused:
        await anext(stream)
    assert refused.value.reason == "TOKEN_WRONG_MATCH"


async def test_a_view_has_the_drawings_that_are_requested_now_and_at_any_version(
    client: Client, table: Table
) -> None:
    accepted = (await client.submit(table.white, table.id, "a6-b6")).accepted
    drawings = {"scene", "text", "svg"}
    for wanted in ({"scene"}, {"text"}, {"svg"}, drawings, set()):
        now = await client.view(table.spectator, table.id, *wanted, at_least_version=4)
        assert {field.name for field, _ in now.ListFields()} & drawings == wanted
        assert (now.version, now.position) == (4, accepted.position)
    begun = await client.view(table.spectator, table.id, version=1)
    assert (begun.version, begun.position) == (
        1,
        (await client.get_game(game="agog")).setup.position,
    )


async def test_each_seat_sees_the_board_from_its_own_side_unless_it_asks(
    client: Client, table: Table
) -> None:
    near, far, across = (
        match_views_pb2.VIEW_FROM_NEAR_SIDE,
        match_views_pb2.VIEW_FROM_UNSPECIFIED,
        match_views_pb2.VIEW_FROM_OPPOSITE,
    )
    for form in ("text", "svg"):
        white = await client.view(table.white, table.id, form)
        black = await client.view(table.black, table.id, form)
        seen = await client.view(table.spectator, table.id, form)
        assert [each.quarter_turns for each in (white, black, seen)] == [0, 2, 0]
        drawn = [each.svg or each.text for each in (white, black, seen)]
        assert drawn[0] == drawn[2] != drawn[1]
        for token, view_from, other in (
            (table.black, near, drawn[0]),
            (table.black, far, drawn[1]),
            (table.black, across, drawn[0]),
            (table.white, across, drawn[1]),
            (table.white, near, drawn[0]),
        ):
            found = await client.view(token, table.id, form, view_from=view_from)
            assert (found.svg or found.text) == other
    # A frontend that draws scenes itself gets the same places.
    white, black = [
        await client.view(token, table.id, "scene") for token in (table.white, table.black)
    ]
    assert white.scene.spaces == black.scene.spaces
    assert (white.quarter_turns, black.quarter_turns) == (0, 2)


async def test_a_viewer_at_the_right_sees_the_board_turned_by_a_quarter(
    client: Client,
) -> None:
    match = await client.create_match(game="golem-arcana", options={"scenario": "three-banners"})
    identity, tokens = match.match.match_id, match.tokens
    opposite = match_views_pb2.VIEW_FROM_OPPOSITE
    drawings = {
        seat: await client.view(tokens[seat], identity, "svg")
        for seat in ("south", "east", "north", "spectator")
    }
    assert {seat: (each.quarter_turns, each.nearest_seat) for seat, each in drawings.items()} == {
        "south": (0, "south"),
        "east": (1, "east"),
        "north": (2, "north"),
        "spectator": (0, "south"),
    }
    assert len({each.svg for each in drawings.values()}) > 2
    across = await client.view(tokens["east"], identity, "svg", view_from=opposite)
    # Nobody plays in the West.
    assert (across.quarter_turns, across.nearest_seat) == (3, "")
    async for event in client.watch(tokens["east"], identity, "svg"):
        assert (event.view.quarter_turns, event.view.nearest_seat) == (1, "east")
        break


async def test_a_side_of_the_board_that_there_is_not_is_refused(
    client: Client, table: Table
) -> None:
    with pytest.raises(ServiceError, match="view_from"):
        await client.view(table.white, table.id, "text", view_from=9)  # type: ignore[arg-type]
    with pytest.raises(ServiceError, match="view_from"):
        await anext(client.watch(table.white, table.id, view_from=9))  # type: ignore[arg-type]


async def test_the_lobby_lists_by_filter_and_in_pages(client: Client) -> None:
    for title in ("first", "second", "third"):
        created = await client.create_match(
            game="agog", title=title, visibility=matches_pb2.VISIBILITY_PUBLIC
        )
    await client.match(created.match.match_id, 1)
    page = await client.list_matches_page(page_size=2)
    assert [match.title for match in page.matches] == ["third", "second"]
    rest = await client.list_matches_page(page_size=2, page_token=page.next_page_token)
    assert [match.title for match in rest.matches] == ["first"]
    assert not rest.next_page_token
    found = await client.list_matches_page(filter="title : SECOND")
    assert [match.title for match in found.matches] == ["second"]


async def test_history_is_searched_by_seat_kind_rule_and_words(
    client: Client, table: Table
) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    await client.submit(table.black, table.id, "h3-g3")

    async def found(wanted: str, order_by: str = "") -> list[int]:
        events = await client.list_events(
            table.spectator, table.id, wanted, order_by, at_least_version=5
        )
        return [event.version for event in events]

    assert await found("seat = white") == [2, 4]
    assert await found("seat = white", "version desc") == [4, 2]
    assert await found("kind = match.ActionTaken") == [4, 5]
    assert await found("rule = agog.setup.board") == [1]
    assert await found("text : b6") == [4]
    assert await found("kind = match.ActionTaken AND seat = black AND text : queen") == []
    assert await found("seat = purple") == []


async def test_history_is_listed_from_its_end_in_pages(client: Client, table: Table) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    await client.submit(table.black, table.id, "h3-g3")
    request = history_pb2.ListEventsRequest(
        match_id=table.id, at_least_version=5, page_size=2, order_by="version desc"
    )
    found = []
    while request.page_token or not found:
        page = await client._call(client._history.ListEvents, request, table.spectator)
        found.append([event.version for event in page.events])
        request.page_token = page.next_page_token
    assert found == [[5, 4], [3, 2], [1]]


async def test_a_check_is_called_out_to_everybody_who_watches(client: Client) -> None:
    """The first 26 steps of a conformance vector, of which the last threatens a general."""
    vector = next(each for each in TOKARS if each.name == "options-004")
    created = await client.create_match(game="tokars-arcana", options=vector.options)
    identity, tokens = created.match.match_id, created.tokens
    for step in vector.steps[:26]:
        answer = await client.submit(tokens[step.by], identity, step.do)
        assert answer.HasField("accepted"), step
    stream = client.watch(tokens["spectator"], identity)
    watched = [await anext(stream) for _ in range(27)]
    await stream.aclose()
    assert [bool(news.view.announcements) for news in watched[1:]] == [
        bool(step.check) for step in vector.steps[:26]
    ]
    scene = await client.view(tokens["north"], identity, "text", at_least_version=27)
    assert scene.announcements == watched[-1].view.announcements


async def test_the_referee_may_repeat_what_it_has_answered_and_is_asked_no_more(
    client: Client,
) -> None:
    """Only who is asked may act, but an answer that was lost on the way is given again."""
    created = await client.create_match(
        game="golem-arcana", options={"scenario": "night-of-embers"}
    )
    token, match = created.tokens["referee"], created.match.match_id
    requests = [new_request(), new_request()]
    answers = [await client.submit(token, match, "hide 1", request_id=each) for each in requests]
    for request, answer in zip(requests, answers, strict=True):
        assert answer.HasField("accepted")
        again = await client.submit(token, match, "hide 1", request_id=request)
        assert again.accepted.events == answer.accepted.events
    with pytest.raises(ServiceError) as refused:
        await client.submit(token, match, "hide 1")
    assert refused.value.reason == "ROLE_NOT_ALLOWED"
