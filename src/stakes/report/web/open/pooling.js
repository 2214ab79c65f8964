"use strict";
/* Tables that a report holds, with the rows of _pooling.py: neighbouring scores are put together until every row stands for five cases,
   with edges where the decision has its thresholds. */
const pooling = (() => {
  const LEAST_CASES = 5, MOST_ROWS = 1000, STEPS = 0.8, ROUND = 99, ROWS_IN_ALL = 16_000, FEWEST_ROWS = 400, KEPT = 128;
  const { firstRow, uniform } = stakes;

  /* The first place in an ascending column whose value is at least (or above) another. */
  const placeOf = (column, value) => firstRow(column.length, (k) => column[k] >= value);
  const placeAfter = (column, value) => firstRow(column.length, (k) => column[k] > value);

  /* How many rows are below each threshold. */
  const cutsAt = ({ score }, thresholds) => thresholds.map((threshold) => placeOf(score, threshold));

  /* Where rows may begin: the thresholds of the stated decision; then where the recalibrated score changes, and round costs. */
  function statedCuts(table, { threshold, share }, cost, only) {
    const finite = [...threshold.keys()].filter((k) => Number.isFinite(threshold[k])).sort((a, b) => share[b] - share[a]);
    const one = only !== null && Number.isFinite(only) ? [only] : only === Infinity ? [Infinity] : [];
    const costs = [cost.low, cost.high, stakes.mean(cost)].filter((at) => at > 0 && at < 1);
    return [cutsAt(table, finite.map((k) => threshold[k])), cutsAt(table, [...one, ...costs])];
  }

  function otherCuts(table) {
    const everywhere = stakes.bestThresholds(table, uniform(0, 1), { capacity: null, min_precision: null }).threshold;
    return [cutsAt(table, [...everywhere]), cutsAt(table, Array.from({ length: ROUND }, (_, k) => 1 / (2 + k)))];
  }

  /* Edges of rows that are heavy enough alone, the heaviest first. */
  function aroundHeavy(weight, enough) {
    const heavy = [...weight.keys()].filter((row) => weight[row] >= enough).sort((a, b) => weight[b] - weight[a]);
    return heavy.flatMap((row) => [row, row + 1]);
  }

  /* The last thresholds that do not exceed equal steps from the highest score down. */
  function fromTop(below, step) {
    const total = below.at(-1), count = Math.floor(total / step);
    const cuts = Array.from({ length: count }, (_, k) => placeOf(below, total - step * (k + 1) * (1 + 1e-12)));
    return [...new Set(cuts)].sort((a, b) => b - a);
  }

  /* The first row of each pooled row; each cut counts if it is far enough from others. */
  function startsOf(below, aims, least, step, most) {
    const kept = [0, below.at(-1)], starts = new Set([0]), far = least * (1 - 1e-9);
    for (const cut of aims.flat()) {
      const at = below[cut], place = placeOf(kept, at), inside = place > 0 && place < kept.length && starts.size < most;
      if (!inside || at - kept[place - 1] < far || kept[place] - at < far) continue;
      kept.splice(place, 0, at);
      starts.add(cut);
    }
    for (const cut of between(below, kept, step * (1 - 1e-9), most - starts.size)) starts.add(cut);
    return [...starts].sort((a, b) => a - b);
  }

  /* Further cuts, from the highest score down, where those that are kept leave room. */
  function between(below, kept, far, room) {
    const cuts = [];
    for (let k = kept.length - 1; k > 0; k--) {
      let cut = placeAfter(below, kept[k] - far) - 1;
      while (cuts.length < room && cut >= 0 && below[cut] - kept[k - 1] >= far) {
        cuts.push(cut);
        cut = placeAfter(below, below[cut] - far) - 1;
      }
    }
    return cuts;
  }

  /* The sum of a stretch of a column, added up in the order of NumPy, so that it is the same in every bit. */
  function summed(column, from, to) {
    return column[from] + inPairs(column, from + 1, to - from - 1);
  }

  function inPairs(column, from, count) {
    if (count > 128) {
      const half = Math.floor(count / 2), first = half - (half % 8);
      return inPairs(column, from, first) + inPairs(column, from + first, count - first);
    }
    const whole = count < 8 ? 0 : count - (count % 8), eight = Array.from({ length: 8 }, (_, k) => (whole ? column[from + k] : 0));
    for (let at = 8; at < whole; at += 8) for (let k = 0; k < 8; k++) eight[k] += column[from + at + k];
    let sum = eight[0] + eight[1] + (eight[2] + eight[3]) + (eight[4] + eight[5] + (eight[6] + eight[7]));
    for (let at = whole; at < count; at++) sum += column[from + at];
    return sum;
  }

  const bits = new Uint32Array(1), single = new Float32Array(bits.buffer);

  /* A score in 17 binary digits where that stays between the lowest and the highest of its row. */
  function short(mean, low, high) {
    if (low === high) return low;
    single[0] = mean;
    const exact = bits[0] / KEPT, floor = Math.floor(exact), up = exact - floor > 0.5 || (exact - floor === 0.5 && floor % 2 === 1);
    bits[0] = (floor + Number(up)) * KEPT;
    const shorter = single[0];
    return shorter >= low && shorter <= high ? shorter : Math.min(Math.max(mean, low), high);
  }

  /* The smaller table: rows of equal score are one. `each` is the mean weight of a case. */
  function poolRows(table, { each, wanted, also, most }) {
    const weight = table.positive.map((one, row) => one + table.negative[row]), below = new Float64Array(weight.length + 1);
    for (let row = 0; row < weight.length; row++) below[row + 1] = below[row] + weight[row];
    const least = LEAST_CASES * each, step = Math.max(least, below.at(-1) / (STEPS * most));
    const starts = startsOf(below, [...wanted, aroundHeavy(weight, step), fromTop(below, step), ...also], least, weight.length <= most ? least : step, most);
    if (starts.length === weight.length) return { starts, columns: table };
    const moved = weight.map((one, row) => one * table.score[row]), columns = { score: [], positive: [], negative: [] };
    starts.forEach((from, k) => {
      const to = starts[k + 1] ?? weight.length, [positive, negative, sum] = [table.positive, table.negative, moved].map((column) => summed(column, from, to));
      const score = Math.max(short(sum / (positive + negative), table.score[from], table.score[to - 1]), columns.score.at(-1) ?? 0);
      if (score === columns.score.at(-1)) {
        columns.positive[columns.positive.length - 1] += positive;
        columns.negative[columns.negative.length - 1] += negative;
      } else [score, positive, negative].forEach((value, column) => Object.values(columns)[column].push(value));
    });
    return { starts, columns };
  }

  /* The tables to hold of all models, and the first row of each of their rows. `policies` and `one` are of the stated decision. */
  function pageTables(models, { policies, one, cost, each }) {
    const most = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(ROWS_IN_ALL / models.length)));
    return models.map(({ name, table }, k) => {
      const wanted = statedCuts(table, policies[k], cost, one?.model === name ? one.threshold : null);
      const { starts, columns } = poolRows(table, { each, wanted, also: otherCuts(table), most });
      return { name, starts, table: columns === table ? table : stakes.table(columns) };
    });
  }

  /* The largest change, at any cost and threshold, from one table to another of the same cases. */
  function change(fine, coarse) {
    const worst = { regret: 0, false_alarms: 0, misses: 0 };
    if (fine === coarse) return worst;
    for (const { score } of [fine, coarse]) for (const isAbove of [false, true]) changeAt(score, isAbove, [fine, coarse], worst);
    return worst;
  }

  /* At the scores of one of two tables, acting on the score itself or only above it. */
  function changeAt(score, isAbove, tables, worst) {
    const rows = [0, 0];
    for (const cost of score) {
      const [fine, coarse] = tables.map((table, k) => {
        while (rows[k] < table.length && (isAbove ? table.score[rows[k]] <= cost : table.score[rows[k]] < cost)) rows[k] += 1;
        const acted = table.length - rows[k];
        return [table.falseAlarms[acted] / table.total, table.hits[acted] / table.total];
      });
      const needless = fine[0] - coarse[0], found = fine[1] - coarse[1];
      worst.regret = Math.max(worst.regret, Math.abs(cost * needless - (1 - cost) * found));
      worst.false_alarms = Math.max(worst.false_alarms, Math.abs(needless));
      worst.misses = Math.max(worst.misses, Math.abs(found));
    }
  }

  /* ------------------------------------------------------------------------------------------ under limits */

  const PLACES = 20, COMPARED = 3;
  const CAPACITIES = Array.from({ length: PLACES }, (_, k) => 0.01 * 90 ** (k / (PLACES - 1)));
  const PRECISIONS = Array.from({ length: PLACES }, (_, k) => 0.05 + (0.85 * k) / (PLACES - 1));
  const LIMITS = [...CAPACITIES.map((capacity) => ({ capacity, min_precision: null })), ...PRECISIONS.map((precision) => ({ capacity: null, min_precision: precision }))];

  /* On how many of the highest rows each limit allows to act at most. */
  function lastFeasible({ hits, alarms, people, length }) {
    const few = CAPACITIES.map((capacity) => firstRow(length, (k) => alarms[k + 1] / people > capacity)), precise = PRECISIONS.map(() => 0);
    for (let k = length, met = 0; k > 0 && met < PLACES; k--) while (met < PLACES && hits[k] / alarms[k] >= PRECISIONS[met]) precise[met++] = k;
    return [...few, ...precise];
  }

  /* A table with only those rows at which the best thresholds under one of these limits can lie. */
  function rowsUnderLimits(table) {
    const { hits, falseAlarms, length } = table;
    const ends = [...new Set([0, ...lastFeasible(table)])].sort((a, b) => a - b);
    const kept = new Set([...ends, length]);
    for (let k = 1; k < ends.length; k++) {
      const chain = new stakes.Hull(ends[k] - ends[k - 1]);
      for (let row = ends[k - 1] + 1; row <= ends[k]; row++) chain.add(hits[row] - hits[row - 1], falseAlarms[row] - falseAlarms[row - 1], row);
      for (let block = 0; block < chain.length; block++) kept.add(chain.index[block]);
    }
    const rows = [...kept].filter((row) => row > 0).sort((a, b) => b - a), next = (k) => rows[k + 1] ?? 0;
    return stakes.table({
      score: rows.map((row) => table.score[length - row]),
      positive: rows.map((row, k) => hits[row] - hits[next(k)]), negative: rows.map((row, k) => falseAlarms[row] - falseAlarms[next(k)]),
    });
  }

  /* The largest changes of the first models, at many capacities and at many smallest precisions. */
  function changeUnderLimits(pairs, cost) {
    const worst = [0, 0];
    for (const [fine, coarse] of pairs.slice(0, COMPARED)) {
      const few = rowsUnderLimits(fine);
      LIMITS.forEach((limits, k) => {
        const [exact, about] = [few, coarse].map((table) => stakes.bestThresholds(table, cost, limits).meanRegret), side = Number(k >= PLACES);
        worst[side] = Math.max(worst[side], Math.abs(exact - about));
      });
    }
    return worst;
  }

  return Object.freeze({ change, changeUnderLimits, pageTables });
})();
