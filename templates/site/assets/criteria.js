/* Comparisons of the query language (awesome_cli/query/parser.py, model/fields.py) as tests of records. */
(function (awesome) {
  "use strict";
  const NA = "NA";
  const NUMBER = /^\s*[+-]?(?:(?:\d+(?:_\d+)*)?\.?\d+(?:_\d+)*|\d+(?:_\d+)*\.)(?:e[+-]?\d+)?\s*$/iu;
  const COMPARE = {
    "=": (a, b) => a === b,
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
  };

  class QueryError extends Error {}

  /* Text without case and accents. */
  function casefold(text) {
    return text.toLowerCase().toUpperCase().toLowerCase().replace(/ς/gu, "σ");
  }
  function fold(text) {
    return casefold(text.normalize("NFKD").replace(/\p{Mn}/gu, ""));
  }
  function words(text) {
    return text.match(/[\p{L}\p{N}_]+/gu) || [];
  }

  function distance(a, b, limit) {
    const x = Array.from(a);
    const y = Array.from(b);
    if (Math.abs(x.length - y.length) > limit) return limit + 1;
    let row = y.map((_, i) => i + 1);
    row.unshift(0);
    for (let i = 1; i <= x.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= y.length; j += 1) {
        next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (x[i - 1] === y[j - 1] ? 0 : 1)));
      }
      row = next;
    }
    return row[y.length];
  }
  function length(word) {
    return Array.from(word).length;
  }
  function slips(word) {
    return length(word) >= 9 ? 2 : length(word) >= 5 ? 1 : 0;
  }

  function needles(pattern) {
    return words(fold(pattern));
  }
  /* True if each word of the pattern is in the text, up to one typing error. */
  function isLike(pattern) {
    const wanted = needles(pattern);
    return (haystack) => {
      const missing = wanted.filter((word) => !haystack.text.includes(word));
      if (missing.length === 0) return true;
      if (missing.some((word) => length(word) < 5)) return false;
      const present = haystack.words();
      return missing.every((word) => present.some((other) => distance(word, other, slips(word)) <= slips(word)));
    };
  }
  function haystack(values) {
    const text = fold(values.join("\n"));
    let cut = null;
    return {
      text,
      words() {
        if (cut === null) cut = Array.from(new Set(words(text)));
        return cut;
      },
    };
  }

  /* Fields in queries; the survey's data give their names and kinds. */
  function tagsOf(record) {
    return Object.values(record.tags || {}).flat();
  }
  function asList(value) {
    return value === undefined ? [] : [value].flat();
  }
  const READ = {
    key: (r) => [r.key, ...(r.aliases || [])],
    text: (r) =>
      [...awesome.survey.prose.flatMap((name) => asList(r[name])), ...tagsOf(r).flatMap((tag) => asList(tag.evidence))],
    url: (r) => r.urls || [],
    contested: (r) => tagsOf(r).flatMap((tag) => asList(tag.grade)),
    confidence: (r) => tagsOf(r).flatMap((tag) => asList(tag.confidence)),
    kind: (r) => [r.stage === undefined ? "paper" : "exclusion"],
    near_miss: (r) => [Boolean(r.near && r.near.length)],
  };
  /* Files to load before a field can be read; empty if the light records contain it. */
  const LIGHT = ["year", "venue", "contested", "kind", "near_miss", "stage", "reason", "source", "query_family", "screened"];
  const NEEDS = { title: "names", author: "names", ...Object.fromEntries(LIGHT.map((name) => [name, ""])) };
  function needOf(name) {
    return NEEDS[name] === undefined ? "full" : NEEDS[name];
  }
  function reader(field) {
    const read = READ[field.name] || ((record) => (record.ids && record.ids[field.name]) || asList(record[field.of]));
    const whole = { full: awesome.data.whole, names: awesome.data.named }[needOf(field.name)];
    return whole ? (record) => read(whole(record)) : read;
  }

  function toDay(text) {
    const match = /^(\d{4})(-?)(\d{2})\2(\d{2})$/u.exec(text);
    if (match === null) return null;
    const day = `${match[1]}-${match[3]}-${match[4]}`;
    const date = new Date(`${day}T00:00:00Z`);
    return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? null : day;
  }

  function nearest(name, known) {
    const folded = name.toLowerCase();
    let best = null;
    for (const candidate of known) {
      const away = distance(folded, candidate.toLowerCase(), 3);
      if (away <= Math.max(1, Math.floor(folded.length / 3)) && (best === null || away < best.away)) {
        best = { away, candidate };
      }
    }
    const close = best ? best.candidate : known.find((k) => folded.length > 1 && k.toLowerCase().startsWith(folded));
    return close ? `; did you mean “${close}”?` : "";
  }

  /* Makes tests of comparisons, with the axes and terms of the survey. */
  class Criteria {
    constructor(survey) {
      this.survey = survey;
      this.axes = new Map(survey.axes.map((axis) => [axis.id, axis]));
      this.fields = new Map(survey.fields.map((field) => [field.name, field]));
      this.measures = new Set(survey.measures.map((measure) => measure.id));
      this.needs = new Set();
      this.axesOf = new Map();
      for (const axis of survey.axes) {
        for (const term of axis.terms) {
          for (const name of [term.id, term.code]) {
            if (name) this.axesOf.set(name, [...(this.axesOf.get(name) || []), axis.id]);
          }
        }
      }
    }

    comparison(name, op, values) {
      if (this.axes.has(name)) return this.onAxis(this.axes.get(name), op, values);
      const texts = values.map((value) => value.text);
      if (this.measures.has(name)) {
        this.needs.add("full");
        const get = (record) => asList((awesome.data.whole(record).measures || {})[name]);
        return anyOf(op, texts.map((text) => number(name, op, text, get)));
      }
      if (this.fields.has(name)) return anyOf(op, texts.map((text) => this.onField(this.fields.get(name), op, text)));
      const known = [...this.axes.keys(), ...this.fields.keys(), ...this.measures];
      throw new QueryError(`no axis, field or measure “${name}”${nearest(name, known)}`);
    }

    bare(word, exact) {
      const term = word.split(":")[0];
      const axes = this.axesOf.get(term) || this.axesOf.get(term.toUpperCase()) || [];
      if (axes.length === 1) return this.onAxis(this.axes.get(axes[0]), "=", [{ text: word, exact }]);
      if (axes.length) {
        const choices = axes.map((axis) => `${axis}=${term}`).join(" or ");
        throw new QueryError(`“${term}” is a term of ${axes.length} axes; write ${choices}`);
      }
      if (this.axes.has(term)) throw new QueryError(`the axis “${term}” needs a term; write ${term}=TERM`);
      throw new QueryError(`no term “${term}”${nearest(term, [...this.axesOf.keys()])}`);
    }

    onAxis(axis, op, values) {
      if (op !== "=" && op !== "!=") throw new QueryError(`${axis.id}${op} is not valid; compare terms with = or !=`);
      const wanted = values.map((value) => this.tagTest(axis, value));
      const tags = (record) => (record.tags || {})[axis.id] || [];
      const matches = (record) => wanted.some((test) => test(tags(record)));
      if (op === "=") return matches;
      const isWork = (record) => record.stage === undefined;
      if (values.some((value) => value.text === NA)) return (record) => isWork(record) && !matches(record);
      return (record) => isWork(record) && tags(record).length > 0 && !matches(record);
    }

    tagTest(axis, value) {
      if (value.text === NA) return (tags) => tags.every((tag) => tag.part);
      const [, whole, role] = /^(.+?)(?::(main|part))?$/su.exec(value.exact ? `${value.text}:${value.exact}` : value.text);
      const [word, ...rest] = whole.split(":");
      const strength = rest.join(":");
      const family = word === "*" ? null : awesome.gaps.family(axis, this.term(axis, word));
      const strong = this.strengthTest(axis, strength, value.exact);
      return (tags) =>
        tags.some(
          (tag) =>
            (family === null || family.has(tag.term)) &&
            strong(tag.strength) &&
            (role === undefined || Boolean(tag.part) === (role === "part")),
        );
    }

    strengthTest(axis, strength, exact) {
      if (!strength) return () => true;
      const ids = [...axis.strengths.map((entry) => entry.id), ...Object.keys(axis.retired)];
      if (!ids.includes(strength)) {
        throw new QueryError(`axis “${axis.id}” has no strength “${strength}”${nearest(strength, ids)}`);
      }
      if (exact) return (strong) => strong === strength;
      const least = awesome.gaps.rank(axis, strength);
      return (strong) => strong !== undefined && awesome.gaps.rank(axis, strong) >= least;
    }

    term(axis, word) {
      const folded = casefold(word);
      const match =
        axis.terms.find((term) => term.id === word) ||
        axis.terms.find((term) => term.code && casefold(term.code) === folded);
      if (match) return match.id;
      const names = [...axis.terms.map((term) => term.id), NA];
      throw new QueryError(`axis “${axis.id}” has no term “${word}”${nearest(word, names)}`);
    }

    onField(field, op, text) {
      if (field.name === "text" && op === "~") return this.like(text);
      const get = this.reader(field);
      if (field.kind === "number") return number(field.name, op, text, get);
      if (field.kind === "date") return date(field, op, text, get);
      if (field.kind === "grade") return this.grade(field, op, text, get);
      if (field.kind === "flag") {
        if (text !== "yes" && text !== "no") throw new QueryError(`${field.name}: expected yes or no, got “${text}”`);
        return (record) => get(record).includes(true) === (text === "yes");
      }
      if (field.kind === "word") this.checkWord(field, text);
      if (op === "~") return likeTest(field.name, get, text);
      if (op !== "=" && op !== "!=") throw new QueryError(`${field.name}${op} is not valid; compare texts with =, != or ~`);
      if (text === NA) return (record) => get(record).length === 0;
      const folded = casefold(text);
      return (record) => get(record).some((value) => casefold(String(value)) === folded);
    }

    reader(field) {
      if (needOf(field.name)) this.needs.add(needOf(field.name));
      return reader(field);
    }
    /* Texts of papers are searched through the index of words, those of other records directly. */
    like(text) {
      this.needs.add("words");
      const inText = likeTest("text", READ.text, text);
      let hits = null;
      return (record) => {
        if (record.n === undefined) return inText(record);
        hits = hits || awesome.words.matching(text);
        return hits[record.n] === 1;
      };
    }

    checkWord(field, text) {
      const known = this.survey[field.vocabulary].map((entry) => entry.id);
      if (!known.includes(text) && text !== NA) {
        throw new QueryError(`no ${field.name} “${text}”${nearest(text, known)}`);
      }
    }

    grade(field, op, text, get) {
      if (op !== "=" && op !== "!=") throw new QueryError(`${field.name}${op} is not valid; write ${field.name}=GRADE`);
      if (text === "yes" || text === "no") return (record) => get(record).length > 0 === (text === "yes");
      const ids = this.survey.grades.map((entry) => entry.id);
      if (!ids.includes(text)) throw new QueryError(`no grade “${text}”${nearest(text, ids)}`);
      return (record) => get(record).some((grade) => ids.indexOf(grade) >= ids.indexOf(text));
    }
  }

  /* Cache of folded texts: folding thousands of papers at each keystroke is slow. */
  const folded = new Map();
  function likeTest(name, get, text) {
    if (!folded.has(name)) folded.set(name, new WeakMap());
    const known = folded.get(name);
    const test = isLike(text);
    return (record) => {
      let texts = known.get(record);
      if (texts === undefined) {
        texts = haystack(get(record));
        known.set(record, texts);
      }
      return test(texts);
    };
  }
  function anyOf(op, tests) {
    return op === "!=" ? (record) => !tests.some((test) => test(record)) : (record) => tests.some((test) => test(record));
  }
  function number(name, op, text, get) {
    if (text === NA && (op === "=" || op === "!=")) return (record) => get(record).length === 0;
    if (!NUMBER.test(text)) throw new QueryError(`${name}: expected a number, got “${text}”`);
    return compared(name, op, Number(text.replaceAll("_", "")), get);
  }
  function date(field, op, text, get) {
    if (text === NA && (op === "=" || op === "!=")) return (record) => get(record).length === 0;
    const day = toDay(text);
    if (day === null) throw new QueryError(`${field.name}: expected a date like 2025-01-31, got “${text}”`);
    return compared(field.name, op, day, get);
  }
  function compared(name, op, limit, get) {
    if (op === "~") throw new QueryError(`${name}~ is not valid; use = != < <= > or >=`);
    const compare = COMPARE[op === "!=" ? "=" : op];
    return (record) => get(record).some((value) => compare(value, limit));
  }

  awesome.criteria = { Criteria, QueryError, READ, distance, fold, haystack, length, needles, slips };
})((window.awesome = window.awesome || {}));
