/** Deposits and withdrawals as their owners request them, and their withdrawal addresses. */
import { AMOUNT_MAX, type Amount } from "#engine/amount.ts";
import type { Command } from "#engine/commands.ts";
import { isDust } from "#engine/transfers/dust.ts";
import { DEPOSIT_HOURS } from "#engine/transfers/transfer-terms.ts";
import { isAmongAdministrators } from "#engine/transfers/transfer-ends.ts";
import { DecimalError, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import { fitsPattern } from "#contract/address-pattern.ts";
import {
  ADDRESSES_MAX,
  type TransferOptions,
  type WithdrawalAddress,
  type WithdrawalLimit,
} from "#contract/transfers.ts";
import type { SecurityEventKind } from "#contract/users.ts";
import type { Identity } from "../reactive/executor.ts";
import {
  AddressBookFullError,
  type KeptAddress,
  KnownAddressError,
} from "../personal/withdrawal-addresses.ts";
import type { CoinView } from "../views/catalogue.ts";
import type { TransferView } from "../views/transfers.ts";
import type { Views } from "../views/views.ts";
import {
  admitOwnChange,
  ensureAccount,
  followAccount,
  requireAccount,
  requireInTime,
  requireUser,
  requireWriter,
  submit,
} from "./caller.ts";
import { confirmIdentity } from "./confirm-identity.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers, QueryContext } from "./handlers.ts";
import { presentTransfer } from "./present-transfer.ts";
import { invalidArgument, refused } from "./refusals.ts";
import type { Services } from "./services.ts";

const HOUR_MS = 3_600_000;

/** Security events that pause withdrawals: someone else may have taken control of the user's sign-in. */
const PAUSING: readonly SecurityEventKind[] = [
  "passwordChanged",
  "passwordReset",
  "emailChanged",
  "secondFactorEnabled",
  "secondFactorDisabled",
  "secondFactorRemoved",
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
        depositsOpen: network.depositsOpen && (status === "listed" || status === "depositOnly"),
        withdrawalsOpen: network.withdrawalsOpen && status !== "depositOnly",
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
  const { events } = await submit(
    context,
    { type: "requestDeposit", account, assetId, amount, network, validUntilMs },
    { sizeField: "amount" },
  );
  const repeated = events.find((event) => event.type === "requestRepeated");
  const changed = events.find((event) => event.type === "transferChanged");
  const sequence = repeated?.originalSequence ?? changed?.sequence ?? 0;
  return presentTransfer(services.views, requestedIn(services.views, account, sequence));
};

export const forfeitDust: Handlers["transfers"]["forfeitDust"] = async (context, args) => {
  const { views } = context.services;
  const account = requireAccount(views, requireUser(context));
  const coin = requireCoin(views, args.coin);
  const amount = unitsOf(args.amount, coin);
  const { assetId } = coin;
  const command = { type: "forfeitDust", account, assetId, amount } as const;
  await submit(context, { ...command, validUntilMs: args.validUntil }, { sizeField: "amount" });
  return null;
};

export const cancel: Handlers["transfers"]["cancel"] = async (
  context,
  { transferId, validUntil: validUntilMs },
) => {
  const { services } = context;
  const account = requireAccount(services.views, requireUser(context));
  await submit(context, { type: "cancelTransfer", account, transferId, validUntilMs });
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
  requireFunded(services);
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
  };
  const { events, rejected } = await exchange.submit(command, `w${account}:${args.requestId}`);
  if (rejected !== undefined) throw refused(rejected, { sizeField: "amount" });
  const repeated = events.find((event) => event.type === "requestRepeated");
  const changed = events.find((event) => event.type === "transferChanged");
  const requested = requestedIn(
    views,
    account,
    repeated?.originalSequence ?? changed?.sequence ?? 0,
  );
  if (repeated === undefined) mailStep(services, requested);
  return presentTransfer(views, requested);
};

export const addresses: Handlers["transfers"]["addresses"] = (context) => {
  const userId = requireUser(context);
  context.dependsOn(`withdrawalAddresses:${userId}`);
  const { services } = context;
  const book = services.withdrawalAddresses.read(userId);
  return book === undefined ? null : book.map((kept) => presentAddress(services, kept));
};

export const addAddress: Handlers["transfers"]["addAddress"] = async (context, args) => {
  const { services } = context;
  requireWriter(context.identity);
  requireFunded(services);
  const { address, code, label, memo } = args;
  const coin = requireCoin(services.views, args.coin);
  const network = coin.definition.transfers?.networks.find((each) => each.code === args.network);
  if (network === undefined) {
    throw invalidArgument("network", `${args.coin} has no network of this code.`);
  }
  if (!fitsPattern(address, network.addressPattern)) {
    throw invalidArgument("address", `This is no address of ${network.name}; check it.`);
  }
  if (memo !== "" && !network.hasMemo) {
    throw invalidArgument("memo", `Addresses of ${network.name} have no memo.`);
  }
  await confirmIdentity(context, context.identity, code);
  const terms = { label, coin: args.coin, network: args.network, address, memo };
  const kept = await addTo(services, context.identity, terms);
  return presentAddress(services, kept);
};

export const removeAddress: Handlers["transfers"]["removeAddress"] = async (
  context,
  { addressId, validUntil },
) => {
  const userId = admitOwnChange(context, validUntil);
  requireWriter(context.identity);
  const { accounts, withdrawalAddresses } = context.services;
  const kept = (await withdrawalAddresses.load(userId)).find(({ id }) => id === addressId);
  if (kept === undefined) throw unknownAddress();
  await withdrawalAddresses.remove(userId, addressId);
  await accounts.recordOwnChange(context.identity, "withdrawalAddressRemoved", {
    detail: kept.label,
  });
  return null;
};

