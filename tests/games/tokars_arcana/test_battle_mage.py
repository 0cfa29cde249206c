"""The Battle Mage: sword, vanquishing, promotion, recall."""

from collections.abc import Callable

from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

FIGHT = "7n/8/8/8/3m**4/2z1s3/2IBt3/8/8/8 - - south order -"
FAR = "1I*3S2/2I4n/8/8/8/8/8/8/8/3B4 KWP - south order -"


def test_a_battle_mage_rides_one_square_and_kills_any_adjacent_model(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(FIGHT, "d4*e4").split()[2] == "t"
    assert after(FIGHT, "d4-d5*d6").split()[2] == "m"
    assert refusal(FIGHT, "d4-d6") == "ta.battlemage.move"
    assert refusal(FIGHT, "d4*d6") == "ta.battlemage.kill"
    assert "ta.battlemage.move" in cited(FIGHT, "d4-d3")


def test_a_battle_mage_vanquishes_all_adjacent_enemies_up_to_lieutenant(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    flying = after(FIGHT, "d4-d5 vanquish")
    assert flying == "7n/8/8/8/8/3B4/2I1t3/8/8/8 - - south vanquish:zsm** -"
    rulings = cited(FIGHT, "d4-d5 vanquish")
    assert rulings["ta.battlemage.vanquish.all"] == {"vanquished": 3, "from": "c5 e5 d6"}
    assert "ta.turn.sequence" in rulings
    assert rulings["ta.order.sequence"] == {"first": "moves to d5", "then": "vanquishes"}
    assert refusal(FIGHT, "d4-d3 vanquish") == "ta.battlemage.vanquish.nobody"
    assert after(FIGHT, "d4 vanquish").split()[4] == "vanquish:zs"


def test_each_vanquished_model_is_placed_on_any_free_square(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    flying = "7n/8/8/8/8/3B4/2I1t3/8/8/8 - - south vanquish:zsm** -"
    assert refusal(flying, "place d5") == "ta.battlemage.vanquish.square"
    assert refusal(flying, "pass") == "ta.turn.prompt"
    assert refusal(flying, "place a1", by="north") == "ta.turn.seat"
    placed = after(flying, "place e5", "place a1", "place d6")
    assert placed == "7n/8/8/8/3m**4/3Bz3/2I1t3/8/8/s7 - - north order -"
    assert cited(flying, "place e5")["ta.battlemage.vanquish.square"] == {"to": "e5"}


def test_a_soldier_at_the_end_of_the_battlefield_becomes_a_sergeant_or_lieutenant(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(FAR, "d1 promote b10 W").startswith("1W3S2/2I4n/")
    assert after(FAR, "d1 promote b10 W").split()[1] == "IKP"
    assert refusal(FAR, "d1 promote c9 K") == "ta.battlemage.promote.row"
    assert refusal(FAR, "d1 promote b10 P") == "ta.battlemage.promote.unit"
    assert refusal(FAR, "d1 promote b10 Z") == "ta.battlemage.promote.unit"
    assert refusal(FAR, "d1 promote h9 K") == "ta.battlemage.promote.soldier"
    assert refusal(FAR, "d1 promote d1 K") == "ta.battlemage.promote.soldier"
    rulings = cited(FAR, "d1 promote f10 K")
    assert rulings["ta.battlemage.promote.swap"]["unit"] == "South's Skeleton"
    assert rulings["ta.battlemage.promote.unit"]["unit"] == "South's Blue Knight"
    assert "ta.battlemage.promote.row" in rulings
    assert "ta.battlemage.promote.soldier" in rulings


def test_where_there_is_nothing_to_promote_to_the_soldier_may_come_back(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    bare = FAR.replace("KWP", "P")
    twice = bare.replace("I*3S2", "I**3S2")
    assert after(twice, "d1 recall b10 e2").split()[0].endswith("/4I*3/3B4")  # it burns on
    assert refusal(bare, "d1 recall b10 f2") == "ta.battlemage.recall.square"
    assert refusal(bare, "d1 recall b10 d1") == "ta.battlemage.recall.square"
    assert refusal(bare, "d1 recall c9 e2") == "ta.battlemage.promote.row"
    assert refusal(FAR, "d1 recall b10 e2") == "ta.battlemage.recall.available"
    assert "ta.battlemage.recall.available" in cited(bare, "d1 recall f10 c1")
    assert "ta.battlemage.recall.square" in cited(bare, "d1 recall f10 c1")
