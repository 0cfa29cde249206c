"""Why a model died: by what means, and why no immunity saved it."""

from msgspec import Struct

from domain.games.tokars_arcana.actions import (
    Action,
    Enter,
    Explode,
    MoveAndStrike,
    Off,
    Slay,
    Strike,
)
from domain.games.tokars_arcana.cards import CARDS, named, rank_of
from domain.games.tokars_arcana.facts import ModelKilled
from domain.games.tokars_arcana.state import Model, State
from domain.kernel.rulings import Figures, Ruling


class _Means(Struct, frozen=True):
    """By what a model was killed."""

    rules: tuple[str, ...]
    figures: Figures
    attack_rank: str = ""
    """The rank that the attack counts as; empty where it is nobody's attack."""


def on_death(state: State, action: Action | None, n: int, fact: ModelKilled) -> Ruling:
    """The ruling on one death by an action taken in this state; by firebrew, if by none."""
    means = _means(state, action, fact)
    rules = [*means.rules, "ta.kill.graveyard"]
    figures: Figures = {
        "victim": named(fact.seat, fact.unit),
        "rank": rank_of(fact.unit),
        "square": fact.square,
        **means.figures,
        "immunity": _immunity(fact, means),
    }
    if CARDS[fact.unit].immune:
        rules.append("ta.kill.immune")
    if fact.unit == "Q":
        rules.append("ta.priest.angel.once")
        figures["angel"] = "spent"
    if fact.seat == state.turn and isinstance(action, Enter | Strike | MoveAndStrike):
        rules.append("ta.kill.friendly")
        figures["friendly_fire"] = state.options.friendly_fire
        if state.board[action.start].unit == "Z":
            rules.append("ta.zombie.raise.own")
    return Ruling(tuple(rules), figures, n)


def _immunity(fact: ModelKilled, means: _Means) -> str:
    """Why the victim's card did not protect it."""
    if not CARDS[fact.unit].immune:
        return "none"
    if means.attack_rank:
        return f"against soldiers only, and this attack is a {means.attack_rank}'s"
    return "against attacks of soldiers only, and this is no attack"


def _means(state: State, action: Action | None, fact: ModelKilled) -> _Means:
    match action:
        case Enter(start, end):
            model = state.board[start]
            enemies_only = ("ta.knight.enemy",) if model.unit == "K" else ()
            rules = (CARDS[model.unit].move_rule, *enemies_only)
            return _by(model, rules, {"means": "entering", "from": start, "to": end})
        case Strike(start, target) | MoveAndStrike(start, _, target):
            return _struck(state, action, state.board[start], target)
        case Off(start):
            rules = ("ta.offboard.killed", "ta.offboard.reach")
            return _Means(rules, {"means": "walking off the board", "from": start})
        case Explode(target=target):
            rules = ("ta.darkpriest.explode.all", "ta.darkpriest.explode.rank")
            return _Means(rules, {"means": "an explosion", "exploded": target}, "general")
        case Slay(start):
            rules = ("ta.darkpriest.slay.all",)
            return _by(state.board[start], rules, {"means": "slaying", "from": start})
        case _:
            tokens: Figures = {"means": "firebrew", "tokens_left": 0, "burned": fact.square}
            return _Means(("ta.alchemist.brew.burn",), tokens)


def _struck(state: State, action: Strike | MoveAndStrike, model: Model, target: str) -> _Means:
    stands = action.end if isinstance(action, MoveAndStrike) else action.start
    ranks = {
        "I": ("ta.warrior.kill.rank",),
        "P": ("ta.priest.kill.rank",),
        "Q": ("ta.priest.kill.rank",),
    }.get(model.unit, ())
    rules = (CARDS[model.unit].reach_rule, *ranks)
    return _by(model, rules, {"means": "a strike", "from": stands, "to": target})


def _by(model: Model, rules: tuple[str, ...], figures: Figures) -> _Means:
    rank = rank_of(model.unit)
    who: Figures = {"by": named(model.seat, model.unit), "attacker_rank": rank}
    return _Means(rules, {**who, **figures}, rank)
