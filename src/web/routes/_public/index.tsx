import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { liveliestMarket, tradedCoins, visibleCoins } from "../../features/landing/coin-order.ts";
import { CoinTable } from "../../features/landing/coin-table.tsx";
import { HowItWorks, Questions } from "../../features/landing/explanations.tsx";
import { Hero } from "../../features/landing/hero.tsx";
import { liveBookArgs } from "../../features/landing/live-book.ts";
import { PlanCards } from "../../features/landing/plan-cards.tsx";
import { Section } from "../../features/landing/section.tsx";

const coinsQuery = convexQuery(functions.coins.list, {});
const plansQuery = convexQuery(functions.plans.list, {});
const venueQuery = convexQuery(functions.venue.info, {});

const DESCRIPTION =
  "Trade against a real order book with exact money. Every fill, fee and balance is a posting that you can open and check.";

export const Route = createFileRoute("/_public/")({
  head: ({ match: { context } }) => ({
    meta: [
      { name: "description", content: DESCRIPTION },
      { property: "og:type", content: "website" },
      { property: "og:title", content: context.productName },
      { property: "og:description", content: DESCRIPTION },
      // Link previews on other sites require absolute URLs.
      { property: "og:url", content: `${context.publicUrl}/` },
      { property: "og:image", content: `${context.publicUrl}/icons/social.png` },
      { property: "og:image:width", content: "1200" },
      { property: "og:image:height", content: "630" },
      { name: "twitter:card", content: "summary_large_image" },
    ],
    links: [{ rel: "canonical", href: `${context.publicUrl}/` }],
  }),
  loader: async ({ context: { queryClient } }) => {
    const [coins] = await Promise.all([
      queryClient.ensureQueryData(coinsQuery),
      queryClient.ensureQueryData(plansQuery),
      queryClient.ensureQueryData(venueQuery),
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
  const { funds, simulated } = useSuspenseQuery(venueQuery).data;
  const coins = tradedCoins(allCoins);
  const settlementCoin =
    allCoins.find(({ priceSource }) => priceSource === "settlement")?.symbol ?? "USD";
  return (
    <>
      <Hero coins={coins} plans={plans} funds={funds} signedIn={userId !== null} />
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
        <HowItWorks funds={funds} />
      </Section>
      <Section id="questions" title="Questions">
        <Questions funds={funds} simulated={simulated} />
      </Section>
    </>
  );
}
