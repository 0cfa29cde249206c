"""What became true. Facts are stored for ever: their tags and fields are a storage format.

A card is named where it is known; veiled for a viewer who may not know it, it reads `?`.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.games.res_arcana.bundles import Bundle
from domain.games.res_arcana.state import CardId, Question, Seat, Waiting

# --- set-up --------------------------------------------------------------------------------------


class PlaceShown(Struct, frozen=True, gc=False, tag="res-arcana.place-shown"):
    """A place of power lies among those that can be claimed."""

    card: CardId


class MonumentStacked(Struct, frozen=True, gc=False, tag="res-arcana.monument-stacked"):
    """A monument went to the bottom of the monument deck."""

    card: CardId


class MonumentRevealed(Struct, frozen=True, gc=False, tag="res-arcana.monument-revealed"):
    """The top of the monument deck lies in the row."""

    card: CardId


class CardDealt(Struct, frozen=True, gc=False, tag="res-arcana.card-dealt"):
    """A seat was dealt a card."""

    seat: Seat
    card: CardId
    to: Literal["mages", "hand", "pack"]


class CardPicked(Struct, frozen=True, gc=False, tag="res-arcana.card-picked"):
    """A seat kept a card of its draft pack."""

    seat: Seat
    card: CardId


class PacksPassed(Struct, frozen=True, gc=False, tag="res-arcana.packs-passed"):
    """Every draft pack went to the next seat clockwise."""


class CardsKept(Struct, frozen=True, gc=False, tag="res-arcana.cards-kept"):
    """A seat kept these as its hand; the others are about to be shuffled."""

    seat: Seat
    cards: tuple[CardId, ...]


class CardsGathered(Struct, frozen=True, gc=False, tag="res-arcana.cards-gathered"):
    """A seat's artifacts are about to be shuffled."""

    seat: Seat


class CardShuffled(Struct, frozen=True, gc=False, tag="res-arcana.card-shuffled"):
    """A card of a pile went to the bottom of a seat's deck."""

    seat: Seat
    pile: Literal["pack", "discard"]
    card: CardId


class SetupSettled(Struct, frozen=True, gc=False, tag="res-arcana.setup-settled"):
    """The draft, or the coming about of hands, is over."""

    what: Literal["draft", "hand"]


class MageChosen(Struct, frozen=True, gc=False, tag="res-arcana.mage-chosen"):
    """A seat chose its mage, in secret."""

    seat: Seat
    card: CardId


class MageRevealed(Struct, frozen=True, gc=False, tag="res-arcana.mage-revealed"):
    """A seat's mage lies on its table; the other left the game."""

    seat: Seat
    card: CardId


class ItemTaken(Struct, frozen=True, gc=False, tag="res-arcana.item-taken"):
    """A seat took a magic item from the supply."""

    seat: Seat
    card: CardId


# --- essences ------------------------------------------------------------------------------------


class EssencesGained(Struct, frozen=True, gc=False, tag="res-arcana.essences-gained"):
    """Essences came from the supply to a seat's pool."""

    seat: Seat
    essences: Bundle


class EssencesPaid(Struct, frozen=True, gc=False, tag="res-arcana.essences-paid"):
    """A seat paid essences of its pool."""

    seat: Seat
    essences: Bundle


class EssencesLost(Struct, frozen=True, gc=False, tag="res-arcana.essences-lost"):
    """A seat lost essences of its pool."""

    seat: Seat
    essences: Bundle


class EssencesPut(Struct, frozen=True, gc=False, tag="res-arcana.essences-put"):
    """Essences came from the supply onto a seat's component."""

    seat: Seat
    card: CardId
    essences: Bundle


class EssencesTaken(Struct, frozen=True, gc=False, tag="res-arcana.essences-taken"):
    """All essences on a component went to its seat's pool."""

    seat: Seat
    card: CardId


class EssencesReturned(Struct, frozen=True, gc=False, tag="res-arcana.essences-returned"):
    """Essences on a component went to the supply."""

    seat: Seat
    card: CardId
    essences: Bundle


# --- cards ---------------------------------------------------------------------------------------


class ComponentTurned(Struct, frozen=True, gc=False, tag="res-arcana.component-turned"):
    """A component was turned."""

    seat: Seat
    card: CardId


class ComponentStraightened(Struct, frozen=True, gc=False, tag="res-arcana.component-straightened"):
    """A turned component was straightened."""

    seat: Seat
    card: CardId


class ArtifactPlaced(
    Struct, frozen=True, gc=False, omit_defaults=True, tag="res-arcana.artifact-placed"
):
    """A seat placed an artifact from its hand, or from somebody's discard pile."""

    seat: Seat
    card: CardId
    discard_of: Seat | None = None


