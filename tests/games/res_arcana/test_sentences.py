"""What is said: what actions do, what came of them, and nothing that its viewer may not know."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.res_arcana import GAME
from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.card_faces import names_of
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.state import Options, State, pack_of
from domain.games.res_arcana.vocabulary import Effect
from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.kernel.narration import Narration
from domain.kernel.rulings import Accepted, Refused, explain
from tests.games.golden import assert_golden, book, moments
from tests.test_every_sentence import check_text

At = Callable[..., str]
Wandered = Callable[[Random, Options, int], list[tuple[State, str, str]]]


def happened(state: State, line: str) -> ResolvedAction[Action, Fact]:
    seat, _, text = line.partition(" ")
    action = GAME.read_action(text)
    assert not isinstance(action, Refused), text
    outcome = GAME.decide(state, seat, action)
    assert isinstance(outcome, Accepted), (line, outcome)
    return ResolvedAction(seat, action, outcome.facts, outcome.rulings)


def narrate(state: State, line: str, viewer: str = "referee") -> Narration:
    done = happened(state, line)
    after = fold(GAME, state, done.facts)
    return GAME.narrate(
        GAME.information_state(state, viewer),
        GAME.redact(done, viewer),
        GAME.information_state(after, viewer),
    )


# --- outcomes ------------------------------------------------------------------------------------

EAST = "1e | alchemy,seer | crypt | vault"


@pytest.mark.parametrize(
    ("north", "east", "line", "outcome"),
    [
        (
            "1e | athanor,research,scholar",
            EAST,
            "use athanor 1",
            "North uses Athanor: pays 1 elan, turns it and puts 2 elan on it.",
        ),
        (
            "0 | hypnotic-basin,research,scholar",
            "0 | alchemy,healer",
            "use hypnotic-basin 1 east",
            "North uses Hypnotic Basin to no effect: turns it.",
        ),
        (
            "0 | bone-dragon,research,scholar",
            "2l1d | alchemy,seer",
            "use bone-dragon 1",
            "North uses Bone Dragon: turns it. Bone Dragon threatens East with a loss of 2 life.",
        ),
        (
            "0 | bone-dragon,research,scholar",
            "2l | alchemy,seer",
            "use bone-dragon 1",
            "North uses Bone Dragon: turns it. East loses 2 life.",
        ),
        (
            "0 | bone-dragon,research,scholar",
            "0 | alchemy,seer",
            "use bone-dragon 1",
            "North uses Bone Dragon: turns it. East has nothing to lose to Bone Dragon.",
        ),
        (
            "0 | corrupt-altar,prism:2g,research,scholar",
            EAST,
            "use corrupt-altar 2 prism",
            "North uses Corrupt Altar: turns it and destroys Prism with 2 gold on it. North is to"
            " gain a mix of 2 from elan, life, calm or death.",
        ),
        (
            "4g | research,scholar",
            EAST,
            "claim library",
            "North claims Library for 4 gold. Oracle comes up among the monuments.",
        ),
        (
            "4g | research,scholar",
            EAST,
            "claim top",
            "North claims the top of the monument deck for 4 gold: it is Oracle.",
        ),
        (
            "0 | research,scholar | | hawk",
            EAST,
            "pass protection",
            "North passes, takes the starting player token, swaps Research for Protection and"
            " draws Hawk.",
        ),
        (
            "0 | research,scholar | magical-shard",
            EAST,
            "play magical-shard 0",
            "North plays Magical Shard for nothing.",
        ),
        (
            "0 | research,scholar | | hawk",
            "out 0 | alchemy,seer",
            "pass protection",
            "North passes, swaps Research for Protection and draws Hawk. All have passed; nobody"
            " has 10 points; round 4 begins: East collects 1 calm.",
        ),
    ],
)
def test_an_outcome_shows_what_was_done_and_what_came_of_it(
    at: At, north: str, east: str, line: str, outcome: str
) -> None:
    state = GAME.read_position(at(north=north, east=east), Options())
    assert narrate(state, f"north {line}").outcome == outcome


@pytest.mark.parametrize(
    ("east", "line", "outcome"),
    [
        ("2l1d | alchemy,seer", "lose 2l", "East loses 2 life to Bone Dragon."),
        (
            "1l2g | alchemy,seer,temple",
            "lose 1l2g",
            "East loses 1 life and 2 gold to Bone Dragon: two other essences for each life it"
            " lacks.",
        ),
        (
            "2l | alchemy,seer,temple",
            "react temple",
            "East reacts with Temple: turns it and prevents the loss of 2 life from Bone Dragon.",
        ),
        (
            "2l1d | alchemy,seer",
            "ignore",
            "East pays 1 death and prevents the loss of 2 life from Bone Dragon.",
        ),
    ],
)
def test_an_attack_is_narrated_with_losses_and_prevention(
    at: At, east: str, line: str, outcome: str
) -> None:
    position = at("loss.east.2.bone-dragon.1", north="0 | bone-dragon*,druid,research", east=east)
    state = GAME.read_position(position, Options())
    assert narrate(state, f"east {line}").outcome == outcome


def test_the_end_is_narrated_with_its_figures(at: At) -> None:
    position = at(
        north="3e | alchemists-tower:10g,research,scholar",
        east="out 2g | alchemy,catacombs-of-the-dead:10d,seer",
        rules="t0",
    )
    state = GAME.read_position(position, Options(token="0"))  # noqa: S106  # no password
    assert narrate(state, "north pass protection").outcome.endswith(
        "East wins the tie at 10 points by essences: 4 to North's 3."
    )


def test_facts_without_news_have_no_sentence(at: At) -> None:
    position = at(north="4g | research,scholar", east=EAST)
    narration = narrate(GAME.read_position(position, Options()), "north claim top")
    assert narration.facts == (
        "",
        "North pays 4 gold.",
        "North claims Oracle from the top of the monument deck.",
        "",
        "",
        "East acts next.",
    )


def test_a_card_drawn_is_named_to_its_owner_only(at: At) -> None:
    state = GAME.read_position(at(north="1e | research,scholar || hawk", east=EAST), Options())
    line = "north use research 1 1e"
    assert narrate(state, line, "north").outcome.endswith("turns it and draws Hawk.")
    for viewer in ("east", SPECTATOR):
        assert narrate(state, line, viewer).outcome.endswith("turns it and draws a card.")


# --- laws ----------------------------------------------------------------------------------------

OPTIONS = [
    Options(sides="a", first="random"),
    Options(players=3, draft="yes", sides="a"),
    Options(players=4, hand="choose", sides="b"),
]
CODE = re.compile(r"\b[0-9]+[elcdg]\b|\b(?:north|east|south|west)\b")
"""A bundle as positions write it, and a seat's id."""


