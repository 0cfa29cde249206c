"""What happened, with everything taken out that a viewer may not know.

A card that is to stay unknown reads `?`. The number of facts and of cards is open, so facts keep
their places and rulings point at the right ones. Rulings name no card that is not open to all.
"""

from msgspec.structs import replace

from domain.games.res_arcana.actions import (
    Action,
    ChooseMage,
    Deal,
    Keep,
    Next,
    Order,
    Pick,
)
from domain.games.res_arcana.facts import (
    CardClaimed,
    CardDealt,
    CardPicked,
    CardsDrawn,
    CardShuffled,
    CardsKept,
    CardsOrdered,
    Fact,
    MageChosen,
    MonumentRevealed,
    MonumentStacked,
    StepsQueued,
)
from domain.games.res_arcana.state import HIDDEN, OMNISCIENT, Ordering
from domain.kernel.game import ResolvedAction


def redact(happening: ResolvedAction[Action, Fact], viewer: str) -> ResolvedAction[Action, Fact]:
    """The happening as this viewer may know it: a seat, `spectator`, `table` or `referee`."""
    if viewer in OMNISCIENT:
        return happening
    return replace(
        happening,
        action=_redact_action(happening, viewer),
        facts=tuple([redact_fact(fact, viewer) for fact in happening.facts]),
    )


def _redact_action(happening: ResolvedAction[Action, Fact], viewer: str) -> Action:
    match happening.action:
        case Pick() | ChooseMage() as action:
            return action if viewer == happening.seat else replace(action, card=HIDDEN)
        case Keep():
            if viewer == happening.seat:
                return happening.action
            return Keep((HIDDEN, HIDDEN, HIDDEN))
        case Order(cards):
            if viewer == happening.seat:
                return happening.action
            return Order((HIDDEN,) * len(cards))
        case Next():
            return Next(HIDDEN)
        case Deal():
            dealt = next((f for f in happening.facts if isinstance(f, CardDealt)), None)
            known = dealt is not None and dealt.seat == viewer
            return happening.action if known else Deal(HIDDEN)
        case _:
            return happening.action


def redact_fact(fact: Fact, viewer: str) -> Fact:
    """A fact as this viewer, who does not see everything, may know it."""
    match fact:
        case CardShuffled() | MonumentStacked():
            return replace(fact, card=HIDDEN)
        case CardDealt() | CardPicked() | MageChosen():
            return fact if fact.seat == viewer else replace(fact, card=HIDDEN)
        case CardsKept(cards=cards) | CardsDrawn(cards=cards) | CardsOrdered(cards=cards):
            return fact if fact.seat == viewer else replace(fact, cards=(HIDDEN,) * len(cards))
        case _:
            return fact


def reveals(fact: Fact) -> bool:
    """Does this fact settle or show something that was hidden from somebody?

    Whoever undoes it, or is shown it before it is so, learns what chance or a rival holds.
    """
    match fact:
        case CardClaimed(where=where):
            return where == "top"
        case _:
            return isinstance(fact, _REVEALING) or _is_look(fact)


def probes(fact: Fact, options: object) -> bool:
    """Does a seat learn from this fact which cards lie on top of a deck? It looks at them as soon
    as it is to put them in order."""
    del options
    return _is_look(fact)


def _is_look(fact: Fact) -> bool:
    return isinstance(fact, StepsQueued) and any(isinstance(s, Ordering) for s in fact.steps)


_REVEALING = (
    MonumentStacked,
    MonumentRevealed,
    CardDealt,
    CardPicked,
    CardsKept,
    CardShuffled,
    MageChosen,
    CardsDrawn,
    CardsOrdered,
)
