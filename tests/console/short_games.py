"""Whole games that are played on pages, as short as could be found."""

from typing import Any, Final

from msgspec import Struct


class ShortGame(Struct, frozen=True):
    """A game to its end."""

    options: dict[str, Any]
    actions: tuple[tuple[str, str], ...]
    """Seats and what they do on the pages; the last ends the game."""


def _whole(text: str) -> tuple[tuple[str, str], ...]:
    lines = (line.strip().partition(" ") for line in text.strip().splitlines())
    return tuple((seat, action) for seat, _, action in lines)


def short_game(game: str) -> ShortGame:
    """The one of a game: as short as there is, so that pages can play all of it."""
    return ShortGame(_OPTIONS.get(game, {}), _whole(_WHOLE[game]))


_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "earthen-war": {"board": 5},
    "res-arcana": {"sides": "b"},
    "golem-arcana": {
        "scenario": "hold-the-ford",
        "armies": {
            "south": {
                "faction": "gudanna",
                "golems": [{"type": "dune-viper"}, {"type": "sand-lion", "knight": "tamsin"}],
                "ancients": ["urzal"],
            },
            "north": {
                "faction": "durani",
                "golems": [{"type": "vigilant-sentinel"}, {"type": "thornbeast"}],
            },
        },
    },
}

_WHOLE: Final = {
    "agog": """
        white e2-e3
        black g4-f4
        white a6-a7
        black d7-d6
        white a5-a6
        black c8-b8
        white f1-g1
        black g5-g4
        white b5-c5
        black h3-g3
        white d2-e2
        black b8-b7
        white a7xc7
        black d6-c6
        white d1-d2
        black c6xc8
        white c1-d1
        black h5-g5
        white a6-b6
        black h4-h3
        white b6-b7
        black f4-f3
        white b7-c7
        black c8xc6
        white c5xc7
        black g4-f4
        white e1-f1
        black f5-e5
        white e3-e4
        black e5xe3xe1xc1
        white b1xd1
        black d8-c8
        white g1-g2
        black g3xg1xe1xc1
        white c7-d7
        black e7xc7
        white a1-b1
        black c1xa1
    """,
    "tokars-arcana": """
        south f1-c1 brew b2
        north e10 explode f10
        south c1-e1 brew c1
        north d10 trade a9 d9 Z e9
        south e1 brew f1 then d1
        north e9-g9
        south a1-c3
        south revive d5
        north d10*c10
        south f1*e2
    """,
    "earthen-war": """
        white dice 1 2
        black dice 1 3
        black up f
        black swap f fr
        black use fr
        black end
        white add black
        white dice 3
        white place fl
        white swap f fr
        white use fr
        white use fl
        white end
        black add black
        black dice 2
        black place fl
        black skip
        black end
        white add black
        white dice 3
        white place f
        white swap fl f
        white use fl
        white dice 2 2
        white end
        black add black
        black dice 2
        black place b
        black swap fl l
        black end
        white add black
        white dice 3
        white place l
        white swap fl l
        white use fl
        white dice 3 3
    """,
    "golem-arcana": """
        north deploy n2 i6
        north deploy n1 c6
        south deploy s1 c1
        south deploy s2 h1
        north move n2 fly i3
        north move n2 fly h1
        north end
        south attack s2 bite n2
        south dice 00
        south attack s2 bite n2
        south dice 44
        south end
        north end
        south attack s2 bite n2
        south dice 04
        south end
        north move n1 walk b6
        north move n1 walk d6
        north end
        south move s1 walk b4
        south move s1 walk c5
        south end
        north end
        south move s2 walk f4
        south attack s1 spiked-volley n1
        south dice 00
        south end
        north end
        south charge s1 slippery-strike walk n1
        south dice 28
    """,
    "res-arcana": """
        table next hanging-gardens
        table next great-pyramid
        table next obelisk
        table next oracle
        table next solomons-mine
        table next golden-statue
        table next library
        table next mausoleum
        table next colossus
        table deal druid
        table deal artificer
        table deal witch
        table deal necromancer
        table deal fire-dragon
        table deal nightingale
        table deal hypnotic-basin
        table deal sacrificial-dagger
        table deal sea-serpent
        table deal horn-of-plenty
        table deal earth-dragon
        table deal tree-of-life
        table deal dragon-teeth
        table deal chalice-of-fire
        table deal crypt
        table deal philosophers-stone
        table deal celestial-horse
        table deal prism
        table deal cursed-skull
        table deal ring-of-midas
        table next sea-serpent
        table next fire-dragon
        table next horn-of-plenty
        table next hypnotic-basin
        table next sacrificial-dagger
        table next earth-dragon
        table next tree-of-life
        table next crypt
        table next philosophers-stone
        table next celestial-horse
        table next chalice-of-fire
        table next prism
        table next cursed-skull
        table next dragon-teeth
        north mage druid
        east mage necromancer
        east item calm-elan
        north item death-life
        north collect death-life 1d
        east collect calm-elan 1e
        north discard sea-serpent 1e1c
        east pass protection
        north discard horn-of-plenty 2e
        north claim dwarven-mines
        north discard fire-dragon 1l1c
        north pass calm-elan
        north collect calm-elan 1e
        east pass transmutation
        north play hypnotic-basin 1e2c1d
        north pass divination
        east pass alchemy
        north discard sacrificial-dagger 2l
        north pass reanimate
        east pass transmutation
        north claim alchemists-tower
        north pass research
        north collect alchemists-tower 1e1l1d
        east pass divination
        north use research 1 1c
        north discard nightingale 1l1d
        north play tree-of-life 1l1c1g
        north discard earth-dragon 2d
        north use tree-of-life 1
        north use alchemists-tower 1
        north pass transmutation
        table next sacrificial-dagger
        table next fire-dragon
        table next sea-serpent
        table next nightingale
        table next earth-dragon
        north collect alchemists-tower 2e1d
        north leave alchemists-tower
        east pass reanimate
        north claim sorcerers-bestiary
        north discard sacrificial-dagger 1e1c
        north use transmutation 1 3l
        north gain 1e1c1d
        north claim sunken-reef
        north use hypnotic-basin 1 east
        north use sunken-reef 1
        north pass divination
        north collect alchemists-tower 1e1l1c
        north leave alchemists-tower
        north take sunken-reef
        east pass research
        north pass protection
        north collect alchemists-tower 3l
        north take alchemists-tower
        east pass transmutation
        north claim great-pyramid
        north play sea-serpent 3l6c
        north pass reanimate
        north collect alchemists-tower 2c1d
        east pass death-life
        north claim hanging-gardens
        north play nightingale 1l1c
        north pass protection
    """,
}