def seen(state: State, viewer: str) -> set[str]:
    return {piece.id for piece in GAME.scene(state, viewer).pieces}


def named_in(resolved: ResolvedAction[Any, Any]) -> set[str]:
    return set(re.findall(r"[a-z0-9-]+", repr(resolved)))


def leaks(text: str, hidden: set[str], shown: set[str], state: State) -> list[str]:
    """The hidden cards that a text names, beside what names of shown cards have in common."""
    known = names_of(pack_of(state)).known
    for card in sorted(shown & known.keys(), key=lambda each: -len(known[each].name)):
        text = text.replace(known[card].name, "")
    return [card for card in hidden if re.search(rf"\b{re.escape(known[card].name)}\b", text)]


def said(
    state: State, redacted: ResolvedAction[Action, Fact], after: State, viewer: str
) -> Iterator[str]:
    """Yield all sentences that a viewer receives about an action."""
    narration = GAME.narrate(
        GAME.information_state(state, viewer), redacted, GAME.information_state(after, viewer)
    )
    assert redacted.action is not None
    caption, parts = GAME.caption(after, viewer), GAME.parts(state, redacted.action)
    yield from (narration.outcome, *narration.facts, parts.sentence, caption)


@pytest.mark.parametrize("options", OPTIONS, ids=["two", "three drafting", "four choosing"])
@settings(max_examples=2)
@given(st.integers(0, 10_000))
def test_no_viewer_sees_the_name_of_a_card_that_is_hidden_from_them(
    wandered: Wandered, options: Options, seed: int
) -> None:
    random = Random(seed)
    course = wandered(random, options, 250)
    for (state, seat, text), (after, _, _) in pairwise(course):
        done = happened(state, f"{seat} {text}")
        for viewer in random.sample([*GAME.seats(options), SPECTATOR], 2):
            redacted = GAME.redact(done, viewer)
            shown = seen(state, viewer) | seen(after, viewer) | named_in(redacted)
            hidden = pack_of(state).cards.keys() - shown
            for sentence in said(state, redacted, after, viewer):
                assert not leaks(sentence, hidden, shown, state), (text, viewer, sentence)
                check_text(sentence, set(pack_of(state).cards))
                assert not CODE.search(sentence), sentence


