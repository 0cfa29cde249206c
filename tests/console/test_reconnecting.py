"""Pages report that the service is away, and continue automatically when it is back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import ConsoleService, Open

AWAY = "Connection lost. Reconnecting..."


@pytest.fixture(autouse=True)
def unreached(open_page: Open, complaints: list[str]) -> Iterator[None]:
    """That nobody answered is the browser's own complaint."""
    yield
    own = ("net::ERR_", "dynamically imported module")
    complaints[:] = [each for each in complaints if not any(word in each for word in own)]


def notice(page: Page, words: str = AWAY) -> None:
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()


def gone(page: Page) -> None:
    expect(page.get_by_text(AWAY)).to_have_count(0)


def test_the_lobby_shows_that_the_service_is_away_and_lists_what_is_new_when_it_is_back(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(served.url)
    expect(page.locator(".games a").first).to_be_visible()
    gone(page)
    served.kill()
    notice(page)
    # It begins before the page has its line again.
    page.route("**/emeth.v1.**", lambda route: route.abort())
    served.start()
    match = served.create("agog", title="A new one", visibility="VISIBILITY_PUBLIC")
    page.unroute("**/emeth.v1.**")
    gone(page)
    expect(page.locator(f'a[href*="{match.id}"]')).to_be_visible()


def test_what_a_page_asks_for_while_nobody_answers_comes_when_the_service_is_back(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(f"{served.url}/?page=statistics")
    games = page.get_by_role("navigation").get_by_role("link")
    expect(games.first).to_be_visible()
    served.kill()
    games.filter(has_text="Res Arcana").click()
    notice(page)
    served.start()
    gone(page)
    expect(games.filter(has_text="Res Arcana")).to_have_attribute("aria-current", "page")
    expect(page.locator(".trouble")).to_have_count(0)


def test_a_page_that_was_opened_while_the_service_was_away_is_there_when_it_is_back(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(served.url)
    expect(page.locator(".games a").first).to_be_visible()
    served.kill()
    page.get_by_role("link", name="Rules", exact=True).click()
    notice(page)
    expect(page.get_by_text("Not found")).to_have_count(0)
    served.start()
    gone(page)
    expect(page.locator(".rules li").first).to_be_visible()
    expect(page).to_have_url(re.compile("page=rules"))


def test_a_page_that_rests_learns_of_it_from_another_of_the_same_browser(
    served: ConsoleService, open_page: Open
) -> None:
    lobby = open_page(served.url)
    rules = lobby.context.new_page()
    rules.goto(f"{served.url}/?page=rules")
    expect(rules.locator(".rules li").first).to_be_visible()
    served.kill()
    notice(lobby)
    notice(rules)
    served.start()
    gone(lobby)
    gone(rules)


def test_a_match_that_is_begun_meanwhile_starts_once_when_the_service_is_back(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(f"{served.url}/?new=agog")
    page.get_by_label("Title").fill("Begun meanwhile")
    served.kill()
    begin = page.get_by_role("button", name="Play", exact=True)
    begin.click()
    notice(page)
    expect(begin).to_be_disabled()
    served.start()
    expect(page.locator("h1")).to_have_text("Begun meanwhile")
    gone(page)
    page.goto(served.url)
    expect(page.get_by_text("Begun meanwhile")).to_have_count(1)


def test_an_unsent_request_is_reported_until_the_service_is_back(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(f"{served.url}/?page=table")
    page.get_by_label("Name").fill("Corner table")
    served.kill()
    page.get_by_role("button", name="Create table").click()
    notice(page)
    expect(page.locator(".trouble")).to_have_text("the service cannot be reached")
    served.start()
    gone(page)
    expect(page.locator(".trouble")).to_have_count(0)
    page.get_by_role("button", name="Create table").click()
    expect(page.locator("h1")).to_have_text("Corner table")
