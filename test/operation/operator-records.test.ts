/**
 * Every command by which the operator changes a running exchange: it refuses wrong arguments with the
 * argument's name, and its change is on record with its actor and what was before and after.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Transfer, WithdrawalAddress } from "#contract/transfers.ts";
import type { Page } from "#contract/types.ts";
import { type AdminChange, type AuditEvent, OPERATOR_ID } from "#contract/users.ts";
import { askExchange, type ControlAnswer } from "#server/control/control-socket.ts";
import { askAsOperator, OPERATOR_COMMANDS } from "#server/control/operator-commands.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";
import { beginServerProcess, type RunningServer } from "../support/running-server.ts";

const ROOT = "root@example.com";
const PAUL = "paul@example.com";

let folder: string;
let server: RunningServer;
let rootToken: string;
let catalogue: string;
/** Names and amounts of their own for every row, since a row that failed runs once more. */
let used = 0;
const next = () => (used += 1);

interface User {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "openbell-records-"));
  catalogue = readFileSync("catalogues/funded.yaml", "utf8")
    .replace('oneApprovalMax: "200"', 'oneApprovalMax: "100000"')
    .replace(/ {4}withdrawal(Daily|Monthly)Max.*\n/g, "");
  const file = join(folder, "mine.yaml");
  writeFileSync(file, catalogue);
  server = await beginServerProcess({
    CATALOGUE: file,
    FUNDED_MODE: "manual",
    WITHDRAWAL_ADDRESS_HOURS: "0",
    AUTH_RATE_LIMIT: "off",
    ADMIN_EMAIL: ROOT,
  });
  rootToken = (await signUp(server.url, "root")).token;
  await signUp(server.url, "paul");
  await openbell("users role", PAUL, "admin");
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

function asked(command: string, ...args: string[]): Promise<ControlAnswer> {
  const [noun, verb] = command.split(" ");
  return askAsOperator(noun, [verb, ...args], () => Promise.resolve(server.dataDir));
}

/** @throws if it was refused */
async function openbell(command: string, ...args: string[]): Promise<void> {
  const { isRefused, lines } = await asked(command, ...args);
  if (isRefused) throw new Error(lines.join("\n"));
}

async function valueOf<Value>(
  kind: "query" | "mutation" | "action",
  path: string,
  args: object,
  token: string,
): Promise<Value> {
  const answer = await call(server.url, kind, path, args, token);
  if (answer.status !== "success") throw new Error(JSON.stringify(answer));
  return answer.value as Value;
}

async function newUser(): Promise<User> {
  const name = `user${next()}`;
  const { token } = await signUp(server.url, name);
  const { id } = await valueOf<{ id: string }>("query", "users:current", {}, token);
  return { id, email: `${name}@example.com`, token };
}

/** A new plan that is assigned, by its slug. */
async function newPlan(): Promise<string> {
  const slug = `plan-${next()}`;
  const fields = ["name=Extra", "makerFeeBps=1", "takerFeeBps=1", "eligibility=assigned"];
  const change = ["openOrdersMax=5", "--confirm", "--reason", "a new one"];
  await openbell("plans change", slug, ...fields, ...change);
  return slug;
}

const because = (reason = "it must be") => ["--reason", reason];
const asRoot = ["--as", ROOT, ...because()];

async function announced(user: User, amount: string): Promise<string> {
  const asks = { coin: "EUR", network: "SEPA", amount };
  const path = "transfers:requestDeposit";
  const { transferId } = await valueOf<Transfer>("mutation", path, asks, user.token);
  return String(transferId);
}

