"""Killing: whom a strike or an entering may kill, friendly fire, and immunity (Killing a unit)."""

from collections.abc import Iterable, Iterator
from functools import cache

from domain.games.tokars_arcana.actions import Enter, MoveAndStrike, Strike
from domain.games.tokars_arcana.board import Squares, jumps, offset, plane
from domain.games.tokars_arcana.cards import CARDS, named, rank_of
from domain.games.tokars_arcana.state import (
    Board,
    Model,
    Options,
    Rank,
    Seat,
    Square,
    State,
    Unit,
)
from domain.kernel.rulings import Refused


@cache
def reach(rows: int, seat: Seat, unit: Unit) -> dict[Square, Squares]:
    """The squares where this unit may strike, from each square."""
    offsets = CARDS[unit].reach
    return {at: jumps(rows, at, offsets, seat) for at in plane(rows).squares}


def is_immune(striker: Unit, victim: Unit) -> bool:
    """Does the victim's card protect it from this unit's strike or entering?"""
    return CARDS[victim].immune and rank_of(striker) == "soldier"


# --- by entering ---------------------------------------------------------------------------------


def may_enter(options: Options, model: Model, victim: Model) -> bool:
    """May the model, of a unit that kills by entering, enter where this one stands?"""
    if victim.seat == model.seat and _spares_own(options, model.unit):
        return False
    return not is_immune(model.unit, victim.unit)


def _spares_own(options: Options, unit: Unit) -> bool:
    """Is this unit kept from entering upon its own side? (TA-R5, TA-R6)"""
    if unit == "K":
        return options.friendly_fire != "any"
    return options.friendly_fire == "explicit" and unit != "W"


def refuse_entering(options: Options, order: Enter, model: Model, victim: Model) -> Refused | None:
    """Why the model may not kill this one by entering."""
    if victim.seat == model.seat and _spares_own(options, model.unit):
        if model.unit == "K":
            return Refused(
                "ta.knight.enemy",
                f"{named(victim.seat, victim.unit)} on {order.end} is no enemy: a Blue Knight"
                " lands on enemies only",
                {"friendly_fire": options.friendly_fire},
            )
        return refuse_own(options, order.end)
    if is_immune(model.unit, victim.unit):
        return refuse_immune(model, victim, order.end)
    return None


def refuse_own(options: Options, target: Square) -> Refused:
    """The refusal to hit a model of the same side where the options forbid it."""
    return Refused(
        "ta.kill.friendly",
        f"the model on {target} is no enemy, and in this match only the Wind Mage's teleport and"
        " the explosion may hit models of their own side",
        {"friendly_fire": options.friendly_fire},
    )


def refuse_immune(model: Model, victim: Model, target: Square) -> Refused:
    """The refusal of a soldier's attack on who is immune to soldiers."""
    return Refused(
        "ta.kill.immune",
        f"{named(victim.seat, victim.unit)} on {target} cannot be killed by a soldier, as the"
        f" {CARDS[model.unit].name} is; a higher rank can",
        {"attacker_rank": rank_of(model.unit)},
    )


# --- by a strike ---------------------------------------------------------------------------------


def struck_ranks(model: Model, stands: Square, target: Square) -> frozenset[Rank]:
    """The ranks that the model's strike kills at this target."""
    card = CARDS[model.unit]
    if card.strikes_ahead is not None and stands[0] == target[0]:
        return card.strikes_ahead
    return card.strikes


def targets(state: State, start: Square, stands: Square, model: Model) -> Iterator[Square]:
    """Where the model may strike from where it stands, after it has left its start."""
    options, board = state.options, state.board
    spares, gestures = options.friendly_fire == "explicit", options.gestures == "allowed"
    for target in reach(options.rows, model.seat, model.unit)[stands]:
        if target not in board or target == start != stands:
            if gestures:
                yield target
            continue
        victim = board[target]
        if not (spares and victim.seat == model.seat) and may_strike(model, stands, target, victim):
            yield target


