// @ts-check
// The page as a whole: header, tabs, status line, toolbar, keys, and what connects the board with the panels.

import { ApiError, call, token } from "./api.js";
import { drawGauge, showAnalyse, threat } from "./analyse-panel.js";
import { board, extras, refresh } from "./board-view.js";
import { openKeys, openView } from "./dialog.js";
import { byId, disable, h, iconButton, keepingFocus, say, setText } from "./dom.js";
import { leaveEdit, resumeEdit, showEdit, undoEdit } from "./edit-panel.js";
import { analysis } from "./engine.js";
import { leaveLearn, showLearn } from "./learn-panel.js";
import { showMatch } from "./match-panel.js";
import { movesView } from "./moves-view.js";
import { playTab, resumePlay, showPlay } from "./play-panel.js";
import { resumeReview, showReview } from "./review-panel.js";
import { keep, kept, session } from "./session.js";
import { acceptDrops, openTexts, takeGames } from "./texts.js";
import { Tree } from "./tree.js";

/** @type {{name: string, label: string, show: (panel: HTMLElement) => void, leave?: () => void}[]} */
const TABS = [
  { name: "analyse", label: "Analyse", show: showAnalyse },
  { name: "play", label: "Play", show: showPlay },
  { name: "review", label: "Review", show: showReview },
  { name: "learn", label: "Learn", show: showLearn, leave: leaveLearn },
  { name: "edit", label: "Edit", show: showEdit, leave: leaveEdit },
];

// ---- tabs

function buildTabs() {
  const tabs = byId("tabs");
  tabs.append(...TABS.map(({ name, label }) => h("button.tab", { role: "tab", id: `tab-${name}`, "data-tab": name, "aria-controls": "panel", onclick: () => session.showTab(name) }, label)));
  tabs.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const all = [...tabs.children];
    const next = /** @type {HTMLElement} */ (all[(all.indexOf(event.target) + step + all.length) % all.length]);
    next.click();
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @param {string} [before] */
function showTab(before) {
  // What was pointed at is taken away without the pointer leaving it.
  session.look(null);
  TABS.find((t) => t.name === before)?.leave?.();
  extras.marks = [];
  extras.arrows = [];
  extras.share = null;
  if (!TABS.some((t) => t.name === session.tab)) session.tab = "analyse";
  for (const tab of byId("tabs").children) {
    const on = tab.dataset.tab === session.tab;
    tab.setAttribute("aria-selected", String(on));
    tab.setAttribute("tabindex", on ? "0" : "-1");
  }
  const panel = byId("panel");
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", `tab-${session.tab}`);
  document.body.dataset.tab = session.tab;
  keepingFocus(() => TABS.find((t) => t.name === session.tab)?.show(panel));
  panel.scrollTop = 0;
  playTab();
  analysis.restart();
  refresh();
}

analysis.wanted = () => session.tab === "analyse" || session.tab === "match" || session.tab === "review";

// ---- steps through the tree

const back = () => session.node.parent && session.go(session.node.parent);
const forward = () => session.node.children.length && session.go(session.node.children[0]);
const first = () => session.go(session.tree.root);
const last = () => session.go(session.tree.end(session.node));

/** Up and down: among the variations at a fork, else first and last. @param {number} step */
function fork(step) {
  const siblings = session.node.parent?.children ?? [];
  const next = siblings[siblings.indexOf(session.node) + step];
  if (siblings.length > 1) {
    if (next) session.go(next);
  } else if (step < 0) first();
  else last();
}

function playBest() {
  const best = analysis.found?.lines[0];
  if (best && !analysis.threat && session.tab === "analyse") session.play(best.pv[0], best.san[0]);
}

function toggleArrows() {
  session.set({ arrows: !session.settings.arrows });
  say(session.settings.arrows ? "Arrows on" : "Arrows off");
}

async function newGame() {
  // As long as nothing could be shown, what would have been first is tried again.
  if (!session.position) return showFirst();
  try {
    await session.begin(session.tree.game);
  } catch (fault) {
    session.complain(fault);
  }
}

function buildToolbar() {
  const draw = iconButton("pen", "Draw arrows with the main button or a finger", () => {
    extras.drawing = !extras.drawing;
    draw.setAttribute("aria-pressed", String(extras.drawing));
    refresh();
  }, { "aria-pressed": "false", id: "draw" });
  byId("toolbar").append(
    h("div.tool-group", null, iconButton("first", "First position (Home)", first, { id: "first" }), iconButton("back", "One move back (←)", back, { id: "back" }), iconButton("forward", "One move forward (→)", forward, { id: "forward" }), iconButton("last", "Last position (End)", last, { id: "last" })),
    h("div.tool-group", null, draw, iconButton("flip", "Turn the board (f)", () => session.flip(), { id: "flip" })));
  byId("top-end").append(iconButton("view", "View (v)", openView, { id: "view" }), iconButton("help", "Keys (?)", openKeys, { id: "keys" }));
}

// ---- status

/** A position for people who listen: the move that led there, and what it did. @param {any} position */
function spoken({ played, check, outcome }) {
  const made = played[played.length - 1]?.san ?? "First position";
  if (outcome) return `${made}. ${outcome.words}`;
  return check ? `${made}, check` : made;
}

function drawStatus() {
  const { position } = session;
  const shown = session.looked?.position ?? position;
  if (!shown) return;
  const made = shown.played[shown.played.length - 1];
  const turn = shown.outcome && !["no_progress", "repetition"].includes(shown.outcome.reason) ? shown.outcome.words
    : `${shown.side === "w" ? "White" : "Black"} to move${shown.check ? ", in check" : ""}${shown.outcome ? ` (${shown.outcome.words})` : ""}`;
  byId("status").replaceChildren(h(`span.side-dot.${shown.side === "w" ? "white" : "black"}`, { "aria-hidden": "true" }), h("span", null, turn), made && !shown.outcome ? h("span.last-made", null, `after ${made.san}`) : "");
  byId("status").classList.toggle("looking", !!session.looked);
  for (const id of ["first", "back"]) disable(byId(id), !session.node.parent);
  for (const id of ["forward", "last"]) disable(byId(id), !session.node.children.length);
}

// ---- keys

/** @param {KeyboardEvent} event */
function key(event) {
  const target = /** @type {Element} */ (event.target);
  if (!session.position || document.querySelector("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !target.closest("textarea, [type=text], [type=search]")) {
    if (session.tab === "edit") undoEdit();
    else session.undo();
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("textarea, select, [type=text], [type=search], [type=range]")) return;
  // A button in focus keeps its own keys.
  if (event.key === " " && target.closest("button, input, summary, a")) return;
  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: back, k: back, ArrowRight: forward, j: forward, ArrowUp: () => fork(-1), ArrowDown: () => fork(1), Home: first, End: last,
    " ": playBest, l: () => analysis.switch(!analysis.on), x: () => session.tab === "analyse" && threat(), a: toggleArrows, f: () => session.flip(),
    "?": openKeys, v: openView, n: newGame, o: openTexts, c: () => movesView.node.isConnected && movesView.openComment(), Delete: () => movesView.deleteHere(),
  });
  // While a position is edited, there is no game to step through.
  if (session.tab === "edit" && /^(Arrow|Home|End|Delete| |[jkcnlxo]$)/.test(event.key)) return;
  const act = keys[event.key] ?? (/^[1-6]$/.test(event.key) && TABS[Number(event.key) - 1] ? () => session.showTab(TABS[Number(event.key) - 1].name) : null);
  if (!act) return;
  act();
  event.preventDefault();
}

