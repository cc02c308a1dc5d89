/** Parts of the page that are fetched when they are needed, or when the page has nothing else to do. */

const AGAIN = 4000; // ms until a part that could not be had is asked for again

async function had(get) {
  try {
    return await get();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the page says so elsewhere
    await new Promise((done) => setTimeout(done, AGAIN));
    return had(get);
  }
}

/**
 * `get()` imports the part's module, `make(module)` makes the part of it. Gives a function that takes
 * a deed, and does it with the part once that is there, one deed after the other.
 */
export function later(get, make) {
  let part = null;
  return (deed) => {
    part ??= had(get).then(make);
    part.then(deed);
  };
}

/** Does something once the page is loaded and idle. */
export function whenIdle(deed) {
  const wait = globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 200));
  if (document.readyState === "complete") wait(deed);
  else addEventListener("load", () => wait(deed), { once: true });
}
