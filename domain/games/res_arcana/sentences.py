"""Facts as sentences, and steps as what a seat is asked."""

from typing import assert_never

from domain.games.res_arcana.bundles import in_words, types_in_words
from domain.games.res_arcana.card_words import the
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    ArtifactPlaced,
    CardClaimed,
    CardDealt,
    CardDiscarded,
    CardFact,
    CardPicked,
    CardsDrawn,
    CardsGathered,
    CardShuffled,
    CardsKept,
    CardsOrdered,
    CheckMovedOn,
    ComponentStraightened,
    ComponentTurned,
    CourseFact,
    EssenceFact,
    EssencesGained,
    EssencesLost,
    EssencesPaid,
    EssencesPut,
    EssencesReturned,
    EssencesTaken,
    Fact,
    GameEnded,
    ItemSwapped,
    ItemTaken,
    MageChosen,
    MageRevealed,
    MonumentRevealed,
    MonumentStacked,
    PacksPassed,
    PlaceShown,
    PointsAdded,
    QuestionAnswered,
    QuestionsAsked,
    RoundBegan,
    SeatPassed,
    SeatResigned,
    SetupFact,
    SetupSettled,
    StepDone,
    StepsQueued,
    TokenTaken,
    TurnBegan,
    TurnsEnded,
)
from domain.games.res_arcana.state import (
    HIDDEN,
    Acting,
    Checking,
    Choosing,
    ChoosingItem,
    Collecting,
    Drawing,
    Dropping,
    Entering,
    Gaining,
    GainingSame,
    Looking,
    Losing,
    Ordering,
    Over,
    Placing,
    Putting,
    Revealing,
    Shuffling,
    Waiting,
)


def tell(fact: Fact) -> str:
    """A fact as a sentence."""
    if isinstance(fact, EssenceFact):
        return _tell_essences(fact)
    if isinstance(fact, CourseFact):
        return _tell_course(fact)
    if isinstance(fact, CardFact):
        return _tell_cards(fact)
    return _tell_setup(fact)


def _cards(cards: tuple[str, ...]) -> str:
    if HIDDEN in cards:
        return "a card" if len(cards) == 1 else f"{len(cards)} cards"
    return ", ".join(the(card) for card in cards)


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tell_setup(fact: SetupFact) -> str:
    match fact:
        case PlaceShown(card):
            return f"{the(card)} is among the places of power."
        case MonumentStacked(card):
            return f"{_begin(the(card))} goes to the bottom of the monument deck."
        case MonumentRevealed(card):
            return f"{the(card)} lies face up among the monuments."
        case CardDealt(seat, card, to):
            where = {"mages": "as a mage", "hand": "", "pack": "into the draft pack"}[to]
            return f"{seat.title()} is dealt {the(card)} {where}".rstrip() + "."
        case CardPicked(seat, card):
            return f"{seat.title()} keeps {the(card)} of the draft pack."
        case PacksPassed():
            return "The draft packs go to the next seat clockwise."
        case CardsKept(seat, cards):
            return f"{seat.title()} keeps {_cards(cards)} as the hand."
        case CardsGathered(seat):
            return f"{seat.title()}'s artifacts are about to be shuffled."
        case CardShuffled(seat, _, card):
            return f"{_begin(the(card))} goes to the bottom of {seat.title()}'s deck."
        case SetupSettled(what):
            return "The draft is over." if what == "draft" else "All have a hand and a deck."
        case MageChosen(seat, card):
            return f"{seat.title()} chooses {'a mage' if card == HIDDEN else the(card)} in secret."
        case MageRevealed(seat, card):
            return f"{seat.title()} is the {the(card)}."
        case ItemTaken(seat, card):
            return f"{seat.title()} takes {the(card)}."
        case _:
            assert_never(fact)


def _tell_essences(fact: EssenceFact) -> str:
    who = fact.seat.title()
    match fact:
        case EssencesGained(essences=essences):
            return f"{who} gains {in_words(essences)}."
        case EssencesPaid(essences=essences):
            return f"{who} pays {in_words(essences)}."
        case EssencesLost(essences=essences):
            return f"{who} loses {in_words(essences)}."
        case EssencesPut(card=card, essences=essences):
            return f"{in_words(essences)} go onto {who}'s {the(card)}."
        case EssencesTaken(card=card):
            return f"{who} takes all essences off {the(card)}."
        case EssencesReturned(card=card, essences=essences):
            return f"{in_words(essences)} on {who}'s {the(card)} go to the supply."
        case _:
            assert_never(fact)


