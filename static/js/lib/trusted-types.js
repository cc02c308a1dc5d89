/**
 * The addresses that scripts of workers may have: the only policy of trusted types on all pages.
 *
 * The header allows one policy of this name, made here when a page begins, so that no later script
 * can make another. Browsers without trusted types get the same check.
 */

export const POLICY_NAME = "quiver";

/** @type {readonly string[]} */
export const WORKER_ADDRESSES = ["/sw.js", "/engine-worker.js"];

/**
 * Returns the address if it is one of the workers'; TypeError otherwise. Pure.
 *
 * @param {string} address
 */
export function checkWorkerAddress(address) {
  if (!WORKER_ADDRESSES.includes(address)) throw new TypeError(`${address} is no worker's script`);
  return address;
}

/** @type {{ createScriptURL: (address: string) => string }} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy(POLICY_NAME, {
  createScriptURL: checkWorkerAddress,
}) ?? { createScriptURL: checkWorkerAddress };

/**
 * Returns a worker's address in the type that browsers ask for where a script is started.
 *
 * @param {string} address
 */
export function workerUrl(address) {
  return policy.createScriptURL(address);
}
