// Opens lines a few at a time: a server's queue of connections that wait is short.

const AT_ONCE = 12;

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Runs `open` for each; raises the first error. */
export async function opened(all, open) {
  const waiting = all.values();
  const work = async () => {
    for (const one of waiting) await open(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
