// The fields of a vote: what they say, what is still missing, and the keys and clicks that fill them.
import { lightStep, showDoubts, stepAt } from "./pieces.js";
import { Place } from "./place.js";
import { missing } from "./vote.js";

export class VoteForm {
  /** changed() hears of whatever was typed or chosen, say(words) tells how the draft stands, tell(words) whoever listens. */
  constructor({ form, sealing, changed, say, tell, signal }) {
    Object.assign(this, { form, sealing, changed, tell });
    this.steps = sealing.steps ?? [];
    this.errors = document.getElementById("vote-error");
    this.next = document.getElementById("next-step");
    this.sure = document.getElementById("confidence-field");
    this.place = new Place({
      text: sealing.text, root: document.querySelector("[data-current]"), shown: document.getElementById("place"),
      changed: () => this.change(), say, signal, steps: this.steps,
    });
    form.addEventListener("input", (event) => this.input(event.target));
    form.addEventListener("click", (event) => this.click(event.target));
    // The middle of the scale is a choice too: whoever clicks there says it, though nothing moves.
    const { confidence, reason } = form.elements;
    confidence.addEventListener("pointerup", () => { this.setSure(confidence.value); this.change(); });
    reason.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
    });
  }

  read() {
    const said = new FormData(this.form);
    const criteria = {};
    // What is not asked of this vote is no part of it, even if it was answered while the vote said otherwise.
    for (const [name, value] of said) {
      if (name.startsWith("criterion.") && (said.get("choice") === "fail" || !this.isAskedOnFail(name))) criteria[name.slice(10)] = value;
    }
    return {
      choice: said.get("choice") ?? "",
      propagated: said.has("propagated"),
      errorType: said.get("error_type") ?? "",
      confidence: this.sure.hasAttribute("data-unset") ? null : Number(said.get("confidence")),
      reason: said.get("reason") ?? "",
      criteria,
      contested: said.get("contested") ?? "",
      place: this.place.at,
    };
  }

  isAskedOnFail(name) {
    return Boolean(this.form.querySelector(`.when-it-fails input[name="${CSS.escape(name)}"]`));
  }

  pick(name, value) {
    for (const input of this.form.querySelectorAll(`input[name="${CSS.escape(name)}"]`)) input.checked = input.value === value;
  }

  write(said) {
    const { elements } = this.form;
    this.pick("choice", said.choice);
    this.pick("error_type", said.errorType);
    if (elements.contested) elements.contested.value = said.contested ?? "";
    elements.propagated.checked = said.propagated;
    this.setSure(said.confidence);
    elements.reason.value = said.reason;
    for (const button of this.form.querySelectorAll("[data-cycle]")) this.pick(button.dataset.cycle, said.criteria[button.dataset.cycle.slice(10)]);
    this.place.set(said.place, true);
    this.show();
  }

  /** How sure the vote is; null until somebody says so: a value that stands there by itself says nothing. */
  setSure(percent) {
    this.sure.toggleAttribute("data-unset", percent === null || percent === undefined);
    this.form.elements.confidence.value = percent ?? 75;
  }

  show() {
    const said = this.read();
    const wanted = missing(said, this.sealing);
    lightStep(stepAt(this.steps, said.place));
    if (said.choice) showDoubts();
    document.getElementById("confidence-out").textContent = said.confidence === null ? "not said yet" : `${said.confidence} %`;
    this.next.textContent = wanted?.words ?? "seal your vote and go on";
    this.next.hash = wanted ? "#pane-vote" : "#seal";
  }

  /** No vote can be given any more: what is typed or chosen changes nothing, and why stays beside the button. */
  end() {
    this.isOver = true;
    this.next.textContent = "leave this segment";
    this.next.hash = "#go-on";
  }

  change() {
    if (this.form.dataset.busy || this.isOver) return;
    this.refuse(null);
    this.show();
    this.changed();
  }

  /** Say what is missing, beside the button and at its field, and go there; null takes it all back. */
  refuse(wanted) {
    const { elements } = this.form;
    this.errors.textContent = wanted ? `Not yet: ${wanted.words}.` : "";
    const fields = { choice: elements.choice[0], error_type: elements.error_type[0], reason: elements.reason };
    if (this.sealing.contested) fields.contested = elements.contested;
    fields.confidence = elements.confidence;
    if (this.steps.length) fields.step = elements.step[0] ?? elements.step;
    for (const [name, field] of Object.entries(fields)) {
      field.closest("fieldset, .field").toggleAttribute("data-missing", wanted?.field === name);
    }
    elements.reason.setAttribute("aria-invalid", wanted?.field === "reason");
    elements.reason.setAttribute("aria-describedby", wanted?.field === "reason" ? "vote-error reason-help" : "reason-help");
    fields[wanted?.field]?.focus();
  }

  input(field) {
    if (field.name === "step") {
      const [start, end] = this.steps[Number(field.value) - 1];
      this.place.set({ start, end }, true);
      this.pick("choice", "fail");
    }
    if (field.name === "confidence") this.sure.removeAttribute("data-unset");
    if (field.name === "propagated" && field.checked) this.pick("choice", "fail");
    if (field.name === "choice" && field.value !== "fail") this.form.elements.propagated.checked = false;
    this.change();
  }

  click(target) {
    const button = target.closest("[data-all], [data-cycle], [data-confidence], [data-contested]");
    if (!button) return;
    if (button.dataset.confidence) this.setSure(button.dataset.confidence);
    if (button.dataset.all) for (const one of this.form.querySelectorAll("[data-cycle]")) this.pick(one.dataset.cycle, button.dataset.all);
    if (button.dataset.cycle) this.cycle(button.dataset.cycle);
    if ("contested" in button.dataset) this.nextReason();
    this.change();
  }

  cycle(name) {
    const inputs = [...this.form.querySelectorAll(`input[name="${CSS.escape(name)}"]`)];
    const now = inputs.findIndex((input) => input.checked);
    const to = inputs[(now + 1) % inputs.length];
    to.checked = true;
    this.tell(`${to.closest("fieldset").querySelector("legend").textContent}: ${to.parentElement.textContent.trim()}`);
  }

  /** An adjudicator's key walks the reasons why a segment was contested; the first choice is none. */
  nextReason() {
    const reasons = this.form.elements.contested;
    reasons.selectedIndex = reasons.selectedIndex + 1 < reasons.length ? reasons.selectedIndex + 1 : 1;
    this.tell(`Contested because: ${reasons.selectedOptions[0].textContent}`);
  }
}
