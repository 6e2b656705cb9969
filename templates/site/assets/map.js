/* The evidence-gap map: choose axes and filters, click a cell, read its papers. */
(function (awesome) {
  "use strict";
  const { el, one, plural, labelOf, termLabel } = awesome.view;
  const { axisOf, matrix } = awesome.gaps;
  const { kind, nodes } = awesome.cells;
  const survey = awesome.survey;
  const axes = survey.axes.filter((axis) => !axis.bookkeeping);
  const controls = one("#controls");
  const FILTERS = ["from", "to", "venue", "author", "contested", "q"];
  let view = {};

  function start() {
    const first = survey.maps[0] || { rows: survey.axes[0].id };
    const asked = Object.fromEntries(awesome.view.readView());
    const rows = axes.some((axis) => axis.id === asked.rows) ? asked.rows : first.rows;
    const columns = asked.columns === undefined && rows === first.rows ? first.columns : asked.columns;
    return { ...asked, rows, columns: axes.some((axis) => axis.id === columns) ? columns : "" };
  }

  /* The names of the filters that are set; `is.AXIS` may be of any axis, since a link may ask for it. */
  function filters() {
    return Object.keys(view).filter((name) => view[name] && (name.startsWith("is.") || FILTERS.includes(name)));
  }
  function parts() {
    return [...awesome.filters.parts(view), ...awesome.words.parts(view.q, "papers", awesome.readings.name(view))];
  }
  function command(start) {
    return awesome.words.command(start + awesome.readings.options(view), parts().map((part) => part.query));
  }

  function cellName(where, cell) {
    return awesome.cells.name(where, cell) + (filters().length ? ", in this selection" : "");
  }

  let shown = null;
  function draw(how) {
    const chosen = parts();
    one("#note").replaceChildren(...awesome.words.remark(view.q, "awesome list"), awesome.filters.ignored(view).join(" "));
    const needs = chosen.flatMap((part) => part.needs);
    if (!awesome.data.has(needs)) {
      awesome.data.need(needs).then(() => draw(how));
      return;
    }
    const read = awesome.readings.apply(awesome.papers, view);
    const papers = read.filter((paper) => chosen.every((part) => part.test(paper)));
    const axis = axisOf(view.rows);
    shown = matrix(papers, view.rows, view.columns, view.least, awesome.readings.name(view));
    const selected = filters().length ? `${papers.length} of ${plural(awesome.papers.length, "paper")}` : "";
    const within = one("#panel").contains(document.activeElement);
    drawTable(axis, selected);
    drawChips(axis, selected);
    awesome.panel.draw(axis, { ...view, selected }, shown);
    if (within && !one("#panel").contains(document.activeElement)) focusCell();
    one("#command").textContent = command(view.columns ? `awesome gaps --by ${view.rows},${view.columns}` : `awesome gaps ${view.rows}`);
    one("#same").textContent = view.least ? "On the command line, with the declared minimum" : "On the command line";
    awesome.readings.control(one("#reading"), view, (reading) => { view = { ...view, ...reading }; draw({ push: true }); });
    awesome.view.writeView(view, how);
    if (how.led) lead();
  }
  /* A button for each active filter and for the minimum strength, which removes it. */
  function drawChips(axis, selected) {
    const reading = awesome.readings.words(view);
    const chips = parts().concat(reading ? [{ label: reading, without: { reading: "", grade: "" } }] : [],
      view.least ? [{ label: `minimum strength ${labelOf(scale().strengths, view.least)}`, without: { least: "" } }] : []);
    one("#chips").replaceChildren(...(selected ? [el("span", { class: "selected" }, `In this selection: ${selected}`)] : []),
      ...chips.map(({ label, without }) => {
        const button = el("button", { type: "button", class: "link", "aria-label": `Remove filter: ${label}` }, `${label} ×`);
        button.addEventListener("click", () => takeAway(button, without));
        return button;
      }));
  }
  function takeAway(button, without) {
    const at = Array.from(button.parentElement.querySelectorAll("button")).indexOf(button);
    view = { ...view, ...without };
    showControls();
    draw({ push: true });
    const left = one("#chips").querySelectorAll("button");
    (left[Math.min(at, left.length - 1)] || one("#map-title")).focus();
  }

  function caption(axis) {
    const columns = view.columns ? axisOf(view.columns) : null;
    return `${axis.label} by ${columns ? columns.label.toLowerCase() : axis.strengths.length ? "strength" : "number of papers"}`;
  }
  /* Arrow keys lead to it, as to the cells. */
  function termLink(axis, { id }) {
    return el("a", { href: `terms.html#${axis.id}.${id}`, tabindex: "-1" }, termLabel(axis, id));
  }
  function drawTable(axis, selected) {
    const columns = view.columns ? axisOf(view.columns) : null;
    const largest = Math.max(0, ...Array.from(shown.cells.values(), (line) => Array.from(line.values(), (cell) => cell.n)).flat());
    const head = el("tr", null, el("th", { scope: "col" }, axis.label, selected ? el("span", { class: "selected" }, " in this selection") : ""),
      shown.columns.map((column) => el("th", { scope: "col" }, columns ? termLink(columns, column) : heading(columns, column))));
    const chosen = (view.cell || "").split(",");
    const body = shown.rows.map((term) =>
      el("tr", null,
        el("th", { scope: "row", class: term.parent ? "child" : null }, termLink(axis, term)),
        shown.columns.map((column) => {
          const cell = shown.cells.get(term.id).get(column.id);
          const pressed = chosen[0] === term.id && chosen[1] === column.id;
          const button = el("button", { type: "button", "data-row": term.id, "data-column": column.id, "aria-pressed": String(pressed),
            "aria-label": cellName(`${termLabel(axis, term.id)} by ${heading(columns, column)}`, cell), tabindex: "-1" });
          // The button lies over what is drawn, which its name says in full.
          return el("td", { class: kind(cell) }, el("span", { class: "shown", "aria-hidden": "true" }, nodes(cell, largest)), button);
        })));
    // The same text set again would count as painted late.
    if (one("#map-title").textContent !== caption(axis)) one("#map-title").textContent = caption(axis);
    const agreement = [view.rows, view.columns].flatMap((id) => (id ? survey.waiting.agreement[id] : [])).join(" ");
    one("#agreement").replaceChildren(...awesome.view.dated(agreement));
    const names = ["map", shown.columns.length <= 5 && "few", view.numbers && "numbers"].filter((name) => name).join(" ");
    const table = el("table", { class: names, role: "grid", "aria-labelledby": "map-title" }, el("thead", null, head), el("tbody", null, body));
    const focused = document.activeElement.closest("#map td") ? { ...document.activeElement.dataset } : null;
    one("#map").replaceChildren(table);
    const buttons = Array.from(table.querySelectorAll("button"));
    const at = (place) => place && buttons.find((b) => b.dataset.row === place.row && b.dataset.column === place.column);
    const current = at({ row: chosen[0], column: chosen[1] }) || at(focused) || buttons[0];
    if (current) current.tabIndex = 0;
    if (focused) (at(focused) || current).focus();
  }
  function focusCell() {
    const current = one("#map [tabindex='0']");
    if (current) current.focus();
  }
  function heading(columns, column) {
    if (columns) return termLabel(columns, column.id);
    return column.id === shown.decides && column !== shown.columns[0] && column.id !== survey.any
      ? `${column.label} or stronger` : column.label;
  }

  const narrow = window.matchMedia("(max-width: 68rem)");
  function choose(row, column, move) {
    view = { ...view, cell: row ? `${row},${column}` : "" };
    draw({ push: true, led: true });
    const title = one("#panel-title");
    one("#status").textContent = title ? title.textContent : "";
    if (move === "panel") one("#panel").focus({ preventScroll: true });
  }
  /* In a narrow window the panel is below the map: a reader who chose a cell is led there. */
  function lead() {
    if (!narrow.matches || !one("#back")) return;
    one("#panel").scrollIntoView({ block: "start" });
    one("#panel").focus({ preventScroll: true });
  }
  /* From the panel to the cell that it is about, or to the map. */
  function back() {
    focusCell();
    const current = document.activeElement.closest("#map td");
    if (current) current.scrollIntoView({ block: "nearest", inline: "nearest" });
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
    fill(controls.elements.rows, axes.map((axis) => [axis.id, axis.label]), null);
    fill(controls.elements.from, years.map((year) => [year, year]), "first");
    fill(controls.elements.to, years.map((year) => [year, year]), "last");
    fill(controls.elements.venue, venues.map(([venue, n]) => [venue, `${venue} (${n})`]), "any");
    fill(controls.elements.contested, awesome.filters.CONTESTS.map((value) => [value, awesome.filters.contestLabel(value)]), "any");
    for (const axis of survey.facets) fill(controls.elements[`is.${axis}`], choices(axisOf(axis)), "any");
  }
  /* The axis whose strengths a view counts from: that of the rows, else of the columns. */
  function scale() {
    const rows = axisOf(view.rows);
    return rows.strengths.length || !view.columns ? rows : axisOf(view.columns);
  }
  /* The form shows the view; columns and thresholds depend on the rows. */
  function showControls() {
    const axis = axisOf(view.rows);
    fill(controls.elements.columns, axes.filter((other) => other.id !== view.rows).map((other) => [other.id, other.label]),
      axis.strengths.length ? "Strength" : "Number of papers");
    const { strengths, gap_strength: declared } = scale();
    const usual = declared ? `${labelOf(strengths, declared)} (as declared)` : "any strength (as declared)";
    fill(controls.elements.least, strengths.map((entry) => [entry.id, `${entry.label} or stronger`]), usual);
    one("#least-field").hidden = strengths.length === 0;
    if (!strengths.some((entry) => entry.id === view.least)) view.least = "";
    for (const field of Array.from(controls.elements).filter((one) => one.name && !one.closest("#reading"))) {
      const value = view[field.name] || "";
      if (field.type === "checkbox") field.checked = Boolean(value);
      else if (field.type === "radio") field.checked = field.value === `${view.rows} ${view.columns || ""}`;
      else field.value = value;
      // A link may ask for a value that no choice offers.
      if (field.tagName === "SELECT" && field.value !== value) {
        field.append(el("option", { value }, value));
        field.value = value;
      }
    }
  }

  function changed(event) {
    const { name, type, checked } = event.target;
    if (!name) return;
    const value = type === "checkbox" ? (checked ? "1" : "") : event.target.value;
    const [rows, columns] = value.split(" ");
    if (name === "preset") view = { ...view, rows, columns, least: "", cell: "" };
    else if (name === "rows") view = { ...view, rows: value, columns: view.columns === value ? "" : view.columns, least: "", cell: "" };
    else if (name === "columns") view = { ...view, columns: value, least: "", cell: "" };
    else view = { ...view, [name]: value };
    showControls();
    draw({ push: true });
  }

  const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  /* The place that a key leads to from row `i`, column `j`, where the headings are row and column 0; null for other keys. */
  function place(event, i, j, rows) {
    if (STEPS[event.key]) return [i + STEPS[event.key][0], j + STEPS[event.key][1]];
    if (event.key === "Home") return [event.ctrlKey ? 1 : i, 1];
    if (event.key === "End") return [event.ctrlKey ? rows.length - 1 : i, rows[i].length - 1];
    return null;
  }
  function moved(event) {
    const from = event.target.closest("td button, th a");
    if (!from || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && view.cell) return choose("", "");
    const rows = Array.from(one("#map table").rows, (row) => Array.from(row.cells, (cell) => cell.querySelector("button, a")));
    const i = rows.findIndex((row) => row.includes(from));
    const to = place(event, i, rows[i].indexOf(from), rows);
    if (!to) return;
    event.preventDefault();
    const next = rows[to[0]] && rows[to[0]][to[1]];
    if (!next) return;
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  function cite(button) {
    const who = survey.authors.join("; ");
    const place = awesome.view.address();
    const words = parts().map((part) => part.label).join(", ");
    const cell = awesome.panel.cellTitle();
    const said = [caption(axisOf(view.rows)), cell && `cell ${cell}`, view.least && `minimum strength ${labelOf(scale().strengths, view.least)}`,
      awesome.readings.words(view), words && `filters: ${words} [${parts().map((part) => part.query).join(" ")}]`];
    const text = `${who ? `${who}. ` : ""}${survey.title}. Evidence-gap map: ${said.filter((part) => part).join("; ")}. Pool as of ${survey.day}${survey.recoded > survey.day ? `, codings as of ${survey.recoded}` : ""}.`;
    awesome.view.copyFrom(button, place ? `${text} ${place}` : text, place ? undefined : "Copied without an address, since the site has none");
  }

  view = start();
  // Hundreds of choices, which few readers open.
  one("details.filters").addEventListener("toggle", () => { setUp(); showControls(); }, { once: true });
  controls.addEventListener("change", changed);
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("reset", () => {
    view = Object.fromEntries(Object.entries(view).filter(([name]) => !filters().includes(name)));
    setTimeout(() => { showControls(); draw({ push: true }); });
  });
  one("#map").addEventListener("click", (event) => {
    const button = event.target.closest("td button");
    if (button) choose(button.dataset.row, button.dataset.column);
  });
  one("#map").addEventListener("keydown", moved);
  one("#panel").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-row]");
    if (button) choose(button.dataset.row, button.dataset.column, "panel");
    else if (event.target.closest("#close")) choose("", "", "panel");
    else if (event.target.closest("#back")) back();
  });
  one("#panel").addEventListener("keydown", (event) => { if (event.key === "Escape") back(); });
  one("#cite").addEventListener("click", (event) => cite(event.currentTarget));
  one("#link").addEventListener("click", (event) => awesome.view.copyLink(event.currentTarget));
  window.addEventListener("hashchange", () => { view = start(); showControls(); draw({}); });
  one("#map").removeAttribute("tabindex");
  showControls();
  draw({ led: true });
  document.documentElement.dataset.ready = "map";
})((window.awesome = window.awesome || {}));
