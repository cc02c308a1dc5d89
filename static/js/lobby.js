/** The page of a lobby: follows its socket, sends its forms, copies the link, goes to the game. */

import { send } from "./deeds.js";
import { fill, syncRows } from "./fill.js";
import { peopleOf } from "./people.js";
import { Line, addressOf } from "./socket.js";
import { startTalk } from "./talk/talk.js";
import { t } from "./text.js";

const PATIENCE = 5000; // ms
const AGAIN = 30_000; // ms after which the times in the list of people are written anew

class LobbyPage {
  constructor(root, frame) {
    this.root = root;
    this.frame = frame;
    this.crowd = null;
    this.lastSeen = new Map();
    this.sending = 0;
    this.leaving = null;
    this.copy = document.getElementById("copy");
    this.refused = document.getElementById("refused");
    this.awaken();
  }

  hear(message) {
    if (message.t === "people") {
      this.crowd = message;
      for (const name of message.here) this.lastSeen.set(name, Date.now());
      this.showPeople();
    } else if (message.t === "lobby" && message.rev >= this.frame.rev) {
      this.show(message);
    }
  }

  show(frame) {
    const starts = frame.game && frame.game !== this.frame.game;
    const held = document.activeElement;
    this.frame = frame;
    fill(document.getElementById("main"), frame);
    frame.seats.forEach((seat, index) => this.showSeat(seat, index));
    this.showOptions();
    this.showButtons();
    this.showTold();
    this.showPeople();
    this.awaken();
    this.handOn(held);
    if (starts) this.go(() => location.assign(frame.game));
  }

  /** What had the focus is gone, or cannot be pressed: the group that it stood in gets it. */
  handOn(held) {
    const stays = held.getClientRects().length > 0 && !held.disabled;
    if (stays || !this.root.contains(held)) return;
    const isSeen = (place) => place !== null && place.getClientRects().length > 0;
    const group = held.closest(".actions, .seat, .card");
    const place = isSeen(group) ? group : document.getElementById("main");
    place.tabIndex = -1;
    place.focus();
  }

  /** A frame may hold for a while only: then a new one is asked for. */
  awaken() {
    clearTimeout(this.waking);
    const wait = this.frame.told?.for;
    if (wait) this.waking = setTimeout(() => this.line.send({ t: "hello", rev: -1 }), wait + 200);
  }

  /**
   * Leaves the page, but not while a form of its own is on its way: leaving would throw the answer
   * away, and with it the cookie that makes a new guest the holder of a seat.
   */
  go(leave) {
    if (this.sending === 0) leave();
    else {
      this.leaving = leave;
      setTimeout(leave, PATIENCE);
    }
  }

  /* Forms. */

  async submit(form, submitter) {
    if ("sent" in form.dataset) return;
    form.dataset.sent = "";
    this.sending += 1;
    if (submitter?.hasAttribute("aria-pressed")) this.press(submitter);
    const answer = await send(form, submitter);
    delete form.dataset.sent;
    this.sending -= 1;
    this.answered(answer);
  }

  answered(answer) {
    const lost = t("That did not arrive: there is no connection. Try again.");
    this.refuse(answer ? (answer.refused?.say ?? null) : lost);
    if (answer && "you" in answer && answer.you !== this.root.dataset.me) {
      location.assign(answer.next ?? this.root.dataset.url);
    } else if (answer?.next) {
      location.assign(answer.next);
    } else {
      this.hear(answer?.frame ?? this.frame);
      if (this.leaving && this.sending === 0) this.leaving();
    }
  }

  /** The chosen segment is shown as chosen at once; the answer has the last word. */
  press(button) {
    for (const other of button.parentElement.children) {
      other.setAttribute("aria-pressed", String(other === button));
    }
  }

  refuse(say) {
    this.refused.hidden = say === null;
    if (say !== null) this.refused.querySelector("strong").textContent = say;
  }

  /* What is shown. */

  showSeat(seat, index) {
    const element = this.root.querySelector(`[data-seat="${index}"]`);
    fill(element, seat);
    element.classList.toggle("open", !seat.name);
    element.querySelector("use").setAttribute("href", `#figure-${seat.figure}`);
    element.querySelector(".dot").classList.toggle("here", seat.is_ready);
    element.querySelector(".seat-name").title = seat.name;
    if (seat.computer) this.showLevels(element.querySelector("select"), seat.computer);
    if (seat.sit) element.querySelector("[data-show=sit] button").className = `button ${seat.sit.style}`;
  }

  /** The level that somebody has begun to choose stays, until the seat has another. */
  showLevels(select, { level, levels }) {
    syncRows(select, levels, {
      keyOf: ({ value }) => value,
      make: () => document.createElement("option"),
      show: (option, { value, say }) => {
        option.value = value;
        if (option.textContent !== say) option.textContent = say;
      },
    });
    if (select.dataset.level !== level || select.selectedIndex < 0) select.value = level;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    select.dataset.level = level;
  }

  showOptions() {
    for (const option of this.root.querySelectorAll("[data-option]")) {
      const { value, offers } = this.frame.options[option.dataset.option];
      const list = option.querySelector(".segments");
      const first = list.firstElementChild;
      syncRows(list, offers, {
        keyOf: (offer) => offer.value,
        make: () => first.cloneNode(),
        show: (button, offer) => {
          button.value = offer.value;
          if (button.textContent !== offer.say) button.textContent = offer.say;
          button.setAttribute("aria-pressed", String(offer.value === value));
        },
      });
    }
  }

  showButtons() {
    const { start, invites } = this.frame;
    const button = document.getElementById("start");
    if (start) {
      button.className = `button ${start.style}`;
      button.disabled = start.style === "blocked";
    }
    this.copy.classList.toggle("primary", invites);
    this.copy.classList.toggle("plain", !invites);
  }

  showTold() {
    const { told } = this.frame;
    document.getElementById("told").hidden = told === null;
    syncRows(document.getElementById("told-lines"), told?.lines ?? [], {
      keyOf: (line) => line,
      make: () => document.createElement("li"),
      show: (row, line) => {
        row.textContent = line;
      },
    });
  }

  showPeople() {
    const template = document.getElementById("person").content.firstElementChild;
    const people = peopleOf(this.frame, this.crowd, this.lastSeen, Date.now());
    syncRows(document.getElementById("people"), people, {
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
  const copied = t("Copied. Send it to whom you like.");
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(link.value);
      said.textContent = copied;
      return;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
  link.focus();
  link.select();
  const byHand = t("The link is marked: copy it with Ctrl C, or by holding it down.");
  said.textContent = document.execCommand("copy") ? copied : byHand;
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
  page.line = line;
  line.connect();
  root.addEventListener("submit", (event) => {
    if (!event.target.hasAttribute("data-deed")) return;
    event.preventDefault();
    page.submit(event.target, event.submitter);
  });
  page.copy.hidden = false;
  page.copy.addEventListener("click", copyLink);
  document.getElementById("link").addEventListener("focus", (event) => event.target.select());
  addEventListener("online", () => line.hurry());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") line.hurry();
  });
  setInterval(() => page.showPeople(), AGAIN);
  const talk = document.querySelector(".talk");
  if (talk) startTalk(talk);
  // A page out of the browser's memory may be long outdated; a reload must not repeat a POST.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  if (location.pathname !== root.dataset.url) history.replaceState(null, "", root.dataset.url);
}

start();
