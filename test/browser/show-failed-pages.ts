/** After a failed test, prints what its pages showed: a failure on a busy machine is rarely seen twice. */
import type { Page } from "playwright-core";
import { afterEach } from "vitest";
import { openContexts } from "../support/chromium.ts";

const TEXT_LENGTH_MAX = 1_500;

async function textOf(page: Page): Promise<string> {
  try {
    const dialogs = page.getByRole("dialog");
    const shown = (await dialogs.count()) > 0 ? dialogs.last() : page.locator("body");
    return (await shown.innerText({ timeout: 5_000 })).replaceAll(/\s+/g, " ");
  } catch (error) {
    return String(error);
  }
}

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const pages = openContexts().flatMap((context) => context.pages());
  for (const page of pages) {
    const text = (await textOf(page)).slice(0, TEXT_LENGTH_MAX);
    process.stdout.write(`\n${task.name}: ${page.url()} showed: ${text}\n`);
  }
});
