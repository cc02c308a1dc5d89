/** The page of a lobby: follows its socket, copies the link, goes to the game when that starts. */

import { fill, syncRows } from "./fill.js";
import { Line, addressOf } from "./socket.js";

const COPIED = "Copied. Send it to whom you like.";
const PATIENCE = 5000;
const BY_HAND = "The link is marked: copy it with Ctrl C, or by holding it down.";

/** Who stands in the list: host and seated with their dots, then everybody else who looks on. */
export function peopleOf(frame, crowd) {
  const known = frame.people.map(({ name, line }) => {
    const isHere = crowd ? crowd.here.includes(name) : null;
    return { name, line: isHere === false ? `${line}, away` : line, isHere };
  });
  if (!crowd) return known;
  const names = new Set(frame.people.map(({ name }) => name));
  const others = crowd.here.filter((name) => !names.has(name));
  const rows = others.map((name) => ({ name, line: "watching", isHere: true }));
  const { strangers } = crowd;
  if (strangers) {
    const name = strangers === 1 ? "1 visitor" : `${strangers} visitors`;
    rows.push({ name, line: "watching", isHere: true });
  }
  return [...known, ...rows];
}

class LobbyPage {
  constructor(root, frame) {
    this.root = root;
    this.frame = frame;
    this.crowd = null;
    this.isSending = false;
    this.copy = document.getElementById("copy");
  }

  hear(message) {
    if (message.t === "people") {
      this.crowd = message;
      this.showPeople();
    } else if (message.t === "lobby" && message.rev > this.frame.rev) {
      this.show(message);
    }
  }

  /** Another game has other clocks to choose from and other words: the page is drawn anew for it. */
  show(frame) {
    const starts = frame.game && !this.frame.game;
    const isOtherGame = frame.key !== this.frame.key;
    this.frame = frame;
    if (starts) {
      this.go(() => location.replace(frame.game));
    } else if (isOtherGame) {
      this.go(() => location.reload());
    } else {
      fill(document.getElementById("main"), frame);
      frame.seats.forEach((seat, index) => this.showSeat(seat, index));
      this.showButtons();
      this.showPeople();
    }
  }

  /**
   * Leaves the page, but not while a form of its own is on its way: leaving would throw the answer
   * away, and with it the cookie that makes a new guest the holder of his seat.
   */
  go(leave) {
    if (this.isSending) setTimeout(leave, PATIENCE);
    else leave();
  }

  showSeat(seat, index) {
    const element = this.root.querySelector(`[data-seat="${index}"]`);
    fill(element, seat);
    element.classList.toggle("open", !seat.name);
    element.querySelector("use").setAttribute("href", `#figure-${seat.figure}`);
    element.querySelector(".dot").classList.toggle("here", seat.is_ready);
    if (seat.sit) element.querySelector("button").className = `button ${seat.sit.style}`;
  }

  showButtons() {
    const { start, options, invites } = this.frame;
    const button = document.getElementById("start");
    if (start) {
      button.className = `button ${start.style}`;
      button.disabled = start.style === "blocked";
    }
    for (const choice of this.root.querySelectorAll("button[aria-pressed]")) {
      choice.setAttribute("aria-pressed", String(options[choice.name].value === choice.value));
    }
    this.copy.classList.toggle("primary", invites);
    this.copy.classList.toggle("plain", !invites);
  }

  showPeople() {
    const template = document.getElementById("person").content.firstElementChild;
    syncRows(document.getElementById("people"), peopleOf(this.frame, this.crowd), {
      keyOf: ({ name }) => name,
      make: () => template.cloneNode(true),
      show: (row, person) => {
        fill(row, person);
        const dot = row.querySelector(".dot");
        dot.hidden = person.isHere === null;
        dot.classList.toggle("here", person.isHere === true);
      },
    });
  }
}

/** Copies the link; where the browser keeps the clipboard to secure pages, by the older way. */
async function copyLink() {
  const link = document.getElementById("link");
  const said = document.getElementById("copied");
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(link.value);
      said.textContent = COPIED;
      return;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
  link.focus();
  link.select();
  said.textContent = document.execCommand("copy") ? COPIED : BY_HAND;
}

function start() {
  const root = document.getElementById("lobby");
  const page = new LobbyPage(root, JSON.parse(document.getElementById("lobby-now").textContent));
  const offline = document.getElementById("offline");
  const line = new Line(addressOf(root.dataset.socket), {
    revOf: () => page.frame.rev,
    onMessage: (message) => page.hear(message),
    onOpen: () => {},
    onState: ({ open }) => {
      offline.hidden = open;
    },
  });
  line.connect();
  root.addEventListener("submit", () => {
    page.isSending = true;
  });
  page.copy.hidden = false;
  page.copy.addEventListener("click", copyLink);
  document.getElementById("link").addEventListener("focus", (event) => event.target.select());
  addEventListener("online", () => line.hurry());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") line.hurry();
  });
  // A page out of the browser's memory may be long outdated; a reload must not repeat a POST.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  if (location.pathname !== root.dataset.url) history.replaceState(null, "", root.dataset.url);
}

if (document.getElementById("lobby")) start();
