"""Corrections: somebody says what stands on a board that reads something else.

A sensor fails, a piece lies on its side, another has the wrong tag. A correction holds until the
reading changes: then the board has seen something new, and is believed again.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.rulings import Refused
from domain.log.ledger import Decided
from domain.log.stamps import Stamp
from domain.match.state import AnyMatch
from domain.stylus.taps import scan
from domain.table.codes import MISREAD
from domain.table.commands import Answer, TableLedger, unpaired
from domain.table.events import BoardCorrected
from domain.table.messages import Done
from domain.table.scans import too_large, touched_by
from domain.table.state import Table
from domain.table.taps import DueTap, Meet, present


class Correction(Struct, frozen=True):
    """What somebody says of a board."""

    stylus: str
    by: str
    """As in `BoardCorrected`."""
    spaces: Mapping[str, tuple[str, ...]] | None = None
    """What stands there; None: all that the board watches stands as the position has it."""
    why: str = ""


def misread(done: Done, due: DueTap, meet: Meet) -> Done:
    """A tap which says that its board misread, with what that corrects."""
    if due.match is None or due.target != MISREAD or done.outcome != "done":
        return done
    table, name = done.recorded.state, due.message.stylus
    by = meet(table.styluses[name], due.match).seat or "gateway"
    corrected = correct(table, Correction(name, by), due.match, meet, due.stamp)
    assert isinstance(corrected, Decided), "the tap would have been refused"
    return replace(done, recorded=done.recorded.then(corrected))


def correct(
    table: Table, asked: Correction, match: AnyMatch | None, meet: Meet, stamp: Stamp
) -> Answer:
    """Believe somebody rather than a board."""
    name, known = asked.stylus, table.stylus(asked.stylus)
    if not known.gateway:
        return unpaired(name)
    if match is None:
        return Refused("stylus.no-match", "no match is played on this table yet")
    if not known.board:
        return Refused("stylus.board", "it is no board that senses pieces, or has shown nothing")
    moment = meet(known, match)
    spaces = moment.boards.standing(known.board) if asked.spaces is None else dict(asked.spaces)
    if strange := sorted(spaces.keys() - known.board.keys()):
        return Refused("stylus.board", f"the board does not watch {', '.join(strange[:3])}")
    if (refused := too_large(known, spaces, whole=False)) is not None:
        return refused
    stylus = present(known, match, moment)
    since = stylus if stylus.era == known.era else replace(stylus, touched=())
    board = {**known.board, **spaces}
    hand, read = scan(moment, stylus.hand, board, touched_by(since, spaces))
    ledger = TableLedger(table, table.id, stamp)
    ledger.record(
        BoardCorrected,
        gateway=known.gateway,
        stylus=name,
        by=asked.by,
        spaces=spaces,
        why=asked.why,
        match=match.id,
        match_version=match.version,
        era=stylus.era,
        hand=hand,
        agrees=read.agrees,
    )
    return ledger.decided()
