/* The filters of a view, as its address names them: tests of papers, and the same conditions for the command line. */
(function (awesome) {
  "use strict";
  const { labelOf } = awesome.view;
  const { casefold } = awesome.folding;
  const { quoted } = awesome.words;
  const { survey } = awesome;

  /* An axis as a filter: `is.AXIS` has values TERM or TERM:STRENGTH with commas between them; `*` is any term. */
  function ofAxis(axis) {
    const name = `is.${axis.id}`;
    const families = axis.terms.map((term) => awesome.gaps.family(axis, term.id));
    const facts = new Map();

    function rank(strength) {
      return strength ? awesome.gaps.rank(axis, strength) : -1;
    }
    /* The places of a coding's term and of those above it, and the rank of its strength; papers share codings. */
    function fact(tag) {
      if (!facts.has(tag)) facts.set(tag, { above: axis.terms.flatMap((_, i) => (families[i].has(tag.term) ? [i] : [])), rank: rank(tag.strength) });
      return facts.get(tag);
    }
    /* The known terms and the strength of a view, and the names in it that are unknown. */
    function asked(view) {
      const values = (view[name] || "").split(",").filter((value) => value).map((value) => value.split(":"));
      const has = (entries, id) => entries.some((entry) => entry.id === id);
      const isTerm = ([term]) => term === "*" || has(axis.terms, term);
      const isStrength = ([, strength]) => strength && (has(axis.strengths, strength) || Boolean(axis.retired[strength]));
      const known = values.filter(isTerm);
      const first = known.find(isStrength);
      const odd = values.flatMap((value) => (!isTerm(value) ? [value[0]] : value[1] && !isStrength(value) ? [value[1]] : []));
      return { terms: known.map(([term]) => term).filter((term) => term !== "*"), strength: first ? first[1] : "", odd };
    }
    function written(terms, strength) {
      const named = terms.length || !strength ? terms : ["*"];
      return named.map((term) => (strength ? `${term}:${strength}` : term)).join(",");
    }
    function isIn({ terms, strength }) {
      const places = axis.terms.flatMap((term, i) => (terms.includes(term.id) ? [i] : []));
      const least = rank(strength);
      const fits = ({ above, rank: own }) => own >= least && (!places.length || places.some((at) => above.includes(at)));
      const fitting = new Map();
      return (paper) => (paper.tags[axis.id] || []).some((tag) => {
        if (!fitting.has(tag)) fitting.set(tag, fits(fact(tag)));
        return fitting.get(tag);
      });
    }
    function parts(view) {
      const { terms, strength } = asked(view);
      if (!terms.length && !strength) return [];
      const label = [terms.map((term) => labelOf(axis.terms, term)).join(" or "), strength ? `${labelOf(axis.strengths, strength)} or stronger` : ""].filter((text) => text).join(", ");
      return [part(name, `${axis.label}: ${label}`, isIn({ terms, strength }), `${axis.id}=${written(terms, strength)}`)];
    }
    return { axis, name, asked, fact, parts, rank, written };
  }
  function part(name, label, test, query, without = { [name]: "" }, needs = []) {
    return { name, label, test, query, without, needs };
  }

  function ofYears(view) {
    const [from, to] = [view.from, view.to].map((year) => (/^\d+$/u.test(year || "") ? year : ""));
    if (!from && !to) return [];
    const label = from === to ? from : [from ? `from ${from}` : "", to ? `to ${to}` : ""].filter((text) => text).join(" ");
    const query = [from ? `year>=${from}` : "", to ? `year<=${to}` : ""].filter((text) => text).join(" ");
    return [part("years", label, (paper) => paper.year >= (Number(from) || -Infinity) && paper.year <= (Number(to) || Infinity), query, { from: "", to: "" })];
  }
  /* The contests of a paper: `no`, or `yes` and each grade up to its highest. */
  const contested = new WeakMap();
  function contests(paper) {
    if (!contested.has(paper.tags)) contested.set(paper.tags, gradesOf(paper));
    return contested.get(paper.tags);
  }
  function gradesOf(paper) {
    const grades = Object.values(paper.tags).flatMap((tags) => tags.flatMap((tag) => (tag.grade ? [tag.grade] : [])));
    if (!grades.length) return ["no"];
    const top = Math.max(...grades.map((grade) => survey.grades.findIndex((entry) => entry.id === grade)));
    return ["yes", ...survey.grades.slice(0, top + 1).map((entry) => entry.id)];
  }
  function contestLabel(value) {
    if (value === "yes") return "Contested";
    return value === "no" ? "Not contested" : `${labelOf(survey.grades, value)} or more`;
  }
  const CONTESTS = ["yes", ...survey.grades.slice(1).map((grade) => grade.id), "no"];
  function isContest(value) {
    return ["yes", "no", ...survey.grades.map((grade) => grade.id)].includes(value);
  }
  /* True if a text is among the values, whatever its case. */
  function named(value) {
    const folded = casefold(value);
    return (values) => values.some((other) => casefold(other) === folded);
  }
  function ofTexts(view) {
    const found = [];
    const { contested: contest, venue, author } = view;
    if (isContest(contest)) found.push(part("contested", contestLabel(contest), (paper) => contests(paper).includes(contest), `contested=${contest}`));
    if (venue) found.push(part("venue", `Venue: ${venue}`, (paper) => paper.venue !== undefined && named(venue)([paper.venue]), `venue=${quoted(venue)}`));
    if (author) found.push(part("author", `Author: ${author}`, (paper) => named(author)(paper.authors), `author=${quoted(author)}`, undefined, ["names"]));
    return found;
  }

  const axes = survey.axes.map(ofAxis);
  /* The filters of a view as parts `{name, label, test, query, without, needs}`; `without` is the view that drops the part. */
  function parts(view) {
    return [...axes.flatMap((entry) => entry.parts(view)), ...ofYears(view), ...ofTexts(view)];
  }
  /* A message for each unknown axis or term in a link; unknown names filter nothing. */
  function ignored(view) {
    return Object.keys(view).filter((name) => name.startsWith("is.")).flatMap((name) => {
      const known = axes.find((entry) => entry.name === name);
      if (!known) return [`Ignored an unknown axis in this link: “${name.slice(3)}”.`];
      return known.asked(view).odd.map((id) => `Ignored an unknown term of the axis ${known.axis.label} in this link: “${id}”.`);
    });
  }

  awesome.filters = { axes, CONTESTS, contestLabel, contests, ignored, parts };
})((window.awesome = window.awesome || {}));
