"use strict";
const match = JSON.parse(document.getElementById("match").textContent);
const { pieces, frames } = match;
const by = (id) => document.getElementById(id);
const [board, said, events, why, scrubber, place] =
  ["board", "said", "events", "why", "scrubber", "place"].map(by);
const phone = matchMedia("(max-width: 60rem)");
let at = 0;
let timer = 0;

document.querySelector("h1").textContent = match.title;
scrubber.max = frames.length - 1;
frames.forEach((frame, n) => {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = frame.version;
  button.append(number, frame.sentence);
  button.addEventListener("click", () => { stop(); go(n); });
  item.append(button);
  events.append(item);
});

function list(title, lines) {
  if (!lines.length) return [];
  const head = document.createElement("h2");
  const body = document.createElement("ul");
  head.textContent = title;
  body.append(...lines.map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }));
  return [head, body];
}

function go(n, { quiet = false } = {}) {
  at = Math.max(0, Math.min(frames.length - 1, n));
  const frame = frames[at];
  board.innerHTML = (phone.matches ? frame.narrow : frame.svg).map((piece) => pieces[piece]).join("");
  const { width, height } = board.firstElementChild.viewBox.baseVal;
  board.classList.toggle("tall", height > width);
  said.textContent = frame.sentence;
  scrubber.value = at;
  scrubber.setAttribute("aria-valuetext", `Event ${frame.version}: ${frame.sentence}`);
  place.textContent = `${frame.version} of ${frames[frames.length - 1].version}`;
  const notation = document.createElement("p");
  notation.className = "notation";
  const digest = `digest ${frame.digest.slice(0, 12)}\u2026`;
  notation.textContent = [frame.notation, frame.at, digest].filter(Boolean).join("   ");
  notation.title = frame.digest;
  why.replaceChildren(notation, ...list("What happened", frame.facts), ...list("By which rules", frame.rulings));
  [...events.children].forEach((item, n) => item.toggleAttribute("aria-current", n === at));
  const item = events.children[at];
  events.scrollTop = item.offsetTop - (events.clientHeight - item.clientHeight) / 2;
  if (!quiet) history.replaceState(null, "", `#${frame.version}`);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  by("play").setAttribute("aria-label", "Play");
  by("play").textContent = "\u25B6\uFE0E";
}

function play() {
  if (timer) return stop();
  if (at === frames.length - 1) go(0);
  by("play").setAttribute("aria-label", "Pause");
  by("play").textContent = "\u23F8\uFE0E";
  timer = setInterval(() => (at < frames.length - 1 ? go(at + 1) : stop()), 1200);
}

const moves = {
  Home: () => go(0), End: () => go(frames.length - 1),
  ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1),
  PageUp: () => go(at - 10), PageDown: () => go(at + 10),
};
by("first").addEventListener("click", () => { stop(); moves.Home(); });
by("back").addEventListener("click", () => { stop(); moves.ArrowLeft(); });
by("next").addEventListener("click", () => { stop(); moves.ArrowRight(); });
by("last").addEventListener("click", () => { stop(); moves.End(); });
by("play").addEventListener("click", play);
scrubber.addEventListener("input", () => { stop(); go(Number(scrubber.value)); });
document.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (pressed.key === " " && pressed.target.tagName !== "BUTTON") {
    pressed.preventDefault();
    play();
  } else if (moves[pressed.key] && pressed.target !== scrubber) {
    pressed.preventDefault();
    stop();
    moves[pressed.key]();
  }
});
function opened() {
  const found = frames.findIndex((frame) => `#${frame.version}` === location.hash);
  go(found < 0 ? 0 : found, { quiet: true });
}
addEventListener("hashchange", opened);
phone.addEventListener("change", () => go(at, { quiet: true }));
opened();
