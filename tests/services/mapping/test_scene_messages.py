"""Scenes, and the changes between them, go through the API unharmed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.agog import GAME
from domain.kernel.scene import (
    CardFace,
    Counter,
    LegendEntry,
    LineState,
    Mark,
    Phase,
    Piece,
    PromptText,
    Scene,
    Side,
    Space,
    Stat,
    Track,
    Zone,
)
from domain.kernel.scene_changes import Change, SceneChanged, diff_scenes
from services.mapping import scene_messages
from services.wire.emeth.v1 import scenes_pb2

CARD = CardFace(
    "Bone Dragon", "artifact, dragon", "4 {death}", (Stat("Armor", "4"),), ("{turn}: 2 {life}",), 1
)
HP = Counter("hp", 12, 40, "bar", "north", "Hit Points")
FULL = Scene(
    "South to act",
    (
        Space(
            "d3", 3, 2, "forest", "F", {"room": "2"}, "d3: forest", ("well",), ("5",), "board",
            "north", (Counter("mana", 0),), "A Mana Well",
        ),
    ),
    (
        Piece(
            "n1", "golem", "n1T", "d3", "north", "North's Titan n1", {"size": "titan"},
            "n1, 12 of 40", ("damaged", "moved"), "titan", ("2 {death}",), CARD,
            "sand-lion", 3, (HP, Counter("stun", -1, style="badge")),
            (LineState("walk", "2 {ap}", 1, 3), LineState("strike", ""), LineState("roar")),
        ),
        Piece("back", "card-back", "?", "hand", card=CardFace("Nothing", points=0)),
    ),
    (
        Zone(
            "hand", "Hand", "north", {"cards": "1"}, "n1", "mat", "fan", "Hand, 1 card", 4,
            ("a", "b"), ("1",),
        ),
    ),
    (Track("hp", "Hit points", 12, "north", 40, "n1", "heart", "HP"), Track("ap", "AP", 0)),
    {"z": "1", "a": "2", "m": "3"},
    (Mark("last", space="d3"), Mark("line", at=("n1", "d3"), label="-5", tone="bad")),
    (LegendEntry("icon", "well", "a Mana Well"),),
    (Side("north", "2 {mana}", "moon", (HP,)), Side("south")),
    (Counter("round", 2, 10),),
    (Phase("Action", "done"), Phase("Upkeep", "now")),
    PromptText("Your move", "because", "ga.turn"),
    "0123456789abcdef",
)  # fmt: skip
EMPTY = Scene("Nothing")


def there_and_back(found: tuple[Change, ...]) -> tuple[Any, ...]:
    sent: list[scenes_pb2.SceneChange] = []
    scene_messages.fill_changes(sent, found)
    again = (scenes_pb2.SceneChange.FromString(each.SerializeToString()) for each in sent)
    return tuple(map(scene_messages.read_change, again))


@pytest.mark.parametrize("scene", [FULL, EMPTY, GAME.scene(GAME.start(GAME.options()), "white")])
def test_a_scene_comes_back_as_it_was(scene: Scene) -> None:
    message = scenes_pb2.Scene.FromString(scene_messages.scene(scene).SerializeToString())
    assert scene_messages.read_scene(message) == scene
    assert [*scene_messages.read_scene(message).attributes] == [*scene.attributes]


@pytest.mark.parametrize("pair", [(FULL, EMPTY), (EMPTY, FULL), (FULL, FULL)])
def test_changes_come_back_as_they_were(pair: tuple[Scene, Scene]) -> None:
    found = diff_scenes(*pair)
    assert there_and_back(found) == found


@given(order=st.permutations(["z", "a", "m", "q"]))
def test_attributes_keep_their_order(order: list[str]) -> None:
    scene = Scene("", attributes={name: name for name in order})
    message = scenes_pb2.Scene.FromString(scene_messages.scene(scene).SerializeToString())
    assert [*scene_messages.read_scene(message).attributes] == order


def test_every_field_of_a_scene_has_one_in_the_message() -> None:
    for struct, message in (
        (Scene, scenes_pb2.Scene), (Space, scenes_pb2.Space), (Piece, scenes_pb2.Piece),
        (Zone, scenes_pb2.Zone), (Track, scenes_pb2.Track), (CardFace, scenes_pb2.Face),
        (Stat, scenes_pb2.Stat), (Mark, scenes_pb2.Mark), (LegendEntry, scenes_pb2.LegendLine),
        (Counter, scenes_pb2.Counter), (LineState, scenes_pb2.LineState), (Side, scenes_pb2.Side),
        (Phase, scenes_pb2.Phase), (PromptText, scenes_pb2.PromptText),
        (SceneChanged, scenes_pb2.SceneChanged),
    ):  # fmt: skip
        fields = {field.name for field in message.DESCRIPTOR.fields} - {"attribute_order"}
        assert fields == {*struct.__struct_fields__}


def test_a_change_of_a_later_service_is_passed_over() -> None:
    assert scene_messages.read_change(scenes_pb2.SceneChange()) is None
