/**
 * Holds a new session back until the second factor has been checked. The authentication library
 * does so only after a password; here every call that creates a session for a user with a second
 * factor is held back, except those that have verified as much.
 */
import { createAuthMiddleware, isAPIError } from "better-auth/api";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { fieldOf } from "../requests/fields.ts";
import { clientOf, type SecurityEvents } from "../audit/security-events.ts";

/** Where a redirected browser enters the code; the query names the page to continue to. */
const PAGE = "/two-factor";

const EXEMPT_CALLS: ReadonlySet<string> = new Set([
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
  // The device has verified its user, which is a second factor in itself.
  "/passkey/verify-authentication",
  // These calls replace an existing session with a new one.
  "/two-factor/disable",
  "/change-password",
  // The administrator has already verified their identity.
  "/admin/impersonate-user",
]);
const CONTINUING_CALLS: ReadonlySet<string> = new Set([
  "/two-factor/verify-totp",
  "/two-factor/disable",
  "/change-password",
]);

type Hooks = NonNullable<BetterAuthPlugin["hooks"]>;
type Hook = NonNullable<Hooks["after"]>[number];
type DatabaseHooks = NonNullable<BetterAuthOptions["databaseHooks"]>;
export type HookContext = Parameters<
  NonNullable<NonNullable<NonNullable<DatabaseHooks["session"]>["create"]>["after"]>
>[1];

/** The state of a request that has created a session. */
interface Passage {
  /** Whether the code has yet to be checked. */
  readonly isHeld: Promise<boolean>;
  /** The URL to which the call would have redirected the browser. */
  leadsTo?: string;
}

export interface HeldSessions {
  readonly databaseHooks: DatabaseHooks;
  readonly after: Hook[];
  /** Whether a session created by this call completes a sign-in. */
  readonly isSignIn: (userId: string, context: HookContext) => Promise<boolean>;
}

/** @param holdBack the library's hook, which withdraws the session and begins the second step */
export function createHeldSessions(
  holdBack: Hook["handler"],
  record: SecurityEvents["record"],
): HeldSessions {
  // Keyed by the library's context of a call, which database hooks receive too.
  const passages = new WeakMap<object, Passage>();
  const passageOf = ({ context }: { readonly context: object }) => passages.get(context);

  /**
   * Called after the session has been written: enabling the second factor ends all sessions that
   * exist then.
   */
  function isHeld(userId: string, context: NonNullable<HookContext>): Promise<boolean> {
    if (EXEMPT_CALLS.has(context.path)) return Promise.resolve(false);
    const known = passageOf(context);
    if (known !== undefined) return known.isHeld;
    const passage: Passage = {
      isHeld: context.context.internalAdapter.findUserById(userId).then(hasSecondFactor),
    };
    passages.set(context.context, passage);
    return passage.isHeld;
  }

  return {
    databaseHooks: {
      session: {
        create: {
          before: async (_session, context) => {
            const current = context?.path === "/change-password" ? context.context.session : null;
            if (current === null || !hasSecondFactor(current.user)) return undefined;
            // A password alone does not make a session fresh, because a fresh session could disable
            // the second factor.
            return { data: { createdAt: current.session.createdAt } };
          },
          after: async ({ userId }, context) => {
            if (context !== null) await isHeld(userId, context);
          },
        },
      },
    },
    after: [
      {
        matcher: (context) => passageOf(context) !== undefined,
        handler: createAuthMiddleware(async (context) => {
          const { newSession, returned } = context.context;
          const passage = passageOf(context);
          if (newSession === null || !(await passage?.isHeld)) return;
          // Set explicitly: the call may have read the user before the second factor was enabled.
          const user = { ...newSession.user, twoFactorEnabled: true };
          context.context.setNewSession({ ...newSession, user });
          if (!isAPIError(returned) || Math.floor(returned.statusCode / 100) !== 3) return;
          const location = new Headers(returned.headers).get("location");
          if (passage !== undefined && location !== null) passage.leadsTo = location;
        }),
      },
      {
        matcher: (context) =>
          passageOf(context) !== undefined && hasSecondFactor(context.context.newSession?.user),
        handler: holdBack,
      },
      {
        matcher: (context) => passageOf(context) !== undefined,
        handler: createAuthMiddleware(async (context) => {
          const passage = passageOf(context);
          if (!(await passage?.isHeld)) return undefined;
          const { newSession } = context.context;
          if (newSession !== null) {
            const detail = "on a device that was trusted before";
            record({ ...clientOf(context), userId: newSession.user.id, kind: "signedIn", detail });
            return undefined;
          }
          if (passage?.leadsTo === undefined) return undefined;
          const path = encodeURIComponent(pathOf(passage.leadsTo, context.context.baseURL));
          throw context.redirect(`${PAGE}?redirect=${path}`);
        }),
      },
    ],
    async isSignIn(userId, context) {
      if (context === null) return true;
      const isContinued = context.context.session?.user.id === userId;
      if (isContinued && CONTINUING_CALLS.has(context.path)) return false;
      return !(await isHeld(userId, context));
    },
  };
}

export function hasSecondFactor(user: unknown): boolean {
  return fieldOf(user, "twoFactorEnabled") === true;
}

/** The path on this site that a URL points to. */
function pathOf(url: string, base: string): string {
  const { pathname, search, hash } = new URL(url, base);
  // A path with two leading slashes would be another site.
  return /^\/(?!\/)/.test(pathname) ? `${pathname}${search}${hash}` : "/";
}
