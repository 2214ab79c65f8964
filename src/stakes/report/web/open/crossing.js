"use strict";
/* Where in a range of costs one of two models is better, and where a sample cannot say: crossing_set and its simultaneous band. */
const crossing = (() => {
  const STEPS = 100, POINTS = 4096, KNOWN = 1e-12, DEVIATE = 1.959963984540054, AT_MOST = 2, HOPELESS = 0.5;
  const { percent } = words;

  /* The places of a range, a hundredth of it apart; neither 0 nor 1 is one. */
  function placesOf(low, high) {
    const step = (high - low) / STEPS, exact = Array.from({ length: STEPS + 1 }, (_, k) => (k === STEPS ? high : low + k * step)), round = exact.map((place) => Math.round(place * 1e14) / 1e14);
    [round[0], round[STEPS]] = [low, high];
    const rises = round.every((place, k) => k === 0 || place > round[k - 1]);
    return (rises ? round : exact).filter((place) => place > 0 && place < 1);
  }

  /* --------------------------------------------------------------------------------------- sums over cases */

  /* Sums over cases by class and by how many places each of two models acts at: their number, weight and squared weight, from above. */
  function tablesOf({ y, weight }, [first, second], places) {
    const size = places.length + 1, met = (score) => stakes.firstRow(places.length, (k) => places[k] > score), cells = 2 * size * size;
    const found = [new Float64Array(cells), weight ? new Float64Array(cells) : null, weight ? new Float64Array(cells) : null];
    for (let row = 0; row < y.length; row++) {
      const cell = ((1 - y[row]) * size + met(first[row])) * size + met(second[row]);
      found[0][cell] += 1;
      if (weight) {
        found[1][cell] += weight[row];
        found[2][cell] += weight[row] ** 2;
      }
    }
    for (const sums of found) if (sums) addUp(sums, size);
    return { size, seen: found[0], weight: found[1] ?? found[0], square: found[2] ?? found[0] };
  }

  function addUp(sums, size) {
    for (let side = 0; side < 2; side++) {
      const at = (i, j) => (side * size + i) * size + j;
      for (let i = size - 1; i >= 0; i--) for (let j = size - 2; j >= 0; j--) sums[at(i, j)] += sums[at(i, j + 1)];
      for (let i = size - 2; i >= 0; i--) for (let j = size - 1; j >= 0; j--) sums[at(i, j)] += sums[at(i + 1, j)];
    }
  }

  /* How much more the first gains than the second at each place, what its cases add, and how it varies. */
  function apart(cases, scores, places) {
    const { counts } = cases, tables = tablesOf(cases, scores, places), { size } = tables, at = (sums, side, i, j) => sums[(side * size + i) * size + j];
    const values = [places.map(() => 1), places.map((cost) => -cost / (1 - cost))], { total } = counts;
    const alone = (sums, side, k, isFirst) => (isFirst ? at(sums, side, k + 1, 0) : at(sums, side, 0, k + 1)) - at(sums, side, k + 1, k + 1);
    const kind = (name, power, k) => [[0, true], [0, false], [1, false], [1, true]].map(([side, isFirst]) => {
      const some = alone(tables.seen, side, k, isFirst) > 0 ? Math.max(alone(tables[name], side, k, isFirst), 0) : 0;
      return some * (Math.abs(values[side][k]) / total) ** power;
    });
    const added = places.map((_, k) => kind("weight", 1, k)), squares = places.map((_, k) => kind("square", 2, k));
    const estimate = added.map(([a, b, c, d]) => a - b + c - d);
    return { places, estimate, added, squares, values, covariance: covarianceOf(cases, tables, values, estimate) };
  }

  function covarianceOf({ y, counts }, { size, square }, values, estimate) {
    const n = estimate.length, at = (side, i, j) => square[(side * size + i) * size + j], moved = new Float64Array(n), all = counts.squareWeights[0] + counts.squareWeights[1];
    for (const side of [0, 1]) for (let k = 0; k < n; k++) moved[k] += values[side][k] * (at(side, k + 1, 0) - at(side, 0, k + 1));
    return estimate.map((_, i) => Float64Array.from(estimate, (__, j) => {
      const later = Math.max(i, j) + 1;
      let product = all * estimate[i] * estimate[j] - estimate[i] * moved[j] - moved[i] * estimate[j];
      for (const side of [0, 1]) product += values[side][i] * values[side][j] * (at(side, later, 0) + at(side, 0, later) - at(side, i + 1, j + 1) - at(side, j + 1, i + 1));
      return (product / counts.total ** 2) * (y.length / (y.length - 1));
    }));
  }

  /* ------------------------------------------------------------------------------------------------- bands */

  /* 1 where the interval at a deviate lies above 0, -1 where below, 0 where it holds 0: only its end towards 0 matters. */
  function sideAt({ places, estimate, added, squares, covariance }, { counts }, k, deviate) {
    const value = estimate[k], variance = covariance[k][k], odds = places[k] / (1 - places[k]);
    if (value === 0 || Math.abs(value) <= HOPELESS * Math.sqrt(Math.max(variance, 0))) return 0;
    const pairs = (four) => [[four[0], four[1]], [four[2], four[3]]], bound = [[1, 1], [odds, odds]], most = Math.max(1, odds);
    const far = sure.reach({ sums: { ...counts, added: pairs(added[k]), squares: pairs(squares[k]) }, variance, room: [value + most, most - value], bound }, deviate, value < 0);
    return far < Math.abs(value) ? Math.sign(value) : 0;
  }

  /* The quantile of the largest of the standardised errors at all places; directions are fixed points. */
  function simultaneous({ places, covariance }, level) {
    const scale = places.map((cost) => 1 - cost), variance = places.map((_, k) => covariance[k][k] * scale[k] ** 2), largest = Math.max(...variance);
    const varies = places.map((_, k) => k).filter((k) => variance[k] > 1e-12 * largest);
    if (!(largest > 0)) return DEVIATE;
    const correlation = varies.map((i) => Float64Array.from(varies, (j) => (covariance[i][j] * scale[i] * scale[j]) / Math.sqrt(variance[i] * variance[j])));
    const { values, vectors } = stakes.eigen(correlation), kept = values.findIndex((value) => value <= KNOWN * values[0]), count = kept < 0 ? values.length : kept;
    const farthest = farthestOf(Array.from({ length: count }, (_, k) => vectors[k].map((one) => one * Math.sqrt(values[k]))), varies.length);
    const covered = (deviate) => farthest.reduce((sum, far) => sum + 1 - sure.chiSquareTail(count, (deviate / far) ** 2), 0) / farthest.length;
    let [low, high] = [DEVIATE, DEVIATE + 3];
    for (let k = 0; k < 14; k++) {
      const middle = (low + high) / 2;
      if (covered(middle) < level) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  /* The largest error at points of length 1. */
  function farthestOf(loads, rows) {
    const found = new Float64Array(POINTS), sums = new Float64Array(rows), deviates = loads.map((_, k) => stakes.deviatesOf(k));
    for (let point = 0; point < POINTS; point++) {
      let length = 0, most = 0;
      sums.fill(0);
      for (let k = 0; k < loads.length; k++) {
        const z = deviates[k][point], load = loads[k];
        length += z * z;
        for (let row = 0; row < rows; row++) sums[row] += z * load[row];
      }
      for (let row = 0; row < rows; row++) most = Math.max(most, Math.abs(sums[row]));
      found[point] = most / Math.sqrt(length);
    }
    return found;
  }

  /* -------------------------------------------------------------------------------------------------- sets */

  /* Stretches between neighbouring places at which something holds, joined: each from its lowest to its highest cost. */
  function rangesOf(places, sides, holds) {
    const found = [];
    for (let k = 0; k + 1 < places.length; k++) {
      if (!holds(sides[k], sides[k + 1])) continue;
      if (found.length && found.at(-1)[1] === places[k]) found.at(-1)[1] = places[k + 1];
      else found.push([places[k], places[k + 1]]);
    }
    return found;
  }

  /* Where the curves of the sample cross, between places at which different models are better. */
  function estimatesOf({ places, estimate }, tables) {
    const told = [...places.keys()].filter((k) => estimate[k] !== 0), curves = tables.map((table) => stakes.decisionCurve(table));
    return told.slice(1).flatMap((k, before) => {
      const last = told[before];
      return Math.sign(estimate[k]) === Math.sign(estimate[last]) ? [] : stakes.crossings(...curves.map((curve) => stakes.between(curve, places[last], places[k])));
    });
  }

  /* The crossing set of two models if a single place tells it; null elsewhere. */
  function setOf(cases, [first, second], range, { level, isRival }) {
    const places = placesOf(...range), pair = apart(cases, [first.scores, second.scores], places), all = [...places.keys()];
    const single = all.map((k) => sideAt(pair, cases, k, DEVIATE));
    if (!single.some((side) => side < 0 || (isRival && side > 0))) return null;
    const deviate = simultaneous(pair, level), sides = all.map((k) => (single[k] ? sideAt(pair, cases, k, deviate) : 0));
    const isA = (a, b) => a > 0 && b > 0, isB = (a, b) => a < 0 && b < 0, isNeither = (a, b) => !isA(a, b) && !isB(a, b);
    return {
      places, estimates: estimatesOf(pair, [first.table, second.table]), set: rangesOf(places, single, isNeither),
      better: [rangesOf(places, sides, isA), rangesOf(places, sides, isB)], unclear: rangesOf(places, sides, isNeither),
    };
  }

  /* ------------------------------------------------------------------------------------------------- words */

  const fromTo = ([low, high]) => (percent(low) === percent(high) ? percent(low) : `${percent(low)} to ${percent(high)}`);
  const inParts = (ranges) => (ranges.length > 2 ? `in ${ranges.length} ranges from ${percent(ranges[0][0])} to ${percent(ranges.at(-1)[1])}` : `at ${ranges.map(fromTo).join(" and ")}`);

  /* The costs of some ranges within those asked about. */
  function whereSaid(ranges, { places }) {
    const [[low, high]] = ranges;
    if (ranges.length === 1 && low === places[0]) return `below ${percent(high)}`;
    if (ranges.length === 1 && high === places.at(-1)) return `above ${percent(low)}`;
    return inParts(ranges);
  }

  const restSaid = (ranges, { places }) => (ranges.length > 1 ? "elsewhere" : ranges[0][0] === places[0] ? "below" : ranges[0][1] === places.at(-1) ? "above" : "between");

  function placesSaid(costs) {
    const texts = [...new Set(costs.map(percent))];
    return texts.length <= 2 ? texts.join(" and ") : `${costs.length} costs from ${texts[0]} to ${texts.at(-1)}`;
  }

  /* The crossings, and the parts of their set, that lie between claims for different models. */
  function betweenClaims({ better, estimates, set }) {
    const claims = better.flatMap((ranges, which) => ranges.map(([low, high]) => ({ low, high, which }))).sort((a, b) => a.low - b.low || a.high - b.high);
    const gaps = claims.slice(1).flatMap((next, k) => (next.which === claims[k].which ? [] : [[claims[k].high, next.low]]));
    const inside = (low, high) => gaps.some(([start, end]) => start <= low && high <= end);
    return [estimates.filter((cost) => inside(cost, cost)), set.filter((one) => inside(...one))];
  }

  function statement(found, [first, other], level) {
    const [a, b] = found.better, names = [first, other].map(told.called);
    if (a.length && b.length) {
      const [at, pieces] = betweenClaims(found);
      return { kind: "crossing", evidence: "cost", values: { other: names[1], best: names[0], other_where: whereSaid(b, found), best_where: whereSaid(a, found), cost: placesSaid(at), set: inParts(pieces), level } };
    }
    const ranges = a.length ? a : b, [better, worse] = a.length ? names : [names[1], names[0]];
    if (!ranges.length) return null;
    if (!found.unclear.length) return { kind: "better-throughout", evidence: "cost", values: { better, worse, level } };
    return { kind: "better-in-part", evidence: "cost", values: { better, worse, level, where: whereSaid(ranges, found), rest: restSaid(found.unclear, found) } };
  }

  const isConstant = ({ table }) => table.length === 1;

  /* At which costs another model is better than the best, or the best than its closest rival. */
  function* findings({ cases, counts, decision: { cost }, level, lines, wayOf }) {
    const [first, ...others] = lines.filter((line) => !line.reference);
    if (cost.kind === "at" || cases.y.length < 2) return;
    let said = 0;
    for (const [k, other] of others.entries()) {
      const pair = [wayOf(first), wayOf(other)];
      const found = pair.every(isConstant) ? null : setOf({ ...cases, counts }, pair, [cost.low, cost.high], { level, isRival: k === 0 });
      if (found && (found.better[1].length || k === 0)) {
        said += Number(found.better[1].length > 0);
        const one = statement(found, [first, other], words.percent(level));
        if (one) yield one;
      }
      if (said === AT_MOST) return;
    }
  }

  return Object.freeze({ findings });
})();
