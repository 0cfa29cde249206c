"""What holds of prompts in every game of the registry: what they list can be tapped, and Page leads
out of wherever taps have led."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.kernel.any_game import action_outline
from domain.kernel.game import AnyGame
from domain.registry import GAMES
from domain.stylus.tap_machine import (
    PLAY,
    Selection,
    StylusScreen,
    StylusView,
    card_lines,
    stylus_screen,
    tap,
)
from domain.table.codes import target_of
from domain.table.events import MAX_CODE_LENGTH
from tests.test_every_tap import moments

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
seeds = st.integers(0, 10_000)
VIEWS = ("cc army", "cc army>", "cc ancients", "cc help", "cc map", "button page")


def hands(
    game: AnyGame, seed: int, steps: int, taps: int
) -> Iterator[tuple[StylusView, Selection, StylusScreen]]:
    """Hands that somebody has who taps what prompts list, in the positions of a random game; every
    other position is met by a stylus that may tap and is shown no more than anybody."""
    random = Random(seed)
    for number, (found, _) in enumerate(moments(game, seed, steps)):
        moment = found
        if number % 2:
            seat = found.seat
            moment = StylusView(game, found.state, (seat,), granted=frozenset((seat,)))
        hand = Selection()
        for _ in range(taps):
            shown = stylus_screen(moment, hand)
            yield moment, hand, shown
            hand = tap(moment, hand, random.choice([*listed(shown), *VIEWS])).hand


def listed(shown: StylusScreen) -> list[str]:
    """All that a prompt says may be tapped."""
    return [*shown.next, *(f"cc rune {number}" for number in range(1, len(shown.runes) + 1))]


@every_game
@settings(max_examples=3)
@given(seed=seeds)
def test_whatever_is_listed_can_be_tapped(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    for moment, hand, shown in hands(game, seed, 8, 8):
        every = listed(shown)
        for each in random.sample(every, min(12, len(every))):
            assert target_of({}, each) == each, "it is a code of the default map"
            assert len(each) <= MAX_CODE_LENGTH
            tapped = tap(moment, hand, each)
            assert tapped.refusal is None, (game.write_position(moment.state), hand, each)
        if shown.armed is not None:
            assert tap(moment, hand, "button confirm").refusal is None


@every_game
@settings(max_examples=3)
@given(seed=seeds)
def test_an_outline_is_the_parts_of_an_action_but_for_the_sentence(
    game: AnyGame, seed: int
) -> None:
    for moment, actions in moments(game, seed, 8):
        for action in actions:
            whole, outline = (
                game.parts(moment.state, action),
                action_outline(game, moment.state, action),
            )
            assert replace(outline, sentence="") == replace(whole, sentence="")
            assert whole.sentence


@every_game
@settings(max_examples=3)
@given(seed=seeds)
def test_the_page_button_leaves_a_selection_and_pages_are_counted(game: AnyGame, seed: int) -> None:
    for moment, before, shown in hands(game, seed, 8, 8):
        assert 1 <= shown.page <= max(1, shown.pages), (before, shown)
        hand = tap(moment, before, "button confirm").hand if before.view != PLAY else before
        seen: set[Selection] = set()
        while _holds(hand) and hand not in seen:
            seen.add(hand)
            hand = tap(moment, hand, "button page").hand
        assert not _holds(hand), (before, hand)


def _holds(hand: Selection) -> bool:
    return bool(hand.picked or hand.digits or hand.chosen)


@every_game
@settings(max_examples=3)
@given(seed=seeds)
def test_one_tap_never_arms_giving_up_in_turn_or_out_of_it(game: AnyGame, seed: int) -> None:
    for found, _ in moments(game, seed, 8):
        for moment in (
            found,
            *(StylusView(game, found.state, (seat,)) for seat in found.prompted_seats[:1]),
        ):
            first = stylus_screen(moment, Selection())
            for each in listed(first):
                armed = stylus_screen(moment, tap(moment, Selection(), each).hand).armed
                if armed is not None and armed.action is not None:
                    deliberate = game.parts(moment.state, armed.action).requires_explicit_choice
                    assert not game.is_administrative(armed.action), (each, armed)
                    assert each.startswith("cc rune") or not deliberate, (each, armed)


@every_game
@settings(max_examples=3)
@given(seed=seeds)
def test_no_taps_on_the_table_arm_giving_up_however_many(game: AnyGame, seed: int) -> None:
    """Runes, digits and the match card say so; things on the table, tapped in any order, do not."""
    random = Random(seed)
    for moment, _ in moments(game, seed, 30):
        hand = Selection()
        for _ in range(6):
            shown = stylus_screen(moment, hand)
            armed = shown.armed.action if shown.armed is not None else None
            if armed is not None:
                assert not game.is_administrative(armed), (hand, shown.armed)
                assert not game.parts(moment.state, armed).requires_explicit_choice, (
                    hand,
                    shown.armed,
                )
            spaces = [f"space {space.id}" for space in moment.scene.spaces[:200]]
            again = [*hand.picked[-1:], "button page"]
            hand = tap(
                moment,
                hand,
                random.choice([*shown.next, *random.sample(spaces, min(5, len(spaces))), *again]),
            ).hand


@every_game
@settings(max_examples=3)
@given(seed=seeds)
def test_a_stylus_not_on_turn_shows_the_card_of_the_tapped_target(game: AnyGame, seed: int) -> None:
    for found, _ in moments(game, seed, 8):
        onlooker = StylusView(game, found.state, ())
        for piece in onlooker.scene.pieces[:8]:
            for thing in (f"piece {piece.id}", f"space {piece.where}"):
                lines = card_lines(onlooker, thing)
                if not lines:
                    continue
                tapped = tap(onlooker, Selection(), thing)
                assert tapped.hand == replace(Selection(), view=f"info {thing}"), thing
                if onlooker.prompted_seats:
                    assert lines[-1] == f"Waiting for {', '.join(onlooker.prompted_seats)}"
