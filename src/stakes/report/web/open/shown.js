"use strict";
/* The live report of an answer: a blank report, in which all that the scripts of the report do not write is filled in. Names enter as text only. */
const shown = (() => {
  const BESIDE = ["one-threshold", "plateau"], FIRST = 10;
  const { headed, isolated, made, named } = elements;
  const three = (number) => (number === null || Number.isNaN(number) ? "–" : number === Infinity ? "∞" : words.local(words.english(number, 3).replaceAll(",", "")));

  /* ------------------------------------------------------------------------------------------ first screen */

  function fillFindings(root, { evaluation, evidence }) {
    const [answer] = evaluation.findings.filter(({ kind }) => kind.startsWith("best"));
    const others = evaluation.findings.filter((one) => one !== answer && !BESIDE.some((kind) => one.kind.startsWith(kind)));
    const item = (one) => made("li", [one.text, " ", made("a", evidence[one.evidence], { href: `#${one.evidence}` })]);
    const list = root.querySelector("#findings"), [first, more] = sentences.atOnce(others);
    root.querySelector("#much").textContent = answer.text;
    list.replaceChildren(...first.map(item));
    root.querySelector(".more-findings")?.remove();
    if (!more.length) return;
    const rest = made("ol", more.map(item), { className: "findings", start: first.length + 1 });
    list.after(made("details", [made("summary", sentences.more(more.length)), rest], { className: "behind more-findings" }));
  }

  /* Nothing is left of what the blank report says of its own few cases: the tables and values of its charts, and its cards. */
  function empty(root) {
    for (const table of root.querySelectorAll("[data-table] table")) for (const part of [table.tHead, ...table.tBodies]) part.replaceChildren();
    for (const strip of root.querySelectorAll(".strip")) strip.replaceChildren();
    for (const card of root.querySelectorAll("#policy ~ *")) card.remove();
  }

  /* One row remains of each ranking, without a name: the scripts of the report copy it. */
  function emptyRankings(root) {
    for (const id of ["first-ranking", "ranking-table"]) {
      const body = root.querySelector(`#${id} tbody`), [row] = body.rows;
      row.dataset.way = "";
      body.replaceChildren(row);
    }
  }

  /* ---------------------------------------------------------------------------------------------- pictures */

  function fillFacets(root, contenders) {
    const facets = root.querySelector(".facets"), [pattern] = facets.children;
    facets.replaceChildren(...contenders.map(({ number, ...way }) => {
      const facet = pattern.cloneNode(true);
      facet.querySelector("figcaption").replaceChildren(...named(way));
      facet.querySelector("[data-model]").dataset.model = number;
      return facet;
    }));
  }

  const item = (way) => made("li", named(way));
  function fillLegends(root, contenders, references) {
    for (const legend of root.querySelectorAll(".legend")) legend.replaceChildren(...(legend.closest(".roc") ? contenders : [...contenders, ...references]).map(item));
  }

  /* ------------------------------------------------------------------------------------------------ method */

  function fillFacts(root, { evaluation: { sample, groups }, models }, source, date) {
    const weight = sample.weighted ? ` (weight ${words.count(sample.weight)})` : "";
    const facts = [
      ["Cases", `${words.fixed(sample.cases, 0)}${weight}`], ["Positive", `${words.count(sample.positives)} (${words.percent(sample.prevalence)})`], ["Models", String(models.length)],
      ...(groups.length ? [["Groups", String(groups.length)]] : []), ...(sample.dropped ? [["Dropped", words.fixed(sample.dropped, 0)]] : []),
      ...(sample.reading_notes.length ? [["File", sample.reading_notes.join(" ")]] : []), ["File", isolated(source)],
      ["Created", [`${date}, by `, made("a", "this call", { href: "#call" })]],
    ];
    root.querySelector(".facts").replaceChildren(...facts.map(([label, value]) => made("div", [made("dt", label), made("dd", value)])));
  }

  function fillUsual(root, { models, evaluation, colours }) {
    const body = root.querySelector(".assumptions").parentElement.querySelector("tbody"), rows = new Map(evaluation.ranking.filter((row) => !row.reference).map((row) => [row.model, row]));
    body.replaceChildren(...models.map(({ key, name }, k) => {
      const { brier_score: brier, log_loss: loss, auc } = rows.get(key);
      return headed(named({ css: colours[k], name }), [brier, loss, auc].map(three));
    }));
  }

  /* What the usual measures would assume, of which accuracy is about one cost. */
  function fillAssumptions(root, { stated: { cost } }, said) {
    const { low, high } = cost, where = low === 0.5 && high === 0.5 ? "stated" : low <= 0.5 && high >= 0.5 ? "inside" : "outside";
    const { reason, measure, assumptions } = said.recommendations[cost.kind], own = { ...assumptions, accuracy: said.accuracy[where] };
    const [first, second] = [root.querySelector("#method .call code"), root.querySelector(".assumptions")];
    first.textContent = filled(measure, { low: String(low), high: String(high) });
    first.parentElement.previousElementSibling.textContent = reason;
    second.replaceChildren(...Object.values(own).map((text) => made("li", text)));
  }

  const filled = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const upwards = (value) => {
    const digits = value >= 1 ? 1 : 2;
    return words.fixed(Math.ceil(value * 10 ** digits - 1e-9) / 10 ** digits, digits);
  };

  /* What the tables in the report are, and how far they are from the cases. */
  function boundSaid({ bound, evaluation: { sample, unit } }, said) {
    const scale = words.costScale(unit), named = words.unitNamed(unit), [stated, largest] = [bound.stated, bound.regret].map((one) => upwards(one * scale));
    return `${said.pooled[Number(sample.weighted)]}${bound.regret === 0 ? said.unpooled : filled(said.changed, { stated, largest, unit: named })} ${said.held}`;
  }

  function fillTripod(root, hasGroups, said) {
    for (const row of root.querySelectorAll(".tripod tbody tr")) {
      const text = said.without_groups[row.cells[0].textContent];
      if (hasGroups || text === undefined) continue;
      const links = [...row.cells[2].querySelectorAll("a")].filter((link) => link.hash !== "#groups");
      row.cells[2].replaceChildren(text, " ", ...links.flatMap((link, k) => [...(k ? [", "] : []), link]));
    }
  }

  function fillMethod(root, page, { said, source, date }) {
    fillFacts(root, page, source, date);
    fillAssumptions(root, page, said);
    fillUsual(root, page);
    fillTripod(root, page.evaluation.groups.length > 0, said);
    root.querySelector("#bound").textContent = boundSaid(page, said);
    const call = root.querySelector("#call").nextElementSibling;
    call.firstElementChild.textContent = page.evaluation.call;
    call.nextElementSibling.nextElementSibling.textContent = `stakes ${said.version}, in a browser.`;
    root.querySelector("footer.page p").textContent = `Created by stakes ${said.version} on ${date}. This file is self-contained: it opens without a network and sends nothing anywhere.`;
  }

  /* ------------------------------------------------------------------------------------------------- whole */

  /* Costs for so many cases as the unit says, where the blank report has 1,000. */
  function sayUnit(root, { per }) {
    const whole = (text) => text.replaceAll("1,000 cases", `${words.fixed(per, 0)} cases`), walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (per === 1000) return;
    while (walker.nextNode()) walker.currentNode.data = whole(walker.currentNode.data);
    for (const node of root.querySelectorAll("[title], [data-label]")) for (const name of ["title", "data-label"]) if (node.hasAttribute(name)) node.setAttribute(name, whole(node.getAttribute(name)));
  }

  /* A report of an answer, not yet live, from a blank one. */
  function report(blank, page, how) {
    const root = blank.cloneNode(true), { evaluation: { sample, ranking, unit } } = page;
    const ways = page.models.map(({ name }, number) => ({ name, number, css: page.colours[number] })), contenders = ways.filter(({ css }) => css !== "other");
    const references = page.references.map((name, k) => ({ name, css: `r${k}` }));
    sayUnit(root, unit);
    root.querySelector(".sample").textContent = `${words.fixed(sample.cases, 0)} cases, ${words.count(sample.positives)} positive`;
    const beyond = ranking.filter((row, k) => k >= FIRST && !row.reference).length;
    root.querySelector("figure.short a[href='#ranking']").textContent = [...(beyond ? [`${beyond} more, and `] : []), "the ranking in full"].join("");
    fillFindings(root, page);
    empty(root);
    emptyRankings(root);
    fillFacets(root, contenders);
    fillLegends(root, contenders, references);
    inGroups.fill(root, page, contenders);
    root.querySelector("#policy-model").replaceChildren(...page.models.map(({ name }, k) => new Option(name, String(k))));
    fillMethod(root, page, how);
    root.querySelector("#data").textContent = dataOf(page);
    return root;
  }

  const question = ({ models }) => (models.length > 1 ? `Which of ${models.length} models should decide?` : "Should this model decide?");

  /* The data of a report as text that can stand in a script, whatever names are in it. */
  function dataOf(page, more = {}) {
    const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value, known) : known(value));
    return JSON.stringify({ ...page, ...more }, plain).replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  const known = (value) => (typeof value === "number" && !Number.isFinite(value) ? null : value);

  return Object.freeze({ dataOf, question, report });
})();
