"""The match card of a stylus: the meaning of its targets in a match, and their commands."""

from datetime import datetime
from typing import Final, assert_never

from msgspec.structs import replace

from domain.kernel.rulings import Refused
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext, Origin, Taps
from domain.match import (
    AnyMatch,
    Changeset,
    Event,
    branch_ranges,
    is_play,
    last_action,
    offer_draw,
    raise_dispute,
    resign,
    respond_to_draw,
)
from domain.table import (
    CONFIRM,
    CardCommand,
    CardOrder,
    Message,
    OrderPreview,
    Stylus,
    Table,
    action_taps,
    card_command,
    seats_of,
    target_of,
)
from services.accounts.tokens import TokenIssuer
from services.store.line_changes import (
    LineChange,
    answer_line_change,
    change_line,
    find_in_line,
    last_branch,
)
from services.store.match_cache import CachedMatch, MatchCache

CLIENT: Final = "gateway"
"""Client name that the log records for tapped commands."""


def tap_context(
    token_issuer: TokenIssuer, match: AnyMatch, message: Message, taps: Taps, at: datetime
) -> CommandContext:
    """Return the command context of a command by these taps, the last of which is this message."""
    request = f"{message.gateway}/{message.epoch}/{message.seq}"
    return token_issuer.command_context(match.id, request, Origin(CLIENT, taps), at)


class MatchCard:
    """The commands of match cards."""

    def __init__(self, live: MatchCache, token_issuer: TokenIssuer) -> None:
        self._live = live
        self._token_issuer = token_issuer

    async def order(
        self, live: CachedMatch, table: Table, message: Message, at: datetime
    ) -> OrderPreview | Refused | None:
        """Return the order of a tap on the card, or of Confirm; None for any other tap."""
        stylus = table.styluses.get(message.stylus)
        if stylus is None or stylus.gateway != message.gateway:
            return None
        target = target_of(table.codes_of(message.gateway), message.what)
        if (command := card_command(target)) is not None:
            order = await self._order(live, stylus, command)
        elif target == CONFIRM and stylus.order and stylus.seen == live.state.version:
            order = stylus.order
        else:
            return None
        if isinstance(order, Refused):
            return order
        reason = f"raised at the table, with the stylus {stylus.name or message.stylus}"
        command_context = tap_context(
            self._token_issuer, live.state, message, action_taps(table, message), at
        )
        outcome = await self._outcome(live, order, command_context, reason)
        if isinstance(outcome, Changeset) and order.command in ("undo", "redo", "draw"):
            proposal = outcome.state.proposal
            order = replace(order, awaiting=proposal.awaiting if proposal else ())
        return OrderPreview(order, outcome)

    async def _order(
        self, live: CachedMatch, stylus: Stylus, command: CardCommand
    ) -> CardOrder | Refused:
        match, seats = live.state, seats_of(stylus, live.state)
        if not seats:
            return Refused("stylus.seat", "this stylus acts for no seat of the match")
        playing = [seat for seat in seats if seat not in match.out] or seats
        asked = next((prompt.seat for prompt in match.prompts if prompt.seat in seats), playing[0])
        match command:
            case "undo":
                return await self._undo(live, seats)
            case "redo":
                return await self._redo(live, seats, asked)
            case "resign" | "draw":
                return CardOrder(command, asked)
            case "agree" | "refuse":
                return _proposal_response(match, seats, command)
            case "dispute":
                found = await find_in_line(
                    self._live, live, match, lambda events, _: _last_action(events)
                )
                return (
                    CardOrder(command, asked, found)
                    if found
                    else _order_refusal("nothing was done")
                )
            case unreachable:
                assert_never(unreachable)

    async def _undo(self, live: CachedMatch, seats: tuple[str, ...]) -> CardOrder | Refused:
        """Return the undo of the last action of a seat that the stylus acts for."""

        def last(events: list[Event], whole: bool) -> tuple[int, str] | None:
            del whole
            done = ((last_action(seat, events), seat) for seat in seats)
            return max(((at, seat) for at, seat in done if at is not None), default=None)

        if (found := await find_in_line(self._live, live, live.state, last)) is None:
            return _order_refusal("nothing was done that this stylus could take back")
        at, seat = found
        return CardOrder("undo", seat, at - 1)

    async def _redo(
        self, live: CachedMatch, seats: tuple[str, ...], asked: str
    ) -> CardOrder | Refused:
        """Return the redo of the last undone action, if the stylus acts for its seat."""
        head = await last_branch(self._live, live, live.state)
        if head is None:
            return _order_refusal("nothing was taken back")
        events = await self._live.events_of(live, branch_ranges(live.state, head))
        did = next((getattr(each.event, "seat", "") for each in events if is_play(each.event)), "")
        return CardOrder("redo", did if did in seats else asked, head)

    async def _outcome(
        self, live: CachedMatch, order: CardOrder, command_context: CommandContext, reason: str
    ) -> Changeset[AnyMatch] | Refused | Rejection:
        """Execute an order with the same commands as the API does."""
        match, seat, seeds = live.state, order.seat, self._token_issuer.seeds(live.state.id)
        match order.command:
            case "undo" | "redo":
                wanted = LineChange(seat, order.version, is_redo=order.command == "redo")
                return await change_line(self._live, live, wanted, command_context, seeds)
            case "resign":
                return resign(match, seat, command_context, seeds)
            case "draw":
                return offer_draw(match, seat, command_context, seeds)
            case "agree" | "refuse":
                yes = order.command == "agree"
                if match.proposal is not None and match.proposal.to is None:
                    return respond_to_draw(match, seat, yes, command_context, seeds)
                return await answer_line_change(
                    self._live, live, seat, command_context, seeds, granted=yes
                )
            case "dispute":
                return raise_dispute(match, seat, order.version, reason, command_context)
            case unreachable:
                assert_never(unreachable)


def _proposal_response(
    match: AnyMatch, seats: tuple[str, ...], command: CardCommand
) -> CardOrder | Refused:
    proposal = match.proposal
    if proposal is None:
        return _order_refusal("nothing waits for an answer")
    seat = next((each for each in proposal.awaiting if each in seats), None)
    if seat is None:
        why = f"{', '.join(proposal.awaiting)} is asked, for whom this stylus does not act"
        return Refused("stylus.seat", why)
    return CardOrder(command, seat, proposal.to or 0)


def _last_action(backwards: list[Event]) -> int | None:
    return next((event.version for event in backwards if is_play(event)), None)


def _order_refusal(why: str) -> Refused:
    return Refused("stylus.match", why)
