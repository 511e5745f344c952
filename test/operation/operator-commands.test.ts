/** What the operator changes on a running exchange by the command line, and what is there after a kill. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATOR_ID } from "#contract/users.ts";
import { askExchange } from "#server/control/control-socket.ts";
import { beginServerProcess, type RunningServer } from "../support/running-server.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";

const PROGRAM = fileURLToPath(new URL("../../scripts/openbell.js", import.meta.url));
const ADMIN_EMAIL = "root@example.com";

let server: RunningServer;
let ada: { readonly token: string };
let adaId: string;
let rootToken: string;
beforeAll(async () => {
  const settings = { CATALOGUE: "catalogues/community.yaml", AUTH_RATE_LIMIT: "off", ADMIN_EMAIL };
  server = await beginServerProcess(settings);
  ada = await signUp(server.url, "Ada");
  await call(server.url, "mutation", "accounts:takePracticeFunds", {}, ada.token);
  const { value } = await call(server.url, "query", "users:current", {}, ada.token);
  adaId = (value as { id: string }).id;
  rootToken = (await signUp(server.url, "Root")).token;
});
afterAll(() => server.remove());

function openbell(...args: string[]) {
  const all = [PROGRAM, ...args, "--data", server.dataDir];
  const run = spawnSync(process.execPath, all, { encoding: "utf8" });
  return { code: run.status, said: `${run.stdout}${run.stderr}`.trim() };
}

async function stateOf(market: string) {
  const { value } = await call(server.url, "query", "markets:state", { market });
  return value as { status: string; until: number | null; scheduled: { status: string }[] };
}

const order = { market: "MEET-PTS", side: "buy", type: "limit", price: "20", quantity: "1" };

test("users are listed, shown, frozen and given a plan", async () => {
  expect(openbell("users", "list", "--search", "ada").said).toContain(adaId);
  expect(openbell("users", "show", adaId)).toMatchObject({ code: 0 });
  expect(openbell("users", "show", adaId).said).toMatch(/PTS +1000 +0/);
  const frozen = openbell("users", "freeze", adaId, "--reason", "a stolen account");
  expect(frozen).toEqual({ code: 0, said: `The account of ${adaId} is frozen.` });
  const refused = await call(server.url, "mutation", "orders:place", order, ada.token);
  expect(JSON.stringify(refused)).toContain("accountFrozen");
  expect(openbell("users", "unfreeze", adaId, "--reason", "she has it back")).toMatchObject({
    code: 0,
  });
  const { value } = await call(server.url, "query", "plans:list", {});
  const slugs = (value as { slug: string }[]).map(({ slug }) => slug);
  const plan = slugs.at(-1) ?? "";
  expect(openbell("users", "plan", adaId, plan, "--reason", "she helps")).toMatchObject({
    code: 0,
  });
  expect(openbell("users", "show", adaId).said).toContain(`plan     ${plan}`);
});

test("a plan, a coin and a market are changed after their change was shown, and a new one is listed", async () => {
  const change = ["plans", "change", "member", "takerFeeBps=12"];
  const shown = "  plan member: takerFeeBps 10 → 12; for new orders";
  expect(openbell(...change).said).toContain(shown);
  expect(openbell("plans", "show", "member").said).toContain("takerFeeBps: 10");
  expect(openbell(...change, "--confirm")).toMatchObject({
    code: 1,
    said: "Nothing was changed:\n  Say why: --reason TEXT",
  });
  expect(openbell(...change, "--confirm", "--reason", "dearer").said).toContain(shown);
  expect(openbell(...change).said).toBe("Nothing would change.");

  const tea = ["coins", "change", "TEA", "name=Tea", "kind=token", "decimals=2", "shownDecimals=2"];
  expect(openbell(...tea, "--confirm", "--reason", "voted").said).toContain("coin TEA: new, Tea");
  expect(openbell("coins", "change", "TEA", "decimals=3")).toMatchObject({ code: 1 });
  const band = ["markets", "change", "MEET-PTS", "priceBandBps=3000", "largestOrder=none"];
  expect(openbell(...band, "--confirm", "--reason", "wilder").said).toContain(
    "priceBandBps 2000 → 3000",
  );
});

test("a market is set, scheduled, and enters its states also if the exchange is killed before", async () => {
  const set = openbell("markets", "set", "MEET-PTS", "halted", "--minutes", "30", "--reason", "x");
  expect(set).toMatchObject({ code: 0, said: "MEET-PTS is halted." });
  expect(await stateOf("MEET-PTS")).toMatchObject({ status: "halted" });
  const schedule = ["markets", "schedule", "MEET-PTS", "--reason", "a test"];
  const tooLate = openbell(...schedule, "--step", "2099-01-01T00:00Z closed");
  expect(tooLate).toMatchObject({ code: 1 });
  expect(tooLate.said).toContain("within a year");
  const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const soon = new Date(Date.now() + 12_000).toISOString();
  const valid = ["--step", `${soon} trading`, "--step", `${nextMonth} closed`];
  expect(openbell(...schedule, ...valid)).toEqual({ code: 0, said: "MEET-PTS is scheduled." });
  await server.kill();
  await server.restart();
  await expect
    .poll(async () => (await stateOf("MEET-PTS")).status, { timeout: 30_000 })
    .toBe("trading");
  expect((await stateOf("MEET-PTS")).scheduled).toMatchObject([{ status: "closed" }]);
  expect(openbell("markets", "list").said).toContain("closed");
  expect(openbell(...schedule).said).toBe("MEET-PTS has no schedule.");
});

test("an adjustment is proposed in an administrator's name and never approved here", async () => {
  const propose = ["adjustments", "propose", adaId, "PTS", "-12.5"];
  const nobody = openbell(...propose, "--as", adaId, "--reason", "paid twice");
  expect(nobody).toMatchObject({ code: 1 });
  expect(nobody.said).toContain("is no administrator");
  expect(openbell("adjustments", "approve", "1")).toMatchObject({
    code: 1,
    said: "Say what to do with adjustments: list, propose, reject.",
  });
});

test("users are banned, get a role and a password, on record as done by the command line", async () => {
  // A second try needs another user.
  const name = `bob-${Date.now()}`;
  const [email, root] = [`${name}@example.com`, ADMIN_EMAIL];
  const bob = await signUp(server.url, name);
  const headers = { "content-type": "application/json", origin: server.url };
  const answerTo = (password: string) => {
    const body = JSON.stringify({ email, password });
    return fetch(`${server.url}/api/auth/sign-in/email`, { method: "POST", headers, body });
  };
  const signIn = async (password: string) => (await answerTo(password)).status;
  const banned = openbell("users", "ban", email, "--days", "2", "--reason", "spam");
  expect(banned).toMatchObject({ code: 0 });
  expect(await signIn(bob.password)).toBe(403);
  expect(await call(server.url, "query", "orders:open", {}, bob.token)).toMatchObject({
    httpStatus: 401,
  });
  expect(openbell("users", "unban", email)).toMatchObject({ code: 0 });
  expect(await signIn(bob.password)).toBe(200);

  const lastOne = openbell("users", "role", root, "user");
  expect(lastOne).toMatchObject({ code: 1 });
  expect(lastOne.said).toContain("There is no other administrator.");
  expect(openbell("users", "ban", root, "--reason", "x")).toMatchObject({ code: 1 });
  expect(openbell("users", "role", email, "admin")).toMatchObject({ code: 0 });
  expect(openbell("users", "list", "--role", "admin").said).toContain(email);

  const { said } = openbell("users", "reset-password", email);
  const password = /shown once: (\S+)/.exec(said)?.[1] ?? "";
  expect(await signIn(bob.password)).toBe(401);
  const signedIn = await answerTo(password);
  expect(signedIn.status).toBe(200);
  // An administrator whom the operator made need not wait, unlike one made by another administrator.
  const cookie = signedIn.headers.getSetCookie().map((line) => line.split(";")[0]);
  const asked = await fetch(`${server.url}/api/auth/token`, {
    headers: { ...headers, cookie: cookie.join("; ") },
  });
  const { token } = (await asked.json()) as { token: string };
  const adjustment = { userId: adaId, coin: "PTS", amount: "1", reason: "found" };
  expect(
    await call(server.url, "mutation", "adjustments:propose", adjustment, token),
  ).toMatchObject({ status: "success" });

  const audit = { user: email, limit: 50 };
  const { value } = await call(server.url, "action", "audit:page", audit, rootToken);
  const { items } = value as { items: { kind: string; actorId: string | null }[] };
  const done = items.filter(({ actorId }) => actorId === OPERATOR_ID).map(({ kind }) => kind);
  expect(done).toEqual(["passwordChanged", "roleChanged", "unbanned", "banned"]);
});

test.each([
  [
    ["users", "freeze", "nobody@example.com", "--reason", "x"],
    /There is no user nobody@example\.com/,
  ],
  [["users", "freeze", "someone"], /reason: say why/],
  [["users", "ban", "someone"], /reason: say why/],
  [["users", "role", "someone", "owner"], /role: /],
  [["transfers", "approve"], /Say: openbell transfers approve NUMBER/],
  [["transfers", "pay", "1", "--as", "x", "--reason", "y"], /x is no administrator/],
  [["users"], /Say what to do with users: list, show/],
  [["users", "show"], /Say: openbell users show USER/],
  [["markets", "set", "MEET-PTS", "open", "--reason", "x"], /must be one of preOpen/],
  [
    ["markets", "schedule", "MEET-PTS", "--step", "tomorrow closed", "--reason", "x"],
    /a time in UTC/,
  ],
  [["plans", "change", "member", "takerFeeBps"], /takerFeeBps must be FIELD=VALUE/],
  [["plans", "change", "member", "takerFeeBps=lots"], /takerFeeBps: /],
  [["plans", "change", "member", 'description="a\\0b"'], /description: must not contain null char/],
])("openbell %j says what is wrong and changes nothing", (args, sentence) => {
  const answer = openbell(...args);
  expect(answer.code).toBe(1);
  expect(answer.said).toMatch(sentence);
});

test("a null character, which PostgreSQL's history could not store, enters no command by the socket", async () => {
  const before = await call(server.url, "query", "markets:state", { market: "MEET-PTS" });
  const asked = { market: "MEET-PTS", status: "halted", reason: "wrong\0prices" };
  const answer = await askExchange(server.dataDir, "/markets/set", JSON.stringify(asked));
  expect(answer).toEqual({
    lines: ["Nothing was changed:", "  reason: must not contain null characters"],
    isRefused: true,
  });
  expect(await call(server.url, "query", "markets:state", { market: "MEET-PTS" })).toEqual(before);
});
