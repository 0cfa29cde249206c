"""The laws of sentences for people, in every game: names, not ids; outcomes, not filler."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from domain.kernel.game import REFEREE, SPECTATOR, AnyGame, ResolvedAction
from domain.kernel.language import as_sentence
from domain.kernel.rulings import Refused, explain
from domain.kernel.scene import Scene
from domain.kernel.scene_changes import apply_changes, diff_scenes
from domain.registry import GAMES
from projections.views.viewer_events import render_refusal, render_ruling
from tests.hypothesis_settings import example_settings
from tests.test_every_game import Moment, play, seeds, usual

LONGEST_OUTCOME = 240
"""Characters."""
MOST_SENTENCES = 3
LISTED = 10
"""Legal actions of a position whose sentences are looked at."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def viewers(game: AnyGame) -> tuple[str, ...]:
    return (*game.seats(usual(game)), SPECTATOR, REFEREE)


def codes(game: AnyGame, *scenes: Scene) -> set[str]:
    """Ids that are no words and that nobody sees: of pieces, zones and tracks, and of content."""
    shown = {word for scene in scenes for space in scene.spaces for word in (space.id, space.label)}
    found = {part.id for s in scenes for part in (*s.pieces, *s.zones, *s.tracks)}
    for scene in scenes:
        for piece in scene.pieces:
            shown |= {piece.glyph, *words(piece.name)}
    if game.packs is not None:
        found |= {e.id for pack in game.packs.built_in for e in game.packs.entries(pack)}
    # A plain word may be an id too, as "hermes" or "mists": only what no person would write counts.
    return {each for each in found - shown if re.search(r"[-_.:0-9]", each)}


def words(text: str) -> list[str]:
    return [word.strip(".,;:!?()\"'") for word in text.split()]


def check_text(text: str, never: set[str], *, icons: bool = False) -> None:
    assert "_" not in text, text
    assert icons or not re.search(r"[{}]", text), text
    assert not re.search(r"\b([A-Za-z]+) \1\b", text), text
    assert not re.search(r"\.\.(?!\.)|,,| ,| \.|  |\bNone\b|\(\)|\[\]", text), text
    assert text == text.strip(), repr(text)
    assert not (found := never.intersection(words(text))), (found, text)


def narrated_steps(
    game: AnyGame, moment: Moment
) -> Iterator[tuple[str, str, tuple[str, ...], Scene, Scene]]:
    """For each viewer: the outcome, the facts, the scenes before and after."""
    done = ResolvedAction(moment.seat, moment.action, moment.outcome.facts, moment.outcome.rulings)
    for viewer in viewers(game):
        redacted = game.redact(done, viewer)
        before, after = (
            game.information_state(state, viewer) for state in (moment.state, moment.after)
        )
        narration = game.narrate(before, redacted, after)
        scenes = [game.scene(state, viewer) for state in (moment.state, moment.after)]
        yield viewer, narration.outcome, narration.facts, scenes[0], scenes[1]


