"""Positions and actions as text: one spelling each, read back as written, anything else refused."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.games.res_arcana import GAME
from domain.games.res_arcana.packs import BASE
from domain.games.res_arcana.state import SEATS, Options
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Accepted, Refused
from tests.hypothesis_settings import example_settings

ACT = (
    "ra1 t1 r3 north north act divination,transmutation library great-pyramid,temple oracle"
    " north/in/2e1g/research,scholar,vault*:1g/hawk/crypt/prism/-/-/-"
    " east/out/0/alchemy,seer/-/-/-/-/-/-"
).replace(" library great-pyramid,temple", " sacred-grove great-pyramid,temple")


def read(position: str, **options: Any) -> str:
    return GAME.write_position(GAME.read_position(position, msgspec.convert(options, Options)))


def why(position: str, **options: Any) -> str:
    with pytest.raises(NotationError) as error:
        read(position, **options)
    return error.value.why


def changed(old: str, new: str) -> str:
    assert old in ACT
    return ACT.replace(old, new, 1)


def test_a_position_is_read_and_written_alike() -> None:
    assert read(ACT) == ACT


FAULTS = [
    ("ra1 ", "ra2 ", "begins with ra1"),
    ("ra1 ", "", "10 fields"),
    ("t1 ", "t0 ", "token=1"),
    ("t1 ", "t1.draft ", "set-up"),
    ("t1 ", "t7 ", "rules are"),
    ("r3", "r03", "the round is written"),
    ("r3", "r0", "round 0"),
    ("r3 north", "r3 west", "first player is"),
    ("r3 north", "r3 -", "has the starting player token"),
    ("north act", "- act", "turn is missing"),
    ("north act", "east act", "has passed"),
    (" act", " acts", "not a step"),
    (" act", " draw.north.1.keep", "cannot stand first"),
    (" act", " act>reveal", "nothing waits behind"),
    (" act", " gain.north.0.elcd", "not a step"),
    (" act", " gain.north.1.e", "go on by themselves"),
    (" act", " gain.south.2.elcd", "has no part"),
    (" act", " gain.north.2.elcd>act", "no part of an action"),
    (" act", " gain.north.2.elcd>drop.north.1", "cannot wait"),
    (" act", " put.north.hawk.2.elcd", "not on north's table"),
    (" act", " place.north.vault.1", "does not ask that"),
    (" act", " place.north.vault.2", "has no power 2"),
    (" act", " loss.north.2.fire-dragon.1", "rivals that have not passed"),
    (" act", " loss.east.2.fire-dragon.1", "rivals that have not passed"),
    (" act", " drop.north.2", "fewer than 2"),
    (" act", " order.north.deck.2", "cannot be put back"),
    (" act", " shuffle.east.discard>draw.east.1.keep", "if it has cards"),
    (" act", " check.now.2.0,0", "seats 0 to 1"),
    (" act", " check.now.0.0,0", "go on by themselves"),
    (" act", " check.end.0.0,0", "when all have passed"),
    (" act", " collect", "nobody's turn"),
    (" act", " item", "no part of an action"),
    (" act", " over.north.10,0.4,0", "nobody's turn"),
    ("divination,transmutation", "transmutation,divination", "items must be written"),
    ("divination,transmutation", "divination,seer", "seer is no card that can be among items"),
    ("divination,transmutation", "divination,divination", "divination is there 2 times"),
    ("great-pyramid,temple", "temple,great-pyramid", "row must be written"),
    ("sacred-grove", "alchemists-tower,sacred-grove", "two sides"),
    ("great-pyramid,temple", "colossus,great-pyramid,temple", "at most 2"),
    ("north/in", "north/on", "in, out or gone"),
    ("north/in", "east/in", "north is missing"),
    ("2e1g", "1g2e", "not a bundle"),
    ("research,scholar,vault*:1g", "vault*:1g,research,scholar", "must be written"),
    ("vault*:1g", "vault*:0", "must be written"),
    ("vault*:1g", "vault:1g*", "a component is written"),
    ("research,scholar,vault*:1g", "scholar,vault*:1g", "0 cards on the table that are a magic"),
    ("/hawk/", "/vault/", "vault is there 2 times"),
    ("/hawk/", "/seer/", "seer is no card"),
    ("/hawk/", "/#1/", "not the id of a card"),
    ("/prism/-/-/-", "/prism/witch/-/-", "are for the set-up"),
    ("/prism/-/-/-", "/prism/-/-/?vault", "todo is for the collect phase"),
    ("/prism/-/-/-", "/prism/-/-/vault", "a question is written"),
    ("/prism/-/-/-", "/prism/-/-", "10 parts"),
]


@pytest.mark.parametrize(("old", "new", "said"), FAULTS, ids=[f"{f[1]}: {f[2]}" for f in FAULTS])
def test_what_is_wrong_with_a_position_is_said(old: str, new: str, said: str) -> None:
    assert said in why(changed(old, new))


def test_a_position_fits_the_options() -> None:
    assert "one for each of 3 seats" in why(ACT, players=3)
    start = GAME.write_position(GAME.start(Options(sides="a")))
    assert read(start, sides="a") == start
    assert "by the options" in why(start, sides="b")
    assert "by the options" not in why(start, sides="random", draft="yes")
    drawn = GAME.write_position(GAME.start(Options(first="random")))
    assert "by the options" in why(drawn)


def test_in_the_set_up_every_stage_knows_how_many_cards_lie_where() -> None:
    options = Options(draft="yes", players=2)
    state, random = GAME.start(options), Random(1)
    for _ in range(90):
        text = GAME.write_position(state)
        assert GAME.read_position(text, options) == state
        # A card too few or too many anywhere is noticed.
        for number in range(10, 12):
            fields = text.split(" ")
            parts = fields[number].split("/")
            for place in (4, 5, 6, 7, 8):
                for wrong in ("-", "crypt", "seer", parts[place] + ",vault", "#2"):
                    if wrong != parts[place]:
                        other = [*parts[:place], wrong, *parts[place + 1 :]]
                        fields[number] = "/".join(other)
                        check_total(" ".join(fields), options)
        seat = random.choice(GAME.turn(state)).seat
        action = random.choice(list(GAME.legal(state, seat)))
        outcome = GAME.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        for fact in outcome.facts:
            state = GAME.evolve(state, fact)


def check_total(text: str, options: Options) -> None:
    """A text is refused in words, or is a position that everything works on."""
    try:
        state = GAME.read_position(text, options)
    except NotationError:
        return
    assert GAME.write_position(state) == text
    for prompt in GAME.turn(state):
        first = next(GAME.legal(state, prompt.seat))
        assert isinstance(GAME.decide(state, prompt.seat, first), Accepted)
    for viewer in (*GAME.seats(options), "spectator", "referee"):
        assert GAME.scene(state, viewer).caption
        assert GAME.write_view(state, viewer)


WORDS = st.sampled_from(
    [*BASE.cards, *SEATS, "-", "in", "out", "0", "1e", "2g", "act", "collect", "item",
     "keep",
     "shuffle.north.discard", "draw.north.1.keep", "order.north.deck.1", "drop.north.1", "draft",
     "gain.north.2.elcd", "same.north.2.elcd", "put.north.vault.2.lc", "reveal", "mage", "deal",
     "place.north.crypt.2", "loss.north.2.wind-dragon.1", "check.now.0.0,0", "check.end.1.0,3",
     "over.north.10,0.4,0", "t1.draft.draw", "t0", "r0", "r1", "?vault", "+seer", "!cursed-forge",
     "vault*:1g", "look.north.deck.3", "ra1", "", "#2", "~hawk", "witch*"]
)  # fmt: skip


@example_settings(150)
@given(st.lists(st.tuples(st.integers(0, 60), WORDS), min_size=1, max_size=4), st.randoms())
def test_any_change_to_a_position_is_refused_in_words_or_works(
    changes: list[tuple[int, str]], random: Random
) -> None:
    # Separators stay, what lies between them is exchanged.
    pieces = [piece for word in ACT.split(" ") for piece in _split(word)]
    for place, word in changes:
        at = 2 * (place % (len(pieces) // 2))
        pieces[at] = word
    check_total("".join(pieces).strip(), Options())


def _split(word: str) -> list[str]:
    """A field as pieces and separators, in turn."""
    found = []
    for part in word.split("/"):
        for piece in part.split(","):
            found += [piece, ","]
        found[-1] = "/"
    found[-1] = " "
    return found


@example_settings(80)
@example(ACT.replace("2e1g", "9999999999e"))
@example(ACT.replace("act", "gain.north.999999999.elcd"))
@example("ra1 " * 13)
@example(" ".join(["-"] * 12))
@given(st.text(max_size=300))
def test_any_text_is_refused_in_words(text: str) -> None:
    check_total(text, Options())


# --- actions -------------------------------------------------------------------------------------

SPELLED = [
    "first north", "flip sacred-grove", "next hawk", "deal hawk", "pick hawk",
    "keep crypt hawk vault", "mage seer", "item alchemy", "collect healer 1l", "take hawk",
    "leave hawk", "leave vault 1e1l", "pay cursed-forge", "turn cursed-forge", "play vault 1e1g",
    "claim top", "claim library", "discard hawk 2e", "use hawk 2", "use witch 1 2e witch",
    "use witch 1 2e -", "pass alchemy", "gain 2e1l", "put 3d", "place hawk 0", "decline",
    "drop crypt hawk", "order vault crypt hawk", "lose 1l2g", "react healer", "ignore",
    "ignore hawk", "skip",
]  # fmt: skip


@pytest.mark.parametrize("text", SPELLED)
def test_an_action_has_one_spelling(text: str) -> None:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    assert GAME.write_action(action) == text
    stored = msgspec.json.encode(action)
    assert msgspec.json.decode(stored, type=GAME.actions) == action
    assert b'"type":"res-arcana.' in stored


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "play", "play vault", "play vault 1g 1e", "play vault 1g1e", "play vault 01g",
        "play vault 0e", "play  vault 1g", "play vault 1g ", "Play vault 1g", "play vault 1x",
        "collect healer seer", "leave", "leave vault hawk", "leave a 1e 1e", "take", "take a b",
        "claim", "claim a b", "use hawk", "use hawk 0", "use hawk 10", "use hawk x", "use hawk -",
        "use a 1 2 3 4 5 6 7 8 9", "keep a b", "keep b a c", "keep a b c d", "drop", "drop b a",
        "drop a a1 a2 a3 a4 a5 a6 a7 a8 a9", "order", "order a b c d", "gain", "gain 1e 1e",
        "gain hawk", "lose", "skip hawk", "decline hawk", "ignore a b", "resign north", "pick ?",
        "next\nhawk", "gain 1e\n", "gain 9999999999e", "play käfer 1e",
    ],
)  # fmt: skip
def test_other_texts_are_no_actions(text: str) -> None:
    action = GAME.read_action(text)
    assert isinstance(action, Refused)
    assert action.rule == "ra.notation"
    assert action.why


@example_settings(100)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=8).map(" ".join)))
def test_any_text_is_an_action_or_refused(text: str) -> None:
    action = GAME.read_action(text)
    if isinstance(action, Refused):
        assert action.rule == "ra.notation"
    else:
        assert GAME.write_action(action) == text
