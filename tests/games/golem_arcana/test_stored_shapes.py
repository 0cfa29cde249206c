"""What is stored for ever: there is a frozen sample of each action, fact and work item."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.state import Begin, DealQuest, DeployArmy, Hide, Item, Meet

_SHAPES = Path(__file__).parents[2] / "domain" / "stored_shapes"
_FILES = sorted(_SHAPES.glob("match.ActionTaken-golem-arcana-*.json"))
_GIVEN_UP = (_SHAPES / "match.Resigned-golem-arcana.json").read_text()
_SAMPLES = "".join((*(file.read_text() for file in _FILES), _GIVEN_UP))
_EVENTS = [json.loads(line) for line in _SAMPLES.splitlines()]
_NEVER_QUEUED = {Begin, DealQuest, DeployArmy, Hide, Meet}
"""Work of setting up lies in the first state; a Golem looks around as soon as it rests."""


@pytest.mark.parametrize(
    "tag",
    [
        *(k.__struct_config__.tag for u in (GAME.actions, GAME.facts) for k in get_args(u)),
        *(k.__struct_config__.tag for k in get_args(Item) if k not in _NEVER_QUEUED),
    ],
)
def test_there_is_a_frozen_sample_of_each_shape(tag: str) -> None:
    assert f'"type":"{tag}"' in _SAMPLES


@pytest.mark.parametrize(
    "event", _EVENTS, ids=lambda event: str(event.get("action", event)["type"])
)
def test_every_stored_fact_is_read_and_every_action_written(event: dict[str, Any]) -> None:
    facts = msgspec.convert(event["facts"], tuple[GAME.facts, ...])
    assert json.loads(msgspec.json.encode(facts)) == event["facts"]
    if "action" not in event:
        return
    action = msgspec.convert(event["action"], GAME.actions)
    assert GAME.read_action(GAME.write_action(action)) == action
