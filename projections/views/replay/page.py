"""A standalone page that replays a match: drawings, sentences and rulings in one HTML file.

The page fetches nothing and works offline. Parts that drawings share are stored once. If the page
contains the exported match file, it verifies what it shows.
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
    """One event, and the board after it."""

    version: int
    digest: str
    """The digest of the event in the hash chain."""
    at: str
    """The time of the event, formatted for readers."""
    sentence: str
    notation: str
    """The notation of the action; empty for other events."""
    facts: tuple[str, ...]
    rulings: tuple[str, ...]
    """The sentences of the rulings."""
    svg: str
    """The board after the event."""
    narrow: str
    """The board after the event, laid out for a phone."""


class Inclusion(Struct, frozen=True):
    """The proof that the last event is in the service's transparency log."""

    key: str
    """The public key that verifies the proof."""
    text: str
    """The proof in the tlog-proof format."""


class MatchProof(Struct, frozen=True):
    """The data that the page verifies."""

    file: bytes
    """The exported file of the match."""
    inclusion: Inclusion | None = None


VERIFIED_NOTE: Final = (
    "A replay as its viewer may see it. It contains the match file and"
    " verifies it without a network."
)
UNVERIFIED_NOTE: Final = (
    "A replay as its viewer may see it. It shows what was recorded but checks nothing: this game"
    " has hidden information, so only the referee may export the file to check."
)
CHECK_SCRIPTS: Final = ("proof.js", "chance.js", "check.js")


class ReplayPage:
    """A page in progress, which splits drawings and stores their common pieces once."""

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}
        self._frames: list[dict[str, object]] = []

    def add(self, frame: Frame) -> None:
        """Add the frame of the next event."""
        data: dict[str, object] = msgspec.structs.asdict(frame)
        self._frames.append(data | {"svg": self._cut(frame.svg), "narrow": self._cut(frame.narrow)})

    def _cut(self, svg: str) -> list[int]:
        """Return the indexes of a drawing's pieces, which other drawings may share."""
        known = self._pieces
        return [known.setdefault(piece, len(known)) for piece in _BETWEEN_TAGS.split(svg)]

    def html(self, title: str, proof: MatchProof | None = None) -> str:
        """Return the HTML of the page, which needs at least one frame."""
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
        # One pass, so that placeholders inside values are not replaced.
        return re.sub("%([A-Z]+)%", lambda place: values[place[1]], _read_asset("page.html"))


def checks_script() -> str:
    """Return JavaScript that verifies a match file, as the constant `proofs`."""
    parts = "".join(_read_asset(name) for name in CHECK_SCRIPTS)
    return f"const proofs = (() => {{\n{parts}return {{ checkMatch, unpacked }};\n}})();\n"


def encode_file(file: bytes) -> str:
    """Return a file compressed and encoded for the page; equal files give equal text."""
    return b64encode(gzip.compress(file, mtime=0)).decode()


def _proof_fields(proof: MatchProof | None) -> dict[str, object]:
    return {"file": encode_file(proof.file), "proof": proof.inclusion} if proof else {}


def _read_asset(name: str) -> str:
    return (files(__package__) / name).read_text()


_BETWEEN_TAGS: Final = re.compile(r"(?<=>)(?=\s*<)")


def script_json(value: object) -> str:
    """Return a value as JSON that cannot end its script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def render_frame(step: Transition, viewer: str) -> Frame:
    """Return the frame of a transition as the viewer may see it."""
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
    """Return the title of the page: the match, its game and its players."""
    players = " against ".join(match.player_of(seat) or seat.title() for seat in match.seats)
    return visible_text(": ".join(filter(None, (match.title, match.rules.name, players))))


MATCH_SCRIPT_TAG: Final = '<script type="application/json" id="match">'
"""The tag before which the analysis is inserted."""


class EventAnalysis(Struct, frozen=True):
    """The analysis of one event."""

    version: int
    chances: Mapping[str, float]
    """The win probability of each seat after the event."""
    mistake: str
    """The class of the mistake, such as `blunder`; empty for none."""
    missed: tuple[str, ...]
    """Sentences of better actions."""


def with_analysis(page: str, seats: Sequence[str], found: Sequence[EventAnalysis]) -> str:
    """Return the page of a replay with the analysis of its events."""
    before, place, after = page.partition(MATCH_SCRIPT_TAG)
    assert place, "the page must come from `projections.views.replay.page`"
    data = script_json({"seats": seats, "events": found})
    return f'{before}<script type="application/json" id="analysis">{data}</script>\n{place}{after}'
