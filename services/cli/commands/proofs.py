"""`emeth verify`, `readjudicate`, `checkpoint` and `proof`: is all as it was? Show it."""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

import click
from click.exceptions import Exit

from domain.kernel.packs import Library
from domain.log.merkle import extends, included
from domain.match import ChanceRenewed
from services.cli.access import Access, accessed, accessed_late
from services.cli.admin_key import keyed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.kept_receipts import is_receipt, print_receipt
from services.cli.known_keys import Met, meet, meet_secret
from services.cli.options import as_json
from services.cli.pack_folder_option import with_packs
from services.cli.terminal.console import (
    REFUSED,
    CommandRefused,
    ServiceFailed,
    counted,
    print_json,
)
from services.cli.terminal.progress import Progress
from services.client import Client
from services.proof.cosignatures import read_cosigner
from services.proof.match_file import FileCheck, Verified
from services.proof.signed_notes import Checkpoint, read_checkpoint
from services.proof.signing import NoteError, VerifierKey, read_key
from services.proof.tap_evidence import Evidence
from services.proof.verdict import as_json as verdict_as_json
from services.proof.verdict import finding_line, told
from services.wire.emeth.v1 import audit_pb2 as pb

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Verify a match: chain, signature, dice, every ruling.")
@click.argument("file", required=False, type=_FILE)
@click.option("--key", metavar="KEY", help="Only this public key may have signed the FILE.")
@with_packs
@accessed_late
@connected
@as_json
def verify(
    service: ServiceAddress,
    access: Callable[[], Access],
    file: Path | None,
    key: str | None,
    library: Library,
    as_json: bool,
) -> None:
    """Check the FILE of a match, with no service: the chain of digests, the signature, every die
    against the seeds that were revealed, every action by running the rules again, and the taps that
    it came of. Without a FILE the service checks a match in its log. The FILE may be a receipt, of
    either form, which takes the --key that signed it.

    The first line of what is found says where the first difference lies. Exit code 1 if anything
    is found.

    \b
    Examples:
      emeth verify match.emeth
      emeth verify match.emeth --key "$(emeth checkpoint --key)"
      emeth verify receipt.txt --key "$(emeth checkpoint --key)"
      emeth verify -m 4c1e
    """
    if file is not None and is_receipt(file):
        if key is None:
            raise click.UsageError("a receipt does not have the key in it: give --key KEY")
        print_receipt(file, _key(key), as_json=as_json)
    elif file is not None:
        _verify_file(file, key, library, as_json=as_json)
    else:
        if key is not None:
            raise click.UsageError("--key goes with a FILE")
        _verify_match(service, access(), as_json=as_json)


def _verify_file(file: Path, key: str | None, library: Library, *, as_json: bool) -> None:
    with file.open("rb") as lines, Progress("checking", shown=not as_json) as progress:
        checking = FileCheck(lines, _key(key) if key else None, library)
        for done in checking.steps():
            progress.at(done, checking.total)
    verified = checking.verified
    met = _meet(verified, trusted=key is not None)
    secret = _meet_secret(verified, trusted=key is not None)
    if as_json:
        keys = {each.key: each.state for each in met}
        draws = {"secret": secret.key, "secret_state": secret.state} if secret else {}
        print_json({**verdict_as_json(verified), "keys": keys, **draws})
    else:
        for finding in verified.report.findings:
            click.echo(finding_line(finding.version, finding.check, told(finding), finding.rule))
        click.echo(_summary(verified, met))
        _warn(met)
        if secret is not None:
            _tell_of_draws(verified, secret)
    if not verified.report.sound or any(each.state == "changed" for each in met):
        raise Exit(REFUSED)


def _meet(verified: Verified, *, trusted: bool) -> list[Met]:
    """The keys of a sound file, that of the last line first, and what is known of them. That one
    may be `trusted`, since it was asked for."""
    if not verified.report.sound or verified.trailer is None:
        return []
    vouching = verified.trailer.key
    others = [each for each in verified.taps.keys if each != vouching]
    found = [(read_key(vouching), trusted), *((read_key(each), False) for each in others)]
    return [meet(key.name, key, trusted=trust) for key, trust in found]


def _meet_secret(verified: Verified, *, trusted: bool) -> Met | None:
    """What is known of the secret that the draws of a sound file come from; None if there are none,
    or it does not say."""
    match, trailer = verified.match, verified.trailer
    if not verified.report.sound or match is None or trailer is None:
        return None
    run = match.affairs.run
    if run is None:
        return None
    return meet_secret(read_key(trailer.key).name, run.secret, trusted=trusted)


