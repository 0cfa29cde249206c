"""`emeth frontend`: who may bring players to the service."""

from datetime import datetime, timedelta
from pathlib import Path

import click
from msgspec import Struct

from services.cli.admin_key import keyed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import TimeText, as_json, gathered
from services.cli.terminal.console import plain, print_json, print_table
from services.client import Client
from services.wire.emeth.v1 import frontends_pb2 as pb
from services.wire.emeth.v1 import players_pb2

QUOTAS = (
    "open_matches", "actions_per_minute", "player_actions_per_minute", "watchers", "stored_bytes",
)  # fmt: skip
RIGHTS = {
    "create": pb.FRONTEND_RIGHT_CREATE,
    "referee": pb.FRONTEND_RIGHT_REFEREE,
    "read-public": pb.FRONTEND_RIGHT_READ_PUBLIC,
}


KINDS = {
    name.removeprefix("NOTICE_KIND_").lower().replace("_", "-"): number
    for name, number in players_pb2.NoticeKind.items()
    if number
}


class FrontendOptions(Struct, frozen=True):
    """Fields of a frontend, as options give them: None for those that are not given."""

    name: str | None
    rights: tuple[str, ...]
    open_matches: int | None
    actions_per_minute: int | None
    player_actions_per_minute: int | None
    watchers: int | None
    stored_bytes: int | None
    issuer: str | None
    audience: str
    keys: Path | None
    keys_url: str

    def frontend(self, frontend_id: str = "") -> tuple[pb.Frontend, list[str]]:
        """Return the same as a message, and the paths of the fields that are given."""
        message = pb.Frontend(frontend_id=frontend_id, name=self.name or "")
        message.rights.extend(RIGHTS[right] for right in self.rights)
        paths = [name for name in ("name", "rights") if getattr(self, name)]
        for quota in QUOTAS:
            if (most := getattr(self, quota)) is not None:
                setattr(message.quotas, quota, most)
                paths.append(f"quotas.{quota}")
        if self.issuer is not None:
            message.issuer.issuer, message.issuer.audience = self.issuer, self.audience
            message.issuer.keys = self.keys.read_text() if self.keys else ""
            message.issuer.keys_url = self.keys_url
            paths.append("issuer")
        elif self.keys or self.keys_url:
            raise click.UsageError("--keys and --keys-url are an issuer's: name it with --issuer")
        return message, paths


def _terms(command: click.decorators.FC) -> click.decorators.FC:
    """Adds the options that are fields of `FrontendOptions`."""
    most = click.IntRange(0)
    for option in (
        click.option("--keys-url", default="", metavar="URL", help="Where these are published."),
        click.option(
            "--keys",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="A file with its public keys, a JWK Set.",
        ),
        click.option("--audience", default="emeth", show_default=True, help="`aud` of these."),
        click.option("--issuer", metavar="TEXT", help="`iss` of JSON Web Tokens of its players."),
        click.option("--stored-bytes", type=most, help="Bytes of events, at most."),
        click.option("--watchers", type=most, help="Streams that watch, at most."),
        click.option("--player-actions-per-minute", type=most, help="Of one player, at most."),
        click.option("--actions-per-minute", type=most, help="Of all players, at most."),
        click.option("--open-matches", type=most, help="At once, at most."),
        click.option(
            "--right",
            "rights",
            multiple=True,
            type=click.Choice(list(RIGHTS)),
            help="May be repeated.",
        ),
    ):
        command = option(command)
    return command


@click.group(short_help="Create, list, update and delete frontends.")
def frontend() -> None:
    """Frontends: sites and programs that bring players here, each with a key of its own.

    \b
    Examples:
      emeth frontend create "Chess club" --right create --open-matches 500
      emeth frontend list
      emeth frontend rotate-key 5f2c0c8e-...
    """


@frontend.command(short_help="Create a frontend, and print its key.")
@click.argument("name")
@_terms
@keyed
@connected
@as_json
@gathered("options", FrontendOptions)
def create(service: ServiceAddress, key: str, as_json: bool, options: FrontendOptions) -> None:
    """Create a frontend. Without --right it may create matches; what is not bounded has no bound.

    \b
    Examples:
      emeth frontend create "Chess club"
      emeth frontend create Site --issuer https://site.example --keys keys.json
    """
    given, _ = options.frontend()
    made = service.run(
        lambda client: client.create_frontend(
            key,
            given.name,
            given.rights or (pb.FRONTEND_RIGHT_CREATE,),
            quotas=given.quotas,
            issuer=given.issuer if given.HasField("issuer") else None,
        )
    )
    if as_json:
        print_json(made)
        return
    click.echo(f"frontend  {made.frontend.frontend_id}\nkey       {made.key}")


