"""The Plan: what a seat left to be done if others do this or that, a decider beside the Match.

It is nobody's but the seat's, so it is an aggregate of its own and not in the chain of its match,
where others would see versions move.
"""

from domain.conditional_moves.forecast import Foreseen, ForeseenNode, foreseen
from domain.conditional_moves.plan import (
    EndReason,
    Event,
    LeftPlan,
    PlanCancelled,
    PlanEnded,
    PlanEnding,
    PlanNode,
    PlanSet,
    asked_for,
    cancel,
    end,
    evolve,
    plan_id,
    set_plan,
)
from domain.conditional_moves.progress import PlanStanding, begun, due, walked

__all__ = [
    "EndReason",
    "Event",
    "Foreseen",
    "ForeseenNode",
    "LeftPlan",
    "PlanCancelled",
    "PlanEnded",
    "PlanEnding",
    "PlanNode",
    "PlanSet",
    "PlanStanding",
    "asked_for",
    "begun",
    "cancel",
    "due",
    "end",
    "evolve",
    "foreseen",
    "plan_id",
    "set_plan",
    "walked",
]
