// @ts-check
// The letters of pieces in moves that people type or open: the game's own, or those of a language. One choice for both.

import { choice } from "./dom.js";
import { session } from "./session.js";

/** What the program says where letters are unknown; the page says where to choose them instead. */
const UNKNOWN = / \(name those of another language\)/;

/** Whether a message is about letters that are unknown. @param {string} message */
export const isOfLetters = (message) => UNKNOWN.test(message);

/** A message that says where letters are chosen, or nothing of that where there is no choice.
 * @param {string} message @param {string} [where] */
export const sayingWhere = (message, where = "") => message.replace(UNKNOWN, where && offered().length > 1 ? ` (choose those of another language ${where})` : "");

/** Values and texts of the choice; the first stands for the game's own letters.
 * @returns {[string, string][]} */
function offered() {
  const own = session.game.kinds.slice(1).map((/** @type {any} */ kind) => kind.letter);
  const { letters } = session.settings;
  const languages = session.game.letters.map((/** @type {string} */ name) => [name, name[0].toUpperCase() + name.slice(1)]);
  // Named one by one at the command line.
  const listed = /^\p{Lu}{2,}$/u.test(letters) && letters !== own.join("") && [...letters].length === own.length;
  return [["", own.join(" ")], ...languages, ...(listed ? [[letters, [...letters].join(" ")]] : [])];
}

/** The letters that were chosen, as requests name them; null: the game's own, also where others do not fit it.
 * @returns {string | null} */
export function chosenLetters() {
  const { letters } = session.settings;
  return letters && offered().some(([value]) => value === letters) ? letters : null;
}

/** The same in words, or nothing. */
export function lettersInWords() {
  const letters = chosenLetters();
  return letters ? offered().find(([value]) => value === letters)?.[1] ?? "" : "";
}

/** The choice; null where the game has its own letters alone. @param {() => void} [after] Called when others are chosen. */
export function lettersChoice(after) {
  const options = offered();
  if (options.length < 2) return null;
  const field = choice("Letters of pieces", options, chosenLetters() ?? "", (letters) => {
    session.set({ letters });
    after?.();
  });
  field.classList.add("letters-choice");
  return field;
}