/** A withdrawal that has come through the steps. */
async function withdrawn(...steps: readonly (readonly string[])[]): Promise<string> {
  const user = await newUser();
  const deposit = await announced(user, "50");
  await openbell("transfers record", deposit, "50", "--receipt", `in ${deposit}`, ...asRoot);
  const { addressId } = await valueOf<WithdrawalAddress>(
    "action",
    "transfers:addAddress",
    { coin: "EUR", network: "SEPA", address: "DE02120300000000202051", label: "Bank" },
    user.token,
  );
  const { transferId } = await valueOf<Transfer>(
    "action",
    "transfers:requestWithdrawal",
    { addressId, amount: "20", requestId: crypto.randomUUID() },
    user.token,
  );
  const number = String(transferId);
  for (const [verb, ...options] of steps) {
    await openbell(`transfers ${verb}`, number, ...options, ...asRoot);
  }
  return number;
}
const sent = (number = next()) => ["send", "--receipt", `out ${number}`] as const;

interface OnRecord {
  readonly kind: AdminChange["kind"];
  /** Name of the field, its value before and its value after. */
  readonly field: readonly [name: unknown, before: unknown, after: unknown];
  /** The address of the administrator named with --as; the command line itself if absent. */
  readonly actor?: string;
  readonly reason?: string;
}

const step = (number: string, before: string, after: string, kind = "withdrawal"): OnRecord => ({
  kind: "transfer",
  field: [`${kind} ${number}`, expect.stringContaining(before), expect.stringContaining(after)],
  actor: ROOT,
});

/** Commands that are recorded in the journal, each with what the audit log says of it. */
const CHANGES: Readonly<Record<string, () => Promise<OnRecord>>> = {
  "users freeze": async () => {
    await openbell("users freeze", (await newUser()).id, ...because());
    return { kind: "freeze", field: ["account", "not frozen", "frozen"] };
  },
  "users unfreeze": async () => {
    const { id } = await newUser();
    await openbell("users freeze", id, ...because("first"));
    await openbell("users unfreeze", id, ...because());
    return { kind: "freeze", field: ["account", "frozen", "not frozen"] };
  },
  "users plan": async () => {
    const slug = await newPlan();
    await openbell("users plan", (await newUser()).email, slug, ...because());
    return { kind: "planAssignment", field: ["plan", "member", slug] };
  },
  "coins change": async () => {
    const symbol = `TEA${next()}`;
    const fields = ["name=Tea", "kind=token", "decimals=2", "shownDecimals=2"];
    await openbell("coins change", symbol, ...fields, "--confirm", ...because("voted"));
    await openbell("coins change", symbol, "name=Green tea", "--confirm", ...because());
    return { kind: "coin", field: ["name", "Tea", "Green tea"] };
  },
  "plans change": async () => {
    await openbell("plans change", await newPlan(), "takerFeeBps=9", "--confirm", ...because());
    return { kind: "plan", field: ["takerFeeBps", "1", "9"] };
  },
  "markets change": async () => {
    const bps = String(2_000 + next());
    await openbell("markets change", "MEET-EUR", `priceBandBps=${bps}`, "--confirm", ...because());
    return { kind: "market", field: ["priceBandBps", expect.any(String), bps] };
  },
  "markets set": async () => {
    await asked("markets set", "MEET-EUR", "trading", ...because("first"));
    await openbell("markets set", "MEET-EUR", "halted", ...because());
    return { kind: "marketState", field: ["status", "trading", "halted"] };
  },
  "markets schedule": async () => {
    await openbell("markets schedule", "MEET-EUR", ...because("first"));
    const at = new Date(Date.now() + 86_400_000).toISOString();
    await openbell("markets schedule", "MEET-EUR", "--step", `${at} closed`, ...because());
    return { kind: "schedule", field: ["steps", "empty", expect.stringContaining("closed")] };
  },
  "adjustments propose": async () => {
    const { email } = await newUser();
    await openbell("adjustments propose", email, "EUR", "1", ...asRoot);
    const name = expect.stringMatching(/^adjustment \d+$/);
    return { kind: "adjustment", field: [name, "none", "proposed: 1.00 EUR"], actor: ROOT };
  },
  "adjustments reject": async () => {
    const { email } = await newUser();
    await openbell("adjustments propose", email, "EUR", "1", ...asRoot);
    const { lines } = await asked("adjustments list");
    const number = /^ *(\d+)/.exec(lines.at(-1) ?? "")?.[1] ?? "";
    await openbell("adjustments reject", number);
    const after = "rejected: 1.00 EUR";
    return { kind: "adjustment", field: [`adjustment ${number}`, "proposed: 1.00 EUR", after] };
  },
  "transfers record": async () => {
    const number = await announced(await newUser(), "30");
    await openbell("transfers record", number, "29", "--receipt", `in ${number}`, ...asRoot);
    return step(number, "requested: 30.00", "credited: 29.00", "deposit");
  },
  "transfers reject": async () => {
    const number = await announced(await newUser(), "30");
    await openbell("transfers reject", number, ...asRoot);
    return step(number, "requested", "rejected", "deposit");
  },
  "transfers approve": async () => step(await withdrawn(["approve"]), "held", "approved"),
  "transfers pay": async () => step(await withdrawn(["approve"], ["pay"]), "approved", "paying"),
  "transfers send": async () =>
    step(await withdrawn(["approve"], ["pay"], sent()), "paying", "sent"),
  "transfers settle": async () =>
    step(await withdrawn(["approve"], ["pay"], sent(), ["settle"]), "sent", "settled"),
  "transfers return": async () => {
    const number = await withdrawn(["approve"], ["pay"], sent());
    await openbell("transfers return", number, "--as", PAUL, ...because());
    return { ...step(number, "sent", "returned"), actor: PAUL };
  },
  "catalogue apply": async () => {
    const name = `Euro ${next()}`;
    const text = catalogue.replace("name: Euro", `name: ${name}`);
    const { isRefused } = await askExchange(server.dataDir, "/catalogue/apply", text);
    expect(isRefused).toBe(false);
    const reason = "openbell catalogue apply";
    return { kind: "coin", field: ["name", expect.stringContaining("Euro"), name], reason };
  },
};

