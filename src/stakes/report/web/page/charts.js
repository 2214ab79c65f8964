/* A small drawing kit: axes, lines with their jumps, bands and labels as SVG.
   It draws what _drawing.py and the files beside it draw, function by function; names from data enter as text nodes only. */
"use strict";

const charts = (() => {
  // Shares that an axis of log-odds may name, those that matter most first; their odds are whole numbers.
  const SHARES = [0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.0001, 0.9999, 0.05, 0.95, 0.2, 0.8, 0.02, 0.98, 0.005, 0.995,
    0.25, 0.75, 0.04, 0.96, 0.025, 0.975, 0.125, 0.875, 0.0625, 0.9375];
  const LETTER = 7.4, LINE = 16, LONGEST = 26, NARROW = 480, BEND = 8, STRIP = 58, FINE = 0.25, COARSE = 1.5, OTHER = "other";
  const SPACE = "http://www.w3.org/2000/svg";

  const tenths = (value) => Math.floor(10 * value + 0.5);
  const inTenths = (count) => String(count / 10 || 0).replace(/^(-?)0\./, "$1.");
  const rounded = (value) => inTenths(tenths(value));

  /** Make an SVG element; strings among the children become text. */
  function element(tag, attributes, ...children) {
    const made = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) made.setAttribute(name, typeof value === "number" ? rounded(value) : value);
    }
    made.append(...children);
    return made;
  }

  const moved = (axis, value) => (axis.scale === "log_odds" ? stakes.logit(value) : value);

  /** The pixel of a value, the axis going from pixel `start` to `end`. */
  function place(axis, value, start, end) {
    const low = moved(axis, axis.low), high = moved(axis, axis.high);
    return start + ((end - start) * (moved(axis, value) - low)) / (high - low);
  }

  /** The value at a pixel. */
  function valueAt(axis, pixel, start, end) {
    const low = moved(axis, axis.low), high = moved(axis, axis.high);
    const at = low + ((high - low) * (pixel - start)) / (end - start);
    return axis.scale === "log_odds" ? stakes.expit(at) : at;
  }

  function evenTicks(axis, length, apart) {
    const least = ((axis.high - axis.low) * apart) / length;
    const unit = 10 ** Math.floor(Math.log10(least));
    const step = unit * [1, 2, 5, 10].find((k) => unit * k >= least * (1 - 1e-9));
    const found = [];
    for (let k = Math.ceil(axis.low / step - 1e-9); k <= Math.floor(axis.high / step + 1e-9); k++) found.push(k * step);
    return found;
  }

  function namedTicks(axis, length, apart) {
    const chosen = [];
    for (const share of SHARES) {
      const at = place(axis, share, 0, length);
      const free = chosen.every((other) => Math.abs(at - place(axis, other, 0, length)) >= apart);
      if (at >= 0 && at <= length && free) chosen.push(share);
    }
    return chosen.sort((a, b) => a - b);
  }

  function ticks(axis, length, apart) {
    return (axis.scale === "log_odds" ? namedTicks : evenTicks)(axis, length, apart);
  }

  /** A number on an axis, without digits that say nothing. */
  const axisNumber = (value) => shortest(words.fixed(value, 4), words.SIGNS["."]);

  /** The same for a machine. */
  const plain = (value) => shortest(words.english(value, 4), ".");

  function shortest(text, point) {
    const bare = text.replace(/0+$/, ""), short = bare.endsWith(point) ? bare.slice(0, -1) : bare;
    return short === "-0" ? "0" : short.replace("-", "\u2212");
  }

  /** A value on an axis. */
  function tickText(axis, value) {
    return axis.labels ? axisNumber(100 * value) + words.PERCENT : axisNumber(value);
  }

  const wholeOdds = (share) => (share <= 0.5 ? `1:${Math.round((1 - share) / share)}` : `${Math.round(share / (1 - share))}:1`);

  const named = (line) => line.name && line.label !== false;

  function gutter(chart) {
    if (chart.gutter !== null && chart.gutter !== undefined) return chart.gutter;
    const longest = Math.max(0, ...chart.lines.filter(named).map(({ name }) => Math.min(name.length, chart.longest ?? LONGEST)));
    return longest ? 20 + LETTER * (longest + 2) : 8;
  }

  /** Left, top, right and bottom edge of where lines are drawn. */
  function box(chart) {
    const heights = ticks(chart.y, chart.height - 80, 32);
    const widest = Math.max(...(heights.length ? heights : [0]).map((value) => tickText(chart.y, value).length));
    const below = (chart.x.labels === "cost" ? 58 : 44) + (chart.strip ? STRIP : 0);
    return { left: widest * LETTER + 10, top: 28, right: chart.width - gutter(chart), bottom: chart.height - below };
  }

  /** Draw a chart: the same spec gives the same picture as in Python. */
  function draw(chart) {
    const edges = box(chart);
    const traced = chart.lines.map((line) => [line, trace(line, chart, edges)]).filter(([, parts]) => parts.length);
    const ends = traced.filter(([line]) => named(line)).map(([line, parts]) => [line, parts.at(-1).at(-1)]);
    const size = { width: chart.width, height: chart.height, viewBox: `0 0 ${chart.width} ${chart.height}` };
    return element(
      "svg",
      { class: "chart", role: "img", "data-chart": chart.key, ...size },
      element("title", {}, chart.summary),
      ...bands(chart, edges),
      ...yAxis(chart, edges),
      ...xAxis(chart, edges),
      ...(chart.polygons?.length ? [chart.cells || polygons(chart, edges)] : []),
      ...(chart.fills || []).map((fill) => filled(chart, edges, ...fill)),
      ...histograms(chart, edges),
      ...traced.map(([line, parts]) => path(parts, `line ${line.css}`)),
      ...(chart.marks || []).map((mark) => circle(chart, edges, mark)),
      ...(chart.texts || []).map((text) => caption(chart, edges, text)),
      ...labels(chart, edges, ends),
    );
  }

  function bands(chart, { left, top, right, bottom }) {
    const found = [];
    const ends = (pair) => pair.map((end) => Math.min(Math.max(place(chart.x, end, left, right), left), right));
    if (chart.band) {
      const [a, b] = ends(chart.band);
      const wide = Math.max(b - a, 2);
      found.push(element("rect", { class: "band", x: (a + b - wide) / 2, y: top, width: wide, height: bottom - top }));
    }
    if (chart.stated) {
      const [a, b] = ends(chart.stated);
      found.push(path((b > a ? [a, b] : [a]).map((at) => [[at, top], [at, bottom]]), "stated"));
    }
    return found;
  }

  function yAxis(chart, { left, top, right, bottom }) {
    const drawn = [element("text", { class: "axis-title", x: 0, y: 13 }, chart.y.title)];
    for (const value of ticks(chart.y, bottom - top, 32)) {
      const at = place(chart.y, value, bottom, top);
      drawn.push(path([[[left, at], [right, at]]], value === 0 ? "zero" : "grid"));
      drawn.push(element("text", { class: "tick", x: left - 6, y: at + 4, "text-anchor": "end" }, tickText(chart.y, value)));
    }
    return drawn;
  }

  function xAxis(chart, { left, right, bottom: floor }) {
    const bottom = floor + (chart.strip ? STRIP : 0);
    const drawn = [], cost = chart.x.labels === "cost";
    for (const value of ticks(chart.x, right - left, cost ? 46 : 56)) {
      const at = place(chart.x, value, left, right);
      const side = at > chart.width - 18 ? { x: chart.width, "text-anchor": "end" } : { x: at, "text-anchor": "middle" };
      drawn.push(path([[[at, bottom], [at, bottom + 4]]], "tick-mark"));
      drawn.push(element("text", { class: "tick", y: bottom + 19, ...side }, cost ? wholeOdds(value) : tickText(chart.x, value)));
      if (cost) drawn.push(element("text", { class: "tick odds", y: bottom + 33, ...side }, tickText(chart.x, value)));
    }
    const start = Math.max(Math.min(left, chart.width - LETTER * chart.x.title.length), 0);
    drawn.push(element("text", { class: "axis-title", x: start, y: chart.height - 8 }, chart.x.title));
    return drawn;
  }

  /** Areas, all of one class as one path. */
  function polygons(chart, { left, top, right, bottom }) {
    const kinds = new Map();
    for (const [corners, css] of chart.polygons) {
      const drawn = `${joined(corners.map(([x, y]) => [place(chart.x, x, left, right), place(chart.y, y, bottom, top)]))}z`;
      kinds.set(css, (kinds.get(css) ?? "") + drawn);
    }
    return element("g", { class: "polygons" }, ...[...kinds].map(([css, d]) => element("path", { class: css, d })));
  }

  function filled(chart, edges, above, below, css) {
    const [upper, lower] = [above, below].map((line) => trace(line, chart, edges).flat());
    return path([[...upper, ...lower.reverse()]], css);
  }

  /** Two histograms under a chart and on its x: one up, one down. */
  function histograms(chart, { left, right, bottom }) {
    if (!chart.strip) return [];
    const { edge, up, down, css } = chart.strip;
    const middle = bottom + 6 + (STRIP - 12) / 2, tallest = Math.max(...up, ...down);
    return [[up, css, -1], [down, "down", 1]].map(([shares, style, sign]) => {
      const corners = [[left, middle]];
      shares.forEach((share, k) => {
        const height = middle + ((sign * (STRIP - 12)) / 2) * Math.sqrt(share / tallest);
        for (const x of [edge[k], edge[k + 1]]) corners.push([place(chart.x, Math.min(x, chart.x.high), left, right), height]);
      });
      return path([[...corners, [right, middle]]], `histogram ${style}`);
    });
  }

  function caption(chart, { left, top, right, bottom }, { x, y, text, css }) {
    const at = { x: place(chart.x, x, left, right), y: place(chart.y, y, bottom, top) + 4 };
    return element("text", { class: css, "text-anchor": "middle", ...at }, shortened(text));
  }

  const shortened = (name, longest = LONGEST) => (name.length <= longest ? name : name.slice(0, longest - 1) + "\u2026");

  function circle(chart, { left, top, right, bottom }, mark) {
    const at = { cx: place(chart.x, mark.x, left, right), cy: place(chart.y, mark.y, bottom, top) };
    const said = mark.title ? [element("title", {}, mark.title)] : [];
    return element("circle", { class: mark.css, r: mark.radius ?? 4, ...at }, ...said);
  }

  /** Join the points of each part. */
  const path = (parts, css) => element("path", { class: css, d: parts.map(joined).join("") });

  /** Points as a path: each as its distance from the one before, in the fewest letters. */
  function joined(points) {
    let [x, y] = points[0].map(tenths), drawn = `M${inTenths(x)} ${inTenths(y)}`, last = "";
    for (const point of points.slice(1)) {
      const [across, down] = point.map(tenths), wide = across - x, tall = down - y;
      if (!wide && !tall) continue;
      const kind = wide === 0 ? "v" : tall === 0 ? "h" : "l";
      drawn += move(kind, kind === "v" ? [tall] : kind === "h" ? [wide] : [wide, tall], kind === last);
      [x, y, last] = [across, down, kind];
    }
    return drawn;
  }

  function move(kind, numbers, again) {
    const texts = numbers.map(inTenths), signed = (text) => text.startsWith("-");
    const apart = texts.slice(1).map((text) => (signed(text) ? text : ` ${text}`)).join("");
    return `${again ? "" : kind}${signed(texts[0]) || !again ? texts[0] : ` ${texts[0]}`}${apart}`;
  }

  /** The parts of a line that are inside the chart, in pixels. */
  function trace(line, chart, { left, top, right, bottom }) {
    let points = Array.from(line.x, (x, k) => [x, line.y[k]]);
    if (chart.x.scale === "log_odds") points = bent(points, line.straight, chart.x, right - left);
    const low = moved(chart.x, chart.x.low), wide = (right - left) / (moved(chart.x, chart.x.high) - low);
    const tall = (top - bottom) / (chart.y.high - chart.y.low);
    const placed = points.map(([x, y]) => [left + wide * (moved(chart.x, x) - low), bottom + tall * (y - chart.y.low)]);
    const far = line.css.startsWith(OTHER) ? COARSE : FINE;
    return clipped(thinned(placed), top, bottom).map((part) => smoothed(part, far));
  }

  /** Add points to what is straight over the share (or its odds) and bent on an axis of log-odds. */
  function bent(points, straight, axis, length) {
    const even = straight === "odds" ? (x) => x / (1 - x) : (x) => x;
    const found = points.slice(0, 1);
    for (let row = 1; row < points.length; row++) {
      const [x0, y0] = points[row - 1], [x1, y1] = points[row];
      const a = stakes.logit(x0), b = stakes.logit(x1);
      const parts = Math.ceil(Math.abs(place(axis, x1, 0, length) - place(axis, x0, 0, length)) / BEND);
      for (let k = 1; k < parts; k++) {
        const x = stakes.expit(a + ((b - a) * k) / parts);
        found.push([x, y0 + ((y1 - y0) * (even(x) - even(x0))) / (even(x1) - even(x0))]);
      }
      found.push([x1, y1]);
    }
    return found;
  }

  /** Keep of each column of pixels where a line enters it, how high and how low it goes, and where it leaves. */
  function thinned(points) {
    const kept = [];
    let first = 0;
    for (let k = 1; k <= points.length; k++) {
      if (k < points.length && Math.floor(points[k][0]) === Math.floor(points[first][0])) continue;
      let lowest = first, highest = first;
      for (let row = first; row < k; row++) {
        if (points[row][1] < points[lowest][1]) lowest = row;
        if (points[row][1] > points[highest][1]) highest = row;
      }
      for (const row of [...new Set([first, lowest, highest, k - 1])].sort((a, b) => a - b)) kept.push(points[row]);
      first = k;
    }
    return kept;
  }

  /** Leave out points that a straight line between others passes within `far` pixels (Douglas and Peucker). */
  function smoothed(points, far) {
    const kept = new Set([0, points.length - 1]), spans = [[0, points.length - 1]];
    while (spans.length) {
      const [first, last] = spans.pop(), [x0, y0] = points[first], [x1, y1] = points[last];
      const wide = x1 - x0, tall = y1 - y0, square = wide * wide + tall * tall;
      let worst = first, farthest = far;
      for (let row = first + 1; row < last; row++) {
        const [x, y] = points[row];
        const along = square ? Math.min(Math.max(((x - x0) * wide + (y - y0) * tall) / square, 0), 1) : 0;
        const aside = Math.hypot(x - x0 - along * wide, y - y0 - along * tall);
        if (aside > farthest) [worst, farthest] = [row, aside];
      }
      if (worst > first) {
        kept.add(worst);
        spans.push([first, worst], [worst, last]);
      }
    }
    return points.filter((_, row) => kept.has(row));
  }

  /** Cut off what is above `top` or below `bottom`. */
  function clipped(points, top, bottom) {
    const parts = [];
    for (let row = 1; row < points.length; row++) {
      const piece = segment(points[row - 1], points[row], top, bottom);
      if (piece === null) continue;
      const last = parts.length ? parts.at(-1).at(-1) : null;
      if (last && last[0] === piece[0][0] && last[1] === piece[0][1]) parts.at(-1).push(piece[1]);
      else parts.push(piece);
    }
    return parts;
  }

  /** What of a segment lies between `top` and `bottom`. */
  function segment([x0, y0], [x1, y1], top, bottom) {
    if (Math.max(y0, y1) < top || Math.min(y0, y1) > bottom) return null;
    const held = (x, y) => {
      const edge = Math.min(Math.max(y, top), bottom);
      return edge === y ? [x, y] : [x0 + ((x1 - x0) * (edge - y0)) / (y1 - y0), edge];
    };
    return [held(x0, y0), held(x1, y1)];
  }

  /** Label each line in the column right of the chart; an arrow stands before one that left at its top or bottom. */
  function labels(chart, { top, right, bottom }, ends) {
    const room = Math.floor((bottom - top) / LINE) + 1;
    const beside = ends.slice(0, room).sort(([, [, a]], [, [, b]]) => tenths(a) - tenths(b));
    const heights = spread(beside.map(([, [, y]]) => y), top, bottom);
    return beside.flatMap(([line, [x, y]], k) => {
      const beyond = x <= right - 6 && Math.min(y - top, bottom - y) < 1, arrow = !beyond ? "" : y < (top + bottom) / 2 ? "\u2191\u00a0" : "\u2193\u00a0";
      const leader = path([[[Math.min(x + 6, right) + 2, y], [right + 2, y], [right + 9, heights[k]]]], `leader ${line.css}`);
      return [...(beyond ? [] : [leader]), lineName(chart, line, right + 12, heights[k] + 4, arrow)];
    });
  }

  function lineName(chart, line, x, y, arrow) {
    const short = shortened(line.name, chart.longest);
    const whole = short === line.name ? [] : [element("title", {}, line.name)];
    return element("text", { class: `label ${line.css}`, x, y }, arrow + short, ...whole);
  }

  /** A chart with names and titles as short as its width asks for. */
  function fitted(chart) {
    const spared = [/ \([^)]*\)$/, /;[^;]*$/];
    const fitting = (axis) => ({ ...axis, whole: axis.title, title: spared.reduce((text, part) => (text.length * LETTER > chart.width ? text.replace(part, "") : text), axis.title) });
    return { ...chart, x: fitting(chart.x), y: fitting(chart.y), ...(chart.width < NARROW && { longest: 12 }) };
  }

  /** Move ascending heights apart, so that labels there do not overlap: the isotonic fit of the heights less a line each. */
  function spread(wanted, top, bottom) {
    const blocks = [];
    wanted.forEach((height, k) => {
      let total = height - k * LINE, count = 1;
      while (blocks.length && blocks.at(-1)[0] / blocks.at(-1)[1] >= total / count) {
        const [more, others] = blocks.pop();
        total += more;
        count += others;
      }
      blocks.push([total, count]);
    });
    const fitted = blocks.flatMap(([total, count]) => Array(count).fill(total / count));
    const last = bottom - (fitted.length - 1) * LINE;
    return fitted.map((at, k) => Math.max(Math.min(at, last), top) + k * LINE);
  }

  /** The height of a line at a place, before a jump; NaN where it does not go. */
  function heightAt(line, x) {
    const even = line.straight === "odds" ? (place) => place / (1 - place) : (place) => place;
    const last = line.x.length - 1;
    if (!(line.x[0] <= x && x <= line.x[last])) return NaN;
    let low = 0, high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line.x[middle] < x) low = middle + 1;
      else high = middle;
    }
    const after = last ? Math.max(low, 1) : 0;
    const [x0, x1, y0, y1] = [line.x[after - 1] ?? line.x[after], line.x[after], line.y[after - 1] ?? line.y[after], line.y[after]];
    return x0 === x1 ? y1 : y0 + ((y1 - y0) * (even(x) - even(x0))) / (even(x1) - even(x0));
  }

  function heightText(chart, line, x) {
    const height = heightAt(line, x);
    if (Number.isNaN(height)) return "\u2013";
    return chart.y.labels ? words.signed(100 * height, 1) + words.PERCENT : words.signed(height, chart.digits ?? 1);
  }

  /** The class, name and height of each named line at a place, where it has one. */
  const valuesAt = (chart, x) => chart.lines.filter((line) => line.name).map((line) => [line.css, line.name, heightText(chart, line, x)]).filter(([, , text]) => text !== "\u2013");

  /** The named lines of a chart as a table: a heading for each, and a row for each place that the axis names. */
  function tableOf(chart) {
    const shown = chart.lines.filter((line) => line.name);
    const places = [...new Set([...ticks(chart.x, 500, 46), ...(chart.band || [])])].sort((a, b) => a - b);
    const inside = places.filter((place) => chart.x.low <= place && place <= chart.x.high);
    const rows = inside.map((x) => [tickText(chart.x, x), ...shown.map((line) => heightText(chart, line, x))]);
    return [[chart.x.whole ?? chart.x.title, ...shown.map((line) => line.name)], rows];
  }

  return Object.freeze({ LETTER, box, draw, element, fitted, heightAt, path, place, plain, rounded, spread, tableOf, tenths, ticks, trace, valueAt, valuesAt });
})();
