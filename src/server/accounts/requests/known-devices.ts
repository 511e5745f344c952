/**
 * A browser in which a user signed in keeps a signed cookie that says so, and attempts from it are
 * counted apart from those of strangers (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"). So wrong passwords from elsewhere, which use up the account's own limit, do not lock
 * its owner out, and the cookie grants one more limit, not a way around it.
 *
 * A cookie is valid for one account in one state: an address not verified when it was issued may
 * have been another person's, and its owner may have signed up since.
 */
import { createHash, randomBytes } from "node:crypto";
import { createAuthMiddleware } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import { networkOf } from "../../limits/client-key.ts";
import type { Call } from "../library-calls.ts";
import { fieldOf } from "./fields.ts";
import { stateOf, type AccountState, type KnownAddresses } from "./known-addresses.ts";

const KEPT_SECONDS = 180 * 24 * 60 * 60;

/** What identifies a request as coming from an account's user. */
export interface KnownSource {
  /** Of the device; null if it is not known. */
  readonly device: string | null;
  /** The client's network; null if it is not known. */
  readonly network: string | null;
}

/** @param knownAddresses null if the network makes no difference */
export async function sourceOf(
  context: Call,
  email: string,
  knownAddresses: KnownAddresses | null,
): Promise<KnownSource> {
  const cookie = await cookieValueOf(context);
  const found = await context.context.internalAdapter.findUserByEmail(email.trim().toLowerCase());
  // Looked up even if there is no such account: the timing must not reveal which exist.
  const user = found?.user ?? { id: "", email, emailVerified: false };
  const address = addressOf(context);
  const isKnownAddress = (await knownAddresses?.isKnown(user, address)) ?? false;
  return {
    device: cookie !== null && cookie.digest === digestOf(user) ? cookie.device : null,
    network: isKnownAddress ? networkOf(address) : null,
  };
}

/**
 * Whose attempts a limit counts: those of strangers on an account, of one known device, or from one
 * known network.
 */
export function attemptsOn(email: string, { device, network }: KnownSource): string {
  const source = device ?? network;
  const account = email.trim().toLowerCase();
  // No address that an attacker sends can look like an address with a source.
  return JSON.stringify(source === null ? [account] : [account, source]);
}

export function knownDevices(knownAddresses: KnownAddresses): BetterAuthPlugin {
  return {
    id: "known-devices",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (context) => {
            const { newSession, secret } = context.context;
            // An impersonating administrator does not use the user's device.
            if (newSession === null || newSession === undefined) return;
            if (typeof fieldOf(newSession.session, "impersonatedBy") === "string") return;
            const digest = digestOf(newSession.user);
            const known = await cookieValueOf(context);
            const device =
              known?.digest === digest ? known.device : randomBytes(12).toString("base64url");
            const { name, attributes } = cookieOf(context);
            await context.setSignedCookie(name, `${device}.${digest}`, secret, attributes);
            await knownAddresses.remember(newSession.user, addressOf(context));
          }),
        },
      ],
    },
  };
}

/** The id of the device and its account; null without a cookie of ours. */
async function cookieValueOf(
  context: Call,
): Promise<{ readonly device: string; readonly digest: string } | null> {
  const { name } = cookieOf(context);
  const value = await context.getSignedCookie(name, context.context.secret);
  const [device = "", digest = ""] = typeof value === "string" ? value.split(".") : [];
  return device === "" ? null : { device, digest };
}

function cookieOf({ context }: Call) {
  return context.createAuthCookie("known_device", { maxAge: KEPT_SECONDS });
}

/** A digest: the cookie outlives the session, and must not reveal the user. */
function digestOf(user: AccountState): string {
  return createHash("sha256").update(stateOf(user)).digest("base64url");
}

function addressOf({ headers }: Call): string {
  return headers?.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}
