/**
 * Limits attempts on one user from all addresses: password guesses, and mails requested in the
 * user's name.
 *
 * Wrong passwords from unknown devices close sign-in for unknown devices for a while. The owner may
 * be using a new device, so while closed one password per network and day is still checked, up to a
 * total. A correct password signs in. A wrong one gets the same answer as while closed, so an
 * attacker cannot tell that it was checked.
 *
 * A mailbox that has reached its limit gets no more mail, and the answer does not change: the
 * earlier mails are still valid.
 */
import { isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import { networkOf, siteOf } from "../../limits/client-key.ts";
import { onCalls, sessionOf, type Call } from "../library-calls.ts";
import type { PasswordHashing } from "../passwords/password-hashing.ts";
import { tooManyAttempts, type AccountLimit, type LimitedAttempt } from "./account-limit.ts";
import { fieldOf } from "./fields.ts";
import type { KnownAddresses } from "./known-addresses.ts";
import { attemptsOn, sourceOf } from "./known-devices.ts";

/** Calls that send a mail to an address in the request. */
export const MAIL_PATHS: ReadonlySet<string> = new Set([
  "/request-password-reset",
  "/forget-password",
  "/send-verification-email",
]);

/**
 * Each kind of mail is counted separately: others cannot use up the kinds that only the user can
 * request.
 */
type MailKind = Extract<LimitedAttempt, `${string}Mail`>;

/**
 * Counts a mail to an address, whichever call sends it.
 * @param accountLimit null if limits are disabled
 * @param purpose mails of the kind with other purposes are counted apart
 * @returns whether to send it
 */
export async function mayMail(
  accountLimit: AccountLimit | null,
  kind: MailKind,
  { email }: { readonly email: string },
  purpose = "",
): Promise<boolean> {
  if (accountLimit === null) return true;
  const ofStrangers = attemptsOn(email, { device: null, network: null });
  return (await accountLimit.attempt(kind, `${purpose}${ofStrangers}`)) === null;
}

/** The site of a sign-up: an IPv4 address, or the 48-bit prefix of an IPv6 address. */
export function signUpSiteOf(headers: Headers | undefined): string {
  return siteOf(headers?.get(CLIENT_ADDRESS_HEADER) ?? "unknown");
}

export function attemptGuard(
  accountLimit: AccountLimit,
  hashing: Pick<PasswordHashing, "recognize">,
  knownAddresses: KnownAddresses,
): BetterAuthPlugin {
  /**
   * Seconds until a closed sign-in may be retried, by the request whose password is being checked.
   */
  const closedWaitSeconds = new WeakMap<Request, number>();

  async function beforeSignIn(context: Call): Promise<void> {
    const email = fieldOf(context.body, "email");
    if (typeof email !== "string") return;
    const source = await sourceOf(context, email, knownAddresses);
    const waitSeconds = await accountLimit.attempt("signIn", attemptsOn(email, source));
    if (waitSeconds !== null) {
      const isStranger = source.device === null && source.network === null;
      const { request } = context;
      if (request === undefined || !isStranger || !(await checksWhileClosed(context, email))) {
        throw tooManyAttempts(waitSeconds);
      }
      closedWaitSeconds.set(request, waitSeconds);
    }
    if (source.device !== null) hashing.recognize(source.device);
  }

  /** Whether one more password from an unknown device is checked although sign-in is closed. */
  async function checksWhileClosed(context: Call, email: string): Promise<boolean> {
    const network = networkOf(context.headers?.get(CLIENT_ADDRESS_HEADER) ?? "unknown");
    const ofNetwork = attemptsOn(email, { device: null, network });
    if ((await accountLimit.attempt("closedSignInOfNetwork", ofNetwork)) !== null) return false;
    const ofAll = attemptsOn(email, { device: null, network: null });
    return (await accountLimit.attempt("closedSignIn", ofAll)) === null;
  }

  async function beforeSignUp({ headers }: Call): Promise<void> {
    // Counted once the user exists: invalid requests must not prevent sign-ups of the same site.
    const waitSeconds = await accountLimit.waitSeconds("signUpOfSite", signUpSiteOf(headers));
    if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
  }

  /** Signed-in users get an error when no more mail is sent; for all others the answers are the same. */
  async function beforeMail(context: Call): Promise<void> {
    const session = await sessionOf(context);
    if (session === null) return;
    const waitSeconds = await accountLimit.attempt("askedMail", session.user.id);
    if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
  }

  return {
    id: "attempt-guard",
    hooks: {
      before: [
        onCalls(["/sign-in/email"], beforeSignIn),
        onCalls(["/sign-up/email"], beforeSignUp),
        onCalls(MAIL_PATHS, beforeMail),
      ],
      after: [
        onCalls(["/sign-in/email"], async (context) => {
          const { newSession, returned } = context.context;
          const waitSeconds = context.request && closedWaitSeconds.get(context.request);
          if (waitSeconds !== undefined && isAPIError(returned) && returned.statusCode === 401) {
            throw tooManyAttempts(waitSeconds);
          }
          const email = fieldOf(context.body, "email");
          if (typeof email !== "string" || newSession === null) return;
          const source = await sourceOf(context, email, knownAddresses);
          await accountLimit.clear("signIn", attemptsOn(email, source));
        }),
      ],
    },
  };
}
