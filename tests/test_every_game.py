"""The laws that every game in the registry keeps. A new game is held to them by being there."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import JSONTranscoder
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame, ResolvedAction
from domain.kernel.options import options_in
from domain.kernel.rulings import Accepted, Refused, explain
from domain.log.digests import encode_as_digest
from domain.match import Changeset, MatchSetup, act, create, evolve, roles
from domain.registry import GAMES
from domain.storage.mapper import EventMapper
from domain.storage.snapshots import read_snapshot, take_snapshot
from tests.command_contexts import context_at
from tests.hypothesis_settings import example_settings

STEPS = 40
"""Actions of a random game that are looked at."""
LISTED = 60
"""Legal actions of one position that are looked at."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
seeds = st.integers(0, 10_000)


class Moment(NamedTuple):
    """A state of a random game, and what was done in it."""

    state: Any
    seat: str
    listed: list[Any]
    action: Any
    outcome: Accepted[Any]
    after: Any


def usual(game: AnyGame) -> Any:
    return msgspec.convert({}, game.options)


def play(game: AnyGame, seed: int) -> Iterator[Moment]:
    """A random game, moment by moment."""
    random, state = Random(seed), game.start(usual(game))
    for _ in range(STEPS):
        prompts = game.turn(state)
        if game.result(state) is not None or not prompts:
            return
        seat = random.choice(prompts).seat
        listed = list(islice(game.legal(state, seat), LISTED))
        action = random.choice([each for each in listed if not game.is_administrative(each)])
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted), (game.write_position(state), action, outcome)
        after = fold(game, state, outcome.facts)
        yield Moment(state, seat, listed, action, outcome, after)
        state = after


@every_game
@example_settings(4)
@given(seed=seeds)
def test_every_listed_action_is_accepted_and_listed_once(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        written = [game.write_action(action) for action in moment.listed]
        assert len(set(written)) == len(written), game.write_position(moment.state)
        for action in moment.listed:
            outcome = game.decide(moment.state, moment.seat, action)
            assert isinstance(outcome, Accepted), (game.write_position(moment.state), action)


RULES = frozenset({"decide", "legal", "rules", "rulings"})
"""Modules of a game that apply its rules."""


@every_game
def test_facts_are_applied_without_asking_the_rules(game: AnyGame) -> None:
    """So that old matches replay the same after any change to the rules."""
    moments = list(play(game, seed=1))
    called: set[str] = set()
    sys.setprofile(lambda frame, event, argument: called.add(frame.f_globals["__name__"]))
    try:
        for moment in moments:
            fold(game, moment.state, moment.outcome.facts)
    finally:
        sys.setprofile(None)
    asked = {module for module in called if module.rpartition(".")[2] in RULES}
    assert called & {game.evolve.__module__}, "nothing was applied"
    assert not asked


@every_game
@example_settings(4)
@given(seed=seeds)
def test_nothing_else_is_accepted(game: AnyGame, seed: int) -> None:
    """Actions that were legal at another time, or for another seat, are tried at each moment."""
    tried: dict[str, Any] = {}
    for moment in play(game, seed):
        for seat in game.seats(usual(game)):
            legal = {
                game.write_action(action) for action in islice(game.legal(moment.state, seat), 5000)
            }
            for text, action in islice(tried.items(), 40):
                outcome = game.decide(moment.state, seat, action)
                assert isinstance(outcome, Accepted) == (text in legal), (
                    game.write_position(moment.state),
                    seat,
                    text,
                    outcome,
                )
                if isinstance(outcome, Refused):
                    assert outcome.rule in game.rules
                    assert outcome.why
        tried = {game.write_action(action): action for action in moment.listed}


@every_game
@example_settings(4)
@given(seed=seeds)
def test_actions_and_positions_are_read_as_they_were_written(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        for action in moment.listed:
            assert game.read_action(game.write_action(action)) == action
        text = game.write_position(moment.after)
        assert "\n" not in text
        assert game.write_position(game.read_position(text, usual(game))) == text


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_what_is_stored_comes_back_as_it_was(game: AnyGame, seed: int) -> None:
    keys = {role: f"{role}-key" for role in roles(game, usual(game))}
    command_context = context_at(datetime(2026, 11, 21, tzinfo=UTC), "request")
    mapper = EventMapper(transcoder=JSONTranscoder())
    created = create(MatchSetup(game, usual(game)), UUID(int=1), keys, command_context)
    log, match = [*created.events], created.state
    for moment in play(game, seed):
        changeset = act(match, moment.seat, moment.action, command_context)
        assert isinstance(changeset, Changeset)
        log += changeset.events
        match = changeset.state
    replayed = None
    for sealed in log:
        again = mapper.to_domain_event(mapper.to_stored_event(sealed))
        assert again == sealed
        replayed = evolve(replayed, again)
    assert replayed == match
    assert read_snapshot(take_snapshot(match, {})) == (match, {})


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_every_ruling_cites_the_index_and_its_fact(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        for ruling in moment.outcome.rulings:
            assert ruling.rules
            assert ruling.fact is None or 0 <= ruling.fact < len(moment.outcome.facts)
            for rule in ruling.rules:
                said = game.figures_in_words(moment.state, ruling.figures, moment.after)
                assert explain(game.rules[rule], said)


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_only_games_with_chance_ask_for_an_entry(game: AnyGame, seed: int) -> None:
    asked = [prompt.is_chance for moment in play(game, seed) for prompt in game.turn(moment.state)]
    assert game.has_chance or not any(asked)


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_every_action_is_distinguished_from_the_others_by_its_parts(
    game: AnyGame, seed: int
) -> None:
    for moment in play(game, seed):
        known: dict[Any, str] = {}
        for action in moment.listed:
            parts = game.parts(moment.state, action)
            distinguishing_parts = (
                parts.verb,
                parts.pieces,
                parts.spaces,
                parts.cards,
                parts.choices,
                parts.cost,
            )
            text = game.write_action(action)
            assert known.setdefault(distinguishing_parts, text) == text, game.write_position(
                moment.state
            )
            assert parts.sentence


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_every_viewer_has_a_scene_and_a_redacted_narration(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        resolved = ResolvedAction(
            moment.seat, moment.action, moment.outcome.facts, moment.outcome.rulings
        )
        for viewer in (*game.seats(usual(game)), SPECTATOR, REFEREE):
            scene = game.scene(moment.after, viewer)
            assert scene.caption == game.caption(moment.after, viewer) != ""
            assert game.write_view(moment.after, viewer)
            ids = [piece.id for piece in scene.pieces]
            assert len(set(ids)) == len(ids)
            redacted = game.redact(resolved, viewer)
            assert game.redact(redacted, viewer) == redacted
            known = [
                game.information_state(state, viewer) for state in (moment.state, moment.after)
            ]
            narration = game.narrate(known[0], redacted, known[1])
            assert narration.outcome
            assert len(narration.facts) == len(redacted.facts)
        assert game.redact(resolved, REFEREE) == resolved


@every_game
def test_the_rule_index_is_whole(game: AnyGame) -> None:
    assert game.rules
    for name, rule in game.rules.items():
        assert rule.id == name
        assert rule.meaning
        assert rule.source
    assert game.notation
    assert game.summary


@every_game
@given(text=st.text(max_size=60))
def test_any_text_is_an_action_or_refused_by_a_rule(game: AnyGame, text: str) -> None:
    read = game.read_action(text)
    if isinstance(read, Refused):
        assert read.rule in game.rules
        assert read.why
    else:
        assert game.read_action(game.write_action(read)) == read


with_status = pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.status is not None], ids=lambda g: g.slug
)
with_armies = pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.armies is not None], ids=lambda g: g.slug
)
with_packs = pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.packs is not None], ids=lambda g: g.slug
)