def targets_after_moving(
    state: State, start: Square, ends: Iterable[Square], model: Model
) -> Iterator[tuple[Square, Square]]:
    """The same for each of the squares where the model may come to stand, with that square."""
    options = state.options
    reached = reach(options.rows, model.seat, model.unit)
    if options.gestures == "allowed" or CARDS[model.unit].strikes_ahead is not None:
        for end in ends:
            for target in targets(state, start, end, model):
                yield end, target
        return
    # Whom it can kill does not depend on where it stands, and only few stand within reach.
    spares, killed = options.friendly_fire == "explicit", _killed_by(model.unit)[0]
    victims = {
        square
        for square, other in state.board.items()
        if other.unit in killed and square != start and not (spares and other.seat == model.seat)
    }
    for end in ends:
        around = reached[end]
        if not victims.isdisjoint(around):
            for target in around:
                if target in victims:
                    yield end, target


def is_vacated(start: Square, stands: Square, target: Square) -> bool:
    """Is the target where the model itself was, which has gone from there?"""
    return target == start != stands


def standing(board: Board, start: Square, stands: Square, target: Square) -> Model | None:
    """Who stands on a target once the model has gone from its start to where it stands."""
    return None if is_vacated(start, stands, target) else board.get(target)


def may_strike(model: Model, stands: Square, target: Square, victim: Model) -> bool:
    """Does the strike kill this victim, by its rank and its immunity?"""
    return victim.unit in _killed_by(model.unit)[stands[0] == target[0]]


@cache
def _killed_by(striker: Unit) -> tuple[frozenset[Unit], frozenset[Unit]]:
    """The units that this one's strike kills, and those that it kills in its own column."""
    card = CARDS[striker]
    ahead = card.strikes if card.strikes_ahead is None else card.strikes_ahead
    killed, killed_ahead = (
        frozenset(unit for unit in CARDS if rank_of(unit) in ranks and not is_immune(striker, unit))
        for ranks in (card.strikes, ahead)
    )
    return killed, killed_ahead


def refuse_strike(
    state: State, order: Strike | MoveAndStrike, stands: Square, model: Model
) -> Refused | None:
    """Why the model cannot strike there from where it then stands."""
    target, card = order.target, CARDS[model.unit]
    if target not in reach(state.options.rows, model.seat, model.unit)[stands]:
        east, ahead = offset(stands, target, model.seat)
        return Refused(
            card.reach_rule,
            f"{target} is out of reach from {stands}: the {card.name} strikes"
            f" {_REACH_WORDS[card.reach_rule]}",
            {"columns": east, "rows_ahead": ahead},
        )
    victim = standing(state.board, order.start, stands, target)
    if victim is None:
        return refuse_nobody(state.options, target)
    if victim.seat == model.seat and state.options.friendly_fire == "explicit":
        return refuse_own(state.options, target)
    if rank_of(victim.unit) not in struck_ranks(model, stands, target):
        return _refuse_rank(model, victim, target)
    if is_immune(model.unit, victim.unit):
        return refuse_immune(model, victim, target)
    return None


def refuse_nobody(options: Options, target: Square) -> Refused | None:
    """The refusal to hit a free square, unless empty gestures are allowed (TA-R39)."""
    if options.gestures == "allowed":
        return None
    return Refused(
        "ta.kill.target", f"nobody stands on {target}: there must be a model to hit, or pass"
    )


def _refuse_rank(model: Model, victim: Model, target: Square) -> Refused:
    who, rank = named(victim.seat, victim.unit), rank_of(victim.unit)
    if CARDS[model.unit].strikes_ahead is None:
        return Refused(
            "ta.priest.kill.rank",
            f"{who} on {target} is a {rank}: a priest kills soldiers only",
            {"rank": rank},
        )
    return Refused(
        "ta.warrior.kill.rank",
        f"{who} on {target} is a {rank}: an Imperial Warrior kills a soldier straight ahead, and"
        " a higher rank diagonally ahead",
        {"rank": rank},
    )


_REACH_WORDS = {
    "ta.warrior.kill.reach": "straight ahead or diagonally ahead, at one square",
    "ta.windmage.bolt": "exactly 3 squares straight ahead",
    "ta.priest.kill.reach": "an adjacent model",
    "ta.duelist.pistol": "an adjacent model",
    "ta.battlemage.kill": "an adjacent model",
    "ta.tombkeeper.kill": "an adjacent model",
    "ta.necromancer.kill": "an adjacent model",
}
