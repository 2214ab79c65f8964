/* How many more cases pay best at prices that the reader types, and their price in the chart of what they are worth. */
"use strict";

const study = (() => {
  const POINTS = 400;

  function wire() {
    const box = nodes.byId("study");
    if (!box) return;
    const [more, gain] = [box.dataset.more, box.dataset.gain].map((text) => text.split(",").map(Number));
    const perfect = Number(box.dataset.perfect), last = more.at(-1), said = nodes.byId("study-said"), inputs = nodes.all("input", box);
    const even = [...Array(POINTS + 1).keys()].map((k) => more[0] * (last / more[0]) ** (k / POINTS));
    const counts = [...new Set(even.map(Math.round))];

    /** What a number of cases is worth for each decision: between two that are known, even in its logarithm. */
    function worth(count) {
      const after = Math.max(more.findIndex((one) => one >= count), 1);
      const share = Math.log(count / more[after - 1]) / Math.log(more[after] / more[after - 1]);
      return gain[after - 1] + share * (gain[after] - gain[after - 1]);
    }

    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("class", "line r0");

    /** Draw what the cases cost for each decision, as far as the chart reaches. */
    function draw(perDecision) {
      const svg = box.closest(".card").querySelector("svg"), zero = svg.querySelector(".zero").getBBox(), top = svg.querySelector(".line.r1").getBBox().y;
      const points = even.filter((count) => perDecision * count <= perfect).map((count) => {
        const x = zero.x + (zero.width * Math.log(count / more[0])) / Math.log(last / more[0]);
        return `${x.toFixed(1)} ${(zero.y + ((top - zero.y) * perDecision * count) / perfect).toFixed(1)}`;
      });
      line.setAttribute("d", points.length > 1 ? `M${points.join("L")}` : "");
      svg.append(line);
    }

    function show() {
      const [decisions, price, value] = inputs.map((input) => Number(input.value));
      line.remove();
      said.textContent = "";
      if (![decisions, price, value].every((one) => one > 0 && Number.isFinite(one))) return;
      draw(price / (decisions * value));
      const net = (count) => decisions * value * worth(count) - price * count;
      const best = counts.reduce((one, other) => (net(other) > net(one) ? other : one));
      const number = words.fixed(Number(best.toPrecision(2)), 0), gained = words.fixed(net(best), 0);
      if (net(best) <= 0) said.textContent = "At that price no number of cases pays.";
      else if (best === last) said.textContent = `At least ${number} more cases pay; these gain ${gained} in all.`;
      else said.textContent = `About ${number} more cases pay best, and gain ${gained} in all.`;
      said.append(" ", "The dashed line is their price.");
    }

    box.hidden = false;
    box.addEventListener("input", show);
  }

  return Object.freeze({ wire });
})();
