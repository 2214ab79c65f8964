/* What an evaluation comes to, in sentences that follow the controls: those that tables alone can tell, found as in
   stakes.evaluation and written with its templates, and those about the sample, which no control changes. */
"use strict";

const sentences = (() => {
  const SAID = new Map([["act on everyone", "acting on everyone"], ["act on no one", "acting on no one"]]);
  const NEARLY_ALL = 0.95, HARDLY_ANY = 0.1, WORTH_SAYING = 0.05, ROUNDING = 1e-11;

  const said = (line) => (line.reference && SAID.get(line.name)) || line.name;
  const where = (scene) => (scene.decision.cost.kind === "at" ? "at the cost you state" : "over your range");
  const isVisible = (scene, difference) => words.isVisible(scene.unit, difference);
  const amount = (scene, regret) => words.costText(scene.unit, regret);

  /** Two costs that are told against each other, the first with its unit, so that they read as different as they are. */
  function against(scene, regret, other) {
    const unit = words.apart(scene.unit, regret, other);
    return [words.costText(unit, regret), words.costNumber(unit, other)];
  }

  /** What is known of the difference of a line to the best: its interval, and whether that holds 0. */
  function apartFrom({ unit, about, page }, { difference, difference_lower: lower, difference_upper: upper }) {
    if (!Number.isFinite(lower ?? NaN)) return null;
    const [low, high] = [lower, upper].map((end) => words.costNumber(unit, end, difference));
    const level = words.level(page.evaluation.level);
    return { kind: lower > 0 ? "" : "-close", values: { level, lower: `${about ?? ""}${low}`, upper: high } };
  }

  function* best(scene, ranking) {
    const [first, next] = ranking;
    const second = first.reference ? ranking.find((line) => !line.reference) : next;
    const apart = apartFrom(scene, second);
    const kind = isTied(first, second) ? "best-tied" : (first.reference ? "best-reference" : "best") + (apart?.kind ?? "-unsure");
    yield { kind, evidence: "ranking", values: {
      best: said(first), second: said(second), where: where(scene), verb: words.costVerb(scene.unit),
      regret: amount(scene, first.regret), second_regret: words.costNumber(scene.unit, second.regret), ...apart?.values,
    } };
  }

  /** What each model costs more or less than the baseline, where the page has one and the limits allow it. */
  function* baseline(scene, ranking) {
    const old = ranking.find((line) => line.name === scene.page.baseline);
    if (old === undefined) return;
    for (const line of ranking.filter((one) => !one.reference && one !== old)) {
      const difference = line.regret - old.regret, values = { model: said(line), baseline: said(old), where: where(scene) };
      const tied = Math.abs(difference) <= ROUNDING * Math.max(line.regret, old.regret);
      const much = { amount: amount(scene, Math.abs(difference)), more: difference > 0 ? say("more") : say("less") };
      const apart = tied ? null : between(scene, ...(difference > 0 ? [line, old] : [old, line]));
      const kind = tied ? "baseline-tied" : apart ? (apart.kind ? "baseline-close" : "baseline") : "baseline-unsure";
      yield { kind, evidence: "ranking", values: tied ? values : { ...values, ...much, ...apart?.values } };
    }
  }

  /** How much more one costs than another on the same cases, where the page can tell at this decision. */
  function between(scene, dearer, cheaper) {
    const ends = scene.apart?.(dearer, cheaper);
    return ends ? apartFrom(scene, { difference: dearer.regret - cheaper.regret, difference_lower: ends[0], difference_upper: ends[1] }) : null;
  }

  /** Models that cost more than acting on everyone or on no one, where the page can tell whether they do so detectably. */
  function* worthless(scene, ranking) {
    const free = ranking.find((line) => line.reference);
    if (!free || ranking[0].reference) return;
    for (const line of ranking.filter((one) => !one.reference && one.regret - free.regret > ROUNDING * free.regret)) {
      const apart = between(scene, line, free);
      if (!apart || (apart.kind && !isVisible(scene, line.regret - free.regret))) continue;
      const [regret, other] = against(scene, line.regret, free.regret);
      yield { kind: apart.kind ? "worthless-close" : "worthless", evidence: "ranking", values: {
        model: said(line), reference: said(free), where: where(scene), regret, reference_regret: other, ...apart.values,
      } };
    }
  }

  /** What it costs to leave the scores as they are at a prevalence that is not that of the sample. */
  function* otherPrevalence(scene, ranking) {
    const { cost, prevalence } = scene.decision;
    if (!prevalence || scene.limited) return;
    const first = ranking.find((line) => !line.reference), { table } = scene.models.find((model) => model.name === first.name);
    const extra = stakes.regret(stakes.reweightClasses(table, stakes.mean(prevalence)), stakes.inGroup(cost)) - first.regret;
    yield { kind: "prevalence", evidence: "world", values: {
      stated: words.belief(prevalence), observed: words.percent(table.prevalence), model: said(first), amount: amount(scene, Math.abs(extra)), more: extra < 0 ? say("less") : say("more"),
    } };
  }

  const MEASURES = [
    ["AUC", "auc", -1, "the AUC weighs mistakes differently for each model"],
    ["Brier score", "brier_score", 1, "the Brier score averages over all costs, not only over those you state"],
    ["log loss", "log_loss", 1, "the log loss weights costs near 0% and 100% most"],
  ];

  /** Usual measures, which no cost moves, that would choose another model than is best now; at another prevalence they are not known. */
  function* otherMeasures({ page, decision }, ranking) {
    if (!page.evaluation.ranking || JSON.stringify(decision.prevalence) !== JSON.stringify(page.stated.prevalence)) return;
    const models = ranking.filter((line) => !line.reference), exact = new Map(page.evaluation.ranking.map((line, k) => [page.ranking[k], line]));
    for (const [measure, key, sign, why] of MEASURES) {
      const values = models.map(({ name }) => exact.get(name)[key] ?? (key === "log_loss" ? Infinity : NaN));
      const chosen = values.reduce((best, value, k) => (sign * value < sign * values[best] ? k : best), 0);
      const [other, own] = [values[chosen], values[0]].map((value) => (value === Infinity ? "\u221e" : words.fixed(value, 3)));
      if (other !== own) yield { kind: "other-measure", evidence: "ranking", values: { measure, other: said(models[chosen]), why, other_value: other, best_value: own } };
    }
  }

  function* limited(scene, ranking) {
    if (!scene.limited) return;
    const models = ranking.filter((line) => !line.reference);
    for (const line of models) {
      if (line.acts.low === 0 && line.acts.high === 0) {
        const values = { model: said(line), limits: words.limits(scene.limits) };
        if (meets(scene, line)) yield { kind: "limits-unused", evidence: "policy", values };
        else yield { kind: "limits-unmet", evidence: "policy", values: { ...values, closest: closest(scene, line) } };
      }
    }
    const free = stakes.bestThresholds(tableOf(scene, models[0]), scene.decision.cost, { capacity: null, min_precision: null }).meanRegret;
    const extra = models[0].regret - free;
    if (isVisible(scene, extra)) {
      const unit = words.apart(scene.unit, free, models[0].regret);
      yield { kind: "limits-cost", evidence: "policy", values: { model: said(models[0]), extra: words.costText(unit, extra), regret: words.costNumber(unit, free) } };
    }
  }

  const tableOf = (scene, line) => scene.models.find((model) => model.name === line.name).there;

  /** Whether a threshold that raises alarms meets the limits; the first of all raises none. */
  const meets = (scene, line) => stakes.feasible(tableOf(scene, line), scene.limits).slice(1).includes(1);

  /** How near the most precise threshold within the capacity comes. */
  function closest(scene, line) {
    const table = tableOf(scene, line), precision = stakes.largestPrecision(table, scene.limits);
    if (Number.isNaN(precision)) {
      const alone = !table.heads || table.heads.score.at(-1) === table.score.at(-1), share = words.percent(table.alarms[1] / table.people);
      return alone ? `its highest score alone covers ${share} of cases` : `its scores down to the highest with a known outcome cover ${share} of cases`;
    }
    return scene.limits.capacity === null ? `the highest precision is ${words.percent(precision)}` : `the highest precision within capacity is ${words.percent(precision)}`;
  }

  function* acting(scene, ranking) {
    if (scene.limited) return;
    for (const line of ranking.filter((one) => !one.reference)) {
      const table = tableOf(scene, line), { score } = table.heads ?? table, { low, high } = line.acts;
      const values = { model: said(line), where: where(scene) };
      const nearly = (share, reference) => {
        const [regret, other] = against(scene, line.regret, ranking.find((one) => one.reference && said(one) === reference)?.regret);
        return { model: said(line), share: words.percent(share), regret, reference_regret: other };
      };
      if (low === 0) yield { kind: "never-acts", evidence: "cost", values: { ...values, highest: words.percent(score[score.length - 1]) } };
      else if (high === 1) yield { kind: "always-acts", evidence: "cost", values: { ...values, lowest: words.percent(score[0]) } };
      else if (low < HARDLY_ANY * table.prevalence) yield { kind: "hardly-acts", evidence: "cost", values: nearly(low, "acting on no one") };
      else if (high >= NEARLY_ALL) yield { kind: "nearly-always-acts", evidence: "cost", values: nearly(high, "acting on everyone") };
    }
  }

  function* miscalibrated(scene, ranking) {
    if (scene.limited) return;
    const lines = ranking.filter((line) => !line.reference);
    const gains = lines.map((line) => stakes.parts(scene.models.find((model) => model.name === line.name).table, scene.decision).miscalibration);
    const left = lines.map((line, k) => line.regret - gains[k]), least = left.indexOf(Math.min(...left));
    if (isVisible(scene, gains[0]) && gains[0] > WORTH_SAYING * lines[0].regret) {
      yield { kind: "recalibrate", evidence: "calibration", values: { model: said(lines[0]), gain: amount(scene, gains[0]) } };
    }
    const free = Math.min(...ranking.filter((line) => line.reference).map((line) => line.regret));
    if (least > 0 && left[least] < free * (1 - ROUNDING) && isVisible(scene, left[0] - left[least])) {
      const [regret, other] = against(scene, left[least], left[0]);
      yield { kind: "recalibrate-order", evidence: "calibration", values: {
        other: said(lines[least]), best: said(lines[0]), how: "in-sample, so optimistic", regret, best_regret: other,
      } };
    }
  }

  /** What Python found out about the sample, in its words. */
  const kept = (...kinds) => (scene) => scene.page.evaluation.findings.filter(({ kind }) => kinds.includes(kind));

  /** What another prevalence takes for granted where some had another event first. */
  function* elsewhere(scene) {
    if (scene.decision.prevalence && scene.page.evaluation.sample.follow_up?.competing) yield { kind: "other-events-elsewhere", evidence: "followed", values: {} };
  }

  const inFollowUp = kept("mostly-unknown", "horizon-far", "horizon-far-unsaid", "heavy-case");
  const aboutTheSample = kept("near-horizon", "few", "few-effective", "few-weight", "few-clusters", "dropped", "dropped-other");

  const FINDERS = [
    best, baseline, kept("fit-unchanged", "wrong-way", "like-survival", "left-differ"), limited, acting, worthless, miscalibrated, otherPrevalence, otherMeasures,
    kept("group-one-class", "group-missing"), inFollowUp, elsewhere, aboutTheSample,
  ];

  /* Which option is best depends on mistakes that a sample of one class does not show. */
  const OF_ONE_CLASS = [kept("one-class", "like-survival", "left-differ"), acting, kept("group-missing"), inFollowUp, elsewhere, aboutTheSample];

  const STRONG = new Set(["best", "regret"]);

  /** A template with its slots filled, in parts: each text, and whether it is one that the eye should find. */
  const filled = (template, values) =>
    template.split(/\{(\w+)\}/).map((part, k) => (k % 2 ? [values[part], STRONG.has(part)] : [part, false])).filter(([part]) => part);

  function written(one, templates) {
    const parts = filled(templates[one.kind], one.values);
    return { ...one, parts, text: parts.map(([part]) => part).join("") };
  }

  /** All that can be said without the cases, most important first: the answer, then the rest. */
  const find = (scene, ranking, templates) =>
    (scene.bothClasses ? FINDERS : OF_ONE_CLASS).flatMap((finder) => [...finder(scene, ranking)]).map((one) => (one.text ? one : written(one, templates)));

  const FIRST_FINDINGS = 5, OF_A_KIND = 2;

  /** The findings to show at once, of each kind a few, and the rest. */
  function atOnce(found) {
    const first = [];
    for (const one of found) {
      const alike = first.filter(({ kind }) => kind === one.kind).length;
      if (first.length < FIRST_FINDINGS && (alike < OF_A_KIND || found.length <= FIRST_FINDINGS)) first.push(one);
    }
    return [first, found.filter((one) => !first.includes(one))];
  }

  const more = (count) => (count > 1 ? `${count} more findings` : `${count} more finding`);

  /* ------------------------------------------------------------------------------------ the answer in a line */

  /** A round threshold as a percentage. */
  const threshold = (value) => words.plainNumber(Number((100 * value).toPrecision(10))) + words.PERCENT;

  const whole = (template, values) => template.split(/\{(\w+)\}/).map((part, k) => (k % 2 ? [values[part], true] : [part, false])).filter(([part]) => part);

  const isTied = (first, second) => !first.reference && second.regret - first.regret <= ROUNDING * first.regret;

  /** How certain it is that the first costs less: the end of the kind of answer, nothing only where that is known. */
  function howSure(first, second) {
    if (isTied(first, second)) return "-tied";
    if (!Number.isFinite(second.difference_lower ?? NaN)) return "-unsure";
    return second.difference_lower > 0 ? "" : "-close";
  }

  /** Which model to use and from which score on, in parts. */
  function answer(templates, ranking, found, prevalence) {
    if (prevalence === 0 || prevalence === 1) return whole(templates[prevalence ? "no-negative" : "no-positive"], {});
    const [first, next] = ranking, free = ranking.find((line) => line.reference && isTied(first, line));
    const second = first.reference ? ranking.find((line) => !line.reference) : free ?? next; // what needs no model, where it costs no more
    const values = { best: first.name, second: second.name }, sure = howSure(first, second);
    if (first.reference) return whole(templates[`reference${sure}`], values);
    const parts = whole(templates[`model${sure}`], values);
    if (found === null) return parts;
    if (found.threshold === Infinity) return [...parts, [" ", false], ...whole(templates.never, values)];
    return [...parts, [" ", false], ...whole(templates[["-close", "-tied"].includes(sure) ? "act-with" : "act"], { ...values, threshold: threshold(found.threshold) })];
  }

  const text = (template, values) => whole(template, values).map(([part]) => part).join("");

  /** The ends of a range in three digits, rounded so that they lie in it; one above 0 does not read as 0. */
  function innerEnds(low, high) {
    const least = low > 0 ? Math.max(low, 1e-6) : low;
    return [short(least, (rounded) => rounded < least, 1), short(high, (rounded) => rounded > high, -1)];
  }

  /** A number in three digits, one step further where it lies outside. */
  function short(value, isOutside, step) {
    const rounded = Number(value.toPrecision(3));
    if (!isOutside(rounded)) return rounded;
    const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
    return Number((rounded + step * unit).toPrecision(3));
  }

  /** How the mistakes at one threshold add up, what it costs more, and which others do as well. */
  function sums(templates, { unit, decision }, found, following) {
    const said = [], sum = words.sum(unit, found), extra = found.regret - following;
    const kind = decision.cost.kind === "at" ? "sum-at-one-cost" : !isVisible({ unit }, extra) ? "sum-alone" : extra > 0 ? "sum" : "sum-less";
    if (sum) said.push(text(templates[kind], { sum, extra: words.costNumber(unit, Math.abs(extra)) }));
    const [low, high] = innerEnds(found.low, found.high);
    if (low < high) said.push(text(templates.same, { low: threshold(low), high: threshold(high) }));
    return said.join(" ");
  }

  /** One threshold as a rule to follow. */
  const rule = (templates, best, value) => text(templates.rule, { best, threshold: threshold(value) });

  return Object.freeze({ answer, atOnce, filled, find, innerEnds, more, rule, sums, threshold, written });
})();
