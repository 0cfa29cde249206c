"""A match as one page that replays it: drawings, sentences and rulings in a file of its own.

Nothing is fetched: the page works from a disk, with no network. What most drawings share is in the
file once.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct


class Frame(Struct, frozen=True):
    """One event, and how the match looked after it."""

    version: int
    at: str
    """When it was recorded, for people."""
    sentence: str
    notation: str
    """The action as it is written; empty for an event that is none."""
    facts: tuple[str, ...]
    rulings: tuple[str, ...]
    """In words."""
    svg: str
    """The board after it."""
    narrow: str
    """The same for a phone."""


NOTE: Final = (
    "A replay as its viewer may see it. It shows what was recorded and checks nothing: for that"
    " there are exports."
)


def page(title: str, frames: Iterable[Frame]) -> str:
    """The page. There is at least one frame."""
    pieces: dict[str, int] = {}
    shown = [
        {
            **{name: getattr(frame, name) for name in Frame.__struct_fields__},
            **{
                name: [pieces.setdefault(piece, len(pieces)) for piece in _pieces(drawing)]
                for name, drawing in (("svg", frame.svg), ("narrow", frame.narrow))
            },
        }
        for frame in frames
    ]
    match = {"title": title, "pieces": [*pieces], "frames": shown}
    text = (files(__package__) / "replay_page.html").read_text()
    script = text[text.rindex("<script>") + len("<script>") : text.rindex("</script>")]
    values = {
        "TITLE": escape(title),
        "NOTE": escape(NOTE),
        "SCRIPT": b64encode(sha256(script.encode()).digest()).decode(),
        "MATCH": _in_a_script(match),
    }
    # In one pass, so that nothing in a value is taken for a place to fill in.
    return re.sub("%([A-Z]+)%", lambda place: values[place[1]], text)


def _pieces(svg: str) -> list[str]:
    """A drawing cut between its tags, into pieces that other drawings may have too."""
    return _BETWEEN_TAGS.split(svg)


_BETWEEN_TAGS: Final = re.compile(r"(?<=>)(?=\s*<)")


def _in_a_script(value: object) -> str:
    """JSON that no browser takes for the end of its script."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
