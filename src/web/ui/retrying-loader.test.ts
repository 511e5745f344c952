import { afterEach, expect, test, vi } from "vitest";
import { retryingLoader } from "./retrying-loader.ts";

afterEach(() => vi.unstubAllGlobals());

function answering(ok: boolean) {
  const fetch = vi.fn(() => Promise.resolve({ ok }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

test("nothing is imported while the server does not answer", async () => {
  answering(false);
  const load = vi.fn(() => Promise.resolve("module"));
  await expect(retryingLoader(load)()).rejects.toThrow("cannot be reached");
  expect(load).not.toHaveBeenCalled();
});

test("what was requested before is neither asked for again nor looked after", async () => {
  const fetch = answering(false);
  const load = vi.fn(() => Promise.resolve("again"));
  const ask = retryingLoader(load, Promise.resolve("early"));
  expect(await ask()).toBe("early");
  expect(fetch).not.toHaveBeenCalled();
  expect(load).not.toHaveBeenCalled();
});

test("an early request that failed is followed by another one", async () => {
  answering(true);
  const ask = retryingLoader(
    () => Promise.resolve("again"),
    Promise.reject<string>(new Error("cut off")),
  );
  await expect(ask()).rejects.toThrow("cut off");
  expect(await ask()).toBe("again");
});
