/* Facets: the filters beside the search box, each choice with the number of papers that would remain. */
(function (awesome) {
  "use strict";
  const { el, termLabel } = awesome.view;
  const { CONTESTS, contestLabel, contests } = awesome.filters;
  const { survey } = awesome;
  const AUTHORS = 12;
  const groups = [];
  let shown = [{}, () => []];

  function ofAxis({ axis, name, asked, fact, rank, written }) {
    const seen = new Int32Array(axis.terms.length);
    let stamp = 0;

    /* How many papers have each term, or one below it, at a strength or above. */
    function byTerm(papers, strength) {
      const counts = new Int32Array(axis.terms.length);
      const least = rank(strength);
      for (const paper of papers) {
        stamp += 1;
        for (const tag of paper.tags[axis.id] || []) {
          const { above, rank: own } = fact(tag);
          if (own < least) continue;
          for (const at of above) {
            if (seen[at] !== stamp) counts[at] += 1;
            seen[at] = stamp;
          }
        }
      }
      return counts;
    }
    /* How many papers have one of the terms at each strength or above. */
    function byStrength(papers, terms) {
      const counts = new Int32Array(axis.strengths.length);
      const wanted = axis.terms.flatMap((term, i) => (!terms.length || terms.includes(term.id) ? [i] : []));
      for (const paper of papers) {
        let top = -1;
        for (const tag of paper.tags[axis.id] || []) {
          const { above, rank: own } = fact(tag);
          if (own > top && above.some((at) => wanted.includes(at))) top = own;
        }
        for (let i = 0; i <= top; i += 1) counts[i] += 1;
      }
      return counts;
    }

    const boxes = axis.terms.map((term) => choice(termLabel(axis, term.id), term.parent ? "child" : null));
    const strengths = axis.strengths.map((entry) => el("option", { value: entry.id }));
    const least = strengths.length ? el("select", { autocomplete: "off", "aria-label": `${axis.label}: strength` }, el("option", { value: "" }, "any strength"), strengths) : null;
    const isReady = survey.facets.includes(axis.id) || survey.maps.some((map) => map.rows === axis.id || map.columns === axis.id);
    const node = group(axis.label, isReady, least ? el("p", null, least) : "", list(axis.label, boxes));
    return {
      node,
      show(view, leaving) {
        const { terms, strength } = asked(view);
        const left = leaving(name);
        const counts = byTerm(left, strength);
        boxes.forEach((box, i) => box.show(counts[i], terms.includes(axis.terms[i].id)));
        if (!least) return;
        const strong = byStrength(left, terms);
        strengths.forEach((option, i) => {
          option.textContent = `${axis.strengths[i].label}${i + 1 < strengths.length ? " or stronger" : ""} (${strong[i]})`;
        });
        least.value = strength;
      },
      listen(change) {
        const chosen = () => axis.terms.filter((_, i) => boxes[i].input.checked).map((term) => term.id);
        const tell = () => change({ [name]: written(chosen(), least ? least.value : "") });
        boxes.forEach((box) => box.input.addEventListener("change", tell));
        if (least) least.addEventListener("change", tell);
      },
    };
  }

  function ofYears() {
    const years = awesome.index.years.slice().sort((a, b) => a - b);
    const from = el("select", { autocomplete: "off" });
    const to = el("select", { autocomplete: "off" });
    const node = group("Year", true, el("p", { class: "range" }, el("label", null, "From ", from), el("label", null, "To ", to)));
    function fill(select, chosen, counts, fits) {
      select.replaceChildren(el("option", { value: "" }, "any"), ...years.map((year) => {
        const n = years.reduce((sum, other) => sum + (fits(other, year) ? counts.get(other) || 0 : 0), 0);
        return el("option", { value: year, disabled: n === 0 && String(year) !== chosen }, `${year} (${n})`);
      }));
      select.value = chosen || "";
    }
    return {
      node,
      show(view, leaving) {
        const counts = tally(leaving("years"), (paper) => [paper.year]);
        const upTo = Number(view.to) || Infinity;
        const since = Number(view.from) || -Infinity;
        fill(from, view.from, counts, (year, first) => year >= first && year <= upTo);
        fill(to, view.to, counts, (year, last) => year <= last && year >= since);
      },
      listen(change) {
        from.addEventListener("change", () => change({ from: from.value }));
        to.addEventListener("change", () => change({ to: to.value }));
      },
    };
  }

  function tally(papers, values) {
    const counts = new Map();
    for (const paper of papers) for (const value of values(paper)) counts.set(value, (counts.get(value) || 0) + 1);
    return counts;
  }

  /* A facet of which one value is chosen; `values(paper)` are those of a paper, and `all()` the choices in order. */
  function single(name, label, open, options) {
    const { all, values, say } = options;
    const holder = el("ul", { "aria-label": label });
    const search = options.search ? el("input", { type: "text", "aria-label": `Find in ${label.toLowerCase()}`, placeholder: "Find", autocomplete: "off", spellcheck: "false" }) : null;
    const node = group(label, open, search || "", holder);
    function show(view, leaving) {
      if (!awesome.data.has(options.needs || [])) return;
      const counts = tally(leaving(name), values);
      const wanted = search ? awesome.folding.fold(search.value.trim()) : "";
      const found = all(counts).filter((value) => value === view[name] || (counts.get(value) && awesome.folding.fold(say(value)).includes(wanted)));
      const few = found.slice(0, options.most || found.length);
      const boxes = few.map((value) => {
        const box = choice(say(value), null);
        box.show(counts.get(value) || 0, value === view[name]);
        box.input.dataset.value = value;
        return box.node;
      });
      const focused = holder.contains(document.activeElement) ? document.activeElement.dataset.value : null;
      holder.replaceChildren(...boxes, ...(few.length < found.length ? [el("li", { class: "meta" }, `and ${found.length - few.length} more`)] : []));
      const again = focused && Array.from(holder.querySelectorAll("input")).find((input) => input.dataset.value === focused);
      if (again) again.focus();
    }
    return {
      node,
      show,
      listen(change) {
        holder.addEventListener("change", (event) => change({ [name]: event.target.checked ? event.target.dataset.value : "" }));
        if (search) search.addEventListener("input", () => show(...shown));
        node.addEventListener("toggle", () => {
          if (node.open) awesome.data.need(options.needs || []).then(() => show(...shown));
        });
      },
    };
  }
  function byCount(counts) {
    return Array.from(counts.keys()).sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
  }
  /* On a small screen all are closed at first, so that their names fit it. */
  function group(label, open, ...content) {
    return el("details", { class: "facet", open: open && window.matchMedia("(min-width: 68rem)").matches }, el("summary", null, label), ...content);
  }
  function list(label, boxes) {
    return el("ul", { "aria-label": label }, boxes.map((box) => box.node));
  }
  function choice(label, kind) {
    const input = el("input", { type: "checkbox", autocomplete: "off" });
    const n = el("span", { class: "n" });
    return {
      input,
      node: el("li", { class: kind }, el("label", null, input, " ", el("span", null, label), " ", n)),
      show(count, checked) {
        n.textContent = String(count);
        input.checked = checked;
        input.disabled = count === 0 && !checked;
      },
    };
  }

  /* Make the facets in a node; `change(set)` gets what a reader set, `{NAME: VALUE}`. */
  function start(node, change) {
    groups.push(...awesome.filters.axes.map(ofAxis));
    if (awesome.index.years.length) groups.push(ofYears());
    if (survey.grades.length) {
      groups.push(single("contested", "Contested", true, {
        all: () => CONTESTS, values: contests, say: contestLabel }));
    }
    if (awesome.index.venues.length) {
      groups.push(single("venue", "Venue", false, {
        all: byCount, values: (paper) => (paper.venue ? [paper.venue] : []), say: String, search: true, most: 40 }));
    }
    groups.push(single("author", "Author", false, {
      all: byCount, values: (paper) => Array.from(new Set(awesome.data.named(paper).authors)).filter((name) => name !== "others"), say: String,
      search: true, most: AUTHORS, needs: ["names"] }));
    groups.forEach((entry) => entry.listen(change));
    if (awesome.index.codings.some((coding) => coding.part)) {
      node.append(el("p", { class: "hint" }, "Numbers here count main codings and parts; the map counts main codings only."));
    }
    for (const entry of groups) {
      entry.node.addEventListener("toggle", () => { if (entry.node.open) entry.show(...shown); });
      node.append(entry.node);
    }
  }
  /* Show the view; `leaving(name)` gives the papers that all parts but one leave. A closed facet is counted when it is opened. */
  function show(view, leaving) {
    shown = [view, leaving];
    for (const entry of groups) if (entry.node.open) entry.show(view, leaving);
  }

  awesome.facets = { start, show };
})((window.awesome = window.awesome || {}));
