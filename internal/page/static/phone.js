// A phone: the chat of one person with the bot.

import { h, sync, clock, act } from "./dom.js";
import { t, translate } from "./words.js";

export class Phone {
  constructor(person) {
    this.id = person.id;
    this.name = person.name;
    this.replyTo = null;      // the message that is replied to
    this.prompted = new Set(); // messages that have opened the reply box
    this.alerts = null;       // callbacks whose alerts were seen; null before the first state
    this.waiting = new Map(); // spinning buttons: callback id → what to look for
    this.build();
  }

  build() {
    this.list = h("ol", { class: "chat", onkeydown: (e) => this.move(e), onfocusin: () => this.rove() });
    this.log = h("div", { class: "log", role: "log", "aria-live": "off", tabindex: "0", "data-t-label": "{0}’s chat with Hermes", "data-a": this.name, onkeydown: (e) => this.enter(e), onscroll: () => { this.down = this.isDown(); } }, this.list);
    this.down = true; // the end of the chat is on the screen
    new ResizeObserver(() => { if (this.down) this.bottom(); }).observe(this.log);
    this.quote = h("div", { class: "replying", hidden: true });
    this.input = h("textarea", { rows: "1", "data-t-placeholder": "Message, or /help", "data-t-label": "Message from {0}", "data-a": this.name, dir: "auto", onkeydown: (e) => this.key(e), oninput: () => this.grow() });
    const form = h("form", { class: "compose", onsubmit: (e) => { e.preventDefault(); this.send(); } },
      this.input, h("button", { type: "submit", class: "send", "data-t-label": "Send as {0}", "data-a": this.name }, "➤"));
    this.box = h("div", { class: "alert-box", role: "alertdialog", "aria-modal": "false", "data-t-label": "Alert", hidden: true });
    this.toast = h("p", { class: "toast", role: "status" });
    this.root = h("section", { class: "phone", id: `phone-${this.name.toLowerCase()}`, "data-t-label": "{0}’s phone", "data-a": this.name },
      h("h2", { class: "owner", "data-t": "{0}’s phone", "data-a": this.name }),
      h("div", { class: "frame" },
        h("div", { class: "top" }, h("img", { src: "/icon.svg", alt: "", width: "36", height: "36" }),
          h("div", {}, h("strong", {}, "Hermes"), h("span", { "data-t": "bot" }))),
        this.log, this.quote, form, this.toast, this.box));
    translate(this.root);
    this.root.addEventListener("focusin", () => { this.onfocus?.(); });
  }

  update(person) {
    const down = this.down;
    this.messages = new Map(person.messages.map((m) => [m.id, m]));
    sync(this.list, person.messages, (m) => m.id, (m) => this.message(m));
    if (this.replyTo && !this.messages.has(this.replyTo)) this.reply(null);
    this.openReply(person.messages);
    this.hear(person.alerts);
    this.spin();
    this.rove();
    if (down) this.bottom();
  }

  isDown() { return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 60; }

  bottom() { this.log.scrollTop = this.log.scrollHeight; }

  // card is the newest message with buttons, else the newest.
  card() { return [...this.list.children].findLast((li) => li.querySelector(".key")) ?? this.list.lastElementChild; }

  // goTo moves the focus to the newest card, or with a text into the message box.
  goTo(text) {
    this.bottom();
    if (text) {
      this.input.value = text;
      this.grow();
      this.input.focus();
      return;
    }
    this.visit(this.card()?.querySelector(".key") ?? this.log);
  }

  // rove leaves in the Tab order what belongs to one message: to the one with the focus, else
  // to the newest card. Its keyboard is one stop. Arrow keys reach all others.
  rove() {
    const focus = document.activeElement;
    const at = this.list.contains(focus) ? focus.closest("li") : this.card();
    for (const node of this.list.querySelectorAll("button, a")) node.tabIndex = -1;
    for (const node of at?.querySelectorAll(".reply, .document") ?? []) node.tabIndex = 0;
    const keys = [...at?.querySelectorAll(".key") ?? []];
    if (keys.length) keys[Math.max(0, keys.indexOf(focus))].tabIndex = 0;
  }

