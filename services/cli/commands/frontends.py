"""`emeth frontend`: who may bring players to the service."""

from pathlib import Path

import click
from msgspec import Struct

from services.cli.admin_key import keyed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json, gathered
from services.cli.terminal.console import plain, print_json, print_table
from services.wire.emeth.v1 import frontends_pb2 as pb

RIGHTS = {
    "create": pb.FRONTEND_RIGHT_CREATE,
    "referee": pb.FRONTEND_RIGHT_REFEREE,
    "read-public": pb.FRONTEND_RIGHT_READ_PUBLIC,
}


class FrontendTerms(Struct, frozen=True):
    """What a frontend may do, how much, and who signs for its players."""

    rights: tuple[str, ...]
    open_matches: int
    actions_per_minute: int
    watchers: int
    stored_bytes: int
    issuer: str | None
    audience: str
    keys: Path | None
    keys_url: str

    def asked(self) -> dict[str, object]:
        """The same, as the client's calls take it."""
        quotas = pb.FrontendQuotas(
            open_matches=self.open_matches,
            actions_per_minute=self.actions_per_minute,
            watchers=self.watchers,
            stored_bytes=self.stored_bytes,
        )
        issuer = None
        if self.issuer is not None:
            issuer = pb.FrontendIssuer(
                issuer=self.issuer,
                audience=self.audience,
                keys=self.keys.read_text() if self.keys else "",
                keys_url=self.keys_url,
            )
        elif self.keys or self.keys_url:
            raise click.UsageError("--keys and --keys-url are an issuer's: name it with --issuer")
        return {"rights": [RIGHTS[right] for right in self.rights], "quotas": quotas,
                "issuer": issuer}  # fmt: skip


def _terms(command: click.decorators.FC) -> click.decorators.FC:
    """Adds the options that are fields of `FrontendTerms`."""
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
        click.option("--stored-bytes", type=most, default=0, help="Bytes of events, at most."),
        click.option("--watchers", type=most, default=0, help="Streams that watch, at most."),
        click.option("--actions-per-minute", type=most, default=0, help="At most."),
        click.option("--open-matches", type=most, default=0, help="At once, at most."),
        click.option(
            "--right",
            "rights",
            multiple=True,
            type=click.Choice(list(RIGHTS)),
            default=("create",),
            show_default=True,
            help="May be repeated.",
        ),
    ):
        command = option(command)
    return command


@click.group(short_help="Register, list, rotate and revoke frontends.")
def frontend() -> None:
    """Frontends: sites and programs that bring players here, each with a key of its own.

    \b
    Examples:
      emeth frontend register "Chess club" --right create --open-matches 500
      emeth frontend list
      emeth frontend rotate-key 5f2c0c8e-...
    """


@frontend.command(short_help="Let a frontend call, and print its key.")
@click.argument("name")
@_terms
@keyed
@connected
@as_json
@gathered("terms", FrontendTerms)
def register(
    service: ServiceAddress, key: str, name: str, as_json: bool, terms: FrontendTerms
) -> None:
    """Let a frontend call. What is not bounded has no bound.

    \b
    Examples:
      emeth frontend register "Chess club"
      emeth frontend register Site --issuer https://site.example --keys keys.json
    """
    made = service.run(lambda client: client.register_frontend(key, name, **terms.asked()))  # type: ignore[arg-type]
    if as_json:
        print_json(made)
        return
    click.echo(f"frontend  {made.frontend_id}\nkey       {made.key}")


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
    click.echo(f"{found.name}{' (revoked)' if found.revoked else ''}: {_rights(found)}")
    print_table(
        ("WHAT", "USED", "AT MOST"),
        (
            ("open matches", str(used.open_matches), _bound(quotas.open_matches)),
            ("actions a minute", "", _bound(quotas.actions_per_minute)),
            ("watchers", str(used.watchers), _bound(quotas.watchers)),
            ("stored bytes", str(used.stored_bytes), _bound(quotas.stored_bytes)),
            ("matches", str(used.matches), ""),
            ("players", str(used.players), ""),
        ),
    )


@frontend.command(short_help="Set what a frontend may do.")
@click.argument("frontend_id", metavar="FRONTEND")
@_terms
@keyed
@connected
@gathered("terms", FrontendTerms)
def terms(service: ServiceAddress, key: str, frontend_id: str, terms: FrontendTerms) -> None:
    """Set what a FRONTEND may do, and how much: all of it anew.

    \b
    Example:
      emeth frontend terms 5f2c0c8e-... --right create --right referee --watchers 200
    """
    service.run(lambda client: client.set_frontend_terms(key, frontend_id, **terms.asked()))  # type: ignore[arg-type]
    click.echo("set")


@frontend.command("rotate-key", short_help="Give a frontend another key, and print it.")
@click.argument("frontend_id", metavar="FRONTEND")
@keyed
@connected
def rotate_key(service: ServiceAddress, key: str, frontend_id: str) -> None:
    """Give a FRONTEND another key. The old one opens nothing any more.

    \b
    Example:
      emeth frontend rotate-key 5f2c0c8e-...
    """
    made = service.run(lambda client: client.rotate_frontend_key(key, frontend_id))
    click.echo(f"key       {made}")


@frontend.command(short_help="End a frontend.")
@click.argument("frontend_id", metavar="FRONTEND")
@keyed
@connected
def revoke(service: ServiceAddress, key: str, frontend_id: str) -> None:
    """End a FRONTEND: its key and the tokens of its players open nothing any more.

    \b
    Example:
      emeth frontend revoke 5f2c0c8e-...
    """
    service.run(lambda client: client.revoke_frontend(key, frontend_id))
    click.echo("revoked")


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
        "revoked" if found.revoked else _rights(found),
        *map(str, (used.matches, used.open_matches, used.watchers, used.stored_bytes)),
        str(used.players),
    )
