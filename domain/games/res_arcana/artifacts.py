"""Artifacts out of the hand or a discard pile: played, placed by a power, discarded."""

from collections.abc import Iterator

from domain.games.res_arcana.actions import Decline, Discard, Place, Play
from domain.games.res_arcana.bundles import GOLD, NOTHING, Bundle, counts, holds, in_words, mixes
from domain.games.res_arcana.card_words import cost_text, pile_text, sort_text, spoken
from domain.games.res_arcana.facts import (
    ArtifactPlaced,
    CardDiscarded,
    EssencesGained,
    EssencesPaid,
    StepDone,
)
from domain.games.res_arcana.payments import discount_for, payments, pays, struck
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import Area, Placing, Seat, State, area_of, pack_of
from domain.games.res_arcana.vocabulary import Artifact, PlaceArtifact
from domain.kernel.rulings import Figures, Refused

DISCARD_GAINS: tuple[Bundle, ...] = ("1g", *mixes(2, "elcd"))
"""What discarding an artifact can bring."""


# --- play ----------------------------------------------------------------------------------------


def plays(state: State, area: Area) -> Iterator[Iterator[Play]]:
    """For each artifact in hand, every way to pay for it."""
    return (_plays_of(state, area, card) for card in area.hand)


def _plays_of(state: State, area: Area, card: str) -> Iterator[Play]:
    artifact = pack_of(state).artifacts[card]
    less = discount_for(state, area, artifact)
    return (Play(card, payment) for payment in payments(area.pool, artifact.cost, less))


def refuse_play(state: State, area: Area, action: Play) -> Refused | None:
    """Why this seat cannot play that artifact so."""
    if action.card not in area.hand:
        return refused("ra.play.hand", "hand", card=named(state, action.card))
    if not holds(area.pool, action.essences):
        return not_afforded(area, action.essences)
    artifact = pack_of(state).artifacts[action.card]
    less = discount_for(state, area, artifact)
    if pays(action.essences, artifact.cost, less):
        return None
    return _not_the_cost("ra.play.cost", artifact, less, action.essences)


def refuse_every_play(state: State, area: Area, card: str) -> Refused | None:
    """Return why an artifact in the hand cannot be paid for, or None if it can."""
    if next(_plays_of(state, area, card), None) is not None:
        return None
    artifact = pack_of(state).artifacts[card]
    less = discount_for(state, area, artifact)
    figures: Figures = {"cost": artifact.cost, "discount": less, "pool": area.pool}
    cost, pool = spoken(cost_text(artifact.cost)), in_words(area.pool)
    why = "cost.pool.less" if less else "cost.pool"
    return refused("ra.play.cost", why, figures, card=artifact.name, cost=cost, n=less, pool=pool)


def not_afforded(area: Area, essences: Bundle) -> Refused:
    """The refusal of a payment that the pool does not hold."""
    figures: Figures = {"pool": area.pool, "payment": essences}
    held, wanted = in_words(area.pool), in_words(essences)
    return refused("ra.pay.afford", "afford", figures, pool=held, what=wanted)


def _not_the_cost(rule: str, artifact: Artifact, less: int, essences: Bundle) -> Refused:
    figures: Figures = {"cost": artifact.cost, "discount": less, "payment": essences}
    cost, paid = spoken(cost_text(artifact.cost)), in_words(essences)
    why = "cost.less" if less else "cost"
    return refused(rule, why, figures, card=artifact.name, cost=cost, n=less, what=paid)


def play(course: Resolution, seat: Seat, action: Play) -> None:
    """Pay, and place the artifact."""
    state = course.state
    artifact = pack_of(state).artifacts[action.card]
    less = discount_for(state, area_of(state, seat), artifact)
    _pay(course, seat, artifact, action.essences, less, "ra.play.cost")
    placed = ArtifactPlaced(seat, action.card)
    course.record(placed, "ra.play.hand", "ra.play.place", component=action.card)


def _pay(
    course: Resolution, seat: Seat, artifact: Artifact, essences: Bundle, less: int, rule: str
) -> None:
    figures: Figures = {"cost": artifact.cost, "discount": less, "payment": essences}
    rules = (rule, "ra.discount") if less else (rule,)
    if less:
        figures["struck"] = struck(artifact.cost, less)
    if essences == NOTHING:
        course.explain(*rules, **figures)
    else:
        course.record(EssencesPaid(seat, essences), *rules, **figures)


# --- discard -------------------------------------------------------------------------------------


