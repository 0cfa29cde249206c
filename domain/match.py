"""The Match: one game being played, as a decider over any game in the registry.

Commands return the event that records them, sealed into the match's digest chain, or the reason
why not. `evolve` applies an event. Nothing here asks for the time, an identity or a secret: a
`Stamp` brings what only the shell can know.
"""

from datetime import datetime
from hmac import compare_digest
from typing import Any, Final, Generic, TypeVar, assert_never
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.digests import GENESIS, canonical, chain
from domain.kernel.game import (
    REFEREE,
    SPECTATOR,
    A,
    Accepted,
    AnyGame,
    Ask,
    F,
    O,
    Refused,
    Result,
    Ruling,
    S,
)
from domain.registry import GAMES

LONGEST_NAME: Final = 80
"""Characters in a player's name or a match's title, at most."""


class Source(Struct, frozen=True, omit_defaults=True):
    """Where a command came from."""

    client: str = ""
    """The frontend's own name and version, as it gave them."""


class Stamp(Struct, frozen=True):
    """What the shell knows of a command and the rules do not."""

    at: datetime
    """UTC. For people only: the order of events is their versions."""
    request: str
    """The client's id of the command; see `ActionTaken.request` for when it is a digest."""
    source: Source = Source()


# --- events: stored for ever, so their names and fields are the storage format -------------------


class MatchEvent(Struct, frozen=True, kw_only=True, tag_field="type", tag=lambda n: f"match.{n}"):
    """What every event of a match has."""

    match: UUID
    version: int
    """Counted from 1 in each match."""
    at: datetime


