"""What always holds of a match, of any game, in which things are taken back, done again and forked.

A random match is played with all of that mixed in. Its log, folded anew, is the live state at every
version; the read models agree with it, and so do snapshots.
"""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import JSONTranscoder, Notification
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from domain.kernel.chance import commitment
from domain.kernel.game import REFEREE, AnyGame
from domain.log.digests import GENESIS, chain_digest
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.log.runs import Run
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionTaken,
    AnyMatch,
    Audit,
    Changeset,
    ForkPoint,
    LineContinued,
    MatchSetup,
    MatchStarted,
    RunSeedSource,
    Terms,
    Verdict,
    VerdictGiven,
    act,
    branch_heads,
    branch_point,
    branch_ranges,
    claim,
    create,
    drawn_entry,
    evolve,
    line,
    moved_ranges,
    raise_dispute,
    record_flag_fall,
    redo,
    replay,
    resign,
    respond_to_undo,
    revert,
    roles,
    token_roles,
    undo,
)
from domain.match.clocks import CorrespondenceTime, TimeBudget
from domain.match.ledger import MatchLedger, drawn_seats
from domain.registry import GAMES
from domain.storage.mapper import EventMapper
from domain.storage.snapshots import read_snapshot, take_snapshot
from projections.projector import schema
from projections.projector.projector import Projector
from projections.queries import branches
from projections.views import board_views, transcripts
from services.api import transcript_import
from services.api.forks import fork_terms
from tests.command_contexts import context_at
from tests.hypothesis_settings import example_settings

