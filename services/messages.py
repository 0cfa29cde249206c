"""From what the domain and the read models say to the messages of the API.

Nothing is decided here, least of all what a viewer may see: `projections.seen` did that.
"""

from collections.abc import Iterable, MutableMapping
from datetime import datetime
from typing import Any

import msgspec
from google.protobuf.struct_pb2 import ListValue
from google.protobuf.struct_pb2 import Struct as ProtoStruct
from google.protobuf.timestamp_pb2 import Timestamp

from domain.kernel import scene as kernel
from domain.kernel.game import SPECTATOR, AnyGame, Ask, Refused, Result
from domain.match import AnyMatch
from projections.seen import SeenAction, SeenEvent, see_action, see_refusal
from services.wire.emeth.v1 import actions_pb2, matches_pb2, scenes_pb2


def timestamp(at: datetime) -> Timestamp:
    """A time with its zone, as the API has it."""
    message = Timestamp()
    message.FromDatetime(at)
    return message


def asks(turn: Iterable[Ask]) -> list[actions_pb2.Ask]:
    """Who may act, and what is asked."""
    return [actions_pb2.Ask(seat=ask.seat, want=ask.want, chance=ask.chance) for ask in turn]


def result(ended: Result) -> actions_pb2.Result:
    """How a match ended."""
    return actions_pb2.Result(winners=ended.winners, reason=ended.reason, score=ended.score)


def match(standing: AnyMatch, updated: datetime) -> matches_pb2.Match:
    """A match, as anybody may know it."""
    over = standing.result is not None
    shown = matches_pb2.Match(
        match_id=str(standing.id),
        game=standing.game,
        title=standing.title,
        options=to_struct(msgspec.to_builtins(standing.options)),
        seats=[
            matches_pb2.Seat(name=seat, player=standing.player_of(seat)) for seat in standing.seats
        ],
        status=matches_pb2.MATCH_STATUS_OVER if over else matches_pb2.MATCH_STATUS_ACTIVE,
        version=standing.version,
        created_at=timestamp(standing.created),
        updated_at=timestamp(updated),
        asks=asks(standing.asks),
        caption=standing.rules.look(standing.position, SPECTATOR).caption,
    )
    if standing.result is not None:
        shown.result.CopyFrom(result(standing.result))
    return shown


def fill_refusal(message: actions_pb2.Refusal, game: AnyGame, refused: Refused) -> None:
    """What a rule forbids, with the rule in words where it is one of the game's."""
    if refused.rule not in game.rules:
        fill_plain_refusal(message, refused)
        return
    seen = see_refusal(game, refused)
    message.rule = seen.rule
    message.why = seen.why
    _put(message.figures, seen.figures)
    message.sentence = seen.sentence


def fill_plain_refusal(message: actions_pb2.Refusal, refused: Refused) -> None:
    """What is forbidden by no rule of a game: what a stylus cannot do."""
    message.rule = refused.rule
    message.why = message.sentence = refused.why
    _put(message.figures, {name: str(value) for name, value in refused.figures.items()})


def legal_action(match: AnyMatch, action: Any) -> actions_pb2.Action:
    """An action that a seat may take now, for that seat. Without score notation, which costs as
    much as listing all actions does: GetScene and SubmitAction give it where it is asked for."""
    return _action(see_action(match.rules, match.position, action, human=False))


def event(seen: SeenEvent) -> actions_pb2.Event:
    """An event that has been through the veil."""
    message = actions_pb2.Event()
    fill_event(message, seen)
    return message


def fill_event(message: actions_pb2.Event, seen: SeenEvent) -> None:
    """The same in place, which costs a quarter: a message put into another is copied."""
    message.version = seen.version
    message.at.FromDatetime(seen.at)
    message.kind = seen.kind
    message.seat = seen.seat
    message.player = seen.player
    if seen.action is not None:
        message.action.MergeFrom(_action(seen.action))
    for fact in seen.facts:
        added = message.facts.add(kind=fact.kind, sentence=fact.sentence)
        _put(added.fields, fact.fields)
    for ruling in seen.rulings:
        cited = message.rulings.add(rules=ruling.rules, fact=ruling.fact, sentence=ruling.sentence)
        _put(cited.figures, ruling.figures)
    message.sentence = seen.sentence
    message.digest = seen.digest
    message.client = seen.client
    _put(message.details, seen.details)
    if seen.draw is not None:
        message.draw = seen.draw


def _put(into: MutableMapping[str, str], values: dict[str, str]) -> None:
    # A map's own `update` goes through several layers of Python for each entry.
    for name, value in values.items():
        into[name] = value


def _action(seen: SeenAction) -> actions_pb2.Action:
    return actions_pb2.Action(
        notation=seen.notation,
        human=seen.human,
        verb=seen.verb,
        pieces=seen.pieces,
        spaces=seen.spaces,
        cards=seen.cards,
        choices=seen.choices,
        cost=seen.cost,
        sentence=seen.sentence,
    )


def scene(shown: kernel.Scene) -> scenes_pb2.Scene:
    """A scene. The message has the same fields as the domain's Struct, which a test holds."""
    message = scenes_pb2.Scene(caption=shown.caption, attributes=shown.attributes)
    for name in ("spaces", "pieces", "zones", "tracks"):
        into = getattr(message, name)
        for part in getattr(shown, name):
            into.add(**{k: v for k, v in msgspec.structs.asdict(part).items() if v is not None})
    return message


def to_struct(values: dict[str, Any]) -> ProtoStruct:
    """Options or a schema as the JSON-like message. Numbers become doubles there."""
    message = ProtoStruct()
    message.update(values)
    return message


def from_struct(message: ProtoStruct) -> dict[str, Any]:
    """The values of a JSON-like message, with whole numbers as integers again."""
    return {name: _plain(value) for name, value in message.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, ProtoStruct):
        return from_struct(value)
    if isinstance(value, ListValue):
        return [_plain(item) for item in value]
    return value
