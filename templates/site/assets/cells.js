/* Cells of the gap map as they are drawn and as they are read out; map.html.j2 writes the same. */
(function (awesome) {
  "use strict";
  const { el, grouped, plural } = awesome.view;
  const { states } = awesome.gaps;
  const survey = awesome.survey;
  const FEWEST = { dots: 12, bubble: 28, radius: 16 };

  /* The word of a cell's state, with "as listed" if terms that were not listed could fill it. */
  function word(cell) {
    const state = states.get(cell.state);
    return state.lacks && cell.listed ? `${state.word}, as listed` : state.word;
  }
  /* The papers behind an absence, as in awesome_cli/analysis/gaps/cells.py. */
  function base(cell) {
    const [n, coded, uncoded, total] = [cell.n, cell.coded, cell.uncoded, cell.total].map(grouped);
    if (cell.uncoded) return `${n} of ${coded} coded; ${uncoded} of ${total} not coded yet`;
    if (!cell.total) return "no paper coded";
    return cell.listed ? `of ${coded} listed` : "";
  }

  /* One dot a paper, those that count first; many become one bubble. */
  function marks(cell, largest) {
    const dots = (n, kind) => Array.from({ length: n }, () => el("span", { class: kind }));
    const weak = cell.contested - cell.doubted;
    if (cell.n > FEWEST.dots) return [bubble(Math.round(FEWEST.radius * Math.sqrt(cell.n / Math.max(FEWEST.bubble, largest))))];
    const counted = [...dots(cell.doubted, "dot doubted"), ...dots(cell.n - cell.doubted, "dot")];
    if (cell.n + cell.weaker > FEWEST.dots) return counted;
    return [...counted, ...dots(weak, "dot weak doubted"), ...dots(cell.weaker - weak, "dot weak")];
  }
  function bubble(r) {
    const [svg, circle] = ["svg", "circle"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
    const set = (node, values) => Object.entries(values).forEach(([name, value]) => node.setAttribute(name, String(value)));
    set(svg, { class: "bubble", width: 2 * r, height: 2 * r, viewBox: `0 0 ${2 * r} ${2 * r}` });
    set(circle, { cx: r, cy: r, r });
    svg.append(circle);
    return svg;
  }
  function nodes(cell, largest) {
    const state = states.get(cell.state);
    const impossible = cell.state === survey.impossible;
    const plain = state && !state.lacks && !impossible;
    const found = impossible ? [] : [el("span", { class: "n" }, String(cell.n))];
    const add = (name, ...children) => found.push(" ", el("span", { class: name }, ...children));
    if (state) add(`state${plain ? " offscreen" : ""}`, word(cell));
    if (cell.n + cell.weaker) found.push(" ", el("span", { class: "marks", "aria-hidden": "true" }, marks(cell, largest)));
    if (cell.doubted) add("contests", el("span", { class: "dot doubted" }), ` ${cell.doubted}`, el("span", { class: "offscreen" }, " of them contested"));
    if (cell.weaker) add("weaker", `+${cell.weaker} weaker`);
    if (cell.parts.length) add("parts", `part of ${cell.parts.length}`);
    return found;
  }
  function kind(cell) {
    const state = states.get(cell.state);
    if (!state) return cell.n ? "count" : "none";
    return `${state.value} ${state.pattern} shade${1 + state.steps.filter((step) => cell.n > step).length}`;
  }
  /* The name of a cell for screen readers. */
  function name(where, cell) {
    const said = [cell.state && word(cell), cell.state !== survey.impossible && plural(cell.n, "paper"),
      cell.doubted && `${cell.doubted} of them contested`, cell.weaker && `${cell.weaker} weaker`, cell.parts.length && `part of ${cell.parts.length}`];
    return `${where}: ${said.filter((part) => part).join(", ")}`;
  }

  awesome.cells = { base, kind, name, nodes, word };
})((window.awesome = window.awesome || {}));
