"""Actions, resignations and draw offers."""

from typing import Any

from domain.kernel.any_game import parse_action
from domain.kernel.rulings import Accepted, Refused
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.events import ActionTaken, DrawAnswered, DrawOffered, PlayerResigned
from domain.match.ledger import (
    MatchLedger,
    Outcome,
    SeedSource,
    match_over_rejection,
    pause_rejection,
)
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch


def parse_match_action(
    match: AnyMatch, text: str, *, score_notation: bool = False
) -> Any | Refused | Rejection:
    """Return the action that a text means in this match, in machine or score notation.

    A match that takes no action denies any text, before its spelling is read. Score notation
    needs a game that has one.
    """
    if (denied := _action_rejection(match)) is not None:
        return denied
    game = match.rules
    if not score_notation:
        return parse_action(game, match.position, text)
    assert game.score is not None
    return game.score.read(match.position, text)


def act(
    match: AnyMatch,
    seat: str,
    action: Any,
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Outcome:
    """Judge one action.

    Returns:
        The recorded events; `Refused` if the rules forbid the action; `Rejection` if the match
        takes no action, such as during a pause. Only the first records anything.
    """
    if (denied := _action_rejection(match)) is not None:
        return denied
    outcome: Accepted[Any] | Refused = match.rules.decide(match.position, seat, action)
    if isinstance(outcome, Refused):
        return outcome
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(
        ActionTaken,
        seat=seat,
        action=action,
        facts=outcome.facts,
        rulings=outcome.rulings,
        source=command_context.source,
        entry=_is_entry(match, seat, action),
    )
    ledger.settle(seeds)
    return ledger.changeset()


def resign(
    match: AnyMatch, seat: str, command_context: CommandContext, seeds: SeedSource = no_seeds
) -> Outcome:
    """Resign, by the game's own action where it has one, else by an event of the match.

    With three seats or more, a game that supports it continues without the seat.
    """
    forfeit = match.rules.forfeit
    if match.rules.resign is not None or forfeit is None or len(match.seats) == 2:
        return concede(match, seat, command_context, seeds)
    if (denied := _over_or_paused(match)) is not None:
        return denied
    if seat in match.out:
        return Rejection("SEAT_ELIMINATED", f"{seat} has resigned already")
    consequences = forfeit(match.position, seat)
    assert consequences.facts, "what follows when a game goes on without a seat"
    return _record_resignation(
        match, seat, command_context, seeds, facts=consequences.facts, rulings=consequences.rulings
    )


def concede(
    match: AnyMatch, seat: str, command_context: CommandContext, seeds: SeedSource = no_seeds
) -> Outcome:
    """Resign for the whole match, whatever the number of seats: all others win."""
    if match.rules.resign is not None:
        return act(match, seat, match.rules.resign(seat), command_context, seeds)
    if (denied := _over_or_paused(match)) is not None:
        return denied
    return _record_resignation(match, seat, command_context, seeds)


def _record_resignation(
    match: AnyMatch,
    seat: str,
    command_context: CommandContext,
    seeds: SeedSource,
    **consequences: tuple[Any, ...],
) -> Changeset[AnyMatch]:
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(PlayerResigned, seat=seat, source=command_context.source, **consequences)
    ledger.settle(seeds)
    return ledger.changeset()


def offer_draw(
    match: AnyMatch, seat: str, command_context: CommandContext, seeds: SeedSource = no_seeds
) -> Outcome:
    """Offer to end the match as a draw."""
    game = match.rules
    if game.draws is not None:
        return act(match, seat, game.draws.offer(seat), command_context, seeds)
    if not game.agreed_draws:
        return Rejection("NO_DRAWS", f"{game.name} has no draws")
    if (denied := _over_or_paused(match)) is not None:
        return denied
    if match.proposal is not None:
        return Rejection(
            "PROPOSAL_PENDING",
            f"a proposal of {match.proposal.seat} is pending: respond to it first",
        )
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(DrawOffered, seat=seat, source=command_context.source)
    return ledger.changeset()


def respond_to_draw(
    match: AnyMatch,
    seat: str,
    accepted: bool,
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Outcome:
    """Accept or decline a draw offer; its own seat withdraws it by declining.

    The match is over once all others have accepted.
    """
    game = match.rules
    if game.draws is not None:
        return act(match, seat, game.draws.answer(seat, accepted), command_context, seeds)
    if (denied := _action_rejection(match)) is not None:
        return denied
    proposal = match.proposal
    if proposal is None or proposal.to is not None:
        return Rejection("NO_PROPOSAL", "no draw offer is pending")
    if not (seat in proposal.awaiting or proposal.withdraws(seat, accepted)):
        return Rejection(
            "SEAT_NOT_AWAITED", f"{seat} may not respond to the draw offer of {proposal.seat}"
        )
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(DrawAnswered, seat=seat, accepted=accepted, source=command_context.source)
    ledger.settle(seeds)
    return ledger.changeset()


def _is_entry(match: AnyMatch, seat: str, action: Any) -> bool:
    asked = any(prompt.is_chance and prompt.seat == seat for prompt in match.turn)
    return asked and not match.rules.is_administrative(action)


def _over_or_paused(match: AnyMatch) -> Rejection | None:
    return match_over_rejection(match) if match.result is not None else pause_rejection(match)


def _action_rejection(match: AnyMatch) -> Rejection | None:
    return match_over_rejection(match) if match.is_ended_by_players else pause_rejection(match)
