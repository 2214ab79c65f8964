"use strict";
/* The encoding of a text, the fields of a record, and where the header is: the rules of stakes.reading. */
Object.assign(reading, (() => {
  const { isNumber } = reading;
  const DELIMITERS = [",", "\t", ";", "|"], MOST_TITLES = 20, LOOKED_AT = 4096;
  const SEPARATOR = /^"?sep=(.)"?$/i;

  /* ---------------------------------------------------------------------------------------- encoding */

  const zeros = (bytes, start) => {
    let count = 0;
    for (let k = start; k < Math.min(bytes.length, LOOKED_AT); k += 2) count += Number(bytes[k] === 0);
    return count;
  };

  function wide(bytes) {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
    const half = Math.min(bytes.length, LOOKED_AT) >> 1, low = zeros(bytes, 0), high = zeros(bytes, 1);
    if (half && high > 0.7 * half && low < 0.1 * half) return "utf-16le";
    return half && low > 0.7 * half && high < 0.1 * half ? "utf-16be" : null;
  }

  const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]); // bytes that Windows-1252 does not have

  /* The line of a byte. */
  function lineOf(bytes, at) {
    let line = 1;
    for (let k = 0; k < at; k++) line += Number(bytes[k] === 10);
    return line;
  }

  const notIn = (called, line) => ({ refused: `must be text in ${called}, got something else at line ${line}; state its encoding with the command` });

  /* The text of a file and what its encoding is called; or why there is none. */
  function decoded(bytes) {
    const found = wide(bytes);
    if (found) {
      try {
        return { text: new TextDecoder(found, { fatal: true }).decode(bytes), encoding: "UTF-16" };
      } catch {
        return notIn("UTF-16", lineOf(bytes, bytes.length));
      }
    }
    try {
      return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "UTF-8" };
    } catch {
      const at = bytes.findIndex((byte) => UNDEFINED.has(byte));
      if (bytes.includes(0)) return { refused: say("must be a text file, such as CSV, got binary data") };
      if (at >= 0) return notIn("Windows-1252", lineOf(bytes, at));
      return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
    }
  }

  /* ------------------------------------------------------------------------------------------ fields */

  function splitFields(text, delimiter) {
    if (!text.includes('"')) return text ? text.split(delimiter) : [];
    const fields = [];
    let at = 0;
    while (at <= text.length) {
      let field = "";
      if (text[at] === '"' && closing(text, at + 1) >= 0) {
        const end = closing(text, at + 1);
        field = text.slice(at + 1, end).replaceAll('""', '"');
        at = end + 1;
      }
      const next = text.indexOf(delimiter, at), stop = next < 0 ? text.length : next;
      fields.push(field + text.slice(at, stop));
      at = stop + 1;
    }
    return fields;
  }

  /* Where a quoted field ends; -1 if it does not, up to `end`. */
  function closing(text, from, end = text.length) {
    for (let at = text.indexOf('"', from); at >= 0 && at < end; at = text.indexOf('"', at + 2)) if (at + 1 >= end || text[at + 1] !== '"') return at;
    return -1;
  }

  /* ------------------------------------------------------------------------------------------ layout */

  const isFilled = (fields) => fields.some((field) => field.trim());

  /* The delimiter that splits most records in a row into equally many fields, at least two. */
  function delimiterOf(head) {
    const agreement = (delimiter) => {
      let best = [0, 0], run = 0, last = -1;
      for (const { text } of head) {
        if (!text.trim()) continue;
        const count = splitFields(text, delimiter).length;
        run = count === last ? run + 1 : 1;
        last = count;
        if (count > 1 && (run > best[0] || (run === best[0] && count > best[1]))) best = [run, count];
      }
      return [...best, Number(delimiter !== ",")]; // which may be a decimal comma
    };
    const scores = DELIMITERS.map(agreement);
    const isMore = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
    const best = scores.reduce((top, score, k) => (isMore(score, scores[top]) > 0 ? k : top), 0);
    return scores[best][0] ? DELIMITERS[best] : ",";
  }

  function isTitle(fields, usual) {
    const filled = fields.flatMap((field, k) => (field.trim() ? [k] : []));
    if (filled.length && fields[0].trimStart().startsWith("#") && fields.length !== usual) return true; // a comment of a program
    if (!filled.length || (filled.length === 1 && filled[0] === 0)) return true;
    return fields.length < usual - 1 && !fields.some(isNumber);
  }

  function isHeader(fields) {
    const filled = fields.filter((field) => field.trim());
    return filled.length > 1 && !filled.some(isNumber);
  }

  function titlesOf(records, delimiter, usual) {
    if (usual < 2) return 0;
    for (let k = 0; k < Math.min(records.length, MOST_TITLES + 1); k++) {
      const fields = splitFields(records[k].text, delimiter);
      if (!isTitle(fields, usual)) return isHeader(fields) ? k : 0;
    }
    return 0;
  }

  /* The number of columns, and of fields after them that no name and no record fills. */
  function emptyFields(rows) {
    if (!rows.length) return [0, 0];
    const [names, ...cases] = rows, columns = names.findLastIndex((name) => name.trim()) + 1;
    const width = cases.reduce((most, row) => Math.max(most, row.length), 0);
    const isPadded = width > names.length || (width === names.length && names.length > columns + 1);
    const allEmpty = cases.every((row) => row.length < columns || (row.length === width && !isFilled(row.slice(columns))));
    return columns && isPadded && allEmpty ? [columns, width - columns] : [names.length, 0];
  }

  function layoutOf(head) {
    const named = head.length ? SEPARATOR.exec(head[0].text.trim()) : null, rest = named ? head.slice(1) : head;
    const delimiter = named ? named[1] : delimiterOf(rest), counts = new Map();
    for (const { text } of rest) {
      if (!text.trim()) continue;
      const count = splitFields(text, delimiter).length;
      counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    const usual = [...counts].reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] > best[0]) ? one : best), [1, 0])[0];
    const titles = titlesOf(rest, delimiter, usual);
    const rows = rest.slice(titles).map(({ text }) => splitFields(text, delimiter)).filter((fields) => fields.length);
    const [columns, empty] = emptyFields(rows);
    return { delimiter, header: titles + Number(Boolean(named)), columns, empty };
  }

  return { closing, decoded, isFilled, layoutOf, splitFields };
})());
