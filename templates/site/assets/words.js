/* Search in the texts of the papers by the words that stand in them (awesome_cli/publish/site/words.py), and in the labels
   of their codings. */
(function (awesome) {
  "use strict";
  const { distance, fold, haystack, length, needles, slips } = awesome.criteria;
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
      for (const step of awesome.data.numbers(papers[at])) {
        place += step;
        hits[place] = 1;
      }
    });
    return hits;
  }
  function kept(name, make) {
    if (!known.has(name)) known.set(name, make());
    return known.get(name);
  }

  /* What `text~` finds: papers that have each word of the pattern within some word of theirs, or one that differs by a slip. */
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
  function inLabels(needle) {
    return kept(`:${needle}`, () => new Map(awesome.survey.axes.map((axis) => {
      const named = axis.terms.filter((term) => needles(termLabel(axis, term.id)).some((word) => fits(needle, word)));
      return [axis.id, new Set(named.flatMap((term) => Array.from(awesome.gaps.family(axis, term.id))))];
    })));
  }
  function isCoded(record, labels) {
    return Object.entries(record.tags || {}).some(([axis, tags]) => labels.get(axis).size > 0 && tags.some((tag) => labels.get(axis).has(tag.term)));
  }

  /* The test of a plain search for what stands between two blanks. */
  function plain(text) {
    const wanted = needles(text);
    const texts = new WeakMap();
    return (record) => {
      if (record.n !== undefined) return wanted.every((needle) => inTexts(needle)[record.n] === 1 || isCoded(record, inLabels(needle)));
      if (!texts.has(record)) texts.set(record, haystack(awesome.criteria.READ.text(record)).words());
      return wanted.every((needle) => texts.get(record).some((word) => fits(needle, word)));
    };
  }

  awesome.words = { fold, matching, plain };
})((window.awesome = window.awesome || {}));
