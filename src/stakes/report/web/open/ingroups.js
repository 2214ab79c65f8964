"use strict";
/* Groups of a report: a panel each, all of them as a table, how the best and its rival differ in them, and why they differ. */
const inGroups = (() => {
  const MOST_PANELS = 12, LEVEL = 0.95, PARTS = [["sharpness", "sharpness"], ["calibration", "calibration"], ["label", "prevalence"]];
  const { headed, isolated, made, named } = elements;
  const said = ({ cases, prevalence }) => `${words.fixed(cases, 0)} cases, ${words.percent(prevalence)} positive`;
  const range = (unit, { estimate, lower, upper }) => (Number.isFinite(lower) ? [lower, upper].map((end) => words.costNumber(unit, end, estimate)).join(" to ") : "–");

  /* A panel for each of the groups in which the best model differs most from all cases. */
  function fillPanels(root, groups, names, { contenders, overall, best, unit }) {
    const far = (group) => Math.abs(group.regret[best].estimate - overall.get(best)), order = groups.map((group, place) => ({ group, place })).sort((a, b) => far(b.group) - far(a.group)).slice(0, MOST_PANELS);
    const values = order.flatMap(({ group }) => contenders.flatMap(({ key }) => Object.values(group.regret[key]))), ends = figures.endsOf([0, ...values, ...contenders.map(({ key }) => overall.get(key))]);
    const panels = root.querySelector("#panels"), [pattern] = panels.children;
    panels.replaceChildren(...order.map(({ group, place }) => {
      const panel = pattern.cloneNode(true);
      panel.dataset.group = place;
      panel.querySelector("figcaption").replaceChildren(isolated(names.get(group.name)), " ", made("span", said(group)));
      panel.querySelector("tbody").replaceChildren(...contenders.map((way) => {
        const one = group.regret[way.key], row = headed(named(way), [figures.intervalCell({ ...one, regret: one.estimate }, overall.get(way.key), ends, way.css), words.costNumber(unit, one.estimate)]);
        row.cells[1].className = "picture";
        row.cells[2].className = "cost";
        return row;
      }));
      return panel;
    }));
    const told = [`Expected cost ${words.unitHeading(unit)},`, `with its ${words.level(LEVEL)} interval,`, "on one scale from 0; the upright line is the same model over everybody.", ...(order.length < groups.length ? [`The ${order.length} groups that differ most are shown.`] : []), ""];
    panels.nextElementSibling.textContent = told.join(" ");
    panels.nextElementSibling.append(made("span", [], { id: "groups-about" }));
  }

  function fillTable(root, groups, names, { ways, unit }) {
    const table = root.querySelector("table.groups"), ends = figures.endsOf(groups.flatMap((group) => Object.values(group.regret).flatMap((one) => Object.values(one))));
    for (const cell of [...table.tHead.rows[0].cells].slice(3)) cell.remove();
    for (const body of [...table.tBodies]) body.remove();
    table.append(...groups.map((group) => {
      const title = made("th", [isolated(names.get(group.name)), " ", made("span", `${said(group)}${group.reference ? "; the reference" : ""}`)], { scope: "rowgroup", colSpan: 4 }), least = Math.min(...ways.map(({ key }) => group.regret[key].estimate));
      return made("tbody", [made("tr", title, { className: "group" }), ...ways.map((way) => {
        const one = group.regret[way.key], row = headed(named(way), [figures.intervalCell({ ...one, regret: one.estimate }, least, ends, way.css), words.costNumber(unit, one.estimate), range(unit, one)]);
        row.cells[1].className = "picture";
        return row;
      })]);
    }));
  }

  /* How the best and its rival differ in each group. */
  function fillDifferences(root, compared, findings, unit) {
    const table = root.querySelector(".group-differences"), block = table.closest(".scroll"), title = block.parentElement.querySelector("h3"), note = block.nextElementSibling;
    if (!compared) {
      for (const node of [title, block, note, ...root.querySelectorAll("h3 + p")]) if (node === title || node === block || node === note || node.previousElementSibling === title) node.remove();
      return;
    }
    const test = findings.find(({ kind }) => ["groups-differ", "groups-agree"].includes(kind)), [single, adjusted] = [compared.level, compared.adjusted_level].map((one) => words.percent(one));
    if (title.nextElementSibling.tagName === "P") title.nextElementSibling.remove();
    if (test) title.after(made("p", test.text));
    table.tHead.rows[0].replaceChildren(...[[compared.model, compared.best].join(say(" vs ")), say("positives"), "extra cost", `${single} interval`, `${adjusted} interval`, "skill difference"].map((text) => made("th", words.compounds(text), { scope: "col" })));
    table.tBodies[0].replaceChildren(...compared.groups.map(({ name, positives, difference, adjusted: wider, skill }) => headed(isolated(name), [
      words.fixed(positives, 0), words.costNumber(unit, difference.estimate), range(unit, difference), range(unit, wider), Number.isFinite(skill.estimate) ? words.signed(skill.estimate, 2) : "–",
    ])));
    const every = compared.groups.length === 2 ? say("both") : `all ${compared.groups.length}`, left = compared.groups.filter((one) => one.left_out).map((one) => `${one.name} (${one.left_out})`);
    const hold = `${single} intervals hold group by group; ${adjusted} intervals hold for ${every} groups together, with ${single} confidence. One that holds 0 beside one that does not is no sign that groups differ.`;
    note.textContent = words.compounds(`Extra cost and its intervals ${words.unitHeading(unit)}. ${left.length ? `${hold} Not in the test between groups: ${left.join(", ")}.` : hold}`);
  }

  /* A gap as a waterfall of its parts. */
  function gapCell(gap, ends) {
    const lane = figures.HEIGHT / 3, at = (value) => figures.placed(value, ends, 2 * figures.WIDTH), upright = (value, css) => charts.path([[[at(value), 0], [at(value), figures.HEIGHT]]], css);
    let start = 0;
    const steps = PARTS.map(([name, css], row) => {
      const [a, b] = [at(start), at(start + gap[name])].sort((one, other) => one - other);
      start += gap[name];
      return charts.element("rect", { class: `step ${css}`, x: a, y: row * lane + 0.5, width: Math.max(b - a, 0.8), height: lane - 1 });
    });
    return figures.cell(2 * figures.WIDTH, ...steps, upright(0, "hairline"), upright(gap.total, "total"));
  }

  /* Why the best model costs more or less in each group than in the largest. */
  function fillGaps(root, groups, names, { best, unit, modelName }) {
    const table = root.querySelector("table.gaps"), explained = groups.filter((group) => group.gaps[best]), block = table.closest(".scroll"), title = block.previousElementSibling;
    if (!explained.length) {
      for (const node of [title, block.nextElementSibling, block]) node.remove();
      return;
    }
    const places = explained.flatMap(({ gaps: { [best]: gap } }) => [0, gap.sharpness, gap.sharpness + gap.calibration, gap.total]), ends = figures.endsOf([0, ...places]);
    title.replaceChildren("Why ", isolated(modelName), " costs more or less");
    table.tHead.rows[0].cells[0].replaceChildren("Against ", isolated(names.get(groups.find((group) => group.reference).name)));
    table.tBodies[0].replaceChildren(...explained.map(({ name, gaps: { [best]: gap } }) => {
      const row = headed(isolated(names.get(name)), [words.signedCost(unit, gap.total), gapCell(gap, ends), ...PARTS.map(([part]) => words.signedCost(unit, gap[part]))]);
      row.cells[2].className = "picture";
      return row;
    }));
  }

  function fill(root, page, contenders) {
    const section = root.querySelector("#groups"), { groups, ranking, unit, findings, group_comparisons: [compared] } = page.evaluation;
    if (!groups.length) {
      section.remove();
      root.querySelector(".contents a[href='#groups']")?.remove();
      return;
    }
    const names = new Map(groups.map(({ name }) => [name, name])), keyed = ({ number, ...way }) => ({ ...way, key: page.models[number].key }), best = ranking.find((row) => !row.reference).model;
    const ways = page.models.map(({ key, name }, k) => ({ key, name, css: page.colours[k] })), overall = new Map(ranking.map((row) => [row.model, row.regret]));
    const how = { contenders: contenders.map(keyed), ways, overall, best, unit, modelName: ways.find(({ key }) => key === best).name };
    fillPanels(section, groups, names, how);
    fillTable(section, groups, names, how);
    fillDifferences(section, compared, findings, unit);
    fillGaps(section, groups, names, how);
  }

  return Object.freeze({ fill });
})();
