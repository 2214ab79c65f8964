"use strict";
/* Who wins where, over the two ends of the cost range. */
Object.assign(stakes, (() => {
  const { at, logOddsBetween, logOddsUniform, references, regretOver, uniform } = stakes;

  /* Who costs least, and how much more the next does; among equals, but for rounding, the first wins. */
  function leastOf(values) {
    const least = Math.min(...values);
    const winner = values.findIndex((value) => value <= least * (1 + 1e-12));
    const next = Math.min(...values.filter((_, player) => player !== winner));
    return { winner, margin: Math.max(next - values[winner], 0) };
  }

  /* A map of rows and columns; `values(i, j)` are the regrets of models and references, or null outside the map. */
  function mapOf(rows, columns, values) {
    const winner = new Int16Array(rows * columns).fill(-1);
    const margin = new Float64Array(rows * columns).fill(NaN);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        const regrets = values(i, j);
        if (!regrets) continue;
        const found = leastOf(regrets);
        winner[i * columns + j] = found.winner;
        margin[i * columns + j] = found.margin;
      }
    }
    return { winner, margin, size: columns };
  }

  /* The ranges between neighbouring costs, and what each weighs in a range that holds it. */
  function pieces({ kind }, costs) {
    const range = kind === "log_odds_uniform" ? logOddsUniform : uniform;
    const width = kind === "log_odds_uniform" ? logOddsBetween : (low, high) => high - low;
    return costs.slice(1).map((high, k) => ({ costs: range(costs[k], high), weight: width(costs[k], high) }));
  }

  /* Who wins over the range from costs[i] to costs[j], in element i n + j; on the diagonal, at that one cost. Each
     model is asked once for each cost and for each piece between two: a longer range is the sum of its pieces. */
  function costMap(models, decision, costs) {
    const between = pieces(decision.cost, costs);
    const players = [
      ...models.map(({ table }) => regretOver(table, decision)),
      ...references(models[0].table, decision).map((reference) => reference.regretOver),
    ];
    const single = costs.map((cost) => players.map((player) => player(at(cost))));
    const parts = between.map((piece) => players.map((player) => piece.weight * player(piece.costs)));
    let sums = [];
    let weight = 0;
    return mapOf(costs.length, costs.length, (i, j) => {
      if (j < i) return null;
      if (j === i) {
        sums = players.map(() => 0);
        weight = 0;
        return single[i];
      }
      weight += between[j - 1].weight;
      sums = sums.map((sum, player) => sum + parts[j - 1][player]);
      return sums.map((sum) => sum / weight);
    });
  }

  return { costMap };
})());

Object.freeze(stakes);
