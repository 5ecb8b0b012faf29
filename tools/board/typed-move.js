// @ts-check
// The field in which moves are typed, with what is wrong with one below it.

import { ApiError, call } from "./api.js";
import { h, say } from "./dom.js";
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
  const fault = h("p.typed-fault", { id: "typed-fault", role: "alert", hidden: true });
  // Other letters can be chosen right where they are missed; the move is then tried again.
  const letters = h("div.typed-letters", { hidden: true });
  const complain = (/** @type {string} */ text) => {
    const field = isOfLetters(text) ? lettersChoice(() => form.requestSubmit()) : null;
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
    complain("");
  };
  session.on(["position"], meet);
  session.on(["settings"], (event) => event.detail.letters !== undefined && meet());
  meet();
  const form = h("form.typed", {
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (!text) return;
      try {
        const { node, asked } = session;
        const told = await call("position", { ...asked, moves: [...asked.moves, text], letters: chosenLetters() });
        if (session.node !== node) return;
        const made = told.played[told.played.length - 1];
        input.value = "";
        await session.play(made.move, made.san);
        say(`${made.san} played`);
      } catch (error) {
        if (error instanceof ApiError && error.code === "move") {
          complain(shortFault(error.message).replace(/^move \d+: /, ""));
          input.select();
        } else session.complain(error);
      }
    },
  }, input, h("button.quiet", { type: "submit" }, "Play"));
  return h("div.typed-box", null, form, fault, letters);
}
