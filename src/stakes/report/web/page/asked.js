/* What is asked, in a sentence whose numbers are the controls; and the line below it, which says whether that is what was stated. */
"use strict";

const asked = (() => {
  const byId = (id) => document.getElementById(id);
  const share = (value) => words.local(charts.plain(100 * value)) + words.PERCENT;
  const within = (values, low, high) => values.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const PLURAL = (number) => (words.exchangeNumber(number) === "1" ? " false alarm" : " false alarms");

  /** Make the sentence. `page`, `stated`, `sample`; `now()` is the decision, `decide(change)` changes it, `known` and `knownPrevalence`
      turn beliefs into those that the page can compute with, `hold(on)` is told of a hand that drags. */
  function make({ page, stated, sample, now, decide, known, knownPrevalence, hold, frozen }) {
    const sentence = byId("sentence"), bar = byId("bar"), track = byId("track");
    const both = stakes.hasBothClasses(sample);
    const exchanges = within(state.EXCHANGES, (1 - page.domain.cost[1]) / page.domain.cost[1], (1 - page.domain.cost[0]) / page.domain.cost[0]);
    const common = within(state.SHARES, ...page.domain.prevalence);

    /** Two ends of a range in order, a step apart at least. */
    function ordered(which, value, belief, values) {
      const other = which === "low" ? belief.high : belief.low, clear = control.stepped(values, other, which === "low" ? -1 : 1);
      return which === "low" ? Math.min(value, Math.max(clear, values[0])) : Math.max(value, clear);
    }

    function shared(spec) {
      return control.number({
        fine: (value, log) => control.tidy(stakes.expit(stakes.logit(value) + log)),
        now: (value) => 100 * value,
        write: share,
        hold, complain,
        focus: (on, node) => showTrack(on ? spec : null, node),
        ...spec,
      });
    }

    /** An end of the costs: the most false alarms that a miss is worth is the lowest cost of one. */
    function costEnd(which, name) {
      const end = () => known(now().cost)[which];
      const settled = (value) => [stated.cost.low, stated.cost.high].find((cost) => Math.abs(state.exchangeOf(cost) - value) <= 1e-9 * value) ?? state.costOf(value);
      return shared({
        name, values: exchanges, ends: () => stated.cost,
        get: () => state.exchangeOf(end()),
        set(value) {
          const cost = known(now().cost);
          if (cost.kind === "at") return decide({ cost: stakes.at(settled(value)) });
          const other = which === "low" ? "high" : "low";
          const kept = ordered(which === "low" ? "high" : "low", value, { low: state.exchangeOf(cost.high), high: state.exchangeOf(cost.low) }, state.EXCHANGES);
          return decide({ cost: { ...cost, [which]: settled(kept), [other]: cost[other] } });
        },
        back: () => decide({ cost: structuredClone(stated.cost) }),
        fine: (value, log) => Number((value * Math.exp(log)).toPrecision(3)),
        now: (value) => value,
        write: words.exchangeNumber,
        say: (value) => `a miss is as bad as ${words.mistakes(words.exchangeNumber(value), "false alarms")}`,
        type(text) {
          const values = state.typed(text, state.typedCost);
          if (!values) return `\u201c${text.trim()}\u201d is not a cost: write how many false alarms a miss is worth, such as 19, 1:19 or 5%, or a range, such as 4..19.`;
          const cost = known(now().cost), inside = values.map((value) => Math.min(Math.max(value, page.domain.cost[0]), page.domain.cost[1]));
          if (inside.some((value, k) => value !== values[k])) return `This page goes from ${words.exchangeNumber(exchanges[0])} to ${words.exchangeNumber(exchanges.at(-1))} false alarms for a miss.`;
          if (inside.length === 2) decide({ cost: { kind: cost.kind === "at" ? "uniform" : cost.kind, low: inside[0], high: inside[1] } });
          else if (cost.kind === "at") decide({ cost: stakes.at(inside[0]) });
          else {
            const ends = { ...cost, [which]: inside[0] };
            if (ends.low >= ends.high) return "The two ends of the range must differ, the smaller first.";
            decide({ cost: ends });
          }
          return "";
        },
      });
    }

    function prevalenceEnd(which, name) {
      const belief = () => knownPrevalence(now().prevalence) ?? stakes.at(sample.prevalence);
      const write = (value) => (now().prevalence === null && value === sample.prevalence ? words.percent(value) : share(value));
      return shared({
        name, values: common, ends: () => stated.prevalence ?? stakes.at(sample.prevalence),
        get: () => belief()[which],
        set(value) {
          const here = belief();
          if (here.kind === "at") return decide({ prevalence: value === sample.prevalence && !stated.prevalence ? null : stakes.at(value) });
          return decide({ prevalence: { ...here, [which]: ordered(which, value, here, state.SHARES) } });
        },
        back: () => decide({ prevalence: structuredClone(stated.prevalence) }),
        write,
        say: (value) => `${write(value)} of cases ${page.positive_said}`,
        type: (text) => typedShare(text, page.domain.prevalence, (values) => {
          const here = belief();
          if (values.length === 2 && limited(now())) return "Limits need one prevalence: a policy belongs to one.";
          const ends = values.length === 2 ? stakes.logOddsUniform(...values) : here.kind === "at" ? stakes.at(values[0]) : { ...here, [which]: values[0] };
          if (values.length === 1 && here.kind !== "at" && ends.low >= ends.high) return "The two ends of the range must differ, the smaller first.";
          decide({ prevalence: ends });
          return "";
        }),
      });
    }

    const limited = ({ capacity, min_precision: precision }) => capacity !== null || precision !== null;

    function typedShare(text, [low, high], take) {
      const values = state.typed(text, state.typedShare);
      if (!values) return `\u201c${text.trim()}\u201d is not a share: write a percentage, such as 14 or 14%.`;
      if (values.some((value) => value < low || value > high)) return `This page goes from ${share(control.tidy(low))} to ${share(control.tidy(high))}.`;
      return take(values);
    }

    const limit = (key, name, values, say) => shared({
      name, values, ends: () => ({ low: stated[key], high: stated[key] }),
      get: () => now()[key],
      set: (value) => decide({ [key]: value }),
      back: () => decide({ [key]: stated[key] }),
      say: (value) => say(share(value)),
      type: (text) => typedShare(text, [1e-6, 1 - 1e-6], ([value]) => {
        decide({ [key]: value });
        return "";
      }),
    });

    const slots = {
      least: costEnd("high", "fewest false alarms that a miss is worth"),
      most: costEnd("low", "most false alarms that a miss is worth"),
      one: costEnd("low", "false alarms that a miss is worth"),
      prevalence: prevalenceEnd("low", say("prevalence")),
      rarest: prevalenceEnd("low", "lowest prevalence"),
      commonest: prevalenceEnd("high", "highest prevalence"),
      capacity: limit("capacity", "largest share of cases acted on", within(state.SHARES, 0.001, 0.99), (text) => `at most ${text} of cases can be acted on`),
      precision: limit("min_precision", "smallest share of alarms that are right", within(state.SHARES, 0.01, 0.99), (text) => `at least ${text} of alarms must be right`),
    };

    const nearest = (values, value) => values.reduce((best, one) => (Math.abs(Math.log(one / value)) < Math.abs(Math.log(best / value)) ? one : best));

    /** What moves a range as a whole, as far as both ends stay in reach: to round values, or finely. */
    const wholeRange = (name, believed, reach, sign, round) => control.between(" to ", {
      hold,
      begin() {
        const start = believed(), [low, high] = [start.low, start.high].map(stakes.logit), [least, most] = reach.map(stakes.logit);
        return (by, isFine) => {
          const far = Math.min(Math.max(sign * by, least - low), most - high), [from, to] = [low, high].map((end) => (isFine ? control.tidy : round)(stakes.expit(end + far)));
          if (from < to) decide({ [name]: { ...start, low: from, high: to } });
        };
      },
    });

    const ranges = {
      "all costs": wholeRange("cost", () => known(now().cost), page.domain.cost, -1, (cost) => state.costOf(nearest(exchanges, state.exchangeOf(cost)))),
      "all prevalences": wholeRange("prevalence", () => knownPrevalence(now().prevalence), page.domain.prevalence, 1, (value) => nearest(common, value)),
    };

    /* -------------------------------------------------------------------------------------- sentence and bar */

    /** The parts of the sentence: texts, and names of its numbers. */
    function clauses() {
      const { cost, prevalence, capacity, min_precision: precision } = now();
      const said = { at: ["a miss is as bad as ", "one", "false alarms"], other: [cost.text] }[cost.kind] ?? ["a miss is as bad as ", "least", "all costs", "most", "false alarms"];
      const law = cost.kind === "log_odds_uniform" ? [" (uniform in log-odds)"] : [];
      const here = prevalence?.kind === "other" ? [prevalence.text] : prevalence && prevalence.kind !== "at" ? ["rarest", "all prevalences", "commonest"] : both ? ["prevalence"] : [words.percent(sample.prevalence)];
      return [
        "If ", ...said, ...law, ", and ", ...here, ` of cases ${page.positive_said}`,
        ...(capacity === null ? [] : [", and at most ", "capacity", " of cases can be acted on"]),
        ...(precision === null ? [] : [", and at least ", "precision", " of alarms must be right"]),
        ",",
      ];
    }

    let shape = "", others = [];
    function build(parts) {
      const focused = document.activeElement, nodes = parts.map((part) => {
        if (part === "false alarms") return Object.assign(document.createElement("span"), { className: "counted" });
        if (Object.hasOwn(ranges, part)) return ranges[part];
        return Object.hasOwn(slots, part) ? nodeOf(part, sentence) : part;
      });
      sentence.replaceChildren(...nodes);
      others = [...sentence.querySelectorAll(".counted")];
      buildBar();
      if (sentence.contains(focused) || bar.contains(focused)) focused.focus({ preventScroll: true });
    }

    const made = new Map();
    function nodeOf(slot, place) {
      const key = `${slot} ${place.id}`;
      if (!made.has(key)) made.set(key, slots[slot].node());
      return made.get(key);
    }

    /** The same in one line, for when the sentence has left the screen. */
    function buildBar() {
      const { cost, prevalence, capacity, min_precision: precision } = now(), put = (slot) => nodeOf(slot, bar);
      const costs = { at: () => [put("one"), " : 1"], other: () => [] }[cost.kind]?.() ?? [put("least"), "\u2013", put("most"), " : 1"];
      const here = prevalence?.kind === "other" || !both ? [] : prevalence && prevalence.kind !== "at" ? [put("rarest"), "\u2013", put("commonest")] : [put("prevalence")];
      const limits = [...(capacity === null ? [] : ["\u2264\u2009", put("capacity")]), ...(precision === null ? [] : [" \u2265\u2009", put("precision")])];
      const groups = [costs, here, limits].filter((group) => group.length);
      byId("bar-state").replaceChildren(...groups.flatMap((group, k) => [...(k ? [" \u00b7 "] : []), ...group]));
    }

    function show() {
      if (frozen) return; // the sentence stays as Python wrote it
      const parts = clauses(), next = parts.join("|");
      if (next !== shape) build(parts);
      shape = next;
      for (const slot of Object.values(slots)) if (isShown(slot)) slot.show();
      const { cost } = now(), most = cost.kind === "other" ? 0 : state.exchangeOf(cost.low);
      for (const node of others) node.textContent = PLURAL(most);
      showOptions();
      if (offered && !offered()) complain(""), (offered = null);
      if (tracked) drawTrack();
    }

    const isShown = (slot) => shape.split("|").some((part) => slots[part] === slot);

    /* ------------------------------------------------------------------------------------ the line below it */

    const asStated = (isMoved) => {
      const unmoved = page.is_example ? "An example to start from: no costs are stated yet." : "As stated.";
      byId("state-said").textContent = isMoved ? `Stated: ${page.stated_said}.` : unmoved;
      byId("reset").hidden = !isMoved;
      byId("hint").hidden = isMoved;
    };

    function complain(text) {
      byId("complaint").textContent = text;
    }

    let offered = null;

    /** Say why something cannot be, and offer what can; `holds()` is whether that is still so. */
    function offer(text, label, act, holds) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      button.addEventListener("click", act);
      byId("complaint").replaceChildren(text, " ", button);
      offered = holds;
      showOptions();
    }

    function showOptions() {
      const { cost, prevalence, capacity, min_precision: precision } = now(), isLimited = limited(now());
      byId("cost-kind").value = cost.kind;
      byId("prevalence-kind").value = prevalence === null ? "observed" : prevalence.kind === "uniform" ? "log_odds_uniform" : prevalence.kind;
      for (const option of byId("prevalence-kind").options) {
        const why = option.value === "observed" ? "" : whyNot(option.value, isLimited);
        option.disabled = Boolean(why);
        option.title = why;
      }
      byId("prevalence-kind").title = isLimited ? whyNot("log_odds_uniform", true) : "";
      for (const [id, value] of [["capacity-on", capacity], ["precision-on", precision]]) byId(id).checked = value !== null;
    }

    /** Why a kind of prevalence cannot be chosen; nothing where it can be. */
    function whyNot(kind, isLimited) {
      if (!both) return "Every case has the same outcome, so another prevalence cannot be assessed.";
      return isLimited && kind !== "at" ? "Limits need one prevalence: a policy belongs to one." : "";
    }

    /* ------------------------------------------------------------------------- a track while a number is held */

    let tracked = null;
    function showTrack(spec, node) {
      tracked = spec && { spec, node };
      track.hidden = !spec;
      if (spec) drawTrack();
    }

    function drawTrack() {
      const { spec, node } = tracked, { values } = spec, logs = [values[0], values.at(-1)].map(Math.log);
      const box = node.getBoundingClientRect(), whole = Math.min(260, innerWidth - 24);
      const at = (value) => `${100 * Math.min(Math.max((Math.log(value) - logs[0]) / (logs[1] - logs[0]), 0), 1)}%`;
      track.style.width = `${whole}px`;
      track.style.left = `${Math.min(Math.max(box.left + box.width / 2 - whole / 2, 12), innerWidth - whole - 12) + scrollX}px`;
      track.style.top = `${box.bottom + 4 + scrollY}px`;
      const exchange = values === exchanges, { low, high } = spec.ends() ?? {};
      const ghosts = [low, high].filter((end) => end > 0 && end < 1).map((end) => (exchange ? state.exchangeOf(end) : end));
      track.replaceChildren(...[...ghosts.map((value) => ["ghost", value]), ["thumb", spec.get()]].map(([css, value]) => {
        const mark = Object.assign(document.createElement("i"), { className: css });
        mark.style.left = at(value);
        return mark;
      }));
    }

    new IntersectionObserver(([entry]) => {
      bar.classList.toggle("shown", !entry.isIntersecting && entry.boundingClientRect.bottom < 0);
    }).observe(sentence);

    /** Move one of the numbers by steps, as its own arrows do. */
    function step(slot, count) {
      const { spec } = slots[slot];
      spec.set(control.stepped(spec.values, spec.get(), count));
    }

    return Object.freeze({ show, asStated, complain, offer, step });
  }

  return Object.freeze({ make, share });
})();
