/* What recalibration would save, model by model. */
"use strict";

const parts = (() => {
  const { byId, headed } = nodes;

  function make(host) {
    const partsTable = byId("parts"), partsRows = partsTable ? [...partsTable.tBodies[0].rows].map((row) => row.cloneNode(true)) : [];
    const partsLead = byId("parts-lead").textContent;

    /** What recalibration would save: of a line as stated the exact numbers, else from the tables in the page. */
    const partsOf = (line) => (line.miscalibration === undefined ? stakes.parts(host.wayOf(line).table, host.decision) : { ...line, total: line.regret });

    function showParts(ranking) {
      byId("parts-block").hidden = host.scene.limited;
      if (host.scene.limited) {
        byId("parts-lead").textContent = "Under limits, each threshold is chosen regardless of calibration, so recalibration would save nothing.";
        return;
      }
      const lines = ranking.filter((line) => !line.reference).map((line) => ({ way: host.wayOf(line), ...partsOf(line) }));
      const top = 1.04 * Math.max(...lines.map(({ total, uncertainty }) => Math.max(total, uncertainty))) || 1;
      partsTable.tBodies[0].replaceChildren(...lines.map(({ way, total, miscalibration, uncertainty, discrimination }) => headed(
        way, figures.partsCell(total - miscalibration, miscalibration, uncertainty, top, way.css),
        ...[total - miscalibration, miscalibration, discrimination].map((regret) => words.costNumber(host.scene.unit, regret)),
      )));
      byId("parts-constant").textContent = words.costNumber(host.scene.unit, lines[0].uncertainty);
      const saved = lines[0].miscalibration, name = lines[0].way.name;
      byId("parts-lead").textContent = words.inUnit(host.scene.unit, saved) === 0
        ? `Recalibration alone would not lower the expected cost of ${name}.`
        : `Recalibration alone would lower the expected cost of ${name} by up to ${words.costText(host.scene.unit, saved)}.`;
    }

    function restoreParts() {
      byId("parts-lead").textContent = partsLead;
      byId("parts-block").hidden = !partsRows.length;
      if (!partsRows.length) return;
      partsTable.tBodies[0].replaceChildren(...partsRows.map((row) => row.cloneNode(true)));
      byId("parts-constant").textContent = statedConstant;
    }

    const statedConstant = byId("parts-constant").textContent;

    return { showParts, restoreParts };
  }

  return Object.freeze({ make });
})();
