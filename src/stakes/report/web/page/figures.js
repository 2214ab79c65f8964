/* The pictures of any decision, from the tables in the page: what _cost_charts.py, _figures.py and _maps.py draw as stated. */
"use strict";

const figures = (() => {
  const COST = "false alarm : miss; below, the threshold probability";
  const MOST_CROSSINGS = 8, MAP_PLACES = 21, NAMED = 10, WIDE = 5, AROUND = 0.7, TALL = 340;
  const CAPACITIES = 25, LEAST = 0.01, MOST = 0.9;
  const CLEAR = [0.01, 0.05];

  const isColoured = (model) => !model.reference && !model.css.startsWith("other");
  const labelOf = (model) => (model.css.startsWith("other") ? "" : model.name);

  /** What all pictures of one decision share. `page` has models, domain and stated; `decision` is what is shown now. */
  function sceneOf(page, decision) {
    const sample = page.models[0].table;
    const moved = (model) => ({ ...model, there: stakes.there(model.table, decision) });
    const limits = { capacity: decision.capacity, min_precision: decision.min_precision };
    const allowed = (model) => model.score === 0 || stakes.feasible(model.there, limits)[1] === 1;
    const models = page.models.map((model) => ({ ...moved(model), allowed: true }));
    const references = page.references.map(moved).map((model) => ({ ...model, allowed: allowed(model) }));
    return {
      page, decision, limits, models, references,
      unit: words.unitOf(page.evaluation.unit, stakes.mean(decision.cost)),
      limited: limits.capacity !== null || limits.min_precision !== null,
      ways: [...models, ...references],
      allowed: [...models, ...references.filter((model) => model.allowed)],
      band: [decision.cost.low, decision.cost.high],
      stated: [page.stated.cost.low, page.stated.cost.high],
      costs: page.domain.cost, zoom: page.zoom,
      prevalences: page.domain.prevalence,
      observed: sample.prevalence,
      bothClasses: sample.prevalence > 0 && sample.prevalence < 1,
    };
  }

  /** The costs that the charts show: those stated and shown and some way beyond, or all in reach. */
  function view(scene) {
    if (scene.zoom === "all") return scene.costs;
    const ends = [...shownBand(scene), ...inReach(scene, scene.stated)].map(stakes.logit);
    return [Math.max(stakes.expit(Math.min(...ends) - AROUND), scene.costs[0]), Math.min(stakes.expit(Math.max(...ends) + AROUND), scene.costs[1])];
  }

  function costAxis(scene) {
    const [low, high] = view(scene);
    return { low, high, title: COST, scale: "log_odds", labels: "cost" };
  }

  /** The part of a curve that an axis shows. */
  function curveLine(curve, axis, css, name = "", { times = 1, straight = "x" } = {}) {
    const last = curve.x.length - 1;
    const part = stakes.between(curve, Math.max(axis.low, curve.x[0]), Math.min(axis.high, curve.x[last]));
    return { x: part.x, y: part.y.map((y) => times * y), css, name, straight };
  }

  const even = (low, high, count) => {
    const [a, b] = [stakes.logit(low), stakes.logit(high)];
    return Array.from({ length: count }, (_, k) => stakes.expit(a + ((b - a) * k) / (count - 1)));
  };

  /** The regret of a model over the costs: by its scores, or by the best thresholds that the limits allow. */
  function regretOf(model, scene) {
    if (!scene.limited || model.reference) return stakes.regretCurve(model.there);
    const steps = stakes.bestThresholds(model.there, stakes.uniform(...scene.costs), scene.limits), x = [], y = [];
    steps.threshold.forEach((threshold, k) => {
      const { fp, fn } = stakes.confusion(model.there, threshold);
      for (const cost of [steps.low[k], steps.high[k]]) {
        x.push(cost);
        y.push((cost * fp + (1 - cost) * fn) / 1000);
      }
    });
    return drawnCurve(x, y);
  }

  /** The costs as far as the axis shows them. */
  const inReach = (scene, ends) => ends.map((end) => Math.min(Math.max(end, scene.costs[0]), scene.costs[1]));
  const shownBand = (scene) => inReach(scene, scene.band);

  const names = (models) => models.map((model) => model.name).join(", ");
  const largest = (values) => values.reduce((most, value) => (value > most ? value : most), -Infinity);

  const least = (values) => -largest(values.map((value) => -value));
  const heights = (lines) => lines.flatMap((line) => [...line.y]);

  function regretChart(scene, width) {
    const x = costAxis(scene), curves = scene.allowed.map((model) => regretOf(model, scene));
    const times = words.costScale(scene.unit), heading = words.unitHeading(scene.unit);
    const lines = scene.allowed.map((model, k) => curveLine(curves[k], x, model.css, labelOf(model), { times }));
    const constant = curveLine(stakes.regretCurve(stakes.flatten(scene.models[0].there)), x, "", "", { times });
    const y = fittedAxis(scene, lines, constant);
    return {
      key: "regret",
      summary: `Expected cost ${heading} by the cost of a false alarm, for ${names(scene.models.filter(isColoured))}; your range is ${words.percent(scene.band[0])} to ${words.percent(scene.band[1])}.`,
      width, height: TALL, x, y, lines, digits: scene.unit.digits,
      marks: takeoverMarks(scene, curves, y),
      band: scene.band, stated: scene.stated,
    };
  }

  /** High enough for the models with a colour, and from 0 unless that wastes the chart. */
  function fittedAxis(scene, lines, constant) {
    const shown = lines.filter((_, k) => isColoured(scene.allowed[k])), compared = scene.models.length === 1 ? [...shown, constant] : shown;
    const high = Math.max(1e-9, largest(heights(compared))), low = least(heights(lines)), room = 0.06 * (high - low);
    return { low: low < 0.4 * high ? 0 : low - room, high: high + room, title: `expected cost ${words.unitHeading(scene.unit)} (lower is better)` };
  }

  /* ------------------------------------------------------------------------- the difference of the first two */

  /** How much higher the second of two curves is, its jumps included. */
  function difference(first, second) {
    const low = Math.max(first.x[0], second.x[0]), high = Math.min(first.x[first.x.length - 1], second.x[second.x.length - 1]);
    const places = [...new Set([...first.x, ...second.x])].filter((x) => low <= x && x <= high).sort((a, b) => a - b);
    const [one, other] = [first, second].map((curve) => sides(curve, places)), x = [], y = [];
    places.forEach((place, k) => {
      const before = other.before[k] - one.before[k], after = other.after[k] - one.after[k];
      x.push(place);
      y.push(before);
      if (before === after) return;
      x.push(place);
      y.push(after);
    });
    return drawnCurve(x, y);
  }

  const drawnCurve = (x, y) => ({ x: Float64Array.from(x), y: Float64Array.from(y), threshold: new Float64Array(x.length), weight: null, atJump: "before" });

  /** Values of a curve just before and just after ascending places. */
  function sides({ x, y }, places) {
    const before = [], after = [];
    let row = 0;
    for (const place of places) {
      while (row < x.length - 1 && x[row] < place) row += 1;
      let last = row;
      while (last < x.length - 1 && x[last + 1] === place) last += 1;
      const hit = x[row] === place, x0 = x[row - 1];
      before.push(hit ? y[row] : y[row - 1] + ((y[row] - y[row - 1]) * (place - x0)) / (x[row] - x0));
      after.push(hit ? y[last] : before.at(-1));
    }
    return { before, after };
  }

  /** How much more the second of the ranking costs than the first, with the band around that where it is known. */
  function differenceChart(scene, width) {
    const x = costAxis(scene), times = words.costScale(scene.unit), [first, second] = scene.pair, known = bandOf(scene);
    const line = { ...curveLine(difference(regretOf(first, scene), regretOf(second, scene)), x, "difference", "extra cost", { times }), label: false };
    const ends = known ? [known.upper, known.lower].map((y) => curveLine(drawnCurve(known.x, y), x, "", "", { times })) : [];
    return {
      key: "difference",
      summary: `How much more ${second.name} costs than ${first.name}, by the cost of a false alarm.`,
      width, height: TALL, x, y: axisWithZero([line, ...ends], `extra cost ${words.unitHeading(scene.unit)}`),
      lines: [line], fills: ends.length ? [[...ends, "fill difference"]] : [], digits: scene.unit.digits + 1,
      band: scene.band, stated: scene.stated,
    };
  }

  /** The band of the difference: known of the first two as stated, in either order, at the prevalence of the sample and without limits. */
  function bandOf(scene) {
    const { difference: known, stated } = scene.page, [first, second] = scene.pair;
    if (!known?.x.length || scene.limited || scene.decision.prevalence || stated.prevalence) return null;
    if (known.first === first.name && known.second === second.name) return known;
    if (known.first !== second.name || known.second !== first.name) return null;
    return { x: known.x, lower: known.upper.map((y) => -y), upper: known.lower.map((y) => -y) };
  }

  /** An axis that holds 0 and all of some lines. */
  function axisWithZero(lines, title) {
    const values = [0, ...heights(lines)], low = least(values), high = largest(values), room = 0.06 * Math.max(high - low, 1e-9);
    return { low: low < 0 ? low - room : 0, high: high + room, title };
  }

  /** Where any two curves cross, at all costs in reach: found once for a prevalence and limits, since dragging a cost moves no curve. */
  let crossed = { key: null, places: [] };
  function crossedAt(scene, curves) {
    const { decision: { prevalence }, limits, costs } = scene, key = JSON.stringify([prevalence, limits, scene.allowed.map(({ name }) => name)]);
    if (crossed.key === key) return crossed.places;
    const parts = curves.map((curve) => stakes.between(curve, ...costs)), found = new Set();
    parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => stakes.crossings(a, b).forEach((x) => found.add(x))));
    crossed = { key, places: [...found].sort((a, b) => a - b) };
    return crossed.places;
  }

  /** Where the least costly changes between two costs. */
  function takeovers(scene, curves, low, high) {
    const edges = [low, ...crossedAt(scene, curves).filter((x) => low < x && x < high), high];
    const best = edges.slice(1).map((edge, k) => {
      const values = curves.map((curve) => stakes.valueAt(curve, (edges[k] + edge) / 2));
      return values.indexOf(Math.min(...values));
    });
    return edges.slice(1, -1).map((x, k) => [x, best[k], best[k + 1]]).filter(([, before, after]) => before !== after);
  }

  function takeoverMarks(scene, curves, { low: bottom, high: top }) {
    const [low, high] = shownBand(scene);
    if (low >= high) return [];
    const found = takeovers(scene, curves, low, high);
    if (found.length > MOST_CROSSINGS) return [];
    return found
      .map(([x, , after]) => ({ x, y: words.costScale(scene.unit) * stakes.valueAt(curves[after], x), css: "crossing", radius: 5, title: `${scene.allowed[after].name} is best from ${words.percent(x)}` }))
      .filter((mark) => bottom <= mark.y && mark.y <= top);
  }

  function benefitChart(scene, width) {
    const x = costAxis(scene), style = { times: 1000, straight: "odds" }, shown = scene.models.filter(isColoured);
    const best = shown.map((model) => curveLine(stakes.bestDecisionCurve(model.there), x, `${model.css} envelope`, "", style));
    const lines = scene.allowed.map((model) => curveLine(stakes.decisionCurve(model.there), x, model.css, labelOf(model), style));
    const top = Math.max(1e-6, largest(heights(best))), low = Math.min(0, least(heights(lines.filter((_, k) => isColoured(scene.allowed[k])))));
    return {
      key: "benefit",
      summary: `Decision curves of ${names(shown)}, each with the best it could reach after recalibration.`,
      width, height: TALL, x,
      y: { low: Math.max(low, -0.3 * top), high: 1.06 * top, title: "net benefit per 1,000 cases (higher is better)" },
      lines: [...best, ...lines],
      band: scene.band, stated: scene.stated,
    };
  }

  /** Up to which score the pictures of calibration go: nearly all cases, and the costs, are below. */
  function zoom(scene) {
    const needed = Math.max(Math.min(1.5 * scene.band[1], 1), ...scene.models.map((model) => highScore(model.there)));
    return [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1].find((end) => end >= Math.min(needed, 1));
  }

  function highScore(table) {
    let up = 0;
    for (let row = 0; row < table.length; row++) {
      up += table.positive[row] + table.negative[row];
      if (up >= 0.99 * table.total) return table.score[row];
    }
    return table.score[table.length - 1];
  }

  function reliabilityChart(scene, width, model) {
    const end = zoom(scene), curve = stakes.reliabilityCurve(model.there), first = curve.x[0];
    const part = first >= end || curve.x.length === 1 ? { x: [first], y: [curve.y[0]] } : stakes.between(curve, first, Math.min(end, curve.x[curve.x.length - 1]));
    const shares = scene.bothClasses ? stakes.scoreHistograms(model.there, Math.round(40 / end)) : null;
    const strip = shares && { edge: [...shares.edge.slice(0, 40), end], up: [...shares.positive.slice(0, 40)], down: [...shares.negative.slice(0, 40)], css: model.css };
    return {
      key: "reliability",
      summary: `Calibration of ${model.name}: share of positives by score; on the diagonal it is calibrated.`,
      width, height: 300,
      x: { low: 0, high: end, title: say("score"), labels: "percent" },
      y: { low: 0, high: end, title: "share of positives", labels: "percent" },
      lines: [{ x: [0, end], y: [0, end], css: "diagonal" }, { x: part.x, y: part.y, css: model.css, name: "share of positives", label: false }],
      band: scene.band, stated: scene.stated, strip, gutter: 10,
    };
  }

  /** One cost to stand for a belief: its mean. */
  const usualCost = (scene) => {
    const mean = stakes.mean(scene.decision.cost);
    return mean > 0 && mean < 1 ? mean : 0.5;
  };

  /** The expected cost over the prevalence, at the mean cost, with scores corrected for it. */
  function prevalenceChart(scene, width) {
    const cost = usualCost(scene), [low, high] = scene.prevalences, heading = words.unitHeading(scene.unit), times = words.costScale(scene.unit) * (1 - cost);
    const x = { low, high, title: "prevalence where the model is used", scale: "log_odds", labels: "percent" };
    const byPrevalence = (table) => {
      const benefit = stakes.shiftedNetBenefitCurve(table, cost);
      return { ...benefit, y: benefit.y.map((y, k) => benefit.x[k] - y), atJump: "before" };
    };
    const ways = scene.allowed.filter(labelOf), lines = ways.map((model) => curveLine(byPrevalence(model.table), x, model.css, labelOf(model), { times }));
    const said = scene.decision.prevalence, observed = [scene.observed, scene.observed];
    return {
      key: "prevalence", width, height: 320, x, lines, digits: scene.unit.digits,
      summary: `Expected cost ${heading} by prevalence at a cost of ${words.percent(cost)}, with scores corrected for it.`,
      y: { low: 0, high: 1.06 * largest(heights(lines.filter((_, k) => isColoured(ways[k])))), title: `expected cost ${heading} (lower is better)` },
      band: said ? [said.low, said.high] : observed, stated: observed,
    };
  }

  /** The expected cost over the capacity, each model at the best thresholds that it allows. */
  function capacityChart(scene, width) {
    const x = { low: LEAST, high: MOST, title: "capacity (maximum share of cases acted on)", scale: "log_odds", labels: "percent" };
    const places = even(LEAST, MOST, CAPACITIES), times = words.costScale(scene.unit), none = scene.references[1], heading = words.unitHeading(scene.unit);
    const under = (capacity, table) => times * stakes.regret(table, { ...scene.decision, capacity });
    const lines = scene.models.filter(isColoured).map((model) => ({ x: places, y: places.map((place) => under(place, model.table)), css: model.css, name: model.name, straight: "x" }));
    const free = times * stakes.regret(none.table, { ...scene.decision, capacity: null, min_precision: null });
    lines.push({ x: [LEAST, MOST], y: [free, free], css: none.css, name: none.name, straight: "x" });
    const { capacity } = scene.limits, band = capacity === null ? null : [capacity, capacity], { capacity: stated } = scene.page.stated;
    return {
      key: "capacity", width, height: 320, x, lines, digits: scene.unit.digits,
      summary: `Expected cost ${heading} by capacity, each model at its best thresholds.`,
      y: axisWithZero(lines, `expected cost ${heading} (lower is better)`), band, stated: stated === null ? null : [stated, stated],
    };
  }

  function rocChart(scene, width) {
    const x = { low: 0, high: 1, title: "false positive rate", labels: "percent" };
    const lines = [{ x: [0, 1], y: [0, 1], css: "diagonal" }], marks = [];
    for (const model of scene.models.filter(isColoured)) {
      const curve = stakes.rocCurve(model.there), hull = stakes.rocHull(model.there);
      lines.push({ x: hull.x, y: hull.y, css: `${model.css} envelope` }, { x: curve.x, y: curve.y, css: `${model.css} thin` });
      if (scene.limited) {
        const steps = stakes.bestThresholds(model.there, scene.decision.cost, scene.limits);
        steps.recall.forEach((y, k) => marks.push({ x: steps.falsePositiveRate[k], y, css: `dot ${model.css}`, title: model.name }));
      } else {
        const [first, last] = [scene.band[1], scene.band[0]].map((cost) => curve.threshold.filter((threshold) => threshold >= cost).length - 1);
        lines.push({ x: curve.x.slice(first, last + 1), y: curve.y.slice(first, last + 1), css: `${model.css} used` });
      }
    }
    const polygons = scene.limited ? [[region(scene), "region"]] : [];
    return {
      key: "roc",
      summary: scene.limited ? "ROC curves; thick where your costs put the threshold, the feasible region shaded." : "ROC curves; thick where your costs put the threshold.",
      width, height: width, x,
      y: { low: 0, high: 1, title: "true positive rate (higher is better)", labels: "percent" },
      lines, marks, polygons, gutter: 12,
    };
  }

  /** The part of the ROC square that the limits leave: the square, cut by a line for each limit. */
  function region(scene) {
    const { positiveTotal: P, negativeTotal: N, total } = scene.models[0].there;
    const precision = scene.limits.min_precision ?? 0, capacity = scene.limits.capacity ?? 1;
    const halves = [([x, y]) => (1 - precision) * P * y - precision * N * x, ([x, y]) => capacity * total - N * x - P * y];
    return halves.reduce(keptSide, [[0, 0], [1, 0], [1, 1], [0, 1]]);
  }

  function keptSide(corners, inside) {
    const kept = [];
    corners.forEach((corner, k) => {
      const next = corners[(k + 1) % corners.length], a = inside(corner), b = inside(next);
      if (a >= 0) kept.push(corner);
      if (a * b < 0) kept.push([0, 1].map((side) => corner[side] + ((next[side] - corner[side]) * a) / (a - b)));
    });
    return kept;
  }

  /* ---------------------------------------------------------------------------------------------- maps */

  /** The map depends on how a range is weighed, but not on the range: it is kept while only that moves. */
  let kept = { same: null, cells: null };

  function costMap(scene, width) {
    const sides = even(...scene.costs, MAP_PLACES);
    const { cost, ...others } = scene.decision, weighed = cost.kind === "log_odds_uniform";
    const same = JSON.stringify([weighed, others]);
    if (kept.same !== same) {
      const decision = { ...others, cost: weighed ? stakes.logOddsUniform(...scene.costs) : stakes.uniform(...scene.costs) };
      kept = { same, cells: cellsOf(stakes.costMap(scene.models, decision, sides), MAP_PLACES, MAP_PLACES) };
    }
    const { cells } = kept;
    const x = { low: scene.costs[0], high: scene.costs[1], title: "lowest cost of a false alarm", scale: "log_odds", labels: "percent" };
    const inner = sides.slice(1).map((side, k) => stakes.expit((stakes.logit(sides[k]) + stakes.logit(side)) / 2));
    const edges = [sides[0], ...inner, sides.at(-1)];
    const ring = shownBand(scene).map((end) => nearest(sides, end));
    const inside = (band) => band[0] > 0 && band[1] < 1;
    const marks = inside(scene.band) ? [{ x: scene.band[0], y: scene.band[1], css: "here", radius: 6, title: "your range" }] : [];
    const asStated = scene.band[0] === scene.stated[0] && scene.band[1] === scene.stated[1];
    if (!asStated && inside(scene.stated)) marks.unshift({ x: scene.stated[0], y: scene.stated[1], css: "here was", radius: 6, title: "as stated" });
    return {
      key: "cost-map", same,
      summary: `Best choice by the lowest and the highest cost of a false alarm: ${spoken(scene, cells)}`,
      width, height: width, x, y: { ...x, title: "highest cost of a false alarm" },
      lines: [], marks, gutter: 12, ...drawnCells(scene, cells, edges, edges, ring),
    };
  }

  function cellsOf({ winner, margin }, rows, columns) {
    const cells = [];
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        const k = i * columns + j;
        if (winner[k] >= 0) cells.push({ i, j, winner: winner[k], margin: margin[k] });
      }
    }
    return cells;
  }

  const nearest = (sides, end) => {
    const far = sides.map((side) => Math.abs(stakes.logit(side) - stakes.logit(end)));
    return far.indexOf(Math.min(...far));
  };

  function drawnCells(scene, cells, x, y, ring = null) {
    const constant = largest(stakes.regretCurve(stakes.flatten(scene.models[0].there)).y);
    const middles = new Map();
    const polygons = cells.map(({ i, j, winner, margin }) => {
      if (!middles.has(winner)) middles.set(winner, []);
      middles.get(winner).push([i, j]);
      const clear = CLEAR.filter((share) => margin > share * constant).length;
      return [[[x[i], y[j]], [x[i + 1], y[j]], [x[i + 1], y[j + 1]], [x[i], y[j + 1]]], `cell ${scene.ways[winner].css} k${clear}`];
    });
    const large = [...middles].filter(([, places]) => places.length >= NAMED);
    const texts = large.map(([winner, places]) => {
      const [i, j] = middleOf(places, ring);
      return { x: (x[i] + x[i + 1]) / 2, y: (y[j] + y[j + 1]) / 2, text: scene.ways[winner].name, css: "cell-name" };
    });
    return { polygons, texts };
  }

  /** The place of an area that is nearest to its centre, but not where the ring is. */
  function middleOf(places, ring) {
    const [i, j] = [0, 1].map((side) => places.reduce((sum, place) => sum + place[side], 0) / places.length);
    const far = (place) => (place[0] - i) ** 2 + (place[1] - j) ** 2;
    const clear = places.filter(([a, b]) => !ring || Math.abs(a - ring[0]) > WIDE || Math.abs(b - ring[1]) > 1);
    return (clear.length ? clear : places).reduce((best, place) => (far(place) < far(best) ? place : best));
  }

  function spoken(scene, cells) {
    const said = scene.ways.map((model, k) => [model.name, cells.filter((cell) => cell.winner === k).length]);
    return said.filter(([, count]) => count).map(([name, count]) => `${name} in ${words.percent(count / cells.length)} of the map`).join(", ") + ".";
  }

  /* --------------------------------------------------------------------------------------------- cells */

  const WIDTH = 170, HEIGHT = 24, MIDDLE = HEIGHT / 2;

  const cell = (width, ...parts) =>
    charts.element("svg", { class: "cell-picture", "aria-hidden": "true", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` }, ...parts);
  const placed = (value, [low, high], width = WIDTH) => 5 + ((width - 10) * (value - low)) / (high - low);

  /** A number as a dot, its interval, where it is known, as a line, and where the best is as a hairline; beyond the end it is an arrow there. */
  function intervalCell({ regret: estimate, lower, upper }, best, ends, css, width = WIDTH) {
    const first = placed(best, ends, width), parts = [charts.path([[[first, 0], [first, HEIGHT]]], "hairline")];
    if (Number.isFinite(lower) && Number.isFinite(upper) && lower < ends[1]) {
      const tips = [lower, upper].map((end) => [placed(Math.min(Math.max(end, ends[0]), ends[1]), ends, width), MIDDLE]);
      parts.push(charts.path([tips], `whisker ${css}`));
    }
    if (estimate > ends[1]) {
      const tip = width - 1, beyond = [[tip - 7, MIDDLE - 5], [tip, MIDDLE], [tip - 7, MIDDLE + 5]];
      return cell(width, ...parts, charts.path([beyond], `dot ${css}`));
    }
    return cell(width, ...parts, charts.element("circle", { class: `dot ${css}`, cx: placed(estimate, ends, width), cy: MIDDLE, r: 4.5 }));
  }

  /** From where to where the cells of a column go, so that all their numbers can be compared. */
  function endsOf(values) {
    const defined = values.filter(Number.isFinite), low = Math.min(...defined), high = Math.max(...defined);
    const room = 0.03 * (high - low) || 1e-6;
    return [low >= 0 ? Math.max(low - room, 0) : low - room, high + room];
  }

  /** What would be left after recalibration, what that would save, and what no model at all costs. */
  function partsCell(left, saved, constant, top, css) {
    const [start, end, whole, at] = [0, left, left + saved, constant].map((value) => placed(value, [0, top], 2 * WIDTH));
    const bar = (a, b, style) => charts.element("rect", { class: style, x: a, y: 4, width: Math.max(b - a, 0), height: HEIGHT - 8 });
    return cell(2 * WIDTH, bar(start, end, `bar ${css}`), bar(end, whole, `bar saved ${css}`), charts.path([[[at, 0], [at, HEIGHT]]], "constant"));
  }

  const makers = Object.freeze({
    regret: regretChart, difference: differenceChart, benefit: benefitChart, reliability: reliabilityChart, prevalence: prevalenceChart,
    capacity: capacityChart, roc: rocChart, "cost-map": costMap,
  });
  return Object.freeze({ HEIGHT, WIDTH, bandOf, cell, costAxis, curveLine, endsOf, even, intervalCell, isColoured, makers, partsCell, placed, regretOf, sceneOf });
})();
