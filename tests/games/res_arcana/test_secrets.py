"""Hidden information: no viewer receives a byte that they may not know.

The property at the end plays matches, and beside each state a twin that differs only in what a
viewer may not see; everything that viewer is given of both must be the same bytes.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.res_arcana import GAME
from domain.games.res_arcana.card_faces import names_of
from domain.games.res_arcana.facts import (
    CardClaimed,
    CardDiscarded,
    CardsDrawn,
    MonumentRevealed,
    PacksPassed,
)
from domain.games.res_arcana.state import (
    Choosing,
    Entering,
    Options,
    Ordering,
    Shuffling,
    State,
    area_of,
    pack_of,
)
from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.kernel.rulings import Accepted, Refused
from projections.views.viewer_events import render_ruling
from tests.secrets.res_arcana import secret, twin

At = Callable[..., str]
Course = list[tuple[State, str, str]]
Wandered = Callable[[Random, Options, int], Course]


def resolve(state: State, line: str) -> ResolvedAction[Any, Any]:
    seat, _, text = line.partition(" ")
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, seat, action)
    assert isinstance(outcome, Accepted), outcome
    return ResolvedAction(seat, action, outcome.facts, outcome.rulings)


def account(state: State, happened: ResolvedAction[Any, Any], viewer: str) -> str:
    """Return all that a viewer sees of an action."""
    redacted = GAME.redact(happened, viewer)
    known = [
        GAME.information_state(each, viewer) for each in (state, fold(GAME, state, happened.facts))
    ]
    narration = GAME.narrate(known[0], redacted, known[1])
    parts = GAME.parts(state, redacted.action)
    texts = [
        GAME.write_action(redacted.action),
        msgspec.json.encode((redacted, parts)).decode(),
        narration.outcome,
        *narration.facts,
        *(render_ruling(GAME, ruling, *known).sentence for ruling in redacted.rulings),
    ]
    return "\n".join(texts)


def shown(state: State, viewer: str) -> str:
    """All that a viewer is shown of a state."""
    return msgspec.json.encode(
        (
            GAME.write_view(state, viewer),
            GAME.scene(state, viewer),
            GAME.turn(state),
            GAME.result(state),
            [GAME.write_action(action) for action in GAME.legal(state, viewer)],
        )
    ).decode()


# --- sentences of the reference ------------------------------------------------------------------


def test_a_drawn_card_is_shown_to_its_owner_only_and_the_count_to_all(at: At) -> None:
    state = GAME.read_position(
        at(north="1e | research,scholar || hawk,vault", east="0 | alchemy,seer"), Options()
    )
    happened = resolve(state, "north use research 1 1e")
    assert "North draws Hawk." in account(state, happened, "north")
    for viewer in ("east", SPECTATOR):
        assert "North draws a card." in account(state, happened, viewer)
        assert "hawk" not in account(state, happened, viewer).lower()
    assert "hawk" in account(state, happened, "table")
    assert "hawk" in account(state, happened, "referee")


def test_the_top_monument_is_shown_after_payment_and_a_refusal_reveals_nothing(at: At) -> None:
    rich = at(north="4g | research,scholar", east="0 | alchemy,seer")
    state = GAME.read_position(rich, Options())
    happened = resolve(state, "north claim top")
    assert "claims Oracle" in account(state, happened, "east")
    poor = GAME.read_position(rich.replace("/4g/", "/3g/"), Options())
    refused = GAME.decide(poor, "north", happened.action)
    assert isinstance(refused, Refused)
    assert "oracle" not in str(refused).lower()


def test_the_next_card_of_a_shuffle_is_shown_to_the_table_only(at: At) -> None:
    position = at(north="1e | research,scholar ||| crypt,hawk,vault", east="0 | alchemy,seer")
    state = GAME.read_position(position, Options())
    state = fold(GAME, state, resolve(state, "north use research 1 1e").facts)
    happened = resolve(state, "table next vault")
    for viewer in ("north", "east", SPECTATOR):
        assert "next ?" in account(state, happened, viewer)
        assert "vault" not in account(state, happened, viewer).lower()
        assert "vault" not in shown(state, viewer)
    assert "next vault" in account(state, happened, "table")


def test_a_refusal_for_a_card_in_another_hand_is_that_for_a_card_not_in_the_game(at: At) -> None:
    position = at(north="9e | research,scholar | hawk", east="0 | alchemy,seer | vault || crypt")
    state = GAME.read_position(position, Options())
    for verb, more in (("play", " 1e"), ("discard", " 1g"), ("claim", ""), ("use", " 1")):
        answers = []
        for card in ("vault", "prism", "zzz"):
            action = GAME.read_action(f"{verb} {card}{more}")
            assert not isinstance(action, Refused)
            refused = GAME.decide(state, "north", action)
            assert isinstance(refused, Refused)
            answers.append(str(refused).replace(names_of(pack_of(state)).the(card), "CARD"))
        assert len(set(answers)) == 1


@pytest.mark.parametrize(
    ("options", "want", "secret"),
    [
        (Options(sides="a", draft="yes"), "draft", "pick"),
        (Options(sides="a", hand="choose"), "keep", "keep"),
        (Options(sides="a"), "mage", "mage"),
    ],
)
def test_a_secret_choice_is_seen_to_be_made_but_not_what_it_is(
    options: Options, want: str, secret: str
) -> None:
    state = GAME.start(options)
    while GAME.turn(state)[0].expected_action != want:
        seat = GAME.turn(state)[0].seat
        action = GAME.write_action(next(GAME.legal(state, seat)))
        state = fold(GAME, state, resolve(state, f"{seat} {action}").facts)
    first = GAME.write_action(next(GAME.legal(state, "north")))
    happened = resolve(state, f"north {first}")
    after = fold(GAME, state, happened.facts)
    own = account(state, happened, "north")
    for viewer in ("east", SPECTATOR):
        text = account(state, happened, viewer)
        assert text.startswith(f"{secret} ?")
        for card in first.split(" ")[1:]:
            assert card in own
            assert card not in text
            assert card not in shown(after, viewer)
    assert len(GAME.turn(after)) == 1


def test_chosen_mages_are_shown_to_all_after_the_last_choice_and_unchosen_mages_never() -> None:
    state = GAME.start(Options(sides="a"))
    while GAME.turn(state)[0].expected_action != "mage":
        seat = GAME.turn(state)[0].seat
        action = GAME.write_action(next(GAME.legal(state, seat)))
        state = fold(GAME, state, resolve(state, f"{seat} {action}").facts)
    chosen, left = state.areas[0].mages
    state = fold(GAME, state, resolve(state, f"north mage {chosen}").facts)
    last = resolve(state, f"east mage {state.areas[1].mages[0]}")
    after = fold(GAME, state, last.facts)
    assert chosen in account(state, last, "east")
    assert chosen in shown(after, SPECTATOR)
    for viewer in ("north", "east", SPECTATOR):
        assert left not in shown(after, viewer)
        assert left not in account(state, last, viewer)


def test_a_preview_and_an_undo_can_show_what_reveals(at: At) -> None:
    state = GAME.read_position(
        at(
            north="5g | oracle,research,scholar | crypt | hawk,prism,vault,treant",
            east="0 | alchemy,seer",
            mdeck="temple,obelisk,mausoleum",
        ),
        Options(),
    )
    for line, reveals in (
        ("north claim top", True),
        ("north claim library", True),  # the row is refilled
        ("north use research 1 1g", True),
        ("north pass divination", True),
        ("north discard crypt 1g", False),
        ("north use oracle 1 deck", True),  # it looks at the cards
        ("north use oracle 1 monuments", True),
    ):
        facts = resolve(state, line).facts
        assert any(GAME.reveals(fact) for fact in facts) == reveals, line


# --- twins ---------------------------------------------------------------------------------------


def counterpart(state: State, seat: str, action: Any, viewer: str, random: Random) -> Any:
    """What could have been done in the twin that looks the same to the viewer; None if nothing."""
    legal = list(GAME.legal(state, seat))
    if secret(state, seat, action, viewer):
        return random.choice([each for each in legal if type(each) is type(action)])
    return action if action in legal else None


def shows_more(state: State, happened: ResolvedAction[Any, Any], after: State, viewer: str) -> bool:
    """Did the viewer learn something here that it could not know before?"""
    step = after.queue[0]
    text = GAME.write_action(happened.action)
    looks = isinstance(step, Ordering) and step.seat == viewer and step != state.queue[0]
    turned_up = any(
        isinstance(fact, MonumentRevealed)
        or (isinstance(fact, CardClaimed) and fact.where == "top")
        or (isinstance(fact, CardsDrawn) and fact.seat == viewer)
        or (isinstance(fact, CardDiscarded) and fact.card not in text)
        for fact in happened.facts
    )
    stages = (Choosing, Shuffling, Entering)
    # Mages are shown, packs are passed on, and a shuffled pile is seen again when it is done.
    moved = isinstance(state.queue[0], stages) and state.queue[0] != step
    passed = any(isinstance(fact, PacksPassed) for fact in happened.facts)
    return looks or turned_up or moved or passed


def attempts(random: Random, state: State) -> Iterator[str]:
    cards = list(pack_of(state).cards)
    for _ in range(6):
        card, other = random.choice(cards), random.choice(cards)
        yield from (
            f"play {card} 1e", f"discard {card} 1g", f"claim {card}", f"pass {card}",
            f"use {card} 1", f"use {card} 2 {other}", f"pick {card}", f"mage {card}",
            f"place {card} 0", f"ignore {card}", f"react {card}", f"drop {card}", f"order {card}",
            f"next {card}", f"deal {card}",
        )  # fmt: skip


OPTIONS = [
    Options(sides="a", first="random"),
    Options(players=3, draft="yes", sides="a"),
    Options(players=4, hand="choose", sides="b"),
]


@pytest.mark.parametrize("options", OPTIONS, ids=["two", "three drafting", "four choosing"])
@settings(max_examples=3)
@given(st.randoms(use_true_random=True))
def test_twins_that_differ_only_in_what_is_hidden_give_a_viewer_the_same_bytes(
    wandered: Wandered, options: Options, random: Random
) -> None:
    for state, seat, text in wandered(random, options, 300):
        for viewer in random.sample([*GAME.seats(options), SPECTATOR], 1):
            other = twin(state, viewer, random)
            assert GAME.read_position(GAME.write_position(other), options) == other
            check_standing(state, other, viewer, random)
            if seat:
                check_step((state, other), (seat, text), viewer, random)


def check_standing(state: State, other: State, viewer: str, random: Random) -> None:
    """What is shown, listed and refused before anything happens."""
    both = (GAME.write_position(state), GAME.write_position(other))
    assert shown(state, viewer) == shown(other, viewer), both
    known = GAME.information_state(state, viewer)
    assert GAME.information_state(other, viewer) == known, both
    assert shown(known, viewer) == shown(state, viewer), both
    for text in attempts(random, state):
        action = GAME.read_action(text)
        assert not isinstance(action, Refused)
        answers = [GAME.decide(each, viewer, action) for each in (state, other, known)]
        outcomes = [each if isinstance(each, Refused) else "accepted" for each in answers]
        assert outcomes[0] == outcomes[1] == outcomes[2], (both, text)


def check_step(
    states: tuple[State, State], done: tuple[str, str], viewer: str, random: Random
) -> None:
    """Check that twins look the same to the viewer, unless the step reveals something."""
    seat, text = done
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    same = counterpart(states[1], seat, action, viewer, random)
    if same is None:
        return  # a card came into the open that the twin has elsewhere
    both = [
        resolve(state, f"{seat} {GAME.write_action(each)}")
        for state, each in zip(states, (action, same), strict=True)
    ]
    after = [fold(GAME, s, h.facts) for s, h in zip(states, both, strict=True)]
    if any(shows_more(s, h, a, viewer) for s, h, a in zip(states, both, after, strict=True)):
        return
    accounts = [account(s, h, viewer) for s, h in zip(states, both, strict=True)]
    assert accounts[0] == accounts[1]
    assert shown(after[0], viewer) == shown(after[1], viewer)


def test_the_twin_is_another_state(wandered: Wandered) -> None:
    """The property above would prove nothing if twins were the same."""
    course = wandered(Random(3), OPTIONS[1], 300)
    differ = sum(twin(state, SPECTATOR, Random(1)) != state for state, _, _ in course)
    assert differ > len(course) * 0.9
    assert area_of(course[-1][0], "north").seat == "north"
