"""Clocks tick on the page, and players leave there what they do if others do this or that."""

from playwright.sync_api import expect

from tests.console.conftest import Open, Served, wait_until


def test_clocks_tick_on_the_page(served: Served, open_page: Open) -> None:
    match = served.create("agog", clock={"side": {"ms": "600000"}})
    page = open_page(match.link("black"))
    expect(page.locator("emeth-clocks dt").first).to_have_text("white")
    white, black = page.locator("emeth-clocks dd").all()
    first = white.inner_text()
    wait_until(lambda: white.inner_text() != first)
    assert black.inner_text() == "10:00"


def test_a_page_tells_that_time_is_up(served: Served, open_page: Open) -> None:
    match = served.create("agog", clock={"side": {"ms": "2000"}})
    page = open_page(match.link("black"))
    told = expect(page.locator(".turn"))
    told.to_contain_text("Black has won: White ran out of time")
    expect(page.locator("emeth-clocks dd").first).to_have_text("0:00.0")


def test_a_match_without_clocks_shows_none(served: Served, open_page: Open) -> None:
    page = open_page(served.create("agog").link("white"))
    expect(page.locator(".turn")).to_be_visible()
    assert page.locator("emeth-clocks dl").count() == 0


def test_a_plan_is_left_acts_and_is_told_of(served: Served, open_page: Open) -> None:
    match = served.create("agog")
    page = open_page(match.link("black"))
    page.get_by_text("If they do this, I do that").click()
    text = page.get_by_label("Your plan")
    leave = page.get_by_role("button", name="Leave this plan")
    text.fill("   a6-b6 -> h3-g3")
    leave.click()
    expect(page.locator("emeth-plan [role=alert]")).to_contain_text("Indent by two blanks")
    text.fill("a6-b6 -> h3-g3\n  f1-g1 -> c8-c7")
    leave.click()
    status = page.locator("emeth-plan [role=status]")
    expect(status).to_have_text("It waits.")
    match.submit("white", "a6-b6")
    wait_until(lambda: match.now["version"] == "3")
    match.submit("white", "b6-c6")
    expect(status).to_contain_text("white did what it does not foresee: b6-c6")


def test_nobody_but_a_player_is_shown_a_place_for_plans(served: Served, open_page: Open) -> None:
    page = open_page(served.create("agog").link("spectator"))
    expect(page.locator(".turn")).to_be_visible()
    assert page.locator("emeth-plan details").count() == 0
