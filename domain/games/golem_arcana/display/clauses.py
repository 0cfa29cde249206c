"""Parts of sentences that tell what came of something: harm, effects, how a battle ended."""

from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.display.effect_words import stat_words, status_words
from domain.games.golem_arcana.display.names import listed, seat_name, source_name
from domain.games.golem_arcana.display.story import Story
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import State, StatusEffect


def cause(story: Story, number: int) -> str:
    """What a Golem lost Hit Points to, as far as it is no attack; empty if nothing more is known.

    The rulings on the fact say it: by a hazard, a landing, an aura, a Curse, damage over time.
    """
    for rule, figures in story.rules(number):
        source = str(figures.get("source", ""))
        match rule:
            case "ga.terrain.pit":
                return ENGLISH.format("source.pit")
            case "ga.terrain.swamp":
                return ENGLISH.format("source.swamp")
            case "ga.effect.landing":
                return str(figures.get("passive", ""))
            case "ga.effect.aura":
                return _aura(story, source)
            case "ga.ancient.curse" | "ga.effect.dot":
                return source_name(story.battle, source)
            case _:
                continue
    return ""


def _aura(story: Story, source: str) -> str:
    """A Construct's aura is named by its unit, a Golem's as `Plague Cloud of n1`."""
    passive, _, unit = source.rpartition(" of ")
    if not passive:
        return story.unit(unit)
    return ENGLISH.format("passive-of", passive=passive, unit=story.unit(unit))


def gained(story: Story, status: StatusEffect, golem: str) -> str:
    """That a Golem, called so, has a status effect, and what from."""
    told = status_words(golem, status.stat, status.amount, status.left)
    return ENGLISH.format("status-by", status=told, source=source_name(story.battle, status.source))


def all_gained(status: StatusEffect, golems: list[str]) -> str:
    """That several Golems have a status effect."""
    stat = stat_words(status.stat, status.amount)
    return ENGLISH.format("status-many", golems=listed(golems), stat=stat, rounds=status.left)


def worn_off(story: Story, golem: str, source: str) -> str:
    """That a status effect has ended."""
    effect = source_name(story.battle, source)
    return ENGLISH.format("worn-off", effect=effect, golem=story.unit(golem))


def ended(state: State, fact: f.GameEnded) -> str:
    """Who has won, with how many points, and why."""
    leaders = ENGLISH.join_and([seat_name(seat) for seat in fact.leaders])
    key = "won" if fact.won and len(fact.leaders) == 1 else "won-together"
    return ENGLISH.format(
        key if fact.won else "drawn",
        leaders=leaders,
        score=_score(state, fact.leaders),
        why=ENGLISH.format(f"ended.{fact.reason}"),
    )


def _score(state: State, leaders: tuple[Seat, ...]) -> str:
    """The points of all seats; of two, those of who leads come first."""
    points = {seat: state.seats[seat].vp for seat in Battle(state).seats}
    if len(points) > 2:
        told = [ENGLISH.format("score-of", seat=seat_name(seat), n=n) for seat, n in points.items()]
        return ENGLISH.format("score", list=ENGLISH.join_and(told))
    first, second = sorted(points, key=lambda seat: seat not in leaders)
    return ENGLISH.format("score-two", n=points[first], other=points[second])
