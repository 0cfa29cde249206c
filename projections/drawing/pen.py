"""Lines of words and icons as SVG."""

from projections.drawing.font_metrics import Line, ems, split_icons, wrap_text
from projections.drawing.markup import ICON_SIZE, clean, escape_xml, format_length, text_attributes
from projections.drawing.style import TEXT_ICON_SIZE, Style


class Pen:
    """A writer of text and icons in one style, which records the icons it used."""

    def __init__(self, style: Style, icon_words: dict[str, str]) -> None:
        self.style = style
        self.icon_words = icon_words
        """Words that replace icons for which there is no drawing."""
        self.used_icons: set[str] = set()

    def icon(self, name: str, x: float, y: float, side: float, paint: str) -> str:
        """Return an icon with its upper left corner at (x, y) and a class of the style sheet."""
        self.used_icons.add(name)
        size = format_length(side)
        where = f'x="{format_length(x)}" y="{format_length(y)}"'
        if size == TEXT_ICON_SIZE:
            return f'<use href="#{self.style.symbol(name)}." {where} class="{paint}"/>'
        return (
            f'<use href="#{self.style.symbol(name)}" {where}'
            f' width="{size}" height="{size}" class="{paint}"/>'
        )

    def draw_line(
        self,
        line: Line,
        x: float,
        y: float,
        size: float,
        paint: str = "k",
        *,
        bold: bool = False,
        room: float = 0,
    ) -> str:
        """Return a line of words and icons with its baseline at `y`.

        Words keep their estimated width in any font if the line nearly fills `room` or an icon
        follows.
        """
        parts = []
        for number_of, run in enumerate(line):
            at = x + run.at * size
            if run.icon and self.style.has_icon(run.words):
                side = size * ICON_SIZE
                ink = self.style.ink(run.words, paint)
                parts.append(self.icon(run.words, at + size * 0.05, y - size * 0.93, side, ink))
                continue
            words = self.icon_words.get(run.words, run.words) if run.icon else run.words
            if not words.strip():
                continue
            weight = ' font-weight="700"' if bold else ""
            wide = run.width * size
            if words.startswith(" "):  # which is not drawn at the start of an element
                gap = min(ems(" ", bold=bold) * size, wide)
                at, wide, words = at + gap, wide - gap, words[1:]
            if words.endswith(" "):
                wide, words = wide - ems(" ", bold=bold) * size, words[:-1]
            full = room and run.at * size + wide > 0.85 * room
            followed = number_of + 1 < len(line)
            if run.icon or ((full or followed) and len(words) > 3):
                weight += f' textLength="{format_length(wide)}"'
            parts.append(
                f'<text x="{format_length(at)}" y="{format_length(y)}"'
                f"{text_attributes(size, paint)}{weight}>"
                f"{escape_xml(words)}</text>"
            )
        return "".join(parts)

    def lines(
        self, text: str, room: float, size: float, *, bold: bool = False, limit: int = 0
    ) -> list[Line]:
        """Return a text in lines; icons without a drawing become words."""
        return wrap_text(self.spell_icons(text), room / size, bold=bold, limit=limit)

    def spell_icons(self, text: str) -> str:
        """Return the text with words in place of icons without a drawing."""
        return spell_icons(clean(text), self.style, self.icon_words)


def spell_icons(text: str, style: Style, words: dict[str, str]) -> str:
    """Return the text with words in place of icon names that the style has no drawing for."""
    if "{" not in text:
        return text
    return "".join(
        part if not icon else f"{{{part}}}" if style.has_icon(part) else words.get(part, part)
        for part, icon in split_icons(text)
    )
