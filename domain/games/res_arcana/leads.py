"""What an action was, and what became of it for who took it: the first sentence of an outcome."""

from collections.abc import Iterable, Mapping
from typing import Final

from domain.games.res_arcana.actions import (
    Action,
    Claim,
    Collect,
    Decline,
    Ignore,
    Leave,
    Lose,
    Pay,
    Place,
    Play,
    React,
    Skip,
    Turn,
    Use,
)
from domain.games.res_arcana.bundles import LIFE, NOTHING, Bundle, counts, in_words, total
from domain.games.res_arcana.card_faces import CardNames
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    ArtifactPlaced,
    CardClaimed,
    CardDiscarded,
    CardPicked,
    ComponentTurned,
    EssencesGained,
    EssencesLost,
    EssencesPaid,
    EssencesReturned,
    Fact,
    MageChosen,
    MageRevealed,
    SeatPassed,
    SeatResigned,
)
from domain.games.res_arcana.prompts import who
from domain.games.res_arcana.sentences import did, together
from domain.games.res_arcana.state import Losing, State, component, pack_of
from domain.kernel.game import ResolvedAction

_SAY: Final = ENGLISH.format

Done = ResolvedAction[Action, Fact]
Told = tuple[Fact, str]
"""A fact, and the essences that it has no field for, in words."""


_TOGETHER: Final = (CardDiscarded, CardPicked)
"""Facts whose cards are named together."""


def phrases_of(names: CardNames, told: Iterable[Told], it: str = "") -> list[str]:
    """What a seat did, one phrase after the other; gains are added up, and cards that went the
    same way are named together."""
    phrases: dict[object, str] = {}
    gained = NOTHING
    cards: dict[type, tuple[str, ...]] = {}
    for fact, what in told:
        if isinstance(fact, EssencesGained):
            gained = total(gained, fact.essences)
            phrases[EssencesGained] = did(names, EssencesGained(fact.seat, gained))
        elif isinstance(fact, _TOGETHER):
            kind = type(fact)
            cards[kind] = (*cards.get(kind, ()), fact.card)
            phrases[kind] = together(kind, cards[kind], names)
        elif phrase := did(names, fact, what, it):
            phrases[fact] = phrase
    # The others are what passing is about.
    passed = [phrases.pop(fact) for fact in [*phrases] if isinstance(fact, SeatPassed)]
    # A mage that is shown at once was no secret.
    shown = any(isinstance(fact, MageRevealed) for fact in phrases)
    secret = [fact for fact in phrases if shown and isinstance(fact, MageChosen)]
    return [*passed, *(phrase for fact, phrase in phrases.items() if fact not in secret)]


def row(phrases: list[str]) -> str:
    return ENGLISH.join_and(phrases)


_COSTS: Final = frozenset(
    (EssencesPaid, EssencesReturned, ComponentTurned, ArtifactDestroyed, CardDiscarded)
)
"""What using a power can cost: if there is nothing else, it had no effect."""


def _used(action: Use, seat: str, own: list[Told], names: CardNames, key: str = "") -> str:
    phrases = phrases_of(names, own, it=action.card)
    key = f"told.use{key}" if phrases else "told.use.alone"
    return _SAY(key, who=seat, card=names.the(action.card), did=row(phrases))


def used_up(action: Use, seat: str, own: list[Told], names: CardNames) -> str:
    """A power that was used with nothing to show for it but perhaps what its user did."""
    vain = all(type(fact) in _COSTS for fact, _ in own)
    return _used(action, seat, own, names, ".vain" if vain else "")


def lead(before: State, happening: Done, own: list[Told], names: CardNames) -> str:
    """What the action was, and what became of it for who took it."""
    action, seat = happening.action, who(happening.seat)
    match action:
        case Use():
            return _used(action, seat, own, names)
        case React(card):
            phrases = [*phrases_of(names, own, it=card), *_prevented(before, names)]
            key = "told.react" if phrases else "told.react.alone"
            return _SAY(key, who=seat, card=names.the(card), did=row(phrases))
        case Ignore():
            phrases = [*phrases_of(names, own), *_prevented(before, names)]
            return _SAY("did", who=seat, did=row(phrases))
        case Play() | Place() | Claim() | Collect() | Pay() | Turn() | Lose():
            return _of_one_card(before, happening, own, names)
        case Leave(card):
            told = _SAY("told.leave", who=seat, what=_on(before, card), card=names.the(card))
        case Decline():
            told = _SAY("told.decline", who=seat)
        case Skip():
            told = _SAY("told.skip", who=seat)
        case None:
            # What a seat that gives up had still to choose is settled for it, and is not its doing.
            gave_up = [each for each in own if isinstance(each[0], SeatResigned)]
            return _SAY("did", who=seat, did=row(phrases_of(names, gave_up)))
        case _:
            phrases = phrases_of(names, own)
            return _SAY("did", who=seat, did=row(phrases)) if phrases else ""
    return _also(told, phrases_of(names, own, it=getattr(action, "card", "")))


