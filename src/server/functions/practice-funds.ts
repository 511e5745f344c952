/** Practice funds: once per UTC day per person, not only per account. */
import type { Amount } from "#engine/amount.ts";
import { formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { Services } from "./services.ts";
import { ensureAccount, requireUser, submitCommand } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { refused } from "./refusals.ts";

const DAY_MS = 86_400_000;

export const takePracticeFunds: Handlers["accounts"]["takePracticeFunds"] = async (
  context,
  { validUntil },
) => {
  const { services } = context;
  const { views, config } = services;
  const userId = requireUser(context);
  const account = await ensureAccount(services, userId);
  await refuseFormerUser(services, userId);
  const funds = config.PRACTICE_FUNDS.map(({ coin: symbol, amount: decimal }) => {
    const coin = views.catalogue.coinBySymbol(symbol);
    if (coin === undefined) throw refused("unknownAsset");
    const amount = Number(parseDecimal(decimal, coin.definition.scale)) as Amount;
    return { coin, assetId: coin.assetId, amount };
  });
  const [first, ...others] = funds.map(({ assetId, amount }) => ({ assetId, amount }));
  // A catalogue with only funded coins gives none.
  if (first === undefined) throw refused("fundedCoin");
  await submitCommand(context, {
    type: "takePracticeFunds",
    account,
    ...first,
    ...(others.length > 0 && { otherCoins: others }),
    validUntilMs: validUntil,
  });
  return funds.map(({ coin: { definition }, amount }) => ({
    coin: definition.symbol,
    amount: formatDecimal(amount, definition.scale),
  }));
};

type Sources = Pick<Services, "accounts" | "views">;

/**
 * When the user may next take practice funds, milliseconds since 1970; null if now. Funds taken today
 * by an earlier, deleted user with the same email address count as well.
 */
export function practiceFundsNextAt(
  { accounts, views }: Sources,
  user: { readonly id: string; readonly email: string; readonly createdAtMs: number },
): number | null {
  const times = [user.id, ...accounts.formerUsersOf(user)].map((userId) => nextAtOf(views, userId));
  const latest = Math.max(...times.map((nextAt) => nextAt ?? 0));
  return latest === 0 ? null : latest;
}

/** When this user's account alone may next take practice funds, as the engine counts; null if now. */
function nextAtOf(views: Sources["views"], userId: string): number | null {
  const takenAtMs = views.accounts.ofUser(userId)?.practiceFundsAtMs ?? 0;
  if (takenAtMs === 0) return null;
  const nextAt = (Math.floor(takenAtMs / DAY_MS) + 1) * DAY_MS;
  return nextAt <= views.nowMs() ? null : nextAt;
}

/** The engine counts by account, and cannot know that two accounts belong to one person. */
async function refuseFormerUser(services: Sources, userId: string): Promise<void> {
  const { accounts, views } = services;
  // If this account has taken funds, the engine answers, and recognizes a repeated request.
  if (nextAtOf(views, userId) !== null) return;
  const user = accounts.profileOf(userId) ?? (await accounts.userById(userId));
  if (user === null || practiceFundsNextAt(services, user) === null) return;
  throw refused("practiceFundsTakenToday");
}
