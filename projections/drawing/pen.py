"""Lines of words and icons as SVG."""

from projections.drawing.font_metrics import Line, ems, split_icons, wrap_text
from projections.drawing.markup import ICON_SIZE, clean, escape_xml, format_length, text_attributes
from projections.drawing.style import TEXT_ICON_SIZE, Style


class Pen:
    """Writes in one look, and remembers which icons it used."""

    def __init__(self, look: Style, icon_words: dict[str, str]) -> None:
        self.look = look
        self.icon_words = icon_words
        """Words for icons, for those that nobody drew."""
        self.used_icons: set[str] = set()

    def icon(self, name: str, x: float, y: float, side: float, paint: str) -> str:
        """An icon with its upper left corner here, in a class."""
        self.used_icons.add(name)
        size = format_length(side)
        where = f'x="{format_length(x)}" y="{format_length(y)}"'
        if size == TEXT_ICON_SIZE:
            return f'<use href="#{self.look.symbol(name)}." {where} class="{paint}"/>'
        return (
            f'<use href="#{self.look.symbol(name)}" {where}'
            f' width="{size}" height="{size}" class="{paint}"/>'
        )

    def rich(
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
        """A line of words and icons, its words on the line y. Where it is nearly as wide as there
        is room, or an icon follows, the words keep to their width whatever the font."""
        parts = []
        for number_of, run in enumerate(line):
            at = x + run.at * size
            if run.icon and self.look.knows(run.words):
                side = size * ICON_SIZE
                ink = self.look.ink(run.words, paint)
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
        self, text: str, room: float, size: float, *, bold: bool = False, most: int = 0
    ) -> list[Line]:
        """A text in lines, icons that nobody drew written out."""
        return wrap_text(self.spelt(text), room / size, bold=bold, most=most)

    def spelt(self, text: str) -> str:
        """A text in which icons that there are stay, and others are words."""
        return spell_icons(clean(text), self.look, self.icon_words)


def spell_icons(text: str, look: Style, words: dict[str, str]) -> str:
    """A text with the names of icons that nobody drew as words, without braces."""
    if "{" not in text:
        return text
    return "".join(
        part if not icon else f"{{{part}}}" if look.knows(part) else words.get(part, part)
        for part, icon in split_icons(text)
    )
