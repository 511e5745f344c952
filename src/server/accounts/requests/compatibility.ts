/**
 * Keeps this exchange's interface stable across versions of the authentication library: existing
 * paths and request bodies stay valid. restored-answers.ts does the same for answers. The library's
 * own new bodies are accepted too, so that its client works.
 */
import { z } from "zod";
import type { BetterAuthPlugin } from "better-auth";
import { deleteSessionCookie } from "better-auth/cookies";
import {
  accountInfo,
  changeEmail,
  createAuthEndpoint,
  deleteUser,
  getAccessToken,
  getSessionFromCtx,
  isAPIError,
  refreshToken,
  requestPasswordReset,
  sensitiveSessionMiddleware,
  sessionMiddleware,
  unlinkAccount,
} from "better-auth/api";
import { refusal, type Call } from "../library-calls.ts";
import type { AuthParts } from "../auth-terms.ts";
import { requireFreshToDelete } from "../sessions/fresh-session.ts";

/**
 * Selects a linked account by its provider and the provider's id for it, by either, or by its row's
 * id. `userId` is for calls inside the server; over HTTP only the session identifies the owner.
 */
const accountSelection = z
  .object({
    providerId: z.string().optional(),
    accountId: z.string().optional(),
    userId: z.string().optional(),
  })
  .refine(({ providerId, accountId }) => providerId !== undefined || accountId !== undefined, {
    message: "providerId or accountId is required",
  });

type Selection = z.output<typeof accountSelection>;

/**
 * The row's id. @throws APIError 401 without a session, 400 ACCOUNT_NOT_FOUND for a row of another
 * user
 */
async function rowIdOf(context: Call, selection: Selection): Promise<string> {
  const session = await getSessionFromCtx(context, { disableCookieCache: true });
  const fromOutside = context.request !== undefined || context.headers !== undefined;
  const userId = session?.user.id ?? (fromOutside ? undefined : selection.userId);
  if (userId === undefined) throw refusal("UNAUTHORIZED", "UNAUTHORIZED", "Unauthorized");
  const accounts = await context.context.internalAdapter.findAccounts(userId);
  const { providerId, accountId } = selection;
  const found = accounts.find(
    (account) =>
      (providerId === undefined || account.providerId === providerId) &&
      (accountId === undefined || [account.id, account.accountId].includes(accountId)),
  );
  if (found === undefined) {
    throw refusal("BAD_REQUEST", "ACCOUNT_NOT_FOUND", "Account not found");
  }
  return found.id;
}

/**
 * Like `rowIdOf`, for requests for a provider's tokens.
 * @throws APIError like `rowIdOf`, but 400 PROVIDER_NOT_SUPPORTED if no account is found and its
 * provider is not configured
 */
async function rowIdForTokens(context: Call, selection: Selection): Promise<string> {
  try {
    return await rowIdOf(context, selection);
  } catch (error) {
    const { providerId } = selection;
    const isNotFound = isAPIError(error) && error.body?.code === "ACCOUNT_NOT_FOUND";
    if (!isNotFound || providerId === undefined || isSupported(context, providerId)) throw error;
    const message = `Provider ${providerId} is not supported`;
    throw refusal("BAD_REQUEST", "PROVIDER_NOT_SUPPORTED", message);
  }
}

function isSupported({ context }: Call, providerId: string): boolean {
  return providerId === "credential" || context.socialProviders.some(({ id }) => id === providerId);
}

/** Clears the cookies, because an endpoint called internally sets none. */
function withoutDeletedSession<Answer extends { message: string }>(
  context: Call,
  answer: Answer,
): Answer {
  if (answer.message === "User deleted") deleteSessionCookie(context);
  return answer;
}

const INTERNAL_CALL = { asResponse: false, returnHeaders: false, returnStatus: false } as const;

const resetRequest = z.object({ email: z.email(), redirectTo: z.string().optional() });

/**
 * Content and timing of the answer do not depend on whether the address is taken: it waits for
 * nothing.
 */
async function askForReset(context: Call & { readonly body: z.output<typeof resetRequest> }) {
  // A refusal in the background would go unnoticed.
  if (context.context.options.emailAndPassword?.sendResetPassword === undefined) {
    throw refusal("BAD_REQUEST", "RESET_PASSWORD_DISABLED", "Reset password isn't enabled");
  }
  context.context.runInBackground(requestPasswordReset({ ...context, ...INTERNAL_CALL }));
  return {
    status: true,
    message: "If this email exists in our system, check your email for the reset link",
  };
}

