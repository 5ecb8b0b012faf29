// For everybody: no violations of WCAG A and AA in any theme, no sideways scrolling on a phone, keys, spoken words.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, paste, play, startBrowser, violations } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

const GAME = "1. e4e5 e7e6 2. e1a5 g10h8 *";
/** The states of the page, by what leads there. */
const STATES = {
  start: async () => {},
  analysis: async (page) => {
    await play(page, "e4e5");
    await page.keyboard.press("l");
    await page.waitForSelector(".line");
    await page.click("#engine-gear");
  },
  play: async (page) => page.click("#tab-play"),
  playing: async (page) => {
    await page.click("#tab-play");
    await page.click("#play-begin");
    await page.waitForSelector("#takeback");
  },
  review: async (page) => {
    await paste(page, GAME);
    await page.waitForSelector('.move[data-move="e4e5"]');
    await page.click("#tab-review");
    await page.selectOption("#panel select", "10000");
    await page.click("#review-begin");
    await page.waitForSelector("#annotate");
    await page.keyboard.press("End");
  },
  learn: async (page) => {
    await choose(page, "chromatic3");
    await page.click("#tab-learn");
  },
  edit: async (page) => {
    await page.click("#tab-edit");
    await page.waitForSelector(".good-text");
  },
  keys: async (page) => page.keyboard.press("?"),
  view: async (page) => page.keyboard.press("v"),
};

test("axe finds nothing in any theme", async () => {
  for (const [name, go] of Object.entries(STATES)) {
    const page = await browser.page({ theme: "light" });
    await go(page);
    assert.deepEqual(await violations(page), [], name);
    // Another theme changes colours, nothing else.
    for (const theme of ["dark", "contrast"]) {
      await page.evaluate((theme) => {
        const settings = JSON.parse(localStorage.getItem("hexmate-settings"));
        localStorage.setItem("hexmate-settings", JSON.stringify({ ...settings, theme }));
        dispatchEvent(new Event("hexmate-theme"));
      }, theme);
      await page.waitForSelector(`html[data-theme="${theme}"]`);
      assert.deepEqual(await violations(page, ["color-contrast", "link-in-text-block"]), [], `${name}, ${theme}`);
    }
    await page.context().close();
  }
  assert.deepEqual(browser.faults, []);
});

test("nothing scrolls sideways at the width of a phone, and the board fills it", async () => {
  for (const [name, go] of Object.entries(STATES)) {
    const page = await browser.page({ width: 375, height: 760 });
    await go(page);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector("hexmate-board").clientWidth]);
    assert.equal(widths[0], 375, name);
    assert.ok(widths[1] > 340, `${name}: the board is ${widths[1]} wide`);
    await page.context().close();
  }
});

test("the board never leaves the window, however wide or high this is", async () => {
  for (const [width, height] of [[1400, 900], [1000, 600], [1920, 1080], [900, 1200]]) {
    const page = await browser.page({ width, height });
    for (const game of ["glinski", "devasa"]) {
      await choose(page, game);
      const box = await page.locator("hexmate-board svg.hx-board").first().boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${game} in ${width} by ${height}: ${JSON.stringify(box)}`);
      assert.ok(box.width > 350 && box.height > 300, `${game} in ${width} by ${height}: ${JSON.stringify(box)}`);
    }
    // Nor is there anything to scroll to.
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]), [width, height]);
    await page.context().close();
  }
});

test("the theme follows the system until one is chosen, and the choice is kept", async () => {
  const page = await browser.page({ theme: "auto" });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  for (const system of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme: system });
    await page.waitForSelector(`html[data-theme="${system}"]`);
  }
  await page.keyboard.press("v");
  await page.selectOption("dialog select", "contrast");
  assert.equal(await theme(), "contrast");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await theme(), "contrast");
});

test("moves are spoken, and the focus is seen", async () => {
  const page = await browser.page();
  await play(page, "e4e5");
  await page.waitForFunction(() => document.getElementById("say").textContent === "e5");
  await page.focus('[data-cell][tabindex="0"]');
  await page.keyboard.press("ArrowUp");
  const ring = await page.$eval(".hx-cursor:last-child", (ring) => getComputedStyle(ring).stroke);
  assert.notEqual(ring, "none");
  // Every button and field on the page has a name.
  const nameless = await page.$$eval("button, select, input", (all) => all.filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length)).length);
  assert.equal(nameless, 0);
});
