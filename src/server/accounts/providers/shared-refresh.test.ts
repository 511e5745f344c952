import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withSharedRefresh } from "./shared-refresh.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function counting(fails = false) {
  const asked: string[] = [];
  const provider = withSharedRefresh({
    id: "acme",
    refreshAccessToken: (token: string) => {
      asked.push(token);
      return fails ? Promise.reject(new Error("down")) : Promise.resolve(`${token}+`);
    },
  });
  return { provider, asked };
}

test("the same refresh token is used once, also a moment later", async () => {
  const { provider, asked } = counting();
  const both = [provider.refreshAccessToken("a"), provider.refreshAccessToken("a")];
  expect(await Promise.all(both)).toEqual(["a+", "a+"]);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await provider.refreshAccessToken("a")).toBe("a+");
  expect(await provider.refreshAccessToken("b")).toBe("b+");
  expect(asked).toEqual(["a", "b"]);
});

test("nothing is kept for long", async () => {
  const { provider, asked } = counting();
  await provider.refreshAccessToken("a");
  await vi.advanceTimersByTimeAsync(10_001);
  await provider.refreshAccessToken("a");
  expect(asked).toEqual(["a", "a"]);
});

test("what failed is tried again at once", async () => {
  const { provider, asked } = counting(true);
  await expect(provider.refreshAccessToken("a")).rejects.toThrow("down");
  await expect(provider.refreshAccessToken("a")).rejects.toThrow("down");
  expect(asked).toEqual(["a", "a"]);
});

test("a provider that refreshes nothing stays as it is", () => {
  const provider = { id: "acme", refreshAccessToken: undefined };
  expect(withSharedRefresh(provider)).toBe(provider);
});
