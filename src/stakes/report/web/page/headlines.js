/* The answer, 1,000 people, and what else was found, for the decision that is shown. */
"use strict";

const headlines = (() => {
  const { all, byId, strongly } = nodes;

  function make(host) {
    const { page } = host;

    const KEPT = ["headline", "people-title", "people-picture", "people-counts", "people-said"];
    const keptAsStated = KEPT.map((id) => [byId(id), [...byId(id).childNodes].map((node) => node.cloneNode(true))]), hadPeople = !byId("people").hidden;

    /** The one threshold of the best, as the page can compute it now; none where no model is best. */
    function recommended(ranking) {
      const first = ranking[0];
      return first.reference || !host.scene.bothClasses ? null : stakes.recommendedThreshold(host.wayOf(first).table, host.scene.decision, host.scene.unit);
    }

    function showAnswer(ranking, found) {
      byId("headline").replaceChildren(...sentences.answer(page.answers, ranking, found, page.evaluation.sample.prevalence).map(strongly));
      const acts = found !== null && found.threshold < Infinity;
      byId("people").hidden = !acts;
      if (!acts) return;
      const name = ranking[0].name;
      const counts = people.whole([found.found, found.misses, found.false_alarms, found.left_alone], found.per);
      byId("people-title").textContent = `${words.fixed(found.per, 0)} cases, ${name} from ${sentences.threshold(found.threshold)}`;
      byId("people-picture").replaceChildren(people.picture(counts, found.per));
      [...byId("people-counts").querySelectorAll("b")].forEach((node, k) => (node.textContent = words.fixed(counts[k], 0)));
      byId("people-said").textContent = sentences.sums(page.answers, host.scene, found, ranking[0].regret);
    }

    function restoreAnswer() {
      for (const [node, children] of keptAsStated) node.replaceChildren(...children.map((child) => child.cloneNode(true)));
      byId("people").hidden = !hadPeople;
    }

    function showBar(ranking) {
      if (!host.scene.bothClasses) return;
      const first = ranking[0], strong = Object.assign(document.createElement("strong"), { textContent: first.name });
      const known = Number.isFinite(first.lower ?? NaN), ends = [first.lower, first.upper].map((end) => words.costNumber(host.scene.unit, end, first.regret));
      const cost = words.costNumber(host.scene.unit, first.regret);
      byId("bar-answer").replaceChildren(" \u00b7 ", strong, ` ${cost}`, known ? ` (${host.about()}${ends.join(" to ")})` : "");
    }

    /* ------------------------------------------------------------------------------------------ findings */

    const much = byId("much"), statedLists = all("#answer .findings, #answer .more-findings");
    const [liveList, restList] = ["ol", "ol"].map((tag) => Object.assign(document.createElement(tag), { className: "findings following" }));
    const rest = Object.assign(document.createElement("details"), { className: "behind following", hidden: true }), summary = document.createElement("summary");
    rest.append(summary, restList);
    byId("findings").before(liveList, rest);
    const statedMuch = much?.textContent;

    /** Show what can be said now in place of what was found as stated; without it, that again. */
    function showFindings(found) {
      for (const list of statedLists) list.hidden = found !== null;
      byId("else").hidden = found !== null && found.length < 2;
      if (much) much.textContent = found === null ? statedMuch : found[0].text;
      const [first, more] = sentences.atOnce((found ?? []).slice(1));
      rest.hidden = !more.length;
      summary.textContent = sentences.more(more.length);
      liveList.replaceChildren(...first.map(itemOf));
      restList.replaceChildren(...more.map(itemOf));
    }

    function itemOf(finding) {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = `#${finding.evidence}`;
      link.textContent = page.evidence[finding.evidence];
      item.append(finding.text, " ", link);
      return item;
    }

    let announced = "", waiting = 0;
    function announce() {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        if (host.signal.aborted) return;
        const said = [byId("headline"), byId("much")].map((node) => node?.textContent ?? "").join(" ");
        if (announced && said !== announced) byId("announcement").textContent = said;
        announced = said;
      }, 500);
    }

    return { announce, recommended, restoreAnswer, showAnswer, showBar, showFindings };
  }

  return Object.freeze({ make });
})();
