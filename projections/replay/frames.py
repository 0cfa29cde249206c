"""The events of a match as frames of its replay, for one viewer."""

from domain.match import AnyMatch
from projections.drawing import svg
from projections.drawing.turning import outlook, turned
from projections.replay.page import Frame
from projections.scenes import scene
from projections.transitions import Transition
from projections.visible_events import see


def frame(step: Transition, viewer: str) -> Frame:
    """An event as the viewer is told of it, and the board after it as the viewer sees it."""
    seen, theme = see(step, viewer), step.after.rules.theme
    shown = turned(scene(step.after, viewer, step), outlook(step.after.rules, viewer))
    action = seen.action
    return Frame(
        version=seen.version,
        digest=seen.digest,
        at=f"{seen.at:%Y-%m-%d %H:%M:%S} UTC",
        sentence=seen.sentence,
        notation=(action.human or action.notation) if action else "",
        facts=tuple(filter(None, (fact.sentence for fact in seen.facts))),
        rulings=tuple(ruling.sentence for ruling in seen.rulings),
        svg=svg.draw(shown, theme),
        narrow=svg.draw(shown, theme, narrow=True),
    )


def title_of(match: AnyMatch) -> str:
    """What the page is called: the match, its game, and who plays."""
    players = " against ".join(match.player_of(seat) or seat.title() for seat in match.seats)
    return ": ".join(filter(None, (match.title, match.rules.name, players)))
