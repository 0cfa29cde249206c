"""English for what happens to a match beside its game."""

from typing import Final

from domain.kernel.language import Language

ENGLISH: Final = Language(
    {
        "and": "{most} and {last}",
        "began": "A match of {game} begins",
        "began.fork": "A match of {game} begins as a fork of another, at its version {version}",
        "seat.claimed": "{player} takes the seat of {seat}",
        "match.began": "All seats are taken: the match begins",
        "match.updated": "The title of the match, or who may see it, has changed",
        "match.cancelled": "The match was cancelled before it began",
        "match.expired": "The match waited too long for players, and was cancelled",
        "invited.seat": "Somebody is invited to take the seat of {seat}",
        "invited.link": "Somebody is invited to take any open seat",
        "invited.spectator": "Somebody is invited to look on",
        "revoked.seat": "Nobody is invited to take the seat of {seat} any more",
        "revoked.link": "Nobody is invited to take any open seat any more",
        "revoked.spectator": "Nobody is invited to look on any more",
        "caption.cancelled": "The match was cancelled before it began",
        "referee.invited": "Somebody is invited to referee",
        "referee.seated": "{player} referees from here on",
        "caption.waiting": "The match waits for {seats} to be taken",
        "seat.left": "{player} leaves the seat of {seat}",
        "resigned": "{seat} resigns",
        "resigned.out": "{seat} resigns and is out of the game",
        "time.over": "{seat} runs out of time",
        "time.out": "{seat} runs out of time and is out of the game",
        "hint.given": "{seat} asked for a hint, and was given one",
        "clocks.held": "The clocks go on: nobody lost the time that the service was away",
        "draw.offered": "{seat} offers a draw",
        "draw.accepted": "{seat} accepts the draw",
        "draw.declined": "{seat} declines the draw",
        "draw.withdrawn": "{seat} withdraws the offer of a draw",
        "chance.renewed": "The service started again: draws come from another seed",
        "seed.revealed": "The seed of the draws is revealed",
        "seed.revealed.plain": "The promised seed is revealed",
        "undo.asked": "{seat} asks {others} to go on from version {to}",
        "undo.granted": "{seat} agrees to go back",
        "undo.refused": "{seat} refuses to go back",
        "undo.withdrawn": "{seat} no longer asks to go back",
        "redo.asked": "{seat} asks {others} to take up version {to} again",
        "redo.granted": "{seat} agrees to take it up again",
        "redo.refused": "{seat} refuses to take it up again",
        "redo.withdrawn": "{seat} no longer asks to take it up again",
        "line.redone": "What was undone is taken up again: the match goes on from version {to}",
        "line.continued": "The match goes on from version {to}",
        "line.known": "The players still know what these events showed: {versions}",
        "dispute.raised": "{seat} disputes event {on}: {reason}",
        "verdict.upheld": "Verdict {number} on dispute {dispute}, the event stands: {reason}",
        "verdict.reverted": (
            "Verdict {number} on dispute {dispute}, the match goes on from version {to}: {reason}"
        ),
        "verdict.corrected": (
            "Verdict {number} on dispute {dispute}, the position is corrected: {reason}"
        ),
        "planned": "{seat} had left this to be done after event {answers}",
        "stood.in": "The {who} acted for {seat}",
        "notice.your-turn": "It is the turn of {seat}",
        "notice.player-joined": "{by} has taken a seat",
        "notice.undo-proposed": "{by} proposes a takeback",
        "notice.redo-proposed": "{by} proposes to redo what was taken back",
        "notice.draw-proposed": "{by} offers a draw",
        "notice.dispute-created": "{by} disputes an event",
        "notice.dispute-resolved": "The referee has resolved a dispute",
        "notice.match-ended.won": "The match has ended: {by} won",
        "notice.match-ended.drawn": "The match has ended in a draw",
        "notice.match-started": "The match has started, and you are {seat}",
        "notice.rematch-proposed": "{by} proposes a rematch",
        "notice.invited": "You are invited to be {seat}",
        "notice.low-time": "The time of {seat} is low",
        "caption.draw": "The match is drawn by agreement",
        "caption.won": "{winners} has won: {losers} resigned",
        "caption.shared": "{winners} have won: {losers} resigned",
        "caption.won.time": "{winners} has won: {losers} ran out of time",
        "caption.shared.time": "{winners} have won: {losers} ran out of time",
        "caption.paused": (
            "The match is paused until the referee's verdict on {n:dispute|disputes}: {disputes}"
        ),
        "caption.dispute": "{number} of {seat} on event {on}",
    }
)
"""Who does what; a sentence that ends in a player's own words ends as these do."""
