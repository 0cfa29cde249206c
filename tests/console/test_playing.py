"""People play on the pages: by clicks, by taps and by keys, each game, against each other."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from domain.registry import GAMES
from tests.console.conftest import PHONE, ConsoleService, Open, StartedMatch, wait_until
from tests.console.table import MIDDLE, choose, part, point, take


def alone(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Actions that stand for themselves alone, and whose sentence no other has."""
    sentences = [each["sentence"] for each in actions]
    return [
        each for each in actions if not each.get("group") and sentences.count(each["sentence"]) == 1
    ]


@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_played_by_clicks(game: str, served: ConsoleService, open_page: Open) -> None:
    match = served.create(game)
    page = open_page(match.link(*match.tokens))
    random = Random(3)
    for _ in range(3):
        if not match.now.get("prompts"):
            break  # three actions can end a match
        seat = match.asked()
        page.locator(".as select").select_option(seat)
        pointable = alone(match.actions(seat))
        with_pieces = [each for each in pointable if each.get("pieces") or each.get("spaces")]
        action = random.choice(with_pieces or pointable)
        pointed = take(page, match, action)
        assert pointed or not with_pieces


def test_a_group_of_actions_opens_as_a_list(served: ConsoleService, open_page: Open) -> None:
    match = served.create("res-arcana")
    group, ways = until_ways(match, lambda ways: len(ways) <= FEW)
    page = open_page(match.link(match.asked()))
    page.locator(".actions li button", has_text=group["sentence"]).first.click()
    expect(page.locator("section.actions b")).to_have_text(group["sentence"])
    listed = page.locator("section.actions li button")
    expect(listed).to_have_count(len(ways))
    listed.first.click()
    page.locator("#confirm").click()
    wait_until(lambda: match.taken()[-1] == ways[0]["notation"])


def test_payments_are_requested_as_a_form(served: ConsoleService, open_page: Open) -> None:
    match = served.create("res-arcana")
    group, ways = until_ways(match, are_payments)
    page = open_page(match.link(match.asked()))
    page.locator(".actions li button", has_text=group["sentence"]).first.click()
    form = page.locator("emeth-ways")
    expect(form.locator("fieldset").nth(1)).to_be_visible()
    # One more of anything, again and again, leads to one of the ways.
    for _ in range(9):
        if form.locator(".main:enabled").count():
            break
        form.locator("button[aria-label^=More]:enabled").first.click()
    form.locator(".main").click()
    page.locator("#confirm").click()
    wait_until(lambda: match.taken()[-1] in [way["notation"] for way in ways])


FEW = 6
"""Up to so many ways of an action are listed, even where they could be a form."""


def are_payments(ways: list[dict[str, Any]]) -> bool:
    """Return whether many ways of an action differ only in what is paid."""
    paid = [way["sentence"].rpartition(", ") for way in ways]
    return (
        len(ways) > FEW
        and len({end for *_, end in paid}) == 1
        and all(": pay " in begin for begin, *_ in paid)
    )