/** Commands that change how a user signs in, each with its kind and what the record says besides. */
const OF_SIGN_IN: Readonly<
  Record<string, readonly [kind: AuditEvent["kind"], says: RegExp, make: (id: string) => unknown]>
> = {
  "users ban": ["banned", /: spam, until 20\S+Z \(before: not banned\)$/, (id) => ban(id)],
  "users unban": [
    "unbanned",
    /: before: banned, spam, until 20\S+Z$/,
    async (id) => {
      await ban(id);
      await openbell("users unban", id);
    },
  ],
  "users role": [
    "roleChanged",
    /: admin \(before: user\)$/,
    (id) => openbell("users role", id, "admin"),
  ],
  "users reset-password": [
    "passwordChanged",
    /: on the command line \(before: another\)$/,
    (id) => openbell("users reset-password", id),
  ],
};
const ban = (id: string) => openbell("users ban", id, "--days", "2", ...because("spam"));

const READING = new Set(["list", "show", "plan"]);
/** All commands, such as "users freeze". */
const ALL = [
  ...Object.entries(OPERATOR_COMMANDS).flatMap(([noun, verbs]) =>
    Object.keys(verbs).map((verb) => `${noun} ${verb}`),
  ),
  ...["show", "plan", "apply"].map((verb) => `catalogue ${verb}`),
];

describe("each change is on record", () => {
  test("which are those of every command that does more than read", () => {
    const changing = ALL.filter((command) => {
      const [noun, verb] = command.split(" ");
      return !READING.has(verb) || (noun === "users" && verb === "plan");
    });
    const recorded = [...Object.keys(CHANGES), ...Object.keys(OF_SIGN_IN)];
    expect(recorded.toSorted()).toEqual(changing.toSorted());
  });

  test.each(Object.entries(CHANGES))("%s", async (_command, make) => {
    const { kind, field, actor, reason = "it must be" } = await make();
    const args = { kind, limit: 1 };
    const path = "audit:changes";
    const { items } = await valueOf<Page<AdminChange>>("action", path, args, rootToken);
    const [newest] = items;
    expect([newest.adminEmail, newest.adminId === OPERATOR_ID]).toEqual([
      actor ?? null,
      actor === undefined,
    ]);
    const [name, before, after] = field;
    expect(newest).toMatchObject({ kind, reason });
    expect(newest.differences).toContainEqual({ name, before, after });
  });

  test.each(Object.entries(OF_SIGN_IN))("%s", async (_command, [kind, says, make]) => {
    const { id } = await newUser();
    await make(id);
    const read = async () => {
      const args = { user: id, limit: 1 };
      const { items } = await valueOf<Page<AuditEvent>>("action", "audit:page", args, rootToken);
      return items[0];
    };
    // Such a record is written after the answer.
    await expect.poll(async () => (await read()).kind, { timeout: 10_000 }).toBe(kind);
    expect(await read()).toMatchObject({ actorId: OPERATOR_ID, userId: id });
    expect((await read()).title).toMatch(says);
  });
});

