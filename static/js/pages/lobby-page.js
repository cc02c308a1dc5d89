/** Entry of a lobby: follows its socket, sends its forms, announces an arrival, goes to the game. */

import "./base.js";
import { startChat } from "../chat/chat.js";
import { byId, cloneTemplate, fill, find, loadLater, readJson, syncRows } from "../lib/dom.js";
import { sendForm } from "../lib/forms.js";
import { leaveFor } from "../lib/leave.js";
import { follow } from "../lib/page-connection.js";
import { required } from "../lib/required.js";
import { t } from "../lib/text.js";
import { announceArrival, awaitArrival } from "./lobby-arrival.js";
import { peopleOf } from "./lobby-people.js";
import { startShareBox } from "./lobby-share.js";

/** A form of this page that has had no answer for this long does not keep the reader here. */
const LEAVE_DELAY_MS = 5000;

/** The times in the list of people are written anew after this time. */
const PEOPLE_INTERVAL_MS = 30_000;

/** @typedef {SiteMessage<"lobby:CODE">} LobbyMessage */

/** Only visitors who are invited need it. */
const withInvitation = loadLater(
  () => import("./lobby-invitation.js"),
  (module) => {
    module.startPictures(readJson("lobby-picture"));
    module.startNameField();
    return module;
  },
);

class LobbyPage {
  /**
   * @param {HTMLElement} root
   * @param {Wire.Lobby} frame
   */
  constructor(root, frame) {
    /** @type {import("../lib/subscription.js").Subscription | null} */
    this.subscription = null;
    /** @type {number | undefined} */
    this.refreshTimer = undefined;
    this.root = root;
    this.frame = frame;
    /** @type {Wire.LobbyPeople | null} */
    this.crowd = null;
    /** @type {Map<string, number>} */
    this.lastSeen = new Map();
    this.sending = 0;
    /** @type {(() => void) | null} */
    this.leaving = null;
    this.refused = byId("refused");
    this.scheduleRefresh();
    this.prepare();
  }

  /** Loads the parts that an invited visitor or a waiting host needs soon. */
  prepare() {
    const { invitation, invites } = this.frame;
    if (invitation) {
      withInvitation(({ showHost }) => {
        if (this.crowd) showHost(invitation.host, this.crowd.here);
      });
    }
    if (invites) awaitArrival();
  }

  /** @param {LobbyMessage | Wire.Lobby} message */
  receive(message) {
    if (message.t === "people") {
      this.crowd = message;
      for (const name of message.here) this.lastSeen.set(name, Date.now());
      this.showPeople();
      this.prepare();
    } else if (message.t === "lobby" && message.rev >= this.frame.rev) {
      this.show(/** @type {Wire.Lobby} */ (message));
    }
  }

  /** @param {Wire.Lobby} frame */
  show(frame) {
    const { game } = frame;
    const starts = game !== this.frame.game;
    const isOther = frame.invitation !== null && frame.key !== this.frame.key;
    const wasWaiting = this.frame.invites !== null;
    const held = document.activeElement;
    this.frame = frame;
    fill(byId("main"), frame);
    frame.seats.forEach((seat, index) => this.showSeat(seat, index));
    this.showOptions();
    this.showButtons();
    this.showNotice();
    this.showPeople();
    this.scheduleRefresh();
    this.prepare();
    this.moveFocus(held);
    if (isOther) this.leavePage(() => location.reload()); // its rules and pictures are the old ones
    if (game && starts) this.startGame(game, wasWaiting);
  }

  /**
   * Goes to the game; a page that waited for an opponent announces the arrival first.
   *
   * @param {string} game
   * @param {boolean} wasWaiting
   */
  startGame(game, wasWaiting) {
    const leave = () => this.leavePage(() => leaveFor(game));
    if (!wasWaiting || this.sending > 0) {
      leave();
      return;
    }
    const isPublic = this.frame.options.visibility.value === "public";
    const text = isPublic ? t("Your opponent is here") : t("Your friend is here");
    find(this.root, "h1").textContent = text;
    byId("status").textContent = t("The game starts now.");
    announceArrival(text, leave);
  }

  /**
   * Moves a focus that is lost, or on a button that cannot be pressed, to the group around it.
   *
   * @param {Element | null} held
   */
  moveFocus(held) {
    if (held === null || !this.root.contains(held)) return;
    const isSeen = held.getClientRects().length > 0;
    if (isSeen && !held.matches(":disabled")) return;
    const group = held.closest(".actions, .seat, .card");
    const place = group && group.getClientRects().length > 0 ? group : byId("main");
    place.tabIndex = -1;
    place.focus();
  }

  /** Requests a new frame when a notice with a time limit ends. */
  scheduleRefresh() {
    clearTimeout(this.refreshTimer);
    const wait = this.frame.notice?.for;
    if (wait) this.refreshTimer = setTimeout(() => this.subscription?.subscribe(-1), wait + 200);
  }

  /**
   * Leaves the page, but not while a form of its own is on its way: leaving would throw the answer
   * away, and with it the cookie that makes a new guest the holder of a seat.
   *
   * @param {() => void} leave
   */
  leavePage(leave) {
    if (this.sending === 0) leave();
    else {
      this.leaving = leave;
      setTimeout(leave, LEAVE_DELAY_MS);
    }
  }

