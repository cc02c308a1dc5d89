/** The search of a host who waits in a public lobby: the page answers when somebody wants to join. */

import { leaveFor } from "../lib/leave.js";
import { SearchClient } from "./search-client.js";

/** A search that ended is begun again when the page looks at it anew, in ms. */
const RETRY_MS = 5000;

export class HostSearch {
  /** @param {string} lobby its code */
  constructor(lobby) {
    this.lobby = lobby;
    /** Null until the connection, which may be open already, is told of it. @type {SearchClient | null} */
    this.client = null;
    this.client = new SearchClient({
      isOpen: false,
      isBusy: false,
      onShow: (frame, reaction) => {
        if (reaction === "enter" && frame.game) leaveFor(frame.game);
      },
      onState: ({ open }) => {
        if (open) this.tell();
      },
    });
    setInterval(() => {
      if (this.client?.frame?.state === "ended") this.tell();
    }, RETRY_MS);
  }

  /** Tells the server that the page is there; it decides whether the host waits. */
  tell() {
    this.client?.subscription.send({ t: "host", lobby: this.lobby });
  }
}
