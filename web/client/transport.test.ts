import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { serviceClient } from "./transport.ts";
import { AnalysisService, AnalyzeMatchResponseSchema, MistakeKind } from "./wire/emeth/v1/analysis_pb.js";
import { ArmiesService, ListArmiesResponseSchema } from "./wire/emeth/v1/armies_pb.js";
import { GamesService, GetGameResponseSchema, OptionType } from "./wire/emeth/v1/games_pb.js";
import { GetStatisticsResponseSchema, StatisticsService } from "./wire/emeth/v1/statistics_pb.js";

const MATCH = "7d0c4a4e-0d0e-4a0e-8a0e-000000000001";

/** Does something with the address of a server that answers so. */
async function served(answer: RequestListener, use: (baseUrl: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function whole(body: Uint8Array): RequestListener {
  return (_, response) => void response.writeHead(200, { "content-type": "application/proto" }).end(body);
}

function enveloped(body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

const event = (version: number) =>
  create(AnalyzeMatchResponseSchema, { version, mistake: MistakeKind.BLUNDER, winProbabilities: { white: 0.25 } });

test("a response with times is written by JSON.stringify as the API's own JSON", async () => {
  const time = { seconds: 1_795_519_351n, nanos: 500_000_000 };
  const army = { armyId: MATCH, createTime: time, roster: { golems: [{ type: "sand-lion" }] } };
  const body = toBinary(ListArmiesResponseSchema, create(ListArmiesResponseSchema, { armies: [army] }));
  await served(whole(body), async (baseUrl) => {
    const response = await serviceClient(ArmiesService, { baseUrl }).listArmies({});
    const written = {
      armyId: MATCH,
      createTime: "2026-11-24T11:22:31.500Z",
      roster: { golems: [{ type: "sand-lion" }] },
    };
    assert.deepEqual(JSON.parse(JSON.stringify(response)), { armies: [written] });
    assert.deepEqual(JSON.parse(JSON.stringify(response.armies[0])), written, "and so is a part of it");
    assert.equal(Object.keys(response).includes("toJSON"), false);
  });
});

test("durations, enums and values of any kind are written too", async () => {
  const spread = { min: { seconds: 3n }, max: { seconds: 90n } };
  const body = toBinary(
    GetStatisticsResponseSchema,
    create(GetStatisticsResponseSchema, { matches: 2, duration: spread }),
  );
  await served(whole(body), async (baseUrl) => {
    const response = await serviceClient(StatisticsService, { baseUrl }).getStatistics({});
    const written = JSON.parse(JSON.stringify({ told: response }));
    assert.deepEqual(written, { told: { matches: 2, duration: { min: "3s", max: "90s" } } });
  });
  const options = [
    { name: "handicap", type: OptionType.INTEGER, defaultValue: { kind: { case: "numberValue", value: 0 } } },
  ] as const;
  const game = { slug: "agog", options: [...options] };
  await served(
    whole(toBinary(GetGameResponseSchema, create(GetGameResponseSchema, { game }))),
    async (baseUrl) => {
      const response = await serviceClient(GamesService, { baseUrl }).getGame({ game: "agog" });
      assert.deepEqual(JSON.parse(JSON.stringify(response.game?.options)), [
        { name: "handicap", type: "OPTION_TYPE_INTEGER", defaultValue: 0 },
      ]);
    },
  );
});

test("who leaves a stream by break ends it on the wire", async () => {
  let closed: Promise<unknown> | undefined;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    closed = once(response, "close");
    response.writeHead(200, { "content-type": "application/connect+proto" });
    response.write(enveloped(toBinary(AnalyzeMatchResponseSchema, event(1))));
    response.write(enveloped(toBinary(AnalyzeMatchResponseSchema, event(2))));
    // It goes on: nothing more is written, and it is not ended.
  };
  await served(answer, async (baseUrl) => {
    const seen: string[] = [];
    for await (const each of serviceClient(AnalysisService, { baseUrl }).analyzeMatch({ matchId: MATCH })) {
      seen.push(JSON.stringify(each));
      break;
    }
    await closed;
    assert.deepEqual(seen.map((each) => JSON.parse(each)), [
      { version: 1, mistake: "MISTAKE_KIND_BLUNDER", winProbabilities: { white: 0.25 } },
    ]);
  });
});
