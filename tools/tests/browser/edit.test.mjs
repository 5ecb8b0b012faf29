// The editor: what is used is what is shown, nothing that was edited is lost, and the keyboard does what the mouse does.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, held, paste, pieceOn, play, startBoard, startBrowser } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

/** Black to move, after f5f6. */
const OTHER = "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PR1QBKNRP1 b - - 3 7";
const VALID = ".edit-state:not(.stale) .good-text";

async function open(options) {
  const page = await browser.page(options);
  await page.click("#tab-edit");
  await page.waitForSelector(VALID);
  return page;
}

const text = (page) => page.inputValue("#edit-fen");
const textIs = (page, wanted) => page.waitForFunction((wanted) => document.getElementById("edit-fen")?.value === wanted, wanted);
const piece = (page, cell, wanted) => page.waitForFunction(([cell, wanted]) => document.querySelector(`[data-cell="${cell}"]`).getAttribute("data-piece") === wanted, [cell, wanted]);
const shown = (page) => page.evaluate(async () => (await import("/app/session.js")).session.position.fen);
/** Takes the queen away. */
async function takeQueen(page) {
  await page.click('[data-brush="-"]');
  await page.click('[data-cell="e1"]');
  await piece(page, "e1", null);
  await page.waitForSelector(VALID);
}
/** Makes the program's answers of one kind late. */
const slow = (page, name) => page.route(`**/api/${name}`, async (route) => {
  await new Promise((done) => setTimeout(done, 500));
  await route.continue().catch(() => {});
});

test("a text that was typed is the position that is used, also by a tap", async () => {
  const page = await open({ width: 375, height: 740, touch: true });
  await page.fill("#edit-fen", OTHER);
  await page.tap("#edit-use");
  await page.waitForSelector(".note:has-text('on the board')");
  assert.equal(await shown(page), OTHER);
});

test("a text that was typed is not lost to a click elsewhere", async () => {
  const page = await open();
  await slow(page, "position");
  await page.fill("#edit-fen", OTHER);
  await page.click('#edit-side [data-side="w"]');
  await textIs(page, OTHER.replace(" b ", " w "));
  // A cell of the board before is not that of the position that was typed.
  await page.click('[data-brush="-"]');
  await page.fill("#edit-fen", OTHER);
  await page.click('[data-cell="e1"]');
  await textIs(page, OTHER);
  assert.equal(await pieceOn(page, "e1"), "Q");
});

test("a refused text is a fault in the panel, and is not used", async () => {
  const page = await open();
  const start = await text(page);
  const twoKings = start.replace("1PRNQB", "1PRKQB");
  for (const wrong of ["garbage", twoKings]) {
    await page.fill("#edit-fen", wrong);
    // What is said of the position is not said of the text.
    await page.waitForSelector(".edit-state.stale");
    await page.press("#edit-fen", "Enter");
    await page.waitForSelector(".edit-state:not(.stale) .fault-list");
    assert.equal(await page.locator(".good-text").count(), 0);
    assert.equal(await text(page), wrong);
    assert.ok((await page.isDisabled("#edit-use")) && (await page.isDisabled("#edit-copy")));
  }
  assert.match(await page.textContent("#edit-state"), /king/);
  // Undo takes away the text alone.
  await page.press("#edit-fen", "Control+z");
  await textIs(page, start);
  await page.waitForSelector(VALID);
  // The browser tells of every request that is refused.
  assert.equal(browser.faults.splice(0).length, 2);
});

test("what is used waits for the answer about what is shown", async () => {
  const page = await open();
  await slow(page, "setup");
  await page.click('[data-brush="-"]');
  await page.click('[data-cell="e1"]');
  await page.waitForSelector(".edit-state.stale");
  await page.click("#edit-use");
  await page.waitForSelector(".note:has-text('on the board')");
  assert.equal(await pieceOn(page, "e1"), null);
  assert.match(await shown(page), /1PRN1B/);
  // What turns out to be invalid is not used.
  await page.click("#tab-edit");
  await page.waitForSelector(VALID);
  await page.click('[data-brush="-"]');
  await page.click('[data-cell="g1"]');
  await page.click("#edit-use");
  await page.waitForSelector(".edit-state:not(.stale) .fault-list");
  assert.equal(await page.locator("#tab-edit[aria-selected='true']").count(), 1);
  assert.equal(await page.isDisabled("#edit-use"), true);
});

