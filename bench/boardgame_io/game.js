// The least of games, for both sides: a move is counted and kept, and the server alone makes it.
exports.game = {
  name: "count",
  minPlayers: 1,
  maxPlayers: 1,
  setup: () => ({ moves: 0, last: null }),
  moves: {
    play: {
      move: ({ G }, text) => {
        G.moves += 1;
        G.last = text;
      },
      client: false,
    },
  },
};
