"""A theme prepared for drawing: a style sheet for light and dark pages, patterns and icons."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final
from zlib import crc32

from domain.kernel.theme import Ground, Icon, Theme, Token
from projections.drawing import palette
from projections.drawing.icons import BUILT_IN_ICONS
from projections.drawing.markup import ICON_SIZE, TEXT_SIZE, format_length, identifier
from projections.drawing.palette import CARD, FAINT, FRAME, INK, MARK_COLORS, MAT, PAPER, ColorPair
from projections.drawing.patterns import TILES, pattern_definition

FONT: Final = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
TEXT_ICON_SIZE: Final = format_length(TEXT_SIZE * ICON_SIZE)
"""The side of an icon in text of the usual size."""
_DEFAULT_TOKEN: Final = Token()


class StyleSheet:
    """A style sheet in progress: declarations for light and dark pages by selector."""

    def __init__(self) -> None:
        self.rules: list[tuple[str, str, str]] = []

    def add(self, name: str, day: str, night: str = "") -> None:
        """Add a class; declarations that do not differ at night are written once."""
        self.rules.append((f".{name}", day, "" if night == day else night))

    def plain(self, pair: ColorPair) -> None:
        """Set the color of text without a class."""
        self.rules.append(("text", f"fill:{pair.day}", f"fill:{pair.night}"))

    def fill(self, name: str, pair: ColorPair) -> None:
        """Add a class with a fill color."""
        self.add(name, f"fill:{pair.day}", f"fill:{pair.night}")

    def text(self, scope: str, night: bool | None) -> str:
        """Return the style sheet.

        Args:
            scope: The class of the drawing that all rules apply to.
            night: Whether the page is dark; None follows the reader's preference.
        """
        if night is not None:
            chosen = ((name, by_night if night and by_night else by_day)
                      for name, by_day, by_night in self.rules)  # fmt: skip
            return "".join(f".{scope} {name}{{{says}}}" for name, says in chosen)
        days = "".join(f".{scope} {name}{{{day}}}" for name, day, _ in self.rules)
        nights = "".join(f".{scope} {name}{{{dark}}}" for name, _, dark in self.rules if dark)
        return f"{days}@media(prefers-color-scheme:dark){{{nights}}}"


class Style:
    """The style of one match: its theme, with colors for everything that the theme omits."""

    def __init__(
        self, theme: Theme, seats: tuple[str, ...], kinds: tuple[str, ...], night: bool | None
    ) -> None:
        self.theme = theme
        self.seats = seats
        self.icons: Mapping[str, Icon] = theme.icons
        self._sheet = StyleSheet()
        self._common()
        self._seats(palette.seat_colors(seats, theme))
        self.backs = self._add_filled_classes("back", palette.valid_color(theme.backs, "#7a2f2f"))
        self._grounds = self._add_grounds(palette.ground_colors(kinds, theme))
        self._tokens = self._add_tokens()
        self._inks = self._add_icons()
        body = self._sheet.text("#", night)
        self.scope = f"e{crc32(body.encode()) & 0xFFFFFFF:07x}"
        self.css = self._sheet.text(self.scope, night)

    # --- what is asked while drawing -------------------------------------------------------------

    def ground(self, kind: str) -> tuple[str, Ground]:
        """Return the class and the ground of a kind of space.

        The class with suffix `k` colors text on the space; with suffix `s` it colors strokes.
        """
        return self._grounds.get(kind) or self._grounds[""]

    def token(self, kind: str) -> Token:
        """Return the token of a kind of piece."""
        return self.theme.tokens.get(kind, _DEFAULT_TOKEN)

    def css_class(self, kind: str, owner: str) -> str:
        """Return the class that fills a piece: that of its kind, or else that of its owner.

        The class with suffix `k` colors text on the piece; with suffix `s` it colors strokes.
        """
        return self._tokens.get(kind) or self.seat(owner)

    def seat(self, owner: str) -> str:
        """Return the class that fills things of a seat."""
        return self._seat_classes.get(owner) or self._seat_classes[""]

    def rank(self, owner: str) -> int:
        """Return the index of a seat, from 0, or -1 for no seat."""
        return self.seats.index(owner) if owner in self.seats else -1

    def has_icon(self, icon: str) -> bool:
        """Return whether there is a drawing of this icon."""
        return icon in self.icons or icon in BUILT_IN_ICONS

    def ink(self, icon: str, ink: str) -> str:
        """Return the class of an icon within text of class `ink`."""
        return self._inks.get(icon, ink)

    def symbol(self, icon: str) -> str:
        """Return the id of the definition of an icon."""
        return f"{self.scope}-{identifier(icon)}"

    def pattern(self, kind: str) -> str:
        """Return the id of the pattern of a kind of space."""
        return f"{self.scope}.{self.ground(kind)[0]}"

    def definitions(self, icons: Iterable[str], kinds: Iterable[str]) -> str:
        """Return the definitions of the icons and patterns that a drawing uses."""
        found = []
        for name in sorted(icons):
            path = self.icons[name].path if name in self.icons else BUILT_IN_ICONS[name]
            found.append(
                f'<symbol id="{self.symbol(name)}" viewBox="0 0 24 24">'
                f'<path fill-rule="evenodd" d="{_safe_path(path)}"/></symbol>'
                # The size of icons in usual text, which is the most frequent use.
                f'<g id="{self.symbol(name)}."><use href="#{self.symbol(name)}"'
                f' width="{TEXT_ICON_SIZE}" height="{TEXT_ICON_SIZE}"/></g>'
            )
        for kind in sorted(kinds, key=self.pattern):
            css_class, ground = self.ground(kind)
            if ground.pattern in TILES:
                found.append(
                    pattern_definition(ground.pattern, self.pattern(kind), f"{css_class}s n")
                )
        return f"<defs>{''.join(dict.fromkeys(found))}</defs>" if found else ""

    # --- how it is made --------------------------------------------------------------------------

    def _common(self) -> None:
        add, fill = self._sheet.add, self._sheet.fill
        for name, pair in (("p", PAPER), ("m", MAT), ("c", CARD), ("q", FAINT)):
            fill(name, pair)
        self._sheet.plain(INK)
        fill("k", INK)
        add("o", f"stroke:{FRAME.day}", f"stroke:{FRAME.night}")
        # Patterns are faint, so that text on them is readable.
        add("n", "fill:none;stroke-opacity:.22;stroke-width:1.3;stroke-linecap:round")
        add("u", f"stroke:{PAPER.day};fill:none", f"stroke:{PAPER.night};fill:none")
        for kind, pair in MARK_COLORS.items():
            fill(f"a{kind}", pair)
            add(f"b{kind}", f"stroke:{pair.day};fill:none", f"stroke:{pair.night};fill:none")

    def _seats(self, colors: Mapping[str, palette.PieceColors]) -> None:
        self._seat_classes: dict[str, str] = {}
        for place, name in enumerate(("", *self.seats)):
            self._seat_classes[name] = self._add_filled_classes(f"s{place}", colors[name].fill)

    def _add_filled_classes(self, name: str, fill: str, ink: str = "") -> str:
        """Add classes with the same color on light and dark pages, and return the name."""
        css_class = palette.piece_colors(fill)
        ink = palette.valid_color(ink, css_class.ink)
        if palette.contrast(ink, fill) < palette.MIN_TEXT_CONTRAST:
            ink = css_class.ink
        self._sheet.add(name, f"fill:{fill};stroke:{css_class.edge}")
        self._sheet.add(f"{name}k", f"fill:{ink}")
        self._sheet.add(f"{name}s", f"fill:none;stroke:{ink}")
        return name

    def _add_grounds(self, colors: Mapping[str, str]) -> dict[str, tuple[str, Ground]]:
        found = {}
        for place, (kind, day) in enumerate(colors.items()):
            ground = self.theme.grounds.get(kind, Ground(day))
            night = palette.valid_color(ground.night, palette.night_ground(day))
            inks = ColorPair(palette.ink_on(day), palette.ink_on(night))
            name = f"g{place}"
            self._sheet.fill(name, ColorPair(day, night))
            # Text has a rim in the color of the ground, which separates it from patterns.
            rim = "fill:{};stroke:{};stroke-width:3;paint-order:stroke;stroke-linejoin:round"
            self._sheet.add(f"{name}k", rim.format(inks.day, day), rim.format(inks.night, night))
            self._sheet.add(f"{name}s", f"stroke:{inks.day}", f"stroke:{inks.night}")
            faint = "fill:{};fill-opacity:.3"
            self._sheet.add(f"{name}i", faint.format(inks.day), faint.format(inks.night))
            found[kind] = (name, ground)
        return found

    def _add_tokens(self) -> dict[str, str]:
        filled = ((k, t) for k, t in self.theme.tokens.items() if t.fill)
        return {
            kind: self._add_filled_classes(
                f"t{place}", palette.valid_color(token.fill, palette.NO_OWNER_COLOR), token.ink
            )
            for place, (kind, token) in enumerate(filled)
        }

    def _add_icons(self) -> dict[str, str]:
        found = {}
        for place, (name, icon) in enumerate(self.theme.icons.items()):
            if icon.fill:
                fill = palette.valid_color(icon.fill, INK.day)
                pair = ColorPair(
                    palette.ensure_contrast(fill, MAT.day),
                    palette.ensure_contrast(fill, CARD.night),
                )
                self._sheet.fill(f"i{place}", pair)
                found[name] = f"i{place}"
        return found


def _safe_path(path: str) -> str:
    """Return the path data, or nothing if a character in it could end the attribute."""
    return path if '"' not in path and "<" not in path and "&" not in path else ""


class _ThemeKey:
    """A cache key that compares themes by identity, because themes are not hashable."""

    __slots__ = ("theme",)

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def __hash__(self) -> int:
        return id(self.theme)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ThemeKey) and other.theme is self.theme


@lru_cache(maxsize=64)
def _cached_style(
    same: _ThemeKey, seats: tuple[str, ...], kinds: tuple[str, ...], night: bool | None
) -> Style:
    return Style(same.theme, seats, kinds, night)


def style_of(theme: Theme, seats: Iterable[str], kinds: Iterable[str], night: bool | None) -> Style:
    """Return the cached style for a theme, its seats and its kinds of space."""
    other_kinds = {kind for kind in kinds if kind not in theme.grounds}
    owners = tuple(sorted({*theme.seats, *filter(None, seats)}))
    return _cached_style(_ThemeKey(theme), owners, tuple(sorted(other_kinds)), night)
