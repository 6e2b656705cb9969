/* Search in the texts of the papers by the words that stand in them (awesome_cli/publish/site/index.py), and in the labels
   of their codings. */
(function (awesome) {
  "use strict";
  const { distance, haystack, length, needles, slips } = awesome.criteria;
  const { termLabel } = awesome.view;
  const known = new Map();
  let list = null;

  function like(word, other) {
    return slips(word) > 0 && distance(word, other, slips(word)) <= slips(word);
  }
  /* One byte for each paper, 1 where a word stands that fits. */
  function papersWith(fits) {
    const { words, papers } = awesome.vocabulary;
    list = list || (words ? words.split(" ") : []);
    const hits = new Uint8Array(awesome.papers.length);
    list.forEach((word, at) => {
      if (!fits(word)) return;
      let place = 0;
      awesome.data.each(papers[at], (step) => {
        place += step;
        hits[place] = 1;
      });
    });
    return hits;
  }
  function kept(name, make) {
    if (!known.has(name)) known.set(name, make());
    return known.get(name);
  }

  /* Matches of `text~`: papers that have each word of the pattern within some word of theirs, or one that differs by a slip. */
  function matching(pattern) {
    return needles(pattern)
      .map((needle) => kept(`~${needle}`, () => papersWith((word) => word.includes(needle) || like(needle, word))))
      .reduce((all, hits) => all.map((hit, i) => hit & hits[i]), new Uint8Array(awesome.papers.length).fill(1));
  }

  /* Short words of a plain search begin a word of the text, longer ones stand anywhere in it. */
  function fits(needle, word) {
    return length(needle) < 4 ? word.startsWith(needle) : word.includes(needle);
  }
  function inTexts(needle) {
    return kept(needle, () => {
      const exact = papersWith((word) => fits(needle, word));
      return exact.includes(1) ? exact : papersWith((word) => like(needle, word));
    });
  }
  /* The axes on which terms are so called, with these terms and those below them. */
  function inLabels(needle) {
    return kept(`:${needle}`, () => awesome.survey.axes.map((axis) => {
      const named = axis.terms.filter((term) => needles(termLabel(axis, term.id)).some((word) => fits(needle, word)));
      return [axis.id, new Set(named.flatMap((term) => Array.from(awesome.gaps.family(axis, term.id))))];
    }).filter(([, terms]) => terms.size > 0));
  }
  function isCoded(record, labels) {
    return labels.some(([axis, terms]) => (record.tags[axis] || []).some((tag) => terms.has(tag.term)));
  }
  const texts = new WeakMap();
  function wordsOf(record) {
    if (!texts.has(record)) texts.set(record, haystack(awesome.criteria.READ.text(record)).words());
    return texts.get(record);
  }

  /* The test of a plain search for what stands between two blanks. */
  function plain(text) {
    const wanted = needles(text);
    return (record) => wanted.every((needle) => (record.n === undefined
      ? wordsOf(record).some((word) => fits(needle, word))
      : inTexts(needle)[record.n] === 1 || isCoded(record, inLabels(needle))));
  }

  awesome.words = { matching, plain };
})((window.awesome = window.awesome || {}));
