"""What players may choose before a match: scenario, armies, readings of the rules, content."""

from typing import Annotated

from msgspec import field

from domain.games.golem_arcana.battle.sides import refuse_teams
from domain.games.golem_arcana.content.armies import check_army
from domain.games.golem_arcana.content.cards import SEATS, Army, Seat
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.packs import BY_DIGEST, CORE
from domain.games.golem_arcana.state import Variants
from domain.kernel.options import option


class Options(Variants, frozen=True, omit_defaults=False):
    """The choices. Decoding fails for a scenario or an army that the pack does not allow."""

    scenario: Annotated[
        str,
        option(
            "Scenario", content="scenario", description="The scenario that is played", max_length=40
        ),
    ] = "first-steps"
    armies: Annotated[
        dict[Seat, Army],
        option(
            "Armies",
            description="An army for each seat, for scenarios that are built for; a seat without "
            "one fields a ready army. Other scenarios fix the armies",
        ),
    ] = field(default_factory=dict)
    pack: Annotated[
        Pack,
        option(
            "Content pack",
            description="The content pack, by its digest",
            extra_json_schema=BY_DIGEST,
        ),
    ] = field(default_factory=lambda: CORE)

    def __post_init__(self) -> None:
        """Raises ValueError for what the content does not allow; msgspec turns it into its own."""
        pack = self.pack
        scenario = pack.scenarios.get(self.scenario)
        if scenario is None:
            raise ValueError(
                f"there is no scenario {self.scenario!r}; there are {', '.join(pack.scenarios)}"
            )
        if (why := refuse_teams(self.teams, scenario.seats)) is not None:
            raise ValueError(why)
        if self.armies and not scenario.build:
            raise ValueError(f"scenario {scenario.id} fixes the armies: none can be given")
        for seat in SEATS:
            army = self.armies.get(seat)
            if army is None:
                continue
            if seat not in scenario.seats:
                raise ValueError(f"{seat} does not play in scenario {scenario.id}")
            errors = check_army(pack, army, scenario.apv)
            if errors:
                raise ValueError(f"the army of {seat}: {'; '.join(map(str, errors))}")


def variants_of(options: Options) -> Variants:
    """The readings of the rules among the options."""
    return Variants(**{name: getattr(options, name) for name in Variants.__struct_fields__})
