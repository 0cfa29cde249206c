"""How the game looks: the scene, cards in words, actions taken apart, facts as sentences."""

import re
from collections.abc import Callable
from random import Random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.res_arcana import GAME
from domain.games.res_arcana.card_faces import faces, names_of
from domain.games.res_arcana.legal import bunches
from domain.games.res_arcana.packs import BASE
from domain.games.res_arcana.state import SEATS, Acting, Options, State, area_of
from domain.kernel.any_game import action_outline
from domain.kernel.orders import orders
from domain.kernel.parts import Amounts, Parts, Pick
from domain.kernel.rulings import Refused
from domain.kernel.scene import CardFace, Counter, Mark, Phase, PromptText, Scene
from projections.drawing.svg import draw as draw_svg
from projections.drawing.text import draw
from tests.interaction import Interaction, reach

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
    for what, place, arrangement, other in (
        ("table", "table", "grid", "table"),
        ("hand", "hand", "fan", "bar"),
        ("deck", "hand", "pile", "bar"),
        ("discard", "hand", "pile", "bar"),
    ):
        own = zones[f"north-{what}"]
        assert (own.place, own.arrangement, own.owner) == (place, arrangement, "north")
        assert zones[f"east-{what}"].place == other
    assert zones["east-table"].name == "East's table, starting player token"
    assert zones["north-hand"].description == "North's hand, 2 cards"
    assert lying(scene, "east-token") == ["Starting player token"]
    assert lying(scene, "north-table") == ["Research", "Scholar", "Vault"]
    # The top of the deck can be claimed; what is below it is a number.
    assert lying(scene, "monument-deck") == ["face-down card"]
    assert zones["monument-deck"].hidden == 1
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
    assert vault.face == "vault"
    assert vault.counters == (Counter("gold", 2),)
    assert pieces["sacred-grove"].counters == (Counter("life", 3), Counter("points", 5))
    assert pieces["sea-serpent"].card == CardFace(
        "Sea Serpent",
        "artifact, creature and dragon",
        "3 {life} 6 {calm}",
        lines=("{turn} it: each rival loses 2 {life}, or ignores it by destroying an artifact",),
        points=1,
    )
    assert pieces["sacred-grove"].card == CardFace(
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
    faces = {piece.id: piece.card for piece in first.pieces}
    assert all(piece.card is faces[piece.id] for piece in second.pieces if piece.id in faces)


def test_a_hand_is_shown_to_its_owner_and_a_deck_without_its_order(table: State) -> None:
    own, other, whole = (GAME.scene(table, viewer) for viewer in ("north", "east", "referee"))
    assert lying(own, "north-hand") == ["Crypt", "Hawk"]
    assert lying(other, "north-hand") == lying(other, "north-deck") == []
    assert hidden(other, "north-hand") == 2
    assert hidden(other, "north-deck") == hidden(own, "north-deck") == 3
    # By name, not as they lie.
    assert own.sides[0].counters[-1] == Counter(
        "deck", 3, note="In any order: Mermaid, Prism and Treant"
    )
    assert [counter.symbol for counter in other.sides[0].counters][-1] == "gold"
    assert lying(whole, "north-deck") == ["Prism", "Treant", "Mermaid"]


def hidden(scene: Scene, zone: str) -> int:
    return next(each.hidden for each in scene.zones if each.id == zone)


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
                  ("1e2d1g",), "2{death} 3{any}", actor="crypt", picks=(Pick("north-table", "to"),),
                  amounts=Amounts("pay", {"elan": 1, "death": 2, "gold": 1})),
        ),
        (
            "use witch 1 2e hawk",
            Parts("use", "Use Witch: pay 2 elan, turn it: straighten Hawk", ("witch", "hawk"), (),
                  ("witch", "hawk"), ("power-1", "2e"), "2{any}", actor="witch", line="power-1",
                  picks=(Pick("hawk", "target"),), amounts=Amounts("pay", {"elan": 2})),
        ),
        (
            "use witch 1 2e -",
            Parts("use", "Use Witch: pay 2 elan, turn it: straighten nothing", ("witch",), (),
                  ("witch",), ("power-1", "2e", "none"), "2{any}", actor="witch", line="power-1",
                  picks=(), amounts=Amounts("pay", {"elan": 2})),
        ),
        ("use seer 1 deck",
         Parts("use", "Use Seer: turn it: look at the top 3 of your deck and put them back in any"
               " order", ("seer",), (), ("seer",), ("power-1", "deck"), actor="seer",
               line="power-1", picks=(Pick("north-deck", "target"),))),
        ("claim top", Parts("claim", "Claim the top of the monument deck: pay 4 gold",
                            ("monument-deck-1",), choices=("top",), cost="4{gold}",
                            actor="monument-deck-1", picks=(Pick("north-table", "to"),))),
        ("discard crypt 1g",
         Parts("discard", "Discard Crypt: gain 1 gold", ("crypt",), (), ("crypt",), ("1g",),
               actor="crypt", picks=(Pick("north-discard", "to"),),
               amounts=Amounts("gain", {"gold": 1}))),
        ("decline", Parts("decline", "Place nothing", choices=("decline",), picks=())),
        ("next hawk", Parts("next", "Hawk is next in the shuffle", cards=("hawk",),
                            picks=(Pick("hawk", "option", "Hawk"),))),
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