test("a program that was stopped is told, whatever is pressed", async () => {
  const own = await startBoard();
  const page = await (await browser.page()).context().newPage();
  const faults = [];
  page.on("pageerror", (fault) => faults.push(String(fault)));
  await page.goto(own.address);
  await page.waitForSelector("html[data-ready]");
  await page.click("#tab-edit");
  await page.waitForSelector(VALID);
  await takeQueen(page);
  await own.stop();
  await page.click("#edit-use");
  await page.waitForSelector(".note:has-text('does not answer')");
  await page.click("#edit-start");
  await page.waitForSelector(".fault-list:has-text('does not answer')");
  assert.equal(await page.locator(".note").count(), 2);
  assert.deepEqual(faults, []);
});

test("the edited position is there after a look at another tab, and after a reload", async () => {
  const page = await open();
  const start = await text(page);
  await takeQueen(page);
  const edited = await text(page);
  assert.notEqual(edited, start);
  await page.keyboard.press("4");
  await piece(page, "e1", "Q");
  await page.keyboard.press("5");
  await textIs(page, edited);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await textIs(page, edited);
  assert.equal(await pieceOn(page, "e1"), null);
  await page.keyboard.press("Control+z");
  await textIs(page, start);
  // Each game has its own.
  await takeQueen(page);
  await choose(page, "mccooey");
  await page.waitForSelector(VALID);
  assert.notEqual(await text(page), edited);
  await choose(page, "glinski");
  await textIs(page, edited);
  assert.deepEqual(browser.faults, []);
});

test("another position on the board is edited, and what was edited before comes back by undo", async () => {
  const page = await open();
  await takeQueen(page);
  const edited = await text(page);
  await page.click("#tab-analyse");
  await play(page, "f5f6");
  await page.click("#tab-edit");
  await page.waitForSelector(".note:has-text('Undo brings back')");
  await piece(page, "f6", "P");
  assert.equal(await pieceOn(page, "e1"), "Q");
  await page.waitForSelector(VALID);
  await page.click("#edit-undo");
  await textIs(page, edited);
  // A position that is pasted takes its place, too.
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, OTHER);
  await textIs(page, OTHER);
  await page.keyboard.press("Control+z");
  await textIs(page, edited);
  // What is used and not changed since is left behind without a word.
  await page.evaluate(() => document.querySelectorAll(".note").forEach((note) => note.remove()));
  await page.click("#edit-use");
  await page.waitForSelector("#tab-analyse[aria-selected='true']");
  await page.click("#tab-edit");
  await textIs(page, edited);
  assert.equal(await page.locator(".note:has-text('Undo brings back')").count(), 0);
});

test("every change of the editor is undone, also after the text was typed", async () => {
  const page = await open();
  const start = await text(page);
  assert.equal(await page.isDisabled("#edit-undo"), true);
  await page.click("#edit-clear");
  await textIs(page, "");
  await page.keyboard.press("Control+z");
  await textIs(page, start);
  await page.fill("#edit-fen", OTHER);
  await page.press("#edit-fen", "Enter");
  await textIs(page, OTHER);
  await page.click('[data-brush="-"]');
  await page.click('[data-cell="c1"]');
  await piece(page, "c1", null);
  await page.waitForSelector(VALID);
  await page.focus("#edit-fen");
  for (const wanted of [OTHER, start, start]) {
    await page.keyboard.press("Control+z");
    await textIs(page, wanted);
  }
  assert.equal(await pieceOn(page, "c1"), "R");
  // The browser's own, as in its menu.
  await page.click("#edit-fen");
  await page.keyboard.type(" x");
  await page.press("#edit-fen", "Control+z");
  await textIs(page, start);
  await page.evaluate(() => document.execCommand("undo"));
  assert.equal(await text(page), start);
  // Rights that went with a piece come back with it.
  await choose(page, "chromatic4");
  await page.waitForSelector("#edit-rights input:checked");
  const rights = await page.locator("#edit-rights input:checked").count();
  const [cell] = await page.evaluate(() => document.querySelector("hexmate-board").geometry.castling_cells);
  await page.click('[data-brush="-"]');
  await page.click(`[data-cell="${cell}"]`);
  await page.waitForFunction((n) => document.querySelectorAll("#edit-rights input:checked").length < n, rights);
  await page.click("#edit-undo");
  await page.waitForFunction((n) => document.querySelectorAll("#edit-rights input:checked").length === n, rights);
  assert.deepEqual(browser.faults, []);
});

