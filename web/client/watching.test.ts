import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Emeth } from "./emeth.ts";
import { asEmethError } from "./errors.ts";
import { WatchMatchRequestSchema, WatchMatchResponseSchema } from "./wire/emeth/v1/views_pb.js";

const MATCH = "7d0c4a4e-0d0e-4a0e-8a0e-000000000001";
/** Of the last message of a stream by Connect. */
const END = 2;

function enveloped(flags: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

function event(version: number): Buffer {
  const news = { case: "event", value: { event: { version } } } as const;
  return enveloped(0, toBinary(WatchMatchResponseSchema, create(WatchMatchResponseSchema, { news })));
}

function end(error?: object): Buffer {
  return enveloped(END, Buffer.from(JSON.stringify(error ? { error } : {})));
}

/** The ways in which a proxy or a service ends a stream that was to go on. */
const BREAKS: Record<string, (response: ServerResponse) => void> = {
  "cut off": (response) => void response.destroy(),
  "cut off in a message": (response) => void response.write(event(9).subarray(0, 7), () => response.destroy()),
  "ended in a message": (response) => void response.end(event(9).subarray(0, 7)),
  "ended in the head of a message": (response) => void response.end(event(9).subarray(0, 3)),
  "ended without its last message": (response) => void response.end(),
  "ended in order": (response) => void response.end(end()),
  "ended by a proxy": (response) => void response.end(end({ code: "internal", message: "reset" })),
  "cancelled by a proxy": (response) => void response.end(end({ code: "canceled", message: "reset" })),
};

interface Watched {
  seen: number[];
  asked: number[];
  /** Was it told that the line is lost? */
  isLost: boolean;
}

/** Watch a match from version 3 for two events; the stream breaks after the first. */
async function watched(broken: (response: ServerResponse) => void): Promise<Watched> {
  const asked: number[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray());
    const after = fromBinary(WatchMatchRequestSchema, body.subarray(5)).afterVersion;
    asked.push(after);
    response.writeHead(200, { "content-type": "application/connect+proto" });
    response.write(event(after + 1));
    if (asked.length === 1) broken(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = new AbortController();
  const seen: number[] = [];
  let isLost = false;
  try {
    const emeth = new Emeth({ baseUrl: `http://127.0.0.1:${port}` });
    const options = { after: 3, signal: stop.signal, onLine: (up: boolean) => void (isLost ||= !up) };
    for await (const { event } of emeth.watch(MATCH, options)) {
      seen.push(event?.version ?? 0);
      if (seen.length === 2) stop.abort();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return { seen, asked, isLost };
}

for (const [name, broken] of Object.entries(BREAKS)) {
  test(`a watch whose stream is ${name} goes on after the last event`, async () => {
    const { seen, asked, isLost } = await watched((response) => setImmediate(broken, response));
    assert.deepEqual(seen, [4, 5]);
    assert.deepEqual(asked, [3, 4]);
    assert.equal(isLost, false, "a line that is taken up again at once was not lost");
  });
}

test("what the service itself says of a watch ends it", async () => {
  const details = [{ type: "google.rpc.ErrorInfo", value: Buffer.from("\n\x11TOKEN_WRONG_MATCH").toString("base64") }];
  const refused = end({ code: "permission_denied", message: "no", details });
  await assert.rejects(
    watched((response) => void response.end(refused)),
    (failure) => asEmethError(failure).reason === "TOKEN_WRONG_MATCH",
  );
});