def discards(area: Area) -> Iterator[Iterator[Discard]]:
    """For each artifact in hand, everything that discarding it can bring."""
    return ((Discard(card, gained) for gained in DISCARD_GAINS) for card in area.hand)


def refuse_discard(state: State, area: Area, action: Discard) -> Refused | None:
    """Why this seat cannot discard that card for these."""
    if action.card not in area.hand:
        return refused("ra.discard.hand", "hand", card=named(state, action.card))
    gained = counts(action.essences)
    if action.essences == "1g" or (sum(gained) == 2 and not gained[GOLD]):
        return None
    return refused("ra.discard.gain", "discard")


def discard(course: Resolution, seat: Seat, action: Discard) -> None:
    """Discard, and gain."""
    course.record(CardDiscarded(seat, action.card), "ra.discard.hand", card=action.card)
    course.record(EssencesGained(seat, action.essences), "ra.discard.gain", gained=action.essences)


# --- place by a power ----------------------------------------------------------------------------


def placing_of(state: State, step: Placing) -> PlaceArtifact:
    """The effect that asks."""
    power = pack_of(state).cards[step.card].power[step.power - 1]
    return next(effect for effect in power.do if isinstance(effect, PlaceArtifact))


def placeable(state: State, step: Placing) -> tuple[tuple[str, Seat | None], ...]:
    """The artifacts of the piles and the type that a power names, and whose discard they are in."""
    effect = placing_of(state, step)
    artifacts = pack_of(state).artifacts
    own = area_of(state, step.seat)
    found: list[tuple[str, Seat | None]]
    match effect.place:
        case "hand":
            found = [(card, None) for card in own.hand]
        case "discard":
            found = [(card, own.seat) for card in own.discard]
        case "any-discard":
            found = [(card, area.seat) for area in state.areas for card in area.discard]
    return tuple(
        (card, whose)
        for card, whose in found
        if effect.type is None or effect.type in artifacts[card].type
    )


def _less(state: State, step: Placing, artifact: Artifact) -> int:
    own = area_of(state, step.seat)
    return discount_for(state, own, artifact) + placing_of(state, step).less


def places(state: State, step: Placing) -> Iterator[Iterator[Place | Decline]]:
    """For each artifact that can be placed every way to pay for it, and to decline."""
    pool = area_of(state, step.seat).pool
    for card, _ in placeable(state, step):
        yield _places_of(state, step, card, pool)
    yield iter((Decline(),))


def _places_of(state: State, step: Placing, card: str, pool: Bundle) -> Iterator[Place]:
    if placing_of(state, step).free:
        return iter((Place(card, NOTHING),))
    artifact = pack_of(state).artifacts[card]
    less = _less(state, step, artifact)
    return (Place(card, payment) for payment in payments(pool, artifact.cost, less))


def refuse_place(state: State, step: Placing, action: Place) -> Refused | None:
    """Why this artifact cannot be placed so by the power that asks."""
    effect = placing_of(state, step)
    if action.card not in [card for card, _ in placeable(state, step)]:
        sort, pile = sort_text(effect), pile_text(effect)
        card = named(state, action.card)
        return refused("ra.place.card", "place", card=card, sort=spoken(sort), pile=pile)
    artifact = pack_of(state).artifacts[action.card]
    area = area_of(state, step.seat)
    if effect.free:
        if action.essences == NOTHING:
            return None
        return refused("ra.place.pay", "free")
    less = _less(state, step, artifact)
    if not pays(action.essences, artifact.cost, less):
        return _not_the_cost("ra.place.pay", artifact, less, action.essences)
    if not holds(area.pool, action.essences):
        figures: Figures = {"pool": area.pool, "payment": action.essences}
        return refused("ra.place.pay", "pool", figures, pool=in_words(area.pool))
    return None


def place(course: Resolution, step: Placing, action: Place | Decline) -> None:
    """Place it, or nothing."""
    state = course.state
    course.record(StepDone())
    if isinstance(action, Decline):
        course.explain("ra.use.effect", placed="nothing")
        return
    artifact = pack_of(state).artifacts[action.card]
    less = 0 if placing_of(state, step).free else _less(state, step, artifact)
    _pay(course, step.seat, artifact, action.essences, less, "ra.place.pay")
    whose = dict(placeable(state, step))[action.card]
    placed = ArtifactPlaced(step.seat, action.card, whose)
    course.record(placed, "ra.place.card", "ra.play.place", component=action.card)
