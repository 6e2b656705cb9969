/* The only door to the survey's data: light records of all papers at once, the rest by script elements when it is asked
   for, so that it works from a disk, too (awesome_cli/publish/site/index.py and packing.py write what is read here). */
(function (awesome) {
  "use strict";
  const SIGNS = Array.from({ length: 0x7f - 0x21 }, (_, i) => String.fromCharCode(0x21 + i)).filter((sign) => !"\"'\\<>&".includes(sign));
  const LAST = 60;
  const DIGITS = new Uint8Array(128);
  SIGNS.forEach((sign, i) => { DIGITS[sign.charCodeAt(0)] = i; });

  /* Call `use` with each number of a packed text. */
  function each(text, use) {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < text.length; i += 1) {
      const digit = DIGITS[text.charCodeAt(i)];
      value += digit * scale;
      if (digit < LAST) {
        use(value);
        value = 0;
        scale = 1;
      } else {
        scale *= SIGNS.length - LAST;
      }
    }
  }
  function numbers(text) {
    const found = [];
    each(text, (number) => found.push(number));
    return found;
  }

  /* Light records: `{n, key, year, venue, tags: {AXIS: [{term, strength, part, grade, side, reads}]}}`; papers with the
     same coding share its object. */
  function unpacked(index) {
    const year = numbers(index.year);
    const venue = numbers(index.venue);
    const places = numbers(index.tags);
    const axes = index.codings.map((coding) => coding.axis);
    const codings = index.codings.map(({ axis, ...coding }) => coding);
    let at = 0;
    return (index.keys ? index.keys.split(" ") : []).map((key, n) => {
      const tags = {};
      const end = at + 1 + places[at];
      for (at += 1; at < end; at += 1) (tags[axes[places[at]]] = tags[axes[places[at]]] || []).push(codings[places[at]]);
      return { n, key, year: index.years[year[n] - 1], venue: index.venues[venue[n] - 1], tags };
    });
  }

  const home = new URL(".", document.currentScript.src);
  const asked = new Map();
  /* Load `data/NAME.js` once; the promise is kept when what it sets is there. */
  function load(name) {
    if (!asked.has(name)) {
      asked.set(name, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = new URL(`../data/${name}.js`, home).href;
        script.onload = () => done();
        script.onerror = () => failed(new Error(`data/${name}.js cannot be read`));
        document.head.append(script);
      }).then(() => { if (ARRIVED[name]) ARRIVED[name](); }));
    }
    return asked.get(name);
  }

  /* Titles and authors become part of the light records. */
  function addNames() {
    const { titles, names } = awesome.names;
    const places = numbers(awesome.names.authors);
    let at = 0;
    awesome.papers.forEach((paper, n) => {
      const end = at + 1 + places[at];
      paper.title = titles[n];
      paper.authors = places.slice(at + 1, end).map((place) => names[place]);
      at = end;
    });
  }

  const number = (name) => () => awesome[name].forEach((record, n) => { record.n = n; });
  const ARRIVED = { names: addNames, exclusions: number("exclusions"), candidates: number("candidates") };

  /* The whole record of a light one, once its shard is loaded. */
  function whole(record) {
    return awesome.shards[Math.floor(record.n / awesome.index.shard)][record.n % awesome.index.shard];
  }
  /* The light record with its title and authors, once they are loaded. */
  function named(record) {
    return awesome.papers[record.n];
  }
  /* The coding with its evidence; that of a challenger has the reason of the contest. */
  function evidenced(tag, coded) {
    const same = (other) => other.term === tag.term && other.strength === tag.strength && Boolean(other.part) === Boolean(tag.part);
    const own = coded.find(same);
    if (own) return { ...own, ...tag };
    const contested = coded.find((other) => other.reads && other.reads.some(same));
    return { ...tag, evidence: contested && contested.because };
  }
  function joined(paper) {
    const record = whole(paper);
    const light = awesome.papers[paper.n].tags;
    const tags = Object.entries(paper.tags).map(([axis, own]) => {
      const coded = (record.tags[axis] || []).map((tag, i) => ({ ...light[axis][i], ...tag }));
      return [axis, own.map((tag) => evidenced(tag, coded))];
    });
    return { ...record, ...paper, tags: Object.fromEntries(tags) };
  }
  /* The whole records of light ones: with title, authors, and codings (those of the light record, in whichever reading it
     is) with their evidence. */
  function full(papers) {
    const shards = new Set(papers.map((paper) => Math.floor(paper.n / awesome.index.shard)));
    return Promise.all(Array.from(shards, (shard) => load(`papers-${shard}`))).then(() => papers.map(joined));
  }

  /* Load the files that the parts of a view read. */
  function need(parts) {
    return Promise.all(parts.map(load)).then(() => parts.forEach((part) => there.add(part)));
  }
  const there = new Set();
  function has(parts) {
    return parts.every((part) => there.has(part));
  }

  awesome.shards = [];
  awesome.vocabulary = {};
  awesome.papers = unpacked(awesome.index);
  awesome.data = { each, full, has, load, named, need, numbers };
})((window.awesome = window.awesome || {}));
