"""Scenes made by hand with all that a scene may have, in games that do not exist."""

from typing import Final

from domain.kernel.scene import CardFace, LegendEntry, Mark, Piece, Scene, Space, Stat, Track, Zone
from domain.kernel.theme import Ground, Icon, Theme, Token

DROP: Final = "M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z"
LEAF: Final = "M4 20C4 8 12 3 21 3c0 9-4 16-14 15l-2 4z"
SKULL: Final = (
    "M12 2a9 9 0 0 0-9 9c0 4 2 6 4 7v4h10v-4c2-1 4-3 4-7a9 9 0 0 0-9-9zM8 9a2 2 0 1 1 0 5 2 2 0 0 1"
    " 0-5zM16 9a2 2 0 1 1 0 5 2 2 0 0 1 0-5z"
)
COIN: Final = "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zM12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z"
FLAME: Final = "M13 1c1 5 6 7 6 13a7 7 0 0 1-14 0c0-3 2-4 3-7 2 1 2 3 2 4 2-2 3-5 3-10z"
ANY: Final = "M12 1l3 8h8l-6.5 5 2.5 8-7-5-7 5 2.5-8L1 9h8z"

ESSENCES: Final = {
    "fire": Icon(FLAME, "#c8371b", "F"),
    "leaf": Icon(LEAF, "#2f8a3a", "L"),
    "water": Icon(DROP, "#2a6fb5", "W"),
    "death": Icon(SKULL, "#5b4a6b", "D"),
    "gold": Icon(COIN, "#c79a1c", "G"),
    "any": Icon(ANY, "", "*"),
}
CARDS: Final = Theme(
    icons=ESSENCES,
    tokens={
        "artifact": Token("card", "#6b4a2f"),
        "dragon": Token("card", "#8a2d2d"),
        "mage": Token("card", "#3d4f8a"),
        "place": Token("card", "#2f6b57"),
        "item": Token("card", "#7a6a1f"),
        "card-back": Token("card", "#7a2f2f"),
    },
    seats={"north": "#2f6db0", "south": "#c2452d", "east": "#3f8a4d", "west": "#d9a420"},
)
_TEXTS: Final = (
    ("Bone Dragon", "dragon", "artifact, dragon", "4 {death} 1 {leaf}", 1,
     ("Turn: each rival loses 2 {leaf}, or pays 1 {death}", "Reaction: ignore it for 1 {gold}")),
    ("Prism", "artifact", "artifact", "", None,
     ("1 {any}, turn: 2 of {fire} {leaf} {water} {death}",
      "X of one kind, turn: X of one other kind")),
    ("Hand of Glory", "artifact", "artifact", "1 {leaf} 1 {death}", None,
     ("Turn: 2 {death}; each rival gains 1 {death}",)),
    ("Philosopher's Stone", "artifact", "artifact", "2 {fire} 2 {leaf} 2 {water} 2 {death}", 1,
     ("2 of any kinds, turn: 2 {gold} less 1 for each dragon in play",
      "Turn, X of one kind: X {gold}")),
    ("Witch", "mage", "mage", "", None,
     ("Collect: 1 {leaf} or 1 {death}", "2 {any}, turn: straighten a component")),
    ("Sacrificial Pit", "place", "place of power", "8 {fire} 4 {death}", 2,
     ("1 point for each {death} on it", "3 {leaf}, turn: put 1 {death} on it",
      "1 {death}, turn, destroy a creature or dragon: as many {gold} as that card's cost")),
    ("Research", "item", "magic item", "", None, ("1 {any}, turn: draw a card",)),
)  # fmt: skip


def _card(number: int, where: str, owner: str, **more: object) -> Piece:
    title, kind, line, cost, points, lines = _TEXTS[number % len(_TEXTS)]
    face = CardFace(title, line, cost, (), lines, points)
    given = {"description": f"{title}, {line}", **more}
    return Piece(f"{where}-{number}", kind, title[:2], where, owner, title, card=face, **given)  # type: ignore[arg-type]


def _hidden(number: int, where: str, owner: str) -> Piece:
    return Piece(
        f"{where}-b{number}", "card-back", "?", where, owner, "face-down card", states=("hidden",)
    )