/** @throws FunctionError `transfersOff`, or a refusal of the time limit */
export function requireFunded(
  services: Pick<Services, "config" | "views">,
  validUntil?: number,
): void {
  if (services.config.FUNDED_MODE !== "off") return;
  requireInTime(services, validUntil);
  const message = "This exchange trades practice money: nothing is deposited or withdrawn.";
  throw new FunctionError({ code: "transfersOff", message });
}

/** @throws FunctionError `unknownAsset` */
function requireCoin(views: Views, symbol: string): CoinView {
  const coin = views.catalogue.coinBySymbol(symbol);
  if (coin === undefined) throw refused("unknownAsset");
  return coin;
}

/** @throws FunctionError that names the amount if it does not fit the coin */
export function unitsOf(amount: string, { definition }: CoinView): Amount {
  try {
    const units = parseDecimal(amount, definition.scale);
    if (units >= 0n && units <= BigInt(AMOUNT_MAX)) return Number(units) as Amount;
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw invalidArgument("amount", `amount ${error.message}.`);
  }
  throw invalidArgument("amount", "amount is negative or too large.");
}

/**
 * Mails the owner the outcome of a transfer's step, unless it concerns administrators alone.
 * The mail follows the step and never fails it.
 */
export function mailStep(
  { accounts, log, views }: Pick<Services, "accounts" | "log" | "views">,
  transfer: TransferView,
): void {
  const { account, status, transferId } = transfer;
  if (isAmongAdministrators(status)) return;
  const userId = views.accounts.account(account)?.userId;
  if (userId === undefined) return;
  const { amount, coin, kind, reason } = presentTransfer(views, transfer);
  const what = `${kind === "deposit" ? "Deposit" : "Withdrawal"} ${transferId} of ${amount} ${coin}`;
  const why = reason === null ? "" : `: ${reason}`;
  accounts.mailNotices(userId, [`${what} is ${status}${why}.`]).catch((error: unknown) => {
    log.warn({ userId, transferId, error: String(error) }, "a mail about a transfer was not sent");
  });
}

function requestedIn(views: Views, account: number, sequence: number): TransferView {
  const own = views.transfers.ofAccount(account);
  const found = own.find(({ requestedSequence }) => requestedSequence === sequence);
  if (found === undefined) throw refused("unknownTransfer");
  return found;
}

async function addTo(
  { accounts, views, withdrawalAddresses }: Services,
  identity: Identity,
  terms: Omit<KeptAddress, "id" | "createdAtMs">,
): Promise<KeptAddress> {
  try {
    const { address, coin, label, network } = terms;
    const kind = "withdrawalAddressAdded";
    const told = { detail: `${label} (${coin}, ${network}): ${address}`, notice: kind } as const;
    return await withdrawalAddresses.add(
      identity.subject,
      { ...terms, createdAtMs: views.nowMs() },
      (store) => accounts.makeOwnChange(identity, kind, told, store),
    );
  } catch (error) {
    if (error instanceof AddressBookFullError) {
      const message = `An address book has at most ${ADDRESSES_MAX} addresses; remove one first.`;
      throw new FunctionError({ code: "limitReached", message });
    }
    if (!(error instanceof KnownAddressError)) throw error;
    throw invalidArgument("address", "You keep this address already.");
  }
}

function usableFrom({ config }: Services, { createdAtMs }: KeptAddress): number {
  return createdAtMs + config.WITHDRAWAL_ADDRESS_HOURS * HOUR_MS;
}

/** @throws FunctionError `addressTooNew` */
function requireUsable(services: Services, kept: KeptAddress): void {
  const retryAfterMs = usableFrom(services, kept) - services.views.nowMs();
  if (retryAfterMs <= 0) return;
  const hours = services.config.WITHDRAWAL_ADDRESS_HOURS;
  throw new FunctionError({
    code: "addressTooNew",
    field: "addressId",
    message: `An address can be used ${hours} hours after it was added.`,
    retryAfterMs,
  });
}

/** @throws FunctionError `withdrawalsPaused` */
async function requireNoPause({ accounts, config }: Services, userId: string): Promise<void> {
  // Security events are stamped by the same clock.
  const nowMs = Date.now();
  const pauseMs = config.WITHDRAWAL_PAUSE_HOURS * HOUR_MS;
  const { items } = await accounts.securityEvents({
    userId,
    kinds: PAUSING,
    fromMs: nowMs - pauseMs,
    limit: 1,
  });
  const [last] = items;
  if (last === undefined) return;
  throw new FunctionError({
    code: "withdrawalsPaused",
    message:
      "How you sign in changed a short while ago, such as your password, second factor or a passkey. " +
      `You can withdraw ${config.WITHDRAWAL_PAUSE_HOURS} hours after that.`,
    retryAfterMs: Math.max(0, last.atMs + pauseMs - nowMs),
  });
}

function unknownAddress(): FunctionError {
  const message = "You keep no such address.";
  return new FunctionError({ code: "notFound", field: "addressId", message });
}

function presentAddress(services: Services, kept: KeptAddress): WithdrawalAddress {
  const { id: addressId, address, coin, createdAtMs: createdAt, label, memo, network } = kept;
  const usable = usableFrom(services, kept);
  return {
    addressId,
    label,
    coin,
    network,
    address,
    memo: memo || null,
    createdAt,
    usableFrom: usable,
  };
}
