/* The words of a search box: tests of records by the index of their words (awesome_cli/publish/site/index.py) and by the
   labels of their codings, and the same condition for the command line. Words match as in fold.js. */
(function (awesome) {
  "use strict";
  const { el, termLabel } = awesome.view;
  const { PART, fits, length, needles, spellings, variants } = awesome.folding;
  /* A comparison without its value, and a connective, which only queries contain. */
  const COMPARISON = /(?:^|[\s(])[\p{L}_][\p{L}\p{N}_]*(?:!=|[<>]=?|[=~])/gu;
  const CONNECTIVE = /(?:^|\s)(?:AND|OR|NOT)\s/u;

  function slips(word) {
    if (!/^\p{L}+$/u.test(word)) return 0;
    return length(word) >= 9 ? 2 : length(word) >= 5 ? 1 : 0;
  }
  /* A bit for each letter: words that differ by few edits differ in few bits, which is faster to compare. */
  function letterBits(word) {
    let bits = 0;
    for (const letter of word) bits |= 1 << (letter.codePointAt(0) % 31);
    return bits;
  }
  /* True for more bits than an edit distance of 1 or 2 changes. */
  function isBeyond(bits, most) {
    const rest = bits & (bits - 1);
    return (most > 1 ? rest & (rest - 1) : rest) !== 0;
  }
  function isNear(letters, other, most) {
    if (letters.length - other.length > most) return false;
    const signs = Array.from(other);
    if (signs.length - letters.length > most) return false;
    let row = [0, ...signs.map((_, i) => i + 1)];
    for (let i = 0; i < letters.length; i += 1) {
      const next = [i + 1];
      let least = i + 1;
      for (let j = 0; j < signs.length; j += 1) {
        next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (letters[i] === signs[j] ? 0 : 1)));
        if (next[j + 1] < least) least = next[j + 1];
      }
      if (least > most) return false;
      row = next;
    }
    return row[signs.length] <= most;
  }

  const indexes = new Map();
  function indexOf(kind) {
    if (!indexes.has(kind)) {
      const { size, words, places, read } = awesome.vocabulary[kind];
      const list = words ? words.split(" ") : [];
      indexes.set(kind, { size, list, places, read, bits: list.map(letterBits), at: new Map(list.map((word, i) => [word, i])), hits: new Map() });
    }
    return indexes.get(kind);
  }
  /* One byte for each index of a record, 1 where its text has the word. */
  function search({ size, list, bits, places, at }, needle) {
    const hits = new Uint8Array(size);
    const mark = (all, i) => {
      let place = 0;
      awesome.data.each(places[i], (step) => { place += step; all[place] = 1; });
    };
    const whole = (word) => {
      const all = new Uint8Array(size);
      if (at.has(word)) mark(all, at.get(word));
      return all;
    };
    const [fit, most, signs] = [fits(needle), slips(needle), Array.from(needle)];
    const letterSet = letterBits(needle);
    const near = (word, i) => !isBeyond(letterSet & ~bits[i], most) && !isBeyond(bits[i] & ~letterSet, most) && isNear(signs, word, most);
    list.forEach((word, i) => { if (fit(word) || (most && near(word, i))) mark(hits, i); });
    const letters = Array.from(variants(needle)[0]);
    for (let i = PART; i <= letters.length - PART; i += 1) {
      const [first, last] = [letters.slice(0, i).join(""), letters.slice(i).join("")];
      const [a, b, c] = at.has(first) ? [first, last, `${last}s`].map(whole) : [[], [], []];
      a.forEach((is, n) => { if (is && (b[n] || c[n])) hits[n] = 1; });
    }
    return hits;
  }
  function hitsOf(index, needle) {
    if (!index.hits.has(needle)) index.hits.set(needle, search(index, needle));
    return index.hits.get(needle);
  }

  /* The fields with labels that have the words of a spelling: `{query, test}` of each. */
  function labelled(kind, wanted) {
    const tests = wanted.map((words) => words.map((word) => fits(word)));
    const names = (label) => {
      const words = spellings(label).flat();
      return tests.some((all) => all.every((fit) => words.some(fit)));
    };
    const condition = (name, ids, test) => (ids.length ? [{ query: `${name}=${ids.join(",")}`, test }] : []);
    if (kind === "exclusions") {
      return ["stage", "reason"].flatMap((name) => {
        const ids = awesome.survey[`${name}s`].filter((entry) => names(entry.label)).map((entry) => entry.id);
        return condition(name, ids, (record) => ids.includes(record[name]));
      });
    }
    return awesome.survey.axes.flatMap((axis) => {
      const ids = axis.terms.filter((term) => names(termLabel(axis, term.id))).map((term) => term.id);
      const family = new Set(ids.flatMap((id) => Array.from(awesome.gaps.family(axis, id))));
      return condition(axis.id, ids, (record) => (record.tags[axis.id] || []).some((tag) => family.has(tag.term)));
    });
  }

  function condition(word, kind, reading) {
    const wanted = spellings(word);
    const labels = labelled(kind, wanted);
    const query = [`text~${quoted(word)}`, ...labels.map((label) => label.query)].join(" OR ");
    let places = null;
    const test = (record) => {
      const index = indexOf(kind);
      if (!places) {
        const pairs = awesome.data.numbers(index.read[reading] || "");
        places = new Map(pairs.flatMap((n, i) => (i % 2 ? [] : [[n, pairs[i + 1]]])));
      }
      const place = places.has(record.n) ? places.get(record.n) : record.n;
      return wanted.some((words) => words.every((needle) => hitsOf(index, needle)[place])) || labels.some((label) => label.test(record));
    };
    return { test, query: labels.length ? `(${query})` : query };
  }
  /* The words of a text as parts of a view: `{name, label, test, query, needs, without}` of each. Of comparisons, as in
     queries, they are the values. */
  function parts(text, kind, reading = "") {
    const all = (text || "").replace(COMPARISON, " ").split(/\s+/u).filter((word) => needles(word).length);
    return all.map((word, i) => ({ name: "q", label: word, ...condition(word, kind, reading), needs: [`words-${kind}`],
      without: { q: all.filter((_, j) => j !== i).join(" ") } }));
  }

  /* A value of a query; NA alone means that a record has none. */
  function quoted(value) {
    const text = value === "NA" ? "na" : value;
    return /^[\p{L}\p{N}_-]+$/u.test(text) ? text : `"${text.replace(/["\\]/gu, "\\$&")}"`;
  }
  /* A command with the conditions of a view; empty where a condition is none of the command line. */
  function command(start, conditions) {
    if (conditions.includes(undefined)) return "";
    const query = conditions.filter((condition) => condition).join(" ");
    return start + (query ? ` --where '${query.replaceAll("'", "'\\''")}'` : "");
  }
  /* A message on a text that looks like a query; empty for words. With `=`, a query compares whole texts, so texts get `~`. */
  function remark(text, start) {
    if (!text || (text.search(COMPARISON) < 0 && !CONNECTIVE.test(text))) return [];
    const query = text.trim().replace(COMPARISON, (name) => (awesome.survey.texts.includes(name.slice(0, -1).trim()) ? name.replace(/=$/u, "~") : name));
    return ["The box searches for words. To run a query, use the command line: ", el("code", { id: "typed" }, command(start, [query])), " ",
      el("button", { type: "button", class: "link", "data-copy": "typed" }, "Copy")];
  }

  awesome.words = { command, parts, quoted, remark };
})((window.awesome = window.awesome || {}));
