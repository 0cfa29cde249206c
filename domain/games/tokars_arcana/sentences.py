"""Facts as sentences, each in the state before it. A fact that tells people nothing has none."""

from collections.abc import Sequence
from functools import reduce
from typing import Final, assert_never

from domain.games.tokars_arcana.action_sentences import marked, wind
from domain.games.tokars_arcana.captions import check_sentence
from domain.games.tokars_arcana.cards import named
from domain.games.tokars_arcana.english import ENGLISH
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
from domain.games.tokars_arcana.names import LONGEST, enumerated, on, seat_name, standing
from domain.games.tokars_arcana.state import (
    OTHER,
    Placing,
    Raise,
    Square,
    State,
    general_square,
)
from domain.games.tokars_arcana.undead import rank_words

_ALL_NAMED: Final = 16
"""A sentence of one fact names as many models as an army has."""


def facts_told(before: State, facts: Sequence[Fact], *, briefly: bool = False) -> list[str]:
    """What each fact says, without full stops; empty for those that say nothing. `briefly`: of
    models that give check it is told how many they are."""
    told = []
    state = before
    for fact in facts:
        after = evolve(state, fact)
        told.append(_told(state, fact, after, briefly))
        state = after
    return told


def _told(state: State, fact: Fact, after: State, briefly: bool) -> str:
    match fact:
        case ModelMoved() | RowSlid() | WindBlew() | ModelsVanquished() | ModelPlaced():
            return _moved(state, fact)
        case ModelKilled(seat, unit, square):
            return ENGLISH.format("killed", model=standing(seat, unit, square))
        case ModelWithdrawn(seat, unit, square):
            return ENGLISH.format("withdrawn", model=standing(seat, unit, square))
        case ModelReturned(seat, unit, square):
            return ENGLISH.format("returned", name=named(seat, unit), square=square)
        case DeadRemoved(seat, unit):
            return ENGLISH.format("removed", name=named(seat, unit))
        case MarkLifted(square):
            return ENGLISH.format("mark-lifted", model=on(state, square))
        case FirebrewStruck(square, tokens):
            return ENGLISH.format("struck", model=on(state, square), tokens=tokens)
        case FirebrewBurned(square, tokens):
            key = "burned" if tokens else "burned-out"
            return ENGLISH.format(key, model=on(state, square), tokens=tokens)
        case AngelsCalled() | PriestRevived() | PriestLost() | RaiseAsked():
            return _asked(state, fact)
        case ReadySaid() | TossAsked() | DrawOffered() | DrawDeclined() | QuietCounted():
            return _at_the_table(state, fact)
        case TurnBegan():
            return check_sentence(after, briefly=briefly)
        case GameEnded():
            return _ended(state, fact)
        case unreachable:
            assert_never(unreachable)


def _moved(
    state: State, fact: ModelMoved | RowSlid | WindBlew | ModelsVanquished | ModelPlaced
) -> str:
    match fact:
        case ModelMoved(start, end):
            return ENGLISH.format("move", name=_name(state, start), start=start, end=end)
        case RowSlid(start, end, shifts):
            return ENGLISH.format(
                "slide", name=_name(state, start), start=start, end=end,
                swapped=_swapped(state, shifts), marked=marked(state, shifts),
            )  # fmt: skip
        case WindBlew(pushed=()):
            return ENGLISH.format("blew-nobody")
        case WindBlew(pushed):
            moves = [
                ENGLISH.format("pushed", model=_name(state, each.start), start=each.start,
                            end=each.end)
                for each in pushed
            ]  # fmt: skip
            return ENGLISH.format(
                "blew", moves=enumerated(moves, _ALL_NAMED), **wind(state, pushed)
            )
        case ModelsVanquished(squares):
            return ENGLISH.format(
                "lifted", models=enumerated([on(state, each) for each in squares])
            )
        case ModelPlaced(square):
            assert isinstance(state.phase, Placing)
            first = state.phase.models[0]
            return ENGLISH.format("placed", name=named(first.seat, first.unit), square=square)
        case unreachable:
            assert_never(unreachable)


