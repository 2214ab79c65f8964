"use strict";
/* Tables of scores, and from one table to another: another prevalence, no model, recalibrated. */
Object.assign(stakes, (() => {
  const { mean } = stakes;

  /* Weight from the highest score down: the k-th is that of the k highest scores. */
  function countsFromTop(weight) {
    const rows = weight.length;
    const counts = new Float64Array(rows + 1);
    for (let k = 0; k < rows; k++) counts[k + 1] = counts[k] + weight[rows - 1 - k];
    return counts;
  }

  /* People by score, where rows hold censoring weights: some may have a score that is in no row. */
  function headsOf(score, everyone) {
    const above = countsFromTop(everyone);
    return Object.freeze({ score, everyone, above, total: above[above.length - 1] });
  }

  /* People acted on at each threshold of a table; rows count them themselves where there are no heads. */
  function alarmsOf(score, hits, falseAlarms, heads) {
    if (!heads) return hits.map((found, k) => falseAlarms[k] + found);
    const rows = score.length, all = heads.score.length;
    let many = 0;
    return hits.map((_, k) => {
      while (k && many < all && heads.score[all - 1 - many] >= score[rows - k]) many += 1;
      return heads.above[many];
    });
  }

  /* A table from its columns, with its totals and, from the top, its hits, false alarms and alarms at every threshold. */
  function table({ score, positive, negative, everyone = null, everyone_score: own = score }) {
    const hits = countsFromTop(positive);
    const falseAlarms = countsFromTop(negative);
    const positiveTotal = hits[hits.length - 1];
    const negativeTotal = falseAlarms[falseAlarms.length - 1];
    const heads = everyone && headsOf(own, everyone);
    return Object.freeze({
      score: Float64Array.from(score),
      positive: Float64Array.from(positive),
      negative: Float64Array.from(negative),
      length: score.length,
      hits,
      falseAlarms,
      alarms: alarmsOf(score, hits, falseAlarms, heads),
      heads,
      people: heads ? heads.total : positiveTotal + negativeTotal,
      positiveTotal,
      negativeTotal,
      total: positiveTotal + negativeTotal,
      prevalence: positiveTotal / (positiveTotal + negativeTotal),
    });
  }

  /* The rows of a table, one for each score that a row or a head has. */
  function rowsOf({ score, positive, negative, heads }) {
    const rows = new Map([...score].map((at, k) => [at, { score: at, positive: positive[k], negative: negative[k] }]));
    heads?.score.forEach((at, k) => rows.set(at, { score: at, positive: 0, negative: 0, ...rows.get(at), everyone: heads.everyone[k] }));
    return [...rows.values()].sort((a, b) => a.score - b.score);
  }

  const hasBothClasses = (owner) => owner.positiveTotal > 0 && owner.negativeTotal > 0;

  /* A function of a table, and of a key if it has one, that remembers its last result for each table. */
  function remembered(compute) {
    const known = new WeakMap();
    return (owner, key) => {
      const last = known.get(owner);
      if (last !== undefined && last.key === key) return last.result;
      const result = compute(owner, key);
      known.set(owner, { key, result });
      return result;
    };
  }

  /* First row at which a condition holds that holds from there on. */
  function firstRow(rows, holds) {
    let low = 0;
    let high = rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /* ------------------------------------------------------------------------------------ another prevalence */

  /* A score moved from one prevalence to another: its odds are multiplied by the ratio of theirs. */
  function shiftedScore(score, origin, target) {
    const up = score * (target * (1 - origin));
    return up / (up + (1 - score) * (origin * (1 - target)));
  }

  /* The prevalence from which on a score is acted on at a cost. */
  function neededPrevalence(score, origin, cost) {
    const against = cost * (1 - score) * origin;
    return against / (against + (1 - cost) * score * (1 - origin));
  }

  /* Ascending rows, those with one score added up. */
  function pooled(score, positive, negative) {
    let last = -1;
    for (let row = 0; row < score.length; row++) {
      if (last >= 0 && score[last] === score[row]) {
        positive[last] += positive[row];
        negative[last] += negative[row];
      } else {
        last += 1;
        score[last] = score[row];
        positive[last] = positive[row];
        negative[last] = negative[row];
      }
    }
    const [s, p, n] = [score, positive, negative].map((column) => column.subarray(0, last + 1));
    return table({ score: s, positive: p, negative: n });
  }

  /* Whether a prevalence is the sample's own; a risk of followed people that is rounded is the same one. */
  const isOwn = (owner, prevalence) =>
    prevalence === owner.prevalence || (owner.heads !== null && Math.abs(prevalence - owner.prevalence) <= 1e-12 * Math.max(prevalence, owner.prevalence));

  /* A sample where positives are rarer or more common: scores corrected for it, classes weighed anew. People whose
     class is not known have no place in it, so that its rows count alarms. */
  const atPrevalence = remembered((owner, prevalence) => {
    if (isOwn(owner, prevalence)) return owner; // rounding must not move a score off a threshold it equals
    const up = (prevalence * owner.total) / owner.positiveTotal;
    const down = ((1 - prevalence) * owner.total) / owner.negativeTotal;
    const score = owner.score.map((s) => shiftedScore(s, owner.prevalence, prevalence));
    // Rounding may make neighbours equal, but must not make them change places.
    for (let row = 1; row < score.length; row++) score[row] = Math.max(score[row], score[row - 1]);
    return pooled(score, owner.positive.map((p) => p * up), owner.negative.map((n) => n * down));
  });

  /* The threshold of scores as they were given, for one of scores corrected from the sample's prevalence. */
  function asGiven(threshold, decision, sampled) {
    if (!decision.prevalence || threshold === Infinity) return threshold;
    return shiftedScore(threshold, mean(decision.prevalence), sampled);
  }

  /* A table where it will be used: at the mean prevalence that a decision believes in. */
  const there = (owner, decision) => (decision.prevalence ? atPrevalence(owner, mean(decision.prevalence)) : owner);

  /* Everyone gets the prevalence as score: the best that can be done without a model. */
  const flatten = remembered((owner) =>
    table({ score: [owner.prevalence], positive: [owner.positiveTotal], negative: [owner.negativeTotal] }),
  );

  /* ---------------------------------------------------------------------- the hull, and what it recalibrates */

  /* Blocks from the highest score down whose shares of positives fall strictly: the segments of the ROC hull. */
  class Hull {
    constructor(most) {
      this.positive = new Float64Array(most);
      this.negative = new Float64Array(most);
      this.share = new Float64Array(most);
      this.index = new Int32Array(most); // on how many of the highest scores one acts at the end of each block
      this.length = 0;
    }

    /* Add a step down the scores: it takes in every block before it whose share is not larger. */
    add(positive, negative, index) {
      if (positive + negative === 0) return;
      let share = positive / (positive + negative);
      while (this.length && this.share[this.length - 1] <= share) {
        this.length -= 1;
        positive += this.positive[this.length];
        negative += this.negative[this.length];
        share = positive / (positive + negative);
      }
      this.positive[this.length] = positive;
      this.negative[this.length] = negative;
      this.share[this.length] = share;
      this.index[this.length] = index;
      this.length += 1;
    }
  }

  const hull = remembered((owner) => {
    const whole = new Hull(owner.length);
    const { positive, negative, length } = owner;
    for (let k = 1; k <= length; k++) whole.add(positive[length - k], negative[length - k], k);
    return whole;
  });

  const reversed = (column, length) => column.slice(0, length).reverse();

  /* Blocks of the isotonic fit (pool adjacent violators), ascending: the row each starts at, and its weights. */
  function blocks(owner) {
    const { index, positive, negative, length } = hull(owner);
    return {
      start: reversed(index, length).map((k) => owner.length - k),
      positive: reversed(positive, length),
      negative: reversed(negative, length),
    };
  }

  /* Each score replaced by the share of positives in its block. */
  const recalibrate = remembered((owner) => {
    const { share, length } = hull(owner);
    return table({ ...blocks(owner), score: reversed(share, length) });
  });

  return {
    table, rowsOf, isOwn, hasBothClasses, remembered, firstRow, shiftedScore, neededPrevalence, atPrevalence, asGiven, there, flatten,
    Hull, hull, reversed, blocks, recalibrate,
  };
})());