STEPS = 40
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
terms = st.builds(
    Terms,
    chance=st.sampled_from(["entered", "rolled"]),
    undo=st.sampled_from(["free", "consent", "referee"]),
    begins=st.sampled_from(["at-once", "when-full"]),
    referee=st.sampled_from(["creator", "nobody"]),
    seat_order=st.sampled_from(["chosen", "drawn"]),
    clock=st.sampled_from([None, TimeBudget(86_400_000, 5_000), CorrespondenceTime(2)]),
)
lives = example_settings(
    6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class Life:
    """A match, its whole log, and how it stood after each event."""

    def __init__(
        self, game: AnyGame, how: Terms, number: int = 1, start: str | None = None
    ) -> None:
        self.game = game
        self.id = UUID(int=number)
        self.events: list[SealedEvent[Any]] = []
        self.stood: list[AnyMatch] = []
        self.run: Run | None = None
        options = msgspec.convert({}, game.options)
        named = token_roles(game, options, how)
        self.keys = {role: sha256(role.encode()).hexdigest() for role in named}
        made = create(
            MatchSetup(game, options, "A life", terms=how, start=start),
            self.id,
            self.keys,
            self.command_context,
            seeds=self.seeds,
        )
        self.tell(made)
        for seat in self.match.seats if self.match.waiting else ():
            assert not self.match.prompts
            assert self.match.draws == 0
            key = sha256(f"{seat} player".encode()).hexdigest()
            sits = (seat, f"Player {seat}", key, self.command_context, f"luck of {seat}")
            assert self.tell(claim(self.match, *sits, seeds=self.seeds))

    @property
    def match(self) -> AnyMatch:
        return self.stood[-1]

    @property
    def command_context(self) -> CommandContext:
        number = len(self.events)
        return context_at(NOON + timedelta(seconds=number), f"request {number}")

    @property
    def seeds(self) -> RunSeedSource:
        return RunSeedSource(self.secret, self.run)

    def secret(self, epoch: int, entropy: str) -> bytes:
        return sha256(f"{self.id} {epoch} {entropy}".encode()).digest()

    def start_again(self) -> None:
        """The service begins its next run."""
        number = self.run.number + 1 if self.run else 1
        entropy = sha256(f"start {number}".encode()).hexdigest()
        self.run = Run(number, entropy, sha256(b"secret").hexdigest())

    def at(self, version: int) -> AnyMatch:
        return self.stood[version - 1]

    def tell(self, outcome: Any) -> bool:
        if not isinstance(outcome, Changeset):
            return False
        self.events += outcome.events
        self.stood += outcome.states
        return True

    def act(self, random: Random) -> None:
        prompts = self.match.prompts
        if prompts:
            seat = random.choice(prompts).seat
            legal = islice(self.game.legal(self.match.position, seat), 60)
            real = [each for each in legal if not self.game.is_administrative(each)]
            assert self.tell(
                act(self.match, seat, random.choice(real), self.command_context, self.seeds)
            )

    def move(self, random: Random) -> None:
        """Go back or on to any version, and have everybody asked consent."""
        match = self.match
        to = random.randint(max(1, match.version - 12), max(1, match.version - 1))
        moved = [self.events[v - 1] for each in moved_ranges(match, to) for v in each]
        on_line = any(to in stretch for stretch in line(match))
        go = undo if on_line else redo
        seat = random.choice((*match.seats, REFEREE))
        outcome = go(match, seat, self.at(to), moved, self.command_context, self.seeds)
        if not self.tell(outcome):
            assert isinstance(outcome, Rejection)
            return
        while (proposal := self.match.proposal) is not None and random.random() < 0.9:
            version_lookup = self.at
            granted = random.random() < 0.9
            seat = proposal.awaiting[0]
            answer = respond_to_undo(
                self.match, seat, granted, self.command_context, version_lookup, self.seeds
            )
            assert self.tell(answer)

    def undo(self, to: int) -> None:
        """The referee takes it back, or an undo of it."""
        moved = [self.events[v - 1] for each in moved_ranges(self.match, to) for v in each]
        on_line = any(to in stretch for stretch in line(self.match))
        go = undo if on_line else redo
        if not self.tell(
            go(self.match, REFEREE, self.at(to), moved, self.command_context, self.seeds)
        ):
            self.act(Random(to))


def lived(game: AnyGame, how: Terms, seed: int) -> Life:
    random, life = Random(seed), Life(game, how)
    for _ in range(STEPS):
        if random.random() < 0.05:
            life.start_again()
        if random.random() < 0.7:
            life.act(random)
        elif life.match.version > 1:
            life.move(random)
    return life


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_the_log_folds_into_the_live_state_at_every_version(
    game: AnyGame, how: Terms, seed: int
) -> None:
    life = lived(game, how, seed)
    mapper = EventMapper(transcoder=JSONTranscoder())
    stored = [mapper.to_domain_event(mapper.to_stored_event(each)) for each in life.events]
    stood_at: dict[int, AnyMatch] = {}
    folded: AnyMatch | None = None
    digest = GENESIS
    for sealed, stood in zip(stored, life.stood, strict=True):
        folded = evolve(folded, sealed, stood_at.__getitem__)
        stood_at[folded.version] = folded
        digest = chain_digest(digest, sealed.body)
        assert folded == stood
        assert digest == stood.digest
        assert read_snapshot(take_snapshot(stood, {})) == (stood, {})
    assert replay(None, stored) == life.match
    steps = [mapper.to_step(mapper.to_stored_event(each)) for each in life.events]
    assert replay(None, steps) == life.match


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_the_line_alone_leads_to_the_position_at_every_version(
    game: AnyGame, how: Terms, seed: int
) -> None:
    life = lived(game, how, seed)
    for stood in life.stood:
        position = life.at(1).position
        for stretch in line(life.match, stood.version):
            for version in stretch:
                event = life.events[version - 1].event
                for fact in getattr(event, "facts", ()):
                    position = game.evolve(position, fact)
        assert position == stood.position


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_draws_are_numbered_once_and_follow_from_the_seed(
    game: AnyGame, how: Terms, seed: int
) -> None:
    life = lived(game, how, seed)
    numbers = []
    for before, sealed in zip(life.stood, life.events[1:], strict=False):
        event = sealed.event
        if isinstance(event, MatchStarted) and event.draw is not None:
            numbers.append(event.draw)
            assert drawn_seats(before, event.draw, life.secret(0, "")) == event.seats
        if isinstance(event, ActionTaken) and event.draw is not None:
            numbers.append(event.draw)
            run = before.details.run
            secret = life.secret(before.details.epoch, run.entropy if run else "")
            assert before.details.commitment == commitment(secret)
            prompt = next(prompt for prompt in before.prompts if prompt.is_chance)
            assert drawn_entry(before, prompt, event.draw, secret) == event.action
            shares = before.details.entropy
            assert len(shares) == (len(before.seats) if how.begins == "when-full" else 0)
    assert numbers == [*range(1, len(numbers) + 1)]
    if how.chance == "rolled":
        assert not any(prompt.is_chance for prompt in life.match.prompts), (
            "the service has still to roll"
        )


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_nothing_that_was_learnt_is_undone_without_consent(
    game: AnyGame, how: Terms, seed: int
) -> None:
    life = lived(game, how, seed)
    for before, sealed in zip(life.stood, life.events[1:], strict=False):
        event = sealed.event
        if not isinstance(event, LineContinued):
            continue
        moved = [life.events[v - 1].event for each in moved_ranges(before, event.to) for v in each]
        acted = [each for each in moved if isinstance(each, ActionTaken)]
        by_referee = event.seat == REFEREE
        foreign = not by_referee and any(each.seat != event.seat for each in acted)
        if by_referee and how.begins == "at-once":
            continue
        if foreign or any(each.entry for each in acted):
            answer = life.events[event.version - 2].event
            assert type(answer).__name__ == "UndoAnswered", life.game.write_position(
                before.position
            )


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_it_is_judged_again_as_it_was(game: AnyGame, how: Terms, seed: int) -> None:
    audit = Audit()
    assert [found for each in lived(game, how, seed).events for found in audit.take(each)] == []
    assert audit.end() == []


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_branches_and_the_line_are_all_there_is(game: AnyGame, how: Terms, seed: int) -> None:
    match = lived(game, how, seed).match
    shown = {version for each in line(match) for version in each}
    heads = [*branch_heads(match)]
    assert len(set(heads)) == len(heads)
    for head in heads:
        versions = [version for each in branch_ranges(match, head) for version in each]
        assert versions[-1] == head
        assert branch_point(match, head) in shown
        assert branch_point(match, head) < versions[0]
        shown.update(versions)
    assert shown == set(range(1, match.version + 1))


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000), batch=st.integers(1, 40))
def test_the_read_models_agree_at_every_version(
    tmp_path: Path, game: AnyGame, how: Terms, seed: int, batch: int
) -> None:
    life = lived(game, how, seed)
    with reads(tmp_path, life, batch) as connection:
        for stood in life.stood[:-1]:
            assert board_views.match_at(connection, life.id, stood.version) == stood
        standing = board_views.find_match_row(connection, life.id)
        assert standing is not None
        assert standing.match == life.match
        for after in range(0, life.match.version, 7):
            for step in board_views.read_transitions(connection, life.id, after, 9):
                assert step.after == life.at(step.after.version)
                assert step.before == (
                    life.at(version) if (version := step.after.version - 1) else None
                )
                assert step.sealed == life.events[step.after.version - 1]
        for sealed in life.events:
            assert (
                board_views.version_at(connection, life.id, sealed.event.at) >= sealed.event.version
            )
        for branch in branches.list_branches(connection, life.match, REFEREE, 0, 50):
            assert branch.position == game.write_position(life.at(branch.head_version).position)


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_a_fork_starts_where_its_origin_stood(game: AnyGame, how: Terms, seed: int) -> None:
    random, life = Random(seed), lived(game, how, seed)
    stood = random.choice(life.stood)
    start = game.write_position(stood.position)
    origin = ForkPoint(life.id, stood.version)
    fork = Life(game, fork_terms(how, origin), 2, start)
    assert game.write_position(fork.at(1).position) == start
    for _ in range(10):
        fork.act(random)
    assert replay(None, fork.events) == fork.match


