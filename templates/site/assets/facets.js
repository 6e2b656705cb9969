/* Facets: what narrows the papers beside the box, each choice with the number of papers that it would leave. */
(function (awesome) {
  "use strict";
  const { el, labelOf, termLabel } = awesome.view;
  const { survey } = awesome;
  const AUTHORS = 12;
  const groups = [];

  /* The parts of the view that facets set, as `{name, label, test, without}`; `without` is the view that drops the part. */
  function parts(view) {
    return groups.flatMap((group) => group.parts(view));
  }
  function part(name, label, test, without, needs) {
    return { name, label, test, without, needs: new Set(needs || []) };
  }

  function ranks(axis, strength) {
    return strength ? awesome.gaps.rank(axis, strength) : -1;
  }
  /* The values of `is.AXIS`, `TERM` or `TERM:STRENGTH` with commas between them; `*` is any term. */
  function asked(view, axis) {
    const values = (view[`is.${axis.id}`] || "").split(",").filter((value) => value).map((value) => value.split(":"));
    const known = values.filter(([term]) => term === "*" || axis.terms.some((entry) => entry.id === term));
    return { terms: known.map(([term]) => term).filter((term) => term !== "*"), strength: known.length ? known[0][1] || "" : "" };
  }
  function written(axis, terms, strength) {
    const named = terms.length || !strength ? terms : ["*"];
    return named.map((term) => (strength ? `${term}:${strength}` : term)).join(",");
  }

  function ofAxis(axis) {
    const name = `is.${axis.id}`;
    const place = new Map(axis.terms.map((term, i) => [term.id, i]));
    const above = axis.terms.map((term, i) => axis.terms.flatMap((other, j) => (j === i || awesome.gaps.family(axis, other.id).has(term.id) ? [j] : [])));
    const seen = new Int32Array(axis.terms.length);
    let stamp = 0;

    function isIn(view) {
      const { terms, strength } = asked(view, axis);
      const family = new Set(terms.flatMap((term) => Array.from(awesome.gaps.family(axis, term))));
      const least = ranks(axis, strength);
      return (paper) => (paper.tags[axis.id] || []).some((tag) => (!terms.length || family.has(tag.term)) && (!strength || ranks(axis, tag.strength) >= least));
    }
    /* How many papers have each term, or one below it. */
    function counted(papers, strength) {
      const counts = new Int32Array(axis.terms.length);
      const least = ranks(axis, strength);
      for (const paper of papers) {
        stamp += 1;
        for (const tag of paper.tags[axis.id] || []) {
          if (strength && ranks(axis, tag.strength) < least) continue;
          for (const at of above[place.get(tag.term)] || []) {
            if (seen[at] !== stamp) counts[at] += 1;
            seen[at] = stamp;
          }
        }
      }
      return counts;
    }

    const boxes = axis.terms.map((term) => choice(termLabel(axis, term.id), term.parent ? "child" : null));
    const strengths = axis.strengths.map((entry) => el("option", { value: entry.id }));
    const least = strengths.length ? el("select", { autocomplete: "off", "aria-label": `${axis.label}: strength` }, el("option", { value: "" }, "any strength"), strengths) : null;
    return {
      parts(view) {
        const { terms, strength } = asked(view, axis);
        if (!terms.length && !strength) return [];
        const label = [terms.map((term) => labelOf(axis.terms, term)).join(" or "), strength ? `${labelOf(axis.strengths, strength)} or stronger` : ""].filter((text) => text).join(", ");
        return [part(name, `${axis.label}: ${label}`, isIn(view), { [name]: "" })];
      },
      node: group(axis.label, survey.maps.some((map) => map.rows === axis.id || map.columns === axis.id) || survey.facets.includes(axis.id),
        least ? el("p", null, least) : "", list(axis.label, boxes)),
      show(view, leaving) {
        const { terms, strength } = asked(view, axis);
        const left = leaving(name);
        const counts = counted(left, strength);
        boxes.forEach((box, i) => box.show(counts[i], terms.includes(axis.terms[i].id)));
        strengths.forEach((option, i) => {
          const test = isIn({ [name]: written(axis, terms, option.value) });
          option.textContent = `${axis.strengths[i].label}${i + 1 < strengths.length ? " or stronger" : ""} (${left.filter(test).length})`;
        });
        if (least) least.value = strength;
      },
      listen(change) {
        const chosen = () => axis.terms.filter((_, i) => boxes[i].input.checked).map((term) => term.id);
        const tell = () => change({ [name]: written(axis, chosen(), least ? least.value : "") });
        boxes.forEach((box) => box.input.addEventListener("change", tell));
        if (least) least.addEventListener("change", tell);
      },
    };
  }

  function ofYears() {
    const years = awesome.index.years.slice().sort((a, b) => a - b);
    const from = el("select", { autocomplete: "off" });
    const to = el("select", { autocomplete: "off" });
    const isIn = (view) => (paper) => paper.year >= (Number(view.from) || -Infinity) && paper.year <= (Number(view.to) || Infinity);
    function fill(select, chosen, left, fits) {
      select.replaceChildren(el("option", { value: "" }, "any"), ...years.map((year) => {
        const n = left.filter((paper) => fits(paper.year, year)).length;
        return el("option", { value: year, disabled: n === 0 && String(year) !== chosen }, `${year} (${n})`);
      }));
      select.value = chosen || "";
    }
    return {
      parts(view) {
        if (!view.from && !view.to) return [];
        const label = view.from === view.to ? view.from : [view.from ? `from ${view.from}` : "", view.to ? `to ${view.to}` : ""].filter((text) => text).join(" ");
        return [part("years", label, isIn(view), { from: "", to: "" })];
      },
      node: group("Year", true, el("p", { class: "range" }, el("label", null, "From ", from), el("label", null, "To ", to))),
      show(view, leaving) {
        const left = leaving("years");
        const upTo = Number(view.to) || Infinity;
        const since = Number(view.from) || -Infinity;
        fill(from, view.from, left, (year, first) => year >= first && year <= upTo);
        fill(to, view.to, left, (year, last) => year <= last && year >= since);
      },
      listen(change) {
        from.addEventListener("change", () => change({ from: from.value }));
        to.addEventListener("change", () => change({ to: to.value }));
      },
    };
  }

  /* A facet of which one value is chosen; `values(paper)` are those of a paper, and `all()` the choices in order. */
  function single(name, label, open, options) {
    const { all, values, say } = options;
    const holder = el("ul", { "aria-label": label });
    const search = options.search ? el("input", { type: "text", "aria-label": `Find in ${label.toLowerCase()}`, placeholder: "Find", autocomplete: "off", spellcheck: "false" }) : null;
    const node = group(label, open, search || "", holder);
    let shown = [{}, () => []];
    let tell = () => {};
    function show(view, leaving) {
      shown = [view, leaving];
      if (!node.open || !awesome.data.has(options.needs || [])) return;
      const counts = new Map();
      for (const paper of leaving(name)) for (const value of new Set(values(paper))) counts.set(value, (counts.get(value) || 0) + 1);
      const wanted = search ? awesome.criteria.fold(search.value.trim()) : "";
      const found = all(counts).filter((value) => value === view[name] || (counts.get(value) && awesome.criteria.fold(say(value)).includes(wanted)));
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
      parts(view) {
        if (!view[name]) return [];
        return [part(name, say(view[name]), (paper) => values(paper).includes(view[name]), { [name]: "" }, options.needs)];
      },
      node,
      show,
      listen(change) {
        tell = change;
        holder.addEventListener("change", (event) => tell({ [name]: event.target.checked ? event.target.dataset.value : "" }));
        if (search) search.addEventListener("input", () => show(...shown));
        node.addEventListener("toggle", async () => {
          if (node.open) await awesome.data.need(options.needs || []);
          show(...shown);
        });
      },
    };
  }
  function byCount(counts) {
    return Array.from(counts.keys()).sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
  }
  function contests(paper) {
    const grades = Object.values(paper.tags).flatMap((tags) => tags.flatMap((tag) => (tag.grade ? [tag.grade] : [])));
    if (!grades.length) return ["no"];
    const top = Math.max(...grades.map((grade) => survey.grades.findIndex((entry) => entry.id === grade)));
    return ["yes", ...survey.grades.slice(0, top + 1).map((entry) => entry.id)];
  }
  function saidContest(value) {
    if (value === "yes") return "Contested";
    return value === "no" ? "Not contested" : `${labelOf(survey.grades, value)} or more`;
  }

  function group(label, open, ...content) {
    return el("details", { class: "facet", open }, el("summary", null, label), ...content);
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
    groups.push(...survey.axes.map(ofAxis));
    if (awesome.index.years.length) groups.push(ofYears());
    if (survey.grades.length) {
      groups.push(single("contested", "Contested", true, {
        all: () => ["yes", ...survey.grades.slice(1).map((grade) => grade.id), "no"], values: contests, say: saidContest }));
    }
    if (awesome.index.venues.length) {
      groups.push(single("venue", "Venue", false, {
        all: byCount, values: (paper) => (paper.venue ? [paper.venue] : []), say: String, search: true, most: 40 }));
    }
    groups.push(single("author", "Author", false, {
      all: byCount, values: (paper) => (awesome.data.named(paper).authors || []).filter((name) => name !== "others"), say: String,
      search: true, most: AUTHORS, needs: ["names"] }));
    groups.forEach((entry) => entry.listen(change));
    node.append(...groups.map((entry) => entry.node));
  }
  /* Show the view; `leaving(name)` gives the papers that all parts but one leave. */
  function show(view, leaving) {
    groups.forEach((entry) => entry.show(view, leaving));
  }

  awesome.facets = { start, parts, show };
})((window.awesome = window.awesome || {}));