// ---- connections

function connect() {
  board.addEventListener("move", (event) => {
    const { move } = /** @type {CustomEvent} */ (event).detail;
    session.play(move.move, move.san);
  });
  session.on(["game"], () => {
    document.title = `${session.game.title} · Hexmate`;
    board.select(null);
  });
  session.on(["position"], () => {
    // Arrows of one's own belong to the position on which they were drawn.
    board.setDrawn([], []);
    drawStatus();
    analysis.moved();
    if (session.tab !== "edit") refresh();
    drawGauge();
    if (session.settings.spoken) say(spoken(session.position));
  });
  // The board has shown a move already that is not made.
  session.on(["refused"], refresh);
  // Whatever was chosen, or wanted after that: the list names the game on the board.
  session.on(["opened", "refused"], () => (byId("game").value = session.game?.name ?? session.hello.game));
  session.on(["tree"], drawStatus);
  session.on(["preview"], () => {
    drawStatus();
    refresh();
  });
  session.on(["settings"], () => {
    refresh();
    drawGauge();
  });
  session.on(["tab"], (event) => showTab(event.detail.before));
  // From the first position on there is something to do.
  session.addEventListener("position", () => comeAlive(), { once: true });
  // Panels that show the rules or begin from the game are drawn anew.
  session.on(["opened"], () => queueMicrotask(() => session.position && showTabSoon()));
  // Not a link, whose fragment would take the place of the token in the address.
  byId("skip").addEventListener("click", () => byId("panel").focus());
  addEventListener("keydown", key);
  acceptDrops();
}

/** The page can be used. @param {string} [parts] Or these parts of it only. */
function comeAlive(parts = "[inert]") {
  for (const part of document.querySelectorAll(parts)) part.removeAttribute("inert");
}

let soon = false;
function showTabSoon() {
  if (soon) return;
  soon = true;
  const once = () => {
    soon = false;
    session.removeEventListener("position", once);
    if (session.tab !== "analyse" && session.tab !== "match") showTab();
  };
  session.addEventListener("position", once);
}

