"""A match as one page that replays it: drawings, sentences and rulings in a file of its own.

Nothing is fetched: the page works from a disk, with no network. What most drawings share is in the
file once. With the exported file of the match in it, the page checks what it shows.
"""

import gzip
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct

from domain.match import AnyMatch
from projections.drawing import svg
from projections.drawing.orientation import orientation_for, rotate_scene
from projections.views.scenes import scene
from projections.views.transitions import Transition
from projections.views.viewer_events import render_event
from projections.views.visible_text import visible_text


class Frame(Struct, frozen=True):
    """One event, and how the match looked after it."""

    version: int
    digest: str
    """Its place in the chain."""
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


class Inclusion(Struct, frozen=True):
    """The proof that the last event is in the log of the service."""

    key: str
    """The public key that it is checked with."""
    text: str
    """In the form tlog-proof."""


class MatchProof(Struct, frozen=True):
    """What the page checks."""

    file: bytes
    """The match as it was exported."""
    inclusion: Inclusion | None = None


VERIFIED_NOTE: Final = (
    "A replay as its viewer may see it. The file of the match is in it, and is checked"
    " without a network."
)
UNVERIFIED_NOTE: Final = (
    "A replay as its viewer may see it. It shows what was recorded and checks nothing: this game"
    " hides things, so that the file to check takes the referee's token."
)
CHECK_SCRIPTS: Final = ("proof.js", "chance.js", "check.js")


class ReplayPage:
    """A page in the making. Drawings are cut as they come, so that what they share is kept once."""

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}
        self._frames: list[dict[str, object]] = []

    def add(self, frame: Frame) -> None:
        """The next event."""
        told: dict[str, object] = msgspec.structs.asdict(frame)
        self._frames.append(told | {"svg": self._cut(frame.svg), "narrow": self._cut(frame.narrow)})

    def _cut(self, svg: str) -> list[int]:
        """A drawing cut between its tags, into pieces that other drawings may have too."""
        known = self._pieces
        return [known.setdefault(piece, len(known)) for piece in _BETWEEN_TAGS.split(svg)]

    def html(self, title: str, proof: MatchProof | None = None) -> str:
        """The page. There is at least one frame."""
        match = {"title": title, "pieces": [*self._pieces], "frames": self._frames}
        script = _read_asset("replay.js") + (
            checks_script() + _read_asset("panel.js") if proof else ""
        )
        values = {
            "TITLE": escape(title),
            "NOTE": escape(VERIFIED_NOTE if proof else UNVERIFIED_NOTE),
            "SCRIPT": script,
            "HASH": b64encode(sha256(script.encode()).digest()).decode(),
            "MATCH": script_json(match | _proof_fields(proof)),
        }
        # In one pass, so that nothing in a value is taken for a place to fill in.
        return re.sub("%([A-Z]+)%", lambda place: values[place[1]], _read_asset("page.html"))


def checks_script() -> str:
    """JavaScript that checks the file of a match, as `proofs`: for the page, and to be tested."""
    parts = "".join(_read_asset(name) for name in CHECK_SCRIPTS)
    return f"const proofs = (() => {{\n{parts}return {{ checkMatch, unpacked }};\n}})();\n"


def encode_file(file: bytes) -> str:
    """A file as it stands in the page: the same bytes whenever it is written."""
    return b64encode(gzip.compress(file, mtime=0)).decode()


def _proof_fields(proof: MatchProof | None) -> dict[str, object]:
    return {"file": encode_file(proof.file), "proof": proof.inclusion} if proof else {}


def _read_asset(name: str) -> str:
    return (files(__package__) / name).read_text()


_BETWEEN_TAGS: Final = re.compile(r"(?<=>)(?=\s*<)")


def script_json(value: object) -> str:
    """JSON that no browser takes for the end of its script."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def render_frame(step: Transition, viewer: str) -> Frame:
    """An event as the viewer is told of it, and the board after it as the viewer sees it."""
    seen, theme = render_event(step, viewer), step.after.rules.theme
    shown = rotate_scene(scene(step.after, viewer, step), orientation_for(step.after.rules, viewer))
    action = seen.action
    return Frame(
        version=seen.version,
        digest=seen.digest,
        at=f"{seen.at:%Y-%m-%d %H:%M:%S} UTC",
        sentence=seen.sentence,
        notation=(action.score_notation or action.notation) if action else "",
        facts=tuple(filter(None, (fact.sentence for fact in seen.facts))),
        rulings=tuple(ruling.sentence for ruling in seen.rulings),
        svg=svg.draw(shown, theme),
        narrow=svg.draw(shown, theme, narrow=True),
    )


def page_title(match: AnyMatch) -> str:
    """What the page is called: the match, its game, and who plays."""
    players = " against ".join(match.player_of(seat) or seat.title() for seat in match.seats)
    return visible_text(": ".join(filter(None, (match.title, match.rules.name, players))))


MATCH_SCRIPT_TAG: Final = '<script type="application/json" id="match">'
"""Before which it goes."""


class EventAnalysis(Struct, frozen=True):
    """What was found of one event."""

    version: int
    chances: Mapping[str, float]
    """Of each seat to win, after it."""
    mistake: str
    """As `blunder`; empty for none."""
    missed: tuple[str, ...]
    """What would have been better, in words."""


def with_analysis(page: str, seats: Sequence[str], found: Sequence[EventAnalysis]) -> str:
    """The page of a replay with what the coach found in it."""
    before, place, after = page.partition(MATCH_SCRIPT_TAG)
    assert place, "a page of `projections.views.replay.page`"
    told = script_json({"seats": seats, "events": found})
    return f'{before}<script type="application/json" id="analysis">{told}</script>\n{place}{after}'
