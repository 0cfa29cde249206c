"""Taps that open thousands of actions: looked for first, and worked out before they are done."""

from domain.stylus.moments import Moment
from domain.stylus.taps import Hand, carry_over, show, tap


def takes_long(moment: Moment, hand: Hand, target: str = "") -> bool:
    """Does this tap, or what is shown of the hand if there is none, look at thousands of actions
    that nobody has looked at yet?"""
    if not moment.may_act:
        return False
    first = hand.picked[:1] or (moment.pointing.readings(target) if target else ())
    return any(map(moment.pointing.crowded, first))


def rehearse(moment: Moment, hand: Hand, target: str = "") -> None:
    """Have the moment know all that the tap asks of it, and what is shown then. In any thread."""
    hand = carry_over(moment, hand)
    show(moment, tap(moment, hand, target).hand if target else hand)
