// A game against the engine goes on from where it stands, whatever is looked at, asked elsewhere or refused.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, hears, held, heldAnswer, paste, startBrowser } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

const moves = (page) => page.$$eval("#moves button.move", (all) => all.map((m) => m.dataset.move));
const count = (page, n) => page.waitForFunction((wanted) => document.querySelectorAll("#moves button.move").length === wanted, n);
const state = (page, words) => page.waitForSelector(`#play-state:text-matches('^${words}')`);
const goals = (page) => page.locator(".hx-goal").count();

/** Takes a piece up that has moves; they come a little after the position. */
async function takeUp(page, cell) {
  for (let tries = 0; tries < 50; tries++) {
    await page.click(`[data-cell="${cell}"]`);
    if (await goals(page)) return;
    await page.waitForTimeout(100);
  }
  assert.fail(`nothing can be done with the piece on ${cell}`);
}

async function begin(page, clock = "none") {
  await page.click("#tab-play");
  await page.selectOption("#panel select", clock);
  await page.click("#play-begin");
  await state(page, "Your move");
}

/** Makes a move on the board and does not wait for what comes of it. */
async function move(page, from, to) {
  await page.click(`[data-cell="${from}"]`);
  await page.click(`[data-cell="${to}"]`);
}

/** Lets the page's clock run, and the program answer meanwhile. */
async function run(page, ms) {
  await page.clock.runFor(ms);
  await page.waitForTimeout(100);
  await page.clock.runFor(400);
}

/** The same until there are two moves, and it is the user's turn. */
async function runUntilAnswered(page) {
  for (let n = 0; n < 40 && (await moves(page)).length < 2; n += 1) await run(page, 200);
  await count(page, 2);
  await state(page, "Your move");
}

/** Seconds on the clock of a side. */
const seconds = (page, side) => page.$eval(`[data-clock="${side}"]`, (clock) => {
  const [minutes, rest] = clock.textContent.split(":").map(Number);
  return minutes * 60 + rest;
});

test("a game that begins within another one goes on beside it", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await paste(page, "1. e5 e6 2. Qc3 f6");
  await count(page, 4);
  await page.click('.move[data-move="e7e6"]');
  await page.waitForSelector('.move[data-move="e7e6"][aria-current="true"]');
  await page.click("#tab-play");
  await page.click("text=Begin from the position on the board");
  await page.click("#play-begin");
  await state(page, "Your move");
  assert.equal(await page.isDisabled("#takeback"), true, "there is no move of this game yet");
  await move(page, "f5", "f6");
  await count(page, 6);
  await state(page, "Your move");
  assert.deepEqual((await moves(page)).slice(0, 4), ["e4e5", "e7e6", "e1c3", "f5f6"]);
  // Its own moves are taken back, and come back.
  await page.click("#takeback");
  await count(page, 4);
  await page.keyboard.press("Control+z");
  await count(page, 6);
  await state(page, "Your move");
  await takeUp(page, "g4");
  // A move of the other game is none of this one.
  await page.click('.move[data-move="f7f6"]');
  await page.waitForSelector('.move[data-move="f7f6"][aria-current="true"]');
  await page.click('[data-cell="g4"]');
  assert.equal(await goals(page), 0);
  await page.click("#play-here");
  await page.waitForSelector("#play-here", { state: "detached" });
  // So it is after a reload.
  await page.keyboard.press("Home");
  await page.waitForSelector("#play-here");
  await page.reload();
  await page.click("#play-here");
  await takeUp(page, "g4");
  assert.deepEqual(browser.faults, []);
});

test("whoever looks back has the clock of the position where the game stands", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await page.clock.install();
  await begin(page, "180000+2000");
  await move(page, "f5", "f6");
  await runUntilAnswered(page);
  await run(page, 100_000);
  const theirs = await seconds(page, "b");
  await page.click("#back");
  // While a position is on its way the clocks are not drawn.
  await page.waitForSelector('.move[data-move="f5f6"][aria-current="true"]');
  await page.waitForSelector("#play-here");
  await run(page, 60_000);
  assert.equal(await seconds(page, "b"), theirs);
  assert.ok((await seconds(page, "w")) < 30);
  await state(page, "Your move");
  await run(page, 30_000);
  await state(page, "You ran out of time");
  assert.equal(await page.textContent("#moves .result"), "0-1");
  // Taken back, it goes on: there is some time again.
  await page.click("#takeback");
  await run(page, 5000);
  await state(page, "Your move");
  assert.deepEqual(await moves(page), []);
});

