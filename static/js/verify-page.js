// The page /verify: what is dropped or pasted is checked in this browser while the server checks it too.
import { checkBundle } from "./check-bundle.js";
import { checkCheckpoint, checkProof, checkReceipt } from "./check-proof.js";
import { CannotCheck } from "./note.js";

const form = document.getElementById("verify-form");
const list = document.getElementById("in-browser");
const server = document.getElementById("on-server");
const keys = { ledger: JSON.parse(form.dataset.ledgerKeys), receipt: JSON.parse(form.dataset.receiptKeys) };
let turn = 0;

// What was said of the last file never stands beside the next one.
form.addEventListener("htmx:beforeRequest", () => server.replaceChildren());
form.addEventListener("submit", async () => {
  const mine = ++turn;
  const file = form.elements.file.files[0];
  const text = (file ? await file.text() : form.elements.text.value).replaceAll("\r\n", "\n").trim();
  if (!text) list.replaceChildren();
  else await check(`${text}\n`, mine);
});
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  event.preventDefault();
  if (!event.dataTransfer.files.length) return;
  form.elements.file.files = event.dataTransfer.files;
  form.requestSubmit();
});

async function check(text, mine) {
  list.replaceChildren();
  list.dataset.done = "no";
  const add = (title, holds, says) => { if (mine === turn) list.append(line(title, holds, says)); };
  let mayEndEarly = false; // a checker stops where a step that the others need has failed
  const step = async (title, work, open = "") => {
    try {
      const found = await work();
      add(title, open && found === null ? null : true, open || (typeof found === "string" && !found.includes("\n") ? found : ""));
      return found;
    } catch (error) {
      mayEndEarly = true;
      add(title, error instanceof CannotCheck ? null : false, `${error.message}`.slice(0, 300));
      return null;
    }
  };
  if (!globalThis.crypto?.subtle) add("Check in this browser", null, "It needs HTTPS.");
  else {
    try {
      await checkerOf(text)(step, text, keys);
      if (!mayEndEarly) add("Everything was looked at", true);
    } catch (error) {
      add("Everything was looked at", error instanceof CannotCheck ? null : false, `${error.message}`.slice(0, 300));
    }
  }
  if (mine === turn) list.dataset.done = "yes";
}

function checkerOf(text) {
  if (text.startsWith("{")) return checkBundle;
  if (text.startsWith("c2sp.org/tlog-proof@v1\n")) return checkProof;
  const second = text.split("\n")[1];
  if (second === "vote.commit" || second === "submission") return checkReceipt;
  if (/^\d+$/.test(second)) return checkCheckpoint;
  return () => { throw new RangeError("This is neither a bundle, nor a receipt, a proof or a checkpoint."); };
}

function line(title, holds, says) {
  const item = document.createElement("li");
  const word = { true: "Holds", false: "Fails", null: "Open" }[holds];
  item.className = `check check-${word.toLowerCase()}`;
  const mark = Object.assign(document.createElement("b"), { className: "check-word", textContent: word });
  const name = Object.assign(document.createElement("span"), { className: "check-title", textContent: title });
  item.append(mark, " ", name);
  if (says) item.append(Object.assign(document.createElement("span"), { className: "check-says", textContent: ` ${says}` }));
  return item;
}
