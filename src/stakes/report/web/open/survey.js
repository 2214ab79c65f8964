"use strict";
/* A text file as columns, with a sentence for each thing that was found out: what stakes.reading says of it. */
Object.assign(reading, (() => {
  const { casesOf, decoded, isFilled, isNumber, layoutOf, notationsOf, numberIn, recordsFrom, recordsOf, splitFields } = reading;
  const HEAD = 1001, MOST_COLUMNS = 1000, MOST_KEPT = 2e7, NAMED = { ",": say("commas"), ";": say("semicolons"), "\t": say("tabs"), "|": say("bars") };
  const TRUTHS = new Map([["true", 1], ["false", 0]]), MOST_SPELLINGS = 100;
  const MISSING = new Set([
    "", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "-", ".", "?", "#N/A", "#NA", "#NV", "k.A.", "k. A.",
  ]);
  const JSON_START = /^\s*(?:\{\s*["}]|\[\s*(?:[[{"\]\d-]|(?:true|false|null)\b))/, MARKUP_START = /^\s*<[A-Za-z!?/]/;
  const BINARY = [
    [[0x50, 0x4b, 3, 4], "a workbook or an archive"], [[0xd0, 0xcf, 0x11, 0xe0], "an old document of Office"], [[0x1f, 0x8b], "a packed file"],
    [[0x24, 0x46, 0x4c], "a file of SPSS"], [[0x50, 0x41, 0x52, 0x31], "a Parquet file"], [[0x25, 0x50, 0x44, 0x46], "a PDF"],
  ];

  /* A problem with a file, in one sentence. */
  class Refused extends Error {}
  const refuse = (text) => {
    throw new Refused(`${text}.`);
  };

  function checkKind(bytes) {
    const known = BINARY.find(([start]) => start.every((byte, k) => bytes[k] === byte));
    if (known) refuse(`must be a text file, such as CSV, got ${known[1]}; the command reads workbooks, statistics packages and packed files`);
  }

  function checkText(text) {
    const start = text.slice(0, 200);
    if (JSON_START.test(start)) refuse("must be a text file with columns, got JSON");
    if (MARKUP_START.test(start)) refuse("must be a text file with columns, got HTML or XML");
    if (text.includes("\u0000")) refuse("must be a text file, such as CSV, got binary data");
  }

  const TOO_FEW = say("remove lines that are not cases"), TOO_MANY = say("name every column, and put text that holds a delimiter in quotation marks");
  const ROW_NAMES = say("in R, `row.names = FALSE` leaves out the one that has no name");

  const EMPTY = say("if it marks a missing value, leave such cells empty");

  const oneLine = (name) => name.replaceAll("\n", " ");
  const ticked = (names) => names.map((name) => `\`${name}\``).join(", ");

  function notesOf(encoding, layout, names, notations, foot) {
    const said = [], told = notations.flatMap((one, k) => (one?.tells ? [{ ...one, name: names[k] }] : []));
    if (encoding !== "UTF-8") said.push(`The text is read as ${encoding}.`);
    if (![",", "\t"].includes(layout.delimiter) && names.length > 1) said.push(`Columns are separated by ${NAMED[layout.delimiter] ?? `'${layout.delimiter}'`}.`);
    if (layout.header) said.push(layout.header === 1 ? "1 line above the header is skipped." : `${layout.header} lines above the header are skipped.`);
    if (layout.broken) said.push("Line breaks in names of columns are read as blanks.");
    if (layout.empty) said.push("The delimiter at the end of each line is ignored.");
    if (foot.length) said.push(foot.length === 1 ? `1 line below the cases is skipped, from line ${foot[0]} on.` : `${foot.length} lines below the cases are skipped, from line ${foot[0]} on.`);
    const commas = told.filter((one) => one.decimal === ",").map(({ name }) => name);
    if (commas.length) said.push(commas.length === told.length ? "Numbers have a decimal comma." : `Numbers in ${ticked(commas)} have a decimal comma.`);
    const thousands = told.filter((one) => one.thousands).map(({ name }) => name);
    if (thousands.length) said.push(`Numbers in ${ticked(thousands)} have thousands separators.`);
    const percent = told.filter((one) => one.percent).map(({ name }) => name);
    if (percent.length) said.push(`Numbers in ${ticked(percent)} are in percent, and divided by 100.`);
    return said;
  }

  function checkNames(names, header) {
    const shown = header.length > 60 ? `${header.slice(0, 57)}...` : header, often = new Map();
    if (names.length > MOST_COLUMNS) refuse(`must have at most ${words.fixed(MOST_COLUMNS, 0)} columns for this page, got ${words.fixed(names.length, 0)}; the command reads more`);
    if (names.length && !isFilled(names)) refuse("must have a first line with the names of its columns, got an empty line");
    if (names.length && names.every(isNumber)) refuse(`must have a first line with the names of its columns, got the numbers '${shown}'`);
    if (names.length === 1) refuse("must have a column for the outcome and another for a model, got one column; columns are separated by commas, semicolons, tabs or bars");
    for (const name of names) often.set(name, (often.get(name) ?? 0) + 1);
    const again = names.find((name) => often.get(name) > 1);
    if (again !== undefined) refuse(`must have a name of its own for every column, got '${again}' ${often.get(again)} times`);
  }

  function checkWidths({ rows, odd, lines }, width) {
    const [row, count] = [...odd].find(([one]) => one < rows) ?? [];
    if (row !== undefined) refuse(`must have as many fields in every line as in the first, got ${width} there and ${count} in line ${lines[row]}; ${count < width ? TOO_FEW : count > width + 1 ? TOO_MANY : `${TOO_MANY} (${ROW_NAMES})`}`);
    if (!rows) refuse(width ? "must hold at least one case, got none" : "must have a header and cases, got nothing");
  }

  /* The fields of the cases among the first records. */
  function firstFields(cells, records) {
    const last = records.count < HEAD ? Infinity : records.line[HEAD - 1], found = [];
    for (let row = 0; row < cells.rows && cells.lines[row] <= last; row++) found.push(cells.fields(row));
    return found;
  }

  /* Columns of a file by name: their cells, notation, and the lines that they come from. */
  function survey(bytes) {
    checkKind(bytes);
    const { text, encoding, refused } = decoded(bytes);
    if (refused) refuse(refused);
    checkText(text);
    const records = recordsOf(text), layout = layoutOf(recordsFrom(records, 0, HEAD)), [first] = recordsFrom(records, layout.header, layout.header + 1);
    const given = layout.columns ? splitFields(first.text, layout.delimiter).slice(0, layout.columns) : [];
    layout.broken = given.some((name) => name.includes("\n"));
    const names = given.map(oneLine), { cells, foot } = casesOf(records, layout.header, layout);
    checkNames(names, first?.text ?? "");
    checkWidths(cells, names.length);
    const notations = notationsOf(firstFields(cells, records), names.length, MISSING, layout.delimiter);
    return { names, cells, notations, notes: notesOf(encoding, layout, names, notations, foot), parsed: new Map(), coded: new Map() };
  }

  /* A column as numbers, NaN where they are missing or none, and the first row where they are none, or -1. */
  function parsed(file, column) {
    const { cells, names, notations } = file, notation = notations[column];
    if (file.parsed.has(column)) return file.parsed.get(column);
    const truths = notation === null ? truthsOf(file, column) : null;
    if (truths) return { values: truths, bad: -1 };
    const values = new Float64Array(cells.rows), decimal = notation?.percent ? 0 : notation?.decimal.charCodeAt(0);
    let bad = -1;
    for (let row = 0; row < values.length; row++) {
      const quick = notation === null ? undefined : cells.quickNumber(row, column, decimal);
      values[row] = quick ?? closely(cells.field(row, column).trim(), notation);
      if (bad < 0 && quick === undefined && Number.isNaN(values[row]) && !MISSING.has(cells.field(row, column).trim())) bad = row;
    }
    if (cells.rows * names.length <= MOST_KEPT) file.parsed.set(column, { values, bad });
    return { values, bad };
  }

  /* A column of true and false as 1 and 0; null if it has anything else. */
  function truthsOf(file, column) {
    const found = labelsOf(file, column, MOST_SPELLINGS), plain = found?.labels.map((label) => label.trim().toLowerCase());
    if (!plain?.length || !plain.every((label) => TRUTHS.has(label))) return null;
    const numbers = [NaN, ...plain.map((label) => TRUTHS.get(label))];
    return Float64Array.from(found.codes, (code) => numbers[code]);
  }

  const closely = (value, notation) => (notation === null || MISSING.has(value) ? NaN : numberIn(notation, value) ?? NaN);

  /* A column as numbers, NaN where they are missing; refused where a value is none. */
  function numbersOf(file, column) {
    const { cells, names, notations } = file, { values, bad } = parsed(file, column), notation = notations[column];
    if (bad >= 0) refuseNumber(names[column], notation, notation === null ? firstText(file, column) : { value: cells.field(bad, column).trim(), line: cells.lines[bad] });
    return values;
  }

  /* The first value of a column that makes it no column of numbers. */
  function firstText({ cells }, column) {
    const every = Array.from({ length: cells.rows }, (_, row) => ({ value: cells.field(row, column).trim(), line: cells.lines[row] }));
    const values = every.filter(({ value }) => !MISSING.has(value));
    const isOdd = ({ value }) => !isNumber(value) || value.endsWith("%") !== values[0].value.endsWith("%");
    return values.find(isOdd) ?? values[0] ?? { value: "", line: cells.lines[0] };
  }

  function refuseNumber(name, notation, { value, line }) {
    const isOther = isNumber(value), sign = value.endsWith("%");
    const alike = notation && isOther ? " that are written alike" : "";
    const percent = "write a percent sign in all of its rows, or in none", like = "write it as those of the first 1,000 lines are";
    const hint = !isOther ? `; ${EMPTY}` : !notation || sign !== notation.percent ? `; ${percent}` : `; ${like}`;
    refuse(`must have numbers in column \`${name}\`${alike}, got '${value.slice(0, 60)}' at line ${line}${hint}`);
  }

  /* A column as labels: each that comes, how often, and the number of that of each row, from 1 on, 0 where it is missing;
     null where there are more than so many. */
  function labelsOf(file, column, most) {
    if (file.coded.has(column)) return file.coded.get(column);
    const { cells } = file, codes = new Uint16Array(cells.rows), known = new Map(), labels = [], counts = [];
    for (let row = 0; row < codes.length; row++) {
      const label = cells.field(row, column);
      let code = known.get(label);
      if (code === undefined) {
        code = MISSING.has(label.trim()) ? 0 : labels.push(label);
        known.set(label, code);
        if (labels.length > most) return null;
      }
      codes[row] = code;
      counts[code] = (counts[code] ?? 0) + 1;
    }
    const found = { labels, codes, counts: counts.slice(1) };
    file.coded.set(column, found);
    return found;
  }

  return { Refused, labelsOf, numbersOf, parsed, refuse, survey };
})());
