"use strict";
/* What is found in the cases of a file: the sentences of the live report, and those that only the cases can tell, in the order of Python. */
const told = (() => {
  const LONGEST = 60, ROUNDING = 1e-11, DEVIATE = 1.959963984540054, MOST_TIMES = 100, FEWEST_TO_PLAN_WITH = 2, BEYOND_CHANCE = 4, OFF = 1.25;

  /* A name from the data on one line, shortened. */
  function shown(text) {
    const line = text.replace(/[\p{C}\p{Z}]/gu, " ").split(/\s+/).filter(Boolean).join(" "), letters = [...line];
    return letters.length <= LONGEST ? line : `${letters.slice(0, LONGEST - 3).join("")}...`;
  }

  /* How a page writes names from the data: all different. */
  function displayNames(names) {
    const found = new Map(), taken = new Set();
    for (const given of names) {
      const short = shown(given) || "(no name)";
      let unlike = short;
      for (let number = 2; taken.has(unlike); number++) unlike = `${short} (${number})`;
      taken.add(unlike);
      found.set(given, unlike);
    }
    return found;
  }

  const SAID = new Map([["act on everyone", "acting on everyone"], ["act on no one", "acting on no one"]]);
  const called = (line) => (line.reference && SAID.get(line.name)) || shown(line.name);
  const joined = (names) => (names.length > 1 ? [names.slice(0, -1).join(", "), names.at(-1)].join(say(" and ")) : names[0]);
  const modelsOf = (found) => found.lines.filter((line) => !line.reference);
  const isAlike = (a, b) => Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b));
  const grouped = (number) => words.fixed(number, 0);

  /* The effective numbers of positives and of negatives. */
  const effective = ({ weights, squareWeights }) => weights.map((one, side) => one ** 2 / squareWeights[side]);

  /* ------------------------------------------------------------------------------------------ the sample */

  /* How many cases it would take to tell the first two apart. */
  function* tooSmall({ cases, counts, lines, wayOf }) {
    const [first, second] = lines, { difference, difference_lower: lower } = second;
    if (Math.min(...effective(counts)) < FEWEST_TO_PLAN_WITH * (1 - 1e-9)) return;
    if ((first.reference && second.reference) || !(difference > 0 && lower <= 0) || isAlike(first.regret, second.regret)) return;
    const error = sure.error({ ...cases, counts }, wayOf(second), wayOf(first)), times = ((DEVIATE * error) / difference) ** 2;
    if (!(times > 1 && times <= MOST_TIMES)) return;
    const needed = grouped(Number((times * cases.y.length).toPrecision(2)));
    yield { kind: "too-small", evidence: "ranking", values: { best: called(first), second: called(second), needed, times: words.fixed(times, times < 10 ? 1 : 0) } };
  }

  /* Scores that rank the classes backwards, by more than chance. */
  function* wrongWay(found) {
    const [positive, negative] = effective(found.counts), chance = Math.sqrt((positive + negative + 1) / (12 * positive * negative));
    const rowOf = ({ name }) => found.rows.find((row) => row.model === name && !row.reference), turned = modelsOf(found).filter((line) => rowOf(line).auc < 0.5 - BEYOND_CHANCE * chance);
    if (!turned.length) return;
    const areas = turned.map((line) => rowOf(line).auc), [least, most] = [Math.min(...areas), Math.max(...areas)].map((area) => words.fixed(area, 2));
    yield { kind: "wrong-way", evidence: "ranking", values: { model: joined(turned.map(called)), auc: least === most ? least : `${least} to ${most}` } };
  }

  function* fewCases({ counts, said }) {
    const numbers = effective(counts);
    for (const [side, which] of ["positive", "negative"].entries()) {
      const count = grouped(counts.cases[side]);
      if (numbers[side] >= said.fewest * (1 - 1e-9)) continue;
      if (counts.cases[side] < said.fewest) yield { kind: "few", evidence: "ranking", values: { count, which, cases_are: counts.cases[side] === 1 ? "case is" : "cases are" } };
      else yield { kind: "few-effective", evidence: "ranking", values: { count, which, effective: words.fixed(numbers[side], 1) } };
    }
  }

  function* droppedCases({ cases: { dropped } }) {
    if (dropped) yield { kind: "dropped", evidence: "ranking", values: { count: dropped === 1 ? "1 case" : `${grouped(dropped)} cases` } };
  }

  /* ---------------------------------------------------------------------------------------- calibration */

  /* The mean score, and whether it is off by a factor and by more than two standard errors. */
  function expectedOf({ table }) {
    let sum = 0;
    for (let row = 0; row < table.length; row++) sum += (table.positive[row] + table.negative[row]) * table.score[row];
    return sum / table.total;
  }

  function isOff(way, counts) {
    const share = way.table.prevalence, [positive, negative] = effective(counts), expected = expectedOf(way);
    const asTheyFell = share ** 2 * (1 - share) ** 2 * (1 / positive + 1 / negative), atRandom = share * (1 - share) * (share ** 2 / positive + (1 - share) ** 2 / negative);
    return Math.max(share, expected) > OFF * Math.min(share, expected) && Math.abs(share - expected) > 2 * Math.sqrt(Math.max(asTheyFell, atRandom));
  }

  /* The prevalence that scores assume: what their log-odds must be moved by to add up to the positives; NaN where certain scores are wrong. */
  function assumedPrevalence({ table }) {
    const uncertain = [...table.score.keys()].filter((row) => table.score[row] > 0 && table.score[row] < 1), logs = uncertain.map((row) => stakes.logit(table.score[row]));
    const wrong = [...table.score.keys()].some((row) => (table.score[row] === 0 && table.positive[row] > 0) || (table.score[row] === 1 && table.negative[row] > 0));
    const sums = ["positive", "negative"].map((side) => uncertain.reduce((sum, row) => sum + table[side][row], 0));
    if (wrong || !(sums[0] > 0 && sums[1] > 0)) return NaN;
    const excess = (move) => uncertain.reduce((sum, row, k) => sum + (table.positive[row] + table.negative[row]) * stakes.expit(logs[k] + move), -sums[0]);
    let [low, high] = [-1500, 1500];
    for (let k = 0; k < 200 && high - low > 1e-15 * Math.max(1, Math.abs(low)); k++) {
      const middle = (low + high) / 2;
      if (excess(middle) > 0) high = middle;
      else low = middle;
    }
    return stakes.expit(stakes.logit(table.prevalence) - (low + high) / 2);
  }

  /* Models that expect far more or fewer positives than occurred, and the effect of a correction. */
  function* mismatch(found) {
    const { counts, decision, wayOf } = found, models = modelsOf(found);
    const wrong = models.filter((line) => isOff(wayOf(line), counts)).map((line) => ({ line, assumed: assumedPrevalence(wayOf(line)) })).filter(({ assumed }) => Number.isFinite(assumed));
    if (!wrong.length) return;
    const after = new Map(wrong.map(({ line, assumed }) => {
      const { table } = wayOf(line), score = table.score.map((one) => stakes.shiftedScore(one, assumed, table.prevalence));
      return [line, stakes.expectedRegret({ ...table, score }, decision.cost)];
    }));
    const expected = wrong.map(({ line }) => expectedOf(wayOf(line))), [low, high] = [Math.min(...expected), Math.max(...expected)].map(words.percent);
    yield { kind: "mismatch", evidence: "calibration", values: {
      model: wrong.length > 1 && wrong.length === models.length ? "All models" : joined(wrong.map(({ line }) => called(line))), expects: wrong.length === 1 ? "expects" : "expect",
      expected: low === high ? low : `${low} to ${high}`, observed: words.percent(found.sample.prevalence), effect: effectOf(found, after),
    } };
  }

  function effectOf({ lines, unit }, after) {
    const regretOf = (line) => after.get(line) ?? line.regret, [first] = lines, last = lines.reduce((best, line) => (regretOf(line) < regretOf(best) ? line : best));
    if (last !== first && words.isVisible(unit, regretOf(first) - regretOf(last))) return `would give ${called(last)} the lowest expected cost in this sample, ${words.costText(unit, regretOf(last))}`;
    const gains = [...after].map(([line, regret]) => [line, line.regret - regret]), [most, gain] = gains.reduce((best, one) => (one[1] > best[1] ? one : best));
    if (!gains.some(([, one]) => words.isVisible(unit, one))) return "would make no visible difference over these costs in this sample";
    if (gain < 0 || !words.isVisible(unit, gain)) return "would not help over these costs in this sample";
    return `would lower the expected cost${after.size === 1 ? "" : ` of ${shown(most.name)}`} by ${words.costText(unit, gain)} in this sample`;
  }

  /* --------------------------------------------------------------------------------------- other costs */

  /* Other costs than those stated, by their description. */
  function* changesOf({ kind, low, high }) {
    if (kind === "at") {
      const moved = (step) => stakes.expit(stakes.logit(low) + step * Math.log(2)), [half, twice] = [1, -1].map(moved);
      yield [`half as bad (${words.oddsOf(half)})`, stakes.at(half)];
      yield [`twice as bad (${words.oddsOf(twice)})`, stakes.at(twice)];
      return;
    }
    const [first, last] = [low, high].map(stakes.logit);
    for (const factor of [0.5, 2]) {
      const [middle, reach] = [(first + last) / 2, (factor * (last - first)) / 2], [from, to] = [middle - reach, middle + reach].map(stakes.expit);
      const [start, end] = [from, to].map(words.percent), said = factor < 1 ? `half as wide in log-odds (${start} to ${end})` : `twice as wide in log-odds (${start} to ${end})`;
      if (from > 0 && from < to && to < 1) yield [said, { kind, low: from, high: to }];
    }
  }

  /* Whether the best changes with other costs. */
  function* otherRanges(found) {
    const { cases, counts, decision, lines, unit, wayOf } = found, changes = [...changesOf(decision.cost)], [first] = lines, steady = [];
    const ifIt = (change) => (decision.cost.kind === "at" ? `a miss were ${change}` : `your range were ${change}`);
    if (modelsOf(found).length < 2 || !changes.length) return;
    for (const [change, cost] of changes) {
      const regretOf = new Map(lines.map((line) => [line, stakes.expectedRegret(wayOf(line).table, cost)]));
      const other = lines.reduce((best, line) => (regretOf.get(line) < regretOf.get(best) ? line : best)), gain = regretOf.get(first) - regretOf.get(other);
      if (gain <= ROUNDING * regretOf.get(first)) {
        steady.push(change);
        continue;
      }
      const [one, two] = [first, other].map((line) => sure.at({ ...cases, counts }, wayOf(line), cost, regretOf.get(line)));
      const [lower, upper] = sure.compare({ ...cases, counts }, one, two, stakes.law(cost), cost);
      if (!Number.isFinite(lower) || !(lower > 0 || words.isVisible(unit, gain))) continue;
      const [low, high] = [lower, upper].map((end) => words.costNumber(unit, end, gain));
      yield { kind: lower > 0 ? "unsteady" : "unsteady-close", evidence: "world", values: {
        change: ifIt(change), other: called(other), best: called(first), gain: words.costText(unit, gain), lower: low, upper: high, level: words.percent(found.level),
      } };
    }
    if (steady.length !== changes.length) return;
    yield { kind: "steady", evidence: "world", values: { best: called(first), change: ifIt(steady.join(" or ")) } };
  }

  /* --------------------------------------------------------------------------------------- one threshold */

  function* oneThreshold({ threshold: one, unit, lines }) {
    if (one === null || one.threshold === Infinity) return;
    const sum = words.addedUp(unit, one), model = called(lines[0]), following = words.costNumber(unit, one.following);
    if (sum) {
      yield { kind: following === words.costNumber(unit, one.regret) ? "one-threshold-alike" : "one-threshold", evidence: "policy", values: {
        model, threshold: sentences.threshold(one.threshold), misses: words.mistakes(sum.misses, "misses"), false_alarms: words.mistakes(sum.alarms, "false alarms"),
        per: words.perCases(unit), sum: sum.text, following,
      } };
    }
    const [low, high] = sentences.innerEnds(one.low, one.high);
    if (low < high) yield { kind: "plateau", evidence: "policy", values: { model, low: sentences.threshold(low), high: sentences.threshold(high), worst: words.costText(unit, one.worst) } };
  }

  /* ------------------------------------------------------------------------------------------------- all */

  const ORDER = [
    ["one-class"], ["best"], ["wrong-way"], ["too-small"], ["never-acts", "always-acts", "hardly-acts", "nearly-always-acts"], ["worthless"], ["crossing", "better-"], ["mismatch"],
    ["recalibrate"], ["steady", "unsteady"], ["one-threshold", "plateau"], ["other-measure"], ["group-one-class", "group-worse", "groups-alike"], ["groups-differ", "groups-agree"],
    ["group-missing"], ["few"], ["dropped"],
  ];
  const placeOf = ({ kind }) => ORDER.findIndex((kinds) => kinds.some((start) => kind.startsWith(start)));

  const FINDERS = [wrongWay, tooSmall, (found) => crossing.findings(found), mismatch, otherRanges, oneThreshold, fewCases, droppedCases];

  /* The sentences that tables can tell, found by the scripts of the report; intervals are those of the cases. */
  function ofTables({ cases, counts, decision, law, level, lines, rows, said, unit, ways, wayOf }) {
    const apart = (dearer, cheaper) => sure.compare({ ...cases, counts }, wayOf(dearer), wayOf(cheaper), law, decision.cost);
    const names = new Map(lines.map((line) => [line.name, called(line)])), named = (line) => ({ ...line, name: line.reference ? line.name : names.get(line.name) });
    const models = ways.filter((way) => !way.reference).map((way) => ({ ...way, name: names.get(way.name), there: way.table }));
    const page = { baseline: null, ranking: lines.map((line) => named(line).name), stated: decision, evaluation: { level, ranking: rows, findings: [] } };
    const unnamed = new Map(lines.map((line) => [named(line), line])), shownLines = [...unnamed.keys()];
    return sentences.find({ decision, unit, limited: false, bothClasses: true, models, page, apart: (a, b) => apart(unnamed.get(a), unnamed.get(b)) }, shownLines, said.templates);
  }

  /* Every finding, most important first. */
  function findings(found) {
    const own = [...FINDERS, ...(found.finders ?? [])].flatMap((finder) => [...finder(found)]).map((one) => sentences.written(one, found.said.templates));
    const all = [...ofTables(found), ...own].map((one) => ({ one, place: placeOf(one) })).sort((a, b) => a.place - b.place);
    return all.map(({ one: { kind, text, evidence } }) => ({ kind, text: words.compounds(text), evidence }));
  }

  return Object.freeze({ called, displayNames, findings, shown });
})();
