"""Text never leaves its place: widths are estimated, lines wrapped, long words broken."""

from hypothesis import given
from hypothesis import strategies as st

from projections.drawing.font_metrics import ems, icons_in, truncate, width, wrap_text

TEXTS = st.text(st.sampled_from("abcmWi ,.1{}-é名…\u00a0"), max_size=60)
ROOM = st.floats(3, 30)


def test_wide_letters_take_more_room_than_narrow_ones() -> None:
    assert ems("W") > ems("a") > ems("i")
    assert ems("word", bold=True) > ems("word")
    assert width("word", 20) == 2 * width("word", 10)


@given(TEXTS, ROOM)
def test_no_line_is_wider_than_its_room(text: str, room: float) -> None:
    for line in wrap_text(text, room):
        assert line[-1].at + line[-1].width <= room + 1e-6


@given(TEXTS, ROOM)
def test_nothing_is_lost_by_wrapping_but_spaces(text: str, room: float) -> None:
    text = "".join(run.words for line in wrap_text(text, room) for run in line)
    plain = text
    for icon in icons_in(text):
        plain = plain.replace(f"{{{icon}}}", icon)
    assert text.replace(" ", "").replace("\u00a0", "") == plain.replace(" ", "").replace(
        "\u00a0", ""
    )


@given(TEXTS, ROOM)
def test_what_is_fitted_fits(text: str, room: float) -> None:
    assert width(truncate(text, 10, room * 10), 10) <= room * 10 + 1e-6


def test_a_figure_stays_with_the_icon_that_it_counts() -> None:
    lines = wrap_text("pay 1 {death} and 2 {life} more", ems("pay 1") + 1.6)
    assert [run.words for run in lines[0] if run.icon] == ["death"]
    assert lines[0][0].words.startswith("pay 1")


def test_a_cut_text_ends_in_an_ellipsis() -> None:
    assert truncate("The Endless Wandering", 10, 60).endswith("…")
    (line,) = wrap_text("The Endless Wandering", 6, limit=1)
    assert line[-1].words.endswith("…")


def test_a_word_wider_than_a_line_is_broken() -> None:
    lines = wrap_text("W" * 30, 10)
    assert len(lines) > 2
    assert "".join(run.words for line in lines for run in line) == "W" * 30
