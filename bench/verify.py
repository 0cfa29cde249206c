"""A benchmark of verifying exported matches: chain, signature, and every action decided again.

Matches are played at random to their end, or to `--steps` actions, written as files, and checked as
`emeth verify` does. The floor beside it only decodes the lines and computes the chain of digests.
"""

import hmac
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from itertools import islice
from random import Random
from time import process_time
from uuid import UUID

import click
import msgspec

from domain.kernel.game import AnyGame
from domain.log.digests import GENESIS, chain_digest
from domain.match import Changeset, MatchSetup, Terms, act, create, roles
from domain.registry import GAMES
from services.proof.match_file import attest, file_chunks, verify_file
from services.proof.signing import Signer
from tests.command_contexts import context_at

LISTED = 50
"""Legal actions among which a random player chooses."""


def played(game: AnyGame, random: Random, steps: int) -> tuple[bytes, int]:
    """Return the file of a random match, and how many actions are in it."""
    options = msgspec.convert({}, game.options)
    identity, command_context = (
        UUID(int=random.getrandbits(128), version=4),
        context_at(datetime.now(UTC), "bench"),
    )

    def seeds(epoch: int) -> bytes:
        return hmac.digest(identity.bytes, str(epoch).encode(), sha256)

    keys = {role: role for role in roles(game, options)}
    terms = Terms(chance="rolled")
    made = create(
        MatchSetup(game, options, terms=terms), identity, keys, command_context, seeds=seeds
    )
    events, match, taken = [*made.events], made.state, 0
    while match.prompts and taken < steps:
        seat = random.choice(match.prompts).seat
        legal = [
            a
            for a in islice(game.legal(match.position, seat), LISTED)
            if not game.is_administrative(a)
        ]
        changeset = act(match, seat, random.choice(legal), command_context, seeds)
        assert isinstance(changeset, Changeset)
        events += changeset.events
        match, taken = changeset.state, taken + 1
    trailer = attest(match, Signer(bytes(32)))
    actions = sum(sealed.event.__struct_config__.tag == "match.ActionTaken" for sealed in events)
    return b"".join(file_chunks(match, events, trailer)), actions


def floor(raw: bytes) -> None:
    """Decode the lines and compute the chain, nothing else."""
    previous = GENESIS
    for line in raw.splitlines()[1:-1]:
        envelope = msgspec.json.decode(line)
        previous = chain_digest(previous, msgspec.json.encode(envelope["event"], order="sorted"))
        assert previous == envelope["digest"]


@click.command(context_settings={"show_default": True})
@click.argument("games", nargs=-1)
@click.option("--matches", default=20, help="Matches of each game.")
@click.option("--steps", default=400, help="Actions that a match has at most, draws beside them.")
@click.option("--seed", default=1, help="Of the random players.")
@click.option("--goal", default=0.0, help="Exit with 1 if a game is slower.")
def main(games: tuple[str, ...], matches: int, steps: int, seed: int, goal: float) -> None:
    """Measure verifying in actions a second of processor time, for GAMES or all."""
    if unknown := set(games) - GAMES.keys():
        raise click.UsageError(f"there is no game {unknown.pop()!r}; there is {', '.join(GAMES)}")
    slowest = float("inf")
    click.echo(f"{'verifying':<16}{'actions':>9}{'actions/s':>12}{'chain alone':>14}{'ratio':>8}")
    for name in games or GAMES:
        random = Random(seed)
        files = [played(GAMES[name], random, steps) for _ in range(matches)]
        actions = sum(count for _, count in files)
        began = process_time()
        for raw, _ in files:
            assert verify_file(BytesIO(raw)).report.sound
        took = process_time() - began
        began = process_time()
        for raw, _ in files:
            floor(raw)
        least = process_time() - began
        speed = actions / took
        slowest = min(slowest, speed)
        click.echo(
            f"{name:<16}{actions:>9,}{speed:>12,.0f}{actions / least:>14,.0f}{least / took:>8.2f}"
        )
    raise SystemExit(slowest < goal)


if __name__ == "__main__":
    main()
