"use strict";
/* Curves {x, y, threshold, weight, atJump}: points in ascending x, a jump being two points with one x. Between two points a
   curve is straight or, when it has a weight, the ratio of two straight lines: y times weight, and the weight. */
Object.assign(stakes, (() => {
  const { betweenEnds, blocks, clip, firstRow, freeSteps, hull, neededPrevalence, remembered, scoreSteps } = stakes;

  const curve = (x, y, threshold, weight = null, atJump = "before") => Object.freeze({ x, y, threshold, weight, atJump });

  /* A curve of so many points, each column a function of the point's number. */
  function drawn(points, atJump, columns) {
    const filled = Object.fromEntries(
      Object.entries(columns).map(([name, value]) => {
        const column = new Float64Array(points);
        for (let point = 0; point < points; point++) column[point] = value(point);
        return [name, column];
      }),
    );
    return curve(filled.x, filled.y, filled.threshold, filled.weight ?? null, atJump);
  }

  /* ------------------------------------------------------------------------------------------- over the cost */

  const ALMOST_ONE = 1 - 2 ** -53; // net benefit exists up to, not at, a cost of 1

  /* Curve of a value of the cost and of the weights of false alarms, hits and misses: two points for each step. */
  function overSteps({ edge, hits, falseAlarms, threshold, owner }, value, { weight, high = 1 } = {}) {
    const steps = hits.length;
    // A score of 0 leaves of its step the cost 0 alone, a score of 1 leaves nothing of the last.
    const first = steps > 1 && edge[1] <= 0 ? 1 : 0;
    const points = 2 * (steps > 1 && edge[steps - 1] >= high ? steps - 1 : steps) - first;
    const step = (point) => (point + first) >> 1;
    const cost = (point) => Math.min(edge[step(point) + ((point + first) & 1)], high);
    const y = (point) => {
      const k = step(point);
      const misses = owner.positiveTotal - hits[k];
      return value(cost(point), falseAlarms[k] / owner.total, hits[k] / owner.total, misses / owner.total);
    };
    const columns = { x: cost, y, threshold: threshold === null ? cost : (point) => threshold[step(point)] };
    return drawn(points, "before", weight ? { ...columns, weight: (point) => weight(cost(point)) } : columns);
  }

  const regretValue = (cost, alarms, _, misses) => cost * alarms + (1 - cost) * misses;
  const brierValue = (cost, alarms, _, misses) => 2 * (cost * alarms + (1 - cost) * misses);
  const benefitValue = (cost, alarms, hits) => hits - (cost / (1 - cost)) * alarms;
  const ofNegatives = { weight: (cost) => 1 - cost, high: ALMOST_ONE };

  const regretCurve = remembered((owner) => overSteps(scoreSteps(owner), regretValue));
  const bestRegretCurve = remembered((owner) => overSteps(freeSteps(owner), regretValue));
  const brierCurve = remembered((owner) => overSteps(scoreSteps(owner), brierValue));
  const costCurve = remembered((owner) => overSteps(freeSteps(owner), brierValue));
  const decisionCurve = remembered((owner) => overSteps(scoreSteps(owner), benefitValue, ofNegatives));
  const bestDecisionCurve = remembered((owner) => overSteps(freeSteps(owner), benefitValue, ofNegatives));

  /* One threshold at every cost: that which acts on the k highest scores. */
  const fixedStep = (owner, k, threshold) => ({
    edge: Float64Array.of(0, 1),
    hits: owner.hits.slice(k, k + 1),
    falseAlarms: owner.falseAlarms.slice(k, k + 1),
    threshold: Float64Array.of(threshold),
    owner,
  });
  const treatAll = (owner) => overSteps(fixedStep(owner, owner.length, -Infinity), benefitValue, ofNegatives);
  const treatNone = (owner) => overSteps(fixedStep(owner, 0, Infinity), benefitValue, ofNegatives);

  /* ------------------------------------------------------------------------------ ROC, calibration, prevalence */

  const thresholdAt = (owner, k) => (k ? owner.score[owner.length - k] : Infinity);

  /* Rates at thresholds, the point-th of which acts on so many of the highest scores. */
  const rates = (owner, points, count) =>
    drawn(points, "after", {
      x: (point) => owner.falseAlarms[count(point)] / owner.negativeTotal,
      y: (point) => owner.hits[count(point)] / owner.positiveTotal,
      threshold: (point) => thresholdAt(owner, count(point)),
    });

  const rocCurve = remembered((owner) => rates(owner, owner.length + 1, (point) => point));
  const rocHull = remembered((owner) => {
    const { index, length } = hull(owner);
    return rates(owner, length + 1, (point) => (point ? index[point - 1] : 0));
  });

  /* Share of positives over the score: flat over each block of the isotonic fit, joined where there are no data. */
  const reliabilityCurve = remembered((owner) => {
    const { start, positive, negative } = blocks(owner);
    const points = [];
    start.forEach((row, k) => {
      const end = (k + 1 < start.length ? start[k + 1] : owner.length) - 1;
      points.push([row, k], ...(end > row ? [[end, k]] : []));
    });
    const score = (point) => owner.score[points[point][0]];
    const share = (point) => positive[points[point][1]] / (positive[points[point][1]] + negative[points[point][1]]);
    return drawn(points.length, "before", { x: score, y: share, threshold: score });
  });

  /* What share of each class falls into each of so many bins of the score; one on an edge belongs to the bin above. */
  const scoreHistograms = remembered((owner, bins) => {
    const edge = Float64Array.from({ length: bins + 1 }, (_, k) => (k === bins ? 1 : k * (1 / bins)));
    const [positive, negative] = [new Float64Array(bins), new Float64Array(bins)];
    for (let row = 0, bin = 0; row < owner.length; row++) {
      while (bin < bins - 1 && edge[bin + 1] <= owner.score[row]) bin += 1;
      positive[bin] += owner.positive[row] / owner.positiveTotal;
      negative[bin] += owner.negative[row] / owner.negativeTotal;
    }
    return Object.freeze({ edge, positive, negative });
  });

  /* Over the prevalence, at one cost, by someone who knows the prevalence and corrects the scores for it. */
  function overPrevalence(owner, cost, value) {
    const rows = owner.length;
    const edge = betweenEnds(new Float64Array(rows));
    for (let k = 1; k <= rows; k++) {
      const score = owner.score[rows - k];
      const needed = score === cost ? owner.prevalence : neededPrevalence(score, owner.prevalence, cost);
      edge[k] = Math.max(edge[k - 1], needed); // rounding must not move a tie, nor make neighbours change places
    }
    // A score of 1 acts from prevalence 0 on, so that nothing is left of the first step; a score of 0 acts at 1 only.
    const first = owner.score[rows - 1] === 1 ? 2 : 0;
    const points = 2 * (rows + 1) - (owner.score[0] === 0 ? 1 : 0) - first;
    const step = (point) => (point + first) >> 1;
    const x = (point) => edge[step(point) + (point & 1)];
    const alarmRate = (point) => owner.falseAlarms[step(point)] / owner.negativeTotal;
    const hitRate = (point) => owner.hits[step(point)] / owner.positiveTotal;
    const y = (point) => value(x(point), alarmRate(point), hitRate(point));
    return drawn(points, "after", { x, y, threshold: (point) => thresholdAt(owner, step(point)) });
  }

  const accuracyCurve = remembered((owner) =>
    overPrevalence(owner, 0.5, (share, alarms, hits) => share * hits + (1 - share) * (1 - alarms)),
  );
  const shiftedNetBenefitCurve = remembered((owner, cost) =>
    overPrevalence(owner, cost, (share, alarms, hits) => share * hits - (cost / (1 - cost)) * (1 - share) * alarms),
  );

  /* --------------------------------------------------------------------------------------- reading a curve */

  /* A part (0 to 1) of the way along a piece; from the end nearer to zero, as the other may be enormous. */
  function blend({ y, weight }, from, to, part) {
    const first = weight ? (1 - part) * weight[from] : 1 - part;
    const last = weight ? part * weight[to] : part;
    const share = first + last > 0 ? last / (first + last) : part;
    const rest = first + last > 0 ? first / (first + last) : 1 - part;
    const up = y[to] - y[from];
    return Math.abs(y[from]) <= Math.abs(y[to]) ? y[from] + share * up : y[to] - rest * up;
  }

  /* Value just before x: at a jump, what it jumps from. */
  function valueBefore(line, x) {
    const row = firstRow(line.x.length, (k) => line.x[k] >= x);
    if (row === line.x.length || x < line.x[0]) return NaN;
    if (line.x[row] === x) return line.y[row];
    return blend(line, row - 1, row, (x - line.x[row - 1]) / (line.x[row] - line.x[row - 1]));
  }

  /* Value just after x: at a jump, what it jumps to. */
  function valueAfter(line, x) {
    const row = firstRow(line.x.length, (k) => line.x[k] > x) - 1;
    if (row < 0 || x > line.x[line.x.length - 1]) return NaN;
    if (line.x[row] === x) return line.y[row];
    return blend(line, row, row + 1, (x - line.x[row]) / (line.x[row + 1] - line.x[row]));
  }

  /* Value of a curve, exactly; at a jump the value before it, or after it where the curve says so. */
  const valueAt = (line, x) => (line.atJump === "before" ? valueBefore(line, x) : valueAfter(line, x));

  /* The part of a curve from `low` to `high`, with a point at each end; a jump at `low` stays. */
  function between(line, low, high) {
    let first = firstRow(line.x.length, (k) => line.x[k] >= low);
    let last = firstRow(line.x.length, (k) => line.x[k] > high);
    if (first > 0 && line.x[first] > low) first -= 1;
    if (last < line.x.length && line.x[last - 1] < high) last += 1;
    const column = (values) => values.slice(first, last);
    const x = column(line.x).map((value) => clip(value, low, high));
    const part = curve(x, column(line.y), column(line.threshold), line.weight && column(line.weight), line.atJump);
    for (const end of [0, x.length - 1]) {
      if (x[end] === line.x[first + end]) continue;
      part.y[end] = valueAt(line, x[end]);
      if (part.weight) part.weight[end] = valueBefore({ x: line.x, y: line.weight, weight: null }, x[end]);
    }
    return part;
  }

  /* --------------------------------------------------------------------------------------------- crossings */

  const NOISE = 32 * 2 ** -52; // differences within this share of the largest value are rounding, not a lead

  /* Where either of two curves has a point, from where both begin to where both end. */
  function knotsOf(a, b) {
    const low = Math.max(a.x[0], b.x[0]);
    const high = Math.min(a.x[a.x.length - 1], b.x[b.x.length - 1]);
    const knots = new Float64Array(a.x.length + b.x.length); // not a spread: many would not fit the stack
    knots.set(a.x);
    knots.set(b.x, a.x.length);
    return knots.sort().filter((x, k) => x >= low && x <= high && x !== knots[k - 1]);
  }

  /* Values of a straight curve just before and just after each of ascending knots, in one walk. */
  function sidesOf(line, knots) {
    const { x, y } = line;
    const [before, after] = [new Float64Array(knots.length), new Float64Array(knots.length)];
    for (let k = 0, first = 0, last = 0; k < knots.length; k++) {
      while (x[first] < knots[k]) first += 1;
      while (last + 1 < x.length && x[last + 1] <= knots[k]) last += 1;
      const between = () => blend(line, first - 1, first, (knots[k] - x[first - 1]) / (x[first] - x[first - 1]));
      before[k] = x[first] === knots[k] ? y[first] : between();
      after[k] = x[first] === knots[k] ? y[last] : before[k];
    }
    return { before, after };
  }

  /* Where each of two straight curves leads: [start of a stretch, sign of their difference there], ascending. */
  function leadsOf(a, b) {
    const knots = knotsOf(a, b);
    const noise = NOISE * [a, b].reduce((most, { y }) => y.reduce((top, v) => Math.max(top, Math.abs(v)), most), 0);
    const sign = (difference, least = noise) => (Math.abs(difference) <= least ? 0 : Math.sign(difference));
    const [ofA, ofB] = [sidesOf(a, knots), sidesOf(b, knots)];
    const start = valueAt(a, knots[0]);
    const leads = [[knots[0], sign(start - valueAt(b, knots[0]), noise + NOISE * Math.abs(start))]];
    for (let k = 1; k < knots.length; k++) {
      const first = ofA.after[k - 1] - ofB.after[k - 1];
      const last = ofA.before[k] - ofB.before[k];
      const root = first * last < 0 ? first / (first - last) : 1;
      const halfWay = (part) => first + part * (last - first);
      leads.push([knots[k - 1], sign(halfWay(root / 2))]);
      if (root < 1) leads.push([knots[k - 1] + root * (knots[k] - knots[k - 1]), sign(halfWay((1 + root) / 2))]);
    }
    return leads;
  }

  /* Where one of two straight curves overtakes the other, ascending; to touch and part again is not to cross. */
  function crossings(a, b) {
    const led = leadsOf(a, b).filter(([, sign]) => sign !== 0);
    return led.filter(([, sign], k) => k > 0 && sign !== led[k - 1][1]).map(([x]) => x);
  }

  return {
    regretCurve, bestRegretCurve, brierCurve, costCurve, decisionCurve, bestDecisionCurve, treatAll, treatNone,
    rocCurve, rocHull, reliabilityCurve, scoreHistograms, accuracyCurve, shiftedNetBenefitCurve,
    valueAt, between, crossings,
  };
})());
