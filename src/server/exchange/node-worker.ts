/** The thread of one node of several, which own one journal together; node-engine.ts does the work. */
import { parentPort, workerData } from "node:worker_threads";
import type { EngineRequest, EngineWorkerData } from "./engine-messages.ts";
import { NodeEngine } from "./node-engine.ts";
import { WorkerOutput } from "./worker-output.ts";

if (parentPort === null) throw new Error("the node's worker was started as a program");
const port = parentPort;
const node = new NodeEngine(
  workerData as EngineWorkerData,
  new WorkerOutput((response) => port.postMessage(response)),
);

port.on("message", (request: EngineRequest) => {
  node.take(request);
});
// A connection that is being opened would keep the thread.
void node.closed.then(() => process.exit());
node.follow();
