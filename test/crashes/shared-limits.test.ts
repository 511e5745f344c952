/** What three nodes tell each other over real NATS servers of limits that count over all of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { ClusterNode } from "../support/cluster-node.ts";
import { describeOnNats } from "../support/on-nats.ts";

describeOnNats("limits over all nodes", () => {
  const servers = sharedCluster();
  let folder: string;
  let nodes: ClusterNode[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "openbell-shared-limits-"));
    const journal = servers().address(freshStream());
    let runs = 0;
    nodes = ["a", "b", "c"].map(
      (name) => new ClusterNode(join(folder, name), journal, () => runs++),
    );
    await Promise.all(nodes.map((node) => node.start()));
  });
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(folder, { recursive: true });
  });

  test("use and numbers reach the other nodes, and the numbers of one that is killed are forgotten", async () => {
    const [first, second, third] = nodes;
    const elsewhere = (node: ClusterNode) => expect.poll(() => node.ask("elsewhere"));
    first.tell("use 5");
    first.tell("take 2");
    second.tell("use 7");
    second.tell("take 3");
    await elsewhere(first).toEqual(["elsewhere", "7", "3"]);
    await elsewhere(second).toEqual(["elsewhere", "5", "2"]);
    await elsewhere(third).toEqual(["elsewhere", "12", "5"]);

    await first.kill();
    await elsewhere(second).toEqual(["elsewhere", "5", "0"]);
    await elsewhere(third).toEqual(["elsewhere", "12", "3"]);

    // One that begins later hears of what is taken when it is repeated.
    await first.start();
    await elsewhere(first).toEqual(["elsewhere", "0", "3"]);
    await second.close();
    await elsewhere(third).toEqual(["elsewhere", "12", "0"]);
  });
});
