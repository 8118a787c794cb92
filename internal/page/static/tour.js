// The tour: where the person is in it, what the step shows, and what to do next.

import { $, h, sync, once } from "./dom.js";
import { t } from "./words.js";

let steps = [];
let at = -1;       // the step on the screen; -1: none was chosen yet
let phone = null;  // how to go to a phone: (name, text)

// useTour tells the tour how to bring a person's phone to the screen.
export function useTour(go) {
  phone = go;
  $("go").addEventListener("click", (event) => press(event.currentTarget));
  $("copy").addEventListener("click", copy);
}

export function showTour(state) {
  steps = state.tour;
  $("tour-card").hidden = steps.length === 0;
  $("further").hidden = state.more.length === 0;
  sync($("more"), state.more, (s) => s.id, drawMore);
  $("setup").textContent = state.setup;
  if (steps.length === 0) return;
  if (at < 0) at = Math.max(0, steps.findIndex((s) => !s.done));
  draw();
}

function draw() {
  const step = steps[at], last = at === steps.length - 1, next = action(step);
  sync($("steps"), steps.map((s, i) => ({ title: s.title, done: s.done && i < steps.length - 1, here: i === at, number: i + 1 })), (s) => s.number, drawStep);
  put($("step-number"), `${at + 1} / ${steps.length}`);
  put($("step-title"), t(step.title));
  put($("step-text"), t(step.text));
  put($("hint"), t(step.hint));
  put($("coach-hint"), `${at + 1} / ${steps.length} · ${t(step.hint)}`);
  $("hint").classList.toggle("done", step.done && !step.next && !last);
  $("command").hidden = !last;
  $("go").hidden = last;
  put($("go"), next.label);
  $("go").ariaBusy = next.do === "wait" ? "true" : null;
  $("go").dataset.does = `${next.do} ${next.id ?? ""}`.trim();
  document.querySelector('.views [data-view="agent"]')?.classList.toggle("ready", step.done && !step.next && !last);
}

// put leaves alone what is as it should be: a screen reader would say it again.
function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const drawStep = (s) => h("li", {},
  h("button", { type: "button", id: "step-" + s.number, tabindex: s.here ? "0" : "-1", class: s.done ? "done" : "", "aria-current": s.here ? "step" : null, "aria-label": `${t("Step {0}", s.number)}: ${t(s.title)}${s.done ? ` (${t("done")})` : ""}`, title: t(s.title), onclick: () => choose(s.number - 1), onkeydown: (e) => arrow(e, s.number - 1) },
    s.done ? "✓" : String(s.number)));

function choose(number) {
  at = number;
  draw();
}

// arrow goes along the steps, which are one stop of the Tab key.
function arrow(event, from) {
  const to = { ArrowLeft: from - 1, ArrowUp: from - 1, ArrowRight: from + 1, ArrowDown: from + 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  choose(Math.max(0, Math.min(to, steps.length - 1)));
  $("step-" + (at + 1)).focus();
}

// action is what the one button of a step does.
function action(step) {
  if (step.next) return { ...step.next, label: t(step.next.label) };
  const next = steps[at + 1];
  return next ? { do: "next", label: t("Next: {0}", t(next.title)) } : { do: "", label: "" };
}

async function press(button) {
  const a = action(steps[at]);
  if (a.do === "wait") return;
  if (a.do === "next") {
    choose(at + 1);
    $("tour-card").scrollIntoView({ block: "nearest" });
    if (at === steps.length - 1) $("copy").focus(); // there is no next button any more
  } else if (a.do === "go" || a.do === "write") phone(a.id, a.text && t(a.text));
  else await once(button, { do: a.do, id: a.id });
}

async function copy() {
  try {
    await navigator.clipboard.writeText($("setup").textContent);
    $("copied").textContent = t("Copied");
  } catch { // no leave to write there: mark it, to be copied by hand
    getSelection().selectAllChildren($("setup"));
  }
}

const drawMore = (step) => h("li", {},
  h("div", {}, h("strong", {}, t(step.title)), h("span", { class: "dim" }, t(step.hint))),
  h("button", { type: "button", id: "ask-" + step.id, "aria-label": t(step.asked ? "Ask again: {0}" : "Ask: {0}", t(step.title)), onclick: (e) => once(e.currentTarget, { do: "ask", id: step.id }) },
    t(step.asked ? "Ask again" : "Ask")));
