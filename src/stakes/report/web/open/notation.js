"use strict";
/* Notations of numbers in text, as stakes.reading finds them: decimal signs, thousands separators and percent signs. */
const reading = {};
Object.assign(reading, (() => {
  const BETWEEN = " \u00a0\u202f'\u2019", OTHER = { ".": ",", ",": "." };

  function pattern(decimal) {
    const whole = `[0-9]+|[1-9][0-9]{0,2}(?:[${BETWEEN}${OTHER[decimal]}][0-9][0-9][0-9])+`;
    const finite = `(?:(?:${whole})(?:\\${decimal}[0-9]*)?|\\${decimal}[0-9]+)(?:e[+-]?[0-9]+)?`;
    return new RegExp(`^[+-]?(?:${finite}|inf(?:inity)?)$`, "i");
  }
  const NUMBERS = { ".": pattern("."), ",": pattern(",") };

  const bare = (text) => text.replace(/^[ \t\u00a0\u202f]+|[ \t\u00a0\u202f]+$/g, "");
  const unsigned = (text) => bare(text.endsWith("%") ? text.slice(0, -1) : text);
  const isNumber = (text) => {
    const number = unsigned(bare(text));
    return NUMBERS["."].test(number) || NUMBERS[","].test(number);
  };

  /* The decimal signs that some values must have: 0.456 and 1,234.5 do, 1.234 may have either. */
  function certainDecimals(values) {
    const numbers = [...values].map((value) => unsigned(bare(value)));
    return [".", ","].filter((decimal) => numbers.some((one) => NUMBERS[decimal].test(one) && !NUMBERS[OTHER[decimal]].test(one)));
  }

  /* The notation of a column; null if it has none, or if some of its values have another. */
  function notationOf(values, usual) {
    const every = [...values], certain = certainDecimals(every);
    if (!every.length || certain.length > 1 || !every.every(isNumber)) return null;
    const decimal = certain[0] ?? usual, numbers = every.map((value) => unsigned(bare(value)));
    const thousands = numbers.some((number) => [...BETWEEN, OTHER[decimal]].some((one) => number.includes(one)));
    const percent = new Set(every.map((value) => bare(value).endsWith("%")));
    return percent.size > 1 ? null : { decimal, thousands, percent: percent.has(true) };
  }

  const SIMPLE = /^[0-9]{1,3}(?:\.[0-9]*)?$/;

  /* A text as a number, correctly rounded as everywhere; nothing if it is not in this notation. */
  function numberIn({ decimal, thousands, percent }, text) {
    if (decimal === "." && !percent && SIMPLE.test(text)) return Number(text);
    const whole = bare(text);
    if (whole.endsWith("%") !== percent) return undefined;
    const number = unsigned(whole);
    if (!NUMBERS[decimal].test(number)) return undefined;
    const digits = [...number].filter((one) => !BETWEEN.includes(one) && one !== OTHER[decimal]).join("");
    if (digits.length < number.length && !thousands) return undefined;
    const plain = digits.replace(",", ".").toLowerCase();
    if (plain.includes("inf")) return plain.startsWith("-") ? -Infinity : Infinity;
    const [value, exponent = "0"] = plain.split("e");
    return Number(percent ? `${value}e${BigInt(exponent.replace("+", "")) - 2n}` : plain); // divided by 100, exactly
  }

  /* The decimal sign for columns that do not tell: that of the others, if they agree. */
  function usualDecimal(columns, delimiter) {
    const signs = new Set(columns.flatMap((values) => certainDecimals(values)));
    const hasComma = columns.some((values) => [...values].some((value) => value.includes(",")));
    if (delimiter === "," && !hasComma) return "."; // the points of 756.123.456 are those of an identifier
    if (signs.size === 1) return [...signs][0];
    return hasComma && delimiter !== "," ? "," : ".";
  }

  /* Whether a notation matters: whole numbers are the same in each. */
  const tells = (values, { decimal, thousands, percent }) => thousands || percent || [...values].some((value) => value.includes(decimal));

  /* The notation of each column, null where it has no numbers, and whether it tells. */
  function notationsOf(cases, width, missing, delimiter) {
    const values = Array.from({ length: width }, (_, k) => new Set(cases.map((row) => row[k].trim()).filter((one) => !missing.has(one))));
    const isOne = values.map((column) => column.size > 0 && [...column].every(isNumber));
    const usual = usualDecimal(values.filter((_, k) => isOne[k]), delimiter);
    return values.map((column, k) => {
      const notation = isOne[k] ? notationOf(column, usual) : null;
      return notation && { ...notation, tells: tells(column, notation) };
    });
  }

  return { isNumber, notationsOf, numberIn };
})());
