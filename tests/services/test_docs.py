"""The pages in docs say what the code says."""

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.stylus.tap_rules import RULES
from domain.table.codes import DEFAULT_TAP_MAP
from services.runtime.errors import Reason
from services.runtime.roles import READ_SERVICES, WRITE_SERVICES
from services.runtime.settings import Settings
from services.wire.emeth.devices.v1 import connections_pb2

ROOT = Path(__file__).parents[2]
MOST_SETTINGS = 25
"""What no operator would change is a constant, in the module that uses it."""


def rows(page: str) -> list[list[str]]:
    text = (ROOT / "docs" / page).read_text()
    cells = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in cells]


def test_every_reason_of_an_error_is_on_the_page_of_errors() -> None:
    documented = [row for row in rows("errors.md") if len(row) == 3]
    assert documented == [[f"`{r.name}`", f"`{r.code.value}`", r.meaning] for r in Reason]


def test_every_setting_is_on_the_page_of_operations() -> None:
    schema: Any = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]
    documented = [row for row in rows("operations.md") if row[0].startswith("`EMETH_")]
    assert documented == [
        [
            f"`EMETH_{name.upper()}`",
            f"`{setting['default']}`" if setting["default"] != "" else "",
            setting["description"],
        ]
        for name, setting in schema.items()
    ]
    assert len(schema) <= MOST_SETTINGS


def test_every_message_of_a_gateways_stream_is_on_the_page_of_gateways() -> None:
    page = (ROOT / "docs/gateway.md").read_text()
    for message in (connections_pb2.ConnectRequest, connections_pb2.ConnectResponse):
        for field in message.DESCRIPTOR.fields:
            assert re.search(rf"\b{field.name}\b", page), field.name
    assert [row for row in rows("gateway.md") if row[0].startswith("`stylus.")] == [
        [f"`{rule.id}`", rule.meaning] for rule in RULES.values()
    ]
    for code in DEFAULT_TAP_MAP:
        family = code.split("/")[0] + "/"
        assert family in page, code


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"]]
    for group in project["dependency-groups"].values():
        wanted += group
    packages: Any = msgspec.json.decode((ROOT / "web/package.json").read_bytes())
    names = {*packages["devDependencies"], *packages.get("dependencies", ())}
    names |= {re.split(r"[\[<>=;]", each)[0] for each in wanted}
    documented = {row[0].strip("`") for row in rows("dependencies.md")}
    assert documented == names


@pytest.mark.parametrize(
    ("writes", "reads", "condition"),
    [
        (True, False, "events can be recorded"),
        (False, True, "the read models are complete"),
        (True, True, "both"),
    ],
)
def test_what_each_services_health_depends_on_is_on_the_page_of_operations(
    writes: bool, reads: bool, condition: str
) -> None:
    documented = next(row[0] for row in rows("operations.md") if row[-1] == condition)
    needed = {
        name
        for module in {*WRITE_SERVICES, *READ_SERVICES}
        for name in module.DESCRIPTOR.services_by_name
        if (module in WRITE_SERVICES, module in READ_SERVICES) == (writes, reads)
    }
    assert set(re.findall(r"(\w+Service)`", documented)) == needed
