"""Acting, giving up, and agreeing on a draw."""

from typing import Any

from domain.kernel.any_game import understand
from domain.kernel.rulings import Accepted, Refused
from domain.log.ledger import Decided, Denied
from domain.log.origin import Stamp
from domain.match.events import ActionTaken, DrawAnswered, DrawOffered, Resigned
from domain.match.ledger import MatchLedger, Outcome, Seeds, over, paused
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch


def understood(
    match: AnyMatch, text: str, *, score_notation: bool = False
) -> Any | Refused | Denied:
    """The action that a text means in this match now, in machine or in score notation.

    What stops every action comes before its spelling: a match that takes none denies any text, and
    a game that is over may refuse any. A game without a score notation cannot be asked for it.
    """
    if (denied := _stopped(match)) is not None:
        return denied
    game = match.rules
    if not score_notation:
        return understand(game, match.position, text)
    assert game.score is not None
    return game.score.read(match.position, text)


def act(match: AnyMatch, seat: str, action: Any, stamp: Stamp, seeds: Seeds = no_seeds) -> Outcome:
    """Judge one action. What the rules forbid is `Refused`, and nothing is recorded.

    It is `Denied` for what the rules know nothing of: a dispute that pauses the match, or an end
    that the players made.
    """
    if (denied := _stopped(match)) is not None:
        return denied
    outcome: Accepted[Any] | Refused = match.rules.decide(match.position, seat, action)
    if isinstance(outcome, Refused):
        return outcome
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(
        ActionTaken,
        seat=seat,
        action=action,
        facts=outcome.facts,
        rulings=outcome.rulings,
        source=stamp.source,
        entry=_is_entry(match, seat, action),
    )
    ledger.settle(seeds)
    return ledger.decided()


def resign(match: AnyMatch, seat: str, stamp: Stamp, seeds: Seeds = no_seeds) -> Outcome:
    """Give up: by the game's own action where it has one, else by an event of the match.

    With three seats or more the others play on, in a game that knows how: the seat is then out.
    """
    forfeit = match.rules.forfeit
    if match.rules.resign is not None or forfeit is None or len(match.seats) == 2:
        return concede(match, seat, stamp, seeds)
    if (denied := _ended(match)) is not None:
        return denied
    if seat in match.out:
        return Denied("SEAT_ELIMINATED", f"{seat} has given up already, and is out of the game")
    followed = forfeit(match.position, seat)
    assert followed.facts, "what follows when a game goes on without a seat"
    return _resigned(match, seat, stamp, seeds, facts=followed.facts, rulings=followed.rulings)


def concede(match: AnyMatch, seat: str, stamp: Stamp, seeds: Seeds = no_seeds) -> Outcome:
    """Give up, which ends the match whatever the number of seats: all others have won."""
    if match.rules.resign is not None:
        return act(match, seat, match.rules.resign(seat), stamp, seeds)
    if (denied := _ended(match)) is not None:
        return denied
    return _resigned(match, seat, stamp, seeds)


def _resigned(
    match: AnyMatch, seat: str, stamp: Stamp, seeds: Seeds, **followed: tuple[Any, ...]
) -> Decided[AnyMatch]:
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(Resigned, seat=seat, source=stamp.source, **followed)
    ledger.settle(seeds)
    return ledger.decided()


def offer_draw(match: AnyMatch, seat: str, stamp: Stamp, seeds: Seeds = no_seeds) -> Outcome:
    """Offer to end the match without a winner."""
    game = match.rules
    if game.draws is not None:
        return act(match, seat, game.draws.offer(seat), stamp, seeds)
    if not game.agreed_draws:
        return Denied("NO_DRAWS", f"{game.name} has no draws, and none can be agreed on")
    if (denied := _ended(match)) is not None:
        return denied
    if match.proposal is not None:
        return Denied("PROPOSAL_PENDING", f"a request of {match.proposal.seat} waits for answers")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(DrawOffered, seat=seat, source=stamp.source)
    return ledger.decided()


def answer_draw(
    match: AnyMatch, seat: str, accepted: bool, stamp: Stamp, seeds: Seeds = no_seeds
) -> Outcome:
    """Accept or decline the offer; whoever made it may withdraw it by declining.

    When all others have accepted, the match is over.
    """
    game = match.rules
    if game.draws is not None:
        return act(match, seat, game.draws.answer(seat, accepted), stamp, seeds)
    if (denied := _stopped(match)) is not None:
        return denied
    proposal = match.proposal
    if proposal is None or proposal.to is not None:
        return Denied("NO_PROPOSAL", "no offer of a draw waits for an answer")
    if not (seat in proposal.awaiting or proposal.withdraws(seat, accepted)):
        return Denied("SEAT_NOT_AWAITED", f"{seat} is not asked: the offer is {proposal.seat}'s")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(DrawAnswered, seat=seat, accepted=accepted, source=stamp.source)
    ledger.settle(seeds)
    return ledger.decided()


def _is_entry(match: AnyMatch, seat: str, action: Any) -> bool:
    asked = any(prompt.is_chance and prompt.seat == seat for prompt in match.turn)
    return asked and not match.rules.aside(action)


def _ended(match: AnyMatch) -> Denied | None:
    return over(match) if match.result is not None else paused(match)


def _stopped(match: AnyMatch) -> Denied | None:
    return over(match) if match.is_ended_by_players else paused(match)