def _also(told: str, phrases: list[str]) -> str:
    return _SAY("told.also", told=told, did=row(phrases)) if phrases else told


def _prevented(before: State, names: CardNames) -> list[str]:
    """What somebody who reacts, or pays to ignore a loss, does not lose."""
    step = before.queue[0]
    if not isinstance(step, Losing):
        return []
    return [_SAY("told.prevents", n=step.n, card=names.the(step.card))]


def _on(state: State, card: str) -> str:
    """What lies on a component, whoever has it."""
    found = (component(area, card) for area in state.areas)
    own = next((each for each in found if each is not None), None)
    return in_words(own.on) if own else _SAY("told.essences")


OfOneCard = Play | Place | Claim | Collect | Pay | Turn | Lose
_ABSORBED: Final[Mapping[type[OfOneCard], tuple[type, ...]]] = {
    Play: (EssencesPaid, ArtifactPlaced),
    Place: (EssencesPaid, ArtifactPlaced),
    Claim: (EssencesPaid, CardClaimed),
    Collect: (EssencesGained,),
    Pay: (EssencesPaid,),
    Turn: (ComponentTurned,),
    Lose: (EssencesLost,),
}
"""The facts that the words for an action tell: the first of each of these."""


def _of_one_card(before: State, happening: Done, own: list[Told], names: CardNames) -> str:
    """An action whose card and price are in its words; what followed besides comes after them."""
    action = happening.action
    assert isinstance(action, OfOneCard), "the others have words of their own"
    facts: dict[type, Fact] = {}
    left: list[Told] = []
    for each in own:
        kind = type(each[0])
        if kind in _ABSORBED[type(action)] and kind not in facts:
            facts[kind] = each[0]
        else:
            left.append(each)
    key, values = _priced(before, action, facts, names)
    told = _SAY(key, who=who(happening.seat), **values)
    return _also(told, phrases_of(names, left, it=getattr(action, "card", "")))


def _priced(
    before: State, action: OfOneCard, facts: Mapping[type, Fact], names: CardNames
) -> tuple[str, dict[str, str]]:
    """The key of the words for such an action, and what they name."""
    paid, placed, claimed, lost = (
        facts.get(kind) for kind in (EssencesPaid, ArtifactPlaced, CardClaimed, EssencesLost)
    )
    essences = paid.essences if isinstance(paid, EssencesPaid) else NOTHING
    values = {"what": in_words(essences), "card": names.the(getattr(action, "card", ""))}
    free = "" if essences != NOTHING else ".free"
    match action:
        case Play():
            return f"told.play{free}", values
        case Place():
            whose = placed.discard_of if isinstance(placed, ArtifactPlaced) else None
            key = "told.place.discard" if whose else "told.place"
            return f"{key}{free}", {**values, "whose": who(whose or "")}
        case Claim():
            card = claimed.card if isinstance(claimed, CardClaimed) else action.card
            top = ".top" if isinstance(claimed, CardClaimed) and claimed.where == "top" else ""
            return f"told.claim{top}", {**values, "card": names.the(card)}
        case Collect(essences=mix):
            return "told.collect", {**values, "what": in_words(mix)}
        case Pay():
            return "told.pay", values
        case Turn(card):
            upkeep = pack_of(before).cards[card].upkeep
            return "told.turn", {**values, "what": in_words(upkeep.pay if upkeep else NOTHING)}
        case Lose():
            return _lost(
                before, lost.essences if isinstance(lost, EssencesLost) else NOTHING, names
            )


def _lost(before: State, essences: Bundle, names: CardNames) -> tuple[str, dict[str, str]]:
    step = before.queue[0]
    card = names.the(step.card) if isinstance(step, Losing) else _SAY("nothing")
    others = sum(counts(essences)) - counts(essences)[LIFE]
    key = "told.lose.others" if others else "told.lose"
    return key, {"what": in_words(essences), "card": card}
