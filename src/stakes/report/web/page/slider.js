/* A slider with one or two thumbs on an axis of log-odds, for pointer and keyboard; what was stated stays marked. */
"use strict";

const sliders = (() => {
  const STEP = 0.05, LEAP = 0.5, NEAR = 3;

  function part(root, css) {
    const made = document.createElement("div");
    made.className = css;
    root.append(made);
    return made;
  }

  /** Three digits are enough for a share that a hand has chosen. */
  const tidy = (share, digits = 3) => (share <= 0.5 ? Number(share.toPrecision(digits)) : 1 - Number((1 - share).toPrecision(digits)));

  /** Make a slider; `names` are what its thumbs are called, `onInput` gets the values whenever they move. */
  function make(root, { low, high, stated, names, odds, onInput }) {
    const axis = { low, high, scale: "log_odds" };
    const track = part(root, "track"), fill = part(root, "fill"), marks = part(root, "marks"), ticks = part(root, "ticks");
    const thumbs = names.map((name) => {
      const thumb = part(root, "thumb");
      thumb.tabIndex = 0;
      thumb.setAttribute("role", "slider");
      thumb.setAttribute("aria-label", name);
      return thumb;
    });
    let values = [low, high], wide = root.clientWidth || 1;
    new ResizeObserver(() => {
      wide = root.clientWidth || 1;
      drawScale();
      show(values);
    }).observe(root);

    const width = () => wide;
    const pixel = (value) => Math.min(Math.max(charts.place(axis, value, 0, width()), 0), width());

    /** The value at a pixel: as stated where it is that near, else tidy. */
    function valueAt(at) {
      const held = Math.min(Math.max(at, 0), width());
      const near = stated.find((value) => Math.abs(pixel(value) - held) <= NEAR);
      return near ?? tidy(charts.valueAt(axis, held, 0, width()));
    }

    function move(which, value) {
      const held = Math.min(Math.max(value, Math.min(low, ...stated)), Math.max(high, ...stated));
      values = values.map((old, k) => (k === which ? held : old));
      if (values.length === 2) values[which] = which ? Math.max(held, besides(values[0], STEP)) : Math.min(held, besides(values[1], -STEP));
      onInput(values);
    }

    /** A step away from the other thumb: nearer they cannot come, or a range would no longer be one. */
    const besides = (other, log) => tidy(stakes.expit(stakes.logit(Math.min(Math.max(other, low), high)) + log));

    function stepped(thumb, log) {
      const moved = Math.min(Math.max(stakes.logit(Math.min(Math.max(values[thumb], low), high)) + log, stakes.logit(low)), stakes.logit(high));
      move(thumb, tidy(stakes.expit(moved)));
    }

    thumbs.forEach((thumb, which) => {
      thumb.addEventListener("keydown", (event) => {
        const steps = { ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP, PageUp: LEAP, PageDown: -LEAP };
        if (event.key in steps) stepped(which, steps[event.key]);
        else if (event.key === "Home") move(which, low);
        else if (event.key === "End") move(which, high);
        else return;
        event.preventDefault();
      });
    });

    let held = null;
    root.addEventListener("pointerdown", (event) => {
      const at = event.clientX - root.getBoundingClientRect().left;
      const far = values.map((value) => Math.abs(pixel(value) - at));
      held = values.length === 2 && (far[1] < far[0] || (far[1] === far[0] && at > pixel(values[1]))) ? 1 : 0;
      root.setPointerCapture(event.pointerId);
      thumbs[held].focus({ preventScroll: true });
      if (Math.min(...far) > 10) move(held, valueAt(at));
      event.preventDefault();
    });
    root.addEventListener("pointermove", (event) => {
      if (held !== null) move(held, valueAt(event.clientX - root.getBoundingClientRect().left));
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) root.addEventListener(end, () => (held = null));

    function drawScale() {
      const named = charts.ticks(axis, width(), odds ? 58 : 44).map((value) => {
        const tick = document.createElement("span");
        tick.textContent = odds ? words.oddsOf(value) : `${charts.plain(100 * value)}%`;
        tick.style.left = `${pixel(value)}px`;
        return tick;
      });
      ticks.replaceChildren(...named);
      marks.replaceChildren();
      for (const value of new Set(stated)) {
        const mark = part(marks, "mark");
        mark.title = "as stated";
        mark.style.left = `${pixel(value)}px`;
      }
    }

    /** Show values: two for a range, one for a single value. */
    function show(shown) {
      values = shown;
      thumbs.forEach((thumb, k) => {
        thumb.hidden = k >= values.length;
        if (thumb.hidden) return;
        thumb.style.left = `${pixel(values[k])}px`;
        thumb.setAttribute("aria-label", values.length === 1 ? names[2] ?? names[0] : names[k]);
        thumb.setAttribute("aria-valuemin", charts.plain(100 * (k ? values[0] : low)));
        thumb.setAttribute("aria-valuemax", charts.plain(100 * (k || values.length === 1 ? high : values[1])));
        thumb.setAttribute("aria-valuenow", charts.plain(100 * values[k]));
        thumb.setAttribute("aria-valuetext", `${charts.plain(100 * values[k])}%` + (odds ? `, odds ${words.oddsOf(values[k])}` : ""));
      });
      const [first, last] = [values[0], values.at(-1)].map(pixel);
      fill.style.left = `${first}px`;
      fill.style.width = `${last - first}px`;
    }

    track.setAttribute("aria-hidden", "true");
    /** Look like something that has not been touched yet; a touch is still heard. */
    const rest = (resting) => root.classList.toggle("resting", resting);

    /** Take no more input. */
    function disable() {
      root.classList.add("disabled");
      for (const thumb of thumbs) {
        thumb.tabIndex = -1;
        thumb.setAttribute("aria-disabled", "true");
      }
    }

    return Object.freeze({ show, rest, disable });
  }

  return Object.freeze({ make, tidy });
})();
