// For everybody: no violations of WCAG A and AA in any theme, no sideways scrolling on a phone, keys, spoken words.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, hears, held, paste, play, startBoard, startBrowser, violations } from "./driver.mjs";

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

test("of a move that is typed it is spoken what it does", async () => {
  const page = await browser.page();
  await paste(page, "1. b1b2 g10g9 *");
  await page.waitForSelector('.move[data-move="g10g9"]');
  await page.keyboard.press("End");
  await page.waitForSelector('.move[data-move="g10g9"][aria-current="true"]');
  const type = async (text, move) => {
    await page.fill("#typed", text);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.move[data-move="${move}"][aria-current="true"]`);
  };
  await type("Bd4", "f2d4");
  await hears(page, "Bd4+, check");
  // Where moves are not spoken, one hears at least that it is made.
  await page.click("#view");
  await page.click("dialog label:has-text('Speak moves')");
  await page.keyboard.press("Escape");
  await page.click("#back");
  await page.waitForSelector('.move[data-move="g10g9"][aria-current="true"]');
  await type("c3", "c2c3");
  await hears(page, "c3 played");
});

test("the first position is said, too, and the piece that is met on the tab Learn with its colour", async () => {
  const page = await browser.page();
  await play(page, "e4e5");
  for (const [key, words] of [["ArrowLeft", "First position"], ["ArrowRight", "e5"], ["ArrowLeft", "First position"], ["ArrowRight", "e5"]]) {
    await page.keyboard.press(key);
    await hears(page, words);
  }
  await page.click("#tab-learn");
  await page.focus('[data-cell="f6"]');
  await page.keyboard.press("ArrowUp");
  await hears(page, "black pawn: 1 move");
});

test("what is said twice is heard twice", async () => {
  const page = await browser.page();
  const texts = await page.evaluate(async () => {
    const { say } = await import("/app/dom.js");
    return [0, 1, 2].map(() => {
      say("Rxe5");
      return document.getElementById("say").textContent;
    });
  });
  assert.notEqual(texts[0], texts[1]);
  assert.notEqual(texts[1], texts[2]);
});

test("the way to the panel leaves the address as it is, and without its token the page says what is missing", async () => {
  const page = await browser.page();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "panel");
  assert.equal(page.url(), browser.address);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  const other = await page.context().newPage();
  const faults = [];
  other.on("pageerror", (fault) => faults.push(String(fault)));
  await other.goto(browser.address.replace(/#.*/, ""));
  await other.waitForSelector("#status:has-text('Open the address that')");
  for (const key of ["n", "f", "v", "o", "4", "5", " "]) await other.keyboard.press(key);
  for (const id of ["new", "tab-learn", "tab-edit", "flip"]) await other.click(`#${id}`, { force: true, timeout: 300 }).catch(() => {});
  assert.equal(await other.locator("dialog").count(), 0);
  assert.deepEqual(faults, []);
  assert.deepEqual(browser.faults, []);
});

test("while the program has not answered nothing can be done, and that is said", async () => {
  const page = await (await browser.page()).context().newPage();
  const faults = [];
  page.on("pageerror", (fault) => faults.push(String(fault)));
  const release = await held(page, "*");
  await page.goto(browser.address);
  await page.waitForSelector("#status:has-text('Waiting for the program')");
  for (const key of ["n", "f", "l", "x", "c", "a", " ", "ArrowLeft", "End", "Delete", "4", "Control+z"]) await page.keyboard.press(key);
  await page.click("#flip", { force: true, timeout: 300 }).catch(() => {});
  assert.equal(await page.isVisible(".gauge-parts"), false);
  release();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.locator("[inert]").count(), 0);
  assert.equal(await page.getAttribute("#tab-analyse", "aria-selected"), "true");
  assert.deepEqual(faults, []);
});

test("where the first position cannot be fetched, a game can be chosen, and New tries again", async () => {
  const context = (await browser.page()).context();
  for (const act of ["#new", "mccooey"]) {
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    const faults = [];
    page.on("pageerror", (fault) => faults.push(String(fault)));
    await page.route("**/api/position", (route) => route.abort());
    await page.goto(browser.address);
    await page.waitForSelector("#status:has-text('The program does not answer')");
    await page.click("#new");
    await page.waitForSelector(".note.bad:nth-of-type(2)");
    await page.unroute("**/api/position");
    if (act === "#new") await page.click(act);
    else await page.selectOption("#game", act);
    await page.waitForSelector("html[data-ready]");
    assert.equal(await page.locator("[inert]").count(), 0);
    assert.equal(await page.inputValue("#game"), act === "#new" ? "glinski" : act);
    assert.equal(await page.getAttribute("#tab-analyse", "aria-selected"), "true");
    await page.waitForSelector("#typed");
    assert.deepEqual(faults, []);
    await page.close();
  }
});

test("what cannot be opened leaves the first position, also by New, and the status tells of that", async () => {
  const { address, stop } = await startBoard("1/3/5/7/4k4/11/11/5K5/5P5/11/11 w - - 0 1");
  const context = (await browser.page()).context();
  try {
    for (const shown of [true, false]) {
      const page = await context.newPage();
      page.setDefaultTimeout(5000);
      await page.route("**/api/opened", (route) => route.abort());
      if (!shown) await page.route("**/api/position", (route) => route.abort());
      await page.goto(address);
      if (!shown) {
        await page.waitForSelector("#status:has-text('The program does not answer')");
        await page.unroute("**/api/position");
        await page.click("#new");
      }
      await page.waitForSelector("html[data-ready]");
      await page.waitForSelector(".note.bad:has-text('The program does not answer')");
      assert.equal(await page.textContent("#status"), "White to move");
      await page.waitForSelector("#typed");
      await page.close();
    }
  } finally {
    await stop();
  }
});

