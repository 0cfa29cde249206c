/** The tables of this browser: the keys of their gateways, and of those that are its own. */

const KEY = "emeth.tables";

export interface KnownTable {
  /** What people call it. */
  name: string;
  tableId: string;
  /** The key of this browser's gateway. */
  key: string;
  /** The key of the table's owner; empty if that is somebody else. */
  owner: string;
  /** The hardware id of this browser's stylus. */
  stylus: string;
}

export function knownTables(): KnownTable[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as KnownTable[]) : [];
  } catch {
    return unsaved;
  }
}

/** Keep a table, or what is new of it. */
export function keepTable(table: KnownTable): void {
  store([table, ...knownTables().filter(({ tableId }) => tableId !== table.tableId)]);
}

export function forgetTable(tableId: string): void {
  store(knownTables().filter((each) => each.tableId !== tableId));
}

/** A new hardware id: a stylus can be at one table only. */
export function newStylus(): string {
  const random = crypto.getRandomValues(new Uint8Array(4));
  return `page-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Kept for this page only, where the browser keeps nothing. */
let unsaved: KnownTable[] = [];

function store(tables: KnownTable[]): void {
  unsaved = tables;
  try {
    localStorage.setItem(KEY, JSON.stringify(tables));
  } catch {
    // It is in `unsaved`.
  }
}
