"""Judging the file of a match in a page: the check of `emeth verify`, step by step, and what was
found with the meaning of each check."""

import time
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from domain.match import Check
from domain.registry import GAMES
from services.offline.service import PageService
from services.proof.match_file import FileCheck, Verified
from services.proof.signing import read_key
from services.proof.verdict import as_json, finding_line

MEANINGS: Final[Mapping[Check, str]] = {
    "chain": "Each event has its place, its one way of being written, and a digest over itself and"
    " the digest before it. Here an event, its digest or its place was changed, lost or added.",
    "signature": "The last line vouches for the last event, signed with the key that it names. Here"
    " it does not.",
    "chance": "Each draw follows from a seed that was promised before and is revealed at the end."
    " Here dice or cards are not those that the seed gives.",
    "facts": "The rules were run again from the position before. Here something else follows than"
    " the file says.",
    "rulings": "The rules were run again, and say why. Here they give other reasons, or other"
    " figures, than the file does.",
    "legality": "The rules were asked whether this may be done here. They forbid it.",
    "position": "The events were folded, one after the other. Here they cannot be, or lead to"
    " another position than the file ends with.",
    "taps": "Each action that came from a stylus names its taps, which are in the file with the"
    " proof that they are in the log. Here a tap is missing, or does not bear the action out.",
}
"""What is checked, and what a finding of it means."""


class Judging:
    """One file being judged, for whoever shows how far it is."""

    def __init__(self, raw: bytes) -> None:
        self._check = FileCheck(BytesIO(raw))
        self._steps = self._check.steps()
        self._done = 0

    def go_on(self, seconds: float) -> dict[str, int] | None:
        """Work for so long: how many events are done, of how many; None when all are."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                self._done = next(self._steps)
            except StopIteration:
                return None
        return {"done": self._done, "total": self._check.total}

    async def verdict(self, service: PageService) -> dict[str, Any]:
        """What was found, after the last step. The match is taken in, as far as it can be shown."""
        verified = self._check.verified
        until = _shown(verified)
        if until:
            await service.take_in(verified, until)
        return _told(verified) | {"shown_until": until}


def _shown(verified: Verified) -> int:
    """The version up to which a match can be shown: before the first event at which anything was
    found. What is wrong with the file itself, as a signature, spoils no event."""
    events = len(verified.events)
    at_events = [
        finding.version
        for finding in verified.report.findings
        if finding.check not in ("signature", "taps")
        and not (finding.check == "position" and finding.version == verified.report.events)
    ]
    # A finding at 0 is of the first line, or of all of it: then nothing is as it should be.
    return min([events, *(max(0, version - 1) for version in at_events)])


def _told(verified: Verified) -> dict[str, Any]:
    match = verified.match
    rules = match.rules.rules if match else {}
    told = as_json(verified)
    for finding in told["findings"]:
        rule = rules.get(finding["rule"])
        finding["meaning"] = MEANINGS[finding["check"]]
        finding["line"] = finding_line(**{name: finding[name] for name in LINE})
        finding["rule_meaning"] = rule.meaning if rule else ""
        finding["rule_source"] = rule.source if rule else ""
    told["game"] = match.rules.name if match and match.game in GAMES else ""
    told["signed_by"] = _name(told["key"])
    return told


LINE: Final = ("version", "check", "sentence", "rule")


def _name(key: str) -> str:
    """Whose key it says to be; empty for what is no key."""
    try:
        return read_key(key).name
    except ValueError:
        return ""
