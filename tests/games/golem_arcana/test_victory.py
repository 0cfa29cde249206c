"""GAME SETUP: Victory Points and Game Length."""

from domain.games.golem_arcana import GAME


def test_who_has_the_points_to_win_wins_in_its_upkeep(at) -> None:
    """Hold the Ford: 8."""
    table = at(
        "n1=sand-lion@b3:50;s1=sand-lion@a1:50", scenario="hold-the-ford", turn="south",
        seats="north:0:0:7:-;south:4:0:0:-",
    ).do("end")  # fmt: skip
    assert (table.field(4), table.field(5), table.field(13)) == ("R2", "-", "win:north")
    assert table.figures("ga.end.target")["target"] == 8
    result = GAME.result(table.state)
    assert result is not None
    assert (result.winners, result.reason, result.score) == (("north",), "target", "win:north")
    assert GAME.turn(table.state) == ()


def test_the_last_army_standing_wins_where_the_scenario_says_so(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@a1:5",
               seats="south:6:0:0:-;north:0:0:9:-").do("attack s1 bite n1", "dice 10")  # fmt: skip
    assert table.field(13) == "win:south"
    assert table.figures("ga.end.elimination")["left"] == "south"


def test_elsewhere_the_points_decide(at) -> None:
    """GA-R38: Twin Wells."""

    def fought(vp: int) -> str:
        return str(at(
            "s1=sand-lion@a1:50;n1=horned-blight@a1:5", scenario="twin-wells",
            seats=f"south:4:0:0:-;north:0:0:{vp}:-",
        ).do("attack s1 bite n1", "dice 30").field(13))  # fmt: skip

    assert [fought(vp) for vp in (0, 1, 5)] == ["win:south", "win:south", "win:north"]


def test_golems_in_reserve_keep_an_army_in_the_game(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@a1:5;n2=sand-lion@off:50")
    assert table.do("attack s1 bite n1", "dice 10").field(13) == "*"


def test_after_the_last_round_the_most_points_win_and_equal_ones_draw(at) -> None:
    """First Steps has six Rounds."""

    def ended(points: str) -> object:
        return at(
            "s1=sand-lion@a1:50;n1=sand-lion@f3:50", scenario="first-steps", rounds=6,
            turn="north", seats=points,
        ).do("end")  # fmt: skip

    won = ended("south:0:0:2:-;north:4:0:1:-")
    drawn = ended("south:0:0:1:-;north:4:0:1:-")
    assert (won.field(13), drawn.field(13)) == ("win:south", "draw:south+north")
    assert won.figures("ga.end.rounds")["rounds"] == 6
    assert "ga.end.winner" in {rule for r in won.rulings for rule in r.rules}
    result = GAME.result(drawn.state)
    assert result is not None
    assert (result.winners, result.reason) == ((), "rounds")


def test_without_a_limit_the_rounds_continue(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@i9:50", rounds=99).do("end", "end")
    assert table.field(4) == "R100"


def test_kill_points_go_by_size_and_by_the_scenario(at) -> None:
    for name, points in (("sand-lion", 1), ("dune-viper", 2), ("ossuary-hulk", 3)):
        table = at(f"s1=sand-lion@a9:50;n1={name}@a9:1;n2=sand-lion@i1:50")
        assert table.do("attack s1 bite n1", "dice 01").purse("south")[2] == points
    ford = at(
        "n1=sand-lion@a1:50;s1=ossuary-hulk@a1:1;s2=sand-lion@i1:50", scenario="hold-the-ford",
        turn="north", seats="north:4:0:0:-;south:0:0:0:-",
    )  # fmt: skip
    assert ford.do("attack n1 bite s1", "dice 01").purse("north")[2] == 1
