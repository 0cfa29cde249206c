"""`emeth top`: a live screen of how a service is doing."""

import time
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click

from services.cli.terminal.console import CommandRefused
from services.cli.terminal.top_screen import Reading, read, shown

SECONDS = 5.0
"""How long an answer may take."""


@click.command(short_help="Watch how a service is doing.")
@click.option(
    "--url",
    default="http://127.0.0.1:50080",
    show_default=True,
    envvar="EMETH_URL",
    help="Where the service's HTTP port is.",
)
@click.option("--every", type=click.FloatRange(0.1, 3600), default=2.0, show_default=True)
@click.option("--count", type=click.IntRange(1), help="Show so many readings, and end.")
def top(url: str, every: float, count: int | None) -> None:
    """Show, again and again, what the service does: calls a second and how long they take,
    refusals, commits, live matches, watchers, how far the read models are behind. Ctrl+C ends it.

    \b
    Examples:
      emeth top
      emeth top --url https://emeth.example.org --every 10
      emeth top --count 1
    """
    from rich.live import Live

    before = _reading(url)
    with Live(auto_refresh=False) as screen:
        while count is None or count > 0:
            time.sleep(every)
            now = _reading(url)
            screen.update(shown(before, now), refresh=True)
            before, count = now, None if count is None else count - 1


def _reading(url: str) -> Reading:
    if urlsplit(url).scheme not in ("http", "https"):
        raise click.UsageError("--url begins with http:// or https://")
    request = Request(f"{url.rstrip('/')}/metrics")  # noqa: S310  checked above
    try:
        with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310  as above
            return read(answer.read().decode(), time.monotonic())
    except (URLError, OSError) as error:
        why = getattr(error, "reason", error)
        raise CommandRefused(f"cannot reach {url}: {why}; --url is the HTTP port's") from None
    except ValueError as error:
        raise CommandRefused(f"{url}/metrics: {error}") from None
