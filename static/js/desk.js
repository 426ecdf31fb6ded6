// The desk: one passage after another in the same page; what belongs to a passage ends with it.
import { wait } from "./desk-wait.js";
import { walkPanes } from "./desk-ways.js";
import { askFor, goTo, show } from "./next-page.js";
import { Passage } from "./passage.js";
import { joinPieces } from "./pieces.js";

async function begin() {
  joinPieces();
  walkPanes();
  const form = document.getElementById("vote");
  await (form ? new Passage(form, goOn).begin() : wait());
}

/** What comes after a sealed vote is asked for while the rest of the vote's work here ends. */
async function goOn(passage) {
  const address = passage.form.action;
  const asked = askFor(address);
  await passage.end();
  const page = await asked;
  if (!page) return goTo(address);
  passage.leave();
  show(page);
  await begin().catch(() => goTo(address));
}

await begin();
