"""A stylus on screen plays by taps: on the drawing, and on its Control Card."""

import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

from tests.console.conftest import DESKTOP, PHONE, ConsoleService, Open, StartedMatch, wait_until
from tests.console.test_other_pages import settled_and_open


def sat(page: Page) -> None:
    """Open a table with this match on it, and a stylus for all seats."""
    page.get_by_label("Name").fill("Corner table")
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("button", name="Use stylus for this match").click()
    expect(page.locator("emeth-still svg")).to_be_visible()


def opened(
    served: ConsoleService, open_page: Open, match: StartedMatch, size: dict[str, int]
) -> Page:
    page = open_page(match.link(*match.tokens), size)
    expect(page.locator("emeth-drawing svg")).to_be_visible()
    page.goto(f"{served.url}/?page=table&match={match.id}")
    sat(page)
    return page


def tapped(page: Page, kind: str, identity: str) -> None:
    thing = page.locator(f'emeth-still svg [data-{kind}="{identity}"]').first
    for _ in range(10):
        with suppress(Error):  # the drawing was replaced under the pointer
            thing.click(force=True)
            return
    raise AssertionError(f"{identity} cannot be tapped")


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_a_stylus_on_screen_plays_by_taps(
    scheme: str, size: dict[str, int], served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    page = opened(served, open_page, match, size)
    tapped(page, "piece", "unit-a6")
    expect(page.locator(".stylus-screen")).to_contain_text("Picked: piece unit-a6")
    tapped(page, "space", "b6")
    expect(page.locator(".armed")).to_contain_text("a6 to b6")
    settled_and_open(page, "table", size)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".stylus-screen")).to_contain_text("moves from a6 to b6")
    assert match.taken() == ["a6-b6"]
    # The log has the taps behind it.
    event = match.events()[-1]
    assert len(event["details"]["taps"].split()) == 3
    # What cannot be done is refused in words.
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".stylus-screen .trouble")).to_be_visible()
    page.get_by_text("Match card").click()
    page.get_by_role("button", name="Request takeback").click()
    expect(page.locator(".armed")).to_be_visible()


def test_dice_are_typed_on_the_control_card(served: ConsoleService, open_page: Open) -> None:
    match = served.create("earthen-war", chance="CHANCE_ENTERED")
    page = opened(served, open_page, match, DESKTOP)
    entry = match.actions(match.asked())[3]
    digits = [sign for sign in entry["notation"] if sign.isdigit()]
    assert digits
    for digit in digits:
        page.get_by_role("button", name=digit, exact=True).click()
    expect(page.locator(".armed")).to_be_visible()
    page.get_by_role("button", name="Confirm").click()
    wait_until(lambda: len(match.taken()) == 1)
    assert [sign for sign in match.taken()[0] if sign.isdigit()] == digits


def test_taps_made_without_a_line_are_recorded_once(
    served: ConsoleService, open_page: Open, complaints: list[str]
) -> None:
    match = served.create("agog")
    page = opened(served, open_page, match, DESKTOP)
    served.kill()
    expect(page.locator(".trouble")).to_contain_text("Connection lost")
    tapped(page, "piece", "unit-a6")
    tapped(page, "space", "b6")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".stylus-screen")).to_contain_text("3 on the way")
    served.start()
    expect(page.locator(".stylus-screen")).not_to_contain_text("on the way")
    wait_until(lambda: match.taken() == ["a6-b6"])
    complaints[:] = [each for each in complaints if "net::ERR_" not in each]


def test_taps_on_their_way_are_not_lost_by_a_reload(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    page = opened(served, open_page, match, DESKTOP)
    held: list[Any] = []
    page.route("**/*GatewaysService/Send", lambda route: held.append(route))
    tapped(page, "piece", "unit-a6")
    tapped(page, "space", "b6")
    page.get_by_role("button", name="Confirm").click()
    kept = "Object.values(sessionStorage).map(text => JSON.parse(text).taps.length)"
    wait_until(lambda: page.evaluate(kept) == [3])
    assert len(held) == 1
    assert match.taken() == []
    page.unroute("**/*GatewaysService/Send")
    page.reload()
    wait_until(lambda: match.taken() == ["a6-b6"])
    wait_until(lambda: page.evaluate("sessionStorage.length") == 0)


def test_another_screen_has_a_stylus_of_its_own(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    page = opened(served, open_page, match, DESKTOP)
    page.get_by_text("Another screen").click()
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Link for another screen")
    wait_until(lambda: "#gateway=" in link.input_value())
    other = open_page(match.link("black"))
    expect(other.locator("emeth-drawing svg")).to_be_visible()
    other.goto(link.input_value())
    expect(other).not_to_have_url(re.compile("#"))
    other.get_by_label("Stylus plays").select_option(value="black")
    other.get_by_role("button", name="Use stylus for this match").click()
    # A match that is played with another gateway's stylus stays: this one sits down beside it.
    expect(other.locator("emeth-still svg")).to_be_visible()
    tapped(page, "piece", "unit-a6")
    tapped(page, "space", "b6")
    page.get_by_role("button", name="Confirm").click()
    expect(other.locator(".stylus-screen")).to_contain_text("Black to move")
    tapped(other, "piece", "unit-g4")
    expect(other.locator(".stylus-screen")).to_contain_text("unit-g4")
