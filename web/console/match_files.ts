/** A match as files of this device. */

import type { Emeth, ExportFormat } from "../client/index.ts";

/** An exported file of a match. */
export interface ExportedFile {
  readonly filename: string;
  readonly content: Blob;
}

/** Export a match in one of the formats. */
export async function exported(service: Emeth, matchId: string, format: ExportFormat): Promise<ExportedFile> {
  const chunks: Uint8Array[] = [];
  let [filename, type] = ["", ""];
  for await (const chunk of service.history.exportMatch({ matchId, format })) {
    filename ||= chunk.filename;
    type ||= chunk.contentType;
    chunks.push(chunk.data);
  }
  return { filename, content: new Blob(chunks as BlobPart[], { type }) };
}

/** Have the browser save a file. */
export function saved({ filename, content }: ExportedFile): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