# --- the page's table ----------------------------------------------------------------------------

Wandered = Callable[[Random, Options, int], list[tuple[State, str, str]]]


@pytest.mark.parametrize(
    ("queue", "viewer", "prompt"),
    [
        ("act", "east", PromptText("North to act")),
        (
            "act",
            "north",
            PromptText(
                "Your action",
                "Take an action: play or discard an artifact, claim, use a power, or pass.",
            ),
        ),
        (
            "gain.north.3.elcd",
            "north",
            PromptText(
                "Your gain: 3 essences",
                "Gain a mix of 3 from elan, life, calm or death.",
                "ra.gain.count",
            ),
        ),
        (
            "loss.east.2.sea-serpent.1",
            "east",
            PromptText(
                "Your loss: 2 life",
                "Choose: lose 2 life to Sea Serpent, destroy an artifact to ignore it or react"
                " with Temple (turn it: ignore the loss).",
                "ra.loss.life",
            ),
        ),
        ("loss.east.2.sea-serpent.1", "spectator", PromptText("East to choose")),
    ],
)
def test_the_prompt_speaks_to_its_viewer(
    at: At, queue: str, viewer: str, prompt: PromptText
) -> None:
    position = at(
        queue=queue,
        north="0 | research,scholar,vault | crypt,hawk | prism,treant",
        east="3l | alchemy,athanor,seer,temple",
    )
    assert GAME.scene(GAME.read_position(position, Options()), viewer).prompt == prompt


def test_phases_marks_and_bars_say_how_the_round_goes(at: At) -> None:
    position = at(
        queue="put.north.vault.2.lc",
        north="2e | research,scholar,vault",
        east="out 3l | alchemy,seer,temple",
    )
    scene = GAME.scene(GAME.read_position(position, Options()), "east")
    assert scene.counters == (Counter("round", 3),)
    assert scene.phases == (
        Phase("Collect", "done"), Phase("Act", "now"), Phase("Victory", "next")
    )  # fmt: skip
    assert scene.marks == (Mark("asked", at=("vault",)),)
    north, east = scene.sides
    assert (north.note, east.note) == ("", "passed")
    assert north.symbol == faces(Options().pack)["scholar"].art
    assert north.counters[:2] == (Counter("points", 1, 10), Counter("elan", 2))


SYMBOL = re.compile(r"\{([a-z-]+)\}")


def test_the_theme_has_every_symbol_of_every_card() -> None:
    theme = GAME.table_theme
    for card, face in GAME.faces(Options().pack).items():
        texts = [face.cost, *(text for line in face.lines for text in (line.icons, line.cost))]
        texts += [line.text for line in face.lines]
        assert {name for text in texts for name in SYMBOL.findall(text)} <= theme.symbols.keys()
        assert {line.verb for line in face.lines} <= {"", *theme.verbs}
        assert len({line.id for line in face.lines}) == len(face.lines), card
        assert all(line.icons for line in face.lines), card
        assert f'id="{face.art}"' in theme.sprite
    drawn = {each.symbol for each in (*theme.tokens.values(), *theme.verbs.values()) if each.symbol}
    assert all(f'id="{name}"' in theme.sprite for name in (*drawn, *theme.symbols))


