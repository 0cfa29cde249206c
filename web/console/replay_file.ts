/**
 * A match as one file that replays it with no network, as `emeth export --html` writes it: made of the
 * same parts, which are scripts and a page of projections/replay.
 */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import chance from "../../projections/replay/chance.js?raw";
import check from "../../projections/replay/check.js?raw";
import template from "../../projections/replay/page.html?raw";
import panel from "../../projections/replay/panel.js?raw";
import proof from "../../projections/replay/proof.js?raw";
import replay from "../../projections/replay/replay.js?raw";
import { named } from "../board/words.ts";
import { type Emeth, type Match, SceneFormat, type WatchedEvent } from "../client/index.ts";
import { exported } from "./match_files.ts";

const CHECKED =
  "A replay as its viewer may see it. The file of the match is in it, and is checked without a network.";
const UNCHECKED =
  "A replay as its viewer may see it. It shows what was recorded and checks nothing: this game hides" +
  " things, so that the file to check takes the referee's token.";
/** Drawings are cut here: what most of them share is in the file once. */
const BETWEEN_TAGS = /(?<=>)(?=\s*<)/;

/** The page of a match as it stands; with its own file to be checked, where the viewer may have it. */
export async function replayFile(
  service: Emeth,
  match: Match,
  game: string,
  withFile: boolean,
): Promise<string> {
  const { matchId } = match;
  const raw = withFile ? await exported(service, matchId) : undefined;
  // The match may go on meanwhile: what is shown ends with the last event of the file.
  const until = raw ? eventsIn(raw) : match.version;
  const [wide, narrow] = [
    await drawn(service, matchId, until, false),
    await drawn(service, matchId, until, true),
  ];
  const pieces = new Map<string, number>();
  const cut = (svg: string): number[] =>
    svg.split(BETWEEN_TAGS).map((piece) => {
      const known = pieces.get(piece) ?? pieces.size;
      pieces.set(piece, known);
      return known;
    });
  const frames = wide.map((watched, place) => ({
    ...told(watched),
    svg: cut(svgOf(watched)),
    narrow: cut(svgOf(narrow[place])),
  }));
  const title = titleOf(match, game);
  const file = raw ? await evidence(service, matchId, until, raw) : {};
  return filled(title, { title, pieces: [...pieces.keys()], frames, ...file }, withFile);
}

/** The events up to a version, each with a drawing. */
async function drawn(
  service: Emeth,
  matchId: string,
  until: bigint,
  narrow: boolean,
): Promise<WatchedEvent[]> {
  const found: WatchedEvent[] = [];
  const signal = new AbortController();
  const asked = { matchId, format: SceneFormat.SVG, narrow };
  for await (const { news } of service.views.watchMatch(asked, { signal: signal.signal })) {
    if (news.case !== "event") continue;
    found.push(news.value);
    if (news.value.event?.version === until) break;
  }
  signal.abort();
  return found;
}

function svgOf(watched: WatchedEvent | undefined): string {
  return watched?.drawing.case === "svg" ? watched.drawing.value : "";
}

function told({ event }: WatchedEvent) {
  const at = event?.at ? timestampDate(event.at).toISOString().slice(0, 19).replace("T", " ") : "";
  return {
    version: Number(event?.version ?? 0),
    digest: event?.digest ?? "",
    at: `${at} UTC`,
    sentence: event?.sentence ?? "",
    notation: event?.action?.human || event?.action?.notation || "",
    facts: (event?.facts ?? []).map(({ sentence }) => sentence).filter(Boolean),
    rulings: (event?.rulings ?? []).map(({ sentence }) => sentence),
  };
}

function eventsIn(file: Uint8Array): bigint {
  return BigInt(new TextDecoder().decode(file).split('\n{"digest":').length - 1);
}

/** What the page checks: the match's file, and the proof that its last event is in the log. */
async function evidence(service: Emeth, matchId: string, version: bigint, raw: Uint8Array) {
  const of = { case: "inclusion", value: { matchId, version } } as const;
  const [{ verifierKey: key }, { proof: text }] = await Promise.all([
    service.audit.getCheckpoint({}),
    service.audit.getProof({ of }),
  ]);
  const packed = new Blob([raw as BlobPart]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return { file: base64(bytes), proof: { key, text } };
}

function titleOf({ title, seats }: Match, game: string): string {
  const players = seats.map(({ name, player }) => player || named(name)).join(" against ");
  return [title, game, players].filter(Boolean).join(": ");
}

/** The page with its places filled in, in one pass. */
async function filled(title: string, match: object, withFile: boolean): Promise<string> {
  const checks = `const proofs = (() => {\n${proof}${chance}${check}return { checkMatch, unpacked };\n})();\n`;
  const script = replay + (withFile ? checks + panel : "");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  const values: Record<string, string> = {
    TITLE: escaped(title),
    NOTE: escaped(withFile ? CHECKED : UNCHECKED),
    SCRIPT: script,
    HASH: base64(new Uint8Array(digest)),
    // No browser takes it for the end of its script.
    MATCH: JSON.stringify(match).replaceAll("<", "\\u003c"),
  };
  return template.replace(/%([A-Z]+)%/g, (place, name: string) => values[name] ?? place);
}

function escaped(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => names[sign] ?? sign);
}

function base64(bytes: Uint8Array): string {
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs);
}
