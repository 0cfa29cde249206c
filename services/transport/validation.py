"""Validation of messages against the bounds that the proto files declare with `buf.validate`."""

import json
from typing import Any, Final

from google.protobuf.message import Message
from protovalidate import collect_violations

CONTROL: Final = "has a control character, a line separator or a mark of text direction"
"""Description of what the pattern of most texts forbids."""


def violations(message: Message) -> dict[str, str]:
    """Return the violations of a message by field path, such as `moves[3].id`."""
    found: dict[str, list[str]] = {}
    for each in collect_violations(message):
        elements = each.proto.field.elements if each.proto.field else ()
        path = "".join(map(_step, elements)).removeprefix(".")
        why = each.proto.message
        found.setdefault(path, []).append(CONTROL if r"\p{Cc}" in why else why)
    return {path: "; ".join(reasons) for path, reasons in found.items()}


def _step(element: Any) -> str:
    key = element.subscript
    return f".{element.field_name}" + (f"[{json.dumps(key.value)}]" if key else "")