@every_game
@example_settings(2)
@given(seed=seeds)
def test_every_event_has_an_outcome_in_a_few_words(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        for _, outcome, facts, before, after in narrated_steps(game, moment):
            never = codes(game, before, after)
            assert outcome, (moment.action, moment.outcome.facts)
            assert outcome == as_sentence(outcome)
            assert len(outcome) <= LONGEST_OUTCOME, outcome
            assert len(re.findall(r"[.!?](?= [A-Z]|$)", outcome)) <= MOST_SENTENCES, outcome
            check_text(outcome, never)
            for fact in facts:
                assert fact == as_sentence(fact)
                check_text(fact, never)


@every_game
@example_settings(2)
@given(seed=seeds)
def test_what_may_be_done_is_said_in_words(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        never = codes(game, game.scene(moment.state, moment.seat))
        for action in (*moment.listed[:LISTED], moment.action):
            parts = game.parts(moment.state, action)
            assert parts.sentence[:1].isupper(), parts
            check_text(parts.sentence, never)
            assert parts.verb in game.verbs, parts
            # A payment as people read it, and never `1c2d`.
            assert not re.search(r"[0-9][a-z]", parts.cost), parts


@every_game
def test_every_kind_of_action_is_called_in_words_of_its_own(game: AnyGame) -> None:
    assert len(set(game.verbs.values())) == len(game.verbs)
    for verb, called in game.verbs.items():
        assert re.fullmatch(r"[A-Z][a-z]*(,? [A-Za-z]+)*", called), (verb, called)
        check_text(called, set())


@every_game
def test_rules_are_described_without_codes(game: AnyGame) -> None:
    for rule in game.rules.values():
        check_text(explain(rule), set())
        assert not re.search(r"\w=\w", rule.meaning), rule.meaning


@every_game
@example_settings(2)
@given(seed=seeds)
def test_rulings_and_refusals_are_explained_in_words(game: AnyGame, seed: int) -> None:
    tried: list[Any] = []
    first = game.start(usual(game))
    for ruling in game.opening(usual(game)):
        check_text(render_ruling(game, ruling, first, first).sentence, set())
    for moment in play(game, seed):
        outcome, never = moment.outcome, codes(game, game.scene(moment.state, REFEREE))
        for viewer in viewers(game):
            done = ResolvedAction(moment.seat, moment.action, outcome.facts, outcome.rulings)
            before, after = (
                game.information_state(state, viewer) for state in (moment.state, moment.after)
            )
            for ruling in game.redact(done, viewer).rulings:
                check_text(render_ruling(game, ruling, before, after).sentence, never)
        for action in tried:
            refused = game.decide(moment.state, moment.seat, action)
            if isinstance(refused, Refused):
                seen = render_refusal(
                    game, refused, game.information_state(moment.state, moment.seat)
                )
                check_text(seen.sentence, never)
                check_text(seen.why, never)
        tried = [*tried[-LISTED:], *moment.listed[:: LISTED // 2]]


@every_game
@example_settings(2)
@given(seed=seeds)
def test_scenes_say_what_is_asked_and_explain_their_signs(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        for viewer in viewers(game):
            scene = game.scene(moment.after, viewer)
            never = codes(game, scene)
            for text in (
                scene.caption,
                *(game.announcements(moment.after) if game.announcements else ()),
                *(part.name for part in (*scene.zones, *scene.tracks)),
                *(part.description for part in (*scene.spaces, *scene.pieces, *scene.zones)),
            ):
                check_text(text, never)
            check_legend(game, scene)


def check_legend(game: AnyGame, scene: Scene) -> None:
    """Each icon and state that the scene uses is explained, and each is drawn by the theme."""
    explained = {(line.kind, line.sign) for line in scene.legend}
    texts = [badge for part in (*scene.spaces, *scene.pieces) for badge in part.badges]
    for piece in scene.pieces:
        if face := piece.card:
            texts += [face.cost, *face.lines]
            texts += [value for stat in face.stats for value in (stat.value,)]
    icons = {name for text in texts for name in re.findall(r"{([^{}]+)}", text)}
    icons |= {icon for space in scene.spaces for icon in space.icons}
    icons |= {track.icon for track in scene.tracks if track.icon}
    for icon in icons:
        assert ("icon", icon) in explained, icon
        assert icon in game.theme.icons or re.fullmatch(r"die-[1-6]", icon), icon
    for state in {state for piece in scene.pieces for state in piece.states}:
        assert ("state", state) in explained, state


@every_game
@example_settings(2)
@given(seed=seeds)
def test_the_changes_of_an_event_lead_to_the_next_scene(game: AnyGame, seed: int) -> None:
    for moment in play(game, seed):
        done = ResolvedAction(
            moment.seat, moment.action, moment.outcome.facts, moment.outcome.rulings
        )
        for viewer in viewers(game):
            before, after = (game.scene(state, viewer) for state in (moment.state, moment.after))
            renamed = game.piece_id_changes(game.redact(done, viewer))
            # A happening does not tell which of two swapped places was empty.
            had, has = ({piece.id for piece in scene.pieces} for scene in (before, after))
            assert {now for was, now in renamed.items() if was in had} <= has
            assert apply_changes(before, diff_scenes(before, after, renamed)) == after
