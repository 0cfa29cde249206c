"""No viewer receives a byte that depends on hidden information: a law of every game that hides.

Pairs of matches differ only in what one viewer may not see. Whatever the service sends that viewer
of the two, over every rpc and stream, must be the same: bytes, sizes, counts and order, but for
names, digests and times of the two matches. Fifty pairs are compared here; the soak is

    pytest tests/test_every_secret.py -k look_the_same -s --secret-pairs 1000
"""

import dataclasses
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from itertools import islice
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from domain.kernel.game import REFEREE, AnyGame
from domain.registry import ENTRIES, GAMES
from projections.views import viewer_events
from services.api import legal_actions, submissions
from services.runtime.settings import Settings
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED, CHANCE_ROLLED, CreateMatchRequest
from services.wire.emeth.v1.views_pb2 import GetViewRequest
from tests.secrets import golem_arcana
from tests.secrets.answers import METHODS, GrpcCaller, InProcessCaller, ServiceCaller
from tests.secrets.comparing import Comparison, LeakError
from tests.secrets.pairs import HIDING, from_the_start, pair
from tests.secrets.viewer_requests import (
    DEVICES,
    ELSEWHERE,
    NOW,
    READS,
    WRITES,
    Side,
    ViewerContext,
    difference,
    read,
)

