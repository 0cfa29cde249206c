"""Facts in words: what a seat did, and what happened by itself.

What a seat did is a phrase without the seat, "pays 2 elan", so that outcomes can string phrases
together. Facts that tell people nothing have no words.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from domain.games.res_arcana.bundles import in_words
from domain.games.res_arcana.card_faces import CardNames
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    ArtifactPlaced,
    CardClaimed,
    CardDealt,
    CardDiscarded,
    CardPicked,
    CardsOrdered,
    CheckMovedOn,
    Fact,
    GameEnded,
    QuestionAnswered,
    QuestionsAsked,
    SetupSettled,
    StepDone,
    StepsQueued,
)
from domain.games.res_arcana.prompts import waiting, who
from domain.games.res_arcana.state import (
    Acting,
    Choosing,
    Collecting,
    Drawing,
    Looking,
    Revealing,
    Shuffling,
    Waiting,
)
from domain.kernel.language import as_sentence

_SAY: Final = ENGLISH.format

SILENT: Final = frozenset((StepDone, QuestionAnswered, CheckMovedOn, GameEnded))
"""Facts that tell people nothing; how the game ended is told by `prompts.won`, for which one has to
know all seats."""
UNTOLD: Final = (Acting, Collecting, Drawing, Looking, Revealing)
"""Steps that go on by themselves, or are told by what happens in them."""


@lru_cache(maxsize=8192)
def did(names: CardNames, fact: Fact, what: str = "", it: str = "") -> str:
    """What the fact's seat did or what happened to it, without the seat; empty for a fact that is
    nobody's. `what` tells the essences that the fact has no field for; the card `it` is not
    named."""
    key = _key("did", fact, what)
    if key not in ENGLISH.templates:
        return ""
    values = dict(_values(names, fact))
    if it and getattr(fact, "card", "") == it:
        values["card"] = _SAY("told.it")
    return _SAY(key, **{"what": what, **values})


def together(
    kind: type[CardDiscarded | CardPicked], cards: tuple[str, ...], names: CardNames
) -> str:
    """What a seat did with several cards, one after the other."""
    tag = str(kind.__struct_config__.tag).partition(".")[2]
    return _SAY(f"did.{tag}", card=names.all(cards))


@lru_cache(maxsize=8192)
def sentence(names: CardNames, fact: Fact, what: str = "") -> str:
    """A fact as a sentence; empty for one that tells people nothing."""
    return as_sentence(clause(names, fact, what))


def clause(names: CardNames, fact: Fact, what: str = "") -> str:
    """The same as a part of a sentence."""
    if type(fact) in SILENT:
        return ""
    if isinstance(fact, StepsQueued):
        return "; ".join(queued(names, fact.steps))
    if done := did(names, fact, what):
        return _SAY("did", who=who(getattr(fact, "seat", "")), did=done)
    return _SAY(_key("fact", fact, what), **dict(_values(names, fact)))


def queued(names: CardNames, steps: tuple[Waiting, ...]) -> list[str]:
    """What is to be done next, as far as it is not told by what happens then."""
    told = [step for step in steps if not isinstance(step, UNTOLD)]
    # Shuffles come one after another: what follows them is told when they are done.
    if isinstance(told[0] if told else None, Shuffling):
        told = [step for step in told if not isinstance(step, Choosing)]
    return [waiting(step, names) for step in told]


def _key(room: str, fact: Fact, what: str) -> str:
    """Under which key the words for a fact stand."""
    key = f"{room}.{str(type(fact).__struct_config__.tag).partition('.')[2]}"
    more = _variant(fact, what)
    return f"{key}.{more}" if more else key


def _variant(fact: Fact, what: str) -> str:
    match fact:
        case CardDealt(to=to):
            return to
        case CardsOrdered(pile=pile):
            return pile
        case SetupSettled(what=settled):
            return settled
        case CardClaimed(where="top"):
            return "top"
        case ArtifactPlaced(discard_of=str()):
            return "discard"
        case ArtifactDestroyed() if what:
            return "with"
        case _:
            return ""


def _values(names: CardNames, fact: Fact) -> Iterator[tuple[str, Any]]:
    """What the words for a fact can name."""
    if isinstance(fact, QuestionsAsked):
        cards = dict.fromkeys(question.card for question in fact.questions)
        yield "cards", names.all(tuple(cards))
    for field in fact.__struct_fields__:
        value = getattr(fact, field)
        match field:
            case "seat":
                yield "who", who(value)
            case "discard_of" if value:
                yield "whose", who(value)
            case "card" | "gave" | "took":
                yield field, names.the(value)
            case "cards":
                yield field, names.all(value)
            case "essences" if isinstance(value, str):
                yield "what", in_words(value)
            case "round" | "points":
                yield "n", value
