import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { functions } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import { formatPrice } from "../../format/money.ts";
import { useConnection } from "../../session/connection.ts";

const tickersQuery = convexQuery(functions.markets.tickers, {});
const TITLE = "Trade";

/**
 * Writes the last price into the page's title. It follows every answer, since background tabs draw no
 * animation frames. A price that may be stale is omitted: the title cannot mark it.
 */
export function PriceInTitle({ market }: { readonly market: Market }) {
  const { data: last = null } = useQuery({
    ...tickersQuery,
    select: (tickers) => tickers.find((ticker) => ticker.market === market.symbol)?.last,
  });
  const isLive = useConnection().kind === "live";
  const price = isLive && last !== null ? formatPrice(last, market.priceDecimals) : null;
  useEffect(() => {
    document.title = price === null ? TITLE : `${price} ${market.symbol} · ${TITLE}`;
  }, [price, market.symbol]);
  return null;
}
