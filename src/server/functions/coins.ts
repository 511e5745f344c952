import type { Coin } from "#contract/types.ts";
import { query } from "./define.ts";
import { presentCoin } from "./present-market.ts";
import { noArguments } from "./schemas.ts";

/** Every coin that is not hidden, in the order they were listed. */
export const list = query(noArguments, ({ services, dependsOn }): Coin[] => {
  dependsOn("catalog");
  dependsOn("prices");
  const { views } = services;
  return views.catalog
    .coins()
    .filter(({ definition }) => definition.status !== "hidden")
    .map((coin) => presentCoin(views, coin));
});
