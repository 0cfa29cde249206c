"""What holds of a stylus's screen in every game: what it lists can be tapped, Page lets go of what
was picked, pages are counted rightly, and a tap on anything that is there shows its info."""

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings

from domain.kernel.game import AnyGame
from domain.stylus.tap_machine import (
    INFO,
    PLAY,
    Selection,
    StylusView,
    card_lines,
    stylus_screen,
    tap,
)
from domain.table import target_of
from tests.test_every_game import usual
from tests.test_every_tap import every_game, moments, seeds

TAPS = 12
STEPS = 10
LATE = 80
"""Steps after which cards have been dealt."""
VIEWS = ("cc army", "cc army>", "cc ancients", "cc ancients>", "cc map", "cc help", "button page")


def hands(game: AnyGame, seed: int) -> Iterator[tuple[StylusView, Selection]]:
    """Hands that came of tapping whatever a screen shows, in positions of a random game."""
    random = Random(seed)
    for moment, _ in moments(game, seed, STEPS):
        hand = Selection()
        for _ in range(TAPS):
            shown = stylus_screen(moment, hand)
            runes = [f"cc rune {number}" for number in range(1, len(shown.runes) + 1)]
            target = random.choice([*shown.next, *runes] * 2 + [*VIEWS])
            hand = tap(moment, hand, target).hand
            yield moment, hand


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_whatever_is_listed_can_be_tapped(game: AnyGame, seed: int) -> None:
    for moment, hand in hands(game, seed):
        for thing in stylus_screen(moment, hand).next:
            assert target_of({}, thing) == thing
            assert tap(moment, hand, thing).refusal is None, (hand, thing)


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_a_page_is_always_one_of_so_many(game: AnyGame, seed: int) -> None:
    for moment, hand in hands(game, seed):
        shown = stylus_screen(moment, hand)
        assert 1 <= shown.page <= shown.pages, hand
        if shown.pages > 1 and hand.view != PLAY:
            turned = stylus_screen(moment, tap(moment, hand, "button page").hand)
            assert (turned.page, turned.pages) == (shown.page % shown.pages + 1, shown.pages)


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_page_lets_go_of_whatever_was_picked(game: AnyGame, seed: int) -> None:
    for moment, hand in hands(game, seed):
        pressed = tap(moment, hand, "button confirm").hand if hand.view != PLAY else hand
        before = pressed
        for _ in range(400):
            if not (pressed.picked or pressed.digits or pressed.chosen):
                break
            pressed = tap(moment, pressed, "button page").hand
        assert not pressed.picked, before


@every_game
@settings(max_examples=3)
@given(seed=seeds)
def test_a_stylus_that_may_only_tap_is_named_no_card_that_lies_hidden(
    game: AnyGame, seed: int
) -> None:
    random = Random(seed)
    for moment, _ in moments(game, seed, LATE) if game.has_hidden_information else ():
        seat = moment.seat
        granted = StylusView(game, moment.state, (seat,), granted=frozenset({seat}))
        hand, hidden = Selection(), faces(game, moment.state, seat) - granted.face_up_cards
        for _ in range(TAPS if hidden else 0):
            shown = stylus_screen(granted, hand)
            labels = {*shown.next, *(rune.label for rune in shown.runes)}
            labels |= {shown.armed.label} if shown.armed else set()
            words = {word for text in labels for word in text.split(" ")}
            tapped = {pick.partition(" ")[2] for pick in hand.picked}
            assert not words & (hidden - tapped), (hand, labels)
            mine = [f"card {name}" for name in hidden]
            digits = [f"cc digit {number}" for number in range(3)]
            target = random.choice([*shown.next, *mine, *digits, "cc rune 1"])
            hand = tap(granted, hand, target).hand


def faces(game: AnyGame, state: object, viewer: str) -> set[str]:
    """What lies face up for a viewer."""
    scene = game.scene(game.information_state(state, viewer), viewer)
    return {piece.id for piece in scene.pieces if "hidden" not in piece.states}


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_a_stylus_that_may_not_act_shows_info_of_tapped_targets(game: AnyGame, seed: int) -> None:
    for moment, _ in moments(game, seed, STEPS):
        asked = {prompt.seat for prompt in game.turn(moment.state)}
        waiting = [seat for seat in game.seats(usual(game)) if seat not in asked]
        if not waiting:
            continue
        looking = StylusView(game, moment.state, (waiting[0],))
        spaces = [f"space {each.id}" for each in looking.scene.spaces]
        pieces = [f"piece {each.id}" for each in looking.scene.pieces]
        for thing in (*spaces, *pieces):
            tapped = tap(looking, Selection(), thing)
            if looking.pointing.info(thing) or tapped.hand.picked:
                continue
            if game.pointing is not None:  # it defines itself which things have cards
                assert tapped.refusal is not None, thing
                continue
            assert tapped.refusal is None, thing
            assert tapped.hand.view == f"{INFO} {thing}"
            assert card_lines(looking, thing)