@frontend.command("list", short_help="List frontends, and what they use.")
@keyed
@connected
@as_json
def list_frontends(service: ServiceAddress, key: str, as_json: bool) -> None:
    """List frontends, and what the matches that they created take up.

    \b
    Example:
      emeth frontend list
    """
    found = service.run(lambda client: client.list_frontends(key))
    if as_json:
        print_json(plain(found))
        return
    print_table(
        ("FRONTEND", "NAME", "MAY", "MATCHES", "OPEN", "WATCHERS", "BYTES", "PLAYERS"),
        map(_row, found),
    )


@frontend.command(short_help="Show a frontend.")
@click.argument("frontend_id", metavar="FRONTEND")
@keyed
@connected
@as_json
def show(service: ServiceAddress, key: str, frontend_id: str, as_json: bool) -> None:
    """Show a FRONTEND with its quotas.

    \b
    Example:
      emeth frontend show 5f2c0c8e-...
    """
    found = service.run(lambda client: client.frontend(key, frontend_id))
    if as_json:
        print_json(found)
        return
    used, quotas = found.usage, found.quotas
    deleted = " (deleted)" if found.HasField("delete_time") else ""
    click.echo(f"{found.name}{deleted}: {_rights(found)}")
    for hook in found.webhooks:
        failed = f"; it failed {hook.failure_count} times: {hook.last_failure}"
        click.echo(
            f"webhook {hook.webhook_id}: {hook.url}, last notice {hook.last_notice_id or 'none'}"
            f"{failed if hook.failure_count else ''}"
        )
    print_table(
        ("WHAT", "USED", "AT MOST"),
        (
            ("open matches", str(used.open_matches), _bound(quotas.open_matches)),
            ("actions a minute", "", _bound(quotas.actions_per_minute)),
            ("of one player", "", _bound(quotas.player_actions_per_minute)),
            ("watchers", str(used.watchers), _bound(quotas.watchers)),
            ("stored bytes", str(used.stored_bytes), _bound(quotas.stored_bytes)),
            ("matches", str(used.matches), ""),
            ("players", str(used.players), ""),
        ),
    )


@frontend.command(short_help="Update what a frontend may do.")
@click.argument("frontend_id", metavar="FRONTEND")
@click.option("--name", help="For people.")
@_terms
@keyed
@connected
@gathered("options", FrontendOptions)
def update(service: ServiceAddress, key: str, frontend_id: str, options: FrontendOptions) -> None:
    """Update those fields of a FRONTEND for which there are options; --right replaces all rights.

    \b
    Example:
      emeth frontend update 5f2c0c8e-... --right create --right referee --watchers 200
    """
    given, paths = options.frontend(frontend_id)
    if not paths:
        raise click.UsageError("say what to update")
    service.run(lambda client: client.update_frontend(key, given, *paths))
    click.echo("updated")


@frontend.command("rotate-key", short_help="Give a frontend another key, and print it.")
@click.argument("frontend_id", metavar="FRONTEND")
@click.option(
    "--overlap-hours",
    type=click.IntRange(0, 720),
    default=24,
    show_default=True,
    help="How long the present key stays valid.",
)
@keyed
@connected
def rotate_key(service: ServiceAddress, key: str, frontend_id: str, overlap_hours: int) -> None:
    """Give a FRONTEND another key. After a leak let no hours overlap: every earlier key ends.

    \b
    Examples:
      emeth frontend rotate-key 5f2c0c8e-...
      emeth frontend rotate-key 5f2c0c8e-... --overlap-hours 0
    """
    overlap = timedelta(hours=overlap_hours)
    made = service.run(lambda client: client.rotate_frontend_key(key, frontend_id, overlap=overlap))
    click.echo(f"key       {made}")


@frontend.command("add-webhook", short_help="Post notices to players to a URL.")
@click.argument("frontend_id", metavar="FRONTEND")
@click.argument("url")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    type=click.Choice(list(KINDS)),
    help=f"Only of this kind: {', '.join(KINDS)}. May be repeated.",
)
@click.option("--game", "games", multiple=True, help="By slug. May be repeated.")
@keyed
@connected
def add_webhook(
    service: ServiceAddress,
    key: str,
    frontend_id: str,
    url: str,
    kinds: tuple[str, ...],
    games: tuple[str, ...],
) -> None:
    """Post notices to the players of a FRONTEND to a URL as well: all of them, or those of some
    kinds or games. Print what the posts are signed with.

    \b
    Examples:
      emeth frontend add-webhook 5f2c0c8e-... https://site.example/emeth
      emeth frontend add-webhook 5f2c0c8e-... https://site.example/ended --kind match-ended
    """
    hook = pb.Webhook(url=url, notice_kinds=[KINDS[kind] for kind in kinds], games=games)

    async def add(client: Client) -> pb.UpdateFrontendResponse:
        found = await client.frontend(key, frontend_id)
        return await client.update_frontend(key, _with(found, [*found.webhooks, hook]), "webhooks")

    made = service.run(add)
    ((identity, secret),) = made.webhook_secrets.items()
    click.echo(f"webhook  {identity}\nsecret   {secret}")


