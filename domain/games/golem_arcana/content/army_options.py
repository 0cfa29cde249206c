"""Armies before the match: what they are built for, what is wrong with them, where they go."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Struct, field

from domain.games.golem_arcana.content.armies import army_value, check_army
from domain.games.golem_arcana.content.cards import Army
from domain.games.golem_arcana.content.catalog import catalog
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.packs import BY_DIGEST, CORE
from domain.kernel.armies import Armies, ArmyReport, CatalogEntry
from domain.kernel.options import option


class Constraints(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an army is built for. Decoding fails for a pack or a scenario that is not there."""

    scenario: Annotated[
        str,
        option(
            "Scenario",
            content="scenario",
            description="The scenario that it is for, with its Army Point Value; without one "
            "there is no limit",
            max_length=40,
        ),
    ] = ""
    pack: Annotated[
        Pack,
        option(
            "Content pack",
            description="The content pack, by its digest",
            extra_json_schema=BY_DIGEST,
        ),
    ] = field(default_factory=lambda: CORE)

    def __post_init__(self) -> None:
        """Raises ValueError for what is not there; msgspec turns it into its own."""
        scenarios = self.pack.scenarios
        if self.scenario and self.scenario not in scenarios:
            raise ValueError(
                f"there is no scenario {self.scenario!r}; there are {', '.join(scenarios)}"
            )

    @property
    def limit(self) -> int | None:
        """The Army Point Value that may be spent; None where armies are not built for a value."""
        scenario = self.pack.scenarios.get(self.scenario)
        return scenario.apv if scenario and scenario.build else None


def check(army: Army, constraints: Constraints) -> ArmyReport:
    """All that is wrong with an army, and what it is worth."""
    pack, limit = constraints.pack, constraints.limit
    return ArmyReport(check_army(pack, army, limit), army_value(pack, army), limit)


def _catalog(constraints: Constraints) -> tuple[CatalogEntry, ...]:
    return catalog(constraints.pack)


def set_army(options: Mapping[str, Any], seat: str, army: Any) -> dict[str, Any]:
    """The options with this army for a seat."""
    return {**options, "armies": {**_armies(options), seat: army}}


def army_of(options: Mapping[str, Any], seat: str) -> Any:
    """The army that the options have for a seat, if they have one."""
    return _armies(options).get(seat)


def _armies(options: Mapping[str, Any]) -> Mapping[str, Any]:
    # Nobody has looked at these options yet, so anything may be in them.
    armies = options.get("armies")
    return armies if isinstance(armies, Mapping) else {}


ARMIES: Final[Armies[Army, Constraints]] = Armies(
    army=Army,
    constraints=Constraints,
    check=check,
    catalog=_catalog,
    set_army=set_army,
    army_of=army_of,
)
