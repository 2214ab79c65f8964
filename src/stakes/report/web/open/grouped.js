"use strict";
/* Models in each group of the cases, at its own prevalence, and whether the best and its rival differ alike in all of them. */
const grouped = (() => {
  const MISSING = "(missing)", FEWEST_OF_A_CLASS = 10, ROUNDING = 1e-12, WORTH_SAYING = 0.05, AT_MOST = 3;

  /* Too few cases of a class, 0 being positives. */
  const onlySo = (number, side) => {
    if (number > 1) return side ? `only ${words.fixed(number, 0)} negatives` : `only ${words.fixed(number, 0)} positives`;
    return number ? (side ? `only ${number} negative` : `only ${number} positive`) : side ? "no negatives" : "no positives";
  };
  const unequal = (number, side, like) => (side ? `${number} negatives with weights so unequal that they count like ${like}` : `${number} positives with weights so unequal that they count like ${like}`);

  /* The cases of each group, the largest first. */
  function samplesOf({ y, scores, weight, groups: { labels, codes } }, ways) {
    const rows = labels.map(() => []);
    codes.forEach((code, row) => rows[code].push(row));
    const found = labels.flatMap((name, k) => (rows[k].length ? [{ name, rows: Uint32Array.from(rows[k]) }] : []));
    found.sort((a, b) => b.rows.length - a.rows.length || (a.name < b.name ? -1 : 1));
    return found.map(({ name, rows: own }, k) => {
      const pick = (column) => column.constructor.from(own, (row) => column[row]), outcome = pick(y), weights = weight && pick(weight);
      const inside = ways.map((way) => ({ ...way, scores: pick(way.scores), losses: pick(way.losses) }));
      const cases = { y: outcome, weight: weights, counts: sure.countsOf(outcome, weights) };
      return { name, isFirst: k === 0, cases, ways: inside.map((way) => ({ ...way, table: stakes.table(sure.scoreTable(outcome, way.scores, weights)) })) };
    });
  }

  /* What each model costs in a group, with its interval. */
  function costsOf({ cases, ways }, cost) {
    const law = stakes.law(cost);
    for (const way of ways) way.regret = stakes.expectedRegret(way.table, cost);
    return new Map(ways.map((way) => [way, sure.interval(cases, way, law, cost)]));
  }

  /* The prevalences at which two groups are compared: those between their own. */
  function shared(one, other) {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    return high - low <= 1e-12 * high ? stakes.at(low) : stakes.logOddsUniform(low, high);
  }

  /* A gap between two groups, split into effects of the model and of the prevalence. */
  function explainGap(first, second, cost) {
    const between = shared(first.prevalence, second.prevalence), less = (measure) => measure(first) - measure(second);
    const total = less((table) => stakes.shiftedRegret(table, cost, stakes.at(table.prevalence)));
    const mechanism = less((table) => stakes.shiftedRegret(table, cost, between)), sharpness = less((table) => stakes.shiftedRegret(stakes.recalibrate(table), cost, between));
    const calibration = mechanism - sharpness, joined = sharpness + calibration, label = total - joined;
    return { total: joined + label, mechanism: joined, label, sharpness, calibration };
  }

  const hasBoth = ({ ways: [{ table }] }) => stakes.hasBothClasses(table);
  const MOST = 1e-9;

  /* ----------------------------------------------------------------------------------- differences in groups */

  /* Why a group is left out of the test; nothing where it is not. */
  function whyNot({ name, cases: { counts } }, error, spread, [first, second]) {
    const effective = counts.weights.map((weight, side) => (counts.squareWeights[side] ? weight ** 2 / counts.squareWeights[side] : 0));
    const side = effective[0] <= effective[1] ? 0 : 1, number = counts.cases[side];
    if (name === MISSING) return "no label";
    if (effective[side] < FEWEST_OF_A_CLASS * (1 - MOST)) {
      return number >= FEWEST_OF_A_CLASS ? unequal(words.fixed(number, 0), side, words.fixed(effective[side], 1)) : onlySo(number, side);
    }
    if (!Number.isFinite(error)) return "undefined difference";
    if (error > ROUNDING * spread) return "";
    return Math.abs(first.regret - second.regret) <= ROUNDING * Math.max(first.regret, second.regret) ? "no disagreement" : "the same difference for every case";
  }

  /* How much more one costs than another in a group. */
  function differenceIn(sample, [a, b], cost, wider) {
    const { cases, ways } = sample, law = stakes.law(cost), [first, second] = [ways[a], ways[b]], estimate = first.regret - second.regret;
    const [lower, upper] = sure.compare(cases, first, second, law, cost), [low, high] = sure.compare(cases, first, second, law, cost, wider);
    const error = sure.error(cases, first, second), spread = sure.error(cases, first) + sure.error(cases, second);
    const constant = stakes.expectedRegret(stakes.flatten(first.table), cost), skill = hasBoth(sample) && constant ? -estimate / constant : NaN;
    return {
      name: sample.name, cases: cases.y.length, positives: cases.counts.cases[0], prevalence: first.table.prevalence, difference: { estimate, lower, upper },
      adjusted: { estimate, lower: low, upper: high }, skill: { estimate: skill }, error, left_out: whyNot(sample, error, spread, [first, second]),
    };
  }

  /* The comparison of two in all groups: Cochran's Q, and the chance of one as large. */
  function comparison(samples, pair, [model, best], cost, level) {
    const adjusted = 1 - (1 - level) / samples.length, found = samples.map((sample) => differenceIn(sample, pair, cost, sure.deviate(adjusted)));
    const tested = found.filter((one) => !one.left_out), precision = tested.map(({ error }) => 1 / error ** 2), whole = precision.reduce((sum, one) => sum + one, 0);
    const common = tested.length > 1 ? tested.reduce((sum, one, k) => sum + precision[k] * one.difference.estimate, 0) / whole : NaN;
    const statistic = tested.length > 1 ? tested.reduce((sum, one, k) => sum + precision[k] * (one.difference.estimate - common) ** 2, 0) : NaN, freedom = Math.max(tested.length - 1, 0);
    return { model, best, statistic, freedom, p_value: tested.length > 1 ? sure.chiSquareTail(freedom, statistic) : NaN, common, level, adjusted_level: adjusted, groups: found };
  }

  /* ----------------------------------------------------------------------------------------------- findings */

  function* oneClass(groups) {
    for (const { name, prevalence } of groups.length > 1 ? groups : []) {
      if (prevalence === 0 || prevalence === 1) yield { kind: "group-one-class", evidence: "groups", values: { group: told.shown(name), which: prevalence ? "positive" : "negative" } };
    }
  }

  const directionOf = (own, other) => (Math.abs(own - other) <= 1e-12 * Math.max(own, other) ? "equal" : own > other ? "higher" : "lower");

  /* Groups that fare detectably worse than the largest with the best model, and why. */
  function* worse(groups, best, { unit, level }) {
    const [reference, ...others] = groups, from = reference.regret[best];
    const gaps = others.map((group) => {
      const own = group.regret[best];
      return { group, estimate: own.estimate - from.estimate, lower: own.estimate - from.estimate - Math.hypot(own.estimate - own.lower, from.upper - from.estimate), upper: own.estimate - from.estimate + Math.hypot(own.upper - own.estimate, from.estimate - from.lower) };
    });
    const dearer = gaps.filter(({ lower, group }) => lower > 0 && group.gaps[best]).sort((a, b) => b.estimate - a.estimate);
    for (const { group, lower, upper } of dearer.slice(0, AT_MOST)) {
      const gap = group.gaps[best], [low, high] = [lower, upper].map((end) => words.costNumber(unit, end, gap.total)), parts = ["label", "calibration", "sharpness"].map((name) => [name, words.costNumber(unit, gap[name])]);
      yield { kind: "group-worse", evidence: "groups", values: {
        group: told.shown(group.name), reference: told.shown(reference.name), model: told.shown(best), level: words.percent(level), direction: directionOf(group.prevalence, reference.prevalence),
        gap: words.costText(unit, gap.total), lower: low, upper: high, ...Object.fromEntries(parts),
      } };
    }
    if (!others.length || gaps.some(({ lower, upper }) => lower > 0 || upper < 0)) return;
    const [least, most] = [Math.min, Math.max].map((end) => end(...gaps.map(({ estimate }) => estimate))), [low, high] = [least, most].map((one) => words.costNumber(unit, one));
    yield { kind: "groups-alike", evidence: "groups", values: { reference: told.shown(reference.name), model: told.shown(best), differences: low === high ? words.costText(unit, most) : `${low} to ${words.costText(unit, most)}` } };
  }

  /* A p value in two digits, with more where it would read as the one it is held against. */
  function chanceSaid(chance, unlike) {
    if (chance < 0.001) return `p < ${words.local("0.001")}`;
    let digits = 2;
    const reads = () => Number(chance.toPrecision(digits));
    while (digits < 15 && chance !== unlike && Math.abs(reads() - unlike) <= 1e-9 * unlike) digits += 1;
    return `p = ${words.local(String(reads()))}`;
  }

  /* Whether the difference between the best and its rival differs between groups. */
  function* differences(compared, { unit, level }, [best, rival]) {
    if (!compared || Number.isNaN(compared.p_value)) return;
    const tested = compared.groups.filter((one) => !one.left_out).sort((a, b) => a.difference.estimate - b.difference.estimate), [low, high] = [tested[0], tested.at(-1)];
    const [least, most] = [low, high].map((one) => one.difference.estimate), apart = words.apart(unit, least, most), differs = compared.p_value < 1 - level;
    const names = { other: told.called(rival), best: told.called(best), low_group: told.shown(low.name), high_group: told.shown(high.name) };
    yield { kind: differs ? "groups-differ" : "groups-agree", evidence: "groups", values: { ...names, least: words.costText(apart, least), most: words.costNumber(apart, most), p: chanceSaid(compared.p_value, 1 - level) } };
    const shares = tested.map((one) => one.prevalence), [lowest, highest] = [Math.min(...shares), Math.max(...shares)].map(words.percent);
    if (!differs || lowest === highest) return;
    yield { kind: "groups-differ-prevalence", evidence: "groups", values: { ...names, lowest, highest, low_skill: words.signed(low.skill.estimate, 2), high_skill: words.signed(high.skill.estimate, 2) } };
  }

  /* How many of the positives have no group label, where they are not few. */
  function* unlabelled(samples) {
    const weights = samples.map(({ ways: [{ table }] }) => table.positiveTotal), held = samples.findIndex(({ name }) => name === MISSING);
    const share = held < 0 ? 0 : weights[held] / weights.reduce((sum, one) => sum + one, 0);
    if (share > WORTH_SAYING) yield { kind: "group-missing", evidence: "groups", values: { share: words.percent(share), group: MISSING } };
  }

  /* Everything about groups: as it stands in JSON, and the findings. */
  function evaluated(cases, ways, lines, { cost }, level) {
    const samples = samplesOf(cases, ways), models = ways.map((way, k) => (way.reference ? -1 : k)).filter((k) => k >= 0), costs = samples.map((sample) => costsOf(sample, cost));
    const groups = samples.map((sample, place) => ({
      name: sample.name, cases: sample.cases.y.length, prevalence: sample.ways[0].table.prevalence, reference: sample.isFirst,
      regret: Object.fromEntries(models.map((k) => {
        const [lower, upper] = costs[place].get(sample.ways[k]);
        return [ways[k].name, { estimate: sample.ways[k].regret, lower, upper }];
      })),
      gaps: sample.isFirst || !hasBoth(sample) || !hasBoth(samples[0]) ? {} : Object.fromEntries(models.map((k) => [ways[k].name, explainGap(sample.ways[k].table, samples[0].ways[k].table, cost)])),
    }));
    const [best, next] = lines, rival = best.reference ? lines.find((line) => !line.reference) : next, placeOf = (line) => ways.findIndex((way) => way.name === line.name && Boolean(way.reference) === line.reference);
    const compared = samples.length > 1 ? comparison(samples, [placeOf(rival), placeOf(best)], [rival.name, best.name], cost, level) : null, first = lines.find((line) => !line.reference).name;
    const all = function* all(found) {
      yield* oneClass(groups);
      if (groups.length > 1) yield* worse(groups, first, found);
      yield* differences(compared, found, [best, rival]);
      yield* unlabelled(samples);
    };
    return { groups, comparison: compared, finders: [all] };
  }

  return Object.freeze({ evaluated });
})();
