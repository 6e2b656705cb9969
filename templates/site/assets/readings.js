/* Readings of contested codings, as awesome_cli/survey/readings.py computes them, and the control that chooses one. */
(function (awesome) {
  "use strict";
  const PAGES = ["map.html", "papers.html", "claims.html"];
  const SIDES = { strict: "strict: weaker or gone", generous: "generous: stronger or more" };

  function gradeOf(view) {
    const known = awesome.survey.grades.some((grade) => grade.id === view.grade);
    return known ? view.grade : awesome.survey.contested_from;
  }
  /* The reading that a view asks for; null as coded, and for a name that is unknown. */
  function asked(view) {
    return Object.hasOwn(SIDES, view.reading || "") && awesome.survey.grades.length ? { side: view.reading, grade: gradeOf(view) } : null;
  }
  /* `strict reading from grade GRADE`; empty as coded. */
  function words(view) {
    const reading = asked(view);
    return reading ? `${reading.side} reading from grade ${awesome.view.labelOf(awesome.survey.grades, reading.grade)}` : "";
  }

  /* `SIDE GRADE`, the name of a view's reading in the data; empty as coded. */
  function name(view) {
    const reading = asked(view);
    return reading ? `${reading.side} ${reading.grade}` : "";
  }
  /* The options of a view's reading on the command line, after a blank. */
  function options(view) {
    const reading = asked(view);
    return reading ? ` --reading ${reading.side} --grade ${reading.grade}` : "";
  }

  /* The challenger's codings in place of a tag; the tag itself where the challenger keeps it. */
  function asChallenged(tag) {
    return tag.reads.map((read) => (read.term === tag.term && read.strength === tag.strength ? tag : { ...read, grade: tag.grade }));
  }
  function challenged(axis, tags, chosen) {
    const found = new Map();
    const rank = (tag) => awesome.gaps.rank(axis, tag.strength);
    for (const tag of tags) {
      for (const read of chosen(tag) ? asChallenged(tag) : [tag]) {
        const old = found.get(read.term);
        // Of two codings of one term the main one stays, and of two main ones the stronger.
        const better = old && (Boolean(read.part) === Boolean(old.part) ? rank(read) > rank(old) : !read.part);
        if (!old || better) found.set(read.term, read);
      }
    }
    return Array.from(found.values());
  }
  function reread(paper, chosen) {
    const changed = Object.entries(paper.tags).filter(([, tags]) => tags.some(chosen));
    if (!changed.length) return paper;
    const tags = changed.map(([axis, own]) => [axis, challenged(awesome.gaps.axisOf(axis), own, chosen)]);
    return { ...paper, tags: { ...paper.tags, ...Object.fromEntries(tags) } };
  }
  /* The papers in the reading of a view; those that it does not change are the same objects. */
  function apply(papers, view) {
    const reading = asked(view);
    if (!reading) return papers;
    const ids = awesome.survey.grades.map((grade) => grade.id);
    const least = ids.indexOf(reading.grade);
    const chosen = (tag) => tag.side === reading.side && ids.indexOf(tag.grade) >= least;
    return papers.map((paper) => reread(paper, chosen));
  }

  /* Links to the pages that know readings carry the one of the view. */
  function carry(view) {
    const reading = asked(view);
    for (const link of document.querySelectorAll("a[href]")) {
      const [page, fragment = ""] = link.getAttribute("href").split("#");
      const named = new URLSearchParams(fragment);
      const anchor = fragment && !fragment.includes("=");
      if (anchor || !PAGES.includes(page.split("/").pop())) continue;
      named.delete("reading");
      named.delete("grade");
      if (reading) for (const [name, value] of [["reading", reading.side], ["grade", reading.grade]]) named.set(name, value);
      link.setAttribute("href", named.size ? `${page}#${named}` : page);
    }
  }

  function select(name, label, options, value) {
    const { el } = awesome.view;
    const field = el("select", { name, autocomplete: "off" }, options.map(([id, text]) => el("option", { value: id }, text)));
    field.value = value;
    return el("label", null, `${label} `, field);
  }
  /* Fill a node with the control, or show a view in it; `changed({reading, grade})` is called when a reader chooses.
     A survey without grades has no readings, and the node stays hidden. */
  function control(node, view, changed) {
    carry(view);
    node.hidden = awesome.survey.grades.length === 0;
    if (node.hidden) return;
    const reading = asked(view);
    if (!node.firstChild) {
      node.append(select("reading", "Reading", [["", "as coded"], ...Object.entries(SIDES)], ""),
        select("grade", "From grade", awesome.survey.grades.map((grade) => [grade.id, grade.label]), ""));
    }
    const [side, grade] = node.querySelectorAll("select");
    side.value = reading ? reading.side : "";
    grade.value = gradeOf(view);
    grade.parentElement.hidden = !reading;
    node.onchange = (event) => {
      event.stopPropagation();
      changed({ reading: side.value, grade: side.value && grade.value });
    };
  }

  awesome.readings = { apply, control, name, options, reread, words };
})((window.awesome = window.awesome || {}));
