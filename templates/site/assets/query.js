/* The query language of the command line (awesome_cli/query/parser.py): a text becomes a test over records. */
(function (awesome) {
  "use strict";
  const { Criteria, QueryError } = awesome.criteria;

  const TOKEN = /\s*(?:([()])|(:=)|(<=|>=|!=|=|<|>|~)|(,)|"((?:[^"\\]|\\[^\n])*)"|((?:[^\s()<>!=~",:]|:(?!=))+))/uy;
  const KINDS = ["paren", "exact", "op", "comma", "text", "word"];

  function tokens(text) {
    const stripped = text.trimEnd();
    const result = [];
    let at = 0;
    while (at < stripped.length) {
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(stripped);
      if (match === null) throw new QueryError(`cannot parse “${stripped.slice(at).trim()}”`);
      const group = match.slice(1).findIndex((part) => part !== undefined);
      result.push({ kind: KINDS[group], text: match[group + 1] });
      at = TOKEN.lastIndex;
    }
    return result;
  }

  /* Recursive descent; each method returns a test. */
  class Parser {
    constructor(text, survey) {
      this.tokens = tokens(text);
      this.next = 0;
      this.names = new Criteria(survey);
    }
    whole() {
      if (this.tokens.length === 0) throw new QueryError("it is empty; * matches every record");
      const test = this.either();
      if (this.next < this.tokens.length) throw this.unexpected(this.tokens[this.next]);
      return test;
    }
    either() {
      const tests = [this.both()];
      while (this.keyword("OR")) tests.push(this.both());
      return tests.length === 1 ? tests[0] : (record) => tests.some((test) => test(record));
    }
    both() {
      const tests = [this.negated()];
      while (this.keyword("AND") || !this.atEnd()) tests.push(this.negated());
      return tests.length === 1 ? tests[0] : (record) => tests.every((test) => test(record));
    }
    atEnd() {
      const token = this.peek();
      return token === undefined || (token.kind === "word" && token.text === "OR") || token.text === ")";
    }
    negated() {
      if (!this.keyword("NOT")) return this.atom();
      const test = this.negated();
      return (record) => !test(record);
    }
    atom() {
      const token = this.take();
      if (token.kind === "paren" && token.text === "(") {
        const test = this.either();
        const closing = this.peek();
        if (closing === undefined || closing.text !== ")") throw new QueryError("missing closing parenthesis");
        this.next += 1;
        return test;
      }
      if (token.kind === "text") return this.names.like(token.text);
      if (token.kind !== "word") throw this.unexpected(token);
      if (token.text === "*") return () => true;
      const following = this.peek();
      if (following !== undefined && following.kind === "op") {
        this.next += 1;
        return this.names.comparison(token.text, following.text, this.values());
      }
      return this.names.bare(token.text, this.strength());
    }
    values() {
      const values = [];
      for (;;) {
        const token = this.take();
        if (token.kind !== "word" && token.kind !== "text") throw new QueryError(`missing value before “${token.text}”`);
        values.push({ text: token.text, exact: this.strength() });
        const following = this.peek();
        if (following === undefined || following.kind !== "comma") return values;
        this.next += 1;
      }
    }
    strength() {
      const following = this.peek();
      if (following === undefined || following.kind !== "exact") return null;
      this.next += 1;
      return this.take().text;
    }
    keyword(word) {
      const token = this.peek();
      if (token === undefined || token.kind !== "word" || token.text !== word) return false;
      this.next += 1;
      return true;
    }
    peek() {
      return this.tokens[this.next];
    }
    take() {
      const token = this.peek();
      if (token === undefined) throw new QueryError("unexpected end of the query");
      this.next += 1;
      return token;
    }
    unexpected(token) {
      return new QueryError(`unexpected “${token.text}”`);
    }
  }

  /* Parse a query into a test of records, which needs the data of `awesome.data.need(test.needs)`; throws QueryError. */
  function parse(text) {
    const parser = new Parser(text, awesome.survey);
    return Object.assign(parser.whole(), { needs: parser.names.needs });
  }

  const SIGNS = /[=<>~()":*]|(?:^|\s)(?:AND|OR|NOT)(?:\s|$)/u;
  /* Characters that only queries contain: their errors are shown. */
  const MEANT = /[=<>~"]/u;

  /* Parse the text of the search box into `{parts: [{label, test, needs}], error}`. A query is one part, each plain word is
     one part; a record must match all parts. */
  function understand(text) {
    const query = text.trim();
    if (SIGNS.test(query)) {
      try {
        const test = parse(query);
        return { parts: [{ label: query, test, needs: test.needs }], isQuery: true };
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        if (MEANT.test(query)) return { error: error.message, parts: [] };
      }
    }
    const words = query.split(/\s+/u).filter((word) => awesome.criteria.needles(word).length > 0);
    return { parts: words.map((word) => ({ label: word, test: awesome.words.plain(word), needs: new Set(["words"]) })) };
  }

  /* Convert the text of the search box to a query for the command line; plain words become `text~`. */
  function spelled(text) {
    const { parts, isQuery } = understand(text);
    return isQuery || !parts.length ? text : parts.map((part) => `text~"${part.label}"`).join(" ");
  }

  awesome.query = { parse, spelled, understand, QueryError };
})((window.awesome = window.awesome || {}));
