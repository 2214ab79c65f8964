"use strict";
/* Numbers of a table: regret, the usual measures that know no stakes, and what happens at one threshold. */
Object.assign(stakes, (() => {
  const { at, firstRow, hasBothClasses, law, uniform } = stakes;

  /* Sum of weight times value; an infinite value of nobody counts nothing. */
  function weighted(weight, argument, value) {
    let sum = 0;
    for (let row = 0; row < weight.length; row++) {
      if (weight[row] > 0) sum += weight[row] * value(argument[row]);
    }
    return sum;
  }

  const meanLoss = ({ score, positive, negative, total }, ifPositive, ifNegative) =>
    (weighted(positive, score, ifPositive) + weighted(negative, score, ifNegative)) / total;

  /* Mean regret when each decision is taken at the threshold that its costs ask for. */
  function expectedRegret(owner, costs) {
    const believed = law(costs);
    return meanLoss(owner, believed.lossIfPositive, believed.lossIfNegative);
  }

  const brier = (owner) => 2 * expectedRegret(owner, uniform(0, 1));
  const logLoss = (owner) => meanLoss(owner, (score) => -Math.log(score), (score) => -Math.log1p(-score));

  /* Probability that a positive scores above a negative, ties counted half. */
  function auc(owner) {
    if (!hasBothClasses(owner)) return NaN;
    let below = 0;
    let won = 0;
    for (let row = 0; row < owner.length; row++) {
      won += owner.positive[row] * (below + owner.negative[row] / 2);
      below += owner.negative[row];
    }
    return Math.min(won / owner.positiveTotal / owner.negativeTotal, 1);
  }

  /* How many of the highest scores reach a threshold. */
  const countAt = ({ score, length }, threshold) => length - firstRow(length, (row) => score[row] >= threshold);

  /* Share of all cases whose score reaches a threshold. */
  function shareActedOn(owner, threshold) {
    const { heads } = owner;
    if (heads) return heads.above[countAt({ score: heads.score, length: heads.score.length }, threshold)] / heads.total;
    return owner.alarms[countAt(owner, threshold)] / owner.people;
  }

  /* The mean of a function of the score over all cases. */
  const meanOfCases = (owner, value) =>
    owner.heads ? weighted(owner.heads.everyone, owner.heads.score, value) / owner.heads.total : meanLoss(owner, value, value);

  /* Among 1,000 cases, when acting on scores of at least the threshold. */
  function confusion(owner, threshold) {
    const k = countAt(owner, threshold);
    const perThousand = (weight) => (1000 * weight) / owner.total;
    return {
      tp: perThousand(owner.hits[k]),
      fp: perThousand(owner.falseAlarms[k]),
      fn: perThousand(owner.positiveTotal - owner.hits[k]),
      tn: perThousand(owner.negativeTotal - owner.falseAlarms[k]),
    };
  }

  /* Share of right decisions at a threshold. */
  function accuracy(owner, threshold) {
    const k = countAt(owner, threshold);
    return 1 - (owner.falseAlarms[k] + (owner.positiveTotal - owner.hits[k])) / owner.total;
  }

  const regretAt = (owner, cost) => expectedRegret(owner, at(cost));

  /* True positives per case, less the false ones at their exchange rate. */
  function netBenefitAt(owner, cost) {
    const k = countAt(owner, cost);
    return (owner.hits[k] - (cost / (1 - cost)) * owner.falseAlarms[k]) / owner.total;
  }

  return {
    weighted, meanLoss, expectedRegret, brier, logLoss, auc, shareActedOn, meanOfCases, confusion, accuracy, regretAt, netBenefitAt,
  };
})());
