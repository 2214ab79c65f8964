"use strict";
/* What stakes evaluate says of the cases of a file, at one belief about the costs. */
const answering = (() => {
  const LEVEL = 0.95, FEWEST = 5, MOST_CASES = 1_000_000, FEWEST_DIGITS = 1, USUAL = 3, ROUNDING = 1e-9;
  const REACH = Math.log(10), FARTHEST = 9.2, END = 4.6, MOST_DRAWN = 4000;
  const NAMES = ["act on everyone", "act on no one"];

  /* The ends of an axis of log-odds that shows these shares, and some way beyond. */
  function domain(shares) {
    const places = shares.map((share) => (share > 0 && share < 1 ? Math.log(share) - Math.log1p(-share) : END * (2 * share - 1)));
    return [Math.max(Math.min(...places) - REACH, -FARTHEST), Math.min(Math.max(...places) + REACH, FARTHEST)].map((at) => 1 / (1 + Math.exp(-at)));
  }

  /* Models with their tables, which no cost changes. */
  const modelsOf = ({ y, scores, weight }, names) => scores.map((score, k) => ({ name: names[k], table: stakes.table(sure.scoreTable(y, score, weight)) }));

  /* Models and references with what each case costs with them. */
  function waysOf({ y, scores }, models, cost) {
    const { lossIfPositive, lossIfNegative } = stakes.law(cost);
    const lossesOf = (score) => {
      const losses = new Float64Array(y.length);
      for (let row = 0; row < losses.length; row++) losses[row] = y[row] ? lossIfPositive(score[row]) : lossIfNegative(score[row]);
      return losses;
    };
    const { positiveTotal, negativeTotal } = models[0].table, taken = new Set(models.map(({ name }) => name));
    const marked = (name) => (taken.has(name) ? marked(`${name} (reference)`) : name);
    const references = NAMES.map((name, k) => ({
      name: marked(name), reference: true, losses: lossesOf(new Uint8Array(y.length).fill(1 - k)),
      table: stakes.table({ score: [1 - k], positive: [positiveTotal], negative: [negativeTotal] }),
    }));
    return [...models.map((model, k) => ({ ...model, losses: lossesOf(scores[k]) })), ...references];
  }

  /* The covariance of the regrets of all ways. */
  function covariance({ y, weight, counts }, ways) {
    const size = ways.length, found = ways.map(() => new Float64Array(size)), moved = new Float64Array(size);
    for (let row = 0; row < y.length; row++) {
      const share = (weight ? weight[row] : 1) / counts.total;
      for (let k = 0; k < size; k++) moved[k] = share * (ways[k].losses[row] - ways[k].regret);
      for (let k = 0; k < size; k++) for (let j = 0; j <= k; j++) found[k][j] += moved[k] * moved[j];
    }
    for (let k = 0; k < size; k++) for (let j = 0; j < k; j++) found[j][k] = found[k][j];
    return found;
  }

  /* The ranking with every interval, and the chance of each to be the best. */
  function ranking(cases, models, decision) {
    const ways = waysOf(cases, models, decision.cost), law = stakes.law(decision.cost), known = { ...cases, counts: sure.countsOf(cases.y, cases.weight) };
    const lines = stakes.rank(models, decision);
    const wayOf = (line) => ways.find((way) => way.name === line.name && Boolean(way.reference) === line.reference);
    for (const line of lines) wayOf(line).regret = line.regret;
    const best = wayOf(lines[0]), { cases: count, weights } = known.counts;
    const chance = stakes.probabilityBest(
      { ways, heaviness: count.map((number, side) => weights[side] / number) },
      lines.map((line) => ways.indexOf(wayOf(line))), lines, covariance(known, ways), decision,
    );
    const found = lines.map((line, k) => {
      const way = wayOf(line), [lower, upper] = sure.interval(known, way, law, decision.cost);
      const apart = way === best ? null : sure.compare(known, way, best, law, decision.cost);
      return { ...line, lower, upper, probability_best: chance?.[k], ...(apart && { difference_lower: apart[0], difference_upper: apart[1] }) };
    });
    return { ways, ranking: found, counts: known.counts };
  }

  /* ------------------------------------------------------------------------------------------ unit and findings */

  function casesPer(prevalence) {
    const rarer = Math.min(prevalence, 1 - prevalence);
    let per = 1000;
    while (rarer > 0 && per * rarer < FEWEST * (1 - 1e-12) && per < MOST_CASES) per *= 10;
    return per;
  }

  function unitOf(cost, prevalence, lines) {
    const mean = stakes.mean(cost), unit = { name: "misses", factor: 1 / (1 - mean), per: casesPer(prevalence), digits: 0, false_alarms_per_miss: (1 - mean) / mean, cost_of_both: 1 };
    const [first, second] = lines, widths = [second.difference_upper - second.difference_lower, first.upper - first.lower, 2 * second.difference];
    const width = widths.find((one) => Number.isFinite(one) && one > 0);
    const digits = width === undefined ? FEWEST_DIGITS : Math.min(Math.max(Math.ceil(-Math.log10((unit.per * unit.factor * width) / 4)), 0), USUAL);
    const isOther = (line, k) => (Number.isFinite(line.difference_lower) ? line.difference_lower > 0 : k === 0 && line.regret - first.regret > ROUNDING * line.regret);
    return words.apart({ ...unit, digits }, first.regret, ...lines.slice(1).filter(isOther).map(({ regret }) => regret));
  }

  /* What is said about the sample: few cases of a class, and cases that were left out. */
  function sampleFindings({ cases, weights, squareWeights }, dropped, { templates, fewest }) {
    const filled = (kind, values) => ({ kind, evidence: "ranking", text: templates[kind].replace(/\{(\w+)\}/g, (_, name) => values[name]) });
    const few = ["positive", "negative"].flatMap((which, side) => {
      const effective = weights[side] ** 2 / squareWeights[side], count = words.fixed(cases[side], 0);
      if (effective >= fewest * (1 - ROUNDING)) return [];
      if (cases[side] < fewest) return [filled("few", { count, which, cases_are: cases[side] === 1 ? "case is" : "cases are" })];
      return [filled("few-effective", { count, which, effective: words.fixed(effective, 1) })];
    });
    return [...few, ...(dropped ? [filled("dropped", { count: dropped === 1 ? "1 case" : `${words.fixed(dropped, 0)} cases` })] : [])];
  }

  /* A table to draw: rows of many scores put together, about equally many cases in each, at their mean score. */
  function pictured({ score, positive, negative, total, length }) {
    if (length <= MOST_DRAWN) return { score, positive, negative };
    const rows = [];
    let [weight, sum, up, down] = [0, 0, 0, 0];
    for (let row = 0; row < length; row++) {
      const one = positive[row] + negative[row];
      weight += one;
      sum += one * score[row];
      up += positive[row];
      down += negative[row];
      if (weight < total / MOST_DRAWN && row < length - 1) continue;
      rows.push([sum / weight, up, down]);
      [weight, sum, up, down] = [0, 0, 0, 0];
    }
    return Object.fromEntries(["score", "positive", "negative"].map((name, k) => [name, Float64Array.from(rows, (one) => one[k])]));
  }

  /* Everything that the page shows, as plain data. */
  function answer(cases, models, cost, said) {
    const decision = { cost, prevalence: null, capacity: null, min_precision: null };
    const { ways, ranking: lines, counts } = ranking(cases, models, decision);
    const { prevalence } = models[0].table, unit = unitOf(cost, prevalence, lines), first = lines[0];
    const found = first.reference ? null : stakes.recommendedThreshold(models.find((way) => way.name === first.name).table, decision, unit);
    const scene = {
      decision, unit, limited: false, models: models.map((model) => ({ ...model, there: model.table })),
      page: { baseline: null, evaluation: { level: LEVEL, findings: sampleFindings(counts, cases.dropped, said) } },
    };
    return {
      decision, level: LEVEL, unit, ranking: lines, recommended_threshold: found,
      tables: models.map(({ name, table }) => ({ name, score: table.score.slice(), positive: table.positive.slice(), negative: table.negative.slice() })),
      drawn: models.map(({ name, table }) => ({ name, ...pictured(table) })),
      references: ways.filter((way) => way.reference).map(({ name }) => name),
      sample: { cases: cases.y.length, positives: counts.weights[0], weight: counts.total, prevalence, dropped: cases.dropped },
      findings: sentences.find(scene, lines, said.templates).map(({ kind, text }) => ({ kind, text })),
      domain: { cost: domain([cost.low, cost.high]), prevalence: domain([prevalence]) },
    };
  }

  return Object.freeze({ answer, modelsOf });
})();
