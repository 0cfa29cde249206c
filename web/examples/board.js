/** Hands the board what is behind the # of the address, and shows the match's caption. */

import "@emeth/board";

const given = new URLSearchParams(location.hash.slice(1));
const board = document.querySelector("emeth-board");
for (const [attribute, name] of [
  ["base", "base"],
  ["match", "match"],
  ["token", "token"],
  ["theme", "theme"],
]) {
  if (given.has(name)) board.setAttribute(attribute, given.get(name));
}
board.addEventListener("match-change", ({ detail: view }) => {
  document.querySelector("#caption").textContent = view.match?.caption ?? "";
});
