// The registry of keys: one key, one meaning a page; never in a text field; can be changed and switched off.
// Another module calls register({id, key, label, run}); a link or button may say data-key="n" data-key-label="Next".
const STORE = "trust.keys";
const registry = new Map();
const TEXT = "input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=range]), textarea, select, [contenteditable]:not([contenteditable=false])";
const NOT_ONE = new Set(["Tab", "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Fn", "Dead", "Process", "Unidentified", " "]);
const LATIN_ENDS = "\u024f";

function readStore() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return { off: Boolean(found.off), keys: { ...found.keys } };
  } catch {
    return { off: false, keys: {} };
  }
}

let chosen = readStore();

function keep() {
  try { localStorage.setItem(STORE, JSON.stringify(chosen)); } catch { /* private mode: the choice lasts for this page */ }
}

function keyOf(entry) { return chosen.keys[entry.id] ?? entry.key; }
function holderOf(key) { return [...registry.values()].find((entry) => keyOf(entry) === key); }

/** Add a key. Two meanings for one key are a mistake of the page and stop its script at once. */
export function register({ id, key, label, run, element }) {
  if (registry.has(id)) throw new Error(`Key "${id}" is registered twice.`);
  const usual = [...registry.values()].find((entry) => entry.key === key);
  if (usual) throw new Error(`Key collision: "${key}" means both "${usual.label}" and "${label}".`);
  const entry = { id, key, label, run, element };
  if (holderOf(keyOf(entry))) delete chosen.keys[id];
  registry.set(id, entry);
  return () => registry.delete(id);
}

/** Give an entry another key; false when that key is taken. */
export function remap(id, key) {
  const holder = holderOf(key);
  if (holder && holder.id !== id) return false;
  chosen.keys[id] = key;
  keep();
  showHints();
  return true;
}

export function switchKeys(on) {
  chosen.off = !on;
  keep();
  document.documentElement.classList.toggle("no-keys", chosen.off);
  showHints();
}

export function isWriting(target) {
  return target instanceof Element && target.closest(TEXT) !== null;
}

/** What was pressed, on any layout: the sign itself; else the Latin letter or the digit that its place has elsewhere. */
function strokesOf(event) {
  const { key, code } = event;
  if (event.isComposing || event.keyCode === 229 || key === "Dead" || key === "Process") return [];
  if ([...key].length !== 1 || event.getModifierState("AltGraph")) return [key];
  const sign = event.getModifierState("CapsLock") ? (event.shiftKey ? key.toUpperCase() : key.toLowerCase()) : key;
  if (/^Key[A-Z]$/.test(code) && sign > LATIN_ENDS) return [sign, event.shiftKey ? code[3] : code[3].toLowerCase()];
  return /^Digit\d$/.test(code) && !event.shiftKey ? [sign, code[5]] : [sign];
}

// AltGr only helps to type a sign; Windows reports it as Control and Alt.
function isCommand(event) {
  return event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"));
}

// Enter and Space belong to the link, the button or the choice in an outline that has the focus.
function isPressing(event) {
  return (event.key === "Enter" || event.key === " ") && event.target instanceof Element && event.target.closest("a[href], button, summary, .outline input") !== null;
}

let waiting = null;

function press(event) {
  if (event.defaultPrevented || event.repeat || isCommand(event) || isWriting(event.target)) return;
  const strokes = strokesOf(event);
  if (waiting) return void takeNewKey(event, strokes[0] ?? "Dead");
  if (isPressing(event)) return;
  const find = () => strokes.map(holderOf).find(Boolean);
  // What came a moment ago is announced once it has settled; a quick hand is quicker.
  const entry = find() ?? (adopt(document), find());
  if (!entry || (chosen.off && entry.id !== "sheet")) return;
  if (document.querySelector("dialog[open]") && entry.id !== "sheet") return;
  event.preventDefault();
  entry.run(event);
}

function takeNewKey(event, stroke) {
  if (NOT_ONE.has(stroke)) return;
  event.preventDefault();
  const { entry, button } = waiting;
  waiting = null;
  if (stroke === "Escape") say("");
  else say(remap(entry.id, stroke) ? `${entry.label}: now ${stroke}.` : `${stroke} is taken by ${holderOf(stroke).label}.`);
  draw();
  sheet?.querySelector(`[data-key-id="${CSS.escape(entry.id)}"]`)?.focus();
  button.removeAttribute("aria-pressed");
}

