"""Two pages play each game to its end by clicks, and a third watches."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.registry import GAMES
from tests.console.conftest import Open, Served, Started
from tests.console.short_games import short_game
from tests.console.table import HEARING, point, stands_on


@pytest.mark.parametrize("game", GAMES)
def test_two_pages_play_a_game_to_its_end(game: str, served: Served, open_page: Open) -> None:
    short = short_game(game)
    match = served.create(game, chance="CHANCE_ENTERED", options=short.options)
    for seat, notation in short.before:
        match.submit(match.actor(seat), notation)
    seats = [each["name"] for each in match.now["seats"]]
    pages = {seat: open_page(match.link(seat), script=HEARING) for seat in seats}
    watching = open_page(match.link("spectator"))
    everybody = [*pages.values(), watching]
    for seat, notation in short.actions[:-1]:
        take_by_clicks(pages[seat], match, seat, notation)
    for seat, page in pages.items():
        secrets = hidden_from(match, seat)
        heard = page.evaluate("window.heard.join('')") + page.content()
        assert len(heard) > 10_000
        assert not [secret for secret in secrets if names(secret).search(heard)]
        assert bool(secrets) == (game == "res-arcana")
    seat, notation = short.actions[-1]
    take_by_clicks(pages[seat], match, seat, notation)
    caption = match.now["caption"]
    assert match.now["status"] == "MATCH_STATUS_OVER"
    for page in everybody:
        expect(page.locator(".turn")).to_have_text(caption)
        expect(page.locator(".events li")).to_have_count(int(match.now["version"]))
        assert page.locator(".trouble").count() == 0
    sentences = [each["sentence"] for each in match.events("spectator")]
    assert watching.locator(".events li button > span:last-child").all_inner_texts() == sentences


def hidden_from(match: Started, seat: str) -> set[str]:
    """The ids of what is there for the referee, and was never there for this seat."""
    whole, own = (pieces_for(match, viewer) for viewer in ("referee", seat))
    known = json.dumps(match.events(seat, changes=True))
    return {piece for piece in whole - own if not names(piece).search(known)}


def names(identity: str) -> re.Pattern[str]:
    """Finds an id in any bytes, but not as part of another."""
    return re.compile(rf"(?<![a-z-]){identity}(?![a-z-])")


def pieces_for(match: Started, viewer: str) -> set[str]:
    return {each["id"] for each in match.scene(viewer)["pieces"]}


def take_by_clicks(page: Page, match: Started, seat: str, notation: str) -> None:
    """Take this action on a page: on the board as far as that goes, and else beside it."""
    events = page.locator(".events li")
    version = int(match.now["version"])
    expect(events).to_have_count(version)
    expect(page.locator(".turn")).to_have_text(re.compile("Your turn|Tell what chance shows"))
    action, group = found(match, seat, notation)
    if group is not None:
        page.locator(".actions li button", has_text=group["sentence"]).first.click()
        choose_way(page, action)
    elif page.locator("emeth-ways").count():
        for place, value in enumerate(action["choices"]):
            tell(page, place, value)
    else:
        point_at(page, action)
    expect(page.locator(".preview .chosen")).to_have_text(action["sentence"])
    page.locator("#confirm").click()
    expect(page.locator(".preview")).to_have_count(0)


def found(match: Started, seat: str, notation: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """An action by its notation, and the group that it is listed in, if it is in one."""
    actions = match.actions(seat)
    for each in actions:
        if not each.get("group") and each["notation"] == notation:
            return each, None
    for group in (each for each in actions if each.get("group")):
        if group["verb"] != notation.partition(" ")[0]:
            continue
        for way in match.actions(seat, group["group"]):
            if way["notation"] == notation:
                return way, group
    raise AssertionError(f"{seat} cannot do {notation}")


def point_at(page: Page, action: dict[str, Any]) -> None:
    actor, spaces = action.get("pieces", ())[:1], list(action.get("spaces", ()))
    if actor and spaces and stands_on(page, actor[0], spaces[0]):
        spaces = spaces[1:]
    for kind, identity in [*(("piece", each) for each in actor), *(("space", s) for s in spaces)]:
        if page.locator(".preview").count():
            break
        point(page, kind, identity)
    preview = page.locator(".preview .chosen")
    if not preview.count() or preview.inner_text() != action["sentence"]:
        if preview.count():
            page.locator("#cancel").click()
        page.locator(".actions li button", has_text=action["sentence"]).first.click()


def tell(page: Page, place: int, value: str) -> None:
    """Tell what a die showed: by a button, or by typing."""
    row = page.locator("emeth-ways fieldset").nth(place)
    if row.locator("input").count():
        row.locator("input").fill(value)
        row.locator("input").press("Enter")
    else:
        row.get_by_role("button", name=value, exact=True).click()


def choose_way(page: Page, action: dict[str, Any]) -> None:
    """Choose one of the ways of an action from the list, or by the form for amounts."""
    expect(page.locator("section.actions b")).to_be_visible()
    form = page.locator("emeth-ways")
    if not form.count():
        whole = re.compile(rf"^\s*{re.escape(action['sentence'])}\s*$")
        page.locator("section.actions li button > span:first-child", has_text=whole).click()
        return
    choose = form.locator(".main")
    for row in form.locator("fieldset").all():
        name = row.locator("legend").inner_text().lower()
        amount = re.search(rf"(\d+) {name}", action["sentence"])
        for _ in range(int(amount[1]) if amount else 0):
            row.get_by_role("button", name="More").click()
    expect(choose).to_have_text(action["sentence"])
    choose.click()
