"""Facts as sentences."""

from domain.games.connect_four.facts import DiscDropped


def tell(fact: DiscDropped) -> str:
    """The fact as a sentence."""
    return f"{fact.seat.capitalize()} dropped a disc into column {fact.column}."
