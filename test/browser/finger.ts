/** What a finger can do on a page: the controls that are there, found by script so that none is forgotten. */
import type { Page } from "playwright-core";

/** What can be pressed or typed into. */
const CONTROLS =
  "a[href]:not([href='#main']), button, input, select, textarea, summary, [role=slider], [role=option], [role=menuitem]";
/** What lies over the page; the last one takes the presses. */
const LAYERS = ":popover-open, [role=dialog], [role=menu]";

/**
 * Controls of the topmost layer that cannot be pressed with a finger, as sentences: without a name, covered or cut
 * off although scrolled to, or with less than 24 by 24 pixels that press it (WCAG 2.5.8).
 */
export async function faultsForFingers(page: Page): Promise<string[]> {
  return await page.evaluate(
    ([controls, layers]) => {
      const isThere = (element: Element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        element.closest("[inert], .sr-only") === null;
      const layer = [...document.querySelectorAll(layers)].findLast(isThere);
      const nameOf = (element: Element) => {
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        const [label] = labels.map(({ textContent }) => textContent);
        return (element.ariaLabel ?? label ?? element.textContent ?? "").trim();
      };
      const faultOf = (element: HTMLElement): string | null => {
        const isBox =
          element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
        const target = isBox ? (element.labels?.[0] ?? element) : element;
        target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, right, top, bottom } = target.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const pressed = document.elementFromPoint(x, y);
        if (pressed === null) return "is cut off";
        if (!target.contains(pressed)) return `is covered by ${pressed.outerHTML.slice(0, 80)}`;
        const edges = [
          [-11, 0],
          [11, 0],
          [0, -11],
          [0, 11],
        ] as const;
        const isSmall = !edges.every(([dx, dy]) => {
          const beside = document.elementFromPoint(x + dx, y + dy);
          return beside !== null && target.contains(beside);
        });
        return isSmall ? `is small: ${right - left} x ${bottom - top}` : null;
      };
      return [...(layer ?? document.body).querySelectorAll<HTMLElement>(controls)]
        .filter((element) => isThere(element) && element.closest("[data-sonner-toaster]") === null)
        .flatMap((element) => {
          const name = nameOf(element);
          const fault = name === "" ? "has no name" : faultOf(element);
          return fault === null ? [] : [`${element.tagName} "${name.slice(0, 60)}" ${fault}`];
        });
    },
    [CONTROLS, LAYERS] as const,
  );
}