def until_ways(
    match: StartedMatch, fit: Callable[[list[dict[str, Any]]], bool]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Play until an action can be taken in ways that are wanted; that action, and the ways."""
    random = Random(5)
    for _ in range(90):
        seat = match.asked()
        actions = match.actions(seat)
        for each in (each for each in actions if each.get("group")):
            if fit(ways := match.actions(seat, each["group"])):
                return each, ways
        match.submit(seat, random.choice(actions)["notation"])
    raise AssertionError("no action had such ways")


def test_keys_alone_play(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"))
    expect(page.locator(".turn")).to_have_text("Your turn")
    for _ in range(20):
        page.keyboard.press("Tab")
        if focused(page):
            break
    for key in (*["ArrowLeft"] * 8, *["ArrowUp"] * 8, *["ArrowDown"] * 2):
        page.keyboard.press(key)
    assert focused(page) == "unit-a6"
    page.keyboard.press("Enter")
    expect(part(page, "piece", "unit-a6")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    assert focused(page) == "b6"
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".events li").last).to_contain_text("a6 to b6")
    assert match.taken() == ["a6-b6"]


def focused(page: Page) -> str | None:
    """The piece or space that has the focus."""
    found: str | None = page.evaluate(
        """() => {
          let at = document.activeElement;
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
          return at?.dataset?.piece ?? at?.dataset?.space ?? null;
        }"""
    )
    return found


def test_on_a_phone_the_board_is_as_wide_as_the_screen(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"), PHONE, has_touch=True, is_mobile=True)
    action = alone(match.actions("white"))[0]
    choose(page, action, touch=True)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    board = page.locator("emeth-drawing").bounding_box()
    confirm = page.locator("#confirm").bounding_box()
    assert board is not None
    assert confirm is not None
    assert board["width"] > PHONE["width"] - 20
    # Where a thumb reaches it, and large enough for one.
    assert PHONE["height"] / 2 < confirm["y"] < PHONE["height"] - confirm["height"]
    assert confirm["height"] >= 40
    # On its side it has what is asked beside the board, so that the height is the board's.
    page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    expect(page.locator("#confirm")).to_be_in_viewport()
    wait_until(lambda: is_left_of(page.locator("emeth-drawing"), page.locator("#confirm")))
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.locator("#confirm").tap()
    wait_until(lambda: action["notation"] in match.taken())
    expect(page.locator(".events li").last).to_contain_text(match.last_sentence("white"))


def is_left_of(left: Locator, right: Locator) -> bool:
    board, button = left.bounding_box(), right.bounding_box()
    return board is not None and button is not None and board["x"] + board["width"] <= button["x"]


def test_one_asks_to_undo_and_the_other_agrees(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    white, black = (open_page(match.link(seat)) for seat in ("white", "black"))
    match.submit("white", "a6-b6")
    expect(part(white, "piece", "unit-b6")).to_be_attached()
    white.get_by_role("button", name="Request takeback").click()
    expect(white.locator(".request")).to_contain_text("Waiting for Black")
    black.get_by_role("button", name="Accept").click()
    expect(part(white, "piece", "unit-a6")).to_be_attached()
    expect(white.locator(".request")).to_have_count(0)


def test_giving_up_is_asked_about_first(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"))
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="No", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.locator(".request .main").click()
    expect(page.locator(".turn")).to_contain_text("Black has won")
    assert match.now["result"]["winners"] == ["black"]


def test_pointing_elsewhere_starts_again(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"))
    expect(page.locator(".turn")).to_have_text("Your turn")
    for piece in ("unit-a6", "unit-f1"):
        assert point(page, "piece", piece)
        expect(part(page, "piece", piece)).to_have_class("picked")
    assert point(page, "piece", "unit-f1")
    expect(page.locator("emeth-drawing .picked")).to_have_count(0)


def test_the_board_shows_what_an_action_would_do(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"))
    action = alone(match.actions("white"))[0]
    choose(page, action)
    shadow = page.locator("emeth-drawing .foreseen > g")
    expect(shadow).to_have_count(1)
    there, end = shadow.bounding_box(), part(page, "space", action["spaces"][-1]).bounding_box()
    assert there is not None
    assert end is not None
    assert abs(there["x"] + there["width"] / 2 - end["x"] - end["width"] / 2) < end["width"] / 4
    page.locator("#cancel").click()
    expect(shadow).to_have_count(0)


ANIMATED = """
  window.animated = [];
  const real = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const { piece } = this.dataset;
    if (piece) window.animated.push([piece, JSON.stringify(frames)]);
    return real.call(this, frames, options);
  };
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_piece_slides_from_where_it_was_unless_motion_is_unwanted(
    motion: str, served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    page = open_page(match.link("spectator"), script=ANIMATED, reduced_motion=motion)
    expect(part(page, "piece", "unit-a6")).to_be_attached()
    part(page, "piece", "unit-f1").evaluate("element => { element.sameAsBefore = true; }")
    match.submit("white", "a6-b6")
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    # What is the same in both drawings is not drawn anew.
    assert part(page, "piece", "unit-f1").evaluate("element => element.sameAsBefore")
    animated = dict(page.evaluate("window.animated"))
    if motion == "reduce":
        assert animated == {}
    else:
        # It comes from one square to the left, and nothing else moves.
        assert [*animated] == ["unit-b6"]
        assert "translate(-" in animated["unit-b6"]


def test_players_show_what_real_dice_showed(served: ConsoleService, open_page: Open) -> None:
    match = served.create("earthen-war", chance="CHANCE_ENTERED")
    page = open_page(match.link(*match.tokens))
    expect(page.locator(".turn")).to_have_text("Enter the dice or cards")
    for place, value in enumerate("31"):
        row = page.locator("emeth-ways fieldset").nth(place)
        row.get_by_role("button", name=value, exact=True).click()
    page.locator("#confirm").click()
    wait_until(lambda: "dice 3 1" in match.taken())


def test_or_the_page_draws_what_chance_shows(served: ConsoleService, open_page: Open) -> None:
    match = served.create("earthen-war", chance="CHANCE_ENTERED")
    page = open_page(match.link(*match.tokens))
    page.locator("#draw").click()
    page.locator("#confirm").click()
    wait_until(lambda: len(match.taken()) == 1)
    assert match.taken()[0].startswith("dice ")


def test_a_shuffle_is_drawn_to_its_end_by_one_click(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("res-arcana", chance="CHANCE_ENTERED")
    page = open_page(match.link("table"))
    verb = match.actions("table")[0]["verb"]
    expect(page.locator("#draw")).to_be_enabled()
    assert page.locator("#draw-all").count() == 0
    page.locator("#draw").click()
    page.locator("#confirm").click()
    wait_until(lambda: len(match.taken()) == 1)
    page.locator("#draw-all").click()
    wait_until(lambda: match.asked() != "table" or match.actions("table")[0]["verb"] != verb)
    verbs = [each["action"]["verb"] for each in match.events() if each.get("action")]
    assert len(verbs) > 2
    assert {*verbs} == {verb}
    expect(page.locator(".events li")).to_have_count(match.now["version"])
    expect(page.locator(".trouble")).to_have_count(0)
    # Nothing is drawn that was not asked for: what comes next waits.
    page.wait_for_timeout(300)
    assert len(match.taken()) == len(verbs)


def test_a_piece_is_dragged_to_a_place(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"))
    expect(part(page, "piece", "unit-a6")).to_have_class("may")
    drag(page, "unit-a6", "h8")  # nothing goes there
    expect(page.locator(".preview")).to_have_count(0)
    expect(page.locator("emeth-drawing .picked")).to_have_count(0)
    drag(page, "unit-a6", "b6")
    expect(page.locator(".preview .chosen")).to_have_text("Move the golem from a6 to b6")
    page.locator("#confirm").click()
    expect(part(page, "piece", "unit-b6")).to_be_attached()
    expect(page.locator("emeth-drawing .dragged")).to_have_count(0)
    assert match.taken() == ["a6-b6"]


def drag(page: Page, piece: str, space: str) -> None:
    page.mouse.move(*part(page, "piece", piece).evaluate(MIDDLE))
    page.mouse.down()
    x, y = part(page, "space", space).evaluate(MIDDLE)
    page.mouse.move(x - 20, y)
    page.mouse.move(x, y)
    expect(page.locator("emeth-drawing .dragged")).to_have_count(1)
    page.mouse.up()


def test_a_confirmed_action_is_shown_at_once_and_put_back_if_it_fails(
    served: ConsoleService, open_page: Open, complaints: list[str]
) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"))
    choose(page, alone(match.actions("white"))[0])
    held: list[Any] = []
    page.route("**/SubmitAction", lambda route: held.append(route))
    page.locator("#confirm").click()
    expect(page.locator("emeth-drawing svg")).to_have_class(re.compile("taken"))
    wait_until(lambda: page.evaluate("true") and len(held) == 1)
    held[0].fulfill(
        status=409,
        content_type="application/json",
        body='{"code": "failed_precondition", "message": "the match has moved on"}',
    )
    expect(page.locator(".trouble")).to_contain_text("the match has moved on")
    expect(page.locator("emeth-drawing .taken, emeth-drawing .foreseen")).to_have_count(0)
    assert match.taken() == []
    assert [each for each in complaints if "409" in each]
    complaints.clear()


@pytest.mark.parametrize("arrived", [False, True])
def test_an_action_on_its_way_is_not_lost_by_a_reload(
    arrived: bool, served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    page = open_page(match.link("white"))
    action = alone(match.actions("white"))[0]
    choose(page, action)
    held: list[Any] = []

    page.route("**/SubmitAction", lambda route: held.append(route))
    page.locator("#confirm").click()
    # The driver learns of the call only while it handles another command.
    wait_until(lambda: page.evaluate("true") and len(held) == 1)
    if arrived:  # only the answer is lost
        held[0].fetch()
    assert match.taken() == [action["notation"]] * arrived
    page.unroute("**/SubmitAction")
    page.reload()
    wait_until(lambda: match.taken() == [action["notation"]])
    expect(page.locator(".turn")).to_have_text("Waiting for Black")
    wait_until(lambda: page.evaluate("sessionStorage.length") == 0)
    assert page.locator(".trouble").count() == 0
    assert match.taken() == [action["notation"]]
