/**
 * Nodes that are upgraded one after another, the leader last, to a version with other rules: nothing is lost, the
 * older and the newer ones never serve beside each other what may differ, and an older node that comes late stops
 * itself.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RULES_VERSION } from "#engine/formats/engine-version.ts";
import { askingNodes } from "#server/cluster/nats/ask-nodes.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { seededRandom } from "../disk/journal-disk.ts";
import { signUp } from "../hostile-input/bad-input-clients.ts";
import { startBalancer } from "../support/balancer.ts";
import { ClusterNode } from "../support/cluster-node.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { hasPostgres, onPostgres, postgresUrlOf } from "../support/own-database.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { OrderClient } from "./rounds/order-client.ts";
import { faultsOf } from "./rounds/round-checks.ts";

/** The next version of the program: other rules, whose number says so. */
const NEWER_RULES = {
  file: "src/engine/formats/engine-version.ts",
  line: `RULES_VERSION = ${RULES_VERSION};`,
  mistake: `RULES_VERSION = ${RULES_VERSION + 1};`,
};
const OTHER_FEES = {
  file: "src/engine/amount.ts",
  line: "return quotient * b === a ? quotient : quotient + 1;",
  mistake: "return quotient;",
};
const NEWER_LEADS = "a newer version of the program leads since term";
const NAMES = ["a", "b", "c"];
const CLIENTS = 4;

