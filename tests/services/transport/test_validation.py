"""Bounds that the proto files declare are found violated all at once, each by its path."""

from typing import Any

import pytest
from google.protobuf.message_factory import GetMessageClass

from services.transport.validation import violations
from services.wire.emeth.v1.armies_pb2 import CreateArmyRequest
from tests.services.transport.any_request import METHODS

ID = "123e4567-e89b-42d3-a456-426614174000"


def test_all_violations_are_found_at_once() -> None:
    assert violations(CreateArmyRequest(request_id="1", army={"name": "n" * 81})) == {
        "request_id": "must be a valid UUID",
        "army.name": "must be at most 80 characters",
    }
    assert violations(CreateArmyRequest(request_id=ID)) == {"army": "value is required"}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
def test_every_bound_of_a_request_can_be_checked(method: Any) -> None:
    waiting, seen = [method.input_type], set()
    while waiting:
        if (kind := waiting.pop()) not in seen:
            seen.add(kind)
            violations(GetMessageClass(kind)())
            waiting += [field.message_type for field in kind.fields if field.message_type]
