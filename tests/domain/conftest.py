"""Matches with everything in them that a match can have."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from domain.kernel.game import REFEREE
from domain.log.digests import digest
from domain.log.origin import CommandContext
from domain.log.runs import Run
from domain.log.sealed_events import SealedEvent
from domain.match import (
    AnyMatch,
    Changeset,
    MatchSetup,
    RunSeedSource,
    Terms,
    Verdict,
    act,
    claim,
    create,
    leave,
    line,
    moved_ranges,
    raise_dispute,
    resign,
    respond_to_undo,
    revert,
    roles,
    undo,
    uphold,
)
from domain.registry import GAMES
from tests.command_contexts import context_at

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def seed_of(epoch: int, entropy: str) -> bytes:
    return bytes([epoch]) * 31 + (entropy[:1] or "s").encode()


class MatchBuilder:
    """A match at random, in which anything may happen."""

    def __init__(
        self,
        game: str,
        seed: int = 1,
        terms: Terms | None = None,
        chosen: dict[str, Any] | None = None,
        start: str | None = None,
        run: Run | None = None,
    ) -> None:
        self.random = Random(seed)
        self.rules = GAMES[game]
        self.events: list[SealedEvent[Any]] = []
        self.states: list[AnyMatch] = []
        self.run = run
        self.secret: Callable[[int, str], bytes] = seed_of
        self.id = UUID(int=self.random.getrandbits(128), version=4)
        options: Any = msgspec.convert(chosen or {}, self.rules.options)
        keys = {role: key_of(f"{role}-token") for role in roles(self.rules, options)}
        self.tell(
            create(
                MatchSetup(self.rules, options, "A story", terms=terms or Terms(), start=start),
                self.id,
                keys,
                self.command_context,
                seeds=self.seeds,
            )
        )

    @property
    def match(self) -> AnyMatch:
        return self.states[-1]

    @property
    def command_context(self) -> CommandContext:
        number = len(self.events)
        return context_at(NOON + timedelta(seconds=number), f"request {number}")

    @property
    def seeds(self) -> RunSeedSource:
        return RunSeedSource(self.secret, self.run)

    def start_again(self) -> "MatchBuilder":
        """The service begins its next run."""
        number = self.run.number + 1 if self.run else 1
        self.run = Run(number, f"{number:x}" * 64, digest(b"secret"))
        return self

    def version_lookup(self, version: int) -> AnyMatch:
        return self.states[version - 1]

    def tell(self, changeset: Any) -> bool:
        if not isinstance(changeset, Changeset):
            return False
        self.events += changeset.events
        self.states += changeset.states
        return True

    def seat_players(self) -> "MatchBuilder":
        for seat in self.match.seats:
            key = key_of(f"{seat}-player")
            sits = (seat, f"Player {seat}", key, self.command_context, "luck")
            self.tell(claim(self.match, *sits, seeds=self.seeds))
        return self

    def play(self, actions: int) -> "MatchBuilder":
        """Take so many actions, or fewer if the game ends."""
        for _ in range(actions):
            prompts = self.match.prompts
            if not prompts:
                break
            prompt = self.random.choice(prompts)
            listed = islice(self.rules.legal(self.match.position, prompt.seat), 200)
            legal = [each for each in listed if not self.rules.is_administrative(each)]
            action = self.random.choice(legal)
            assert self.tell(act(self.match, prompt.seat, action, self.command_context, self.seeds))
        return self

    def play_this(self, action: Any) -> "MatchBuilder":
        """Take one action for the seat that is prompted."""
        seat = self.match.prompts[0].seat
        assert self.tell(act(self.match, seat, action, self.command_context, self.seeds))
        return self

    def take_back(self, to: int, seat: str = REFEREE) -> bool:
        """Ask to go on from a version of the line; the referee need not ask."""
        stretches = moved_ranges(self.match, to)
        left = [self.events[version - 1] for each in stretches for version in each]
        stood = self.states[to - 1]
        return self.tell(undo(self.match, seat, stood, left, self.command_context, self.seeds))

    def answer(self, granted: bool) -> bool:
        """Have everybody who is asked answer an undo."""
        answered = False
        while self.match.proposal is not None and self.match.proposal.awaiting:
            seat = self.match.proposal.awaiting[0]
            response = respond_to_undo(
                self.match, seat, granted, self.command_context, self.version_lookup, self.seeds
            )
            answered = self.tell(response)
            if not answered:
                break
        return answered

    def dispute(self, on: int, to: int | None = None) -> "MatchBuilder":
        """Question an event, and have it stand, or the line go back."""
        self.tell(
            raise_dispute(self.match, self.match.seats[0], on, "I doubt it", self.command_context)
        )
        number = self.match.version
        if to is None:
            self.tell(uphold(self.match, Verdict(number, "it was so", ()), self.command_context))
        else:
            reverted = revert(
                self.match,
                Verdict(number, "no", ()),
                to,
                self.command_context,
                self.version_lookup,
                self.seeds,
            )
            self.tell(reverted)
        return self

    def wander(self, steps: int) -> "MatchBuilder":
        """Play, and now and then take back, dispute, leave and join."""
        for _ in range(steps):
            self.play(self.random.randint(1, 4))
            on_line = {version for stretch in line(self.match) for version in stretch}
            back = sorted(on_line - {self.match.version})
            match self.random.randrange(8):
                case 0 if back:
                    self.take_back(self.random.choice(back))
                case 1 if back:
                    self.take_back(self.random.choice(back), self.match.seats[-1])
                    self.answer(granted=self.random.random() < 0.7)
                case 2:
                    self.dispute(self.random.randint(1, self.match.version))
                case 3 if back:
                    self.dispute(self.match.version, self.random.choice(back))
                case 4:
                    seat = self.match.seats[0]
                    self.tell(leave(self.match, seat, self.command_context))
                    self.tell(
                        claim(
                            self.match,
                            seat,
                            "Eve",
                            key_of("eve"),
                            self.command_context,
                            "more luck",
                        )
                    )
                case _:
                    pass
        return self

    def end(self) -> "MatchBuilder":
        """Give up, so that the match is over."""
        seat = self.match.seats[0]
        self.tell(resign(self.match, seat, self.command_context, self.seeds))
        return self


def key_of(token: str) -> str:
    """The digest under which a token is stored."""
    return digest(token.encode())
