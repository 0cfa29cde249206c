"""A watcher of a match: on a screen, or as one JSON document a line."""

import json
from contextlib import aclosing

import click

from services.cli.access import MatchAccess
from services.cli.connection import WATCHER_PATIENCE_SECONDS
from services.cli.terminal import sentences
from services.cli.terminal.console import plain
from services.cli.terminal.screen import Screen
from services.client import Client
from services.client.witness import Witness


async def follow(
    client: Client,
    access: MatchAccess,
    after: int | None,
    screen: Screen | None,
    *,
    witness: Witness | None = None,
) -> None:
    """Show the events of a match as they happen: on a screen, or as JSON without one.

    Raises:
        LogRewrittenError: The log does not extend what the `witness` has stored.
    """
    if witness is not None:
        await witness.check(client, access.match)
    present = (await access.present(client)).version
    news = client.watch(
        access.viewing(),
        access.match,
        *(("scene",) if screen else ()),
        after_version=present - 1 if after is None else after,
        until_over=True,
        patience_seconds=WATCHER_PATIENCE_SECONDS,
    )
    async with aclosing(news):
        async for watched in news:
            if witness is not None:
                event = watched.event
                await witness.record_event(client, access.match, event.version, event.digest)
            if screen is None:
                click.echo(json.dumps(plain(watched), ensure_ascii=False))
                continue
            screen.add(watched)
            screen.draw()
            if watched.view.HasField("result"):
                click.echo(sentences.standing(watched.view.prompts, watched.view.result))
