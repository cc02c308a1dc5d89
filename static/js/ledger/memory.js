/**
 * What this tab was told of a game, to compare it later with what the server says then: receipts of
 * its own actions, and the fingerprints of orders that it saw while they were still sealed. Kept in
 * memory and in the tab's own storage, so that it outlives the page; where storage is refused, in
 * memory alone.
 */

const MOST = 400; // receipts of one game

const FIELDS = ["id", "rev", "hash", "at", "lag", "clock", "commitment"];

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "{}");
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** The tab's storage; null where the browser refuses it. */
function tab() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export class Memory {
  constructor(game, storage = tab()) {
    Object.assign(this, { storage, key: `quiver-told-${game}` });
    this.told = { receipts: [], seals: {}, ...(storage ? read(storage, this.key) : {}) };
  }

  get receipts() {
    return this.told.receipts;
  }

  /** Keeps a receipt that names the ledger's hash; the same one told again is kept once. */
  keep(receipt) {
    if (!receipt.hash) return;
    const kept = Object.fromEntries(FIELDS.map((field) => [field, receipt[field] ?? null]));
    const others = this.receipts.filter(({ id }) => id !== kept.id);
    this.put({ receipts: [...others, kept].slice(-MOST) });
  }

  /** Keeps the fingerprints, by role, of what waits for a turn. The first one seen stays. */
  see(turn, commitments) {
    const before = this.told.seals[turn] ?? {};
    const seals = { ...this.told.seals, [turn]: { ...commitments, ...before } };
    if (Object.keys(seals[turn]).length > Object.keys(before).length) this.put({ seals });
  }

  /** The fingerprint that was seen before it was opened; null if none was. */
  seen(turn, role) {
    return this.told.seals[turn]?.[role] ?? null;
  }

  put(change) {
    this.told = { ...this.told, ...change };
    if (this.storage) write(this.storage, this.key, this.told);
  }
}
