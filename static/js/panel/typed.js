/** The field for typed goes: notation goes to the board, a few words to the buttons' deeds. */

import { t } from "../text.js";

/** Each word that can be typed, and the reader's own for it. */
const WORDS = {
  resign: t("resign"),
  draw: t("draw"),
  takeback: t("takeback"),
  flip: t("flip"),
  back: t("back"),
};

/** The word that was typed, or null if it is no word but notation. Pure. */
export function wordOf(text) {
  const plain = text.trim();
  const low = (each) => each.toLocaleLowerCase(globalThis.document?.documentElement.lang || "en");
  const found = Object.entries(WORDS).find(
    ([word, own]) => plain.toLowerCase() === word || low(plain) === low(own),
  );
  return found ? found[0] : null;
}

const HELP = {
  blotto: t("Three numbers that make ten, such as 5 1 4; or resign, draw, flip, back."),
  pincer: t("Such as a5-b5 a7-a6; or resign, draw, takeback, flip, back."),
  amazons: t("Such as d1-d7/g7; or resign, draw, takeback, flip, back."),
};

export class Typed {
  /** `play(text)` → {ok, say}; `deeds[word]()` → a sentence that says why not, or null. */
  constructor(form, family, { play, deeds, onSaid, onFocus }) {
    Object.assign(this, { form, play, deeds, onSaid });
    this.field = form.querySelector("#type");
    this.words = form.querySelector("#typed-say");
    this.help = HELP[family];
    this.say(null);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    this.field.addEventListener("focus", onFocus);
    this.field.addEventListener("input", () => this.say(null));
    this.field.addEventListener("keydown", (event) => this.key(event));
  }

  /** Escape empties the field, then leaves it; the key that leads to the field is no notation yet. */
  key(event) {
    const isEmpty = this.field.value === "";
    if (event.key === "/" && isEmpty) event.preventDefault();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (isEmpty) this.field.blur();
    this.field.value = "";
    this.say(null);
  }

  enter() {
    const text = this.field.value;
    const word = wordOf(text);
    const { ok, say } = word ? this.deed(word) : this.play(text);
    if (ok) this.field.value = "";
    this.say(ok ? null : (say ?? t("That cannot be played.")));
    if (ok && say) this.onSaid(say);
  }

  deed(word) {
    const why = this.deeds[word]();
    return { ok: why === null, say: why };
  }

  /** Shows why it was not accepted; null: what can be typed. */
  say(error) {
    this.field.setAttribute("aria-invalid", String(error !== null));
    this.words.classList.toggle("error", error !== null);
    this.words.textContent = error ?? this.help;
    if (error) this.onSaid(error);
  }

  /** The game is over: nothing is typed any more; the place stays, the focus goes to what is left. */
  end() {
    if (document.activeElement === this.field) document.getElementById("acts").focus();
    this.form.classList.add("empty");
    this.field.disabled = true;
  }

  focus() {
    this.field.focus();
    this.field.select();
  }
}
