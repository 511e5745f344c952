/**
 * Passkeys. The device must always verify its user, which the library does not enforce. A passkey
 * is therefore two factors at once and needs no code. Changes to passkeys are recorded as security
 * events.
 */
import { passkey } from "@better-auth/passkey";
import { isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { z } from "zod";
import type { AuthParts } from "../auth-terms.ts";
import { onCalls, refusal, sessionOf, type AnsweredCall, type Call } from "../library-calls.ts";
import { textOf } from "../requests/fields.ts";
import { requireFresh } from "../sessions/fresh-session.ts";
import { passkeyHost } from "./passkey-host.ts";
import { clientOf, type NewSecurityEvent } from "../audit/security-events.ts";
import { trustedOrigins } from "../trusted-origins.ts";
import { flagOf } from "../../database/accounts-tables.ts";

const PASSKEYS_MAX = 20;
/** Twice as long as the longest that devices send: with the certificates of a TPM. */
const ATTESTATION_LENGTH_MAX = 16_384;

const ASK_TO_REGISTER = "/passkey/generate-register-options";
const REGISTER = "/passkey/verify-registration";
const ASK_TO_SIGN_IN = "/passkey/generate-authenticate-options";
const SIGN_IN = "/passkey/verify-authentication";
const LIST = "/passkey/list-user-passkeys";
const RENAME = "/passkey/update-passkey";
const REMOVE = "/passkey/delete-passkey";

const CHECKED_BEFORE = [ASK_TO_REGISTER, REGISTER, SIGN_IN, REMOVE];
const CHECKED_AFTER = [ASK_TO_SIGN_IN, REGISTER, SIGN_IN, LIST, RENAME, REMOVE];

/** Fields that the library reads without validation; it validates the others. */
const deviceAnswer = z.looseObject({
  // Adding a passkey requires a signed-in user.
  createSession: z.literal(false).optional(),
  response: z.looseObject({
    id: z.string().min(1).max(1400),
    response: z.looseObject({
      clientDataJSON: z.string(),
      // A hundred certificates that come with a passkey take a fifth of a second to read.
      attestationObject: z.string().max(ATTESTATION_LENGTH_MAX).optional(),
      transports: z.array(z.string().max(32)).max(8).optional(),
    }),
  }),
});

/** Whether a path below the base path is one of the calls about passkeys. */
export function isPasskeyPath(path: string): boolean {
  return path.startsWith("/passkey/");
}

export function passkeys(parts: AuthParts): BetterAuthPlugin[] {
  const { config, database, freshness, notify, publicUrl } = parts;
  const { record } = parts.securityEvents;
  const { read, write } = database;
  const removedNames = new WeakMap<Request, string>();

  function find(column: "id" | "credentialID", value: string) {
    return read
      .selectFrom("passkey")
      .innerJoin("user", "user.id", "passkey.userId")
      .where(`passkey.${column}`, "=", value)
      .select(["passkey.userId", "passkey.name", "user.emailVerified"])
      .executeTakeFirst();
  }

  /** Adds the time of the last sign-in to the library's rows. */
  async function withLastUse(rows: readonly { readonly id: string }[], userId: string) {
    const uses = await read
      .selectFrom("passkey")
      .where("userId", "=", userId)
      .select(["id", "lastUsedAtMs"])
      .execute();
    const lastUses = new Map(uses.map(({ id, lastUsedAtMs }) => [id, lastUsedAtMs]));
    return rows.map((row) => ({ ...row, lastUsedAtMs: lastUses.get(row.id) ?? null }));
  }

  function countOf(userId: string) {
    return read
      .selectFrom("passkey")
      .where("userId", "=", userId)
      .select(({ fn }) => fn.countAll<number>().as("count"));
  }

  /**
   * Removes a passkey that exceeds the limit: others may have been added since the count.
   * @throws APIError
   */
  async function requireRoomFor(id: string, userId: string): Promise<void> {
    const { numDeletedRows } = await write
      .deleteFrom("passkey")
      .where("id", "=", id)
      .where(countOf(userId), ">", PASSKEYS_MAX)
      .executeTakeFirst();
    if (numDeletedRows > 0n) throw tooMany();
  }

  /** @throws APIError for a signature that the library accepts but this exchange refuses */
  async function admit(credentialId: string, userVerified: boolean, counter: number) {
    requireVerifiedUser(userVerified);
    if (config.REQUIRE_EMAIL_VERIFICATION) {
      const found = await find("credentialID", credentialId);
      if (!flagOf(found?.emailVerified ?? null)) {
        throw refusal("FORBIDDEN", "EMAIL_NOT_VERIFIED", "Email not verified");
      }
    }
    const used = write
      .updateTable("passkey")
      .set({ counter, lastUsedAtMs: Date.now() })
      .where("credentialID", "=", credentialId);
    // A repeated count means a cloned key, even if both sign in at once; a device without a counter
    // always sends 0.
    const { numUpdatedRows } = await used
      .where("counter", counter === 0 ? "=" : "<", counter)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) {
      throw refusal("BAD_REQUEST", "AUTHENTICATION_FAILED", "Authentication failed");
    }
  }

  const library = passkey({
    rpID: passkeyHost(publicUrl),
    rpName: config.PRODUCT_NAME,
    origin: trustedOrigins(config, publicUrl),
    // The passkey is stored on the device with the user's id, so that users need not type an
    // address.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: ({ verification }) => {
        requireVerifiedUser(verification.registrationInfo?.userVerified ?? false);
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        const { credentialID, userVerified, newCounter } = verification.authenticationInfo;
        await admit(credentialID, userVerified, newCounter);
      },
    },
  });

  async function before(context: Call): Promise<void> {
    const { path } = context;
    if (path === REGISTER || path === SIGN_IN) requireDeviceAnswer(context.body);
    if (path === SIGN_IN) return;
    const session = await sessionOf(context);
    if (session === null) return; // The endpoint reports this error.
    // Also of the answers: any number may have been requested before the first of them.
    if (path === ASK_TO_REGISTER || path === REGISTER) {
      const { count } = await countOf(session.user.id).executeTakeFirstOrThrow();
      if (count < PASSKEYS_MAX) return;
      throw tooMany();
    }
    requireFresh(freshness, session.session);
    const found = await find("id", textOf(context.body, "id") ?? "");
    if (context.request !== undefined && found !== undefined) {
      removedNames.set(context.request, found.name ?? "");
    }
  }

  async function after(context: AnsweredCall) {
    const { path, body } = context;
    const { returned, session } = context.context;
    const recordFor = (
      userId: string | undefined,
      kind: NewSecurityEvent["kind"],
      detail?: string,
    ) => {
      if (userId !== undefined) record({ ...clientOf(context), userId, kind, detail });
    };
    if (isAPIError(returned)) {
      if (path === SIGN_IN) {
        const found = await find("credentialID", textOf(body?.response, "id") ?? "");
        recordFor(found?.userId, "passkeyRefused", found?.name ?? undefined);
      }
      return undefined;
    }
    if (path === LIST && session !== null) {
      return context.json(
        await withLastUse(returned as { readonly id: string }[], session.user.id),
      );
    }
    if (path === ASK_TO_SIGN_IN) {
      return context.json({ ...(returned as object), userVerification: "required" });
    }
    if (path === REGISTER) {
      const { id, userId } = returned as { readonly id: string; readonly userId: string };
      await requireRoomFor(id, userId);
      recordFor(session?.user.id, "passkeyAdded", textOf(body, "name") || undefined);
      if (session !== null) notify("passkeyAdded", session.user);
    }
    if (path === RENAME) recordFor(session?.user.id, "passkeyRenamed", textOf(body, "name"));
    if (path === REMOVE) {
      const name = context.request === undefined ? undefined : removedNames.get(context.request);
      recordFor(session?.user.id, "passkeyRemoved", name || undefined);
    }
    return undefined;
  }

  return [
    library,
    {
      id: "passkey-guard",
      hooks: {
        before: [onCalls(CHECKED_BEFORE, before)],
        after: [onCalls(CHECKED_AFTER, after)],
      },
    },
  ];
}

/** @throws APIError for a body that the library cannot read */
function requireDeviceAnswer(body: unknown): void {
  const parsed = deviceAnswer.safeParse(body);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  const message = `[body.${issue.path.join(".")}] ${issue.message}`;
  throw refusal("BAD_REQUEST", "VALIDATION_ERROR", message);
}

function tooMany() {
  const message = `You have ${PASSKEYS_MAX} passkeys, and there can be no more. Remove one first.`;
  return refusal("BAD_REQUEST", "TOO_MANY_PASSKEYS", message);
}

function requireVerifiedUser(isVerified: boolean): void {
  if (isVerified) return;
  const message =
    "Your device did not check that it is you. Unlock it with a PIN, face or fingerprint.";
  throw refusal("UNAUTHORIZED", "PASSKEY_USER_NOT_VERIFIED", message);
}
