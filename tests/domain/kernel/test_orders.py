"""Orders: derived picks, merged amounts, refused lines; and default forecasts."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from domain.games.agog import GAME as AGOG
from domain.games.res_arcana import GAME as RES_ARCANA
from domain.games.res_arcana.bundles import LETTERS, NAMES, counts
from domain.kernel.forecasts import hit_pieces, tag_of
from domain.kernel.game import AnyGame
from domain.kernel.hints import Forecast, Outcome, RefusedLine
from domain.kernel.orders import Order, find_action, orders, with_picks
from domain.kernel.parts import Amounts, Parts, Pick
from domain.kernel.rulings import Refused
from domain.kernel.scene import Counter, Piece, Scene, Space
from domain.kernel.scene_changes import diff_scenes
from domain.kernel.table_theme import SymbolInfo, TableTheme
from tests.games.res_arcana.conftest import written
from tests.interaction import whole_forecast


def picks(parts: Parts, **places: str) -> tuple[str, list[tuple[str, str]]]:
    found = with_picks(parts, places)
    return found.actor, [(pick.id, pick.role) for pick in found.picks or ()]


def test_picks_are_derived_from_the_lists_of_parts() -> None:
    parts = Parts("move", "", ("golem", "hulk"), ("a1", "b2", "c3"), ("card",), ("out",))
    assert picks(parts, golem="a1", hulk="d4") == (
        "golem",
        [
            ("hulk", "target"),
            ("b2", "to"),
            ("c3", "to"),
            ("card", "with"),
            ("out", "option"),
        ],
    )
    # A space is picked, and not the only piece on it.
    assert ("hulk", "hit") in picks(parts, golem="a1", hulk="c3")[1]
    assert ("hulk", "target") in picks(parts, golem="a1", hulk="c3", other="c3")[1]
    # Without pieces the first card acts.
    assert picks(Parts("use", "", (), (), ("athanor", "vault"))) == ("athanor", [("vault", "with")])


def test_picks_that_a_game_gives_are_kept() -> None:
    given = Parts("pass", "", choices=("pass",), picks=())
    assert with_picks(given, {}) is given
    assert picks(Parts("move", "", ("golem",), actor="golem")) == ("golem", [])
    assert picks(Parts("move", "", ("x",), picks=(Pick("y", "to"),))) == ("", [("y", "to")])


# --- amounts -------------------------------------------------------------------------------------


def _amounts(action: Any) -> Amounts | None:
    essences = getattr(action, "essences", None)
    if essences is None:
        return None
    found = zip(LETTERS, counts(essences), strict=True)
    return Amounts("pay", {NAMES[letter]: n for letter, n in found if n})


def _with_amounts(game: AnyGame) -> AnyGame:
    """Res Arcana as if its parts had the payments as amounts, and with symbols."""
    symbols = {name: SymbolInfo(name, precious=name == "gold") for name in NAMES.values()}

    def outline(state: Any, action: Any) -> Parts:
        parts = (game.outline or game.parts)(state, action)
        amounts = _amounts(action)
        if amounts is None:
            return parts
        return msgspec.structs.replace(
            parts, choices=(), cost="", actor=action.card, picks=(), amounts=amounts
        )

    return replace(game, outline=outline, table_theme=TableTheme(symbols=symbols))


PAYING = _with_amounts(RES_ARCANA)
POSITION = RES_ARCANA.read_position(
    written(
        north="4e3l2c1d2g | research,scholar | crypt,tree-of-life",
        east="1d | alchemy,seer | treant",
    ),
    RES_ARCANA.options(),
)


def _order(found: tuple[Order[Any], ...], actor: str, verb: str) -> Order[Any]:
    return next(each for each in found if (each.actor, each.verb) == (actor, verb))


@pytest.mark.parametrize(("card", "verb"), [("tree-of-life", "play"), ("crypt", "discard")])
def test_actions_that_differ_in_amounts_only_are_one(card: str, verb: str) -> None:
    plain = [
        each
        for each in PAYING.legal(POSITION, "north")
        if getattr(each, "card", "") == card and PAYING.parts(POSITION, each).verb == verb
    ]
    (action,) = _order(orders(PAYING, POSITION, "north"), card, verb).actions
    assert len(plain) > 1
    assert action.amounts is not None
    assert action.action in plain
    symbols = action.amounts.symbols
    assert [*symbols] == [name for name in NAMES.values() if name in symbols]
    for each in plain:
        amounts = _amounts(each)
        assert amounts is not None
        vector = [amounts.counts.get(symbol, 0) for symbol in symbols]
        assert sum(way.allows(vector) for way in action.amounts.ways) == 1
        assert find_action(PAYING, POSITION, "north", action.action, vector) == each
    assert find_action(PAYING, POSITION, "north", action.action, [9] * len(symbols)) is None
    assert find_action(PAYING, POSITION, "north", action.action, [1]) is None


def test_an_action_without_amounts_is_not_found_by_amounts() -> None:
    state = AGOG.start(AGOG.options())
    assert find_action(AGOG, state, "white", next(AGOG.legal(state, "white")), [1]) is None


# --- refused lines -------------------------------------------------------------------------------


def test_refused_lines_follow_the_orders_that_have_actions() -> None:
    refused = Refused("ra.turned", "it is turned")

    def lines(state: Any, seat: str, actor: str) -> tuple[RefusedLine, ...]:
        del state
        assert seat == "north"
        if actor == "scholar":
            return (RefusedLine("power-9", refused, "use", "1 {elan}"),)
        # The crypt can be discarded: without a line orders differ by their verb.
        given = ("play", "discard") if actor == "crypt" else ()
        return tuple([RefusedLine("", refused, verb) for verb in given])

    poor = msgspec.structs.replace(POSITION.areas[0], pool="0")
    state = msgspec.structs.replace(POSITION, areas=(poor, *POSITION.areas[1:]))
    *possible, power, play = orders(replace(RES_ARCANA, refused_lines=lines), state, "north")
    assert power == Order("scholar", "power-9", "use", "1 {elan}", (), refused)
    assert play == Order("crypt", "", "play", "", (), refused)
    assert all(order.actions and order.refused is None for order in possible)


# --- forecasts -----------------------------------------------------------------------------------


def test_a_forecast_leads_to_the_next_scene_and_a_game_may_add_to_it() -> None:
    state = AGOG.start(AGOG.options())
    action = next(AGOG.legal(state, "white"))
    found = whole_forecast(AGOG, state, "white", action)
    assert found.changes
    assert found.sentence
    assert (found.tag, found.marks) == ("", ())
    own = Forecast(tag="well done", outcomes=(Outcome("sword", "a fight"),))
    adding = replace(AGOG, forecast=lambda *_: own)
    more = whole_forecast(adding, state, "white", action)
    assert more == msgspec.structs.replace(found, tag=own.tag, outcomes=own.outcomes)


def test_pieces_of_others_that_leave_or_lose_something_are_hit() -> None:
    def piece(name: str, owner: str, *, where: str = "a1", hp: int = 3) -> Piece:
        return Piece(name, "golem", "", where, owner, counters=(Counter("hp", hp),))

    space = Space("a1", 0, 0)
    before = Scene(
        "", (space,), (piece("mine", "white"), piece("gone", "black"), piece("hurt", "black"),
                       piece("whole", "black"), piece("hand", "black", where="hand")),
    )  # fmt: skip
    after = Scene(
        "", (space,), (piece("mine", "white", hp=1), piece("hurt", "black", hp=2),
                       piece("whole", "black")),
    )  # fmt: skip
    assert hit_pieces(before, diff_scenes(before, after), "white") == ("gone", "hurt")


def test_a_tag_is_the_last_short_sentence() -> None:
    assert tag_of(
        ["One two.", "The hulk is captured.", "It all ends in a very long sentence."]
    ) == ("The hulk is captured")
    assert tag_of(["", "This is a sentence of many more words than six."]) == ""
