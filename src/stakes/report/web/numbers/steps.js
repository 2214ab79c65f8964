"use strict";
/* Which threshold serves which costs, freely or within limits, and what that costs.

   Steps over the cost: from edge[k] (left out) to edge[k + 1] (included) a threshold with so many hits and false alarms. */
Object.assign(stakes, (() => {
  const { clip, firstRow, Hull, hull, law, remembered, reversed } = stakes;

  /* Values between 0 and 1 with both ends added. */
  function betweenEnds(values) {
    const edge = new Float64Array(values.length + 2);
    edge.set(values, 1);
    edge[edge.length - 1] = 1;
    return edge;
  }

  /* Each decision at the threshold that its cost asks for. */
  const scoreSteps = remembered((owner) => ({
    edge: betweenEnds(owner.score),
    hits: owner.hits.slice().reverse(),
    falseAlarms: owner.falseAlarms.slice().reverse(),
    threshold: null, // the cost itself
    owner,
  }));

  /* Each decision at the best of the thresholds on a hull, from the lowest threshold to none. */
  function hullSteps(owner, { share, index, length }) {
    const [hits, falseAlarms, alarms, threshold] = [0, 0, 0, Infinity].map((none) => new Float64Array(length + 1).fill(none));
    for (let step = 0; step < length; step++) {
      const k = index[length - 1 - step];
      hits[step] = owner.hits[k];
      falseAlarms[step] = owner.falseAlarms[k];
      alarms[step] = owner.alarms[k];
      threshold[step] = owner.score[owner.length - k];
    }
    return { edge: betweenEnds(reversed(share, length)), hits, falseAlarms, alarms, threshold, owner };
  }

  const freeSteps = remembered((owner) => hullSteps(owner, hull(owner)));

  /* Mean regret of steps over a belief about the cost. */
  function regretOfSteps({ edge, hits, falseAlarms, owner }, costs) {
    const { massWithin, partWithin } = law(costs);
    const last = hits.length - 1;
    const first = firstRow(last, (k) => edge[k + 1] >= costs.low);
    let sum = 0;
    for (let k = first; k <= last && (k === first || edge[k] < costs.high); k++) {
      const from = k ? edge[k] : -1;
      const to = k < last ? edge[k + 1] : 2;
      const part = partWithin(from, to);
      sum += part * falseAlarms[k] + (massWithin(from, to) - part) * (owner.positiveTotal - hits[k]);
    }
    return sum / owner.total;
  }

  /* ------------------------------------------------------------------------------------------------- limits */

  const hasLimits = ({ capacity = null, min_precision: precision = null }) => (capacity ?? 1) < 1 || precision > 0;

  /* Whether so many alarms can be answered, and are precise enough; ties are, and no alarms too. Both quotients are
     rounded once and compared as they are. */
  const fewEnough = (alarms, total, capacity) => capacity === null || capacity === 1 || alarms / total <= capacity;
  const preciseEnough = (hits, alarms, precision) => precision === null || alarms === 0 || hits / alarms >= precision;

  function isAllowed(hits, falseAlarms, total, { capacity = null, min_precision: precision = null }) {
    const alarms = falseAlarms + hits;
    return fewEnough(alarms, total, capacity) && preciseEnough(hits, alarms, precision);
  }

  /* A capacity is about everyone, a precision about those whose outcome is known. */
  const thresholdIsAllowed = ({ hits, falseAlarms, alarms, people }, k, { capacity = null, min_precision: precision = null }) =>
    fewEnough(alarms[k], people, capacity) && preciseEnough(hits[k], falseAlarms[k] + hits[k], precision);

  /* The best thresholds at each cost among those that the limits allow: the hull of these. */
  function bestSteps(owner, limits) {
    if (!hasLimits(limits)) return freeSteps(owner);
    const { hits, falseAlarms, length } = owner;
    const limited = new Hull(length);
    for (let k = 1, last = 0; k <= length; k++) {
      if (!thresholdIsAllowed(owner, k, limits)) continue;
      limited.add(hits[k] - hits[last], falseAlarms[k] - falseAlarms[last], k);
      last = k;
    }
    return hullSteps(owner, limited);
  }

  const quotient = (above, below) => (below === 0 ? NaN : above / below);

  /* Which steps serve within the range of the costs. */
  function serving({ edge, hits }, { low, high }) {
    const last = hits.length - 1;
    const from = (k) => (k ? edge[k] : -1);
    const to = (k) => (k < last ? edge[k + 1] : 2);
    const serves =
      low === high
        ? (k) => from(k) < low && low <= to(k)
        : (k) => clip(from(k), low, high) < clip(to(k), low, high);
    return Array.from(hits.keys()).filter(serves).map((k) => ({ k, from: from(k), to: to(k) }));
  }

  /* Which threshold to use at which cost: columns with one element a step, and the mean regret. */
  function bestThresholds(owner, costs, limits) {
    const steps = bestSteps(owner, limits);
    const { hits, falseAlarms, alarms, threshold } = steps;
    const { massWithin, partWithin } = law(costs);
    const served = serving(steps, costs);
    const column = (value) => Float64Array.from(served, value);
    const share = column(({ from, to }) => massWithin(from, to));
    const regret = column(({ k, from, to }, step) => {
      const part = partWithin(from, to);
      const sum = part * falseAlarms[k] + (share[step] - part) * (owner.positiveTotal - hits[k]);
      return quotient(sum / owner.total, share[step]);
    });
    return {
      low: column(({ from }, step) => (step ? from : costs.low)),
      high: column(({ to }, step) => (step < served.length - 1 ? to : costs.high)),
      threshold: column(({ k }) => threshold[k]),
      share,
      falsePositiveRate: column(({ k }) => quotient(falseAlarms[k], owner.negativeTotal)),
      recall: column(({ k }) => quotient(hits[k], owner.positiveTotal)),
      precision: column(({ k }) => quotient(hits[k], hits[k] + falseAlarms[k])),
      alarmsPerThousand: column(({ k }) => (1000 * alarms[k]) / owner.people),
      regret,
      meanRegret: share.reduce((sum, mass, step) => (mass > 0 ? sum + mass * regret[step] : sum), 0),
    };
  }

  /* Which thresholds meet the limits (1: it does), from never to alarm to acting on every score. */
  const feasible = (owner, limits) => Uint8Array.from(owner.hits, (_, k) => Number(thresholdIsAllowed(owner, k, limits)));

  /* The largest share of the positives that a threshold within the limits finds. */
  function maxFeasibleRecall(owner, limits) {
    const allowed = feasible(owner, limits);
    const most = owner.hits.reduce((found, hits, k) => (allowed[k] ? Math.max(found, hits) : found), 0);
    return quotient(most, owner.positiveTotal);
  }

  /* The largest precision of a threshold that alarms and is within the capacity; NaN where none is. */
  function largestPrecision(owner, { capacity = null }) {
    let largest = NaN;
    for (let k = 1; k <= owner.length; k++) {
      const precision = owner.hits[k] / (owner.hits[k] + owner.falseAlarms[k]);
      if (thresholdIsAllowed(owner, k, { capacity }) && !(precision <= largest)) largest = precision;
    }
    return largest;
  }

  return {
    betweenEnds, scoreSteps, freeSteps, hullSteps, bestSteps, regretOfSteps,
    hasLimits, isAllowed, thresholdIsAllowed, bestThresholds, feasible, maxFeasibleRecall, largestPrecision,
  };
})());
