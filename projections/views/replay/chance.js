// Every draw made again from the seed that was revealed, as `docs/chance.md` says, with its lists.
const RANGE = 1n << 256n;

/** The packs whose cards are listed here; draws from any other are not checked. */
const PACKS = {
  "res-arcana": "fd94b26a48da1994396192b2c304b9b5316bec1417b216dc8ace79014951bfc5",
  "golem-arcana": "a741ee937eb13440bcee583af5ac1e4cd218e21c77d568a63550f23ccedd5f4f",
};
const TILES = [
  ["alchemists-tower", "sacred-grove"],
  ["cursed-forge", "dwarven-mines"],
  ["coral-castle", "sunken-reef"],
  ["catacombs-of-the-dead", "sacrificial-pit"],
  ["dragons-lair", "sorcerers-bestiary"],
];
const CARDS = {
  monuments: `colossus golden-statue great-pyramid hanging-gardens library mausoleum obelisk oracle
    solomons-mine temple`.split(/\s+/),
  mages: `alchemist artificer druid duelist healer necromancer scholar seer transmuter
    witch`.split(/\s+/),
  artifacts: `athanor bone-dragon celestial-horse chalice-of-fire chalice-of-life corrupt-altar crypt
    cursed-skull dancing-sword dragon-bridle dragon-egg dragon-teeth dwarven-pickaxe earth-dragon
    elemental-spring elvish-bow fiery-whip fire-dragon flaming-pit fountain-of-youth guard-dog
    hand-of-glory hawk horn-of-plenty hypnotic-basin jeweled-statuette magical-shard mermaid
    nightingale philosophers-stone prism ring-of-midas sacrificial-dagger sea-serpent treant
    tree-of-life vault water-dragon wind-dragon windup-man`.split(/\s+/),
};
const SCENARIOS = {
  "night-of-embers": {
    encounters: {
      "buried-cache": ["b3", "d3", "f4"],
      "unquiet-grave": ["a4", "c3", "e6"],
      stranger: ["c4"],
    },
    quests: [1, 2, 3],
  },
};

// --- the scheme ------------------------------------------------------------------------------------

async function hmac(key, message) {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", key, hash, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

/** The next number below a bound that a draw gives: the first, unless it is told where to go on. */
async function drawnBelow(bound, seed, match, number, shares, next = { block: 0 }) {
  const parts = ["emeth draw 1", match, String(number), ...shares].map((part) => utf8.encode(part));
  const message = parts.flatMap((part) => [utf8.encode(`${part.length}:`), part]);
  const key = await hmac(fromHex(seed), joined(...message));
  const most = RANGE - (RANGE % BigInt(bound));
  for (;;) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, BigInt(next.block));
    next.block += 1;
    const value = BigInt(`0x${toHex(await hmac(key, counter))}`);
    if (value < most) return Number(value % BigInt(bound));
  }
}

// --- the lists -------------------------------------------------------------------------------------

const upTo = (count) => Array.from({ length: count }, (_, n) => n + 1);
const SIDES = upTo(3);

/** The events that lead to a version, without those that were undone. */
function leadingTo(log, version) {
  const path = [];
  while (version > 0) {
    const event = log[version - 1];
    const back = event.type === "match.LineContinued" || event.verdict === "reverted";
    demand(!back || event.to < version, `event ${version} goes back to no event before it`);
    path.push(event);
    version = back ? event.to : version - 1;
  }
  return path.reverse();
}

function factsIn(events, type, wanted = {}) {
  return events
    .flatMap((event) => event.facts ?? [])
    .filter((fact) => fact.type === type)
    .filter((fact) => Object.entries(wanted).every(([name, value]) => fact[name] === value));
}

/** Those of a list that no fact of this type before it names. */
function left(list, before, type, field) {
  const gone = new Set(factsIn(before, type).map((fact) => fact[field]));
  return list.filter((each) => !gone.has(each));
}

