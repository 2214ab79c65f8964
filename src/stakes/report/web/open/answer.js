"use strict";
/* What stakes evaluate says of the cases of a file, at one belief about the costs. */
const answering = (() => {
  const LEVEL = 0.95, COLOURED = 4, PLACES = 41, AROUND = 0.7, FEWEST = 5, MOST_CASES = 1_000_000, FEWEST_DIGITS = 1, USUAL = 3, ROUNDING = 1e-9;
  const REACH = Math.log(10), FARTHEST = 9.2, END = 4.6;
  const SCALE = "expected cost per case, where one false alarm plus one miss cost 1";
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
    const law = stakes.law(cost), priced = (scores) => ({ scores, losses: sure.lossesOf({ y }, scores, law) });
    const { positiveTotal, negativeTotal } = models[0].table, taken = new Set(models.map(({ name }) => name));
    const marked = (name) => (taken.has(name) ? marked(`${name} (reference)`) : name);
    const references = NAMES.map((name, k) => ({
      name: marked(name), reference: true, ...priced(new Uint8Array(y.length).fill(1 - k)),
      table: stakes.table({ score: [1 - k], positive: [positiveTotal], negative: [negativeTotal] }),
    }));
    return [...models.map((model, k) => ({ ...model, ...priced(scores[k]) })), ...references];
  }

  /* The covariance of the regrets of all ways. */
  function covariance({ y, weight, counts }, ways) {
    const size = ways.length, found = ways.map(() => new Float64Array(size)), moved = new Float64Array(size), again = y.length / (y.length - 1);
    for (let row = 0; row < y.length; row++) {
      const share = (weight ? weight[row] : 1) / counts.total;
      for (let k = 0; k < size; k++) moved[k] = share * (ways[k].losses[row] - ways[k].regret);
      for (let k = 0; k < size; k++) for (let j = 0; j <= k; j++) found[k][j] += moved[k] * moved[j];
    }
    for (let k = 0; k < size; k++) for (let j = 0; j <= k; j++) found[j][k] = found[k][j] *= again;
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

  /* -------------------------------------------------------------------------------------- the evaluation */

  const partsOf = (table, decision) => {
    const { miscalibration, discrimination, uncertainty } = stakes.parts(table, decision);
    return { miscalibration, discrimination, uncertainty };
  };

  /* A line of the ranking as it stands in JSON. */
  function rowOf(line, way, decision) {
    const { name: model, reference, regret, lower, upper, skill, acts, probability_best: chance = null } = line, first = line.difference_lower === undefined;
    const ends = first ? {} : { difference: line.difference, difference_lower: line.difference_lower, difference_upper: line.difference_upper };
    return {
      model, reference, regret, lower, upper, skill, difference: null, difference_lower: null, difference_upper: null, ...ends, probability_best: chance,
      acts_at_lowest_cost: acts.low, acts_mean: acts.mean, acts_at_highest_cost: acts.high, ...partsOf(way.table, decision),
      brier_score: stakes.brier(way.table), log_loss: stakes.logLoss(way.table), auc: stakes.auc(way.table),
    };
  }

  function policyOf({ table }, decision) {
    const { low, high, threshold, share, falsePositiveRate, recall, precision, alarmsPerThousand, regret } = stakes.bestThresholds(table, decision.cost, decision);
    return { from_cost: low, to_cost: high, threshold, share, false_positive_rate: falsePositiveRate, recall, precision, alarms_per_thousand: alarmsPerThousand, regret };
  }

  /* The one threshold of the best, with its sum; null where no model is best. */
  function thresholdOf(first, ways, decision, unit) {
    if (first.reference) return null;
    const found = stakes.recommendedThreshold(ways.find((way) => way.name === first.name && !way.reference).table, decision, unit);
    return found && { model: first.name, ...found, following: first.regret, extra: found.regret - first.regret, sum: words.sum(unit, found) };
  }

  const KINDS = { at: "At", uniform: "Uniform", log_odds_uniform: "LogOddsUniform" };

  /* Everything that is found, in the form of the JSON of an evaluation; `facts` says where the cases come from. */
  function evaluationOf(cases, models, cost, { said, facts }) {
    const decision = { cost, prevalence: null, capacity: null, min_precision: null };
    const { ways, ranking: lines, counts } = ranking(cases, models, decision);
    const { prevalence } = models[0].table, unit = unitOf(cost, prevalence, lines);
    const wayOf = (line) => ways.find((way) => way.name === line.name && Boolean(way.reference) === line.reference);
    const threshold = thresholdOf(lines[0], ways, decision, unit), rows = lines.map((line) => rowOf(line, wayOf(line), decision));
    const inGroups = cases.groups ? grouped.evaluated(cases, ways, lines, decision, LEVEL) : { groups: [], comparison: null };
    const sample = {
      cases: cases.y.length, weight: counts.total, prevalence, weighted: cases.weight !== null, clusters: null, dropped: cases.dropped,
      dropped_by_role: cases.dropped ? { predictions: cases.dropped } : {}, has_cases: true, positives: counts.weights[0], reading_notes: [...facts.notes, ...cases.notes], repeats: 1, follow_up: null,
    };
    const found = { cases, counts, decision, unit, ways, lines, rows, wayOf, threshold, sample, level: LEVEL, said, law: stakes.law(cost), ...inGroups };
    const findings = told.findings(found);
    return {
      found,
      evaluation: {
        schema: said.schema, outcome: null, harm: {}, actions: null, horizons: [], validation: null, recommendation: said.recommendations[cost.kind], unit: { numbers: SCALE, ...unit }, stakes: said.version, call: facts.call,
        decision: { costs: { kind: KINDS[cost.kind], low: cost.low, high: cost.high }, prevalence: null, capacity: null, min_precision: null },
        sample, level: LEVEL, folds: null, baseline: null, interval_method: "analytic", ranking: rows, recommended_threshold: threshold, findings,
        policies: Object.fromEntries(models.map((model) => [model.name, policyOf(model, decision)])), groups: inGroups.groups,
        group_comparisons: inGroups.comparison ? [inGroups.comparison] : [],
      },
    };
  }

  /* --------------------------------------------------------------------------------- what a report holds */

  /* How many standard errors each end of a single interval is away. */
  function shapeOf({ regret, lower, upper }, error) {
    const ends = [regret - lower, upper - regret];
    return error > 0 && ends.every(Number.isFinite) ? ends.map((far) => Number((far / error).toPrecision(4))) : null;
  }

  /* What makes the intervals of single models follow the costs. */
  function liveOf({ cases, counts, ways, decision, lines, wayOf }, held) {
    const alike = cases.weight === null || cases.weight.every((one) => one === 1), squares = alike ? null : held.map((one, k) => squaresOf(cases, cases.scores[k], ways[k].table, one));
    const weighed = alike ? {} : { squares, totals: counts.squareWeights, heaviness: counts.cases.map((number, side) => counts.weights[side] / number) };
    const there = ways.map((way, k) => (way.reference ? way : { ...way, table: held[k].table }));
    const errors = stakes.covariance(stakes.live({ single: [], ...weighed }, there, cases.y.length), decision);
    const lineOf = (way) => lines.find((line) => wayOf(line) === way);
    return { single: ways.map((way, k) => shapeOf(lineOf(way), Math.sqrt(Math.max(errors[k][k], 0)))), ...weighed };
  }

  /* The squared weights of the cases of each row, by class. */
  function squaresOf({ y, weight }, score, fine, { starts, table: held }) {
    const found = [new Float64Array(held.length), new Float64Array(held.length)], ends = starts.map((row) => fine.score[row]);
    for (let row = 0; row < y.length; row++) {
      const place = stakes.firstRow(ends.length, (k) => ends[k] > score[row]) - 1;
      found[1 - y[row]][place] += weight[row] ** 2;
    }
    return found.map((column) => [...column]);
  }

  /* The colours of models: of many, those of the first in rank and of those that cost least somewhere near the range. */
  function coloursOf(models, lines, { cost }, [low, high]) {
    if (models.length <= COLOURED) return models.map((_, k) => `m${k}`);
    const ranked = lines.filter((line) => !line.reference).map(({ name }) => name), curves = models.map(({ table }) => stakes.regretCurve(table));
    const ends = [Math.max(stakes.expit(stakes.logit(Math.max(cost.low, low)) - AROUND), low), Math.min(stakes.expit(stakes.logit(Math.min(cost.high, high)) + AROUND), high)].map(stakes.logit);
    const wins = new Map();
    for (let k = 0; k < PLACES; k++) {
      const place = stakes.expit(ends[0] + ((ends[1] - ends[0]) * k) / (PLACES - 1)), values = curves.map((curve) => stakes.valueAt(curve, place));
      const best = models[values.indexOf(Math.min(...values))].name;
      wins.set(best, (wins.get(best) ?? 0) + 1);
    }
    const order = [...ranked.slice(0, 2), ...[...wins].sort((a, b) => b[1] - a[1]).map(([name]) => name), ...ranked], chosen = [...new Set(order)].slice(0, COLOURED);
    const coloured = models.filter(({ name }) => chosen.includes(name));
    return models.map((model) => (coloured.includes(model) ? `m${coloured.indexOf(model)}` : "other"));
  }

  /* The ends that were stated, as the line below the sentence says them. */
  function statedSaid({ low, high }, prevalence) {
    const [most, least] = [low, high].map((cost) => words.exchangeNumber((1 - cost) / cost));
    return `${low === high ? most : `${least} to ${most}`}, ${words.percent(prevalence)}`;
  }

  /* Which way to decide costs least, before anything is known of how sure that is. */
  const leader = (models, cost) => `${told.called(stakes.rank(models, { cost, prevalence: null, capacity: null, min_precision: null })[0])} costs least in this sample. Computing intervals`;

  /* All that a report holds, as _payload.py embeds it; no rows of the file, and no tables of groups. */
  function answer(cases, models, cost, given) {
    const { found, evaluation } = evaluationOf(cases, models, cost, given), { decision, lines, unit, ways, wayOf } = found, { said } = given;
    const policies = models.map(({ name }) => evaluation.policies[name]), each = cases.weight === null ? 1 : found.counts.total / cases.y.length;
    const held = pooling.pageTables(models, { policies, one: found.threshold, cost, each }), ends = domain([cost.low, cost.high]);
    const changes = models.map(({ table }, k) => pooling.change(table, held[k].table)), largest = (name) => Math.max(...changes.map((one) => one[name]));
    const ranked = lines.filter((line) => !line.reference), pairOf = ({ name }) => models.findIndex((model) => model.name === name);
    const [capacity, precision] = pooling.changeUnderLimits(ranked.map((line) => [models[pairOf(line)].table, held[pairOf(line)].table]), cost);
    const stated = ranked.map((line) => Math.abs(stakes.regret(held[pairOf(line)].table, decision) - line.regret));
    const names = told.displayNames(evaluation.ranking.map(({ model }) => model));
    return {
      models: held.map(({ name, table }) => ({ key: name, name: names.get(name), score: table.score, positive: table.positive, negative: table.negative })),
      references: ways.filter((way) => way.reference).map(({ name }) => names.get(name) ?? name), ranking: lines.map(({ name }) => names.get(name)), baseline: null,
      stated: decision, positive_said: "are positive", domain: { cost: ends, prevalence: domain([evaluation.sample.prevalence]) },
      bound: { regret: largest("regret"), false_alarms: largest("false_alarms"), misses: largest("misses"), stated: Math.max(...stated), capacity, precision },
      evaluation, difference: null, live: liveOf({ ...found, wayOf }, held), groups: null, colours: coloursOf(models, lines, decision, ends), words: [],
      stated_said: statedSaid(cost, evaluation.sample.prevalence), unit_said: words.unitSaid(unit, cost.kind === "at"), templates: said.templates, answers: said.answers, evidence: said.evidence,
    };
  }

  return Object.freeze({ answer, leader, modelsOf });
})();