test("the hand takes a piece up and puts it down, by keyboard and by clicks", async () => {
  const page = await open();
  const said = () => page.textContent("#say");
  await page.focus('[data-cell="e1"]');
  await page.keyboard.press("Enter");
  assert.match(await said(), /queen taken up/);
  assert.equal(await page.getAttribute('[data-cell="e1"]', "aria-selected"), "true");
  for (const key of ["ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await piece(page, "e3", "Q");
  assert.equal(await pieceOn(page, "e1"), null);
  assert.match(await said(), /queen on e3/);
  // Taken up and let go.
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator('[aria-selected="true"][data-cell]').count(), 0);
  await page.keyboard.press("Delete");
  await piece(page, "e3", null);
  await page.keyboard.press("Control+z");
  await piece(page, "e3", "Q");
  await page.click('[data-cell="e3"]');
  await page.click('[data-cell="e1"]');
  await piece(page, "e1", "Q");
  // Nothing is left in the hand for another brush or tab.
  await page.click('[data-cell="e1"]');
  await page.click('[data-brush="N"]');
  assert.equal(await page.locator('[aria-selected="true"][data-cell]').count(), 0);
  assert.deepEqual(browser.faults, []);
});

test("the editor goes on beside a text from elsewhere", async () => {
  const page = await open();
  await page.click("#tab-analyse");
  await paste(page, OTHER);
  await page.waitForFunction(() => /Black/.test(document.getElementById("status").textContent));
  await page.click("#tab-edit");
  await textIs(page, OTHER);
  // Nothing was edited: nothing comes back, and nothing is said.
  assert.equal(await page.locator(".note").count(), 0);
  assert.equal(await page.isDisabled("#edit-undo"), true);
});

test("a text that is being read is not lost to a look at another tab or a reload", async () => {
  const page = await open();
  const start = await text(page);
  const leaves = [
    async () => {
      await page.click("#tab-learn");
      await page.click("#tab-edit");
    },
    () => page.reload(),
  ];
  for (const leave of leaves) {
    const release = await held(page, "position");
    await page.fill("#edit-fen", OTHER);
    await Promise.all([page.waitForRequest("**/api/position"), page.press("#edit-fen", "Enter")]);
    await leave();
    release();
    await textIs(page, OTHER);
    await page.waitForSelector(VALID);
    await page.click("#edit-undo");
    await textIs(page, start);
    await page.waitForSelector(VALID);
  }
  // What was undone is not read again.
  await page.reload();
  await page.waitForSelector(VALID);
  assert.equal(await text(page), start);
  browser.faults.length = 0; // The browser may note the requests that the reload ended.
});

test("a position that is used gets onto the board after a look at another tab, too, or it is told why not", async () => {
  const page = await open();
  const cells = [["e1", ".note:has-text('is on the board')"], ["g1", ".note.bad:has-text('is not on the board: ')"]];
  for (const [cell, note] of cells) {
    const release = await held(page, "setup");
    await page.click('[data-brush="-"]');
    await page.click(`[data-cell="${cell}"]`);
    await page.click("#edit-use");
    await page.click("#tab-analyse");
    release();
    await page.waitForSelector(note);
    await page.click("#tab-edit");
    await page.waitForSelector(".edit-state:not(.stale)");
  }
  await page.click("#tab-analyse");
  await piece(page, "e1", null);
  await piece(page, "g1", "K");
  assert.deepEqual(browser.faults, []);
});

test("a game that is chosen after a position was used stays, and the list names it", async () => {
  const page = await open();
  const release = await held(page, "position");
  await page.fill("#edit-fen", OTHER);
  await page.click("#edit-use");
  await page.selectOption("#game", "mccooey");
  release();
  await page.waitForFunction(() => document.querySelector("hexmate-board").geometry?.name === "mccooey");
  await page.waitForSelector(VALID);
  await page.waitForTimeout(300);
  assert.equal(await page.inputValue("#game"), "mccooey");
  assert.match(await page.title(), /McCooey/);
  assert.equal(await page.locator(".note").count(), 0);
  assert.deepEqual(browser.faults, []);
});

test("a text that is read late is told to take the place of the position on the board", async () => {
  const page = await open();
  await page.route("**/api/position", (route) => route.abort(), { times: 1 });
  await page.fill("#edit-fen", OTHER);
  await page.press("#edit-fen", "Enter");
  await page.waitForSelector(".note.bad:has-text('The program does not answer')");
  await page.click("#tab-analyse");
  await play(page, "e4e5");
  await page.click("#tab-edit");
  await page.waitForSelector(".note:has-text('What was typed is edited')");
  await textIs(page, OTHER);
  await page.waitForSelector(VALID);
  await page.click("#edit-undo");
  await textIs(page, await shown(page));
  browser.faults.length = 0; // The browser notes the request that failed.
});