def test_the_law_finds_a_leak(wandered: Wandered) -> None:
    """Told without the veil, somebody reads what is hidden."""
    found = 0
    course = wandered(Random(3), OPTIONS[1], 150)
    for (state, seat, text), (after, _, _) in pairwise(course):
        done = happened(state, f"{seat} {text}")
        shown = seen(state, SPECTATOR) | seen(after, SPECTATOR)
        hidden = pack_of(state).cards.keys() - shown
        found += bool(leaks(GAME.narrate(state, done, after).outcome, hidden, shown, state))
    assert found > 20


@settings(max_examples=2)
@given(st.integers(0, 10_000))
def test_rulings_and_refusals_are_explained_in_names_and_words(
    wandered: Wandered, seed: int
) -> None:
    random, tried = Random(seed), ["play hawk 1e", "claim sacred-grove", "pass hawk"]
    course = wandered(random, OPTIONS[2], 250)
    for state, seat, text in course[:-1]:
        explained = [
            (each.rules[-1], each.figures) for each in happened(state, f"{seat} {text}").rulings
        ]
        tried.append(text)
        action = GAME.read_action(random.choice(tried))
        assert not isinstance(action, Refused)
        refusal = GAME.decide(state, seat, action)
        if isinstance(refusal, Refused):
            explained.append((refusal.rule, refusal.figures))
            check_text(refusal.why, set(pack_of(state).cards))
        for rule, figures in explained:
            sentence = explain(GAME.rules[rule], GAME.figures_in_words(state, figures, state))
            check_text(sentence.replace("RA-R", "ruling "), set(pack_of(state).cards))
            assert not CODE.search(sentence), sentence


# --- the table of sentences ----------------------------------------------------------------------


def test_every_kind_of_fact_is_in_the_golden_file() -> None:
    recorded = {type(fact) for each in moments(GAME) for fact in each.done.facts}
    assert {fact.__name__ for fact in set(get_args(Fact)) - recorded} <= NOT_RECORDED


NOT_RECORDED = {"SeatResigned"}
"""Facts of no action: giving up is an event of the match."""


def test_every_effect_has_words() -> None:
    said_of = {key.split(".")[1] for key in ENGLISH.templates if key.startswith("do.")}
    # Mixes are gained and put in the words of what is fixed.
    tags = {str(effect.__struct_config__.tag) for effect in get_args(Effect)} - {"any", "put_any"}
    assert tags <= said_of


def test_the_golden_file_has_an_example_of_everything_that_is_said() -> None:
    assert_golden(Path(__file__).parent / "golden" / "sentences.txt", book(GAME))