const sheet = document.getElementById("key-sheet");
function say(words) { if (sheet) sheet.querySelector("[data-keys-status]").textContent = words; }
function nameOf(key) { return key === " " ? "Space" : key; }

function draw() {
  if (!sheet) return;
  const rows = [...registry.values()].map((entry) => {
    const row = document.createElement("tr");
    const what = row.appendChild(document.createElement("th"));
    what.scope = "row";
    what.textContent = entry.label;
    const button = row.appendChild(document.createElement("td")).appendChild(document.createElement("button"));
    button.type = "button";
    button.className = "button button-small";
    button.dataset.keyId = entry.id;
    button.textContent = nameOf(keyOf(entry));
    button.setAttribute("aria-label", `${nameOf(keyOf(entry))}: change the key for ${entry.label}`);
    button.addEventListener("click", () => {
      waiting = { entry, button };
      button.setAttribute("aria-pressed", "true");
      say(`Press the new key for ${entry.label}, or Escape.`);
    });
    return row;
  });
  sheet.querySelector("[data-keys-list]").replaceChildren(...rows);
  sheet.querySelector("[data-keys-switch]").checked = !chosen.off;
}

const idOf = (element) => element.dataset.keyId ?? `${element.dataset.key}:${labelOf(element)}`;
const labelOf = (element) => element.dataset.keyLabel ?? element.textContent.trim();

/** The stroke in force stands beside what it does, and is told to those who listen. */
function showHints() {
  for (const element of document.querySelectorAll("[data-key]")) {
    const entry = registry.get(idOf(element));
    if (!entry) continue;
    const hint = element.querySelector(".key") ?? element.labels?.[0]?.querySelector(".key");
    if (hint) hint.textContent = nameOf(keyOf(entry));
    if (chosen.off) element.removeAttribute("aria-keyshortcuts");
    else element.setAttribute("aria-keyshortcuts", keyOf(entry) === " " ? "Space" : keyOf(entry));
  }
}

function openSheet() {
  if (!sheet) return;
  if (sheet.open) return void sheet.close();
  draw();
  say("");
  sheet.showModal();
}

/** Register the elements that carry data-key; called at start and for what htmx brings later. */
export function adopt(root) {
  for (const [id, { element }] of registry) if (element && !element.isConnected) registry.delete(id);
  for (const element of root.querySelectorAll("[data-key]")) {
    const id = idOf(element);
    const run = () => {
      const now = document.querySelector(`[data-key="${CSS.escape(element.dataset.key)}"]`) ?? element;
      now.matches("input[type=radio], input[type=checkbox], button, a, summary") ? now.click() : now.focus();
    };
    if (!registry.has(id)) register({ id, key: element.dataset.key, label: labelOf(element), run, element });
  }
  showHints();
}

function forgetAll() {
  chosen = { off: false, keys: {} };
  keep();
  switchKeys(true);
  draw();
  say("The usual keys are back.");
}

register({ id: "sheet", key: "?", label: "Show or hide this sheet", run: openSheet });
switchKeys(!chosen.off);
document.addEventListener("keydown", press);
// Hints are calm: Shift alone shows all of them while it is held, never while somebody writes.
const reveal = (shows) => document.documentElement.classList.toggle("shows-keys", shows);
document.addEventListener("keydown", (event) => reveal(event.key === "Shift" && !isWriting(event.target)));
document.addEventListener("keyup", () => reveal(false));
window.addEventListener("blur", () => reveal(false));
document.addEventListener("htmx:load", (event) => adopt(event.detail.elt.parentElement ?? document));
sheet?.querySelector("[data-keys-close]").addEventListener("click", () => sheet.close());
sheet?.querySelector("[data-keys-reset]").addEventListener("click", forgetAll);
sheet?.querySelector("[data-keys-switch]").addEventListener("change", (event) => switchKeys(event.target.checked));
for (const opener of document.querySelectorAll("[data-keys-open]")) opener.addEventListener("click", openSheet);
adopt(document);
