"""Acting, giving up, and agreeing on a draw."""

from typing import Any

from domain.kernel.any_game import parse_action
from domain.kernel.rulings import Accepted, Refused
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.events import ActionTaken, DrawAnswered, DrawOffered, PlayerResigned
from domain.match.ledger import MatchLedger, Outcome, SeedSource, match_over_refusal, pause_refusal
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch


def parse_match_action(
    match: AnyMatch, text: str, *, score_notation: bool = False
) -> Any | Refused | Rejection:
    """The action that a text means in this match now, in machine or in score notation.

    What stops every action comes before its spelling: a match that takes none denies any text, and
    a game that is over may refuse any. A game without a score notation cannot be asked for it.
    """
    if (denied := _stopped(match)) is not None:
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
    """Judge one action. What the rules forbid is `Refused`, and nothing is recorded.

    It is `Rejection` for what the rules know nothing of: a dispute that pauses the match, or an end
    that the players made.
    """
    if (denied := _stopped(match)) is not None:
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
    """Give up: by the game's own action where it has one, else by an event of the match.

    With three seats or more the others play on, in a game that knows how: the seat is then out.
    """
    forfeit = match.rules.forfeit
    if match.rules.resign is not None or forfeit is None or len(match.seats) == 2:
        return concede(match, seat, command_context, seeds)
    if (denied := _ended(match)) is not None:
        return denied
    if seat in match.out:
        return Rejection("SEAT_ELIMINATED", f"{seat} has given up already, and is out of the game")
    followed = forfeit(match.position, seat)
    assert followed.facts, "what follows when a game goes on without a seat"
    return _resigned(
        match, seat, command_context, seeds, facts=followed.facts, rulings=followed.rulings
    )


def concede(
    match: AnyMatch, seat: str, command_context: CommandContext, seeds: SeedSource = no_seeds
) -> Outcome:
    """Give up, which ends the match whatever the number of seats: all others have won."""
    if match.rules.resign is not None:
        return act(match, seat, match.rules.resign(seat), command_context, seeds)
    if (denied := _ended(match)) is not None:
        return denied
    return _resigned(match, seat, command_context, seeds)


def _resigned(
    match: AnyMatch,
    seat: str,
    command_context: CommandContext,
    seeds: SeedSource,
    **followed: tuple[Any, ...],
) -> Changeset[AnyMatch]:
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(PlayerResigned, seat=seat, source=command_context.source, **followed)
    ledger.settle(seeds)
    return ledger.changeset()


def offer_draw(
    match: AnyMatch, seat: str, command_context: CommandContext, seeds: SeedSource = no_seeds
) -> Outcome:
    """Offer to end the match without a winner."""
    game = match.rules
    if game.draws is not None:
        return act(match, seat, game.draws.offer(seat), command_context, seeds)
    if not game.agreed_draws:
        return Rejection("NO_DRAWS", f"{game.name} has no draws, and none can be agreed on")
    if (denied := _ended(match)) is not None:
        return denied
    if match.proposal is not None:
        return Rejection(
            "PROPOSAL_PENDING", f"a request of {match.proposal.seat} waits for answers"
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
    """Accept or decline the offer; whoever made it may withdraw it by declining.

    When all others have accepted, the match is over.
    """
    game = match.rules
    if game.draws is not None:
        return act(match, seat, game.draws.answer(seat, accepted), command_context, seeds)
    if (denied := _stopped(match)) is not None:
        return denied
    proposal = match.proposal
    if proposal is None or proposal.to is not None:
        return Rejection("NO_PROPOSAL", "no offer of a draw waits for an answer")
    if not (seat in proposal.awaiting or proposal.withdraws(seat, accepted)):
        return Rejection("SEAT_NOT_AWAITED", f"{seat} is not asked: the offer is {proposal.seat}'s")
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(DrawAnswered, seat=seat, accepted=accepted, source=command_context.source)
    ledger.settle(seeds)
    return ledger.changeset()


def _is_entry(match: AnyMatch, seat: str, action: Any) -> bool:
    asked = any(prompt.is_chance and prompt.seat == seat for prompt in match.turn)
    return asked and not match.rules.is_administrative(action)


def _ended(match: AnyMatch) -> Rejection | None:
    return match_over_refusal(match) if match.result is not None else pause_refusal(match)


def _stopped(match: AnyMatch) -> Rejection | None:
    return match_over_refusal(match) if match.is_ended_by_players else pause_refusal(match)
