"""Two pages play each game to its end by clicks, and a third watches."""

import json
import re
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Page, expect

from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame
from domain.kernel.packs import BUILT_IN_PACKS
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from tests.console.conftest import ConsoleService, Open, StartedMatch
from tests.console.short_games import ShortGame, short_game
from tests.console.table import HEARING

BY_CLICKS: Final = Path(__file__).with_name("by_clicks.js").read_text()
SILENT: Final = "localStorage.setItem('emeth.sound', 'off');"
"""Sounds that nobody hears cost a tenth of the time."""


@pytest.mark.timeout(600)  # a hundred actions, on a machine that may be ten times slower
@pytest.mark.parametrize("game", GAMES)
def test_two_pages_play_a_game_to_its_end(
    game: str, served: ConsoleService, open_page: Open
) -> None:
    short = short_game(game)
    match = served.create(game, chance="CHANCE_ENTERED", options=short.options)

    def opened(role: str) -> Page:
        return open_page(match.link(role), script=HEARING + SILENT + BY_CLICKS)

    actions = clicks_of(GAMES[game], short, match.now["version"])
    # What the table enters before any seat can act needs its page alone.
    setup = next(n for n, (role, _) in enumerate(actions) if role not in GAMES[game].entry_roles)
    pages = {role: opened(role) for role in {role for role, _ in actions[:setup]}}
    play(pages, actions[:setup])
    pages |= {each["name"]: opened(each["name"]) for each in match.now["seats"]}
    watching = open_page(match.link("spectator"))
    play(pages, actions[setup:-1])
    for role, page in pages.items():
        secrets = hidden_from(match, role)
        heard = page.evaluate("window.heard.join('')") + page.content()
        assert len(heard) > 10_000
        assert not [secret for secret in secrets if names(secret).search(heard)]
        assert bool(secrets) == (game == "res-arcana" and role != "table")
    play(pages, actions[-1:])
    assert match.taken() == [notation for _, notation in short.actions]
    caption = match.now["caption"]
    assert match.now["status"] == "MATCH_STATUS_OVER"
    for page in (*pages.values(), watching):
        expect(page.locator(".turn")).to_have_text(caption)
        expect(page.locator(".events li")).to_have_count(match.now["version"])
        assert page.locator(".trouble").count() == 0
    assert watching.locator("#confirm, .actions, #resign").count() == 0
    sentences = [each["sentence"] for each in match.events("spectator")]
    assert watching.locator(".events li button > span:last-child").all_inner_texts() == sentences


def play(pages: dict[str, Page], actions: list[tuple[str, dict[str, Any]]]) -> None:
    """Have all pages click what is theirs, each when it is its turn."""
    for role, page in pages.items():
        own = [action for actor, action in actions if actor == role]
        page.evaluate("actions => { window.played = playByClicks(actions).catch(String); }", own)
    faults = {role: page.evaluate("window.played") for role, page in pages.items()}
    assert not any(faults.values()), faults


def hidden_from(match: StartedMatch, seat: str) -> set[str]:
    """The ids of what is there for the referee, and was never there for this seat."""
    whole, own = (pieces_for(match, viewer) for viewer in ("referee", seat))
    known = json.dumps(match.events(seat, changes=True))
    return {piece for piece in whole - own if not names(piece).search(known)}


def names(identity: str) -> re.Pattern[str]:
    """Finds an id in any bytes, but not as part of another."""
    return re.compile(rf"(?<![a-z-]){identity}(?![a-z-])")


def pieces_for(match: StartedMatch, viewer: str) -> set[str]:
    return {each["id"] for each in match.scene(viewer)["pieces"]}


def clicks_of(game: AnyGame, short: ShortGame, version: int) -> list[tuple[str, dict[str, Any]]]:
    """Who takes each action of a game, with what a page needs to know to click it."""
    chosen = msgspec.convert(
        short.options, game.options, dec_hook=BUILT_IN_PACKS.decode_hook(game.packs)
    )
    state = game.start(chosen)
    clicks: list[tuple[str, dict[str, Any]]] = []
    for number, (seat, notation) in enumerate(short.actions, version):
        action = game.read_action(notation)
        known = game.information_state(state, seat)
        parts = msgspec.to_builtins(game.parts(known, action))
        clicks.append(
            (seat, parts | {"version": number, "group": group_of(game, known, seat, action)})
        )
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted), f"{seat} cannot do {notation}"
        state = fold(game, state, outcome.facts)
    return clicks


def group_of(game: AnyGame, state: Any, seat: str, action: Any) -> str:
    """The sentence of the group that an action is listed in; empty if it is not in a group."""
    for group in game.groups(state, seat) if game.groups else ():
        first, *others = group.actions()
        if others and action in (first, *others):
            return group.write_sentence()
    return ""
