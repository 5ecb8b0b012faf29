// @ts-check
// The field in which moves are typed, with what is wrong with one below it.

import { ApiError, call } from "./api.js";
import { h, note, say } from "./dom.js";
import { chosenLetters, isOfLetters, lettersChoice, lettersInWords, sayingWhere } from "./letters.js";
import { session } from "./session.js";
import { shortFault } from "./texts.js";

/** Moves as one would type them here: one of a pawn, one of a piece, unless other letters than the board's are typed. */
function typedExamples() {
  const sans = (session.position?.legal ?? []).map((/** @type {any} */ move) => move.san);
  const lists = [sans.filter((/** @type {string} */ san) => /^[a-z]/.test(san)), sans.filter((/** @type {string} */ san) => /^[A-Z]/.test(san) && !chosenLetters())];
  return lists.filter((list) => list.length).map((list) => list[Math.floor(list.length / 2)]).join(", ");
}

/** A move that is typed. */
export function typedMove() {
  /** Whether a move is awaited. */ let busy = false;
  /** What was entered meanwhile, to be made next. @type {string[]} */ const queue = [];
  /** Where the move is wrong that the fault is about. @type {object | null} */ let wrongAt = null;
  const fault = h("p.typed-fault", { id: "typed-fault", role: "alert", hidden: true });
  // Other letters can be chosen right where they are missed; the move is then tried again.
  const letters = h("div.typed-letters", { hidden: true });
  const complain = (/** @type {string} */ text) => {
    const field = isOfLetters(text) ? lettersChoice(enter) : null;
    letters.replaceChildren(...(field ? [field] : []));
    letters.hidden = !field;
    fault.textContent = sayingWhere(text);
    fault.hidden = !text;
    input.setAttribute("aria-invalid", String(Boolean(text)));
  };
  const input = h("input", { id: "typed", type: "text", autocomplete: "off", spellcheck: "false", "aria-label": "Type a move", "aria-describedby": "typed-fault", oninput: () => complain("") });
  const meet = () => {
    const letters = lettersInWords();
    const hint = `Type a move${letters && ` (${letters})`}`;
    const examples = typedExamples();
    input.placeholder = session.position?.legal.length ? hint + (examples && `: ${examples}`) : "The game is over";
  };
  session.on(["position"], () => {
    meet();
    if (session.node !== wrongAt) complain("");
  });
  session.on(["settings"], (event) => {
    if (event.detail.letters === undefined) return;
    meet();
    complain("");
  });
  meet();
  complain("");
  /** Takes a text that is not made a move back into the field, or says so if another one is there. What was to follow it
   * is not made either. Says whether the text is in the field. @param {string} text @param {string} [words] */
  const giveBack = (text, words = `'${text}' is not played`) => {
    if (!input.value) input.value = text;
    const back = input.value === text;
    if (!back) note(words, true);
    if (queue.length) note(`Not played: ${queue.splice(0).join(", ")}`, true);
    return back;
  };
  /** Makes a move. @param {string} text */
  const make = async (text) => {
    const { node, asked, tree } = session;
    try {
      const told = await call("position", { ...asked, moves: [...asked.moves, text], letters: chosenLetters() });
      // The position in which it is made may come later than the answer. If it does not, that is told elsewhere.
      await session.positionAfter(tree, asked.moves).catch(() => {});
      const made = told.played[told.played.length - 1];
      if (session.node !== node || !(await session.play(made.move, made.san))) {
        giveBack(text);
        return;
      }
      // Else it was said what the move did.
      if (!session.settings.spoken) say(`${made.san} played`);
      // Another position is shown by now: the next move was not meant for that.
      if (queue.length && session.node.parent !== node) giveBack(/** @type {string} */ (queue.shift()));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "move")) {
        session.complain(error);
        giveBack(text);
        return;
      }
      const words = shortFault(error.message).replace(/^move \d+: /, "");
      if (!giveBack(text, sayingWhere(words))) return;
      wrongAt = node;
      complain(words);
      input.select();
    }
  };
  /** Makes a move of what is in the field, once those before it are made. */
  const enter = async () => {
    const text = input.value.trim();
    if (!text) return;
    // At once: what is typed while the answer is awaited is the next move.
    input.value = "";
    complain("");
    queue.push(text);
    if (busy) return;
    busy = true;
    for (let next = queue.shift(); next; next = queue.shift()) await make(next);
    busy = false;
  };
  const form = h("form.typed", {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      enter();
    },
  }, input, h("button.quiet", { type: "submit" }, "Play"));
  return h("div.typed-box", null, form, fault, letters);
}
