/** Users' books of withdrawal addresses, and when an address can be used. */
import { fitsPattern } from "#contract/address-pattern.ts";
import { ADDRESSES_MAX, type WithdrawalAddress } from "#contract/transfers.ts";
import {
  AddressBookFullError,
  type KeptAddress,
  KnownAddressError,
} from "../personal/withdrawal-addresses.ts";
import type { Identity } from "../reactive/executor.ts";
import { admitOwnChange, requireUser, requireWriter } from "./caller.ts";
import { confirmIdentity } from "./confirm-identity.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers } from "./handlers.ts";
import { invalidArgument } from "./refusals.ts";
import type { Services } from "./services.ts";
import { requireCoin, requireFunded } from "./transfer-rules.ts";

const HOUR_MS = 3_600_000;

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
  requireFunded(services, args.validUntil);
  const { code, label, memo, validUntil } = args;
  const coin = requireCoin(services.views, args.coin);
  const network = coin.definition.transfers?.networks.find((each) => each.code === args.network);
  if (network === undefined) {
    throw invalidArgument("network", `${args.coin} has no network of this code.`);
  }
  // Account numbers are printed in groups of four.
  const joined = args.address.replaceAll(/\s/g, "");
  const address = fitsPattern(args.address, network.addressPattern) ? args.address : joined;
  if (!fitsPattern(address, network.addressPattern)) {
    throw invalidArgument("address", `This is no address of ${network.name}; check it.`);
  }
  if (memo !== "" && !network.hasMemo) {
    throw invalidArgument("memo", `Addresses of ${network.name} have no memo.`);
  }
  await confirmIdentity(context, context.identity, code, validUntil);
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
export function requireUsable(services: Services, kept: KeptAddress): void {
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

export function unknownAddress(): FunctionError {
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
