"""Why an accepted action did what it did: the rules behind each fact, with their figures."""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never, cast

from domain.games.tokars_arcana.actions import (
    Action,
    AnyOrder,
    BrewAndSlide,
    Enter,
    First,
    Move,
    MoveAndStrike,
    MoveAndVanquish,
    Pass,
    Promote,
    RaiseUnit,
    Recall,
    Return,
    Revive,
    SlideAndBrew,
    TradeDead,
    TradeModels,
    Wind,
)
from domain.games.tokars_arcana.board import offset
from domain.games.tokars_arcana.cards import CARDS, named, rank_of
from domain.games.tokars_arcana.check import announced
from domain.games.tokars_arcana.deaths import on_death
from domain.games.tokars_arcana.evolve import evolve
from domain.games.tokars_arcana.facts import (
    AngelsCalled,
    DeadRemoved,
    DrawDeclined,
    DrawOffered,
    Fact,
    FirebrewBurned,
    FirebrewStruck,
    GameEnded,
    MarkLifted,
    ModelKilled,
    ModelMoved,
    ModelPlaced,
    ModelReturned,
    ModelsVanquished,
    ModelWithdrawn,
    PriestLost,
    PriestRevived,
    QuietCounted,
    RaiseAsked,
    ReadySaid,
    RowSlid,
    Shift,
    TossAsked,
    TurnBegan,
    WindBlew,
)
from domain.games.tokars_arcana.gestures import gesture_rule
from domain.games.tokars_arcana.orders import KIND
from domain.games.tokars_arcana.state import GENERALS, Model, Reason, State
from domain.kernel.rulings import Figures, Ruling

_ENDS: Final[dict[Reason, tuple[str, ...]]] = {
    "general": ("ta.end.general",),
    "generals": ("ta.end.general", "ta.end.both"),
    "resign": ("ta.end.resign", "ta.resign.own"),
    "agreement": ("ta.end.agreement",),
    "quiet": ("ta.end.quiet",),
}


def rulings(state: State, action: Action, facts: Sequence[Fact]) -> tuple[Ruling, ...]:
    """The rulings on an action accepted in this state, in the order of its facts."""
    found = list(_on_the_action(state, action))
    before = state
    burning = False
    for n, fact in enumerate(facts):
        after = evolve(before, fact)
        burning = burning or isinstance(fact, FirebrewBurned)
        if isinstance(fact, ModelKilled):
            # What dies once the tokens come off is nobody's victim, whatever the order was.
            found.append(on_death(state, None if burning else action, n, fact))
        elif isinstance(fact, TurnBegan):
            found += _on_the_turn(after, action, n, fact)
        elif isinstance(fact, GameEnded):
            found.append(_on_the_end(state, facts, n, fact))
        else:
            found += _on_a_fact(before, action, n, fact)
        before = after
    return tuple(found)


# --- the action as a whole -----------------------------------------------------------------------


def _on_the_action(state: State, action: Action) -> Iterator[Ruling]:
    match action:
        case Pass():
            yield Ruling(("ta.turn.pass",), {"pass": state.options.passing})
        case MoveAndStrike(_, end, target):
            yield _in_sequence({"first": f"moves to {end}", "then": f"strikes {target}"})
        case MoveAndVanquish(_, end):
            yield _in_sequence({"first": f"moves to {end}", "then": "vanquishes"})
        case SlideAndBrew(_, end, target):
            yield _in_sequence({"first": f"slides to {end}", "then": f"throws at {target}"})
        case BrewAndSlide(_, target, end):
            yield _in_sequence({"first": f"throws at {target}", "then": f"slides to {end}"})
        case _:
            pass
    if type(action) in KIND:
        start = getattr(action, "start", "")
        model = state.board[start]
        yield Ruling(
            ("ta.turn.one_order",), {"ordered": named(model.seat, model.unit), "on": start}
        )
        empty = gesture_rule(state, model.seat, cast(AnyOrder, action))
        if empty is not None:
            yield Ruling((empty,), {"gestures": state.options.gestures})


def _in_sequence(figures: Figures) -> Ruling:
    return Ruling(("ta.order.sequence",), figures)


# --- turns and ends ------------------------------------------------------------------------------


def _on_the_turn(after: State, action: Action, n: int, fact: TurnBegan) -> Iterator[Ruling]:
    rule = "ta.setup.first" if isinstance(action, First) else "ta.turn.end"
    yield Ruling((rule,), {"to_move": fact.seat}, n)
    danger = announced(after)
    if danger:
        by = " ".join(sorted(threat.square for threat in danger))
        yield Ruling(("ta.check.announce",), {"in_check": fact.seat, "by": by}, n)


