/** The people in a lobby: host and seated, present or away, then the spectators. Pure. */

import { t, tn } from "../lib/text.js";

const MINUTE = 60_000;

/**
 * @param {string} line
 * @param {number | undefined} since
 * @param {number} now
 */
function awayLine(line, since, now) {
  const minutes = since === undefined ? 0 : Math.floor((now - since) / MINUTE);
  return minutes < 1
    ? t("{line}, away", { line })
    : t("{line}, away {minutes} min", { line, minutes });
}

/**
 * The rows of the list. `crowd` (null: not known yet) names the people present; `lastSeen` has the
 * times at which this page saw them last, on the same clock as `now`.
 *
 * @param {Pick<Wire.Lobby, "people">} frame
 * @param {Wire.LobbyPeople | null} crowd
 * @param {Map<string, number>} lastSeen
 * @param {number} now
 */
export function peopleOf(frame, crowd, lastSeen, now) {
  const known = frame.people.map(({ name, line }) => {
    const isHere = crowd ? crowd.here.includes(name) : null;
    const shown = isHere === false ? awayLine(line, lastSeen.get(name), now) : line;
    return { name, line: shown, isHere };
  });
  if (!crowd) return known;
  const names = new Set(frame.people.map(({ name }) => name));
  const others = crowd.here.filter((name) => !names.has(name));
  const rows = others.map((name) => ({ name, line: t("watching"), isHere: true }));
  const { strangers } = crowd;
  if (strangers) {
    const name = tn("{count} visitor", "{count} visitors", strangers);
    rows.push({ name, line: t("watching"), isHere: true });
  }
  return [...known, ...rows];
}
