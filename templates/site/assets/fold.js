/* Folding and spellings of words, for the search box and the search of words; as in awesome_cli/text/folding.py. */
(function (awesome) {
  "use strict";
  const HYPHENS = /[-\u00ad\u2010-\u2013]/gu;
  const PART = 4;
  /* Endings of words, and those that a search takes instead. */
  const PLURALS = [["ies", "y", "ies"], ["y", "y", "ies"], ["sis", "sis", "ses"], ["xes", "x"],
    ...["ch", "sh", "ss"].map((end) => [`${end}es`, end]), ...Array.from("eioy", (vowel) => [`${vowel}ses`, `${vowel}se`, `${vowel}sis`])];

  function casefold(text) {
    return text.toLowerCase().toUpperCase().toLowerCase().replace(/ς/gu, "σ");
  }
  function fold(text) {
    return casefold(text.normalize("NFKD").replace(/\p{Mn}/gu, ""));
  }
  function needles(text) {
    return fold(text).match(/[\p{L}\p{N}_]+/gu) || [];
  }
  /* The words of a text, and those without its hyphens. */
  function spellings(text) {
    return [needles(text), needles(fold(text).replace(HYPHENS, ""))];
  }
  function length(word) {
    return Array.from(word).length;
  }
  function variants(word) {
    const n = length(word);
    const [ending, ...parts] = PLURALS.find(([end]) => n > end.length + 1 && word.endsWith(end)) || [];
    if (ending) return parts.map((part) => word.slice(0, -ending.length) + part);
    return [n >= PART && /[^ius]s$/u.test(word) ? word.slice(0, -1) : word];
  }
  /* A test of words; parts in ASCII below a length match at the beginning. */
  function fits(needle, least = PART) {
    const parts = variants(needle).map((part) => [part, length(part) < least && /^[\0-\x7f]*$/u.test(part)]);
    const singular = needle.replace(/(?<=..[so])es$/u, "");
    return (word) => word === singular || parts.some(([part, begins]) => (begins ? word.startsWith(part) : word.includes(part)));
  }

  awesome.folding = { PART, casefold, fits, fold, length, needles, spellings, variants };
})((window.awesome = window.awesome || {}));
