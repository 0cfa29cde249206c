"""Who must consent when something is taken back, and where the line may go."""

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.kernel.game import REFEREE
from domain.log.digests import GENESIS
from domain.log.ledger import Rejection
from domain.log.sealed_events import SealedEvent, seal
from domain.match import (
    AnyMatch,
    Audit,
    Changeset,
    LineContinued,
    MatchSetup,
    SeedRevealed,
    Terms,
    UndoPolicy,
    UndoRequested,
    act,
    create,
    last_action,
    line,
    moved_ranges,
    offer_draw,
    raise_dispute,
    redo,
    resign,
    respond_to_draw,
    respond_to_undo,
    roles,
    turn_start,
    undo,
)
from domain.match.undo import has_revealed
from domain.registry import ENTRIES, GAMES
from tests.command_contexts import context_at

AGOG = GAMES["agog"]
KEYS = {role: f"{role}-key" for role in ("white", "black", "referee", "spectator")}
STAMP = context_at(datetime(2026, 11, 21, 12, tzinfo=UTC), "request")


def seeds(epoch: int) -> bytes:
    return bytes([epoch]) * 32


class Played:
    """A match and all that happened in it."""

    def __init__(self, game: str = "agog", **terms: Any) -> None:
        rules = GAMES[game]
        created = create(
            MatchSetup(rules, rules.options(), terms=Terms(**terms)),
            UUID(int=1),
            KEYS,
            STAMP,
            seeds=seeds,
        )
        self.events: list[SealedEvent[Any]] = [*created.events]
        self.stood: list[AnyMatch] = [*created.states]

    @property
    def match(self) -> AnyMatch:
        return self.stood[-1]

    def tell(self, outcome: Any) -> Changeset[AnyMatch]:
        assert isinstance(outcome, Changeset), outcome
        self.events += outcome.events
        self.stood += outcome.states
        return outcome

    def play(self, *texts: str) -> "Played":
        for text in texts:
            seat = self.match.prompts[0].seat
            self.tell(act(self.match, seat, AGOG.read_action(text), STAMP, seeds))
        return self

    def undo(self, seat: str, to: int, go: Any = undo) -> Any:
        played = [self.events[v - 1] for each in moved_ranges(self.match, to) for v in each]
        return go(self.match, seat, self.stood[to - 1], played, STAMP, seeds)

    def answer(self, seat: str, granted: bool = True) -> Any:
        def version_lookup(version: int) -> Any:
            return self.stood[version - 1]

        return respond_to_undo(self.match, seat, granted, STAMP, version_lookup, seeds)

    def backwards(self) -> Iterator[Any]:
        for stretch in reversed(line(self.match)):
            for version in reversed(stretch):
                yield self.events[version - 1].event


def asked(outcome: Any) -> tuple[str, ...]:
    """Who is asked; nobody if the line has moved."""
    assert isinstance(outcome, Changeset), outcome
    event = outcome.events[0].event
    assert isinstance(event, UndoRequested | LineContinued)
    return event.awaiting if isinstance(event, UndoRequested) else ()


@pytest.mark.parametrize(
    ("policy", "own", "after_another"),
    [
        ("free", (), ("black",)),
        ("consent", ("black",), ("black",)),
        ("referee", (REFEREE,), (REFEREE,)),
    ],
)
def test_who_is_asked_follows_from_the_policy(
    policy: UndoPolicy, own: tuple[str, ...], after_another: tuple[str, ...]
) -> None:
    played = Played(undo=policy).play("a6-b6")
    assert asked(played.undo("white", 1)) == own
    assert asked(played.play("h3-g3").undo("white", 1)) == after_another
    assert asked(played.undo(REFEREE, 1)) == ()


@pytest.fixture
def secretive(monkeypatch: pytest.MonkeyPatch) -> None:
    """A.G.O.G., as if something were hidden in it, and white's moves showed it."""

    def reveals(fact: Any) -> bool:
        return getattr(fact, "seat", "") == "black"

    hidden = dataclasses.replace(AGOG, redact=lambda action, viewer: action, reveals=reveals)
    monkeypatch.setitem(ENTRIES, "agog", hidden)


def test_what_was_hidden_and_shown_is_not_undone_without_consent(secretive: None) -> None:
    played = Played(undo="free").play("a6-b6")
    outcome = played.undo("white", 1)
    assert asked(outcome) == ("black",)
    assert outcome.events[0].event.revealed == (2,)
    assert outcome.state.proposal.revealed == (2,)
    played.play("h3-g3")
    assert asked(played.undo("black", 2)) == (), "black's own move showed nothing"


