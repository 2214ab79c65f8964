/* So many cases as a picture, told apart by shape before colour: what _first_screen.py draws as stated. */
"use strict";

const people = (() => {
  const KINDS = ["found", "missed", "needless", "left"], WIDE = 400;

  /** Counts rounded so that they add up to their total: those with the largest remainders are rounded up. */
  function whole(counts, total) {
    const floors = counts.map((count) => Math.floor(count + 1e-9)), missing = total - floors.reduce((sum, count) => sum + count, 0);
    const order = counts.map((_, k) => k).sort((a, b) => floors[a] - counts[a] - (floors[b] - counts[b]));
    for (const k of order.slice(0, Math.max(missing, 0))) floors[k] += 1;
    return floors;
  }

  /* Kinds without an outline, and how wide each is, as a share of its place. */
  const FULL = { found: 0.825, left: 0.25 };

  /** Full squares or dots, as the dashes of one line a row. */
  function dashes(kind, first, count, row, size) {
    const side = Number((FULL[kind] * size).toFixed(1));
    let drawn = "";
    for (let at = first, end; at < first + count; at = end) {
      end = Math.min(first + count, (Math.floor(at / row) + 1) * row);
      const x = size * ((at % row) + 0.5) - side / 2, y = size * (Math.floor(at / row) + 0.5);
      drawn += `M${charts.rounded(x)} ${charts.rounded(y)}h${charts.rounded(size * (end - at - 1) + side)}`;
    }
    return charts.element("path", { class: `person ${kind} dashed`, d: drawn, "stroke-width": side, "stroke-dasharray": `${charts.rounded(side)} ${charts.rounded(size - side)}` });
  }

  /** Each case from `first` on, an empty square or a crossed one, as one path. */
  function shapes(kind, first, count, row, size) {
    const inset = 0.125, side = 0.75, s = charts.rounded(side * size), isCrossed = kind === "needless";
    const box = `h${s}v${s}h-${s}z${isCrossed ? `m0 ${s}l${s}-${s}` : ""}`, end = isCrossed ? charts.tenths(side * size) : 0;
    let drawn = "", x = 0, y = 0;
    for (let k = first; k < first + count; k++) {
      const a = charts.tenths(size * ((k % row) + inset)), b = charts.tenths(size * (Math.floor(k / row) + inset));
      drawn += `${drawn ? "m" : "M"}${charts.rounded((a - x) / 10)} ${charts.rounded((b - y) / 10)}${box}`;
      [x, y] = [a + end, b];
    }
    return charts.element("path", { class: `person ${kind}`, d: drawn });
  }

  const sized = (tall, ...parts) => charts.element("svg", { class: "crowd", "aria-hidden": "true", viewBox: `0 0 ${WIDE} ${tall}` }, ...parts);

  function bars(counts, total) {
    const bar = (kind, k) => charts.element("rect", { class: `person ${kind}`, x: 0, y: 26 * k + 4, width: Math.max((WIDE * counts[k]) / total, 0.5), height: 18 });
    return sized(26 * KINDS.length, ...KINDS.map(bar));
  }

  /** Up to 1,000 cases as squares, up to 10,000 as dots, more as bars. */
  function picture(counts, total) {
    if (total > 10000) return bars(counts, total);
    const [row, size] = total <= 1000 ? [50, 8] : [125, 3.2];
    let place = 0;
    const paths = KINDS.map((kind, k) => {
      place += counts[k];
      return (kind in FULL ? dashes : shapes)(kind, place - counts[k], counts[k], row, size);
    });
    return sized(size * Math.ceil(total / row), ...paths);
  }

  return Object.freeze({ whole, picture });
})();
