"""Scans: a board that senses its pieces tells what it sees, and that arms what leads there."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from domain.kernel.rulings import Refused
from domain.match.state import AnyMatch
from domain.stylus.taps import Hand, scan
from domain.table.codes import target_of
from domain.table.differences import differs
from domain.table.events import LONGEST_SIGN, MOST_SIGNS, MOST_SPACES, Offer, Outcome, ScanTaken
from domain.table.messages import Done, Message
from domain.table.readings import shown
from domain.table.state import Stylus, Table
from domain.table.taps import DueTap, Meet, present, record, unusable

Spaces = dict[str, tuple[str, ...]]


def take_scan(due: DueTap, meet: Meet) -> Done:
    """Do a scan whose turn it is. It selects, and never acts by itself."""
    scanned = due.message.scan
    assert scanned is not None
    stylus = due.table.stylus(due.message.stylus)
    spaces = _in_targets(due.table, due.message)
    found, refusal = due.found, unusable(due)
    if (large := too_large(stylus, spaces, whole=scanned.whole)) is not None:
        outcome, refused = refusal or ("refused", large)
        return record(due, outcome, stylus, refused, ScanTaken)
    if found is not None and found.offers:
        cleared = replace(stylus, hand=Hand())
        return _record(due, "done", cleared, None, spaces, offered=found.offers)
    if refusal is not None:
        outcome, refused = refusal
        return _record(due, outcome, stylus, refused, spaces)
    assert due.match is not None
    return _compare(due, due.match, meet, spaces)


def touched_by(stylus: Stylus, spaces: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """The spaces that have changed with a scan since the board showed a position."""
    after = shown(stylus, spaces, whole=False)
    moved = (space for space in spaces if after[space] != stylus.board.get(space, ()))
    return frozenset((*stylus.touched, *moved))


def _compare(due: DueTap, match: AnyMatch, meet: Meet, spaces: Spaces) -> Done:
    before, scanned = due.table.styluses[due.message.stylus], due.message.scan
    assert scanned is not None
    moment = meet(before, match)
    stylus = present(before, match, moment)
    board = shown(before, spaces, whole=scanned.whole)
    if board == before.board:  # told again: what is selected stays
        return _record(due, "done", stylus, None, spaces)
    since = stylus if stylus.era == before.era else replace(stylus, touched=())
    hand, read = scan(moment, stylus.hand, board, touched_by(since, spaces))
    after, refused = replace(stylus, hand=hand, order=None), differs(read)
    outcome: Outcome = "done" if refused is None else "refused"
    return _record(due, outcome, after, refused, spaces, agrees=read.agrees)


def _record(
    due: DueTap,
    outcome: Outcome,
    stylus: Stylus,
    refused: Refused | None,
    spaces: Spaces,
    *,
    agrees: bool = False,
    offered: tuple[Offer, ...] = (),
) -> Done:
    assert due.message.scan is not None
    told = {"spaces": spaces, "whole": due.message.scan.whole, "agrees": agrees}
    if offered:
        told["offered"] = offered
    return record(due, outcome, stylus, refused, ScanTaken, **told)


def board_after(table: Table, message: Message) -> Spaces:
    """What a board shows with a scan, with what it showed before if that is no whole one."""
    assert message.scan is not None
    spaces = _in_targets(table, message)
    return shown(table.stylus(message.stylus), spaces, whole=message.scan.whole)


def _in_targets(table: Table, message: Message) -> Spaces:
    """The scan with spaces and signs as the game calls them, by the gateway's tap map."""
    assert message.scan is not None
    codes, scanned = table.codes_of(message.gateway), message.scan
    return {
        _named(codes, space): tuple(sorted(_named(codes, sign) for sign in signs))
        for space, signs in scanned.spaces.items()
    }


def _named(codes: Mapping[str, str], code: str) -> str:
    """What a code names, without the kind of thing; a code that is on no map names itself."""
    return target_of(codes, code).partition(" ")[2] or code


def too_large(stylus: Stylus, spaces: Spaces, *, whole: bool) -> Refused | None:
    """Why this is more than a board may show; None if it is not."""
    watched = spaces if whole else {**stylus.board, **spaces}
    if len(watched) > MOST_SPACES:
        return Refused("stylus.board", f"a board watches at most {MOST_SPACES} spaces")
    if any(len(signs) > MOST_SIGNS for signs in spaces.values()):
        return Refused("stylus.board", f"there are at most {MOST_SIGNS} pieces on a space")
    if any(len(text) > LONGEST_SIGN for text in _texts(spaces)):
        why = f"spaces and signs have at most {LONGEST_SIGN} characters"
        return Refused("stylus.board", why)
    return None


def _texts(spaces: Spaces) -> Iterator[str]:
    for space, signs in spaces.items():
        yield space
        yield from signs
