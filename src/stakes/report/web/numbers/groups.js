"use strict";
/* Models in one group of the cases, each of which counts once. */
Object.assign(stakes, (() => {
  const { influence } = stakes;

  /* The decision in a group: its own prevalence, no limits. */
  const inGroup = (cost) => ({ cost, prevalence: null, capacity: null, min_precision: null });

  /* The standard error of a model's number, from the counts alone. */
  function standardError({ table }, decision) {
    const [positive, negative] = influence({ table }, decision, table.total);
    let own = 0;
    for (let row = 0; row < table.length; row++) own += table.positive[row] * positive[row] ** 2 + table.negative[row] * negative[row] ** 2;
    return Math.sqrt(own) / table.total;
  }

  return { inGroup, standardError };
})());
