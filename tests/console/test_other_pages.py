"""The pages beside the lobby and the match: each does what it is for, at any size, for all."""

import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import DESKTOP, PHONE, ConsoleService, Open, StartedMatch, wait_until
from tests.console.test_pages import serious


def forgiven(complaints: list[str]) -> None:
    """That an answer was an error is the browser's own complaint."""
    complaints[:] = [each for each in complaints if "status of 4" not in each]


def made(page: Page, served: ConsoleService) -> dict[str, Any]:
    """Return the match that a page has just created."""
    expect(page.locator("emeth-drawing svg")).to_be_visible()
    found = re.search(r"match=([0-9a-f-]{36})", page.url)
    assert found
    tokens = page.evaluate("JSON.parse(localStorage.getItem('emeth.tokens'))")[found[1]]
    token = next(iter(tokens.values()))
    answer = served.call("MatchesService/GetMatch", {"matchId": found[1]}, token)
    match: dict[str, Any] = answer["match"]
    return match


def test_all_terms_and_options_of_a_match_are_chosen(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(f"{served.url}/?new=res-arcana")
    page.get_by_label("Title").fill("Club evening")
    page.get_by_label("Takebacks").select_option(label="Takebacks: not allowed")
    page.get_by_label("Spectators").select_option(label="Everybody, listed publicly")
    page.get_by_label("If a player").select_option(label="The referee may act for the seat")
    page.get_by_label("Pause for disputes").check()
    page.get_by_label("Players", exact=True).select_option(label="3 players")
    page.get_by_label("Starting player", exact=True).select_option(label="East")
    # Another option gives the match another seat, which then has a row of its own.
    expect(page.locator(".by-seat .field")).to_have_count(3)
    dice = page.locator(".by-seat .field", has_text="East").get_by_label("Dice")
    dice.select_option(label="Players enter dice and shuffles")
    page.get_by_label("Clock for each seat").select_option(label="Custom …")
    page.get_by_label("Minutes", exact=True).fill("25")
    east = page.locator(".by-seat .field", has_text="East").get_by_label("Clock")
    east.select_option(label="5 minutes, and 3 seconds per turn before the clock runs")
    page.get_by_role("button", name="Play", exact=True).click()
    match = made(page, served)
    assert match["title"] == "Club evening"
    assert match["undoPolicy"] == "UNDO_POLICY_NONE"
    assert match["visibility"] == "VISIBILITY_PUBLIC"
    assert match["substitutePolicy"] == "SUBSTITUTE_POLICY_REFEREE"
    assert match["pauseOnDispute"]
    assert match["seatChance"] == {"east": "CHANCE_ENTERED"}
    assert match["options"]["players"] == 3
    assert match["options"]["first"] == "east"
    assert len(match["seats"]) == 3
    assert match["timeControl"]["budget"] == {"initialTime": "1500s", "increment": "10s"}
    assert match["seatTimeControls"]["east"]["budget"]["initialTime"] == "300s"


def test_a_game_without_dice_is_not_asked_who_rolls_them(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(f"{served.url}/?new=agog")
    expect(page.locator(".by-seat .field").first).to_be_visible()
    assert "dice" not in page.locator("main").inner_text().lower()
    page.get_by_label("Title").fill("Without dice")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("h1")).to_have_text("Without dice")
    expect(page.locator(".terms")).to_contain_text("Takebacks")
    match = made(page, served)
    assert match["withoutChance"]
    assert "shuffle" not in page.locator("main").inner_text()
    page.goto(f"{served.url}/?page=proofs&match={match['matchId']}")
    page.get_by_role("button", name="Verify match file").click()
    chance = page.locator(".checks li", has_text="Nothing in this match was left to chance.")
    expect(chance).to_be_visible()


def test_a_match_against_a_bot_takes_one_click(served: ConsoleService, open_page: Open) -> None:
    page = open_page(f"{served.url}/?new=agog")
    level = page.get_by_label("Computer level")
    level.select_option("novice")
    page.get_by_role("button", name="Play the computer").click()
    match = made(page, served)
    assert [seat.get("bot", "") for seat in match["seats"]] == ["", "novice"]
    expect(page.locator(".as select")).to_have_value("white")
    # The browser remembers how well; among many, all others are bots.
    page.goto(f"{served.url}/?new=res-arcana")
    expect(level).to_have_value("novice")
    page.get_by_label("Start", exact=True).select_option(index=1)
    expect(page.get_by_role("button", name="Play the computer")).to_have_count(0)


@pytest.mark.timeout(400)  # a bot may start slowly, and think slowly
def test_a_bot_is_given_a_seat_and_plays_it(served: ConsoleService, open_page: Open) -> None:
    levels = served.call("GamesService/GetGame", {"game": "agog"})["game"]["botLevels"]
    level = levels[0]["name"]
    page = open_page(f"{served.url}/?new=agog")
    field = page.locator(".by-seat .field", has_text="Black").get_by_label("Played by")
    expect(field.locator("option")).to_have_text(
        ["A person", *(f"Computer: {each['name']}" for each in levels)]
    )
    field.select_option(label=f"Computer: {level}")
    page.get_by_role("button", name="Play", exact=True).click()
    match = made(page, served)
    bots = {seat["name"]: seat.get("bot", "") for seat in match["seats"]}
    assert bots == {"white": "", "black": level}
    expect(page.locator(".turn")).to_have_text("Your turn", timeout=90_000)
    page.locator(".actions li button").first.click()
    page.locator("#confirm").click()
    # It is asked, answers in its own time, and then it is one's own turn again.
    sentence = page.locator('.events [data-seat="black"]').last
    expect(sentence).to_contain_text("Black's golem", timeout=90_000)
    expect(page.locator(".turn")).to_have_text("Your turn", timeout=90_000)


def test_all_faults_of_options_are_shown_next_to_them(
    served: ConsoleService, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(f"{served.url}/?new=golem-arcana")
    page.get_by_label("Content pack").fill("f" * 64)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".faults li")).to_have_count(1)
    expect(page.locator("#option-pack-fault")).to_contain_text("pack")
    page.goto(f"{served.url}/?new=tokars-arcana")
    page.get_by_label("Board depth").fill("99")
    page.get_by_label("Quiet turns until a draw").fill("-1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".faults li")).to_have_count(2)
    expect(page.locator("#option-rows-fault")).to_have_text("Enter a whole number from 8 to 12.")
    expect(page.get_by_label("Quiet turns until a draw")).to_have_attribute("aria-invalid", "true")
    page.locator(".faults a", has_text="Board depth").click()
    expect(page.get_by_label("Board depth")).to_be_focused()
    page.get_by_label("Board depth").fill("8")
    page.get_by_label("Quiet turns until a draw").fill("40")
    page.get_by_role("button", name="Play", exact=True).click()
    assert made(page, served)["options"]["quiet_limit"] == 40
    forgiven(complaints)


def add(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Add {name}").click()


def test_an_army_has_no_faults_before_anything_is_chosen_or_saved(
    served: ConsoleService, open_page: Open
) -> None:
    page = open_page(f"{served.url}/?page=armies")
    expect(page.locator(".standing")).to_contain_text("No units chosen yet")
    expect(page.locator(".faults")).to_have_count(0)
    page.get_by_label("Name", exact=True).fill("Nobody")
    page.get_by_role("button", name="Save as new").click()
    expect(page.locator(".faults")).to_contain_text("This army cannot be saved")


def test_an_army_is_built_saved_and_fielded(served: ConsoleService, open_page: Open) -> None:
    page = open_page(f"{served.url}/?page=armies")
    page.get_by_label("Scenario").select_option(value='"twin-wells"')
    expect(page.locator(".standing")).to_contain_text("of 500 points")
    for _ in range(2):
        add(page, "Duneheart Engine")
    expect(page.locator(".standing")).to_contain_text("640 of 500 points")
    page.locator(".ranks select").first.select_option(value="marrash")
    page.locator(".ranks select").nth(2).select_option(value="marrash")
    # Two faults at once, in words: too dear, and one Knight twice.
    expect(page.locator(".faults li")).to_have_count(2)
    expect(page.locator(".faults")).to_contain_text("Old Marrash")
    page.get_by_label("Name").fill("Dunes")
    page.get_by_role("button", name="Save as new").click()
    expect(page.locator(".faults")).to_contain_text("cannot be saved")
    page.get_by_role("button", name="Remove Duneheart Engine").first.click()
    add(page, "Sand Lion")
    expect(page.locator(".standing")).to_contain_text("Valid army")
    page.get_by_role("button", name="Save as new").click()
    expect(page.locator(".saved")).to_contain_text("Dunes")
    page.get_by_role("link", name="Use in a new match").click()
    expect(page.get_by_label(re.compile("^Army")).first).to_contain_text("Dunes")
    page.get_by_role("button", name="Play", exact=True).click()
    options = made(page, served)["options"]
    assert options["scenario"] == "twin-wells"
    assert [each["type"] for each in options["armies"]["south"]["golems"]] == [
        "duneheart-engine", "sand-lion",
    ]  # fmt: skip


def test_rules_are_found_by_words_and_by_where_they_were_applied(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    match.submit("white", "a6-b6")
    page = open_page(match.link(*match.tokens))
    expect(page.locator(".events li")).to_have_count(2)
    page.locator(".events li button").last.click()
    page.locator(".explanation summary").click()
    page.locator(".explanation dt a", has_text="agog.move.step").click()
    rule = page.locator(".rules [aria-current]")
    expect(rule).to_contain_text("one square")
    expect(rule).to_contain_text("The Golem")
    rule.get_by_role("link", name="event 2").click()
    expect(page.locator(".explanation")).to_contain_text("a6 to b6")
    page.goto(f"{served.url}/?page=rules&game=golem-arcana")
    page.get_by_label("Search").fill("super critical")
    expect(page.locator(".rules li").first).to_contain_text("ga.hit.super")
    assert page.locator(".rules li").count() < 10
    expect(page).to_have_url(re.compile("text=super"))


def test_how_public_matches_went_is_counted_and_searched(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog", visibility="VISIBILITY_PUBLIC", title="Open evening")
    for seat, action in (("white", "a6-b6"), ("black", "h3-g3"), ("white", "b6-c6")):
        match.submit(seat, action)
    given_up = {"requestId": str(uuid4()), "matchId": match.id, "resignation": True}
    served.call("PlayService/SubmitAction", given_up, match.tokens["black"])
    wait_until(
        lambda: served.call("StatisticsService/GetStatistics", {"game": "agog"}).get("games", [])
    )
    page = open_page(f"{served.url}/?page=statistics&game=agog")
    white = page.get_by_role("row", name="White")
    expect(white.get_by_role("cell").first).to_have_text("1 (100 %)")
    expect(page.locator(".page")).to_contain_text("1 public match is over")
    page.get_by_role("link", name="a6-b6, h3-g3").click()
    expect(page.locator(".page")).to_contain_text("begun with a6-b6, h3-g3")
    assert serious(page) == []
    # The matching words are shown with an event, and link to it.
    page.get_by_label("Search").fill("golem g3")
    found = page.locator(".found li")
    expect(found).to_have_count(1)
    expect(found.locator("mark").last).to_have_text("g3")
    assert serious(page) == []
    found.get_by_role("link", name="Open evening, event 3").click()
    expect(page.locator(".explanation")).to_contain_text("h3 to g3")


def test_cards_are_found_by_what_they_do(served: ConsoleService, open_page: Open) -> None:
    page = open_page(f"{served.url}/?page=cards&game=res-arcana")
    page.locator(".filters select").select_option(label="Artifact")
    page.get_by_label("Search").fill("rival loses")
    expect(page.locator(".card", has_text="Bone Dragon")).to_contain_text("1 life and 4 death")
    kinds = page.locator(".card > p.note").all_inner_texts()
    assert kinds
    assert all(each.startswith("Artifact") for each in kinds)


def disputed(match: StartedMatch, served: ConsoleService, version: int = 2) -> None:
    request = {"requestId": str(uuid4()), "matchId": match.id, "version": version}
    request["reason"] = "That was not straight ahead."
    served.call("AuditService/CreateDispute", request, match.tokens["black"])


def test_a_dispute_is_raised_and_the_referee_takes_the_line_back(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog", pauseOnDispute=True)
    match.submit("white", "a6-b6")
    match.submit("black", "h3-g3")
    black = open_page(match.link("black"))
    black.locator(".events li button").nth(1).click()
    black.get_by_role("link", name="Dispute this").click()
    expect(black.get_by_label("Event", exact=True)).to_have_value("2")
    black.get_by_label("Reason", exact=True).fill("That was not straight ahead.")
    black.get_by_role("button", name="Open dispute").click()
    expect(black.locator(".disputes .open")).to_contain_text("Waiting for the referee's verdict.")
    assert match.now["status"] == "MATCH_STATUS_PAUSED"
    referee = open_page(f"{match.link('referee').replace('?', '?page=disputes&')}")
    referee.get_by_role("button", name="Resolve dispute").click()
    # What the referee sees: the boards before and after, why, and the rules to choose from.
    expect(referee.locator("emeth-still svg")).to_have_count(2)
    expect(referee.locator(".lines")).to_contain_text("a6 to b6")
    referee.get_by_label("Revert the match").check()
    expect(referee.get_by_label("Revert to", exact=True)).to_have_value("1")
    expect(referee.locator("emeth-still svg")).to_have_count(3)
    referee.get_by_label("Reason", exact=True).fill("It went back a square.")
    referee.get_by_role("button", name="Resolve dispute").click()
    verdict = referee.locator(".disputes li").first
    expect(verdict).to_contain_text("Match reverted")
    expect(verdict).to_contain_text(f"{match.id[:8]}-5")
    search = referee.get_by_label("Search reasons")
    search.fill('"straight" ahead')
    search.blur()
    expect(verdict).to_contain_text("Match reverted")
    referee.get_by_label("Open disputes only").check()
    expect(referee.get_by_text("No disputes")).to_be_visible()
    referee.get_by_label("Open disputes only").uncheck()
    expect(verdict).to_contain_text("Match reverted")
    assert match.now["prompts"][0]["seat"] == "white"
    # It is a precedent: looking up the rule shows it.
    rule = verdict.locator("a code").first.inner_text()
    referee.goto(f"{served.url}/?page=rules&game=agog&match={match.id}&rule={rule}")
    expect(referee.locator(".rules [aria-current]")).to_contain_text(f"{match.id[:8]}-5")


def test_a_position_is_corrected_by_facts_that_can_be(
    served: ConsoleService, open_page: Open, complaints: list[str]
) -> None:
    match = served.create("agog")
    match.submit("white", "a6-b6")
    disputed(match, served)
    page = open_page(f"{match.link('referee').replace('?', '?page=disputes&')}")
    page.get_by_role("button", name="Resolve dispute").click()
    page.get_by_label("Correct the position").check()
    facts = page.locator("#facts")
    expect(facts).to_have_value(re.compile("agog.unit-moved"))
    own = facts.input_value()
    facts.fill('{"type":"agog.unit-flown"}')
    page.get_by_label("Reason", exact=True).fill("So be it.")
    page.get_by_role("button", name="Resolve dispute").click()
    expect(page.locator("emeth-verdict-form .trouble")).to_contain_text("correction.facts_json[0]")
    assert match.now["version"] == 3
    facts.fill(own)
    page.get_by_role("button", name="Resolve dispute").click()
    expect(page.locator(".disputes")).to_contain_text("Position corrected")
    forgiven(complaints)


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_the_answer_to_a_dispute_keeps_nobody_out(
    scheme: str, size: dict[str, int], served: ConsoleService, open_page: Open
) -> None:
    match = served.create("agog")
    match.submit("white", "a6-b6")
    disputed(match, served)
    page = open_page(served.url, size, color_scheme=scheme)
    page.goto(f"{match.link('referee').replace('?', '?page=disputes&')}")
    page.get_by_role("button", name="Resolve dispute").click()
    expect(page.locator("emeth-still svg").first).to_be_visible()
    settled_and_open(page, "disputes", size)


def settled_and_open(page: Page, name: str, size: dict[str, int]) -> None:
    """Nothing keeps anybody out of the page, and nothing sticks out of it."""
    assert (name, serious(page)) == (name, [])
    wait_until(lambda: page.evaluate("document.scrollingElement.scrollWidth") <= size["width"])