/** The game as the program would write it. */
const pgn = (page) => page.evaluate(async () => {
  const [{ call }, { session }] = await Promise.all([import("/app/api.js"), import("/app/session.js")]);
  return (await call("write", { ...session.tree.toWire(), notation: "san" })).text;
});

test("a game that is given up or lost on time has its result", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  await move(page, "f5", "f6");
  await count(page, 2);
  await state(page, "Your move");
  await page.click("#resign");
  await page.waitForSelector("#moves .result:text-is('0-1')");
  assert.match(await pgn(page), /\[Result "0-1"\][^]* 0-1\s*$/);
  // Taken back, it goes on, and so it does if that is undone.
  await page.click("#takeback");
  await count(page, 0);
  assert.match(await pgn(page), /\[Result "\*"\]/);
  await page.keyboard.press("Control+z");
  await count(page, 2);
  await state(page, "Your move");
  assert.equal(await page.locator("#moves .result").count(), 0);
  // The result of a game within which it is played stays.
  await page.click("#tab-analyse");
  await paste(page, '[White "Ann"]\n[Black "Bob"]\n[Result "1/2-1/2"]\n\n1. e5 e6 2. Qc3 f6 1/2-1/2');
  await count(page, 4);
  await page.click("#tab-play");
  await page.click("text=Begin from the position on the board");
  await page.click("#play-begin");
  await state(page, "Your move");
  await move(page, "f5", "f6");
  await count(page, 6);
  await state(page, "Your move");
  await page.click("#resign");
  await state(page, "You resigned");
  assert.match(await pgn(page), /\[Result "1\/2-1\/2"\]/);
  assert.deepEqual(browser.faults, []);
});

test("the engine's clock stands while another tab is shown", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await page.clock.install();
  await begin(page, "180000+2000");
  const release = await heldAnswer(page);
  await move(page, "f5", "f6");
  await count(page, 1);
  await state(page, "Hexmate is thinking");
  const theirs = await seconds(page, "b");
  await page.click("#tab-analyse");
  await run(page, 300_000);
  release();
  await page.click("#tab-play");
  await runUntilAnswered(page);
  assert.ok((await seconds(page, "b")) > theirs - 20);
});

test("a hint is dropped when its tab is left or the game is over", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  const release = await held(page, "analyse");
  const isHint = (request) => request.url().endsWith("/api/analyse");
  for (const leave of ["#tab-learn", "#resign"]) {
    await page.click("#tab-play");
    await Promise.all([page.waitForRequest(isHint), page.click("#hint")]);
    // The search ends, too.
    await Promise.all([page.waitForEvent("requestfailed", isHint), page.click(leave)]);
  }
  release();
  await state(page, "You resigned");
  await page.waitForTimeout(200);
  assert.equal(await page.locator(".hx-mark-hint").count(), 0);
  assert.match(await page.textContent("#say"), /^You resigned/);
  assert.deepEqual(browser.faults, []);
});

test("an answer that was refused is asked for again", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  const error = { code: "busy", message: "4 searches are running already" };
  await page.route("**/api/play", (route) => route.fulfill({ status: 429, json: { error } }), { times: 1 });
  await move(page, "f5", "f6");
  await state(page, "Hexmate has not answered");
  await page.click("#ask-again");
  await count(page, 2);
  await state(page, "Your move");
  assert.equal(await page.locator("#ask-again").count(), 0);
  browser.faults.length = 0; // The refusal is an answer with status 429, which the browser notes.
});

