// Sockets, by npm's `ws` in the folder that the benchmark keeps its packages in.

import { createRequire } from "node:module";

export const packages = createRequire(`${process.env.QUIVER_BENCH_PACKAGES}/`);
const WebSocket = packages("ws");

/** Opens a websocket; `onFrame(bytes, socket)` gets each frame, `onFault` a word if it closes. */
export function dial({ url, origin, cookie }, onFrame, onFault) {
  return new Promise((done, fail) => {
    const socket = new WebSocket(url, {
      origin,
      headers: cookie ? { Cookie: cookie } : {},
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    socket.on("message", (frame) => onFrame(frame, socket));
    socket.on("error", fail);
    socket.on("open", () => done(socket));
    const terminate = socket.terminate.bind(socket);
    socket.on("close", (code, why) => onFault(`${url} was closed: ${code} ${why}`));
    socket.terminate = () => {
      socket.removeAllListeners("close");
      terminate();
    };
  });
}
