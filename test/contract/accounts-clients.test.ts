/** Better Auth's own clients, unchanged, for everything that they offer of what is switched on here. */
import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient as createPlainClient } from "better-auth/client";
import {
  adminClient,
  inferAdditionalFields,
  jwtClient,
  oneTimeTokenClient,
  twoFactorClient,
} from "better-auth/client/plugins";
import { createAuthClient as createReactClient } from "better-auth/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { scan } from "#test/support/authenticator-app.ts";
import { SoftwareAuthenticator } from "#test/support/software-authenticator.ts";
import { startOpenIdProvider, throughProvider } from "./accounts-openid-provider.ts";
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

const PASSWORD = "correct horse battery";

function optionsFor(browser: TestBrowser) {
  return {
    baseURL: browser.url,
    fetchOptions: { customFetchImpl: browser.fetch },
    plugins: [
      jwtClient(),
      oneTimeTokenClient(),
      adminClient(),
      twoFactorClient(),
      passkeyClient(),
      inferAdditionalFields({ user: { lastname: { type: "string", required: false } } }),
    ] as const,
  };
}

const plainClient = (browser: TestBrowser) => {
  const { plugins, ...options } = optionsFor(browser);
  return createPlainClient({ ...options, plugins: [...plugins] });
};
type AccountsClient = ReturnType<typeof plainClient>;
/** The same but for its hooks, which need a page; a browser test has one. */
const reactClient = (browser: TestBrowser) => {
  const { plugins, ...options } = optionsFor(browser);
  return createReactClient({ ...options, plugins: [...plugins] }) as unknown as AccountsClient;
};

/** The data of an answer that must be none of an error. */
async function good<T>(answer: Promise<{ data: T | null; error: unknown }>): Promise<T> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  return data as T;
}

/** Status and code of an answer that must be one of an error. */
async function refusal(
  answer: Promise<{
    error: { status: number; code?: string | undefined; message?: string | undefined } | null;
  }>,
) {
  const { error } = await answer;
  return [error?.status, error?.code];
}

