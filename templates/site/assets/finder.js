/* Matches of the search box in data/find.js (awesome_cli/publish/site/find.py), as links in a listbox. */
(function (awesome) {
  "use strict";
  const root = new URL("..", document.currentScript.src);
  const box = document.querySelector("#finder");
  const input = box.querySelector("input");
  const list = made("div", { id: "finds", role: "listbox", "aria-label": "Matches" });
  const status = made("p", { class: "meta", role: "status" });
  let active = -1;

  function set(node, attributes, ...children) {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  function made(name, ...rest) {
    return set(document.createElement(name), ...rest);
  }
  function fold(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }
  function words(text) {
    return fold(text).match(/[\p{L}\p{N}]+/gu) || [];
  }
  function stem(word) {
    return word.length < 4 ? word : word.replace(/(?:ies|y)$/u, "i").replace(/(s|x|z|ch|sh)[ei]s$/u, "$1").replace(/([^s])s$/u, "$1");
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
  /* True if a query contains an identifier as in `https://arxiv.org/abs/2501.00001v2`. */
  function contains(query, name) {
    const at = name.length > 5 && /\d/u.test(name) ? query.indexOf(name) : -1;
    return at >= 0 && !/[\p{L}\p{N}]$/u.test(query.slice(0, at)) && /^(?:v\d+)?(?![\p{L}\p{N}])/u.test(query.slice(at + name.length));
  }

  const entries = awesome.findable.flatMap(({ kind, page, entries: rows }) => rows.map(([key, title, about, more = ""]) => ({
    kind, title, about: about ? `${kind} · ${about}` : kind, href: page.replace("*", () => encodeURIComponent(key)), names: fold(`${key} ${more}`).trim().split(" "),
  })));
  /* 0 for an identifier or a whole title, 1 for its beginning, 2 for words of the title, 3 with words of names, -1 for none. */
  function rank(entry, query) {
    const { title, names } = entry;
    entry.whole = entry.whole || [title, title.split(":")[0], ...names].map((name) => joined(name).text);
    entry.parts = entry.parts || [joined(title), ...names.map((name) => ({ text: words(name).join(""), starts: [0] }))];
    const within = (parts) => query.words.every((forms) => forms.some((form) => parts.some((part) => begins(part, form))));
    const exact = entry.whole.includes(query.text) || names.some((name) => contains(query.folded, name));
    return [exact, entry.whole[0].startsWith(query.text), within(entry.parts.slice(0, 1)), within(entry.parts)].indexOf(true);
  }
  function matches(typed) {
    const text = typed.replace(/https?:\/\/(?:www\.)?/iu, "");
    // A word as it is typed, which may go on, and without its plural.
    const forms = text.split(/\s+/u).map((word) => [words(word).join(""), joined(word).text]);
    const query = { folded: fold(text), text: joined(text).text, words: forms.filter(([word]) => word) };
    const ranked = entries.map((entry) => [query.text ? rank(entry, query) : -1, entry]).filter(([place]) => place >= 0);
    return ranked.sort(([a], [b]) => a - b).map(([, entry]) => entry);
  }
  /* The first ten matches in their order, three of a kind before more of it. */
  function chosen(hits) {
    const counts = {};
    const few = hits.filter(({ kind }) => (counts[kind] = (counts[kind] || 0) + 1) <= 3);
    const first = Array.from(new Set([...few, ...hits])).slice(0, 10);
    return hits.filter((hit) => first.includes(hit));
  }

  function activate(place) {
    active = list.children.length ? (place + list.children.length) % list.children.length : -1;
    Array.from(list.children, (node, i) => node.setAttribute("aria-selected", String(i === active)));
    input.setAttribute("aria-activedescendant", active < 0 ? "" : list.children[active].id);
    if (active >= 0) list.children[active].scrollIntoView({ block: "nearest" });
  }
  function draw() {
    const text = input.value.trim();
    const hits = matches(text);
    const all = { href: `papers.html#${new URLSearchParams({ q: text })}`, about: "Search in texts and codings", title: `All papers with “${text}”` };
    list.replaceChildren(...(text ? [...chosen(hits), all] : []).map(({ href, about, title }, i) =>
      made("a", { role: "option", id: `finds-${i}`, href: new URL(href, root).href, tabindex: "-1" }, made("span", { class: "title" }, title), made("span", { class: "meta" }, about))));
    list.hidden = !text;
    input.setAttribute("aria-expanded", String(!list.hidden));
    status.textContent = text && `${hits.length.toLocaleString("en")} ${hits.length === 1 ? "match" : "matches"}`;
    activate(0);
  }

  box.addEventListener("keydown", (event) => {
    event.stopPropagation(); // letters are shortcuts of some pages
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
    if (event.target !== input || event.isComposing || step === undefined || active < 0) return;
    event.preventDefault();
    if (step) activate(active + step);
    else list.children[active].click();
  });
  box.addEventListener("click", (event) => {
    if (event.target.closest("a, button")) box.close();
  });
  input.addEventListener("input", draw);
  set(input, { role: "combobox", "aria-label": input.placeholder, spellcheck: "false", "aria-autocomplete": "list", "aria-controls": list.id });
  set(box, { closedby: "any" }, list, status);
  draw();
})((window.awesome = window.awesome || {}));