class MatchCreated(MatchEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A match began."""

    game: str
    options: dict[str, Any]
    """All of them, defaults written out: what a default is may change."""
    start: str
    """The first position, as notation: what `start` gives may change too."""
    seats: tuple[str, ...]
    invitations: dict[str, str]
    """Digests of the tokens given out at creation, by role: each seat, referee, spectator."""
    request: str
    """A digest of the client's request id: whoever knows the id itself is given the tokens."""
    title: str = ""
    rulings: tuple[Ruling, ...] = ()


class SeatClaimed(MatchEvent, frozen=True, kw_only=True):
    """A player took a seat, and from now on holds its only valid token."""

    seat: str
    player: str
    key: str
    """The digest of the player's token."""
    request: str
    """A digest, as in `MatchCreated`."""


class SeatLeft(MatchEvent, frozen=True, kw_only=True):
    """A player gave a seat back: its invitation is valid again."""

    seat: str
    request: str


class ActionTaken(MatchEvent, Generic[A, F], frozen=True, kw_only=True, omit_defaults=True):
    """A seat acted, and this is what followed."""

    seat: str
    action: A
    facts: tuple[F, ...]
    rulings: tuple[Ruling, ...] = ()
    request: str
    """The client's id of the request, so that a repetition records nothing."""
    source: Source = Source()


class Resigned(MatchEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A seat gave up, in a game whose own notation has no way to say so."""

    seat: str
    request: str
    source: Source = Source()


Event = MatchCreated | SeatClaimed | SeatLeft | ActionTaken[Any, Any] | Resigned
E = TypeVar("E", bound=MatchEvent)
E_co = TypeVar("E_co", bound=MatchEvent, covariant=True)


class Sealed(Struct, Generic[E_co], frozen=True):
    """An event with its place in the digest chain, and the exact bytes that were hashed."""

    event: E_co
    digest: str
    body: bytes

    @property
    def originator_id(self) -> UUID:
        """The name under which the event store knows the match."""
        return self.event.match

    @property
    def originator_version(self) -> int:
        """The event's number in the match."""
        return self.event.version


def seal(previous: str, event: E) -> Sealed[E]:
    """The event, chained to the digest of the one before it."""
    body = canonical(event)
    return Sealed(event, chain(previous, body), body)


# --- state ---------------------------------------------------------------------------------------


class Holder(Struct, frozen=True):
    """Who holds a seat."""

    player: str
    key: str
    """The digest of the player's token."""


class Match(Struct, Generic[O, S], frozen=True):
    """A match as it stands."""

    id: UUID
    game: str
    options: O
    title: str
    seats: tuple[str, ...]
    invitations: dict[str, str]
    holders: dict[str, Holder]
    created: datetime
    version: int
    digest: str
    position: S
    result: Result | None

    @property
    def rules(self) -> AnyGame:
        """The game that is played."""
        return GAMES[self.game]

    @property
    def asks(self) -> tuple[Ask, ...]:
        """Which seats may act now, and what they are asked for: nobody once it is over."""
        return () if self.result else self.rules.turn(self.position)

    def player_of(self, seat: str) -> str:
        """The name of who holds a seat; empty if nobody does."""
        holder = self.holders.get(seat)
        return holder.player if holder else ""


AnyMatch = Match[Any, Any]


def role_of(match: AnyMatch, key: str) -> str | None:
    """The seat, `referee` or `spectator` whose token has this digest; None for a stranger."""
    for seat, holder in match.holders.items():
        if compare_digest(holder.key, key):
            return seat
    for role, invitation in match.invitations.items():
        if compare_digest(invitation, key) and role not in match.holders:
            return role
    return None


# --- commands ------------------------------------------------------------------------------------


class Denied(Struct, frozen=True):
    """A command about the match itself that cannot be done."""

    reason: str
    """UPPER_SNAKE_CASE, for programs."""
    why: str


def create(
    game: AnyGame,
    identity: UUID,
    options: Any,
    invitations: dict[str, str],
    stamp: Stamp,
    title: str = "",
) -> Sealed[MatchCreated]:
    """A new match of `game`. `options` is of the game's own type; `stamp.request` is a digest.

    `invitations` has a token digest for each seat, for the referee and for spectators.
    """
    seats = game.seats(options)
    assert invitations.keys() == {*seats, REFEREE, SPECTATOR}
    created = MatchCreated(
        match=identity,
        version=1,
        at=stamp.at,
        game=game.slug,
        options=msgspec.to_builtins(options),
        start=game.write_position(game.start(options)),
        seats=seats,
        invitations=invitations,
        request=stamp.request,
        title=title,
        rulings=game.opening(options),
    )
    return seal(GENESIS, created)


def claim(
    match: AnyMatch, seat: str, player: str, key: str, stamp: Stamp
) -> Sealed[SeatClaimed] | Denied:
    """Seat a player. The caller has shown the seat's token; `stamp.request` is a digest."""
    if seat not in match.seats:
        return Denied("NOT_A_SEAT", f"{seat} is no seat of this match; {_listed(match.seats)} are")
    if seat in match.holders:
        return Denied("SEAT_TAKEN", f"{match.holders[seat].player} holds {seat}")
    event = SeatClaimed(
        match=match.id,
        version=match.version + 1,
        at=stamp.at,
        seat=seat,
        player=player,
        key=key,
        request=stamp.request,
    )
    return seal(match.digest, event)


def leave(match: AnyMatch, seat: str, stamp: Stamp) -> Sealed[SeatLeft] | Denied:
    """Give a seat back, at the word of its holder."""
    if seat not in match.holders:
        return Denied("SEAT_OPEN", f"nobody holds {seat}")
    event = SeatLeft(
        match=match.id,
        version=match.version + 1,
        at=stamp.at,
        seat=seat,
        request=stamp.request,
    )
    return seal(match.digest, event)


def act(
    match: AnyMatch, seat: str, action: Any, stamp: Stamp
) -> Sealed[ActionTaken[Any, Any]] | Refused | Denied:
    """Judge one action. What the rules forbid is `Refused`, and nothing is recorded.

    It is `Denied` only after a resignation of which the game's rules know nothing.
    """
    if match.result is not None and match.rules.result(match.position) is None:
        return _over(match.result)
    outcome: Accepted[Any] | Refused = match.rules.decide(match.position, seat, action)
    if isinstance(outcome, Refused):
        return outcome
    event = ActionTaken[Any, Any](
        match=match.id,
        version=match.version + 1,
        at=stamp.at,
        seat=seat,
        action=action,
        facts=outcome.facts,
        rulings=outcome.rulings,
        request=stamp.request,
        source=stamp.source,
    )
    return seal(match.digest, event)


def resign(
    match: AnyMatch, seat: str, stamp: Stamp
) -> Sealed[ActionTaken[Any, Any]] | Sealed[Resigned] | Refused | Denied:
    """Give up: by the game's own action where it has one, else by an event of the match."""
    if match.rules.resign is not None:
        return act(match, seat, match.rules.resign(seat), stamp)
    if match.result is not None:
        return _over(match.result)
    event = Resigned(
        match=match.id,
        version=match.version + 1,
        at=stamp.at,
        seat=seat,
        request=stamp.request,
        source=stamp.source,
    )
    return seal(match.digest, event)


def _over(result: Result) -> Denied:
    return Denied("MATCH_OVER", f"the match is over: {result.score}")


# --- fold ----------------------------------------------------------------------------------------


def evolve(match: AnyMatch | None, sealed: Sealed[Event]) -> AnyMatch:
    """The match after this event. Applies what happened; never consults a rule."""
    event, digest = sealed.event, sealed.digest
    if isinstance(event, MatchCreated):
        return _opened(event, digest)
    assert match is not None
    assert event.version == match.version + 1
    match event:
        case ActionTaken():
            game = match.rules
            position = match.position
            for fact in event.facts:
                position = game.evolve(position, fact)
            return _moved_on(match, event, digest, position, game.result(position), match.holders)
        case Resigned(seat=seat):
            winners = tuple(other for other in match.seats if other != seat)
            result = Result(winners, "resign", f"{'+'.join(winners)}:resign")
            return _moved_on(match, event, digest, match.position, result, match.holders)
        case SeatClaimed(seat=seat, player=player, key=key):
            holders = {**match.holders, seat: Holder(player, key)}
        case SeatLeft(seat=seat):
            holders = {name: holder for name, holder in match.holders.items() if name != seat}
        case _:
            assert_never(event)
    return _moved_on(match, event, digest, match.position, match.result, holders)


def _opened(event: MatchCreated, digest: str) -> AnyMatch:
    game = GAMES[event.game]
    options = msgspec.convert(event.options, game.options)
    position = game.read_position(event.start, options)
    return Match(
        id=event.match,
        game=event.game,
        options=options,
        title=event.title,
        seats=event.seats,
        invitations=event.invitations,
        holders={},
        created=event.at,
        version=event.version,
        digest=digest,
        position=position,
        result=game.result(position),
    )


def _moved_on(
    match: AnyMatch,
    event: MatchEvent,
    digest: str,
    position: Any,
    result: Result | None,
    holders: dict[str, Holder],
) -> AnyMatch:
    # Written out, since this is the inner loop of every load: `replace` takes four times as long.
    return Match(
        match.id,
        match.game,
        match.options,
        match.title,
        match.seats,
        match.invitations,
        holders,
        match.created,
        event.version,
        digest,
        position,
        result,
    )


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
