import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SecurityEvent } from "./accounts/audit/security-events.ts";
import { applyChanges } from "./changes-elsewhere.ts";
import type { UserChange } from "./cluster/cluster-links.ts";
import { openDatabase } from "./database/open-database.ts";
import { createSilentLog } from "./log.ts";
import { openOwnData } from "./own-data.ts";
import { readConfig } from "./settings/config.ts";
import { Views } from "./views/views.ts";

const EVENT: SecurityEvent = {
  id: "1",
  userId: "ada",
  actorId: null,
  kind: "passkeyAdded",
  title: "Passkey added",
  status: "completed",
  atMs: 1_000,
  address: "192.0.2.1",
  userAgent: "a browser",
};

/** Two nodes on one database, the first of which leads: each announcement reaches the other at once. */
async function twoNodes() {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-nodes-"));
  const log = createSilentLog();
  const database = await openDatabase({ dataDir, log });
  await database.migrate();
  const recorded: SecurityEvent[] = [];
  const accounts = {
    securityEvents: () => Promise.resolve({ items: [...recorded], cursor: null }),
    mailNotices: () => Promise.resolve(),
  };
  const appliers: ((change: UserChange) => void)[] = [];
  const open = async (index: number) => {
    const ownData = await openOwnData({
      config: readConfig({ DATA_DIR: dataDir }),
      secret: "a-secret-of-tests-that-is-long-enough-0123456789",
      database,
      log,
      views: new Views({ now: Date.now }),
      accounts: () => accounts,
      announce: () => undefined,
      tellNodes: (change) => appliers.forEach((apply, at) => at !== index && apply(change)),
    });
    const opened = Promise.resolve({ changedElsewhere: () => Promise.resolve() });
    appliers.push(applyChanges({ ownData, log, accounts: opened }));
    return ownData;
  };
  const [leader, other] = [await open(0), await open(1)];
  leader.setLeads(true);
  onTestFinished(async () => {
    await Promise.all([leader.close(), other.close()]);
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  return { leader, other, recorded };
}

test("a security event of one node is a notice on all, and the one that leads mails it", async () => {
  const { leader, other, recorded } = await twoNodes();
  expect(await leader.notices.security.load("ada")).toEqual([]);
  const mailed = vi.spyOn(leader.notices.mail, "schedule");
  recorded.push(EVENT);
  other.securityEventRecorded("ada");
  await vi.waitFor(() =>
    expect(leader.notices.security.read("ada")?.map(({ event }) => event)).toEqual([EVENT]),
  );
  expect(mailed).toHaveBeenCalledWith("ada");
});

test("mail that is switched on with one node is sent by the one that leads", async () => {
  const { leader, other } = await twoNodes();
  await leader.notices.states.load("ada");
  await other.notices.states.switchKind("ada", "fill", { mail: true }, 1);
  await vi.waitFor(() => expect(leader.notices.mail.isIdle).toBe(false));
  await other.notices.states.switchKind("ada", "fill", { mail: false }, 2);
  await vi.waitFor(() => expect(leader.notices.mail.isIdle).toBe(true));
});
