"""What the coach found goes into the page of a replay as data, and is never taken for its code."""

import json
import re

from projections.views.replay.page import EventAnalysis, Frame, ReplayPage, with_analysis


def test_the_page_has_the_analysis_and_the_match() -> None:
    page = ReplayPage()
    page.add(Frame(1, "0" * 64, "2026", "It began.", "", (), (), "<svg/>", "<svg/>"))
    plain = page.html("A match", None)
    evil = "</script><script>alert(1)</script>"
    worth = EventAnalysis(1, {"white": 0.75, "black": 0.25}, "blunder", (evil,))
    html = with_analysis(plain, ("white", "black"), [worth])
    (found,) = re.findall(r'<script type="application/json" id="analysis">(.*?)</script>', html)
    analysis = json.loads(found)
    assert analysis["seats"] == ["white", "black"]
    assert analysis["events"][0]["chances"] == {"white": 0.75, "black": 0.25}
    assert analysis["events"][0]["missed"] == [evil]
    assert evil not in html
    # The one script that runs, and what vouches for it, are as they were.
    assert (
        html.replace(f'<script type="application/json" id="analysis">{found}</script>\n', "")
        == plain
    )
