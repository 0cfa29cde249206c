"""The linter of the API finds what the AIPs and our own rules forbid, each with its line."""

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAULTY = """syntax = "proto3";
package emeth.v1;
import "google/protobuf/timestamp.proto";
option csharp_namespace = "Emeth.V1";
option go_package = "emeth.dev/api/emeth/v1;emethv1";
option java_multiple_files = true;
option java_outer_classname = "ThingsProto";
// Serves all kinds of things.
service ThingsService {
  // Lists all of the things.
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse);
  // Makes and paints a thing.
  //
  // Errors:
  //   NOT_FOUND / MATCH_FULL: it is full.
  //   NOT_FOUND / NO_SUCH_REASON: there is none.
  rpc MakeAndPaint(MakeAndPaintRequest) returns (ListThingsResponse);
}
// Request for `ListThings`.
message ListThingsRequest {
  // The match.
  string match_id = 1;
  // Names of the wanted things.
  repeated string names = 3;
}
// Response of `ListThings`.
message ListThingsResponse {
  // When the thing was made.
  google.protobuf.Timestamp made_at = 1;
  // Bytes that the thing takes.
  uint64 size = 2;
}
// Request for `MakeAndPaint`.
message MakeAndPaintRequest {
  // Random UUID of the request.
  string request_id = 1;
}
"""
FOUND = """
1: option java_package is 'dev.emeth.v1'
11: ListThings gives next_page_token (AIP-158)
11: ListThings has no side effects, and says so (AIP-131, 132)
11: ListThings takes int32 page_size and string page_token (AIP-158)
17: MakeAndPaint does two things
17: MakeAndPaint names NO_SUCH_REASON, which is no reason
17: MakeAndPaint: the code of MATCH_FULL is FAILED_PRECONDITION
17: request_id of MakeAndPaint is bounded to a UUID
17: the comment of MakeAndPaint says who may call it
20: field numbers of ListThingsRequest have gaps
22: ListThingsRequest.match_id is sent without a bound
22: the comment of ListThingsRequest.match_id says 'The match.'
22: the comment of ListThingsRequest.match_id says too little: 'The match.'
24: ListThingsRequest.names is sent without a bound of how many elements (repeated.max_items)
29: ListThingsResponse.made_at is a Duration, or a Timestamp `..._time` (AIP-142)
29: ListThingsResponse.made_at is a time, and ends in `_time` (AIP-142)
31: ListThingsResponse.size has 64 bits, which JSON writes as a string
36: MakeAndPaintRequest.request_id is sent without a bound
"""


def linter() -> Any:
    loader = SourceFileLoader("lint_api", str(ROOT / ".ci" / "lint-api"))
    spec = spec_from_loader("lint_api", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_fault_of_a_proto_file_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / ".ci")
    file = tmp_path / "emeth" / "v1" / "things.proto"
    file.parent.mkdir(parents=True)
    file.write_text(FAULTY)
    lint = linter()
    (compiled,) = lint.compiled(tmp_path)
    found = [*lint.Linter(compiled, lint.sent([compiled]), lint.messages_of([compiled])).problems()]
    prefix = re.escape("proto/emeth/v1/things.proto:")
    assert [re.sub(prefix, "", each) for each in found] == FOUND.strip().splitlines()