class CardClaimed(Struct, frozen=True, gc=False, tag="res-arcana.card-claimed"):
    """A seat claimed a monument or a place of power."""

    seat: Seat
    card: CardId
    where: Literal["row", "top", "places"]


class CardDiscarded(Struct, frozen=True, gc=False, tag="res-arcana.card-discarded"):
    """A card went from a seat's hand to its discard pile."""

    seat: Seat
    card: CardId


class ArtifactDestroyed(Struct, frozen=True, gc=False, tag="res-arcana.artifact-destroyed"):
    """An artifact went from a seat's table to its discard pile, what was on it to the supply."""

    seat: Seat
    card: CardId


class CardsDrawn(Struct, frozen=True, gc=False, tag="res-arcana.cards-drawn"):
    """A seat drew these, the top of its deck."""

    seat: Seat
    cards: tuple[CardId, ...]


class CardsOrdered(Struct, frozen=True, gc=False, tag="res-arcana.cards-ordered"):
    """A seat put the cards it had looked at back in this order."""

    seat: Seat
    pile: Literal["deck", "monuments"]
    cards: tuple[CardId, ...]


class ItemSwapped(Struct, frozen=True, gc=False, tag="res-arcana.item-swapped"):
    """A seat gave its magic item back and took another."""

    seat: Seat
    gave: CardId
    took: CardId


# --- the course of play --------------------------------------------------------------------------


class TokenTaken(Struct, frozen=True, gc=False, tag="res-arcana.token-taken"):
    """A seat has the starting player token."""

    seat: Seat


class RoundBegan(Struct, frozen=True, gc=False, tag="res-arcana.round-began"):
    """A round began: everybody is in, every component straight."""

    round: Annotated[int, Meta(ge=1)]


class QuestionsAsked(Struct, frozen=True, gc=False, tag="res-arcana.questions-asked"):
    """A seat has these questions to answer in the collect phase."""

    seat: Seat
    questions: tuple[Question, ...]


class QuestionAnswered(Struct, frozen=True, gc=False, tag="res-arcana.question-answered"):
    """The first of a seat's questions is answered."""

    seat: Seat


class TurnBegan(Struct, frozen=True, gc=False, tag="res-arcana.turn-began"):
    """It is this seat's action."""

    seat: Seat


class TurnsEnded(Struct, frozen=True, gc=False, tag="res-arcana.turns-ended"):
    """Phase 2 is over."""


class SeatPassed(Struct, frozen=True, gc=False, tag="res-arcana.seat-passed"):
    """A seat is out for this round."""

    seat: Seat


class SeatResigned(Struct, frozen=True, gc=False, tag="res-arcana.seat-resigned"):
    """A seat gave up: it is out of the game, and what was asked of it is asked no more."""

    seat: Seat


class StepsQueued(Struct, frozen=True, gc=False, tag="res-arcana.steps-queued"):
    """These come before what already waited."""

    steps: tuple[Waiting, ...]


class StepDone(Struct, frozen=True, gc=False, tag="res-arcana.step-done"):
    """The first step is done."""


class PointsAdded(Struct, frozen=True, gc=False, tag="res-arcana.points-added"):
    """A seat has more points in this check."""

    seat: Seat
    points: int


class CheckMovedOn(Struct, frozen=True, gc=False, tag="res-arcana.check-moved-on"):
    """The next seat may react to the check."""


class GameEnded(Struct, frozen=True, gc=False, tag="res-arcana.game-ended"):
    """The game is over. Points and essences, gold counted twice, by seat in order."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    essences: tuple[int, ...]


SetupFact = (
    PlaceShown
    | MonumentStacked
    | MonumentRevealed
    | CardDealt
    | CardPicked
    | PacksPassed
    | CardsKept
    | CardsGathered
    | CardShuffled
    | SetupSettled
    | MageChosen
    | MageRevealed
    | ItemTaken
)
EssenceFact = (
    EssencesGained | EssencesPaid | EssencesLost | EssencesPut | EssencesTaken | EssencesReturned
)
CardFact = (
    ComponentTurned
    | ComponentStraightened
    | ArtifactPlaced
    | CardClaimed
    | CardDiscarded
    | ArtifactDestroyed
    | CardsDrawn
    | CardsOrdered
    | ItemSwapped
)
CourseFact = (
    TokenTaken
    | RoundBegan
    | QuestionsAsked
    | QuestionAnswered
    | TurnBegan
    | TurnsEnded
    | SeatPassed
    | SeatResigned
    | StepsQueued
    | StepDone
    | PointsAdded
    | CheckMovedOn
    | GameEnded
)
Fact = SetupFact | EssenceFact | CardFact | CourseFact
