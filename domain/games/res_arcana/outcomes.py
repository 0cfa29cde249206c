"""What happened, told whole: an outcome in one to three sentences, and a sentence for each fact.

Names of cards come from the happening, which is veiled, and from what lies open on tables; never
from hands or decks, which have stand-ins in a state as a viewer knows it.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from textwrap import shorten
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
from domain.games.res_arcana.card_faces import CardNames, names_of
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    ArtifactPlaced,
    CardClaimed,
    CardDiscarded,
    CardShuffled,
    ComponentTurned,
    EssencesGained,
    EssencesLost,
    EssencesPaid,
    EssencesTaken,
    Fact,
    GameEnded,
    MonumentRevealed,
    QuestionsAsked,
    RoundBegan,
    SeatPassed,
    StepsQueued,
    TurnBegan,
    TurnsEnded,
)
from domain.games.res_arcana.prompts import waiting, who, won
from domain.games.res_arcana.sentences import UNTOLD, clause, did, sentence
from domain.games.res_arcana.state import (
    TO_WIN,
    Losing,
    Over,
    State,
    area_of,
    component,
    pack_of,
)
from domain.kernel.game import Happening
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration

_SAY: Final = ENGLISH.say
LONGEST: Final = 240
"""Characters of an outcome."""

Done = Happening[Action, Fact]
Told = tuple[Fact, str]
"""A fact, and the essences that it has no field for, in words."""
_ENDS: Final = (TurnsEnded, RoundBegan, GameEnded)
_ASIDE: Final = (TurnBegan, QuestionsAsked, CardShuffled, MonumentRevealed)
"""Facts that are no seat's doing here, or told by what is asked next."""


def tell(before: State, happening: Done, after: State) -> Narration:
    """What happened, as whoever knows these states and this happening may know it."""
    names = names_of(pack_of(after))
    told = list(zip(happening.facts, _unsaid(before, happening), strict=True))
    facts = tuple([_fact(names, each, after) for each in told])
    return Narration(_outcome(before, happening, after, told), facts)


def _fact(names: CardNames, told: Told, after: State) -> str:
    fact, what = told
    if isinstance(fact, GameEnded):
        over = Over(fact.winners, fact.points, fact.essences)
        return as_sentence(_SAY("over", won=won(after, over)))
    return sentence(names, fact, what)


def _unsaid(before: State, happening: Done) -> Iterator[str]:
    """For each fact the essences that it has no field for: those taken off a component, or lost
    with one."""
    for number, fact in enumerate(happening.facts):
        if not isinstance(fact, EssencesTaken | ArtifactDestroyed):
            yield ""
            continue
        figures = next((r.figures for r in happening.rulings if r.fact == number), {})
        found = figures.get("lost" if isinstance(fact, ArtifactDestroyed) else "essences")
        if found is None:
            own = component(area_of(before, fact.seat), fact.card)
            found = own.on if own else NOTHING
        yield in_words(str(found)) if found != NOTHING else ""


# --- outcomes ------------------------------------------------------------------------------------


def _outcome(before: State, happening: Done, after: State, told: list[Told]) -> str:
    names = names_of(pack_of(after))
    body = list(takewhile(lambda each: not isinstance(each[0], _ENDS), told))
    own = [each for each in body if _is_of(each[0], happening.seat)]
    rest = [each for each in body if not _is_of(each[0], happening.seat)]
    first = _lead(before, happening, own, names)
    beside = [*_beside(rest, names), *_spared(happening, names)]
    return _fitted(first, beside, _end(happening, after, told[len(body) :], names))


def _is_of(fact: Fact, seat: str) -> bool:
    return getattr(fact, "seat", None) == seat and not isinstance(fact, _ASIDE)


def _fitted(first: str, beside: list[str], ends: tuple[str, str]) -> str:
    """Up to three sentences that are not too long: the end has a shorter form, and what happened
    beside is counted where it cannot be told."""
    for told in _shorter(first, beside, ends):
        text = " ".join([as_sentence(each) for each in told if each])
        if len(text) <= LONGEST:
            return text
    return as_sentence(shorten(first or ends[1], LONGEST - 1, placeholder=" \u2026"))


