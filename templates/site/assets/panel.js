/* The panel beside the map: the papers of a cell with their evidence, or the gaps of the whole view. */
(function (awesome) {
  "use strict";
  const { el, one, plural, labelOf, termLabel, meta, paperLink } = awesome.view;
  const { axisOf } = awesome.gaps;
  const survey = awesome.survey;
  const WORDS = { gap: "gap", sparse: "sparse", covered: "covered", not_applicable: "not applicable" };
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
    const strength = [tag.strength, tag.confidence ? `confidence ${tag.confidence}` : ""].filter((part) => part).join(", ");
    const nodes = [];
    if (tag.evidence || strength) {
      nodes.push(el("p", { class: "evidence" }, strength ? el("span", { class: "strength" }, strength) : "", strength && tag.evidence ? " " : "", tag.evidence || ""));
    }
    if (tag.grade) {
      nodes.push(el("p", { class: "contested" }, el("strong", null, `Contested (${labelOf(survey.grades, tag.grade)}).`), " ", tag.because || ""));
    }
    return nodes;
  }
  function paperItem(entry) {
    return el("li", null, paperLink(entry.paper), el("span", { class: "meta" }, meta(entry.paper)), entry.tags.flatMap(tagNodes));
  }
  function list(title, entries) {
    if (!entries.length) return [];
    return [el("h3", null, title), el("ul", { class: "papers" }, entries.map(paperItem))];
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
    const { row, column, cell } = chosen;
    const where = shown.decides === null || column !== survey.any ? `${termLabel(axis, row)} × ${columnLabel(column)}` : termLabel(axis, row);
    const nodes = [el("h2", { id: "panel-title" }, where), verdict(cell, axis, row, column)];
    nodes.push(...list(cell.rest.length ? "Papers that count" : "Papers", cell.counted));
    nodes.push(...list("Weaker evidence", cell.rest));
    if (cell.near.length && cell.state !== "covered") {
      nodes.push(el("h3", null, "Screened out, but near"), el("ul", { class: "papers" }, cell.near.map((miss) =>
        el("li", null, el("a", { href: `exclusions.html#${miss.key}` }, miss.title),
          el("p", { class: "evidence" }, miss.strength ? el("span", { class: "strength" }, miss.strength) : "", " ", miss.because || "")))));
    }
    nodes.push(el("p", { class: "actions" },
      el("a", { href: `terms/${axis.id}.${row}.html` }, `More on ${labelOf(axis.terms, row)}`), " ",
      el("button", { type: "button", id: "close" }, "All gaps of this view")));
    panel.replaceChildren(...nodes);
  }

  function verdict(cell, axis, row, column) {
    const contested = cell.contested ? `, ${cell.contested} of them contested` : "";
    if (cell.state === null) {
      return el("p", { class: "verdict" }, cell.n ? `${plural(cell.n, "paper")}${contested}.` : "No paper.");
    }
    if (cell.state === "not_applicable") return el("p", { class: "verdict" }, "These two do not go together.");
    const bar = view.columns ? "" : shown.decides === survey.any ? "" : ` at strength “${labelOf(axis.strengths, shown.decides)}”${shown.columns[0].id === shown.decides ? "" : " or above"}`;
    const tail = cell.weaker ? ` ${plural(cell.weaker, "paper")} with weaker evidence${contested}.` : contested ? ` ${cell.contested} contested.` : "";
    const text = {
      gap: `Nobody: no paper of this selection${bar}.`,
      sparse: `Only ${plural(cell.n, "paper")}${bar}.`,
      covered: `${plural(cell.n, "paper")}${bar}.`,
    }[cell.state];
    return el("p", { class: "verdict" }, el("span", { class: `chip ${cell.state}` }, WORDS[cell.state]), ` ${text}${tail}`);
  }

  /* What a reader sees before clicking: the gaps and thin places, each a button. */
  function overview(axis) {
    const found = { gap: [], sparse: [] };
    for (const [row, line] of shown.cells) {
      for (const [column, cell] of line) if (found[cell.state]) found[cell.state].push({ row, column, cell });
    }
    const nodes = [el("h2", { id: "panel-title" }, "What is missing")];
    const describe = ({ row, column, cell }) => {
      const label = shown.decides === survey.any ? termLabel(axis, row) : `${termLabel(axis, row)} × ${columnLabel(column)}`;
      const extra = cell.weaker ? ` ${cell.weaker} weaker` : cell.n ? ` ${plural(cell.n, "paper")}` : " nothing";
      return el("li", null, el("button", { type: "button", class: "link", "data-row": row, "data-column": column }, label), el("span", { class: "meta" }, extra));
    };
    for (const state of ["gap", "sparse"]) {
      const cells = found[state].slice().sort((a, b) => b.cell.weaker - a.cell.weaker);
      if (!cells.length) continue;
      const few = cells.slice(0, 12);
      nodes.push(el("h3", null, el("span", { class: `chip ${state}` }, WORDS[state]), ` ${plural(cells.length, "cell")}`),
        el("ul", { class: "cells" }, few.map(describe)));
      if (cells.length > few.length) nodes.push(el("p", { class: "meta" }, `and ${cells.length - few.length} more in the map.`));
    }
    if (!found.gap.length && !found.sparse.length) nodes.push(el("p", null, "No gap and nothing sparse in this view."));
    nodes.push(el("p", { class: "hint" }, "Click a cell to read its papers and their evidence."));
    return nodes;
  }

  awesome.panel = { draw, WORDS };
})((window.awesome = window.awesome || {}));
