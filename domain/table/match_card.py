"""The match card: commands such as undo and draw offers, given by a tap and Confirm.

A tap on the card arms a `CardOrder`, which describes the command in full for the current match;
Confirm executes it. A tap on anything else cancels it, as does a change of the match by others.
"""

from typing import Final, Literal, assert_never, get_args

from msgspec import Struct

from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset, Rejection
from domain.match.ledger import join_and
from domain.match.state import AnyMatch

CardCommand = Literal["undo", "redo", "resign", "draw", "agree", "refuse", "dispute"]
"""A command of the match card: undo, redo, resign, offer a draw, accept or decline a proposal, or
dispute an event."""
CARD_COMMANDS: Final[tuple[CardCommand, ...]] = get_args(CardCommand)


class CardOrder(Struct, frozen=True, omit_defaults=True):
    """A command for the match that is armed and needs Confirm."""

    command: CardCommand
    seat: str
    """The seat that gives the command."""
    version: int = 0
    """The version to return to, or of the disputed event; 0 for other commands."""
    awaiting: tuple[str, ...] = ()
    """The seats that must agree to the command."""

    @property
    def label(self) -> str:
        """Return the target that arms the order."""
        return f"match {self.command}"

    @property
    def sentence(self) -> str:
        """Return a sentence that says what Confirm will do."""
        asked = f"; {join_and(self.awaiting)} must agree" if self.awaiting else ""
        return f"{self.seat} {_predicate(self)}{asked}"


class OrderPreview(Struct, frozen=True):
    """An order, with the outcome if it were executed now."""

    order: CardOrder
    outcome: Changeset[AnyMatch] | Refused | Rejection


def card_command(target: str) -> CardCommand | None:
    """Return the command of a match card target, or None for any other target.

    >>> card_command("match undo"), card_command("space a6")
    ('undo', None)
    """
    kind, _, name = target.partition(" ")
    return next((each for each in CARD_COMMANDS if kind == "match" and each == name), None)


def _predicate(order: CardOrder) -> str:
    subject = f"to return to version {order.version}" if order.version else "to a draw"
    match order.command:
        case "undo":
            return f"takes back all moves after version {order.version}"
        case "redo":
            return f"redoes the moves up to version {order.version}"
        case "resign":
            return "resigns"
        case "draw":
            return "offers a draw"
        case "agree":
            return f"agrees {subject}"
        case "refuse":
            return f"declines {subject}"
        case "dispute":
            return f"disputes event {order.version}"
        case unreachable:
            assert_never(unreachable)
