// Small helpers around the DOM. Texts only ever become text nodes.

import { t, language } from "./words.js";

export const $ = (id) => document.getElementById(id);

// h makes an element. Properties that begin with "on" are listeners, the others
// attributes; false, null and undefined ones are left out.
export function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

// sync makes the children of a list those of the items, in their order. What has
// not changed is left alone; what has is drawn anew and keeps the focus.
export function sync(list, items, key, draw) {
  const old = new Map([...list.children].map((node) => [node.dataset.key, node]));
  let at = list.firstElementChild;
  for (const item of items) {
    const id = String(key(item)), version = language() + JSON.stringify(item);
    let node = old.get(id);
    old.delete(id);
    if (node?.version !== version) {
      const fresh = draw(item);
      if (!node) fresh.classList.add("new");
      fresh.dataset.key = id;
      fresh.version = version;
      if (node) {
        if (at === node) at = fresh;
        replace(node, fresh);
      }
      node = fresh;
    }
    if (node === at) at = at.nextElementSibling;
    else list.insertBefore(node, at);
  }
  for (const node of old.values()) drop(list, node);
}

// drop removes a child. The focus, if it was inside, goes to the list.
function drop(list, node) {
  const focused = node.contains(document.activeElement);
  node.remove();
  if (focused) focusOn(list.closest("[tabindex]") ?? list);
}

// replace keeps open details open, and the focus: on the element of the same id, else
// of the same label, else on the one in its place, else on the whole. In a keyboard, whose
// buttons may have changed their meaning, that place is the first button.
function replace(node, fresh) {
  const details = [...node.querySelectorAll("details")];
  [...fresh.querySelectorAll("details")].forEach((d, i) => { d.open = details[i]?.open ?? d.open; });
  const old = document.activeElement, before = focusable(node), was = before.indexOf(old);
  const inside = node.contains(old);
  node.replaceWith(fresh);
  if (!inside) return;
  const after = focusable(fresh);
  const place = old.matches(".key") ? after.find((n) => n.matches(".key")) : after[Math.min(was, after.length - 1)];
  focusOn(after.find((n) => n.id && n.id === old.id) ?? after.find((n) => bare(n) === bare(old)) ?? place ?? fresh);
}

const focusable = (node) => [...node.querySelectorAll("button, a, summary")];

// bare is a label without the box of a choice that can be ticked.
const bare = (node) => node.textContent.replace(/^[☐☑] /, "");

function focusOn(node) {
  if (node.tabIndex < 0) node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

// visible makes the characters show that hide or turn others around.
export const visible = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
  (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

export const clock = (time) => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });

// act does something and says what went wrong, if anything.
export async function act(action) {
  const box = $("trouble");
  try {
    const answer = await fetch("/do", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(action) });
    const body = answer.headers.get("Content-Type")?.startsWith("application/json") ? await answer.json() : { error: await answer.text() };
    box.hidden = !body.error;
    box.textContent = t(body.error ?? "");
    return body.error ? null : body;
  } catch {
    box.hidden = false;
    box.textContent = t("That did not reach Hermes try. Is it still running?");
    return null;
  }
}

// once acts, unless the button is at work already. It is not disabled meanwhile: that
// would take the focus from it.
export async function once(button, action) {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  await act(action);
  button.ariaDisabled = null;
}
