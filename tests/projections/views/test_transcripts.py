"""What transcripts and replay pages show of matches that older versions recorded."""

from typing import Any

from domain.kernel.game import SPECTATOR
from projections.views import board_views, transcripts
from projections.views.replay.page import page_title, render_frame

UNSEEN = "\u202e\u200b\u2066\ufeff"
"""Controls of the direction of text, and characters without width."""


def test_names_of_an_old_log_are_shown_without_what_cannot_be_seen(
    playing: Any, caught_up: Any
) -> None:
    match = playing(title=f"Sun{UNSEEN}day").claim("white", f"A{UNSEEN}da").play(3)
    with caught_up(match) as connection:
        text = transcripts.write(connection, match.id, SPECTATOR).text
        seen = board_views.read_transitions(connection, match.id, 0, len(match.events))
    assert '[Title "Sunday"]' in text
    assert '[Seat "white Ada"]' in text
    assert "Ada takes the seat of White" in text
    assert page_title(match.match).startswith("Sunday: A.G.O.G.: Ada against ")
    assert not set(UNSEEN) & set(text)
    assert not set(UNSEEN) & {
        letter for step in seen for letter in render_frame(step, SPECTATOR).sentence
    }
