/* The panel beside the map: the papers of a cell with their evidence, or the gaps of the whole view. */
(function (awesome) {
  "use strict";
  const { el, one, grouped, plural, labelOf, termLabel, meta, paperLink } = awesome.view;
  const { axisOf, leaves, states } = awesome.gaps;
  const { base, word } = awesome.cells;
  const survey = awesome.survey;
  const FIRST = 30;
  const MOST = 12;
  const KEPT = ["from", "to", "venue", "author", "contested", "q", "reading", "grade"];
  let view = {};
  let shown = null;

  function columnLabel(id) {
    if (view.columns) return termLabel(axisOf(view.columns), id);
    return labelOf(shown.columns, id);
  }
  function chosenCell() {
    const [row, column] = (view.cell || "").split(",");
    const line = shown.cells.get(row);
    return line && line.get(column) ? { row, column, cell: line.get(column) } : null;
  }

  function called(axis, row, column) {
    return shown.decides === null || column !== survey.any ? `${termLabel(axis, row)} × ${columnLabel(column)}` : termLabel(axis, row);
  }
  /* The name of the chosen cell; empty without one. */
  function cellTitle() {
    const chosen = chosenCell();
    return chosen ? called(axisOf(view.rows), chosen.row, chosen.column) : "";
  }

  function tagNodes(tag) {
    const strength = [tag.part ? "part" : "", tag.strength, tag.confidence ? `confidence ${tag.confidence}` : "", tag.mark].filter((part) => part).join(", ");
    const nodes = [];
    if (tag.evidence || strength) {
      nodes.push(el("p", { class: "evidence" }, strength ? el("span", { class: "strength" }, strength) : "", strength && tag.evidence ? " " : "", tag.evidence || ""));
    }
    if (tag.grade) {
      const contest = labelOf(survey.grades, tag.grade) + (tag.would_be ? `, would be ${tag.would_be}` : "");
      nodes.push(el("p", { class: "contested" }, el("strong", null, `Contested (${contest}).`), " ", tag.because || "Read as its challenger codes it."));
    }
    return nodes;
  }
  function paperItem(entry, paper) {
    const own = Object.values(paper.tags).flat();
    const evidenced = entry.tags.map((tag) => own[Object.values(entry.paper.tags).flat().indexOf(tag)]);
    return el("li", null, paperLink(paper), el("span", { class: "meta" }, meta(paper)), evidenced.flatMap(tagNodes));
  }
  function listed(title, entries, whole) {
    const found = entries.filter((entry) => whole.has(entry.paper.key));
    if (!found.length) return [];
    return [el("h3", null, title), el("ul", { class: "papers" }, found.map((entry) => paperItem(entry, whole.get(entry.paper.key))))];
  }

  /* Show the chosen cell of a drawn map, or the gaps of the view. */
  function draw(axis, drawnView, drawnMap) {
    view = drawnView;
    shown = drawnMap;
    const chosen = chosenCell();
    if (chosen) drawCell(axis, chosen, FIRST);
    else one("#panel").replaceChildren(...overview(axis));
  }
  /* The verdict at once, the papers when their texts are there. */
  function drawCell(axis, chosen, most) {
    const drawn = view;
    const papers = [...chosen.cell.counted, ...chosen.cell.rest, ...chosen.cell.parts].map((entry) => entry.paper);
    const show = (nodes) => one("#panel").replaceChildren(...cellHead(axis, chosen), ...nodes, ...cellFoot(axis, chosen, papers.length));
    const more = el("button", { type: "button" }, `Show all ${papers.length} papers`);
    more.addEventListener("click", () => { drawCell(axis, chosen, papers.length); one("#panel").focus({ preventScroll: true }); });
    show([]);
    awesome.data.full(papers.slice(0, most)).then((found) => {
      if (view !== drawn) return;
      const whole = new Map(found.map((paper) => [paper.key, paper]));
      const { cell } = chosen;
      const within = one("#panel").contains(document.activeElement) && document.activeElement.id;
      show([...listed(cell.rest.length ? "Papers that count" : "Papers", cell.counted, whole), ...listed("Weaker evidence", cell.rest, whole),
        ...listed("Papers with it as a part", cell.parts, whole), ...(papers.length > most ? [more] : [])]);
      if (within) one(`#${within}`).focus({ preventScroll: true });
    }, (error) => { if (view === drawn) show([el("p", { class: "note" }, `The papers cannot be shown: ${error.message}.`)]); });
  }
  function cellHead(axis, { row, column, cell }) {
    return [el("p", { class: "back" }, el("button", { type: "button", id: "back", class: "link" }, "Back to the map")),
      el("h2", { id: "panel-title" }, called(axis, row, column)), ...scope(), verdict(cell, axis, row, column)];
  }
  /* The records that could fill a cell that lacks papers, and links to more. */
  function cellFoot(axis, { row, column, cell }, n) {
    const nodes = [];
    if (cell.state === null || states.get(cell.state).lacks) {
      const close = cell.around();
      nodes.push(...near(close.near), ...waiting(close.candidates));
      if (view.selected && nodes.length) nodes.push(el("p", { class: "hint" }, "Near-misses and candidates are those of the whole survey."));
    }
    const all = n && address(axis, row, column);
    nodes.push(el("p", { class: "actions" }, all ? [el("a", { href: all }, `${n === 1 ? "The paper" : `The ${n} papers`} in the list`), " "] : "",
      el("a", { href: `terms/${axis.id}.${row}.html` }, `More on ${labelOf(axis.terms, row)}`), " ",
      el("button", { type: "button", id: "close" }, "All gaps of this view")));
    return nodes;
  }
  function near(misses) {
    if (!misses.length) return [];
    return [el("h3", null, "Near-misses that were screened out"), el("ul", { class: "papers" }, misses.map((miss) =>
      el("li", null, el("a", { href: `exclusions.html#${encodeURIComponent(miss.key)}` }, miss.title),
        el("p", { class: "evidence" }, miss.strength ? el("span", { class: "strength" }, awesome.view.said(axisOf(miss.axis), miss.strength)) : "", " ", miss.because || ""))))];
  }
  function waiting(candidates) {
    if (!candidates.length) return [];
    return [el("h3", null, "Candidates that would count here"), el("ul", { class: "papers" }, candidates.map((one) =>
      el("li", null, el("a", { href: `candidates.html#${encodeURIComponent(one.key)}` }, one.title))))];
  }
  /* The cell's papers as a view of the papers' page; none where no view has exactly these. */
  function address(axis, row, column) {
    if (!view.columns && ![shown.decides, survey.any].includes(column)) return null;
    const own = { [`is.${axis.id}`]: row, ...(view.columns ? { [`is.${view.columns}`]: column } : {}) };
    if (Object.keys(own).some((name) => view[name])) return null;
    const kept = Object.entries(view).filter(([name, value]) => value && (KEPT.includes(name) || name.startsWith("is.")));
    return `papers.html#${new URLSearchParams([...kept, ...Object.entries(own)])}`;
  }
  function scope() {
    return view.selected ? [el("p", { class: "selected" }, `In this selection: ${view.selected}.`)] : [];
  }

  function verdict(cell, axis, row, column) {
    const contested = contests(cell);
    if (cell.state === null) {
      return el("p", { class: "verdict" }, cell.n ? `${plural(cell.n, "paper")}.${contested}` : "No paper.");
    }
    const bar = cell.state === survey.impossible ? "" : strengthBar(axis);
    const tail = (cell.weaker ? ` ${plural(cell.weaker, "paper")} with weaker evidence.` : "") + contested;
    const state = states.get(cell.state);
    const of = cell.state === survey.impossible || !(state.lacks || cell.uncoded) ? "" : base(cell);
    const { sentence } = cell.total === 0 ? survey.states[0] : state;
    const text = sentence.replace("{papers}", plural(cell.n, "paper")).replace("{pool}", view.selected ? " in this selection" : " in this pool").replace("{bar}", bar);
    return el("p", { class: "verdict" }, chip(cell), ` ${text}${tail}${of && ` (${of})`}`);
  }
  function contests(cell) {
    if (!cell.objections) return "";
    return cell.objections === 1 ? " 1 objection, if right, changes this count." : ` ${cell.objections} objections, if right, each change this count.`;
  }

  /* ` at strength “STRENGTH” or above`: what counts in this view; empty where every coding does. */
  function strengthBar(axis) {
    if (view.columns) {
      const { strengths } = axis.strengths.length ? axis : axisOf(view.columns);
      return view.least ? ` at strength “${labelOf(strengths, view.least)}” or above` : "";
    }
    if (shown.decides === survey.any) return "";
    return ` at strength “${labelOf(axis.strengths, shown.decides)}”${shown.columns[0].id === shown.decides ? "" : " or above"}`;
  }
  function chip(cell) {
    const state = states.get(cell.state);
    return el("span", { class: `chip ${state.value} ${state.pattern}` }, word(cell));
  }

  /* Near-misses and candidates as works with tags. */
  function outside() {
    const { codings, works } = survey.waiting;
    const misses = new Map();
    const add = (tags, axis, tag) => ({ ...tags, [axis]: [...(tags[axis] || []), tag] });
    for (const miss of survey.near) misses.set(miss.key, add(misses.get(miss.key) || {}, miss.axis, miss));
    const waiting = works.map(([, , own]) => own.map((i) => codings[i]).reduce((tags, [axis, term, strength]) => add(tags, axis, { term, strength }), {}));
    return { near: Array.from(misses.values()), candidates: waiting };
  }
  /* How many near-misses and candidates would each count in a cell, by kind and cell. */
  function trials({ places }) {
    const counts = { near: new Map(), candidates: new Map() };
    for (const [kind, works] of Object.entries(outside())) {
      for (const place of works.flatMap((tags) => Array.from(places(tags)))) counts[kind].set(place, (counts[kind].get(place) || 0) + 1);
    }
    return (kind, row, column) => counts[kind].get(`${row} ${column}`) || 0;
  }

  /* The leaf cells that lack papers, the most interesting first, each with the reason (awesome_cli/analysis/gaps/interest.py). */
  function interest(axis, shown) {
    const phrase = (kind, n) => n && survey.interest[kind][n === 1 ? 0 : 1].replace("{n}", grouped(n));
    const changes = trials(shown);
    const order = survey.states.map((state) => state.value);
    const found = [];
    for (const { id: row } of leaves(axis)) {
      for (const [column, one] of shown.cells.get(row)) {
        if (one.state === null || !states.get(one.state).lacks) continue;
        const numbers = [["near", changes("near", row, column)], ["contested", one.objections], ["candidates", changes("candidates", row, column)]];
        const uncoded = one.state === survey.undetermined ? one.uncoded : 0;
        const reason = [...numbers, ["uncoded", uncoded]].map(([kind, n]) => phrase(kind, n));
        const weight = [numbers.reduce((sum, [, n]) => sum + n, 0), -order.indexOf(one.state), one.n + one.weaker + one.parts.length];
        found.push({ row, column, cell: one, weight, reason: reason.filter((part) => part).join(", ") });
      }
    }
    return found.sort((a, b) => b.weight[0] - a.weight[0] || b.weight[1] - a.weight[1] || b.weight[2] - a.weight[2]);
  }

  /* The panel before a click: a button for each cell that lacks papers, the most interesting first. */
  function overview(axis) {
    const found = interest(axis, shown);
    const nodes = [el("h2", { id: "panel-title" }, "What is missing"), ...scope()];
    const describe = ({ row, column, cell, reason }) => {
      const label = shown.decides === survey.any ? termLabel(axis, row) : `${termLabel(axis, row)} × ${columnLabel(column)}`;
      const said = [reason && `${reason} could change it`, cell.weaker && `${cell.weaker} weaker`, cell.parts.length && `part of ${plural(cell.parts.length, "paper")}`];
      return el("li", null, el("button", { type: "button", class: "link", "data-row": row, "data-column": column }, label), " ",
        chip(cell), el("span", { class: "meta" }, said.filter((part) => part).join(", ")));
    };
    if (!found.length) nodes.push(el("p", null, "Nothing is missing in this view."));
    else nodes.push(el("p", { class: "hint" }, `${plural(found.length, "cell")}, those that most near-misses, objections and candidates could change first.`),
      el("ul", { class: "cells" }, found.slice(0, MOST).map(describe)));
    if (found.length > MOST) nodes.push(el("p", { class: "meta" }, `and ${found.length - MOST} more in the map.`));
    nodes.push(el("p", { class: "hint" }, "Choose a cell to read its papers and their evidence; arrow keys move between cells."));
    return nodes;
  }

  awesome.panel = { cellTitle, draw, interest };
})((window.awesome = window.awesome || {}));
