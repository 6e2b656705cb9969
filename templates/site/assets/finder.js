/* Matches of the search box in data/find.js (awesome_cli/publish/site/find.py), as links in a listbox. */
(function (awesome) {
  "use strict";
  const { fits, fold, needles } = awesome.folding;
  const root = new URL("..", document.currentScript.src);
  const box = document.querySelector("#finder");
  const input = box.querySelector("input");
  const list = create("div", { id: "finds", role: "listbox", "aria-label": "Matches" });
  const status = create("p", { class: "meta", role: "status" });
  let active = -1;

  function set(node, attributes, ...children) {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  function create(name, ...rest) {
    return set(document.createElement(name), ...rest);
  }
  function joined(text) {
    return needles(text).join("");
  }
  /* The words of a text, each alone and together with all that follow. */
  function runs(text) {
    const parts = needles(text);
    return parts.flatMap((part, i) => [part, parts.slice(i).join("")]);
  }
  /* True if a query contains an identifier as in `https://arxiv.org/abs/2501.00001v2`. */
  function contains(query, name) {
    const at = name.length > 5 && /\d/u.test(name) ? query.indexOf(name) : -1;
    return at >= 0 && !/[\p{L}\p{N}]$/u.test(query.slice(0, at)) && /^(?:v\d+)?(?![\p{L}\p{N}])/u.test(query.slice(at + name.length));
  }

  const entries = awesome.findable.flatMap(({ kind, page, entries: rows }) => rows.map(([key, title, about, more = "", authors = ""]) => ({
    kind, title, about: about ? `${kind} · ${about}` : kind, href: page.replace("*", () => encodeURIComponent(key)), names: fold(`${key} ${more}`).trim().split(" "), authors,
  })));
  /* 0 for an identifier or a whole title, 1 for its beginning, 2 for words of the title, 3 with words of names and authors, -1 for none. */
  function rank(entry, query) {
    const { title, names, authors } = entry;
    entry.whole = entry.whole || [title, title.split(":")[0], ...names].map(joined);
    entry.words = entry.words || runs(title);
    entry.more = entry.more || [...entry.words, ...names.map(joined), ...needles(authors)];
    const within = (words) => query.words.every((fit) => words.some(fit));
    const exact = entry.whole.includes(query.text) || names.some((name) => contains(query.folded, name));
    return [exact, entry.whole[0].startsWith(query.text), within(entry.words), within(entry.more)].indexOf(true);
  }
  function matches(typed) {
    const text = typed.replace(/https?:\/\/(?:www\.)?/iu, "");
    const words = text.split(/\s+/u).map(joined).filter((word) => word);
    const query = { folded: fold(text), text: words.join(""), words: words.map((word) => fits(word, Infinity)) };
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
      create("a", { role: "option", id: `finds-${i}`, href: new URL(href, root).href, tabindex: "-1" }, create("span", { class: "title" }, title), create("span", { class: "meta" }, about))));
    list.hidden = !text;
    input.setAttribute("aria-expanded", String(!list.hidden));
    const count = hits.length ? hits.length.toLocaleString("en") : "No";
    status.textContent = text && `${count} ${hits.length === 1 ? "match" : "matches"} in titles and names`;
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
