// Moves in the letters of another language, typed and opened.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, paste, startBrowser, violations } from "./driver.mjs";

const GERMAN = "1. e5 e6 2. Dc3 d6 3. Dc6 *";
let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

const sans = (page) => page.$$eval("#moves button.move", (all) => all.map((m) => m.textContent.trim()));
/** Asks for the moves until there are so many. */
const moves = async (page, count) => {
  await page.waitForFunction((n) => document.querySelectorAll("#moves button.move").length === n, count);
  return sans(page);
};
/** Types a move. */
const type = async (page, move) => {
  await page.fill("#typed", move);
  await page.press("#typed", "Enter");
};

test("a text in other letters is read once these are chosen, without pasting it again", async () => {
  const page = await browser.page();
  await paste(page, "1. Dc3 e6 *");
  await page.waitForSelector("#read-fault:not([hidden])");
  assert.match(await page.textContent("#read-fault"), /D is no piece; the letters are K, Q, R, B, N \(choose those of another language below\)$/);
  assert.deepEqual(await violations(page), []);
  await page.selectOption("dialog .letters-choice select", "german");
  await page.click("#read");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.deepEqual(await moves(page, 2), ["Qc3", "e6"]);
  // The choice is kept.
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.keyboard.press("o");
  assert.equal(await page.inputValue("dialog .letters-choice select"), "german");
  assert.deepEqual(browser.faults.filter((f) => !/status of 400/.test(f)), []);
});

test("a game that can be read in part says where letters are chosen", async () => {
  const page = await browser.page();
  await paste(page, GERMAN);
  await page.waitForSelector(".note.bad");
  assert.match(await page.textContent(".note.bad"), /D is no piece.*\(choose those of another language under Open…\)/);
  assert.deepEqual(await moves(page, 2), ["e5", "e6"]);
});

test("a file in other letters stays in the dialog until it is read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hexmate-"));
  try {
    const path = join(folder, "h.pgn");
    writeFileSync(path, "1. Dc3 e6 *");
    const page = await browser.page();
    await page.keyboard.press("o");
    await page.setInputFiles("dialog input[type=file]", path);
    await page.waitForSelector("#read-fault:not([hidden])");
    await page.selectOption("dialog .letters-choice select", "german");
    await page.click("#read");
    assert.deepEqual(await moves(page, 2), ["Qc3", "e6"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("letters of a typed move are chosen where they are missed, and the move is played", async () => {
  const page = await browser.page();
  assert.match(await page.getAttribute("#typed", "placeholder"), /^Type a move: [a-z]\d+, [A-Z]\w+$/);
  await type(page, "Dc3");
  await page.waitForSelector("#typed-fault:not([hidden])");
  assert.match(await page.textContent("#typed-fault"), /^'Dc3' is not a move: D is no piece; the letters are K, Q, R, B, N$/);
  assert.deepEqual(await violations(page), []);
  await page.selectOption(".typed-letters select", "german");
  assert.deepEqual(await moves(page, 1), ["Qc3"]);
  await page.waitForFunction(() => document.getElementById("typed-fault").hidden && !document.querySelector(".typed-letters select"));
  assert.match(await page.getAttribute("#typed", "placeholder"), /^Type a move \(German\): [a-z]\d+$/);
  // Cells mean the same in every language, and so does the rest of the game.
  await type(page, "e7e6");
  assert.deepEqual(await moves(page, 2), ["Qc3", "e6"]);
  // Back to the board's own.
  await type(page, "Qc6");
  await page.waitForSelector(".typed-letters select");
  await page.selectOption(".typed-letters select", "");
  assert.deepEqual(await moves(page, 3), ["Qc3", "e6", "Qc6"]);
});

test("a game with letters of its own has no choice, and keeps those of the others", async () => {
  const page = await browser.page({ settings: { letters: "german" } });
  await choose(page, "chromatic4");
  await page.keyboard.press("o");
  await page.waitForSelector("#paste");
  assert.equal(await page.locator(".letters-choice").count(), 0);
  await page.keyboard.press("Escape");
  await type(page, "Ä3");
  await page.waitForSelector("#typed-fault:not([hidden])");
  assert.equal(await page.locator(".letters-choice").count(), 0);
  await choose(page, "glinski");
  await type(page, "Dc3");
  assert.deepEqual(await moves(page, 1), ["Qc3"]);
});

test("the page begins with the letters of the command line", async () => {
  const own = await startBrowser("--letters", "KVBFH");
  try {
    const page = await own.page({ settings: { letters: "german" } });
    await type(page, "Vc3");
    assert.deepEqual(await moves(page, 1), ["Qc3"]);
    assert.match(await page.getAttribute("#typed", "placeholder"), /^Type a move \(K V B F H\)/);
    await page.keyboard.press("Tab");
    await page.click("#open-text");
    await page.selectOption("dialog .letters-choice select", "polish");
    // What was chosen since is not taken back.
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await page.click("#open-text");
    assert.equal(await page.inputValue("dialog .letters-choice select"), "polish");
  } finally {
    await own.close();
  }
});
