"use strict";
/* How sure a number is at any decision: from the tables, and from factors of how models vary together.

   The influence of a case is a function of its class and score, so that the standard error of a model, or of its
   difference to acting on everyone or on no one, follows from the counts. For two models the page may hold factors of
   what their cases have in common, by bins of their scores. The ends of an interval keep the shape they have at the
   stated decision: each distance is the exact one there, times the ratio of the standard errors. Where a model makes
   hardly any mistakes of one kind, cases that were not seen decide, and nothing is said. */
Object.assign(stakes, (() => {
  const { asGiven, bestSteps, hasLimits, law, mean, reweightClasses, shiftedLosses, shiftedRegret, shiftedScore, there } = stakes;
  const { expit, logit, unpack, unpackBytes } = stakes;
  const FEWEST = 10; // cases of each kind of mistake
  const LARGEST_STEP = 0.25; // in log-odds

  /* ------------------------------------------------------------------------------- influence of a case */

  /* What the best thresholds that limits allow cost each row and class, these thresholds held fixed. */
  function limitedLosses(owner, decision) {
    const { edge, threshold } = bestSteps(there(owner, decision), decision), { massWithin, partWithin } = law(decision.cost);
    const last = threshold.length - 1, share = decision.prevalence ? mean(decision.prevalence) : null;
    const alarm = new Float64Array(last + 2), miss = new Float64Array(last + 2);
    for (let k = 0; k <= last; k++) {
      const [from, to] = [k ? edge[k] : -1, k < last ? edge[k + 1] : 2], part = partWithin(from, to);
      alarm[k + 1] = alarm[k] + part;
      miss[k + 1] = miss[k] + massWithin(from, to) - part;
    }
    const moved = share === null || share === owner.prevalence ? owner.score : owner.score.map((score) => shiftedScore(score, owner.prevalence, share));
    const acted = (score) => stakes.firstRow(last + 1, (k) => threshold[k] > score); // steps at which it is acted on
    const [up, down] = share === null ? [1, 1] : [share, 1 - share];
    return { argument: moved, positive: (score) => up * (miss[last + 1] - miss[acted(score)]), negative: (score) => down * alarm[acted(score)] };
  }

  /* What each class adds to the ranked number. */
  function lossesOf({ table, reference }, decision) {
    if (hasLimits(decision) && !reference) return limitedLosses(table, decision);
    if (decision.prevalence) return shiftedLosses(table, decision.cost, decision.prevalence);
    const { lossIfPositive, lossIfNegative } = law(decision.cost);
    return { argument: table.score, positive: lossIfPositive, negative: lossIfNegative };
  }

  /* How the number moves with the log-odds of the sample's prevalence, from which scores are corrected. */
  function slopeOf({ table, reference }, decision, cases) {
    if (reference || hasLimits(decision)) return 0;
    const share = table.prevalence, step = Math.min(2 / Math.sqrt(cases * share * (1 - share)), LARGEST_STEP);
    const [down, up] = [-step, step].map((far) => shiftedRegret(reweightClasses(table, expit(logit(share) + far)), decision.cost, decision.prevalence));
    return (up - down) / (2 * step);
  }

  const average = (values, weight, total) => values.reduce((sum, value, row) => (weight[row] > 0 ? sum + weight[row] * value : sum), 0) / total;

  /* The influence of a case of each row and class, times the weight of all. */
  function influence(way, decision, cases = way.table.total) {
    const { table } = way, losses = lossesOf(way, decision);
    const columns = [losses.positive, losses.negative].map((loss, k) => {
      const weight = k ? table.negative : table.positive;
      return losses.argument.map((value, row) => (weight[row] > 0 ? loss(value) : 0)); // an infinite loss of nobody is none
    });
    const totals = [table.positiveTotal, table.negativeTotal], sums = columns.map((one, k) => average(one, k ? table.negative : table.positive, totals[k]));
    if (!decision.prevalence) {
      const whole = (sums[0] * totals[0] + sums[1] * totals[1]) / table.total;
      return columns.map((one) => one.map((value) => value - whole));
    }
    const slope = slopeOf(way, decision, cases), shares = [table.prevalence, 1 - table.prevalence];
    return columns.map((one, k) => one.map((value) => (value - sums[k] + (k ? -slope : slope)) / shares[k]));
  }

  /* Whether a model makes enough mistakes of both kinds within the costs, in cases that weigh so much. */
  function errsEnough({ table, reference }, decision, heaviness = [1, 1]) {
    if (reference || hasLimits(decision)) return true;
    const [low, high] = [decision.cost.low, decision.cost.high].map((cost) => asGiven(cost, decision, table.prevalence));
    let missed = 0, needless = 0;
    for (let row = 0; row < table.length; row++) {
      if (table.score[row] < high) missed += table.positive[row];
      if (table.score[row] >= low) needless += table.negative[row];
    }
    return Math.min(missed / heaviness[0], needless / heaviness[1]) >= FEWEST;
  }

  /* --------------------------------------------------------------------------------- models together */

  /* What the page holds, made ready: `ways` are models, then acting on everyone and on no one. */
  function live(held, ways, cases) {
    if (!held) return null;
    const bins = held.cuts ? held.cuts.length + 1 : 0;
    const models = ways.filter((way) => !way.reference);
    return {
      ...held, ways, cases, bins,
      factors: held.factors?.map(unpackBytes),
      clusters: held.clusters && { ...unpackBytes(held.clusters), signs: held.clusters.signs },
      places: held.cuts && models.map(({ table }) => Uint8Array.from(table.score, (score) => stakes.firstRow(bins - 1, (k) => held.cuts[k] > score))),
      squares: ways.map((way, k) => squaresOf(way, held.squares?.[k], held.totals)),
    };
  }

  /* Sums of squared weights by row and class; without weights the counts. */
  function squaresOf({ table, reference }, packed, totals) {
    if (!totals) return [table.positive, table.negative];
    return reference ? totals.map((total) => [total]) : packed.map(unpack);
  }

  const dotted = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);

  /* Mean influence of each bin, in all bins of all models; a reference is alike in all bins of the first. */
  function placedIn(known, k, influences, means) {
    const { bins, places, squares, ways } = known, first = ways[k].reference ? 0 : k;
    return influences.map((column, side) => {
      const sums = new Float64Array(bins), weight = new Float64Array(bins);
      if (ways[k].reference) return { first, value: sums.fill(means[side]) };
      for (let row = 0; row < column.length; row++) {
        sums[places[k][row]] += squares[k][side][row] * column[row];
        weight[places[k][row]] += squares[k][side][row];
      }
      return { first, value: sums.map((sum, bin) => (weight[bin] > 0 ? sum / weight[bin] : 0)) };
    });
  }

  /* The product of a factor with values in the bins of one model; `from` is the first row of its features. */
  function loads({ columns, value }, from, inBins) {
    const found = new Float64Array(columns);
    for (let bin = 0; bin < inBins.length; bin++) {
      if (inBins[bin] === 0) continue;
      const start = (from + bin) * columns;
      for (let k = 0; k < columns; k++) found[k] += value[start + k] * inBins[bin];
    }
    return found;
  }

  /* What one way to decide has in common with others: its own variance, and loads whose products are covariances. */
  function partsOf(known, k, decision) {
    const { squares, ways, factors, clusters, bins } = known, influences = influence(ways[k], decision, known.cases);
    const totals = squares[k].map((square) => square.reduce((sum, one) => sum + one, 0));
    const means = influences.map((column, side) => (totals[side] > 0 ? dotted(column, squares[k][side]) / totals[side] : 0));
    let own = influences.reduce((sum, column, side) => sum + column.reduce((all, value, row) => all + squares[k][side][row] * value * value, 0), 0);
    const shared = means.map((one, side) => Math.sqrt(totals[side]) * one), grouped = [];
    if (factors) {
      const placed = placedIn(known, k, influences, means);
      placed.forEach(({ first, value }, side) => shared.push(...(ways[k].reference ? new Float64Array(factors[side].columns) : loads(factors[side], first * bins, value))));
      if (clusters) {
        const half = clusters.rows / 2;
        const both = placed.map(({ first, value }, side) => loads(clusters, side * half + first * bins, value));
        grouped.push(...both[0].map((one, at) => one + both[1][at]));
      }
    }
    const rest = Math.max(own - dotted(shared, shared), 0);
    return { shared, grouped, rest };
  }

  const inClusters = ({ signs }, a, b) => a.reduce((sum, value, k) => sum + signs[k] * value * b[k], 0);

  /* Covariance of the ranked numbers of all ways at a decision, up to one factor. */
  function covariance(known, decision) {
    const parts = known.ways.map((_, k) => partsOf(known, k, decision)), total = known.ways[0].table.total ** 2;
    return parts.map((a, i) => Float64Array.from(parts, (b, j) => {
      const common = dotted(a.shared, b.shared) + (i === j ? a.rest : 0);
      return (common + (known.clusters ? inClusters(known.clusters, a.grouped, b.grouped) : 0)) / total;
    }));
  }

  /* The ends around a number, so many standard errors away; null where that is not known. */
  function movedEnds(value, shape, variance, least = -Infinity) {
    if (!shape || !(variance > 0)) return null;
    const error = Math.sqrt(variance);
    return [Math.max(value - shape[0] * error, least), value + shape[1] * error];
  }

  /* The shape of a difference, the first less the second. */
  function pairShape({ pairs }, first, second) {
    if (!pairs || first === second) return null;
    const shape = pairs[(Math.max(first, second) * (Math.max(first, second) - 1)) / 2 + Math.min(first, second)];
    return shape && first > second ? [shape[1], shape[0]] : shape ?? null;
  }

  /* Lines of a ranking with their intervals, those of the differences to the best, and P(best), as far as they are known. */
  function withEnds(known, ranking, decision) {
    if (!known || decision.min_precision !== null) return ranking;
    const number = (line) => known.ways.findIndex((way) => way.name === line.name && Boolean(way.reference) === line.reference);
    const errors = covariance(known, decision), best = number(ranking[0]), enough = known.ways.map((way) => errsEnough(way, decision, known.heaviness));
    const lines = ranking.map((line) => {
      const k = number(line), pairs = errors[k][k] + errors[best][best] - 2 * errors[k][best];
      const ends = enough[k] && movedEnds(line.regret, known.single[k], errors[k][k], 0);
      const apart = enough[k] && enough[best] && movedEnds(line.regret - ranking[0].regret, pairShape(known, k, best), pairs);
      return { ...line, ...(ends && { lower: ends[0], upper: ends[1] }), ...(apart && { difference_lower: apart[0], difference_upper: apart[1] }) };
    });
    if (!known.factors || hasLimits(decision)) return lines;
    const chance = stakes.probabilityBest(known, ranking.map(number), ranking, errors, decision);
    return lines.map((line, k) => (chance ? { ...line, probability_best: chance[k] } : line));
  }

  return { influence, errsEnough, live, covariance, movedEnds, pairShape, withEnds };
})());
