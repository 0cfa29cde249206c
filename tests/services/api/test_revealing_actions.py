"""Actions that may reveal something: an undo needs consent, and no preview shows the outcome."""

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2, play_pb2
from services.wire.emeth.v1 import proposals_pb2 as pb
from tests.services.conftest import CreatedMatch

ARCANA = (
    "ra1 t1 r11 east north act alchemy,calm-elan,death-life,divination,protection,transmutation"
    " catacombs-of-the-dead,coral-castle,cursed-forge,sacred-grove colossus,hanging-gardens"
    " mausoleum,temple,solomons-mine,golden-statue,obelisk,great-pyramid"
    " north/in/1e2l1c3d4g/alchemist,library,oracle,research/chalice-of-life/"
    "prism,cursed-skull,sea-serpent,vault,fiery-whip,earth-dragon/ring-of-midas/-/-/-"
    " east/in/1e3l11c5d/crypt,dragon-bridle,dragons-lair,reanimate,seer/"
    "athanor,dragon-egg,jeweled-statuette/tree-of-life/treant,water-dragon/-/-/-"
)
ON_TOP = {"deck": "prism,cursed-skull,sea-serpent", "monuments": "mausoleum,temple,solomons-mine"}
NIGHT = (
    "ga1 night-of-embers - R1 south south:6:0:0:-;north:0:0:0:-"
    " s1=horned-blight@b2:40;n1=winged-preserver@f6:110 - f2:L -"
    " south=2,north=1,buried-cache={},unquiet-grave=a4,stranger=c4 - *"
)


async def started(client: Client, game: str, start: str, *options: str) -> CreatedMatch:
    """A match with free undo from a position."""
    headers = [f'[Game "{game}"]', '[Undo "free"]', *(f'[Option "{each}"]' for each in options)]
    text = "\n".join(('[Emeth "1"]', *headers, f'[Start "{start}"]', "", "*", ""))
    made = await client.import_transcript(transcript=text)
    return CreatedMatch(made.match.match_id, dict(made.tokens))


@pytest.mark.parametrize("pile", ["deck", "monuments"])
async def test_a_look_at_cards_is_not_undone_for_nothing(client: Client, pile: str) -> None:
    match = await started(client, "res-arcana", ARCANA)
    north = match.tokens["north"]
    looked = await client.submit(north, match.id, f"use oracle 1 {pile}")
    assert ON_TOP[pile] in looked.accepted.position
    asked = await client.undo(north, match.id)
    assert asked.proposal.state == pb.PROPOSAL_STATE_PENDING
    assert (list(asked.proposal.awaiting_seats), list(asked.proposal.revealed_versions)) == (
        ["east"],
        [looked.accepted.version],
    )
    audit = await client.verify_match(north, match.id)
    assert audit.sound, audit.findings


async def test_a_referee_is_warned_that_what_is_undone_stays_known(client: Client) -> None:
    """The deck lies as the seat has seen it."""
    match = await started(client, "res-arcana", ARCANA)
    north, referee = match.tokens["north"], match.tokens["referee"]
    drawn = (await client.submit(north, match.id, "use research 1 1g")).accepted.version
    back = await client.undo(referee, match.id, 1)
    assert (back.proposal.state, list(back.proposal.revealed_versions)) == (
        pb.PROPOSAL_STATE_ACCEPTED,
        [drawn],
    )
    warning = f"The players still know what these events showed: {drawn}."
    assert back.events[-1].sentence.endswith(warning)
    await client.create_proposal(referee, match.id, redo={"version": drawn})
    dispute = (await client.create_dispute(north, match.id, drawn, "I did not mean to")).number
    given = await client.resolve_dispute(referee, match.id, dispute, "so be it", revert_to=1)
    assert list(given.revealed_versions) == [drawn]
    events = await client.list_events(
        north, match.id, at_least_version=given.dispute.verdict.version
    )
    assert events[-1].sentence.endswith(warning)
    assert (await client.verify_match(referee, match.id)).sound


@pytest.mark.parametrize("pile", ["deck", "monuments"])
async def test_a_preview_of_a_look_names_no_cards(client: Client, pile: str) -> None:
    match = await started(client, "res-arcana", ARCANA)
    seen = await client.submit(
        match.tokens["north"], match.id, f"use oracle 1 {pile}", validate_only=True
    )
    assert seen.HasField("accepted")
    assert not seen.accepted.position
    assert not seen.accepted.prompts
    sentences = " ".join(fact.sentence for each in seen.accepted.events for fact in each.facts)
    for card in (*ON_TOP["deck"].split(","), *ON_TOP["monuments"].split(",")):
        assert card.replace("-", " ") not in sentences.lower()


async def test_a_forecast_stops_before_a_look_at_cards(client: Client) -> None:
    match = await started(client, "res-arcana", ARCANA)
    north = match.tokens["north"]
    notations = ["use oracle 1 deck", "use research 1 1g"]
    looks, draws = (await client.preview_order(north, match.id, notations=notations)).forecasts
    for forecast in (looks, draws):
        assert forecast.stop == play_pb2.FORECAST_STOP_REVEAL
        shown = f"{forecast.sentence} {forecast.changes}".lower()
        for card in ON_TOP["deck"].split(","):
            assert card not in shown
            assert card.replace("-", " ") not in shown


async def test_an_action_that_shows_nothing_is_undone_for_nothing(client: Client) -> None:
    match = await started(client, "res-arcana", ARCANA)
    north = match.tokens["north"]
    await client.submit(north, match.id, "discard chalice-of-life 1g")
    assert (await client.undo(north, match.id)).proposal.state == pb.PROPOSAL_STATE_ACCEPTED


@pytest.mark.parametrize("cache", ["b3", "d3"])
async def test_a_walk_that_may_meet_something_is_not_taken_back_for_nothing(
    client: Client, cache: str
) -> None:
    """With an encounter or without: the response to the undo reveals neither."""
    match = await started(client, "golem-arcana", NIGHT.format(cache), "scenario=night-of-embers")
    south = match.tokens["south"]
    seen = await client.submit(south, match.id, "move s1 walk b3", validate_only=True)
    assert not seen.accepted.position
    assert [fact.sentence for each in seen.accepted.events for fact in each.facts][-1].endswith(
        "b3."
    )
    await client.submit(south, match.id, "move s1 walk b3")
    asked = await client.undo(south, match.id)
    assert (asked.proposal.state, list(asked.proposal.awaiting_seats)) == (
        pb.PROPOSAL_STATE_PENDING,
        ["north"],
    )
    assert len(asked.proposal.revealed_versions) == 1


async def test_where_nothing_can_lie_hidden_a_walk_is_undone_for_nothing(
    client: Client,
) -> None:
    created = await client.create_match(
        game="golem-arcana", undo_policy=matches_pb2.UNDO_POLICY_FREE
    )
    south, identity = created.tokens["south"], created.match.match_id
    await client.submit(south, identity, "move s1 walk b2")
    assert (await client.undo(south, identity)).proposal.state == pb.PROPOSAL_STATE_ACCEPTED
