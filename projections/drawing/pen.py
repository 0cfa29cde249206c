"""Lines of words and icons as SVG."""

from projections.drawing.markup import ICON_SIZE, clean, escaped, lettering, number
from projections.drawing.style import IN_TEXT, Look
from projections.drawing.text.metrics import Line, ems, pieces, wrapped


class Pen:
    """Writes in one look, and remembers which icons it used."""

    def __init__(self, look: Look, icon_words: dict[str, str]) -> None:
        self.look = look
        self.icon_words = icon_words
        """Words for icons, for those that nobody drew."""
        self.used_icons: set[str] = set()

    def icon(self, name: str, x: float, y: float, side: float, paint: str) -> str:
        """An icon with its upper left corner here, in a class."""
        self.used_icons.add(name)
        size = number(side)
        where = f'x="{number(x)}" y="{number(y)}"'
        if size == IN_TEXT:
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
                weight += f' textLength="{number(wide)}"'
            parts.append(
                f'<text x="{number(at)}" y="{number(y)}"{lettering(size, paint)}{weight}>'
                f"{escaped(words)}</text>"
            )
        return "".join(parts)

    def lines(
        self, text: str, room: float, size: float, *, bold: bool = False, most: int = 0
    ) -> list[Line]:
        """A text in lines, icons that nobody drew written out."""
        return wrapped(self.spelt(text), room / size, bold=bold, most=most)

    def spelt(self, text: str) -> str:
        """A text in which icons that there are stay, and others are words."""
        return spelt(clean(text), self.look, self.icon_words)


def spelt(text: str, look: Look, words: dict[str, str]) -> str:
    """A text with the names of icons that nobody drew as words, without braces."""
    if "{" not in text:
        return text
    return "".join(
        part if not icon else f"{{{part}}}" if look.knows(part) else words.get(part, part)
        for part, icon in pieces(text)
    )
