"""Cards as they lie before the players: abilities, Relics, status effects, powers of the Ancient
Ones."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.games.golem_arcana.battle.ancients import mana_cost
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost
from domain.games.golem_arcana.content.card_faces import (
    ability_face,
    power_face,
    power_kind,
    price,
    relic_face,
)
from domain.games.golem_arcana.content.card_words import face_words, power_words, relic_words
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import (
    Ability,
    AncientPower,
    Attack,
    Fly,
    Miracle,
    Power,
    Walk,
)
from domain.games.golem_arcana.display.effect_words import stat_words
from domain.games.golem_arcana.display.names import (
    ability_card,
    power_card,
    relic_card,
    seat_name,
    source_name,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import StatusEffect, seat_named, seat_of
from domain.kernel.scene import CardFace, LineState, Piece

_say: Final = ENGLISH.format


class _Cards(Struct, frozen=True):
    """What lies before a Golem while all of it is cool: it mostly is, so it is made once."""

    abilities: dict[str, Piece]
    relic: Piece | None


def cards(battle: Battle) -> Iterator[Piece]:
    """For each Golem, in id order: its abilities and its Knight's, its Relic, what is on it."""
    for name in battle.golems:
        golem = battle.golem(name)
        found = _cards(battle.pack, name, golem.type, golem.knight, golem.relic, golem.charges)
        if golem.heat:
            yield from _heated(battle, name, found.abilities)
        else:
            yield from found.abilities.values()
        if found.relic is not None:
            yield found.relic
        for status in golem.statuses:
            yield _status(battle, name, status)


@lru_cache(maxsize=1024)
def _cards(
    pack: Pack, name: str, golem: str, knight: str | None, relic: str | None, charges: int | None
) -> _Cards:
    rider = None if knight is None else pack.knights[knight]
    of_knight = {each.id: rider.name for each in rider.ability} if rider else {}
    abilities = {
        ability.id: _ability(name, ability, of_knight.get(ability.id, ""))
        for ability in pack.abilities(golem, knight).values()
    }
    return _Cards(abilities, None if relic is None else _relic(pack, name, relic, charges))


def _ability(name: str, ability: Ability, knight: str) -> Piece:
    """A card of a Golem, or of its Knight of this name."""
    face = ability_face(ability)
    if knight:
        face = replace(face, kind=_say("card.knights", kind=face.kind, knight=knight))
    attributes = {"AP": str(ability.ap)} if ability.ap else {}
    if isinstance(ability, Attack):
        attributes |= {"accuracy": str(ability.accuracy), "damage": str(ability.damage)}
        attributes |= {"range": str(ability.range)} if ability.range else {}
        attributes |= {"ignores armor": str(ability.pierce)} if ability.pierce else {}
    elif isinstance(ability, Power):
        attributes |= _prices(ability)
    else:
        attributes["MP"] = str(ability.mp)
    return Piece(
        ability_card(name, ability.id), "ability", ability.name, f"card-{name}", seat_of(name),
        ability.name, attributes, face_words(face), icon=_icon(ability), card=face,
    )  # fmt: skip


def _icon(ability: Ability) -> str:
    match ability:
        case Walk():
            return "walk"
        case Fly():
            return "fly"
        case Attack(mode=mode):
            return mode
        case _:
            return "power"


def _prices(power: Power) -> dict[str, str]:
    prices = {"Mana": power.mana, "HP": power.hp}
    return {what: str(amount) for what, amount in prices.items() if amount}


def _heated(battle: Battle, name: str, cool: dict[str, Piece]) -> Iterator[Piece]:
    golem, abilities = battle.golem(name), battle.abilities(name)
    for key, piece in cool.items():
        heat = golem.heat.get(key)
        if heat is None or not heat.pips:
            yield piece
        else:
            ap = cost(battle, name, abilities[key])
            yield _hot(battle.pack, name, golem.type, golem.knight, key, heat.pips, ap)