@with_status
@example_settings(4)
@given(seed=seeds)
def test_every_viewer_sees_the_status_of_each_side(game: AnyGame, seed: int) -> None:
    options = usual(game)
    assert game.status is not None
    for moment in play(game, seed):
        pieces = {piece.id for piece in game.scene(moment.after, REFEREE).pieces}
        for viewer in (*game.seats(options), SPECTATOR, REFEREE):
            sides = game.status(moment.after, viewer, options)
            assert [side.seat for side in sides] == [*game.seats(options)]
            for side in sides:
                assert {unit.id for unit in side.units} <= pieces
                assert not {unit.id for unit in side.losses} & pieces
                assert all(row.kind and row.name for row in side.rows)


@with_armies
def test_everything_in_a_catalog_has_a_name_of_its_own(game: AnyGame) -> None:
    assert game.armies is not None
    entries = game.armies.catalog(game.armies.constraints())
    assert len({(entry.kind, entry.id) for entry in entries}) == len(entries) > 0
    assert all(entry.name and entry.description for entry in entries)
    fields = {field.encode_name for field in msgspec.structs.fields(game.armies.constraints)}
    assert fields <= {field.encode_name for field in msgspec.structs.fields(game.options)}


@with_armies
def test_an_army_that_is_mustered_is_fielded(game: AnyGame) -> None:
    assert game.armies is not None
    given = {"title": "kept"}
    for seat in ("one", "two"):
        given = game.armies.set_army(given, seat, {"of": seat})
    assert given["title"] == "kept"
    assert [game.armies.army_of(given, seat) for seat in ("one", "two", "three")] == [
        {"of": "one"},
        {"of": "two"},
        None,
    ]
    assert game.armies.army_of({"armies": 7}, "one") is None


@with_packs
def test_the_packs_of_a_game_can_be_looked_into(game: AnyGame) -> None:
    assert game.packs is not None
    for pack in game.packs.built_in:
        assert game.packs.info(pack).digest == pack.digest
        entries = game.packs.entries(pack)
        assert len({(entry.kind, entry.id) for entry in entries}) == len(entries) > 0
        assert all(entry.name and entry.description for entry in entries)
    for checked in (False, True):
        faults = game.packs.read([b"?"] * len(game.packs.file_suffixes), checked)
        assert isinstance(faults, tuple)
        assert faults


@every_game
def test_every_option_and_choice_has_a_title_of_its_own(game: AnyGame) -> None:
    of_armies = game.armies.constraints if game.armies is not None else game.options
    for kind in (game.options, of_armies):
        options = options_in(kind, encode_as_digest)
        assert {each.name for each in options} == {
            field.encode_name for field in msgspec.structs.fields(kind)
        }
        assert len({each.title for each in options}) == len(options)
        for option in options:
            assert option.description, option.name
            titles = [choice.title for choice in option.choices]
            assert len({*titles}) == len(titles), option.name
            for title in (option.title, *titles):
                assert title[:1].isupper() or title[:1].isdigit(), title
                assert not title.endswith((".", "?")), title
