"""`emeth gateway pair`, `seat` and `correct`: a board, for whom it acts, what it sees."""

from collections.abc import Callable, Iterator

import click
from msgspec import Struct

from services.cli.access import Access, accessed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json, gathered
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, print_json
from services.client.gateways import TableClient
from services.wire.emeth.v1 import gateways_pb2 as pb


@click.command(short_help="Pair a stylus or a board with a gateway.")
@click.argument("stylus")
@click.option("--key", "own", metavar="KEY", required=True, help="The gateway's key.")
@click.option("--pin", default="0000", show_default=True, help="Its PIN.")
@connected
def pair(service: ServiceAddress, own: str, stylus: str, pin: str) -> None:
    """Pair a STYLUS, or a board, with a gateway, by its hardware id.

    \b
    Example:
      emeth gateway pair BOARD --key GATEWAYS-KEY
    """
    answer = service.run_tables(lambda client: client.pair_stylus(own, stylus, pin))
    if answer.HasField("refused"):
        raise CommandRefused(sentences.refused(answer.refused))
    click.echo("paired")


class SeatQuery(Struct, frozen=True):
    """For whom a stylus is to act, and when."""

    codes: tuple[str, ...]
    waits: bool
    drop: bool


@click.command(short_help="Say for whom a stylus acts, now or when its board shows the position.")
@click.argument("stylus")
@click.option("--key", "own", metavar="KEY", required=True, help="The gateway's key.")
@click.option("--code", "codes", multiple=True, help="From `emeth gateway grant`, not a token.")
@click.option("--waits", is_flag=True, help="When its board shows the match's position.")
@click.option("--drop", is_flag=True, help="Wait for the match no more.")
@accessed_late
@connected
@as_json
@gathered("asked", SeatQuery)
def seat(
    service: ServiceAddress,
    access: Callable[[], Access],
    own: str,
    stylus: str,
    asked: SeatQuery,
    as_json: bool,
) -> None:
    """Seat a STYLUS, or a board, in a match: for a role, or for all that are remembered.

    With --waits it is seated once its board shows the position of the match, while no match is
    under way on the table. It waits for 16 matches at most.

    \b
    Examples:
      emeth gateway seat BOARD --key GATEWAYS-KEY --as white
      emeth gateway seat BOARD --key GATEWAYS-KEY --match 4c1e --waits
      emeth gateway seat BOARD --key GATEWAYS-KEY --code 7Q2KM-0WXYZ
    """

    async def seating(client: TableClient) -> pb.SeatStylusResponse:
        known = None if asked.codes else access()
        tokens = [] if known is None or asked.drop else _tokens(known)
        return await client.seat_stylus(
            own,
            stylus,
            known.match if known else "",
            tokens,
            codes=asked.codes,
            waits=asked.waits or asked.drop,
        )

    answer = service.run_tables(seating)
    if answer.HasField("refused"):
        raise CommandRefused(sentences.refused(answer.refused))
    if as_json:
        print_json(answer.seated)
        return
    for what in _told(answer.seated):
        click.echo(what)


class Correction(Struct, frozen=True):
    """Which board is corrected, and as what."""

    stylus: str
    own: str | None
    table_id: str
    why: str


@click.command(short_help="Say what stands on a board that reads something else.")
@click.argument("stylus")
@click.argument("spaces", nargs=-1, metavar="[SPACE=SIGN,SIGN]...")
@click.option("--key", "own", metavar="KEY", help="The gateway's; with --table the owner's.")
@click.option("--table", "table_id", default="", metavar="ID", help="The table, for all others.")
@click.option("--why", default="", help="For the record.")
@accessed_late
@connected
@gathered("asked", Correction)
def correct(
    service: ServiceAddress,
    access: Callable[[], Access],
    spaces: tuple[str, ...],
    asked: Correction,
) -> None:
    """Say what stands on spaces that a board misreads; without any, that all stands as in the
    position. It holds until the board reads something else there.

    \b
    Examples:
      emeth gateway correct BOARD a6= b6=white/golem --key GATEWAYS-KEY
      emeth gateway correct BOARD --table 5f2c0c8e-... --as referee --why "it lies on its side"
    """
    meant = dict(map(_standing, spaces))

    async def correcting(client: TableClient) -> pb.CorrectBoardResponse:
        known = None if asked.own else access()
        return await client.correct_board(
            asked.own or (await known.acting(client) if known else ""),
            asked.stylus,
            meant,
            table_id=asked.table_id,
            match_id=known.match if known else "",
            why=asked.why,
        )

    answer = service.run_tables(correcting)
    if answer.HasField("refused"):
        raise CommandRefused(sentences.refused(answer.refused))
    click.echo(f"corrected on {answer.corrected} spaces")


def _standing(text: str) -> tuple[str, list[str]]:
    space, equals, signs = text.partition("=")
    if not space or not equals:
        raise click.UsageError(f"{text!r} is no space with what stands there, as b6=white/golem")
    return space, [each for each in signs.split(",") if each]


def _tokens(access: Access) -> list[str]:
    if access.token is not None or access.role is not None:
        return [access.viewing()]
    return [access.token_of(role) for role in access.ring.seats]


def _told(stylus: pb.Stylus) -> Iterator[str]:
    yield f"acts for {', '.join(stylus.seats) or 'nobody'}"
    for each in stylus.waits:
        yield f"waits for match {each.match_id}, as {', '.join(each.seats)}"
