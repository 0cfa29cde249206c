"""A benchmark of how long a preview of an action takes, over random play.

    python bench/preview.py golem-arcana --option scenario=siege-of-grey-gate --verb attack

For each game: the mean and the 99th percentile, in milliseconds, of deciding one legal action and
writing what follows in words, figures and parts, as `PreviewOrder` returns it.
"""

import random
import statistics
import time
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace
from play import arguments, games, options, random_game

from domain.match import AnyMatch, Changeset, MatchSetup, act, create, roles
from projections.views.viewer_events import render_event
from tests.command_contexts import context_at

STAMP = context_at(datetime(2026, 11, 21, tzinfo=UTC), "preview")


def a_match(game: Any, chosen: Any) -> AnyMatch:
    """Return a new match, whose position each preview replaces."""
    keys = {role: role for role in roles(game, chosen)}
    return create(MatchSetup(game, chosen), UUID(int=1), keys, STAMP).state


def preview(match: AnyMatch, seat: str, action: Any) -> float:
    """Return the milliseconds that one preview takes."""
    began = time.perf_counter()
    changeset = act(match, seat, action, STAMP)
    assert isinstance(changeset, Changeset), changeset
    for sealed in changeset.events:
        render_event(match, sealed, seat)
    match.rules.write_view(changeset.state.position, seat)
    return (time.perf_counter() - began) * 1000


def main() -> None:
    """Measure the games that the command line names."""
    parser = arguments("Time previews of actions.", matches=5)
    parser.add_argument("--verb", default="", help="only actions of this verb")
    given = parser.parse_args()
    for game in games(given.games):
        chosen = options(game, given.option)
        match = a_match(game, chosen)
        times: list[float] = []
        for number in range(given.matches):
            chance = random.Random(f"{given.seed}/{number}")
            for moment in random_game(game, game.start(chosen), chance, given.steps):
                fitting = [
                    action
                    for action in moment.listed
                    if not game.is_administrative(action)
                    and given.verb in ("", game.parts(moment.before, action).verb)
                ]
                if not fitting:
                    continue
                there = replace(match, position=moment.before)
                times.append(preview(there, moment.seat, chance.choice(fitting)))
        if not times:
            print(f"{game.slug}: no action of verb {given.verb!r}")
            continue
        times.sort()
        print(
            f"{game.slug}: {len(times):,} previews take {statistics.mean(times):.3f} ms on average,"
            f" {times[len(times) * 99 // 100]:.3f} ms at the 99th percentile"
        )


if __name__ == "__main__":
    main()
