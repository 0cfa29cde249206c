"""What happened, told whole: an outcome in one to three sentences, and a sentence for each fact.

Names of cards come from the happening, which is veiled, and from what lies open on tables; never
from hands or decks, which have stand-ins in a state as a viewer knows it.
"""

from collections.abc import Iterator
from textwrap import shorten
from typing import Final

from domain.games.res_arcana.actions import (
    Use,
)
from domain.games.res_arcana.bundles import NOTHING, in_words, total
from domain.games.res_arcana.card_faces import CardNames, names_of
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    CardsGathered,
    CardShuffled,
    EssencesGained,
    EssencesTaken,
    Fact,
    GameEnded,
    MonumentRevealed,
    MonumentStacked,
    QuestionsAsked,
    RoundBegan,
    StepsQueued,
    TurnBegan,
    TurnsEnded,
)
from domain.games.res_arcana.leads import Done, Told, lead, phrases_of, row, used_up
from domain.games.res_arcana.prompts import waiting, who, won
from domain.games.res_arcana.sentences import SILENT, UNTOLD, clause, sentence
from domain.games.res_arcana.state import (
    TO_WIN,
    Checking,
    Losing,
    Over,
    State,
    area_of,
    component,
    pack_of,
)
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration

_SAY: Final = ENGLISH.format
LONGEST: Final = 240
"""Characters of an outcome."""

_ENDS: Final = frozenset((TurnsEnded, RoundBegan, GameEnded))
_ASIDE: Final = frozenset(
    (TurnBegan, QuestionsAsked, CardsGathered, CardShuffled, MonumentRevealed)
)
"""Facts that are no seat's doing here, or told by what is asked next."""


def narrate(before: State, happening: Done, after: State) -> Narration:
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
    own: list[Told] = []
    rest: list[Told] = []
    last: list[Told] = []
    for each in told:
        fact = each[0]
        if last or type(fact) in _ENDS:
            last.append(each)
        elif type(fact) not in SILENT:
            (own if _is_of(fact, happening.seat) else rest).append(each)
    beside = [*_beside(rest, names), *_spared(happening, names)]
    ends = _end(happening, after, last, names)
    if isinstance(happening.action, Use) and not (beside or ends[0]):
        first = used_up(happening.action, who(happening.seat), own, names)
    else:
        first = lead(before, happening, own, names)
    return _fitted(first, beside, ends)


def _is_of(fact: Fact, seat: str) -> bool:
    return getattr(fact, "seat", None) == seat and type(fact) not in _ASIDE


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


# --- what happened to others ---------------------------------------------------------------------


def _beside(rest: list[Told], names: CardNames) -> Iterator[str]:
    """What happened besides, by itself or to other seats: a clause for each of them."""
    if not rest:
        return
    facts = [fact for fact, _ in rest]
    yield from _shuffled([fact for fact in facts if isinstance(fact, CardShuffled)], names)
    stacked = [fact for fact in facts if isinstance(fact, MonumentStacked)]
    if len(stacked) > 1:
        yield _SAY("told.stacked", cards=names.all(tuple([fact.card for fact in stacked])))
    seats: dict[str, list[Told]] = {}
    for fact, what in rest:
        seat = getattr(fact, "seat", None)
        if type(fact) in _ASIDE or isinstance(fact, StepsQueued):
            continue
        if isinstance(fact, MonumentStacked) and len(stacked) > 1:
            continue
        if seat is None:
            yield clause(names, fact, what)
        else:
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
        yield _SAY("told.gain", who=row([who(seat) for seat in seats]), what=in_words(gains[0]))
        return
    for seat, told in seats.items():
        if phrases := phrases_of(names, told):
            yield _SAY("did", who=who(seat), did=row(phrases))


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
        phrases += phrases_of(names, [e for e in mine if not isinstance(e[0], EssencesGained)])
        if phrases:
            yield _SAY("did", who=who(seat), did=row(phrases))


def _asked_now(happening: Done, after: State, names: CardNames) -> list[str]:
    """What somebody has to answer now because of this."""
    queued = [
        step for fact in happening.facts if isinstance(fact, StepsQueued) for step in fact.steps
    ]
    step = after.queue[0]
    if isinstance(step, Checking) and any(isinstance(each, Checking) for each in queued):
        return [waiting(step, names)]
    if step not in queued or isinstance(step, UNTOLD):
        return []
    if not isinstance(step, Losing):
        return [waiting(step, names)]
    threatened = [each for each in after.queue if isinstance(each, Losing)]
    seats = row([who(each.seat) for each in threatened if each.card == step.card])
    return [_SAY("told.facing", who=seats, n=step.n, card=names.the(step.card))]