export function compatibility({ config, freshness }: AuthParts) {
  return {
    id: "compatibility",
    endpoints: {
      forgetPassword: createAuthEndpoint(
        "/forget-password",
        { method: "POST", body: resetRequest },
        askForReset,
      ),
      // These endpoints replace the library's of the same name.
      requestPasswordReset: createAuthEndpoint(
        "/request-password-reset",
        { method: "POST", body: resetRequest },
        askForReset,
      ),
      changeEmail: createAuthEndpoint(
        "/change-email",
        {
          method: "POST",
          body: z.object({ newEmail: z.email(), callbackURL: z.string().optional() }),
          use: [sensitiveSessionMiddleware],
        },
        async (context) => {
          const { user } = context.context.session;
          const { options: given } = context.context;
          // A user without a verified address is mailed a verification instead of a confirmation.
          const { emailVerification } = given;
          const expiresIn = user.emailVerified
            ? config.CHANGE_EMAIL_LINK_MINUTES * 60
            : emailVerification?.expiresIn;
          const options = { ...given, emailVerification: { ...emailVerification, expiresIn } };
          return changeEmail({
            ...context,
            ...INTERNAL_CALL,
            context: { ...context.context, options },
          });
        },
      ),
      deleteUser: createAuthEndpoint(
        "/delete-user",
        {
          method: "POST",
          body: z.object({
            callbackURL: z.string().optional(),
            password: z.string().optional(),
            token: z.string().optional(),
          }),
          use: [sensitiveSessionMiddleware],
        },
        async (context) => {
          const { password, token, callbackURL } = context.body;
          const mailed =
            token !== undefined || (password === undefined && callbackURL !== undefined);
          if (mailed)
            return withoutDeletedSession(
              context,
              await deleteUser({ ...context, ...INTERNAL_CALL }),
            );
          if (password === undefined || password === "") {
            requireFreshToDelete(freshness, context.context.session.session);
          }
          // Where the library would mail a link, the password or a fresh session is enough.
          const { options: given } = context.context;
          const { sendDeleteAccountVerification: _, ...direct } = given.user?.deleteUser ?? {};
          const answer = await deleteUser({
            ...context,
            ...INTERNAL_CALL,
            context: {
              ...context.context,
              options: { ...given, user: { ...given.user, deleteUser: direct } },
            },
          });
          return withoutDeletedSession(context, answer);
        },
      ),
      unlinkAccount: createAuthEndpoint(
        "/unlink-account",
        { method: "POST", body: accountSelection, use: [sessionMiddleware] },
        async (context) => {
          // Refuses to remove the last linked account before checking which one is selected.
          const { user } = context.context.session;
          const { account } = context.context.options;
          const accounts = await context.context.internalAdapter.findAccounts(user.id);
          const isRefused =
            accounts.length === 1 && account?.accountLinking?.allowUnlinkingAll !== true;
          const accountId = isRefused ? "" : await rowIdOf(context, context.body);
          return unlinkAccount({ ...context, ...INTERNAL_CALL, body: { accountId } });
        },
      ),
      getAccessToken: createAuthEndpoint(
        "/get-access-token",
        { method: "POST", body: accountSelection },
        async (context) => {
          const accountId = await rowIdForTokens(context, context.body);
          const { userId } = context.body;
          return getAccessToken({ ...context, ...INTERNAL_CALL, body: { accountId, userId } });
        },
      ),
      refreshToken: createAuthEndpoint(
        "/refresh-token",
        { method: "POST", body: accountSelection },
        async (context) => {
          const accountId = await rowIdForTokens(context, context.body);
          const { userId } = context.body;
          return refreshToken({ ...context, ...INTERNAL_CALL, body: { accountId, userId } });
        },
      ),
      // The library now uses GET for this call, which remains available.
      accountInfoByPost: createAuthEndpoint(
        "/account-info",
        { method: "POST", body: accountSelection },
        async (context) => {
          const accountId = await rowIdOf(context, context.body);
          const query = { accountId };
          return accountInfo({
            ...context,
            ...INTERNAL_CALL,
            method: "GET",
            body: undefined,
            query,
          });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
