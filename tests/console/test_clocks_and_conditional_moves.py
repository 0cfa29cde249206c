"""Clocks tick on the page, and players leave there what they do if others do this or that."""

import re

from playwright.sync_api import expect

from tests.console.conftest import PHONE, ConsoleService, Open, wait_until


def test_clocks_tick_on_the_page(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog", timeControl={"budget": {"initialTime": "600s"}})
    page = open_page(match.link("black"))
    expect(page.locator("emeth-clocks dt").first).to_have_text("white")
    white, black = page.locator("emeth-clocks dd").all()
    first = white.inner_text()
    wait_until(lambda: white.inner_text() != first)
    assert black.inner_text() == "10:00"


def test_a_page_shows_that_time_is_up(served: ConsoleService, open_page: Open) -> None:
    match = served.create("agog", timeControl={"budget": {"initialTime": "2s"}})
    page = open_page(match.link("black"))
    turn = expect(page.locator(".turn"))
    turn.to_contain_text("Black has won: White ran out of time")
    expect(page.locator("emeth-clocks dd").first).to_have_text("0:00.0")


def test_a_match_without_clocks_shows_none(served: ConsoleService, open_page: Open) -> None:
    page = open_page(served.create("agog").link("white"))
    expect(page.locator(".turn")).to_be_visible()
    assert page.locator("emeth-clocks dl").count() == 0


def test_conditional_moves_are_set_act_and_are_shown(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    page = open_page(match.link("black"))
    page.get_by_text("Conditional moves", exact=True).click()
    text = page.get_by_label("Your conditional moves")
    leave = page.get_by_role("button", name="Set conditional moves")
    text.fill("   a6-b6 -> h3-g3")
    leave.click()
    expect(page.locator("emeth-conditional-moves [role=alert]")).to_contain_text(
        "Indent by two spaces"
    )
    text.fill("a6-b6 -> h3-g3\n  f1-g1 -> c8-c7")
    leave.click()
    status = page.locator("emeth-conditional-moves [role=status]")
    expect(status).to_have_text("Waiting.")
    expect(page.locator("emeth-conditional-moves .node").first).to_contain_text(
        "If White plays: Move the golem from a6 to b6"
    )
    match.submit("white", "a6-b6")
    wait_until(lambda: match.now["version"] == 3)
    match.submit("white", "b6-c6")
    expect(status).to_contain_text("white did what it does not foresee: b6-c6")


def test_conditional_moves_are_shown_in_sentences_and_deleted_branch_by_branch(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    page = open_page(match.link("black"), PHONE, has_touch=True, is_mobile=True)
    page.get_by_text("Conditional moves", exact=True).click()
    page.get_by_label("Your conditional moves").fill(
        "a6-b6 -> h3-g3\n  f1-g1 -> c8-c7\n  * -> c8-c7\n* -> h3-g3"
    )
    page.get_by_role("button", name="Set conditional moves").click()
    nodes = page.locator("emeth-conditional-moves .node")
    expect(nodes).to_have_text(
        [
            re.compile(r"If White plays: Move .* a6 to b6\s+you play: Move .* h3 to g3"),
            re.compile(r"then, if White plays: Move .* f1 to g1\s.* c8 to c7"),
            re.compile(r"then, after any action of White\s.* c8 to c7"),
            re.compile(r"After any action of White\s+you play: Move .* h3 to g3"),
        ]
    )
    # After White's first branch, only moves that can still occur are listed, from there on.
    match.submit("white", "a6-b6")
    expect(nodes).to_have_count(2)
    expect(nodes.first).to_contain_text("If White plays: Move the golem from f1 to g1")
    nodes.first.get_by_role("button", name="Delete this branch").tap()
    expect(nodes).to_have_count(1)
    page.get_by_text("Change", exact=True).click()
    expect(page.get_by_label("Your conditional moves")).to_have_value("* -> c8-c7")
    nodes.get_by_role("button", name="Delete this branch").tap()
    expect(page.locator("emeth-conditional-moves [role=status]")).to_have_text("Deleted.")
    expect(nodes).to_have_count(0)


def test_all_conditional_moves_are_deleted_at_once(served: ConsoleService, open_page: Open) -> None:
    page = open_page(served.create("agog").link("black"))
    page.get_by_text("Conditional moves", exact=True).click()
    page.get_by_label("Your conditional moves").fill("* -> h3-g3\na6-b6 -> c8-c7")
    page.get_by_role("button", name="Set conditional moves").click()
    page.get_by_role("button", name="Delete conditional moves").click()
    expect(page.locator("emeth-conditional-moves [role=status]")).to_have_text("Deleted.")


def test_nobody_but_a_player_is_shown_a_place_for_conditional_moves(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(served.create("agog").link("spectator"))
    expect(page.locator(".turn")).to_be_visible()
    assert page.locator("emeth-conditional-moves details").count() == 0
