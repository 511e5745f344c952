import {
  API_KEY_PERMISSIONS,
  type ApiKey,
  type ApiKeyPermission,
  type ApiKeys as ListedApiKeys,
} from "#contract/api-keys.ts";
import { AddressRangeError, AddressRanges } from "../api-keys/address-ranges.ts";
import { type ApiKeys, TooManyApiKeysError } from "../api-keys/api-keys.ts";
import { PublicKeyError, parsePublicKey } from "../api-keys/ed25519-public-key.ts";
import type { ApiKeyRecord, KeyTerms } from "../api-keys/key-store.ts";
import type { Identity } from "../reactive/executor.ts";
import { admitOwnChange, followAccount, requireUser, requireWriter } from "./caller.ts";
import { confirmIdentity } from "./confirm-identity.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers } from "./handlers.ts";
import { invalidArgument } from "./refusals.ts";
import type { Services } from "./services.ts";

export const list: Handlers["apiKeys"]["list"] = (context): ListedApiKeys | null => {
  const userId = requireUser(context);
  const { apiKeys, commandRates } = context.services;
  context.dependsOn(`apiKeys:${userId}`);
  // The plan determines the limit of keys.
  followAccount(context);
  const records = apiKeys.read(userId);
  if (records === undefined) return null;
  return {
    keys: records.map((record) => presentKey(apiKeys, record)),
    keysMax: commandRates.limitsOfUser(userId).apiKeysMax,
  };
};

export const create: Handlers["apiKeys"]["create"] = async (context, args) => {
  requireWriter(context.identity);
  const { code, kind, name, publicKey } = args;
  const { apiKeys, commandRates } = context.services;
  const userId = context.identity.subject;
  const terms = { ...termsOf(context.services, args), name, userId };
  const wanted = { ...terms, ...signatureOf(kind, publicKey) };
  await confirmIdentity(context, context.identity, code);
  try {
    const { record, secret } = await apiKeys.create(wanted);
    await recordEvent(context.services, context.identity, "apiKeyCreated", record);
    return { key: presentKey(apiKeys, record), secret };
  } catch (error) {
    if (!(error instanceof TooManyApiKeysError)) throw error;
    const { apiKeysMax, name: plan } = commandRates.limitsOfUser(userId);
    const message = `Your plan (${plan}) allows ${apiKeysMax} API keys; revoke one first.`;
    throw new FunctionError({ code: "limitReached", message });
  }
};

export const rename: Handlers["apiKeys"]["rename"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  requireWriter(context.identity);
  const { accounts, apiKeys } = context.services;
  const record = await apiKeys.change(userId, args.keyId, { name: args.name });
  if (record === undefined) throw unknownKey();
  await accounts.recordOwnChange(context.identity, "apiKeyRenamed", { detail: record.name });
  return presentKey(apiKeys, record);
};

export const restrict: Handlers["apiKeys"]["restrict"] = async (context, args) => {
  requireWriter(context.identity);
  const { apiKeys } = context.services;
  const terms = termsOf(context.services, args);
  await confirmIdentity(context, context.identity, args.code);
  const record = await apiKeys.change(context.identity.subject, args.keyId, terms);
  if (record === undefined) throw unknownKey();
  await recordEvent(context.services, context.identity, "apiKeyChanged", record);
  return presentKey(apiKeys, record);
};

export const setFaults: Handlers["apiKeys"]["setFaults"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  requireWriter(context.identity);
  const { apiKeys } = context.services;
  const record = await apiKeys.ownKey(userId, args.keyId);
  if (record === undefined) throw unknownKey();
  apiKeys.faults.set(record, args);
  return presentKey(apiKeys, record);
};

export const revoke: Handlers["apiKeys"]["revoke"] = async (context, { keyId, validUntil }) => {
  const userId = admitOwnChange(context, validUntil);
  requireWriter(context.identity);
  const { accounts, apiKeys } = context.services;
  const record = await apiKeys.revoke(userId, keyId);
  if (record === undefined) throw unknownKey();
  await accounts.recordOwnChange(context.identity, "apiKeyRevoked", { detail: record.name });
  return null;
};

async function recordEvent(
  { accounts }: Services,
  identity: Identity,
  kind: "apiKeyCreated" | "apiKeyChanged",
  { addressRanges, expiresAtMs, name, permissions }: ApiKeyRecord,
): Promise<void> {
  const words = [`${name} (${permissions.join(", ")})`];
  if (addressRanges.length > 0) words.push(`only from ${addressRanges.join(", ")}`);
  if (expiresAtMs !== null)
    words.push(`until ${new Date(expiresAtMs).toISOString().slice(0, 16)}Z`);
  await accounts.recordOwnChange(identity, kind, { detail: words.join(", "), notice: kind });
}

interface TermArgs {
  readonly permissions: readonly (ApiKeyPermission | "withdraw")[];
  readonly addressRanges: readonly string[];
  readonly expiresAt: number | null;
}

/** @throws FunctionError `invalidArgument` */
function termsOf({ views }: Services, args: TermArgs): Omit<KeyTerms, "name"> {
  const { addressRanges, expiresAt, permissions } = args;
  if (permissions.includes("withdraw")) {
    throw invalidArgument("permissions", "No key can be permitted to withdraw yet.");
  }
  if (!permissions.includes("read")) {
    throw invalidArgument(
      "permissions",
      'permissions must include "read": it is part of every key.',
    );
  }
  try {
    void new AddressRanges(addressRanges);
  } catch (error) {
    if (!(error instanceof AddressRangeError)) throw error;
    throw invalidArgument("addressRanges", error.message);
  }
  if (expiresAt !== null && expiresAt <= views.nowMs()) {
    throw invalidArgument("expiresAt", "expiresAt has passed; choose a later moment.");
  }
  return {
    permissions: API_KEY_PERMISSIONS.filter((permission) => permissions.includes(permission)),
    addressRanges: [...new Set(addressRanges)],
    expiresAtMs: expiresAt,
  };
}

/** @throws FunctionError `invalidArgument` */
function signatureOf(kind: "hmac" | "ed25519", publicKey: string | undefined) {
  if (kind === "hmac") {
    if (publicKey === undefined) return { kind };
    throw invalidArgument(
      "publicKey",
      "An HMAC key has no publicKey: the server makes its secret.",
    );
  }
  if (publicKey === undefined) {
    throw invalidArgument("publicKey", "publicKey is required for an Ed25519 key.");
  }
  try {
    return { kind, publicKey: parsePublicKey(publicKey) };
  } catch (error) {
    if (!(error instanceof PublicKeyError)) throw error;
    throw invalidArgument("publicKey", error.message);
  }
}

function unknownKey(): FunctionError {
  const message = "You have no such API key.";
  return new FunctionError({ code: "notFound", field: "keyId", message });
}

function presentKey(apiKeys: ApiKeys, record: ApiKeyRecord): ApiKey {
  const { lastUse } = record;
  return {
    keyId: record.id,
    name: record.name,
    apiKey: record.apiKey,
    kind: record.kind,
    permissions: record.permissions,
    addressRanges: record.addressRanges,
    createdAt: record.createdAtMs,
    expiresAt: record.expiresAtMs,
    lastUse: lastUse === null ? null : { at: lastUse.atMs, address: lastUse.address },
    faults: apiKeys.faults.of(record.id) ?? null,
    readable: apiKeys.isReadable(record),
  };
}
