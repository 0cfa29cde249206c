"""What a board under trial is to do on the stage: shown to whoever works it, judged by what the
service answers."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Final

from services.cli.gateway_rules import PATIENCE_MS
from services.cli.gateway_stage import Play
from services.cli.gateway_trials import TrialError

OFFLINE_SECONDS: Final = 20.0
"""How long the line is down while something is played on the board."""

Prompt = dict[str, Any]


async def is_set_up(play: Play) -> None:
    """A board shows all that it watches, and the service finds that it stands as the match does."""
    seen = play.stage.count("sent", "scan") + play.stage.count("sent", "journal")
    play.say("SHOW all that the board watches, set up as the match stands")

    def came() -> bool:
        return play.stage.count("sent", "scan") + play.stage.count("sent", "journal") > seen

    if not await play.stage.until(came, play.wait):
        raise TrialError(f"no scan came within {play.wait:g} seconds")
    await _shown(play, lambda prompt: prompt.get("board", {}).get("agrees"), PATIENCE_MS / 1000)


async def arms_and_acts(play: Play) -> None:
    """What is moved on the board is armed, and is played when it is confirmed there."""
    play.say("MOVE a piece, as a legal action has it: do not confirm it yet")
    await _shown(play, lambda prompt: prompt.get("armed"), play.wait)
    play.say("CONFIRM it")
    await _shown(play, lambda prompt: prompt.get("events"), play.wait)


async def remembers(play: Play) -> None:
    """What is moved and confirmed while there is no line is played when it is back."""
    play.stage.away = True
    play.stage.cut()
    seconds = min(OFFLINE_SECONDS, play.wait)
    play.say(f"MOVE-CONFIRM a piece within {seconds:g} seconds: there is no line meanwhile")
    await asyncio.sleep(seconds)
    play.stage.away = False
    await _shown(play, lambda prompt: prompt.get("events"), play.wait)


ACTS: Final = (is_set_up, arms_and_acts, remembers)


async def _shown(play: Play, holds: Callable[[Prompt], object], seconds: float) -> None:
    """Wait until the board is shown what holds from now on. TrialError if it is not in time."""
    before = len(play.stage.entries)

    def prompts() -> Iterator[Prompt]:
        for each in play.stage.entries[before:]:
            if (each.what, each.kind) == ("told", "prompt"):
                yield each.message

    def told() -> bool:
        return any(p.get("stylus") == play.board and holds(p) for p in prompts())

    if await play.stage.until(told, seconds):
        return
    last = next((p for p in reversed([*prompts()]) if p.get("stylus") == play.board), {})
    why = [each["sentence"] for each in last.get("board", {}).get("steps", ())]
    why += [each["why"] for each in last.get("left", ())]
    why += [last["refusal"]["why"]] if "refusal" in last else []
    raise TrialError("; ".join(why) or f"nothing of it came within {seconds:g} seconds")
