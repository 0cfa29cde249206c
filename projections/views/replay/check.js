// Checks the file of a match as far as that takes none of its rules: `docs/export.md`, "Checking it".
const EVENT = /^\{"digest":"([0-9a-f]{64})","event":(\{.*\})\}$/s;
const BODY = '{"digest":"","event":'.length + GENESIS.length;
const CONFIRM = "button confirm";
const TAPS = ["table.TapTaken", "table.ScanTaken"]; // the second is written by earlier versions only
const figure = (number) => number.toLocaleString("en");
const counted = (number) => `${figure(number)} ${number === 1 ? "event" : "events"}`;

/** What one check came to: it `holds` or `fails`, is `open` where it could not be made here, or there
 * was `nothing` to check. */
class Check {
  constructor(name) {
    Object.assign(this, { name, state: "holds", text: "", findings: [] });
  }

  /** Note what is wrong; `version` is of the event where it shows, 0 for none. */
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
  demand(lines.length >= 3, `the file has ${lines.length} lines, and a match has at least 3`);
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
  check.text = `${counted(file.log.length)} between a header and who vouches for them, and nothing else.`;
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
  const salts = `; a salt in ${figure(salted)} of them keeps anybody from guessing what they hide`;
  const whole = `None was changed: ${counted(log.length)} with the digest that the bytes give`;
  check.text = `${whole}${salted ? salts : ""}.`;
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
      check.find(version, `event ${version} is due here, and this says it is ${event.version}`);
    } else if (event.match !== log[0].event.match) {
      check.find(version, "it is an event of another match");
    } else if ((event.type === "match.MatchCreated") !== (place === 0)) {
      check.find(version, "a match is created by its first event, and by no other");
    }
  });
  check.text = `None is missing: events 1 to ${figure(log.length)} follow each other without a gap.`;
}

// --- signatures ------------------------------------------------------------------------------------

const NO_ED25519 = "This browser does not know Ed25519, so the signature is not checked here.";

/** The service's word for the last event, and with it for all. */
async function checkReceipt({ log, taps, trailer }, check, signatures) {
  const { event, digest } = log[log.length - 1];
  const key = await readKey(trailer.key);
  const [word, match, version, signed, ...rest] = await opened(key, trailer.receipt, 4, signatures);
  demand(word === "emeth receipt" && !rest.length, "what is signed is not a receipt");
  demand(match === event.match, `the receipt is for match ${match}`);
  demand(
    version === String(log.length) && signed === digest,
    `the receipt is for event ${version} with another digest or number than the last one here`,
  );
  demand(taps.length > 0 === "taps" in trailer, "the last line does not go with the taps");
  if (taps.length) {
    const lines = taps.flatMap((line) => [line, [10]]);
    const due = ["emeth taps", event.match, toHex(await sha256(...lines))].join();
    const told = await opened(key, trailer.taps, 3, signatures);
    demand(told.join() === due, "the last line does not vouch for these taps");
  }
  const last = figure(log.length);
  check.text = `${key.name} signed event ${last}, and with it all before it. Its key: ${trailer.key}`;
  if (!signatures) Object.assign(check, { state: "open", text: NO_ED25519 });
}

/** The last event in the tree over the whole log. */
async function checkPlace({ log }, proof, check, signatures) {
  const key = await readKey(proof.key);
  const place = await provenPlace(key, proof.text, log[log.length - 1].digest, signatures);
  const [last, number, size] = [log.length, place.index + 1, place.size].map(figure);
  check.text = `Event ${last} is entry ${number} of the ${size} in the signed log of ${key.name}.`;
  if (!signatures) Object.assign(check, { state: "open", text: NO_ED25519 });
}

// --- taps ------------------------------------------------------------------------------------------

const nameOf = (table, version) => `tap ${version} of table ${table}`;

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
        demand(!found.has(name), `${name} is there twice`);
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
  demand(TAPS.includes(event.type), `${name} is not a tap`);
  demand([told.previous, ...told.hashes].every((hash) => HEX.test(hash)), `${name} has no proof`);
  demand((await linked(told.previous, body)) === digest, `the bytes of ${name} do not give its digest`);
  const path = told.hashes.map(fromHex);
  demand(await included(fromHex(digest), told.index, path, log), `${name} is not proven to be in the log`);
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
      check.find(place + 1, `it names ${name}, which is not in the file`);
    }
    if (names.every((name) => found.has(name))) {
      const [fault] = faults(event, named, names.map((name) => found.get(name)));
      if (fault) check.find(place + 1, fault);
    }
  }
  for (const name of unnamed) check.find(0, `no action names ${name}`);
  const gone = lost.size ? `; ${figure(lost.size)} are said to be lost` : "";
  const [taken, done] = [found.size, actions].map(figure);
  check.text = `${taken} taps of a stylus are in the service's log, behind ${done} actions${gone}.`;
  if (!signatures && check.state === "holds") {
    Object.assign(check, { state: "open", text: NO_ED25519 });
  }
}

/** What speaks against these taps having asked for the action. */
function faults(event, named, taps) {
  const last = taps[taps.length - 1];
  if (!last) return ["it came from a stylus, and names no tap"];
  const ordered = taps.every((tap, n) => n === 0 || taps[n - 1].version < tap.version);
  const request = `${last.gateway}/${last.epoch}/${last.seq}`;
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
      `tap ${last.version} is not the Confirm that completed it`,
    ],
    [
      (last.match_version ?? 0) + 1 === event.version && (last.after ?? 0) >= event.version &&
        last.at === event.at && event.request === request,
      `tap ${last.version} completed another action`,
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
      shares.push(`${event.seat}:${event.entropy}`);
    } else if (event.draw !== undefined) {
      number += 1;
      if (event.draw !== number) {
        check.find(event.version, `draw ${number} is due, and this is ${event.draw}`);
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
  const entered = told.some(({ entry }) => entry);
  summed(check, { number, entered, made, waiting: open, unlisted });
}

/** 1 if the draw is the one that the seed gives, else 0 and a finding. */
async function checkDraw(log, draw, seed, check) {
  const { event } = draw;
  const before = check.findings.length;
  await check.trying(event.version, async () => {
    const { came, due } = await drawnAgain(log, draw, seed);
    demand(came === due, `draw ${event.draw} came out as ${came}, and the seed gives ${due}`);
  });
  return check.findings.length === before ? 1 : 0;
}

function summed(check, { number, entered, made, waiting, unlisted }) {
  if (!number) {
    check.text = entered
      ? "The service drew nothing in this match: what chance showed, the players entered."
      : "Nothing in this match was left to chance.";
    if (check.state === "holds") check.state = "nothing";
    return;
  }
  const parts = [
    made && `${figure(made)} of ${figure(number)} draws are what the promised seed gives`,
    waiting && `${figure(waiting)} wait for the seed, which is revealed when the match is over`,
    unlisted && `${figure(unlisted)} are of a game or a pack that is not known here`,
  ].filter(Boolean);
  check.text = `${parts.join("; ")}.`;
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
      check.find(place + 1, `the page shows event ${frame.version} with another digest or number`);
    } else if (frame.at.slice(0, 19) !== event.at.slice(0, 19).replace("T", " ")) {
      check.find(place + 1, "the page shows it with another time");
    }
  });
  if (shown.length < log.length) check.find(shown.length + 1, "the file has it, and the page does not");
  check.text = `It shows what the file has: ${counted(shown.length)}, with number, digest and time.`;
}

/** All checks, in the order in which people want to know. `proof` may be missing. */
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
