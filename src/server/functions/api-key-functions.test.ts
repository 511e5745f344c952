import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ApiKeys, CreatedApiKey } from "#contract/api-keys.ts";
import { NotConfirmedError } from "../accounts/own-changes.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

const KEY = { name: "Bot", kind: "hmac", permissions: ["read", "trade"] };
const { publicKey } = generateKeyPairSync("ed25519");
const PEM = publicKey.export({ format: "pem", type: "spki" });

const create = (userId: string, more: object = {}) =>
  scene.as(userId).answer<CreatedApiKey>("apiKeys:create", { ...KEY, ...more });

async function listOf(userId: string): Promise<ApiKeys> {
  const list = () => scene.as(userId).value<ApiKeys | null>("apiKeys:list");
  await vi.waitFor(() => expect(list()).not.toBeNull());
  return list()!;
}

describe("API keys", () => {
  test("are listed with their terms, and never with their secret", async () => {
    const expiresAt = Date.now() + 60_000;
    const { key, secret } = await create("ada", { addressRanges: [" 10.0.0.0/8 "], expiresAt });
    expect(secret).toMatch(/^[A-Za-z0-9]{64}$/);
    const listed = await listOf("ada");
    expect(listed).toEqual({ keys: [key], keysMax: 30 });
    expect(key).toMatchObject({
      ...KEY,
      addressRanges: ["10.0.0.0/8"],
      expiresAt,
      lastUse: null,
      faults: null,
      readable: true,
    });
    expect(JSON.stringify(listed)).not.toContain(secret);
    expect((await listOf("eve")).keys).toEqual([]);
  });

  test("of the kind Ed25519 have no secret", async () => {
    const { key, secret } = await create("bob", { kind: "ed25519", publicKey: PEM });
    expect([key.kind, secret]).toEqual(["ed25519", null]);
  });

  test("have the limit of their owner's plan", async () => {
    await scene.as("cid").done("accounts:takePracticeFunds");
    for (let count = 0; count < 30; count++) await create("cid");
    const refused = await scene.as("cid").act("apiKeys:create", KEY);
    expect(refusal(refused)).toMatchObject({ code: "limitReached" });
    const { keysMax } = await listOf("cid");
    await scene
      .as("admin")
      .done("plans:assign", { userId: "cid", plan: "market-maker", reason: "Makes markets" });
    expect([keysMax, (await listOf("cid")).keysMax]).toEqual([30, 200]);
    await create("cid");
    // Terms that a smaller plan would not allow stay.
    await scene.as("admin").done("plans:assign", { userId: "cid", plan: "free", reason: "Left" });
    expect(await listOf("cid")).toMatchObject({ keysMax: 30 });
    expect((await listOf("cid")).keys).toHaveLength(31);
  });

  test.each([
    ["name", { name: " " }],
    ["name", { name: "x".repeat(61) }],
    ["name", { name: "a\u0007b" }],
    ["kind", { kind: "rsa" }],
    ["permissions", { permissions: [] }],
    ["permissions", { permissions: ["trade"] }],
    ["permissions", { permissions: ["read", "withdraw"] }],
    ["permissions.0", { permissions: ["all"] }],
    ["addressRanges", { addressRanges: ["10.0.0.0/8", "everywhere"] }],
    ["addressRanges", { addressRanges: Array.from({ length: 31 }, () => "10.0.0.1") }],
    ["expiresAt", { expiresAt: Date.now() - 1 }],
    ["expiresAt", { expiresAt: "tomorrow" }],
    ["publicKey", { publicKey: PEM }],
    ["publicKey", { kind: "ed25519" }],
    ["publicKey", { kind: "ed25519", publicKey: "c2hvcnQ=" }],
    ["code", { code: "12345" }],
  ])("name %s as the argument at fault in %j", async (field, more) => {
    const confirmed = vi.spyOn(scene.services.accounts, "confirmIdentity");
    const refused = await scene.as("dan").act("apiKeys:create", { ...KEY, ...more });
    expect(refusal(refused)).toMatchObject({ code: "invalidArgument", field });
    // No code is used up for a request that is refused anyway.
    expect(confirmed).not.toHaveBeenCalled();
    expect((await listOf("dan")).keys).toEqual([]);
  });

  test("are made and widened only by who has shown who they are, but revoked at once", async () => {
    const { key } = await create("gil");
    vi.spyOn(scene.services.accounts, "confirmIdentity").mockRejectedValue(
      new NotConfirmedError("codeNeeded", "Enter the code."),
    );
    const gil = scene.as("gil");
    const { keyId, permissions } = key;
    const wanted = { code: "codeNeeded", field: "code", message: "Enter the code." };
    expect(refusal(await gil.act("apiKeys:create", KEY))).toEqual(wanted);
    expect(refusal(await gil.act("apiKeys:restrict", { keyId, permissions }))).toEqual(wanted);
    expect((await listOf("gil")).keys).toEqual([key]);
    await gil.done("apiKeys:rename", { keyId, name: "Other" });
    await gil.done("apiKeys:revoke", { keyId });
    expect((await listOf("gil")).keys).toEqual([]);
    vi.restoreAllMocks();
  });

  test("are put on record with what they may do, without key and secret", async () => {
    const recorded = vi.spyOn(scene.services.accounts, "recordOwnChange");
    const { key, secret } = await create("hal", { addressRanges: ["10.0.0.1"] });
    const { keyId } = key;
    const hal = scene.as("hal");
    await hal.done("apiKeys:rename", { keyId, name: "Other" });
    const expiresAt = Date.UTC(2100, 0, 1);
    await hal.answer("apiKeys:restrict", { keyId, permissions: ["read"], expiresAt });
    await hal.done("apiKeys:revoke", { keyId });
    expect(recorded.mock.calls.map(([, kind, { detail }]) => [kind, detail])).toEqual([
      ["apiKeyCreated", "Bot (read, trade), only from 10.0.0.1"],
      ["apiKeyRenamed", "Other"],
      ["apiKeyChanged", "Other (read), until 2100-01-01T00:00Z"],
      ["apiKeyRevoked", "Other"],
    ]);
    const text = JSON.stringify(recorded.mock.calls);
    expect([text.includes(key.apiKey), text.includes(secret!)]).toEqual([false, false]);
    vi.restoreAllMocks();
  });

  test("of another user are not found", async () => {
    const { keyId } = (await create("ida")).key;
    const eve = scene.as("eve");
    const unknown = { code: "notFound", field: "keyId" };
    const rename = { keyId, name: "Mine" };
    expect(refusal(await eve.mutate("apiKeys:rename", rename))).toMatchObject(unknown);
    expect(refusal(await eve.mutate("apiKeys:revoke", { keyId }))).toMatchObject(unknown);
    const faults = { keyId, faults: { cutPercent: 100 } };
    expect(refusal(await eve.mutate("apiKeys:setFaults", faults))).toMatchObject(unknown);
    const restrict = { keyId, permissions: ["read"] };
    expect(refusal(await eve.act("apiKeys:restrict", restrict))).toMatchObject(unknown);
    expect((await listOf("ida")).keys).toMatchObject([
      { name: "Bot", permissions: KEY.permissions, faults: null },
    ]);
  });

  test("suffer faults that their owner sets, within their bounds, and ends", async () => {
    const { keyId } = (await create("joe")).key;
    const joe = scene.as("joe");
    const faults = { latencyMs: 200, clockSkewMs: -5 };
    await joe.done("apiKeys:setFaults", { keyId, faults, seconds: 60 });
    expect((await listOf("joe")).keys[0].faults).toMatchObject({
      faults: { ...faults, cutPercent: 0 },
      endsAt: expect.any(Number) as number,
    });
    for (const wrong of [{ latencyMs: 5_001 }, { cutPercent: -1 }, { halted: 0.5 }, { hail: 1 }]) {
      const refused = await joe.mutate("apiKeys:setFaults", { keyId, faults: wrong });
      expect(refusal(refused)).toMatchObject({ code: "invalidArgument" });
    }
    await joe.done("apiKeys:setFaults", { keyId, faults: {} });
    expect((await listOf("joe")).keys[0].faults).toBeNull();
  });

  test("are changed by no visitor, nor by an administrator who views as their owner", async () => {
    const visitor = scene.as(null);
    expect(refusal(visitor.query("apiKeys:list").result)).toMatchObject({ code: "unauthorized" });
    const asVisitor = await visitor.act("apiKeys:create", KEY);
    expect(refusal(asVisitor)).toMatchObject({ code: "unauthorized" });
    const viewing = scene.as("ada", { readOnly: true });
    const [{ keyId }] = (await listOf("ada")).keys;
    const restrict = { keyId, permissions: ["read"] };
    for (const result of [
      await viewing.act("apiKeys:create", KEY),
      await viewing.act("apiKeys:restrict", restrict),
      await viewing.mutate("apiKeys:rename", { keyId, name: "x" }),
      await viewing.mutate("apiKeys:setFaults", { keyId, faults: { cutPercent: 1 } }),
      await viewing.mutate("apiKeys:revoke", { keyId }),
    ]) {
      expect(refusal(result)).toMatchObject({ code: "forbidden" });
    }
  });
});
