"""How the game looks: the scene, cards in words, actions taken apart, facts as sentences."""

from collections.abc import Callable

import pytest

from domain.games.res_arcana import GAME
from domain.games.res_arcana.card_faces import names_of
from domain.games.res_arcana.packs import BASE
from domain.games.res_arcana.state import Options, State
from domain.kernel.parts import Parts
from domain.kernel.rulings import Refused
from domain.kernel.scene import CardFace, Scene
from projections.drawing.svg import draw as draw_svg
from projections.drawing.text import draw

At = Callable[..., str]


def described(card: str) -> dict[str, str]:
    return names_of(BASE).known[card].attributes


@pytest.fixture(scope="module")
def table(at: At) -> State:
    position = at(
        first="east",
        north="2e1g | research,scholar,vault*:2g | crypt,hawk | prism,treant,mermaid | athanor",
        east="1d | alchemy,sacred-grove:3l,seer | wind-dragon || sea-serpent",
    )
    return GAME.read_position(position, Options())


def lying(scene: Scene, zone: str) -> list[str]:
    return [piece.name for piece in scene.pieces if piece.where == zone]


def test_the_table_is_laid_as_players_would(table: State) -> None:
    scene = GAME.scene(table, "north")
    zones = {zone.id: zone for zone in scene.zones}
    assert [zone.id for zone in scene.zones if zone.place == "supply"] == [
        "magic-items", "places-of-power", "monuments", "monument-deck",
    ]  # fmt: skip
    for what, arrangement in (
        ("table", "grid"), ("hand", "fan"), ("deck", "pile"), ("discard", "pile")
    ):  # fmt: skip
        mat = zones[f"north-{what}"]
        assert (mat.place, mat.arrangement, mat.owner) == ("mat", arrangement, "north")
    assert zones["east-table"].name == "East's table, starting player token"
    assert zones["north-hand"].description == "North's hand, 2 cards"
    assert lying(scene, "east-table")[0] == "Starting player token"
    assert lying(scene, "north-table") == ["Research", "Scholar", "Vault"]
    assert lying(scene, "monument-deck") == ["face-down card"] * 2
    assert lying(scene, "east-discard") == ["Sea Serpent"]
    counted = {track.name: (track.value, track.label, track.icon) for track in scene.tracks}
    assert counted["North's elan"] == (2, "Elan", "elan")
    assert counted["East's points"] == (6, "Points", "points")


def test_a_card_says_how_it_lies_and_what_is_on_it(table: State) -> None:
    pieces = {piece.id: piece for piece in GAME.scene(table, "north").pieces}
    vault = pieces["vault"]
    assert vault.description == "Vault, artifact, turned, 2 gold on it"
    assert vault.states == ("turned",)
    assert vault.badges == ("2 {gold}",)
    assert pieces["east-hand-1"].states == ("hidden",)
    assert pieces["east-hand-1"].face is None
    assert pieces["sea-serpent"].face == CardFace(
        "Sea Serpent",
        "artifact, creature and dragon",
        "3 {life} 6 {calm}",
        lines=("{turn} it: each rival loses 2 {life}, or ignores it by destroying an artifact",),
        points=1,
    )
    assert pieces["sacred-grove"].face == CardFace(
        "Sacred Grove",
        "place of power",
        "8 {life} 4 {calm}",
        lines=(
            "1 point for each {life} on it",
            "pay 1 {calm}, {turn} it: gain 5 {life}",
            "{turn} it, {turn} a straight {creature} of yours: put 1 {life} on it",
        ),
        points=2,
    )


