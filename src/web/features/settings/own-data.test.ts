import { expect, test, vi } from "vitest";
import { ownDataPieces } from "./own-data.ts";

test("every page of every kind is in the file, a line each", async () => {
  const query = vi
    .fn()
    .mockResolvedValueOnce({ id: "u1" })
    .mockResolvedValueOnce([{ coin: "USD" }, { coin: "BTC" }]);
  const action = vi
    .fn()
    .mockResolvedValueOnce({ items: [{ orderId: "1" }], cursor: "more" })
    .mockResolvedValueOnce({ items: [{ orderId: "2" }], cursor: null })
    .mockResolvedValueOnce({ items: [], cursor: null })
    .mockResolvedValueOnce({ items: [{ id: "a" }], cursor: null });
  let file = "";
  for await (const piece of ownDataPieces({ action, query })) file += piece;
  expect(
    file
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text) as unknown),
  ).toEqual([
    { what: "user", id: "u1" },
    { what: "balance", coin: "USD" },
    { what: "balance", coin: "BTC" },
    { what: "order", orderId: "1" },
    { what: "order", orderId: "2" },
    { what: "activity", id: "a" },
  ]);
  expect(action.mock.calls[1]?.[1]).toEqual({ limit: 200, cursor: "more" });
});
