"""Random play of every game, with disputes and verdicts mixed in: the log is the truth all through.

What it holds: folding the log gives the live state at every version, so do the read models, and
nothing that a referee states, however wrong, breaks a match.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import JSONTranscoder, Notification
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel.game import AnyGame, no_redaction
from domain.log.ledger import Rejection
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionTaken,
    AnyMatch,
    Changeset,
    DisputeRaised,
    Event,
    MatchCreated,
    MatchSetup,
    Terms,
    Verdict,
    VerdictGiven,
    act,
    correct,
    create,
    evolve,
    raise_dispute,
    replay,
    revert,
    roles,
    uphold,
)
from domain.registry import GAMES
from domain.storage.mapper import EventMapper
from domain.storage.snapshots import read_snapshot, take_snapshot
from projections.projector import schema
from projections.projector.projector import Projector
from projections.queries import citations, disputes, history
from projections.views import board_views, explanations
from tests.command_contexts import context_at

STEPS = 40
LISTED = 20
"""Legal actions of one position that are chosen from."""
STAMP = context_at(datetime(2026, 11, 21, tzinfo=UTC), "request")
MAPPER = EventMapper(transcoder=JSONTranscoder())

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
chances = pytest.mark.parametrize("chance", ["entered", "rolled"])


def seeds(epoch: int) -> bytes:
    return sha256(f"seed {epoch}".encode()).digest()


class Judged:
    """A random match in which much is disputed."""

    def __init__(self, game: AnyGame, chance: Any, seed: int) -> None:
        self.game, self.random = game, Random(seed)
        self.log: list[SealedEvent[Event]] = []
        self.matches: list[AnyMatch] = []
        options = msgspec.convert({}, game.options)
        keys = {role: f"{role}-key" for role in roles(game, options)}
        self._take(
            create(
                MatchSetup(game, options, terms=Terms(chance=chance)),
                UUID(int=seed),
                keys,
                STAMP,
                seeds=seeds,
            )
        )
        for _ in range(STEPS):
            self.random.choice((self._act, self._act, self._act, self._dispute, self._judge))()

    @property
    def match(self) -> AnyMatch:
        return self.matches[-1]

    def _take(self, outcome: Any) -> None:
        assert isinstance(outcome, Changeset), outcome
        self.log += outcome.events
        self.matches += outcome.states

    def _chosen(self) -> tuple[str, Any] | None:
        """A seat that is asked, and what it does."""
        position = self.match.position
        if self.match.result is not None or not self.match.prompts:
            return None
        seat = self.random.choice(self.match.prompts).seat
        legal = self.game.legal(position, seat)
        listed = [each for _, each in zip(range(LISTED), legal, strict=False)]
        return seat, self.random.choice(
            [each for each in listed if not self.game.is_administrative(each)]
        )

    def _act(self) -> None:
        if (chosen := self._chosen()) is not None:
            self._take(act(self.match, *chosen, STAMP, seeds))

    def _dispute(self) -> None:
        seat, on = self.random.choice(self.match.seats), self.random.randint(1, self.match.version)
        outcome = raise_dispute(self.match, seat, on, f"no {seat} could see event {on}", STAMP)
        if not isinstance(outcome, Rejection):
            self._take(outcome)

    def _judge(self) -> None:
        if not self.match.details.disputes:
            self._dispute()
        number = self.random.choice(self.match.details.disputes).number
        rules = tuple(self.random.sample(sorted(self.game.rules), 2))
        said = (self.match, Verdict(number, "as it was seen", rules))
        kind = self.random.choice(("upheld", "reverted", "corrected", "mistaken"))
        if kind == "upheld":
            self._take(uphold(*said, STAMP))
        elif kind == "reverted":
            to = self.random.randint(1, self.match.version - 1)
            self._take(revert(*said, to, STAMP, self.version_lookup, seeds))
        elif kind == "corrected" and (chosen := self._chosen()) is not None:
            outcome: Any = self.game.decide(self.match.position, *chosen)
            self._take(correct(*said, outcome.facts, STAMP, seeds))
        else:
            self._mistake(said)

    def _mistake(self, said: Any) -> None:
        """Facts of other moments: they may fit or be told apart, but nothing may break."""
        known = [fact for sealed in self.log for fact in getattr(sealed.event, "facts", ())]
        facts = tuple(self.random.choices(known, k=self.random.randint(1, 3))) if known else ()
        outcome = correct(*said, facts, STAMP, seeds)
        if isinstance(outcome, Rejection):
            assert outcome.reason == "FACTS_IMPOSSIBLE"
            assert outcome.why
        else:
            self._take(outcome)

    def version_lookup(self, version: int) -> Any:
        return self.matches[version - 1]


@contextmanager
def projected(judged: Judged) -> Iterator[Any]:
    """A connection to read models that took the log in batches of any size."""
    with TemporaryDirectory() as folder:
        connection = schema.connect_writer(Path(folder) / "reads.sqlite")
        schema.create_tables(connection, ready=True)
        projector = Projector(connection, MAPPER)
        stored = [MAPPER.to_stored_event(sealed) for sealed in judged.log]
        waiting = [
            Notification(e.originator_id, e.originator_version, e.topic, e.state, number)
            for number, e in enumerate(stored, 1)
        ]
        while waiting:
            size = judged.random.randint(1, 7)
            projector.apply(waiting[:size])
            del waiting[:size]
        assert projector.error_count == 0
        yield connection
        projector.close()


@every_game
@chances
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_log_folds_to_the_live_match_at_every_version(
    game: AnyGame, chance: str, seed: int
) -> None:
    judged = Judged(game, chance, seed)
    stood: AnyMatch | None = None
    for sealed, live in zip(judged.log, judged.matches, strict=True):
        again = MAPPER.to_domain_event(MAPPER.to_stored_event(sealed))
        assert again == sealed
        stood = evolve(stood, again, judged.version_lookup)
        assert stood == live
        assert read_snapshot(take_snapshot(live, {})) == (live, {})
    assert replay(None, judged.log) == judged.match


@every_game
@chances
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_read_models_have_the_live_match_at_every_version(
    game: AnyGame, chance: str, seed: int
) -> None:
    judged = Judged(game, chance, seed)
    identity = judged.match.id
    with projected(judged) as connection:
        for live in judged.matches:
            assert board_views.match_at(connection, identity, live.version) == live
        listed = disputes.dispute_page(connection, disputes.DisputeQuery(identity), 200).disputes
        waiting = disputes.dispute_page(
            connection, disputes.DisputeQuery(identity, open=True), 200
        ).disputes
        raised = [each.event for each in judged.log if isinstance(each.event, DisputeRaised)]
        given = [each.event for each in judged.log if isinstance(each.event, VerdictGiven)]
        assert [each.number for each in listed] == [each.version for each in reversed(raised)]
        assert {each.number for each in waiting} == {
            each.number for each in judged.match.details.disputes
        }
        assert {(each.number, each.verdict_version) for each in listed if each.verdict} == {
            (each.dispute, each.version) for each in given
        }


@every_game
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_every_event_can_be_explained_to_every_viewer(game: AnyGame, seed: int) -> None:
    judged = Judged(game, "entered", seed)
    identity, viewers = judged.match.id, roles(game, judged.match.options)
    with projected(judged) as connection:
        for viewer in viewers:
            cited: dict[int, set[str]] = {}
            for each in citations.citations(connection, identity, viewer) or ():
                for version in each.versions:
                    cited.setdefault(version, set()).add(each.rule.rule)
            for seen in history.history_page(connection, identity, viewer, 500).events:
                found = explanations.explain_event(connection, identity, seen.version, viewer)
                assert found is not None
                assert found.step.after == judged.matches[seen.version - 1]
                assert len(found.facts) == len(seen.facts)
                rules = {rule for ruling in seen.rulings for rule in ruling.rules}
                assert {each.rule for each in found.rules} == rules
                assert cited.get(seen.version, set()) == rules
                check_witnesses(game, found, viewer, viewers)


def check_witnesses(
    game: AnyGame, found: explanations.Explanation, viewer: str, viewers: tuple[str, ...]
) -> None:
    if viewer != "referee":
        assert found.seen_by == ()
        return
    event = found.step.sealed.event
    facts = event.facts if isinstance(event, ActionTaken | VerdictGiven) else ()
    assert isinstance(event, MatchCreated) or len(found.seen_by) == len(facts)
    for witnesses in found.seen_by:
        assert "referee" in witnesses
        if game.redact is no_redaction:
            assert witnesses == viewers
