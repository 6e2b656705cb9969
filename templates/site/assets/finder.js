/* Matches of the search box in data/find.js (awesome_cli/publish/site/find.py), as links in a listbox. */
(function (awesome) {
  "use strict";
  const root = new URL("..", document.currentScript.src);
  const box = document.querySelector("#finder");
  const input = box.querySelector("input");
  const list = made("div", { id: "finds", role: "listbox", "aria-label": "Matches" });
  const status = made("p", { class: "meta", role: "status" });
  const SHOWN = 10;
  const PER_KIND = 3; // as long as other kinds match, too
  const NONE = 9;
  let active = -1;

  function made(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  function fold(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }
  function stem(word) {
    if (word.length < 4) return word;
    return word.replace(/(?:ies|y)$/u, "i").replace(/(s|x|z|ch|sh)[ei]s$/u, "$1").replace(/([^s])s$/u, "$1");
  }
  function words(text) {
    return fold(text).match(/[\p{L}\p{N}]+/gu) || [];
  }
  /* A text without hyphens, blanks and plurals, and the offsets at which its words begin. */
  function joined(text) {
    const parts = words(text).map(stem);
    return { text: parts.join(""), starts: parts.map((_, i) => parts.slice(0, i).join("").length) };
  }
  /* True if a word begins with the needle; scripts without blanks between words may contain it. */
  function begins({ text, starts }, needle) {
    return starts.some((at) => text.startsWith(needle, at)) || (/[^\0-\x7f]/u.test(needle) && text.includes(needle));
  }
  /* The word of a query as typed, for a word that goes on, and without its plural. */
  function needles(word) {
    return [words(word).join(""), joined(word).text];
  }
  /* True if the query contains an identifier as a URL or with a prefix or version: `https://arxiv.org/abs/2501.00001v2`. */
  function contains(query, name) {
    const at = name.length > 5 && /\d/u.test(name) ? query.indexOf(name) : -1;
    return at >= 0 && !/[\p{L}\p{N}]$/u.test(query.slice(0, at)) && !/^(?!v\d+(?![\p{L}\p{N}]))[\p{L}\p{N}]/u.test(query.slice(at + name.length));
  }

  const entries = awesome.findable.flatMap(({ kind, page, entries: rows }, order) => rows.map(([key, title, about = "", more = ""]) => {
    const names = [key, ...more.split(" ")].filter((name) => name);
    return { kind, order, title, about, href: page.replace("*", () => encodeURIComponent(key)), names: names.map(fold) };
  }));
  /* Texts are folded when the first query needs them. */
  function prepared(entry) {
    if (!entry.words) {
      entry.words = joined(entry.title);
      entry.ids = entry.names.map((name) => ({ text: words(name).join(""), starts: [0] }));
      entry.whole = [entry.title, entry.title.split(":")[0], ...entry.names].map((name) => joined(name).text);
    }
    return entry;
  }
  /* 0 for an identifier or a whole title, 1 for its beginning, 2 for its words, 3 for words of names, too. */
  function rank(entry, query) {
    const { words: title, ids, whole, names } = prepared(entry);
    if (whole.includes(query.text) || names.some((name) => contains(query.folded, name))) return 0;
    if (title.text.startsWith(query.text)) return 1;
    const inTitle = (forms) => forms.some((form) => begins(title, form));
    if (query.words.every(inTitle)) return 2;
    const inNames = (forms) => forms.some((form) => ids.some((id) => begins(id, form)));
    return query.words.every((forms) => inTitle(forms) || inNames(forms)) ? 3 : NONE;
  }
  function matches(typed) {
    const text = typed.replace(/https?:\/\/(?:www\.)?/iu, "");
    const query = { folded: fold(text), text: joined(text).text, words: text.split(/\s+/u).map(needles).filter(([word]) => word) };
    if (!query.text) return [];
    const hits = entries.map((entry) => ({ entry, rank: rank(entry, query) })).filter((hit) => hit.rank < NONE);
    return hits.sort((a, b) => a.rank - b.rank || a.entry.order - b.entry.order).map((hit) => hit.entry);
  }
  /* The first matches, so that each kind has a place, in their order. */
  function chosen(hits) {
    const counts = new Map();
    const first = hits.filter(({ kind }) => counts.set(kind, (counts.get(kind) || 0) + 1).get(kind) <= PER_KIND);
    const shown = new Set(Array.from(new Set([...first, ...hits])).slice(0, SHOWN));
    return hits.filter((hit) => shown.has(hit));
  }

  function option(href, about, title) {
    const parts = [made("span", { class: "title" }, title), made("span", { class: "meta" }, about)];
    list.append(made("a", { role: "option", href: new URL(href, root).href, tabindex: "-1", id: `finds-${list.children.length}` }, ...parts));
  }
  function activate(place) {
    const options = Array.from(list.children);
    active = options.length ? (place + options.length) % options.length : -1;
    options.forEach((node, i) => node.setAttribute("aria-selected", String(i === active)));
    input.setAttribute("aria-activedescendant", active < 0 ? "" : options[active].id);
    if (active >= 0) options[active].scrollIntoView({ block: "nearest" });
  }
  function draw() {
    const text = input.value.trim();
    const hits = matches(text);
    list.replaceChildren();
    for (const { href, kind, about, title } of chosen(hits)) option(href, about ? `${kind} · ${about}` : kind, title);
    if (text) option(`papers.html#${new URLSearchParams({ q: text })}`, "Search in texts and codings", `All papers with “${text}”`);
    list.hidden = !text;
    input.setAttribute("aria-expanded", String(Boolean(text)));
    status.textContent = text ? `${hits.length.toLocaleString("en")} ${hits.length === 1 ? "match" : "matches"}` : "";
    activate(0);
  }

  const KEYS = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    Enter: () => list.children[active] && list.children[active].click(),
  };
  input.addEventListener("input", draw);
  box.addEventListener("keydown", (event) => {
    event.stopPropagation(); // letters are shortcuts of some pages
    if (event.target !== input || event.isComposing || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  box.addEventListener("click", (event) => {
    if (event.target.closest("a, button")) box.close();
  });
  box.setAttribute("closedby", "any");
  for (const [key, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id]]) input.setAttribute(key, value);
  box.append(list, status);
  draw();
})((window.awesome = window.awesome || {}));
