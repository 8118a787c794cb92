"use strict";

// find returns the entries that have all the words of a text, best first: in the page's title, in the heading, in the text.
function find(index, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = (e) => {
    const page = e.page.toLowerCase(), heading = e.heading.toLowerCase(), whole = page + " " + heading + " " + e.text.toLowerCase();
    if (!words.every((w) => whole.includes(w))) return 0;
    const in_ = (s) => words.filter((w) => s.includes(w)).length;
    return 1 + 4 * in_(heading) + 3 * in_(page) + (words.every((w) => e.text.toLowerCase().includes(w)) ? 1 : 0);
  };
  return index.map((e) => [rank(e), e]).filter(([r]) => r > 0).sort((a, b) => b[0] - a[0]).map(([, e]) => e);
}

// around is the part of an entry's text that has the first word.
function around(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()) - 60);
  return (at > 0 ? "… " : "") + text.slice(at, at + 200) + (at + 200 < text.length ? " …" : "");
}

function marked(text, words) {
  const p = document.createElement("p");
  let rest = text;
  while (rest) {
    const lower = rest.toLowerCase();
    const [at, word] = words.map((w) => [lower.indexOf(w), w]).filter(([i]) => i >= 0).sort((a, b) => a[0] - b[0])[0] || [-1, ""];
    if (at < 0) break;
    const mark = document.createElement("mark");
    mark.textContent = rest.slice(at, at + word.length);
    p.append(rest.slice(0, at), mark);
    rest = rest.slice(at + word.length);
  }
  p.append(rest);
  return p;
}

function show(input, box) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = document.createElement("ul"), hits = find(searchIndex, input.value);
  for (const e of hits.slice(0, 20)) {
    const li = document.createElement("li"), a = document.createElement("a");
    a.href = document.body.dataset.root + e.address;
    a.textContent = e.heading && e.heading !== e.page ? e.page + " · " + e.heading : e.page;
    li.append(a, marked(around(e.text, words[0]), words));
    list.append(li);
  }
  const count = document.createElement("p");
  count.textContent = hits.length === 0 ? "Nothing was found." : hits.length === 1 ? "1 place" : hits.length + " places" + (hits.length > 20 ? ", of which these are the best 20" : "");
  box.replaceChildren(count, list);
  box.hidden = words.length === 0;
}

if (typeof document !== "undefined") {
  const input = document.getElementById("search"), box = document.getElementById("found"), pages = document.getElementById("pages");
  input.addEventListener("input", () => show(input, box));
  input.form.addEventListener("submit", (event) => { event.preventDefault(); box.querySelector("a")?.click(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !box.hidden) { input.value = ""; box.hidden = true; input.focus(); }
    if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
  });
  // On a wide screen the list of pages is always open.
  const narrow = matchMedia("(max-width: 50rem)");
  const fit = () => { pages.open = !narrow.matches; };
  narrow.addEventListener("change", fit);
  fit();
}
