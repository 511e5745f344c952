/** How fast a node that follows answers commands of the official client. */
import { Helper } from "./api-scene.ts";
import type { Answers, UsersRequest } from "./cluster-load.ts";
import { BenchNodes, type ClusterScene } from "./cluster-scene.ts";
import { commandTimesOf, timesBetween } from "./command-metrics.ts";
import { callMutation, restingOrder, signUpActive } from "./page-scene.ts";
import { usageBetween, usageOf } from "./processes.ts";
import { inWords, timesOf } from "./times.ts";

/** Until code is compiled. */
const WARM_UP_SECONDS = 5;

export async function measureAnswers(
  scene: ClusterScene,
  options: { readonly rate: number; readonly users: number; readonly seconds: number },
): Promise<void> {
  const { print } = scene;
  const { rate, seconds, users } = options;
  const load = new Helper("cluster-load.ts");
  const exchange = await BenchNodes.start(scene, "answers", 2, {
    SIMULATION: "off",
    REACTIVE_CONNECTIONS_PER_ADDRESS: "1000",
    MUTATIONS_PER_ADDRESS: "100000",
  });
  try {
    const [leader, follower] = exchange.nodes;
    const tokens: string[] = [];
    for (let user = 0; user < users; user++) {
      tokens.push(await signUpActive(follower.url, `user-${user}`));
    }
    const ask = <Result>(asked: UsersRequest) => load.ask<Result>(asked);
    await ask({ kind: "open", url: follower.url, tokens });
    await ask({ kind: "load", rate, seconds: WARM_UP_SECONDS });

    const processes = [
      ["the leader", leader.pid],
      ["the follower", follower.pid],
      ...scene.servers.pids.map((pid, at) => [`NATS ${scene.servers.names[at]}`, pid] as const),
    ] as const;
    const read = async () => ({
      sequence: await exchange.sequence(),
      times: await commandTimesOf(follower.url),
      usages: processes.map(([, pid]) => usageOf(pid)),
    });
    const before = await read();
    const { times, failures } = await ask<Answers>({ kind: "load", rate, seconds });
    const after = await read();
    print(`answers, ${rate} commands/s of ${users} users on the following node for ${seconds} s`);
    print(`  the official client, from when it was due  ${inWords(timesOf(times))}`);
    print(
      `  in the node, from submission to outcome    ${timesBetween(before.times, after.times)}`,
    );
    for (const [at, [name]] of processes.entries()) {
      print(`  ${name}: ${usageBetween(before.usages[at], after.usages[at])}`);
    }
    for (const failure of new Set(failures)) print(`  failure ${failure}`);
    const commands = after.sequence - before.sequence;
    if (commands < times.length) throw new Error("the journal lacks what was answered");
    const [token] = tokens;
    const hash = await exchange.agreedHash(() =>
      callMutation(follower.url, "orders:place", restingOrder(40_000), token),
    );
    print(
      `  ${times.length} answered, ${failures.length} failed, ${commands} commands in the journal; state ${hash} on both nodes`,
    );
    await ask({ kind: "close" });
  } finally {
    load.stop();
    await exchange.close();
  }
}
