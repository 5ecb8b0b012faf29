// Nothing that was made here is lost: games, comments, edited positions, and what belongs together stays together.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, heldAnswer, paste, play, startBoard, startBrowser } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

const moves = (page) => page.$$eval("#moves button.move", (all) => all.map((m) => m.dataset.move));
const count = (page, n) => page.waitForFunction((wanted) => document.querySelectorAll("#moves button.move").length === wanted, n);
const game = (page) => page.inputValue("#game");
const current = (page) => page.$eval('.move[aria-current="true"]', (m) => m.dataset.move);

async function begin(page, side = "w") {
  await page.click("#tab-play");
  await page.click(`[data-side="${side}"]`);
  await page.click("#play-begin");
  await page.waitForSelector("#play-state");
}

/** Makes a move on the board and does not wait for what comes of it. */
async function move(page, from, to) {
  await page.click(`[data-cell="${from}"]`);
  await page.click(`[data-cell="${to}"]`);
}

test("after another game was chosen the arrow keys are for the moves, and the game before comes back", async () => {
  const page = await browser.page();
  await play(page, "e4e5");
  await page.focus("#game");
  await choose(page, "mccooey");
  await play(page, "d2d3");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => !document.querySelector('.move[aria-current="true"]'));
  assert.equal(await page.inputValue("#game"), "mccooey");
  await page.keyboard.press("Control+z");
  await count(page, 0);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.getElementById("game").value === "glinski");
  await count(page, 1);
  // A game that is opened takes the place of one, too.
  await paste(page, '[Variant "mccooey"]\n\n1. d2d3 *');
  await page.waitForFunction(() => document.getElementById("game").value === "mccooey");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.getElementById("game").value === "glinski");
  assert.deepEqual(await moves(page), ["e4e5"]);
  // So does a position without moves.
  const fen = "1/3/5/7/4k4/11/11/5K5/5P5/11/11 w - - 0 1";
  await paste(page, fen);
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length === 3);
  await page.click("#new");
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length > 3);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length === 3);
});

test("a comment is written while moves are judged", async () => {
  const page = await browser.page();
  await paste(page, "1. e4e5 e7e6 2. e1a5 g10h8 3. a5b7 f7f6 *");
  await page.waitForSelector('.move[data-move="f7f6"]');
  await page.click("#tab-review");
  await page.selectOption("#panel select", "10000");
  await page.click("#review-begin");
  await page.keyboard.press("c");
  await page.keyboard.type("no game on foot", { delay: 60 });
  await page.waitForSelector("#annotate");
  assert.equal(await page.evaluate(() => document.activeElement.id), "comment");
  assert.equal(await page.inputValue("#comment"), "no game on foot");
  // What was judged and is deleted can no longer be reached.
  await page.keyboard.press("Tab");
  await page.click('.move[data-move="e1a5"]');
  await page.waitForSelector('.move[data-move="e1a5"][aria-current="true"]');
  await page.click("#delete");
  await page.waitForSelector("#review-begin");
  assert.deepEqual(await moves(page), ["e4e5", "e7e6"]);
});

test("a review stays over undo and a reload", async () => {
  const page = await browser.page();
  await paste(page, "1. e5 e6 2. Qc3 d6 3. Bd2 f6");
  await count(page, 6);
  await page.click("#tab-review");
  await page.selectOption("#panel select", "10000");
  await page.click("#review-begin");
  await page.waitForSelector("#annotate");
  const summary = await page.textContent(".summary");
  await page.click("#bad-moves button");
  await page.locator(".better .pv-move").first().click();
  await page.waitForSelector(".variation .move");
  await page.mouse.move(0, 0);
  for (const change of [null, "#annotate"]) {
    if (change) {
      await page.click(change);
      await page.waitForSelector(".variation .move");
    }
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => !document.querySelector(".variation .move"));
    assert.equal(await page.textContent(".summary"), summary);
  }
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.textContent(".summary"), summary);
  // It leads to the positions as before.
  await page.click("#bad-moves button");
  await page.waitForSelector(".better .pv-move");
  // The review of another game is none of this one.
  await paste(page, "1. e5 e6 2. Qc3 d6 3. Bd2 g6");
  await page.waitForSelector("#review-begin");
  await page.reload();
  await page.waitForSelector("#review-begin");
  assert.deepEqual(browser.faults, []);
});

test("an answer to a move that was deleted is dropped", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  const release = await heldAnswer(page);
  await move(page, "e4", "e5");
  await count(page, 1);
  await page.keyboard.press("Delete");
  await count(page, 0);
  release();
  await page.waitForSelector("#play-state:has-text('Your move')");
  // The position may come a little later.
  await page.waitForSelector("#status:has-text('White to move')");
  await move(page, "f5", "f6");
  await count(page, 2);
  assert.equal((await moves(page))[0], "f5f6");
});

test("a comment stays with its move while the engine answers", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  const release = await heldAnswer(page);
  // The comment is begun before the position has come.
  await page.route("**/api/position", async (route) => {
    await new Promise((done) => setTimeout(done, 200));
    await route.continue();
  });
  await move(page, "e4", "e5");
  await count(page, 1);
  await page.keyboard.press("c");
  await page.keyboard.type("my plan");
  release();
  await count(page, 2);
  await page.keyboard.type(" is this");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".comment");
  assert.equal(await page.textContent(".comment"), "my plan is this");
  await page.click('.move[data-move="e4e5"]');
  await page.waitForFunction(() => document.getElementById("comment").value === "my plan is this");
  // A move that is pressed while another's comment is written is gone to.
  await page.fill("#comment", "another plan");
  const [, reply] = await moves(page);
  const box = await page.locator(`.move[data-move="${reply}"]`).boundingBox();
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.waitForTimeout(60);
  await page.mouse.up();
  await page.waitForSelector(`.move[data-move="${reply}"][aria-current="true"]`);
  await page.waitForFunction(() => document.querySelector(".comment").textContent === "another plan");
});

