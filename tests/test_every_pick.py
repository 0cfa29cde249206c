"""What holds of orders, picks, scenes and their changes in every game of the registry."""

import re
from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel.any_game import action_outline, fold, previewable_fact_count
from domain.kernel.forecasts import MAX_TAG_WORDS
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame, ResolvedAction
from domain.kernel.orders import Order, find_action, orders
from domain.kernel.rulings import Accepted
from domain.kernel.scene import Counter, Scene
from domain.kernel.scene_changes import TEMPORARY_SUFFIX, apply_changes, diff_scenes
from domain.kernel.table_theme import Face
from domain.registry import GAMES
from projections.drawing.theme_files import theme_files
from tests.interaction import Interaction, MixedPicksError, asked_picks, reach, whole_forecast

STEPS = 50
MOST_ACTIONS = 300
"""Positions with more legal actions are passed over: each action is pointed at."""
FORECASTS = 6
AMOUNTS = 40

DERIVED = frozenset({"golem-arcana"})
"""Games that do not give all their picks yet: they are derived from the lists of `Parts`."""
WITHOUT_THEME = frozenset({"golem-arcana", "connect-four"})
"""Games without `theme.toml`."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
themed_game = pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.table_theme.sprite],
    ids=[slug for slug, game in GAMES.items() if game.table_theme.sprite],
)  # fmt: skip
seeds = st.integers(0, 10_000)
laws = settings(max_examples=3)


class Turn(NamedTuple):
    """A position in which a seat is to act, and the action that it takes."""

    state: Any
    seat: str
    resolved: ResolvedAction[Any, Any]
    after: Any


def turns(game: AnyGame, seed: int, steps: int = STEPS) -> Iterator[Turn]:
    """A random game."""
    random, state = Random(seed), game.start(msgspec.convert({}, game.options))
    for _ in range(steps):
        if game.result(state) is not None or not game.turn(state):
            return
        seat = random.choice(game.turn(state)).seat
        listed = [each for each in game.legal(state, seat) if not game.is_administrative(each)]
        action = random.choice(listed)
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        after = fold(game, state, outcome.facts)
        yield Turn(state, seat, ResolvedAction(seat, action, outcome.facts, outcome.rulings), after)
        state = after


def legal(game: AnyGame, state: Any, seat: str) -> list[Any]:
    return [each for each in game.legal(state, seat) if not game.is_administrative(each)]


def known(game: AnyGame, turn: Turn) -> Any:
    return game.information_state(turn.state, turn.seat)


# --- orders --------------------------------------------------------------------------------------


@every_game
@laws
@given(seed=seeds)
def test_orders_have_every_legal_action_once(game: AnyGame, seed: int) -> None:
    for turn in turns(game, seed):
        state = known(game, turn)
        found = orders(game, state, turn.seat)
        names = [(order.actor, order.line, order.verb) for order in found]
        assert len({*names}) == len(names)
        assert all(bool(order.actions) is (order.refused is None) for order in found)
        listed = legal(game, state, turn.seat)
        written = [game.write_action(each.action) for order in found for each in order.actions]
        assert {*written} <= {game.write_action(each) for each in listed}
        assert len({*written}) == len(written)
        with_amounts = [e for order in found for e in order.actions if e.amounts is not None]
        if not with_amounts:
            assert len(written) == len(listed)


@every_game
@laws
@given(seed=seeds)
def test_amounts_stand_for_legal_actions(game: AnyGame, seed: int) -> None:
    for turn in turns(game, seed):
        state = known(game, turn)
        for order in orders(game, state, turn.seat):
            for each in order.actions:
                if each.amounts is None:
                    continue
                assert any(way.allows(each.amounts.proposal) for way in each.amounts.ways)
                symbols, proposal = each.amounts.symbols, each.amounts.proposal
                assert len(symbols) == len(proposal) == len({*symbols})
                again = find_action(game, state, turn.seat, each.action, proposal)
                assert again == each.action


@every_game
@laws
@given(seed=seeds)
def test_pointing_reaches_every_legal_action(game: AnyGame, seed: int) -> None:
    for turn in turns(game, seed):
        state = known(game, turn)
        found = orders(game, state, turn.seat)
        if sum(len(order.actions) for order in found) > MOST_ACTIONS:
            continue
        table = Interaction(found)
        for order in found:
            for action in order.actions:
                try:
                    end = reach(table, order, action)
                except MixedPicksError:
                    assert game.slug in DERIVED
                    continue
                assert end.state == "finished", (game.write_action(action.action), end)
                assert end.found is not None
                assert end.found[0] is order, game.write_action(action.action)
                same = asked_picks(end.found[1]) == asked_picks(action)
                assert end.found[1] is action or (same and action.amounts is not None)


@every_game
@laws
@given(seed=seeds)
def test_no_two_actions_of_an_order_have_equal_picks_and_amounts(game: AnyGame, seed: int) -> None:
    for turn in turns(game, seed):
        for order in orders(game, known(game, turn), turn.seat):
            _check_differences(game, order)


def _check_differences(game: AnyGame, order: Order[Any]) -> None:
    seen = Count(
        (asked_picks(each), each.amounts and (each.amounts.symbols, each.amounts.ways))
        for each in order.actions
    )
    twice = [picks for picks, number in seen.items() if number > 1]
    assert not twice, (game.slug, order.actor, order.verb, twice)


@every_game
@laws
@given(seed=seeds)
def test_what_is_picked_is_in_the_scene(game: AnyGame, seed: int) -> None:
    for turn in turns(game, seed):
        state = known(game, turn)
        scene = game.scene(state, turn.seat)
        pieces = {piece.id for piece in scene.pieces}
        there = pieces | {part.id for part in (*scene.spaces, *scene.zones)}
        for action in legal(game, state, turn.seat)[:MOST_ACTIONS]:
            parts = action_outline(game, state, action)
            if parts.picks is None and not parts.actor:
                assert game.slug in DERIVED or not _has_things(parts), (game.slug, parts)
                continue
            assert parts.actor in ("", *pieces), parts
            for pick in parts.picks or ():
                assert pick.role in ("option", "die") or pick.id in there, (pick, parts)


def faces_of(game: AnyGame) -> Mapping[str, Face]:
    """Return the faces of a game's default content."""
    return game.faces(getattr(msgspec.convert({}, game.options), "pack", None))


