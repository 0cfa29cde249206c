"""Whatever colors a theme states, what is written on them can be read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.scene import Scene
from domain.kernel.theme import DEFAULT_THEME, Theme
from domain.registry import GAMES
from projections.drawing import palette
from projections.drawing.layout import owners
from projections.drawing.style import Style, style_of
from projections.drawing.svg import draw
from tests.projections.drawing.sample_scenes import BATTLE, CARDS, battle, table

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
THEMES = {"battle": BATTLE, "cards": CARDS, "plain": DEFAULT_THEME}


def test_contrast_is_that_of_wcag() -> None:
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert palette.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert palette.contrast("#2f6db0", "#2f6db0") == 1


@given(COLOURS)
def test_there_is_an_ink_for_every_color(fill: str) -> None:
    assert palette.contrast(palette.ink_on(fill), fill) >= palette.MIN_TEXT_CONTRAST
    for page in (palette.PAPER.day, palette.CARD.night, palette.MAT.day):
        assert (
            palette.contrast(palette.ensure_contrast(fill, page), page)
            >= palette.MIN_GRAPHIC_CONTRAST
        )


def styles(style: Style, *, night: bool) -> dict[str, dict[str, str]]:
    """What each class says by day or by night."""
    day, _, dark = style.css.partition("@media(prefers-color-scheme:dark){")
    found: dict[str, dict[str, str]] = {}
    for sheet in (day, dark) if night else (day,):
        for name, says in re.findall(r"\.e[0-9a-f]{7} \.(\w+)\{([^}]*)\}", sheet):
            pairs = (rule.partition(":") for rule in says.split(";"))
            found.setdefault(name, {}).update({key: value for key, _, value in pairs})
    return found


@pytest.mark.parametrize("theme", [*THEMES, *GAMES])
@pytest.mark.parametrize("night", [False, True])
def test_all_that_is_written_can_be_read_on_what_it_is_written_on(
    theme: str, *, night: bool
) -> None:
    chosen = THEMES[theme] if theme in THEMES else GAMES[theme].theme
    scenes = (battle(), table(("north", "south", "east", "west"), 3))
    for scene in scenes:
        check_contrast(chosen, scene, night=night)


def check_contrast(theme: Theme, scene: Scene, *, night: bool) -> None:
    """Every ink against its ground, the page's inks against all pages, marks against the page."""
    style = style_of(theme, owners(scene), (space.kind for space in scene.spaces), None)
    classes = styles(style, night=night)
    for name, says in classes.items():
        ground = classes.get(name[:-1], {}).get("fill", "")
        if name.endswith("k") and ground.startswith("#"):
            assert palette.contrast(says["fill"], ground) >= palette.MIN_TEXT_CONTRAST, name
    for ink in ("k", "q"):
        for page in ("p", "m", "c"):
            found = palette.contrast(classes[ink]["fill"], classes[page]["fill"])
            assert found >= palette.MIN_TEXT_CONTRAST, (ink, page)
    for name in classes:
        if re.fullmatch(r"i\d+", name) or (name.startswith("b") and name != "back"):
            if name.startswith("back"):
                continue
            color = classes[name].get("fill", "none")
            color = classes[name]["stroke"] if color == "none" else color
            assert palette.contrast(color, classes["c"]["fill"]) >= palette.MIN_GRAPHIC_CONTRAST, (
                name
            )


def test_seats_called_by_a_color_wear_it_and_themes_say_otherwise() -> None:
    coats = palette.seat_colors({"white", "black", "north"})
    assert palette.luminance(coats["white"].fill) > 0.9
    assert palette.luminance(coats["black"].fill) < 0.1
    assert palette.seat_colors({"north"}, CARDS)["north"].fill == CARDS.seats["north"]


def test_what_a_seat_wears_does_not_depend_on_who_has_pieces_left() -> None:
    theme = Theme(seats={"north": "#123456", "south": "#654321"})
    whole, alone = battle(), Scene("", tracks=battle().tracks[1:2])
    assert "fill:#123456" in draw(whole, theme)
    assert "fill:#123456" in draw(alone, theme)
