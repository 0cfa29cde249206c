"""The commands `emeth verify`, which checks the events of a match, and `emeth readjudicate`."""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

import click
from click.exceptions import Exit

from domain.kernel.packs import Library
from domain.match import Finding, SeedRotated
from services.cli.access import MatchAccess, with_optional_access
from services.cli.admin_key import with_optional_admin_key
from services.cli.connection import ServiceAddress, with_service
from services.cli.known_keys import KnownKey, check_key, check_secret
from services.cli.options import as_json
from services.cli.pack_folder_option import with_packs
from services.cli.terminal.console import REFUSED, CommandRefused, counted, print_json
from services.cli.terminal.progress import Progress
from services.client import Client
from services.proof.match_file import FileVerification, FileVerifier
from services.proof.receipts import open_receipt
from services.proof.signed_notes import RECEIPT_HEADER
from services.proof.signing import NoteError, VerifierKey, read_key
from services.proof.tap_evidence import EvidenceVerifier
from services.wire.emeth.v1 import audit_pb2 as pb

LARGEST: Final = 65_536
"""The most bytes of a receipt: its path has at most 32 hashes."""


def is_receipt(file: Path) -> bool:
    """Return whether a file begins with the header of receipts."""
    with file.open("rb") as begun:
        return begun.readline(len(RECEIPT_HEADER) + 1) == f"{RECEIPT_HEADER}\n".encode()


def print_receipt(file: Path, key: VerifierKey, *, as_json: bool) -> None:
    """Print the content of a receipt.

    Raises:
        CommandRefused: The key has not signed the receipt, or it is malformed.
    """
    with file.open("rb") as begun:
        raw = begun.read(LARGEST)
    try:
        receipt = open_receipt(raw.decode(), key)
    except (NoteError, UnicodeDecodeError) as error:
        raise CommandRefused(f"the receipt does not verify: {error}") from None
    match, version, digest = str(receipt.match), receipt.version, receipt.digest
    if as_json:
        print_json({"match_id": match, "version": version, "digest": digest, "key": str(key)})
    else:
        click.echo(f"sound: event {version} of match {match} has the digest {digest}")
        click.echo(f"signed with {key}")


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Verify a match: digests, signature, dice and rulings.")
@click.argument("file", required=False, type=_FILE)
@click.option("--key", metavar="KEY", help="Require that this public key signed FILE.")
@with_packs
@with_optional_access
@with_service
@as_json
def verify(
    service: ServiceAddress,
    access: Callable[[], MatchAccess],
    file: Path | None,
    key: str | None,
    library: Library,
    as_json: bool,
) -> None:
    r"""Verify a match file without a service; without FILE, let the service verify a match.

    It checks the chain of digests, the signature, the dice against the revealed seeds, every action
    against the rules, and the taps behind the actions. FILE may also be a receipt, together with
    the --key that signed it.

    The first finding shows the first difference. The exit code is 1 if there are findings.

    \b
    Examples:
      emeth verify match.emeth
      emeth verify match.emeth --key "$(emeth checkpoint --key)"
      emeth verify receipt.txt --key "$(emeth checkpoint --key)"
      emeth verify -m 4c1e
    """
    if file is not None and is_receipt(file):
        if key is None:
            raise click.UsageError(
                "a receipt does not contain the public key that signed it: give it with --key"
            )
        print_receipt(file, _key(key), as_json=as_json)
    elif file is not None:
        _verify_file(file, key, library, as_json=as_json)
    else:
        if key is not None:
            raise click.UsageError("--key needs a FILE: give the match file or receipt to verify")
        _verify_match(service, access(), as_json=as_json)


def _verify_file(file: Path, key: str | None, library: Library, *, as_json: bool) -> None:
    with file.open("rb") as lines, Progress("checking", shown=not as_json) as progress:
        checking = FileVerifier(lines, _key(key) if key else None, library)
        for done in checking.steps():
            progress.at(done, checking.total)
    verified = checking.verified
    met = _meet(verified, trusted=key is not None)
    secret = _meet_secret(verified, trusted=key is not None)
    if as_json:
        keys = {each.key: each.state for each in met}
        draws = {"secret": secret.key, "secret_state": secret.state} if secret else {}
        print_json({**_verdict(verified), "keys": keys, **draws})
    else:
        for finding in verified.report.findings:
            click.echo(_line(finding.version, finding.check, _sentence(finding), finding.rule))
        click.echo(_summary(verified, met))
        _warn(met)
        if secret is not None:
            _tell_of_draws(verified, secret)
    if not verified.report.sound or any(each.state == "changed" for each in met):
        raise Exit(REFUSED)


def _meet(verified: FileVerification, *, trusted: bool) -> list[KnownKey]:
    """Return the keys of a sound file with what is known of them, the signing key first.

    The signing key is `trusted` if it was given with --key.
    """
    if not verified.report.sound or verified.trailer is None:
        return []
    vouching = verified.trailer.key
    others = [each for each in verified.taps.keys if each != vouching]
    found = [(read_key(vouching), trusted), *((read_key(each), False) for each in others)]
    return [check_key(key.name, key, trusted=trust) for key, trust in found]


def _meet_secret(verified: FileVerification, *, trusted: bool) -> KnownKey | None:
    """Return what is known of the secret behind the draws of a sound file.

    The result is None if the file is not sound, has no draws, or does not name the secret.
    """
    match, trailer = verified.match, verified.trailer
    if not verified.report.sound or match is None or trailer is None:
        return None
    run = match.details.run
    if run is None:
        return None
    return check_secret(read_key(trailer.key).name, run.secret, trusted=trusted)


