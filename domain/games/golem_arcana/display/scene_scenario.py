"""What a scenario lays down before the battle, as cards: how it is won, with what forces, and where
Mana comes from."""

from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.content.card_words import plain
from domain.games.golem_arcana.content.cards import Scenario
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.scenario_words import (
    action_points,
    kill_points,
    scenario_lines,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.kernel.scene import CardFace, Piece

_say: Final = ENGLISH.format


@lru_cache(maxsize=64)
def scenario_cards(pack: Pack, scenario: str) -> tuple[Piece, ...]:
    """The cards of a scenario."""
    card = pack.scenarios[scenario]
    figures = {"victory": _victory(pack, card), "forces": _forces(pack, card), "mana": _mana(card)}
    return tuple(
        _card(key, lines, figures[key]) for key, lines in scenario_lines(pack, card).items()
    )


def _card(key: str, lines: tuple[str, ...], figures: dict[str, str]) -> Piece:
    title = _say(f"scenario.{key}")
    words = _say(
        "card.line-plain", title=title, text=_say("scenario.between").join(map(plain, lines))
    )
    return Piece(
        # Where there are no cards, as in text, its name is all that is shown of it.
        f"scenario-{key}", "scenario", title, "scenario", "", words, figures, words,
        card=CardFace(title, lines=lines),
    )  # fmt: skip


# --- the same for frontends that know the game ---------------------------------------------------


def _victory(pack: Pack, card: Scenario) -> dict[str, str]:
    kills = kill_points(pack, card)
    found: dict[str, str] = {"elimination": card.elimination}
    found["points_for_kills"] = ", ".join(f"{size} {n}" for size, n in kills)
    return found | {f"starting_points_{seat}": str(n) for seat, n in card.start_vp.items()}


def _forces(pack: Pack, card: Scenario) -> dict[str, str]:
    found = {"action_points": str(action_points(pack, card))}
    if card.reserve.max:
        found["reserve"] = str(card.reserve.max)
        found["reserve_from_round"] = str(card.reserve.round)
        found["reserve_action_points"] = str(card.reserve.ap)
    return found


def _mana(card: Scenario) -> dict[str, str]:
    return {"mana_percent": str(card.mana_percent)}
