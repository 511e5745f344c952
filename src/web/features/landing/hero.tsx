import { Link } from "@tanstack/react-router";
import type { Plan } from "#contract/plans.ts";
import type { Coin, VenueInfo } from "#contract/types.ts";
import { formatBps } from "../../format/money.ts";
import { useSite } from "../../session/site.ts";
import { buttonClass } from "../../ui/button.tsx";
import { liveliestMarket } from "./coin-order.ts";
import { LiveMarket } from "./live-market.tsx";
import { MarketStrip } from "./market-strip.tsx";

interface HeroProps {
  readonly coins: readonly Coin[];
  readonly plans: readonly Plan[];
  readonly funds: VenueInfo["funds"];
  readonly signedIn: boolean;
}

export function Hero({ coins, plans, funds, signedIn }: HeroProps) {
  const { offers } = useSite();
  const simulated = coins.some(({ priceSource }) => priceSource === "simulated");
  const live = liveliestMarket(coins);
  const everyone = plans.find(({ eligibility }) => eligibility === "everyone");
  return (
    <section className="mx-auto max-w-6xl px-4 pb-14 pt-10 sm:px-6 lg:pt-14">
      <div className="grid items-center gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div>
          {simulated ? (
            <p className="mb-4 text-xs text-muted">
              Practice venue: live books, simulated participants
            </p>
          ) : null}
          <h1 className="max-w-3xl text-balance text-4xl font-semibold tracking-tight sm:text-5xl">
            {funds === "practice"
              ? "A real order book, exact money, and nothing to lose."
              : "A real order book and exact money."}
          </h1>
          <p className="mt-5 max-w-2xl text-pretty text-base text-muted">
            Trade {coins.length === 1 ? coins[0]?.name : `${coins.length} coins`} against live books
            with limit orders, stops, icebergs and brackets. Every fill, fee and balance is a
            posting that you can open and check.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            {signedIn ? (
              <Link to="/trade" className={buttonClass({ variant: "primary", size: "lg" })}>
                Trade now
              </Link>
            ) : (
              <>
                <Link
                  to={offers.signUp ? "/signup" : "/login"}
                  className={buttonClass({ variant: "primary", size: "lg" })}
                >
                  {offers.signUp ? "Create account" : "Sign in"}
                </Link>
                <Link to="/trade" className={buttonClass({ variant: "secondary", size: "lg" })}>
                  Watch the market
                </Link>
              </>
            )}
            <a href="#coins" className={buttonClass({ variant: "ghost", size: "lg" })}>
              See all coins
            </a>
          </div>
          {everyone === undefined ? null : (
            <p className="mt-4 text-xs text-faint">
              {everyone.name} plan: {formatBps(everyone.makerFeeBps)} maker,{" "}
              {formatBps(everyone.takerFeeBps)} taker.
            </p>
          )}
        </div>
        {live === undefined ? null : <LiveMarket {...live} />}
      </div>
      <div className="mt-10">
        <MarketStrip coins={coins} />
      </div>
    </section>
  );
}
