"""The match card of a stylus: what its targets mean as a match stands, and what comes of them."""

from datetime import datetime
from typing import Final, assert_never

from msgspec.structs import replace

from domain.kernel.rulings import Refused
from domain.log.ledger import Denied
from domain.log.origin import Source, Stamp, Taps
from domain.match import (
    AnyMatch,
    Decided,
    Event,
    answer_draw,
    is_play,
    last_action,
    offer_draw,
    raise_dispute,
    resign,
    taken_up,
)
from domain.table import (
    CONFIRM,
    CardOrder,
    Command,
    Message,
    Ordered,
    Stylus,
    Table,
    command_of,
    seats_of,
    taps_of,
    target_of,
)
from services.accounts.tokens import Mint
from services.store.line_changes import LineMove, answer, find, last_branch, move
from services.store.match_cache import LiveMatch, LiveMatches

CLIENT: Final = "gateway"
"""What the log has as the frontend of what was tapped."""


def stamp_of(mint: Mint, match: AnyMatch, message: Message, taps: Taps, at: datetime) -> Stamp:
    """What the log has of a command that these taps ask for, the last of which is this message."""
    request = f"{message.gateway}/{message.epoch}/{message.seq}"
    return mint.stamp(match.id, request, Source(CLIENT, taps), at)


class MatchCard:
    """Works out orders."""

    def __init__(self, live: LiveMatches, mint: Mint) -> None:
        self._live = live
        self._mint = mint

    async def ordered(
        self, live: LiveMatch, table: Table, message: Message, at: datetime
    ) -> Ordered | Refused | None:
        """What a tap on the card means now, or what Confirm takes of it; None for any other tap."""
        stylus = table.styluses.get(message.stylus)
        if stylus is None or stylus.gateway != message.gateway:
            return None
        target = target_of(table.codes_of(message.gateway), message.what)
        if (command := command_of(target)) is not None:
            order = await self._order(live, stylus, command)
        elif target == CONFIRM and stylus.order and stylus.seen == live.state.version:
            order = stylus.order
        else:
            return None
        if isinstance(order, Refused):
            return order
        reason = f"raised at the table, with the stylus {stylus.name or message.stylus}"
        stamp = stamp_of(self._mint, live.state, message, taps_of(table, message), at)
        outcome = await self._outcome(live, order, stamp, reason)
        if isinstance(outcome, Decided) and order.command in ("undo", "redo", "draw"):
            proposal = outcome.state.proposal
            order = replace(order, awaiting=proposal.awaiting if proposal else ())
        return Ordered(order, outcome)

    async def _order(
        self, live: LiveMatch, stylus: Stylus, command: Command
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
                return _answer(match, seats, command)
            case "dispute":
                found = await find(self._live, live, match, lambda events, _: _last_played(events))
                return (
                    CardOrder(command, asked, found) if found else _impossible("nothing was done")
                )
            case unreachable:
                assert_never(unreachable)

    async def _undo(self, live: LiveMatch, seats: tuple[str, ...]) -> CardOrder | Refused:
        """To take back the last thing that a seat of the stylus did."""

        def last(events: list[Event], whole: bool) -> tuple[int, str] | None:
            del whole
            done = ((last_action(seat, events), seat) for seat in seats)
            return max(((at, seat) for at, seat in done if at is not None), default=None)

        if (found := await find(self._live, live, live.state, last)) is None:
            return _impossible("nothing was done that this stylus could take back")
        at, seat = found
        return CardOrder("undo", seat, at - 1)

    async def _redo(
        self, live: LiveMatch, seats: tuple[str, ...], asked: str
    ) -> CardOrder | Refused:
        """To take up what was left last: for whoever did it, if this stylus acts for them."""
        head = await last_branch(self._live, live, live.state)
        if head is None:
            return _impossible("nothing was taken back")
        events = await self._live.events_of(live, taken_up(live.state, head))
        did = next((getattr(each.event, "seat", "") for each in events if is_play(each.event)), "")
        return CardOrder("redo", did if did in seats else asked, head)

    async def _outcome(
        self, live: LiveMatch, order: CardOrder, stamp: Stamp, reason: str
    ) -> Decided[AnyMatch] | Refused | Denied:
        """What comes of an order, by the same commands as over the API."""
        match, seat, seeds = live.state, order.seat, self._mint.seeds(live.state.id)
        match order.command:
            case "undo" | "redo":
                wanted = LineMove(seat, order.version, redoes=order.command == "redo")
                return await move(self._live, live, wanted, stamp, seeds)
            case "resign":
                return resign(match, seat, stamp, seeds)
            case "draw":
                return offer_draw(match, seat, stamp, seeds)
            case "agree" | "refuse":
                yes = order.command == "agree"
                if match.proposal is not None and match.proposal.to is None:
                    return answer_draw(match, seat, yes, stamp, seeds)
                return await answer(self._live, live, seat, stamp, seeds, granted=yes)
            case "dispute":
                return raise_dispute(match, seat, order.version, reason, stamp)
            case unreachable:
                assert_never(unreachable)


def _answer(match: AnyMatch, seats: tuple[str, ...], command: Command) -> CardOrder | Refused:
    proposal = match.proposal
    if proposal is None:
        return _impossible("nothing waits for an answer")
    seat = next((each for each in proposal.awaiting if each in seats), None)
    if seat is None:
        why = f"{', '.join(proposal.awaiting)} is asked, for whom this stylus does not act"
        return Refused("stylus.seat", why)
    return CardOrder(command, seat, proposal.to or 0)


def _last_played(backwards: list[Event]) -> int | None:
    return next((event.version for event in backwards if is_play(event)), None)


def _impossible(why: str) -> Refused:
    return Refused("stylus.match", why)