def table(seats: tuple[str, ...], cards: int = 8) -> Scene:
    """Mats and a supply without a board: as many cards before each seat."""
    pieces: list[Piece] = []
    zones = [
        Zone("items", "Magic items", place="supply", arrangement="row"),
        Zone("places", "Places of power", place="supply", arrangement="row"),
        Zone("stones", "Monument deck", place="supply", arrangement="pile"),
    ]
    pieces += [_card(6, "items", "", badges=(f"no. {n}",)) for n in range(1)]
    pieces += [_card(n, "items", "") for n in (13, 20, 27, 34)]
    pieces += [_card(n, "places", "") for n in (5, 12, 19)]
    pieces += [_hidden(n, "stones", "") for n in range(8)]
    tracks: list[Track] = []
    for seat in seats:
        who = seat.title()
        mat, hand, deck, gone = (f"{seat}-{what}" for what in ("mat", "hand", "deck", "discard"))
        zones += [
            Zone(mat, f"{who}'s table", seat, place="mat", arrangement="row"),
            Zone(hand, f"{who}'s hand", seat, place="mat", arrangement="fan"),
            Zone(deck, f"{who}'s deck", seat, place="mat", arrangement="pile"),
            Zone(gone, f"{who}'s discard pile", seat, place="mat", arrangement="pile"),
        ]
        for number in range(cards):
            turned = ("turned",) if number % 3 == 1 else ()
            on = ("2 {death}",) if number % 4 == 0 else ()
            pieces.append(_card(number, mat, seat, states=turned, badges=on))
        if seat == seats[0]:
            pieces += [_card(n, hand, seat) for n in (1, 3, 8)]
        else:
            pieces += [_hidden(n, hand, seat) for n in range(3)]
        pieces += [_hidden(n, deck, seat) for n in range(4)]
        pieces += [_card(n, gone, seat) for n in (2, 0)]
        names = ("points", *ESSENCES)
        tracks += [
            Track(f"{seat}-{name}", f"{who}'s {name}", n + 1, seat, icon=name, label=name)
            for n, name in enumerate(names)
            if name != "any"
        ]
    return Scene(
        "Round 3. North may act, or pass",
        pieces=tuple(pieces),
        zones=tuple(zones),
        tracks=tuple(tracks),
        marks=(
            Mark("legal", piece=f"{seats[0]}-mat-0"),
            Mark("selected", piece=f"{seats[0]}-mat-2"),
            Mark("last", piece=f"{seats[-1]}-mat-3"),
            Mark("danger", piece=f"{seats[-1]}-mat-4"),
        ),
        legend=(
            *(LegendEntry("icon", name, name) for name in ESSENCES),
            LegendEntry("state", "turned", "turned: straightens next round"),
        ),
    )


BATTLE: Final = Theme(
    grounds={
        "open": Ground("#cfdca0", "", "grass"),
        "forest": Ground("#8fb573", "#24401f", "trees"),
        "water": Ground("#8fbbd6", "#173a52", "waves"),
        "hill": Ground("#c9b18a", "", "peaks"),
        "wall": Ground("#a8a29a", "", "bricks"),
        "desert": Ground("#ecd79c", "", "sand"),
        "magic": Ground("#b9a7d6", "", "stars", icon="any"),
    },
    tokens={
        "golem": Token("hexagon", icon="golem"),
        "construct": Token("square"),
        "well": Token("marker", "#3a8fb7", icon="water", size=0.5),
        "curse": Token("marker", "#5b2a6b", icon="death"),
        "knight": Token("shield"),
        "white die": Token("die", "#fffdf7"),
        "black die": Token("die", "#2b2723"),
        "stone": Token("diamond"),
    },
    icons={**ESSENCES, "golem": Icon("M7 2h10v6h4v8h-3v6h-5v-5h-2v5H6v-6H3V8h4z")},
    seats={"south": "#c2452d", "north": "#2f6db0"},
)


_MORE: Final = tuple(f"Ability {n}" for n in range(20))