describeOnNats("a rolling upgrade", () => {
  const servers = sharedCluster();
  let folder: string;
  let journal: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "openbell-upgrade-"));
    journal = servers().address(freshStream());
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("to other rules leaves followers waiting until one of them leads, and then stops older ones", async () => {
    let runs = 0;
    const nodes = NAMES.map((name) => new ClusterNode(join(folder, name), journal, () => runs++));
    const roleOf = async (node: ClusterNode) => (await node.ask("status"))[1];
    try {
      for (const node of nodes) await node.start();
      const [leader, second, third] = nodes;
      await leader.ask("setup", "resting");
      await expect.poll(() => roleOf(leader)).toBe("leader");
      leader.tell("load");
      await expect.poll(() => leader.acknowledged.size).toBeGreaterThan(20);

      await second.close();
      await second.start(NEWER_RULES, OTHER_FEES);
      await expect.poll(() => roleOf(second)).toBe("waiting");
      expect(await roleOf(third)).toBe("standby");
      // It takes no commands, as it would answer by its own rules.
      second.tell("load");
      await expect.poll(() => second.errors.join()).toContain("The exchange is busy");
      expect(second.acknowledged.size).toBe(0);
      second.errors.length = 0;
      const before = leader.acknowledged.size;
      await expect.poll(() => leader.acknowledged.size).toBeGreaterThan(before + 20);

      // An older standby is left behind when the newer one leads.
      await third.kill();
      await leader.ask("rest", "resting");
      await leader.close();
      await expect.poll(() => roleOf(second)).toBe("leader");
      await second.ask("rest", "resting");
      second.tell("load");
      await expect.poll(() => second.acknowledged.size).toBeGreaterThan(20);
      void third.start();
      await expect.poll(() => third.errors.join()).toContain(NEWER_LEADS);
      await third.kill();
      await third.start(NEWER_RULES, OTHER_FEES);
      await expect.poll(() => roleOf(third)).toBe("standby");
      third.tell("load");
      await expect.poll(() => third.acknowledged.size).toBeGreaterThan(20);
      await Promise.all([second, third].map((node) => node.ask("rest", "resting")));
      const [[, sequence, hash], other] = await Promise.all(
        [second, third].map((node) => node.ask("hash")),
      );
      expect(other.slice(1)).toEqual([sequence, hash]);
      expect(second.errors).toEqual([]);
    } finally {
      await Promise.all(nodes.map((node) => node.kill()));
    }
  });

  test.skipIf(!hasPostgres)("of the whole program loses no order of its users", async () => {
    const database = `openbell_upgrade_${process.pid}`;
    await onPostgres(`create database ${database}`);
    const running = new Map<string, RunningServer>();
    const balancer = await startBalancer(running);
    const clients: OrderClient[] = [];
    const start = async (name: string, isNewer: boolean) => {
      const plant = pathToFileURL(resolve("test/faults/plant.ts")).href;
      const newer = {
        NODE_OPTIONS: `--import ${plant}`,
        PLANTED_FAULT: JSON.stringify(NEWER_RULES),
      };
      const server = await startServerProcess({
        AUTH_RATE_LIMIT: "off",
        AUTH_SECRET: "0123456789abcdef0123456789abcdef",
        DATA_DIR: join(folder, name),
        DATABASE_URL: postgresUrlOf(database),
        NATS_URL: journal,
        PRACTICE_FUNDS: "USD:1000000000,BTC:100000",
        PUBLIC_URL: balancer.url,
        SIMULATION: "off",
        ...(isNewer ? newer : {}),
      });
      running.set(name, server);
      return server;
    };
    const list = () => askingNodes(journal, (nodes) => nodes.list());
    const roles = async () => (await list()).map(({ role }) => role).toSorted();
    const acknowledged = () => clients.reduce((sum, each) => sum + each.acknowledged.size, 0);
    const whenAllAnswered = async () => {
      const before = clients.map((client) => client.acknowledged.size);
      const isAnswered = () => clients.every((each, at) => each.acknowledged.size > before[at]);
      await expect.poll(isAnswered, { timeout: 120_000 }).toBe(true);
    };
    try {
      for (const name of NAMES) await start(name, false);
      await expect.poll(balancer.ready, { timeout: 60_000 }).toBe(3);
      const random = seededRandom(3);
      for (let user = 1; user <= CLIENTS; user++) {
        const { cookie } = await signUp(balancer.url, `User-${user}`);
        clients.push(new OrderClient(balancer.url, cookie, random));
      }
      await Promise.all(clients.map((client) => client.takeFunds()));
      for (const client of clients) client.begin();
      await whenAllAnswered();

      const [first] = await list();
      const leading = NAMES.find((name) =>
        first.place.endsWith(`process ${running.get(name)?.pid}`),
      );
      const following = NAMES.filter((name) => name !== leading);
      let longestMs = 0;
      let lastMs = performance.now();
      const watch = setInterval(() => {
        const newest = Math.max(...clients.map((client) => client.lastMs));
        if (newest > lastMs) longestMs = Math.max(longestMs, newest - lastMs);
        lastMs = Math.max(lastMs, newest);
      }, 10);
      for (const [at, name] of following.entries()) {
        await running.get(name)?.stop();
        running.delete(name);
        await start(name, true);
        await expect
          .poll(async () => (await roles()).filter((role) => role === "waiting").length, {
            timeout: 60_000,
          })
          .toBe(at + 1);
        await whenAllAnswered();
      }
      expect(await roles()).toEqual(["leader", "waiting", "waiting"]);
      await running.get(leading ?? "")?.stop();
      running.delete(leading ?? "");
      await expect.poll(roles, { timeout: 60_000 }).toEqual(["leader", "standby"]);
      await whenAllAnswered();
      await start(leading ?? "", true);
      await expect.poll(roles, { timeout: 60_000 }).toEqual(["leader", "standby", "standby"]);
      await whenAllAnswered();
      clearInterval(watch);
      console.log(`${acknowledged()} orders; the longest pause was ${Math.round(longestMs)} ms`);
      await Promise.all(clients.map((client) => client.rest()));
      const { sequence, stateHash: hash } = await verifyJournal({ dataDir: folder, journal });
      const source = { dataDir: folder, journal };
      expect(await faultsOf(source, clients, { sequence, hash })).toEqual([]);

      // The version before, by mistake.
      const [mistaken] = following;
      await running.get(mistaken)?.stop();
      running.delete(mistaken);
      await expect(start(mistaken, false)).rejects.toThrow(NEWER_LEADS);
      await expect.poll(roles, { timeout: 60_000 }).toEqual(["leader", "standby"]);
    } finally {
      await Promise.all(clients.map((client) => client.close()));
      await Promise.all([...running.values()].map((server) => server.remove()));
      await balancer.close();
      await onPostgres(`drop database ${database} with (force)`);
    }
  });
});
