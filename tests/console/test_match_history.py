"""Stepping through a match: the slider, what was undone, why, and what can be made of a moment."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from services.cli.recorded_games import read_recorded
from tests.console.conftest import DESKTOP, PHONE, ConsoleService, Open, StartedMatch, wait_until
from tests.console.table import part, point, stands_on
from tests.console.test_pages import serious

LONG = 180_000
"""Milliseconds in which a bot has looked at a few events, on a machine that is busy."""

LINE = (("white", "a6-b6"), ("black", "h3-g3"), ("white", "b6-c6"))


def played(served: ConsoleService, **terms: object) -> StartedMatch:
    match = served.create("agog", undoPolicy="UNDO_POLICY_FREE", **terms)
    for seat, notation in LINE:
        match.submit(seat, notation)
    return match


def opened(match: StartedMatch, open_page: Open, *roles: str) -> Page:
    page = open_page(match.link(*roles))
    expect(page.locator(".events li")).to_have_count(match.now["version"])
    return page


def test_a_slider_scrubs_through_the_match(served: ConsoleService, open_page: Open) -> None:
    page = opened(played(served), open_page, "spectator")
    slider = page.get_by_role("slider", name="Event")
    slider.fill("2")
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    expect(part(page, "piece", "unit-h3")).to_be_attached()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("2 of 4: .*a6 to b6"))
    expect(page).to_have_url(re.compile("at=2$"))
    slider.press("ArrowRight")
    expect(part(page, "piece", "unit-g3")).to_be_attached()
    page.get_by_role("button", name="Latest event").click()
    expect(part(page, "piece", "unit-c6")).to_be_attached()


def test_one_goes_back_from_a_moment_and_on_again_from_what_was_undone(
    served: ConsoleService, open_page: Open
) -> None:
    match = played(served)
    page = opened(match, open_page, "white")
    page.locator(".events li button").nth(2).click()
    page.get_by_role("button", name="Request takeback to here").click()
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    expect(page.locator(".events li.undone")).to_have_count(1)
    expect(page.locator(".branches summary").first).to_have_text("1 undone branch")
    expect(page.locator("emeth-history path.undo")).to_have_count(1)
    page.locator(".branches li li button", has_text="b6 to c6").click()
    expect(part(page, "piece", "unit-c6")).to_be_attached()
    expect(page.locator(".where")).to_contain_text("which was undone")
    page.get_by_role("button", name="Redo to here").click()
    expect(page.locator(".where")).to_have_count(0)
    expect(part(page, "piece", "unit-c6")).to_be_attached()
    expect(page.locator(".turn")).to_have_text("Waiting for Black")
    assert match.now["version"] == 6


def test_who_looks_elsewhere_before_the_answer_comes_is_not_called_back(
    served: ConsoleService, open_page: Open
) -> None:
    page = opened(played(served), open_page, "white")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/*PlayService/CreateProposal", lambda route: held.append((route, route.fetch())))
    page.locator(".events li button").nth(2).click()
    page.get_by_role("button", name="Request takeback to here").click()
    # The stream reports it first.
    page.locator(".branches li li button", has_text="b6 to c6").click()
    expect(page.locator(".where")).to_contain_text("which was undone")
    # The page's own wait: only a page that is waited for hands its requests on.
    wait_until(lambda: page.wait_for_timeout(20) or bool(held))
    ((route, answer),) = held
    with page.expect_response("**/*PlayService/CreateProposal"):
        route.fulfill(response=answer)
    expect(page.get_by_role("button", name="Redo to here")).to_be_enabled()
    expect(page).to_have_url(re.compile("at=4$"))


def test_an_event_is_explained_with_the_board_before_and_after_it(
    served: ConsoleService, open_page: Open
) -> None:
    page = opened(played(served), open_page, "spectator")
    page.locator(".events li button").nth(1).click()
    why = page.locator(".explanation")
    expect(why).to_contain_text("White's golem goes from a6 to b6")
    why.get_by_role("button", name="Before").click()
    expect(part(page, "piece", "unit-a6")).to_be_attached()
    expect(why).to_contain_text("Event 2")
    why.get_by_role("button", name="After").click()
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    why.get_by_text(re.compile("^[0-9]+ rules?$")).click()
    expect(why.locator("dt").first).to_be_visible()


def test_a_moment_is_analysed_in_a_match_of_ones_own(
    served: ConsoleService, open_page: Open
) -> None:
    match = played(served)
    page = opened(match, open_page, "white")
    page.locator(".events li button").nth(1).click()
    page.get_by_role("button", name="Analyze").click()
    expect(page.locator("h1")).to_have_text("Analysis: A.G.O.G.")
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    expect(part(page, "piece", "unit-h3")).to_be_attached()
    expect(page).not_to_have_url(re.compile(match.id))
    assert match.now["version"] == 4


def test_a_link_leads_to_a_moment(served: ConsoleService, open_page: Open) -> None:
    page = opened(played(served), open_page, "spectator")
    page.locator(".events li button").nth(1).click()
    page.get_by_role("button", name="Share event 2").click()
    link = page.locator('[data-link="Spectator link"]').input_value()
    other = open_page(link)
    expect(part(other, "piece", "unit-b6")).to_be_attached()
    expect(other.locator(".events [aria-current]")).to_contain_text("a6 to b6")


BLUNDERED = (
    ("south", "f1-a1 brew a2"),
    ("north", "e10 wind h9"),
    ("south", "b1xa2"),
    ("north", "e10 wind b9"),
)
"""After which North has given much away."""


@pytest.mark.timeout(600)  # twice as long as a bot may take, and more
def test_a_match_that_is_over_is_looked_through_for_mistakes(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("tokars-arcana")
    for seat, notation in BLUNDERED:
        match.submit(seat, notation)
    page = opened(match, open_page, "spectator")
    look = page.get_by_role("button", name="Find mistakes")
    expect(look).to_have_count(0)  # nobody is helped before it is over
    request = {"requestId": str(uuid4()), "matchId": match.id, "resignation": True}
    served.call("PlayService/SubmitAction", request, match.tokens["south"])
    look.click()
    chances = page.locator(".chances")
    expect(chances.locator("progress")).to_be_visible()
    # A click on what was found leads there, and so does one on the graph.
    chances.get_by_role("button", name="5 North: blunder").click(timeout=LONG)
    expect(page).to_have_url(re.compile("at=5$"))
    expect(chances.locator(".blunder")).not_to_have_count(0)
    expect(chances).to_contain_text("Blunder.")
    expect(chances).to_contain_text("Better: ")
    expect(chances.locator("progress")).to_have_count(0, timeout=LONG)
    expect(look).to_have_count(0)
    # On a phone the page scrolls, and nothing within it.
    expect(page.locator(".explanation")).to_be_attached()
    page.set_viewport_size(PHONE)
    inner = "each => [each.scrollHeight, each.clientHeight]"
    for part_of_page in (page.locator(".explanation"), chances):
        whole, seen = part_of_page.evaluate(inner)
        assert whole <= seen + 1
    page.set_viewport_size(DESKTOP)
    chances.locator(".graph").click(position={"x": 2, "y": 20})
    expect(page).to_have_url(re.compile("at=1$"))
    expect(chances).to_contain_text("Win probability: South")
    page.keyboard.press("End")
    expect(chances).to_contain_text("South 0 %, North 100 %")
    assert not serious(page)


def test_a_phone_has_room_for_all_of_it(served: ConsoleService, open_page: Open) -> None:
    match = played(served)
    page = open_page(match.link(*match.tokens), PHONE, has_touch=True, is_mobile=True)
    page.locator(".events li button").nth(1).tap()
    expect(page.locator(".explanation")).to_be_attached()
    for button in ("Analyze", "Share", "Match pages"):
        box = page.locator(".page-head").get_by_text(button, exact=False).first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE["width"], button
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    last = page.get_by_role("button", name="Latest event").bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= PHONE["height"]


SHIFTS = """
  window.shift = 0;
  new PerformanceObserver(list => {
    for (const each of list.getEntries()) window.shift += each.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


def test_nothing_on_the_page_jumps_while_others_play(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("tokars-arcana")
    for role in ("spectator", match.asked()):
        page = open_page(match.link(role), script=SHIFTS)
        expect(page.locator("emeth-drawing svg")).to_be_visible()
        expect(page.locator(".events li")).to_have_count(match.now["version"])
        before = page.evaluate("window.shift")
        for _ in range(4):
            seat = match.asked()
            match.submit(seat, match.actions(seat)[0]["notation"])
            expect(page.locator(".events li")).to_have_count(match.now["version"])
        assert page.evaluate("window.shift") == before
        assert before < 0.1  # what there is to see when the page opens hardly moves either


def test_the_board_has_the_same_size_however_much_lies_below_it(
    served: ConsoleService, open_page: Open
) -> None:
    recorded = read_recorded("golem-arcana")
    match = served.create("golem-arcana", options=recorded.options, chance="CHANCE_ENTERED")
    for seat, action in recorded.actions:
        match.submit(match.actor(seat), action)
    page = open_page(match.link("spectator"))
    sizes, pages = set(), set()
    expect(part(page, "space", "a1")).to_be_attached()
    for version in range(1, match.now["version"] + 1, 12):
        page.get_by_role("slider", name="Event").fill(str(version))
        page.wait_for_timeout(300)
        box = part(page, "space", "a1").bounding_box()
        assert box is not None
        sizes.add(round(box["width"]))
        pages.add(page.locator("emeth-drawing svg").first.get_attribute("viewBox"))
    assert len(pages) > 3
    assert len(sizes) == 1


def below(page: Page, upper: str, lower: str) -> bool:
    """Is the one space drawn above the other?"""
    boxes = [part(page, "space", space).bounding_box() for space in (upper, lower)]
    return boxes[0] is not None and boxes[1] is not None and boxes[0]["y"] < boxes[1]["y"]


def test_each_player_sees_their_own_side_below_and_may_turn_the_board(
    served: ConsoleService, open_page: Open
) -> None:
    match = played(served)
    white, page = (opened(match, open_page, role) for role in ("white", "black"))
    expect(part(page, "piece", "unit-c6")).to_be_attached()
    expect(part(white, "piece", "unit-c6")).to_be_attached()
    wait_until(lambda: below(white, "h8", "a1"))
    wait_until(lambda: below(page, "a1", "h8"))
    # Keys go by what is seen, and so do moves by dragging.
    part(page, "piece", "unit-h8").focus()
    page.keyboard.press("ArrowUp")
    expect(part(page, "piece", "unit-h7")).to_be_focused()
    part(page, "piece", "unit-g3").drag_to(part(page, "space", "g2"))
    page.locator("#confirm").click()
    expect(part(page, "piece", "unit-g2")).to_be_attached()

    page.get_by_role("button", name="Flip board").click()
    expect(page.locator("emeth-board")).to_have_attribute("turned", "")
    wait_until(lambda: below(page, "h8", "a1"))
    part(page, "piece", "unit-h8").focus()
    page.keyboard.press("ArrowDown")
    expect(part(page, "piece", "unit-h7")).to_be_focused()
    # The past is turned too, and the browser remembers it.
    page.get_by_role("slider", name="Event").fill("2")
    expect(part(page, "piece", "unit-h3")).to_be_attached()
    wait_until(lambda: below(page, "h8", "a1"))
    page.reload()
    expect(page.locator("emeth-board")).to_have_attribute("turned", "")
    wait_until(lambda: part(page, "space", "a1").count() == 1 and below(page, "h8", "a1"))
    page.keyboard.press("f")
    wait_until(lambda: below(page, "a1", "h8"))
    expect(page.locator("emeth-board")).not_to_have_attribute("turned", "")


def deployed_to_the_east(served: ConsoleService) -> StartedMatch:
    """A battle of three armies in which the East is to deploy its own."""
    match = served.create("golem-arcana", options={"scenario": "three-banners"})
    while (seat := match.asked()) != "east":
        match.submit(seat, match.actions(seat)[0]["notation"])
    return match


def test_a_viewer_in_the_east_sees_the_board_turned_by_a_quarter(
    served: ConsoleService, open_page: Open
) -> None:
    match = deployed_to_the_east(served)
    page = open_page(match.link("east"), PHONE, has_touch=True, is_mobile=True)
    expect(part(page, "space", "i6")).to_be_attached()
    assert below(page, "a1", "i1")
    assert left_of(page, "a1", "a6")
    # What is tapped is what is seen, and so is where a piece is dragged to.
    first, second = [
        piece for piece in ("unit-e1", "unit-e2") if part(page, "piece", piece).count()
    ]
    point(page, "piece", first, touch=True)
    point(page, "space", "h2", touch=True)
    expect(page.locator(".preview .chosen")).to_contain_text("deploys in h2")
    page.locator("#confirm").tap()
    wait_until(lambda: where(match, first) == "h2")

    page.set_viewport_size(DESKTOP)
    wait_until(lambda: stands_on(page, first, "h2"))
    part(page, "piece", second).drag_to(part(page, "space", "i5"))
    expect(page.locator(".preview .chosen")).to_contain_text("deploys in i5")
    page.locator("#confirm").click()
    wait_until(lambda: where(match, second) == "i5")
    wait_until(lambda: stands_on(page, second, "i5"))

    # Keys go by what is seen: from h2, h3 is to the right, and i2 below.
    part(page, "piece", first).focus()
    for key, there in (("ArrowRight", "h3"), ("ArrowDown", "i3"), ("ArrowLeft", "i2")):
        page.keyboard.press(key)
        expect(part(page, "space", there)).to_be_focused()

    page.keyboard.press("f")
    wait_until(lambda: below(page, "i1", "a1"))
    assert left_of(page, "a6", "a1")


def left_of(page: Page, first: str, second: str) -> bool:
    """Is the one space drawn to the left of the other?"""
    boxes = [part(page, "space", space).bounding_box() for space in (first, second)]
    return boxes[0] is not None and boxes[1] is not None and boxes[0]["x"] < boxes[1]["x"]


def where(match: StartedMatch, piece: str) -> str:
    """Where a piece stands or lies."""
    pieces = match.scene("referee")["pieces"]
    return next(str(each["where"]) for each in pieces if each["id"] == piece)
