"""The Arcana cards as people read them: what each unit does, under the options of a match."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.state import UNITS, Options, Unit
from domain.games.tokars_arcana.theme import ICONS_OF, TABLE_THEME
from domain.kernel.language import capitalized
from domain.kernel.scene import CardFace, Stat
from domain.kernel.table_theme import CardLine, Face, FaceStat

_LINES: Final[dict[Unit, tuple[str, ...]]] = {
    "I": ("move I.move", "strike I.{}"),
    "K": ("move K.move", "K.{}"),
    "W": ("move W.move", "W.enter", "strike W.bolt"),
    "P": ("move step", "strike P.strike", "revive P.revive", "P.angel"),
    "Q": ("move step", "strike P.strike", "revive P.revive", "Q.angel"),
    "A": ("move A.move", "brew A.brew", "brew-and-slide A.brew-slide",
          "slide-and-brew A.slide-brew"),
    "D": ("move D.move", "strike D.strike"),
    "B": ("move step", "strike strike", "vanquish B.vanquish", "move-and-vanquish B.move-vanquish",
          "promote B.promote", "recall B.recall"),
    "S": ("move S.move", "entering", "return S.return"),
    "Z": ("move Z.move", "entering", "raise Z.{}"),
    "M": ("move M.move", "entering", "M.gas"),
    "T": ("move step", "strike strike"),
    "X": ("X.move", "wind X.wind", "explode X.explode", "slay X.slay"),
    "N": ("move step", "strike strike", "revive N.revive", "trade N.{}"),
}  # fmt: skip
"""What is on each card: the verb of an order and the key of its text, or only a key. Braces stand
for what an option decides."""

ORDERS: Final = {
    unit: tuple(
        verb for verb in (line.rpartition(" ")[0] for line in lines) if verb not in ("", "raise")
    )
    for unit, lines in _LINES.items()
}
"""The verbs of the orders on each card. To raise is the answer to a question."""

_VARIANTS: Final[dict[Unit, tuple[str, ...]]] = {
    "I": ("both", "either"), "K": ("enemy", "any"), "Z": ("exact", "class"),
    "N": ("board", "graveyard"),
}  # fmt: skip
"""What options may decide about a card, the usual first."""


def _variant(unit: Unit, options: Options) -> str:
    """Return what the options of a match decide about a card; empty for nothing."""
    match unit:
        case "I":
            return options.warrior
        case "K":
            return "any" if options.friendly_fire == "any" else "enemy"
        case "Z":
            return options.raise_rank
        case "N":
            return options.trade
        case _:
            return ""


def card_lines(unit: Unit, variant: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a card, each with the verb of its order, which is empty for none."""
    card = CARDS[unit]
    for line in _LINES[unit]:
        verb, _, key = line.rpartition(" ")
        yield verb, ENGLISH.format(key.format(variant))
    if card.immune:
        yield "", ENGLISH.format("immune")
    if card.rank == "general":
        yield "", ENGLISH.format("general")


# --- cards in a scene ----------------------------------------------------------------------------


@lru_cache(maxsize=32)
def faces(options: Options) -> dict[Unit, CardFace]:
    """Return all cards in a match with these options."""
    return {unit: _card_face(unit, _variant(unit, options)) for unit in UNITS}


def _card_face(unit: Unit, variant: str) -> CardFace:
    card = CARDS[unit]
    rank, race = ENGLISH.format(f"rank.{card.rank}"), ENGLISH.format(f"race.{card.race}")
    return CardFace(
        title=card.name,
        kind=race,
        stats=(Stat(ENGLISH.format("stat-rank"), rank),),
        lines=tuple(text for _, text in card_lines(unit, variant)),
    )


# --- faces of the theme --------------------------------------------------------------------------


@lru_cache(maxsize=32)
def face_keys(options: Options) -> dict[Unit, str]:
    """Return the keys of the units' faces in a match with these options."""
    return {unit: _face_key(unit, _variant(unit, options)) for unit in UNITS}


def _face_key(unit: Unit, variant: str) -> str:
    usual = _VARIANTS.get(unit, ("",))[0]
    return ICONS_OF[unit] if variant == usual else f"{ICONS_OF[unit]}-{variant}"


@cache
def table_faces(pack: None) -> Mapping[str, Face]:
    """Return the faces of all units, under all options that decide about one."""
    del pack
    return {
        _face_key(unit, variant): _face(unit, variant)
        for unit in UNITS
        for variant in _VARIANTS.get(unit, ("",))
    }


def _face(unit: Unit, variant: str) -> Face:
    card = CARDS[unit]
    rank = FaceStat("rank", ENGLISH.format("stat-rank"), ENGLISH.format(f"rank.{card.rank}"))
    return Face(
        title=card.name,
        kind=ENGLISH.format(f"race.{card.race}"),
        frame=card.race,
        art=ICONS_OF[unit],
        stats=(rank,),
        lines=tuple(_card_line(verb, text) for verb, text in card_lines(unit, variant)),
    )


def _card_line(verb: str, sentence: str) -> CardLine:
    """Return a line of a face. An order has the name of its verb, else the line begins with its
    name; what follows the name up to a colon says when it is possible.
    """
    head, colon, text = sentence.partition(": ")
    if not colon:
        return CardLine(verb or "note", sentence, verb)
    name, _, condition = head.partition(", ")
    if verb:
        condition = "" if condition.startswith("then") else condition
        name = TABLE_THEME.verbs[verb].name
    text = f"{condition}: {text}" if condition else text
    return CardLine(verb or name.lower().replace(" ", "-"), capitalized(text), verb, name)
