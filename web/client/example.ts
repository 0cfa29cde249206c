/**
 * Plays a match of any game against itself, by random actions:
 * `node client/example.ts http://localhost:50080 agog 40`.
 */

import { Chance, Emeth, EmethError, requestId } from "./index.ts";

const [baseUrl = "http://localhost:50080", game = "agog", most = "40"] = process.argv.slice(2);
const service = new Emeth({ baseUrl, client: "example/1" });

// A new match and a token for each role; the service rolls the dice.
const created = await service.matches.createMatch({
  requestId: requestId(),
  game,
  chance: Chance.ROLLED,
});
const matchId = created.match?.matchId ?? "";

// A spectator watches to the end: each event comes as a sentence.
const watched = (async () => {
  const spectator = service.with(created.tokens["spectator"] ?? "");
  for await (const { event } of spectator.watch(matchId, { untilOver: true })) {
    console.log(`${event?.version} ${event?.sentence}`);
  }
})();

// Whoever is asked chooses any of the legal actions.
let asks = created.match?.asks ?? [];
for (let taken = 0; taken < Number(most) && asks[0]; taken += 1) {
  const player = service.with(created.tokens[asks[0].seat] ?? "");
  const listed = await player.play.listActions({ matchId, pageSize: 500 });
  const actions = listed.actions.filter((each) => each.verb !== "resign");
  const action = actions[Math.floor(Math.random() * actions.length)];
  if (!action) break;
  const { outcome } = await player.submit(matchId, action.notation, listed.version);
  if (outcome.case === "refused") throw new Error(outcome.value.why);
  asks = outcome.value?.asks ?? [];
}

// A mistake has a reason, and a message for people.
try {
  await service.matches.getMatch({ matchId: "nonsense" });
} catch (error) {
  if (error instanceof EmethError) console.log(`${error.reason}: ${error.rawMessage}`);
}
if (asks[0]) {
  const player = service.with(created.tokens[asks[0].seat] ?? "");
  await player.play.resign({ requestId: requestId(), matchId });
}
await watched;
