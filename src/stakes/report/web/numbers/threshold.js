"use strict";
/* One threshold for all stated costs: the roundest number that does as well as the best. */
Object.assign(stakes, (() => {
  const { asGiven, bestThresholds, hasLimits, isOwn, logit, mean, remembered, table, thresholdIsAllowed } = stakes;
  const AS_GOOD = 0.02, MOST_DIGITS = 15, KNOWN = 3, ROUNDING = 1e-12;

  /* Another prevalence with the scores as they were given. */
  const reweightClasses = remembered((owner, prevalence) => {
    if (owner.heads && isOwn(owner, prevalence)) return owner;
    const up = (prevalence * owner.total) / owner.positiveTotal, down = ((1 - prevalence) * owner.total) / owner.negativeTotal;
    return table({ score: owner.score, positive: owner.positive.map((p) => p * up), negative: owner.negative.map((n) => n * down) });
  });

  /* On how many of the highest rows one acts at a threshold. */
  function actedRows({ score, length }, threshold) {
    let low = 0, high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (score[middle] >= threshold) high = middle;
      else low = middle + 1;
    }
    return length - low;
  }

  /* The threshold with the smallest number above a score that a computer can write. */
  function nextUp(value) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    view.setBigInt64(0, view.getBigInt64(0) + 1n);
    return value === 0 ? Number.MIN_VALUE : view.getFloat64(0);
  }

  /* The ends of the stated range as thresholds: no threshold beyond is best at any cost in it. */
  function endsOf(decision, sampled, aim) {
    if (hasLimits(decision) || decision.cost.kind === "at") return [0, 1];
    const [low, high] = [decision.cost.low, decision.cost.high].map((cost) => asGiven(cost, decision, sampled));
    return [Math.min(low, aim), Math.max(high, aim)];
  }

  /* The lowest and highest threshold that does as well as the best; infinite where that never acts. */
  function plateau(moved, decision, sampled, aim, unit, regretOf) {
    const ends = endsOf(decision, sampled, aim), rows = moved.length;
    let best = actedRows(moved, aim);
    if (hasLimits(decision)) {
      best = actedRows(moved, bestThresholds(moved, stakes.at(mean(decision.cost)), decision).threshold[0]);
      if (best === 0) return [Infinity, Infinity];
    }
    const spare = Math.max(AS_GOOD * regretOf(best), (0.5 * 10 ** -unit.digits) / (unit.per * unit.factor));
    const most = (regretOf(best) + spare) * (1 + ROUNDING);
    const does = (k) => regretOf(k) <= most && (!hasLimits(decision) || thresholdIsAllowed(moved, k, decision));
    let fewest = best, largest = best;
    while (fewest > 0 && does(fewest - 1)) fewest -= 1;
    while (largest < rows && does(largest + 1)) largest += 1;
    const low = largest === rows ? 0 : nextUp(moved.score[rows - largest - 1]), high = fewest ? moved.score[rows - fewest] : 1;
    return [Math.max(low, ends[0]), Math.min(high, ends[1])];
  }

  /* A number as it is written, in whole units of a power of ten. */
  function decimal(number) {
    const [digits, exponent] = number.toExponential().split("e"), [whole, rest = ""] = digits.split(".");
    return { units: BigInt(whole + rest), power: Number(exponent) - rest.length };
  }

  /* The numbers of so many digits next to a share, below and above; above one half the digits are those of the distance to 1. */
  function neighbours(share, digits) {
    const mirrored = share > 0.5;
    let { units, power } = decimal(share);
    if (mirrored) units = 10n ** BigInt(-power) - units;
    const spare = units.toString().length - digits;
    if (spare <= 0) return [share];
    const step = 10n ** BigInt(spare), down = units / step, places = [down, down + (units % step ? 1n : 0n)];
    const written = places.map((place) => (mirrored ? 10n ** BigInt(-power) - place * step : place * step));
    return written.map((place) => Number(`${place}e${power}`));
  }

  const logOdds = (share) => (share <= 0 ? -Infinity : share >= 1 ? Infinity : logit(share));

  /* The number between two with the fewest digits, nearest in log-odds to `aim` among these. */
  function roundest(low, high, aim, start = 1) {
    const centre = stakes.clip(aim, low, high), far = (one) => (one === centre ? 0 : Math.abs(logOdds(one) - logOdds(centre)));
    for (let digits = start; digits < MOST_DIGITS; digits++) {
      const near = neighbours(centre, digits).filter((one) => low <= one && one <= high);
      if (near.length) return near.reduce((best, one) => (far(one) < far(best) || (far(one) === far(best) && one < best) ? one : best));
    }
    return high;
  }

  /* The most that acting on so many of the highest rows costs. */
  function worstOf(regretOf, fewest, most) {
    let worst = -Infinity;
    for (let k = fewest; k <= most; k++) worst = Math.max(worst, regretOf(k));
    return worst;
  }

  /* The one threshold to use for a model, what it costs, and what happens to so many cases; null where no prevalence is known. */
  function recommendedThreshold(owner, decision, unit) {
    const stated = decision.prevalence ? mean(decision.prevalence) : null;
    if (stated !== null && !stakes.hasBothClasses(owner)) return null;
    const moved = stated === null ? owner : reweightClasses(owner, stated), cost = mean(decision.cost);
    const regretOf = (k) => (cost * moved.falseAlarms[k] + (1 - cost) * (moved.positiveTotal - moved.hits[k])) / moved.total;
    const aim = asGiven(cost, decision, owner.prevalence);
    const [low, high] = plateau(moved, decision, owner.prevalence, aim, unit, regretOf);
    const threshold = low === Infinity ? Infinity : roundest(low, high, aim, decision.cost.kind === "at" ? KNOWN : 1);
    const acted = actedRows(moved, threshold), share = (weight) => (unit.per * weight) / moved.total;
    const found = moved.hits[acted], needless = moved.falseAlarms[acted];
    return {
      threshold, low, high, cost, regret: regretOf(acted), worst: worstOf(regretOf, actedRows(moved, high), actedRows(moved, low)), per: unit.per,
      found: share(found), misses: share(moved.positiveTotal - found), false_alarms: share(needless), left_alone: share(moved.negativeTotal - needless),
    };
  }

  return { reweightClasses, recommendedThreshold, roundest };
})());
