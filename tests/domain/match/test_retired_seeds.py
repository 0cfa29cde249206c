"""A service that starts again draws from another seed, in every match, before anything is drawn."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel.chance import commitment
from domain.log.digests import GENESIS
from domain.log.sealed_events import SealedEvent, seal
from domain.match import (
    ActionTaken,
    Audit,
    Finding,
    MatchCreated,
    SeedRevealed,
    SeedRotated,
    SeedUnavailableError,
    Terms,
    resign,
)
from tests.domain.conftest import MatchBuilder

ROLLED = Terms(chance="rolled")


def findings(events: list[SealedEvent[object]]) -> list[Finding]:
    audit = Audit()
    found = [each for sealed in events for each in audit.take(sealed)]  # type: ignore[arg-type]
    return found + audit.end()


def drawn(story: MatchBuilder) -> list[object]:
    return [
        each.event.action
        for each in story.events
        if isinstance(each.event, ActionTaken) and each.event.draw is not None
    ]


def restarted() -> MatchBuilder:
    """A match that continues in the second and the third run."""
    story = MatchBuilder("earthen-war", 3, ROLLED).seat_players()
    story.start_again().play(60)
    return story.start_again().play(60)


def test_a_log_that_is_put_back_does_not_roll_the_same_again() -> None:
    kept, lost = (MatchBuilder("earthen-war", 3, ROLLED).seat_players().play(6) for _ in range(2))
    assert drawn(kept) == drawn(lost)
    before = len(drawn(kept))
    lost.play(30)
    kept.start_again().play(30)
    assert drawn(kept)[:before] == drawn(lost)[:before]
    assert drawn(kept)[before:] != drawn(lost)[before:]


def test_the_seed_is_renewed_once_a_run_and_only_before_a_draw() -> None:
    story = restarted()
    renewed = [n for n, each in enumerate(story.events) if isinstance(each.event, SeedRotated)]
    assert len(renewed) == 2
    for place in renewed:
        following = story.events[place + 1].event
        assert isinstance(following, ActionTaken)
        assert following.draw is not None


def test_the_end_reveals_the_seed_of_each_run() -> None:
    story = restarted()
    promised = [story.states[0].details.commitment]
    promised += [e.event.commitment for e in story.events if isinstance(e.event, SeedRotated)]
    story.tell(resign(story.match, "white", story.command_context, story.seeds))
    last = story.events[-1].event
    assert isinstance(last, SeedRevealed)
    assert [commitment(bytes.fromhex(each)) for each in (*last.earlier, last.seed)] == promised
    assert last.following == commitment(story.seeds(1))
    assert story.match.details.renewed == ()
    assert findings(story.events) == []


@pytest.mark.parametrize("game", ["earthen-war", "res-arcana", "golem-arcana"])
def test_a_match_that_starts_in_a_run_draws_by_it(game: str) -> None:
    first, second = MatchBuilder(game, 1, ROLLED), MatchBuilder(game, 1, ROLLED)
    assert drawn(first) == drawn(second)
    run = first.start_again().run
    again = MatchBuilder(game, 1, ROLLED, run=run)
    created = again.events[0].event
    assert isinstance(created, MatchCreated)
    assert created.run == run
    assert created.commitment != first.states[0].details.commitment
    again.play(15)
    assert findings(again.events) == []


def test_a_service_that_has_not_heard_of_the_newest_run_continues_with_it() -> None:
    story = restarted()
    newest = story.match.details.run
    assert newest is not None
    story.run = replace(newest, number=newest.number - 1, entropy="f" * 64)
    story.play(20)
    assert story.match.details.run == newest


def test_a_seed_that_is_lost_is_not_replaced() -> None:
    story = MatchBuilder("earthen-war", 3, ROLLED).seat_players().play(6)
    story.secret = lambda epoch, entropy: b"another secret".ljust(32)
    with pytest.raises(SeedUnavailableError):
        story.start_again().play(30)


def forged(story: MatchBuilder, at: int, **changes: object) -> list[Finding]:
    """What is found where an event says something else, and all digests fit."""
    events, digest = [], GENESIS
    for place, sealed in enumerate(story.events):
        event = msgspec.structs.replace(sealed.event, **changes) if place == at else sealed.event
        events.append(seal(digest, event))
        digest = events[-1].digest
    return findings(events)


def test_what_a_renewal_says_is_judged() -> None:
    story = restarted()
    story.tell(resign(story.match, "white", story.command_context, story.seeds))
    first, second = (
        n for n, each in enumerate(story.events) if isinstance(each.event, SeedRotated)
    )
    run = story.events[first].event.run
    for at, changes, why in (
        (first, {"commitment": "0" * 64}, "does not fit the commitment"),
        (first, {"commitment": "?"}, "promises nothing"),
        (second, {"run": run}, "had begun no run"),
        (second, {"run": replace(run, number=0)}, "promises nothing"),
        (len(story.events) - 1, {"earlier": ()}, "reveals 1 seeds, and 3 were promised"),
    ):
        assert why in " ".join(each.sentence for each in forged(story, at, **changes)), why
    # One that is out of place: nobody waits for a draw there.
    early = replace(story.events[first].event, version=len(story.events) + 1)
    moved = [*story.events, seal(story.events[-1].digest, early)]
    assert "before a draw" in " ".join(each.sentence for each in findings(moved))
