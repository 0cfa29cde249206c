"""Which match a board shows: looks for it among those that its stylus waits for."""

from uuid import UUID

from domain import table as tables
from domain.kernel.rulings import Refused
from domain.log.stamps import Stamp
from domain.match import AnyMatch
from domain.stylus.taps import RUNES
from domain.table import Found, Message, Stylus, Table
from services.clock import utc_now
from services.store.errors import MatchUnknown
from services.store.live_matches import LiveMatches
from services.tables.moments import Moments
from services.wire.emeth.v1 import gateways_pb2 as pb


class Attaching:
    """Looks at the matches that styluses wait for."""

    def __init__(self, live: LiveMatches, moments: Moments) -> None:
        self._live = live
        self.moments = moments

    async def found(self, table: Table, message: Message) -> Found | None:
        """What a message means at a table where no match is under way, if its stylus waits for
        some; None if it means what it means everywhere."""
        stylus = table.styluses.get(message.stylus)
        if stylus is None or stylus.gateway != message.gateway or not stylus.waits:
            return None
        if message.scan is None and not stylus.offered:
            return None
        present = None if table.match is None else (await self._live.get(table.match)).state
        if not tables.is_free(present):
            return None
        waiting = await self.matches(table, stylus)
        if message.scan is None:
            return self._chosen(table, message, waiting)
        board = tables.board_after(table, message)
        fits = tables.offers(table, message.stylus, board, waiting, self.moments.meet)
        if len(fits) == 1:
            return self._attached(table, waiting[fits[0].match])
        return Found(offers=fits) if fits else None

    def _chosen(self, table: Table, message: Message, waiting: dict[str, AnyMatch]) -> Found | None:
        """What a tap means where several matches were offered."""
        found = tables.choose(table, message)
        if found is None or found.hand is None or found.refusal is not None:
            return found
        chosen = found.hand.chosen
        if not chosen or not tables.confirms(table, message):
            return found
        board = table.styluses[message.stylus].board
        fits = tables.offers(table, message.stylus, board, waiting, self.moments.meet)
        if chosen in {each.match for each in fits}:
            return self._attached(table, waiting[chosen])
        why = "that match does not stand so any more, or is not for this board: let it look again"
        return Found(hand=found.hand, refusal=Refused("stylus.board", why))

    async def matches(self, table: Table, *styluses: Stylus) -> dict[str, AnyMatch]:
        """The matches that styluses wait for, and the one on their table, by their ids."""
        wanted = dict.fromkeys(UUID(each) for stylus in styluses for each in stylus.waits)
        if table.match is not None:
            wanted[table.match] = None
        found = {}
        for identity in wanted:
            try:
                found[str(identity)] = (await self._live.get(identity)).state
            except MatchUnknown:
                continue
        return found

    def _attached(self, table: Table, match: AnyMatch) -> Found:
        return Found(attached=tables.attach(table, match, Stamp(utc_now(), "")))


def offer(prompt: pb.Prompt, stylus: Stylus) -> None:
    """Say on a prompt among which matches its user chooses."""
    offered, page = stylus.offered, stylus.hand.page
    for each in offered:
        prompt.offers.add(match_id=each.match, game=each.game, title=each.title, seats=each.seats)
    labels = [
        pb.Choice(label=each.match, sentence=f"{each.title or each.game}: {', '.join(each.seats)}")
        for each in offered
    ]
    del prompt.runes[:]
    prompt.runes.extend(labels[(page - 1) * RUNES : page * RUNES])
    prompt.ClearField("armed")
    for label in labels:
        if label.label == stylus.hand.chosen:
            prompt.armed.CopyFrom(label)
    prompt.text = f"{len(offered)} matches stand like this: which one is it?"
    prompt.view, prompt.page, prompt.pages = "play", page, -(-len(offered) // RUNES)
