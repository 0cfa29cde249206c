"""Terms and states of a match by their names on the command line, and filters of lists."""

from collections.abc import Mapping

from services.wire.emeth.v1 import matches_pb2 as pb

STATUS = {
    "active": pb.MATCH_STATUS_ACTIVE,
    "paused": pb.MATCH_STATUS_PAUSED,
    "over": pb.MATCH_STATUS_OVER,
    "waiting": pb.MATCH_STATUS_WAITING,
}


CHANCE = {
    "entered": pb.CHANCE_ENTERED,
    "rolled": pb.CHANCE_ROLLED,
}
UNDO = {
    "free": pb.UNDO_POLICY_FREE,
    "consent": pb.UNDO_POLICY_CONSENT,
    "referee": pb.UNDO_POLICY_REFEREE,
    "none": pb.UNDO_POLICY_NONE,
}
SUBSTITUTE_POLICIES = {
    "nobody": pb.SUBSTITUTE_POLICY_NONE,
    "referee": pb.SUBSTITUTE_POLICY_REFEREE,
}
START_POLICIES = {
    "at-once": pb.START_POLICY_IMMEDIATE,
    "when-full": pb.START_POLICY_WHEN_FULL,
}
JOIN_POLICIES = {
    "invited": pb.JOIN_POLICY_INVITED,
    "linked": pb.JOIN_POLICY_LINK,
    "anybody": pb.JOIN_POLICY_ANYONE,
}
SEAT_ASSIGNMENTS = {
    "chosen": pb.SEAT_ASSIGNMENT_CHOSEN,
    "in-order": pb.SEAT_ASSIGNMENT_IN_ORDER,
    "drawn": pb.SEAT_ASSIGNMENT_RANDOM,
}
REFEREES = {
    "creator": pb.REFEREE_POLICY_CREATOR,
    "nobody": pb.REFEREE_POLICY_NONE,
    "invited": pb.REFEREE_POLICY_INVITED,
    "operator": pb.REFEREE_POLICY_OPERATOR,
}


def build_filter(conditions: Mapping[str, str]) -> str:
    """Return a filter for a list method from conditions; empty values are left out.

    >>> print(build_filter({"status =": "OVER", "game =": "", "title :": "sunday"}))
    status = "OVER" AND title : "sunday"
    """
    return " AND ".join(f"{head} {quote(value)}" for head, value in conditions.items() if value)


def quote(text: str) -> str:
    r"""Return a text quoted for a filter.

    >>> print(quote('say "yes"'))
    "say \"yes\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