def _on_the_end(state: State, facts: Sequence[Fact], n: int, fact: GameEnded) -> Ruling:
    rules, figures = _ENDS[fact.reason], Figures(winner=fact.winner or "nobody")
    match fact.reason:
        case "general" | "generals":
            dead = [
                named(each.seat, each.unit)
                for each in facts
                if isinstance(each, ModelKilled) and each.unit in GENERALS
            ]
            figures["dead"] = " and ".join(dead)
            if len(dead) > 1:
                rules = ("ta.end.general", "ta.end.both")
                figures["both_generals"] = state.options.both_generals
        case "quiet":
            figures["quiet_limit"] = state.options.quiet_limit
        case "resign" | "agreement":
            pass
        case unreachable:
            assert_never(unreachable)
    return Ruling(rules, figures, n)


# --- what happened to models ---------------------------------------------------------------------


def _on_a_fact(before: State, action: Action, n: int, fact: Fact) -> Iterator[Ruling]:
    match fact:
        case ModelMoved():
            yield _on_a_move(before, action, n, fact)
        case RowSlid(start, end, swapped):
            figures: Figures = {"from": start, "to": end, "swapped": len(swapped)}
            yield Ruling(("ta.alchemist.slide", "ta.alchemist.swap"), figures, n)
            yield from _on_marks(n, swapped)
        case WindBlew(pushed):
            yield _on_the_wind(before, n, pushed)
            yield from _on_marks(n, pushed)
        case ModelWithdrawn() | ModelReturned() | DeadRemoved():
            yield _on_an_exchange(before, action, n, fact)
        case FirebrewStruck(square, tokens):
            rules = ("ta.alchemist.brew.range", "ta.alchemist.brew.tokens")
            yield Ruling(rules, _who(before, square) | {"tokens": tokens}, n)
        case FirebrewBurned(square, tokens):
            rules = ("ta.alchemist.brew.burn", "ta.turn.end")
            yield Ruling(rules, _who(before, square) | {"tokens_left": tokens}, n)
        case ModelsVanquished(squares):
            rules = ("ta.battlemage.vanquish.all", "ta.turn.sequence")
            yield Ruling(rules, {"vanquished": len(squares), "from": " ".join(squares)}, n)
        case ModelPlaced(square):
            yield Ruling(("ta.battlemage.vanquish.square",), {"to": square}, n)
        case MarkLifted(square):
            yield Ruling(("ta.darkpriest.mark",), {"square": square, "mark": "lifted"}, n)
        case AngelsCalled() | PriestRevived() | PriestLost() | RaiseAsked():
            yield _on_a_question(n, fact)
        case QuietCounted(turns):
            limit = before.options.quiet_limit
            yield Ruling(("ta.end.quiet",), {"quiet_turns": turns, "limit": limit}, n)
        case ReadySaid() | TossAsked() | DrawOffered() | DrawDeclined():
            yield _on_the_table(before, n, fact)
        case ModelKilled() | TurnBegan() | GameEnded():
            pass
        case unreachable:
            assert_never(unreachable)


def _on_the_table(
    before: State, n: int, fact: ReadySaid | TossAsked | DrawOffered | DrawDeclined
) -> Ruling:
    """What the players agree on beside the board."""
    match fact:
        case ReadySaid(seat):
            return Ruling(("ta.setup.debriefing",), {"ready": seat}, n)
        case TossAsked():
            return Ruling(("ta.setup.first",), {"first": before.options.first}, n)
        case DrawOffered(seat):
            return Ruling(("ta.draw.offer",), {"offered_by": seat}, n)
        case DrawDeclined(seat):
            return Ruling(("ta.draw.offer",), {"declined_by": seat}, n)
        case unreachable:
            assert_never(unreachable)


def _who(state: State, square: str) -> Figures:
    model = state.board[square]
    return {"model": named(model.seat, model.unit), "square": square}


def _on_a_move(before: State, action: Action, n: int, fact: ModelMoved) -> Ruling:
    model = before.board[fact.start]
    figures: Figures = {
        "model": named(model.seat, model.unit), "from": fact.start, "to": fact.end,
    }  # fmt: skip
    match action:
        case Recall():
            rules = ("ta.battlemage.recall.available", "ta.battlemage.recall.square")
            return Ruling(rules, figures | {"graveyard": before.graves[model.seat] or "-"}, n)
        case Return():
            return Ruling(("ta.skeleton.return", "ta.skeleton.return.square"), figures, n)
        case Move() | Enter() | MoveAndStrike() | MoveAndVanquish():
            return Ruling(_moving(model), figures | _distance(model, fact), n)
        case _:
            raise AssertionError(f"{action} moves nobody so")


