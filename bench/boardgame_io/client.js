// So many matches at once, each with one move under way, and so many moves in all: how many a second.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { game } = require("./game.js");

const [matches, most] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${process.env.PORT}`;

function until(client, holds) {
  return new Promise((resolve) => {
    const stop = client.subscribe((state) => {
      if (state && holds(state)) {
        queueMicrotask(() => stop());
        resolve();
      }
    });
  });
}

async function begin(number) {
  const matchID = `bench-${number}`;
  const client = Client({
    game,
    multiplayer: SocketIO({ server }),
    matchID,
    playerID: "0",
    debug: false,
  });
  client.start();
  await until(client, () => true);
  return client;
}

async function main() {
  const clients = [];
  for (let number = 0; number < matches; number += 1) clients.push(await begin(number));
  let begun = 0;
  async function play(client) {
    while (begun < most) {
      begun += 1;
      const due = client.getState().G.moves + 1;
      const moved = until(client, (state) => state.G.moves >= due);
      client.moves.play("a1-b1");
      await moved;
    }
  }
  const start = performance.now();
  await Promise.all(clients.map(play));
  console.log((most / (performance.now() - start)) * 1000);
  process.exit(0);
}

main();
