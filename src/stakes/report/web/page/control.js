/* A number in a sentence that a hand can drag, step and type: a slider to whoever hears the page. */
"use strict";

const control = (() => {
  const FAR = 6, STEP = 8, FINE = 0.01, LEAP = 5;
  const signs = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: LEAP, PageDown: -LEAP };

  /** The round value so many steps from another. */
  function stepped(values, from, count) {
    const at = count > 0 ? values.findIndex((value) => value > from * (1 + 1e-9)) : values.findLastIndex((value) => value < from * (1 - 1e-9));
    if (at < 0) return count > 0 ? values.at(-1) : values[0];
    return values[Math.min(Math.max(at + count - Math.sign(count), 0), values.length - 1)];
  }

  /** Three digits are enough for a share that a hand has chosen. */
  const tidy = (share, digits = 3) => (share <= 0.5 ? Number(share.toPrecision(digits)) : 1 - Number((1 - share).toPrecision(digits)));

  /** Follow a hand that drags sideways: nothing is held until it has, since a swipe up or down is for the page. */
  function dragged(event, { hold, move, click = () => {} }) {
    if (event.button) return;
    const start = { x: event.clientX, y: event.clientY };
    let held = false;
    const moved = (next) => {
      const across = next.clientX - start.x, down = Math.abs(next.clientY - start.y);
      if (!held && down > Math.abs(across) && down > FAR) return ended();
      if (!held && Math.abs(across) > FAR) {
        held = true;
        hold(true);
      }
      if (!held) return undefined;
      next.preventDefault();
      return move(across, next.shiftKey);
    };
    const ended = (last) => {
      removeEventListener("pointermove", moved);
      for (const end of ["pointerup", "pointercancel"]) removeEventListener(end, ended);
      if (held) hold(false);
      else if (last?.type === "pointerup") click();
      held = false;
    };
    addEventListener("pointermove", moved, { passive: false });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, ended);
  }

  /** The word between the two ends of a range, which moves both of them together: `begin()` returns what is told by how much, in log-odds. */
  function between(text, { hold, begin }) {
    const made = Object.assign(document.createElement("span"), { className: "range-control", textContent: text });
    made.addEventListener("pointerdown", (event) => {
      const shift = begin();
      dragged(event, { hold, move: (across, isFine) => shift((isFine ? FINE / 10 : FINE) * across, isFine) });
    });
    return made;
  }

  /** Make the part of a sentence that shows one number.

      `spec` has `name` (as it is heard), `values` (round ones, ascending), `get()`, `set(value)`, `back()`, `write(value)` and `say(value)`
      (for eye and ear), `type(text)` (returns what is wrong with it, or nothing), `hold(on)` and `focus(on, node)`. */
  function number(spec) {
    const nodes = [];
    let widest = null;

    function move(value) {
      const { values } = spec;
      spec.set(Math.min(Math.max(value, Math.min(values[0], spec.get())), Math.max(values.at(-1), spec.get())));
    }

    function keyed(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in signs) move(stepped(spec.values, spec.get(), signs[event.key]));
      else if (event.key === "Home") move(spec.values[0]);
      else if (event.key === "End") move(spec.values.at(-1));
      else if (event.key === "Escape") spec.back();
      else if (event.key === "Enter") open(event.currentTarget, "");
      else if (/^\d$/.test(event.key)) open(event.currentTarget, event.key);
      else return;
      event.preventDefault();
    }

    function pressed(event) {
      const node = event.currentTarget, start = spec.get();
      dragged(event, {
        hold: spec.hold,
        move(across, isFine) {
          if (isFine) return move(spec.fine(start, FINE * across));
          const count = Math.trunc(across / STEP);
          return count ? move(stepped(spec.values, start, count)) : spec.set(start);
        },
        click() {
          node.focus({ preventScroll: true });
          open(node, "");
        },
      });
    }

    /** An input in place; what it cannot read stays, with the reason. */
    function open(node, text) {
      const input = Object.assign(document.createElement("input"), { className: "typed", value: text, inputMode: "decimal", autocomplete: "off" });
      input.setAttribute("aria-label", spec.name);
      if (!text) input.placeholder = node.textContent;
      let done = false;
      const close = () => {
        if (done) return;
        done = true;
        input.remove();
        node.hidden = false;
        spec.complain("");
      };
      const take = () => {
        if (!input.value.trim()) return close();
        const wrong = spec.type(input.value);
        if (wrong) {
          input.setAttribute("aria-invalid", "true");
          spec.complain(wrong);
          return undefined;
        }
        return close();
      };
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        if (event.key === "Enter") take();
        else close();
        if (done) node.focus({ preventScroll: true });
        event.preventDefault();
        event.stopPropagation();
      });
      input.addEventListener("blur", () => (input.getAttribute("aria-invalid") ? close() : take()));
      node.after(input);
      node.hidden = true;
      input.focus({ preventScroll: true });
    }

    /** A new place in the page for the same number. */
    function node() {
      const made = Object.assign(document.createElement("span"), { className: "number-control", tabIndex: 0 });
      made.setAttribute("role", "slider");
      made.setAttribute("aria-label", spec.name);
      made.addEventListener("keydown", keyed);
      made.addEventListener("pointerdown", pressed);
      made.addEventListener("focus", () => spec.focus(true, made));
      made.addEventListener("blur", () => spec.focus(false, made));
      nodes.push(made);
      return made;
    }

    function show() {
      const value = spec.get(), text = spec.write(value);
      widest ??= Math.max(text.length, ...spec.values.map((one) => spec.write(one).length));
      for (const made of nodes) {
        if (made.textContent !== text) made.textContent = text;
        made.style.setProperty("--widest", `${Math.min(widest, 6)}ch`);
        for (const [key, said] of [["valuemin", spec.values[0]], ["valuemax", spec.values.at(-1)], ["valuenow", value]]) made.setAttribute(`aria-${key}`, charts.plain(said === Infinity ? 1e9 : spec.now(said)));
        made.setAttribute("aria-valuetext", spec.say(value));
      }
    }

    return Object.freeze({ node, show, spec });
  }

  return Object.freeze({ between, number, stepped, tidy });
})();