@lru_cache(maxsize=2048)
def _hot(
    pack: Pack, name: str, golem: str, knight: str | None, key: str, pips: int, ap: int
) -> Piece:
    """An ability with what it costs now, and its pips of Cooldown."""
    ability = pack.abilities(golem, knight)[key]
    piece = _cards(pack, name, golem, knight, None, None).abilities[key]
    assert piece.card is not None, "abilities are cards"
    figures = {"AP": str(ap), "pips": str(pips)}
    mana, hp = (ability.mana, ability.hp) if isinstance(ability, Power) else (0, 0)
    return replace(
        piece,
        attributes=figures | {k: v for k, v in piece.attributes.items() if k != "AP"},
        description=_say("scene.hot", ability=piece.description, cost=ap, n=pips),
        badges=(_say("scene.badge.pips", n=pips),),
        card=replace(piece.card, cost=price(ap, mana, hp)),
    )


def _relic(pack: Pack, name: str, relic: str, charges: int | None) -> Piece:
    card = pack.relics[relic]
    attributes = {} if charges is None else {"charges": str(charges)}
    attributes |= _prices(card.ability)
    attributes |= {"AP": str(card.ability.ap)} if card.ability.ap else {}
    face, words = relic_face(card), relic_words(card)
    badges: tuple[str, ...] = ()
    if charges is not None:
        most = card.charges or charges
        words = _say("scene.left", relic=words, left=charges, most=most)
        badges = (_say("scene.badge.charges", left=charges, most=most),)
    return Piece(
        relic_card(name), "relic", face.title, f"card-{name}", seat_of(name), face.title,
        attributes, words, ("spent",) if charges == 0 else (), badges=badges, card=face,
    )  # fmt: skip


def _status(battle: Battle, name: str, status: StatusEffect) -> Piece:
    stat = stat_words(status.stat, status.amount)
    words = _say(
        "scene.status", stat=stat, source=source_name(battle, status.source),
        seat=seat_name(status.seat),
    )  # fmt: skip
    left = _say("scene.badge.upkeeps", n=status.left)
    return Piece(
        f"{name}!{status.source}:{status.stat}:{status.seat}", "status effect", words,
        f"card-{name}", seat_of(name), words, {"Upkeeps left": str(status.left)},
        _say("scene.status-left", status=words, n=status.left), icon=status.stat, badges=(left,),
        card=CardFace(words),
    )  # fmt: skip


# --- Ancient Ones --------------------------------------------------------------------------------


def powers(battle: Battle) -> Iterator[Piece]:
    """The powers of all Ancient Ones, seat by seat."""
    placed = battle.state.powers
    for seat in battle.seats:
        for ancient in battle.state.seats[seat].ancients:
            for power in battle.pack.ancients[ancient].power:
                lies = placed.get(power_card(seat, ancient, power.id))
                mana = mana_cost(battle, seat, ancient, power)
                yield _power(battle.pack, seat, ancient, power.id, mana, lies)


@lru_cache(maxsize=1024)
def _power(
    pack: Pack, seat: Seat, ancient: str, power_id: str, mana: int, lies: str | None
) -> Piece:
    power: AncientPower = next(p for p in pack.ancients[ancient].power if p.id == power_id)
    kind = power_kind(power)
    attributes = {"Mana": str(mana)}
    words = power_words(power)
    badges: tuple[str, ...] = ()
    lines: tuple[LineState, ...] = ()
    if lies and not isinstance(power, Miracle):
        attributes["lies in"] = lies
        words = _say("scene.lies", power=words, region=lies)
        badges = (_say("scene.badge.in", region=lies),)
        lines = (LineState(power.id, price(mana=mana)),)
    return Piece(
        power_card(seat, ancient, power.id), kind, power.name, f"ancient-{seat}-{ancient}",
        seat_named(seat), _say("scene.power", power=power.name, kind=_say(f"icon.{kind}")),
        attributes, words, badges=badges, card=power_face(power),
        face=f"power.{ancient}.{power.id}", lines=lines,
    )  # fmt: skip
