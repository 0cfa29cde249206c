"""What a scenario lays down before the battle, as cards: how it is won, with what forces, and where
Mana comes from."""

from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.content.card_words import plain
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.scenario_words import (
    action_points,
    kill_points,
    scenario_lines,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.kernel.scene import Face, Piece

_say: Final = ENGLISH.say


@lru_cache(maxsize=64)
def scenario_cards(pack: Pack, scenario: str) -> tuple[Piece, ...]:
    """The cards of a scenario."""
    lines = scenario_lines(pack, pack.scenarios[scenario])
    return tuple(_card(key, each) for key, each in lines.items())


def _card(key: str, lines: tuple[str, ...]) -> Piece:
    title = _say(f"scenario.{key}")
    words = _say("card.line-plain", title=title, text=_say("semicolon").join(map(plain, lines)))
    return Piece(
        # Where there are no cards, as in text, its name is all that is shown of it.
        f"scenario-{key}", "scenario", title, "scenario", "", words, {}, words,
        face=Face(title, lines=lines),
    )  # fmt: skip


@lru_cache(maxsize=64)
def laid_down(pack: Pack, scenario: str) -> dict[str, str]:
    """The same as attributes of the scene, for frontends that know the game."""
    card = pack.scenarios[scenario]
    found = {
        "elimination": card.elimination,
        "points_for_kills": ", ".join(f"{size} {n}" for size, n in kill_points(pack, card).items()),
        "mana_percent": str(card.mana_percent),
        "action_points": str(action_points(pack, card)),
    }
    if card.reserve.max:
        found["reserve"] = str(card.reserve.max)
        found["reserve_from_round"] = str(card.reserve.round)
        found["reserve_action_points"] = str(card.reserve.ap)
    for seat, points in card.start_vp.items():
        found[f"starting_points_{seat}"] = str(points)
    return found