def _has_things(parts: Any) -> bool:
    return bool(parts.pieces or parts.spaces or parts.cards or parts.choices)


# --- forecasts -----------------------------------------------------------------------------------


@every_game
@laws
@given(seed=seeds)
def test_a_forecast_leads_to_the_next_scene(game: AnyGame, seed: int) -> None:
    random, options = Random(seed), msgspec.convert({}, game.options)
    for turn in turns(game, seed):
        state = known(game, turn)
        listed = legal(game, state, turn.seat)
        for action in random.sample(listed, min(FORECASTS, len(listed))):
            outcome = game.decide(state, turn.seat, action)
            assert isinstance(outcome, Accepted)
            if previewable_fact_count(game, options, outcome.facts) is not None:
                continue  # the service ends such a forecast before the end of the action
            found = whole_forecast(game, state, turn.seat, action)
            assert len(found.tag.split()) <= MAX_TAG_WORDS
            assert len(found.outcomes) <= 4
            assert found.chance is None or 0 <= found.chance <= 100
            after = game.scene(fold(game, state, outcome.facts), turn.seat)
            assert apply_changes(game.scene(state, turn.seat), found.changes) == after


# --- changes -------------------------------------------------------------------------------------


@every_game
@laws
@given(seed=seeds)
def test_changes_lead_from_scene_to_scene_and_hold_nothing_else(game: AnyGame, seed: int) -> None:
    viewers = (*game.seats(msgspec.convert({}, game.options)), SPECTATOR, REFEREE)
    for turn in turns(game, seed):
        for viewer in viewers:
            before, after = (game.scene(each, viewer) for each in (turn.state, turn.after))
            renamed = game.piece_id_changes(game.redact(turn.resolved, viewer))
            changes = diff_scenes(before, after, renamed)
            assert apply_changes(before, changes) == after
            held = {*_values(before), *_values(after)}
            new = {
                value
                for value in _values(changes)
                if value not in held and value.removesuffix(TEMPORARY_SUFFIX) not in held
            }
            assert new <= _PARTS, (viewer, new - _PARTS)


_PARTS = {"spaces", "pieces", "zones", "tracks"}


def _values(each: Any) -> Iterator[str]:
    """All texts and numbers in a value, as text."""
    match each:
        case str():
            yield each
        case int() | float():
            yield str(each)
        case dict():
            for key, value in each.items():
                yield key
                yield from _values(value)
        case tuple() | list():
            for one in each:
                yield from _values(one)
        case msgspec.Struct():
            for name in each.__struct_fields__:
                if not (name == "fields" and hasattr(each, "piece")):  # names of fields
                    yield from _values(getattr(each, name))


