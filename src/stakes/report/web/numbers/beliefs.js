"use strict";
/* The numbers of the live report, computed in the page from tables of scores.

   Every function repeats what the Python package defines under the same name, with the same rules: one acts iff
   score >= threshold, a false alarm at cost proportion c costs c and a miss 1 - c, a regret is the mean over all cases.

   A table holds each distinct score, ascending, with the weight of positives and of negatives that got it.
   A belief about a number in (0, 1) is {kind, low, high}, its kind "at" (low is high), "uniform" or "log_odds_uniform".
   A decision is {cost, prevalence, capacity, min_precision}: a belief, a belief or null, and two limits or null.
   Models are [{name, table}, ...]. Nothing here reads or writes the page. */
const stakes = {};

/* Beliefs about a number in (0, 1), and what they charge a score for as costs. */
Object.assign(stakes, (() => {
  const at = (value) => ({ kind: "at", low: value, high: value });
  const uniform = (low, high) => ({ kind: "uniform", low, high });
  const logOddsUniform = (low, high) => ({ kind: "log_odds_uniform", low, high });

  const clip = (x, low, high) => (x < low ? low : x > high ? high : x);
  const logit = (p) => Math.log(p) - Math.log1p(-p);
  const expit = (z) => (z < 0 ? Math.exp(z) / (1 + Math.exp(z)) : 1 / (1 + Math.exp(-z)));

  /* How far apart two probabilities are in log-odds: log1p of their distance keeps the digits of a narrow range. */
  const logOddsBetween = (low, high) => Math.log1p((high - low) / low) + Math.log1p((high - low) / (1 - high));

  const laws = {
    at: ({ low: value }) => ({
      mean: value,
      lossIfPositive: (score) => (score < value ? 1 - value : 0),
      lossIfNegative: (score) => (score >= value ? value : 0),
      shareAbove: (x) => (x < value ? 1 : 0),
      massWithin: (from, to) => (from < value && value <= to ? 1 : 0),
      partWithin: (from, to) => (from < value && value <= to ? value : 0),
    }),
    uniform: ({ low, high }) => {
      const half = 0.5 / (high - low);
      return {
        mean: (low + high) / 2,
        lossIfPositive: (score) => {
          const z = clip(score, low, high);
          return (high - z) * half * (1 - high + (1 - z));
        },
        lossIfNegative: (score) => {
          const z = clip(score, low, high);
          return (z - low) * half * (z + low);
        },
        shareAbove: (x) => (high - clip(x, low, high)) / (high - low),
        massWithin: (from, to) => (clip(to, low, high) - clip(from, low, high)) / (high - low),
        partWithin: (from, to) => {
          const a = clip(from, low, high);
          const b = clip(to, low, high);
          return (b - a) * half * (b + a);
        },
      };
    },
    log_odds_uniform: ({ low, high }) => {
      const length = logOddsBetween(low, high);
      return {
        mean: Math.log1p((high - low) / (1 - high)) / length,
        lossIfPositive: (score) => {
          const z = clip(score, low, high);
          return Math.log1p((high - z) / z) / length;
        },
        lossIfNegative: (score) => {
          const z = clip(score, low, high);
          return Math.log1p((z - low) / (1 - z)) / length;
        },
        shareAbove: (x) => logOddsBetween(clip(x, low, high), high) / length,
        massWithin: (from, to) => logOddsBetween(clip(from, low, high), clip(to, low, high)) / length,
        partWithin: (from, to) => {
          const b = clip(to, low, high);
          return Math.log1p((b - clip(from, low, high)) / (1 - b)) / length;
        },
      };
    },
  };

  /* The law of a belief: its mean, what it charges a positive and a negative for their score, the probability above a
     value, and of what is above `from` and up to `to` the probability (`massWithin`) and its part of the mean. */
  function law(belief) {
    if (!Object.hasOwn(laws, belief.kind)) throw new TypeError(`no formula for a belief of kind "${belief.kind}"`);
    return laws[belief.kind](belief);
  }

  const mean = (belief) => law(belief).mean;
  const lossIfPositive = (belief, score) => law(belief).lossIfPositive(score);
  const lossIfNegative = (belief, score) => law(belief).lossIfNegative(score);
  const shareAbove = (belief, x) => law(belief).shareAbove(x);

  return {
    at, uniform, logOddsUniform, clip, logit, expit, logOddsBetween,
    law, mean, lossIfPositive, lossIfNegative, shareAbove,
  };
})());
