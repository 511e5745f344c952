import type { Portfolio, VenueInfo } from "#contract/types.ts";
import { Amount, ProfitAmount } from "../../format/amount.tsx";
import { directionOf, formatPercent } from "../../format/money.ts";
import { Change } from "../../ui/price-change.tsx";
import { Figure, Figures } from "../../ui/figure.tsx";

interface PortfolioFiguresProps {
  readonly portfolio: Portfolio;
  readonly funds: VenueInfo["funds"];
}

/** Deposits, profit and costs of the portfolio. */
export function PortfolioFigures({ portfolio, funds }: PortfolioFiguresProps) {
  const { settlementCoin, profit, deposited, dayChange, dayChangePercent, feesPaid } = portfolio;
  return (
    <Figures className="grid-cols-2 lg:grid-cols-4">
      <Figure
        label="Profit and loss"
        value={<ProfitAmount amount={profit} />}
        note={<span className="text-faint">{settlementCoin}, net of what you put in</span>}
      />
      <Figure
        label="Last 24 h"
        value={<ProfitAmount amount={dayChange} />}
        note={
          <Change
            text={
              dayChangePercent === null ? "no equity a day ago" : formatPercent(dayChangePercent)
            }
            direction={dayChangePercent === null ? "flat" : directionOf(dayChangePercent)}
          />
        }
      />
      <Figure
        label="Put in"
        value={<Amount amount={deposited} />}
        note={
          <span className="text-faint">
            {settlementCoin},{" "}
            {funds === "practice" ? "all practice funds" : "less what you took out"}
          </span>
        }
      />
      <Figure
        label="Fees paid"
        value={<Amount amount={feesPaid} />}
        note={<span className="text-faint">{settlementCoin}, valued at each fill</span>}
      />
    </Figures>
  );
}
