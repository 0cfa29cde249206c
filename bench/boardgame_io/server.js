// A server of boardgame.io: in memory, or durable in the folder that FOLDER names.
const { Server, FlatFile } = require("boardgame.io/server");
const { game } = require("./game.js");

const { FOLDER, PORT } = process.env;
const stored = FOLDER ? { db: new FlatFile({ dir: FOLDER, logging: false }) } : {};
Server({ games: [game], origins: ["*"], ...stored }).run({ port: Number(PORT) }, () =>
  console.log("ready"),
);