test("undo goes on with the game against the engine, and leaves an edited position alone", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  await move(page, "e4", "e5");
  await count(page, 2);
  await page.waitForSelector("#play-state:has-text('Your move')");
  await page.keyboard.press("Control+z");
  await count(page, 0);
  assert.equal(await page.textContent("#play-state"), "Your move");
  await page.click("#tab-edit");
  await page.keyboard.press("Control+z");
  await page.click("#tab-play");
  assert.equal(await page.textContent("#play-state"), "Your move");
  // It goes on after a reload on another tab, too.
  await move(page, "e4", "e5");
  await count(page, 2);
  await page.click("#tab-learn");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.click("#tab-play");
  await page.waitForSelector("#play-state:has-text('Your move')");
});

test("a game that is taken back after it was given up goes on", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page, "b");
  await count(page, 1);
  await page.click("#resign");
  await page.click("#takeback");
  await page.waitForSelector("#play-state:has-text('Your move')");
  assert.equal(await page.locator("#resign").count(), 1);
});

test("what is shown belongs to the position on the board", async () => {
  const page = await browser.page();
  await page.keyboard.press("l");
  await page.waitForSelector(".line .pv-move:nth-of-type(1)");
  await page.hover(".line .pv-move");
  await page.waitForSelector("#status.looking");
  await page.keyboard.press("4");
  await page.waitForSelector("#status:not(.looking)");
  await page.keyboard.press("1");
  await page.keyboard.press("l");
  // The numbers behind the evaluation, too.
  await page.mouse.move(0, 0);
  await paste(page, "1. e1a5 e7e6 2. a5b7 *");
  await page.waitForSelector('.move[data-move="a5b7"]');
  await page.keyboard.press("End");
  await page.waitForSelector('.move[data-move="a5b7"][aria-current="true"]');
  await page.click("#explain summary");
  await page.waitForSelector("#explain .total");
  const there = await page.textContent("#explain .total");
  await page.click("#tab-learn");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => !document.querySelector('.move[aria-current="true"]'));
  await page.click("#tab-analyse");
  await page.waitForFunction((before) => document.querySelector("#explain .total")?.textContent !== before, there);
});

test("a variation that begins like the main line is one with it, and comments stay", async () => {
  const page = await browser.page();
  await paste(page, "1. e4e5 (1. e4e5 {a trap} f7f6) e7e6 *");
  await page.waitForSelector('.move[data-move="e7e6"]');
  assert.deepEqual(await page.$$eval(".move-row .move[data-move]", (all) => all.map((m) => m.dataset.move)), ["e4e5", "e7e6"]);
  assert.deepEqual(await page.$$eval(".variation .move", (all) => all.map((m) => m.dataset.move)), ["f7f6"]);
  assert.equal(await page.textContent(".comment"), "a trap");
  await paste(page, "1. e4e5 ({Better is this} 1. f5f6 e7e6) e7e6 *");
  await page.click('.variation .move[data-move="f5f6"]');
  await page.waitForSelector('.move[data-move="f5f6"][aria-current="true"]');
  await page.click("#promote");
  await page.waitForSelector('.variation .move[data-move="e4e5"]');
  assert.equal(await page.textContent(".comment"), "Better is this");
});

test("a move is made once, however often it is asked for", async () => {
  const page = await browser.page();
  await page.fill("#typed", "e4e5");
  await page.evaluate(() => {
    const form = document.querySelector("form.typed");
    form.requestSubmit();
    form.requestSubmit();
  });
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  await page.waitForTimeout(300);
  assert.deepEqual(await moves(page), ["e4e5"]);
  assert.equal(await page.locator(".note").count(), 0);
  assert.equal(await current(page), "e4e5");
  assert.deepEqual(browser.faults, []);
});

test("the game of the command line is shown, and the one before comes back", async () => {
  const page = await browser.page();
  await begin(page);
  await move(page, "e4", "e5");
  await count(page, 2);
  const other = await startBoard("--game", "mccooey");
  try {
    // As if it had the same port: what the browser has kept is there, too.
    const kept = await page.evaluate(() => localStorage.getItem("hexmate-board"));
    const next = await page.context().newPage();
    await next.addInitScript((kept) => {
      if (!localStorage.getItem("hexmate-board")) localStorage.setItem("hexmate-board", kept);
    }, kept);
    await next.goto(other.address);
    await next.waitForSelector("html[data-ready]");
    assert.equal(await game(next), "mccooey");
    await next.click("#tab-play");
    await next.waitForSelector("#play-begin");
    await next.keyboard.press("Control+z");
    await next.click("#tab-analyse");
    await next.waitForSelector('.move[data-move="e4e5"]');
    assert.equal(await game(next), "glinski");
    // Once it was shown, what is here stays.
    await next.reload();
    await next.waitForSelector('.move[data-move="e4e5"]');
    assert.equal(await game(next), "glinski");
  } finally {
    await other.stop();
  }
});
