/** What axe finds wrong on a page. The page's context must bypass the policy: axe is put into it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { isFull, share } from "../support/run-counts.ts";

/** The widths at which every page is checked, in pixels: desktop, laptop, tablet, phone. */
export const WIDTHS = share([1440, 1024, 768, 390]);
/** A wide and a narrow one each. */
const PAIRS = [
  [1440, 390],
  [1024, 768],
];
const HEIGHT = 900;
/** A dialog fades in, and a menu that another width has is drawn. */
const SETTLED_MS = 250;

let states = 0;
let pages = 0;

interface Element {
  readonly html: string;
  readonly target: readonly string[];
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly (Element & {
    readonly any: readonly { readonly relatedNodes?: readonly Element[] }[];
  })[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What `auditOf` finds on a state of a page, such as a dialog: with FULL=1. An audit costs as much as loading the
 * page, so a share of the tests audits the pages themselves (`expectFit` with `widthsOfPage`) and no state.
 */
export async function seriousOn(page: Page): Promise<string[]> {
  return isFull ? await auditOf(page) : [];
}

/**
 * Serious and critical findings of WCAG 2.2 AA and of best practice, as sentences: each element with
 * its place on the screen, and the elements that it collides with. Looks at the page from its top:
 * scrolled, a button is half under the header, and axe takes that for a small target. Of a page below a
 * dialog or menu only that and the toasts over it can be reached, so only they are looked at.
 */
async function auditOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  // Half faded a toast is hardly to be read, for a fifth of a second.
  const leaving = '[data-sonner-toast][data-removed="true"]';
  await page.waitForFunction(
    (toast) =>
      document.querySelector(toast) === null &&
      document.getAnimations().every(({ effect }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null;
        return (target?.closest("[data-sonner-toast]") ?? null) === null;
      }),
    leaving,
  );
  return await page.evaluate(async () => {
    const { scrollX, scrollY } = globalThis;
    globalThis.scrollTo({ left: 0, top: 0, behavior: "instant" });
    const { axe } = globalThis as unknown as {
      axe: { run(where: unknown, options: object): Promise<{ violations: Violation[] }> };
    };
    const describe = ({ target, html }: Element): string => {
      const box = document.querySelector(target[0])?.getBoundingClientRect();
      const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
      const place = [x, y, width, height].map((each) => each.toFixed(1)).join(" ");
      return `${target.join(" ")} [x y width height: ${place}] ${html}`;
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    // What they cover carries the mark with which it is hidden from assistive technology.
    const isCovered = document.querySelector('main[data-aria-hidden="true"]') !== null;
    const over = "body > [role], body > [data-radix-popper-content-wrapper], [data-sonner-toaster]";
    const include = isCovered ? [...document.querySelectorAll(over)] : [document];
    // Only violations are described: the rest takes as long, and no one reads it. No style sheet is
    // asked of the server again, for the rules of this list that need one are switched off.
    const { violations } = await axe.run(
      { include },
      {
        runOnly: tags,
        resultTypes: ["violations"],
        preload: { assets: ["media"] },
      },
    );
    const wrong = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    // Places are described before the page is scrolled back.
    const findings = wrong.map(({ id, help, nodes }) => {
      const places = nodes.flatMap((node) => [
        describe(node),
        ...node.any.flatMap(({ relatedNodes = [] }) =>
          relatedNodes.map((related) => `  beside or over it: ${describe(related)}`),
        ),
      ]);
      return [`${id}: ${help}`, ...places].join("\n");
    });
    globalThis.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
    return findings;
  });
}

/** For a page itself: every width, or in a share of the tests one, in turn with the pages before. */
export function widthsOfPage(): readonly number[] {
  return isFull ? WIDTHS : [WIDTHS[pages++ % WIDTHS.length]];
}

/** For a state of a page: two, one of them a tablet's or phone's, or in a share of the tests one. */
function widthsOfState(): readonly number[] {
  return isFull ? PAIRS[states++ % PAIRS.length] : [WIDTHS[states++ % WIDTHS.length]];
}

/**
 * Expects nothing serious on a state of a page, and nothing wider than the window, at each width; with `texts`
 * also that none is cut off. The page was loaded once, which costs as much as two looks at it, and is left at
 * the first width.
 */
export async function expectFit(
  page: Page,
  what = page.url(),
  { texts = false, widths }: { readonly texts?: boolean; readonly widths?: readonly number[] } = {},
): Promise<void> {
  const audit = widths === undefined ? seriousOn : auditOf;
  for (const width of (widths ?? widthsOfState()).toReversed()) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.waitForTimeout(SETTLED_MS);
    const where = `${what} at ${width} px`;
    expect(await audit(page), where).toEqual([]);
    expect(await overflowOf(page), where).toBeLessThanOrEqual(0);
    if (texts) expect(await cutOffTexts(page), where).toEqual([]);
  }
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
}

/** Pixels by which the page is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  return await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Links of the top bar whose text does not fit on one line. */
export async function brokenLinks(page: Page): Promise<string[]> {
  return await page.locator("header nav a").evaluateAll((links) =>
    links
      .filter((link) => {
        const lines = document.createRange();
        lines.selectNodeContents(link);
        return new Set([...lines.getClientRects()].map(({ top }) => top)).size > 1;
      })
      .map((link) => link.textContent ?? ""),
  );
}

/** Texts of the page's main part that are cut off, with an ellipsis or without. */
export async function cutOffTexts(page: Page): Promise<string[]> {
  return await page.locator("main *").evaluateAll((elements) =>
    elements
      .filter((element) => {
        const isVisible = element.clientWidth > 1 && element.clientHeight > 1;
        const isText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE);
        const hides = getComputedStyle(element).overflowX === "hidden";
        return isVisible && isText && hides && element.scrollWidth > element.clientWidth;
      })
      .map((element) => element.textContent ?? ""),
  );
}
