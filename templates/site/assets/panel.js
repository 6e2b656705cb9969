/* The panel beside the map: the papers of a cell with their evidence, or the gaps of the whole view. */
(function (awesome) {
  "use strict";
  const { el, one, plural, labelOf, termLabel, meta, paperLink } = awesome.view;
  const { axisOf, states } = awesome.gaps;
  const survey = awesome.survey;
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

  function tagNodes(tag) {
    const strength = [tag.part ? "part" : "", tag.strength, tag.confidence ? `confidence ${tag.confidence}` : ""].filter((part) => part).join(", ");
    const nodes = [];
    if (tag.evidence || strength) {
      nodes.push(el("p", { class: "evidence" }, strength ? el("span", { class: "strength" }, strength) : "", strength && tag.evidence ? " " : "", tag.evidence || ""));
    }
    if (tag.grade) {
      nodes.push(el("p", { class: "contested" }, el("strong", null, `Contested (${labelOf(survey.grades, tag.grade)}).`), " ", tag.because || ""));
    }
    return nodes;
  }
  function paperItem(entry, paper) {
    const own = Object.values(paper.tags).flat();
    const evidenced = entry.tags.map((tag) => own[Object.values(entry.paper.tags).flat().indexOf(tag)]);
    return el("li", null, paperLink(paper), el("span", { class: "meta" }, meta(paper)), evidenced.flatMap(tagNodes));
  }
  function listed(title, entries, whole) {
    if (!entries.length) return [];
    return [el("h3", null, title), el("ul", { class: "papers" }, entries.map((entry) => paperItem(entry, whole.get(entry.paper.key))))];
  }

  /* Show the chosen cell of a drawn map, or what is missing in it. */
  function draw(axis, drawnView, drawnMap) {
    view = drawnView;
    shown = drawnMap;
    const panel = one("#panel");
    const chosen = chosenCell();
    if (!chosen) {
      panel.replaceChildren(...overview(axis));
      return;
    }
    const drawn = drawnView;
    const papers = [...chosen.cell.counted, ...chosen.cell.rest, ...chosen.cell.parts].map((entry) => entry.paper);
    awesome.data.full(papers).then((whole) => {
      if (view === drawn) panel.replaceChildren(...cellNodes(axis, chosen, new Map(whole.map((paper) => [paper.key, paper]))));
    });
  }
  function cellNodes(axis, { row, column, cell }, whole) {
    const list = (title, entries) => listed(title, entries, whole);
    const where = shown.decides === null || column !== survey.any ? `${termLabel(axis, row)} × ${columnLabel(column)}` : termLabel(axis, row);
    const nodes = [el("h2", { id: "panel-title" }, where), verdict(cell, axis, row, column)];
    nodes.push(...list(cell.rest.length ? "Papers that count" : "Papers", cell.counted));
    nodes.push(...list("Weaker evidence", cell.rest));
    nodes.push(...list("Papers that have it as a part", cell.parts));
    if (cell.near.length && (cell.state === null || states.get(cell.state).lacks)) {
      nodes.push(el("h3", null, "Near-misses that were screened out"), el("ul", { class: "papers" }, cell.near.map((miss) =>
        el("li", null, el("a", { href: `exclusions.html#${miss.key}` }, miss.title),
          el("p", { class: "evidence" }, miss.strength ? el("span", { class: "strength" }, awesome.view.said(axisOf(miss.axis), miss.strength)) : "", " ", miss.because || "")))));
    }
    nodes.push(el("p", { class: "actions" },
      el("a", { href: `terms/${axis.id}.${row}.html` }, `More on ${labelOf(axis.terms, row)}`), " ",
      el("button", { type: "button", id: "close" }, "All gaps of this view")));
    return nodes;
  }

  function verdict(cell, axis, row, column) {
    const contested = cell.contested ? `, ${cell.contested} of them contested` : "";
    if (cell.state === null) {
      return el("p", { class: "verdict" }, cell.n ? `${plural(cell.n, "paper")}${contested}.` : "No paper.");
    }
    const bar = view.columns ? "" : shown.decides === survey.any ? "" : ` at strength “${labelOf(axis.strengths, shown.decides)}”${shown.columns[0].id === shown.decides ? "" : " or above"}`;
    const tail = cell.weaker ? ` ${plural(cell.weaker, "paper")} with weaker evidence${contested}.` : contested ? ` ${cell.contested} contested.` : "";
    const state = states.get(cell.state);
    const text = state.sentence.replace("{papers}", plural(cell.n, "paper")).replace("{bar}", bar);
    return el("p", { class: "verdict" }, chip(state), ` ${text}${tail}`);
  }

  function chip(state) {
    return el("span", { class: `chip ${state.value} ${state.pattern}` }, state.word);
  }

  /* What a reader sees before clicking: the cells in a state that lacks papers, each a button. */
  function overview(axis) {
    const cells = [];
    for (const [row, line] of shown.cells) for (const [column, cell] of line) cells.push({ row, column, cell });
    cells.sort((a, b) => b.cell.weaker - a.cell.weaker);
    const nodes = [el("h2", { id: "panel-title" }, "What is missing")];
    const describe = ({ row, column, cell }) => {
      const label = shown.decides === survey.any ? termLabel(axis, row) : `${termLabel(axis, row)} × ${columnLabel(column)}`;
      const extra = cell.weaker ? ` ${cell.weaker} weaker` : cell.parts.length && !cell.n ? ` part of ${plural(cell.parts.length, "paper")}` : cell.n ? ` ${plural(cell.n, "paper")}` : " nothing";
      return el("li", null, el("button", { type: "button", class: "link", "data-row": row, "data-column": column }, label), el("span", { class: "meta" }, extra));
    };
    for (const state of survey.states.filter((entry) => entry.lacks)) {
      const found = cells.filter(({ cell }) => cell.state === state.value);
      if (!found.length) continue;
      const few = found.slice(0, 12);
      nodes.push(el("h3", null, chip(state), ` ${plural(found.length, "cell")}`), el("ul", { class: "cells" }, few.map(describe)));
      if (found.length > few.length) nodes.push(el("p", { class: "meta" }, `and ${found.length - few.length} more in the map.`));
    }
    if (nodes.length === 1) nodes.push(el("p", null, "Nothing is missing in this view."));
    nodes.push(el("p", { class: "hint" }, "Click a cell to read its papers and their evidence."));
    return nodes;
  }

  awesome.panel = { draw };
})((window.awesome = window.awesome || {}));
