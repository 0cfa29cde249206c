"""Masks name the fields that an update sets, and those that a response has."""

import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from services.api.field_masks import copy_fields, keep_fields, read_paths, update_paths
from services.runtime.errors import ApiError, Reason
from services.wire.emeth.v1.frontends_pb2 import (
    FRONTEND_RIGHT_CREATE,
    FRONTEND_RIGHT_REFEREE,
    Frontend,
    FrontendQuotas,
)

UPDATABLE = ("name", "rights", "quotas")


def paths(*given: str, resource: Frontend | None = None) -> tuple[str, ...]:
    return update_paths(resource or Frontend(), FieldMask(paths=given), UPDATABLE)


def site() -> Frontend:
    return Frontend(
        name="A site",
        rights=[FRONTEND_RIGHT_CREATE],
        quotas=FrontendQuotas(watchers=7, open_matches=2),
    )


def test_without_a_mask_every_field_that_is_set_is_updated() -> None:
    assert paths(resource=site()) == UPDATABLE
    assert paths(resource=Frontend(name="A site", frontend_id="not to be set")) == ("name",)


def test_a_star_stands_for_every_field_that_callers_may_update() -> None:
    assert paths("*") == UPDATABLE
    with pytest.raises(ApiError, match="must be the only path"):
        paths("*", "name")


def test_each_field_is_updated_once_in_one_order() -> None:
    assert paths("quotas.watchers", "name", "quotas", "name") == ("name", "quotas")
    assert paths("quotas.watchers", "quotas.open_matches", "rights") == (
        "rights", "quotas.watchers", "quotas.open_matches"
    )  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    ["title", "", "quotas.", "quotas.nonsense", "rights.name", "name.first", ".", "frontend_id"],
)
def test_a_path_that_is_wrong_is_named(wrong: str) -> None:
    with pytest.raises(ApiError) as refused:
        paths("name", wrong)
    assert refused.value.reason is Reason.FIELD_INVALID
    assert repr(wrong) in refused.value.violations["update_mask"]


def test_only_the_fields_of_the_mask_are_copied() -> None:
    target = site()
    copy_fields(Frontend(name="Another"), target, ["name"])
    assert target == Frontend(name="Another", rights=target.rights, quotas=target.quotas)
    copy_fields(Frontend(rights=[FRONTEND_RIGHT_REFEREE]), target, ["rights"])
    assert list(target.rights) == [FRONTEND_RIGHT_REFEREE]


def test_what_is_not_set_is_cleared() -> None:
    target = site()
    copy_fields(Frontend(), target, ["rights", "quotas.watchers"])
    assert target == Frontend(name="A site", quotas=FrontendQuotas(open_matches=2))
    copy_fields(Frontend(), target, ["quotas"])
    assert not target.HasField("quotas")


def test_a_response_has_the_fields_of_its_mask_alone() -> None:
    message = site()
    keep_fields(message, read_paths(Frontend.DESCRIPTOR, FieldMask(paths=["quotas.watchers"])))
    assert message == Frontend(quotas=FrontendQuotas(watchers=7))


def test_without_a_mask_a_response_has_what_is_usual() -> None:
    assert read_paths(Frontend.DESCRIPTOR, FieldMask(), ("name",)) == ("name",)
    message = site()
    keep_fields(message, read_paths(Frontend.DESCRIPTOR, FieldMask()))
    assert message == site()
