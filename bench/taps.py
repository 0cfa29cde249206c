"""What a tap costs by itself, in processor time: without line, disk or read models.

    python bench/taps.py tokars-arcana --matches 20

Random matches are played by taps, as `bench/gateways.py` does, on a table in memory. For each
game: microseconds to take a tap (find what it means, judge the action that it completes, record
both), and to make the prompt that answers it, with its events, as bytes. `--profile` tells where it
goes.
"""

import cProfile
import pstats
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from time import process_time
from typing import Any
from uuid import UUID

from gateways import script

from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.log.origin import Taps
from domain.match import AnyMatch, MatchSetup, act, create
from domain.match.seats import token_roles
from domain.registry import GAMES
from domain.table import (
    DueTap,
    GatewayHello,
    Message,
    PairingAttempt,
    SeatingRequest,
    Table,
    TapDecision,
    open_table,
    pair,
    process_tap,
    record_hello,
    register,
    seat,
)
from services.devices.device_signals import add_signals
from services.devices.prompts import TAP_OUTCOMES, add_events, add_refusal, stylus_prompt
from services.devices.stylus_views import StylusViewCache
from tests.command_contexts import context_at

NOW = datetime(2026, 1, 1, tzinfo=UTC)
STAMP = context_at(NOW, "")
PEN = "AA:01"
Names = dict[tuple[str, str], str]


class TapSession:
    """A table with one gateway and one stylus, which has all seats of a match."""

    def __init__(self, game: AnyGame) -> None:
        setting = MatchSetup(game, game.options())
        keys = {role: role for role in token_roles(game, setting.options, setting.terms)}
        self.match: AnyMatch = create(setting, UUID(int=1), keys, STAMP).state
        self.moments = StylusViewCache()
        table = open_table(UUID(int=2), "Corner", STAMP).state
        table = register(table, "g", "Tablet", "key", STAMP).state
        table = _done(pair(table, PairingAttempt("g", PEN, "0000", "0000"), STAMP))
        seats = {role: key for role, key in keys.items() if role not in (REFEREE, SPECTATOR)}
        seating = SeatingRequest("g", PEN, self.match.id, seats, True, {})
        table = _done(seat(table, seating, None, STAMP))
        self.table: Table = _done(record_hello(table, "g", GatewayHello("e", 1, "bench/1"), STAMP))

    def take(self, code: str) -> tuple[TapDecision, AnyMatch]:
        """Take a tap; what came of it, and the match before it."""
        stylus, before = self.table.styluses[PEN], self.match
        shown = stylus.era if stylus.era and stylus.seen == before.version else before.version
        number = self.table.gateways["g"].highest + 1
        message = Message("g", "e", number, 0, PEN, code, prompt=shown)

        def judge(acting: str, action: Any, taps: Taps) -> Any:
            return act(before, acting, action, context_at(NOW, f"g/e/{number}"))

        done = process_tap(DueTap(self.table, message, before, STAMP), judge, self.moments.meet)
        self.table = done.recorded.state
        if done.changeset is not None:
            self.match = done.changeset.state
        return done, before

    def show(self, done: TapDecision, before: AnyMatch) -> bytes:
        """The prompt that answers it."""
        stylus = self.table.styluses[PEN]
        shown = stylus_prompt(PEN, stylus, self.match, self.moments.meet(stylus, self.match))
        shown.outcome = TAP_OUTCOMES[done.outcome]
        if done.refusal is not None:
            add_refusal(shown.refusal, done.refusal, self.match)
        if done.changeset is not None:
            add_events(shown, before, done.changeset, {}, discreet=False)
        add_signals(shown)
        return shown.SerializeToString()


def _done(changeset: Any) -> Any:
    return changeset.state


def play(game: AnyGame, codes: list[str]) -> tuple[list[float], list[float], int]:
    """Seconds to take each of these taps, and to make each prompt; the bytes of all prompts."""
    session, size = TapSession(game), 0
    taking: list[float] = []
    showing: list[float] = []
    for code in codes:
        begun = process_time()
        done, before = session.take(code)
        taken = process_time()
        size += len(session.show(done, before))
        showing.append(process_time() - taken)
        taking.append(taken - begun)
        assert done.outcome in ("done", "acted"), (code, done.refusal)
    return taking, showing, size


def measure(game: AnyGame, given: Namespace, profile: cProfile.Profile | None) -> None:
    """Play random matches by taps, each several times, and print what the taps cost at best."""
    taking = showing = 0.0
    taps = size = 0
    for number in range(given.matches):
        codes = script(game.slug, number, given.taps)
        if profile is not None:
            profile.enable()
        rounds = [play(game, codes) for _ in range(given.rounds)]
        if profile is not None:
            profile.disable()
        taking += sum(map(min, zip(*(taken for taken, _, _ in rounds), strict=True)))
        showing += sum(map(min, zip(*(shown for _, shown, _ in rounds), strict=True)))
        taps, size = taps + len(codes), size + rounds[0][2]
    take_us, show_us = 1e6 * taking / taps, 1e6 * showing / taps
    print(
        f"{game.slug:14} {take_us + show_us:6.0f} us a tap: {take_us:5.0f} to take it,"
        f" {show_us:5.0f} for the prompt of {size / taps:,.0f} bytes ({taps:,} taps)",
        flush=True,
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--taps", type=int, default=50, help="of a match, at most")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many counts")
    parser.add_argument("--profile", action="store_true", help="tell where the time goes")
    given = parser.parse_args()
    for slug in given.games or GAMES:
        profile = cProfile.Profile() if given.profile else None
        measure(GAMES[slug], given, profile)
        if profile is not None:
            pstats.Stats(profile).sort_stats("tottime").print_stats(60)


if __name__ == "__main__":
    main()
