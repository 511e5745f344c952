/**
 * Holds a new session back until the second factor is given. The authentication library does so
 * after a password only; here every call that makes a session for somebody with a second factor is
 * held back, but for those that are known to prove as much.
 */
import { createAuthMiddleware, isAPIError } from "better-auth/api";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { fieldOf } from "../requests/fields.ts";
import { placeOf, type SecurityEvents } from "../record/security-events.ts";

/** Where a browser that was redirected gives the code; the query names the page to go on to. */
const PAGE = "/two-factor";

const PROVEN_BY: ReadonlySet<string> = new Set([
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
  // The device has verified its user: it is a second factor in itself.
  "/passkey/verify-authentication",
  // These put a new session in the place of one that there is.
  "/two-factor/disable",
  "/change-password",
  // The admin has proven to be the admin.
  "/admin/impersonate-user",
]);
const CONTINUED_BY: ReadonlySet<string> = new Set([
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

/** What is known of a request that made a session. */
interface Passage {
  /** Whether the code is still to be given. */
  readonly isHeld: Promise<boolean>;
  /** Where the browser was to go. */
  leadsTo?: string;
}

export interface HeldSessions {
  readonly databaseHooks: DatabaseHooks;
  readonly after: Hook[];
  /** Whether a session that this call made completes a sign-in. */
  readonly isSignIn: (userId: string, context: HookContext) => Promise<boolean>;
}

/** @param holdBack the library's hook, which takes the session back and begins the second step */
export function createHeldSessions(
  holdBack: Hook["handler"],
  record: SecurityEvents["record"],
): HeldSessions {
  // By the library's own state of a call, which the hooks of the database see too.
  const passages = new WeakMap<object, Passage>();
  const passageOf = ({ context }: { readonly context: object }) => passages.get(context);

  /** Asked once the session is written: switching it on ends every session that is found then. */
  function isHeld(userId: string, context: NonNullable<HookContext>): Promise<boolean> {
    if (PROVEN_BY.has(context.path)) return Promise.resolve(false);
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
            // A password alone makes no session fresh: it could then switch the second factor off.
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
          // As it is now: the call may have read the user before the second factor was switched on.
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
            record({ ...placeOf(context), userId: newSession.user.id, kind: "signedIn", detail });
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
      if (isContinued && CONTINUED_BY.has(context.path)) return false;
      return !(await isHeld(userId, context));
    },
  };
}

export function hasSecondFactor(user: unknown): boolean {
  return fieldOf(user, "twoFactorEnabled") === true;
}

/** The page of this site that an address names. */
function pathOf(address: string, base: string): string {
  const { pathname, search, hash } = new URL(address, base);
  // Two slashes would be another site.
  return /^\/(?!\/)/.test(pathname) ? `${pathname}${search}${hash}` : "/";
}
