// The page: the phones on one side, the agent, the store and what can go wrong on
// the other. The server sends the whole state whenever it has changed.

import { $, h, sync, clock, act, once, visible } from "./dom.js";
import { Phone } from "./phone.js";
import { showTour, useTour } from "./tour.js";
import { speak, t } from "./words.js";

const phones = new Map();

let spoken = "";

function show(state) {
  if (spoken !== state.lang) {
    spoken = state.lang;
    speak(spoken);
    $("language").value = spoken;
    drawViews();
  }
  $("title").textContent = t(state.title);
  $("whose").textContent = t(state.more.length === 0 ? realAgent : scriptedAgent);
  for (const person of state.people) {
    if (!phones.has(person.id)) addPhone(person);
    const phone = phones.get(person.id), before = phone.messages?.size;
    phone.update(person);
    if (phone.messages.size > before) news(phone, true);
  }
  showAgent(state);
  showWays(state.ways);
  showStore(state);
  document.body.dataset.ready = "true";
}

const scriptedAgent = "The two phones belong to Ada and Bob, who work in one team: both get every question, and both may answer. Telegram and the agent are simulated here; Hermes itself is the real one.";
const realAgent = "The two phones belong to Ada and Bob, who work in one team: both get every question, and both may answer. Telegram is simulated here; Hermes and OpenCode are the real ones.";

function addPhone(person) {
  const phone = new Phone(person);
  phones.set(person.id, phone);
  phone.onfocus = () => listen(phone);
  $("phones").append(phone.root);
  if (phones.size === 1) listen(phone);
  drawViews();
}

// listen reads one chat out, not all: the same question stands in each.
function listen(phone) {
  for (const p of phones.values()) p.log.setAttribute("aria-live", p === phone ? "polite" : "off");
}

// drawViews makes the switch between phones and agent, for small screens.
function drawViews() {
  const views = [["agent", t("Guide")], ...[...phones.values()].map((p) => [p.name.toLowerCase(), p.name])];
  document.querySelector(".views").replaceChildren(...views.map(([id, label]) =>
    h("button", { type: "button", "data-view": id, onclick: () => view(id) }, label)));
  view(document.body.dataset.view);
}

function view(id) {
  document.body.dataset.view = id;
  for (const button of document.querySelectorAll(".views button")) button.setAttribute("aria-pressed", String(button.dataset.view === id));
  for (const p of phones.values()) {
    p.root.classList.toggle("shown", id === p.name.toLowerCase() || id === "agent" && p === [...phones.values()][0]);
    if (id === p.name.toLowerCase()) {
      listen(p);
      news(p, false);
      p.bottom();
    }
  }
}

// news marks the switch to a phone that is not on the screen.
function news(phone, on) {
  const button = document.querySelector(`.views [data-view="${phone.name.toLowerCase()}"]`);
  const mark = on && phone.root.offsetParent === null;
  button.textContent = phone.name;
  if (mark) button.append(h("span", { class: "news", "aria-hidden": "true" }, " ●"), h("span", { class: "sr" }, " " + t("(new message)")));
}

// go brings a person's phone to the screen, and the focus to what is to be done there.
useTour((name, text) => {
  const phone = [...phones.values()].find((p) => p.name === name);
  if (phone.root.offsetParent === null) view(name.toLowerCase());
  phone.goTo(text);
});

function showAgent(state) {
  $("advice").hidden = state.advice.length === 0;
  sync($("advice"), state.advice, (l) => l.text, (l) => h("li", {}, line(l)));
  showTour(state);
  const asks = state.asks.toReversed();
  $("no-asks").hidden = asks.length > 0;
  sync($("asks"), asks, (a) => a.id, drawAsk);
}

const line = (l) => t(l.text, ...l.args ?? []);

const states = { waiting: "waits", received: "received", dismissed: "dismissed", gone: "forgotten after OpenCode’s restart" };

const drawAsk = (a) => h("li", { "data-state": a.state },
  h("div", { class: "ask-head" }, h("strong", { dir: "auto" }, visible(a.title)), h("span", { class: "badge " + a.state }, t(states[a.state] ?? a.state)), h("time", { class: "dim", datetime: a.at }, clock(a.at))),
  a.items.map((i) => h("details", {},
    h("summary", { dir: "auto" }, h("b", {}, visible(i.header)), " ", h("span", {}, visible(i.text))),
    h("p", { dir: "auto", class: "full" }, visible(i.text)),
    i.options.length > 0 && h("ul", {}, i.options.map((o) => h("li", { dir: "auto" }, visible(o)))))),
  a.received && h("pre", { class: "got", dir: "auto" }, visible(a.received)),
  a.terminal && h("div", { class: "actions" },
    h("button", { type: "button", onclick: () => act({ do: "answer", id: a.id }) }, t("Answer in the terminal")),
    h("button", { type: "button", onclick: () => act({ do: "dismiss", id: a.id }) }, t("Dismiss in the terminal"))));

function showWays(ways) {
  sync($("ways"), ways, (w) => w.id, (w) => h("li", {},
    h("span", { class: w.up ? "dot up" : "dot", "aria-hidden": "true" }),
    h("span", {}, h("strong", {}, w.name), h("span", { class: "dim", role: "status" }, " " + t(w.state))),
    h("span", { class: "actions" }, w.actions.map((c) =>
      h("button", { type: "button", id: `${c.do}-${w.id}`, "aria-label": `${t(c.label)}: ${w.name}`, onclick: (e) => once(e.currentTarget, { do: c.do, id: w.id }) }, t(c.label))))));
}

function showStore(state) {
  $("no-open").hidden = state.open.length > 0;
  sync($("open"), state.open, (o) => o.id, (o) => h("li", {}, h("code", {}, o.id), h("strong", { dir: "auto" }, `${visible(line(o.title))} · ${o.project}`), h("span", { class: "dim" }, line(o.state))));
  sync($("journal"), state.journal.toReversed(), (e) => e.number, (e) => h("tr", { title: t("question {0}, hash {1}…", e.thread, e.hash) },
    h("td", {}, String(e.number)), h("td", {}, new Date(e.at).toLocaleTimeString([], { hour12: false })), h("td", {}, t(e.kind)), h("td", { dir: "auto" }, e.by), h("td", { dir: "auto" }, visible(e.detail))));
  $("log").textContent = state.log.join("\n");
}

function theme(choice) {
  document.documentElement.dataset.theme = choice;
  $("theme").value = choice;
}
$("theme").addEventListener("change", (event) => {
  theme(event.target.value);
  localStorage.setItem("theme", event.target.value);
});
theme(localStorage.getItem("theme") ?? "");

$("language").addEventListener("change", (event) => act({ do: "speak", id: event.target.value }));

// The token has done its work: the cookie is set. It need not stay in the history.
if (location.search) history.replaceState(null, "", "/");

const stream = new EventSource("/state");
stream.onmessage = (event) => { $("ended").hidden = true; show(JSON.parse(event.data)); };
stream.onerror = () => { $("ended").hidden = false; };
