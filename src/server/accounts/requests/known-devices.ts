/**
 * A browser in which a user signed in keeps a signed cookie that says so, and attempts from it count
 * apart from those of strangers (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). So wrong
 * passwords from elsewhere, which fill the account's own limit, do not lock its owner out, and the cookie
 * gives one limit more, no way around one.
 *
 * A cookie is good for one account in one state: an address that was not proven when it was given may
 * have been another person's, and its owner may have come since.
 */
import { createHash, randomBytes } from "node:crypto";
import { createAuthMiddleware, type getSessionFromCtx } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { fieldOf } from "./fields.ts";

type Context = Parameters<typeof getSessionFromCtx>[0];

const KEPT_SECONDS = 180 * 24 * 60 * 60;

/** The device of the request, if the user of this address has signed in on it; else null. */
export async function knownDeviceOf(context: Context, email: string): Promise<string | null> {
  const cookie = await cookieValueOf(context);
  if (cookie === null) return null;
  const found = await context.context.internalAdapter.findUserByEmail(email.trim().toLowerCase());
  if (found === null || cookie.digest !== digestOf(found.user)) return null;
  return cookie.device;
}

/** Whose attempts a limit counts: those of strangers on an address, or those of one known device. */
export function attemptsOn(email: string, device: string | null): string {
  return device === null ? email : `${email} ${device}`;
}

export function knownDevices(): BetterAuthPlugin {
  return {
    id: "known-devices",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (context) => {
            const { newSession, secret } = context.context;
            // An administrator who looks through a user's eyes is not that user's device.
            if (newSession === null || newSession === undefined) return;
            if (typeof fieldOf(newSession.session, "impersonatedBy") === "string") return;
            const digest = digestOf(newSession.user);
            const known = await cookieValueOf(context);
            const device =
              known?.digest === digest ? known.device : randomBytes(12).toString("base64url");
            const { name, attributes } = cookieOf(context);
            await context.setSignedCookie(name, `${device}.${digest}`, secret, attributes);
          }),
        },
      ],
    },
  };
}

/** The id of the device and for which account it is known; null without a cookie of ours. */
async function cookieValueOf(
  context: Context,
): Promise<{ readonly device: string; readonly digest: string } | null> {
  const { name } = cookieOf(context);
  const value = await context.getSignedCookie(name, context.context.secret);
  const [device = "", digest = ""] = typeof value === "string" ? value.split(".") : [];
  return device === "" ? null : { device, digest };
}

function cookieOf({ context }: Context) {
  return context.createAuthCookie("known_device", { maxAge: KEPT_SECONDS });
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** A digest: the cookie outlives the session, and must not tell who it was. */
function digestOf({ id, email, emailVerified }: Account): string {
  const state = emailVerified ? "proven" : "unproven";
  return createHash("sha256")
    .update(JSON.stringify([id, email.toLowerCase(), state]))
    .digest("base64url");
}