def luminance(colour: str) -> float:
    """As WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_every_kind_of_card_can_be_read_in_its_colours() -> None:
    kinds = {known.kind for known in names_of(BASE).known.values()} | {"card-back", "token"}
    assert kinds <= GAME.theme.tokens.keys()
    for token in GAME.theme.tokens.values():
        assert contrast(token.fill, token.ink) >= 4.5, token
        assert token.icon in ("", *GAME.theme.icons)
    for name, icon in GAME.theme.icons.items():
        paper, night = (contrast(icon.fill or "#1d1b16", page) for page in ("#ffffff", "#1b1b1f"))
        assert paper >= 3, name
        assert night >= 3 or not icon.fill, name


def test_the_legend_shows_each_sign_that_is_used_and_no_other(table: State) -> None:
    signs = {(line.kind, line.sign): line.meaning for line in GAME.scene(table, "north").legend}
    assert signs["icon", "elan"] == "elan"
    assert signs["icon", "creature"] == "creature"
    assert signs["state", "turned"] == "turned"
    assert signs["glyph", "?"] == "face-down card"
    assert ("state", "marked") not in signs, "mages have been chosen"


def test_faces_are_made_once(table: State) -> None:
    first, second = (GAME.scene(table, viewer) for viewer in ("north", "east"))
    faces = {piece.id: piece.face for piece in first.pieces}
    assert all(piece.face is faces[piece.id] for piece in second.pieces if piece.id in faces)


def test_a_hand_is_shown_to_its_owner_and_a_deck_without_its_order(table: State) -> None:
    own, other, whole = (GAME.scene(table, viewer) for viewer in ("north", "east", "referee"))
    assert lying(own, "north-hand") == ["Crypt", "Hawk"]
    assert lying(other, "north-hand") == ["face-down card"] * 2
    assert lying(other, "north-deck") == ["face-down card"] * 3
    # By name, not as they lie.
    assert lying(own, "north-deck") == ["Mermaid", "Prism", "Treant"]
    assert lying(whole, "north-deck") == ["Prism", "Treant", "Mermaid"]


def test_every_scene_can_be_drawn_in_lines_and_colours(table: State) -> None:
    for viewer in ("north", "east", "spectator", "referee", "table"):
        assert draw_svg(GAME.scene(table, viewer)).startswith("<")
        assert "Monument deck" in draw(GAME.scene(table, viewer))


@pytest.mark.parametrize(
    ("queue", "caption"),
    [
        ("gain.north.3.elcd", "North, gain a mix of 3 from elan, life, calm or death"),
        ("order.north.deck.2", "North, put the top 2 cards of your deck back in any order"),
        (
            "place.north.dragon-egg.1",
            "North, by Dragon Egg you may place a dragon from your hand for 4 less",
        ),
        ("drop.north.1", "North, discard a card of your hand"),
        (
            "loss.east.2.sea-serpent.1",
            "East, choose: lose 2 life to Sea Serpent, destroy an artifact to ignore it or react"
            " with Temple (turn it: ignore the loss)",
        ),
        ("same.north.2.lc", "North, gain 2 of one type: life or calm"),
        ("put.north.vault.2.lc", "North, put a mix of 2 from life or calm on Vault"),
    ],
)
def test_the_caption_says_whose_decision_is_awaited(at: At, queue: str, caption: str) -> None:
    position = at(
        queue=queue,
        north="0 | research,scholar,vault | crypt,hawk | prism,treant",
        east="3l | alchemy,athanor,seer,temple",
    )
    state = GAME.read_position(position, Options())
    assert GAME.scene(state, "spectator").caption == f"Round 3. {caption}"


def test_every_card_of_the_pack_speaks() -> None:
    for card in BASE.cards.values():
        words = described(card.id)
        abilities = len(card.power) + (card.react is not None)
        said = [key for key in words if key.startswith("power") or key == "reaction"]
        assert len(said) == abilities, card.id
        assert all(" " in words[key] for key in said)


def test_what_cards_say() -> None:
    assert described("sacrificial-pit") == {
        "place of power": "",
        "cost": "8 elan and 4 death",
        "points": "2",
        "point": "for each death on it",
        "power 1:": "pay 3 life, turn it: put 1 death on it",
        "power 2:": "pay 1 death, turn it, destroy one creature or dragon: gain as many gold as "
        "that card cost",
    }
    assert described("vault")["left in the collect phase"] == (
        "a mix of 2 from elan, life, calm or death, if gold is among it"
    )
    assert described("dragon-bridle")["reaction"] == (
        "to a loss from a dragon: turn it: ignore the loss"
    )
    assert described("cursed-forge")["upkeep"] == "pay 1 death, or turn it"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "play crypt 1e2d1g",
            Parts("play", "Play Crypt: pay 1 elan, 2 death and 1 gold", ("crypt",), (), ("crypt",),
                  ("1e2d1g",), "1 elan, 2 death and 1 gold"),
        ),
        (
            "use witch 1 2e hawk",
            Parts("use", "Use Witch: pay 2 elan, turn it: straighten Hawk", ("witch", "hawk"), (),
                  ("witch", "hawk"), ("power-1", "2e"), "2 elan"),
        ),
        ("use seer 1 deck",
         Parts("use", "Use Seer: turn it: look at the top 3 of your deck and put them back in any"
               " order", ("seer",), (), ("seer",), ("power-1", "deck"))),
        ("claim top", Parts("claim", "Claim the top of the monument deck: pay 4 gold",
                            ("monument-deck-1",), choices=("top",))),
        ("decline", Parts("decline", "Place nothing", choices=("decline",))),
        ("next hawk", Parts("next", "Hawk is next in the shuffle", cards=("hawk",))),
    ],
)  # fmt: skip
def test_an_action_is_taken_apart(table: State, text: str, parts: Parts) -> None:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    assert GAME.parts(table, action) == parts


def test_pieces_of_actions_are_pieces_of_the_own_scene(table: State) -> None:
    there = {piece.id for piece in GAME.scene(table, "north").pieces}
    for action in GAME.legal(table, "north"):
        assert set(GAME.parts(table, action).pieces) <= there


def test_the_end_is_shown_and_is_the_result(at: At) -> None:
    position = at(
        queue="over.east.3,12.0,0", turn="-", north="0 | research,scholar", east="0 | alchemy,seer"
    )
    state = GAME.read_position(position, Options())
    assert GAME.scene(state, "north").caption == (
        "The game is over: East wins with 12 points to North's 3"
    )
    result = GAME.result(state)
    assert result is not None
    assert (result.winners, result.reason) == (("east",), "points")
    assert result.score == "over.east.3,12.0,0"
    assert GAME.turn(state) == ()
    assert list(GAME.legal(state, "north")) == []
