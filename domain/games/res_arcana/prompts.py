"""What waits to be done, and what is asked of whom: captions, and steps in words.

All of it lies open to everybody, so no viewer is named.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from textwrap import shorten
from typing import Final, assert_never

from domain.games.res_arcana.artifacts import placing_of
from domain.games.res_arcana.bundles import in_words, types_in_words
from domain.games.res_arcana.card_faces import CardNames, names_of
from domain.games.res_arcana.card_words import (
    cards_text,
    mix_text,
    placing_text,
    reaction_text,
    spoken,
)
from domain.games.res_arcana.collect import left_mix
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.legal import asked, turn
from domain.games.res_arcana.losses import price_of
from domain.games.res_arcana.reactions import reactions
from domain.games.res_arcana.setup import receiver
from domain.games.res_arcana.state import (
    Acting,
    Area,
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
    Question,
    Revealing,
    Seat,
    Shuffling,
    State,
    Waiting,
    area_of,
    component,
    pack_of,
)
from domain.kernel.language import as_sentence, capitalized
from domain.kernel.scene import PromptText

_SAY: Final = ENGLISH.format


def who(seat: str) -> str:
    """A seat, or the table, in a sentence."""
    return ENGLISH.templates.get(f"seat.{seat}", seat)


def mix(n: int, of: str) -> str:
    """A mix of n essences of these types, in words."""
    return spoken(mix_text(n, of))


def _top(n: int) -> str:
    return _SAY("top.one") if n == 1 else _SAY("top", n=n)


# --- steps ---------------------------------------------------------------------------------------


def waiting(step: Waiting, names: CardNames) -> str:
    """What is to be done in this step."""
    seat = who(getattr(step, "seat", ""))
    match step:
        case Entering(what) | Choosing(what):
            return _SAY(f"next.{what}")
        case Shuffling(pile=pile):
            return _SAY(f"next.shuffle.{pile}", who=seat)
        case Gaining(n=n, of=of):
            return _SAY("next.gain", who=seat, mix=mix(n, of))
        case GainingSame(n=n, of=of):
            return _SAY("next.same", who=seat, n=n, types=types_in_words(of))
        case Putting(card=card, n=n, of=of):
            return _SAY("next.put", who=seat, mix=mix(n, of), card=names.the(card))
        case Placing(card=card):
            return _SAY("next.place", who=seat, card=names.the(card))
        case Drawing(n=n, then=then):
            key = "next.draw.drop" if then == "drop" else "next.draw"
            return _SAY(key, who=seat, cards=cards_text(n))
        case Dropping(n=n):
            return _SAY("next.drop", who=seat, cards=cards_text(n))
        case Looking(pile=pile, n=n):
            return _SAY(f"next.look.{pile}", who=seat, top=_top(n))
        case Ordering(pile=pile, n=n):
            return _SAY(f"next.order.{pile}", who=seat, top=_top(n))
        case Losing(n=n, card=card):
            return _SAY("next.loss", who=seat, n=n, card=names.the(card))
        case ChoosingItem() | Collecting() | Acting() | Revealing() | Checking() | Over():
            return _SAY(f"next.{_PLAIN[type(step)]}")
        case _:
            assert_never(step)


_PLAIN: Final[dict[type, str]] = {
    ChoosingItem: "item",
    Collecting: "collect",
    Acting: "act",
    Revealing: "reveal",
    Checking: "check",
    Over: "over",
}

# --- captions ------------------------------------------------------------------------------------


def caption(state: State, viewer: str = "") -> str:
    """What is going on, in a sentence: what is asked, of whom, and what can be chosen."""
    del viewer  # all that is asked lies open
    step = state.queue[0]
    if isinstance(step, Over):
        return _SAY("over", won=won(state, step))
    when = _SAY("when.round", n=state.round) if state.round else _SAY("when.setup")
    return _SAY("caption", when=when, asked=asked_for(state))


def prompt(state: State, viewer: str) -> PromptText:
    """Return what is expected now, from the viewer's side."""
    step = state.queue[0]
    if isinstance(step, Over):
        return PromptText(_SAY("heading.over"), _short(won(state, step)))
    seats = asked(state)
    if viewer not in seats:
        return _of_others(seats, type(step))
    want = turn(state)[0].expected_action
    key, n = f"heading.{want}", getattr(step, "n", 0)
    if isinstance(step, Collecting):
        question = area_of(state, viewer).todo[0]
        text = _question(state, area_of(state, viewer), question)
        heading, rule = _SAY(f"{key}.{question.sign}"), _QUESTION_RULES[question.sign]
    else:
        text, rule = _asked(state, step), _RULES.get(want, "")
        heading = _SAY(key if key in ENGLISH.templates else "heading.entry", n=n)
    return PromptText(heading, _short(text.removeprefix(f"{who(viewer)}, ")), rule)