describe.each([
  ["better-auth/client", plainClient],
  ["better-auth/react", reactClient],
])("the client of %s", (_name, clientOf) => {
  describeShareOfDatabases("in full", (openDatabase) => {
    async function signedUp(server: TestServer, email = "ada@example.com") {
      const browser = server.browser();
      const client = clientOf(browser);
      const { user } = await good(
        client.signUp.email({ email, password: PASSWORD, name: "Ada", lastname: "Lovelace" }),
      );
      return { browser, client, user };
    }

    test("signs up, in and out", async () => {
      const server = await startAccounts(await openDatabase());
      const { client, user } = await signedUp(server);
      expect(user).toMatchObject({ email: "ada@example.com", name: "Ada" });
      expect((await good(client.getSession())).user).toMatchObject({
        id: user.id,
        lastname: "Lovelace",
      });
      await good(client.signOut());
      expect((await client.getSession()).data).toBeNull();
      expect(
        await refusal(client.signIn.email({ email: user.email, password: "wrong one" })),
      ).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
      const again = await good(
        client.signIn.email({ email: user.email, password: PASSWORD, rememberMe: false }),
      );
      expect(again).toMatchObject({ redirect: false, user: { id: user.id } });
      expect(
        await refusal(client.signUp.email({ email: user.email, name: "Eve", password: PASSWORD })),
      ).toEqual([422, "USER_ALREADY_EXISTS"]);
    });

    test("changes the profile, the address and the password", async () => {
      const server = await startAccounts(await openDatabase());
      const { browser, client } = await signedUp(server);
      await good(client.updateUser({ name: "Augusta", lastname: "King" }));
      expect((await good(client.getSession())).user).toMatchObject({
        name: "Augusta",
        lastname: "King",
      });
      await good(client.changeEmail({ newEmail: "king@example.com", callbackURL: "/settings" }));
      expect((await good(client.getSession())).user.email).toBe("king@example.com");

      await good(client.sendVerificationEmail({ email: "king@example.com", callbackURL: "/" }));
      const link = new URL(await server.mailLink("king@example.com", /confirm your email/i));
      const token = link.searchParams.get("token") ?? "";
      await good(client.verifyEmail({ query: { token } }));
      expect((await good(client.getSession())).user.emailVerified).toBe(true);
      expect(await refusal(client.verifyEmail({ query: { token: "invented" } }))).toEqual([
        401,
        "invalid_token",
      ]);

      const other = clientOf(server.browser());
      await good(other.signIn.email({ email: "king@example.com", password: PASSWORD }));
      const changed = { newPassword: "another long password", revokeOtherSessions: true };
      expect(
        await refusal(client.changePassword({ ...changed, currentPassword: "wrong one" })),
      ).toEqual([400, "INVALID_PASSWORD"]);
      await good(client.changePassword({ ...changed, currentPassword: PASSWORD }));
      expect((await other.getSession()).data).toBeNull();
      expect(await browser.sessionId()).toBeTruthy();
    });

    test("resets a password through the mailed link", async () => {
      const server = await startAccounts(await openDatabase());
      const { client, user } = await signedUp(server);
      const visitor = clientOf(server.browser());
      await good(
        visitor.requestPasswordReset({ email: user.email, redirectTo: "/reset-password" }),
      );
      const link = await server.mailLink(user.email, /password/i);
      const opened = await server.browser().get(link);
      const landed = new URL(opened.headers.get("location") ?? "", server.url);
      const token = landed.searchParams.get("token") ?? "";
      await good(visitor.resetPassword({ newPassword: "another long password", token }));
      expect((await client.getSession()).data).toBeNull();
      expect(await refusal(visitor.resetPassword({ newPassword: PASSWORD, token }))).toEqual([
        400,
        "INVALID_TOKEN",
      ]);
      await good(visitor.signIn.email({ email: user.email, password: "another long password" }));
    });

    test("lists sessions and revokes them", async () => {
      const server = await startAccounts(await openDatabase());
      const { client, user } = await signedUp(server);
      const others = [clientOf(server.browser()), clientOf(server.browser())];
      for (const other of others) {
        await good(other.signIn.email({ email: user.email, password: PASSWORD }));
      }
      const first = await good(others[0].getSession());
      const listed = await good(client.listSessions());
      expect(listed).toHaveLength(3);
      const token = listed.find(({ id }) => id === first.session.id)?.token ?? "";
      await good(client.revokeSession({ token }));
      expect((await others[0].getSession()).data).toBeNull();
      await good(client.revokeOtherSessions());
      expect((await others[1].getSession()).data).toBeNull();
      expect((await good(client.getSession())).user.id).toBe(user.id);
      await good(client.revokeSessions());
      expect((await client.getSession()).data).toBeNull();
    });

    test("signs in through a provider, links, unlinks and handles the provider's tokens", async () => {
      const { server, provider } = await federated(await openDatabase());
      const browser = server.browser();
      const client = clientOf(browser);
      const begun = await good(
        client.signIn.social({
          provider: "acme",
          callbackURL: "/dashboard",
          newUserCallbackURL: "/welcome",
          errorCallbackURL: "/login",
          disableRedirect: true,
        }),
      );
      expect(begun.redirect).toBe(false);
      const ended = await browser.get(await throughProvider(begun.url ?? ""));
      expect(ended.headers.get("location")).toBe("/welcome");

      const [account] = await good(client.listAccounts());
      expect(account).toMatchObject({ providerId: "acme", accountId: "ada" });
      const selection = { accountId: account?.id ?? "" };
      const { accessToken } = await good(client.getAccessToken(selection));
      expect(accessToken).toBeTruthy();
      const refreshed = await good(client.refreshToken(selection));
      expect(refreshed.accessToken).not.toBe(accessToken);
      const info = await good(client.accountInfo({ query: selection }));
      expect(info?.user.email).toBe("ada@example.com");
      expect(await refusal(client.unlinkAccount(selection))).toEqual([
        400,
        "FAILED_TO_UNLINK_LAST_ACCOUNT",
      ]);

      provider.users.set("second", { email: "ada@example.com", email_verified: true, name: "A" });
      provider.subject = "second";
      const linking = await good(
        client.linkSocial({ provider: "acme", callbackURL: "/settings", disableRedirect: true }),
      );
      const linked = await browser.get(await throughProvider(linking.url ?? ""));
      expect(linked.headers.get("location")).toBe("/settings");
      expect(await good(client.listAccounts())).toHaveLength(2);
      expect(await good(client.unlinkAccount(selection))).toEqual({ status: true });
      expect(await good(client.listAccounts())).toMatchObject([{ accountId: "second" }]);
    });

    test("deletes the user, at once or through the mailed link", async () => {
      const server = await startAccounts(await openDatabase());
      const ada = await signedUp(server);
      expect(await good(ada.client.deleteUser({ password: PASSWORD }))).toMatchObject({
        success: true,
        message: "User deleted",
      });
      const bob = await signedUp(server, "bob@example.com");
      expect(await good(bob.client.deleteUser({ callbackURL: "/" }))).toMatchObject({
        message: "Verification email sent",
      });
      const link = new URL(await server.mailLink("bob@example.com", /delet/i));
      const token = link.searchParams.get("token") ?? "";
      await good(bob.client.deleteUser({ token }));
      expect(server.deleted).toEqual([ada.user.id, bob.user.id]);
      expect((await bob.client.getSession()).data).toBeNull();
    });

    test("gets tokens for the backend, and carries a session to another browser", async () => {
      const server = await startAccounts(await openDatabase());
      const { client, user } = await signedUp(server);
      const { token } = await good(client.token());
      expect((await server.accounts.verifyBackendToken(token)).subject).toBe(user.id);
      const keys = await good(client.jwks());
      expect(keys.keys).toHaveLength(1);
      const once = await good(client.oneTimeToken.generate());
      const elsewhere = clientOf(server.browser());
      await good(elsewhere.oneTimeToken.verify(once));
      expect((await good(elsewhere.getSession())).user.id).toBe(user.id);
      expect((await clientOf(server.browser()).oneTimeToken.verify(once)).error?.status).toBe(400);
    });

    describe("while time passes", () => {
      beforeEach(() => {
        vi.useFakeTimers({ toFake: ["Date"] });
      });
      afterEach(() => {
        vi.useRealTimers();
      });

      test("switches a second factor on, signs in with it and switches it off", async () => {
        const server = await startAccounts(await openDatabase());
        const { client, user } = await signedUp(server);
        const enabled = await good(client.twoFactor.enable({ password: PASSWORD }));
        const app = scan("totpURI" in enabled ? enabled.totpURI : "");
        const nextCode = () => {
          vi.setSystemTime(Date.now() + 30_000);
          return app.code();
        };
        await good(client.twoFactor.verifyTotp({ code: app.code() }));
        expect((await good(client.getSession())).user.twoFactorEnabled).toBe(true);

        const signIn = async () => {
          await client.signOut();
          const begun = await good(client.signIn.email({ email: user.email, password: PASSWORD }));
          expect(begun).toMatchObject({ twoFactorRedirect: true });
          expect((await client.getSession()).data).toBeNull();
        };
        await signIn();
        expect(await refusal(client.twoFactor.verifyTotp({ code: "000000" }))).toEqual([
          401,
          "INVALID_CODE",
        ]);
        await good(client.twoFactor.verifyTotp({ code: nextCode() }));
        expect((await good(client.getSession())).user.id).toBe(user.id);

        const renewed = await good(client.twoFactor.generateBackupCodes({ password: PASSWORD }));
        expect(renewed.backupCodes).toHaveLength(10);
        await signIn();
        const [code] = renewed.backupCodes;
        await good(client.twoFactor.verifyBackupCode({ code: code ?? "" }));
        await good(client.twoFactor.disable({ password: PASSWORD }));
        expect((await good(client.getSession())).user.twoFactorEnabled).toBe(false);
        await client.signOut();
        await good(client.signIn.email({ email: user.email, password: PASSWORD }));
        expect((await good(client.getSession())).user.id).toBe(user.id);
      });
    });

    test("lists passkeys, names and deletes them", async () => {
      const server = await startAccounts(await openDatabase());
      const { browser, client } = await signedUp(server);
      // Adding one needs a page, which a browser test has.
      const device = new SoftwareAuthenticator(server.url);
      const asked = await browser.get("/passkey/generate-register-options");
      const response = device.create(asked.body);
      await browser.post("/passkey/verify-registration", { response, name: "Laptop" });

      const [key] = await good(client.passkey.listUserPasskeys());
      expect(key?.name).toBe("Laptop");
      await good(client.passkey.updatePasskey({ id: key?.id ?? "", name: "Old laptop" }));
      expect(await good(client.passkey.listUserPasskeys())).toMatchObject([{ name: "Old laptop" }]);
      await good(client.passkey.deletePasskey({ id: key?.id ?? "" }));
      expect(await good(client.passkey.listUserPasskeys())).toEqual([]);
    });

    test("lets an admin do what admins may, and no one else", async () => {
      const server = await startAccounts(await openDatabase());
      await server.accounts.createAdmin({
        email: "root@example.com",
        password: PASSWORD,
        name: "Root",
      });
      const root = clientOf(server.browser());
      await good(root.signIn.email({ email: "root@example.com", password: PASSWORD }));
      const rootId = (await good(root.getSession())).user.id;
      const { client: ada, user } = await signedUp(server);
      const userId = user.id;
      const { admin } = root;

      const found = await good(
        admin.listUsers({
          query: { searchField: "email", searchValue: "ada@", limit: 10, sortBy: "createdAt" },
        }),
      );
      expect(found).toMatchObject({ total: 1, users: [{ id: userId, role: "user" }] });
      expect((await ada.admin.listUsers({ query: { limit: 10 } })).error?.status).toBe(403);

      expect((await good(admin.listUserSessions({ userId }))).sessions).toHaveLength(1);
      const elsewhere = clientOf(server.browser());
      await good(elsewhere.signIn.email({ email: user.email, password: PASSWORD }));
      const { session } = await good(elsewhere.getSession());
      await good(admin.revokeUserSession({ sessionToken: session.token }));
      expect((await elsewhere.getSession()).data).toBeNull();
      await good(admin.revokeUserSessions({ userId }));
      expect((await ada.getSession()).data).toBeNull();

      await good(admin.setUserPassword({ userId, newPassword: "another long password" }));
      const signInAda = () =>
        ada.signIn.email({ email: user.email, password: "another long password" });
      await good(signInAda());
      await good(admin.banUser({ userId, banReason: "Spam", banExpiresIn: 3600 }));
      expect((await ada.getSession()).data).toBeNull();
      expect(await refusal(signInAda())).toEqual([403, "BANNED_USER"]);
      await good(admin.unbanUser({ userId }));
      await good(signInAda());

      const seen = await good(admin.impersonateUser({ userId }));
      expect(seen.user.id).toBe(userId);
      expect((await good(root.getSession())).session.impersonatedBy).toBe(rootId);
      expect((await root.updateUser({ name: "Mallory" })).error?.status).toBe(403);
      await good(admin.stopImpersonating());
      expect((await good(root.getSession())).user.id).toBe(rootId);

      const mayBan = () => ada.admin.hasPermission({ permissions: { user: ["ban"] } });
      expect(await good(mayBan())).toMatchObject({ success: false });
      expect((await good(admin.setRole({ userId, role: "admin" }))).user.role).toBe("admin");
      expect(await good(mayBan())).toMatchObject({ success: true });
      expect(root.admin.checkRolePermission({ role: "user", permissions: { user: ["ban"] } })).toBe(
        false,
      );

      const created = await good(
        admin.createUser({ email: "eve@example.com", password: PASSWORD, name: "Eve" }),
      );
      await good(admin.updateUser({ userId: created.user.id, data: { name: "Eva" } }));
      const got = await good(admin.getUser({ query: { id: created.user.id } }));
      expect(got).toMatchObject({ name: "Eva", role: "user" });
      expect(await good(admin.removeUser({ userId: created.user.id }))).toEqual({ success: true });
      expect(server.deleted).toEqual([created.user.id]);
    });
  });
});

async function federated(database: Database) {
  const provider = await startOpenIdProvider();
  provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
  provider.subject = "ada";
  const server = await startAccounts(database, { SIGN_IN_PROVIDERS: provider.settings() });
  provider.allow(`${server.url}/api/auth/callback/acme`);
  return { server, provider };
}