def _shorter(first: str, beside: list[str], ends: tuple[str, str]) -> Iterator[tuple[str, ...]]:
    yield first, "; ".join(beside), ends[0]
    for kept in range(len(beside), 0, -1):
        left = len(beside) - kept
        more = [_SAY("more", n=left)] if left else []
        yield first, "; ".join([*beside[:kept], *more]), ends[1]
    yield first, "", ends[1]


# --- what the seat did ---------------------------------------------------------------------------


def _phrases(names: CardNames, told: Iterable[Told], it: str = "") -> list[str]:
    """What a seat did, one phrase after the other; gains are added up, discards named together."""
    phrases: list[str] = []
    places: dict[type, int] = {}
    gained, discarded = NOTHING, ()
    for fact, what in told:
        phrase = did(names, fact, what, it)
        if isinstance(fact, EssencesGained):
            gained = total(gained, fact.essences)
            phrase = did(names, EssencesGained(fact.seat, gained))
        elif isinstance(fact, CardDiscarded):
            discarded = (*discarded, fact.card)
            phrase = _SAY("did.card-discarded", card=names.all(discarded))
        elif isinstance(fact, SeatPassed):
            phrases.insert(0, phrase)
            continue
        if type(fact) in places and isinstance(fact, EssencesGained | CardDiscarded):
            phrases[places[type(fact)]] = phrase
        elif phrase:
            places[type(fact)] = len(phrases)
            phrases.append(phrase)
    return phrases


def _row(phrases: list[str]) -> str:
    return ENGLISH.listed(phrases)


def _lead(before: State, happening: Done, own: list[Told], names: CardNames) -> str:
    """What the action was, and what became of it for who took it."""
    action, seat = happening.action, who(happening.seat)
    match action:
        case Use(card):
            phrases = _phrases(names, own, it=card)
            key = "told.use" if phrases else "told.use.alone"
            return _SAY(key, who=seat, card=names.the(card), did=_row(phrases))
        case React(card):
            phrases = [*_phrases(names, own, it=card), *_prevented(before, names)]
            key = "told.react" if phrases else "told.react.alone"
            return _SAY(key, who=seat, card=names.the(card), did=_row(phrases))
        case Ignore():
            phrases = [*_phrases(names, own), *_prevented(before, names)]
            return _SAY("did", who=seat, did=_row(phrases))
        case Play() | Place() | Claim() | Collect() | Pay() | Turn() | Lose():
            return _of_one_card(before, happening, own, names)
        case Leave(card):
            told = _SAY("told.leave", who=seat, what=_on(before, card), card=names.the(card))
        case Decline():
            told = _SAY("told.decline", who=seat)
        case Skip():
            told = _SAY("told.skip", who=seat)
        case _:
            phrases = _phrases(names, own)
            return _SAY("did", who=seat, did=_row(phrases)) if phrases else ""
    return _also(told, _phrases(names, own))


def _also(told: str, phrases: list[str]) -> str:
    return _SAY("told.also", told=told, did=_row(phrases)) if phrases else told


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
    return _also(told, _phrases(names, left))


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


# --- what happened to others ---------------------------------------------------------------------


def _beside(rest: list[Told], names: CardNames) -> Iterator[str]:
    """What happened besides, by itself or to other seats: a clause for each of them."""
    facts = [fact for fact, _ in rest]
    yield from _shuffled([fact for fact in facts if isinstance(fact, CardShuffled)], names)
    seats: dict[str, list[Told]] = {}
    for fact, what in rest:
        seat = getattr(fact, "seat", None)
        if seat is None and not isinstance(fact, StepsQueued | MonumentRevealed):
            yield clause(names, fact, what)
        elif seat is not None and not isinstance(fact, _ASIDE):
            seats.setdefault(seat, []).append((fact, what))
    yield from _seats_did(seats, names)
    revealed = tuple([fact.card for fact in facts if isinstance(fact, MonumentRevealed)])
    if revealed:
        key = "told.revealed" if len(revealed) > 1 else "told.revealed.one"
        yield _SAY(key, cards=names.all(revealed))


