"""`emeth call`: any method of the API."""

import json
import re
import shlex
from pathlib import Path

import pytest

from services.cli.commands.call import call, methods
from services.wire.summaries import SUMMARIES
from tests.services.cli.conftest import Emeth, RunningService

ROOT = Path(__file__).parents[3]
EXAMPLES = re.findall(
    r"^\$ emeth (call .*)\n((?:(?!\$ |```).*\n)*)", (ROOT / "docs/cli.md").read_text(), re.MULTILINE
)
"""The calls on the page about the command line, and what they print; `...` is any text."""


@pytest.mark.parametrize(("command", "printed"), EXAMPLES)
def test_examples_on_the_page_print_what_it_says(
    emeth_online: Emeth,
    shared_service: RunningService,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    printed: str,
) -> None:
    monkeypatch.chdir(shared_service.data.parent)
    expected = ".*".join(map(re.escape, printed.split("...")))
    assert re.fullmatch(expected, emeth_online(*shlex.split(command)).output, re.DOTALL)


@pytest.mark.parametrize(
    "name", ["ListGames", "{}.ListGames", "emeth.v1.{}.ListGames", "/emeth.v1.{}/ListGames"]
)
def test_a_method_is_called_by_its_name_or_with_its_service(emeth_online: Emeth, name: str) -> None:
    service = next(each for each in methods() if each.endswith(".ListGames")).partition(".")[0]
    said = json.loads(emeth_online("call", name.format(service)).output)
    assert "agog" in str(said["games"])


def test_the_request_is_json_from_an_argument_a_file_or_the_standard_input(
    emeth_online: Emeth, tmp_path: Path
) -> None:
    request = '{"game": "agog"}'
    path = tmp_path / "request.json"
    path.write_text(request)
    given = emeth_online("call", "GetGame", request)
    assert json.loads(given.output)["game"]["slug"] == "agog"
    assert emeth_online("call", "GetGame", f"@{path}").output == given.output
    assert emeth_online("call", "GetGame", "-", typed=request).output == given.output


def test_a_stream_is_printed_as_one_line_for_each_response(
    emeth_online: Emeth, shared_service: RunningService
) -> None:
    key = f"@{shared_service.data}/admin.key"
    result = emeth_online("call", "RebuildProjections", "--token", key)
    *_, last = map(json.loads, result.output.splitlines())
    assert last["done"]
    assert last["processed_events"] == last["total_events"]


def test_a_method_that_takes_a_stream_takes_several_values(emeth_online: Emeth) -> None:
    made = json.loads(emeth_online("call", "CreateGateway", '{"name": "Corner"}').output)
    hello = {"hello": {"gateway_id": made["gateway_id"], "epoch": "e"}}
    tap = {"tap": {"seq": 1, "stylus_id": "AA:01", "code": "cc map"}}
    result = emeth_online(
        "call", "GatewaysService.Connect", f"{json.dumps(hello)} {json.dumps(tap)}",
        "--token", made["gateway_key"],
    )  # fmt: skip
    welcome, prompt = map(json.loads, result.output.splitlines())
    assert welcome["welcome"]["table_id"] == made["table_id"]
    assert prompt["prompt"]["refusal"]["rule"] == "stylus.unpaired"


def test_an_error_has_its_reason_and_what_is_wrong_with_each_field(emeth_online: Emeth) -> None:
    unknown = emeth_online("call", "GetGame", '{"game": "chess"}')
    assert (unknown.exit_code, "[GAME_NOT_FOUND]" in unknown.output) == (3, True)
    wrong = emeth_online("call", "ListMatches", '{"page_size": -1}')
    assert (wrong.exit_code, "[FIELD_INVALID]" in wrong.output) == (3, True)
    assert "\n  page_size: " in wrong.output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("MatchService.GetMatch",), "similar names: MatchesService.GetMatch"),
        (("Nothing",), "`emeth call` lists all"),
        (("GetMatch", '{"match": 1}'), 'has no field named "match"'),
        (("GetMatch", "{"), "is not a GetMatchRequest as JSON"),
        (("GetMatch", "{} {}"), "GetMatch takes one request, not 2"),
        (("GetMatch", "@nowhere.json"), "cannot read nowhere.json"),
    ],
)
def test_an_invalid_call_is_refused_with_a_reason(
    emeth: Emeth, words: tuple[str, ...], expected: str
) -> None:
    result = emeth("call", *words)
    assert (result.exit_code, expected in result.output) == (2, True), result.output


def test_without_a_method_all_are_listed_with_what_they_do(emeth: Emeth) -> None:
    lines = emeth("call").output.splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(methods())
    assert {each.full_name for each in methods().values()} == SUMMARIES.keys()
    assert all(SUMMARIES.values())
    assert len({each.name for each in methods().values()}) == len(methods()), "names are unique"


def test_the_shell_completes_names_by_any_part_of_them(emeth: Emeth) -> None:
    context = call.make_context("call", [], resilient_parsing=True)
    found = [each.value for each in call.params[0].shell_complete(context, "tapgrant")]
    assert sorted(found) == [
        "StylusesService.CreateTapGrant",
        "StylusesService.DeleteTapGrant",
        "StylusesService.ListTapGrants",
    ]
