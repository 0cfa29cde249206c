/** A match as files of this device. */

import type { Emeth } from "../client/index.ts";

/** The file of a match, which verifies without a service. */
export function exported(service: Emeth, matchId: string): Promise<Uint8Array> {
  return whole(service.history.exportMatch({ matchId }));
}

/** One page that replays the match with no network, and checks it where its file may be in it. */
export function replay(service: Emeth, matchId: string): Promise<Uint8Array> {
  return whole(service.history.exportReplay({ matchId }));
}

async function whole(stream: AsyncIterable<{ piece: Uint8Array }>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const { piece } of stream) pieces.push(piece);
  return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
}

/** The match as text for people, which the service can read back. */
export async function transcript(service: Emeth, matchId: string): Promise<string> {
  return (await service.history.getTranscript({ matchId })).transcript;
}

/** The match in the rulebook's score notation. */
export async function scoreSheet(service: Emeth, matchId: string): Promise<string> {
  return (await service.history.getRecord({ matchId })).record;
}

/** Have the browser save a file. */
export function saved(name: string, content: Uint8Array | string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content as BlobPart]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
