import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { Emeth } from "./emeth.ts";
import { asEmethError } from "./errors.ts";
import { ErrorInfoSchema, RetryInfoSchema } from "./wire/google/rpc/error_details_pb.js";
import { type CreateMatchRequest, CreateMatchRequestSchema } from "./wire/emeth/v1/matches_pb.js";
import { type SubmitActionRequest, SubmitActionResponseSchema } from "./wire/emeth/v1/play_pb.js";

const MATCH = "7d0c4a4e-0d0e-4a0e-8a0e-000000000001";

/** A service that fails so, so many times, and then accepts; it keeps the request ids. */
function failing(times: number, code: Code, reason: string, retryMs = 0): { emeth: Emeth; asked: string[] } {
  const asked: string[] = [];
  const info = { desc: ErrorInfoSchema, value: { reason, domain: "emeth.dev" } };
  const retryDelay = { seconds: BigInt(Math.floor(retryMs / 1000)), nanos: (retryMs % 1000) * 1e6 };
  const details = [info, ...(retryMs ? [{ desc: RetryInfoSchema, value: { retryDelay } }] : [])];
  const service: Interceptor = () => async (request) => {
    if (request.stream) throw new Error("no stream is expected");
    asked.push((request.message as SubmitActionRequest).requestId);
    if (asked.length <= times) throw new ConnectError("not now", code, undefined, details);
    const message = create(SubmitActionResponseSchema, { outcome: { case: "accepted", value: {} } });
    return { ...request, message, trailer: new Headers() };
  };
  return { emeth: new Emeth({ baseUrl: "http://localhost", interceptors: [service] }), asked };
}

test("an action whose answer did not come in time is sent again with the same id", async () => {
  const { emeth, asked } = failing(2, Code.DeadlineExceeded, "DEADLINE_EXCEEDED");
  const { outcome } = await emeth.submit(MATCH, "a6-b6");
  assert.equal(outcome.case, "accepted");
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked).size, 1);
});

test("an action is sent again when the service asks for it, and not before", async () => {
  const { emeth, asked } = failing(1, Code.ResourceExhausted, "LIMIT_EXCEEDED", 600);
  const started = performance.now();
  await emeth.submit(MATCH, "a6-b6");
  assert.equal(asked.length, 2);
  assert.ok(performance.now() - started >= 599);
});

test("nobody is made to wait for a minute", async () => {
  const { emeth, asked } = failing(1, Code.ResourceExhausted, "QUOTA_EXCEEDED", 60_000);
  await assert.rejects(emeth.submit(MATCH, "a6-b6"), (failure) => asEmethError(failure).retryMs === 60_000);
  assert.equal(asked.length, 1);
});

test("an action that the service will not take is sent once", async () => {
  const { emeth, asked } = failing(1, Code.Aborted, "VERSION_STALE");
  await assert.rejects(emeth.submit(MATCH, "a6-b6"), (failure) => asEmethError(failure).reason === "VERSION_STALE");
  assert.equal(asked.length, 1);
});

test("a match is asked for again with the same secret, which shows that it is the same caller", async () => {
  const sent: CreateMatchRequest[] = [];
  const usual = globalThis.fetch;
  globalThis.fetch = async (_, init) => {
    const body = await new Response(init?.body).arrayBuffer();
    sent.push(fromBinary(CreateMatchRequestSchema, new Uint8Array(body)));
    throw new TypeError("no network");
  };
  const { matches } = new Emeth({ baseUrl: "http://localhost" });
  const kept = "0123456789abcdef-0123456789";
  for (const clientSecret of ["", "", kept]) await assert.rejects(matches.createMatch({ game: "agog", clientSecret }));
  globalThis.fetch = usual;
  const secrets = sent.map((each) => each.clientSecret);
  assert.equal(secrets.length, 3);
  assert.equal(new Set(secrets.slice(0, 2)).size, 1);
  assert.ok((secrets[0]?.length ?? 0) >= 22);
  assert.equal(secrets[2], kept);
});