def _shuffled(facts: list[CardShuffled], names: CardNames) -> Iterator[str]:
    for seat in dict.fromkeys(fact.seat for fact in facts):
        cards = tuple([fact.card for fact in facts if fact.seat == seat])
        if len(cards) == 1:
            yield clause(names, facts[0])
        else:
            yield _SAY("told.shuffled", cards=names.all(cards), who=who(seat))


def _seats_did(seats: dict[str, list[Told]], names: CardNames) -> Iterator[str]:
    """What each seat did, and what several gained alike together."""
    firsts = [told[0][0] for told in seats.values() if len(told) == 1]
    gains = [fact.essences for fact in firsts if isinstance(fact, EssencesGained)]
    if len(seats) > 1 and len(gains) == len(seats) and len(set(gains)) == 1:
        yield _SAY("told.gain", who=_row([who(seat) for seat in seats]), what=in_words(gains[0]))
        return
    for seat, told in seats.items():
        if phrases := _phrases(names, told):
            yield _SAY("did", who=who(seat), did=_row(phrases))


def _spared(happening: Done, names: CardNames) -> Iterator[str]:
    """Who had nothing left to lose."""
    victim, attack = "", ""
    for ruling in happening.rulings:
        if "ra.loss.who" in ruling.rules:
            victim, attack = (str(ruling.figures.get(key, "")) for key in ("victim", "attack"))
        elif victim and "ra.loss.life" in ruling.rules:
            nothing = not ruling.figures.get("life") and not ruling.figures.get("others")
            if nothing and victim != happening.seat:
                yield _SAY("told.lose.nothing", who=who(victim), card=names.the(attack))


# --- how it goes on ------------------------------------------------------------------------------


def _end(happening: Done, after: State, told: list[Told], names: CardNames) -> tuple[str, str]:
    """What this was the end of, and what begins: at full length, and short."""
    facts = [fact for fact, _ in told]
    step = after.queue[0]
    if isinstance(step, Over) and any(isinstance(fact, GameEnded) for fact in facts):
        over = won(after, step)
        return over, over
    counted = any("ra.check.ten" in ruling.rules for ruling in happening.rulings)
    texts = [_SAY("told.passed")] if any(isinstance(fact, TurnsEnded) for fact in facts) else []
    texts += [_SAY("told.not-ten", ten=TO_WIN)] if counted else []
    began = next((fact for fact in facts if isinstance(fact, RoundBegan)), None)
    if began is None:
        text = "; ".join([*texts, *_asked_now(happening, after, names)])
        return text, text
    short = "; ".join([*texts, _SAY("told.round", n=began.round)])
    collected = "; ".join(_collected(told, names))
    return (_SAY("told.did", told=short, did=collected) if collected else short), short


def _collected(told: list[Told], names: CardNames) -> Iterator[str]:
    """What each seat gets as a round begins."""
    for seat in dict.fromkeys(getattr(fact, "seat", "") for fact, _ in told):
        mine = [each for each in told if seat and _is_of(each[0], seat)]
        gained = [fact.essences for fact, _ in mine if isinstance(fact, EssencesGained)]
        phrases = [_SAY("told.collects", what=in_words(total(*gained)))] if gained else []
        phrases += _phrases(names, [e for e in mine if not isinstance(e[0], EssencesGained)])
        if phrases:
            yield _SAY("did", who=who(seat), did=_row(phrases))


def _asked_now(happening: Done, after: State, names: CardNames) -> list[str]:
    """What somebody has to answer now because of this."""
    queued = [
        step for fact in happening.facts if isinstance(fact, StepsQueued) for step in fact.steps
    ]
    step = after.queue[0]
    if step not in queued or isinstance(step, UNTOLD):
        return []
    if not isinstance(step, Losing):
        return [waiting(step, names)]
    threatened = [each for each in after.queue if isinstance(each, Losing)]
    seats = _row([who(each.seat) for each in threatened if each.card == step.card])
    return [_SAY("told.facing", who=seats, n=step.n, card=names.the(step.card))]
