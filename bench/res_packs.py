"""Content packs of Res Arcana drawn at random: everything that the vocabulary can say.

A drawn pack is that of the base game with a third of its cards drawn anew. A card that the check of
packs refuses is drawn again, so everything that the check accepts can be drawn.
"""

import tomllib
from collections.abc import Iterable
from importlib.resources import files
from random import Random
from typing import Any, Final, get_args

from bench.drawing import Drawing, Table, written
from domain.games import res_arcana
from domain.games.res_arcana import GAME
from domain.games.res_arcana.bundles import LETTERS, Bundle, Letter, Types
from domain.games.res_arcana.pack_checks import MOST_ESSENCES, PackError
from domain.games.res_arcana.packs import Pack, read_pack
from domain.games.res_arcana.state import SEATS, Options, State
from domain.games.res_arcana.vocabulary import Artifact, Cost, Item, Mage, Monument, Place

BASE: Final = tomllib.loads(files(res_arcana).joinpath("res-arcana.cards.toml").read_text())
KINDS: Final[dict[str, Any]] = {
    "item": Item,
    "mage": Mage,
    "artifact": Artifact,
    "monument": Monument,
    "place": Place,
}
KEPT: Final = ("id", "tile", "side")
"""Fields that are not drawn; nor are the costs of monuments, which are all the same."""
HEAD: Final = {"id": "drawn", "version": "1"}
TRIES: Final = 12
"""Cards that are drawn to combine one from their sound parts."""


def bundle(chance: Random, any_types: str = "") -> str:
    """Return random essences, mostly few of one or two types; `any_types` are added last."""
    if chance.random() < 0.1:
        return "0"
    kept = chance.sample(LETTERS, chance.choices((1, 2, 5), (70, 25, 5))[0])
    some = [letter for letter in (*LETTERS, *any_types) if letter in kept or letter in any_types]
    left, spelt = MOST_ESSENCES, ""
    for letter in some:
        drawn = chance.choices((1, 2, 3, 9, 20), (60, 25, 10, 4, 1))[0]
        if drawn <= left:
            left, spelt = left - drawn, f"{spelt}{drawn}{letter}"
    return spelt


def cost(chance: Random) -> str:
    """Return a random bundle, sometimes with essences of any type."""
    return bundle(chance, "*" if chance.random() < 0.4 else "")


def types(chance: Random) -> str:
    """Return some types of essence, in order."""
    kept = chance.sample(LETTERS, chance.randint(1, 5))
    return "".join(letter for letter in LETTERS if letter in kept)


def _pattern(annotated: Any) -> str:
    return str(get_args(annotated)[1].pattern)


SPELT: Final = {
    _pattern(Bundle): bundle,
    _pattern(Cost): cost,
    _pattern(Types): types,
    _pattern(Letter): lambda chance: chance.choice(LETTERS),
}


def draw_pack(chance: Random) -> Pack:
    """Return a random pack, drawn from the base game's."""
    tables: Table = {
        "pack": HEAD,
        "token": {"points": chance.randint(0, 2)},
        **{kind: [*BASE[kind]] for kind in KINDS},
    }
    drawing = Drawing(chance, {"source": lambda: "house", "seen": list}, SPELT)
    for kind, shape in KINDS.items():
        for n, known in enumerate(BASE[kind]):
            if chance.random() < 0.35:
                tables[kind][n] = _drawn(drawing, kind, shape, known)
    return read_pack(written(tables))


def _drawn(drawing: Drawing, kind: str, shape: Any, known: Table) -> Table:
    """Return a card drawn in place of a known one, made of the parts that are sound."""
    chance = drawing.chance
    card: Table = {key: known[key] for key in ("name", *KEPT) if key in known}
    if "cost" in known:
        costs = {"artifact": cost(chance), "place": bundle(chance), "monument": known["cost"]}
        card["cost"] = costs[kind]
    drawn = [_untagged(drawing.table(shape)) for _ in range(TRIES)]
    for key in sorted({key for each in drawn for key in each} - {*card, "power", "react"}):
        _add(card, kind, key, (each[key] for each in drawn if key in each))
    powers = [power for each in drawn for power in each.get("power", ())]
    for _ in range(chance.choices((0, 1, 2, 3), (20, 50, 20, 10))[0]):
        had = card.get("power", [])
        _add(card, kind, "power", ([*had, power] for power in powers))
        powers = powers[len(powers) // 3 :]
    reacts = [_mended(chance, each["react"]) for each in drawn if "react" in each]
    _add(card, kind, "react", reacts if chance.random() < 0.4 else ())
    return card


def _add(card: Table, kind: str, key: str, drawn: Iterable[Any]) -> None:
    """Give a card the first of these values with which it is sound."""
    for value in drawn:
        if _is_sound(kind, card | {key: value}):
            card[key] = value
            return


def _mended(chance: Random, react: Table) -> Table:
    """Return a reaction with the effect that it must have, and perhaps one more."""
    answer = {"ignore": True} if react["to"] == "loss" else {"points": chance.randint(1, 20)}
    put = [{"put": bundle(chance)}] if chance.random() < 0.3 else []
    return {**react, "do": [*put, answer]}


def _is_sound(kind: str, card: Table) -> bool:
    """Return whether the card itself has no fault; a pack with it alone has others."""
    try:
        read_pack(written({"pack": HEAD, kind: [card]}))
    except PackError as error:
        return error.card != card["id"]
    return True


def _untagged(value: Any) -> Any:
    """Return a value without the tags of effects, as in a card file."""
    if isinstance(value, dict):
        return {key: _untagged(each) for key, each in value.items() if key != "effect"}
    return [_untagged(each) for each in value] if isinstance(value, list) else value


def draw_options(chance: Random, pack: Pack) -> Options:
    """Return random options of a match with this pack."""
    players = chance.choice((2, 2, 3, 4))
    return Options(
        players=players,
        first=chance.choice(("random", *SEATS[:players])),
        sides=chance.choice(("random", "a", "b")),
        draft=chance.choice(("no", "no", "yes")),
        token=chance.choice(("1", "0")),
        pack=pack,
    )


def draw_start(chance: Random, options: Options) -> State:
    """Return the first state of a match with these options."""
    del chance
    return GAME.start(options)
