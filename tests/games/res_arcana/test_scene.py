"""How the game looks: the scene, cards in words, actions taken apart, facts as sentences."""

from collections.abc import Callable

import pytest

from domain.games.res_arcana import GAME
from domain.games.res_arcana.card_words import described
from domain.games.res_arcana.facts import CardClaimed, CardsDrawn, EssencesPut, GameEnded
from domain.games.res_arcana.packs import BASE
from domain.games.res_arcana.state import Options, State
from domain.kernel.game import Parts, Refused
from projections.drawing.svg import draw as draw_svg
from projections.drawing.text import draw

At = Callable[..., str]


@pytest.fixture(scope="module")
def table(at: At) -> State:
    position = at(
        first="east",
        north="2e1g | research,scholar,vault*:2g | crypt,hawk | prism,treant,mermaid | athanor",
        east="1d | alchemy,sacred-grove:3l,seer | wind-dragon || sea-serpent",
    )
    return GAME.read_position(position, Options())


def test_the_drawing_shows_what_one_needs_to_play(table: State) -> None:
    drawn = draw(GAME.look(table, "north"))
    for line in (
        "North's table: Research (magic item, power 1: pay 1 of any type, turn it: draw a card)",
        "Vault (turned, with 2 gold, artifact, cost 1 gold and 1 of any type",
        "Monuments face up: Great Pyramid (monument, cost 4 gold, points 3)",
        "Monument deck: face-down card x 2",
        "East's table, first player: ",
        "East's hand: face-down card\n",
        "East's discard pile: Sea Serpent (creature dragon, cost 3 life and 6 calm, points 1",
        "North's elan    2",
        "East's points   6",
        "Round 3. North to act",
    ):
        assert line in drawn, drawn


def test_a_hand_is_shown_to_its_owner_and_a_deck_without_its_order(table: State) -> None:
    own, other = (draw(GAME.look(table, viewer)) for viewer in ("north", "east"))
    assert "North's hand: Crypt (" in own
    assert "North's hand: face-down card x 2" in other
    assert "North's deck: face-down card x 3" in other
    # By name, not as they lie.
    assert own.index("Mermaid (") < own.index("Prism (") < own.index("Treant (")
    deck = [piece.id for piece in GAME.look(table, "referee").pieces if piece.where == "north-deck"]
    assert deck == ["prism", "treant", "mermaid"]


def test_every_scene_can_be_drawn_in_lines_and_colours(table: State) -> None:
    for viewer in ("north", "east", "spectator", "referee", "table"):
        assert draw_svg(GAME.look(table, viewer)).startswith("<")


@pytest.mark.parametrize(
    ("queue", "caption"),
    [
        ("gain.north.3.elcd", "Round 3. North gains 3 of elan, life, calm or death"),
        ("order.north.deck.2", "Round 3. North puts the top 2 of the own deck back in any order"),
        ("place.north.dragon-egg.1", "Round 3. North may place an artifact by Dragon Egg"),
        ("drop.north.1", "Round 3. North discards 1 of the hand"),
        ("loss.east.2.sea-serpent.1", "Round 3. East loses 2 life to Sea Serpent, or ignores it"),
        ("same.north.2.lc", "Round 3. North gains 2 of one type, life or calm"),
        ("put.north.vault.2.lc", "Round 3. North puts 2 of life or calm onto Vault"),
    ],
)
def test_the_caption_says_whose_decision_is_awaited(at: At, queue: str, caption: str) -> None:
    position = at(
        queue=queue,
        north="0 | research,scholar,vault | crypt,hawk | prism,treant",
        east="3l | alchemy,athanor,seer",
    )
    assert GAME.look(GAME.read_position(position, Options()), "spectator").caption == caption


def test_every_card_of_the_pack_speaks() -> None:
    for card in BASE.cards.values():
        words = described(BASE, card.id)
        abilities = len(card.power) + (card.react is not None)
        said = [key for key in words if key.startswith("power") or key == "reaction"]
        assert len(said) == abilities, card.id
        assert all(" " in words[key] for key in said)


def test_what_cards_say() -> None:
    assert described(BASE, "sacrificial-pit") == {
        "place of power": "",
        "cost": "8 elan and 4 death",
        "points": "2",
        "point": "for each death on it",
        "power 1:": "pay 3 life, turn it: put 1 death on it",
        "power 2:": "pay 1 death, turn it, destroy one creature or dragon: gain as many gold as "
        "that card cost",
    }
    assert described(BASE, "vault")["left in the collect phase"] == (
        "a mix of 2 from elan, life, calm or death, if gold is among it"
    )
    assert described(BASE, "dragon-bridle")["reaction"] == (
        "to a loss from a dragon: turn it: ignore the loss"
    )
    assert described(BASE, "cursed-forge")["upkeep"] == "1 death, or it is turned"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "play crypt 1e2d1g",
            Parts("play", "Play Crypt, pay 1 elan, 2 death and 1 gold", ("crypt",), (), ("crypt",),
                  ("1e2d1g",), "1e2d1g"),
        ),
        (
            "use witch 1 2e hawk",
            Parts("use", "Use power 1 of Witch, pay 2 elan, Hawk", ("witch", "hawk"), (),
                  ("witch", "hawk"), ("power-1", "2e"), "2e"),
        ),
        ("use seer 1 deck", Parts("use", "Use power 1 of Seer, the own deck", ("seer",), (),
                                  ("seer",), ("power-1", "deck"))),
        ("claim top", Parts("claim", "Claim the top of the monument deck", ("monument-deck-1",),
                            choices=("top",))),
        ("decline", Parts("decline", "Place nothing", choices=("decline",))),
        ("next hawk", Parts("next", "Hawk is next in the shuffle", cards=("hawk",))),
    ],
)  # fmt: skip
def test_an_action_is_taken_apart(table: State, text: str, parts: Parts) -> None:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    assert GAME.parts(table, action) == parts


def test_pieces_of_actions_are_pieces_of_the_own_scene(table: State) -> None:
    there = {piece.id for piece in GAME.look(table, "north").pieces}
    for action in GAME.legal(table, "north"):
        assert set(GAME.parts(table, action).pieces) <= there


def test_facts_are_told() -> None:
    assert GAME.tell(CardsDrawn("north", ("hawk", "vault"))) == "North draws Hawk, Vault."
    assert GAME.tell(CardsDrawn("north", ("?", "?"))) == "North draws 2 cards."
    assert GAME.tell(EssencesPut("east", "philosophers-stone", "2e1g")) == (
        "2 elan and 1 gold go onto East's Philosopher's Stone."
    )
    assert GAME.tell(CardClaimed("west", "temple", "top")) == (
        "West claims Temple, the top of the monument deck."
    )
    assert GAME.tell(GameEnded(("north", "east"), (10, 10), (3, 3))) == (
        "The game is over: North and East won, with 10 points."
    )


def test_the_end_is_shown_and_is_the_result(at: At) -> None:
    position = at(
        queue="over.east.3,12.0,0", turn="-", north="0 | research,scholar", east="0 | alchemy,seer"
    )
    state = GAME.read_position(position, Options())
    assert GAME.look(state, "north").caption == "The game is over: East won with 12 points"
    result = GAME.result(state)
    assert result is not None
    assert (result.winners, result.reason) == (("east",), "points")
    assert result.score == "over.east.3,12.0,0"
    assert GAME.turn(state) == ()
    assert list(GAME.legal(state, "north")) == []
