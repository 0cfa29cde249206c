"""Bots for any game, based on the `Game` contract alone; `docs/bots.md` describes the search."""

from domain.bots.evaluation import win_chances
from domain.bots.levels import LEVELS, Level
from domain.bots.player import Candidate, Choice, choose_action, never_stop

__all__ = ["LEVELS", "Candidate", "Choice", "Level", "choose_action", "never_stop", "win_chances"]
