"""What actions do, as they are listed: "Use Athanor: pay 1 elan, turn it: put 2 elan on it"."""

from typing import Final, assert_never

from domain.games.res_arcana.actions import (
    Action,
    ChooseMage,
    Claim,
    Collect,
    Deal,
    Decline,
    Discard,
    DrawFirst,
    Drop,
    Flip,
    Gain,
    Ignore,
    Keep,
    Leave,
    Lose,
    Next,
    Order,
    Pass,
    Pay,
    Pick,
    Place,
    Play,
    Put,
    React,
    Skip,
    Take,
    TakeItem,
    Turn,
    Use,
)
from domain.games.res_arcana.artifacts import placing_of
from domain.games.res_arcana.bundles import NOTHING, counts, in_words, is_bundle, spell
from domain.games.res_arcana.card_faces import CardNames, names_of
from domain.games.res_arcana.card_words import (
    Aim,
    cost_text,
    effects_text,
    power_text,
    reaction_text,
    spoken,
)
from domain.games.res_arcana.claims import TOP
from domain.games.res_arcana.effects import NOBODY
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.losses import price_of
from domain.games.res_arcana.payments import discount_for, identical, is_open, value_of
from domain.games.res_arcana.powers import slots, told
from domain.games.res_arcana.prompts import who
from domain.games.res_arcana.setup import receiver
from domain.games.res_arcana.state import (
    HIDDEN,
    Component,
    Entering,
    Losing,
    Ordering,
    Placing,
    State,
    area_of,
    component,
    pack_of,
    playing,
)
from domain.games.res_arcana.vocabulary import Card, Monument, Power
from domain.games.res_arcana.vocabulary import Place as PlaceOfPower

_SAY: Final = ENGLISH.format
Prompted = Gain | Put | Lose | Place | Decline | Drop | Order | React | Ignore | Skip
Set = DrawFirst | Flip | Next | Deal | Pick | Keep | ChooseMage | TakeItem


def deed(state: State, action: Action) -> str:
    """What an action does, in words."""
    names = names_of(pack_of(state))
    match action:
        case DrawFirst() | Flip() | Next() | Deal() | Pick() | Keep() | ChooseMage() | TakeItem():
            return _of_setup(state, action, names)
        case Collect() | Take() | Leave() | Pay() | Turn():
            return _of_collect(state, action, names)
        case Use():
            return _of_use(state, action, names)
        case Play(card, essences):
            text = _paying(essences)
            return _SAY("act.play", card=names.the(card), text=text)
        case Discard(card, essences):
            return _SAY("act.discard", card=names.the(card), what=in_words(essences))
        case Claim(card):
            return _of_claim(state, card, names)
        case Pass(item):
            return _of_pass(state, item, names)
        case _:
            return _of_prompt(state, action, names)


def deeds(state: State, seat: str, action: Action) -> str:
    """What all actions do that differ from this one in the payment, the mix or the target only."""
    names = names_of(pack_of(state))
    card = getattr(action, "card", "")
    match action:
        case Play():
            return _SAY("act.play", card=names.the(card), text=_costing(state, seat, card, 0))
        case Place():
            step = state.queue[0]
            effect = placing_of(state, step) if isinstance(step, Placing) else None
            text = _paying(NOTHING) if effect and effect.free else ""
            text = text or _costing(state, seat, card, effect.less if effect else 0)
            return _SAY("act.place", card=names.the(card), text=text)
        case Use(power=number):
            power = _power(state, action)
            if power is None:
                return _SAY("act.use.alone", card=names.the(card), n=number)
            text = spoken(power_text(power))
            return _SAY("act.use", card=names.the(card), text=text)
        case Discard() | Collect():
            key = "discard" if isinstance(action, Discard) else "collect"
            return _SAY(f"act.{key}.group", card=names.the(card))
        case Leave():
            return _leaving(state, card, names)
        case Put() | Lose() | Ignore():
            key = type(action).__name__.lower()
            return _SAY(f"act.{key}.group", card=names.the(_asking(state)))
        case Gain() | Keep() | Order():
            return _SAY(f"act.{type(action).__name__.lower()}.group")
        case Drop(cards):
            return _SAY("act.drop.group", n=len(cards))
        case _:
            return deed(state, action)


