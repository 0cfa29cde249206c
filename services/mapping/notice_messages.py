"""Messages for notices to players, on streams and in webhook posts."""

import re
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from projections.projector.notice_rows import NoticeKind
from projections.queries.notices import MAX_NOTICE_NUMBER, Notice
from services.mapping import messages
from services.runtime.display_names import visible_name
from services.runtime.errors import field_invalid
from services.wire.emeth.v1 import players_pb2 as pb

KINDS: Final[dict[NoticeKind, pb.NoticeKind.ValueType]] = {
    "your-turn": pb.NOTICE_KIND_YOUR_TURN,
    "player-joined": pb.NOTICE_KIND_PLAYER_JOINED,
    "undo-proposed": pb.NOTICE_KIND_UNDO_PROPOSED,
    "redo-proposed": pb.NOTICE_KIND_REDO_PROPOSED,
    "draw-proposed": pb.NOTICE_KIND_DRAW_PROPOSED,
    "dispute-created": pb.NOTICE_KIND_DISPUTE_CREATED,
    "dispute-resolved": pb.NOTICE_KIND_DISPUTE_RESOLVED,
    "match-ended": pb.NOTICE_KIND_MATCH_ENDED,
    "low-time": pb.NOTICE_KIND_LOW_TIME,
    "match-started": pb.NOTICE_KIND_MATCH_STARTED,
    "rematch-proposed": pb.NOTICE_KIND_REMATCH_PROPOSED,
    "invited": pb.NOTICE_KIND_INVITED,
    "match-cancelled": pb.NOTICE_KIND_MATCH_CANCELLED,
    "match-expired": pb.NOTICE_KIND_MATCH_EXPIRED,
}
_DIGITS: Final = 16
_WRITTEN: Final = re.compile(r"[0-9]{1,19}")


def notice_id(number: int) -> str:
    """Return the ID of the notice with this number. IDs sort as their numbers do."""
    return f"{number:0{_DIGITS}}"


def number_of(field: str, notice: str) -> int:
    """Return the number of the notice with this ID.

    Raises:
        ApiError: FIELD_INVALID if the text is not an ID of a notice.
    """
    if not _WRITTEN.fullmatch(notice):
        raise field_invalid(field, "it must be the ID of a notice")
    return min(int(notice), MAX_NOTICE_NUMBER)


def notice_message(notice: Notice, invite_code: str = "") -> pb.Notice:
    """Return the message of a notice; `invite_code` is for the player alone."""
    return pb.Notice(
        notice_id=notice_id(notice.number),
        kind=KINDS[notice.kind],
        player_id=str(notice.player),
        seat=notice.seat,
        match_id=str(notice.match),
        version=notice.version,
        game=notice.game,
        title=visible_name(notice.title),
        winner_seats=notice.winners,
        create_time=messages.timestamp(notice.at),
        sentence=notice.sentence,
        actor=visible_name(notice.actor),
        invite_code=invite_code,
    )


def notice_json(notice: Notice) -> dict[str, Any]:
    """Return a notice as JSON, in the form of the message over HTTP."""
    return MessageToDict(notice_message(notice))