def battle(abilities: int = 3) -> Scene:
    """Eight by eight regions with terrain; up to three units, wells and curses in one of them."""
    kinds = ("open", "forest", "water", "hill", "wall", "desert", "magic")
    spaces = tuple(
        Space(
            f"{'abcdefgh'[x]}{y + 1}",
            x,
            y,
            kinds[(x * 3 + y * 5) % 7],
            icons=("water",) if (x + y) % 7 == 3 else (),
            badges=("5 VP",) if (x, y) == (3, 3) else (),
            label="m2" if (x, y) in ((2, 2), (3, 3)) else "",
            description=f"{'abcdefgh'[x]}{y + 1}, {kinds[(x * 3 + y * 5) % 7]}",
        )
        for y in range(8)
        for x in range(8)
    )
    units = (
        ("s1", "c3", 31, 40, ()), ("s2", "c3", 7, 80, ("moved",)), ("s3", "d4", 100, 100, ()),
        ("n1", "d4", 12, 45, ("damaged",)), ("n2", "d4", 45, 45, ("spent",)),
        ("n3", "f6", 60, 85, ()), ("n4", "h8", 80, 80, ("marked",)),
    )  # fmt: skip
    pieces: list[Piece] = []
    zones: list[Zone] = []
    tracks = [Track("round", "Round", 3, most=8)]
    for name, where, hp, most, states in units:
        seat = "south" if name[0] == "s" else "north"
        pieces.append(
            Piece(
                name, "golem", name, where, seat, f"{seat.title()}'s Sand Lion {name}",
                description=f"Sand Lion {name}, {where}, {hp} of {most} Hit Points", states=states,
                badges=("-15 dodge",) if name == "n3" else (),
                card=CardFace(
                    "Sand Lion", "warsprite", "", (Stat("Armor", "4"), Stat("Dodge", "20"))
                ),
            )
        )  # fmt: skip
        zones.append(Zone(f"card-{name}", f"{name} Sand Lion", seat, piece=name, place="card"))
        tracks.append(Track(f"hp-{name}", f"{name} Sand Lion", hp, seat, most, name, label="HP"))
        for ability in ("Bite", "Walk", "Roar of the Deep Desert", *_MORE)[:abilities]:
            face = CardFace(
                ability, "melee attack", "2 {fire}",
                (Stat("Accuracy", "75%"), Stat("Damage", "28")),
                ("Critical effect: displaces the target 1 Region away", "Pierce 2"),
            )  # fmt: skip
            pieces.append(
                Piece(f"{name}.{ability[:4]}", "ability", ability, f"card-{name}", seat, ability,
                      card=face, states=("spent",) if ability == "Walk" else ())
            )  # fmt: skip
    pieces += [
        Piece("well-c3", "well", "*", "c3", name="Mana Well"),
        Piece("well-f6", "well", "*", "f6", name="Mana Well"),
        Piece("curse-d4", "curse", "-", "d4", "south", "Grave Chill"),
        Piece("c-1", "construct", "c1", "a8", "north", "Wall"),
        Piece("k-1", "knight", "K", "b7", "south", "Knight"),
        Piece("die-1", "white die", "W5", "g2", name="white die", icon="die-5"),
        Piece("die-2", "black die", "B3", "g3", name="black die", icon="die-3", states=("spent",)),
        Piece("die-3", "white die", "W2", "new", name="white die", icon="die-2"),
        Piece("dia", "stone", "d", "b1", "north", "Stone", states=("turned",)),
    ]
    zones.append(Zone("new", "New die", "south"))
    for seat in ("south", "north"):
        for n, name in enumerate(("Action Points", "Mana", "Victory Points")):
            most = 10 if n == 2 else None
            icon = "water" if n == 1 else ""
            tracks.append(
                Track(f"{seat}-{n}", f"{seat.title()}'s {name}", 4 * n + 1, seat, most, icon=icon)
            )
    return Scene(
        "Round 3: South, choose: trade 4 Mana, rob the caravan, or leave it alone",
        spaces,
        tuple(pieces),
        tuple(zones),
        tuple(tracks),
        marks=(
            Mark("last", "c3"), Mark("last", "c2"), Mark("legal", "e4"), Mark("legal", "d4"),
            Mark("reachable", "e5"), Mark("reachable", "f5"), Mark("danger", "h8"),
            Mark("selected", "f6"), Mark("legal", piece="n3"), Mark("danger", piece="n4"),
            Mark("selected", piece="s1"), Mark("reachable", piece="c-1"),
        ),
        legend=(
            *(LegendEntry("space", kind, kind) for kind in kinds),
            LegendEntry("icon", "water", "Mana Well"),
            LegendEntry("icon", "fire", "Action Points"),
            LegendEntry("icon", "golem", "Golem"),
            LegendEntry("glyph", "s1", "South's first Golem"),
            LegendEntry("state", "moved", "has moved this Turn"),
        ),
    )  # fmt: skip


HOSTILE: Final = (
    "<script>alert(1)</script>", 'a" onload="x', "]]>", "&amp;", "\x00\x1b[31mred\x07", "名前" * 60,
    "W" * 400, "a b " * 200, "{fire", "{no such icon}", "{", "‮evil", "\ud800", "'", "", "\n\t",
    "../../etc", "url(http://x)", "é" * 30,
)  # fmt: skip


def hostile(text: str) -> Scene:
    """The same text in every place where there can be one."""
    face = CardFace(text, text, text, (Stat(text, text),), (text, text), 3)
    where = ("a1", "zone")
    pieces = tuple(
        Piece(f"{text}{n}", text, text, where[n % 2], text, text, {text: text}, text,
              ("turned", "spent"), text, (text, text), face if n % 3 else None)
        for n in range(5)
    )  # fmt: skip
    return Scene(
        text,
        (Space("a1", 0, 0, text, text, {text: text}, text, (text,), (text,)), Space("b1", 1, 0)),
        pieces,
        (Zone("zone", text, text, {text: text}, text, "mat", "row", text), Zone(text, text)),
        (
            Track(text, text, 3, text, 5, text, text, text),
            Track("x", text, 1, "", None, f"{text}0"),
        ),
        {text: text},
        (Mark("last", "a1"), Mark("legal", piece=f"{text}0")),
        tuple(LegendEntry(kind, text, text) for kind in ("glyph", "icon", "space", "state")),
    )