describe("wrong arguments are refused by their names, and nothing is changed", () => {
  const VALID: Readonly<Record<string, string>> = {
    NUMBER: "1",
    ROLE: "user",
    STATE: "halted",
    AMOUNT: "1",
  };
  const LISTED: Readonly<Record<string, readonly [name: string, field: string]>> = {
    coins: ["EUR", "riskNote=none at all"],
    plans: ["member", "takerFeeBps=11"],
    markets: ["MEET-EUR", "priceBandBps=1999"],
  };
  const rows = Object.entries(OPERATOR_COMMANDS).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, command]) => [`${noun} ${verb}`, command] as const),
  );
  const answerTo = async (command: string, ...args: string[]): Promise<string> => {
    try {
      const { isRefused, lines } = await asked(command, ...args);
      return isRefused ? lines.join("\n") : `done: ${lines.join("\n")}`;
    } catch (error) {
      return String(error);
    }
  };
  const sequence = async () => {
    const answer = await fetch(`${server.url}/api/health`);
    return ((await answer.json()) as { sequence: number }).sequence;
  };

  test.each(rows)("%s", async (command, { names, options = {} }) => {
    const before = await sequence();
    const [listed, field] = LISTED[command.split(" ")[0]] ?? [];
    const valid = { ...VALID, NAME: listed, "FIELD=VALUE": field };
    const given = names.map((name) => valid[name as keyof typeof valid] ?? "nothing");
    if (Object.hasOwn(options, "confirm")) given.push("--confirm");
    if (names.length > 0) {
      const said = await answerTo(command, ...given.slice(1, names.length));
      expect(said).toContain(`Say: openbell ${command} ${names.join(" ")}`);
    }
    expect(await answerTo(command, ...given, "--nonsense")).toContain("--nonsense");
    const says: Readonly<Record<string, RegExp>> = {
      reason: /[Ss]ay why: --reason TEXT/,
      as: /as: say which administrator/,
      receipt: /receipt: say which receipt: --receipt TEXT/,
    };
    for (const [option, sentence] of Object.entries(says)) {
      if (Object.hasOwn(options, option))
        expect(await answerTo(command, ...given)).toMatch(sentence);
    }
    for (const number of ["days", "minutes"]) {
      if (!Object.hasOwn(options, number)) continue;
      const said = await answerTo(command, ...given, `--${number}`, "many", ...because());
      expect(said).toContain(`${number}: must be a number`);
    }
    for (const [at, name] of names.entries()) {
      const wrong: Readonly<Record<string, RegExp>> = {
        NUMBER: /(transfer|adjustment)Id: must be the number of an? (transfer|adjustment)/,
        ROLE: /role: .*"admin"/,
        STATE: /status: must be one of preOpen/,
        "FIELD=VALUE": /wrong must be FIELD=VALUE/,
        USER: /There is no user wrong|: say/,
      };
      if (!Object.hasOwn(wrong, name)) continue;
      const others = Object.hasOwn(options, "reason") ? because() : [];
      expect(await answerTo(command, ...given.with(at, "wrong"), ...others)).toMatch(wrong[name]);
    }
    expect(await sequence()).toBe(before);
  });
});
