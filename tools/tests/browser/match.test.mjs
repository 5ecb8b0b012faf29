// The tab "Match": a match while it is being played, and when it is over.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { program, startBrowser, violations } from "./driver.mjs";

const journal = join(mkdtempSync(join(tmpdir(), "hexmate-match-")), "run.journal");
let browser;
/** The match: two games at once, each of which takes some seconds. */
let running;

before(async () => {
  const engine = (name) => ["-engine", "cmd=internal", `name=${name}`, "st=0.2", "timemargin=100000"];
  running = spawn(program, ["match", "-variant", "glinski", ...engine("new"), ...engine("old"), "-rounds", "50", "-games", "2", "-concurrency", "2", "-maxmoves", "15", "-srand", "3", "-journal", journal], { stdio: "ignore" });
  for (let n = 0; n < 600 && !existsSync(journal); n += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  browser = await startBrowser("--match", journal);
});
after(async () => {
  running?.kill("SIGKILL");
  await browser?.close();
});

const moves = (page) => page.locator("#moves button.move").count();

test("the boards of the games that are being played go on by themselves", async () => {
  const page = await browser.page();
  await page.click("#tab-match");
  await page.waitForSelector(".live-card:nth-child(2)");
  const card = ".live-card:nth-child(1)";
  assert.equal(await page.locator(`${card} [data-cell]`).count(), 91);
  assert.ok((await page.locator(`${card} [data-piece]`).count()) > 10);
  assert.match(await page.textContent(`${card} .live-choose`), /(new.*old|old.*new).*Game \d+/);
  assert.match(await page.textContent("#match-count"), /2 being played/);
  // The small board moves, and the large one with it.
  const [before, plies] = [await page.textContent(".live-card .live-last"), await moves(page)];
  await page.waitForFunction((text) => document.querySelector(".live-card .live-last").textContent !== text, before);
  await page.waitForFunction((n) => document.querySelectorAll("#moves button.move").length > n, plies);
  // A game that has just ended has left, and the board takes the next.
  await page.waitForFunction(() => document.querySelectorAll(".live-card [aria-current]").length === 1);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(browser.faults, []);
});

test("a game is chosen, stepped back in while it goes on, and does not run away", async () => {
  const page = await browser.page();
  await page.click("#tab-match");
  // A game may end just when it is looked at: then another.
  for (let tries = 0; ; tries += 1) {
    assert.ok(tries < 5, "five games ended");
    await page.waitForSelector(".live-card:nth-child(2)");
    const number = await page.getAttribute(".live-card:last-child .live-choose", "data-number");
    await page.click(`.live-choose[data-number="${number}"]`, { timeout: 2000 }).catch(() => {});
    const goesOn = (wanted) => page.waitForSelector(wanted, { timeout: 5000 }).then(() => true, () => false);
    if (!(await goesOn(`.live-choose[data-number="${number}"][aria-current]`)) || !(await goesOn(".move"))) continue;
    assert.equal(await page.isChecked("#match-follow input"), false);
    await page.keyboard.press("Home");
    await page.waitForFunction(() => !document.querySelector('.move[aria-current="true"]'));
    const plies = await moves(page);
    const seen = await page.waitForFunction(([n, game]) => {
      if (document.querySelectorAll("#moves button.move").length > n) return "more";
      return document.querySelector(`.live-choose[data-number="${game}"]`) ? null : "over";
    }, [plies, number]);
    assert.equal(await page.locator('.move[aria-current="true"]').count(), 0, "still at the first position");
    if ((await seen.jsonValue()) === "more") return;
  }
});

test("standings and finished games come as games end", async () => {
  const page = await browser.page({ width: 375, height: 800 });
  await page.click("#tab-match");
  await page.waitForSelector("#match-games .game-row", { timeout: 120000 });
  const names = await page.$$eval("#match-standings tbody th", (all) => all.map((th) => th.textContent).sort());
  assert.deepEqual(names, ["new", "old"]);
  const number = await page.getAttribute("#match-games .game-row", "data-number");
  await page.click(`#match-games [data-number="${number}"]`);
  await page.waitForSelector(`#match-games [data-number="${number}"][aria-current]`);
  await page.waitForFunction(() => /Draw|wins|mates|stalemate/i.test(document.querySelector("#match-games [aria-current]").textContent));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  // The match is killed: nothing is being played any more.
  running.kill("SIGKILL");
  await page.waitForSelector("#match-count:has-text('nothing is being played')");
  assert.equal(await page.locator(".live-card").count(), 0);
  assert.deepEqual(browser.faults, []);
});
