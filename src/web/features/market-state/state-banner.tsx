import { TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, MarketState } from "#contract/types.ts";
import { formatPrice, formatQuantity } from "../../format/money.ts";
import { formatMinute, formatSpan, useTimeZone } from "../../format/time.ts";
import { useConnectionWatch } from "../../session/connection.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { closingText, followerText, STATE_NAMES, stateMeaning } from "./state-text.ts";

const TICK_MS = 1_000;

/**
 * Banner that explains a market's state other than open, and when it ends. Loaded lazily, hence the
 * default export.
 */
export default function StateBanner({ market }: { readonly market: Market }) {
  const { data: state } = useFrameQuery(functions.markets.state, { market: market.symbol });
  const timeZone = useTimeZone();
  const { closesAt } = market;
  const shown =
    state?.status === market.status ? state : ({ status: market.status, cause: "admin" } as const);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-warn/40 bg-warn-soft px-3 py-2 text-xs text-text">
      <output className="flex items-center gap-2">
        <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden />
        <span>
          {shown.status === "trading" ? null : (
            <>
              <strong className="font-semibold text-warn">{STATE_NAMES[shown.status]}.</strong>{" "}
              {stateMeaning(shown)}{" "}
            </>
          )}
          {closesAt === null ? null : closingText(formatMinute(closesAt, timeZone))}
        </span>
      </output>
      {state === undefined ? null : <Facts market={market} state={state} />}
    </div>
  );
}

/** The state's figures, outside the live region: they change with the clock and the book. */
function Facts({ market, state }: { readonly market: Market; readonly state: MarketState }) {
  const { indicative, until, status } = state;
  return (
    <dl className="figures flex flex-wrap gap-x-4 gap-y-1">
      {status === "auction" ? (
        <>
          <Fact name="Indicative price">
            {indicative === null
              ? "none yet"
              : `${formatPrice(indicative.price, market.priceDecimals)} ${market.quote}`}
          </Fact>
          {indicative === null ? null : (
            <Fact name="Volume">
              {formatQuantity(indicative.quantity, market.quantityDecimals)} {market.base}
            </Fact>
          )}
        </>
      ) : null}
      {until === null ? null : (
        <Fact name={followerText(status)}>
          <TimeLeft until={until} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="font-sans text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Countdown on the exchange's clock. */
function TimeLeft({ until }: { readonly until: number }) {
  const watch = useConnectionWatch();
  const [leftMs, setLeftMs] = useState<number | null>(null);
  useEffect(() => {
    const read = () => {
      const nowMs = watch?.serverNowMs() ?? null;
      setLeftMs(nowMs === null ? null : until - nowMs);
    };
    read();
    const ticking = setInterval(read, TICK_MS);
    return () => clearInterval(ticking);
  }, [watch, until]);
  return leftMs === null ? "…" : formatSpan(leftMs);
}
