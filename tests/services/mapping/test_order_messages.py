"""Orders, amounts and forecasts have the same fields as their messages."""

from domain.kernel.amounts import AmountChoice, Way
from domain.kernel.hints import Forecast, Outcome, RollRange, Term
from domain.kernel.orders import Order, OrderAction
from domain.kernel.parts import Pick
from domain.kernel.scene import Mark
from domain.kernel.scene_changes import SceneChanged
from services.mapping import messages
from services.mapping.scene_messages import to_message
from services.wire.emeth.v1 import actions_pb2, play_pb2

CHOICE = AmountChoice(
    "pay", ("elan", "gold"), (Way((0, 1), (2, 3), 1, 4), Way((5, 0), (5, 0), 5, 5)), (0, 1)
)
FORECAST = Forecast(
    "-5 {hp}", 47, 100, (RollRange(1, 47, "good"), RollRange(48, 100, "bad")),
    (Term("Accuracy", 90, "", "%", "c4", "ga.aim"), Term("Dodge", -20, "-")),
    (Outcome("hp", "12 damage", "good"),), (Mark("line", at=("a1", "b2")),), "It hits.",
    (SceneChanged("North to act"),), "dice",
)  # fmt: skip


def test_every_field_has_one_in_the_message() -> None:
    for struct, message, other in (
        (Pick, actions_pb2.Pick, set()),
        (AmountChoice, actions_pb2.Amounts, set()),
        (Way, actions_pb2.AmountRange, set()),
        (Order, actions_pb2.Order, {"refused", "refusal"}),
        (OrderAction, actions_pb2.Action, {"action"}),
        (Forecast, play_pb2.Forecast, {"notation", "refusal"}),
        (Term, play_pb2.Term, set()),
        (Outcome, play_pb2.Outcome, set()),
        (RollRange, play_pb2.RollRange, {"start", "end", "from", "to"}),
    ):
        fields = {field.name for field in message.DESCRIPTOR.fields}
        if struct is OrderAction:
            assert {*struct.__struct_fields__} - fields == other
        else:
            assert {*struct.__struct_fields__} ^ fields <= other, struct


def test_amounts_are_sent_whole() -> None:
    message = to_message(CHOICE, actions_pb2.Amounts)
    assert (message.purpose, [*message.symbols], [*message.proposal]) == (
        "pay", ["elan", "gold"], [0, 1],
    )  # fmt: skip
    first, last = message.ways
    assert ([*first.min], [*first.max], first.least, first.most) == ([0, 1], [2, 3], 1, 4)
    assert ([*last.min], last.least) == ([5, 0], 5)


def test_a_forecast_is_sent_whole() -> None:
    message = play_pb2.Forecast()
    messages.fill_forecast(message, FORECAST)
    assert (message.tag, message.chance, message.sides) == ("-5 {hp}", 47, 100)
    assert [(getattr(roll, "from"), roll.to, roll.tone) for roll in message.rolls] == [
        (1, 47, "good"), (48, 100, "bad"),
    ]  # fmt: skip
    first, last = message.terms
    assert (first.name, first.value, first.unit, first.at, first.rule) == (
        "Accuracy", 90, "%", "c4", "ga.aim",
    )  # fmt: skip
    assert (last.value, last.op) == (-20, "-")
    assert message.outcomes[0].text == "12 damage"
    assert [*message.marks[0].at] == ["a1", "b2"]
    assert message.changes[0].scene.caption == "North to act"
    assert message.stop == play_pb2.FORECAST_STOP_CHANCE
    empty = play_pb2.Forecast()
    messages.fill_forecast(empty, Forecast(chance=0))
    assert empty.HasField("chance")
