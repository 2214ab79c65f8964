"use strict";
/* The records of a text and the cells of its cases, as places in the text, so that a million rows fit into little memory:
   the rules of stakes.reading. */
Object.assign(reading, (() => {
  const { closing, isFilled, isNumber, splitFields } = reading;
  const SUMS = new Set([
    ...["sum", "total", "subtotal", "grand total", "mean", "average", "median", "count"],
    ...["summe", "gesamt", "gesamtsumme", "gesamtergebnis", "insgesamt", "mittelwert", "durchschnitt", "anzahl"],
    ...["somme", "moyenne", "suma", "media", "somma", "totale"],
  ]);
  const COUNTED = /^\(\d+ rows?( affected)?\)$/i;
  const QUOTE = 34, ZERO = 48, MOST_DIGITS = 15;
  const POWERS = Array.from({ length: 23 }, (_, k) => 10 ** k); // all of them exact

  /* ----------------------------------------------------------------------------------------- records */

  const startsField = (before) => before === "\t" || !/[\p{L}\p{N}\s]/u.test(before);

  function staysOpen(line, isOpen) {
    let open = isOpen;
    for (let mark = line.indexOf('"'); mark >= 0;) {
      let at = mark + 1;
      if (!open) open = mark === 0 || startsField(line[mark - 1]);
      else if (line[at] === '"') at += 1; // two of them stand for one
      else open = false;
      mark = line.indexOf('"', at);
    }
    return open;
  }

  /* A column of whole numbers that grows. */
  class Places {
    constructor() {
      this.values = new Uint32Array(65536);
      this.length = 0;
    }

    add(value) {
      if (this.length === this.values.length) {
        const longer = new Uint32Array(2 * this.length);
        longer.set(this.values);
        this.values = longer;
      }
      this.values[this.length++] = value;
    }
  }

  /* The records of a text: where each begins and ends, and its line; a quoted field may hold line breaks. */
  function recordsOf(given) {
    const text = given.includes("\r") ? given.replace(/\r\n?/g, "\n") : given, [start, end, lines] = [new Places(), new Places(), new Places()];
    let begun = -1, first = 1, isOpen = false, quote = text.indexOf('"'), stop = 0;
    const finish = () => {
      start.add(begun);
      end.add(stop);
      lines.add(first);
      begun = -1;
    };
    for (let at = 0, line = 1; at < text.length; at = stop + 1, line++) {
      stop = text.indexOf("\n", at);
      if (stop < 0) stop = text.length;
      if (begun < 0) [begun, first] = [at, line];
      if (quote >= 0 && quote < stop) {
        isOpen = staysOpen(text.slice(at, stop), isOpen);
        quote = text.indexOf('"', stop);
      }
      if (!isOpen) finish();
    }
    if (begun >= 0) finish();
    return { text, count: start.length, start: start.values, end: end.values, line: lines.values };
  }

  /* Some records as text, each with the line on which it starts. */
  const recordsFrom = ({ text, count, start, end, line }, from, to) =>
    Array.from({ length: Math.max(Math.min(to, count) - from, 0) }, (_, k) => ({ line: line[from + k], text: text.slice(start[from + k], end[from + k]) }));

  /* ------------------------------------------------------------------------------------------- cells */

  /* The fields of cases: each begins at a place of the text, and ends one sign before the next of its row. */
  class Cells {
    constructor(text, columns, rows) {
      Object.assign(this, { text, columns, rows: 0, odd: new Map(), starts: new Uint32Array(rows * (columns + 1)), lines: new Uint32Array(rows) });
    }

    /* Add a row, `places` being where its fields begin, and where one after the last would. */
    add(places, count, line) {
      const from = this.rows * (this.columns + 1), known = Math.min(count, this.columns);
      for (let k = 0; k <= known; k++) this.starts[from + k] = places[k];
      if (count !== this.columns) this.odd.set(this.rows, count);
      this.lines[this.rows++] = line;
    }

    field(row, column) {
      const at = row * (this.columns + 1) + column, from = this.starts[at], field = this.text.slice(from, this.starts[at + 1] - 1);
      return this.text.charCodeAt(from) === QUOTE ? unquoted(field) : field;
    }

    fields(row) {
      return Array.from({ length: this.columns }, (_, column) => this.field(row, column));
    }

    /* A number written in the usual way, correctly rounded; nothing where it takes a closer look. */
    quickNumber(row, column, decimal) {
      const at = row * (this.columns + 1) + column, from = this.starts[at], to = this.starts[at + 1] - 1, { text } = this;
      let value = 0, digits = 0, point = -1;
      for (let k = from; k < to; k++) {
        const code = text.charCodeAt(k), digit = code - ZERO;
        if (digit >= 0 && digit <= 9) {
          value = 10 * value + digit;
          if (value > 0) digits += 1;
        } else if (code === decimal && point < 0) point = k;
        else return undefined;
      }
      const places = point < 0 ? 0 : to - 1 - point;
      if (to - from <= Number(point >= 0)) return undefined;
      if (digits <= MOST_DIGITS && places < POWERS.length) return value / POWERS[places];
      return Number(point < 0 ? text.slice(from, to) : `${text.slice(from, point)}.${text.slice(point + 1, to)}`);
    }
  }

  /* A field without its quotation marks. */
  function unquoted(field) {
    const end = field.startsWith('"') ? closing(field, 1) : -1;
    return end < 0 ? field : field.slice(1, end).replaceAll('""', '"') + field.slice(end + 1);
  }

  const refuseOpen = (line) => reading.refuse(`must close every quotation mark, got one in line ${line} that stays open`);

  /* Write down where the fields of a record begin, and where one after the last would; return how many there are.
     Text after the mark that closes a field means that one of its marks is missing. */
  function findFields(text, from, to, { delimiter, line }, places) {
    if (from === to) return 0;
    const code = delimiter.charCodeAt(0);
    let count = 0, at = from;
    while (at <= to) {
      let close = Infinity;
      places[count++] = at;
      if (text.charCodeAt(at) === QUOTE && at < to) {
        const end = closing(text, at + 1, to);
        if (end < 0) refuseOpen(line);
        at = close = end + 1;
      }
      while (at < to && text.charCodeAt(at) !== code) at += 1;
      if (close < at && text.slice(close, at).trim()) refuseOpen(line);
      at += 1;
    }
    places[count] = to + 1;
    return count;
  }

  /* Whether fields from one on are empty, or blank. */
  function areEmpty(text, places, from, to) {
    for (let k = from; k < to; k++) if (places[k] < places[k + 1] - 1 && unquoted(text.slice(places[k], places[k + 1] - 1)).trim()) return false;
    return true;
  }

  function sumWord(fields) {
    const first = fields.find((field) => field.trim())?.trim() ?? "";
    const word = first.length > 20 ? "" : first.toLowerCase().replace(/:+$/, "").trimEnd();
    return SUMS.has(word) ? word : "";
  }

  function isBelow(fields, columns, afterBelow) {
    const filled = fields.filter((field) => field.trim()).map((field) => field.trim());
    if (!filled.length || sumWord(fields) || COUNTED.test(filled[0])) return true;
    const isText = Boolean(fields[0].trim()) && afterBelow && !filled.some(isNumber);
    return afterBelow && isText && (filled.length === 1 || fields.length < columns);
  }

  /* Whether a sign begins a number, and so neither a word for a sum nor a count. */
  const beginsNumber = (code) => code >= 43 && code <= 57 && code !== 44 && code !== 47;

  /* The cells of the cases below the header, and the lines of the records below the last of them. */
  function casesOf(records, header, { delimiter, columns }) {
    const { text, count, start, end, line } = records, cells = new Cells(text, columns, Math.max(count - header - 1, 0)), words = new Map(), places = [];
    let kept = 0, afterBelow = false;
    for (let k = header + 1; k < count; k++) {
      const [from, to] = [start[k], end[k]];
      let found = findFields(text, from, to, { delimiter, line: line[k] }, places);
      if (found > columns && areEmpty(text, places, columns, found)) found = columns;
      const isPlain = !afterBelow && beginsNumber(text.charCodeAt(from)) && from < to;
      if (!isPlain) {
        const fields = splitFields(text.slice(from, places[found] - 1), delimiter), word = found ? sumWord(fields) : "";
        if (word) words.set(word, (words.get(word) ?? 0) + 1);
        afterBelow = !(words.get(word) >= 2) && isBelow(found ? fields : [], columns, afterBelow);
        if (found > 1 || isFilled(fields) || columns === 1) cells.add(places, found, line[k]);
      } else cells.add(places, found, line[k]);
      if (!afterBelow || columns === 1) kept = cells.rows;
    }
    const foot = Array.from(cells.lines.subarray(kept, cells.rows));
    cells.rows = kept;
    return { cells, foot };
  }

  return { casesOf, recordsFrom, recordsOf };
})());