@frontend.command("delete-webhook", short_help="Post nothing more to a URL.")
@click.argument("frontend_id", metavar="FRONTEND")
@click.argument("webhook_id", metavar="WEBHOOK")
@keyed
@connected
def delete_webhook(service: ServiceAddress, key: str, frontend_id: str, webhook_id: str) -> None:
    """Delete a WEBHOOK of a FRONTEND.

    \b
    Example:
      emeth frontend delete-webhook 5f2c0c8e-... 61a0b7d2-...
    """

    async def delete(client: Client) -> None:
        found = await client.frontend(key, frontend_id)
        kept = [each for each in found.webhooks if each.webhook_id != webhook_id]
        if len(kept) == len(found.webhooks):
            raise click.ClickException("the frontend has no such webhook")
        await client.update_frontend(key, _with(found, kept), "webhooks")

    service.run(delete)
    click.echo("deleted")


@frontend.command("test-webhook", short_help="Post a test message to a webhook.")
@click.argument("frontend_id", metavar="FRONTEND")
@click.argument("webhook_id", metavar="WEBHOOK")
@keyed
@connected
@as_json
def test_webhook(
    service: ServiceAddress, key: str, frontend_id: str, webhook_id: str, as_json: bool
) -> None:
    """Post a test message to a WEBHOOK of a FRONTEND, and print what the receiver answered.

    \b
    Example:
      emeth frontend test-webhook 5f2c0c8e-... 61a0b7d2-...
    """
    found = service.run(lambda client: client.test_webhook(key, webhook_id, frontend_id))
    if as_json:
        print_json(found)
        return
    answer = found.failure or f"status {found.http_status}"
    took = found.elapsed.ToTimedelta().total_seconds()
    click.echo(f"{'accepted' if found.accepted else 'not accepted'}: {answer}, {took:.2f} s")


@frontend.command("redeliver", short_help="Post notices to a webhook again.")
@click.argument("frontend_id", metavar="FRONTEND")
@click.argument("webhook_id", metavar="WEBHOOK")
@click.option("--from-notice", default="", help="The ID of the first notice.")
@click.option("--from-time", type=TimeText(), help="Or the time from which on.")
@keyed
@connected
def redeliver(
    service: ServiceAddress,
    key: str,
    frontend_id: str,
    webhook_id: str,
    from_notice: str,
    from_time: datetime | None,
) -> None:
    """Post notices to a WEBHOOK of a FRONTEND again, and then what follows.

    \b
    Examples:
      emeth frontend redeliver 5f2c0c8e-... 61a0b7d2-... --from-notice 0070368744177984
      emeth frontend redeliver 5f2c0c8e-... 61a0b7d2-... --from-time 2026-11-22T19:00:00Z
    """
    start = from_time or from_notice
    if not start or (from_time and from_notice):
        raise click.UsageError("say where to start: --from-notice or --from-time")
    service.run(lambda client: client.redeliver_notices(key, webhook_id, start, frontend_id))
    click.echo("notices are posted again")


@frontend.command(short_help="Delete a frontend.")
@click.argument("frontend_id", metavar="FRONTEND")
@keyed
@connected
def delete(service: ServiceAddress, key: str, frontend_id: str) -> None:
    """Delete a FRONTEND: its keys and the tokens of its players stop working.

    \b
    Example:
      emeth frontend delete 5f2c0c8e-...
    """
    service.run(lambda client: client.delete_frontend(key, frontend_id))
    click.echo("deleted")


def _with(found: pb.Frontend, webhooks: list[pb.Webhook]) -> pb.Frontend:
    """Return what changes a frontend's webhooks, if nobody has changed it meanwhile."""
    return pb.Frontend(frontend_id=found.frontend_id, etag=found.etag, webhooks=webhooks)


def _bound(most: int) -> str:
    return str(most) if most else "any number"


def _rights(found: pb.Frontend) -> str:
    names = {message: right for right, message in RIGHTS.items()}
    return ", ".join(names[right] for right in found.rights) or "no rights"


def _row(found: pb.Frontend) -> tuple[str, ...]:
    used = found.usage
    return (
        found.frontend_id,
        found.name,
        "deleted" if found.HasField("delete_time") else _rights(found),
        *map(str, (used.matches, used.open_matches, used.watchers, used.stored_bytes)),
        str(used.players),
    )
