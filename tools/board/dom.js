// @ts-check
// Small helpers to make elements.

/** @typedef {any} Child A node, a text, a number, or a list of them; what is null or false is left out. */

/** Makes an element. Keys that begin with "on" are listeners, booleans set or leave out an attribute.
 * @param {string} tag "button" or "button.quiet.small" @param {Record<string, any> | null} [props] @param {...Child} children
 * @returns {any} */
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  if (name === "button") node.setAttribute("type", "button");
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "disabled" || key === "selected") /** @type {any} */ (node)[key] = value;
    else if (key === "class") node.className = `${node.className} ${value}`.trim();
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  add(node, children);
  return node;
}

/** @param {Node} node @param {Child} child */
function add(node, child) {
  if (Array.isArray(child)) for (const one of child) add(node, one);
  else if (child !== null && child !== undefined && child !== false) node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

/** A text of somebody's among others: its letters, if they run from right to left, do not move what stands beside it.
 * @param {Child} text */
export const isolated = (text) => h("bdi", null, text);

/** @param {string} white @param {string} black @returns {Child} */
export const playersOf = (white, black) => [isolated(white), " – ", isolated(black)];

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Sets the text of an element if it is another one. @param {Element} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Makes these the children of a list. Those that were there already stay as they are, with the focus.
 * @param {Element} list @param {Element[]} nodes */
export function arrange(list, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
  let next = list.firstElementChild;
  for (const node of nodes) {
    if (node === next) next = node.nextElementSibling;
    else list.insertBefore(node, next);
  }
}

const ICONS = /** @type {Record<string, string>} */ ({
  first: "M18 6 10 12l8 6M7 6v12",
  back: "M15 6l-7 6 7 6",
  forward: "M9 6l7 6-7 6",
  last: "M6 6l8 6-8 6M17 6v12",
  flip: "M7 4v14M7 18l-3-3M7 18l3-3M17 20V6M17 6l-3 3M17 6l3 3",
  arrows: "M5 19 18 6M18 6h-7M18 6v7",
  pen: "M4 20l1-4L16 5l3 3L8 19Z",
  help: "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.5",
  view: "M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6ZM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5Z",
  gear: "M4 7h10M18 7h2M16 5v4M4 17h2M10 17h10M8 15v4",
  trash: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12",
  up: "M12 19V6M6 11l6-6 6 6",
  undo: "M9 8 5 12l4 4M5 12h9a5 5 0 0 1 0 10h-2",
  copy: "M9 9h10v11H9ZM5 15V4h10",
  open: "M4 19V6h6l2 2h8v11Z",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  comment: "M4 5h16v11H11l-4 4v-4H4Z",
  hint: "M9 18h6M10 21h4M8.500 15A6 6 0 1 1 15.500 15l-.5 1h-6Z",
  flag: "M6 21V4h11l-2 4 2 4H6",
  close: "M6 6l12 12M18 6 6 18",
  hand: "M5 12h14M12 5v14M12 5l-2 2M12 5l2 2M12 19l-2-2M12 19l2-2M5 12l2-2M5 12l2 2M19 12l-2-2M19 12l-2 2",
});

/** An icon; say what it is on the button around it. @param {string} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name] ?? "");
  svg.append(path);
  return svg;
}

/** A button that shows an icon. @param {string} name @param {string} label @param {(event: Event) => void} onclick
 * @param {Record<string, any>} [props] */
export function iconButton(name, label, onclick, props) {
  return h("button.icon-button", { "aria-label": label, title: label, onclick, ...props }, icon(name));
}

/** A labelled choice. @param {string} label @param {[string, string][]} options Values and texts. @param {string} value
 * @param {(value: string) => void} onchange */
export function choice(label, options, value, onchange) {
  const select = h("select", { onchange: (/** @type {any} */ e) => onchange(e.target.value) },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return h("label.field", null, h("span", null, label), select);
}

/** A labelled switch. @param {string} label @param {boolean} on @param {(on: boolean) => void} onchange */
export function toggle(label, on, onchange) {
  return h("label.check", null, h("input", { type: "checkbox", checked: on, onchange: (/** @type {any} */ e) => onchange(e.target.checked) }), h("span", null, label));
}

/** The focus, if it is on a button that goes, stays beside it. @param {any} button */
function leave(button) {
  if (document.activeElement === button) button.closest("#toolbar, #panel")?.focus({ preventScroll: true });
}

/** Disables a button, or not. @param {any} button @param {boolean} disabled */
export function disable(button, disabled) {
  if (disabled) leave(button);
  button.disabled = disabled;
}

/** Hides a button, or not. @param {any} button @param {boolean} hidden */
export function hide(button, hidden) {
  if (hidden) leave(button);
  button.hidden = hidden;
}

/** Fills the panel, or a part of it. The focus stays where it was, or at least in the panel. @param {() => void} fill */
export function keepingFocus(fill) {
  const panel = byId("panel");
  const { activeElement: focused } = document;
  const had = panel.contains(focused);
  fill();
  if (!had || panel.contains(document.activeElement)) return;
  if (focused?.id) byId(focused.id)?.focus({ preventScroll: true });
  if (!panel.contains(document.activeElement)) panel.focus({ preventScroll: true });
}

/** Says something to people who listen. @param {string} text */
export function say(text) {
  const node = byId("say");
  // The same text again would not be heard: a space that nobody hears makes it another one.
  node.textContent = node.textContent === text ? `${text}\u00a0` : text;
}

/** Shows a note for a while. @param {string} text @param {boolean} [bad] */
export function note(text, bad = false) {
  const box = h(`div.note${bad ? ".bad" : ""}`, null, h("span", null, text));
  const close = iconButton("close", "Close this note", () => box.remove());
  box.append(close);
  byId("notes").append(box);
  while (byId("notes").children.length > 3) byId("notes").firstChild.remove();
  setTimeout(() => box.remove(), bad ? 9000 : 4000);
}
