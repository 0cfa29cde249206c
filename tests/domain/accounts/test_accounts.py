"""Frontends and players as events: how they are stored, and what becomes of them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import JSONTranscoder, MapperDeserialisationError, StoredEvent

from domain.accounts import frontend, player
from domain.accounts.frontend import FrontendTerms, Hook, Issuer, Quotas
from domain.aggregates.mapper import EventMapper, read_account_event
from domain.aggregates.projector import project
from domain.aggregates.topics import FRONTEND, PLAYER, kind_of
from domain.log.digests import canonical
from domain.log.sealed_events import Sealed
from domain.log.stamps import Stamp
from tests.stamps import stamp_at

FOLDER = Path(__file__).parents[1] / "stored_shapes"
SHAPES = sorted([*FOLDER.glob("frontend.*.json"), *FOLDER.glob("player.*.json")])
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SITE, ADA = UUID(int=7), UUID(int=8)
TERMS = FrontendTerms(
    ("create", "read-public"),
    Quotas(open_matches=50, watchers=1_000),
    Issuer("https://site.example", "emeth", keys_url="https://site.example/keys.json"),
)
MAPPER = EventMapper(transcoder=JSONTranscoder())


def at(minute: int) -> Stamp:
    return stamp_at(NOON + timedelta(minutes=minute), f"request {minute}")


def site() -> tuple[list[Sealed[Any]], frontend.Frontend]:
    """A frontend from its registration to its end."""
    decided = [frontend.register(SITE, "A site", "key", FrontendTerms(), at(0))]
    decided.append(frontend.set_terms(decided[-1].state, TERMS, at(1)))
    decided.append(frontend.rotate_key(decided[-1].state, "other key", at(2)))
    decided.append(frontend.set_webhook(decided[-1].state, "https://site.example/in", 7, at(3)))
    decided.append(frontend.revoke(decided[-1].state, at(4)))
    return [sealed for each in decided for sealed in each.events], decided[-1].state


def ada() -> tuple[list[Sealed[Any]], player.Player]:
    """A player from the introduction to the erasing."""
    decided = [player.introduce(ADA, SITE, "key", None, at(0))]
    decided.append(player.rotate_token(decided[-1].state, "other key", NOON, at(1)))
    decided.append(player.clock_ran_low(decided[-1].state, UUID(int=9), 12, "white", at(2)))
    decided.append(player.erase(decided[-1].state, at(3)))
    return [sealed for each in decided for sealed in each.events], decided[-1].state


def test_a_frontend_is_what_its_events_have_made_it() -> None:
    events, stands = site()
    assert (stands.key, stands.terms, stands.revoked) == ("other key", TERMS, True)
    assert (stands.version, stands.created, stands.digest) == (5, NOON, events[-1].digest)
    assert stands.hook == Hook("https://site.example/in", 7, 4)
    assert project(None, events) == stands


def test_a_player_has_the_token_that_was_given_out_last_until_it_is_erased() -> None:
    events, stands = ada()
    assert (stands.key, stands.issued, stands.expires) == ("other key", 2, NOON)
    assert (stands.frontend, stands.erased, stands.version) == (SITE, True, 4)
    assert project(None, events) == stands


def test_stored_events_come_back_as_they_were() -> None:
    for kind, events in ((FRONTEND, site()[0]), (PLAYER, ada()[0])):
        for sealed in events:
            stored = MAPPER.to_stored_event(sealed)
            assert kind_of(stored) == kind
            assert MAPPER.to_domain_event(stored) == sealed


def test_what_is_no_event_of_a_player_is_told_as_such() -> None:
    body = b'{"digest":"","event":{"type":"frontend.Revoked"}}'
    with pytest.raises(MapperDeserialisationError, match="event 1 of player"):
        MAPPER.to_domain_event(StoredEvent(ADA, 1, "player.Erased", body))


@pytest.mark.parametrize("sample", SHAPES, ids=lambda path: path.stem)
def test_every_shape_that_was_ever_stored_can_still_be_read(sample: Path) -> None:
    body = sample.read_bytes().strip()
    assert canonical(read_account_event(sample.name.partition(".")[0], body)) == body


def test_there_is_a_frozen_sample_of_each_shape_stored_now() -> None:
    stored = {type(each.event).__struct_config__.tag for each in (*site()[0], *ada()[0])}
    # A third word in the name of a sample tells which of its fields it shows.
    assert stored == {".".join(sample.stem.split(".")[:2]) for sample in SHAPES}