@every_game
@lives
@given(how=terms, seed=st.integers(0, 10_000))
def test_a_transcript_is_read_back_into_the_positions_of_the_line(
    tmp_path: Path, game: AnyGame, how: Terms, seed: int
) -> None:
    life = lived(game, how, seed)
    with reads(tmp_path, life, 100) as connection:
        text = transcripts.write(connection, life.id, REFEREE).text
    transcript = transcripts.read(text)
    setting = transcript_import.setting(transcript)
    keys = dict.fromkeys(roles(game, setting.options), "0" * 64)
    retold = transcript_import.replay(transcript, setting, UUID(int=3), keys, life.command_context)
    again = transcript_import.join_changesets(retold)
    played = [
        life.at(version)
        for stretch in line(life.match)
        for version in stretch
        if isinstance(life.events[version - 1].event, ActionTaken)
    ]
    positions = [match.position for match in again.states[1:]]
    assert positions == [match.position for match in played], text


@every_game
@pytest.mark.parametrize("end", ["resign", "time"])
def test_no_verdict_revives_a_match_that_its_players_had_ended(
    tmp_path: Path, game: AnyGame, end: str
) -> None:
    random, life = Random(1), Life(game, Terms(chance="entered"))
    for _ in range(3):
        life.act(random)
    while life.match.result is None:
        seat = next(each for each in life.match.seats if each not in life.match.out)
        give_up = record_flag_fall if end == "time" else resign
        assert life.tell(give_up(life.match, seat, life.command_context))
    ended = life.match.version
    for on in (ended, 1):
        assert life.tell(
            raise_dispute(life.match, life.match.seats[0], on, "why?", life.command_context)
        )
    dispute = life.match.details.disputes[0].number
    for to in range(life.match.version - 1, 0, -1):
        verdict = Verdict(dispute, "play on")
        outcome = revert(life.match, verdict, to, life.command_context, life.at, life.seeds)
        if life.at(to).is_ended_by_players:
            assert isinstance(outcome, Rejection)
            assert outcome.reason == "NOT_PLAYABLE"
        elif life.tell(outcome):
            break
    life.act(random)
    assert imported(tmp_path, life).result == life.match.result


