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

// What the coach found, where the page has that: chances by version, and what was missed.
const analysis = JSON.parse(by("analysis")?.textContent ?? "null");
const worth = new Map((analysis?.events ?? []).map((each) => [each.version, each]));
let cursor;

function drawn(name, attributes, style = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.style.cssText = style;
  return made;
}

/** A line for each seat but the last, whose chances the others leave; a click goes there. */
function graph() {
  const last = Math.max(frames.length - 1, 1);
  const picture = drawn(
    "svg",
    { viewBox: `0 0 ${last} 100`, preserveAspectRatio: "none", role: "img" },
    "width:100%;height:4.5rem;border:1px solid var(--line);cursor:pointer;flex:none",
  );
  picture.id = "chances";
  const lines = analysis.seats.slice(0, -1);
  picture.setAttribute("aria-label", `How likely ${lines.join(", ")} was to win, event by event`);
  const plain = "fill:none;vector-effect:non-scaling-stroke";
  picture.append(drawn("path", { d: `M0 50H${last}` }, `${plain};stroke:var(--line)`));
  lines.forEach((seat, number) => {
    const points = frames.flatMap(({ version }, n) => {
      const chance = worth.get(version)?.chances[seat];
      return chance === undefined ? [] : [`${n},${100 - 100 * chance}`];
    });
    const dashes = number ? `;stroke-dasharray:${2 * number} ${2 * number}` : "";
    const style = `${plain};stroke:var(--hot);stroke-width:2px${dashes}`;
    picture.append(drawn("polyline", { points: points.join(" ") }, style));
  });
  frames.forEach(({ version }, n) => {
    const mistake = worth.get(version)?.mistake;
    if (!mistake) return;
    const style = `${plain};stroke:var(--bad);stroke-width:${mistake === "blunder" ? 3 : 1}px`;
    const mark = drawn("path", { d: `M${n} 88V100`, class: mistake }, style);
    picture.append(mark);
  });
  cursor = drawn("path", {}, `${plain};stroke:var(--ink)`);
  picture.append(cursor);
  picture.addEventListener("click", (pressed) => {
    const { left, width } = picture.getBoundingClientRect();
    stop();
    go(Math.round(((pressed.clientX - left) / width) * last));
  });
  by("keys").before(picture);
}

function missed(version) {
  const found = worth.get(version);
  if (!found) return [];
  const chances = Object.entries(found.chances).map(
    ([seat, chance]) => `${seat} ${Math.round(100 * chance)}%`,
  );
  const title = found.mistake ? `Chances to win: ${found.mistake}` : "Chances to win";
  return list(title, [chances.join(", "), ...found.missed]);
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
  cursor?.setAttribute("d", `M${at} 0V100`);
  const told = missed(frame.version);
  why.replaceChildren(notation, ...told, ...list("What happened", frame.facts), ...list("By which rules", frame.rulings));
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
if (analysis) graph();
addEventListener("hashchange", opened);
phone.addEventListener("change", () => go(at, { quiet: true }));
opened();
