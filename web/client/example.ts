/** Plays a match of any game by random actions: `node client/example.ts http://localhost:20080 agog 40`. */

import { Chance, Emeth, EmethError, requestId } from "./index.ts";

const [baseUrl = "http://localhost:20080", game = "agog", most = "40"] = process.argv.slice(2);
const service = new Emeth({ baseUrl, client: "example/1" });

// A new match and a token for each role; the service rolls the dice.
const request = { requestId: requestId(), game, chance: Chance.ROLLED };
const { match, tokens } = await service.matches.createMatch(request);
const matchId = match?.matchId ?? "";
const as = (role: string): Emeth => service.with(tokens[role] ?? "");

// A spectator watches to the end: each event comes as a sentence.
const watched = (async () => {
  for await (const { event } of as("spectator").watch(matchId, { untilOver: true })) {
    console.log(`${event?.version} ${event?.sentence}`);
  }
})();

// Whoever is asked chooses any of the legal actions, and gives up in the end.
let prompts = match?.prompts ?? [];
for (let taken = 0; prompts[0]; taken += 1) {
  const player = as(prompts[0].seat);
  const { actions, version } = await player.play.listActions({ matchId, pageSize: 500 });
  const [action] = actions.filter(({ verb }) => verb !== "resign").sort(() => Math.random() - 0.5);
  if (!action || taken >= Number(most)) break;
  const { outcome } = await player.submit(matchId, action.notation, version);
  prompts = outcome.case === "accepted" ? outcome.value.prompts : [];
}

// A mistake has a reason, and a message for people.
await service.matches.getMatch({ matchId: "nonsense" }).catch((error: unknown) => {
  if (error instanceof EmethError) console.log(`${error.reason}: ${error.rawMessage}`);
});
if (prompts[0]) await as(prompts[0].seat).play.submitAction({
    requestId: requestId(),
    matchId,
    input: { case: "resignation", value: true },
  });
await watched;
