/**
 * Every function for administrators, as docs/functions.md lists them: it refuses all other callers,
 * and each change is in the audit log.
 */
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Transfer, WithdrawalAddress } from "#contract/transfers.ts";
import type { Adjustment, Page } from "#contract/types.ts";
import type { AdminChange } from "#contract/users.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { definitions } from "./definitions.ts";

const reason = "a test";
const SETTINGS = {
  CATALOGUE: "catalogues/funded.yaml",
  FUNDED_MODE: "manual",
  WITHDRAWAL_ADDRESS_HOURS: "0",
};

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene({ settings: SETTINGS });
});
afterAll(() => scene.close());

/** The paths of functions that are declared for administrators. */
function pathsInDocument(): string[] {
  const functions = readFileSync("docs/functions.md", "utf8").split(/^### /m).slice(1);
  return functions
    .filter((text) => /^An? \w+ for administrators\./m.test(text))
    .map((text) => text.slice(0, text.indexOf("\n")));
}

const TEA = { symbol: "TEA", name: "Tea", kind: "token", decimals: 2, shownDecimals: 2 };
const plan = { slug: "new", name: "New", eligibility: "assigned", openOrdersMax: 1 };
const entry = { kind: "plan", plan: { ...plan, makerFeeBps: 1, takerFeeBps: 1 } };
const ASKED: Readonly<Record<string, object>> = {
  "plans:assign": { userId: "anna", plan: "member", reason },
  "catalogue:entries": {},
  "catalogue:preview": { entry, seen: null },
  "catalogue:change": { entry, seen: null, shown: [], reason },
  "users:list": {},
  "users:summary": { userId: "anna" },
  "markets:setStatus": { market: "MEET-EUR", status: "halted", reason },
  "markets:schedule": { market: "MEET-EUR", seen: [], steps: [], reason },
  "accounts:freeze": { userId: "anna", frozen: true, reason },
  "adjustments:list": {},
  "adjustments:propose": { userId: "anna", coin: "EUR", amount: "1", reason },
  "adjustments:approve": { adjustmentId: 1 },
  "adjustments:reject": { adjustmentId: 1 },
  "transfers:queue": {},
  "transfers:record": { transferId: 1, amount: "50", receipt: "X", reason },
  "transfers:send": { transferId: 1, receipt: "X", reason },
  "transfers:decide": { transferId: 1, step: "approve", reason },
  "transfers:importDeposits": { csv: "reference,coin,amount,receipt\n", apply: true, reason },
  "mails:queue": {},
  "mails:retry": {},
  "nodes:list": {},
  "nodes:stepDown": { reason },
  "audit:changes": {},
  "audit:page": {},
};

/** The code of the refusal; undefined if the call was answered. */
async function refusedTo(
  caller: ReturnType<FunctionScene["as"]>,
  path: string,
  args: object,
): Promise<string | undefined> {
  const kind = definitions.get(path)?.kind;
  if (kind === "query") return codeOf((await caller.loaded(path, args)).result);
  return codeOf(await (kind === "mutation" ? caller.mutate(path, args) : caller.act(path, args)));
}

function codeOf(result: Parameters<typeof refusal>[0]): string | undefined {
  return result.status === "error" ? refusal(result).code : undefined;
}

test("the functions for administrators are those of the document", () => {
  expect(Object.keys(ASKED).toSorted()).toEqual(pathsInDocument().toSorted());
});

describe("refuses visitors, users and administrators who view as another user", () => {
  test.each(Object.entries(ASKED))("%s", async (path, args) => {
    const { sequence } = scene.services.exchange.health();
    for (const [caller, code] of [
      [scene.as(null), "unauthorized"],
      [scene.as("anna"), "forbidden"],
      [scene.as("admin-olga", { readOnly: true }), "forbidden"],
    ] as const) {
      expect(await refusedTo(caller, path, args)).toBe(code);
    }
    expect(scene.services.exchange.health().sequence).toBe(sequence);
  });
});

test("no other function is for administrators alone", async () => {
  const others = [...definitions.keys()].filter((path) => !(path in ASKED));
  for (const path of others) {
    const code = await refusedTo(scene.as("boris"), path, {});
    expect([path, code]).not.toEqual([path, "forbidden"]);
  }
});

test("no function that only the administrators' pages call is for others too", () => {
  const calledIn = (pattern: string, without?: RegExp) =>
    globSync(pattern)
      .filter((file) => without?.test(file) !== true)
      .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\bfunctions\.(\w+)\.(\w+)/g)])
      .map(([, noun, name]) => `${noun}:${name}`);
  const elsewhere = new Set(calledIn("src/web/**/*.{ts,tsx}", /\/_?admin[/.]/));
  const onlyThere = calledIn("src/web/{features/admin,routes/_admin}/**/*.{ts,tsx}").filter(
    (path) => !elsewhere.has(path),
  );
  expect(onlyThere.length).toBeGreaterThan(20);
  expect(onlyThere.filter((path) => definitions.get(path)?.isForAdmins !== true)).toEqual([]);
});

