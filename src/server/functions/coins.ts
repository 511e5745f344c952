import type { Handlers } from "./handlers.ts";
import { presentCoin } from "./present-market.ts";

export const list: Handlers["coins"]["list"] = ({ services, dependsOn }) => {
  dependsOn("catalogue");
  dependsOn("prices");
  const { views } = services;
  return views.catalogue
    .coins()
    .filter(({ definition }) => definition.status !== "hidden")
    .map((coin) => presentCoin(views, coin));
};
