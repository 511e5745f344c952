/**
 * The simulated participants that trade the default catalogue's markets, and the check of those that a file
 * declares. Participants are not part of the journal: each start reads them, and the simulator opens, funds
 * and lets trade those that it is given.
 */
import type { DeclaredParticipant } from "#contract/catalogue.ts";
import type { CatalogueFile } from "./catalogue-file.ts";

/** The amount of one grant to a participant, as a value in the settlement coin. */
const INVENTORY = { cashValue: 25_000_000, coinValue: 6_000_000 };

function participant(
  name: string,
  style: DeclaredParticipant["style"],
  terms: Partial<DeclaredParticipant>,
): DeclaredParticipant {
  return { name, style, pacePercent: 100, sizePercent: 100, ...INVENTORY, ...terms };
}

export const PARTICIPANTS: readonly DeclaredParticipant[] = [
  participant("maker-near", "marketMaker", {
    plan: "market-maker",
    sizePercent: 110,
    distancePercent: 100,
  }),
  participant("maker-wide", "marketMaker", {
    plan: "market-maker",
    sizePercent: 260,
    distancePercent: 230,
  }),
  participant("noise-1", "noiseTrader", { pacePercent: 40 }),
  participant("noise-2", "noiseTrader", { pacePercent: 35 }),
  participant("noise-3", "noiseTrader", { pacePercent: 25 }),
  participant("trend-1", "trendFollower", { plan: "active" }),
  participant("trend-2", "trendFollower", { plan: "active" }),
];

/** Those that the file declares; the default ones, on such of their plans as the file has, if it declares none. */
export function participantsOf({
  participants,
  plans,
}: Pick<CatalogueFile, "participants" | "plans">): readonly DeclaredParticipant[] {
  if (participants !== undefined) return participants;
  const slugs = new Set(plans.map(({ slug }) => slug));
  return PARTICIPANTS.map(({ plan, ...terms }) =>
    plan === undefined || !slugs.has(plan) ? terms : { ...terms, plan },
  );
}

/** A sentence for each participant that contradicts the rest of the file. */
export function participantProblems({
  markets,
  participants = [],
  plans,
}: Pick<CatalogueFile, "markets" | "participants" | "plans">): string[] {
  const simulated = markets.flatMap((market) => (market.simulated ? [market.symbol] : []));
  if (participants.length > 0 && simulated.length === 0) {
    return ["participants: no market of the file is simulated, so they have nothing to trade."];
  }
  return participants.flatMap((each) => {
    const wrong: string[] = [];
    if (each.plan !== undefined && !plans.some(({ slug }) => slug === each.plan)) {
      wrong.push(`plan must be one of the file, which has no ${each.plan}`);
    }
    const unknown = each.markets?.find((symbol) => !simulated.includes(symbol));
    if (unknown !== undefined) {
      wrong.push(`markets must be simulated markets of the file, and ${unknown} is not`);
    }
    if (each.style !== "marketMaker" && each.distancePercent !== undefined) {
      wrong.push("distancePercent is for a marketMaker alone");
    }
    return wrong.map((sentence) => `participant ${each.name}: ${sentence}.`);
  });
}