def test_a_roll_is_not_undone_without_consent() -> None:
    played = Played("earthen-war", undo="free", chance="rolled")
    rolls = [each.event.version for each in played.events if getattr(each.event, "draw", None)]
    outcome = played.undo("white", 1)
    assert asked(outcome) == ("black",)
    assert outcome.events[0].event.rolled == tuple(rolls)


def test_a_roll_that_was_undone_is_made_again_at_once_with_a_new_number() -> None:
    played = Played("earthen-war", chance="rolled")
    before = played.match.draws
    outcome = played.tell(played.undo(REFEREE, 1))
    assert not any(prompt.is_chance for prompt in played.match.prompts)
    assert [each.event.draw for each in outcome.events[1:]] == [
        *range(before + 1, played.match.draws + 1)
    ]


def test_a_seed_that_was_revealed_is_not_undone_without_consent_and_never_used_again() -> None:
    played = Played("earthen-war", undo="free", chance="rolled")
    played.tell(resign(played.match, "white", STAMP, seeds))
    assert isinstance(played.events[-1].event, SeedRevealed)
    following = played.events[-1].event.following
    assert asked(played.undo("white", played.match.version - 2)) == ("black",)
    played.tell(played.undo("white", 1))
    played.tell(played.answer("black"))
    assert played.match.result is None
    assert (played.match.details.epoch, played.match.details.commitment) == (1, following)
    again = played.tell(played.undo(REFEREE, played.match.version - 1))
    assert not isinstance(again.events[-1].event, SeedRevealed)


def test_an_end_that_the_players_made_is_no_place_to_go_back_to() -> None:
    played = Played("earthen-war", chance="rolled")
    played.tell(resign(played.match, "white", STAMP, seeds))
    ended = played.match.version - 1
    refused = played.undo("white", ended)
    assert isinstance(refused, Rejection)
    assert refused.reason == "NOTHING_TO_UNDO"
    played.tell(played.undo(REFEREE, ended - 1))
    refused = played.undo(REFEREE, ended, redo)
    assert isinstance(refused, Rejection)
    assert refused.reason == "NOT_PLAYABLE"


def test_giving_up_is_not_undone_for_nothing() -> None:
    played = Played(undo="free").play("a6-b6", "h3-g3")
    played.tell(resign(played.match, "white", STAMP))
    assert asked(played.undo("white", 3)) == ("black",)


def test_a_redo_is_recorded_as_such() -> None:
    played = Played(undo="free").play("a6-b6")
    back = played.tell(played.undo("white", 1)).events[0].event
    again = played.tell(played.undo("white", 2, redo)).events[0].event
    assert (back.redo, again.redo) == (False, True)
    played.play("h3-g3")
    played.tell(played.undo("black", 1))
    played.tell(played.answer("white"))
    wanted = played.tell(played.undo("black", 2, redo)).events[0].event
    assert isinstance(wanted, UndoRequested)
    assert wanted.redo
    assert played.tell(played.answer("white")).events[-1].event.redo


def test_a_redo_that_an_earlier_release_recorded_is_judged_as_it_was() -> None:
    played = Played(undo="free").play("a6-b6")
    played.tell(played.undo("white", 1))
    played.tell(played.undo("white", 2, redo))
    log: list[SealedEvent[Any]] = []
    for each in played.events:
        old = {"redo": False} if isinstance(each.event, LineContinued) else {}
        event = replace(each.event, **old)
        log.append(seal(log[-1].digest if log else GENESIS, event))
    audit = Audit()
    assert [finding for each in log for finding in audit.take(each)] == []


def test_while_a_dispute_pauses_the_match_only_the_referee_undoes() -> None:
    played = Played(undo="free", pause=True).play("a6-b6")
    played.tell(played.undo("white", 1))
    played.play("a6-b6", "h3-g3")
    played.tell(played.undo("white", 3))
    played.tell(raise_dispute(played.match, "white", 2, "why?", STAMP))
    for outcome in (played.undo("black", 3), played.answer("black")):
        assert isinstance(outcome, Rejection)
        assert outcome.reason in ("MATCH_PAUSED", "PROPOSAL_PENDING")
    assert asked(played.undo(REFEREE, 3)) == ()
    assert isinstance(played.answer(REFEREE), Changeset)