def _name(state: State, square: Square) -> str:
    model = state.board[square]
    return named(model.seat, model.unit)


def _swapped(state: State, shifts: Sequence[Shift]) -> str:
    models = [
        ENGLISH.format("shifted", model=_name(state, each.start), end=each.end) for each in shifts
    ]
    return ENGLISH.format("swapped", models=enumerated(models, _ALL_NAMED)) if models else ""


def _asked(state: State, fact: AngelsCalled | PriestRevived | PriestLost | RaiseAsked) -> str:
    match fact:
        case AngelsCalled(seats):
            priests = enumerated([named(seat, "P") for seat in seats])
            return ENGLISH.format("called", priests=priests)
        case PriestRevived(seat, square):
            return ENGLISH.format("revived", name=named(seat, "P"), square=square)
        case PriestLost(seat):
            return ENGLISH.format("lost", name=named(seat, "P"))
        case RaiseAsked(square, rank):
            words = rank_words(state, Raise(square, rank))
            return ENGLISH.format("may-raise", model=on(state, square), rank=words)
        case unreachable:
            assert_never(unreachable)


def _at_the_table(
    state: State, fact: ReadySaid | TossAsked | DrawOffered | DrawDeclined | QuietCounted
) -> str:
    match fact:
        case ReadySaid(seat):
            return ENGLISH.format("ready", seat=seat_name(seat))
        case TossAsked():
            return ENGLISH.format("toss-asked")
        case DrawOffered(seat):
            return ENGLISH.format("draw-offer", seat=seat_name(seat))
        case DrawDeclined(seat):
            return ENGLISH.format("draw-decline", seat=seat_name(seat))
        case QuietCounted(turns):
            limit = state.options.quiet_limit
            return ENGLISH.format("quiet-turns", turns=turns, limit=limit) if turns else ""
        case unreachable:
            assert_never(unreachable)


def _ended(state: State, fact: GameEnded) -> str:
    """How the game ended, in the state just before its end: the dead are gone already."""
    dead = {seat for seat in OTHER if general_square(state.board, seat) is None}
    winner = "" if fact.winner is None else seat_name(fact.winner)
    match fact.reason:
        case "general" if len(dead) > 1:
            return ENGLISH.format("generals-dead", winner=winner)
        case "general":
            loser = "" if fact.winner is None else seat_name(OTHER[fact.winner])
            return ENGLISH.format("general-dead", winner=winner, loser=loser)
        case "generals":
            return ENGLISH.format("generals-drawn")
        case "resign":
            return ENGLISH.format("won", winner=winner)
        case "agreement":
            return ENGLISH.format("drawn")
        case "quiet":
            return ENGLISH.format("drawn-quiet", turns=state.quiet)
        case unreachable:
            assert_never(unreachable)


def firebrew_told(before: State, facts: Sequence[Fact], most: int = LONGEST) -> str:
    """What firebrew did at the end of a turn, without a full stop; empty for nothing. With a
    list that is cut earlier than usual, only whom it killed."""
    burned = [n for n, fact in enumerate(facts) if isinstance(fact, FirebrewBurned)]
    if not burned:
        return ""
    state = reduce(evolve, facts[: burned[0]], before)
    tokens = {fact.square: fact.tokens for fact in facts if isinstance(fact, FirebrewBurned)}
    dead = [on(state, square) for square, left in tokens.items() if not left]
    burning = [
        ENGLISH.format("tokens-left", model=on(state, square), tokens=left)
        for square, left in tokens.items()
        if left
    ]
    if dead and burning and most >= LONGEST:
        return ENGLISH.format("firebrew-both", dead=enumerated(dead, most), left=len(burning))
    if dead:
        return ENGLISH.format("firebrew-kills", dead=enumerated(dead))
    if most < LONGEST:
        return ""
    return ENGLISH.format("firebrew-burns", left=enumerated(burning))
