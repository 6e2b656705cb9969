/* Cells of the gap map over any selection of papers, as awesome_cli/analysis/gaps computes them; the states come with
   the survey's data. */
(function (awesome) {
  "use strict";

  function axisOf(id) {
    return awesome.survey.axes.find((axis) => axis.id === id);
  }

  /* A term and every term below it. */
  function family(axis, id) {
    const found = new Set([id]);
    for (let size = 0; size !== found.size; ) {
      size = found.size;
      for (const term of axis.terms) if (found.has(term.parent)) found.add(term.id);
    }
    return found;
  }
  function leaves(axis) {
    const parents = new Set(axis.terms.map((term) => term.parent));
    return axis.terms.filter((term) => !parents.has(term.id));
  }
  /* The terms in order, each parent before its children and they before what follows it. */
  function tree(axis) {
    const known = new Set(axis.terms.map((term) => term.id));
    const found = new Set();
    const add = (term) => {
      if (found.has(term)) return;
      found.add(term);
      axis.terms.filter((child) => child.parent === term.id).forEach(add);
    };
    axis.terms.filter((term) => !known.has(term.parent)).forEach(add);
    axis.terms.forEach(add);
    return Array.from(found);
  }

  /* True if a tag of this strength covers its term; `least` replaces the axis' own threshold. */
  function countsAt(axis, strength, least) {
    const limit = least || axis.gap_strength;
    if (!limit) return true;
    return rank(axis, strength) >= rank(axis, limit);
  }
  /* A strength's place, 0 the weakest; a retired one has that of its successor. */
  function rank(axis, strength) {
    return axis.strengths.findIndex((entry) => entry.id === (axis.retired[strength] || strength));
  }

  const states = new Map(awesome.survey.states.map((state) => [state.value, state]));
  /* The papers in a set that the command line selects in a reading (awesome_cli/publish/site/data.py); all without a set. */
  function members(name, papers, reading) {
    const { sets } = awesome.survey.waiting;
    const packed = (sets[reading] || sets[""])[name];
    if (packed === undefined) return new Set(papers);
    let place = 0;
    const places = new Set(awesome.data.numbers(packed).map((step) => (place += step)));
    return new Set(papers.filter((paper) => places.has(paper.n)));
  }
  /* The largest number of papers in a sparse cell, for a selection of papers. */
  function fewLimit(papers, reading) {
    const { few } = awesome.survey;
    return few.share === undefined ? few.at_most : Math.floor(few.share * members("few", papers, reading).size + 1e-9);
  }
  /* The most papers of a cell in a state are a multiple of these few; the state without a bound comes last.
     Unknown if papers that are not coded yet could give it another state. */
  function stateOf(limit, n, uncoded) {
    const byNumber = awesome.survey.states.filter((state) => state.times !== undefined);
    const [least, most] = [n, n + uncoded].map((m) => byNumber.find((state) => state.times === null || m <= state.times * limit));
    return least === most ? least.value : awesome.survey.undetermined;
  }
  /* The most strongly contested first: those are the ones a reader would weigh. */
  function byContest(entries) {
    const ranks = awesome.survey.grades.map((grade) => grade.id);
    const rank = (entry) => Math.max(...entry.tags.map((tag) => ranks.indexOf(tag.grade)));
    return entries.sort((a, b) => rank(b) - rank(a));
  }

  /* A function that gives the cells in which tags count, as `ROW COLUMN`, including those of parent terms. */
  function counting([[rows, least], other], decides, impossible) {
    const families = rows.terms.map((term) => [term.id, family(rows, term.id)]);
    const above = new Map(rows.terms.map(({ id }) => [id, families.filter(([, ids]) => ids.has(id)).map(([row]) => row)]));
    const main = (tags, axis) => (tags[axis.id] || []).filter((tag) => !tag.part);
    const across = (tags, tag) => {
      const counts = countsAt(rows, tag.strength, least);
      if (!other) return [tag.strength, awesome.survey.any, ...(counts ? [decides] : [])];
      return main(tags, other[0]).filter((second) => counts && countsAt(other[0], second.strength, other[1]))
        .map((second) => second.term).filter((column) => !impossible.has(`${tag.term} ${column}`));
    };
    return (tags) => new Set(main(tags, rows).flatMap((tag) =>
      across(tags, tag).flatMap((column) => (above.get(tag.term) || []).map((row) => `${row} ${column}`))));
  }
  /* The papers of the objections that, if right, would each add them to or remove them from a cell; by cell. */
  function objections(papers, axes, places) {
    const found = new Map();
    for (const paper of papers) {
      const objected = axes.flatMap(([axis]) => (paper.tags || {})[axis.id] || []).filter((tag) => tag.reads);
      const before = objected.length && places(paper.tags);
      for (const chosen of objected) {
        const after = places(awesome.readings.reread(paper, (tag) => tag === chosen).tags);
        for (const place of [...before, ...after]) {
          if (before.has(place) !== after.has(place)) found.set(place, [...(found.get(place) || []), paper.key]);
        }
      }
    }
    return found;
  }

  /* Entries `{paper, tags, covers}` become a cell; a paper that covers once covers. `moved` are keys as in `objections`. */
  function cell(limit, found, decides, silence, moved = []) {
    const papers = new Map();
    for (const entry of found.filter((one) => !one.part)) {
      const known = papers.get(entry.paper.key) || { paper: entry.paper, tags: [], covers: false };
      known.tags.push(...entry.tags);
      known.covers = known.covers || entry.covers;
      papers.set(entry.paper.key, known);
    }
    const all = Array.from(papers.values());
    const counted = all.filter((entry) => entry.covers);
    const parts = new Map();
    for (const entry of found.filter((one) => one.part && !papers.has(one.paper.key))) {
      const known = parts.get(entry.paper.key) || { paper: entry.paper, tags: [] };
      known.tags.push(...entry.tags);
      parts.set(entry.paper.key, known);
    }
    const contested = (entries) => entries.filter((entry) => moved.includes(entry.paper.key)).length;
    return {
      n: counted.length,
      weaker: all.length - counted.length,
      contested: contested(all),
      doubted: contested(counted),
      objections: moved.length,
      state: decides ? stateOf(limit, counted.length, silence.total ? silence.uncoded : Infinity) : null,
      ...silence,
      parts: Array.from(parts.values()),
      counted,
      rest: byContest(all.filter((entry) => !entry.covers)),
    };
  }

  function isNear(miss, axis, ids) {
    return miss.axis === axis.id && ids.has(miss.term);
  }
  let missed = null;
  function nearOf(wanted) {
    if (!missed) {
      missed = new Map();
      for (const miss of awesome.survey.near) missed.set(miss.key, [...(missed.get(miss.key) || []), miss]);
    }
    return Array.from(missed.values())
      .filter((misses) => wanted.every(([axis, ids]) => misses.some((miss) => isNear(miss, axis, ids))))
      .map((misses) => misses.filter((miss) => wanted.some(([axis, ids]) => isNear(miss, axis, ids))))
      .flat();
  }

  /* The candidates that would count with these terms: `wanted` has an axis, its terms and the least strength of each. */
  function candidatesOf(wanted) {
    const { codings, works } = awesome.survey.waiting;
    const fits = wanted.map(([axis, ids, least]) =>
      codings.map(([of, term, strength]) => of === axis.id && ids.has(term) && countsAt(axis, strength, least)));
    return works.filter(([, , tags]) => fits.every((fitting) => tags.some((tag) => fitting[tag])))
      .map(([key, title]) => ({ key, title }));
  }
  /* Near-misses, contested codings and candidates that could fill a cell with these terms. */
  function around(wanted) {
    return { near: nearOf(wanted), candidates: candidatesOf(wanted) };
  }

  function byStrength(papers, axis, least, reading) {
    const any = awesome.survey.any;
    const decides = least || axis.gap_strength || any;
    const limit = fewLimit(papers, reading);
    const silence = {
      coded: members(`coded ${axis.id}`, papers, reading).size,
      uncoded: members(`uncoded ${axis.id}`, papers, reading).size,
      listed: axis.listed,
    };
    silence.total = silence.coded + silence.uncoded;
    const axes = [[axis, least]];
    const places = counting(axes, decides);
    const moved = objections(papers, axes, places);
    const columns = axis.strengths.slice().reverse();
    columns.push({ id: any, label: axis.strengths.length ? "any strength" : "papers" });
    const cells = new Map();
    for (const term of tree(axis)) {
      const ids = family(axis, term.id);
      const own = papers.flatMap((paper) => {
        const tags = ((paper.tags || {})[axis.id] || []).filter((tag) => ids.has(tag.term));
        return tags.length ? [{ paper, tags }] : [];
      });
      const row = new Map();
      const close = () => around([[axis, ids, least]]);
      for (const column of columns) {
        const decisive = column.id === decides;
        const entries = decisive
          ? own.flatMap(({ paper, tags }) =>
              tags.map((tag) => ({ paper, tags: [tag], covers: countsAt(axis, tag.strength, least), part: tag.part })))
          : own.flatMap(({ paper, tags }) => {
              const fitting = tags.filter((tag) => column.id === any || tag.strength === column.id);
              return fitting.map((tag) => ({ paper, tags: [tag], covers: true, part: tag.part }));
            });
        row.set(column.id, { ...cell(limit, entries, decisive, silence, moved.get(`${term.id} ${column.id}`)), around: close });
      }
      cells.set(term.id, row);
    }
    return { rows: tree(axis), columns, decides, cells, places };
  }

  function byPair(papers, rows, columns, least, reading) {
    const declared = awesome.survey.maps.find((pair) => pair.rows === rows.id && pair.columns === columns.id);
    const impossible = new Set(((declared && declared.impossible) || []).map((pair) => pair.join(" ")));
    // What is counted from is a strength of the axis that has strengths, the rows' if both have.
    const [leastRow, leastColumn] = rows.strengths.length ? [least, null] : [null, least];
    const axes = [[rows, leastRow], [columns, leastColumn]];
    const places = counting(axes, null, impossible);
    const moved = objections(papers, axes, places);
    const found = new Map();
    for (const paper of papers) {
      for (const tag of paper.tags[rows.id] || []) {
        for (const other of paper.tags[columns.id] || []) {
          const name = `${tag.term} ${other.term}`;
          if (impossible.has(name)) continue;
          const covers = countsAt(rows, tag.strength, leastRow) && countsAt(columns, other.strength, leastColumn);
          if (!found.has(name)) found.set(name, []);
          const part = tag.part || other.part;
          found.get(name).push({ paper, tags: rows === columns ? [tag] : [tag, other], covers, part });
        }
      }
    }
    const [waiting, known] = ["uncoded", "coded"].map((set) => [rows, columns].map((axis) => members(`${set} ${axis.id}`, papers, reading)));
    const both = papers.filter((paper) => known.every((some, i) => some.has(paper) || waiting[i].has(paper))).length;
    const coded = papers.filter((paper) => known.every((some) => some.has(paper))).length;
    const listed = rows.listed || columns.listed;
    const fits = (paper, axis, ids, open) => open.has(paper) || (paper.tags[axis.id] || []).some((tag) => !tag.part && ids.has(tag.term));
    const open = papers.filter((paper) => waiting.some((some) => some.has(paper)));
    const limit = fewLimit(papers, reading);
    const ends = new Set(leaves(rows).map((term) => term.id));
    const cells = new Map();
    for (const row of tree(rows)) {
      const ids = family(rows, row.id);
      const line = new Map();
      for (const column of leaves(columns)) {
        const names = Array.from(ids, (id) => `${id} ${column.id}`);
        const uncoded = open.filter((paper) =>
          fits(paper, rows, ids, waiting[0]) && fits(paper, columns, family(columns, column.id), waiting[1])).length;
        const made = cell(limit, names.flatMap((name) => found.get(name) || []), true, { coded, uncoded, listed, total: both },
          moved.get(`${row.id} ${column.id}`));
        if (Array.from(ids).every((id) => !ends.has(id) || impossible.has(`${id} ${column.id}`))) made.state = awesome.survey.impossible;
        const wanted = [[rows, ids, leastRow], [columns, family(columns, column.id), leastColumn]];
        line.set(column.id, { ...made, around: () => around(wanted) });
      }
      cells.set(row.id, line);
    }
    return { rows: tree(rows), columns: leaves(columns), decides: null, cells, places };
  }

  /* The matrix of an axis by strength (no columns) or of two axes; `reading` is the name of the papers' reading. */
  function matrix(papers, rows, columns, least, reading = "") {
    const axis = axisOf(rows);
    return columns ? byPair(papers, axis, axisOf(columns), least, reading) : byStrength(papers, axis, least, reading);
  }

  awesome.gaps = { axisOf, family, leaves, matrix, rank, states };
})((window.awesome = window.awesome || {}));