def _moving(model: Model) -> tuple[str, ...]:
    rule = CARDS[model.unit].move_rule
    match CARDS[model.unit].movement:
        case "walk":
            return (rule, "ta.zombie.nohop")
        case "line":
            return (rule, "ta.duelist.obstructed")
        case _:
            return (rule,)


def _distance(model: Model, fact: ModelMoved) -> Figures:
    columns, ahead = offset(fact.start, fact.end, model.seat)
    return {"columns": columns, "rows_ahead": ahead}


def _on_the_wind(before: State, n: int, pushed: tuple[Shift, ...]) -> Ruling:
    enemies = sum(model.seat != before.turn for model in before.board.values())
    rules = ("ta.darkpriest.wind.push", "ta.darkpriest.wind.order", "ta.darkpriest.wind.edge")
    return Ruling(rules, {"pushed": len(pushed), "held": enemies - len(pushed)}, n)


def _on_marks(n: int, shifts: tuple[Shift, ...]) -> Iterator[Ruling]:
    for shift in shifts:
        if shift.marked:
            yield Ruling(("ta.darkpriest.mark",), {"square": shift.end, "mark": "set"}, n)


# --- to and from the graveyards ------------------------------------------------------------------


def _on_an_exchange(
    before: State, action: Action, n: int, fact: ModelWithdrawn | ModelReturned | DeadRemoved
) -> Ruling:
    figures: Figures = {"unit": named(fact.seat, fact.unit), "rank": rank_of(fact.unit)}
    match fact:
        case ModelReturned(square=square):
            back = ("ta.graveyard.return", "ta.alchemist.brew.gone")
            return Ruling((*_coming(before, action), *back), figures | {"square": square}, n)
        case ModelWithdrawn(square=square):
            rules = (*_going(action), "ta.kill.graveyard")
            return Ruling(rules, figures | {"square": square}, n)
        case DeadRemoved():
            rules = ("ta.necromancer.trade.source", *_going(action))
            return Ruling(rules, figures | {"trade": before.options.trade}, n)
        case unreachable:
            assert_never(unreachable)


def _going(action: Action) -> tuple[str, ...]:
    """Why a model that nobody killed leaves."""
    match action:
        case Promote():
            return ("ta.battlemage.promote.soldier", "ta.battlemage.promote.swap")
        case Wind():
            return ("ta.darkpriest.wind.soldier",)
        case TradeModels() | TradeDead():
            return ("ta.necromancer.trade.class", "ta.necromancer.trade.swap")
        case _:
            raise AssertionError(f"{action} withdraws nobody")


def _coming(before: State, action: Action) -> tuple[str, ...]:
    """Why one of the dead may stand on the board again."""
    match action:
        case Promote():
            return ("ta.battlemage.promote.row", "ta.battlemage.promote.unit")
        case Revive(start):
            if before.board[start].unit == "N":
                return ("ta.necromancer.revive.unit", "ta.necromancer.revive.square")
            return (
                "ta.priest.revive.corner", "ta.priest.revive.unit", "ta.priest.revive.square",
            )  # fmt: skip
        case RaiseUnit():
            return ("ta.zombie.raise.unit", "ta.zombie.raise.square")
        case TradeModels() | TradeDead():
            return ("ta.necromancer.trade.unit", "ta.necromancer.trade.square")
        case _:
            raise AssertionError(f"{action} brings nobody back")


def _on_a_question(n: int, fact: AngelsCalled | PriestRevived | PriestLost | RaiseAsked) -> Ruling:
    match fact:
        case AngelsCalled(seats):
            rules: tuple[str, ...] = ("ta.priest.angel", "ta.turn.sequence")
            return Ruling(rules, {"priests": len(seats), "asked_first": seats[0]}, n)
        case PriestRevived(seat, square):
            rules = ("ta.priest.angel.square", "ta.priest.angel.once", "ta.alchemist.brew.gone")
            return Ruling(rules, {"priest": seat, "square": square}, n)
        case PriestLost(seat):
            return Ruling(("ta.priest.angel", "ta.kill.graveyard"), {"priest": seat}, n)
        case RaiseAsked(square, rank):
            rules = ("ta.zombie.raise", "ta.turn.sequence")
            return Ruling(rules, {"zombie": square, "rank": rank}, n)
        case unreachable:
            assert_never(unreachable)
