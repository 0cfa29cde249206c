"""The Necromancer: striking, reviving, trading."""

from collections.abc import Callable

from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

RITES = "7n/8/8/8/8/8/8/5s2/3S4/2ZN4 SSM - south order -"
TRADE = "7n/8/8/S**7/8/8/8/8/2TS4/2ZNM3 MTX - south order -"
DEAD = "7n/8/8/8/8/8/8/8/3S4/3N4 SSZM - south order -"


def test_a_necromancer_moves_one_square_and_kills_any_adjacent_model(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(RITES, "d1-e2*f3").split()[2] == "s"
    assert refusal(RITES, "d1-d3") == "ta.necromancer.move"
    assert refusal(RITES, "d1*e3") == "ta.necromancer.kill"
    assert "ta.necromancer.move" in cited(RITES, "d1-e1")
    assert "ta.necromancer.kill" in cited(RITES, "d1*d2")


def test_he_revives_a_dead_soldier_on_an_adjacent_square(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(RITES, "d1 revive S e2").split()[1] == "SM"
    assert refusal(RITES, "d1 revive M e2") == "ta.necromancer.revive.unit"
    assert refusal(RITES, "d1 revive I e2") == "ta.necromancer.revive.unit"
    assert refusal(RITES, "d1 revive S d2") == "ta.necromancer.revive.square"
    rulings = cited(RITES, "d1 revive S e2")
    assert "ta.necromancer.revive.unit" in rulings
    assert "ta.necromancer.revive.square" in rulings


def test_two_models_of_one_class_are_traded_for_one_of_the_next(
    after: After, orders: Orders, cited: Cited
) -> None:
    assert after(TRADE, "d1 trade d2 a7 M d2") == (
        "7n/8/8/8/8/8/8/8/2TM4/2ZNM3 SSTX - north order -"
    )
    assert after(TRADE, "d1 trade c1 e1 T c1").split()[1] == "ZMMX"  # sergeant and lieutenant
    assert orders(TRADE, "d1 trade") == ("c1 e1 T c1 c1 e1 T e1 c1 e1 T e2 d2 a7 M d2 d2 a7 M e2")
    rulings = cited(TRADE, "d1 trade d2 a7 M e2")
    assert rulings["ta.necromancer.trade.swap"]["unit"] == "South's Skeleton"
    assert "ta.necromancer.trade.class" in rulings
    assert "ta.necromancer.trade.unit" in rulings
    assert "ta.necromancer.trade.square" in rulings


def test_what_is_no_trade(refusal: Refusal) -> None:
    wanted = {
        "d1 trade S S M e2": "ta.necromancer.trade.source",
        "d1 trade d2 d2 M e2": "ta.necromancer.trade.models",
        "d1 trade d2 h10 M e2": "ta.necromancer.trade.models",
        "d1 trade d2 b4 M e2": "ta.necromancer.trade.models",
        "d1 trade a7 d2 M d2": "ta.notation.canonical",
        "d1 trade c1 c2 T e2": "ta.necromancer.trade.class",
        "d1 trade d1 c2 X e2": "ta.necromancer.trade.class",
        "d1 trade d2 a7 T d2": "ta.necromancer.trade.unit",
        "d1 trade d2 a7 Z d2": "ta.necromancer.trade.unit",
        "d1 trade d2 a7 M a7": "ta.necromancer.trade.square",
        "d1 trade d2 a7 M c2": "ta.necromancer.trade.square",
    }
    for text, rule in wanted.items():
        assert refusal(TRADE, text) == rule, text


def test_to_be_traded_is_not_to_be_killed(after: After) -> None:
    position = "7n/8/8/8/8/8/8/P7/8/2PN4 X - south order -"
    assert after(position, "d1 trade c1 a3 X c1").split()[1:5] == ["PP", "-", "north", "order"]


def test_with_trade_graveyard_two_of_the_dead_leave_the_game(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    dead = {"trade": "graveyard"}
    assert after(DEAD, "d1 trade S S M e2", **dead).split()[1] == "Z"
    assert refusal(DEAD, "d1 trade d2 e2 M e1", **dead) == "ta.necromancer.trade.source"
    assert refusal(DEAD, "d1 trade T T X e2", **dead) == "ta.necromancer.trade.models"
    assert refusal(DEAD, "d1 trade Z Z T e2", **dead) == "ta.necromancer.trade.models"
    assert refusal(DEAD, "d1 trade M Z T e2", **dead) == "ta.notation.canonical"
    assert refusal(DEAD, "d1 trade S Z M e2", **dead) == "ta.necromancer.trade.class"
    assert refusal(DEAD, "d1 trade S S M d2", **dead) == "ta.necromancer.trade.square"
    rulings = cited(DEAD, "d1 trade S S Z e2", **dead)
    assert rulings["ta.necromancer.trade.source"]["trade"] == "graveyard"


def test_with_trade_square_empty_the_traded_models_free_no_square(
    after: After, refusal: Refusal
) -> None:
    position = "7n/8/8/8/8/8/8/8/3S4/S2N4 M - south order -"
    trade = "d1 trade a1 d2 M"
    assert after(position, f"{trade} d2").startswith("7n/8/8/8/8/8/8/8/3M4/3N4 ")
    assert refusal(position, f"{trade} d2", trade_square="empty") == "ta.necromancer.trade.square"
    assert after(position, f"{trade} e2", trade_square="empty").split()[0].endswith("/4M3/3N4")
