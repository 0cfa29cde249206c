import{L as e,S as t,Z as n}from"./index-Dn-nqMsl.js";import{n as r}from"./proofs_page-B9N3fZr3.js";var i=`// Every draw made again from the seed that was revealed, as \`docs/chance.md\` says, with its lists.
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
  monuments: \`colossus golden-statue great-pyramid hanging-gardens library mausoleum obelisk oracle
    solomons-mine temple\`.split(/\\s+/),
  mages: \`alchemist artificer druid duelist healer necromancer scholar seer transmuter
    witch\`.split(/\\s+/),
  artifacts: \`athanor bone-dragon celestial-horse chalice-of-fire chalice-of-life corrupt-altar crypt
    cursed-skull dancing-sword dragon-bridle dragon-egg dragon-teeth dwarven-pickaxe earth-dragon
    elemental-spring elvish-bow fiery-whip fire-dragon flaming-pit fountain-of-youth guard-dog
    hand-of-glory hawk horn-of-plenty hypnotic-basin jeweled-statuette magical-shard mermaid
    nightingale philosophers-stone prism ring-of-midas sacrificial-dagger sea-serpent treant
    tree-of-life vault water-dragon wind-dragon windup-man\`.split(/\\s+/),
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
  const message = parts.flatMap((part) => [utf8.encode(\`\${part.length}:\`), part]);
  const key = await hmac(fromHex(seed), joined(...message));
  const most = RANGE - (RANGE % BigInt(bound));
  for (;;) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, BigInt(next.block));
    next.block += 1;
    const value = BigInt(\`0x\${toHex(await hmac(key, counter))}\`);
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
    demand(!back || event.to < version, \`event \${version} goes back to no event before it\`);
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
    dice.length === 1 ? SIDES : SIDES.flatMap((one) => SIDES.map((two) => \`\${one} \${two}\`)),
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
    due.push(\`\${seat}=\${left.splice(at, 1)[0]}\`);
    came.push(\`\${seat}=\${event.seats?.[seat]}\`);
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
`,a=`// Checks the file of a match as far as that takes none of its rules: \`docs/export.md\`, "Checking it".
const EVENT = /^\\{"digest":"([0-9a-f]{64})","event":(\\{.*\\})\\}$/s;
const BODY = '{"digest":"","event":'.length + GENESIS.length;
const CONFIRM = "button confirm";
const TAPS = ["table.TapTaken", "table.ScanTaken"];
const figure = (number) => number.toLocaleString("en");
const counted = (number) => \`\${figure(number)} \${number === 1 ? "event" : "events"}\`;

/** What one check came to: it \`holds\` or \`fails\`, is \`open\` where it could not be made here, or there
 * was \`nothing\` to check. */
class Check {
  constructor(name) {
    Object.assign(this, { name, state: "holds", text: "", findings: [] });
  }

  /** Note what is wrong; \`version\` is of the event where it shows, 0 for none. */
  find(version, why) {
    this.state = "fails";
    this.findings.push({ version, why });
  }

  /** Do this, and take whatever goes wrong for a finding: a forged file can bring about anything. */
  async trying(version, work) {
    try {
      await work();
    } catch (error) {
      this.find(version, error instanceof Finding ? error.message : "it cannot be read");
    }
  }
}

// --- reading ---------------------------------------------------------------------------------------

/** The bytes that were packed with gzip and written in base64. */
async function unpacked(packed) {
  const stream = new Blob([fromBase64(packed)]).stream();
  const whole = new Response(stream.pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await whole.arrayBuffer());
}

/** The lines of a file, without the line feeds that end them. */
function linesOf(raw) {
  const lines = [];
  let from = 0;
  for (let end = raw.indexOf(10); end >= 0; end = raw.indexOf(10, from)) {
    lines.push(raw.subarray(from, end));
    from = end + 1;
  }
  demand(from === raw.length, "the file is cut off: its last line does not end");
  demand(lines.length >= 3, \`the file has \${lines.length} lines, and a match has at least 3\`);
  return lines;
}

const toText = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

function readEvent(line) {
  const [, digest, body] = EVENT.exec(toText(line)) ?? [];
  demand(digest, "it is not written as events are");
  return { digest, body: line.subarray(BODY, -1), event: JSON.parse(body) };
}

/** The file cut into its parts. What is not written as it should be is found. */
async function readFile(raw, check) {
  const file = { log: [], taps: [], header: "", trailer: null, unread: false };
  await check.trying(0, async () => {
    const lines = linesOf(raw);
    const [first, ...middle] = lines;
    const last = middle.pop();
    const evidence = middle.findIndex((line) => !toText(line).startsWith('{"digest":'));
    const count = evidence < 0 ? middle.length : evidence;
    file.taps = middle.slice(count);
    for (const [place, line] of middle.slice(0, count).entries()) {
      await check.trying(place + 1, async () => file.log.push(readEvent(line)));
      if (file.log.length <= place) return;
    }
    demand(file.log.length, "the file has no event");
    file.header = toText(first);
    file.trailer = readTrailer(toText(last));
    const { game, match } = file.log[0].event;
    const written = JSON.stringify({
      format: file.taps.length ? 2 : 1, game, match, type: "emeth.match",
    });
    demand(file.header === written, "line 1 is not the header that belongs to this match");
  });
  check.text = \`\${counted(file.log.length)} between a header and who vouches for them, and nothing else.\`;
  return file;
}

function readTrailer(line) {
  const told = JSON.parse(line);
  const fields = ["key", "position", "receipt", ...("taps" in told ? ["taps"] : [])];
  demand(
    fields.every((name) => typeof told[name] === "string") && told.taps !== "" &&
      JSON.stringify(Object.fromEntries(fields.map((name) => [name, told[name]]))) === line,
    "the last line is not written as it should be",
  );
  return told;
}

// --- events ----------------------------------------------------------------------------------------

/** The digest of each event over its bytes and the digest before it. */
async function checkDigests({ log }, check, progress) {
  let previous = GENESIS;
  for (const [place, { digest, body, event }] of log.entries()) {
    const due = await linked(previous, body);
    if (due !== digest) check.find(place + 1, await culprit(log, place, due));
    previous = digest;
    progress(place + 1, log.length);
  }
  const salted = log.filter(({ event }) => event.salt).length;
  const salts = \`; a salt in \${figure(salted)} of them keeps anybody from guessing what they hide\`;
  const whole = \`None was changed: \${counted(log.length)} with the digest that the bytes give\`;
  check.text = \`\${whole}\${salted ? salts : ""}.\`;
}

/** Which was changed, the event or its digest? The next one's digest tells. */
async function culprit(log, place, due) {
  const next = log[place + 1];
  if (next && (await linked(log[place].digest, next.body)) === next.digest) {
    return "the event was changed, or the one before it: the next one follows its digest";
  }
  if (next && (await linked(due, next.body)) === next.digest) {
    return "its digest was changed: the next event follows the one that its bytes give";
  }
  return "its bytes and the digest before it do not give its digest";
}

/** Is each event the next one of this match? */
function checkOrder({ log }, check) {
  log.forEach(({ event }, place) => {
    const version = place + 1;
    if (event.version !== version) {
      check.find(version, \`event \${version} is due here, and this says it is \${event.version}\`);
    } else if (event.match !== log[0].event.match) {
      check.find(version, "it is an event of another match");
    } else if ((event.type === "match.MatchCreated") !== (place === 0)) {
      check.find(version, "a match is created by its first event, and by no other");
    }
  });
  check.text = \`None is missing: events 1 to \${figure(log.length)} follow each other without a gap.\`;
}

// --- signatures ------------------------------------------------------------------------------------

const NO_ED25519 = "This browser does not know Ed25519, so the signature is not checked here.";

/** The service's word for the last event, and with it for all. */
async function checkReceipt({ log, taps, trailer }, check, signatures) {
  const { event, digest } = log[log.length - 1];
  const key = await readKey(trailer.key);
  const [word, match, version, signed, ...rest] = await opened(key, trailer.receipt, 4, signatures);
  demand(word === "emeth receipt" && !rest.length, "what is signed is not a receipt");
  demand(match === event.match, \`the receipt is for match \${match}\`);
  demand(
    version === String(log.length) && signed === digest,
    \`the receipt is for event \${version} with another digest or number than the last one here\`,
  );
  demand(taps.length > 0 === "taps" in trailer, "the last line does not go with the taps");
  if (taps.length) {
    const lines = taps.flatMap((line) => [line, [10]]);
    const due = ["emeth taps", event.match, toHex(await sha256(...lines))].join();
    const told = await opened(key, trailer.taps, 3, signatures);
    demand(told.join() === due, "the last line does not vouch for these taps");
  }
  const last = figure(log.length);
  check.text = \`\${key.name} signed event \${last}, and with it all before it. Its key: \${trailer.key}\`;
  if (!signatures) Object.assign(check, { state: "open", text: NO_ED25519 });
}

/** The last event in the tree over the whole log. */
async function checkPlace({ log }, proof, check, signatures) {
  const key = await readKey(proof.key);
  const place = await provenPlace(key, proof.text, log[log.length - 1].digest, signatures);
  const [last, number, size] = [log.length, place.index + 1, place.size].map(figure);
  check.text = \`Event \${last} is entry \${number} of the \${size} in the signed log of \${key.name}.\`;
  if (!signatures) Object.assign(check, { state: "open", text: NO_ED25519 });
}

// --- taps ------------------------------------------------------------------------------------------

const nameOf = (table, version) => \`tap \${version} of table \${table}\`;

/** The taps in the file, each proven to be in the log of the checkpoint above it. */
async function provenTaps(lines, check, signatures) {
  const [found, lost] = [new Map(), new Set()];
  let log = null;
  for (const line of lines) {
    await check.trying(0, async () => {
      const text = toText(line);
      const told = JSON.parse(text);
      if (told.lost) {
        told.lost.versions.forEach((version) => lost.add(nameOf(told.lost.table, version)));
      } else if (told.checkpoint) {
        log = null;
        log = await checkpointOf(await readKey(told.key), told.checkpoint, signatures);
      } else {
        const tap = await provenTap(line, text, told, log);
        const name = nameOf(tap.table, tap.version);
        demand(!found.has(name), \`\${name} is there twice\`);
        found.set(name, tap);
      }
    });
  }
  return { found, lost };
}

async function provenTap(line, text, told, log) {
  demand(log, "a tap has no checkpoint above it");
  const name = nameOf(told.tap?.event?.table, told.tap?.event?.version);
  const before = utf8.encode(text.slice(0, text.indexOf('"tap":') + 6)).length;
  const { digest, body, event } = readEvent(line.subarray(before, -1));
  demand(TAPS.includes(event.type), \`\${name} is not a tap\`);
  demand([told.previous, ...told.hashes].every((hash) => HEX.test(hash)), \`\${name} has no proof\`);
  demand((await linked(told.previous, body)) === digest, \`the bytes of \${name} do not give its digest\`);
  const path = told.hashes.map(fromHex);
  demand(await included(fromHex(digest), told.index, path, log), \`\${name} is not proven to be in the log\`);
  return event;
}

async function checkTaps({ log, taps }, check, signatures) {
  const { found, lost } = await provenTaps(taps, check, signatures);
  const unnamed = new Set(found.keys());
  let actions = 0;
  for (const [place, { event }] of log.entries()) {
    const named = event.source?.taps;
    if (!named) continue;
    actions += 1;
    const names = named.versions.map((version) => nameOf(named.table, version));
    names.forEach((name) => unnamed.delete(name));
    for (const name of names.filter((each) => !found.has(each) && !lost.has(each))) {
      check.find(place + 1, \`it names \${name}, which is not in the file\`);
    }
    if (names.every((name) => found.has(name))) {
      const [fault] = faults(event, named, names.map((name) => found.get(name)));
      if (fault) check.find(place + 1, fault);
    }
  }
  for (const name of unnamed) check.find(0, \`no action names \${name}\`);
  const gone = lost.size ? \`; \${figure(lost.size)} are said to be lost\` : "";
  const [taken, done] = [found.size, actions].map(figure);
  check.text = \`\${taken} taps of a stylus are in the service's log, behind \${done} actions\${gone}.\`;
  if (!signatures && check.state === "holds") {
    Object.assign(check, { state: "open", text: NO_ED25519 });
  }
}

/** What speaks against these taps having asked for the action. */
function faults(event, named, taps) {
  const last = taps[taps.length - 1];
  if (!last) return ["it came from a stylus, and names no tap"];
  const ordered = taps.every((tap, n) => n === 0 || taps[n - 1].version < tap.version);
  const request = \`\${last.gateway}/\${last.epoch}/\${last.seq}\`;
  return [
    [ordered, "its taps are not in the order in which they were recorded"],
    [taps.every((tap) => tap.match === event.match), "one of its taps was for another match"],
    [
      taps.every((tap) => tap.gateway === named.gateway && (tap.stylus ?? "") === named.stylus),
      "one of its taps is of another stylus",
    ],
    [
      taps.slice(0, -1).every((tap) => ["done", "refused"].includes(tap.outcome)),
      "one of its taps selected nothing",
    ],
    [
      last.outcome === "acted" && last.target === CONFIRM,
      \`tap \${last.version} is not the Confirm that completed it\`,
    ],
    [
      (last.match_version ?? 0) + 1 === event.version && (last.after ?? 0) >= event.version &&
        last.at === event.at && event.request === request,
      \`tap \${last.version} completed another action\`,
    ],
  ].filter(([holds]) => !holds).map(([, why]) => why);
}

// --- chance ----------------------------------------------------------------------------------------

/** Each draw of the service against the seed that was revealed. */
async function checkChance({ log }, check) {
  // What an event says of its own place is another check's.
  const told = log.map(({ event }, place) => ({ ...event, version: place + 1 }));
  const shares = [];
  let [promised, waiting, made, number, unlisted] = [told[0].commitment ?? "", [], 0, 0, 0];
  let renewed = [];
  for (const event of told) {
    if (event.type === "match.SeatClaimed" && event.entropy) {
      shares.push(\`\${event.seat}:\${event.entropy}\`);
    } else if (event.draw !== undefined) {
      number += 1;
      if (event.draw !== number) {
        check.find(event.version, \`draw \${number} is due, and this is \${event.draw}\`);
      }
      waiting.push({ event, shares: [...shares] });
    } else if (event.type === "match.ChanceRenewed") {
      renewed.push({ promised, waiting });
      [promised, waiting] = [event.commitment, []];
    } else if (event.type === "match.SeedRevealed") {
      await check.trying(event.version, async () => {
        const seeds = [...(event.earlier ?? []), event.seed];
        const promises = [...renewed, { promised, waiting }];
        demand(seeds.length === promises.length, "it does not reveal each seed that was promised");
        for (const [place, seed] of seeds.entries()) {
          const drawn = promises[place];
          demand(HEX.test(seed), "the seed does not have 64 digits");
          const fits = toHex(await sha256(fromHex(seed))) === drawn.promised;
          demand(fits, "the seed is not the one that was promised before the first draw");
          const listed = drawn.waiting.filter((draw) => isListed(told, draw.event));
          unlisted += drawn.waiting.length - listed.length;
          for (const draw of listed) made += await checkDraw(told, draw, seed, check);
        }
        [renewed, waiting] = [[], []];
      });
      promised = event.following;
    }
  }
  const open = [...renewed, { waiting }].flatMap((each) => each.waiting).length;
  summed(check, { number, made, waiting: open, unlisted });
}

/** 1 if the draw is the one that the seed gives, else 0 and a finding. */
async function checkDraw(log, draw, seed, check) {
  const { event } = draw;
  const before = check.findings.length;
  await check.trying(event.version, async () => {
    const { came, due } = await drawnAgain(log, draw, seed);
    demand(came === due, \`draw \${event.draw} came out as \${came}, and the seed gives \${due}\`);
  });
  return check.findings.length === before ? 1 : 0;
}

function summed(check, { number, made, waiting, unlisted }) {
  if (!number) {
    check.text = "The service drew nothing in this match: what chance showed, the players entered.";
    if (check.state === "holds") check.state = "nothing";
    return;
  }
  const parts = [
    made && \`\${figure(made)} of \${figure(number)} draws are what the promised seed gives\`,
    waiting && \`\${figure(waiting)} wait for the seed, which is revealed when the match is over\`,
    unlisted && \`\${figure(unlisted)} are of a game or a pack that is not known here\`,
  ].filter(Boolean);
  check.text = \`\${parts.join("; ")}.\`;
  if (made < number && check.state === "holds") check.state = "open";
}

// --- the page --------------------------------------------------------------------------------------

/** Is what the page shows what the file has? */
function checkShown({ log }, shown, check) {
  shown.forEach((frame, place) => {
    const { digest, event } = log[place] ?? {};
    if (!event) {
      check.find(frame.version, "the page shows it, and the file does not have it");
    } else if (frame.version !== event.version || frame.digest !== digest) {
      check.find(place + 1, \`the page shows event \${frame.version} with another digest or number\`);
    } else if (frame.at.slice(0, 19) !== event.at.slice(0, 19).replace("T", " ")) {
      check.find(place + 1, "the page shows it with another time");
    }
  });
  if (shown.length < log.length) check.find(shown.length + 1, "the file has it, and the page does not");
  check.text = \`It shows what the file has: \${counted(shown.length)}, with number, digest and time.\`;
}

/** All checks, in the order in which people want to know. \`proof\` may be missing. */
async function checkMatch({ raw, shown, proof }, progress = () => {}) {
  const signatures = await knowsEd25519();
  const checks = [];
  const take = async (name, work) => {
    const check = new Check(name);
    checks.push(check);
    await check.trying(0, () => work(check));
    return check;
  };
  let file;
  const form = await take("The file", async (check) => {
    file = await readFile(raw, check);
  });
  if (!file.log.length) return checks;
  await take("The events", (check) => checkDigests(file, check, progress));
  await take("Their order", (check) => checkOrder(file, check));
  if (form.state === "holds") {
    await take("The signature", (check) => checkReceipt(file, check, signatures));
    if (proof) {
      await take("The log", (check) => checkPlace(file, proof, check, signatures));
    }
    if (file.taps.length || file.log.some(({ event }) => event.source?.taps)) {
      await take("The taps", (check) => checkTaps(file, check, signatures));
    }
  }
  await take("Dice and cards", (check) => checkChance(file, check));
  if (shown) await take("This page", (check) => checkShown(file, shown, check));
  return checks;
}
`,o=`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%HASH%'; img-src data:">
<title>%TITLE%</title>
<style>
:root { --paper: #fbf8f2; --ink: #2b2620; --faint: #6a6055; --line: #d9cfbf; --hot: #8a4b1d; --chosen: #efe4cc; --good: #2c6e3f; --bad: #a3291d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1d1b19; --ink: #efe9df; --faint: #b0a598; --line: #443e37; --hot: #e6a567; --chosen: #3a332a; --good: #7fc791; --bad: #ff8f7f; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.45 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
main { display: grid; grid-template-columns: minmax(0, 1fr) 24rem; gap: 1rem; height: 100vh; height: 100dvh; padding: 1rem; }
h1 { font-size: 1.1rem; margin: 0 0 .25rem; }
#table { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
#board { flex: 1; min-height: 0; display: flex; justify-content: center; }
#board svg { width: 100%; height: 100%; }
#board.tall { overflow-y: auto; }
#board.tall svg { height: auto; align-self: flex-start; }
#said { min-height: 3.2em; margin: .5rem 0; }
#keys { display: flex; gap: .5rem; align-items: center; }
#place { white-space: nowrap; }
#keys input { flex: 1; min-width: 4rem; accent-color: var(--hot); }
button { font: inherit; min-width: 2.75rem; min-height: 2.75rem; color: inherit; background: none; border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
button:hover, button:focus-visible { border-color: var(--hot); }
aside { display: flex; flex-direction: column; min-height: 0; }
#events { flex: 1; position: relative; overflow-y: auto; margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
#events > li { border-bottom: 1px solid var(--line); }
#events > li > button { display: block; width: 100%; text-align: left; border: 0; border-radius: 0; padding: .4rem .5rem; }
#events > li[aria-current] > button { background: var(--chosen); box-shadow: inset 4px 0 var(--hot); }
.number { color: var(--faint); margin-right: .5em; font-variant-numeric: tabular-nums; }
.notation { color: var(--faint); font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .85em; overflow-wrap: anywhere; }
#why { max-height: 45%; overflow-y: auto; border-top: 1px solid var(--line); padding: .25rem .5rem; font-size: .9em; }
#why h2 { font-size: 1em; margin: .4rem 0 .2rem; }
#why ul { margin: 0; padding-left: 1.1rem; }
#foot { display: flex; gap: .75rem; align-items: center; border-top: 1px solid var(--line); padding-top: .5rem; }
#foot button { flex: none; padding: 0 .9rem; }
#foot p { margin: 0; }
dialog { width: min(44rem, calc(100vw - 1.5rem)); max-height: calc(100dvh - 1.5rem); overflow-y: auto; padding: 1rem 1.25rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; }
dialog::backdrop { background: #0008; }
dialog h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
dialog h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
dialog button { padding: 0 .9rem; }
dialog form { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: flex-end; margin-top: 1rem; }
dialog ul { margin: 0; padding-left: 1.1rem; }
#verdict { margin: 0 0 .5rem; font-weight: 600; }
#checks { list-style: none; padding: 0; }
#checks > li { display: grid; grid-template-columns: 1.6rem 1fr; padding: .35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
#checks .sign { font-weight: 700; }
#checks p { margin: 0; }
#checks .holds { color: var(--good); }
#checks .fails { color: var(--bad); }
#checks .open { color: var(--faint); }
.found { grid-column: 2; }
.found button { display: block; width: 100%; min-height: 2.2rem; margin-top: .3rem; padding: .3rem .6rem; text-align: left; border-color: var(--bad); }
.note { color: var(--faint); font-size: .85em; }
@media (max-width: 60rem) {
  main { grid-template-columns: minmax(0, 1fr); height: auto; padding: .5rem; }
  #table { position: sticky; top: 0; z-index: 1; background: var(--paper); padding-bottom: .25rem; }
  #board { display: block; max-height: 60vh; overflow-y: auto; }
  #board svg { width: 100%; height: auto; max-height: none; }
  #keys { flex-wrap: wrap; }
  #keys input { order: -1; flex-basis: 100%; }
  #place { margin-left: auto; }
  #events { max-height: 50vh; }
  #why { max-height: none; }
}
</style>
</head>
<body>
<main>
<section id="table" aria-label="The board">
<h1></h1>
<div id="board"></div>
<p id="said" aria-live="polite"></p>
<div id="keys">
<button id="first" aria-label="To the start" title="Home">&#x00AB;</button>
<button id="back" aria-label="One event back" title="Left arrow">&#x2039;</button>
<button id="play" aria-label="Play" title="Space">&#x25B6;&#xFE0E;</button>
<button id="next" aria-label="One event on" title="Right arrow">&#x203A;</button>
<button id="last" aria-label="To the end" title="End">&#x00BB;</button>
<input id="scrubber" type="range" min="0" value="0" aria-label="Event">
<span id="place"></span>
</div>
</section>
<aside aria-label="What happened">
<ol id="events"></ol>
<section id="why" aria-label="Facts and rulings"></section>
<div id="foot">
<button id="check" hidden>Check this match</button>
<p class="note">%NOTE%</p>
</div>
</aside>
</main>
<dialog id="report" aria-labelledby="checked">
<h2 id="checked">Is this match what was recorded?</h2>
<p id="verdict" role="status"></p>
<ul id="checks"></ul>
<h3>What is not checked here</h3>
<ul class="note">
<li>Whether the rules allow each action, and lead to these facts and rulings, and to the position in the file: <code>emeth verify</code> runs the rules again, and needs no service for it.</li>
<li>The drawings and the sentences: they are how the service told these events.</li>
<li>Whose key it is: anybody can sign with a key of their own. Compare it with the one that you know the service by.</li>
<li>This page itself: whoever made it could have changed what it says. The file can be checked by other programs.</li>
</ul>
<form method="dialog"><button type="button" id="save">Save the file of the match</button> <button autofocus>Close</button></form>
</dialog>
<script type="application/json" id="match">%MATCH%<\/script>
<script>%SCRIPT%<\/script>
</body>
</html>
`,s=`// The button that checks the match, and what it shows.
const SIGNS = {
  holds: ["\\u2713", "holds"],
  fails: ["\\u2717", "does not hold"],
  open: ["\\u2013", "not checked"],
  nothing: ["\\u2013", "nothing to check"],
};
const [report, verdict] = [by("report"), by("verdict")];

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** A line of what was found; one about an event leads to it. */
function findingLine({ version, why }) {
  const place = frames.findIndex((frame) => frame.version === version);
  if (place < 0) return element("p", "", version ? \`Event \${version}: \${why}.\` : \`\${why}.\`);
  const line = element("button", "", \`Event \${version}: \${why}.\`);
  line.addEventListener("click", () => {
    report.close();
    stop();
    go(place);
  });
  return line;
}

function checkLine(check) {
  const [sign, words] = SIGNS[check.state];
  const mark = element("span", \`sign \${check.state}\`, sign);
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", words);
  const text = element("p", "");
  text.append(element("strong", "", \`\${check.name}. \`), check.findings.length ? "" : check.text);
  const found = element("div", "found");
  const most = 20; // a file that is wrong throughout says so in as many lines
  found.append(...check.findings.slice(0, most).map(findingLine));
  if (check.findings.length > most) found.append(\`and \${check.findings.length - most} more\`);
  const line = element("li", "");
  line.append(mark, text, found);
  return line;
}

function concluded(checks) {
  const count = (state) => checks.filter((check) => check.state === state).length;
  const made = checks.length - count("nothing");
  if (count("fails")) return \`No: \${count("fails")} of \${made} checks found something wrong.\`;
  if (!count("open")) return \`Yes: all \${made} checks hold.\`;
  return \`Nothing is wrong, but not all can be checked here: \${count("holds")} of \${made} checks hold.\`;
}

async function checked() {
  report.showModal();
  by("checks").replaceChildren();
  if (!globalThis.crypto?.subtle) {
    verdict.textContent = "This browser computes no digests for a page from a disk: nothing is checked.";
    return;
  }
  let raw;
  try {
    raw = await proofs.unpacked(match.file);
  } catch {
    verdict.textContent = "No: the file in this page is damaged, or this browser is too old to unpack it.";
    return;
  }
  const checks = await proofs.checkMatch({ raw, shown: frames, proof: match.proof }, (done, all) => {
    verdict.textContent = \`Checking event \${done} of \${all} \\u2026\`;
  });
  verdict.textContent = concluded(checks);
  by("checks").replaceChildren(...checks.map(checkLine));
}

async function saved() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await proofs.unpacked(match.file)]));
  link.download = "match.emeth";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

by("check").hidden = false;
by("check").addEventListener("click", checked);
by("save").addEventListener("click", saved);
// So that a link can lead there.
if (location.hash === "#check") checked();
`,c=`// Digests, signed notes and the tree over the log, as \`docs/export.md\` and \`docs/proofs.md\` say.
const HEX = /^[0-9a-f]{64}$/;
const GENESIS = "0".repeat(64);
const utf8 = new TextEncoder();

/** What a check found; its message is for people. */
class Finding extends Error {}

function demand(holds, why) {
  if (!holds) throw new Finding(why);
}

// --- bytes -----------------------------------------------------------------------------------------

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text) {
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

/** The bytes in base64, of which each has one spelling only. */
function fromBase64(text) {
  let raw;
  try {
    raw = atob(text);
  } catch {
    raw = null;
  }
  demand(raw !== null && btoa(raw) === text, "it has something that is not base64");
  return Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
}

function same(one, other) {
  return toHex(one) === toHex(other);
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
}

/** The digest of an event: over the digest before it, and its bytes. */
async function linked(previous, body) {
  return toHex(await sha256(fromHex(previous), body));
}

// --- signatures ------------------------------------------------------------------------------------

/** Does this browser know Ed25519? Found out with the first test key of RFC 8032. */
async function knowsEd25519() {
  const known = fromHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  try {
    await crypto.subtle.importKey("raw", known, "Ed25519", false, ["verify"]);
    return true;
  } catch {
    return false;
  }
}

/** The public key in a line of text. */
async function readKey(text) {
  const [, name, id, encoded] = /^([^\\s+]+)\\+([0-9a-f]{8})\\+(.+)$/.exec(text) ?? [];
  demand(name, "it has no public key");
  const raw = fromBase64(encoded);
  demand(raw.length === 33 && raw[0] === 1, "its key is not an Ed25519 key");
  const due = (await sha256(utf8.encode(\`\${name}\\n\`), raw)).slice(0, 4);
  demand(toHex(due) === id, \`the id of the key \${name} is not \${id}\`);
  return { name, id: due, raw: raw.slice(1) };
}

/** The lines of a note that has this many, and below them the one signature of this key. A browser
 * that does not know Ed25519 reads it unchecked: whoever calls says so. */
async function opened(key, note, count, signatures) {
  const end = note.lastIndexOf("\\n\\n");
  const [text, below] = [note.slice(0, end + 1), note.slice(end + 2)];
  const [, name, encoded] = /^\\u2014 (\\S+) (\\S+)\\n$/.exec(below) ?? [];
  const lines = text.split("\\n").slice(0, -1);
  demand(end > 0 && name && lines.length === count, "a signed text is not written as it should be");
  const signature = fromBase64(encoded);
  demand(
    name === key.name && same(signature.slice(0, 4), key.id),
    \`it is signed with another key than that of \${key.name}\`,
  );
  if (signatures) {
    const verifier = await crypto.subtle.importKey("raw", key.raw, "Ed25519", false, ["verify"]);
    const holds = await crypto.subtle.verify(
      "Ed25519", verifier, signature.slice(4), utf8.encode(text),
    );
    demand(holds, \`the signature of \${key.name} does not fit what it signs\`);
  }
  return lines;
}

/** The log as a checkpoint tells of it: how many events, and the root of the tree. */
async function checkpointOf(key, note, signatures) {
  const [origin, size, root] = await opened(key, note, 3, signatures);
  demand(origin && /^(0|[1-9]\\d*)$/.test(size), "the checkpoint is not written as it should be");
  return { origin, size: Number(size), root: fromBase64(root) };
}

// --- the tree --------------------------------------------------------------------------------------

/** Does the path lead from this leaf to the root of the tree? */
async function included(leaf, index, path, { size, root }) {
  const found = await rootFrom(leaf, index, path, size);
  return found !== null && same(found, root);
}

/** The root to which the path leads from this leaf, if it is as long as is due; else null.
 * RFC 9162, section 2.1.3.2. */
async function rootFrom(leaf, index, path, size) {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return null;
  const half = (number) => Math.floor(number / 2); // \`>>\` would cut at 32 bits
  let [place, last, node] = [index, size - 1, await sha256([0], leaf)];
  for (const step of path) {
    if (last === 0) return null;
    if (place % 2 || place === last) {
      node = await sha256([1], step, node);
      while (place && place % 2 === 0) [place, last] = [half(place), half(last)];
    } else {
      node = await sha256([1], node, step);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? node : null;
}

/** Where in which log a proof in the form tlog-proof shows that this digest is. */
async function provenPlace(key, proof, digest, signatures) {
  const end = proof.indexOf("\\n\\n");
  const [form, place, ...path] = proof.slice(0, end).split("\\n");
  const [, index] = /^index (\\d+)$/.exec(place ?? "") ?? [];
  demand(form === "c2sp.org/tlog-proof@v1" && index, "the proof is not written as it should be");
  const log = await checkpointOf(key, proof.slice(end + 2), signatures);
  demand(
    await included(fromHex(digest), Number(index), path.map(fromBase64), log),
    \`the proof does not lead to the log that \${key.name} signed for\`,
  );
  return { ...log, index: Number(index) };
}
`,l=`"use strict";
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
  scrubber.setAttribute("aria-valuetext", \`Event \${frame.version}: \${frame.sentence}\`);
  place.textContent = \`\${frame.version} of \${frames[frames.length - 1].version}\`;
  const notation = document.createElement("p");
  notation.className = "notation";
  const digest = \`digest \${frame.digest.slice(0, 12)}\\u2026\`;
  notation.textContent = [frame.notation, frame.at, digest].filter(Boolean).join("   ");
  notation.title = frame.digest;
  why.replaceChildren(notation, ...list("What happened", frame.facts), ...list("By which rules", frame.rulings));
  [...events.children].forEach((item, n) => item.toggleAttribute("aria-current", n === at));
  const item = events.children[at];
  events.scrollTop = item.offsetTop - (events.clientHeight - item.clientHeight) / 2;
  if (!quiet) history.replaceState(null, "", \`#\${frame.version}\`);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  by("play").setAttribute("aria-label", "Play");
  by("play").textContent = "\\u25B6\\uFE0E";
}

function play() {
  if (timer) return stop();
  if (at === frames.length - 1) go(0);
  by("play").setAttribute("aria-label", "Pause");
  by("play").textContent = "\\u23F8\\uFE0E";
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
  const found = frames.findIndex((frame) => \`#\${frame.version}\` === location.hash);
  go(found < 0 ? 0 : found, { quiet: true });
}
addEventListener("hashchange", opened);
phone.addEventListener("change", () => go(at, { quiet: true }));
opened();
`,u=`A replay as its viewer may see it. The file of the match is in it, and is checked without a network.`,d=`A replay as its viewer may see it. It shows what was recorded and checks nothing: this game hides things, so that the file to check takes the referee's token.`,f=/(?<=>)(?=\s*<)/;async function p(e,t,n,i){let{matchId:a}=t,o=i?await r(e,a):void 0,s=o?_(o):t.version,[c,l]=[await m(e,a,s,!1),await m(e,a,s,!0)],u=new Map,d=e=>e.split(f).map(e=>{let t=u.get(e)??u.size;return u.set(e,t),t}),p=c.map((e,t)=>({...g(e),svg:d(h(e)),narrow:d(h(l[t]))})),x=y(t,n),S=o?await v(e,a,s,o):{};return b(x,{title:x,pieces:[...u.keys()],frames:p,...S},i)}async function m(t,n,r,i){let a=[],o=new AbortController,s={matchId:n,format:e.SVG,narrow:i};for await(let{news:e}of t.views.watchMatch(s,{signal:o.signal}))if(e.case===`event`&&(a.push(e.value),e.value.event?.version===r))break;return o.abort(),a}function h(e){return e?.drawing.case===`svg`?e.drawing.value:``}function g({event:e}){let t=e?.at?n(e.at).toISOString().slice(0,19).replace(`T`,` `):``;return{version:Number(e?.version??0),digest:e?.digest??``,at:`${t} UTC`,sentence:e?.sentence??``,notation:e?.action?.human||e?.action?.notation||``,facts:(e?.facts??[]).map(({sentence:e})=>e).filter(Boolean),rulings:(e?.rulings??[]).map(({sentence:e})=>e)}}function _(e){return BigInt(new TextDecoder().decode(e).split(`
{"digest":`).length-1)}async function v(e,t,n,r){let i={case:`inclusion`,value:{matchId:t,version:n}},[{verifierKey:a},{proof:o}]=await Promise.all([e.audit.getCheckpoint({}),e.audit.getProof({of:i})]),s=new Blob([r]).stream().pipeThrough(new CompressionStream(`gzip`));return{file:S(new Uint8Array(await new Response(s).arrayBuffer())),proof:{key:a,text:o}}}function y({title:e,seats:n},r){return[e,r,n.map(({name:e,player:n})=>n||t(e)).join(` against `)].filter(Boolean).join(`: `)}async function b(e,t,n){let r=`const proofs = (() => {\n${c}${i}${a}return { checkMatch, unpacked };\n})();\n`,f=l+(n?r+s:``),p=await crypto.subtle.digest(`SHA-256`,new TextEncoder().encode(f)),m={TITLE:x(e),NOTE:x(n?u:d),SCRIPT:f,HASH:S(new Uint8Array(p)),MATCH:JSON.stringify(t).replaceAll(`<`,`\\u003c`)};return o.replace(/%([A-Z]+)%/g,(e,t)=>m[t]??e)}function x(e){let t={"&":`&amp;`,"<":`&lt;`,">":`&gt;`,'"':`&quot;`};return e.replace(/[&<>"]/g,e=>t[e]??e)}function S(e){let t=``;for(let n of e)t+=String.fromCharCode(n);return btoa(t)}export{p as replayFile};