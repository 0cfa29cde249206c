"""Bounds that a proto file declares are found violated all at once, each by its path."""

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc

from services.validation import is_bounded, violations
from tests.services.doors.any_request import METHODS

ID = "123e4567-e89b-42d3-a456-426614174000"


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the message classes of bounds.proto."""
    compiled = tmp_path_factory.mktemp("bounds") / "set"
    proto = ["-Itests/services", "-Iproto", f"-I{Path(protoc.__file__).parent / '_proto'}"]
    assert protoc.main(["protoc", *proto, f"-o{compiled}", "bounds.proto"]) == 0
    pool = descriptor_pool.Default()
    for file in descriptor_pb2.FileDescriptorSet.FromString(compiled.read_bytes()).file:
        made = pool.AddSerializedFile(file.SerializeToString())  # type: ignore[no-untyped-call]
    return {name: GetMessageClass(kind) for name, kind in made.message_types_by_name.items()}


def message(kind: Any, **fields: object) -> Message:
    return json_format.ParseDict(fields, kind())


@pytest.mark.parametrize(
    ("kept", "violated", "path", "why"),
    [
        ({"id": ID}, {"id": ID[:-1]}, "id", "must be a UUID, such as " + ID),
        ({"id": ID.upper()}, {"id": "{" + ID + "}"}, "id", "must be a UUID, such as " + ID),
        ({"name": "öö"}, {"name": "ö"}, "name", "must have at least 2 characters, not 1"),
        ({"name": "four"}, {"name": "fives"}, "name", "must have at most 4 characters, not 5"),
        ({"code": "AB"}, {"code": ""}, "code", "must match ^[A-Z]+$"),
        ({}, {"code": "AB\n"}, "code", "must match ^[A-Z]+$"),
        ({"size": 0}, {"size": -1}, "size", "must be at least 0"),
        ({"size": 99}, {"size": 100}, "size", "must be less than 100"),
        ({"speed": 0.1}, {"speed": 0}, "speed", "must be greater than 0.0"),
        ({}, {"speed": "Infinity"}, "speed", "must be finite"),
        ({"color": 1}, {"color": 2}, "color", "must be a value of Color"),
        ({"delay": "60s"}, {"delay": "60.000000001s"}, "delay", "must be at most 60s"),
        ({"mask": "title,clock.side"}, {"mask": "clocks"}, "mask",
         "must have only paths of title, clock"),
        ({"tags": ["a", "b"]}, {"tags": ["a", "a"]}, "tags", "must have no element twice"),
        ({}, {"tags": ["a", ""]}, "tags[1]", "must have at least 1 character, not 0"),
        ({}, {"tags": ["a", "b", "c"]}, "tags", "must have at most 2 elements, not 3"),
        ({"points": {"a": 1}}, {"points": {"a": 0}}, 'points["a"]', "must be greater than 0"),
        ({}, {"points": {"ab": 1}}, 'points["ab"]', "must have at most 1 character, not 2"),
        ({"parts": [{"id": ID}]}, {"parts": [{"id": ID}, {"id": "x"}]}, "parts[1].id",
         "must be a UUID, such as " + ID),
        ({}, {"parts": [{"id": ID, "parts": [{"id": "x"}]}]}, "parts[0].parts[0].id",
         "must be a UUID, such as " + ID),
        ({}, {"places": {"here": {"id": "x"}}}, 'places["here"].id',
         "must be a UUID, such as " + ID),
        ({"data": "AAAA"}, {"data": "AAAAAA=="}, "data", "must have at most 3 bytes, not 4"),
        ({"way": "up"}, {"way": "left"}, "way", "must be one of up, down"),
        ({"flag": True}, {"flag": False}, "flag", "must be true"),
    ],
)  # fmt: skip
def test_a_bound_is_kept_by_one_value_and_violated_by_its_neighbor(
    kinds: dict[str, Any], kept: dict[str, Any], violated: dict[str, Any], path: str, why: str
) -> None:
    assert violations(message(kinds["Bounded"], **kept)) == {}
    assert violations(message(kinds["Bounded"], **violated)) == {path: why}


def test_all_violations_are_found_at_once(kinds: dict[str, Any]) -> None:
    found = violations(message(kinds["Bounded"], id="x", tags=["", "", ""], places={"a": {}}))
    assert list(found) == ["id", "tags", "tags[0]", "tags[1]", "tags[2]", 'places["a"].id']
    assert found["tags"] == ("must have at most 2 elements, not 3; must have no element twice")


def test_what_is_required_must_be_set(kinds: dict[str, Any]) -> None:
    must = {"text": "must be set", "fields": "must be set", "color": "must be set"}
    choice = {"choice": "must be set to one of left, right"}
    assert violations(kinds["Required"]()) == {**must, **choice}
    complete = {"text": "a", "fields": {}, "color": 1, "left": ""}
    assert violations(message(kinds["Required"], **complete)) == {}


def test_a_rule_that_is_not_known_is_no_silent_one(kinds: dict[str, Any]) -> None:
    with pytest.raises(NotImplementedError, match=r"string\.email"):
        violations(kinds["Unknown"]())


def test_messages_without_bounds_are_not_walked(kinds: dict[str, Any]) -> None:
    assert not is_bounded(kinds["Unbounded"].DESCRIPTOR)
    assert is_bounded(kinds["Bounded"].DESCRIPTOR)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
def test_every_request_declares_only_rules_that_are_known(method: Any) -> None:
    waiting, seen = [method.input_type], set()
    while waiting:
        if (kind := waiting.pop()) not in seen:
            seen.add(kind)
            violations(GetMessageClass(kind)())
            waiting += [field.message_type for field in kind.fields if field.message_type]