  /* Forms. */

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLButtonElement | null} submitter
   */
  async submit(form, submitter) {
    if ("sent" in form.dataset) return;
    form.dataset.sent = "";
    this.sending += 1;
    if (submitter?.hasAttribute("aria-pressed")) this.press(submitter);
    const answer = await sendForm(form, submitter);
    delete form.dataset.sent;
    this.sending -= 1;
    this.handleAnswer(answer);
  }

  /** @param {Wire.FormReply | null} answer */
  handleAnswer(answer) {
    const lost = t("No connection. Nothing was sent. Try again.");
    this.refuse(answer ? (answer.refused?.say ?? null) : lost, answer?.refused);
    if (answer && "you" in answer && answer.you !== document.body.dataset.me) {
      leaveFor(answer.next ?? this.root.dataset.url ?? "");
    } else if (answer?.next) {
      leaveFor(answer.next);
    } else {
      this.receive(answer?.frame ?? this.frame);
      if (this.leaving && this.sending === 0) this.leaving();
    }
  }

  /**
   * The chosen segment is shown as chosen at once; the answer has the last word.
   *
   * @param {HTMLElement} button
   */
  press(button) {
    for (const other of button.parentElement?.children ?? []) {
      other.setAttribute("aria-pressed", String(other === button));
    }
  }

  /**
   * Shows a refusal, that of a name beside its field.
   *
   * @param {string | null} say
   * @param {Wire.FormReply["refused"]} [refused]
   */
  refuse(say, refused) {
    if (say !== null && refused?.reason === "name" && document.getElementById("name")) {
      this.refused.hidden = true;
      withInvitation(({ refuseName }) => refuseName(say, refused.name));
      return;
    }
    this.refused.hidden = say === null;
    if (say !== null) find(this.refused, "strong").textContent = say;
  }

  /* Display. */

  /**
   * @param {Wire.ShownSeat} seat
   * @param {number} index
   */
  showSeat(seat, index) {
    const element = find(this.root, `[data-seat="${index}"]`);
    fill(element, seat);
    element.classList.toggle("open", !seat.name);
    find(element, "use").setAttribute("href", `#figure-${seat.figure}`);
    find(element, ".dot").classList.toggle("here", seat.is_ready);
    find(element, ".seat-name").title = seat.name;
    if (seat.computer) this.showLevels(find(element, "select"), seat.computer);
    if (seat.sit) find(element, "[data-show=sit] button").className = `button ${seat.sit.style}`;
  }

  /**
   * A level that the host has begun to choose stays, until the seat has another.
   *
   * @param {HTMLSelectElement} select
   * @param {{ level: string, levels: { value: string, say: string }[] }} computer
   */
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
      const { value, offers } = this.frame.options[option.dataset.option ?? ""];
      const list = find(option, ".segments");
      const first = list.querySelector("button");
      syncRows(list, offers, {
        keyOf: (offer) => offer.value,
        make: () =>
          /** @type {HTMLButtonElement} */ (required(first, "a button of an option").cloneNode()),
        show: (button, offer) => {
          button.value = offer.value;
          if (button.textContent !== offer.say) button.textContent = offer.say;
          button.setAttribute("aria-pressed", String(offer.value === value));
        },
      });
    }
  }

  showButtons() {
    const { start } = this.frame;
    /** @type {HTMLButtonElement} */
    const button = byId("start");
    if (start) {
      button.className = `button ${start.style}`;
      button.disabled = start.style === "blocked";
    }
  }

  showNotice() {
    const { notice } = this.frame;
    byId("notice").hidden = notice === null;
    syncRows(byId("notice-lines"), notice?.lines ?? [], {
      keyOf: (line) => line,
      make: () => document.createElement("li"),
      show: (row, line) => {
        row.textContent = line;
      },
    });
  }

  showPeople() {
    const template = byId("person");
    const people = peopleOf(this.frame, this.crowd, this.lastSeen, Date.now());
    syncRows(byId("people"), people, {
      keyOf: ({ name }) => name,
      make: () => cloneTemplate(template),
      show: (row, person) => {
        fill(row, person);
        const dot = find(row, ".dot");
        dot.hidden = person.isHere === null;
        dot.classList.toggle("here", person.isHere === true);
      },
    });
  }
}

function start() {
  const root = byId("lobby");
  const page = new LobbyPage(root, readJson("lobby-now"));
  const offline = byId("offline");
  const subscription = follow(root.dataset.topic ?? "", {
    revOf: () => page.frame.rev,
    onMessage: (/** @type {LobbyMessage} */ message) => page.receive(message),
    onOpen: () => {},
    onState: ({ open }) => {
      offline.hidden = open;
    },
  });
  page.subscription = subscription;
  subscription.connect();
  root.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.hasAttribute("data-scripted")) return;
    event.preventDefault();
    page.submit(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
  });
  startShareBox(() => page.frame.invites ?? "");
  setInterval(() => page.showPeople(), PEOPLE_INTERVAL_MS);
  const chat = document.querySelector(".chat");
  if (chat) startChat(chat);
  // A page out of the browser's memory may be long outdated; a reload must not repeat a POST.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  const { url = "" } = root.dataset;
  if (location.pathname !== url) history.replaceState(null, "", url);
}

start();
