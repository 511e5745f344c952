import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadPagesWithRetries } from "./retrying-pages.ts";

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.useFakeTimers();
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function pages(kind: "live" | "connecting" = "connecting") {
  const load = vi.fn(async () => undefined);
  const component: { preload: (() => Promise<void>) | undefined } = { preload: load };
  const router = {
    routesById: { "/trade": { options: { component } }, "/": { options: {} } },
    state: { status: "pending" as const },
  };
  const state = kind === "live" ? ({ kind } as const) : ({ kind, sinceMs: 0 } as const);
  loadPagesWithRetries(router, { watch: { read: () => state } });
  return { load, open: () => component.preload?.() };
}

test("a page is not loaded while the server is away, and is as soon as it is back", async () => {
  fetched.mockRejectedValue(new TypeError("Failed to fetch"));
  const { load, open } = pages();
  const opened = open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).not.toHaveBeenCalled();
  fetched.mockResolvedValue(new Response());
  await vi.advanceTimersByTimeAsync(4_000);
  await opened;
  expect(load).toHaveBeenCalledOnce();
});

test("a live connection needs no question", async () => {
  const { load, open } = pages("live");
  await open();
  expect(load).toHaveBeenCalledOnce();
  expect(fetched).not.toHaveBeenCalled();
});

test("several pages wait with one question", async () => {
  fetched.mockResolvedValue(new Response());
  const { open } = pages();
  await Promise.all([open(), open(), open()]);
  expect(fetched).toHaveBeenCalledOnce();
});