/** The cards of a pile that are still to be shuffled: this draw's, and those of the draws after it. */
function shuffled(log, event, first) {
  const pile = { seat: first.seat, pile: first.pile };
  const found = [];
  for (const each of log.slice(event.version - 1)) {
    const cards = factsIn([each], "res-arcana.card-shuffled", pile);
    if (each.draw === undefined || !cards.length) break;
    found.push(...cards.map((fact) => fact.card));
  }
  return found;
}

/** The card of an entry of Res Arcana, and those that it is one of. */
function cardEntry(log, event, before) {
  const { action, facts: [first] } = event;
  const places = () => TILES[factsIn(before, "res-arcana.place-shown").length];
  const dealt = () => CARDS[first.to === "mages" ? "mages" : "artifacts"];
  const lists = {
    "res-arcana.place-shown": places,
    "res-arcana.monument-stacked": () => left(CARDS.monuments, before, first.type, "card"),
    "res-arcana.card-dealt": () => left(dealt(), before, first.type, "card"),
    "res-arcana.card-shuffled": () => shuffled(log, event, first),
  };
  return [action.card, lists[first.type]()];
}

function dieEntry(log, { action, rulings }) {
  const ruling = rulings.find((each) => each.rules.includes("ga.displace.place"));
  return [action.roll, upTo(ruling.figures.possible.split(", ").length)];
}

function hideEntry(log, event, before) {
  const type = "golem-arcana.encounter-hidden";
  const [{ encounter }] = factsIn([event], type);
  const regions = SCENARIOS[log[0].options.scenario].encounters[encounter];
  return [event.action.number, upTo(left(regions, before, type, "region").length)];
}

function questEntry(log, { action }, before) {
  const { quests } = SCENARIOS[log[0].options.scenario];
  return [action.number, left(quests, before, "golem-arcana.quest-dealt", "number")];
}

/** By kind of action: what came, and what might have come. */
const LISTS = {
  "earthen-war.dice": (log, { action: { dice } }) => [
    dice.join(" "),
    dice.length === 1 ? SIDES : SIDES.flatMap((one) => SIDES.map((two) => `${one} ${two}`)),
  ],
  "tokars-arcana.first": (log, { action }) => [action.seat, ["north", "south"]],
  "res-arcana.first": (log, { action }, before) => [
    action.seat,
    left(log[0].seats, before, "res-arcana.seat-resigned", "seat"),
  ],
  "res-arcana.flip": cardEntry,
  "res-arcana.next": cardEntry,
  "res-arcana.deal": cardEntry,
  "golem-arcana.dice": (log, { action }) => [
    action.roll,
    Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0")),
  ],
  "golem-arcana.die": dieEntry,
  "golem-arcana.hide": hideEntry,
  "golem-arcana.quest": questEntry,
};

/** Is there a list for this draw? There is none for other games, and none for other packs. */
function isListed(log, event) {
  const { game, options } = log[0];
  if (event.type === "match.Began") return true;
  return event.action.type in LISTS && (!(game in PACKS) || options.pack === PACKS[game]);
}

/** The same for a draw of the seats: each, with the one that its player had taken. */
async function seatsAgain(seats, event, shares, seed) {
  const left = [...seats].sort();
  const [came, due, next] = [[], [], { block: 0 }];
  for (const seat of seats) {
    const below = left.length;
    const at =
      below > 1 ? await drawnBelow(below, seed, event.match, event.draw, shares, next) : 0;
    due.push(`${seat}=${left.splice(at, 1)[0]}`);
    came.push(`${seat}=${event.seats?.[seat]}`);
  }
  return { came: came.join(" "), due: due.join(" ") };
}

/** What the seed gives for a draw, as text, and what the event says that came. */
async function drawnAgain(log, { event, shares }, seed) {
  if (event.type === "match.Began") return seatsAgain(log[0].seats, event, shares, seed);
  const before = leadingTo(log, event.version - 1);
  const [came, possible] = LISTS[event.action.type](log, event, before);
  const entries = possible.map(String).sort(); // all are ASCII: by sign is by byte
  demand(entries.length, "nothing could have been drawn");
  const number = await drawnBelow(entries.length, seed, event.match, event.draw, shares);
  return { came: String(came), due: entries[number] };
}
