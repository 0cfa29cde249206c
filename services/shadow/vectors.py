"""Conformance vectors as the test of a shadow: does it agree with each of them?"""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from domain.conformance.vectors import Mismatch, Vector, in_byte_order, in_words
from domain.kernel.any_game import read_options, understand
from domain.kernel.game import AnyGame
from domain.kernel.text import NotationError
from domain.log.digests import as_digest
from domain.registry import GAMES
from services.shadow.comparing import Step, compare
from services.shadow.interface import Allowed, Shadow

ALLOWED: Final = "accepted"


def check_shadow(shadow: Shadow, vector: Vector) -> list[Mismatch]:
    """Where a shadow and a vector of its game differ; nothing if they agree. Whatever the shadow
    raises is a mismatch."""
    return list(_Run(shadow, vector).mismatches())


class _Run:
    """A vector as it is played."""

    def __init__(self, shadow: Shadow, vector: Vector) -> None:
        self.shadow, self.vector = shadow, vector
        self.game: AnyGame = GAMES[vector.game]
        self.options: dict[str, Any] = {}
        self.position = ""

    def mismatches(self) -> Iterator[Mismatch]:
        vector, at = self.vector, 0
        try:
            options = read_options(self.game, vector.options)
        except msgspec.ValidationError as error:
            yield self._differs(0, "options", "options of the game", str(error))
            return
        self.options = msgspec.to_builtins(options, enc_hook=as_digest)
        try:
            self.position = vector.start or self.shadow.start(self.options)
            for at, step in enumerate(vector.steps):
                yield from self._standing(at)
                before, self.position = self.position, step.position
                told = Step(
                    vector.game,
                    self.options,
                    step.position,
                    before=before,
                    seat=step.by,
                    action=step.do,
                    facts=self._facts(before, step.by, step.do),
                )
                for each in compare(self.shadow, told):
                    yield self._differs(
                        at + 1, f"{each.about}: {each.what}", each.house, each.shadow
                    )
            at = len(vector.steps)
            yield from self._standing(at)
        except Exception as error:  # another's code: what it raises is what it is at fault with
            yield self._differs(at, "an answer", "one", f"{type(error).__name__}: {error}")

    def _facts(self, before: str, seat: str, text: str) -> tuple[dict[str, Any], ...]:
        """What the house makes of it: vectors tell no facts."""
        options = read_options(self.game, self.vector.options)
        try:
            state = self.game.read_position(before, options)
        except NotationError:
            return ()
        action = understand(self.game, state, text)
        decided = self.game.decide(state, seat, action)
        facts = getattr(decided, "facts", ())
        return tuple(msgspec.to_builtins(facts, enc_hook=as_digest))

    def _standing(self, at: int) -> Iterator[Mismatch]:
        seats = self.game.seats(read_options(self.game, self.vector.options))
        for key, expected in self.vector.legal.items():
            index, _, seat = key.partition(":")
            if int(index) != at:
                continue
            lists = [
                self.shadow.legal(self.position, self.options, each)
                for each in ((seat,) if seat else seats)
            ]
            if None not in lists:
                listed = in_byte_order(text for each in lists for text in each or ())
                if listed != expected:
                    words = in_words(expected, listed)
                    yield self._differs(at, f"legal actions {key}", *words)
        for attempt in self.vector.illegal:
            if attempt.at == at:
                judged = self.shadow.apply(self.position, self.options, attempt.by, attempt.do)
                said = ALLOWED if isinstance(judged, Allowed) else judged.rule or attempt.rule
                if said != attempt.rule:
                    what = f"attempt by {attempt.by}: {attempt.do}"
                    yield self._differs(at, what, f"refused by {attempt.rule}", said)

    def _differs(self, at: int, what: str, expected: str, got: str) -> Mismatch:
        return Mismatch(at, what, expected, got, self.position, self.position)
