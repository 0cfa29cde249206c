"""Frontends and players as events: how they are stored, and what becomes of them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import JSONTranscoder, MapperDeserialisationError, StoredEvent

from domain import frontend, player
from domain.frontend import (
    FrontendTerms,
    Issuer,
    Key,
    Quotas,
    TermsSet,
    Webhook,
    WebhookSet,
    WebhookTerms,
)
from domain.log.digests import canonical_bytes
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.storage.mapper import EventMapper, read_account_event
from domain.storage.projector import project
from domain.storage.topics import FRONTEND, PLAYER, kind_of
from tests.command_contexts import context_at

FOLDER = Path(__file__).parents[0] / "stored_shapes"
SHAPES = sorted([*FOLDER.glob("frontend.*.json"), *FOLDER.glob("player.*.json")])
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SITE, ADA = UUID(int=7), UUID(int=8)
TERMS = FrontendTerms(
    ("create", "read-public"),
    Quotas(open_matches=50, watchers=1_000),
    Issuer("https://site.example", "emeth", keys_url="https://site.example/keys.json"),
)
HOOK = WebhookTerms(
    UUID(int=10), "https://site.example/in", 7, ("match-ended", "your-turn"), ("agog",)
)
OTHER_HOOK = WebhookTerms(UUID(int=11), "https://site.example/all", 8)
MAPPER = EventMapper(transcoder=JSONTranscoder())


def at(minute: int) -> CommandContext:
    return context_at(NOON + timedelta(minutes=minute), f"request {minute}")


def site() -> tuple[list[SealedEvent[Any]], frontend.Frontend]:
    """A frontend from its registration to its end."""
    changeset = [frontend.register(SITE, "A site", "key", FrontendTerms(), at(0), (HOOK,))]
    changeset.append(frontend.update(changeset[-1].state, "asked", at(1), name="Club", terms=TERMS))
    changeset.append(
        frontend.rotate_key(
            changeset[-1].state,
            "other key",
            at(2),
            overlap=timedelta(days=2),
            overlap_ms=172_800_000,
        )
    )
    hooks = (HOOK, OTHER_HOOK)
    changeset.append(frontend.update(changeset[-1].state, "asked too", at(3), webhooks=hooks))
    changeset.append(frontend.redeliver(changeset[-1].state, HOOK.id, 640, "641", at(4)))
    changeset.append(frontend.revoke(changeset[-1].state, at(5)))
    return [sealed for each in changeset for sealed in each.events], changeset[-1].state


def old_site() -> tuple[list[SealedEvent[Any]], frontend.Frontend]:
    """A frontend with the events that earlier versions recorded."""
    changeset = [frontend.register(SITE, "A site", "key", FrontendTerms(), at(0))]
    url = "https://site.example/in"
    for minute, kind, fields in (
        (1, TermsSet, {"terms": TERMS}),
        (3, WebhookSet, {"url": url, "since": 7}),
    ):
        changeset.append(frontend._record(changeset[-1].state, at(minute), kind, **fields))
    changeset.append(
        frontend.rotate_key(
            changeset[-1].state, "other key", at(4), overlap=timedelta(), overlap_ms=None
        )
    )
    return [sealed for each in changeset for sealed in each.events], changeset[-1].state


def ada() -> tuple[list[SealedEvent[Any]], player.Player]:
    """A player from the introduction to the erasing."""
    changeset = [player.introduce(ADA, SITE, "key", None, at(0))]
    changeset.append(player.rotate_token(changeset[-1].state, "other key", NOON, at(1)))
    changeset.append(player.record_low_time(changeset[-1].state, UUID(int=9), 12, "white", at(2)))
    changeset.append(player.invite(changeset[-1].state, UUID(int=9), 12, "white", at(3)))
    changeset.append(player.erase(changeset[-1].state, at(4)))
    return [sealed for each in changeset for sealed in each.events], changeset[-1].state


def test_a_frontend_is_what_its_events_have_made_it() -> None:
    events, stands = site()
    assert (stands.name, stands.terms) == ("Club", TERMS)
    assert stands.deleted == NOON + timedelta(minutes=5)
    assert (stands.version, stands.created, stands.digest) == (6, NOON, events[-1].digest)
    two, four = (NOON + timedelta(minutes=minute) for minute in (2, 3))
    assert stands.keys == (Key("other key", two), Key("key", NOON, two + timedelta(days=2)))
    again = WebhookTerms(HOOK.id, HOOK.url, 0, HOOK.kinds, HOOK.games)
    assert stands.webhooks == (
        Webhook(again, NOON, version=1, changed=5, redelivery=5, after=640),
        Webhook(OTHER_HOOK, four, version=4, changed=4),
    )
    assert project(None, events) == stands


def test_a_webhook_of_an_earlier_version_is_named_by_its_frontend() -> None:
    events, stands = old_site()
    three = NOON + timedelta(minutes=3)
    terms = WebhookTerms(SITE, "https://site.example/in", 7)
    assert stands.webhooks == (Webhook(terms, three, version=3, changed=3),)
    assert (stands.terms, stands.keys) == (TERMS, (Key("other key", NOON + timedelta(minutes=4)),))
    assert project(None, events) == stands


def test_a_webhook_that_is_updated_stays_the_one_it_was() -> None:
    stands = frontend.register(SITE, "A site", "key", FrontendTerms(), at(0), (HOOK,)).state
    moved = WebhookTerms(HOOK.id, "https://elsewhere.example", HOOK.since)
    stands = frontend.update(stands, "asked", at(1), webhooks=(OTHER_HOOK, moved)).state
    assert [(each.id, each.version, each.changed) for each in stands.webhooks] == [
        (OTHER_HOOK.id, 2, 2),
        (HOOK.id, 1, 2),
    ]
    assert frontend.update(stands, "asked", at(2), webhooks=()).state.webhooks == ()


def test_of_two_keys_the_older_ends_when_another_is_given_out() -> None:
    stands = frontend.register(SITE, "A site", "1", FrontendTerms(), at(0)).state
    day = timedelta(days=1)
    for number in (2, 3):
        stands = frontend.rotate_key(
            stands, str(number), at(number), overlap=day, overlap_ms=None
        ).state
    assert [each.digest for each in stands.keys] == ["3", "2"]
    stands = frontend.rotate_key(stands, "4", at(4), overlap=timedelta(), overlap_ms=0).state
    assert [each.digest for each in stands.keys] == ["4"]


def test_a_player_has_the_token_that_was_given_out_last_until_it_is_erased() -> None:
    events, stands = ada()
    assert (stands.key, stands.issued, stands.expires) == ("other key", 2, NOON)
    assert (stands.frontend, stands.version) == (SITE, 5)
    assert stands.deleted == NOON + timedelta(minutes=4)
    assert project(None, events) == stands


def test_stored_events_come_back_as_they_were() -> None:
    for kind, events in ((FRONTEND, site()[0]), (FRONTEND, old_site()[0]), (PLAYER, ada()[0])):
        for sealed in events:
            stored = MAPPER.to_stored_event(sealed)
            assert kind_of(stored) == kind
            assert MAPPER.to_domain_event(stored) == sealed


def test_data_that_is_no_event_of_a_player_is_reported() -> None:
    body = b'{"digest":"","event":{"type":"frontend.Revoked"}}'
    with pytest.raises(MapperDeserialisationError, match="event 1 of player"):
        MAPPER.to_domain_event(StoredEvent(ADA, 1, "player.Erased", body))


@pytest.mark.parametrize("sample", SHAPES, ids=lambda path: path.stem)
def test_every_shape_that_was_ever_stored_can_still_be_read(sample: Path) -> None:
    body = sample.read_bytes().strip()
    assert canonical_bytes(read_account_event(sample.name.partition(".")[0], body)) == body


def test_there_is_a_frozen_sample_of_each_shape_stored_now() -> None:
    stored = {
        type(each.event).__struct_config__.tag for each in (*site()[0], *old_site()[0], *ada()[0])
    }
    # A third word in the name of a sample names the fields that it shows.
    assert stored == {".".join(sample.stem.split(".")[:2]) for sample in SHAPES}
