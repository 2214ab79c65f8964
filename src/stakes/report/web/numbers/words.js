"use strict";
/* Numbers and beliefs as the sentences of the report say them: the same text as the Python package writes. */
const words = (() => {
  /* With so many decimals and commas between thousands; what lies exactly half-way goes to the even digit. */
  function fixed(number, digits) {
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

  const plain = (number, digits) => fixed(number, digits).replaceAll(",", "");

  /* With a true minus sign, and none before a zero. */
  function signed(number, digits) {
    const text = fixed(Math.abs(number), digits);
    return number < 0 && /[1-9]/.test(text) ? `−${text}` : text;
  }

  /* A share of all cases as a number among 1,000. */
  const perThousand = (share) => signed(Number((1000 * share).toFixed(9)), 1);

  /* A share in percent, with as many digits as tell it from 0% and from 100%. */
  function percent(share) {
    const shown = 100 * share;
    const small = Math.min(Math.abs(shown), Math.abs(100 - shown));
    const fine = () => Math.min(6, 1 - Math.floor(Math.log10(small)));
    const text = plain(shown, small >= 10 || small === 0 ? 0 : small >= 1 ? 1 : fine());
    return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text}%`;
  }

  /* A share in whole percent, but never 0 or 100 where it is not. */
  function wholePercent(share) {
    const shown = 100 * share;
    if (shown > 0 && shown < 1) return "<1%";
    return shown > 99 && shown < 100 ? ">99%" : `${plain(shown, 0)}%`;
  }

  /* How many, with a decimal only where weights give one. */
  function count(number) {
    const whole = Math.round(number);
    const isWhole = Math.abs(number - whole) <= 1e-12 * Math.max(Math.abs(number), Math.abs(whole));
    return fixed(number, isWhole ? 0 : 1);
  }

  function short(number) {
    if (number === Infinity) return "∞";
    return number >= 10 ? plain(number, 0) : plain(number, number >= 1 ? 1 : 2).replace(/\.?0+$/, "");
  }

  /* A cost proportion as odds: how many false alarms weigh as much as a miss. */
  function oddsOf(cost) {
    if (cost <= 0) return "1:∞";
    const ratio = (1 - cost) / cost;
    return ratio >= 1 ? `1:${short(ratio)}` : `${short(1 / ratio)}:1`;
  }

  const falseAlarms = (number) => `${short(number)} false alarm${short(number) === "1" ? "" : "s"}`;

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
    const range = `${written(low)} to ${written(high)}`;
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
    return Number(`${digits.slice(0, 5)}e${exponent}`).toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
  }

  /* What limits the alarms; nothing where nothing does. */
  function limits({ capacity = null, min_precision: precision = null }, written = percent) {
    const said = [];
    if (capacity !== null && capacity < 1) said.push(`at most ${written(capacity)} of cases acted on`);
    if (precision !== null && precision > 0) said.push(`precision at least ${written(precision)}`);
    return said.join(" and ");
  }

  return Object.freeze({
    fixed, signed, perThousand, percent, wholePercent, count, oddsOf, exchange, belief, costs, threshold, limits,
  });
})();
