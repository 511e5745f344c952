/** Deposits and withdrawals as their owners request them. */
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { isDust } from "#engine/transfers/dust.ts";
import { DEPOSIT_HOURS } from "#engine/transfers/transfer-terms.ts";
import { formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { TransferOptions, WithdrawalLimit } from "#contract/transfers.ts";
import type { SecurityEventKind } from "#contract/users.ts";
import type { TransferView } from "../views/transfers.ts";
import type { Views } from "../views/views.ts";
import {
  ensureAccount,
  followAccount,
  requireAccount,
  requireUser,
  requireWriter,
  submitCommand,
} from "./caller.ts";
import { confirmIdentity } from "./confirm-identity.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers, QueryContext } from "./handlers.ts";
import { presentTransfer } from "./present-transfer.ts";
import { refused } from "./refusals.ts";
import type { Services } from "./services.ts";
import { mailStep, openingsOf, requireCoin, requireFunded, unitsOf } from "./transfer-rules.ts";
import { requireUsable, unknownAddress } from "./withdrawal-addresses.ts";

const HOUR_MS = 3_600_000;

/** Security events that pause withdrawals: someone else may have taken control of the user's sign-in. */
const PAUSING: readonly SecurityEventKind[] = [
  "passwordChanged",
  "passwordReset",
  "emailChanged",
  "secondFactorEnabled",
  "secondFactorDisabled",
  "secondFactorRemoved",
  "backupCodesRenewed",
  "profileChangedByAdmin",
  "providerLinked",
  "passkeyAdded",
];

export const options: Handlers["transfers"]["options"] = (context): TransferOptions => {
  const account = followAccount(context);
  const { config, views } = context.services;
  const funded = config.FUNDED_MODE !== "off";
  const coins = views.catalogue.coins().flatMap(({ assetId, definition }) => {
    const { name, scale, status, symbol, transfers } = definition;
    if (!funded || transfers === undefined || status === "hidden") return [];
    const text = (units: number) => formatDecimal(units, scale);
    const [available, held] =
      account === undefined
        ? [0, 0]
        : [
            views.accounts.available(account.account, assetId),
            views.accounts.held(account.account, assetId),
          ];
    const mayForfeit = available > 0 && isDust(transfers, available + held);
    return {
      coin: symbol,
      name,
      scale,
      available: text(available),
      dust: mayForfeit ? text(available) : null,
      depositMin: text(transfers.depositMin),
      depositHours: transfers.depositHours ?? DEPOSIT_HOURS,
      withdrawalMin: text(transfers.withdrawalMin),
      withdrawalFee: text(transfers.withdrawalFee),
      withdrawalMax: transfers.withdrawalMax === undefined ? null : text(transfers.withdrawalMax),
      networks: transfers.networks.map((network) => ({
        code: network.code,
        name: network.name,
        hasMemo: network.hasMemo,
        ...openingsOf(definition, network),
      })),
    };
  });
  return {
    funded,
    settlementCoin: views.settlementCoin,
    coins,
    ...limitsOf(context, account?.account),
    addressWaitHours: config.WITHDRAWAL_ADDRESS_HOURS,
    pauseHours: config.WITHDRAWAL_PAUSE_HOURS,
  };
};

function limitsOf(
  { services: { views } }: QueryContext,
  account: number | undefined,
): Pick<TransferOptions, "daily" | "monthly"> {
  const settlement = views.catalogue.coinBySymbol(views.settlementCoin);
  if (account === undefined || settlement === undefined) return { daily: null, monthly: null };
  const planId = views.accounts.account(account)?.planId ?? 1;
  const { withdrawalDailyMax, withdrawalMonthlyMax } = views.catalogue.plan(planId).definition;
  const { dayValue, monthValue } = views.transfers.withdrawn.of(account, views.nowMs());
  const { scale } = settlement.definition;
  const limit = (max: string | undefined, used: number): WithdrawalLimit | null => {
    if (max === undefined) return null;
    const units = parseDecimal(max, scale);
    const left = units > BigInt(used) ? units - BigInt(used) : 0n;
    return { max: formatDecimal(units, scale), left: formatDecimal(left, scale) };
  };
  return {
    daily: limit(withdrawalDailyMax, dayValue),
    monthly: limit(withdrawalMonthlyMax, monthValue),
  };
}

export const mine: Handlers["transfers"]["mine"] = (context) => {
  const account = followAccount(context);
  const { views } = context.services;
  if (account === undefined) return [];
  return views.transfers
    .ofAccount(account.account)
    .map((transfer) => presentTransfer(views, transfer));
};

export const requestDeposit: Handlers["transfers"]["requestDeposit"] = async (context, args) => {
  const { services } = context;
  const userId = requireUser(context);
  requireFunded(services, args.validUntil);
  const coin = requireCoin(services.views, args.coin);
  const amount = unitsOf(args.amount, coin);
  const account = await ensureAccount(services, userId);
  const { assetId } = coin;
  const { network, validUntil: validUntilMs } = args;
  const { events } = await submitCommand(
    context,
    { type: "requestDeposit", account, assetId, amount, network, validUntilMs },
    { sizeField: "amount" },
  );
  return presentTransfer(services.views, requestedIn(services.views, account, events));
};

export const forfeitDust: Handlers["transfers"]["forfeitDust"] = async (context, args) => {
  const { views } = context.services;
  const account = requireAccount(views, requireUser(context));
  const coin = requireCoin(views, args.coin);
  const amount = unitsOf(args.amount, coin);
  const { assetId } = coin;
  const command = { type: "forfeitDust", account, assetId, amount } as const;
  await submitCommand(
    context,
    { ...command, validUntilMs: args.validUntil },
    { sizeField: "amount" },
  );
  return null;
};

export const cancel: Handlers["transfers"]["cancel"] = async (
  context,
  { transferId, validUntil: validUntilMs },
) => {
  const { services } = context;
  const account = requireAccount(services.views, requireUser(context));
  await submitCommand(context, { type: "cancelTransfer", account, transferId, validUntilMs });
  const own = services.views.transfers.ofAccount(account);
  const cancelled = own.find((each) => each.transferId === transferId);
  if (cancelled === undefined) throw refused("unknownTransfer");
  return presentTransfer(services.views, cancelled);
};

export const requestWithdrawal: Handlers["transfers"]["requestWithdrawal"] = async (
  context,
  args,
) => {
  const { services } = context;
  requireWriter(context.identity);
  requireFunded(services, args.validUntil);
  const userId = context.identity.subject;
  const { exchange, views, withdrawalAddresses } = services;
  const book = await withdrawalAddresses.load(userId);
  const kept = book.find(({ id }) => id === args.addressId);
  if (kept === undefined) throw unknownAddress();
  requireUsable(services, kept);
  const coin = requireCoin(views, kept.coin);
  const amount = unitsOf(args.amount, coin);
  const account = requireAccount(views, userId);
  await confirmIdentity(context, context.identity, args.code);
  await requireNoPause(services, userId);
  const { address, memo, network } = kept;
  const { assetId } = coin;
  const command: Command = {
    type: "requestWithdrawal",
    account,
    assetId,
    amount,
    network,
    address,
    memo,
    // The exchange's own check of the time limit comes last.
    validUntilMs: args.validUntil,
  };
  const { events, rejected } = await exchange.submit(command, `w${account}:${args.requestId}`);
  if (rejected !== undefined) throw refused(rejected, { sizeField: "amount" });
  const requested = requestedIn(views, account, events);
  const isRepeated = events.some(({ type }) => type === "requestRepeated");
  if (!isRepeated) mailStep(services, requested);
  return presentTransfer(views, requested);
};

/** The transfer that the command requested, or that the first of several equal requests did. */
function requestedIn(
  views: Views,
  account: number,
  events: readonly ExchangeEvent[],
): TransferView {
  const repeated = events.find((event) => event.type === "requestRepeated");
  const changed = events.find((event) => event.type === "transferChanged");
  const sequence = repeated?.originalSequence ?? changed?.sequence;
  const own = views.transfers.ofAccount(account);
  const found = own.find(({ requestedSequence }) => requestedSequence === sequence);
  if (found === undefined) throw refused("unknownTransfer");
  return found;
}

/** @throws FunctionError `withdrawalsPaused` */
async function requireNoPause({ accounts, config }: Services, userId: string): Promise<void> {
  // Security events are stamped by the same clock.
  const nowMs = Date.now();
  const pauseMs = config.WITHDRAWAL_PAUSE_HOURS * HOUR_MS;
  if (pauseMs === 0) return;
  // Before the events, which report a change only after it was made.
  const isChanging = await accounts.isAccessChanging(userId);
  const { items } = await accounts.securityEvents({
    userId,
    kinds: PAUSING,
    fromMs: nowMs - pauseMs,
    limit: 1,
  });
  const atMs = isChanging ? nowMs : items.at(0)?.atMs;
  if (atMs === undefined) return;
  throw new FunctionError({
    code: "withdrawalsPaused",
    message:
      "How you sign in changed a short while ago, such as your password, second factor or a passkey. " +
      `You can withdraw ${config.WITHDRAWAL_PAUSE_HOURS} hours after that.`,
    retryAfterMs: Math.max(0, atMs + pauseMs - nowMs),
  });
}
