"""The match card: what is asked of the match itself, beside the game, by a tap and Confirm.

A tap on the card arms a `CardOrder`, which says in full what it means as the match stands; Confirm
takes it. It is dropped by a tap on anything else, and when others change the match.
"""

from typing import Final, Literal, assert_never, get_args

from msgspec import Struct

from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset, Rejection
from domain.match.ledger import join_and
from domain.match.state import AnyMatch

CardCommand = Literal["undo", "redo", "resign", "draw", "agree", "refuse", "dispute"]
"""Take back, take up again, give up, offer a draw, answer what is asked for, question an event."""
CARD_COMMANDS: Final[tuple[CardCommand, ...]] = get_args(CardCommand)


class CardOrder(Struct, frozen=True, omit_defaults=True):
    """Something that is asked of the match itself."""

    command: CardCommand
    seat: str
    """Who asks or answers."""
    version: int = 0
    """Where the line is to go on, or the event that is disputed; 0 where there is neither."""
    awaiting: tuple[str, ...] = ()
    """Who will have to consent."""

    @property
    def label(self) -> str:
        """The target that arms it."""
        return f"match {self.command}"

    @property
    def sentence(self) -> str:
        """What Confirm will do."""
        asked = f"; {join_and(self.awaiting)} must agree" if self.awaiting else ""
        return f"{self.seat} {_does(self)}{asked}"


class OrderPreview(Struct, frozen=True):
    """An order, and what comes of it if it is taken now."""

    order: CardOrder
    outcome: Changeset[AnyMatch] | Refused | Rejection


def card_command(target: str) -> CardCommand | None:
    """What a target of the match card asks for; None for any other target.

    >>> command_of("match undo"), command_of("space a6")
    ('undo', None)
    """
    kind, _, name = target.partition(" ")
    return next((each for each in CARD_COMMANDS if kind == "match" and each == name), None)


def _does(order: CardOrder) -> str:
    what = f"to go on from version {order.version}" if order.version else "to a draw"
    match order.command:
        case "undo":
            return f"takes back what came after version {order.version}"
        case "redo":
            return f"takes up again what led to version {order.version}"
        case "resign":
            return "gives up"
        case "draw":
            return "offers a draw"
        case "agree":
            return f"agrees {what}"
        case "refuse":
            return f"refuses {what}"
        case "dispute":
            return f"disputes event {order.version}"
        case unreachable:
            assert_never(unreachable)
