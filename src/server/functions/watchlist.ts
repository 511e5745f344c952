import { WATCHED_MARKETS_MAX } from "#contract/public-functions.ts";
import { WatchlistFullError } from "../personal/watchlists.ts";
import { admitOwnChange, requireUser } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers } from "./handlers.ts";
import { unknownMarket } from "./refusals.ts";

export const list: Handlers["watchlist"]["list"] = (context) => {
  const userId = requireUser(context);
  context.dependsOn(`watchlist:${userId}`);
  const markets = context.services.watchlists.read(userId);
  return markets === undefined ? null : [...markets];
};

export const add: Handlers["watchlist"]["add"] = async (context, { markets, validUntil }) => {
  const userId = admitOwnChange(context, validUntil);
  const { views, watchlists } = context.services;
  const unknown = markets.find((symbol) => views.catalogue.marketBySymbol(symbol) === undefined);
  if (unknown !== undefined) throw unknownMarket(unknown);
  try {
    await watchlists.add(userId, markets);
  } catch (error) {
    if (!(error instanceof WatchlistFullError)) throw error;
    const message = `A watchlist has at most ${WATCHED_MARKETS_MAX} markets; remove one first.`;
    throw new FunctionError({ code: "limitReached", field: "markets", message });
  }
  return null;
};

export const remove: Handlers["watchlist"]["remove"] = async (context, { market, validUntil }) => {
  const userId = admitOwnChange(context, validUntil);
  await context.services.watchlists.remove(userId, market);
  return null;
};

export const move: Handlers["watchlist"]["move"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  await context.services.watchlists.move(userId, args.market, args.index);
  return null;
};
