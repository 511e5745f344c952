/**
 * A long tour through the real process, right and wrong turns alike; then everything that the server
 * wrote is searched for every secret that the tour met.
 */
import { symmetricDecrypt } from "better-auth/crypto";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Database } from "#server/database/open-database.ts";
import { scan } from "#test/support/authenticator-app.ts";
import { type RunningServer, startServerProcess } from "#test/support/running-server.ts";
import { startOpenIdProvider, throughProvider } from "./accounts-openid-provider.ts";
import { TestBrowser, TEST_SECRET } from "./accounts-server.ts";
import { describeEachDatabase, describeOnSqlite } from "./databases.ts";

// A process is started, and on a busy machine that takes its time.
vi.setConfig({ testTimeout: 180_000 });

const PROVIDER_SECRET = "a-secret-between-the-two-0123456789";
const MAIL_PASSWORD = "the-password-of-the-mail-server";
const PAGES = ["/", "/login", "/signup", "/dashboard", "/settings", "/activity", "/nowhere"];

/** Something that was sent back, with what asked for it. */
interface Written {
  readonly asked: string;
  readonly status: number;
  readonly text: string;
}

/** Who knows what: the places where a secret may be, such as the answer that hands it out. */
class Secrets {
  readonly #known = new Map<string, { name: string; allowed: (written: Written) => boolean }>();

  /** @param allowed where it may appear; nowhere without it */
  add(name: string, secret: unknown, allowed: (written: Written) => boolean = () => false): void {
    if (typeof secret !== "string" || secret.length < 6) {
      throw new Error(`${name} is no secret: ${String(secret)}`);
    }
    this.#known.set(secret, { name, allowed });
  }

  get count(): number {
    return this.#known.size;
  }