/** Changes by the path that makes them, each with its name in the audit log. */
describe("each change is in the audit log", () => {
  const olga = () => scene.as("admin-olga");
  const paul = () => scene.as("admin-paul");
  const propose = () =>
    olga().done<Adjustment>("adjustments:propose", {
      userId: "anna",
      coin: "EUR",
      amount: "1",
      reason,
    });
  const announce = (amount: string) =>
    scene.as("anna").done<Transfer>("transfers:requestDeposit", {
      coin: "EUR",
      network: "SEPA",
      amount,
    });
  const record = async (amount: string) => {
    const { transferId } = await announce(amount);
    const arrived = { transferId, amount, receipt: `bank ${transferId}`, reason };
    await olga().done("transfers:record", arrived);
    return transferId;
  };
  const changeEntry = async (asked: object) => {
    const proposal = { entry: asked, seen: null };
    const { changes: shown } = await olga().answer<{ changes: string[] }>(
      "catalogue:preview",
      proposal,
    );
    await olga().done("catalogue:change", { ...proposal, shown, reason });
  };
  const withdraw = async () => {
    const anna = scene.as("anna");
    await paul().done("transfers:decide", {
      transferId: await record("500"),
      step: "approve",
      reason,
    });
    const { addressId } = await anna.answer<WithdrawalAddress>("transfers:addAddress", {
      coin: "EUR",
      network: "SEPA",
      address: "DE02120300000000202051",
      label: "Bank",
    });
    const requestId = crypto.randomUUID();
    const { transferId } = await anna.answer<Transfer>("transfers:requestWithdrawal", {
      addressId,
      amount: "20",
      requestId,
    });
    for (const [who, step] of [
      [olga(), "approve"],
      [paul(), "approve"],
      [olga(), "pay"],
    ] as const) {
      await who.mutate("transfers:decide", { transferId, step, reason });
    }
    await olga().done("transfers:send", { transferId, receipt: "P-1", reason });
  };
  const assignPlan = async () => {
    const { exchange, views } = scene.services;
    const [{ definition }] = views.catalogue.plans();
    const other = { ...definition, slug: "other", position: 2 };
    await exchange.submit({ type: "definePlan", plan: other });
    await olga().done("plans:assign", { userId: "anna", plan: "other", reason });
  };
  const CHANGES: Readonly<Record<string, readonly [AdminChange["kind"], () => Promise<unknown>]>> =
    {
      "catalogue:change": ["coin", () => changeEntry({ kind: "coin", coin: TEA })],
      "plans:assign": ["planAssignment", assignPlan],
      "markets:setStatus": ["marketState", () => ask("markets:setStatus")],
      "markets:schedule": [
        "schedule",
        () =>
          olga().done("markets:schedule", {
            market: "MEET-EUR",
            seen: [],
            steps: [{ at: Date.now() + 3_600_000, status: "closed" }],
            reason,
          }),
      ],
      "accounts:freeze": [
        "freeze",
        async () => {
          await ask("accounts:freeze");
          await olga().done("accounts:freeze", { userId: "anna", frozen: false, reason });
        },
      ],
      "adjustments:propose": ["adjustment", propose],
      "adjustments:approve": [
        "adjustment",
        async () => {
          const { adjustmentId } = await propose();
          return paul().done("adjustments:approve", { adjustmentId });
        },
      ],
      "adjustments:reject": [
        "adjustment",
        async () => {
          const { adjustmentId } = await propose();
          return olga().done("adjustments:reject", { adjustmentId });
        },
      ],
      "transfers:record": ["transfer", () => record("20")],
      "transfers:decide": [
        "transfer",
        async () => {
          const { transferId } = await announce("30");
          return olga().done("transfers:decide", { transferId, step: "reject", reason });
        },
      ],
      "transfers:importDeposits": [
        "transfer",
        async () => {
          const { reference } = await announce("40");
          const csv = `reference,coin,amount,receipt\n${reference},EUR,40,statement 1\n`;
          return olga().done("transfers:importDeposits", { csv, apply: true, reason });
        },
      ],
      "transfers:send": ["transfer", withdraw],
    };
  const ask = (path: string) => olga().done(path, ASKED[path]);
  const changesOf = async (kind: AdminChange["kind"]) => {
    const args = { kind, limit: 200 };
    return (await olga().answer<Page<AdminChange>>("audit:changes", args)).items;
  };

  beforeAll(async () => {
    for (const who of ["anna", "admin-olga", "admin-paul"]) {
      await scene.services.exchange.submit({ type: "openAccount", userId: who, kind: "person" });
    }
  });

  test("those of no command, among the security events", async () => {
    const stepDown = async () => "told to step down";
    Object.assign(scene.services, { nodes: { list: async () => [], stepDown } });
    const recorded = vi.spyOn(scene.services.accounts, "recordOwnChange");
    await olga().act("mails:retry", {});
    await olga().act("nodes:stepDown", { reason });
    expect(recorded.mock.calls.map(([{ subject }, ...what]) => [subject, ...what])).toEqual([
      ["admin-olga", "mailsRetried", { detail: "2" }],
      ["admin-olga", "leaderSteppedDown", { detail: reason }],
    ]);
  });

  test("which are those of every mutation for administrators", () => {
    const mutations = Object.keys(ASKED).filter(
      (path) => definitions.get(path)?.kind === "mutation",
    );
    expect(Object.keys(CHANGES).toSorted()).toEqual(mutations.toSorted());
  });

  test.each(Object.entries(CHANGES))("%s", async (_path, [kind, make]) => {
    const before = await changesOf(kind);
    await make();
    const after = await changesOf(kind);
    expect(after.length).toBeGreaterThan(before.length);
    expect(after[0]).toMatchObject({ kind, adminId: expect.stringMatching(/^admin-/), reason });
    const { differences } = after[0];
    expect(differences.length).toBeGreaterThan(0);
    expect(differences.filter(({ before: was, after: is }) => was === is)).toEqual([]);
  });
});
