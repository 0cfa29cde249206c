"""Players over many matches: whose turn it is in them, tables to join, and playing again."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import DESKTOP, PHONE, ConsoleService, Open, wait_until
from tests.console.frontend_players import members, table_of
from tests.console.test_other_pages import forgiven, settled_and_open
from tests.console.test_pages import serious

TEN_MINUTES = {"budget": {"initialTime": "600s"}}


def sat(page: Page, name: str, nth: int = 0) -> None:
    """Take an open seat of the match whose waiting room this is."""
    page.get_by_role("button", name="Take seat").nth(nth).click()
    page.get_by_label("Your name").fill(name)
    page.locator(".sit .main").click()


def test_a_player_sees_all_own_matches_and_receives_their_notices(
    served: ConsoleService, open_page: Open
) -> None:
    ann, bob = members(served, "Ann", "Bob")
    match = table_of(served, ann, bob, title="Evening", timeControl=TEN_MINUTES)
    table_of(served, bob, ann, title="Morning")
    page = open_page(ann.link)
    expect(page.locator(".account")).to_contain_text("You are Ann.")
    assert ann.token not in page.url
    own = page.get_by_label("Your matches")
    expect(own.locator(".mine")).to_have_count(1)
    expect(own.locator(".mine")).to_contain_text("Evening")
    expect(own.locator(".mine dd").first).to_have_text(re.compile(r"^(10|9):\d\d$"))
    expect(own).to_contain_text("Waiting for others (1)")
    expect(page).to_have_title("(1) Emeth")
    # Another page of the browser receives it from the first: they share one stream.
    other = page.context.new_page()
    other.goto(f"{served.url}/?page=rules&game=agog")
    expect(other.locator(".badge")).to_contain_text("1 other match waits for you")
    ann.act(match, "a6-b6")
    expect(page).to_have_title("Emeth")
    expect(other.locator(".badge")).to_have_count(0)
    bob.act(match, "h3-g3")
    news = page.get_by_label("Notifications")
    expect(news).to_contain_text("It is your turn, as White.")
    expect(other).to_have_title(re.compile(r"^\(1\) "))
    # What was not looked at is there again after a while away; what was looked at is not.
    page.reload()
    expect(news).to_contain_text("Evening")
    news.get_by_role("link").click()
    expect(page.locator(".turn")).to_have_text("Your turn")
    page.get_by_role("link", name="Emeth").click()
    expect(page.locator(".mine")).to_have_count(1)
    expect(news).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Your matches")).to_have_count(0)
    assert ann.token not in page.evaluate("JSON.stringify(localStorage)")


def test_an_invited_player_joins_by_the_notice_and_is_notified_of_a_cancelled_match(
    served: ConsoleService, open_page: Open
) -> None:
    ann, bob = members(served, "Ann", "Bob")
    page = open_page(bob.link)
    expect(page.locator(".account")).to_contain_text("You are Bob.")
    waits = {"game": "agog", "startPolicy": "START_POLICY_WHEN_FULL", "ownSeat": {"seat": "white"}}
    made = ann.call("MatchesService/CreateMatch", title="Come and play", **waits)
    invite = {"kind": "INVITE_KIND_SEAT", "seat": "black", "playerId": bob.id}
    ann.call("MatchesService/CreateInvite", matchId=made["match"]["matchId"], **invite)
    news = page.get_by_label("Notifications")
    expect(news).to_contain_text("Ann invites you to play as Black.")
    news.get_by_role("link").click()
    page.get_by_role("button", name="Take seat").click()
    expect(page.locator(".seats")).to_contain_text("Bob, you")
    match = made["match"]["matchId"]
    ann.call("PlayService/SubmitAction", matchId=match, resignation=True)
    again = bob.call("PlayService/CreateProposal", matchId=match, rematch={})
    proposal = again["accepted"]["proposal"]["proposalId"]
    page.get_by_role("link", name="Emeth").click()
    no = {"decision": "PROPOSAL_DECISION_REJECT", "proposalId": proposal}
    ann.call("PlayService/RespondToProposal", matchId=match, **no)
    expect(news).to_contain_text("The match was cancelled by Ann.")


NOTIFIED = """window.shown = [];
const Own = window.Notification;
window.Notification = class extends Own {
  static permission = "granted"; // without a screen some browsers say denied to whom it was granted
  constructor(title, options) {
    super(title, options);
    window.shown.push(`${title}: ${options.body}`);
  }
};"""


def test_the_browser_notifies_of_a_turn_and_of_low_time_in_the_background(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog", title="By link", timeControl={"budget": {"initialTime": "10.6s"}})
    page = open_page("about:blank", script=NOTIFIED, permissions=["notifications"])
    page.goto(match.link("black"))
    expect(page.locator("emeth-drawing svg")).to_be_visible()
    page.get_by_role("link", name="Emeth").click()
    expect(page.get_by_label("Your matches")).to_contain_text("Waiting for others (1)")
    match.submit("white", "a6-b6")
    wait_until(lambda: len(page.evaluate("window.shown")) == 2)
    assert page.evaluate("window.shown") == [
        "By link: It is your turn, as Black.",
        "By link: Black is low on time.",
    ]
    expect(page.get_by_label("Notifications").locator("li")).to_have_count(2)


def test_a_table_is_opened_found_joined_and_starts_and_is_played_again(
    served: ConsoleService, open_page: Open
) -> None:
    guest = open_page(served.url)
    expect(guest.get_by_label("Open games")).to_contain_text("No open games")
    host = open_page(f"{served.url}/?new=agog")
    host.get_by_label("Title").fill("Come and play")
    host.get_by_label("Start", exact=True).select_option(label="When full, open to anybody")
    host.get_by_label("Your seat", exact=True).select_option(label="As White")
    host.get_by_label("Your name, if you play").fill("Ann")
    host.get_by_label("Clock for each seat").select_option(label="1 hour")
    host.get_by_role("button", name="Play", exact=True).click()
    expect(host.locator(".waiting h2")).to_contain_text("waits for Black")
    expect(host.locator(".waiting .seats")).to_contain_text("Ann, you")
    # The guest's page has been open all the time.
    table = guest.get_by_label("Open games").locator("li")
    expect(table).to_contain_text("Join: 1 of 2 open")
    expect(table).to_contain_text("1 hour")
    table.get_by_role("link").click()
    expect(guest.locator(".waiting .terms-list").first).to_contain_text("1 hour")
    sat(guest, "Bob")
    expect(host.locator(".turn")).to_have_text("Your turn")
    expect(guest.locator(".seats")).to_contain_text("Bob, you")
    watching = open_page(served.url)
    expect(watching.get_by_label("Open games")).to_contain_text("No open games")
    # One gives up, and each asks to play again by one click.
    guest.locator("#resign").click()
    guest.locator("emeth-panel .main", has_text="Resign").click()
    host.get_by_role("button", name="Rematch").click()
    expect(host.locator(".waiting .seats")).to_contain_text("Ann, you")
    expect(guest.locator(".again")).to_contain_text("Ann offered a rematch.")
    # Whoever declined may ask in turn.
    guest.get_by_role("button", name="Decline").click()
    expect(guest.locator(".again")).not_to_contain_text("Ann offered")
    expect(host.locator(".waiting")).to_contain_text("cancelled")
    guest.get_by_role("button", name="Rematch").click()
    expect(guest.locator(".waiting .seats")).to_contain_text("Bob, you")
    host.go_back()
    expect(host.locator(".again")).to_contain_text("Bob offered a rematch.")
    host.get_by_role("button", name="Rematch").click()
    for page, words in ((guest, "Bob, you"), (host, "Ann, you")):
        expect(page.locator("emeth-drawing svg")).to_be_visible()
        expect(page.locator(".seats")).to_contain_text(words)
    # The seats are turned.
    expect(guest.locator(".turn")).to_have_text("Your turn")


def test_a_code_that_was_sent_lets_its_bearer_in_and_seats_are_drawn_by_lot(
    served: ConsoleService, open_page: Open, complaints: list[str]
) -> None:
    made = served.call(
        "MatchesService/CreateMatch",
        {
            "requestId": "00000000-0000-4000-8000-00000000c0de",
            "game": "res-arcana",
            "chance": "CHANCE_ROLLED",
            "start_policy": "START_POLICY_WHEN_FULL",
            "referee_policy": "REFEREE_POLICY_NONE",
            "join_policy": "JOIN_POLICY_LINK",
            "seatAssignment": "SEAT_ASSIGNMENT_RANDOM",
        },
    )
    match, code = made["match"]["matchId"], made["inviteCodes"]["link"]
    pages = [open_page(served.url), open_page(served.url)]
    for page, name in zip(pages, ("Ann", "Bob"), strict=True):
        field = page.get_by_label("A match link, or a match ID and a code")
        field.fill("nonsense")
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.locator(".join .trouble")).to_contain_text("a match ID")
        field.fill(f"{match} {'x' * 43}")
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.locator(".join .trouble")).to_contain_text("accepts this code")
        field.fill(f"{match} {code}")
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.locator(".waiting")).to_contain_text("Random, at the start")
        sat(page, name)
    seats = set()
    for page, name in zip(pages, ("Ann", "Bob"), strict=True):
        expect(page.locator(".turn")).to_have_text("Your turn")
        expect(page.locator(".seats")).to_contain_text(f"{name}, you")
        seats.add(page.locator(".page-head .note").inner_text())
    assert seats == {"as North", "as East"}
    forgiven(complaints)


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_the_lobby_and_a_waiting_room_keep_nobody_out(
    scheme: str, size: dict[str, int], served: ConsoleService, open_page: Open
) -> None:
    ann, bob = members(served, "Ann", "Bob")
    table_of(served, ann, bob, timeControl=TEN_MINUTES)
    waits = served.create(
        "golem-arcana", start_policy="START_POLICY_WHEN_FULL", join_policy="JOIN_POLICY_ANYONE"
    )
    page = open_page(ann.link, size, color_scheme=scheme)
    expect(page.locator(".mine")).to_be_visible()
    expect(page.get_by_label("Open games").locator("li").first).to_be_visible()
    settled_and_open(page, "lobby", size)
    page.goto(f"{served.url}/?match={waits.id}")
    expect(page.locator(".waiting")).to_be_visible()
    assert serious(page) == []
    settled_and_open(page, "waiting room", size)
