"""What a table refuses in Golem Arcana's own words: section 11 of the reference."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from domain.games.golem_arcana import GAME
from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match import MatchSetup, create
from domain.stylus.tap_rules import RULES, cite_game_rule
from domain.table import (
    DueTap,
    GatewayHello,
    Message,
    NamingRequest,
    PairingAttempt,
    SeatingRequest,
    Table,
    open_table,
    pair,
    process_tap,
    record_hello,
    register,
    rename,
    seat,
    stylus_view_of,
)
from tests.command_contexts import context_at

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
KEYS = {role: f"{role}-key" for role in ("north", "south", "referee", "spectator")}
MATCH = create(
    MatchSetup(GAME, GAME.options()), UUID(int=1), KEYS, context_at(NOW, "request")
).state


class Corner:
    """A table with two gateways, on which the match is played."""

    def __init__(self) -> None:
        self.table: Table = open_table(UUID(int=9), "Corner", self.command_context()).state
        for gateway in ("g1", "g2"):
            self.do(register, gateway, "Tablet", "key")
        self.do(pair, PairingAttempt("g1", "pen", "0000", "0000"))
        south = {"south": KEYS["south"]}
        self.do(seat, SeatingRequest("g1", "pen", MATCH.id, south, False), None)
        self.do(record_hello, "g1", GatewayHello("e1", 1, "test/1"))

    def command_context(self, second: int = 0) -> CommandContext:
        return context_at(NOW + timedelta(seconds=second), "")

    def do(self, command: Callable[..., Any], *words: Any, second: int = 0, **more: Any) -> str:
        """Do something at the table; the rule by which it is refused."""
        answer = command(self.table, *words, self.command_context(second), **more)
        if isinstance(answer, Changeset):
            self.table = answer.state
            return ""
        assert isinstance(answer, Refused)
        return cite_game_rule(GAME, answer).rule

    def tap(self, code: str, stylus: str = "pen", prompt: int = 1) -> str:
        """Tap something; the rule by which it is refused."""
        seq = self.table.gateways["g1"].highest + 1
        message = Message("g1", "e1", seq, 0, stylus, code, prompt=prompt)
        done = process_tap(
            DueTap(self.table, message, MATCH, self.command_context()), _never, stylus_view_of
        )
        self.table = done.recorded.state
        assert done.refusal is not None
        assert self.table.version == done.recorded.events[-1].event.version
        assert done.recorded.events[-1].event.rule == done.refusal.rule
        return done.refusal.rule


def _never(seat: str, action: Any, taps: Any) -> Rejection:
    raise AssertionError(f"{seat} acts: {action}, {taps}")


@pytest.fixture
def corner() -> Corner:
    return Corner()


def test_this_game_has_its_own_name_for_each_rule_of_the_stylus_in_its_index() -> None:
    own = [name for name in GAME.rules if name.startswith("ga.stylus.")]
    assert own == list(GAME.stylus_rule_ids.values())
    assert set(GAME.stylus_rule_ids) <= set(RULES)
    for generic, name in GAME.stylus_rule_ids.items():
        assert name == f"ga.{generic}"


def test_a_wrong_pin_is_refused_and_five_of_them_lock_the_stylus(corner: Corner) -> None:
    wrong = Refused("stylus.pin", "that is not the PIN of this stylus")
    assert cite_game_rule(GAME, wrong).rule == "ga.stylus.pin"
    for second in range(5):
        corner.do(pair, PairingAttempt("g1", "new", "1111", "0000"), second=second)
    assert (
        corner.do(pair, PairingAttempt("g1", "new", "0000", "0000"), second=30)
        == "ga.stylus.locked"
    )


def test_a_stylus_that_another_gateway_hears_is_busy(corner: Corner) -> None:
    assert corner.do(pair, PairingAttempt("g2", "pen", "0000", "0000")) == "ga.stylus.busy"


def test_a_stylus_has_a_name_and_a_pin_that_will_do(corner: Corner) -> None:
    assert corner.do(rename, NamingRequest("g1", "pen", "", "4711", "digest")) == "ga.stylus.name"
    assert (
        corner.do(rename, NamingRequest("g1", "pen", "Ada's", "0000", "digest")) == "ga.stylus.name"
    )


def test_taps_of_an_unpaired_stylus_do_nothing(corner: Corner) -> None:
    assert corner.tap("base s1", stylus="stranger") == "ga.stylus.unpaired"


def test_a_tap_for_a_prompt_that_is_gone_is_stale(corner: Corner) -> None:
    assert corner.tap("button confirm", prompt=7) == "ga.stylus.stale"


@pytest.mark.parametrize("code", ["base n1", "region c2", "card n1", "cc army", "cc map"])
def test_views_and_cards_are_shown_whatever_prompt_a_tap_carries(corner: Corner, code: str) -> None:
    message = Message("g1", "e1", 1, 0, "pen", code, prompt=7)
    done = process_tap(
        DueTap(corner.table, message, MATCH, corner.command_context()), _never, stylus_view_of
    )
    assert (done.refusal, done.outcome) == (None, "done")
    hand = done.recorded.state.styluses["pen"].hand
    assert hand.view.partition(" ")[0] in (
        "info",
        "army",
        "map",
    )
    assert corner.tap("base s1", prompt=7) == "ga.stylus.stale", "what begins something is a pick"


def test_a_code_on_no_map_means_nothing(corner: Corner) -> None:
    assert corner.tap("figure/99") == "ga.stylus.nothing"


def test_confirm_without_exactly_one_action_is_unready(corner: Corner) -> None:
    assert corner.tap("button confirm") == "ga.stylus.unready"


def test_a_stylus_that_only_looks_may_not_act(corner: Corner) -> None:
    corner.do(seat, SeatingRequest("g1", "pen", MATCH.id, {}, False), None)
    assert corner.tap("button confirm") == "ga.stylus.seat"


def test_messages_that_are_missing_are_requested_by_a_rule_too() -> None:
    gap = Refused("stylus.gap", "message 5 is missing", {"expected": 5})
    assert cite_game_rule(GAME, gap).rule == "ga.stylus.gap"
