"""How drawings of A.G.O.G. look."""

from typing import Final

from domain.kernel.theme import Ground, Icon, Theme, Token

# Holes in an icon are drawn the other way round than its outline.
THEME: Final = Theme(
    grounds={
        "light": Ground("#ead9b9", "#6d5b44"),
        "dark": Ground("#b98f62", "#493829"),
        "sanctum": Ground("#d9b23c", "#7d6112", "stars"),
    },
    tokens={
        "golem": Token("disc", icon="golem", size=0.9),
        "hulk": Token("square", icon="hulk"),
        "corrupted hulk": Token("hexagon", icon="corrupted-hulk"),
        "journeyman": Token("shield", icon="journeyman"),
    },
    icons={
        "golem": Icon(
            "M9 2h6v6H9zM10.2 4v1.5h1.2V4zM12.6 4v1.5h1.2V4z"
            "M5 9h14v8h-2.5v-5H16v10h-3v-5h-2v5H8V12h-.5v5H5z",
            letter="G",
        ),
        "hulk": Icon(
            "M8 1h8v5H8zM9.5 3v1.4h1.6V3zM12.9 3v1.4h1.6V3z"
            "M2 7h20v9h-3.5v-3H18v10h-4v-5h-4v5H6V13h-.5v3H2z",
            letter="H",
        ),
        "corrupted-hulk": Icon(
            "M8 1h8v5H8zM9.5 3v1.4h1.6V3zM12.9 3v1.4h1.6V3z"
            "M2 7h20v9h-3.5v-3H18v10h-4v-5h-4v5H6V13h-.5v3H2z"
            "M13.2 8L8.8 12.8h2.6L10.6 17l4.6-5.4h-2.6z",
            letter="C",
        ),
        "journeyman": Icon("M12 1l4.5 7.5H20V11H4V8.5h3.5zM7.5 12.5h9L20 23H4z", letter="J"),
    },
    seats={"white": "#f6f1e4", "black": "#2a2622"},
)