@pytest.mark.parametrize(
    ("card", "icons"),
    [
        ("corrupt-altar", ["{collect} 1{life} 1{death}", "2{life} {to} 3{elan}{on}",
                           "{turn} {destroy}{artifact} {to} +2{mix}"]),
        ("treant", ["{collect} 2{life}", "{turn} {to} ={elan} {rival}{death}"]),
        ("vault", ["{collect}{on} {gold} {to} 2{mix}", "{turn} {to} 1{gold}{on}"]),
        ("dragon-bridle", ["{dragon} −3{mix}", "{react}{dragon} {turn}"]),
        ("divination", ["{turn} {to} 3{draw} 3{discard}"]),
        ("sorcerers-bestiary", ["1{points} / {creature}", "2{points} / {dragon}",
                                "{turn} {to} {check}",
                                "{turn} 4{any} {to} {discard}{place-card}{dragon}"]),
    ],
)  # fmt: skip
def test_a_compact_face_speaks_in_symbols(card: str, icons: list[str]) -> None:
    assert [line.icons for line in faces(Options().pack)[card].lines] == icons


def check_orders(state: State, seat: str) -> None:
    """Pointing at things that the seat sees reaches every action."""
    scene, known = GAME.scene(state, seat), GAME.faces(Options().pack)
    pieces = {piece.id: piece for piece in scene.pieces}
    places = {*pieces, *(zone.id for zone in scene.zones)}
    found = orders(GAME, state, seat)
    for order in found:
        assert order.verb in GAME.table_theme.verbs
        face = known.get(pieces[order.actor].face) if order.actor else None
        assert order.line in {"", *(line.id for line in (face.lines if face else ()))}
        for each in order.actions:
            assert {pick.id for pick in each.picks if pick.role != "option"} <= places, each
            end = reach(Interaction(found), order, each)
            assert end.found == (order, each), (GAME.write_action(each.action), end)


def check_scene(scene: Scene) -> None:
    """All that a scene names is in the theme, and its texts are short."""
    theme = GAME.table_theme
    assert {piece.kind for piece in scene.pieces} <= theme.tokens.keys()
    assert {state for piece in scene.pieces for state in piece.states} <= theme.states.keys()
    held = [scene.counters, *(piece.counters for piece in scene.pieces)]
    held += [side.counters for side in scene.sides]
    for counters in held:
        symbols = [counter.symbol for counter in counters]
        assert len({*symbols}) == len(symbols)
        assert {*symbols} <= theme.symbols.keys()
    assert {side.seat for side in scene.sides} <= theme.sides.keys()
    assert all(len(side.note) <= 20 for side in scene.sides)
    assert all(piece.face in GAME.faces(Options().pack) for piece in scene.pieces if piece.card)
    assert scene.prompt is not None
    assert len(scene.prompt.heading) <= 40
    assert len(scene.prompt.why) <= 120
    assert scene.prompt.rule in ("", *GAME.rules)


def check_refused_lines(state: State, seat: str) -> None:
    """A line is refused if, and only if, no action uses it."""
    if not isinstance(state.queue[0], Acting):
        return
    area = area_of(state, seat)
    possible = set()
    for bunch in bunches(state, seat):
        first = next(bunch, None)
        if first is not None:
            parts = action_outline(GAME, state, first)
            possible.add((parts.actor, parts.line or parts.verb))
    lines = {(card, "play") for card in area.hand}
    for own in area.table:
        powers = range(1, len(BASE.cards[own.id].power) + 1)
        lines |= {(own.id, f"power-{number}") for number in powers}
    refused = {
        (card, each.line or each.verb)
        for card, _ in lines
        for each in GAME.refused_lines(state, seat, card)
    }
    assert refused == lines - possible, GAME.write_position(state)


@settings(max_examples=6, deadline=None)
@given(st.randoms(use_true_random=True), st.sampled_from((2, 3, 4)), st.booleans())
def test_every_scene_of_a_match_can_be_drawn_and_played(
    wandered: Wandered, random: Random, players: Literal[2, 3, 4], drafts: bool
) -> None:
    options = Options(players=players, draft="yes" if drafts else "no")
    for state, seat, _ in wandered(random, options, 260)[::3]:
        check_scene(GAME.scene(state, seat or "spectator"))
        if seat in SEATS:
            check_orders(state, seat)
            check_refused_lines(state, seat)


def test_an_unplayable_card_and_an_unusable_power_say_why(table: State) -> None:
    said = {
        (card, each.line or each.verb): each.refused.why
        for card in ("crypt", "vault", "scholar")
        for each in GAME.refused_lines(table, "north", card)
    }
    assert said == {
        ("crypt", "play"): "Crypt costs 2 death and 3 of any type, and you have 2 elan and 1 gold",
        ("vault", "power-1"): "Vault is turned: this power waits until it is straightened",
    }
    assert GAME.refused_lines(table, "east", "seer") == ()
