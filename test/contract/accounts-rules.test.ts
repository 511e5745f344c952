/** Each rule by which accounts are stricter than their interface asks, with the rule and without it. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACCOUNT_RULES, accountRulesOf, type AccountRule } from "#server/settings/account-rules.ts";
import {
  startOpenIdProvider,
  throughProvider,
  type OpenIdProvider,
} from "./accounts-openid-provider.ts";
import { startAccounts, type TestServer } from "./accounts-server.ts";
import { describeOnSqlite } from "./databases.ts";

const ADA = "ada@example.com";
const HOUR_MS = 3_600_000;

/** Settings that a rule's behaviour needs, beside ACCOUNT_RULES. */
interface Case {
  readonly settings?: Record<string, string>;
  readonly needsProvider?: boolean;
  /** What the caller is answered or finds. */
  readonly behave: (server: TestServer, acme: OpenIdProvider) => Promise<unknown>;
  readonly strict: unknown;
  readonly specification: unknown;
}

const CONSENT = { provider: "acme", callbackURL: "/in", errorCallbackURL: "/out" };

const CASES: Record<AccountRule, Case> = {
  freshFromSignIn: {
    async behave({ browser, database }) {
      const ada = browser();
      await ada.signUp(ADA);
      // Signed in two days ago, extended just now.
      const createdAt = new Date(Date.now() - 48 * HOUR_MS).toISOString();
      await database.write.updateTable("session").set({ createdAt }).execute();
      const unlinked = await ada.post("/unlink-account", { providerId: "credential" });
      const listed = await ada.get("/list-sessions");
      const passkey = await ada.get("/passkey/generate-register-options");
      const deleted = await ada.post("/delete-user", {});
      const { code, message } = deleted.body;
      return [unlinked.body.code, listed.status, passkey.status, code ?? message];
    },
    strict: ["SESSION_NOT_FRESH", 403, 403, "SESSION_EXPIRED"],
    specification: ["FAILED_TO_UNLINK_LAST_ACCOUNT", 200, 200, "User deleted"],
  },
  joinsVerifiedAddresses: {
    needsProvider: true,
    async behave({ browser, database }, acme) {
      acme.users.set("ada", { email: ADA, email_verified: true, name: "Ada" });
      acme.subject = "ada";
      await browser().signUp(ADA);
      const ada = browser();
      const begun = await ada.post("/sign-in/social", CONSENT);
      const answer = await ada.get(await throughProvider(begun.body.url));
      const accounts = await database.read.selectFrom("account").select("id").execute();
      return [answer.headers.get("location"), accounts.length];
    },
    strict: ["/out?error=account_not_linked", 1],
    specification: ["/in", 2],
  },
  hidesTakenAtSignUp: {
    settings: { REQUIRE_EMAIL_VERIFICATION: "on" },
    async behave({ browser }) {
      await browser().signUp(ADA);
      const again = await browser().signUp(ADA);
      return [again.status, again.body.code ?? again.body.user.email];
    },
    strict: [200, ADA],
    specification: [422, "USER_ALREADY_EXISTS"],
  },
  hidesTakenAtChange: {
    async behave({ browser }) {
      await browser().signUp(ADA);
      const eve = browser();
      await eve.signUp("eve@example.com");
      const change = await eve.post("/change-email", { newEmail: "ADA@example.com" });
      return [change.status, change.body.message, (await eve.get("/get-session")).body.user.email];
    },
    strict: [200, undefined, "eve@example.com"],
    specification: [400, "Couldn't update your email", "eve@example.com"],
  },
  refusesWeakPasswords: {
    async behave({ browser }) {
      const weak = await browser().signUp(ADA, { password: "password1" });
      const short = await browser().signUp("eve@example.com", { password: "passwor" });
      return [weak.body.code ?? weak.status, short.body.code];
    },
    strict: ["PASSWORD_TOO_WEAK", "PASSWORD_TOO_SHORT"],
    specification: [200, "PASSWORD_TOO_SHORT"],
  },
  resetEndsUnverifiedClaims: {
    async behave(server) {
      const { database } = server;
      const claimed = await server.browser().signUp(ADA);
      const now = new Date().toISOString();
      await database.write
        .insertInto("account")
        .values({
          id: "left-there",
          accountId: "1",
          providerId: "github",
          userId: claimed.body.user.id,
          accessToken: null,
          refreshToken: null,
          idToken: null,
          accessTokenExpiresAt: null,
          refreshTokenExpiresAt: null,
          scope: null,
          password: null,
          createdAt: now,
          updatedAt: now,
        })
        .execute();
      const browser = server.browser();
      await browser.post("/request-password-reset", { email: ADA, redirectTo: "/reset" });
      const { headers } = await browser.get(await server.mailLink(ADA, /Reset/));
      const landing = new URL(headers.get("location") ?? "", server.url);
      const token = landing.searchParams.get("token");
      await browser.post("/reset-password", { newPassword: "another horse battery", token });
      const left = await database.read.selectFrom("account").select("providerId").execute();
      return left.map(({ providerId }) => providerId).toSorted();
    },
    strict: ["credential"],
    specification: ["credential", "github"],
  },
  keepsLastAdmin: {
    settings: { ADMIN_EMAIL: ADA },
    async behave({ browser }) {
      const ada = browser();
      const signedUp = await ada.signUp(ADA);
      const userId = signedUp.body.user.id;
      const demoted = await ada.post("/admin/set-role", { userId, role: "user" });
      return demoted.body.code ?? demoted.body.user.role;
    },
    strict: "LAST_ADMIN",
    specification: "user",
  },
};

