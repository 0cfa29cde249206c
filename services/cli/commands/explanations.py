"""The commands `emeth explain`, `who-sees` and `citations`: reasons and viewers of events."""

from collections.abc import Iterator

import click

from domain.kernel.game import REFEREE
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import VERSION, as_json
from services.cli.terminal import sentences
from services.cli.terminal.console import harmless, print_json, print_table
from services.cli.terms import build_filter
from services.wire.emeth.v1 import audit_pb2 as pb


@click.command(short_help="Explain one event in full.")
@click.argument("version", type=VERSION)
@click.option("--facts", is_flag=True, help="Print only the facts, as JSON for `emeth verdict`.")
@with_access
@with_service
@as_json
def explain(
    service: ServiceAddress, access: MatchAccess, version: int, facts: bool, as_json: bool
) -> None:
    r"""Explain the event at VERSION: the actor, the client, the consequences and their rules.

    \b
    Examples:
      emeth explain 12
      emeth explain 12 --facts --as referee
    """
    token = access.viewing()
    fields = () if facts else ("text",)
    found = service.run(
        lambda client: client.explain(
            token, access.match, version, *fields, at_least_version=access.ring.version
        )
    )
    if as_json:
        print_json(found)
        return
    for line in found.facts_json if facts else _explained(found):
        click.echo(line)


def _explained(found: pb.ExplainEventResponse) -> Iterator[str]:
    event = found.event
    yield sentences.event_line(event)
    player = f" by {event.player}" if event.player else ""
    source = f" from {event.client}" if event.client else ""
    yield f"  at {event.create_time.ToJsonString()}{player}{source}"
    for tap in found.taps:
        stylus = tap.stylus_name or tap.stylus_id
        place = f"{stylus} at {tap.gateway_name}"
        if tap.device_time:
            place += f", {sentences.device_time(tap)} by its clock"
        number = f" {tap.version}" if tap.version else ""
        yield harmless(f"  tap{number}: {sentences.tapped(tap)}  ({place})")
    yield from sentences.why(event)
    for rule in found.rules:
        place = "; ".join(filter(None, (rule.source, *rule.rulings)))
        yield f"{rule.rule}: {rule.meaning} [{place}]"
        if rule.precedent_ids:
            yield f"  precedents: {', '.join(rule.precedent_ids)}"
    for dispute in found.disputes:
        yield sentences.dispute_line(dispute)
    if found.HasField("before") and found.before.text:
        yield f"\nBefore:\n{found.before.text.rstrip()}"
    if found.after.text:
        yield f"\nAfter:\n{found.after.text.rstrip()}"


@click.command("who-sees", short_help="Show which viewers see each fact of an event.")
@click.argument("version", type=VERSION)
@with_access
@with_service
@as_json
def who_sees(service: ServiceAddress, access: MatchAccess, version: int, as_json: bool) -> None:
    r"""Show which viewers see each fact of the event at VERSION. It needs the referee's token.

    `emeth show --at VERSION --viewer ROLE` draws the match as one viewer saw it.

    \b
    Example:
      emeth who-sees 12
    """
    token = access.token_of(access.role or REFEREE)
    found = service.run(
        lambda client: client.explain(
            token, access.match, version, at_least_version=access.ring.version
        )
    )
    if found.event.facts and not found.fact_viewers:
        raise click.UsageError(
            "only the referee may see the viewers of a fact: give the referee's token with --token"
        )
    if as_json:
        print_json(list(found.fact_viewers))
        return
    print_table(
        ("FACT", "SEEN BY"),
        (
            (fact.sentence or fact.kind, ", ".join(each.viewers))
            for each in found.fact_viewers
            for fact in [found.event.facts[each.fact_index]]
        ),
    )


@click.command(short_help="List which events cite which rule.")
@click.argument("rule", default="")
@with_access
@with_service
@as_json
def citations(service: ServiceAddress, access: MatchAccess, rule: str, as_json: bool) -> None:
    r"""List the events of a match that cite RULE; without RULE, all cited rules.

    \b
    Examples:
      emeth citations
      emeth citations agog.capture.maximal
    """
    token, wanted = access.viewing(), build_filter({"rule =": rule})
    found = service.run(
        lambda client: client.citations(token, access.match, wanted, access.ring.version)
    )
    if as_json:
        print_json(found)
        return
    print_table(
        ("RULE", "MEANING", "EVENTS", "PRECEDENTS"),
        (
            (
                each.rule.rule,
                each.rule.meaning,
                " ".join(map(str, each.versions)),
                " ".join(each.rule.precedent_ids),
            )
            for each in found
        ),
    )