def test_all_opponents_must_consent_and_one_may_refuse() -> None:
    played = Played().play("a6-b6")
    played.tell(played.undo("white", 1))
    refused = played.answer("black", granted=False)
    assert len(refused.events) == 1
    assert refused.state.proposal is None
    granted = played.answer("black")
    assert [type(each.event).__name__ for each in granted.events] == [
        "UndoAnswered",
        "LineContinued",
    ]
    assert granted.state.position == played.stood[0].position


def test_an_offer_of_a_draw_is_no_undo() -> None:
    played = Played("earthen-war", chance="rolled")
    played.tell(offer_draw(played.match, "white", STAMP, seeds))
    outcome = played.answer("black")
    assert isinstance(outcome, Rejection)
    assert outcome.reason == "NO_PROPOSAL"
    assert isinstance(respond_to_draw(played.match, "black", True, STAMP, seeds), Changeset)


def test_a_redo_asks_for_what_it_leaves_and_for_what_it_takes_up() -> None:
    played = Played(undo="free").play("a6-b6", "h3-g3")
    played.tell(played.undo(REFEREE, 1))
    assert asked(played.undo("white", 2, redo)) == ("black",), "the referee's undo is not white's"
    played = Played(undo="free").play("a6-b6")
    played.tell(played.undo("white", 1))
    assert asked(played.undo("white", 2, redo)) == ()
    played.play("b5-c5")
    assert asked(played.undo("white", 2, redo)) == ()
    played.play("h3-g3")
    assert asked(played.undo("white", 2, redo)) == ("black",)


def test_the_last_action_and_the_turn_of_a_seat_are_found_on_the_line() -> None:
    played = Played().play("a6-b6", "h3-g3", "f1-g1")
    assert last_action("white", played.backwards()) == 4
    assert last_action("black", played.backwards()) == 3
    assert turn_start(played.match, "black", played.backwards(), whole=True) == 3
    played.tell(played.undo(REFEREE, 2))
    assert last_action("white", played.backwards()) == 2
    assert last_action("black", played.backwards()) is None
    few = [*played.backwards()][:1]
    assert turn_start(played.match, "white", few, whole=False) is None
    assert turn_start(played.match, "white", played.backwards(), whole=True) == 2


LOOK = (
    "ra1 t1 r11 east north act alchemy,calm-elan,death-life,divination,protection,transmutation"
    " catacombs-of-the-dead,coral-castle,cursed-forge,sacred-grove colossus,hanging-gardens"
    " mausoleum,temple,solomons-mine,golden-statue,obelisk,great-pyramid"
    " north/in/1e2l1c3d4g/alchemist,library,oracle,research/chalice-of-life/"
    "prism,cursed-skull,sea-serpent,vault,fiery-whip,earth-dragon/ring-of-midas/-/-/-"
    " east/in/1e3l11c5d/crypt,dragon-bridle,dragons-lair,reanimate,seer/"
    "athanor,dragon-egg,jeweled-statuette/tree-of-life/treant,water-dragon/-/-/-"
)


@pytest.mark.parametrize(("seat", "policy"), [("north", "free"), ("north", "consent")])
def test_a_look_that_an_earlier_release_let_be_undone_is_judged_as_it_was(
    seat: str, policy: UndoPolicy
) -> None:
    rules = GAMES["res-arcana"]
    options, terms = rules.options(players=2, chance="entered"), Terms(undo=policy)
    keys = {role: f"{role}-key" for role in roles(rules, options)}
    setting = MatchSetup(rules, options, terms=terms, start=LOOK)
    begun = create(setting, UUID(int=1), keys, STAMP)
    look = rules.read_action("use oracle 1 deck")
    looked = act(begun.state, seat, look, STAMP)
    assert isinstance(looked, Changeset)
    back = undo(looked.state, seat, begun.state, looked.events, STAMP, is_disclosure=has_revealed)
    assert isinstance(back, Changeset)
    assert isinstance(back.events[0].event, LineContinued if policy == "free" else UndoRequested)
    audit = Audit()
    log = (*begun.events, *looked.events, *back.events)
    assert [finding for each in log for finding in audit.take(each)] == []
    today = undo(looked.state, seat, begun.state, looked.events, STAMP)
    assert isinstance(today, Changeset)
    assert isinstance(wanted := today.events[0].event, UndoRequested)
    assert wanted.revealed == (2,)