def _tell_of_draws(verified: Verified, secret: Met) -> None:
    renewed = sum(isinstance(each.event, ChanceRenewed) for each in verified.events)
    again = f", renewed {counted(renewed, 'time')} as the service started again" if renewed else ""
    click.echo(f"draws come from the secret {secret.key[:16]} ({secret.state}){again}")
    if secret.state == "changed":
        was = " and ".join(each[:16] for each in secret.others)
        click.secho(
            f"WARNING: THE SECRET OF {secret.service.partition('#')[0]} HAS CHANGED: it was {was}\n"
            "Whoever changes it between matches may be looking for draws that suit. Ask who runs"
            " the service",
            err=True,
            bold=True,
        )


def _warn(met: Iterable[Met]) -> None:
    for each in met:
        if each.state == "changed":
            click.secho(each.words, err=True, bold=True)


def _verify_match(service: ServiceAddress, access: Access, *, as_json: bool) -> None:
    token = access.viewing()
    answer = service.run(lambda client: client.verify_match(token, access.match))
    if as_json:
        print_json(answer)
    else:
        _print(answer.findings)
        state = "sound"
        if not answer.sound:
            state = f"not sound, {counted(len(answer.findings), 'finding')}"
        click.echo(f"{state}: {counted(answer.events, 'event')} of match {access.match}")
    if not answer.sound:
        raise Exit(REFUSED)


def _key(text: str) -> VerifierKey:
    try:
        return read_key(text)
    except NoteError as error:
        raise click.UsageError(f"--key: {error}") from None


def _summary(verified: Verified, met: list[Met]) -> str:
    report, match, trailer = verified.report, verified.match, verified.trailer
    if not report.sound or match is None or trailer is None:
        return f"not sound, {counted(len(report.findings), 'finding')}"
    later = ""
    if report.unproven:
        draws = counted(report.unproven, "draw")
        later = f"\n{draws} can be checked when the seed is revealed"
    return (
        f"sound: {counted(report.events, 'event')} of match {match.id} ({match.rules.name})\n"
        f"signed with {trailer.key}{_standing(met[:1])}{later}{_taps(verified.taps)}"
        f"{_standing(met[1:])}"
    )


def _standing(met: Iterable[Met]) -> str:
    """What is known of these keys, but for those that are warned of."""
    return "".join(f"\n{each.words}" for each in met if each.state != "changed")


def _taps(taps: Evidence) -> str:
    found = ""
    if taps.proven:
        found += f"\n{counted(taps.proven, 'tap')}, in the log of {', '.join(taps.keys)}"
    if taps.lost:
        is_lost = "is" if taps.lost == 1 else "are"
        found += f"\n{counted(taps.lost, 'tap')} that actions name {is_lost} lost"
    return found


def _print(findings: Iterable[pb.Finding]) -> None:
    for each in findings:
        click.echo(finding_line(each.version, each.check, each.sentence, each.rule))


@click.command(short_help="Judge recorded matches by today's rules.")
@click.option(
    "--all", "every", is_flag=True, help="All matches of the service, with its admin key."
)
@keyed_late
@accessed_late
@connected
@as_json
def readjudicate(
    service: ServiceAddress,
    access: Callable[[], Access],
    key: Callable[[], str],
    every: bool,
    as_json: bool,
) -> None:
    """Judge every recorded action again by the rules as they are now, and list, rule by rule, what
    would differ: what changed, from where, and what it would have led to. Nothing is changed.

    Exit code 1 if anything is found.

    \b
    Examples:
      emeth readjudicate
      emeth readjudicate --all --json
    """
    match = "" if every else access().match
    token = key() if every else access().viewing()

    async def judging(client: Client) -> tuple[int, list[pb.Finding]]:
        done, findings = 0, list[pb.Finding]()
        with Progress("judging", shown=not as_json) as progress:
            async with aclosing(client.readjudicate(token, match)) as steps:
                async for step in steps:
                    done = step.done
                    findings += step.findings
                    progress.at(step.done, step.total)
        return done, findings

    done, findings = service.run(judging)
    if as_json:
        print_json({"matches": done, "findings": findings})
    else:
        _print_by_rule(findings)
        found = counted(len(findings), "finding")
        click.echo(f"{counted(done, 'match', 'matches')} judged again, {found}")
    if findings:
        raise Exit(REFUSED)


def _print_by_rule(findings: list[pb.Finding]) -> None:
    rules = Counter(each.rule for each in findings)
    for rule, count in rules.most_common():
        click.echo(f"{rule or 'no rule'} ({count})")
        for each in findings:
            if each.rule == rule:
                line = finding_line(each.version, each.check, each.sentence, "")
                click.echo(f"  match {each.match_id}, {line}")


