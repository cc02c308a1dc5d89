/**
 * The engine of a page: it analyses positions in a worker, so that the page stays quick.
 *
 * Load it with `import()` when somebody asks for an analysis; the README here has an example.
 */

import { t } from "../lib/text.js";
import { workerUrl } from "../lib/trusted-types.js";

const ADDRESS = "/engine-worker.js";

/** Silence after which a searching worker counts as ended by the browser. */
const SILENCE_MS = 20_000;

/** The engine cannot run in this browser, or was ended by it; the message is for people. */
export class EngineUnavailable extends Error {
  name = "EngineUnavailable";
}

/**
 * Starts a worker for one rule set. EngineUnavailable without WebAssembly or workers.
 *
 * @param {EngineKey} key
 */
export function openEngine(key) {
  if (!("WebAssembly" in globalThis) || !("Worker" in globalThis)) throw unavailable();
  // The policy of trusted types makes the type that the constructor asks for.
  const address = /** @type {string} */ (/** @type {unknown} */ (workerUrl(ADDRESS)));
  return new Engine(key, new Worker(address, { type: "module" }));
}

export class Engine {
  /**
   * @param {EngineKey} key
   * @param {Worker} worker
   */
  constructor(key, worker) {
    this.key = key;
    this.worker = worker;
    this.lastId = 0;
    /** @type {{ id: number, order: Extract<WorkerOrder, { type: "analyse" }>, options: AnalyseOptions, latest: Analysis, resolve: (analysis: Analysis) => void, reject: (error: Error) => void } | null} */
    this.job = null;
    /** @type {Error | null} */
    this.failure = null;
    worker.onmessage = (event) => this.#receive(event.data);
    worker.onerror = () => this.#fail(unavailable());
    worker.onmessageerror = () => this.#fail(unavailable());
    this.silence = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    this.handleVisibility = () => this.#rest();
    globalThis.document?.addEventListener("visibilitychange", this.handleVisibility);
  }

  /**
   * Resolves to the lines of a position, the best first, when all nodes are examined or it is stopped.
   *
   * The same position, nodes and seed give the same lines on every machine. An analysis that still
   * runs is stopped. While the page is hidden nothing is searched: it begins anew when it is seen again.
   * Rejects with SyntaxError for what is no position, RangeError for too many nodes,
   * EngineUnavailable where the engine cannot run.
   *
   * @param {string | PositionView} position the rules' text of a position, or a game's view
   * @param {AnalyseOptions} options
   * @returns {Promise<Analysis>}
   */
  analyse(position, options) {
    this.stop();
    if (this.failure) return Promise.reject(this.failure);
    const id = ++this.lastId;
    const { nodes, seed = 1, lines = 1 } = options;
    return new Promise((resolve, reject) => {
      const latest = { lines: [], nodes: 0, isDone: false };
      const work = { key: this.key, position, nodes, seed, lines };
      /** @type {Extract<WorkerOrder, { type: "analyse" }>} */
      const order = { type: "analyse", id, ...work };
      this.job = { id, order, options, latest, resolve, reject };
      if (!globalThis.document?.hidden) this.#begin();
    });
  }

  /** Ends the running analysis, if there is one: it resolves to the last lines that were reported. */
  stop() {
    const job = this.job;
    if (!job) return;
    this.#end();
    this.#send({ type: "stop", id: job.id });
    job.resolve(job.latest);
  }

  /** Ends the worker and frees its memory; the engine cannot be used again. */
  close() {
    this.stop();
    this.worker.terminate();
    globalThis.document?.removeEventListener("visibilitychange", this.handleVisibility);
    this.failure = new EngineUnavailable("the engine was closed");
  }

  /** Has the worker search the job. */
  #begin() {
    if (!this.job) return;
    this.#send(this.job.order);
    this.#await();
  }

  /** Waits for a report, but not for ever. */
  #await() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.worker.terminate();
      this.#fail(unavailable());
    }, SILENCE_MS);
  }

  #end() {
    clearTimeout(this.silence);
    this.job = null;
  }

  /** The page was hidden, and the worker rests; or it is seen again, and the job begins anew. */
  #rest() {
    if (!this.job) return;
    if (!document.hidden) {
      this.#begin();
      return;
    }
    clearTimeout(this.silence);
    this.#send({ type: "stop", id: this.job.id });
    // Reports that are under way are of the search that was stopped.
    const id = ++this.lastId;
    this.job = { ...this.job, id, order: { ...this.job.order, id } };
  }

  #send(/** @type {WorkerOrder} */ order) {
    this.worker.postMessage(order);
  }

  #receive(/** @type {WorkerReport} */ report) {
    const job = this.job;
    if (!job || report.id !== job.id) return; // of an analysis that was stopped
    if (report.type === "failed") {
      this.#end();
      job.reject(errorOf(report.name, report.message));
      return;
    }
    const { lines, nodes, isDone } = report;
    job.latest = { lines, nodes, isDone };
    this.#await();
    job.options.onLines?.(job.latest);
    if (!isDone || this.job !== job) return;
    this.#end();
    job.resolve(job.latest);
  }

  #fail(/** @type {Error} */ error) {
    this.failure = error;
    this.job?.reject(error);
    this.#end();
  }
}

function unavailable() {
  return new EngineUnavailable(
    t("The engine can’t run in this browser. Everything else on the page works."),
  );
}

/** @param {string} name @param {string} message */
function errorOf(name, message) {
  if (name === "SyntaxError") return new SyntaxError(message);
  return name === "RangeError" ? new RangeError(message) : unavailable();
}
