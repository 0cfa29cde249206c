"""Finding matches: filters, orders, pages."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from domain.match import Terms
from projections.projector.runner import ProjectionRunner
from projections.queries import match_list
from projections.queries.full_text import fold_case
from projections.queries.match_list import MatchFilter, MatchOrder
from projections.queries.read_files import ReadModels
from projections.views.board_views import MatchRow
from tests.hypothesis_settings import example_settings

TITLES = ("", "Final", "Semi-final", "final 100%_\"'", "Ürgroßvater", "Ada vs Ben", "é")
PLAYERS = ("Ada", "Ｂen Großer", 'O\'Hara "x"')


def a_match(playing: Any, number: int) -> Any:
    """Matches with all sorts of titles, players and ends."""
    title, terms = TITLES[number % len(TITLES)], Terms(pause=number % 7 == 2)
    match = playing(title=title, minute=number, terms=terms)
    if number % 2:
        match.claim("white", PLAYERS[number % 3])
    if number % 5 < 2:
        match.claim("black", PLAYERS[number % 4 % 3])
    if number % 14 == 1:
        match.leave("white")
    match.play(number % 4)
    if number % 3 == 0:
        match.act("white", "resign white")
    if number % 7 in (1, 2):
        match.dispute("black", 1)
    return match


@pytest.fixture(scope="module")
def thirty(
    tmp_path_factory: Any, playing: Any, open_log: Any, settled: Any
) -> Iterator[tuple[Any, Any]]:
    """A connection to a lobby, and all of its matches, the latest created first."""
    folder: Path = tmp_path_factory.mktemp("lobby")
    with ExitStack() as opened:
        log = open_log(folder / "log.sqlite")
        opened.callback(log.close)
        models = ReadModels(folder / "reads")
        opened.callback(models.close)
        matches = [a_match(playing, number) for number in range(30)]
        for match in matches:
            log.write(match.events[0])
        for match in reversed(matches):  # so that the order of change is not that of creation
            if len(match.events) > 1:
                log.write(*match.events[1:])
        with ProjectionRunner(log.recorder, models, log.mapper) as follower:
            settled(follower)
        connection = opened.enter_context(models.reading())
        listed = match_list.match_page(connection, MatchFilter(), MatchOrder.CREATED, 100).matches
        assert [each.match for each in listed] == [match.match for match in reversed(matches)]
        yield connection, listed


def fits(each: MatchRow, wanted: MatchFilter) -> bool:
    match = each.match
    players = [holder.player for holder in match.holders.values()]
    return (
        wanted.game in ("", match.game)
        and wanted.status in (None, match.status)
        and (
            not wanted.player
            or any(fold_case(wanted.player) in fold_case(each) for each in players)
        )
        and wanted.open_seat in (None, len(match.holders) < len(match.seats))
        and fold_case(wanted.title) in fold_case(match.title)
    )


def all_pages(connection: Any, wanted: MatchFilter, order: MatchOrder, size: int) -> list[MatchRow]:
    page = match_list.match_page(connection, wanted, order, size)
    found = list(page.matches)
    while page.next is not None:
        assert len(page.matches) == size
        page = match_list.match_page(connection, wanted, order, size, page.next)
        found += page.matches
    return found


parts = st.sampled_from(TITLES).flatmap(
    lambda title: st.tuples(st.integers(0, 5), st.integers(0, 8)).map(
        lambda cut: title[cut[0] : cut[0] + cut[1]]
    )
)
filters = st.builds(
    MatchFilter,
    game=st.sampled_from(["", "agog", "chess"]),
    status=st.sampled_from([None, "active", "paused", "over"]),
    player=st.sampled_from(
        ["", *PLAYERS, "Nobody", "ada", "AD", "A", "ben", "GROSS", "d\0", "OR", '"x']
    )
    | st.text(max_size=4),
    open_seat=st.sampled_from([None, True, False]),
    title=parts | parts.map(str.upper) | st.text(max_size=4),
)


@example_settings(150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(wanted=filters, order=st.sampled_from(MatchOrder), size=st.integers(1, 40))
def test_the_pages_together_are_all_matches_that_fit_in_order(
    thirty: tuple[Any, tuple[MatchRow, ...]], wanted: MatchFilter, order: MatchOrder, size: int
) -> None:
    connection, every = thirty
    found = all_pages(connection, wanted, order, size)
    fitting = [each for each in every if fits(each, wanted)]
    if order is MatchOrder.CREATED:
        assert found == fitting
    else:
        assert sorted(found, key=every.index) == fitting
        with_all = all_pages(connection, MatchFilter(), order, 100)
        assert [each for each in with_all if each in found] == found


def test_in_order_of_change_the_latest_changed_comes_first(
    playing: Any, log: Any, caught_up: Any
) -> None:
    first, second = playing(title="first"), playing(title="second")
    log.write(first.events[0])
    log.write(second.events[0])
    first.claim("white", "Ada")
    log.write(first.events[1])
    with caught_up() as connection:
        by_change = match_list.match_page(connection, MatchFilter(), MatchOrder.UPDATED, 10).matches
        by_creation = match_list.match_page(
            connection, MatchFilter(), MatchOrder.CREATED, 10
        ).matches
    assert [each.match.title for each in by_change] == ["first", "second"]
    assert [each.match.title for each in by_creation] == ["second", "first"]


def test_a_match_that_changes_between_two_pages_is_not_listed_twice(
    playing: Any, log: Any, models: Any, follower: Any
) -> None:
    matches = [playing(title=str(number)) for number in range(6)]
    for match in matches:
        log.write(*match.events)
    assert follower.wait_for(matches[-1].id, 1, 30)
    with models.reading() as connection:
        first = match_list.match_page(connection, MatchFilter(), MatchOrder.UPDATED, 3)
    moved = matches[1].claim("white", "Ada")
    log.write(moved.events[-1])
    assert follower.wait_for(moved.id, 2, 30)
    with models.reading() as connection:
        second = match_list.match_page(connection, MatchFilter(), MatchOrder.UPDATED, 3, first.next)
    titles = [each.match.title for page in (first, second) for each in page.matches]
    assert titles == ["5", "4", "3", "2", "0"]


def test_a_player_is_found_by_part_of_the_name_while_the_seat_is_theirs(
    playing: Any, log: Any, caught_up: Any
) -> None:
    match = playing().claim("white", "Ｊürgen Großmann").claim("black", "Jü")
    left = playing().claim("white", "Jürgen Großmann").leave("white")
    log.write(*match.events, *left.events)
    with caught_up() as connection:

        def found(part: str) -> int:
            wanted = MatchFilter(player=part)
            page = match_list.match_page(connection, wanted, MatchOrder.CREATED, 10)
            return len(page.matches)

        parts = ("jürgen", "GROSSMANN", "n g", "J", "ju\u0308rgen", "jurgen", "Jürgen  ")
        assert [found(part) for part in parts] == [1, 1, 1, 1, 1, 0, 0]


def test_few_names_are_looked_at_for_a_player(playing: Any, log: Any, caught_up: Any) -> None:
    log.write(*playing().claim("white", "Ada").events)
    with caught_up() as connection:
        asked: list[str] = []
        connection.set_trace_callback(asked.append)
        match_list.match_page(connection, MatchFilter(player="Ada"), MatchOrder.CREATED, 10)
        connection.set_trace_callback(None)
        (query,) = [each for each in asked if "players" in each]
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
    assert any("VIRTUAL TABLE INDEX" in step for step in plan), plan
    assert not any(step.startswith(("SCAN players", "SCAN seats")) for step in plan), plan