test("games are chosen by the arrow keys one after the other", async () => {
  const page = await browser.page();
  const names = await page.$$eval("#game option", (all) => all.map((o) => o.value));
  await page.focus("#game");
  for (const name of names.slice(1, 4)) {
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction((name) => document.querySelector("hexmate-board").geometry?.name === name, name);
    assert.equal(await page.inputValue("#game"), name);
  }
});

test("the focus stays in the panel when the button that was pressed is gone", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  const press = async (button, then) => {
    await page.focus(button);
    await page.keyboard.press("Enter");
    await page.waitForSelector(then);
    await page.waitForFunction(() => document.activeElement !== document.body, null, { timeout: 2000 }).catch(() => assert.fail(`${button}: the focus is lost`));
    return page.evaluate(() => document.activeElement.id);
  };
  await page.click("#tab-play");
  assert.equal(await press("#play-begin", "#hint:enabled"), "panel");
  assert.equal(await press("#resign", "#play-again"), "panel");
  assert.equal(await press("#play-again", "#play-begin"), "panel");
  await page.click("#tab-analyse");
  await play(page, "e4e5");
  assert.equal(await press("#back", "#back:disabled"), "toolbar");
  await page.keyboard.press("End");
  await page.waitForSelector('.move[aria-current="true"]');
  await page.click("#tab-review");
  await page.selectOption("#panel select", "10000");
  assert.equal(await press("#review-begin", "#annotate"), "panel");
  assert.equal(await press("button:has-text('Review again')", "#review-begin"), "panel");
  await page.click("#tab-edit");
  await press("#edit-clear", ".fault-list");
  assert.equal(await press("#edit-undo", "#edit-undo:disabled"), "panel");
  await page.waitForSelector(".good-text");
  assert.equal(await press("#edit-use", "#typed"), "panel");
  await play(page, "e7e6");
  assert.equal(await press("#delete", "#delete:disabled"), "panel");
  await page.keyboard.press("l");
  assert.equal(await press(".pv-move", '.move[aria-current="true"]'), "panel");
  assert.deepEqual(browser.faults, []);
});

test("the focus stays in the panel when a button is disabled or hidden by what the program says", async () => {
  const page = await browser.page({ settings: { limit: "movetime:1000" } });
  const leaves = async (button, state) => {
    await page.waitForSelector(`${button}${state}`, { state: state ? "attached" : "hidden" });
    await page.waitForFunction(() => document.activeElement !== document.body, null, { timeout: 2000 }).catch(() => assert.fail(`${button}: the focus is lost`));
    assert.equal(await page.evaluate(() => document.activeElement.id), "panel");
  };
  await paste(page, "1. b1b2 g10g9 2. f2d4 *");
  await page.waitForSelector('.move[data-move="f2d4"]');
  await page.keyboard.press("End");
  await page.waitForSelector("#threat:disabled");
  await page.keyboard.press("ArrowLeft");
  await page.focus("#threat:enabled");
  await page.keyboard.press("ArrowRight");
  await leaves("#threat", ":disabled");
  await page.keyboard.press("l");
  await page.focus("#deeper:visible");
  await page.keyboard.press("Enter");
  await leaves("#deeper", "");
  await page.keyboard.press("l");
  await page.click("#tab-edit");
  await page.waitForSelector(".good-text");
  const release = await held(page, "setup");
  await page.click("#edit-clear");
  await page.focus("#edit-use");
  release();
  await leaves("#edit-use", ":disabled");
  assert.deepEqual(browser.faults, []);
});

test("with forced colours the switch has its knob and the sides their colours; paper is light", async () => {
  const page = await browser.page({ theme: "dark", settings: { level: 1 } });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(), "rgb(25, 24, 23)");
  await page.emulateMedia({ media: "print" });
  assert.equal(await ground(), "rgb(244, 241, 236)");
  assert.equal(await page.$eval("svg.hx-board", (svg) => getComputedStyle(svg).printColorAdjust), "exact");
  await page.emulateMedia({ media: "screen", forcedColors: "active" });
  const [knob, bar] = await page.$eval(".knob", (knob) => [getComputedStyle(knob, "::after").backgroundColor, getComputedStyle(knob).backgroundColor]);
  assert.notEqual(knob, bar);
  await page.click("#tab-play");
  await page.click("#play-begin");
  await page.waitForSelector("#takeback");
  const dots = await page.$$eval(".player .side-dot", (all) => all.map((dot) => getComputedStyle(dot).backgroundColor));
  assert.equal(new Set(dots).size, 2);
});

test("keys of the number pad are called so, and the numbers of colours have their names", async () => {
  const page = await browser.page();
  await page.keyboard.press("?");
  assert.match(await page.textContent("dialog"), /7 9 1 3 of the number pad/);
  await page.keyboard.press("Escape");
  await choose(page, "chromatic4");
  await page.keyboard.press("v");
  assert.equal(await page.isVisible("#colour-numbers"), false);
  await page.selectOption("dialog label:has-text('Names') select", "colours");
  assert.match(await page.textContent("#colour-numbers"), /: 1 yellow, 2 /);
  assert.equal(await page.isVisible("#colour-numbers"), true);
});