def _tell_of_draws(verified: FileVerification, secret: KnownKey) -> None:
    renewed = sum(isinstance(each.event, SeedRotated) for each in verified.events)
    again = f", renewed {counted(renewed, 'time')} as the service started again" if renewed else ""
    click.echo(f"draws come from the secret {secret.key[:16]} ({secret.state}){again}")
    if secret.state == "changed":
        was = " and ".join(each[:16] for each in secret.others)
        click.secho(
            f"WARNING: THE SECRET OF {secret.service.partition('#')[0]} HAS CHANGED: it was {was}\n"
            "An operator who changes it between matches may be choosing favorable draws. Ask the"
            " operator of the service",
            err=True,
            bold=True,
        )


def _warn(met: Iterable[KnownKey]) -> None:
    for each in met:
        if each.state == "changed":
            click.secho(each.words, err=True, bold=True)


def _verify_match(service: ServiceAddress, access: MatchAccess, *, as_json: bool) -> None:
    token = access.viewing()
    answer = service.run(lambda client: client.verify_match(token, access.match))
    if as_json:
        print_json(answer)
    else:
        _print(answer.findings)
        state = "sound"
        if not answer.sound:
            state = f"not sound, {counted(len(answer.findings), 'finding')}"
        click.echo(f"{state}: {counted(answer.event_count, 'event')} of match {access.match}")
    if not answer.sound:
        raise Exit(REFUSED)


def _key(text: str) -> VerifierKey:
    try:
        return read_key(text)
    except NoteError as error:
        raise click.UsageError(f"--key: {error}") from None


def _summary(verified: FileVerification, met: list[KnownKey]) -> str:
    report, match, trailer = verified.report, verified.match, verified.trailer
    if not report.sound or match is None or trailer is None:
        return f"not sound, {counted(len(report.findings), 'finding')}"
    later = ""
    if report.unproven:
        draws = counted(report.unproven, "draw")
        later = f"\n{draws} can only be checked when the seed is revealed"
    return (
        f"sound: {counted(report.events, 'event')} of match {match.id} ({match.rules.name})\n"
        f"signed with {trailer.key}{_standing(met[:1])}{later}{_taps(verified.taps)}"
        f"{_standing(met[1:])}"
    )


def _standing(met: Iterable[KnownKey]) -> str:
    """Return what is known of these keys, except changed ones, which `_warn` prints."""
    return "".join(f"\n{each.words}" for each in met if each.state != "changed")


def _taps(taps: EvidenceVerifier) -> str:
    found = ""
    if taps.proven_count:
        found += f"\n{counted(taps.proven_count, 'tap')}, in the log of {', '.join(taps.keys)}"
    if taps.lost_count:
        is_lost = "is" if taps.lost_count == 1 else "are"
        found += f"\n{counted(taps.lost_count, 'tap')} that actions name {is_lost} lost"
    return found


def _sentence(finding: Finding) -> str:
    """Return a finding in words, with its detail: the file hides nothing from its reader."""
    return ": ".join(filter(None, (finding.sentence, finding.detail)))


def _line(version: int, check: str, sentence: str, rule: str) -> str:
    """Return a finding as one line.

    >>> _line(12, "facts", "it led to something else", "agog.capture.maximal")
    'event 12, facts [agog.capture.maximal]: it led to something else'
    """
    place = f"event {version}" if version else "the file"
    return f"{place}, {check}{f' [{rule}]' if rule else ''}: {sentence}"


def _verdict(verified: FileVerification) -> dict[str, Any]:
    """Return the outcome of checking a file, for `--json`."""
    report = verified.report
    return {
        "sound": report.sound,
        "match_id": str(report.match or ""),
        "events": report.events,
        "digest": report.digest,
        "unproven_draws": report.unproven,
        "key": verified.trailer.key if verified.trailer else "",
        "taps": verified.taps.proven_count,
        "lost_taps": verified.taps.lost_count,
        "findings": [
            {
                "version": finding.version,
                "check": finding.check,
                "sentence": _sentence(finding),
                "rule": finding.rule,
            }
            for finding in report.findings
        ],
    }


def _check(finding: pb.Finding) -> str:
    """Return the kind of a finding, such as `chain` or `facts`."""
    return pb.FindingKind.Name(finding.kind).removeprefix("FINDING_KIND_").lower()


def _print(findings: Iterable[pb.Finding]) -> None:
    for each in findings:
        click.echo(_line(each.version, _check(each), each.sentence, each.rule))


@click.command(short_help="Check recorded matches against the current rules.")
@click.option(
    "--all", "every", is_flag=True, help="Check all matches of the service, with the admin key."
)
@with_optional_admin_key
@with_optional_access
@with_service
@as_json
def readjudicate(
    service: ServiceAddress,
    access: Callable[[], MatchAccess],
    key: Callable[[], str],
    every: bool,
    as_json: bool,
) -> None:
    r"""Check every recorded action against the current rules, and list the differences by rule.

    The recorded matches do not change. The exit code is 1 if there are findings.

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
            async with aclosing(client.readjudicate_matches(token, match)) as steps:
                async for step in steps:
                    done = step.done_count
                    findings += step.findings
                    progress.at(step.done_count, step.total_count)
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
                line = _line(each.version, _check(each), each.sentence, "")
                click.echo(f"  match {each.match_id}, {line}")