PREVIEWS = 40
"""Legal actions of a pair that are previewed in the suite; in the soak, all."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[InProcessCaller]:
    packs = tmp_path / "packs"
    packs.mkdir()
    golem_arcana.write_pack(packs)
    settings = Settings(
        data=str(tmp_path / "data"), listen="127.0.0.1:0", drain_seconds=1, packs=str(packs)
    )
    async with InProcessCaller(settings) as running:
        yield running


def test_every_game_that_hides_anything_is_held_to_the_law() -> None:
    assert {slug for slug, game in GAMES.items() if game.has_hidden_information} == HIDING.keys()


def test_every_rpc_is_compared_or_it_is_said_why_not() -> None:
    # A deed has a word of its own, where several are made by one rpc; `SubmitAction` is read, too.
    deeds = {name for names in WRITES for name in names if name in METHODS} - {*READS}
    kinds = [*READS, *deeds, *DEVICES, *ELSEWHERE]
    assert sorted(kinds) == sorted(set(kinds)), "one place for each"
    assert set(kinds) == METHODS.keys()


class Plan(NamedTuple):
    """How many pairs of a game are compared, and how closely."""

    pairs: int
    previews: int
    seed: int


@pytest.fixture
def plan(request: pytest.FixtureRequest) -> Plan:
    """25 pairs of each game; in the soak as many as wanted, from another seed."""
    wanted = request.config.getoption("--secret-pairs")
    if wanted is None:
        return Plan(50 // len(HIDING), PREVIEWS, seed=1)
    return Plan(wanted // len(HIDING), 10_000, seed=SystemRandom().randrange(2**32))


async def compared(way: ServiceCaller, admin_key: str, slug: str, plan: Plan) -> Comparison:
    """Compare so many pairs of a game: of five one with all that can be done, one with a whole
    history behind it, and three for what there is and could be."""
    random = Random(plan.seed)
    comparison = Comparison(way, admin_key, random, plan.previews)
    choices = HIDING[slug].options()
    while comparison.pairs < plan.pairs:
        number, options = comparison.pairs % 5, random.choice(choices)
        if number == 1:
            found = from_the_start(slug, options, random, 60)
        else:
            found = pair(slug, options, random)
        if found is not None:
            names = READS if number < 2 else NOW
            await comparison.compare(found, whole=number == 0, names=names)
    return comparison


@pytest.mark.parametrize("slug", HIDING)
def test_what_a_viewer_knows_is_one_state_that_looks_and_lists_as_each_of_them(slug: str) -> None:
    random, looked = Random(5), 0
    choices = HIDING[slug].options()
    while looked < 60:
        found = pair(slug, random.choice(choices), random)
        if found is None:
            continue
        looked += 1
        game, viewer = found.game, found.viewer
        known = game.information_state(found.states[0], viewer)
        assert (
            known
            == game.information_state(found.states[1], viewer)
            == game.information_state(known, viewer)
        )
        for state in found.states:
            for shown in (game.write_view, game.scene, game.caption):
                assert shown(known, viewer) == shown(state, viewer), game.write_position(state)
            assert game.turn(known) == game.turn(state)
            legal = [list(islice(game.legal(each, viewer), 500)) for each in (known, state)]
            assert legal[0] == legal[1] or any(prompt.is_face_down for prompt in game.turn(state))


@pytest.mark.parametrize("slug", HIDING)
def test_what_a_viewer_imagines_is_what_it_knows_and_may_be_anything_else(slug: str) -> None:
    random, looked, others = Random(6), 0, 0
    choices, hiding = HIDING[slug].options(), HIDING[slug]
    while looked < 60:
        found = pair(slug, random.choice(choices), random)
        if found is None:
            continue
        looked += 1
        game, viewer = found.game, found.viewer
        known = game.information_state(found.states[0], viewer)
        imagined = [game.sample_state(known, viewer, random.randrange) for _ in range(3)]
        for state in imagined:
            assert game.information_state(state, viewer) == known
            assert hiding.open_part(state, viewer) == hiding.open_part(found.states[0], viewer)
            assert game.turn(state) == game.turn(known)
        others += any(state != imagined[0] for state in imagined)
    assert others > 40


@pytest.mark.timeout(36_000)
@pytest.mark.parametrize("slug", HIDING)
async def test_matches_that_differ_only_in_hidden_information_look_the_same(
    room: InProcessCaller, plan: Plan, slug: str, record_property: Any
) -> None:
    done = await compared(room, room.admin_key, slug, plan)
    assert done.answers > 30 * done.pairs
    assert done.telling > done.pairs // 2, "previews of what would show which match is which"
    record_property("seed", plan.seed)
    summary = f"{slug}: {done.pairs} pairs, {done.answers} answers, {done.telling} telling previews"
    record_property("told", summary)
    print(f"\n{summary}, seed {plan.seed}")  # noqa: T201  # the result of the soak, shown by -s


@pytest.mark.parametrize("slug", HIDING)
async def test_it_is_so_over_a_socket_too(room: InProcessCaller, slug: str) -> None:
    async with GrpcCaller(room.address) as way:
        done = await compared(way, room.admin_key, slug, Plan(3, 15, seed=7))
    assert done.answers > 200


# --- what the service itself hides ---------------------------------------------------------------


@pytest.mark.parametrize("chance", [CHANCE_ROLLED, CHANCE_ENTERED], ids=["rolled", "entered"])
async def test_hidden_deals_of_the_service_do_not_change_the_view_of_a_seat(
    room: InProcessCaller, chance: int
) -> None:
    """Matches of Golem Arcana in which a seat has the same quest are all one to that seat."""
    game, random = GAMES["golem-arcana"], Random(3)
    answers_by_quest: dict[tuple[str, str], list[tuple[str, list[Any]]]] = defaultdict(list)
    for number in range(9):
        side = await begun(room, chance, number)
        for _ in range(2 if chance == CHANCE_ENTERED else 0):
            hidden = f"hide {random.randint(1, 3)}"
            await side.do("SubmitAction", side.tokens["referee"], action=hidden)
        state = await position(side, game)
        for viewer in ("south", "spectator"):
            look = ViewerContext(game, viewer, ("south", "north"))
            legal = [*map(game.write_action, game.legal(state, "south"))]
            look.previews, look.space = legal if viewer == "south" else ["end"], "c4"
            view = game.write_view(state, viewer)
            answers_by_quest[viewer, view].append(
                (game.write_position(state), await read(side, look))
            )
    differing = 0
    for answers in answers_by_quest.values():
        first, *others = answers
        for other in others:
            assert not difference(first[1], other[1])
            differing += other[0] != first[0]
    assert differing > 8


async def begun(way: ServiceCaller, chance: int, number: int) -> Side:
    request = CreateMatchRequest(
        request_id=str(UUID(int=number + 1)),
        game="golem-arcana",
        title=str(UUID(int=number + 1)),
        chance=chance,  # type: ignore[arg-type]  # a value of the enum
    )
    request.options.update({"scenario": "night-of-embers"})
    async for made in way.call("CreateMatch", request, ""):
        return Side(way, made.match, dict(made.tokens))  # type: ignore[attr-defined]  # of that rpc
    raise AssertionError("no answer")


async def position(side: Side, game: AnyGame) -> Any:
    """The whole state, as the referee sees it."""
    request = GetViewRequest(match_id=side.id, at_least_version=side.version)
    async for answer in side.way.call("GetView", request, side.tokens["referee"]):
        text = answer.view.position  # type: ignore[attr-defined]  # of that rpc
    return game.read_position(text, game.options(scenario="night-of-embers"))


# --- the law itself ------------------------------------------------------------------------------


def in_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Previews and lists are worked out in what is so, not in what the seat may know."""
    for room in (legal_actions, submissions):
        monkeypatch.setattr(room, "visible_match", lambda match, viewer: match)


def in_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view is longer by some blanks, which follow from where encounters lie."""
    game = GAMES["golem-arcana"]

    def write_view(state: Any, viewer: str) -> str:
        blanks = sum(ord(each.where[0]) for each in state.encounters.values()) % 7
        return WRITE_VIEW(state, viewer) + " " * blanks

    monkeypatch.setitem(ENTRIES, "golem-arcana", dataclasses.replace(game, write_view=write_view))


def without_redaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are sent without redaction."""
    monkeypatch.setattr(
        viewer_events,
        "redacted_action",
        lambda game, event, viewer: REDACTED_ACTION(game, event, REFEREE),
    )


REDACTED_ACTION = viewer_events.redacted_action
WRITE_VIEW = GAMES["golem-arcana"].write_view
PLANTS = (in_the_truth, in_a_size, without_redaction)


@pytest.mark.parametrize("plant", PLANTS)
async def test_the_law_finds_a_leak(
    room: InProcessCaller,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], None],
) -> None:
    plant(monkeypatch)
    with pytest.raises(LeakError, match="can tell"):
        await compared(room, room.admin_key, "golem-arcana", Plan(40, PREVIEWS, seed=1))
