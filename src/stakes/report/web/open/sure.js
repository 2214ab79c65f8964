"use strict";
/* Tables and intervals from cases, under the names of their Python functions: score_table, and the half-case intervals
   of an expected regret and of the difference of two. */
const sure = (() => {
  const DEVIATE = 1.959963984540054, FAR = 3, NARROWER = 12, NOTHING = 1e-13, VARIED = 1e-9; // the deviate of 95%
  const GRID = Array.from({ length: 9 }, (_, k) => 0.4 * k);

  /* ------------------------------------------------------------------------------------------------ tables */

  const DIGITS = 65536; // of which four make a number of 64 bits

  /* The rows in ascending order of scores of at least 0, equals as they come: their bits are sorted as whole numbers, the last first. */
  function orderOf(score) {
    const rows = score.length, numbers = new Float64Array(rows), bits = new Uint16Array(numbers.buffer);
    let order = new Uint32Array(rows), other = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) [order[row], numbers[row]] = [row, score[row] + 0]; // -0 and 0 are one score
    for (let digit = 0; digit < 4; digit++) {
      const starts = new Uint32Array(DIGITS + 1);
      for (let row = 0; row < rows; row++) starts[bits[4 * row + digit] + 1] += 1;
      for (let k = 1; k <= DIGITS; k++) starts[k] += starts[k - 1];
      for (let row = 0; row < rows; row++) other[starts[bits[4 * order[row] + digit]]++] = order[row];
      [order, other] = [other, order];
    }
    return order;
  }

  /* Distinct scores in ascending order, with the weight of positives and of negatives at each. */
  function scoreTable(y, score, weight) {
    const order = orderOf(score), rows = y.length, [scores, positive, negative] = [0, 0, 0].map(() => new Float64Array(rows));
    let last = -1;
    for (let k = 0; k < rows; k++) {
      const row = order[k], one = weight ? weight[row] : 1;
      if (last < 0 || scores[last] !== score[row]) scores[++last] = score[row] + 0;
      if (y[row]) positive[last] += one;
      else negative[last] += one;
    }
    return { score: scores.slice(0, last + 1), positive: positive.slice(0, last + 1), negative: negative.slice(0, last + 1) };
  }

  /* ------------------------------------------------------------------------------------- quantiles of beta laws */

  function logGamma(x) {
    let shift = 0, at = x;
    for (; at < 15; at += 1) shift += Math.log(at);
    const inverse = 1 / (at * at);
    const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / at;
    return (at - 0.5) * Math.log(at) - at + 0.9189385332046728 + series - shift;
  }

  /* The continued fraction of the incomplete beta function, by Lentz's method. */
  function fraction(a, b, x) {
    const tiny = 1e-300;
    let c = 1, d = 1 - ((a + b) * x) / (a + 1);
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    let value = d;
    for (let m = 1; m < 100000; m++) {
      let change = 1;
      for (const step of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
        d = 1 + step * d;
        c = 1 + step / c;
        d = 1 / (Math.abs(d) < tiny ? tiny : d);
        c = Math.abs(c) < tiny ? tiny : c;
        change = d * c;
        value *= change;
      }
      if (Math.abs(change - 1) < 1e-16) break;
    }
    return value;
  }

  /* The distribution function of a beta law, `rest` being 1 - x. */
  function betaBelow(a, b, x, rest) {
    if (x <= 0 || rest <= 0) return Number(x > 0);
    const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(rest));
    return x < (a + 1) / (a + b + 2) ? (front * fraction(a, b, x)) / a : 1 - (front * fraction(b, a, rest)) / b;
  }

  /* The quantile of a beta law with a small chance below it; steps of Newton, or halving where they leave. */
  function lowQuantile(a, b, chance) {
    let [low, high] = [0, 1], x = a / (a + b);
    for (let k = 0; k < 300; k++) {
      const rest = 1 - x, off = betaBelow(a, b, x, rest) - chance;
      if (off === 0) return x;
      [low, high] = off > 0 ? [low, x] : [x, high];
      const density = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + (a - 1) * Math.log(x) + (b - 1) * Math.log(rest));
      const next = x - off / density, inside = next > low && next < high ? next : (low + high) / 2;
      if (Math.abs(inside - x) <= 1e-16 * x) return inside;
      x = inside;
    }
    return x;
  }

  /* The chance beyond a deviate of the normal law. */
  function normalTail(z) {
    const x = z / Math.SQRT2;
    if (x < 2.5) {
      let term = x, sum = x;
      for (let k = 1; Math.abs(term) > 1e-18; k++) {
        term *= (-x * x) / k;
        sum += term / (2 * k + 1);
      }
      return 0.5 - sum / Math.sqrt(Math.PI);
    }
    let below = 0;
    for (let k = 200; k > 0; k--) below = k / 2 / (x + below);
    return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + below) / 2;
  }

  /* A beta law on [0, size] with a mean and a variance, as a function from deviates to quantiles. */
  function betaLaw(mean, variance, size) {
    const share = mean / size, spread = variance / size ** 2, total = (share * (1 - share)) / spread - 1;
    if (!(share > NOTHING && share < 1 && spread > NOTHING ** 2 && total > 0)) return () => Math.min(mean, size);
    const [a, b] = [share * total, (1 - share) * total];
    return (deviate) => size * (deviate > 0 ? 1 - lowQuantile(b, a, normalTail(deviate)) : lowQuantile(a, b, normalTail(-deviate)));
  }

  /* -------------------------------------------------------------------------------------- kinds of cases */

  /* Kinds of cases that move a mean: how far its ends are from it, at a deviate. */
  function reachesOf({ sums, variance, room, bound }) {
    const cases = sums.cases[0] + sums.cases[1], kinds = [];
    for (const side of [0, 1]) {
      for (const way of [0, 1]) {
        if (!(bound[side][way] > 0)) continue;
        const sum = cases * sums.added[side][way], square = cases ** 2 * sums.squares[side][way], given = cases * bound[side][way] * sums.heaviness[side];
        const size = sum < cases * given ? given : Math.max(given, sum > 0 ? square / sum : 0);
        const more = (sum + size / 2) / (cases + 0.5), less = sum / (cases + 0.5);
        kinds.push({
          seen: sum / cases, raises: way === 0, own: (square - sum ** 2 / cases) / cases ** 2,
          more: betaLaw(more, ((square + size ** 2 / 2) / (cases + 0.5) - more ** 2) / (cases + 1.5), size),
          less: betaLaw(less, (square / (cases + 0.5) - less ** 2) / (cases + 1.5), size),
        });
      }
    }
    const other = variance - kinds.reduce((sum, { own }) => sum + own, 0);
    const squaresAt = (deviate, up) => kinds.reduce((sum, { seen, raises, more, less }) => {
      const far = raises === up ? more(deviate) - seen : seen - less(-deviate);
      return sum + Math.max(far, 0) ** 2;
    }, 0);
    const wholeAt = (deviate, up) => (deviate === 0 ? squaresAt(1e-300, up) : squaresAt(deviate, up)) + deviate ** 2 * other;
    return (deviate, up) => {
      if (!kinds.length) return deviate * Math.sqrt(Math.max(variance, 0));
      const turn = other >= 0 ? Infinity : turnOf((at) => wholeAt(at, up), deviate), near = wholeAt(Math.min(deviate, turn), up);
      const whole = deviate > FAR && turn <= FAR && near > 0 ? (near * squaresAt(deviate, up)) / squaresAt(FAR, up) : near;
      const least = (Math.min(deviate, 1) * room[Number(up)]) / (2 * cases + 1);
      return Math.max(Math.sqrt(Math.max(whole, 0)), least);
    };
  }

  /* The deviate at which a squared distance stops growing, at most three, as far as it lies below a deviate. */
  function turnOf(wholeAt, deviate) {
    const values = [wholeAt(0)];
    let fall = -1;
    for (let k = 0; k < 8 && fall < 0 && GRID[Math.max(k - 1, 0)] < deviate; k++) {
      values.push(wholeAt(GRID[k + 1]));
      if (values[k + 1] < values[k]) fall = k;
    }
    if (fall < 0) return FAR;
    let [low, high] = [GRID[Math.max(fall - 1, 0)], GRID[fall + 1]];
    for (let k = 0; k < NARROWER; k++) {
      const places = Array.from({ length: 9 }, (_, i) => low + ((high - low) * i) / 8), at = places.map(wholeAt);
      const top = at.indexOf(Math.max(...at));
      [low, high] = [places[Math.max(top - 1, 0)], places[Math.min(top + 1, 8)]];
    }
    return Math.min(low, FAR);
  }

  /* ------------------------------------------------------------------------------------------ sums over cases */

  /* What does not depend on the models: numbers and weights by class, positives first. */
  function countsOf(y, weight) {
    const cases = [0, 0], weights = [0, 0], squares = [0, 0];
    for (let row = 0; row < y.length; row++) {
      const side = 1 - y[row], one = weight ? weight[row] : 1;
      cases[side] += 1;
      weights[side] += one;
      squares[side] += one * one;
    }
    const total = weights[0] + weights[1], heaviness = [0, 1].map((side) => (weights[side] > 0 ? squares[side] / weights[side] / total : 1 / (cases[0] + cases[1])));
    const varied = [0, 1].map((side) => (weights[0] > 0 && weights[1] > 0 ? cases[side] * Math.max((squares[side] * cases[side]) / weights[side] ** 2 - 1, 0) : 0));
    const spread = (varied[0] + varied[1]) / (cases[0] + cases[1]);
    return { cases, weights, squareWeights: squares, total, heaviness, spread: spread > VARIED ? spread : 0 };
  }

  /* How many times as heavy as those seen a case of each class may be. */
  function weightDoubt({ cases, weights, squareWeights, total, heaviness, spread }) {
    const doubt = [1, 1];
    if (spread > 0 && cases[0] !== cases[1]) {
      const rarer = Number(cases[1] < cases[0]), mean = (weights[rarer] / cases[rarer]) * (1 + spread);
      const plausible = (mean * (1 + 2 * Math.sqrt(spread / cases[rarer]))) / total;
      doubt[rarer] = Math.max(1, Math.min((squareWeights[0] + squareWeights[1]) / total ** 2, plausible) / heaviness[rarer]);
    }
    return doubt;
  }

  /* Sums by class and direction of what cases add to a mean, and the variance of that; of one loss, or of two their difference. */
  function sumsOf({ y, weight, counts }, losses, others = null) {
    const { total } = counts, n = y.length, added = new Float64Array(4), squares = new Float64Array(4), largest = [0, 0];
    let mean = 0, spread = 0;
    for (let row = 0; row < n; row++) {
      const side = 1 - y[row], value = others ? losses[row] - others[row] : losses[row], one = ((weight ? weight[row] : 1) * value) / total;
      const kind = 2 * side + (one < 0 ? 1 : 0), size = Math.abs(value);
      mean += one;
      added[kind] += Math.abs(one);
      squares[kind] += one * one;
      if (size > largest[side]) largest[side] = size;
    }
    for (let row = 0; row < n; row++) {
      const value = others ? losses[row] - others[row] : losses[row], far = ((weight ? weight[row] : 1) * (value - mean)) / total;
      spread += far * far;
    }
    const pairs = (four) => [[four[0], four[1]], [four[2], four[3]]];
    return { ...counts, mean, added: pairs(added), squares: pairs(squares), largest, variance: n > 1 ? (n / (n - 1)) * spread : NaN };
  }

  const ofConstant = (counts, values) => ({
    added: values.map((value, side) => [(value * counts.weights[side]) / counts.total, 0]),
    squares: values.map((value, side) => [(value ** 2 * counts.squareWeights[side]) / counts.total ** 2, 0]),
  });

  /* The other cases of a share, which take off what they would add. */
  const ofTheRest = (sums, value) => ({
    ...sums,
    added: sums.added.map((one, side) => [0, Math.max((value * sums.weights[side]) / sums.total - one[0] - one[1], 0)]),
    squares: sums.squares.map((one, side) => [0, Math.max((value ** 2 * sums.squareWeights[side]) / sums.total ** 2 - one[0] - one[1], 0)]),
  });

  const directed = (sums) => sums.added.reduce((sum, [up, down]) => sum + up - down, 0);

  function rangeOf(estimate, lowest, highest, sums) {
    const constant = estimate - directed(sums);
    return [Math.min(constant + Math.min(...lowest), estimate), Math.max(constant + Math.max(...highest), estimate)];
  }

  /* How far one end is away at a deviate, within the room there is. */
  const reach = (kinds, deviate, up) => Math.min(reachesOf(kinds)(deviate, up), kinds.room[Number(up)]);

  function endsOf(estimate, mean, deviate = DEVIATE) {
    const room = [estimate - mean.within[0], mean.within[1] - estimate];
    if (!Number.isFinite(mean.sums.variance)) return [NaN, NaN];
    const how = { variance: mean.sums.variance, room }, reach = reachesOf({ ...how, sums: mean.sums, bound: mean.bound });
    const share = mean.value ? Math.min(mean.sums.added.flat().reduce((a, b) => a + b) / mean.value, 1) * Math.min(mean.sums.spread, 1) : 0;
    const rest = share > 0 ? reachesOf({ ...how, sums: ofTheRest(mean.sums, mean.value), bound: mean.bound.map(([up, down]) => [down, up]) }) : null;
    const far = (up) => Math.min(rest ? Math.sqrt((1 - share) * reach(deviate, up) ** 2 + share * rest(deviate, up) ** 2) : reach(deviate, up), room[Number(up)]);
    return [estimate - far(false), estimate + far(true)];
  }

  function constantEnds(estimate, added, sums, deviate) {
    const above = added.map((value) => value - Math.min(...added)), shares = { ...sums, ...ofConstant(sums, above) };
    return endsOf(estimate, { sums: shares, bound: above.map((value) => [value, 0]), within: rangeOf(estimate, above, above, shares) }, deviate);
  }

  /* Values that cases may add: of a model that is certain of all cases, those of its one score. */
  function possible({ table }, { lossIfPositive, lossIfNegative }) {
    const isConstant = table.length === 1 && [0, 1].includes(table.score[0]), ends = isConstant ? [table.score[0]] : [0, 1];
    const values = [lossIfPositive, lossIfNegative].map((loss) => ends.map(loss));
    return { isConstant, lowest: values.map((one) => Math.min(...one)), highest: values.map((one) => Math.max(...one)) };
  }

  /* The interval of one expected regret. */
  function interval(cases, way, law, cost) {
    const { counts } = cases, values = possible(way, law), estimate = way.regret, sums = sumsOf(cases, way.losses);
    if (values.isConstant) return constantEnds(estimate, values.lowest, sums);
    const doubt = weightDoubt(counts), bound = values.highest.map((high, side) => [Math.max(high, 0) * doubt[side], Math.max(-values.lowest[side], 0) * doubt[side]]);
    const isShare = cost.kind === "at" && values.highest[0] === values.highest[1] && counts.spread > 0;
    return endsOf(estimate, { sums, bound, within: rangeOf(estimate, values.lowest, values.highest, sums), value: isShare ? values.highest[0] : 0 });
  }

  /* The interval of the difference of two, the first less the second. */
  function compare(cases, first, second, law, cost, deviate) {
    const estimate = first.regret - second.regret, [one, two] = [first, second].map((way) => possible(way, law));
    const sums = sumsOf(cases, first.losses, second.losses);
    if (one.isConstant && two.isConstant) return constantEnds(estimate, one.lowest.map((low, side) => low - two.lowest[side]), sums, deviate);
    const highest = one.highest.map((high, side) => high - two.lowest[side]), lowest = one.lowest.map((low, side) => low - two.highest[side]);
    const bound = highest.map((high, side) => [Math.max(high, 0), Math.max(-lowest[side], 0)]);
    const halfWay = bound.map((pair, side) => pair.map((most) => (Math.min(sums.largest[side], most) + most) / 2));
    return endsOf(estimate, { sums, bound: cost.kind === "at" ? bound : halfWay, within: rangeOf(estimate, lowest, highest, sums) }, deviate);
  }

  /* The standard error of one, or of the difference of two. */
  const error = (cases, first, second = null) => Math.sqrt(sumsOf(cases, first.losses, second?.losses).variance);

  /* The deviate of the normal law that a level leaves half of the rest beyond. */
  function deviate(level) {
    let [low, high] = [0, 40];
    for (let k = 0; k < 100; k++) {
      const middle = (low + high) / 2;
      if (normalTail(middle) > (1 - level) / 2) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  /* The chance of a sum of squares at least as large: the incomplete gamma function, by its series or its continued fraction. */
  function chiSquareTail(freedom, square) {
    const [a, x] = [freedom / 2, square / 2];
    if (!(x > 0)) return 1;
    const front = Math.exp(a * Math.log(x) - x - logGamma(a));
    if (x < a + 1) {
      let term = 1 / a, sum = term;
      for (let k = 1; term > 1e-17 * sum; k++) sum += term *= x / (a + k);
      return 1 - front * sum;
    }
    let below = 0;
    for (let k = 500; k > 0; k--) below = (k * (a - k)) / (x + 2 * k + 1 - a + below);
    return front / (x + 1 - a + below);
  }

  /* What each case costs by a score at costs that are uncertain. */
  function lossesOf({ y }, score, { lossIfPositive, lossIfNegative }) {
    const losses = new Float64Array(y.length);
    for (let row = 0; row < losses.length; row++) losses[row] = y[row] ? lossIfPositive(score[row]) : lossIfNegative(score[row]);
    return losses;
  }

  /* The same way to decide at other costs, where it costs so much. */
  const at = (cases, way, cost, regret) => ({ ...way, regret, losses: lossesOf(cases, way.scores, stakes.law(cost)) });

  return Object.freeze({ at, chiSquareTail, compare, countsOf, deviate, error, interval, lossesOf, reach, scoreTable });
})();
