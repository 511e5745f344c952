/**
 * A browser in which somebody signed in keeps a signed cookie that says so, and attempts from it count
 * apart from those of strangers (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). So wrong
 * passwords from elsewhere, which fill the account's own limit, do not lock its owner out; and whoever has
 * the cookie has one limit more, no way around one.
 */
import { createHash, randomBytes } from "node:crypto";
import { createAuthMiddleware, type getSessionFromCtx } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { fieldOf } from "./fields.ts";

type Context = Parameters<typeof getSessionFromCtx>[0];

const KEPT_SECONDS = 180 * 24 * 60 * 60;

/** Whose attempts a limit counts: those of strangers on an address, or those of one known device. */
export async function attemptsOn(context: Context, email: string): Promise<string> {
  const device = await deviceOf(context, email);
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
            const { email } = newSession.user;
            const device =
              (await deviceOf(context, email)) ?? randomBytes(12).toString("base64url");
            const { name, attributes } = cookieOf(context);
            await context.setSignedCookie(name, `${device}.${digestOf(email)}`, secret, attributes);
          }),
        },
      ],
    },
  };
}

/** The id of the device, where somebody has signed in on it with that address; else null. */
async function deviceOf(context: Context, email: string): Promise<string | null> {
  const { name } = cookieOf(context);
  const value = await context.getSignedCookie(name, context.context.secret);
  const [device = "", digest] = typeof value === "string" ? value.split(".") : [];
  return device !== "" && digest === digestOf(email) ? device : null;
}

function cookieOf({ context }: Context) {
  return context.createAuthCookie("known_device", { maxAge: KEPT_SECONDS });
}

/** A digest: the cookie outlives the session, and must not tell who it was. */
function digestOf(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url");
}