def _tell_cards(fact: CardFact) -> str:
    who = fact.seat.title()
    match fact:
        case ComponentTurned(card=card):
            return f"{who}'s {the(card)} is turned."
        case ComponentStraightened(card=card):
            return f"{who}'s {the(card)} is straightened."
        case ArtifactPlaced(card=card, discard_of=whose):
            origin = "the hand" if whose is None else f"{whose.title()}'s discard pile"
            return f"{who} places {the(card)} from {origin}."
        case CardClaimed(card=card, where=where):
            top = ", the top of the monument deck" if where == "top" else ""
            return f"{who} claims {the(card)}{top}."
        case CardDiscarded(card=card):
            return f"{who} discards {the(card)}."
        case ArtifactDestroyed(card=card):
            return f"{who}'s {the(card)} is destroyed."
        case CardsDrawn(cards=cards):
            return f"{who} draws {_cards(cards)}."
        case CardsOrdered(pile=pile, cards=cards):
            deck = "the monument deck" if pile == "monuments" else "the own deck"
            return f"{who} puts {_cards(cards)} back on top of {deck}."
        case ItemSwapped(gave=gave, took=took):
            return f"{who} swaps {the(gave)} for {the(took)}."
        case _:
            assert_never(fact)


def _tell_course(fact: CourseFact) -> str:
    match fact:
        case TokenTaken(seat):
            return f"{seat.title()} has the first player token."
        case RoundBegan(number):
            return f"Round {number} begins: all are in, and every component is straight."
        case QuestionsAsked(seat, questions):
            cards = ", ".join(dict.fromkeys(the(question.card) for question in questions))
            return f"{seat.title()} has to say what to collect: {cards}."
        case QuestionAnswered(seat):
            return f"{seat.title()} has answered a question."
        case TurnBegan(seat):
            return f"It is {seat.title()}'s turn to act."
        case TurnsEnded():
            return "All have passed: points are counted."
        case SeatPassed(seat):
            return f"{seat.title()} passes."
        case SeatResigned(seat):
            return f"{seat.title()} gives up, and is out of the game."
        case StepsQueued(steps):
            return _begin("; ".join(want(step) for step in steps)) + "."
        case StepDone():
            return "That is done."
        case PointsAdded(seat, points):
            return f"{seat.title()} has {points} points more in this check."
        case CheckMovedOn():
            return "No more reaction of this seat to the check."
        case GameEnded(winners, points, _):
            won = " and ".join(seat.title() for seat in winners)
            return f"The game is over: {won} won, with {max(points)} points."
        case _:
            assert_never(fact)


def want(step: Waiting) -> str:
    """What is asked, or to be done, in this step."""
    match step:
        case Entering() | Choosing() | ChoosingItem() | Shuffling():
            return _want_of_setup(step)
        case Collecting():
            return "seats say what they collect"
        case Acting():
            return "an action"
        case Gaining(seat, n, of):
            return f"{seat} gains {n} of {types_in_words(of)}"
        case GainingSame(seat, n, of):
            return f"{seat} gains {n} of one type, {types_in_words(of)}"
        case Putting(seat, card, n, of):
            return f"{seat} puts {n} of {types_in_words(of)} onto {the(card)}"
        case Placing(seat, card, _):
            return f"{seat} may place an artifact by {the(card)}"
        case Drawing(seat, n, then):
            drop = ", and discards as many" if then == "drop" else ""
            return f"{seat} draws {n}{drop}"
        case Dropping(seat, n):
            return f"{seat} discards {n} of the hand"
        case Looking(seat, pile, n):
            return f"{seat} looks at the top {n} of {_deck(pile)}"
        case Ordering(seat, pile, n):
            return f"{seat} puts the top {n} of {_deck(pile)} back in any order"
        case Losing(seat, n, card, _):
            return f"{seat} loses {n} life to {the(card)}, or ignores it"
        case Revealing():
            return "the row of monuments is refilled"
        case Checking():
            return "a victory check: seats may react"
        case Over():
            return "the game is over"
        case _:
            assert_never(step)


def _deck(pile: str) -> str:
    return "the monument deck" if pile == "monuments" else "the own deck"


def _want_of_setup(step: Entering | Choosing | ChoosingItem | Shuffling) -> str:
    match step:
        case Entering(what):
            return {
                "first": "the first player is drawn",
                "sides": "the side of each place of power is drawn",
                "monuments": "the monuments are shuffled",
                "mages": "two mages are dealt to each seat",
                "artifacts": "eight artifacts are dealt to each seat",
                "deal": "four artifacts are dealt to each seat",
            }[what]
        case Choosing(what):
            return {
                "draft": "each seat keeps a card of its draft pack",
                "keep": "each seat keeps three cards as its hand",
                "mage": "each seat chooses its mage",
            }[what]
        case ChoosingItem():
            return "seats take a magic item, one after another"
        case Shuffling(seat, pile):
            whose = "artifacts are" if pile == "pack" else "discard pile is"
            return f"{seat}'s {whose} shuffled"
        case _:
            assert_never(step)
