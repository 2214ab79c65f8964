"use strict";
/* The probability that each way to decide is the best, as `rank` computes it: models in the race are alike until the data
   say otherwise. Values are taken at points that are always the same. */
Object.assign(stakes, (() => {
  const { mean } = stakes;
  const POINTS = 4096;
  const STEPS = 512; // of the tabulated law of the share of chance
  const REACH = 4; // standard errors behind the leader up to which a model is in the race
  const KNOWN = 1e-13; // relative variance below which a contrast counts as known
  const SAME = 1e-12; // relative difference of ways that are certain to be equal
  const HOPELESS = -4; // standard errors behind the leader beyond which one is not counted

  /* The generating vector of Cools, Kuo and Nuyens (2006) for lattices of 2^k points; then square roots of primes. */
  const LATTICE = [1, 182667, 469891, 498753, 110745, 446247, 250185, 118627, 245333, 283199, 408519, 391023, 246327, 126539, 399185, 461527, 300343, 69681, 516695, 436179];
  const isPrime = (n) => Array.from({ length: n }, (_, k) => k).every((k) => k < 2 || n % k);
  const PRIMES = Array.from({ length: 600 }, (_, n) => n).filter((n) => n > 1 && isPrime(n));

  /* The standard normal quantile: Acklam's rational approximation, to 1e-9. */
  function normalQuantile(p) {
    const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239];
    const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
    const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
    const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
    const ratio = (above, below, x) => above.reduce((sum, one) => sum * x + one, 0) / (below.reduce((sum, one) => sum * x + one, 0) * x + 1);
    if (p > 1 - 0.02425) return -normalQuantile(1 - p);
    if (p < 0.02425) return ratio(c, d, Math.sqrt(-2 * Math.log(p)));
    const q = p - 0.5;
    return q * ratio(a, b, q * q);
  }

  /* The points of one direction, folded so that an integrand is periodic: shares in (0, 1). */
  function folded(direction) {
    const step = direction < LATTICE.length ? LATTICE[direction] / POINTS : Math.sqrt(PRIMES[direction % PRIMES.length]);
    const shift = (0.5 + direction * 0.6180339887498949) % 1;
    return Float64Array.from({ length: POINTS }, (_, k) => Math.min(Math.max(Math.abs(2 * ((k * step + shift) % 1) - 1), 1e-12), 1 - 1e-12));
  }
  const shares = folded(0), deviates = [];
  const deviatesOf = (direction) => (deviates[direction] ??= folded(direction + 1).map(normalQuantile));

  /* Eigenvalues and eigenvectors (columns of rows) of a symmetric matrix, by Jacobi's rotations, the largest first. */
  function eigen(matrix) {
    const n = matrix.length, a = matrix.map((row) => Float64Array.from(row)), v = a.map((_, i) => Float64Array.from(a, (__, j) => Number(i === j)));
    for (let sweep = 0; sweep < 30; sweep++) {
      let off = 0, size = 0;
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) i === j ? (size += a[i][i] ** 2) : (off += a[i][j] ** 2);
      if (off <= 1e-24 * size) break;
      for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v, p, q);
    }
    const order = [...Array(n).keys()].sort((i, j) => a[j][j] - a[i][i]);
    return { values: order.map((k) => a[k][k]), vectors: order.map((k) => Float64Array.from(v, (row) => row[k])) };
  }

  function rotate(a, v, p, q) {
    if (a[p][q] === 0) return;
    const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const c = 1 / Math.sqrt(t * t + 1), s = t * c;
    for (let k = 0; k < a.length; k++) {
      const [x, y] = [a[k][p], a[k][q]];
      a[k][p] = c * x - s * y;
      a[k][q] = s * x + c * y;
    }
    for (let k = 0; k < a.length; k++) {
      const [x, y] = [a[p][k], a[q][k]];
      a[p][k] = c * x - s * y;
      a[q][k] = s * x + c * y;
    }
    for (const row of v) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
  }

  const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);

  /* Which models lie within some standard errors of the one that leads; none if that is only one. */
  function inTheRace(gain, errors, models) {
    const first = models.reduce((best, is, k) => (is && (best < 0 || gain[k] > gain[best]) ? k : best), -1);
    const near = models.map((is, k) => is && gain[first] - gain[k] <= REACH * Math.sqrt(Math.max(errors[k][k] + errors[first][first] - 2 * errors[first][k], 0)));
    return near.filter(Boolean).length > 1 ? near : models.map(() => false);
  }

  /* Orthonormal contrasts of those in the race, one in each row. */
  function helmert(race) {
    const places = race.flatMap((is, k) => (is ? [k] : []));
    return places.slice(1).map((_, row) => {
      const count = row + 1, contrast = new Float64Array(race.length), size = Math.sqrt(count * (count + 1));
      for (let k = 0; k < count; k++) contrast[places[k]] = 1 / size;
      contrast[places[count]] = -count / size;
      return contrast;
    });
  }

  /* The contrasts of the models in the race: what was seen, their variances, and what a standard error of each moves. */
  function contrasts(gain, errors, race, trace) {
    const basis = helmert(race);
    if (!basis.length) return { seen: [], variance: [], loads: [] };
    const spread = basis.map((row) => Float64Array.from(errors, (one) => dot(one, row)));
    const { values, vectors } = eigen(basis.map((_, i) => Float64Array.from(basis, (row) => dot(spread[i], row))));
    const kept = values.flatMap((value, k) => (value > KNOWN * trace ? [k] : []));
    const turned = kept.map((k) => gain.map((_, way) => basis.reduce((sum, row, i) => sum + vectors[k][i] * row[way], 0)));
    return {
      seen: turned.map((row) => dot(row, gain)), variance: kept.map((k) => values[k]),
      loads: turned.map((row, i) => errors.map((one) => dot(one, row) / Math.sqrt(values[kept[i]]))),
    };
  }

  const centred = (column) => {
    const middle = column.reduce((sum, one) => sum + one, 0) / column.length;
    return column.map((one) => one - middle);
  };

  /* The other directions of the errors, without what all share. */
  function others(errors, loads, trace) {
    const rest = errors.map((row, i) => Float64Array.from(row, (value, j) => value - loads.reduce((sum, one) => sum + one[i] * one[j], 0)));
    const half = rest.map((row) => centred([...row])), whole = half[0].map((_, j) => centred(half.map((row) => row[j])));
    const { values, vectors } = eigen(whole);
    return vectors.filter((_, k) => values[k] > KNOWN * trace).map((vector, k) => Array.from(vector, (one) => one * Math.sqrt(values[k])));
  }

  /* The share of chance, as an angle: its quantiles given what was seen. */
  function angles(seen, variance) {
    const typical = Math.exp(variance.reduce((sum, one) => sum + Math.log(one), 0) / variance.length);
    const at = (k) => (k * Math.PI) / 2 / STEPS;
    const logs = Array.from({ length: STEPS + 1 }, (_, k) => {
      const [sine, cosine] = [Math.sin(at(k)) ** 2, Math.cos(at(k)) ** 2];
      return variance.reduce((sum, one, i) => {
        const total = one * sine + typical * cosine;
        return sum + (Math.log((sine * typical) / total) - (seen[i] ** 2 * sine) / total) / 2;
      }, Math.log(sine * cosine) / 2);
    });
    const largest = Math.max(...logs.filter(Number.isFinite)), density = logs.map((one) => (Number.isFinite(one) ? Math.exp(one - largest) : 0));
    const below = new Float64Array(STEPS + 1);
    for (let k = 1; k <= STEPS; k++) below[k] = below[k - 1] + density[k] + density[k - 1];
    const quantile = (share) => {
      const aim = share * below[STEPS], k = Math.max(stakes.firstRow(STEPS, (row) => below[row] >= aim), 1);
      return at(k - 1 + (aim - below[k - 1]) / (below[k] - below[k - 1] || 1));
    };
    return { typical, quantile };
  }

  /* How often each is the best at the points; `gain` are the numbers, larger being better. */
  function bestOf(gain, errors, models) {
    const trace = errors.reduce((sum, row, k) => sum + row[k], 0), race = inTheRace(gain, errors, models);
    const { seen, variance, loads } = contrasts(gain, errors, race, trace), rest = others(errors, loads, trace);
    const top = Math.max(...gain), first = gain.indexOf(top);
    const hopeful = gain.flatMap((one, k) => (one - top >= HOPELESS * Math.sqrt(Math.max(errors[k][k] + errors[first][first] - 2 * errors[k][first], 0)) ? [k] : []));
    const columns = [...loads.map((one) => centred(one)), ...rest].map((column) => hopeful.map((k) => column[k]));
    const order = columns.map((column, k) => [dot(column, column), k]).sort((a, b) => b[0] - a[0]).map(([, k]) => k);
    const direction = order.map((_, k) => deviatesOf(order.indexOf(k)));
    const { typical, quantile } = seen.length ? angles(seen, variance) : {};
    const wins = new Float64Array(gain.length), start = hopeful.map((k) => gain[k] - top), values = new Float64Array(hopeful.length);
    for (let point = 0; point < POINTS; point++) {
      values.set(start);
      const angle = seen.length ? quantile(shares[point]) : 0, sine = Math.sin(angle) ** 2, cosine = 1 - sine;
      columns.forEach((column, k) => {
        let z = direction[k][point];
        if (k < seen.length) {
          const total = variance[k] * sine + typical * cosine;
          z = (-sine * seen[k] * Math.sqrt(variance[k])) / total + Math.sqrt((typical * cosine) / total) * z;
        }
        for (let way = 0; way < values.length; way++) values[way] += z * column[way];
      });
      let best = 0;
      for (let way = 1; way < values.length; way++) if (values[way] > values[best]) best = way;
      wins[hopeful[best]] += 1 / POINTS;
    }
    return wins;
  }

  /* Variance from half a case of each class that was not seen, as far as a case can move the number. */
  function unseen({ table, reference }, decision, [heavy, other]) {
    if (reference || table.length < 2) return 0;
    const cost = mean(decision.cost), share = decision.prevalence ? mean(decision.prevalence) : table.prevalence;
    const [up, down] = [(share / table.prevalence) * (1 - cost) * heavy, ((1 - share) / (1 - table.prevalence)) * cost * other];
    return (up * up + down * down) / 2;
  }

  /* Which ways are certain to be equal, such as a model that acts on no one and that reference. */
  function twinsOf(gain, errors) {
    const isTwin = (i, j) => Math.abs(gain[i] - gain[j]) <= SAME * Math.max(Math.abs(gain[i]), Math.abs(gain[j])) && errors[i][i] + errors[j][j] - 2 * errors[i][j] <= 1e3 * SAME * Math.max(errors[i][i], errors[j][j]);
    return gain.map((_, i) => gain.map((__, j) => i === j || isTwin(i, j)));
  }

  /* The probability of each line of a ranking to be the best, ties shared; null where it is not known. One score for every case makes a reference. */
  function probabilityBest(known, numbers, ranking, errors, decision) {
    const heavy = known.heaviness ?? [1, 1], total = known.ways[0].table.total, gain = ranking.map((line) => -line.regret);
    const spread = numbers.map((a) => Float64Array.from(numbers, (b) => errors[a][b]));
    if (spread.some((row) => row.some((one) => !Number.isFinite(one)))) return null;
    const twins = twinsOf(gain, spread), more = numbers.map((a) => unseen(known.ways[a], decision, heavy) / total ** 2);
    const apart = twins.map((row) => Math.max(...more.filter((_, k) => row[k]))); // alike for twins, also where one is a reference
    const wins = bestOf(gain, spread.map((row, i) => row.map((one, j) => one + Number(twins[i][j]) * apart[i])), numbers.map((k) => known.ways[k].table.length > 1));
    return twins.map((alike) => wins.reduce((sum, one, k) => sum + Number(alike[k]) * one, 0) / alike.filter(Boolean).length);
  }

  return { deviatesOf, eigen, normalQuantile, bestOf, probabilityBest };
})());
