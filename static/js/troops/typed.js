/** Orders typed as numbers, "5 1 4". Pure. */

import { FIELDS, listed } from "../board/speech.js";
import { t } from "../text.js";

const NUMBERS = /\d+/g;
const BETWEEN = /^(troops)?[\s\-–—\/,.;:+]*$/;

/** {counts, say}: the counts are null where the text is wrong, and `say` then tells why. */
export function typedSplit(text, { total, counts }) {
  const plain = text.trim().toLowerCase();
  const numbers = (plain.match(NUMBERS) ?? []).map(Number);
  if (!BETWEEN.test(plain.replace(NUMBERS, "")) || numbers.length !== counts.length) {
    const fields = listed(FIELDS.slice(0, counts.length));
    const said = t("Write {count} numbers for {fields}, for example 5 1 4.", { count: counts.length, fields });
    return { counts: null, say: said };
  }
  const sum = numbers.reduce((before, number) => before + number, 0);
  if (sum === total) return { counts: numbers, say: null };
  const values = { sum, total, left: total - sum, more: sum - total };
  const say =
    sum < total
      ? t("That makes {sum}, not {total}: {left} would stay in hand.", values)
      : t("That makes {sum}, not {total}: {more} too many.", values);
  return { counts: null, say };
}
