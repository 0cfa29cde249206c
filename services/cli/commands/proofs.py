"""The commands `emeth checkpoint` and `proof`: signed states of the log, proofs of events."""

from datetime import UTC, datetime
from pathlib import Path

import click

from domain.log.merkle import verify_consistency, verify_inclusion
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.known_keys import check_key
from services.cli.options import VERSION, as_json
from services.cli.terminal.console import CommandRefused, ServiceFailed, print_json
from services.client import Client
from services.proof.cosignatures import read_cosigner
from services.proof.signed_notes import Checkpoint, read_checkpoint
from services.proof.signing import NoteError, VerifierKey, read_key
from services.wire.emeth.v1 import audit_pb2 as pb

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Show the signed checkpoint of the log, or check one.")
@click.option("--key", "key_only", is_flag=True, help="Print only the service's public key.")
@click.option(
    "--extends",
    "old",
    type=_FILE,
    metavar="FILE",
    help="Check that the log extends the checkpoint in FILE.",
)
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="KEY",
    help="Check that the witness with this public key has cosigned; may be repeated.",
)
@click.option(
    "--quorum",
    type=click.IntRange(1),
    help="Require cosignatures of this many of the witnesses.  [default: all]",
)
@with_service
@as_json
def checkpoint(
    service: ServiceAddress,
    key_only: bool,
    old: Path | None,
    witnesses: tuple[str, ...],
    quorum: int | None,
    as_json: bool,
) -> None:
    r"""Show a checkpoint: the number of events in the log and a hash of them all, signed.

    With a saved checkpoint you can check later that history was not rewritten. docs/proofs.md
    describes the format.

    \b
    Examples:
      emeth checkpoint > kept.txt
      emeth checkpoint --extends kept.txt
      emeth checkpoint --key
      emeth checkpoint --witness "$(cat witness.pub)"
    """
    if quorum is not None and quorum > len(witnesses):
        raise click.UsageError(
            f"--quorum {quorum} is more than the {len(witnesses)} keys given with --witness"
        )
    shown = service.run(lambda client: client.get_checkpoint())
    _meet_service(service, shown)
    if witnesses:
        _check_cosigned(shown, witnesses, quorum or len(witnesses))
    elif old is not None:
        _check_extends(service, shown, old.read_text())
    elif as_json:
        print_json(shown)
    elif key_only:
        click.echo(shown.verifier_key)
    else:
        click.echo(shown.checkpoint, nl=False)


def _meet_service(service: ServiceAddress, shown: pb.GetCheckpointResponse) -> None:
    """Report a new key of the service.

    Raises:
        CommandRefused: The key has changed.
    """
    met = check_key(service.address, _service_key(shown))
    if met.state == "changed":
        raise CommandRefused(met.words)
    if met.state == "new":
        click.echo(met.words, err=True)


def _check_cosigned(
    shown: pb.GetCheckpointResponse, witnesses: tuple[str, ...], quorum: int
) -> None:
    """Print the newest cosigned checkpoint, if at least `quorum` of the witnesses cosigned it."""
    try:
        keys = [read_cosigner(each) for each in dict.fromkeys(witnesses)]
    except NoteError as error:
        raise click.UsageError(f"--witness: {error}") from None
    if not shown.cosigned_checkpoint:
        raise CommandRefused("no witness has cosigned a checkpoint of this service")
    _opened(_service_key(shown), shown.cosigned_checkpoint)
    try:
        found = [
            said[1] for key in keys if (said := key.find(shown.cosigned_checkpoint)) is not None
        ]
    except NoteError as error:
        raise CommandRefused(str(error)) from None
    for each in found:
        at = datetime.fromtimestamp(each.at, UTC).isoformat(timespec="seconds")
        click.echo(f"{each.name} cosigned it at {at}", err=True)
    if len(found) < quorum:
        raise CommandRefused(
            f"{len(found)} of these witnesses cosigned the checkpoint; {quorum} are required"
        )
    click.echo(shown.cosigned_checkpoint, nl=False)


def _check_extends(service: ServiceAddress, shown: pb.GetCheckpointResponse, kept: str) -> None:
    key = _service_key(shown)
    try:
        before = read_checkpoint(key.open(kept))
    except NoteError as error:
        raise CommandRefused(f"the file is not a checkpoint of this service: {error}") from None
    present = _opened(key, shown.checkpoint)
    if before.size > present.size:
        raise CommandRefused(
            f"the log has {present.size} events, fewer than the {before.size} of the saved"
            " checkpoint: events were removed"
        )
    answer = service.run(
        lambda client: client.get_proof(extended_size=before.size, log_size=present.size)
    )
    if not verify_consistency(before.size, before.root, present.size, present.root, answer.hashes):
        raise CommandRefused(
            f"the log does not begin with the {before.size} events of the saved checkpoint: history"
            " was rewritten"
        )
    click.echo(f"the log of {present.size} events begins with the {before.size} that it had")


@click.command(short_help="Prove that an event is in the log.")
@click.argument("version", type=VERSION)
@click.option("--digest", metavar="HEX", help="Check this digest, not the one the service gives.")
@with_access
@with_service
@as_json
def proof(
    service: ServiceAddress,
    access: MatchAccess,
    version: int,
    digest: str | None,
    as_json: bool,
) -> None:
    r"""Check and print the proof that event VERSION of a match is in the log.

    Other tools can check the proof too; docs/proofs.md describes its format.

    \b
    Example:
      emeth proof 12 > event-12.tlog-proof
    """
    token = "" if digest else access.viewing()

    async def asking(client: Client) -> tuple[str, pb.GetCheckpointResponse, pb.GetProofResponse]:
        answer = await client.inclusion(access.match, version)
        leaf = digest
        if leaf is None:
            history = await client.list_events(token, access.match, at_least_version=version)
            leaf = history[version - 1].digest
        return leaf, await client.get_checkpoint(), answer

    leaf, shown, answer = service.run(asking)
    present = _opened(_service_key(shown), answer.checkpoint)
    try:
        data = bytes.fromhex(leaf)
    except ValueError:
        raise click.UsageError("--digest must be 64 hexadecimal digits") from None
    if not verify_inclusion(data, answer.log_index, present.size, answer.hashes, present.root):
        raise CommandRefused(
            f"the proof does not show that event {version} with digest {leaf} is in the log"
        )
    if as_json:
        print_json(answer)
    else:
        click.echo(answer.proof, nl=False)


def _service_key(shown: pb.GetCheckpointResponse) -> VerifierKey:
    try:
        return read_key(shown.verifier_key)
    except NoteError as error:
        raise ServiceFailed(f"the service gave an invalid public key: {error}") from None


def _opened(key: VerifierKey, note: str) -> Checkpoint:
    try:
        return read_checkpoint(key.open(note))
    except NoteError as error:
        raise ServiceFailed(f"the service gave an invalid checkpoint: {error}") from None
