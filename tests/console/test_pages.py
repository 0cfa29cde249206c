"""What the pages receive, keep and show: no secrets, every state by its address, for everybody."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.registry import GAMES
from tests.console.conftest import PHONE, WEB, ConsoleService, Open, StartedMatch, wait_until
from tests.console.table import HEARING, choose, part

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def cards_of(match: StartedMatch, served: ConsoleService, viewer: str, zone: str) -> set[str]:
    """The ids of the cards of a zone that the viewer can tell."""
    scene = served.call("ViewsService/GetView", {"matchId": match.id}, match.tokens[viewer])
    return {each["id"] for each in scene["view"]["scene"]["pieces"] if each["where"] == zone}


def test_a_page_is_sent_nothing_of_the_other_seats_secrets(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("res-arcana")
    page = open_page(match.link("north"), script=HEARING)
    expect(page.locator(".turn")).to_have_text("Your turn")
    for seat in ("east", "north"):
        match.submit(seat, match.actions(seat)[0]["notation"])
    expect(page.locator(".events li").last).to_contain_text(str(match.now["version"]))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".explanation")).to_be_visible()
    heard = page.evaluate("window.heard.join('')") + page.content()
    own = cards_of(match, served, "north", "north-hand")
    theirs = cards_of(match, served, "east", "east-hand")
    assert len(theirs) == 3
    assert all(card in heard for card in own)
    assert not [card for card in theirs if card in heard]


def test_pages_continue_when_the_service_was_killed_and_started_again(
    served: ConsoleService, open_page: Open, complaints: list[str]
) -> None:
    match = served.create("agog")
    white, watching = (open_page(match.link(role)) for role in ("white", "spectator"))
    action = match.actions("white")[0]
    choose(white, action)
    served.kill()
    for page in (white, watching):
        expect(page.locator(".trouble").first).to_contain_text("Connection lost")
    # What was confirmed meanwhile is sent again until somebody answers, and recorded once.
    white.locator("#confirm").click()
    served.start()
    end = part(watching, "piece", f"unit-{action['spaces'][-1]}")
    expect(end).to_be_attached()
    for page in (white, watching):
        expect(page.locator(".events li")).to_have_count(2)
        expect(page.locator(".trouble")).to_have_count(0)
    assert match.taken() == [action["notation"]]
    # That nobody answered is the browser's own complaint.
    complaints[:] = [each for each in complaints if "net::ERR_" not in each]


def test_every_moment_has_an_address_that_leads_back_to_it(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    for seat, action in (("white", "a6-b6"), ("black", "h3-g3"), ("white", "f1-g1")):
        match.submit(seat, action)
    page = open_page(match.link("spectator"))
    expect(page.locator(".events li")).to_have_count(4)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"at=2$"))
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    expect(part(page, "piece", "unit-h3")).to_be_attached()
    expect(page.locator(".explanation")).to_contain_text("golem goes from a6 to b6")
    expect(page.locator(".explanation")).to_contain_text("Without a capture")
    page.reload()
    expect(page.locator(".events [aria-current]")).to_contain_text("a6 to b6")
    expect(part(page, "piece", "unit-h3")).to_be_attached()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(r"match=[0-9a-f-]+(&as=\w+)?$"))
    expect(part(page, "piece", "unit-g3")).to_be_attached()


def test_a_token_leaves_the_address_and_is_sent_in_none(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    token = match.tokens["white"]
    page = open_page("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(match.link("white"))
    expect(page.locator(".turn")).to_have_text("Your turn")
    assert token not in page.url
    # The fragment is the browser's alone; the address as the page was asked for has it, as typed.
    assert not [url for url in asked if token in url.partition("#")[0]]
    page.goto(f"{served.url}/?match={match.id}")
    expect(page.locator(".turn")).to_have_text("Your turn")


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_each_game_is_made_by_its_form(
    game: str, served: ConsoleService, open_page: Open
) -> None:
    page = open_page(served.url)
    page.locator(".games a").nth(list(GAMES).index(game)).click()
    page.get_by_label("Title").fill("By hand")
    for box in page.locator(".options input[type=checkbox]").all()[:1]:
        box.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("emeth-drawing #place > svg")).to_be_visible()
    expect(page.locator("h1")).to_have_text("By hand")
    expect(page.locator(".turn")).to_have_text("Your turn")
    page.get_by_role("link", name="Emeth").click()
    expect(page.locator(".matches").first).to_contain_text("By hand")


def test_a_seat_is_taken_by_a_link(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    host = open_page(match.link(*match.tokens))
    host.get_by_role("button", name="Share").click()
    link = host.locator('[data-link="Seat link: Black"]').input_value()
    guest = open_page(link)
    guest.get_by_role("button", name="Take seat").click()
    guest.get_by_label("Your name").fill("Bob")
    guest.locator(".sit .main").click()
    expect(guest.locator(".seats")).to_contain_text("Bob, you")
    expect(host.locator(".seats")).to_contain_text("Bob")
    # The new token is the only one for the seat, and this browser has it.
    match.submit("white", "a6-b6")
    expect(guest.locator(".turn")).to_have_text("Your turn")


def test_a_private_match_is_not_shown_to_strangers(
    served: ConsoleService, open_page: Open, complaints: list[str]
) -> None:
    match = served.create("agog", title="Among ourselves")
    page = open_page(f"{served.url}/?match={match.id}")
    expect(page.locator(".trouble")).to_contain_text("Match not found, or private")
    expect(page.locator("body")).not_to_contain_text("Among ourselves")
    # That an answer was an error is the browser's own complaint.
    complaints[:] = [each for each in complaints if "status of 404" not in each]


@pytest.mark.parametrize("visibility", ["VISIBILITY_PUBLIC", "VISIBILITY_UNLISTED"])
def test_a_match_that_is_not_private_is_watched_without_a_token(
    visibility: str, served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog", visibility=visibility)
    page = open_page(f"{served.url}/?match={match.id}")
    match.submit("white", "a6-b6")
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    expect(page.locator(".choice, #resign")).to_have_count(0)


def test_kinds_of_actions_are_called_as_people_call_them(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(served.create("tokars-arcana").link("south"))
    kinds = page.locator(".verbs button")
    expect(kinds.filter(has_text="Walk off")).to_be_visible()
    expect(kinds.filter(has_text="Offer a draw")).to_have_count(1)
    kinds.filter(has_text="Walk off").click()
    expect(page.locator(".actions li").first).to_contain_text("walks off the board and dies")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(scheme: str, served: ConsoleService, open_page: Open) -> None:
    match = served.create("tokars-arcana")
    match.submit("south", match.actions("south")[1]["notation"])
    page = open_page(served.url, color_scheme=scheme)
    expect(page.locator(".matches a").first).to_be_visible()
    assert serious(page) == []
    page.goto(match.link("north"))
    expect(page.locator(".turn")).to_have_text("Your turn")
    page.get_by_role("button", name="Share").click()
    assert serious(page) == []
    page.set_viewport_size(PHONE)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".explanation")).to_be_visible()
    assert serious(page) == []


def serious(page: Page) -> list[Any]:
    """What axe finds that keeps people out, or makes it hard for them."""
    page.evaluate((WEB / "node_modules/axe-core/axe.min.js").read_text())
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]][:3])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def test_a_page_with_a_script_of_its_own_is_not_served(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(served.url)
    policy = page.evaluate(
        "fetch('/').then(answer => answer.headers.get('content-security-policy'))"
    )
    assert "'unsafe-inline'" not in policy
    assert "default-src 'none'" in policy
    assert page.locator("script:not([src]), [style]").count() == 0
    wait_until(lambda: page.locator(".games a").count() == len(GAMES))
