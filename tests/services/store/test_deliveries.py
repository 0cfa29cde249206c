"""How far notices were posted to each webhook: places that only grow, and webhooks of old."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.frontend import Webhook, WebhookTerms
from services.accounts.tokens import TokenIssuer
from services.scheduler.webhooks import webhook_secret
from services.store.deliveries import Deliveries, Progress
from services.store.sqlite.side_store import FileSideStore

SITE = UUID(int=7)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def webhook(identity: UUID, **fields: int) -> Webhook:
    made = Webhook(WebhookTerms(identity, "https://site.example", 7), NOON, version=4, changed=4)
    return replace(made, **fields)


@pytest.fixture
def side_store(tmp_path: Path) -> Iterator[FileSideStore]:
    with closing(FileSideStore(tmp_path)) as opened:
        yield opened


def test_a_webhook_continues_where_its_receiver_was(side_store: FileSideStore) -> None:
    deliveries, one, other = Deliveries(side_store), webhook(UUID(int=1)), webhook(UUID(int=2))
    assert deliveries.progress([one]) == {one.id: Progress(0)}
    deliveries.begin(one, 640)
    deliveries.accept(one, 640)
    deliveries.accept(one, 630)  # of a post that was long under way
    deliveries.begin(other, 700)
    assert deliveries.progress([one, other]) == {
        one.id: Progress(640, 640),
        other.id: Progress(0, 700),
    }
    deliveries.forget(one.id)
    assert deliveries.progress([one, other]) == {
        one.id: Progress(0),
        other.id: Progress(0, 700),
    }


def test_what_is_posted_again_has_a_place_of_its_own(side_store: FileSideStore) -> None:
    deliveries, before = Deliveries(side_store), webhook(UUID(int=1))
    deliveries.accept(before, 640)
    again = webhook(UUID(int=1), redelivery=9, after=128)
    assert deliveries.progress([again]) == {again.id: Progress(128)}
    deliveries.accept(before, 700)  # of a post that was under way
    assert deliveries.progress([again]) == {again.id: Progress(128)}


def test_the_webhook_of_an_earlier_version_keeps_its_place_and_its_secret(
    side_store: FileSideStore,
) -> None:
    side_store.ask("deliveries", "INSERT INTO deliveries VALUES (?, ?)", str(SITE), 640)
    old, token_issuer = webhook(SITE), TokenIssuer(b"secret" * 6)
    assert Deliveries(side_store).progress([old]) == {SITE: Progress(640)}
    # This secret was given out by the version that had one webhook for each frontend.
    assert webhook_secret(token_issuer, old) == (
        "whsec_RmptVE1nc1A1Q2trOGw0YmdXTzNsay1yblpaQWhsSFB6WWV1R3loYkxkUQ=="
    )