@click.command(short_help="Show the signed checkpoint of the log, or check one.")
@click.option("--key", "key_only", is_flag=True, help="Print the service's public key alone.")
@click.option(
    "--extends", "old", type=_FILE, metavar="FILE", help="Check that the log extends this one."
)
@click.option(
    "--witness", "witnesses", multiple=True, metavar="KEY", help="A witness's key; repeatable."
)
@click.option(
    "--quorum", type=click.IntRange(1), help="So many of them must have cosigned.  [default: all]"
)
@connected
@as_json
def checkpoint(
    service: ServiceAddress,
    key_only: bool,
    old: Path | None,
    witnesses: tuple[str, ...],
    quorum: int | None,
    as_json: bool,
) -> None:
    """Show a checkpoint: how many events the whole log has, and a hash of all of them, signed. Who
    keeps one can show later whether history was rewritten. docs/proofs.md describes its form.

    \b
    Examples:
      emeth checkpoint > kept.txt
      emeth checkpoint --extends kept.txt
      emeth checkpoint --key
      emeth checkpoint --witness "$(cat witness.pub)"
    """
    if quorum is not None and quorum > len(witnesses):
        raise click.UsageError("--quorum is more than there are --witness")
    shown = service.run(lambda client: client.checkpoint())
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
    """Tell if the service's key is new; refuse one that has changed."""
    met = meet(service.address, _service_key(shown))
    if met.state == "changed":
        raise CommandRefused(met.words)
    if met.state == "new":
        click.echo(met.words, err=True)


def _check_cosigned(
    shown: pb.GetCheckpointResponse, witnesses: tuple[str, ...], quorum: int
) -> None:
    """Show the newest cosigned checkpoint, if so many of these witnesses have cosigned it."""
    try:
        keys = [read_cosigner(each) for each in dict.fromkeys(witnesses)]
    except NoteError as error:
        raise click.UsageError(f"--witness: {error}") from None
    if not shown.cosigned:
        raise CommandRefused("no witness has cosigned a checkpoint of this service")
    _opened(_service_key(shown), shown.cosigned)
    try:
        found = [said[1] for key in keys if (said := key.find(shown.cosigned)) is not None]
    except NoteError as error:
        raise CommandRefused(str(error)) from None
    for each in found:
        at = datetime.fromtimestamp(each.at, UTC).isoformat(timespec="seconds")
        click.echo(f"{each.name} cosigned it at {at}", err=True)
    if len(found) < quorum:
        raise CommandRefused(f"{len(found)} of these witnesses cosigned it, and not {quorum}")
    click.echo(shown.cosigned, nl=False)


def _check_extends(service: ServiceAddress, shown: pb.GetCheckpointResponse, kept: str) -> None:
    key = _service_key(shown)
    try:
        before = read_checkpoint(key.open(kept))
    except NoteError as error:
        raise CommandRefused(f"the file is not a checkpoint of this service: {error}") from None
    present = _opened(key, shown.checkpoint)
    if before.size > present.size:
        raise CommandRefused(f"the log has {present.size} events, and had {before.size}")
    answer = service.run(lambda client: client.growth(before.size, present.size))
    if not extends(before.size, before.root, present.size, present.root, answer.hashes):
        raise CommandRefused(f"the log does not begin with the {before.size} events that it had")
    click.echo(f"the log of {present.size} events begins with the {before.size} that it had")


@click.command(short_help="Prove that an event is in the log.")
@click.argument("version", type=click.IntRange(1))
@click.option("--digest", metavar="HEX", help="The event's digest, if the service is not asked.")
@accessed
@connected
@as_json
def proof(
    service: ServiceAddress,
    access: Access,
    version: int,
    digest: str | None,
    as_json: bool,
) -> None:
    """Show the proof that event VERSION of a match is in the log, after checking it. It is a file
    that other tools check too; docs/proofs.md describes its form.

    \b
    Example:
      emeth proof 12 > event-12.tlog-proof
    """
    token = "" if digest else access.viewing()

    async def asking(client: Client) -> tuple[str, pb.GetCheckpointResponse, pb.GetProofResponse]:
        answer = await client.inclusion(access.match, version)
        leaf = digest
        if leaf is None:
            history = await client.list_history(token, access.match, version)
            leaf = history[version - 1].digest
        return leaf, await client.checkpoint(), answer

    leaf, shown, answer = service.run(asking)
    present = _opened(_service_key(shown), answer.checkpoint)
    try:
        data = bytes.fromhex(leaf)
    except ValueError:
        raise click.UsageError("--digest has 64 hexadecimal digits") from None
    if not included(data, answer.index, present.size, answer.hashes, present.root):
        raise CommandRefused(
            f"the proof does not show that event {version} with digest {leaf} is there"
        )
    if as_json:
        print_json(answer)
    else:
        click.echo(answer.proof, nl=False)


def _service_key(shown: pb.GetCheckpointResponse) -> VerifierKey:
    try:
        return read_key(shown.verifier_key)
    except NoteError as error:
        raise ServiceFailed(f"the service's key: {error}") from None


def _opened(key: VerifierKey, note: str) -> Checkpoint:
    try:
        return read_checkpoint(key.open(note))
    except NoteError as error:
        raise ServiceFailed(f"the service's checkpoint: {error}") from None
