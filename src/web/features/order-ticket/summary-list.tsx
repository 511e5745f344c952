import type { ReactNode } from "react";
import { multiplyDecimals } from "#contract/decimal.ts";
import type { Market } from "#contract/types.ts";
import {
  formatAmount,
  formatBps,
  formatCost,
  formatPrice,
  formatShare,
} from "../../format/money.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { formatExact } from "../../format/decimal-text.ts";
import type { Money, TicketContext, TicketSummary } from "./ticket-context.ts";
import { isImmediateMarketOrder } from "./ticket-entries.ts";
import type { TicketState } from "./ticket-state.ts";

const IMPACT_WARNING_PERCENT = 1;
const SETTLEMENT_DECIMALS = 2;

interface SummaryListProps {
  readonly context: TicketContext;
  readonly state: TicketState;
  readonly summary: TicketSummary;
}

/** The order's expected cost and proceeds, before it is sent. */
export function SummaryList({ context, state, summary }: SummaryListProps) {
  const { market } = context;
  const isSignedIn = useIsSignedIn();
  const isBuy = state.side === "buy";
  const isMarket = isImmediateMarketOrder(state);
  const isSteep =
    summary.impactPercent !== null && Number(summary.impactPercent) >= IMPACT_WARNING_PERCENT;
  return (
    <dl className="grid gap-1 text-xs">
      {isSignedIn ? (
        <Line term={isBuy ? "Maximum buy" : "Maximum sell"}>
          {summary.quantityMax === null
            ? "–"
            : `${formatExact(summary.quantityMax)} ${market.base}`}
        </Line>
      ) : null}
      {isMarket ? (
        <>
          <Line term="Average price">
            {summary.averagePrice === null
              ? "–"
              : `≈ ${formatPrice(summary.averagePrice, market.priceDecimals)}`}
          </Line>
          {summary.cap === null ? null : (
            <Line term="Worst price">{formatPrice(summary.cap, market.priceDecimals)}</Line>
          )}
          <Line term="Price impact" warn={isSteep}>
            {summary.impactPercent === null ? "–" : `≈ ${formatShare(summary.impactPercent)}`}
          </Line>
        </>
      ) : null}
      <Line term={isBuy ? (isMarket ? "Cost" : "Cost at most") : "Sells"}>
        {printMoney(summary.pays, market, isMarket && isBuy, formatCost)}
      </Line>
      <Line term={feeTerm(context, summary)}>
        {/* With all digits, since fees are small. */}
        {printMoney(summary.fee, market, true, (fee, _, coin) => `${formatExact(fee)} ${coin}`)}
        {feeInSettlement(context, summary)}
      </Line>
      <Line term={isBuy ? "You receive" : "Proceeds"} strong>
        {printMoney(summary.receives, market, true, formatAmount)}
      </Line>
      {summary.exceedsBook ? (
        <p className="rounded-md border border-warn/40 bg-warn-soft px-2 py-1.5 text-warn">
          Larger than the book shows: a part may stay unfilled and ends.
        </p>
      ) : null}
    </dl>
  );
}

function feeTerm({ fees }: TicketContext, { feeRole }: TicketSummary): string {
  if (feeRole === "both")
    return `Fee (${formatBps(fees.makerFeeBps)} – ${formatBps(fees.takerFeeBps)})`;
  const bps = feeRole === "maker" ? fees.makerFeeBps : fees.takerFeeBps;
  return `Fee (${feeRole} ${formatBps(bps)})`;
}

/**
 * The fee's value, such as " · 0.81 USD"; "" if the fee is in the settlement coin already, or its
 * value is unknown.
 */
function feeInSettlement({ settlement }: TicketContext, { fee, feeValue }: TicketSummary): string {
  if (settlement === null || fee === null || feeValue === null) return "";
  if (fee.coin === settlement.coin) return "";
  const value = multiplyDecimals(feeValue, settlement.rate);
  return ` · ${formatCost(value, SETTLEMENT_DECIMALS, settlement.coin)}`;
}

function printMoney(
  money: Money | null,
  market: Market,
  isEstimate: boolean,
  print: (amount: string, decimals: number, coin: string) => string,
): string {
  if (money === null) return "–";
  if (money.coin === market.base)
    return `${isEstimate ? "≈ " : ""}${formatExact(money.amount)} ${money.coin}`;
  return `${isEstimate ? "≈ " : ""}${print(money.amount, market.quoteDecimals, money.coin)}`;
}

interface LineProps {
  readonly term: string;
  readonly strong?: boolean;
  readonly warn?: boolean;
  readonly children: ReactNode;
}

function Line({ term, strong = false, warn = false, children }: LineProps) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="shrink-0 text-muted">{term}</dt>
      <dd
        className={`figures flex-1 truncate text-right ${warn ? "text-warn" : strong ? "font-medium text-text" : "text-text"}`}
      >
        {children}
      </dd>
    </div>
  );
}