test("each tab of the browser comes back with its own game", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  await move(page, "f5", "f6");
  await count(page, 2);
  await state(page, "Your move");
  const own = await moves(page);
  // A new tab begins with what was there last.
  const other = await page.context().newPage();
  await other.goto(browser.address);
  await other.waitForSelector("html[data-ready]");
  assert.deepEqual(await moves(other), own);
  await other.click("#tab-analyse");
  await paste(other, "1. e5 e6 2. Qc3 f6 3. Qb3");
  await count(other, 5);
  await page.bringToFront();
  await page.reload();
  await state(page, "Your move");
  assert.deepEqual(await moves(page), own);
  await other.reload();
  await other.waitForSelector("html[data-ready]");
  await count(other, 5);
  await other.click("#tab-play");
  await other.waitForSelector("#play-begin");
});

test("a move that cannot be shown is not made", async () => {
  const page = await browser.page();
  await page.route("**/api/position", (route) => route.abort(), { times: 1 });
  await move(page, "f5", "f6");
  await page.waitForSelector(".note.bad:has-text('The program does not answer')");
  await page.waitForSelector('[data-cell="f5"][data-piece="P"]');
  assert.deepEqual(await moves(page), []);
  assert.equal(await page.locator(".hx-mark-last").count(), 0);
  assert.equal(await page.isDisabled("#undo"), true, "nothing was changed");
  await move(page, "f5", "f6");
  await page.waitForSelector('.move[data-move="f5f6"][aria-current="true"]');
  browser.faults.length = 0; // The browser notes the request that failed.
});

test("of two games that are chosen in haste the second one is shown", async () => {
  const page = await browser.page();
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/api/game", async (route) => {
    if (route.request().postData().includes("chromatic4")) await held;
    await route.continue();
  });
  await page.selectOption("#game", "chromatic4");
  await choose(page, "mccooey");
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/game"));
  release();
  await answered;
  await page.waitForTimeout(200);
  assert.equal(await page.inputValue("#game"), "mccooey");
  assert.match(await page.title(), /McCooey/);
});

const said = (page) => page.textContent("#say");

test("a mate by the engine is said with its move, and so is what is looked back at", async () => {
  let page = await browser.page({ settings: { level: 1 } });
  await paste(page, "e1b4 g10h8 f3h2 h8i6");
  await count(page, 4);
  await page.keyboard.press("End");
  await page.waitForSelector('.move[data-move="h8i6"][aria-current="true"]');
  await page.click("#tab-play");
  await page.click('[data-side="b"]');
  await page.click("text=Begin from the position on the board");
  const mate = { move: "b4k4", san: "Qk4#", check: true };
  await page.route("**/api/play", (route) => route.fulfill({ json: { move: mate } }));
  await page.click("#play-begin");
  await state(page, "Black is checkmated");
  await page.waitForTimeout(200);
  assert.match(await said(page), /^Qk4#\. Black is checkmated: White wins/);
  await page.context().close();
  page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  await move(page, "f5", "f6");
  await count(page, 2);
  await state(page, "Your move");
  for (const [key, words] of [["ArrowLeft", "f6"], ["ArrowLeft", "First position"], ["ArrowRight", "f6"]]) {
    await page.keyboard.press(key);
    await hears(page, words);
  }
  assert.deepEqual(browser.faults, []);
});

test("new game and undo tell that the program does not answer, and nothing is lost", async () => {
  const page = await browser.page();
  await paste(page, "1. e4e5 e7e6 2. e1a5");
  await count(page, 3);
  const note = page.locator(".note.bad:has-text('The program does not answer')");
  // After a reload only the position on the board is known.
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/api/position", async (route) => {
    await held;
    await route.abort();
  });
  // A mark is made on a move whose position then does not come. By a click, which waits until the page is drawn: keys
  // right after a reload may be dropped.
  await Promise.all([page.waitForRequest("**/api/position"), page.click("#forward")]);
  await page.click('[data-glyph="1"]');
  release();
  await note.first().waitFor();
  await page.click(".note .icon-button");
  await page.keyboard.press("Control+z");
  await note.first().waitFor();
  assert.equal(await page.isEnabled("#undo"), true);
  await page.click(".note .icon-button");
  await page.click("#new");
  await note.first().waitFor();
  assert.equal((await moves(page)).length, 3);
  await page.unroute("**/api/position");
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".glyph", { state: "detached" });
  // Nothing but what the browser notes of requests that failed.
  assert.deepEqual(browser.faults.filter((fault) => !/Failed to load resource/.test(fault)), []);
  browser.faults.length = 0;
});
