"""What is wrong with a board as it stands, in words."""

from typing import Final

from domain.kernel.rulings import Refused
from domain.stylus.boards import Step
from domain.stylus.scans import Read

TOLD: Final = 3
"""Pieces, or actions, that a refusal names, at most."""


def differs(read: Read) -> Refused | None:
    """What is wrong with a board as it stands; None if it shows what is or what may be."""
    if read.agrees or read.leads:
        return None
    why = _told(read.steps)
    if read.nearest:
        why = f"{why}. For {read.nearest}: {_told(read.lacking)}"
    return Refused("stylus.board", why, {"pieces": len(read.steps)})


def undecided(actions: tuple[str, ...]) -> Refused:
    """Several actions leave a board as it stands: nobody knows which was meant."""
    more = f" and {len(actions) - TOLD} more" if len(actions) > TOLD else ""
    named = f"{', '.join(actions[:TOLD])}{more}"
    why = f"several actions leave the board like this: {named}; choose one"
    return Refused("stylus.unready", why, {"actions": len(actions)})


def _told(steps: tuple[Step, ...]) -> str:
    more = f" ({len(steps)} pieces in all)" if len(steps) > TOLD else ""
    return "; ".join(step.sentence for step in steps[:TOLD]) + more
