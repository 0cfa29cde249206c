"""Players for any game, made from its contract alone; `docs/bots.md` tells how they think."""

from domain.bots.evaluation import win_chances
from domain.bots.levels import LEVELS, Level
from domain.bots.player import Candidate, Choice, choose, never

__all__ = ["LEVELS", "Candidate", "Choice", "Level", "choose", "never", "win_chances"]
