// So many matches at once, each with one move under way: how many moves in so many seconds.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { game } = require("./game.js");

const [matches, seconds] = process.argv.slice(2).map(Number);
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
  let moves = 0;
  // At its time, whatever is still under way: a move that is lost is waited for in vain.
  setTimeout(() => {
    console.log(moves / seconds);
    process.exit(0);
  }, seconds * 1000);
  async function play(client) {
    for (;;) {
      const due = client.getState().G.moves + 1;
      const moved = until(client, (state) => state.G.moves >= due);
      client.moves.play("a1-b1");
      await moved;
      moves += 1;
    }
  }
  await Promise.all(clients.map(play));
}

main();
