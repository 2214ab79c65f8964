"use strict";
/* What a decision asks of models: the number they are ranked by, what it is made of, and the ranking. */
Object.assign(stakes, (() => {
  const { atPrevalence, bestThresholds, bestSteps, expectedRegret, flatten, hasBothClasses, hasLimits, isAllowed } = stakes;
  const { law, mean, meanOfCases, recalibrate, regretOfSteps, scoreSteps, shareActedOn, shiftedRegret, there } = stakes;

  /* Mean regret of the best threshold that the limits allow at each cost, chosen on the same cases. */
  const limitedRegret = (owner, costs, prevalence, limits) =>
    regretOfSteps(bestSteps(prevalence === null ? owner : atPrevalence(owner, prevalence), limits), costs);

  function onePrevalence({ prevalence }) {
    if (prevalence && prevalence.kind !== "at") throw new TypeError("limits need one prevalence");
    return prevalence ? prevalence.low : null;
  }

  /* The number that models are ranked by: smaller is better. */
  function regret(owner, decision) {
    if (hasLimits(decision)) return limitedRegret(owner, decision.cost, onePrevalence(decision), decision);
    if (decision.prevalence) return shiftedRegret(owner, decision.cost, decision.prevalence);
    return expectedRegret(owner, decision.cost);
  }

  /* The same as a function of the costs alone, which is quick for many of them. */
  function regretOver(owner, decision) {
    if (hasLimits(decision)) onePrevalence(decision);
    else if (decision.prevalence && decision.prevalence.kind !== "at") {
      return (costs) => shiftedRegret(owner, costs, decision.prevalence);
    }
    const used = there(owner, decision);
    const steps = hasLimits(decision) ? bestSteps(used, decision) : scoreSteps(used);
    return (costs) => regretOfSteps(steps, costs);
  }

  /* What a model is compared with: acting on everyone, where the limits allow it, and on no one. */
  function references(owner, decision) {
    const share = decision.prevalence ? mean(decision.prevalence) : owner.prevalence;
    const allowed = isAllowed(share, 1 - share, 1, decision);
    return [
      { name: "act on everyone", acts: 1, regretOver: (costs) => (allowed ? mean(costs) * (1 - share) : Infinity) },
      { name: "act on no one", acts: 0, regretOver: (costs) => (1 - mean(costs)) * share },
    ];
  }

  /* What is saved of the regret of the best constant score. */
  function saved(value, owner, decision) {
    const constant = regret(flatten(owner), decision);
    return constant > 0 && hasBothClasses(owner) ? 1 - value / constant : NaN;
  }

  const skill = (owner, decision) => saved(regret(owner, decision), owner, decision);

  /* The regret split: what recalibration would save, what the order saves, and what is there without a model. */
  function parts(owner, decision) {
    const [total, calibrated, constant] = [owner, recalibrate(owner), flatten(owner)].map((t) => regret(t, decision));
    return { miscalibration: total - calibrated, discrimination: constant - calibrated, uncertainty: constant, total };
  }

  /* Share of all cases that is acted on: at the lowest cost, on average, at the highest. */
  function acts(owner, decision) {
    const { cost } = decision;
    const used = there(owner, decision);
    if (hasLimits(decision)) return actsUnderLimits(bestThresholds(used, cost, decision));
    const { shareAbove } = law(cost);
    const acted = (score) => 1 - shareAbove(score);
    return {
      low: shareActedOn(used, cost.low),
      mean: meanOfCases(used, acted),
      high: shareActedOn(used, cost.high),
    };
  }

  function actsUnderLimits({ alarmsPerThousand: alarms, share }) {
    const average = share.reduce((sum, mass, step) => sum + mass * alarms[step], 0);
    return { low: alarms[0] / 1000, mean: average / 1000, high: alarms[alarms.length - 1] / 1000 };
  }

  /* Models and references, least costly first; to twelve digits, so that equals keep their order. */
  function rank(models, decision) {
    const ofModels = models.map(({ name, table }) => ({
      name,
      reference: false,
      regret: regret(table, decision),
      skill: skill(table, decision),
      acts: acts(table, decision),
    }));
    const place = (line) => Number(line.regret.toPrecision(12));
    const lines = [...ofModels, ...ranked(models, decision)].sort((a, b) => place(a) - place(b));
    return lines.map((line) => ({ ...line, difference: line.regret - lines[0].regret }));
  }

  /* The references that are allowed; where a model has taken the name of one, it says what it is. */
  function ranked(models, decision) {
    const owner = models[0].table;
    const taken = new Set(models.map(({ name }) => name));
    const marked = (name) => (taken.has(name) ? marked(`${name} (reference)`) : name);
    const lines = references(owner, decision).map(({ name, acts: share, regretOver: over }) => ({
      name: marked(name),
      reference: true,
      regret: over(decision.cost),
      skill: saved(over(decision.cost), owner, decision),
      acts: { low: share, mean: share, high: share },
    }));
    return lines.filter((line) => line.regret < Infinity);
  }

  return { limitedRegret, onePrevalence, regret, regretOver, references, skill, parts, acts, rank };
})());
