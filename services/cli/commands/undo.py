"""The commands `emeth undo`, `redo`, `answer` and `draw`, which others may have to agree to."""

from collections.abc import Callable

import click

from services.cli import keyring
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import VERSION, as_json
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, print_json
from services.client import Client
from services.wire.emeth.v1 import play_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Event
from services.wire.emeth.v1.matches_pb2 import Match
from services.wire.emeth.v1.proposals_pb2 import (
    PROPOSAL_KIND_REDO,
    PROPOSAL_KIND_UNDO,
    PROPOSAL_STATE_ACCEPTED,
    PROPOSAL_STATE_PENDING,
)

MAX_SCANNED_EVENTS = 50
"""The number of latest events in which the last actor is looked for."""


@click.command(short_help="Undo actions, or request it.")
@click.argument("version", type=VERSION, required=False)
@click.option("--turn", is_flag=True, help="Go back to before the seat's last turn.")
@with_access
@with_service
@as_json
def undo(
    service: ServiceAddress, access: MatchAccess, version: int | None, turn: bool, as_json: bool
) -> None:
    r"""Go back to VERSION of the match; without one, to before the seat's last action.

    Nothing is erased: `emeth branches` shows undone events, and `emeth redo` restores them. The
    undo policy of the match says who must agree. Without --as, the seat that acted last proposes.

    \b
    Examples:
      emeth undo
      emeth undo --turn --as black
      emeth undo 12 --as referee
    """
    if turn and version is not None:
        raise click.UsageError("VERSION and --turn exclude each other: give one of them")

    async def undoing(client: Client) -> pb.Acceptance:
        token = await _latest(client, access)
        return await client.undo(token, access.match, version, turn=turn)

    _tell(service.run(undoing), access, as_json=as_json)


@click.command(short_help="Redo undone actions, or request it.")
@click.argument("version", type=VERSION, required=False)
@with_access
@with_service
@as_json
def redo(service: ServiceAddress, access: MatchAccess, version: int | None, as_json: bool) -> None:
    r"""Continue from VERSION of an undone branch; without one, from the end of the latest branch.

    Without --as, the seat that undid last proposes.

    \b
    Examples:
      emeth redo
      emeth redo 14 --as white
    """

    async def redoing(client: Client) -> pb.Acceptance:
        token = await _undid(client, access)
        return (
            await client.create_proposal(token, access.match, redo={"version": version or 0})
        ).accepted

    _tell(service.run(redoing), access, as_json=as_json)


@click.command(short_help="Accept or reject a proposal of another seat.")
@click.argument("reply", type=click.Choice(["yes", "no"]))
@with_access
@with_service
@as_json
def answer(service: ServiceAddress, access: MatchAccess, reply: str, as_json: bool) -> None:
    r"""Accept or reject the pending proposal: an undo, a redo or a draw.

    Without --as, the awaited seat answers, if its token is remembered here.

    \b
    Examples:
      emeth answer yes
      emeth answer no --as black
    """
    yes = reply == "yes"

    async def answering(client: Client) -> pb.RespondToProposalResponse:
        match = await access.present(client)
        token = await _awaited(client, access, match)
        return await client.respond_to_proposal(
            token,
            access.match,
            decision=pb.PROPOSAL_DECISION_ACCEPT if yes else pb.PROPOSAL_DECISION_REJECT,
            proposal_id=match.proposal.proposal_id,
        )

    answered = service.run(answering)
    if answered.accepted.proposal.kind in (PROPOSAL_KIND_UNDO, PROPOSAL_KIND_REDO):
        _tell(answered.accepted, access, as_json=as_json)
    else:
        _tell_draw(answered, access, as_json=as_json)


@click.command(short_help="Offer a draw.")
@with_access
@with_service
@as_json
def draw(service: ServiceAddress, access: MatchAccess, as_json: bool) -> None:
    r"""Offer a draw, in games that have draws.

    \b
    Example:
      emeth draw --as north
    """

    async def offering(client: Client) -> pb.CreateProposalResponse:
        return await client.create_proposal(await access.acting(client), access.match, draw={})

    _tell_draw(service.run(offering), access, as_json=as_json)


async def _latest(client: Client, access: MatchAccess) -> str:
    """Return the token of the chosen role, else of the remembered seat that acted last."""
    seats = access.ring.seats

    def acted(event: Event) -> bool:
        return event.seat in seats and not event.HasField("draw")

    return await _last(client, access, acted, line_only=True)


async def _undid(client: Client, access: MatchAccess) -> str:
    """Return the token of the chosen role, else of the remembered role that undid last."""

    def took_back(event: Event) -> bool:
        return event.kind == "match.LineContinued" and event.seat in access.ring.tokens

    return await _last(client, access, took_back, line_only=False)


async def _last(
    client: Client, access: MatchAccess, wanted: Callable[[Event], bool], *, line_only: bool
) -> str:
    """Return the token of the chosen role, else of the seat of the last event that matches."""
    if access.token is not None or access.role is not None or len(access.ring.seats) == 1:
        return await access.acting(client)
    present = (await access.present(client)).version
    last = ""
    shown = client.replay(
        access.viewing(),
        access.match,
        after_version=max(0, present - MAX_SCANNED_EVENTS),
        line_only=line_only,
    )
    async for watched in shown:
        if wanted(watched.event):
            last = watched.event.seat
    return access.token_of(last) if last else await access.acting(client)


async def _awaited(client: Client, access: MatchAccess, match: Match) -> str:
    """Return the token of the chosen role, else of a remembered seat that is to answer."""
    if access.token is None and access.role is None:
        for seat in match.proposal.awaiting_seats:
            if seat in access.ring.tokens:
                return access.token_of(seat)
    return await access.acting(client)


def _tell(accepted: pb.Acceptance, access: MatchAccess, *, as_json: bool) -> None:
    """Print whether the match has moved to another version, and who must still agree."""
    keyring.set_last_used(access.match, accepted.version)
    if as_json:
        print_json(accepted)
        return
    for event in accepted.events:
        click.echo(sentences.event_line(event))
    proposal = accepted.proposal
    if proposal.state not in (PROPOSAL_STATE_PENDING, PROPOSAL_STATE_ACCEPTED):
        return
    for what, versions in (
        ("chance was told", proposal.rolled_versions),
        ("was revealed", proposal.revealed_versions),
    ):
        if versions:
            click.echo(f"{what} in {', '.join(map(str, versions))}")
    if proposal.state == PROPOSAL_STATE_ACCEPTED:
        click.echo(f"version {accepted.version}  {accepted.position}")
        return
    click.echo(f"{' and '.join(proposal.awaiting_seats)} may grant it: `emeth answer yes`")


def _tell_draw(
    response: pb.CreateProposalResponse | pb.RespondToProposalResponse,
    access: MatchAccess,
    *,
    as_json: bool,
) -> None:
    stands = response.HasField("accepted")
    if stands:
        keyring.set_last_used(access.match, response.accepted.version)
    if as_json:
        print_json(response)
    elif stands:
        for line in sentences.outcome_lines(response.accepted):
            click.echo(line)
    if not stands:
        raise CommandRefused(sentences.refusal_sentence(response.refused))
