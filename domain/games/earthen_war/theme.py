"""How drawings of Earthen-War look."""

from typing import Final

from domain.kernel.theme import Ground, Icon, Theme, Token

_BONE: Final = "#fbf7ea"
_COAL: Final = "#1d1b1a"

_SUN: Final = (
    "M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10z"
    "M11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4z"
    "M4.9 3.5l2.9 2.9-1.4 1.4-2.9-2.9zM19.1 3.5l1.4 1.4-2.9 2.9-1.4-1.4z"
    "M3.5 19.1l2.9-2.9 1.4 1.4-2.9 2.9zM20.5 19.1l-1.4 1.4-2.9-2.9 1.4-1.4z"
)

# Holes in an icon are drawn the other way round than its outline.
THEME: Final = Theme(
    grounds={
        "": Ground("#c9bd9a", "#4a4432", "sand"),
        "trench": Ground("#8a7350", "#3a2f20", "hatch"),
        "white-grid": Ground("#e3e7ea", "#3b4248"),
        "black-grid": Ground("#b4bcc4", "#2a2f35"),
    },
    tokens={
        "golem": Token("shield", icon="golem"),
        "white die": Token("die", _BONE, _COAL, size=0.8),
        "black die": Token("die", _COAL, _BONE, size=0.8),
        "shell": Token("die", "#7a1f16", "#ffffff", size=0.7),
        "damage": Token("marker", "#b3261e", "#ffffff", icon="damage"),
    },
    icons={
        "golem": Icon(
            "M8 2h8v6H8zM9.5 4v1.6h1.7V4zM12.8 4v1.6h1.7V4z"
            "M3 9h18v8h-3v-4h-1v9h-4v-5h-2v5H7v-9H6v4H3z",
            letter="G",
        ),
        "damage": Icon(
            "M13 1l2.2 6.3L21 4l-2.6 5.7L23 12l-5.3 1.8L21 20l-6-3.2L12.5 23"
            "l-2.3-6L4 20l2.5-6L1 12l5-2.3L3.5 4l5.8 3z",
            letter="x",
        ),
        "shell": Icon(
            "M12 1c3 2.5 4.5 6 4.5 10v6h-9v-6c0-4 1.5-7.5 4.5-10zM7 18.5h10V22H7z", letter="*"
        ),
        "moon": Icon("M15.5 2A10 10 0 1 0 22 15.5 8.2 8.2 0 0 1 15.5 2z", letter="☾"),
        "sun": Icon(_SUN, letter="☼"),
        "state-spent": Icon(_SUN, letter="☼"),
        "move": Icon("M12 2l8 9h-5v11H9V11H4z", letter="M"),
        "attack": Icon(
            "M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20zM12 5a7 7 0 1 0 0 14a7 7 0 0 0 0-14z"
            "M11 0h2v8h-2zM11 16h2v8h-2zM0 11h8v2H0zM16 11h8v2h-8z",
            letter="A",
        ),
        "white-die": Icon(
            "M3 3h18v18H3zM5 5v14h14V5zM12 9.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5z",
            letter="W",
        ),
        "black-die": Icon("M3 3h18v18H3zM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5z", letter="B"),
    },
    seats={"white": "#f4eedd", "black": "#2f2b2b"},
)
