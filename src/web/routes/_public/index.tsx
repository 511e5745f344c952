import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { liveliestMarket, tradedCoins, visibleCoins } from "../../features/landing/coin-order.ts";
import { CoinTable } from "../../features/landing/coin-table.tsx";
import { HowItWorks, Questions } from "../../features/landing/explanations.tsx";
import { Hero } from "../../features/landing/hero.tsx";
import { liveBookArgs } from "../../features/landing/live-market.tsx";
import { PlanCards } from "../../features/landing/plan-cards.tsx";
import { Section } from "../../features/landing/section.tsx";

const coinsQuery = convexQuery(functions.coins.list, {});
const plansQuery = convexQuery(functions.plans.list, {});

export const Route = createFileRoute("/_public/")({
  loader: async ({ context: { queryClient } }) => {
    const [coins] = await Promise.all([
      queryClient.ensureQueryData(coinsQuery),
      queryClient.ensureQueryData(plansQuery),
    ]);
    const live = liveliestMarket(coins);
    if (live === undefined) return;
    const book = convexQuery(functions.markets.book, liveBookArgs(live.market));
    await queryClient.prefetchQuery(book);
  },
  component: Landing,
});

function Landing() {
  const { userId } = Route.useRouteContext();
  const { data: allCoins } = useSuspenseQuery(coinsQuery);
  const { data: plans } = useSuspenseQuery(plansQuery);
  const coins = tradedCoins(allCoins);
  const settlementCoin =
    allCoins.find(({ priceSource }) => priceSource === "settlement")?.symbol ?? "USD";
  return (
    <>
      <Hero coins={coins} plans={plans} signedIn={userId !== null} />
      <Section id="coins" title="Coins" text={`Prices in ${settlementCoin}, as they trade here.`}>
        <CoinTable coins={visibleCoins(allCoins)} settlementCoin={settlementCoin} />
      </Section>
      <Section
        id="plans"
        title="Plans"
        text="A plan decides fees and limits. No plan earns a return."
      >
        <PlanCards plans={plans} settlementCoin={settlementCoin} />
      </Section>
      <Section id="how-it-works" title="How it works">
        <HowItWorks />
      </Section>
      <Section id="questions" title="Questions">
        <Questions />
      </Section>
    </>
  );
}
