"""Bounds that the proto files declare are found violated all at once, each by its path."""

from typing import Any

import pytest
from google.protobuf.message_factory import GetMessageClass

from services.validation import violations
from services.wire.emeth.v1.armies_pb2 import SaveArmyRequest
from tests.services.doors.any_request import METHODS


def test_all_violations_are_found_at_once() -> None:
    found = violations(SaveArmyRequest(request_id="1", game="agog", name="n" * 81))
    assert found == {
        "request_id": "must be a valid UUID",
        "name": "must be at most 80 characters",
        "army": "value is required",
    }


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
def test_every_bound_of_a_request_can_be_checked(method: Any) -> None:
    waiting, seen = [method.input_type], set()
    while waiting:
        if (kind := waiting.pop()) not in seen:
            seen.add(kind)
            violations(GetMessageClass(kind)())
            waiting += [field.message_type for field in kind.fields if field.message_type]