function fillGames() {
  const select = byId("game");
  const own = session.games.filter((g) => g.from_file);
  const ours = session.games.filter((g) => !g.from_file);
  const options = (/** @type {any[]} */ games) => games.map((g) => h("option", { value: g.name, title: g.line }, g.title));
  select.replaceChildren(...(own.length ? [h("optgroup", { label: "From files" }, options(own)), h("optgroup", { label: "Games" }, options(ours))] : options(ours)));
  let byKey = false;
  select.addEventListener("keydown", () => (byKey = true));
  select.addEventListener("pointerdown", () => (byKey = false));
  select.addEventListener("change", async () => {
    // The arrow keys are for the moves again, unless they have just chosen the game and may go on to the next.
    if (!byKey) select.blur();
    try {
      await session.begin(select.value);
      if (!document.documentElement.dataset.ready) arrive(null);
    } catch (fault) {
      session.complain(fault);
    }
  });
  byId("new").addEventListener("click", newGame);
}

/** Shows what was here before, if it is of a game that is still known. Says whether it does. @param {any} before */
async function restore(before) {
  if (!before?.tree || !session.games.some((g) => g.name === before.tree.game)) return false;
  session.tab = before.tab ?? "analyse";
  session.flipped = !!before.flipped;
  try {
    const tree = Tree.fromWire(before.tree);
    return await session.replace(tree, tree.at(before.place ?? []));
  } catch (fault) {
    if (fault instanceof ApiError && fault.code === "gone") throw fault;
    // A game from a file that has changed since, or damaged.
    return false;
  }
}

/** Under which name something is kept that cannot be shown, as long as its game is unknown. @param {string} game */
const aside = (game) => `hexmate-board-${game}`;
/** Whether there is anything in it that somebody made. @param {any} what */
const holdsWork = (what) => !!(what?.tree?.fen || what?.tree?.main?.intro?.length || what?.tree?.main?.moves?.length);

/** @param {any} before */
function putAside(before) {
  const name = aside(before.tree.game);
  // Each tab of the browser has its own; a new one takes what was put aside last.
  for (const storage of ["session", "local"]) if (holdsWork(before) || !holdsWork(kept(name, storage))) keep(name, before, storage);
}

/** Shows what was put aside of a game, and gives it. @param {string} game */
async function takeAside(game) {
  const name = aside(game);
  const left = kept(name, "session") ?? kept(name);
  if (!(await restore(left))) return null;
  keep(name, null, "session");
  // Another tab's stays.
  if (JSON.stringify(kept(name)) === JSON.stringify(left)) keep(name, null);
  return left;
}

/** What to show first: what the command line opened or chose, else what was here before, else the first position. What
 * was here before is there in any case, to come back by undo. Gives what the tab "Play" kept with what is shown. */
async function firstGame() {
  const before = session.load();
  resumeEdit(before?.edit);
  dispatchEvent(new Event("hexmate-theme"));
  const { opened, letters, chosen, game } = session.hello;
  const seen = kept("hexmate-opened", "session") === token;
  if (letters && !seen) {
    session.settings.letters = letters;
    keep("hexmate-settings", session.settings);
  }
  const restored = await restore(before);
  // A game from a file that is not here now: what is shown instead must not take its place.
  if (before?.tree && !restored) putAside(before);
  if (opened && !seen) {
    // Beneath what is opened, to come back by undo.
    await takeAside(game);
    session.tab = "analyse";
    session.flipped = false;
    await session.begin(game);
    await takeGames(await call("opened"), opened.name);
    return null;
  }
  if (restored && (seen || !chosen || session.tree.game === game)) return before.play;
  const left = await takeAside(game);
  if (left) return left.play;
  await session.begin(game);
  return null;
}

/** The first game is there, and all that belongs to it. @param {any} play What the tab "Play" kept with it. */
function arrive(play) {
  keep("hexmate-opened", token, "session");
  resumePlay(play);
  resumeReview();
  analysis.on = session.settings.engine;
  showTab();
  document.documentElement.dataset.ready = "true";
}

/** Shows what comes first. What could not be opened leaves the game before it; without any, one may be chosen, or New
 * tries again. */
async function showFirst() {
  try {
    arrive(await firstGame());
  } catch (fault) {
    session.complain(fault);
    if (session.position) arrive(null);
    else {
      setText(byId("status"), /** @type {Error} */ (fault).message);
      comeAlive(".game-choice");
    }
  }
}

async function start() {
  buildTabs();
  buildToolbar();
  connect();
  if (!token) {
    setText(byId("status"), "Open the address that `hexmate board` printed, with its token.");
    return;
  }
  setText(byId("status"), "Waiting for the program…");
  try {
    [session.hello, { games: session.games }] = await Promise.all([call("hello"), call("games")]);
    if (session.hello.match) {
      TABS.push({ name: "match", label: "Match", show: showMatch });
      byId("tabs").append(h("button.tab", { role: "tab", id: "tab-match", "data-tab": "match", "aria-controls": "panel", onclick: () => session.showTab("match") }, "Match"));
    }
    fillGames();
  } catch (fault) {
    setText(byId("status"), /** @type {Error} */ (fault).message);
    session.complain(fault);
    return;
  }
  await showFirst();
}

start();
