"use strict";
/* Regret where positives are rarer or more common than in the sample, known exactly or believed to lie in a range. */
Object.assign(stakes, (() => {
  const { atPrevalence, clip, expectedRegret, expit, firstRow, law, logit, logOddsBetween } = stakes;
  const { neededPrevalence, remembered, shiftedScore, weighted } = stakes;

  const TAIL = 41; // log-odds beyond which a bounded density holds nothing that can be seen
  const PANEL = 6; // in log-odds: the integrands are analytic up to pi off the real line, so that the rule is exact
  const PIECE = 4; // longest piece of a tabulated function, in log-odds
  const DIGITS = 31; // natural logarithm of how far below its largest value a tabulated function is exact

  /* -------------------------------------------------------------------------------- integrals, and a table of them */

  /* A Legendre polynomial and its slope, by the recurrence of three terms. */
  function legendre(degree, x) {
    let before = 0;
    let value = 1;
    for (let n = 1; n <= degree; n++) {
      const next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
      before = value;
      value = next;
    }
    return { value, slope: (degree * (x * value - before)) / (x * x - 1) };
  }

  /* Nodes and weights of the Gauss-Legendre rule on [0, 1]: Newton's method from Tricomi's first guess. */
  function gaussLegendre(points) {
    return Array.from({ length: points }, (_, k) => {
      let x = Math.cos((Math.PI * (k + 0.75)) / (points + 0.5));
      for (let step = 0; step < 6; step++) {
        const { value, slope } = legendre(points, x);
        x -= value / slope;
      }
      return { node: (1 + x) / 2, weight: 1 / ((1 - x * x) * legendre(points, x).slope ** 2) };
    });
  }

  const RULE = gaussLegendre(32);
  const NODE = Float64Array.from(RULE, ({ node }) => node);
  const WEIGHT = Float64Array.from(RULE, ({ weight }) => weight);

  /* Integral between the first and the last of ascending edges, one panel between each edge and the next. */
  function integral(integrand, edges) {
    let sum = 0;
    for (let k = 1; k < edges.length; k++) {
      const length = edges[k] - edges[k - 1];
      if (length === 0) continue;
      for (let n = 0; n < NODE.length; n++) sum += length * WEIGHT[n] * integrand(edges[k - 1] + length * NODE[n]);
    }
    return sum;
  }

  /* Edges with more between them, so that no two are further apart than `longest`; equal ones become one. */
  function refined(edges, longest) {
    const finer = [edges[0]];
    for (let k = 1; k < edges.length; k++) {
      const length = edges[k] - edges[k - 1];
      const parts = Math.ceil(length / longest);
      for (let part = 1; part < parts; part++) finer.push(edges[k - 1] + (length * part) / parts);
      if (parts) finer.push(edges[k]);
    }
    return Float64Array.from(finer);
  }

  /* How many Chebyshev points hold a function on a piece of this length, if it is analytic up to pi off the line. */
  const pointsFor = (length) => 1 + Math.ceil(DIGITS / Math.asinh((2 * Math.PI) / length));

  /* Coefficients of a function on [0, 1] in Chebyshev polynomials. */
  function chebyshev(value, points) {
    const angle = Array.from({ length: points }, (_, k) => (Math.PI * (k + 0.5)) / points);
    const values = angle.map((a) => value((1 + Math.cos(a)) / 2));
    return Float64Array.from(angle, (_, degree) => {
      const sum = values.reduce((rest, v, k) => rest + v * Math.cos(degree * angle[k]), 0);
      return ((degree ? 2 : 1) * sum) / points;
    });
  }

  /* Value of such coefficients, by Clenshaw's recurrence. */
  function clenshaw(coefficients, place) {
    const x = 2 * place - 1;
    let here = 0;
    let after = 0;
    for (let k = coefficients.length - 1; k > 0; k--) {
      const next = coefficients[k] + 2 * x * here - after;
      after = here;
      here = next;
    }
    return coefficients[0] + x * here - after;
  }

  /* A function that is smooth between the breaks and constant beyond them; each piece is tabulated when first asked. */
  function tabulated(value, breaks, before, after) {
    const edges = refined(breaks, PIECE);
    const last = edges.length - 1;
    const pieces = new Array(last);
    return (z) => {
      if (z <= edges[0]) return before;
      if (z >= edges[last]) return after;
      const k = firstRow(last, (row) => edges[row + 1] >= z);
      const length = edges[k + 1] - edges[k];
      pieces[k] ??= chebyshev((place) => value(edges[k] + length * place), pointsFor(length));
      return clenshaw(pieces[k], (z - edges[k]) / length);
    };
  }

  /* ------------------------------------------------------------------------------------- over both beliefs */

  /* The bounds of a belief in log-odds, an infinite one moved to where nothing that matters is left. */
  function logOddsRange({ low, high }) {
    const last = logit(high);
    const first = low > 0 ? logit(low) : Math.min(last, 0) - TAIL;
    return [first, high < 1 ? last : Math.max(first, 0) + TAIL];
  }

  /* Density of a range per unit of log-odds. */
  function densityOf({ kind, low, high }) {
    const length = logOddsBetween(low, high);
    return kind === "uniform" ? (t) => (expit(t) * expit(-t)) / (high - low) : () => 1 / length;
  }

  const ascending = (a, b) => a - b;

  /* What a positive and a negative add when costs and prevalence are both ranges, as functions of the log likelihood
     ratio z that a score stands for: one acts where the log-odds of the prevalence, plus z, reach those of the cost. */
  function lossesOverBoth(costs, prevalence) {
    const { lossIfPositive, lossIfNegative, mean: cost } = law(costs);
    const { mean: share } = law(prevalence);
    const [first, last] = logOddsRange(prevalence);
    const [cheap, dear] = logOddsRange(costs);
    const [panels, density] = [refined([first, last], PANEL), densityOf(prevalence)];
    const over = (added) => (z) => {
      const turns = [clip(cheap - z, first, last), clip(dear - z, first, last)];
      return integral((t) => density(t) * added(t, expit(t + z)), [...panels, ...turns].sort(ascending));
    };
    const ofPositive = over((t, score) => expit(t) * lossIfPositive(score));
    const ofNegative = over((t, score) => expit(-t) * lossIfNegative(score));
    const breaks = [cheap - last, cheap - first, dear - last, dear - first].sort(ascending);
    return {
      positive: tabulated(ofPositive, breaks, share * (1 - cost), 0),
      negative: tabulated(ofNegative, breaks, 0, (1 - share) * cost),
    };
  }

  /* They are the same for every model: the last ones are kept. */
  const kept = { key: "", losses: null };
  function keptLossesOverBoth(costs, prevalence) {
    const key = JSON.stringify([costs, prevalence].map(({ kind, low, high }) => [kind, low, high]));
    if (kept.key !== key) Object.assign(kept, { key, losses: lossesOverBoth(costs, prevalence) });
    return kept.losses;
  }

  const logRatios = remembered((owner) => {
    const shift = Math.log(owner.positiveTotal / owner.negativeTotal);
    return owner.score.map((score) => logit(score) - shift);
  });

  /* Mean over the positives of what they add, plus the mean over the negatives. */
  const classMeans = (owner, argument, ifPositive, ifNegative) =>
    weighted(owner.positive, argument, ifPositive) / owner.positiveTotal +
    weighted(owner.negative, argument, ifNegative) / owner.negativeTotal;

  /* What each class adds over both beliefs: a column of arguments, one a row, and two functions of these. */
  function shiftedLosses(owner, costs, prevalence) {
    if (prevalence.kind === "at") {
      const [there, { lossIfPositive, lossIfNegative }] = [prevalence.low, law(costs)];
      const isHere = there === owner.prevalence; // rounding must not move a score off a threshold it equals
      return {
        argument: isHere ? owner.score : owner.score.map((score) => shiftedScore(score, owner.prevalence, there)),
        positive: (score) => there * lossIfPositive(score),
        negative: (score) => (1 - there) * lossIfNegative(score),
      };
    }
    if (costs.kind !== "at") return { argument: logRatios(owner), ...keptLossesOverBoth(costs, prevalence) };
    const cost = costs.low;
    const believed = law(prevalence);
    const needed = (score) => neededPrevalence(score, owner.prevalence, cost);
    return {
      argument: owner.score,
      positive: (score) => (1 - cost) * believed.lossIfNegative(needed(score)),
      negative: (score) => cost * believed.lossIfPositive(needed(score)),
    };
  }

  /* Mean regret by someone who knows the prevalence and corrects the scores for it, over both beliefs. */
  function shiftedRegret(owner, costs, prevalence) {
    if (prevalence.kind === "at") return expectedRegret(atPrevalence(owner, prevalence.low), costs);
    const { argument, positive, negative } = shiftedLosses(owner, costs, prevalence);
    return classMeans(owner, argument, positive, negative);
  }

  return { shiftedLosses, shiftedRegret };
})());
