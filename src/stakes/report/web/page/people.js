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

  function shape(kind, x, y, size) {
    const [inset, side] = kind === "left" ? [0.38, 0.24] : [0.1, 0.8], at = (value) => value.toFixed(1);
    const a = x + inset * size, b = y + inset * size, s = side * size;
    const box = `M${at(a)} ${at(b)}h${at(s)}v${at(s)}h-${at(s)}z`;
    return kind === "needless" ? `${box}M${at(a)} ${at(b + s)}l${at(s)} -${at(s)}` : box;
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
      let drawn = "";
      for (const end = place + counts[k]; place < end; place++) drawn += shape(kind, size * (place % row), size * Math.floor(place / row), size);
      return charts.element("path", { class: `person ${kind}`, d: drawn });
    });
    return sized(size * Math.ceil(total / row), ...paths);
  }

  return Object.freeze({ whole, picture });
})();
