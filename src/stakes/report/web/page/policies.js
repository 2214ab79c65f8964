/* Thresholds to use: one as a rule, and those that follow the cost. */
"use strict";

const policies = (() => {
  const { byId } = nodes;
  const NOT_KNOWN = "\u2013";

  function make(host) {
    const { page, statedLines, inDomain } = host;

    const policyTable = byId("policy-table"), MOST_STEPS = 15, SHOWN_STEPS = 12;
    let policyModel = null;

    function showPolicy(ranking) {
      if (!policyTable) return;
      const bestName = ranking.find((line) => !line.reference).name;
      const index = policyModel ?? page.models.findIndex((model) => model.name === bestName);
      const way = host.scene.models[index], exact = host.exactSteps(way), steps = exact ?? stakes.bestThresholds(way.there, host.decision.cost, host.scene.limits), count = steps.threshold.length;
      byId("policy-model").value = String(index);
      const costs = count > MOST_STEPS ? figures.even(inDomain(steps.low[0], page.domain.cost), inDomain(steps.high[count - 1], page.domain.cost), SHOWN_STEPS) : [];
      const chosen = costs.length ? [...new Set(costs.map((cost) => Math.max([...steps.high].findIndex((end) => cost <= end), 0)))] : [...Array(count).keys()];
      const { per } = host.scene.unit, positives = per * way.there.prevalence;
      policyTable.tBodies[0].replaceChildren(...chosen.map((k) => {
        const low = steps.low[k], high = steps.high[k], alarms = (steps.alarmsPerThousand[k] * per) / 1000, found = positives * (steps.recall[k] || 0), needless = (per - positives) * (steps.falsePositiveRate[k] || 0);
        const row = document.createElement("tr"), head = document.createElement("th");
        head.scope = "row";
        head.textContent = words.fromTo(words.percent(low), words.percent(high));
        row.append(head);
        const odds = words.fromTo(words.oddsOf(low), words.oddsOf(high));
        const precision = Number.isFinite(steps.precision[k] ?? NaN) ? words.wholePercent(steps.precision[k]) : NOT_KNOWN;
        const texts = [odds, host.thresholdText(steps.threshold[k], exact !== null), words.fixed(alarms, 0), ...[found, needless, positives - found].map((value) => words.signed(value, 1)), precision];
        for (const text of texts) row.insertCell().textContent = text;
        row.cells[2].className = "threshold";
        return row;
      }));
      policyTable.caption.querySelector(".swatch").className = `swatch ${way.css}`;
      policyTable.caption.querySelector("bdi").textContent = way.name;
      byId("policy-said").textContent = policySaid(way);
      byId("policy-steps").textContent = chosen.length === count ? "" : host.isMoved() ? `${chosen.length} of ${count} steps are shown.` : `${chosen.length} of ${count} steps are shown; --json writes them all.`;
    }

    /** The one threshold as a rule to follow. */
    function showRule(ranking, found) {
      const line = byId("rule-line");
      if (!line) return;
      line.hidden = found === null || !(found.threshold < Infinity);
      if (!line.hidden) byId("rule").textContent = sentences.rule(page.answers, ranking[0].name, found.threshold);
    }

    const copied = async (text, node) => {
      const done = await navigator.clipboard.writeText(text).then(() => true, () => false);
      node.textContent = done ? "Copied." : "Select it to copy it.";
    };

    function policySaid(way) {
      if (host.scene.limited) return "The thresholds below meet your limits.";
      const exact = host.isMoved() ? null : statedLines.get(way.name)?.miscalibration;
      const saved = exact ?? stakes.parts(way.table, host.scene.decision).miscalibration;
      return words.inUnit(host.scene.unit, saved) === 0
        ? "The thresholds below, which a policy file holds, are the best in this sample; using the cost itself as the threshold is as good."
        : `The thresholds below, which a policy file holds, are the best in this sample: using the cost itself as the threshold would cost ${words.costText(host.scene.unit, saved)} more.`;
    }

    function wirePolicy() {
      if (!policyTable) return;
      document.querySelector(".pick").hidden = false;
      byId("policy-model").addEventListener("change", (event) => {
        policyModel = Number(event.target.value);
        showPolicy(host.currentRanking());
      });
      byId("copy-policy").addEventListener("click", () => copied([...policyTable.rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("\t")).join("\n"), byId("copied")));
      byId("copy-rule").addEventListener("click", () => copied(byId("rule").textContent, byId("copy-rule")));
    }

    return { showPolicy, showRule, wirePolicy };
  }

  return Object.freeze({ make });
})();
