"""A soak test of the rules: random games, with consistency checks at every step.

    python bench/soak_games.py earthen-war --matches 1000 --option artillery=true

Everything listed is accepted, and everything accepted is explained by known rules. The facts of a
match, stored and read again, fold to the live state. Positions, actions and states read back as
they were written. Each viewer has a view. No two actions have equal parts. A module `invariants`
among the tests of a game adds checks of its own. The last line is "N passed, N failed".
"""

import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec
from play import Moment, arguments, games, options, random_game

from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame, ResolvedAction
from domain.kernel.packs import library_of
from domain.kernel.rulings import Accepted
from domain.log.digests import canonical_bytes

JUDGED = 40
"""Listed actions of one step that are decided, and whose parts are compared, at most."""
LOOKS = 10
"""Steps between checks of all viewers, since scenes are slow."""


class Soak:
    """Matches of one game with one choice of options."""

    def __init__(self, game: AnyGame, chosen: Any) -> None:
        self.game = game
        self.options = chosen
        self.viewers = (*game.seats(chosen), SPECTATOR, REFEREE)
        self.facts = msgspec.json.Decoder(game.facts)
        found = library_of(chosen).decode_hook(game.packs)
        self.states = msgspec.json.Decoder(game.state, dec_hook=found)
        self.actions = 0
        self.finished = 0
        module = f"tests.games.{game.slug.replace('-', '_')}.invariants"
        self.invariants = import_module(module).broken if find_spec(module) else None

    def match(self, chance: random.Random, steps: int, start: Any = None) -> str | None:
        """Play one match from `start`, or its first state; return the fault, or None."""
        try:
            return self._match(chance, steps, start or self.game.start(self.options))
        except Exception:  # the rules never raise, whatever they are given
            return traceback.format_exc(limit=-6)

    def _match(self, chance: random.Random, steps: int, start: Any) -> str | None:
        state = start
        log: list[bytes] = []
        fault = next(self._standing(start, start, 0), None)
        for number, moment in enumerate(random_game(self.game, start, chance, steps)):
            self.actions += 1
            log += [msgspec.json.encode(fact) for fact in moment.outcome.facts]
            state = moment.after
            faults = self._faults(moment, number, chance)
            fault = fault or next(faults, None)
            if fault:
                text = self.game.write_action(moment.action)
                return f"{fault}\n    {self.game.write_position(moment.before)}\n    {text}"
        self.finished += self.game.result(state) is not None
        if fold(self.game, start, map(self.facts.decode, log)) != state:
            return "the stored facts do not fold to the live state"
        return fault

    def _faults(self, moment: Moment, number: int, chance: random.Random) -> Iterator[str]:
        yield from self._listing(moment, chance)
        yield from self._explained(moment)
        yield from self._standing(moment.before, moment.after, number)
        if number % LOOKS == 0:
            yield from self._redacted(moment)

    def _listing(self, moment: Moment, chance: random.Random) -> Iterator[str]:
        game, listed = self.game, list(moment.listed)
        if len({game.write_action(action) for action in listed}) != len(listed):
            yield "an action is listed twice"
        for action in listed if len(listed) <= JUDGED else chance.sample(listed, JUDGED):
            text = game.write_action(action)
            if game.read_action(text) != action:
                yield f"{text} reads back as another action"
            if not isinstance(game.decide(moment.before, moment.seat, action), Accepted):
                yield f"{text} is listed and refused"
        if len(listed) <= JUDGED:
            parts = [game.parts(moment.before, action) for action in listed]
            taps = Counter((p.verb, p.pieces, p.spaces, p.cards, p.choices) for p in parts)
            yield from (f"several actions have the parts {t}" for t, n in taps.items() if n > 1)

    def _explained(self, moment: Moment) -> Iterator[str]:
        outcome = moment.outcome
        for ruling in outcome.rulings:
            if not self.game.rules.keys() >= set(ruling.rules):
                yield f"rules are cited that are not in the index: {ruling.rules}"
            if ruling.fact is not None and not 0 <= ruling.fact < len(outcome.facts):
                yield f"a ruling explains fact {ruling.fact} of {len(outcome.facts)}"

    def _standing(self, before: Any, after: Any, number: int) -> Iterator[str]:
        game = self.game
        position = game.write_position(after)
        if game.read_position(position, self.options) != after:
            yield f"the position after it reads back as another: {position}"
        if self.invariants is not None:
            yield from (f"{fault}: {position}" for fault in self.invariants(before, after))
        if number % LOOKS == 0:
            if self.states.decode(canonical_bytes(after)) != after:
                yield f"the state after it cannot be stored: {position}"
            yield from self._looked(after)

    def _looked(self, state: Any) -> Iterator[str]:
        for viewer in self.viewers:
            scene = self.game.scene(state, viewer)
            places = {space.id for space in scene.spaces} | {zone.id for zone in scene.zones}
            if not places.issuperset(piece.where for piece in scene.pieces):
                yield f"{viewer} sees a piece that is nowhere"
            if len({piece.id for piece in scene.pieces}) != len(scene.pieces):
                yield f"{viewer} sees two pieces with one id"
            if not self.game.write_view(state, viewer):
                yield f"{viewer} has no view of the position"

    def _redacted(self, moment: Moment) -> Iterator[str]:
        outcome = moment.outcome
        happened = ResolvedAction(moment.seat, moment.action, outcome.facts, outcome.rulings)
        for viewer in self.viewers:
            redacted = self.game.redact(happened, viewer)
            before, after = (
                self.game.information_state(state, viewer)
                for state in (moment.before, moment.after)
            )
            narration = self.game.narrate(before, redacted, after)
            if not narration.outcome or len(narration.facts) != len(redacted.facts):
                yield f"{viewer} is not told what came of it"


def main() -> int:
    """Soak the games that the command line names; return 1 if anything was wrong."""
    given = arguments("Play games at random and check them.", matches=20).parse_args()
    passed = failed = 0
    for game in games(given.games):
        soak = Soak(game, options(game, given.option))
        began = time.perf_counter()
        for number in range(given.matches):
            seed = f"{given.seed}/{game.slug}/{number}"
            fault = soak.match(random.Random(seed), given.steps)
            passed, failed = passed + (fault is None), failed + (fault is not None)
            if fault is not None:
                print(f"{game.slug}, match {number} of seed {given.seed}: {fault}")
        took = time.perf_counter() - began
        print(
            f"{game.slug} {soak.options}: {given.matches:,} matches, {soak.finished:,} played to"
            f" the end, {soak.actions:,} actions, {soak.actions / took:,.0f} actions/s checked"
        )
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