  // enter goes from the chat as a whole to its newest message.
  enter(event) {
    if (event.target !== this.log || event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    this.visit(this.list.lastElementChild);
  }

  // move goes by arrow keys from button to button, or from message to message.
  move(event) {
    const key = event.target.closest(".key"), li = event.target.closest("li");
    const all = key ? [...li.querySelectorAll(".key")] : [...this.list.children];
    const at = all.indexOf(key ?? li), last = all.length - 1;
    const to = { ArrowUp: at - 1, ArrowLeft: key ? at - 1 : at, ArrowDown: at + 1, ArrowRight: key ? at + 1 : at, Home: 0, End: last }[event.key];
    if (event.key === "Escape") this.visit(li);
    else if (to === undefined) return;
    else this.visit(all[Math.max(0, Math.min(to, last))]);
    event.preventDefault();
  }

  visit(node) {
    if (node?.matches("li")) node.tabIndex = -1;
    node?.focus({ preventScroll: true });
    node?.scrollIntoView({ block: "nearest" });
  }

  // openReply opens the reply box where the bot has asked for that, once.
  openReply(messages) {
    for (const m of messages) {
      if (!m.prompts) {
        if (this.prompted.delete(m.id) && this.replyTo === m.id) this.reply(null);
      } else if (!this.prompted.has(m.id)) {
        this.prompted.add(m.id);
        if (this.alerts) this.reply(m.id, this.root.contains(document.activeElement));
      }
    }
  }

  message(m) {
    const replied = m.reply_to ? this.messages.get(m.reply_to) : null;
    return h("li", { class: m.bot ? "message in" : "message out", id: `${this.id}-${m.id}` },
      h("div", { class: "bubble" },
        h("span", { class: "sr" }, m.from + ": "),
        replied && h("blockquote", { class: "quoted" }, h("strong", {}, replied.from), h("span", {}, firstLine(replied))),
        m.document && h("a", { class: "document", href: `/file/${this.id}/${m.id}`, target: "_blank", rel: "noopener" },
          h("span", { class: "sheet", "aria-hidden": "true" }, "🗎"), h("span", {}, h("strong", {}, m.document.name), h("small", {}, size(m.document.size) + " · " + t("open the file")))),
        h("div", { class: "text", dir: "auto" }, marked(m.text, m.marks)),
        h("div", { class: "meta" }, m.reaction && h("span", { class: "reaction" }, m.reaction), m.edits > 0 && t("edited") + " ", h("time", { datetime: m.at }, clock(m.at))),
        h("button", { type: "button", class: "reply", "aria-label": t("Reply to: {0}", firstLine(m)), title: t("Reply"), onclick: () => this.reply(m.id, true) }, "↩")),
      m.keys.length > 0 && h("div", { class: "keys", role: "group", "aria-label": t("Buttons") },
        m.keys.map((row) => h("div", { class: "row" }, row.map((k) =>
          h("button", { type: "button", class: "key " + k.style, "data-data": k.data, title: k.label, onclick: () => this.tap(m, k) }, k.label))))));
  }

  async tap(m, key) {
    const done = await act({ do: "tap", person: this.id, message: m.id, label: key.label, data: key.data });
    if (!done || this.alerts.has(done.callback)) return;
    this.waiting.set(done.callback, { message: m.id, data: key.data });
    this.spin();
  }

  // spin marks the buttons whose taps are not acknowledged yet.
  spin() {
    const busy = new Set([...this.waiting.values()].map((w) => `${w.message} ${w.data}`));
    for (const node of this.list.querySelectorAll(".key")) {
      const on = busy.has(`${node.closest("li").dataset.key} ${node.dataset.data}`);
      node.toggleAttribute("aria-busy", on);
      if (on) node.setAttribute("aria-busy", "true");
    }
  }

  // hear shows the alerts that are new since the page was opened.
  hear(alerts) {
    const first = this.alerts === null;
    this.alerts ??= new Set();
    for (const a of alerts) {
      if (this.alerts.has(a.callback)) continue;
      this.alerts.add(a.callback);
      this.waiting.delete(a.callback);
      if (!first && a.text) this.say(a);
    }
  }

  say(alert) {
    if (!alert.box) {
      this.toast.textContent = alert.text;
      clearTimeout(this.fade);
      this.fade = setTimeout(() => { this.toast.textContent = ""; }, 4000);
      return;
    }
    const back = document.activeElement;
    const ok = h("button", { type: "button", onclick: () => { this.box.hidden = true; if (back?.isConnected) back.focus(); else this.log.focus(); } }, t("OK"));
    this.box.replaceChildren(h("div", {}, h("p", { dir: "auto", role: "alert" }, alert.text), ok));
    this.box.onkeydown = (e) => { if (e.key === "Escape") ok.click(); };
    this.box.hidden = false;
    ok.focus();
  }

  reply(id, focus) {
    this.replyTo = id;
    if (id === null && this.quote.contains(document.activeElement)) this.input.focus();
    this.quote.hidden = id === null;
    const m = this.messages?.get(id);
    if (m) {
      this.quote.replaceChildren(h("div", {}, h("strong", {}, t("Reply to {0}", m.from)), h("span", { dir: "auto" }, firstLine(m))),
        h("button", { type: "button", "aria-label": t("Do not reply to a message"), onclick: () => this.reply(null) }, "✕"));
    }
    if (focus) this.input.focus();
  }

  key(event) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") this.reply(null);
  }

  grow() {
    this.input.style.height = "auto";
    this.input.style.height = Math.min(this.input.scrollHeight, 120) + "px";
  }

  async send() {
    const text = this.input.value;
    if (text.trim() === "") return;
    if (!await act({ do: "say", person: this.id, text, reply_to: this.replyTo ?? 0 })) return;
    this.input.value = "";
    this.grow();
    this.reply(null);
    this.bottom();
  }
}

const firstLine = (m) => m.text.split("\n", 1)[0] || m.document?.name || "";

const size = (bytes) => bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;

// marked is a text with its formatting: runs between the ends of all marks.
function marked(text, marks) {
  const cuts = new Set([0, text.length]);
  for (const m of marks) cuts.add(m.from).add(m.from + m.length);
  const ends = [...cuts].sort((a, b) => a - b);
  return ends.slice(1).map((end, i) => {
    const from = ends[i];
    const kinds = marks.filter((m) => m.from <= from && m.from + m.length >= end).map((m) => "mark-" + m.type);
    const run = text.slice(from, end);
    return kinds.length ? h("span", { class: kinds.join(" ") }, run) : run;
  });
}
