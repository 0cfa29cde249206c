"""`emeth verify` and `readjudicate`: do the events of a match stand, and by today's rules too?"""

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
"""Bytes of a receipt: a path has 32 hashes at most, since a group has fewer than 2^32 receipts."""


def is_receipt(file: Path) -> bool:
    """Does the file begin as receipts do?"""
    with file.open("rb") as begun:
        return begun.readline(len(RECEIPT_HEADER) + 1) == f"{RECEIPT_HEADER}\n".encode()


def print_receipt(file: Path, key: VerifierKey, *, as_json: bool) -> None:
    """Tell what a receipt says. CommandRefused if the key has not signed it."""
    with file.open("rb") as begun:
        raw = begun.read(LARGEST)
    try:
        receipt = open_receipt(raw.decode(), key)
    except (NoteError, UnicodeDecodeError) as error:
        raise CommandRefused(f"the receipt is not sound: {error}") from None
    match, version, digest = str(receipt.match), receipt.version, receipt.digest
    if as_json:
        print_json({"match_id": match, "version": version, "digest": digest, "key": str(key)})
    else:
        click.echo(f"sound: event {version} of match {match} has the digest {digest}")
        click.echo(f"signed with {key}")


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Verify a match: chain, signature, dice, every ruling.")
@click.argument("file", required=False, type=_FILE)
@click.option("--key", metavar="KEY", help="Only this public key may have signed the FILE.")
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
    """The keys of a sound file, that of the last line first, and what is known of them. That one
    may be `trusted`, since it was asked for."""
    if not verified.report.sound or verified.trailer is None:
        return []
    vouching = verified.trailer.key
    others = [each for each in verified.taps.keys if each != vouching]
    found = [(read_key(vouching), trusted), *((read_key(each), False) for each in others)]
    return [check_key(key.name, key, trusted=trust) for key, trust in found]


def _meet_secret(verified: FileVerification, *, trusted: bool) -> KnownKey | None:
    """What is known of the secret that the draws of a sound file come from; None if there are none,
    or it does not say."""
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
            "Whoever changes it between matches may be looking for draws that suit. Ask who runs"
            " the service",
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
        later = f"\n{draws} can be checked when the seed is revealed"
    return (
        f"sound: {counted(report.events, 'event')} of match {match.id} ({match.rules.name})\n"
        f"signed with {trailer.key}{_standing(met[:1])}{later}{_taps(verified.taps)}"
        f"{_standing(met[1:])}"
    )


def _standing(met: Iterable[KnownKey]) -> str:
    """What is known of these keys, but for those that are warned of."""
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
    """Return a finding in words, with its detail: whoever has the file may see all of it."""
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
    """Return what a finding is about: `chain`, `facts`."""
    return pb.FindingKind.Name(finding.kind).removeprefix("FINDING_KIND_").lower()


def _print(findings: Iterable[pb.Finding]) -> None:
    for each in findings:
        click.echo(_line(each.version, _check(each), each.sentence, each.rule))


@click.command(short_help="Judge recorded matches by today's rules.")
@click.option(
    "--all", "every", is_flag=True, help="All matches of the service, with its admin key."
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
