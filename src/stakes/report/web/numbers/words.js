"use strict";
/* What a reader sees of a word that is also a key; a page in another language has it in its own. */
const say = (text) => text;

/* Numbers and beliefs as the sentences of the report say them: the same text as the Python package writes. */
const words = (() => {
  /* The signs of numbers, as the language of the page writes them. */
  const SAMPLE = "1,234.5%", SIGNS = { ",": SAMPLE[1], ".": SAMPLE[5] }, PERCENT = SAMPLE.slice(7);

  /* A number that is written as in English, with the signs of the page. */
  const local = (text) => text.replace(/[,.]/g, (sign) => SIGNS[sign]);

  /* With so many decimals and commas between thousands; what lies exactly half-way goes to the even digit. */
  const fixed = (number, digits) => local(english(number, digits));

  function english(number, digits) {
    const text = halfToEven(Math.abs(number), digits);
    const [whole, rest] = text.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return (number < 0 ? "-" : "") + (digits ? `${grouped}.${rest}` : grouped);
  }

  /* `toFixed` takes what lies exactly half-way up: where that is odd, the digit below is the even one. */
  function halfToEven(size, digits) {
    const long = size.toFixed(digits + 30);
    const end = long.indexOf(".") + 1 + digits;
    const below = long.slice(0, digits ? end : end - 1);
    return /^50*$/.test(long.slice(end)) && Number(below.at(-1)) % 2 === 0 ? below : size.toFixed(digits);
  }

  const IN_LOG_ODDS = ", uniform in log-odds";

  const plain = (number, digits) => (number < 0 ? "-" : "") + halfToEven(Math.abs(number), digits);

  const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

  /* With a true minus sign, and none before a zero. */
  function signed(number, digits) {
    const text = fixed(Math.abs(number), digits);
    return number < 0 && /[1-9]/.test(text) ? `−${text}` : text;
  }

  /* A share in percent, with as many digits as tell it from 0% and from 100%. */
  function percent(share) {
    const shown = 100 * share;
    const small = Math.min(Math.abs(shown), Math.abs(100 - shown));
    const fine = () => Math.min(6, 1 - Math.floor(Math.log10(small)));
    const text = plain(shown, small >= 10 || small === 0 ? 0 : small >= 1 ? 1 : fine());
    return local(trimmed(text)) + PERCENT;
  }

  /* A share in whole percent, but never 0 or 100 where it is not. */
  function wholePercent(share) {
    const shown = 100 * share;
    const text = shown > 0 && shown < 1 ? "<1" : shown > 99 && shown < 100 ? ">99" : plain(shown, 0);
    return text + PERCENT;
  }

  /* A probability in whole percent, never as 0 or 100: no sample makes it certain. */
  const chance = (probability) => (probability < 0.01 ? `<1${PERCENT}` : probability > 0.99 ? `>99${PERCENT}` : wholePercent(probability));

  /* How many, with a decimal only where weights give one. */
  function count(number) {
    const whole = Math.round(number);
    const isWhole = Math.abs(number - whole) <= 1e-12 * Math.max(Math.abs(number), Math.abs(whole));
    return fixed(number, isWhole ? 0 : 1);
  }

  function short(number) {
    if (number === Infinity) return "∞";
    return local(number >= 10 ? plain(number, 0) : trimmed(plain(number, number >= 1 ? 1 : 2)));
  }

  /* A cost proportion as odds: how many false alarms weigh as much as a miss. */
  function oddsOf(cost) {
    if (cost <= 0) return "1:∞";
    const ratio = (1 - cost) / cost;
    return ratio >= 1 ? `1:${short(ratio)}` : `${short(1 / ratio)}:1`;
  }

  /* Mistakes or money, with their number as it is written; without a number, what they are called. */
  const COUNTED = {
    misses: (number) => (number === "1" ? `${number} miss` : `${number} misses`),
    "false alarms": (number) => (number === "1" ? `${number} false alarm` : `${number} false alarms`),
    money: (number) => `${number} in money`,
    "your cost units": (number) => `${number} in your cost units`,
    regret: (number) => number,
  };

  const falseAlarms = (number) => COUNTED["false alarms"](short(number));

  /* The level of an interval, as it stands before that word. */
  const level = (share) => percent(share).replace("\u00a0", "-");

  /* 95-% where a word follows a hyphen, as in a 95-%-Intervall. */
  const compounds = (text) => text.replaceAll("\u00a0%-", "-%-");

  /* How many false alarms a miss is worth. */
  function exchange(low, high) {
    const [most, least] = [low, high].map((cost) => (1 - cost) / cost);
    if (short(most) === short(least)) return `a miss is as bad as ${falseAlarms(most)}`;
    if (most < Infinity) return `a miss is as bad as ${short(least)} to ${falseAlarms(most)}`;
    return least ? `a miss is as bad as ${falseAlarms(least)} or more` : "any exchange rate between misses and false alarms";
  }

  /* A belief about a share; `written` writes its ends. */
  function belief({ kind, low, high }, written = percent) {
    if (kind === "at") return written(low);
    const [first, last] = [written(low), written(high)], range = first === last ? first : `${first} to ${last}`;
    return kind === "uniform" ? range : range + IN_LOG_ODDS;
  }

  /* What is believed about the costs. */
  function costs(believed, written = percent) {
    const said = belief(believed, written), even = said.endsWith(IN_LOG_ODDS) ? IN_LOG_ODDS : "";
    const share = said.slice(0, said.length - even.length);
    return `a false alarm accounts for ${share} of the cost of one false alarm plus one miss${even}: ${exchange(believed.low, believed.high)}`;
  }

  /* A threshold with enough digits to be used, rounded down: a case with just this score is acted on. */
  function threshold(score) {
    if (score === Infinity) return "never act";
    const [digits, exponent] = Number(score.toPrecision(15)).toExponential().split("e");
    return local(Number(`${digits.slice(0, 5)}e${exponent}`).toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 }));
  }

  /* What limits the alarms; nothing where nothing does. */
  function limits({ capacity = null, min_precision: precision = null }, written = percent) {
    const said = [];
    if (capacity !== null && capacity < 1) said.push(`at most ${written(capacity)} of cases acted on`);
    if (precision !== null && precision > 0) said.push(`precision at least ${written(precision)}`);
    return said.join(" and ");
  }

  /* ------------------------------------------------------------------------------- costs in their unit

     A unit is {name, factor, per, digits, false_alarms_per_miss, cost_of_both}, as Python writes it into the page. */

  const FINEST = 8, NOT_KNOWN = "–";

  /* A regret, or a difference of two, in its unit; rounded, so that no order of summation shows. */
  const inUnit = (unit, regret) => Number((unit.per * unit.factor * regret).toFixed(FINEST));

  const readsAs = (value, other, digits) => Number(plain(value, digits)) === Number(plain(other, digits));
  const isAlike = (value, other, digits) => value !== other && readsAs(value, other, digits);

  /* As a number, with more digits where it would read as 0, or as another number, and is not. */
  function costNumber(unit, regret, unlike = 0) {
    if (Number.isNaN(regret)) return NOT_KNOWN;
    if (!Number.isFinite(regret)) return regret < 0 ? "−∞" : "∞";
    const value = inUnit(unit, regret), other = inUnit(unit, unlike);
    let digits = unit.digits;
    while (digits < FINEST && (isAlike(value, 0, digits) || isAlike(value, other, digits))) digits += 1;
    return signed(value, digits);
  }

  /* A difference of two, with its sign. */
  const signedCost = (unit, difference) => (inUnit(unit, difference) > 0 ? "+" : "") + costNumber(unit, difference);

  const perCases = (unit) => `per ${fixed(unit.per, 0)} cases`;

  /* With its unit, such as "56 misses per 1,000 cases". */
  function costText(unit, regret) {
    return `${COUNTED[unit.name](costNumber(unit, regret))} ${perCases(unit)}`;
  }

  /* After a number of costs, such as "misses per 1,000 cases". */
  const unitNamed = (unit) => `${COUNTED[unit.name]("")} ${perCases(unit)}`.trim();

  /* The verb before a cost that is told first: mistakes are no price, but cost as much as some number of them. */
  const costVerb = (unit) => (["misses", "false alarms"].includes(unit.name) ? say("costs as much as") : say("costs"));

  /* For a heading, such as "in misses per 1,000 cases". */
  const HEADED = { misses: "in misses", "false alarms": "in false alarms", money: "in money", "your cost units": "in your cost units", regret: "" };
  const unitHeading = (unit) => `${HEADED[unit.name]} ${perCases(unit)}`.trim();

  /* The unit with so many digits that none of the others reads as the first, unless it is equal. */
  function apart(unit, regret, ...others) {
    const value = inUnit(unit, regret), different = others.map((other) => inUnit(unit, other));
    let { digits } = unit;
    while (digits < FINEST && different.some((other) => isAlike(value, other, digits))) digits += 1;
    return { ...unit, digits };
  }

  /* Whether a difference of regrets is not 0 in the digits of the unit. */
  const isVisible = (unit, difference) => Number.isFinite(difference) && !readsAs(inUnit(unit, difference), 0, unit.digits);

  /* The unit at other costs, of which the mean is given: proportions, whatever the stated ones were. */
  function unitOf(unit, mean) {
    const factor = { misses: 1 / (1 - mean), "false alarms": 1 / mean, money: unit.cost_of_both }[unit.name] ?? 1;
    return { ...unit, factor, false_alarms_per_miss: (1 - mean) / mean, cost_of_both: 1 };
  }

  /* The unit at one cost proportion, in which mistakes add up. */
  function unitAt(unit, cost) {
    const factor = { misses: 1 / (1 - cost), "false alarms": 1 / cost }[unit.name] ?? unit.factor * unit.cost_of_both;
    return { ...unit, factor, cost_of_both: 1 };
  }

  /* What a regret at one cost proportion is multiplied by, so that its mean over the costs is the cost printed. */
  const costScale = (unit) => unit.per * unit.factor * unit.cost_of_both;

  /* What the costs are, and how the two mistakes are exchanged. */
  function unitSaid(unit, isOneCost) {
    if (unit.name === "money") return `Expected cost (regret): what mistakes cost, in the money you state, ${perCases(unit)}.`;
    if (unit.name === "regret") return `Expected cost (regret): c for each false alarm and 1 − c for each miss, ${perCases(unit)}.`;
    const where = isOneCost ? "" : "on average over your costs, ";
    return `Expected cost (regret): all mistakes ${perCases(unit)}, counted ${HEADED[unit.name]}; ${where}a miss = ${falseAlarms(unit.false_alarms_per_miss)}.`;
  }

  /* A number without digits that say nothing, and without a power of ten. */
  const plainNumber = (number) => local(number.toFixed(10).replace(/\.?0+$/, ""));

  /* How many false alarms a miss is worth, to three digits. */
  const exchangeNumber = (number) => (number === Infinity ? "∞" : plainNumber(Number(number.toPrecision(3))));

  /* Misses, false alarms and how they add up to a cost, with digits enough that a reader finds it; null where no unit counts them. */
  function addedUp(unit, { misses, false_alarms: alarms, regret }) {
    const many = unit.false_alarms_per_miss, wanted = costNumber(unit, regret);
    const weights = { misses: [[1, 1], [1 / many, many]], "false alarms": [[many, 1 / many], [1, 1]] }[unit.name];
    for (let digits = 0; weights && digits < 15; digits++) {
      const terms = [misses, alarms].map((count, k) => term(count, ...weights[k], digits));
      const total = terms.reduce((all, [, value]) => all + value, 0);
      if (costNumber(unit, total / (unit.per * unit.factor)) !== wanted) continue;
      return { misses: shortened(misses, digits)[0], alarms: shortened(alarms, digits)[0], text: `${terms.map(([said]) => said).join(" + ")} = ${wanted}` };
    }
    return null;
  }

  const sum = (unit, found) => addedUp(unit, found)?.text ?? "";

  /* So many mistakes of a kind: the name of one stands after 1. */
  const mistakes = (number, kind) => COUNTED[kind](number);

  function term(count, weight, inverse, digits) {
    const [said, counted] = shortened(count, digits);
    if (weight === 1) return [said, counted];
    if (inverse > 1 && Number.isFinite(inverse)) {
      const [written, divisor] = shortened(inverse, Math.max(digits, inverse >= 10 ? 0 : 1));
      return [`${said}/${written}`, counted / divisor];
    }
    const [written, factor] = shortened(weight, Math.max(digits, weight >= 10 ? 0 : 1));
    return [`${said} × ${written}`, counted * factor];
  }

  function shortened(number, digits) {
    const bare = trimmed(plain(number, digits)), [, rest = ""] = bare.split(".");
    return [fixed(Number(bare), rest.length), Number(bare)];
  }

  /** Two ends as text: as one where they read alike, and with one sign for both. */
  const fromTo = (first, last) => (first === last ? last : `${first.replace(/\s?%$/, "")} to ${last}`);

  return Object.freeze({
    PERCENT, SIGNS, level, compounds, english, local, plainNumber, exchangeNumber, addedUp, mistakes, sum,
    fixed, fromTo, signed, percent, wholePercent, chance, count, oddsOf, exchange, belief, costs, threshold, limits,
    inUnit, costNumber, signedCost, costText, costVerb, costScale, perCases, unitHeading, unitNamed, apart, isVisible, unitOf, unitAt, unitSaid,
  });
})();
