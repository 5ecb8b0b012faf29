// The tab "Match": a match while it is being played, and when it is over.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { program, startBrowser, violations } from "./driver.mjs";

const folder = mkdtempSync(join(tmpdir(), "hexmate-match-"));
const journal = join(folder, "run.journal");
let browser;
/** The match: two games at once, each of which takes some seconds. */
let running;

before(async () => {
  const engine = (name) => ["-engine", "cmd=internal", `name=${name}`, "st=0.2", "timemargin=100000"];
  // A move takes as long however little of the processor it gets, so it leaves that to the tests.
  running = spawn("nice", ["-n", "19", program, "match", "-variant", "glinski", ...engine("new"), ...engine("old"), "-rounds", "50", "-games", "2", "-concurrency", "2", "-maxmoves", "15", "-srand", "3", "-journal", journal], { stdio: "ignore" });
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
  await page.waitForFunction(() => document.querySelectorAll(".live-card [aria-current='true']").length === 1);
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
    if (!(await goesOn(`.live-choose[data-number="${number}"][aria-current="true"]`)) || !(await goesOn(".move"))) continue;
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
  await page.waitForSelector(`#match-games [data-number="${number}"][aria-current="true"]`);
  await page.waitForFunction(() => /Draw|wins|mates|stalemate/i.test(document.querySelector("#match-games [aria-current='true']").textContent));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  // The row keeps the focus, and the standings keep where they were scrolled to, when another game has ended.
  await page.$eval("#match-standings .table-box", (box) => {
    box.style.width = "100px";
    box.scrollLeft = 10;
  });
  await page.focus(`#match-games [data-number="${number}"]`);
  const rows = await page.locator("#match-games .game-row").count();
  await page.waitForFunction((n) => document.querySelectorAll("#match-games .game-row").length > n, rows);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.number), number);
  assert.equal(await page.$eval("#match-standings .table-box", (box) => box.scrollLeft), 10);
  const numbers = await page.$$eval("#match-games .game-row", (all) => all.map((row) => row.dataset.number));
  assert.equal(numbers.length, new Set(numbers).size);
  assert.notEqual(numbers[0], number, "the newest first");
  // The match is killed: nothing is being played any more.
  running.kill("SIGKILL");
  await page.waitForSelector("#match-count:has-text('nothing is being played')");
  assert.equal(await page.locator(".live-card").count(), 0);
  assert.deepEqual(browser.faults, []);
});

test("games are listed once and looks go on, whatever is slow or fails", async () => {
  const journal = join(folder, "short.journal");
  const engine = (name) => ["-engine", "cmd=internal", `name=${name}`, "nodes=50"];
  execFileSync(program, ["match", "-variant", "minihexchess", ...engine("one"), ...engine("two"), "-rounds", "2", "-games", "2", "-journal", journal], { stdio: "ignore" });
  const other = await startBrowser("--match", journal);
  try {
    const page = await other.page();
    let [asked, under_way, most] = [0, 0, 0];
    await page.route("**/api/match", async (route) => {
      asked += 1;
      under_way += 1;
      most = Math.max(most, under_way);
      await new Promise((resolve) => setTimeout(resolve, 500));
      under_way -= 1;
      // The second and the third look fail.
      return asked === 2 || asked === 3 ? route.abort() : route.continue();
    });
    // Whoever comes back before the answer waits for it.
    await page.evaluate(() => ["match", "play", "match", "play", "match"].forEach((tab) => document.getElementById(`tab-${tab}`).click()));
    await page.waitForSelector("#match-games .game-row");
    for (let n = 0; n < 300 && asked < 4; n += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(asked >= 4, `${asked} looks`);
    assert.equal(most, 1, "one look at a time");
    assert.equal(await page.locator("#match-games .game-row").count(), 4);
    assert.equal(await page.locator(".note:has-text('does not answer')").count(), 1, "told once");
  } finally {
    await other.close();
  }
});

test("a long match with long names shows all of its standings, quarter points and games", async () => {
  const [openings, journal, name] = [join(folder, "stalemate.epd"), join(folder, "long.journal"), "Hexmate_dev_20261128_nnue256x32"];
  // Whatever else is played is a draw.
  writeFileSync(openings, "1/3/5/7/9/10k/10P/9K1/11/11/11 w - - 99 60\n");
  execFileSync(program, ["match", "-variant", "glinski", "-engine", "cmd=internal", `name=${name}`, "-engine", "cmd=internal", "name=old", "-each", "nodes=100", "-openings", `file=${openings}`, "-rounds", "205", "-games", "1", "-journal", journal], { stdio: "ignore" });
  const other = await startBrowser("--match", journal);
  try {
    for (const [width, height] of [[1400, 900], [375, 740]]) {
      const page = await other.page({ width, height });
      await page.click("#tab-match");
      await page.waitForSelector("#match-games .game-row");
      const rows = await page.$$eval("#match-standings tr", (all) => all.map((tr) => [...tr.children].map((cell) => cell.textContent)));
      assert.deepEqual(rows, [
        ["Player", "Games", "Points", "Elo", "Won", "3/4", "Drawn", "1/4", "Lost"],
        [name, "205", "102.75", "0 ± 297", "0", "103", "0", "102", "0"],
        ["old", "205", "102.25", "0 ± 297", "0", "102", "0", "103", "0"],
      ]);
      assert.match(await page.textContent("#match-notes"), /Left out of all but the points: 203 games/);
      const ends = await page.evaluate(() => {
        const right = (/** @type {string} */ what) => document.querySelector(what).getBoundingClientRect().right;
        return { page: document.documentElement.scrollWidth, box: right("#match-standings > *"), name: right("#match-standings tbody th"), card: right("#match") };
      });
      assert.equal(ends.page, width);
      assert.ok(ends.box <= ends.card && ends.name < ends.card / (width < 900 ? 2 : 1), JSON.stringify(ends));
      // Older games are asked for.
      assert.equal(await page.locator("#match-games .game-row").count(), 200);
      await page.click("#match-older:text-is('Show 5 older games')");
      await page.waitForSelector('#match-games [data-number="1"]');
      assert.equal(await page.locator("#match-games .game-row").count(), 205);
      assert.equal(await page.isVisible("#match-older"), false);
      assert.deepEqual(await violations(page), []);
      // The game on the board is named above its moves everywhere.
      await page.click('#match-games [data-number="1"]');
      await page.click("#tab-analyse");
      await page.waitForSelector(`.game-title:has-text('${name}')`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
    assert.deepEqual(other.faults, []);
  } finally {
    await other.close();
  }
});
