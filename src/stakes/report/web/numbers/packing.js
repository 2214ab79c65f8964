"use strict";
/* Columns of numbers as Python packed them: a list, or bytes in base64 that lose nothing. */
Object.assign(stakes, (() => {
  const SHORT = 7; // bits of a single-precision number that a shortened score does not have

  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

  /* Whole numbers in groups of seven bits, the lowest first; the highest bit of a byte says that more follow. */
  function sevens(bytes) {
    const numbers = [];
    let number = 0;
    let place = 1;
    for (const byte of bytes) {
      number += (byte & 127) * place;
      place *= 128;
      if (byte < 128) {
        numbers.push(number);
        number = 0;
        place = 1;
      }
    }
    return numbers;
  }

  /* Ascending scores, of whose bits the differences are written. */
  function steps(bytes) {
    const view = new DataView(new ArrayBuffer(4));
    let bits = 0;
    return Float64Array.from(sevens(bytes), (step) => {
      bits += step;
      view.setUint32(0, bits << SHORT);
      return view.getFloat32(0);
    });
  }

  const KINDS = {
    counts: (bytes) => Float64Array.from(sevens(bytes)),
    steps,
    doubles: (bytes) => new Float64Array(bytes.buffer),
  };

  /* A column of numbers. */
  function unpack(packed) {
    if (Array.isArray(packed)) return Float64Array.from(packed);
    const [[kind, text]] = Object.entries(packed);
    return KINDS[kind](bytesOf(text));
  }

  /* A matrix of 8 bits with one scale a column: {rows, columns, value}, row by row. */
  function unpackBytes({ scale, bytes }) {
    const whole = new Int8Array(bytesOf(bytes).buffer);
    const value = Float64Array.from(whole, (one, k) => one * scale[k % scale.length]);
    return { columns: scale.length, rows: scale.length ? whole.length / scale.length : 0, value };
  }

  /* The columns of a table, and the same as plain lists. */
  const COLUMNS = ["score", "positive", "negative", "everyone_score", "everyone", "positive_squares", "negative_squares"];
  const columns = (model) => Object.fromEntries(COLUMNS.filter((name) => model[name]).map((name) => [name, unpack(model[name])]));
  const plainColumns = (model) => Object.fromEntries(Object.entries(columns(model)).map(([name, column]) => [name, [...column]]));

  return { unpack, unpackBytes, columns, plainColumns };
})());
