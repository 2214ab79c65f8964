"""Looking at a page as people do who see little, hear it, or have only a keyboard."""

from typing import Any

from playwright.sync_api import Page

# Roles that a screen reader stops at: each must say what it is.
CONTROLS = {"slider", "checkbox", "radio", "combobox", "button", "link", "textbox", "spinbutton"}
NAMED = CONTROLS | {"image", "radiogroup", "form", "table"}


def heard(page: Page) -> list[tuple[str, str]]:
    """Return the role and the name of everything that a screen reader finds."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    return [(_value(node, "role"), _value(node, "name")) for node in nodes if not node["ignored"]]


def _value(node: dict[str, Any], part: str) -> str:
    return str(node.get(part, {}).get("value", ""))


# The contrast of each visible text with what is behind it (WCAG 2.2, 1.4.3); large text may have less. What cannot be
# operated, and text that only screen readers find, is left out. A fill with a halo in the colour of the page is judged
# against that.
_CONTRAST = """
() => {
  const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const colour = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((value, k) => a * value + (1 - a) * below[k]);
  const behind = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) {
      const found = colour(getComputedStyle(one).backgroundColor);
      layers.push(found);
      if ((found[3] ?? 1) === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const opacity = (node) => (node ? Number(getComputedStyle(node).opacity) * opacity(node.parentElement) : 1);
  const UNSEEN = ":disabled, title, script, .visually-hidden, .skip, option, fieldset.off";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), node = walker.currentNode.parentElement;
    if (!text || !node.checkVisibility() || node.closest(UNSEEN)) continue;
    const label = node.closest("label")?.control;
    if (label?.disabled) continue;
    const style = getComputedStyle(node), inside = node.closest("svg");
    const below = behind(inside ? inside.parentElement : node);
    const ink = colour(inside ? style.fill : style.color);
    const shown = over([...ink.slice(0, 3), (ink[3] ?? 1) * opacity(node)], below);
    const [high, low] = [light(shown), light(below)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) found.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(found)];
}
"""


def too_pale(page: Page) -> list[str]:
    """Return the texts whose contrast is too small."""
    found: list[str] = page.evaluate(_CONTRAST)
    return found


# What Tab stops at: what it is called, and how its outline is drawn; nothing where it has been before, or has left.
_FOCUSED = """
() => {
  const node = document.activeElement;
  if (node === document.body || node.dataset.visited) return null;
  node.dataset.visited = "yes";
  const { outlineStyle, outlineWidth } = getComputedStyle(node);
  const name = node.id || node.getAttribute("aria-label") || node.textContent.trim().slice(0, 40);
  return [name, `${outlineStyle} ${parseFloat(outlineWidth)}`];
}
"""


def tabbed(page: Page) -> list[tuple[str, str]]:
    """Press Tab from the first link until the page begins again, and return where it stopped."""
    page.locator("a").first.focus()
    found: list[tuple[str, str]] = []
    while True:
        page.keyboard.press("Tab")
        stop = page.evaluate(_FOCUSED)
        if stop is None:
            return found
        found.append((stop[0], stop[1]))


# Whatever a pointer can use, and Tab has not stopped at; a number has the same control in the bar.
_MISSED = """
() => {
  const named = (node) => node.id || node.getAttribute("aria-label") || node.textContent.trim().slice(0, 40);
  const visited = new Set([...document.querySelectorAll("[role=slider][data-visited]")].map(named));
  return [...document.querySelectorAll("a[href], button, select, input, textarea, summary, [role=slider], [tabindex]")]
    .filter((node) => !node.disabled && node.checkVisibility() && !node.dataset.visited)
    .filter((node) => node !== document.body && !(node.matches("#bar *") && visited.has(named(node))))
    .map((node) => `${node.tagName} ${named(node)}`);
}
"""


def missed_by_tab(page: Page) -> list[str]:
    """Press Tab from the beginning to the end, and return the controls where it never stopped."""
    page.evaluate("() => (document.body.tabIndex = -1) && document.body.focus()")
    while True:
        page.keyboard.press("Tab")
        if page.evaluate(_FOCUSED) is None:
            found: list[str] = page.evaluate(_MISSED)
            return found
