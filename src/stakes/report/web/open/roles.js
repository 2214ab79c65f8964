"use strict";
/* What the columns of a file are for: guesses, labels that are spelled in several ways, and the cases themselves. */
Object.assign(reading, (() => {
  const { labelsOf, numberIn, numbersOf, parsed, refuse } = reading;
  const MOST_LABELS = 1000, FEW = 20, FEW_CASES = 10, HUGE = 1e15, MOST_GROUPS = 50, MISSING = "(missing)";

  const withoutNeedlessBlanks = (label) => label.split(/\s+/).filter(Boolean).join(" ");
  const plainly = (label) => withoutNeedlessBlanks(label).toLowerCase().replaceAll("ß", "ss");

  /* The labels of a column by what they mean, with their spelling and number; null where there are too many. */
  function meanings(file, column) {
    const known = labelsOf(file, column, MOST_LABELS);
    if (known === null) return null;
    const found = new Map(known.labels.map((label, k) => [label, known.counts[k]]));
    const notation = file.notations[column];
    const numeric = notation && [...found.keys()].every((label) => numberIn(notation, label.trim()) !== undefined);
    const grouped = gathered(found, numeric ? (label) => String(numberIn(notation, label.trim())) : plainly);
    const alone = grouped.length === 1 && !numeric ? gathered(found, withoutNeedlessBlanks) : grouped;
    return alone.map((one) => ({ ...one, isNumber: Boolean(numeric) }));
  }

  /* Labels of one meaning together, spelled as the first in the order of the alphabet that has no needless blanks. */
  function gathered(found, meaning) {
    const groups = new Map();
    for (const [label, count] of found) {
      const one = groups.get(meaning(label)) ?? { spellings: [], count: 0 };
      one.spellings.push(label);
      one.count += count;
      groups.set(meaning(label), one);
    }
    const tidy = (label) => Number(label !== withoutNeedlessBlanks(label));
    return [...groups].map(([means, { spellings, count }]) => {
      const [name] = spellings.toSorted((a, b) => tidy(a) - tidy(b) || (a < b ? -1 : 1));
      return { name, means, spellings, count };
    });
  }

  const shownLabel = (label) => (label.includes("'") ? `"${label}"` : `'${label}'`).split(/\s+/).join(" ");

  /* What to say of labels that are spelled in several ways, with an example; nothing where each is spelled in one. */
  function spellingNotes(file, column) {
    const several = meanings(file, column).filter(({ spellings, isNumber }) => spellings.length > 1 && !isNumber);
    const [one] = several.toSorted((a, b) => (a.means < b.means ? -1 : 1));
    if (!one) return [];
    const [other] = one.spellings.filter((label) => label !== one.name).toSorted();
    return [`Labels in \`${file.names[column]}\` that differ by case or blanks alone are read as one, such as ${shownLabel(other)} as ${shownLabel(one.name)}.`];
  }

  /* The label that is likely to be the positive one: the larger of two numbers, a word that says so, or the rarer. */
  function positiveOf({ labels, low, high }, { yes }) {
    if (low < high) return labels.find(({ means }) => Number(means) === high).name;
    const [rarer, other] = labels.toSorted((a, b) => a.count - b.count), said = labels.filter(({ means }) => yes.includes(means));
    if (said.length === 1) return said[0].name;
    return rarer.count < other.count ? rarer.name : null;
  }

  /* The column of the outcome: among those with two values, the only one with a usual name of an outcome
     and the labels of one (0 and 1, no and yes); else the only one with either. Nothing in doubt: the page then asks. */
  function outcomeOf(columns, { names, opposites }) {
    const isShare = ({ low, high }) => low >= 0 && high <= 1 && !(low === 0 && high === 1);
    const isTold = ({ labels, low, high }) => (low === 0 && high === 1) || opposites.includes(labels.map(({ means }) => means).toSorted().join(" "));
    const possible = columns.filter((one) => one.labels?.length === 2 && !isShare(one));
    const named = possible.filter(({ name }) => names.includes(plainly(name))), told = possible.filter(isTold);
    const both = named.filter((one) => told.includes(one)), either = both.length ? both : [...named, ...told];
    return either.length === 1 ? either[0] : undefined;
  }

  /* What each column seems to be for, with what its menu needs. */
  function describe(file, words) {
    const columns = file.names.map((name, k) => ({ name, number: k, labels: fewLabels(file, k), ...rangeOf(file, k) }));
    const outcome = outcomeOf(columns, words), isFew = file.cells.rows <= FEW_CASES;
    const isWeight = ({ name }) => words.weights.includes(plainly(name));
    return columns.map((column) => {
      const { low, high, distinct } = column, isShare = low >= 0 && high <= 1 && (distinct > 2 ? !isWeight(column) : isFew && distinct === 2 && !(low === 0 && high === 1));
      const positive = column.labels?.length === 2 ? positiveOf(column, words) : null;
      return { ...column, positive, role: column === outcome ? "outcome" : isShare ? "model" : "ignore" };
    }).map((column, _, all) => ({ ...column, role: words.roles ? words.roles[column.name] ?? "ignore" : column === groupOf(all) ? "group" : column.role }));
  }

  /* The column of groups: the only one of words that are few, each with enough cases. */
  function groupOf(columns) {
    const possible = columns.filter(({ role, labels, low }) => role === "ignore" && low === undefined && labels?.length > 1 && labels.every(({ count }) => count >= FEW_CASES));
    return possible.length === 1 ? possible[0] : null;
  }

  function fewLabels(file, column) {
    const found = meanings(file, column);
    return found && found.length <= FEW ? found.map(({ name, means, count }) => ({ name, means, count })) : null;
  }

  /* The range of a column of numbers, and whether it has more than two; nothing of others. */
  function rangeOf(file, column) {
    if (!file.notations[column]) return {};
    const { values } = parsed(file, column), seen = new Set();
    let low = Infinity, high = -Infinity, isWhole = true;
    for (let row = 0; row < values.length; row++) {
      const value = values[row];
      if (Number.isNaN(value)) continue;
      if (seen.size <= FEW) seen.add(value);
      isWhole &&= Number.isInteger(value);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return { low, high, distinct: seen.size, is_fine: !isWhole && seen.size > FEW };
  }

  /* ------------------------------------------------------------------------------------------- the cases */

  function outcomesOf(file, column, positive) {
    const labels = meanings(file, column), name = file.names[column];
    if (labels?.length !== 2) refuse(`must have two outcomes in column \`${name}\`, got ${labels === null ? "very many" : labels.length}`);
    const ill = new Set((labels.find((one) => one.name === positive) ?? labels[0]).spellings);
    const known = labelsOf(file, column, MOST_LABELS), missing = known.codes.indexOf(0), isIll = Uint8Array.from([null, ...known.labels], (label) => Number(ill.has(label)));
    if (missing >= 0) refuse(`must have an outcome in every row, got none in column \`${name}\` at line ${file.cells.lines[missing]}; the command leaves such rows out with --on-missing drop`);
    return new Uint8Array(known.codes.length).map((_, row) => isIll[known.codes[row]]);
  }

  function scoresOf(file, column) {
    const scores = numbersOf(file, column), bad = scores.findIndex((score) => score < 0 || score > 1);
    if (bad < 0) return scores;
    const isPercent = scores.every((score) => !(score < 0 || score > 100));
    const hint = isPercent ? "; if it is in percent, divide it by 100 or write percent signs" : "";
    return refuse(`must have probabilities from 0 to 1 in column \`${file.names[column]}\`, got ${scores[bad]} at line ${file.cells.lines[bad]}${hint}`);
  }

  function weightsOf(file, column) {
    const weights = numbersOf(file, column), isBad = (weight) => !(weight === 0 || (weight >= 1 / HUGE && weight <= HUGE));
    const bad = weights.findIndex(isBad);
    if (bad < 0) return weights;
    return refuse(`must have weights of at least 0 in column \`${file.names[column]}\`, got ${Number.isNaN(weights[bad]) ? say("none") : weights[bad]} at line ${file.cells.lines[bad]}`);
  }

  /* The rows for which something holds. */
  function rowsWhere(rows, holds) {
    const found = new Uint32Array(rows);
    let count = 0;
    for (let row = 0; row < rows; row++) if (holds(row)) found[count++] = row;
    return found.subarray(0, count);
  }

  /* The group of each case; those without a label are a group of their own. */
  function groupsOf(file, column) {
    const found = meanings(file, column), name = file.names[column];
    if (found === null || found.length > MOST_GROUPS) refuse(`must have at most ${MOST_GROUPS} groups in column \`${name}\`, got ${found?.length ?? "very many"}`);
    const known = labelsOf(file, column, MOST_LABELS), place = new Map(found.flatMap(({ spellings }, k) => spellings.map((label) => [label, k])));
    const numbers = [found.length, ...known.labels.map((label) => place.get(label))];
    return { labels: [...found.map((one) => one.name), MISSING], codes: Uint16Array.from(known.codes, (code) => numbers[code]) };
  }

  /* Cases with all their scores: those that miss one are left out and counted; weight 0 means absence. */
  function casesIn(file, { outcome, positive, models, weight, group }) {
    const y = outcomesOf(file, outcome, positive), scores = models.map((column) => scoresOf(file, column));
    const weights = weight === null ? null : weightsOf(file, weight), inGroups = group === null ? null : groupsOf(file, group);
    const isWhole = (row) => scores.every((column) => !Number.isNaN(column[row])), whole = rowsWhere(y.length, isWhole);
    const kept = weights === null ? whole : rowsWhere(y.length, (row) => weights[row] > 0 && isWhole(row));
    const pick = (column) => (kept.length === column.length ? column : column.constructor.from(kept, (row) => column[row]));
    const left = pick(y), positives = left.reduce((sum, one) => sum + one, 0);
    const groups = inGroups && { ...inGroups, codes: pick(inGroups.codes) };
    const notes = [...new Set([outcome, group ?? outcome])].flatMap((column) => spellingNotes(file, column));
    if (positives === 0 || positives === left.length) refuse(`must have cases of both outcomes with a prediction of every model, got ${positives} positive and ${left.length - positives} negative`);
    return { y: left, scores: scores.map(pick), weight: weights && pick(weights), groups, notes, dropped: y.length - whole.length };
  }

  return { casesIn, describe };
})());
