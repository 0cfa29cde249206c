"""What checking a file came to, as `emeth verify` and the judge in a page tell it."""

from typing import Any

from domain.match import Finding
from services.proof.match_file import Verified


def told(finding: Finding) -> str:
    """A finding in words, with whatever detail there is: whoever has the file may know it."""
    return ": ".join(filter(None, (finding.sentence, finding.detail)))


def finding_line(version: int, check: str, sentence: str, rule: str) -> str:
    """A finding in one line.

    >>> finding_line(12, "facts", "it led to something else", "agog.capture.maximal")
    'event 12, facts [agog.capture.maximal]: it led to something else'
    """
    place = f"event {version}" if version else "the file"
    return f"{place}, {check}{f' [{rule}]' if rule else ''}: {sentence}"


def as_json(verified: Verified) -> dict[str, Any]:
    """All of it, for programs."""
    report = verified.report
    return {
        "sound": report.sound,
        "match_id": str(report.match or ""),
        "events": report.events,
        "digest": report.digest,
        "unproven_draws": report.unproven,
        "key": verified.trailer.key if verified.trailer else "",
        "taps": verified.taps.proven,
        "lost_taps": verified.taps.lost,
        "findings": [
            {
                "version": finding.version,
                "check": finding.check,
                "sentence": told(finding),
                "rule": finding.rule,
            }
            for finding in report.findings
        ],
    }
