/* Models in each group, at its own prevalence and without limits: what _group_view.py draws as stated, from the tables of groups in the page. */
"use strict";

const groups = (() => {
  const byId = (id) => document.getElementById(id);

  /** A group in the page with its tables, and the exact numbers of the decision as stated. */
  function read(page) {
    const { ways, tables } = page.groups;
    return tables.map(({ place, models }) => {
      const stated = page.evaluation.groups[place];
      return { place, ways: models.map((columns, k) => ({ model: page.models[ways[k]], table: stakes.table(stakes.columns(columns)), exact: stated.regret[page.models[ways[k]].key] })) };
    });
  }

  /** How many standard errors an end is away as stated, for each; null where too few mistakes decide. */
  function shapeOf(way, cost) {
    const decision = stakes.inGroup(cost), { estimate, lower, upper } = way.exact, error = stakes.standardError(way, decision);
    return error > 0 && stakes.errsEnough(way, decision) && Number.isFinite(lower ?? NaN) ? [(estimate - lower) / error, (upper - estimate) / error] : null;
  }

  /** Make the panels follow, from what the page holds and the decision as stated. */
  function make({ page, stated }) {
    if (!page.groups) return { show() {}, restore() {} };
    const panels = byId("panels"), asStated = [...panels.children].map((node) => node.cloneNode(true)), all = read(page);
    const sure = page.groups.sure && stated.cost.kind !== "other";
    for (const way of all.flatMap(({ ways }) => ways)) way.shape = sure ? shapeOf(way, stated.cost) : null;

    /** What a model costs in a group, with its interval where that is known. */
    function lineOf(way, cost) {
      const decision = stakes.inGroup(cost), regret = stakes.regret(way.table, decision);
      const ends = way.shape && stakes.errsEnough(way, decision) ? stakes.movedEnds(regret, way.shape, stakes.standardError(way, decision) ** 2, 0) : null;
      return { way, regret, ...(ends && { lower: ends[0], upper: ends[1] }) };
    }

    /** Numbers of groups with no more digits than their tables know. */
    function digitsOf(unit) {
      const known = 2 * page.groups.bound * words.costScale(unit);
      let { digits } = unit;
      while (digits > 0 && 10 ** -digits < known) digits -= 1;
      return { ...unit, digits };
    }

    function show({ decision, unit }, ranking, held) {
      const lines = all.map(({ place, ways }) => ({ place, lines: ways.map((way) => lineOf(way, decision.cost)) }));
      const overall = new Map(ranking.filter((line) => !line.reference).map((line) => [line.name, line.regret]));
      const values = lines.flatMap((one) => one.lines.flatMap(({ regret, lower, upper }) => [regret, lower ?? NaN, upper ?? NaN]));
      const ends = figures.endsOf([0, ...values, ...overall.values()]), shown = digitsOf(unit);
      for (const { place, lines: inside } of lines) {
        const rows = panels.querySelector(`[data-group="${place}"] tbody`).rows;
        inside.forEach((line, k) => {
          const { name, css } = line.way.model;
          rows[k].cells[1].replaceChildren(figures.intervalCell(line, overall.get(name) ?? line.regret, ends, css));
          rows[k].cells[2].textContent = words.costNumber(shown, line.regret);
        });
      }
      if (!held) inOrder(lines, ranking, overall);
      byId("groups-about").textContent = aboutText(unit);
    }

    /** The group with the largest gap first. */
    function inOrder(lines, ranking, overall) {
      const best = ranking.find((line) => !line.reference).name;
      const far = ({ lines: inside }) => Math.abs((inside.find(({ way }) => way.model.name === best)?.regret ?? NaN) - overall.get(best));
      if (lines.some((one) => Number.isNaN(far(one)))) return;
      panels.append(...lines.sort((a, b) => far(b) - far(a)).map(({ place }) => panels.querySelector(`[data-group="${place}"]`)));
    }

    function aboutText(unit) {
      const worst = Math.ceil(10 * page.groups.bound * words.costScale(unit) - 1e-9) / 10;
      return worst ? `Scores of groups are pooled here, which at several costs in reach changed no cost by more than ${words.fixed(worst, 1)} ${words.unitNamed(unit)}.` : "";
    }

    function restore() {
      panels.replaceChildren(...asStated.map((node) => node.cloneNode(true)));
      byId("groups-about").textContent = "";
    }

    return { show, restore };
  }

  return Object.freeze({ make });
})();
