"""What `emeth top` shows: how a service is doing, from two readings of its figures."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Final

from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

MOST_RPCS: Final = 15
"""Rows of calls, those made most often first."""
FIGURES: Final = (
    "matches_live", "watchers", "sessions", "gateways", "clocks_running", "log_waiting",
    "reads_behind", "reads_troubles",
)  # fmt: skip
Labels = tuple[tuple[str, str], ...]


class Reading(Struct, frozen=True):
    """The figures at an instant."""

    at: float
    """Seconds, of any clock that only goes forward."""
    values: Mapping[tuple[str, Labels], float]

    def rises(self, before: "Reading", name: str) -> Iterator[tuple[dict[str, str], float]]:
        """How much each value of this name grew since: less than nothing after a restart."""
        for (known, labels), value in self.values.items():
            if known == name:
                yield dict(labels), value - before.values.get((known, labels), 0.0)

    def figure(self, name: str) -> float:
        """A value without labels; 0 if there is none."""
        return self.values.get((f"emeth_{name}", ()), 0.0)


def read(text: str, at: float) -> Reading:
    """The reading in a page of metrics. ValueError if it is none."""
    values = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    if ("emeth_matches_live", ()) not in values:
        raise ValueError("these are no figures of a service")
    return Reading(at, values)


def quantile(rises: Mapping[float, float], share: float) -> float:
    """The bound below which this share of what came lies: 0 if nothing came, `inf` if it is above
    all bounds. `rises` has how many more came at or below each bound.

    >>> quantile({0.001: 5, 0.01: 9, inf: 10}, 0.5), quantile({0.001: 5, 0.01: 9, inf: 10}, 0.99)
    (0.001, inf)
    """
    wanted = share * rises.get(inf, 0.0)
    if not wanted:
        return 0.0
    return next(bound for bound, count in sorted(rises.items()) if count >= wanted)


def shown(before: Reading, now: Reading) -> RenderableType:
    """What is told of the time between two readings."""
    seconds = max(now.at - before.at, 1e-9)
    figures = Text("   ").join(
        Text.assemble(name.replace("_", " "), " ", (f"{now.figure(name):g}", "bold"))
        for name in FIGURES
    )
    events = sum(rise for _, rise in now.rises(before, "emeth_events_total")) / seconds
    spread = _spread(before, now, "emeth_commit_seconds_bucket", {})
    commits = Text(
        f"{events:.1f} events a second; commits: half within {_ms(quantile(spread, 0.5))},"
        f" 99 of 100 within {_ms(quantile(spread, 0.99))}"
    )
    return Group(figures, commits, _calls(before, now, seconds))


def _calls(before: Reading, now: Reading, seconds: float) -> Table:
    table = Table("call", "a second", "refused", "half within", "99 of 100 within", box=None)
    made, refused = dict[str, float](), dict[str, float]()
    for labels, rise in now.rises(before, "emeth_calls_total"):
        rpc = labels["rpc"]
        made[rpc] = made.get(rpc, 0.0) + rise
        refused[rpc] = refused.get(rpc, 0.0) + (rise if labels["reason"] != "OK" else 0.0)
    for rpc in sorted((each for each in made if made[each]), key=lambda rpc: -made[rpc])[
        :MOST_RPCS
    ]:
        spread = _spread(before, now, "emeth_call_seconds_bucket", {"rpc": rpc})
        table.add_row(
            rpc,
            f"{made[rpc] / seconds:.1f}",
            f"{refused[rpc] / seconds:.1f}" if refused[rpc] else "",
            _ms(quantile(spread, 0.5)),
            _ms(quantile(spread, 0.99)),
        )
    return table


def _spread(
    before: Reading, now: Reading, name: str, wanted: Mapping[str, str]
) -> Mapping[float, float]:
    return {
        float(labels["le"]): rise
        for labels, rise in now.rises(before, name)
        if all(labels.get(key) == value for key, value in wanted.items())
    }


def _ms(seconds: float) -> str:
    if seconds == inf:
        return "more than 10 s"
    return f"{seconds * 1000:g} ms" if seconds else ""
