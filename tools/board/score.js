// @ts-check
// Scores, chances and numbers as people read them. Pure.

/** @typedef {{cp?: number, mate?: number}} Score */

/** A score turned to White's point of view. @param {Score} score @param {"w" | "b"} side @returns {Score} */
export function forWhite(score, side) {
  if (side === "w") return score;
  return score.mate !== undefined ? { mate: -score.mate } : { cp: -(score.cp ?? 0) };
}

/** "+0.34", "−1.20", "#5", "#−3". @param {Score} score */
export function scoreText(score) {
  if (score.mate !== undefined) return score.mate < 0 ? `#−${-score.mate}` : `#${score.mate}`;
  const pawns = (score.cp ?? 0) / 100;
  const digits = Math.abs(pawns) >= 20 ? 1 : 2;
  return `${pawns > 0 ? "+" : pawns < 0 ? "−" : ""}${Math.abs(pawns).toFixed(digits)}`;
}

/** "≥ " or "≤ " before a score of White's, nothing if it is exact. @param {string | undefined} bound @param {"w" | "b"} side whose bound it is */
export function boundText(bound, side) {
  if (bound !== "lower" && bound !== "upper") return "";
  return (bound === "lower") === (side === "w") ? "≥\u2009" : "≤\u2009";
}

/** A score in a narrow place: "+0.3", "#5". @param {Score} score */
export function gaugeText(score) {
  if (score.mate !== undefined) return scoreText(score);
  const pawns = (score.cp ?? 0) / 100;
  return `${pawns >= 0.05 ? "+" : pawns <= -0.05 ? "−" : ""}${Math.abs(pawns).toFixed(Math.abs(pawns) >= 10 ? 0 : 1)}`;
}

/** For people who listen. @param {Score} score White's. */
export function scoreWords(score) {
  if (score.mate !== undefined) return `${score.mate > 0 ? "White" : "Black"} mates in ${Math.abs(score.mate)}`;
  const pawns = (score.cp ?? 0) / 100;
  if (Math.abs(pawns) < 0.15) return "level";
  return `${pawns > 0 ? "White" : "Black"} is ahead by ${Math.abs(pawns).toFixed(1)}`;
}

/** White's chances from those of a side: win, draw, loss in thousandths. @param {number[]} wdl @param {"w" | "b"} side */
export const chancesForWhite = (wdl, side) => (side === "w" ? wdl : [wdl[2], wdl[1], wdl[0]]);

/** Thousandths in per cent, 100 in all: what is cut off most is rounded up. @param {number[]} wdl */
export function perCent(wdl) {
  const parts = wdl.map((n) => Math.floor(n / 10));
  const missing = 100 - parts.reduce((sum, n) => sum + n, 0);
  const mostCutOff = [...wdl.keys()].sort((a, b) => (wdl[b] % 10) - (wdl[a] % 10));
  for (const i of mostCutOff.slice(0, missing)) parts[i]++;
  return parts;
}

/** "1.2 M". @param {number} n */
export function short(n) {
  if (n < 1000) return String(n);
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)} k`;
  if (n < 1e9) return `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} M`;
  return `${(n / 1e9).toFixed(1)} G`;
}

/** "0.4 s", "1:07". @param {number} ms */
export function timeText(ms) {
  const s = ms / 1000;
  if (s < 60) return `${s.toFixed(s < 10 ? 1 : 0)} s`;
  return `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
}

/** A clock: "4:07", below ten seconds "0:07.3". @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  const minutes = Math.floor(left / 60000);
  const seconds = (left % 60000) / 1000;
  const shown = left < 10000 ? seconds.toFixed(1).padStart(4, "0") : String(Math.floor(seconds)).padStart(2, "0");
  return `${minutes}:${shown}`;
}