# --- scenes and themes ---------------------------------------------------------------------------


def scenes(game: AnyGame, seed: int) -> Iterator[tuple[str, Scene]]:
    viewers = (*game.seats(msgspec.convert({}, game.options)), SPECTATOR)
    for turn in turns(game, seed):
        for viewer in viewers:
            yield viewer, game.scene(turn.after, viewer)


def counters_of(scene: Scene) -> Iterator[Counter]:
    yield from scene.counters
    for holder in (*scene.sides, *scene.spaces, *scene.pieces):
        yield from holder.counters


@every_game
@laws
@given(seed=seeds)
def test_scenes_keep_to_their_bounds(game: AnyGame, seed: int) -> None:
    for _, scene in scenes(game, seed):
        ids = [part.id for part in (*scene.spaces, *scene.pieces, *scene.zones)]
        if scene.sides:  # a game that fills the contract
            assert len({*ids}) == len(ids)
        places = {*ids}
        for holder in (scene, *scene.sides, *scene.spaces, *scene.pieces):
            symbols = [counter.symbol for counter in holder.counters]
            assert len({*symbols}) == len(symbols), holder
        assert len(scene.phases) <= 6
        assert all(len(side.note) <= 20 for side in scene.sides)
        assert all(0 <= piece.rank <= 6 for piece in scene.pieces)
        for mark in scene.marks:
            assert len(mark.label) <= 12
            assert {*mark.at} <= places
        if (prompt := scene.prompt) is not None:
            assert 0 < len(prompt.heading) <= 40, prompt.heading
            assert len(prompt.why) <= 120, prompt.why
            assert not prompt.rule or prompt.rule in game.rules, prompt.rule


SYMBOL = re.compile(r"\{([a-z0-9:.-]+)\}")


def rich_texts(scene: Scene) -> Iterator[str]:
    for zone in scene.zones:
        yield zone.name
    for side in scene.sides:
        yield side.note
    for piece in scene.pieces:
        yield from (line.cost or "" for line in piece.lines)
    if scene.prompt is not None:
        yield scene.prompt.why


@themed_game
@laws
@given(seed=seeds)
def test_the_theme_has_every_key_of_a_scene(game: AnyGame, seed: int) -> None:
    theme = game.table_theme
    faces = faces_of(game)
    for _, scene in scenes(game, seed):
        assert {space.kind for space in scene.spaces} - {""} <= theme.grounds.keys()
        assert {piece.kind for piece in scene.pieces} <= theme.tokens.keys()
        assert {side.seat for side in scene.sides} <= theme.sides.keys()
        assert {counter.symbol for counter in counters_of(scene)} <= theme.symbols.keys()
        assert {state for piece in scene.pieces for state in piece.states} <= theme.states.keys()
        for piece in scene.pieces:
            assert piece.face in ("", *faces)
            lines = {line.id for line in faces[piece.face].lines} if piece.face else set()
            assert {line.line for line in piece.lines} <= lines
        symbols = {name for text in rich_texts(scene) for name in SYMBOL.findall(text)}
        assert symbols <= theme.symbols.keys()
    for turn in turns(game, seed):
        state = known(game, turn)
        for order in orders(game, state, turn.seat):
            assert order.verb in theme.verbs
            if order.line:
                piece = next(
                    each for each in game.scene(state, turn.seat).pieces if each.id == order.actor
                )
                assert order.line in {line.id for line in faces[piece.face].lines}


@themed_game
def test_the_drawings_of_a_theme_are_in_its_sprite(game: AnyGame) -> None:
    theme = game.table_theme
    drawn = {*re.findall(r'<symbol\b[^>]*?\bid="([^"]+)"', theme.sprite)}
    faces = faces_of(game).values()
    named: Iterable[str] = (
        *(each.symbol for each in theme.grounds.values()),
        *(each.symbol for each in theme.tokens.values()),
        *(each.symbol for each in theme.verbs.values()),
        *(each.symbol for each in theme.states.values()),
        *(each.art for each in faces),
    )
    for name in {*named} - {""}:
        own = {f"{name}.{seat}" for seat in theme.sides}
        assert name in drawn or own <= drawn, name


def test_games_without_a_theme_are_listed() -> None:
    found = {slug for slug, game in GAMES.items() if not game.table_theme.sprite}
    assert found <= WITHOUT_THEME
    for slug in GAMES:
        assert len(theme_files(slug).hash) == 16
