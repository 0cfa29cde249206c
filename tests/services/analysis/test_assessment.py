"""What was missed is found, with what would have been better and the rule that makes it so."""

import msgspec
import pytest

from domain.kernel.any_game import fold
from domain.log.digests import canonical_bytes
from domain.match.information_states import information_state_fingerprint
from domain.registry import GAMES
from services.analysis.assessment import Assessment, AssessmentRequest, assess

AGOG = GAMES["agog"]
WINS_AT_ONCE = "8/7J/8/8/8/8/6G1/1j6 w 0 0 - *"
"""Either journeyman is one step from its enemy's sanctum: who is to move wins."""


def assessed(position: str, action: str, nodes: int = 60) -> Assessment:
    options = AGOG.options()
    before = AGOG.read_position(position, options)
    outcome = AGOG.decide(before, "white", AGOG.read_action(action))
    after = fold(AGOG, before, outcome.facts)
    event = AssessmentRequest(
        game="agog",
        shape=information_state_fingerprint(AGOG),
        viewer="spectator",
        after=canonical_bytes(after),
        nodes=nodes,
        seed=b"seed",
        seat="white",
        action=action,
        before=canonical_bytes(before),
    )
    return msgspec.msgpack.decode(assess(msgspec.msgpack.encode(event)), type=Assessment)


def test_a_missed_win_is_a_blunder_and_the_rule_says_why() -> None:
    found = assessed(WINS_AT_ONCE, "g2-g3")
    assert found.kind == "blunder"
    best = found.better[0]
    assert (best.action, best.win_probability, found.best) == ("h7-h8", 1.0, 1.0)
    assert any("sanctum" in reason for reason in best.reasons), best.reasons
    assert "a1" in found.reply, found.reply
    assert sum(found.chances.values()) == pytest.approx(1)


def test_the_best_action_is_no_mistake_and_nothing_is_better() -> None:
    found = assessed(WINS_AT_ONCE, "h7-h8")
    assert (found.kind, found.better, found.taken) == ("", (), 1.0)


def test_the_same_question_has_the_same_answer() -> None:
    assert assessed(WINS_AT_ONCE, "g2-h2") == assessed(WINS_AT_ONCE, "g2-h2")
