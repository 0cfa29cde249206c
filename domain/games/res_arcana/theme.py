"""How Res Arcana is drawn: a card for each kind of card, icons for essences and for what is done.

The pictures are our own, on a plane of 24 by 24. The colours of icons can be told from paper and
from a dark page alike; their shapes tell them apart without colour.
"""

from typing import Final

from domain.kernel.theme import Icon, Theme, Token

_INK: Final = "#1d1b16"


def _card(fill: str, icon: str) -> Token:
    return Token("card", fill, _INK, icon)


THEME: Final = Theme(
    tokens={
        "artifact": _card("#f5efe2", "artifact"),
        "creature": _card("#e3f0dd", "creature"),
        "dragon": _card("#f7ddd6", "dragon"),
        "creature dragon": _card("#f0e6cd", "dragon"),
        "mage": _card("#e9e1f8", "mage"),
        "magic item": _card("#dceff0", "item"),
        "monument": _card("#e6e8f0", "monument"),
        "place of power": _card("#f6e8bb", "place"),
        "card-back": Token("card", "#4a3b5c", "#ffffff"),
        "token": Token("disc", "#f2c14e", _INK, "token", size=0.6),
    },
    icons={
        "elan": Icon(
            "M13 1c.5 5 6.5 7.5 6.5 14a7.5 7.5 0 0 1-15 0c0-4 2.5-6 3.5-9 1.5 1.5 2 "
            "3 2 5 2.5-2.5 3.5-6 3-10z",
            "#d9480f",
            "E",
        ),
        "life": Icon(
            "M21 2c-10 0-17 4-17 11.5 0 1.8.5 3.4 1.3 4.8L2.5 21l1.7 1.7 "
            "2.8-2.8C14 22.5 21 17 21 2z",
            "#2f9e44",
            "L",
        ),
        "calm": Icon(
            "M1 7c3.5-4 7-4 11-1s7.5 3 11-1v5c-3.5 4-7 4-11 1s-7.5-3-11 1z"
            "M1 16c3.5-4 7-4 11-1s7.5 3 11-1v5c-3.5 4-7 4-11 1s-7.5-3-11 1z",
            "#1c7ed6",
            "C",
        ),
        "death": Icon(
            "M12 1.5a9.5 9.5 0 0 0-9.5 9.5c0 3 1.5 5.7 4 7.4V22.5h11v-4.1c2.5-1.7 "
            "4-4.4 4-7.4a9.5 9.5 0 0 0-9.5-9.5z"
            "M8.3 8.5a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2z"
            "M15.7 8.5a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2zM12 14.5l1.7 3h-3.4z",
            "#8a63b3",
            "D",
        ),
        "gold": Icon(
            "M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 0 0 0-21zM12 6.5l5.5 5.5-5.5 5.5-5.5-5.5z",
            "#b8860b",
            "G",
        ),
        "any": Icon("M12 1.5l10.5 7.7-4 12.3h-13l-4-12.3z", "#7a7a7a", "*"),
        "turn": Icon("M12 4a8.5 8.5 0 1 0 8.2 10.7l-3-.8A5.4 5.4 0 1 1 12 7.2v4L19.5 5.6 12 0z"),
        "straighten": Icon("M12 1l9 10h-5.5v12h-7V11H3z"),
        "points": Icon(
            "M12 1l3.3 7 7.7.9-5.7 5.2 1.5 7.6L12 17.9l-6.8 3.8 1.5-7.6L1 8.9 8.7 8z",
            letter="VP",
        ),
        "artifact": Icon("M6 3h12l5 7-11 12L1 10z"),
        "creature": Icon(
            "M12 11c4 0 7.5 4 7.5 7.5 0 3-3 4-7.5 4s-7.5-1-7.5-4C4.5 15 8 11 12 11z"
            "M3.5 7.5a2.5 3.2 0 1 1 0 6.4 2.5 3.2 0 0 1 0-6.4z"
            "M20.5 7.5a2.5 3.2 0 1 1 0 6.4 2.5 3.2 0 0 1 0-6.4z"
            "M8.7 1.5a2.5 3.4 0 1 1 0 6.8 2.5 3.4 0 0 1 0-6.8z"
            "M15.3 1.5a2.5 3.4 0 1 1 0 6.8 2.5 3.4 0 0 1 0-6.8z"
        ),
        "dragon": Icon(
            "M1.5 21C2.5 10 8 3.5 21 1.5c-2.5 2-3.2 4.2-2.5 6.5 1.8 0 3.2.6 4.2 1.7-3.2"
            ".5-5 1.7-5.5 3.9 1.6.2 2.8.9 3.8 2.2-3.2-.3-5.4.4-6.5 2.2-4-2-9-.8-13 3z"
        ),
        "mage": Icon("M14 1l4 13.5h3.5l1 4.5c-6.5 3.7-14.5 3.7-21 0l1-4.5H6C7 9.5 9 4.5 14 1z"),
        "item": Icon(
            "M8.5 1h7v2.5h-1.2V8.5l6 10.5c1 2-.2 4-2.3 4H6c-2.1 0-3.3-2-2.3-4l6-10.5V3.5H8.5z"
        ),
        "monument": Icon(
            "M12 1l11 6.3V9.5H1V7.3zM3.5 11.5h3.5v7.5H3.5zM10.2 11.5h3.6v7.5h-3.6z"
            "M17 11.5h3.5v7.5H17zM1 20.5h22V23H1z"
        ),
        "place": Icon("M3 2h4v3.5h3V2h4v3.5h3V2h4v8l-2 2v11h-5v-5a2 2 0 0 0-4 0v5H5V12l-2-2z"),
        "token": Icon("M4.5 1.5H21l-3.5 5.5 3.5 5.5H7.5v10.5h-3z"),
    },
    seats={"north": "#2b6cb0", "east": "#b7472a", "south": "#2f7d4f", "west": "#7a4fa3"},
    backs="#4a3b5c",
)