  /** Which secrets a text shows, also as an address or JSON would have them. */
  shownIn(text: string): string[] {
    return [...this.#known]
      .filter(([secret]) =>
        [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((spelled) =>
          text.includes(spelled),
        ),
      )
      .map(([, { name }]) => name);
  }

  leakedIn(written: Written): string[] {
    const allowed = new Set(
      [...this.#known.values()].filter((each) => each.allowed(written)).map(({ name }) => name),
    );
    return this.shownIn(written.text).filter((name) => !allowed.has(name));
  }
}

/** A browser whose answers are all kept. */
class RecordedBrowser extends TestBrowser {
  readonly written: Written[];
  constructor(url: string, written: Written[]) {
    super(url);
    this.written = written;
  }

  override readonly fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const request = new Request(input, { redirect: "manual", ...init });
    if (!request.headers.has("origin")) request.headers.set("origin", this.url);
    if (this.cookies.size > 0 && !request.headers.has("cookie")) {
      request.headers.set("cookie", this.cookieHeader());
    }
    const response = await fetch(request);
    const text = await response.clone().text();
    for (const cookie of response.headers.getSetCookie()) {
      const [pair] = cookie.split(";", 1);
      const at = pair.indexOf("=");
      if (/max-age=0/i.test(cookie)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    // Cookies are for the browser alone; where a secret is set as one it is where it belongs.
    const headers = [...response.headers].filter(([name]) => name !== "set-cookie");
    const asked = `${request.method} ${request.url.slice(this.url.length)}`;
    this.written.push({
      asked,
      status: response.status,
      text: `${JSON.stringify(headers)}${text}`,
    });
    return response;
  };

  /** A body as it is, which need not be JSON. */
  async raw(path: string, body: string, type = "application/json"): Promise<void> {
    await this.fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
  }
}

const answers = (pattern: RegExp) => (written: Written) =>
  pattern.test(written.asked) && written.status < 400;

const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.remove();
});

describeEachDatabase("secrets", (openDatabase, dialect) => {
  test("are in no log, no page, no error and no answer but the one that hands them out", async () => {
    const database = await openDatabase();
    const { dataDir, databaseUrl, schema } = database.location;
    const provider = await startOpenIdProvider();
    provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    provider.subject = "ada";
    const server = await startServerProcess({
      LOG_LEVEL: "debug",
      SIMULATION: "off",
      AUTH_RATE_LIMIT: "off",
      ENVIRONMENT: dialect === "sqlite" ? "development" : "production",
      AUTH_SECRET: TEST_SECRET,
      ADMIN_EMAIL: "root@example.com",
      SIGN_IN_PROVIDERS: provider.settings(),
      DATA_DIR: dataDir,
      ...(databaseUrl !== undefined && {
        DATABASE_URL: `${databaseUrl}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
      }),
    });
    running.push(server);
    provider.allow(`${server.url}/api/auth/callback/acme`);
    const written: Written[] = [];
    const secrets = new Secrets();
    secrets.add("the server's secret", TEST_SECRET);
    secrets.add("the provider's client secret", PROVIDER_SECRET);
    await tour(server.url, database, written, secrets);

    // That nothing is found must not be because nothing was looked at.
    expect(secrets.count).toBeGreaterThan(30);
    expect(written.length).toBeGreaterThan(120);
    expect(written.find(({ asked }) => asked === "GET /settings")?.text).toContain("<html");
    expect(server.output()).toMatch(/"level":20/);
    expect(server.output().split("\n").length).toBeGreaterThan(100);

    expect(secrets.shownIn(server.output())).toEqual([]);
    const leaks = written.flatMap((each) =>
      secrets.leakedIn(each).map((name) => `${name} in ${each.status} of ${each.asked}`),
    );
    expect(leaks).toEqual([]);
  });
});

// It reaches no database but its own file.
describeOnSqlite("secrets", (openDatabase) => {
  test("of the mail server and of the database are in no log, also where neither can be reached", async () => {
    const database = await openDatabase();
    const server = await startServerProcess({
      LOG_LEVEL: "debug",
      SIMULATION: "off",
      DATA_DIR: database.location.dataDir,
      SMTP_URL: `smtp://mailer:${MAIL_PASSWORD}@127.0.0.1:1`,
    });
    running.push(server);
    const written: Written[] = [];
    const browser = new RecordedBrowser(server.url, written);
    await browser.signUp("ada@example.com");
    await expect.poll(() => server.output()).toMatch(/mail (delayed|not sent)/);
    expect(server.output()).not.toContain(MAIL_PASSWORD);
    expect(written.map(({ text }) => text).join()).not.toContain(MAIL_PASSWORD);
    const failed = await startServerProcess({
      DATABASE_URL: `postgres://postgres:${MAIL_PASSWORD}@127.0.0.1:1/nowhere`,
    }).catch((error: unknown) => String(error));
    expect(failed).toMatch(/cannot be used/);
    expect(failed).not.toContain(MAIL_PASSWORD);
  });
});

async function tour(
  url: string,
  database: Database,
  written: Written[],
  secrets: Secrets,
): Promise<void> {
  const browserOf = () => new RecordedBrowser(url, written);
  const [ada, elsewhere, visitor, root] = [browserOf(), browserOf(), browserOf(), browserOf()];
  const email = "ada@example.com";
  const password = "the first password of Ada";
  const secondPassword = "the second password of Ada";
  const wrongPassword = "a wrong guess";
  for (const [name, secret] of Object.entries({ password, secondPassword, wrongPassword })) {
    secrets.add(name, secret);
  }
  const linkOf = async (recipient: string, subject: RegExp): Promise<string> => {
    for (let attempt = 0; attempt < 500; attempt += 1) {
      const mails = await database.read
        .selectFrom("outbox_mails")
        .selectAll()
        .where("recipient", "=", recipient)
        .orderBy("created_at_ms", "desc")
        .execute();
      const mail = mails.find((each) => subject.test(each.subject));
      const link = mail?.text.match(/https?:\/\/\S+/)?.[0];
      if (link !== undefined) return link;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`no mail to ${recipient} about ${subject}`);
  };
  /** The session of a browser: its token is told to the one who opened it, and listed to its user. */
  const keepSession = async (name: string, browser: TestBrowser) => {
    const cookie = browser.cookies.get(
      [...browser.cookies.keys()].find((each) => each.endsWith("session_token")) ?? "",
    );
    const [token, signature] = decodeURIComponent(cookie ?? "").split(".");
    secrets.add(
      `the session of ${name}`,
      token,
      answers(
        /^POST \/api\/auth\/(sign-up|sign-in)\/|\/(change-password|get-session|list-sessions|list-user-sessions|impersonate-user|stop-impersonating|verify-totp|one-time-token\/verify)/,
      ),
    );
    secrets.add(`the signature of the session of ${name}`, signature);
    const backend = (await browser.get("/token")).body.token as string;
    // A page brings its own reader a token for five minutes.
    secrets.add(
      `the backend token of ${name}`,
      backend,
      (each) => answers(/\/token$/)(each) || answers(/^GET \/[a-z]*$/)(each),
    );
    return backend;
  };

  // Signing up and in, rightly and wrongly.
  await ada.post("/sign-up/email", { email, password, name: "Ada" });
  await keepSession("Ada", ada);
  await visitor.post("/sign-up/email", { email, password, name: "Eve" });
  await visitor.post("/sign-up/email", { email: "x", password, name: "Eve" });
  await visitor.post("/sign-up/email", {
    email: "e@example.com",
    password,
    name: "Eve",
    role: "admin",
  });
  await visitor.post("/sign-up/email", { email: "e@example.com", password: { password } });
  await visitor.post("/sign-in/email", { email, password: wrongPassword });
  await visitor.post("/sign-in/email", { email: "unknown@example.com", password: wrongPassword });
  await visitor.post("/sign-in/email", { email: [wrongPassword], password: wrongPassword });
  await visitor.post("/sign-in/email", { email, password: [wrongPassword] });
  await visitor.raw("/api/auth/sign-in/email", `{"email":"${email}","password":"${wrongPassword}"`);
  await visitor.raw("/api/auth/sign-in/email", wrongPassword);
  await visitor.raw("/api/auth/sign-in/email", `password=${wrongPassword}`, "text/plain");
  await visitor.raw(
    "/api/auth/sign-in/email",
    `password=${encodeURIComponent(wrongPassword)}`,
    "application/x-www-form-urlencoded",
  );
  await visitor.get(`/sign-in/email?password=${encodeURIComponent(wrongPassword)}`);
  await elsewhere.post("/sign-in/email", { email, password });
  await keepSession("Ada elsewhere", elsewhere);

  // Links in mails.
  const confirm = await linkOf(email, /confirm your email/i);
  secrets.add("the token that confirms an address", new URL(confirm).searchParams.get("token"));
  await visitor.get(confirm.replace(/token=.{5}/, "token=wrong"));
  await ada.get(confirm);
  await visitor.post("/request-password-reset", { email, redirectTo: "/reset-password" });
  const reset = await linkOf(email, /reset/i);
  const resetToken = new URL(reset).pathname.split("/").at(-1);
  // Following the link leads to the page whose address has the token, and the page reads it there.
  secrets.add(
    "the token of a reset",
    resetToken,
    (each) => each.status === 302 && each.asked.startsWith("GET /api/auth/reset-password/"),
  );
  await visitor.get(reset);
  await visitor.get(reset.replace("?", "/?"));
  await visitor.get(`${url}/api/auth/reset-password//${resetToken}`);
  await visitor.post("/reset-password", { token: resetToken, newPassword: "short" });
  await visitor.post("/reset-password", { token: [resetToken], newPassword: secondPassword });
  await visitor.post(`/reset-password?token=${resetToken}`, { newPassword: secondPassword });
  await visitor.post("/reset-password", { token: resetToken, newPassword: secondPassword });
  await ada.post("/sign-in/email", { email, password: secondPassword });
  await keepSession("Ada after the reset", ada);
  await ada.post("/change-password", { currentPassword: wrongPassword, newPassword: password });
  await ada.post("/change-password", {
    currentPassword: secondPassword,
    newPassword: password,
    revokeOtherSessions: true,
  });
  await keepSession("Ada after the change", ada);
  await ada.post("/delete-user", { password: wrongPassword });
  await ada.post("/delete-user", { callbackURL: "/" });
  const deletion = await linkOf(email, /deleted/i);
  secrets.add("the token of a deletion", new URL(deletion).searchParams.get("token"));
  await visitor.get(deletion);

  // Tokens for others: one-time, of the backend, of sessions.
  const oneTime = (await ada.get("/one-time-token/generate")).body.token as string;
  secrets.add("a one-time token", oneTime, answers(/one-time-token\/generate/));
  await elsewhere.post("/one-time-token/verify", { token: oneTime });
  await visitor.post("/one-time-token/verify", { token: oneTime });
  await keepSession("Ada carried over", elsewhere);
  const sessions = (await ada.get("/list-sessions")).body as { token: string }[];
  await visitor.post("/revoke-session", { token: sessions[0].token });
  const forged = browserOf();
  for (const [name, value] of ada.cookies) forged.cookies.set(name, `${value.slice(0, -6)}AAAAAA`);
  await forged.get("/get-session");
  await forged.get("/list-sessions");
  const backend = (await ada.get("/token")).body.token as string;
  secrets.add("another backend token", backend, answers(/\/token$/));
  for (const authorization of [`Bearer ${backend}`, `Bearer ${backend}x`, `Basic ${backend}`]) {
    for (const path of ["/api/query", "/api/mutation", "/api/action"]) {
      await ada.fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: JSON.stringify({ path: "users:current", args: {}, format: "json" }),
      });
    }
  }
  await visitor.raw("/api/query", `{"path":"users:current","args":{"token":"${backend}"}}`);
  await visitor.raw("/api/query", backend);
  await visitor.raw(
    "/api/mutation",
    JSON.stringify({ path: "orders:place", args: { price: password } }),
  );
  await authenticateBadly(url, `${backend}x`);

  // Another provider, whose tokens are given to their user only.
  const begun = await ada.post("/link-social", { provider: "acme", callbackURL: "/settings" });
  await ada.get(await throughProvider(begun.body.url));
  const tokens = (await ada.post("/get-access-token", { providerId: "acme" })).body;
  const given = answers(/get-access-token|refresh-token/);
  secrets.add("the provider's access token", tokens.accessToken, given);
  secrets.add("the provider's identity token", tokens.idToken, given);
  const refreshed = (await ada.post("/refresh-token", { providerId: "acme" })).body;
  secrets.add("the provider's refresh token", refreshed.refreshToken, given);
  await ada.post("/account-info", { providerId: "acme" });
  await ada.get("/list-accounts");
  await visitor.get(`/callback/acme?code=${wrongPassword.replaceAll(" ", "-")}&state=unknown`);
  await visitor.get("/error?error=unknown&error_description=unknown");

  // A second step.
  const enabled = (await ada.post("/two-factor/enable", { password })).body;
  const handsOut = answers(/two-factor\/enable/);
  const app = scan(enabled.totpURI);
  secrets.add(
    "the secret of the app",
    new URL(enabled.totpURI).searchParams.get("secret"),
    handsOut,
  );
  for (const [each, code] of (enabled.backupCodes as string[]).entries()) {
    secrets.add(`backup code ${each}`, code, handsOut);
  }
  await ada.post("/two-factor/verify-totp", { code: "000000" });
  await ada.post("/two-factor/verify-totp", { code: app.code() });
  await keepSession("Ada with two factors", ada);
  await visitor.post("/sign-in/email", { email, password });
  await visitor.post("/two-factor/verify-backup-code", { code: "wrong-code" });
  await visitor.post("/two-factor/verify-backup-code", { code: enabled.backupCodes[0] });

  // An administrator.
  await root.post("/sign-up/email", { email: "root@example.com", password, name: "Root" });
  await keepSession("the administrator", root);
  const userId = (await ada.get("/get-session")).body.user.id as string;
  const chosen = "what the administrator chose";
  secrets.add("the chosen password", chosen);
  await root.post("/admin/set-user-password", { userId, newPassword: chosen });
  await root.get("/admin/list-users");
  await root.get(`/admin/get-user?id=${userId}`);
  await root.post("/admin/list-user-sessions", { userId });
  await root.post("/admin/create-user", { email: "c@example.com", password: chosen, name: "C" });
  await root.post("/admin/impersonate-user", { userId });
  await keepSession("the administrator in Ada's name", root);
  for (const page of PAGES) await root.fetch(`${url}${page}`);
  await root.post("/change-password", { currentPassword: chosen, newPassword: password });
  await root.post("/admin/stop-impersonating", {});
  await root.post("/admin/ban-user", { userId, banReason: "Spam" });
  await visitor.post("/sign-in/email", { email, password: chosen });

  // Pages, of users and of visitors, and addresses that are nothing.
  for (const browser of [ada, root, browserOf()]) {
    for (const page of PAGES) await browser.fetch(`${url}${page}`);
    await browser.fetch(`${url}/api/health`);
    await browser.fetch(`${url}/api/auth/nothing`);
    await browser.fetch(`${url}/api/auth/jwks`);
    await browser.fetch(`${url}/%ff`);
  }

  // What the tables hold and no one is ever given.
  const { read } = database;
  for (const { id, privateKey } of await read.selectFrom("jwks").selectAll().execute()) {
    secrets.add(`signing key ${id}, encrypted`, privateKey);
    const key = await symmetricDecrypt({ key: TEST_SECRET, data: JSON.parse(privateKey) });
    secrets.add(`signing key ${id}`, (JSON.parse(key) as { d: string }).d);
  }
  for (const { id, password: hash } of await read.selectFrom("account").selectAll().execute()) {
    if (hash !== null) secrets.add(`password hash ${id}`, hash);
  }
}

/** Over a socket, with a token that is refused. */
async function authenticateBadly(url: string, token: string): Promise<void> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/1.48.0/sync`);
  socket.on("open", () => {
    const hello = { sessionId: crypto.randomUUID(), connectionCount: 0, lastCloseReason: null };
    socket.send(JSON.stringify({ type: "Connect", ...hello }));
    socket.send(
      JSON.stringify({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 }),
    );
  });
  await new Promise((closed) => socket.on("close", closed));
}
