import { expect, test } from "vitest";
import type { Candle } from "#contract/types.ts";
import { candlePages } from "./candle-pages.ts";

function pagesOf(answer: () => Promise<Candle[]>) {
  const asked: unknown[] = [];
  const backend = {
    action: (_: unknown, args: unknown) => {
      asked.push(args);
      return answer();
    },
  };
  return { asked, pages: candlePages(backend as never, "BTC-USD", "1m") };
}

test("the newest page is requested once, though it is started before it is fetched", async () => {
  const { asked, pages } = pagesOf(() => Promise.resolve([]));
  pages.start();
  await pages.fetchPage(undefined, 500);
  expect(asked).toEqual([{ market: "BTC-USD", interval: "1m", limit: 500 }]);
  await pages.fetchPage(undefined, 500);
  await pages.fetchPage(7, 500);
  expect(asked).toHaveLength(3);
});

test("a page that failed is requested again by the next fetch", async () => {
  const { asked, pages } = pagesOf(() => Promise.reject(new Error("offline")));
  pages.start();
  await expect(pages.fetchPage(undefined, 500)).rejects.toThrow("offline");
  await expect(pages.fetchPage(undefined, 500)).rejects.toThrow("offline");
  expect(asked).toHaveLength(2);
});
