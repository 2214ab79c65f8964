/* The decision that is shown, as an address: `#miss=4..19&prev=14%`, only what differs from what was stated.
   What cannot be read is named and left as stated. Also the round values that a hand steps through, and numbers as typed. */
"use strict";

const state = (() => {
  const steps = (start, end, step) => Array.from({ length: Math.round((end - start) / step) + 1 }, (_, k) => Number((start + k * step).toPrecision(6)));

  /* False alarms for a miss: whole numbers to 20, then ever larger steps; below 1 the same upside down. */
  const DECADE = [10, 15, 20, 25, 30, 40, 50, 60, 80];
  const UP = [...steps(1, 20, 1), ...DECADE.slice(3), ...[10, 100, 1000, 10000].flatMap((ten) => DECADE.map((value) => value * ten))];
  const DOWN = [...steps(0.2, 0.9, 0.1), ...[0.1, 0.01, 0.001, 0.0001].flatMap((ten) => [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8].map((value) => Number((value * ten * 10).toPrecision(3))))];
  const EXCHANGES = [...new Set([...DOWN, ...UP])].sort((a, b) => a - b);

  const SMALL = [0.001, 0.01, 0.1].flatMap((ten) => [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((value) => Number((value * ten).toPrecision(3))));
  const HALF = [...SMALL, 1, 1.5, 2, 2.5, ...steps(3, 20, 1), ...steps(22, 30, 2), ...steps(35, 50, 5)];
  const SHARES = [...HALF, ...HALF.map((value) => Number((100 - value).toPrecision(8)))].sort((a, b) => a - b).filter((value, k, all) => value !== all[k - 1]).map((value) => Number((value / 100).toPrecision(8)));

  /** The share of a false alarm in the cost of both, where a miss is as bad as so many of them; and back. */
  const costOf = (exchange) => 1 / (1 + exchange);
  const exchangeOf = (cost) => (cost <= 0 ? Infinity : Number(((1 - cost) / cost).toPrecision(12)));

  /** A number as people write it: with a comma or a point, spaces between thousands. */
  function plainNumber(text) {
    const given = text.trim().replace(/[\s\u00a0\u202f]/g, ""), isGrouped = words.SIGNS["."] === "," && /^[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/.test(given);
    const bare = (isGrouped ? given.replaceAll(".", "") : given).replace(",", ".");
    return /^\d+(\.\d*)?$|^\.\d+$/.test(bare) ? Number(bare) : NaN;
  }

  /** A share as typed: "14", "14 %", "0,14". */
  function typedShare(text) {
    const isPercent = text.trim().endsWith("%"), value = plainNumber(text.replace("%", ""));
    return isPercent || value >= 1 ? value / 100 : value;
  }

  /** A cost as typed, as a share: "19" false alarms for a miss, "1:19", "5 %", "0,05". */
  function typedCost(text) {
    const odds = text.split(":").map(plainNumber);
    if (odds.length === 2) return odds[0] / (odds[0] + odds[1]);
    if (text.trim().endsWith("%")) return typedShare(text);
    const value = plainNumber(text);
    return value > 0 && value < 1 ? value : costOf(value);
  }

  const isInside = (share) => share > 0 && share < 1;

  /** One number or two, from a text such as "4..19" or "5..20 %": shares in order, or null. */
  function typed(text, read) {
    const parts = text.split(/\.\.|\u2026|\u2013| to | bis /), ends = parts.length === 2 && /%\s*$/.test(parts[1]) && !/%\s*$/.test(parts[0]) ? [`${parts[0]}%`, parts[1]] : parts;
    const values = ends.map(read);
    return values.length > 0 && values.length <= 2 && values.every(isInside) ? values.sort((a, b) => a - b) : null;
  }

  const LAWS = { one: "at", even: "uniform", logodds: "log_odds_uniform" };
  const nameOf = (kind) => Object.keys(LAWS).find((name) => LAWS[name] === kind);

  /** A number in full, and no longer. */
  const whole = (value) => String(value);
  const range = ({ low, high }, write) => (low === high ? write(low) : `${write(low)}..${write(high)}`);

  /** What differs from what was stated, as the part of an address behind the #; empty where nothing does. */
  function written(decision, stated) {
    const parts = [], same = (a, b) => JSON.stringify(a) === JSON.stringify(b), { cost, prevalence } = decision;
    if (!same(cost, stated.cost) && cost.kind !== "other") {
      parts.push(`miss=${range({ low: exchangeOf(cost.high), high: exchangeOf(cost.low) }, whole)}`);
      if (cost.kind !== (cost.low === cost.high ? "at" : "uniform")) parts.push(`law=${nameOf(cost.kind)}`);
    }
    if (!same(prevalence, stated.prevalence)) {
      parts.push(`prev=${prevalence === null ? "sample" : range(prevalence, whole)}`);
      if (prevalence?.kind === "uniform") parts.push("prevlaw=even");
    }
    for (const [key, name] of [["cap", "capacity"], ["prec", "min_precision"]]) {
      if (decision[name] !== stated[name]) parts.push(`${key}=${decision[name] === null ? "none" : whole(decision[name])}`);
    }
    return parts.join("&");
  }

  /** An end that is where it was stated but for rounding is that. */
  const settled = (value, ends) => ends.find((end) => Math.abs(end - value) <= 1e-12) ?? value;
  const beliefOf = (values, kind, stated) => {
    const [low, high] = [values[0], values.at(-1)].map((value) => settled(value, stated ? [stated.low, stated.high] : []));
    return { kind: low === high ? "at" : kind, low, high };
  };

  const READ = {
    miss(text, said, stated) {
      const values = typed(text, (part) => costOf(plainNumber(part)));
      return values && { cost: beliefOf(values, LAWS[said.get("law")] ?? "uniform", stated.cost) };
    },
    prev(text, said, stated) {
      const values = text === "sample" ? [] : typed(text, plainNumber);
      return values && { prevalence: values.length ? beliefOf(values, LAWS[said.get("prevlaw")] ?? "log_odds_uniform", stated.prevalence) : null };
    },
    cap: (text) => limit("capacity", text),
    prec: (text) => limit("min_precision", text),
    law: (text) => (text in LAWS ? {} : null),
    prevlaw: (text) => (text in LAWS ? {} : null),
    pin: (text) => (/^\d+(,\d+){0,2}$/.test(text) ? {} : null),
  };
  const limit = (name, text) => (text === "none" ? { [name]: null } : isInside(plainNumber(text)) ? { [name]: plainNumber(text) } : null);

  /** The decision that an address states, and the parts of it that cannot be read. */
  function read(hash, stated) {
    const said = new URLSearchParams(hash.replace(/^#/, "")), decision = structuredClone(stated), ignored = [];
    for (const [key, text] of said) {
      const change = Object.hasOwn(READ, key) ? READ[key](text, said, stated) : null;
      if (change) Object.assign(decision, change);
      else ignored.push(`${key}=${text}`);
    }
    return { decision, ignored };
  }

  /** The models that an address gives a colour, by number. */
  const pinned = (hash) => (new URLSearchParams(hash.replace(/^#/, "")).get("pin") ?? "").split(",").filter(Boolean).map(Number);

  return Object.freeze({ EXCHANGES, SHARES, pinned, costOf, exchangeOf, typed, typedCost, typedShare, written, read });
})();