@every_game
def test_a_match_that_an_earlier_version_revived_folds_and_is_judged_and_imported_as_it_was(
    tmp_path: Path, game: AnyGame
) -> None:
    random, life = Random(1), Life(game, Terms(chance="entered"))
    while life.match.result is None:
        seat = next(each for each in life.match.seats if each not in life.match.out)
        assert life.tell(resign(life.match, seat, life.command_context))
    ended = life.match.version
    if not life.match.is_ended_by_players:
        return  # the game has words of its own for this end, and stays over there
    assert life.tell(
        raise_dispute(life.match, life.match.seats[0], 1, "why?", life.command_context)
    )
    ledger = MatchLedger(life.match, life.id, life.command_context, life.at)
    ledger.record(
        VerdictGiven,
        dispute=life.match.version,
        reason="play on",
        rules=(),
        verdict="reverted",
        to=ended,
    )
    assert life.tell(ledger.changeset())
    assert life.match.result is None
    life.act(random)
    assert replay(None, life.events) == life.match
    audit = Audit()
    assert [found for each in life.events for found in audit.take(each)] == []
    assert imported(tmp_path, life).position == life.match.position


def imported(folder: Path, life: Life) -> AnyMatch:
    """The match that is made of the life's transcript."""
    with reads(folder, life, 100) as connection:
        transcript = transcripts.read(transcripts.write(connection, life.id, REFEREE).text)
    setting = transcript_import.setting(transcript)
    keys = dict.fromkeys(roles(life.game, setting.options), "0" * 64)
    retold = transcript_import.replay(transcript, setting, UUID(int=3), keys, life.command_context)
    return transcript_import.join_changesets(retold).states[-1]


class reads:  # noqa: N801  # a context manager, named as it is used
    """A read file that has been told of a life, a batch at a time."""

    def __init__(self, folder: Path, life: Life, batch: int) -> None:
        self._life = life
        self._batch = batch
        (folder / "reads.sqlite").unlink(missing_ok=True)
        self._connection = schema.connect_writer(folder / "reads.sqlite")

    def __enter__(self) -> sqlite3.Connection:
        mapper = EventMapper(transcoder=JSONTranscoder())
        schema.create_tables(self._connection, ready=True)
        projector = Projector(self._connection, mapper, keep=0)
        for some in self._batches(mapper):
            projector.apply(some)
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _batches(self, mapper: EventMapper) -> Iterator[list[Notification]]:
        stored = map(mapper.to_stored_event, self._life.events)
        notifications = [
            Notification(each.originator_id, each.originator_version, each.topic, each.state, id=n)
            for n, each in enumerate(stored, 1)
        ]
        for begin in range(0, len(notifications), self._batch):
            yield notifications[begin : begin + self._batch]
