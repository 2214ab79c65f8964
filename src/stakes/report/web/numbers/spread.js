"use strict";
/* How sure a number is that a table alone tells: of independent cases, each of weight 1, at the prevalence of the sample.

   A loss is then a function of class and score, so that the standard error of a model, or of its difference to acting on
   everyone or on no one, follows from the counts. The ends of an interval keep the shape they have at the stated decision:
   each distance is the exact one there, times the ratio of the standard errors. Where a model makes hardly any mistakes of
   one kind, cases that were not seen decide, and the table does not tell. */
Object.assign(stakes, (() => {
  const { hasLimits, law, mean } = stakes;
  const FEWEST = 10; // cases of each kind of mistake

  /* Standard error of the mean of values by class and score. */
  function standardError(owner, ifPositive, ifNegative) {
    let sum = 0, squares = 0;
    for (let row = 0; row < owner.length; row++) {
      const [up, down] = [ifPositive(owner.score[row]), ifNegative(owner.score[row])];
      sum += owner.positive[row] * up + owner.negative[row] * down;
      squares += owner.positive[row] * up * up + owner.negative[row] * down * down;
    }
    const average = sum / owner.total;
    return Math.sqrt(Math.max(squares / owner.total - average * average, 0) / owner.total);
  }

  /* What acting on everyone, or on no one, costs a positive and a negative. */
  const ofReference = (score, costs) => (score === 1 ? [0, mean(costs)] : [1 - mean(costs), 0]);

  /* The losses of a way to decide, by class; `way` is {table, reference, score}. */
  function losses(way, costs) {
    if (way.reference) return ofReference(way.score, costs).map((loss) => () => loss);
    const { lossIfPositive, lossIfNegative } = law(costs);
    return [lossIfPositive, lossIfNegative];
  }

  const follows = (decision) => !decision.prevalence && !hasLimits(decision) && decision.cost.kind !== "other";

  /* Whether a model makes enough mistakes of both kinds within the costs. */
  function errsEnough({ table, reference }, { cost }) {
    if (reference) return true;
    let missed = 0, needless = 0;
    for (let row = 0; row < table.length; row++) {
      if (table.score[row] < cost.high) missed += table.positive[row];
      if (table.score[row] >= cost.low) needless += table.negative[row];
    }
    return Math.min(missed, needless) >= FEWEST;
  }

  /* Standard error of a regret; NaN where the table alone does not tell it. */
  function spread(way, decision) {
    return follows(decision) && errsEnough(way, decision) ? standardError(way.table, ...losses(way, decision.cost)) : NaN;
  }

  /* Standard error of a difference, of which at least one needs no model; NaN where the table alone does not tell it. */
  function differenceSpread(way, other, decision) {
    if (!follows(decision) || (!way.reference && !other.reference) || ![way, other].every((one) => errsEnough(one, decision))) return NaN;
    const [a, b] = [way, other].map((one) => losses(one, decision.cost)), owner = way.reference ? other.table : way.table;
    return standardError(owner, (score) => a[0](score) - b[0](score), (score) => a[1](score) - b[1](score));
  }

  /* The ends around a number that has moved, from those as stated and the ratio of the standard errors; null where it is not known. */
  function movedEnds(value, stated, ratio, least = -Infinity) {
    const distances = [stated.lower, stated.upper].map((end) => (end === null ? NaN : end - stated.value) * ratio);
    return distances.every(Number.isFinite) ? distances.map((far) => Math.max(value + far, least)) : null;
  }

  return { spread, differenceSpread, movedEnds };
})());
