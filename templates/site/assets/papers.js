/* The table of papers, with its facets, the selection to cite, and matches among exclusions and candidates. */
(function (awesome) {
  "use strict";
  const { el, labelOf, meta, one, paperLink, plural, termLabel } = awesome.view;
  const { survey, cell } = awesome;
  const axes = survey.badges.map((id) => awesome.gaps.axisOf(id));
  const named = awesome.data.named;
  const BESIDE = 3;
  const MANY = 10_000;
  const byKey = new Map(awesome.papers.map((paper) => [paper.key, paper]));
  const STORED = `selected in ${survey.title}`;
  const selected = new Set(stored());
  let found = awesome.papers;

  function badge(axis, tag) {
    const strength = tag.strength ? `, ${tag.strength}` : "";
    const contested = (tag.part ? ", part" : "") + (tag.grade ? ", contested" : "") + (tag.mark ? `, ${tag.mark}` : "");
    return el("li", null, el("a", { href: `terms/${axis.id}.${tag.term}.html` }, termLabel(axis, tag.term)), `${strength}${contested}`);
  }
  function badges(axis, tags) {
    return cell(axis.label, tags.length ? el("ul", {}, tags.map((tag) => badge(axis, tag))) : "");
  }
  function row(paper) {
    const base = named(paper);
    const about = meta({ ...base, year: "" });
    const made = el("tr", { "data-key": paper.key },
      el("td", { class: "pick" }),
      el("th", { scope: "row" }, paperLink(base), el("span", { class: "meta" }, about)),
      cell("Year", String(paper.year || "")),
      axes.map((axis) => badges(axis, paper.tags[axis.id] || [])));
    equip(made);
    return made;
  }
  /* Add the controls that need scripts: a box to select the paper, a button to cite it. */
  function equip(line) {
    const paper = byKey.get(line.dataset.key);
    const title = line.querySelector("th a").textContent;
    const box = el("input", { type: "checkbox", "aria-label": `Select ${title}`, value: paper.n, autocomplete: "off" });
    box.checked = selected.has(paper.n);
    line.querySelector(".pick").append(box);
    const about = line.querySelector(".meta");
    const cite = el("button", { type: "button", class: "link", "aria-label": `Cite ${title}` }, "Cite");
    about.append(el("span", { class: "act" }, about.textContent ? " · " : "", cite));
  }

  /* Terms sort in the order of the taxonomy. */
  function place(paper, axis) {
    const first = (paper.tags[axis.id] || [])[0];
    return first ? axis.terms.findIndex((term) => term.id === first.term) : undefined;
  }

  const pools = new Map();
  /* The papers in the reading of a view. */
  function pool(view) {
    const name = `${view.reading || ""} ${view.grade || ""}`;
    if (!pools.has(name)) pools.set(name, awesome.readings.apply(awesome.papers, view));
    return pools.get(name);
  }

  /* The chip of a reading, which filters nothing but can be removed like a filter. */
  function parts(view) {
    const reading = awesome.readings.words(view);
    const part = { name: "reading", label: `Read in a ${reading}`, query: "", test: () => true, without: { reading: "", grade: "" }, needs: [] };
    return [...awesome.filters.parts(view), ...(reading ? [part] : [])];
  }

  /* The selection lasts while the reader looks at other pages; a browser may refuse to keep it. */
  function stored() {
    try {
      return JSON.parse(sessionStorage.getItem(STORED) || "[]").filter((key) => byKey.has(key)).map((key) => byKey.get(key).n);
    } catch {
      return [];
    }
  }
  function store() {
    try {
      sessionStorage.setItem(STORED, JSON.stringify(chosen().map((paper) => paper.key)));
    } catch { /* then it lasts as long as the page */ }
  }
  function chosen() {
    return Array.from(selected).sort((a, b) => a - b).map((n) => awesome.papers[n]);
  }
  /* Copy the entries of the selected papers; where that is refused, they stand open to be copied by hand. */
  async function copySelection() {
    const papers = chosen();
    await showEntries();
    await awesome.view.copyText(one("#entries").textContent).then(
      () => { one("#picked").textContent = `${plural(papers.length, "paper")} copied as BibTeX`; },
      () => { one("#tray details").open = true; });
  }
  async function showEntries() {
    one("#entries").textContent = await awesome.cite.text(chosen(), "bibtex");
  }
  function showSelection() {
    const boxes = Array.from(document.querySelectorAll("#rows .pick input"));
    for (const box of boxes) box.checked = selected.has(Number(box.value));
    const all = one("#all");
    all.checked = boxes.length > 0 && boxes.every((box) => box.checked);
    all.indeterminate = !all.checked && boxes.some((box) => box.checked);
    one("#cited").textContent = found.length === 1 ? "This paper" : `These ${found.length} papers`;
    one("#export").hidden = found.length === 0;
    one("#picked").textContent = `${plural(selected.size, "paper")} selected`;
    one("#tray").hidden = selected.size === 0;
    if (one("#tray details").open) showEntries();
  }
  function select(boxes, on) {
    for (const box of boxes) {
      if (on) selected.add(Number(box.value));
      else selected.delete(Number(box.value));
    }
    store();
    showSelection();
  }

  /* Matches of the words among exclusions and candidates; open if no paper matches. */
  async function beside({ view }) {
    const node = one("#beside");
    const sets = [["exclusions", "screened out", "Screened out"], ["candidates", "candidate", "Candidate"]].filter(([name]) => survey.beside[name]);
    if (!awesome.words.parts(view.q, "papers").length) {
      node.replaceChildren();
      return;
    }
    const small = sets.filter(([name]) => survey.beside[name] <= MANY);
    await awesome.data.need(small.flatMap(([name]) => [name, `words-${name}`]));
    if (table.view() !== view) return;
    const hits = small.map((set) => [set, matches(set[0], view.q)]);
    const nodes = hits.filter(([, records]) => records.length).map(([set, records]) => [counted(set, records.length), listed(set, records, view)]);
    for (const [name] of sets) {
      if (survey.beside[name] > MANY) nodes.push([name, el("p", null, search(name, view, `Search the ${survey.beside[name]} ${name}`))]);
    }
    const summary = `Other records: ${nodes.map(([said]) => said).join(", ")}`;
    node.replaceChildren(...(nodes.length ? [el("details", { open: found.length === 0 }, el("summary", null, summary), nodes.flatMap(([, lines]) => lines))] : []));
  }
  function matches(name, q) {
    const parts = awesome.words.parts(q, name);
    return awesome[name].filter((record) => parts.every((part) => part.test(record)));
  }
  function counted([name, one], n) {
    return name === "candidates" ? plural(n, one) : `${n} ${one}`;
  }
  function listed([name, , word], records, view) {
    const lines = records.slice(0, BESIDE).map((record) =>
      el("p", null, `${word}: `, el("a", { href: `${name}.html#${encodeURIComponent(record.key)}` }, record.title), because(record)));
    return records.length > BESIDE ? [...lines, el("p", null, search(name, view, `All ${records.length} ${name}`))] : lines;
  }
  function search(name, view, text) {
    return el("a", { href: `${name}.html#${new URLSearchParams({ q: view.q })}` }, text);
  }
  function because(record) {
    const reason = record.reason ? `, because: ${labelOf(survey.reasons, record.reason)}.` : "";
    return `${reason}${record.note ? ` ${record.note}` : ""}`;
  }

  function drawn(result) {
    found = result.found;
    awesome.facets.show(result.view, result.leaving);
    awesome.readings.control(one("#reading"), result.view, table.change);
    one("#sort").value = result.view.sort || "-year";
    const set = awesome.filters.parts(result.view).length;
    one("#show-facets").textContent = set ? `Filters (${set})` : "Filters";
    one("#show-found").textContent = `Show ${plural(found.length, "paper")}`;
    showSelection();
    beside(result);
  }

  one("thead .pick").append(el("input", { type: "checkbox", id: "all", "aria-label": "Select all that are shown", autocomplete: "off" }));
  document.querySelectorAll("#rows tr").forEach(equip);
  awesome.facets.start(one("#facets"), (set) => table.change(set));
  const table = awesome.table({
    kind: "papers",
    needs: ["names"],
    records: pool,
    word: "paper",
    sort: "-year",
    row,
    parts,
    reading: awesome.readings.name,
    ignored: awesome.filters.ignored,
    command: (view) => "awesome list" + awesome.readings.options(view),
    drawn,
    columns: [
      { id: "title", value: (paper) => named(paper).title },
      { id: "year", value: (paper) => paper.year },
      { id: "venue", value: (paper) => paper.venue },
      ...axes.map((axis) => ({ id: axis.id, value: (paper) => place(paper, axis) })),
    ],
  });
  drawn({ found, view: table.view(), leaving: () => found });

  one("#rows").addEventListener("change", (event) => {
    if (event.target.matches(".pick input")) select([event.target], event.target.checked);
  });
  one("#rows").addEventListener("click", (event) => {
    if (event.target.matches(".act button")) awesome.cite.copy(event.target, byKey.get(event.target.closest("tr").dataset.key));
  });
  one("#copy").addEventListener("click", copySelection);
  one("#tray details").addEventListener("toggle", showSelection);
  one("#skip").addEventListener("click", (event) => {
    event.preventDefault();
    one("#rows").closest("section").focus();
  });
  one("#all").addEventListener("change", (event) => select(document.querySelectorAll("#rows .pick input"), event.target.checked));
  one("#clear").addEventListener("click", () => {
    selected.clear();
    store();
    showSelection();
    one("#all").focus();
  });
  one("#sort").addEventListener("change", (event) => table.change({ sort: event.target.value === "-year" ? "" : event.target.value }));
  one("#link").addEventListener("click", (event) => awesome.view.copyLink(event.target));
  for (const [id, papers] of [["export", () => found], ["tray", chosen]]) {
    one(`#${id}`).addEventListener("click", (event) => {
      const form = event.target.dataset.form;
      if (form) awesome.cite.download(papers(), form);
    });
  }
  for (const name of ["show-facets", "show-found"]) {
    one(`#${name}`).addEventListener("click", () => {
      const open = one(".browse").classList.toggle("open");
      one("#show-facets").setAttribute("aria-expanded", String(open));
      (open ? one("#facets") : one("#count")).scrollIntoView({ block: "nearest" });
    });
  }
})((window.awesome = window.awesome || {}));
