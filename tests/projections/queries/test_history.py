"""What happened, in pages, filtered and searched, as one viewer may know it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from projections.queries import history
from projections.queries.history import HistoryQuery
from projections.views.transitions import Transition
from projections.views.viewer_events import render_event


def all_pages(connection: Any, match: Any, viewer: str, size: int, wanted: Any = None) -> list[Any]:
    events: list[Any] = []
    page = history.history_page(connection, match.id, viewer, size, 0, wanted)
    while True:
        assert len(page.events) <= size
        events += page.events
        if page.next is None:
            return events
        page = history.history_page(connection, match.id, viewer, size, page.next, wanted)


@pytest.mark.parametrize("size", [1, 7, 16, 42, 43, 44, 500])
def test_the_pages_together_are_the_whole_history(playing: Any, caught_up: Any, size: int) -> None:
    match = playing().claim("white", "Ada").play(30).leave("white").play(10, seed=3)
    expected = [
        render_event(Transition(before, sealed, after), "black")
        for before, sealed, after in zip(
            [None, *match.states], match.events, match.states, strict=False
        )
    ]
    with caught_up(match) as connection:
        assert all_pages(connection, match, "black", size) == expected


@pytest.mark.parametrize("size", [1, 5, 100])
def test_a_filter_leaves_what_fits_and_nothing_else(
    playing: Any, caught_up: Any, size: int
) -> None:
    match = playing().claim("white", "Ada").claim("black", "Ben").play(50)
    with caught_up(match) as connection:
        every = all_pages(connection, match, "white", 500)
        by_seat = all_pages(connection, match, "white", size, HistoryQuery(seat="black"))
        claims = all_pages(connection, match, "white", size, HistoryQuery(kind="match.SeatClaimed"))
        captures = all_pages(
            connection, match, "white", size, HistoryQuery(kind="agog.unit-captured")
        )
    assert by_seat == [event for event in every if event.seat == "black"]
    assert [event.player for event in claims] == ["Ada", "Ben"]
    assert captures == [
        event for event in every if any(f.kind == "agog.unit-captured" for f in event.facts)
    ]
    assert captures


def test_words_are_found_in_any_form(playing: Any, caught_up: Any) -> None:
    match = playing().claim("white", "Åda Lovelace").play(40)
    with caught_up(match) as connection:
        (claimed,) = all_pages(
            connection, match, "black", 50, HistoryQuery(text="ada LOVELACE seats")
        )
        captures = all_pages(connection, match, "black", 50, HistoryQuery(text="captured golems"))
        rule = all_pages(connection, match, "black", 50, HistoryQuery(text="agog.move.step"))
        second = match.match.rules.write_action(match.events[3].event.action)
        by_notation = all_pages(connection, match, "black", 50, HistoryQuery(text=second))
    assert claimed.kind == "match.SeatClaimed"
    assert captures
    assert all("captures" in event.sentence for event in captures)
    assert rule
    for event in rule:
        assert "agog.move.step" in [cited for ruling in event.rulings for cited in ruling.rules]
    assert 4 in [event.version for event in by_notation]


def test_a_page_looks_at_a_bounded_part_of_a_long_match(
    playing: Any, caught_up: Any, whispers: str
) -> None:
    match = playing(whispers)
    for _ in range(history.MAX_SCANNED_EVENTS + 40):
        match.claim("north", "Ada").leave("north")
    with caught_up(match) as connection:
        page = history.history_page(
            connection, match.id, "north", 10, query=HistoryQuery(text="created")
        )
        assert (page.events, page.next) == ((), history.MAX_SCANNED_EVENTS)
        assert (
            len(all_pages(connection, match, "north", 10, HistoryQuery(text="leaves")))
            == len(match.events) // 2
        )


@pytest.mark.parametrize("text", ["gold", "whisper gold", "north whispered gold"])
def test_a_search_finds_only_what_its_viewer_may_know(
    playing: Any, caught_up: Any, whispers: str, text: str
) -> None:
    match = playing(whispers).act("north", "whisper gold").act("south", "whisper salt")
    with caught_up(match) as connection:
        found = {
            viewer: len(all_pages(connection, match, viewer, 10, HistoryQuery(text=text)))
            for viewer in ("north", "referee", "south", "spectator")
        }
    assert found == {"north": 1, "referee": 1, "south": 0, "spectator": 0}


def test_no_page_and_no_record_shows_what_was_whispered_to_another(
    playing: Any, caught_up: Any, whispers: str
) -> None:
    match = playing(whispers).act("north", "whisper gold").act("south", "whisper salt")
    with caught_up(match) as connection:
        for viewer, hidden in (("north", "salt"), ("south", "gold"), ("spectator", "gold")):
            assert hidden not in repr(all_pages(connection, match, viewer, 10))
            assert hidden not in history.game_record(connection, match.id, viewer).text
        assert history.game_record(connection, match.id, "referee").text == (
            "whisper gold\nwhisper salt\n"
        )


def test_the_record_is_in_the_notation_of_the_rulebook(playing: Any, caught_up: Any) -> None:
    match = playing().claim("white", "Ada").play(25)
    rules = match.match.rules
    actions = [sealed.event.action for sealed in match.events[2:]]
    with caught_up(match) as connection:
        record = history.game_record(connection, match.id, "spectator")
        nothing = history.game_record(connection, playing().id, "spectator")
    assert record.text == rules.score.record(match.states[0].position, actions)
    assert record.version == len(match.events)
    assert (nothing.text, nothing.version) == ("", 0)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=30) | st.sampled_from(['"', "NEAR(a b)", "text:*", "a OR", "-", "\0"]))
def test_no_text_is_a_query_that_fails(match_in_file: Any, text: str) -> None:
    connection, match = match_in_file
    page = history.history_page(connection, match.id, "white", 5, query=HistoryQuery(text=text))
    assert len(page.events) <= 5


@pytest.fixture
def match_in_file(playing: Any, caught_up: Any) -> Any:
    match = playing().play(3)
    with caught_up(match) as connection:
        yield connection, match


def test_events_are_filtered_by_the_rule_that_they_cite(playing: Any, caught_up: Any) -> None:
    match = playing().claim("white", "Ada").play(20)
    with caught_up(match) as connection:
        every = all_pages(connection, match, "white", 500)
        found = all_pages(connection, match, "white", 3, HistoryQuery(rule="agog.move.step"))
    assert found == [
        event for event in every if any("agog.move.step" in each.rules for each in event.rulings)
    ]
    assert found
