/**
 * What live pages cost on one node and on two: each node by itself, since it follows the log and folds
 * its views; each page of its own; and each page anywhere, through its orders. From these follows how
 * many pages one and two nodes have room for. Two full nodes are not measured: that would take a core
 * for each, and more for everything else.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Helper } from "./api-scene.ts";
import { BenchNodes, type ClusterScene } from "./cluster-scene.ts";
import type { LoadRequest, Measured } from "./page-load.ts";
import { type MeasuredServer, signUp, TenTimesASecond } from "./page-scene.ts";
import { type Usage, usageBetween, usageOf } from "./processes.ts";
import { inWords } from "./times.ts";

interface PagesOptions {
  /** On each node that has pages. */
  readonly pages: number;
  readonly seconds: number;
  /** Of the pages of one node. */
  readonly ordersPerSecond: number;
}

interface Reading {
  readonly from: Usage;
  readonly to: Usage;
}

const SETTLED_MS = 5_000;

export async function measurePages(scene: ClusterScene, options: PagesOptions): Promise<void> {
  const { print } = scene;
  const { ordersPerSecond, pages, seconds } = options;
  const exchange = await BenchNodes.start(scene, "pages", 3, {});
  const loads: Helper[] = [];
  let market: TenTimesASecond | undefined;
  try {
    const [leader, ...gateways] = exchange.nodes;
    market = await TenTimesASecond.start(leader.url);
    print(
      `pages, ${pages} on each node that has some, ${ordersPerSecond} orders/s of these, a market ` +
        `that moves ten times a second; the leader is a third node`,
    );
    const readings: Reading[][] = [];
    for (let count = 0; count <= gateways.length; count++) {
      if (count > 0) loads.push(await openPages(gateways[count - 1], count));
      await delay(SETTLED_MS);
      readings.push(await read(gateways, loads));
    }
    for (const load of loads) {
      const { equal, of } = await ask<{ equal: number; of: number }>(load, { kind: "check" });
      print(`  ${equal} of ${of} pages show what a new connection is shown`);
      await ask(load, { kind: "close" });
    }
    describeCosts("on all threads, one core for each node", ({ time }) => time.seconds);
    describeCosts("on the main thread, cores enough", ({ time }) => time.mainThreadSeconds);

    /** @param secondsOf the processor time that counts */
    function describeCosts(title: string, secondsOf: (usage: Usage) => number): void {
      // Shares of a core, of the first and the second node, without pages, with pages on one and on both.
      const [none, one, both] = readings.map((each) =>
        each.map(
          ({ from, to }) => (1_000 * (secondsOf(to) - secondsOf(from))) / (to.atMs - from.atMs),
        ),
      );
      const mean = ([first, second]: number[]) => (first + second) / 2;
      const alone = mean(none);
      // Below the resolution of the measurement it may come out negative.
      const elsewhere = Math.max(0, one[1] - alone) / pages;
      const own = (one[0] - alone) / pages - elsewhere;
      const roomOfOne = (1 - alone) / (own + elsewhere);
      const roomOfTwo = (2 * (1 - alone)) / (own + 2 * elsewhere);
      const milli = (share: number) => `${(1_000 * share).toFixed(2)} ms/s`;
      print(`  ${title}`);
      print(
        `    a node by itself ${milli(alone)}, each page of its own ${milli(own)}, each page anywhere ${milli(elsewhere)}`,
      );
      print(
        `    with pages on both nodes: ${milli(mean(both))} measured, ` +
          `${milli(alone + pages * (own + 2 * elsewhere))} expected`,
      );
      print(
        `    room for ${roomOfOne.toFixed(0)} pages on one node, ${roomOfTwo.toFixed(0)} on two: ` +
          `${(roomOfTwo / roomOfOne).toFixed(2)} x, computed`,
      );
    }
  } finally {
    market?.stop();
    for (const load of loads) load.stop();
    await exchange.close();
  }

  async function openPages({ url }: MeasuredServer, group: number): Promise<Helper> {
    const tokens: string[] = [];
    for (let page = 0; page < pages; page++)
      tokens.push(await signUp(url, `page-${group}-${page}`));
    const load = new Helper("page-load.ts");
    await ask(load, {
      kind: "open",
      url,
      tokens,
      slow: 0,
      slowBytesPerSecond: 0,
      dashboardEvery: 5,
      takesIncrements: true,
    });
    return load;
  }

  async function read(nodes: readonly MeasuredServer[], some: readonly Helper[]) {
    const from = nodes.map(({ pid }) => usageOf(pid));
    const measured = some.map((load) =>
      ask<Measured>(load, { kind: "measure", seconds, ordersPerSecond }),
    );
    await delay(seconds * 1_000);
    const reading = nodes.map(({ pid }, at) => ({ from: from[at], to: usageOf(pid) }));
    print(`  pages on ${some.length} nodes`);
    for (const { from: before, to } of reading) print(`    a node: ${usageBetween(before, to)}`);
    for (const { age, answered, failures } of await Promise.all(measured)) {
      print(`    age of what is shown ${inWords(age)}; own orders answered ${inWords(answered)}`);
      for (const failure of failures) print(`    failure ${failure}`);
    }
    return reading;
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the request decides what is answered
function ask<Result>(load: Helper, asked: LoadRequest): Promise<Result> {
  return load.ask<Result>(asked);
}
