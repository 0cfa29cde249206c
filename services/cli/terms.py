"""The terms of a match, and where it stands, by the words of the command line."""

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
STAND_INS = {
    "nobody": pb.STAND_IN_NOBODY,
    "referee": pb.STAND_IN_REFEREE,
}
BEGINS = {
    "at-once": pb.BEGINS_AT_ONCE,
    "when-full": pb.BEGINS_WHEN_FULL,
}
ADMISSIONS = {
    "invited": pb.ADMISSION_INVITED,
    "linked": pb.ADMISSION_LINKED,
    "anybody": pb.ADMISSION_ANYBODY,
}
SEAT_ORDERS = {
    "chosen": pb.SEAT_ORDER_CHOSEN,
    "in-order": pb.SEAT_ORDER_IN_ORDER,
    "drawn": pb.SEAT_ORDER_DRAWN,
}
REFEREES = {
    "creator": pb.REFEREEING_CREATOR,
    "nobody": pb.REFEREEING_NOBODY,
    "invited": pb.REFEREEING_INVITED,
    "operator": pb.REFEREEING_OPERATOR,
}
