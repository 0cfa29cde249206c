"""Conditional moves: what a seat prepared to do if others act in a certain way.

They are an aggregate of their own, since others would see new versions if they were in the match.
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