@lru_cache(maxsize=256)
def _of_others(seats: tuple[str, ...], step: type[Waiting]) -> PromptText:
    names = capitalized(ENGLISH.join_and([who(seat) for seat in seats]))
    return PromptText(_SAY(_OTHERS.get(step, "heading.others"), who=names))


@lru_cache(maxsize=1024)
def _short(text: str) -> str:
    return shorten(as_sentence(text), MAX_WHY, placeholder="…")


MAX_WHY: Final = 120
"""The greatest length of the reason in a prompt."""
_OTHERS: Final[dict[type[Waiting], str]] = {
    Acting: "heading.others.act",
    Collecting: "heading.others.collect",
}
_QUESTION_RULES: Final = {"+": "ra.collect.gain", "?": "ra.collect.take", "!": "ra.collect.cost"}
_RULES: Final = {
    "draft": "ra.draft.pick",
    "keep": "ra.setup.keep",
    "mage": "ra.setup.mage",
    "item": "ra.setup.item",
    "gain": "ra.gain.count",
    "same": "ra.gain.same",
    "put": "ra.put",
    "place": "ra.place.card",
    "drop": "ra.draw.drop",
    "order": "ra.look.order",
    "loss": "ra.loss.life",
    "check": "ra.check.points",
}
"""The rules that the reasons of prompts rest on, by what is asked for."""


def asked_for(state: State) -> str:
    """What is asked, of whom, and what can be chosen."""
    return as_sentence(_asked(state, state.queue[0])).rstrip(".")


def won(state: State, step: Over) -> str:
    """How the game ended."""
    winners = ENGLISH.join_and([who(seat) for seat in step.winners])
    if sum(not area.gone for area in state.areas) == 1:
        return _SAY("told.last", who=winners)
    scores = {
        area.seat: (points, essences)
        for area, points, essences in zip(state.areas, step.points, step.essences, strict=True)
    }
    points, essences = scores[step.winners[0]]
    if len(step.winners) > 1:
        return _SAY("told.shared", who=winners, points=points)
    others = {a.seat: scores[a.seat] for a in state.areas if a.seat not in step.winners}
    tied = {
        area.seat: scores[area.seat][1]
        for area in state.areas
        if area.seat in others and not area.gone and others[area.seat][0] == points
    }
    if tied:
        against = _against(tied)
        return _SAY("told.tie", who=winners, points=points, essences=essences, others=against)
    against = _against({seat: score[0] for seat, score in others.items()})
    return _SAY("told.win.others", who=winners, points=points, others=against)


def _against(numbers: Mapping[Seat, int]) -> str:
    told = [_SAY("told.of", who=who(seat), n=n) for seat, n in numbers.items()]
    return ENGLISH.join_and(told)