def _paying(essences: str) -> str:
    if essences == NOTHING:
        return _SAY("cost.nothing")
    return _SAY("cost.pay", what=in_words(essences))


def _costing(state: State, seat: str, card: str, less: int) -> str:
    """What an artifact costs this seat, however it pays."""
    artifact = pack_of(state).artifacts[card]
    less += discount_for(state, area_of(state, seat), artifact)
    text = _SAY("cost.pay", what=spoken(cost_text(artifact.cost)))
    return _SAY("act.less", text=text, n=less) if less else text


def _asking(state: State) -> str:
    """The card that the pending question is about."""
    return getattr(state.queue[0], "card", HIDDEN)


def _lying(state: State, card: str) -> Component | None:
    found = (component(area, card) for area in state.areas)
    return next((each for each in found if each is not None), None)


# --- set-up and collecting -----------------------------------------------------------------------


def _of_setup(state: State, action: Set, names: CardNames) -> str:
    match action:
        case DrawFirst(seat):
            return _SAY("act.first", who=who(seat))
        case Flip(card):
            return _SAY("act.flip", card=names.the(card))
        case Next(card):
            return _SAY("act.next", card=names.the(card))
        case Deal(card):
            step = state.queue[0]
            if isinstance(step, Entering) and step.what in ("mages", "artifacts", "deal"):
                seat = who(receiver(state, step.what))
                return _SAY("act.deal.to", card=names.the(card), who=seat)
            return _SAY("act.deal", card=names.the(card))
        case Pick(card):
            return _SAY("act.pick", card=names.the(card))
        case Keep(cards):
            return _SAY("act.keep", cards=names.all(cards))
        case ChooseMage(card):
            return _with_abilities("act.mage", card, names)
        case TakeItem(card):
            return _with_abilities("act.item", card, names)
        case _:
            assert_never(action)


def _with_abilities(key: str, card: str, names: CardNames) -> str:
    act = _SAY(key, card=names.the(card))
    abilities = names.abilities(card)
    return _SAY("act.does", act=act, text=abilities) if abilities else act


def _of_collect(state: State, action: Collect | Take | Leave | Pay | Turn, names: CardNames) -> str:
    card = action.card
    name, own, known = names.the(card), _lying(state, card), pack_of(state).cards.get(card)
    upkeep = known.upkeep.pay if known and known.upkeep else NOTHING
    match action:
        case Collect(essences=essences):
            return _SAY("act.collect", what=in_words(essences), card=name)
        case Take():
            if own is None:
                return _SAY("act.take.all", card=name)
            return _SAY("act.take", what=in_words(own.on), card=name)
        case Leave(essences=essences):
            act = _leaving(state, card, names)
            return _SAY("act.leave.gain", act=act, what=in_words(essences)) if essences else act
        case Pay():
            return _SAY("act.pay", what=in_words(upkeep), card=name)
        case Turn():
            return _SAY("act.turn", what=in_words(upkeep), card=name)
        case _:
            assert_never(action)


def _leaving(state: State, card: str, names: CardNames) -> str:
    own, known = _lying(state, card), pack_of(state).cards.get(card)
    if own is None or known is None:
        return _SAY("act.leave.all", card=names.the(card))
    act = _SAY("act.leave", what=in_words(own.on), card=names.the(card))
    if not known.stored.add:
        return act
    e, life, c, d, g = (known.stored.add if n else 0 for n in counts(own.on))
    return _SAY("act.leave.add", act=act, what=in_words(spell((e, life, c, d, g))))


# --- in turns ------------------------------------------------------------------------------------


def _of_claim(state: State, card: str, names: CardNames) -> str:
    pack = pack_of(state)
    if card == TOP:
        return _SAY("act.claim.top", text=_paying(pack.monument_cost))
    known: Card | None = pack.cards.get(card)
    if not isinstance(known, Monument | PlaceOfPower):
        return _SAY("act.claim", card=names.the(card), text=_SAY("cost.nothing"))
    texts = [_paying(known.cost)]
    texts += [_SAY("act.claim.points", n=known.points)] if known.points else []
    texts += [spoken(effects_text(known.on_claim))] if known.on_claim else []
    return _SAY("act.claim", card=names.the(card), text=_SAY("comma").join(texts))


