/* The evidence-gap map: choose axes and filters, click a cell, read its papers. */
(function (awesome) {
  "use strict";
  const { el, one, plural, labelOf, termLabel } = awesome.view;
  const { axisOf, matrix, states } = awesome.gaps;
  const survey = awesome.survey;
  const controls = one("#controls");
  const FILTERS = ["from", "to", "venue", "contested", ...survey.facets.map((axis) => `is.${axis}`), "q"];
  let view = {};

  function start() {
    const first = survey.maps[0] || { rows: survey.axes[0].id };
    const asked = Object.fromEntries(awesome.view.readView());
    const rows = survey.axes.some((axis) => axis.id === asked.rows) ? asked.rows : first.rows;
    const columns = asked.columns === undefined && rows === first.rows ? first.columns : asked.columns;
    return { ...asked, rows, columns: survey.axes.some((axis) => axis.id === columns) ? columns : "" };
  }

  /* The filters as one query in the language of the command line. */
  function query() {
    const parts = [];
    if (view.from) parts.push(`year>=${view.from}`);
    if (view.to) parts.push(`year<=${view.to}`);
    if (view.venue) parts.push(`venue="${view.venue}"`);
    for (const axis of survey.facets) if (view[`is.${axis}`]) parts.push(`${axis}=${view[`is.${axis}`]}`);
    if (view.contested) parts.push(`contested=${view.contested}`);
    if (view.q) parts.push(parts.length ? `(${view.q})` : view.q);
    return parts.join(" ");
  }

  function cellNodes(cell) {
    const nodes = [el("span", { class: "n" }, String(cell.n))];
    if (cell.state) nodes.push(" ", el("span", { class: "state" }, states.get(cell.state).word));
    if (cell.weaker) nodes.push(" ", el("span", { class: "weaker" }, `+${cell.weaker} weaker`));
    if (cell.parts.length) nodes.push(" ", el("span", { class: "weaker" }, `part of ${cell.parts.length}`));
    return nodes;
  }
  function cellClass(cell) {
    const state = states.get(cell.state);
    if (!state) return cell.n ? "count" : "none";
    return `${state.value} ${state.pattern} shade${1 + state.steps.filter((step) => cell.n > step).length}`;
  }

  let shown = null;
  function draw() {
    const words = query();
    const understood = awesome.query.understand(words);
    one("#note").textContent = understood.error || understood.note || "";
    if (understood.test && !awesome.data.has(understood.test.needs)) {
      awesome.data.need(understood.test.needs).then(draw);
      return;
    }
    const papers = understood.error ? [] : awesome.papers.filter(understood.test);
    const axis = axisOf(view.rows);
    shown = matrix(papers, view.rows, view.columns, view.least);
    drawTable(axis, papers);
    awesome.panel.draw(axis, view, shown);
    const active = FILTERS.filter((name) => view[name]).length;
    one("#filter-count").textContent = active ? `${active} set, ${plural(papers.length, "paper")} of ${awesome.papers.length}` : "none set";
    one("#command").textContent =
      (view.columns ? `awesome gaps --by ${view.rows},${view.columns}` : `awesome gaps ${view.rows}`) +
      (words ? ` --where '${words.replaceAll("'", "'\\''")}'` : "");
    for (const preset of document.querySelectorAll("#presets button")) {
      const same = preset.dataset.rows === view.rows && preset.dataset.columns === (view.columns || "");
      preset.setAttribute("aria-pressed", String(same));
    }
    awesome.view.writeView(view);
  }

  function caption(axis) {
    const columns = view.columns ? axisOf(view.columns) : null;
    return `${axis.label} by ${columns ? columns.label.toLowerCase() : axis.strengths.length ? "strength" : "number of papers"}`;
  }
  function drawTable(axis) {
    const columns = view.columns ? axisOf(view.columns) : null;
    const head = el("tr", null, el("th", { scope: "col" }, axis.label),
      shown.columns.map((column) => el("th", { scope: "col" }, heading(columns, column))));
    const chosen = (view.cell || "").split(",");
    const body = shown.rows.map((term) =>
      el("tr", null,
        el("th", { scope: "row", class: term.parent ? "child" : null },
          el("a", { href: `terms/${axis.id}.${term.id}.html` }, termLabel(axis, term.id))),
        shown.columns.map((column) => {
          const cell = shown.cells.get(term.id).get(column.id);
          const pressed = chosen[0] === term.id && chosen[1] === column.id;
          const button = el("button", { type: "button", "data-row": term.id, "data-column": column.id,
            "aria-pressed": String(pressed), tabindex: "-1" }, cellNodes(cell));
          return el("td", { class: cellClass(cell) }, button);
        })));
    one("#map-title").textContent = caption(axis);
    const table = el("table", { class: "map", "aria-labelledby": "map-title" }, el("thead", null, head), el("tbody", null, body));
    const focused = document.activeElement && document.activeElement.dataset && document.activeElement.dataset.row
      ? { ...document.activeElement.dataset } : null;
    one("#map").replaceChildren(table);
    const buttons = Array.from(table.querySelectorAll("button"));
    const current = buttons.find((b) => b.getAttribute("aria-pressed") === "true") || buttons[0];
    if (current) current.tabIndex = 0;
    const again = focused && buttons.find((b) => b.dataset.row === focused.row && b.dataset.column === focused.column);
    if (again) again.focus();
  }
  function heading(columns, column) {
    if (columns) return termLabel(columns, column.id);
    return column.id === shown.decides && column !== shown.columns[0] && column.id !== survey.any
      ? `${column.label} or stronger` : column.label;
  }

  function choose(row, column, move) {
    view.cell = row ? `${row},${column}` : "";
    draw();
    const status = one("#status");
    const title = one("#panel-title");
    status.textContent = title ? title.textContent : "";
    if (move && window.matchMedia("(max-width: 68rem)").matches) one("#panel").scrollIntoView({ block: "start" });
    if (move === "panel") one("#panel").focus();
  }

  function fill(select, options, empty) {
    select.replaceChildren(...(empty === null ? [] : [el("option", { value: "" }, empty)]),
      ...options.map(([value, label]) => el("option", { value }, label)));
  }
  function counted(values) {
    const counts = new Map();
    for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) || 0) + 1);
    return counts;
  }
  function choices(axis) {
    return axis.terms.map((term) => [term.id, `${term.parent ? "– " : ""}${termLabel(axis, term.id)}`]);
  }
  function setUp() {
    const years = Array.from(counted(awesome.papers.map((p) => p.year)).keys()).sort((a, b) => a - b);
    const venues = Array.from(counted(awesome.papers.map((p) => p.venue))).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    fill(controls.elements.rows, survey.axes.map((axis) => [axis.id, axis.label]), null);
    fill(controls.elements.from, years.map((year) => [year, year]), "first");
    fill(controls.elements.to, years.map((year) => [year, year]), "last");
    fill(controls.elements.venue, venues.map(([venue, n]) => [venue, `${venue} (${n})`]), "any");
    fill(controls.elements.contested, [["yes", "contested codings only"], ["no", "without contested codings"],
      ...survey.grades.map((grade) => [grade.id, `contested: ${grade.label} or more`])], "any");
    for (const axis of survey.facets) fill(controls.elements[`is.${axis}`], choices(axisOf(axis)), "any");
  }
  /* The form shows the view; columns and thresholds depend on the rows. */
  function showControls() {
    const axis = axisOf(view.rows);
    fill(controls.elements.columns, survey.axes.filter((other) => other.id !== view.rows).map((other) => [other.id, other.label]),
      axis.strengths.length ? "Strength" : "Number of papers");
    const usual = axis.gap_strength ? `${labelOf(axis.strengths, axis.gap_strength)} (as declared)` : "any strength (as declared)";
    fill(controls.elements.least, axis.strengths.map((entry) => [entry.id, `${entry.label} or stronger`]), usual);
    one("#least-field").hidden = axis.strengths.length === 0;
    for (const field of Array.from(controls.elements)) {
      if (!field.name) continue;
      field.value = view[field.name] || "";
      if (field.value !== (view[field.name] || "")) {
        field.value = "";
        view[field.name] = "";
      }
    }
  }

  function changed(event) {
    const { name, value } = event.target;
    if (!name) return;
    if (name === "rows") view = { ...view, rows: value, columns: view.columns === value ? "" : view.columns, least: "", cell: "" };
    else if (name === "columns") view = { ...view, columns: value, cell: "" };
    else view = { ...view, [name]: value };
    showControls();
    draw();
  }

  const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  function moved(event) {
    const step = STEPS[event.key];
    const button = event.target.closest("td button");
    if (!step || !button) return;
    const row = button.closest("tr");
    const rows = Array.from(row.parentElement.children);
    const at = Array.from(row.children).indexOf(button.parentElement) + step[1];
    const target = rows[rows.indexOf(row) + step[0]];
    const next = target && target.children[at] && target.children[at].querySelector("button");
    if (!next) return;
    event.preventDefault();
    button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  function cite(button) {
    const words = query();
    const who = survey.authors.join("; ");
    const address = survey.base ? survey.base + (location.pathname.split("/").pop() || "index.html") + location.hash : location.href;
    awesome.view.copyFrom(button, `${who ? `${who}. ` : ""}${survey.title}. Evidence-gap map: ${caption(axisOf(view.rows))}` +
      `${words ? `, where ${words}` : ""}. Pool as of ${survey.day}. ${address}`);
  }

  setUp();
  view = start();
  controls.addEventListener("change", changed);
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("reset", () => {
    view = { rows: view.rows, columns: view.columns };
    setTimeout(() => { showControls(); draw(); });
  });
  one("#presets").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    view = { ...view, rows: button.dataset.rows, columns: button.dataset.columns, cell: "", least: "" };
    showControls();
    draw();
  });
  one("#map").addEventListener("click", (event) => {
    const button = event.target.closest("td button");
    if (button) choose(button.dataset.row, button.dataset.column, "scroll");
  });
  one("#map").addEventListener("keydown", moved);
  one("#panel").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-row]");
    if (button) choose(button.dataset.row, button.dataset.column, "panel");
    else if (event.target.closest("#close")) choose("", "", "panel");
  });
  one("#cite").addEventListener("click", (event) => cite(event.currentTarget));
  window.addEventListener("hashchange", () => { view = start(); showControls(); draw(); });
  showControls();
  draw();
  document.documentElement.dataset.ready = "map";
})((window.awesome = window.awesome || {}));
