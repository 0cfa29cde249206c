/** What this browser keeps in its own database: receipts of what its user did, and checkpoints. */

const NAME = "emeth";
const VERSION = 1;

/** The service's signed word that it has recorded an event. */
export interface KeptReceipt {
  matchId: string;
  version: number;
  digest: string;
  signature: string;
  keyName: string;
  /** Where it is among those that were signed together; absent if it was signed by itself. */
  group?: { size: number; index: number; path: Uint8Array[] };
  /** When it came, by this device's clock: milliseconds since 1970. */
  at: number;
}

/** What the service said of its whole log. */
export interface KeptCheckpoint {
  /** The public key that it was signed with, from the first contact on. */
  key: string;
  note: string;
  at: number;
}

const STORES = { receipts: ["matchId", "version"], checkpoints: "key" } as const;
type Store = keyof typeof STORES;

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, VERSION);
    asked.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries(STORES)) {
        asked.result.createObjectStore(store, { keyPath: keyPath as string | string[] });
      }
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(new Error("This browser does not allow this page to store data."));
  });
  return opening;
}

async function asked<T>(
  store: Store,
  mode: IDBTransactionMode,
  call: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const open = await database();
  return new Promise((resolve, reject) => {
    const request = call(open.transaction(store, mode).objectStore(store));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(`This browser could not store the data: ${request.error}`));
  });
}

export async function keepReceipt(receipt: KeptReceipt): Promise<void> {
  await asked("receipts", "readwrite", (store) => store.put(receipt));
}

/** The receipts of a match in order, or all of them. */
export async function receiptsOf(matchId: string): Promise<KeptReceipt[]> {
  const range = matchId ? IDBKeyRange.bound([matchId, 0], [matchId, Number.MAX_SAFE_INTEGER]) : null;
  return asked("receipts", "readonly", (store) => store.getAll(range) as IDBRequest<KeptReceipt[]>);
}

export async function keepCheckpoint(checkpoint: KeptCheckpoint): Promise<void> {
  await asked("checkpoints", "readwrite", (store) => store.put(checkpoint));
}

/** The checkpoints of all keys that the service ever had: one, if all is well. */
export async function keptCheckpoints(): Promise<KeptCheckpoint[]> {
  return asked("checkpoints", "readonly", (store) => store.getAll() as IDBRequest<KeptCheckpoint[]>);
}