def _of_pass(state: State, item: str, names: CardNames) -> str:
    pack = pack_of(state)
    own = area_of(state, state.turn).table if state.turn else ()
    gave = next((each.id for each in own if each.id in pack.items), None)
    first = not any(area.out for area in playing(state))
    texts = [_SAY("act.pass.token")] if first else []
    if gave is not None:
        texts.append(_SAY("act.pass.swap", gave=names.the(gave), took=names.the(item)))
    act = _SAY("act.pass", text=_SAY("comma").join([*texts, _SAY("act.pass.draw")]))
    abilities = names.abilities(item)
    return _SAY("act.pass.does", act=act, card=names.the(item), text=abilities)


def _power(state: State, action: Use) -> Power | None:
    card = pack_of(state).cards.get(action.card)
    if card is None or action.power > len(card.power):
        return None
    return card.power[action.power - 1]


def _of_use(state: State, action: Use, names: CardNames) -> str:
    """A power with all that is told about it; by its number only if that cannot be."""
    power = _power(state, action)
    if power is None or len(action.arguments) != len(slots(power)):
        return _SAY("act.use.alone", card=names.the(action.card))
    if is_open(power) and not is_bundle(action.arguments[0]):
        return _SAY("act.use.alone", card=names.the(action.card))
    text = spoken(power_text(power, _aim(state, action, power, names)))
    return _SAY("act.use", card=names.the(action.card), text=text)


def _aim(state: State, action: Use, power: Power, names: CardNames) -> Aim:
    given = told(action, power)
    artifacts = pack_of(state).artifacts
    gone = artifacts.get(given.discard or given.destroy or "")
    return Aim(
        payment=in_words(given.payment) if is_open(power) else "",
        alike=identical(power, given.payment) if power.same else None,
        turn_other=names.the(given.turn_other) if given.turn_other else "",
        destroy=names.the(given.destroy) if given.destroy and power.destroy != "self" else "",
        discard=names.the(given.discard) if given.discard else "",
        value=value_of(gone) if gone else None,
        targets=tuple(_target(word, names) for word in given.targets),
    )


def _target(word: str, names: CardNames) -> str:
    if word in (NOBODY, "deck", "monuments"):
        return word
    return ENGLISH.templates.get(f"seat.{word}") or names.the(word)


# --- answers to prompts --------------------------------------------------------------------------


def _of_prompt(state: State, action: Prompted, names: CardNames) -> str:
    match action:
        case Gain(essences):
            return _SAY("act.gain", what=in_words(essences))
        case Put(essences) | Lose(essences):
            key = "act.put" if isinstance(action, Put) else "act.lose"
            return _SAY(key, what=in_words(essences), card=names.the(_asking(state)))
        case Place(card, essences):
            return _SAY("act.place", card=names.the(card), text=_paying(essences))
        case Drop(cards):
            return _SAY("act.drop", cards=names.all(cards))
        case Order(cards):
            return _of_order(state, cards, names)
        case React(card):
            known = pack_of(state).cards.get(card)
            if known is None or known.react is None:
                return _SAY("act.react.alone", card=names.the(card))
            text = spoken(reaction_text(known.react))
            return _SAY("act.react", card=names.the(card), text=text)
        case Ignore(card):
            return _of_ignore(state, card, names)
        case Decline() | Skip():
            return _SAY("act.decline" if isinstance(action, Decline) else "act.skip")
        case _:
            assert_never(action)


def _of_order(state: State, cards: tuple[str, ...], names: CardNames) -> str:
    step = state.queue[0]
    if HIDDEN in cards or not isinstance(step, Ordering):
        return _SAY("act.order", cards=names.all(cards))
    deck = _SAY(f"deck.{step.pile}")
    first = names.the(cards[0])
    return _SAY("act.order.first", cards=names.all(cards), deck=deck, first=first)


def _of_ignore(state: State, card: str | None, names: CardNames) -> str:
    step = state.queue[0]
    attack = names.the(_asking(state))
    if not isinstance(step, Losing):
        return _SAY("act.ignore.group", card=attack)
    price = price_of(state, step)
    if card is None:
        text = _paying(price.pay or NOTHING)
    else:
        key = "cost.discard.card" if price.discard else "cost.destroy.card"
        text = _SAY(key, card=names.the(card))
    return _SAY("act.ignore", card=attack, text=text)
