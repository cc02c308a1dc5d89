/** The memory of an engine: where its arrays lie, by the manifest of its build. Pure. */

const PAGE_BYTES = 65536;
/** Of a worker's memory: 64 MB. */
export const MAX_PAGES = 1024;
const ALIGNMENT_BYTES = 16;

/** @type {Record<string, new (buffer: ArrayBuffer, at: number, length: number) => NumberArray>} */
const KINDS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};
const WORD_BYTES = 8;

/** Returns a memory that a module imports; it grows to what a search asks for. */
export function newMemory() {
  return new WebAssembly.Memory({ initial: 4, maximum: MAX_PAGES });
}

export class EngineMemory {
  /**
   * @param {WebAssembly.Memory} memory
   * @param {number} base the first byte that the module leaves free
   * @param {ArrayLayout[]} arrays
   */
  constructor(memory, base, arrays) {
    this.memory = memory;
    this.arrays = arrays;
    this.table = align(base);
    /** @type {Map<string, { address: number, dtype: string, length: number }>} */
    this.places = new Map();
  }

  /**
   * Finds room for all arrays of a tree of this size, and writes their addresses to the table.
   *
   * Arrays whose length is fixed keep their place and their contents. Throws an Error if the
   * browser has no memory left.
   *
   * @param {number} nodes
   * @param {number} edges
   */
  allocate(nodes, edges) {
    const isFixed = (/** @type {ArrayLayout} */ each) => typeof each.length === "number";
    const order = [...this.arrays.filter(isFixed), ...this.arrays.filter((each) => !isFixed(each))];
    let end = align(this.table + this.arrays.length * WORD_BYTES);
    for (const { name, dtype, length } of order) {
      const items = length === "nodes" ? nodes : length === "edges" ? edges : length;
      this.places.set(name, { address: end, dtype, length: items });
      end = align(end + items * (KINDS[dtype]?.prototype.BYTES_PER_ELEMENT ?? WORD_BYTES));
    }
    const missing = Math.ceil((end - this.memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) this.#grow(missing);
    const table = new BigInt64Array(this.memory.buffer, this.table, this.arrays.length);
    this.arrays.forEach(({ name }, index) => {
      table[index] = BigInt(this.#place(name).address);
    });
  }

  /** Returns a view of an array; void once the memory has grown. */
  numbers(/** @type {string} */ name) {
    const { address, dtype, length } = this.#place(name);
    return new KINDS[dtype](this.memory.buffer, address, length);
  }

  /** Returns a view of an array of 64-bit integers. */
  words(/** @type {string} */ name) {
    const { address, length } = this.#place(name);
    return new BigInt64Array(this.memory.buffer, address, length);
  }

  #grow(/** @type {number} */ pages) {
    try {
      this.memory.grow(pages);
    } catch {
      // Not as RangeError, which would blame what was asked for.
      throw new Error(`${pages} pages of memory are missing`);
    }
  }

  #place(/** @type {string} */ name) {
    const place = this.places.get(name);
    if (!place) throw new TypeError(`the engine has no array ${name}`);
    return place;
  }
}

function align(/** @type {number} */ address) {
  return Math.ceil(address / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}