describeOnSqlite("a rule of accounts", (openDatabase) => {
  test.each(
    ACCOUNT_RULES.flatMap((rule) => [[rule, "strict"] as const, [rule, "specification"] as const]),
  )("does what its entry says: %s, %s", async (rule, set) => {
    const given = CASES[rule];
    const acme = given.needsProvider ? await startOpenIdProvider() : undefined;
    const server = await startAccounts(await openDatabase(), {
      ACCOUNT_RULES: set,
      ...given.settings,
      ...(acme !== undefined && { SIGN_IN_PROVIDERS: acme.settings() }),
    });
    acme?.allow(`${server.url}/api/auth/callback/acme`);
    expect(await given.behave(server, acme as OpenIdProvider)).toEqual(given[set]);
  });
});

describeOnSqlite("a session", (openDatabase) => {
  test("that was not extended lately is not fresh by the specification either", async () => {
    const { browser, database } = await startAccounts(await openDatabase(), {
      ACCOUNT_RULES: "specification",
      SESSION_EXTENSION: "off",
    });
    const ada = browser();
    await ada.signUp(ADA);
    const updatedAt = new Date(Date.now() - 25 * HOUR_MS).toISOString();
    await database.write.updateTable("session").set({ updatedAt }).execute();
    for (const path of ["/list-sessions", "/passkey/generate-register-options"]) {
      expect((await ada.get(path)).body.code, path).toBe("SESSION_NOT_FRESH");
    }
    const account = { providerId: "credential" };
    expect((await ada.post("/unlink-account", account)).body.code).toBe("SESSION_NOT_FRESH");
    expect((await ada.post("/delete-user", {})).body.code).toBe("SESSION_EXPIRED");
    expect((await ada.post("/delete-user", { password: "" })).body.code).toBe("SESSION_EXPIRED");
  });
});

describe("the list of rules", () => {
  test("in docs/accounts.md is the one of the code, and strict is all of it", () => {
    const text = readFileSync("docs/accounts.md", "utf8");
    const listed = [...text.matchAll(/^\| `([a-z]\w+)` \| .+ \| .+ \| .+ \|$/gm)].map(
      ([, name]) => name,
    );
    expect(listed).toEqual(ACCOUNT_RULES);
    expect(Object.values(accountRulesOf("strict"))).toEqual(ACCOUNT_RULES.map(() => true));
  });
});