def _asked(state: State, step: Waiting) -> str:
    seats = ENGLISH.join_and([who(seat) for seat in asked(state)])
    names = names_of(pack_of(state))
    match step:
        case Entering(what):
            dealt = what in ("mages", "artifacts", "deal")
            return _SAY(f"ask.{what}", who=who(receiver(state, what)) if dealt else "")
        case Choosing(what):
            return _SAY(f"ask.{what}", who=seats)
        case Shuffling(seat=seat, pile=pile):
            return _SAY(f"ask.shuffle.{pile}", who=who(seat))
        case Collecting():
            questions = [_question(state, area, area.todo[0]) for area in state.areas if area.todo]
            return "; ".join(questions)
        case Losing():
            return _SAY("ask.loss", who=seats, choices=_choices(_of_loss(state, step, names)))
        case Checking():
            return _SAY("ask.check", who=seats, choices=_choices(_of_check(state, step, names)))
        case _:
            return _prompt(state, step, seats, names)


def _prompt(state: State, step: Waiting, seats: str, names: CardNames) -> str:
    match step:
        case Gaining(n=n, of=of):
            return _SAY("ask.gain", who=seats, mix=mix(n, of))
        case GainingSame(n=n, of=of):
            return _SAY("ask.same", who=seats, n=n, types=types_in_words(of))
        case Putting(card=card, n=n, of=of):
            return _SAY("ask.put", who=seats, mix=mix(n, of), card=names.the(card))
        case Placing(card=card):
            text = spoken(placing_text(placing_of(state, step)))
            return _SAY("ask.place", who=seats, card=names.the(card), text=text)
        case Dropping(n=n):
            return _SAY("ask.drop", who=seats, cards=cards_text(n))
        case Ordering(pile=pile, n=n):
            return _SAY(f"ask.order.{pile}", who=seats, top=_top(n))
        case ChoosingItem() | Acting():
            return _SAY(f"ask.{_PLAIN[type(step)]}", who=seats)
        case _:
            return waiting(step, names)


def _question(state: State, area: Area, question: Question) -> str:
    """A question of the collect phase."""
    names = names_of(pack_of(state))
    card = pack_of(state).cards[question.card]
    asks = {"who": who(area.seat), "card": names.the(card.id)}
    match question.sign:
        case "+":
            text = mix(card.collect.any or 0, card.collect.of)
            return _SAY("ask.collect.+", **asks, mix=text)
        case "?":
            own = component(area, card.id)
            on = in_words(own.on) if own else ""
            mixed = left_mix(state, area, card.id)
            left = _SAY("text.left.add", n=card.stored.add) if card.stored.add else ""
            left = mix(mixed.any or 0, mixed.of) if mixed else left
            key = "ask.collect.?.gives" if left else "ask.collect.?"
            return _SAY(key, **asks, what=on, left=left)
        case "!":
            what = in_words(card.upkeep.pay) if card.upkeep else ""
            return _SAY("ask.collect.!", **asks, what=what)
        case _:
            assert_never(question.sign)


def _choices(choices: Iterator[str]) -> str:
    *others, last = choices
    if not others:
        return last
    return _SAY("or", most=_SAY("comma").join(others), last=last)


def _of_loss(state: State, step: Losing, names: CardNames) -> Iterator[str]:
    yield _SAY("ask.loss.lose", n=step.n, card=names.the(step.card))
    price = price_of(state, step)
    if price.pay is not None:
        yield _SAY("ask.loss.pay", what=in_words(price.pay))
    if price.discard is not None:
        yield _SAY("ask.loss.discard")
    if price.destroy is not None:
        yield _SAY("ask.loss.destroy")
    yield from _reactions(state, step, area_of(state, step.seat), names)


def _of_check(state: State, step: Checking, names: CardNames) -> Iterator[str]:
    (seat,) = asked(state)
    yield from _reactions(state, step, area_of(state, seat), names)
    yield _SAY("ask.check.skip")


def _reactions(
    state: State, step: Losing | Checking, area: Area, names: CardNames
) -> Iterator[str]:
    for each in reactions(state, step, area):
        react = pack_of(state).cards[each.card].react
        if react is not None:
            text = spoken(reaction_text(react))
            yield _SAY("ask.react", card=names.the(each.card), text=text)
