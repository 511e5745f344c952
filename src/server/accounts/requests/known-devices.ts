/**
 * Recognizes browsers in which a user has signed in by a signed cookie, and counts their attempts
 * apart from those of unknown devices (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"). Wrong passwords from elsewhere, which use up the user's own limit, therefore do not lock
 * the owner out, and the cookie grants one more limit, not a way around it.
 *
 * A cookie is valid for one user in one state: an address that was unverified when the cookie was
 * issued may have been another person's, and its owner may have signed up since.
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

/** The attributes that identify a request as coming from the user. */
export interface KnownSource {
  /** The id of the device; null if the device is unknown. */
  readonly device: string | null;
  /** The client's network; null if the network is unknown. */
  readonly network: string | null;
}

/** @param knownAddresses null if networks are not distinguished */
export async function sourceOf(
  context: Call,
  email: string,
  knownAddresses: KnownAddresses | null,
): Promise<KnownSource> {
  const cookie = await cookieValueOf(context);
  const found = await context.context.internalAdapter.findUserByEmail(email.trim().toLowerCase());
  // Looked up even if there is no such user: the timing must not reveal who exists.
  const user = found?.user ?? { id: "", email, emailVerified: false };
  const address = addressOf(context);
  const isKnownAddress = (await knownAddresses?.isKnown(user, address)) ?? false;
  return {
    device: cookie !== null && cookie.digest === digestOf(user) ? cookie.device : null,
    network: isKnownAddress ? networkOf(address) : null,
  };
}

/**
 * The key under which attempts are counted: those on a user by unknown clients, of one known device,
 * or from one known network.
 */
export function attemptsOn(email: string, { device, network }: KnownSource): string {
  const source = device ?? network;
  const account = email.trim().toLowerCase();
  // As JSON, so that no address sent by an attacker is mistaken for an address with a source.
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
            // An impersonating administrator is not using the user's device.
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

/** The id of the device and the digest of its user; null without a valid cookie. */
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

/** A digest, because the cookie outlives the session and must not reveal the user. */
function digestOf(user: AccountState): string {
  return createHash("sha256").update(stateOf(user)).digest("base64url");
}

function addressOf({ headers }: Call): string {
  return headers?.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}
