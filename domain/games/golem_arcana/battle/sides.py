"""Sides: two seats that fight together, or a seat for itself (option `teams`)."""

from functools import cache
from typing import Final, Literal, get_args

from domain.games.golem_arcana.content.cards import SEATS, Seat

Teams = Literal[
    "none",
    "south+north",
    "south+east",
    "south+west",
    "north+east",
    "north+west",
    "east+west",
    "south+north/east+west",
    "south+east/north+west",
    "south+west/north+east",
]
"""Who fights together: pairs of seats. Who is in no pair is a side of its own."""

Side = tuple[Seat, ...]
"""The seats of a side, in Turn order."""

LONE: Final[Teams] = "none"
SIDES_IN_WORDS: Final[dict[str | int | None, str]] = {
    teams: "Everyone alone"
    if teams == LONE
    else teams.title().replace("+", " and ").replace("/", ", ")
    for teams in get_args(Teams)
}
"""What the option `teams` is called."""


@cache
def partner_of(teams: Teams) -> dict[Seat, Seat]:
    """Who fights beside whom.

    >>> partner_of("south+east")
    {'south': 'east', 'east': 'south'}
    """
    by_name: dict[str, Seat] = {seat: seat for seat in SEATS}
    found: dict[Seat, Seat] = {}
    for pair in () if teams == LONE else teams.split("/"):
        one, other = (by_name[name] for name in pair.split("+"))
        found |= {one: other, other: one}
    return found


@cache
def sides_of(teams: Teams, seats: tuple[Seat, ...]) -> tuple[Side, ...]:
    """The sides among seats that are in Turn order, by the first seat of each.

    >>> sides_of("south+east", ("south", "north", "east"))
    (('south', 'east'), ('north',))
    """
    partners, found = partner_of(teams), dict[Seat, Side]()
    for seat in seats:
        partner = partners.get(seat)
        if partner in found:
            found[partner] = (*found[partner], seat)
        else:
            found[seat] = (seat,)
    return tuple(found.values())


@cache
def banners(teams: Teams) -> dict[str, str]:
    """By the initial of a seat, which its units bear, a mark that the units of one side share."""
    partners = partner_of(teams)
    return {seat[0]: min(seat[0], partners.get(seat, seat)[0]) for seat in SEATS}


@cache
def teams_of(seats: tuple[Seat, ...]) -> tuple[Teams, ...]:
    """In which teams these seats can fight: everybody in a team plays, and has an enemy.

    >>> teams_of(("south", "north"))
    ('none',)
    """
    every: tuple[Teams, ...] = get_args(Teams)
    return tuple(
        teams
        for teams in every
        if {*partner_of(teams)} <= {*seats} and len(sides_of(teams, seats)) > 1
    )


def refuse_teams(teams: Teams, seats: tuple[Seat, ...]) -> str | None:
    """Why these seats cannot fight like this."""
    possible = teams_of(seats)
    if teams in possible:
        return None
    return f"teams={teams}: {', '.join(seats)} can fight as {', '.join(possible)}"
