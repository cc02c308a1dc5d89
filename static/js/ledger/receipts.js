/**
 * Receipts and commitments that this tab has seen of a game, to compare them later with the ledger.
 *
 * Receipts of its own actions, and the fingerprints of orders seen while they were still sealed. Kept in
 * memory and in the tab's session storage, so that they outlive the page; in memory alone where storage
 * is refused.
 */

const MAX_RECEIPTS = 400; // receipts of one game

/** @type {(keyof Wire.Receipt)[]} */
const FIELDS = ["id", "rev", "hash", "at", "lag", "clock", "commitment"];

/**
 * @param {Storage} storage
 * @param {string} key
 */
function readStorage(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "{}");
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * @param {Storage} storage
 * @param {string} key
 * @param {unknown} value
 */
function writeStorage(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** The tab's storage; null where the browser refuses it. */
function tabStorage() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export class GameReceipts {
  /**
   * @param {string} game
   * @param {Storage | null} [storage]
   */
  constructor(game, storage = tabStorage()) {
    this.storage = storage;
    this.key = `quiver-told-${game}`;
    /** @type {Stored} */
    this.stored = { receipts: [], seals: {}, ...(storage ? readStorage(storage, this.key) : {}) };
  }

  get receipts() {
    return this.stored.receipts;
  }

  /**
   * Keeps a receipt that names the ledger's hash; the same one told again is kept once.
   *
   * @param {Wire.Receipt} receipt
   */
  keep(receipt) {
    if (!receipt.hash) return;
    const { id, rev, hash } = receipt;
    const rest = Object.fromEntries(FIELDS.map((field) => [field, receipt[field] ?? null]));
    const kept = { ...rest, id, rev, hash };
    const others = this.receipts.filter(({ id }) => id !== kept.id);
    this.put({ receipts: [...others, kept].slice(-MAX_RECEIPTS) });
  }

  /**
   * Keeps the fingerprints, by role, of the sealed actions of a step. The first one seen stays.
   *
   * @param {number} step
   * @param {Partial<Wire.ByRole<string>>} commitments
   */
  rememberCommitments(step, commitments) {
    /** @type {Partial<Wire.ByRole<string>>} */
    const before = this.stored.seals[step] ?? {};
    /** @type {Record<string, Partial<Wire.ByRole<string>>>} */
    const seals = { ...this.stored.seals, [step]: { ...commitments, ...before } };
    if (Object.keys(seals[step]).length > Object.keys(before).length) this.put({ seals });
  }

  /**
   * The fingerprint that was seen before it was opened; null if none was.
   *
   * @param {number} step
   * @param {Role} role
   */
  commitmentSeen(step, role) {
    return this.stored.seals[step]?.[role] ?? null;
  }

  /** @param {Partial<Stored>} change */
  put(change) {
    this.stored = { ...this.stored, ...change };
    if (this.storage) writeStorage(this.storage, this.key, this.stored);
  }
}
