import { afterEach, expect, test, vi } from "vitest";
import { serverFunctionFetch } from "./server-function-fetch.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["/_serverFn/abc", "/_serverFn/abc?createServerFn"],
  ["/_serverFn/abc?payload=x", "/_serverFn/abc?payload=x&createServerFn"],
])("a call of a server function has a marker in its URL: %s", async (address, marked) => {
  const fetched = vi.fn(async () => new Response());
  vi.stubGlobal("fetch", fetched);
  const init = { method: "GET" };
  await serverFunctionFetch(address, init);
  expect(fetched).toHaveBeenCalledWith(marked, init);
});
