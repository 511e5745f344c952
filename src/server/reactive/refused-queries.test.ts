/** The memory that refused queries take before they run. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { WorkShares } from "../limits/work-shares.ts";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { MemoryHost, startServer, until } from "#test/support/reactive-server.ts";

const QUERIES = 200;
const LENGTH = 400_000;

test("the arguments of a refused query are not kept, however long its connection stays", async () => {
  // No client is throttled: by the clock of a busy machine this client would always be.
  const shares = new WorkShares(() => 0);
  // Nor does it wait among visitors, whose share never refills by that clock.
  shares.vouch("ann", "127.0.0.1");
  const server = await startServer(new MemoryHost(), { shares });
  const client = await openSocket(server);
  client.send(CONNECT);
  const refused = () => client.heard.filter(({ type }) => type === "Transition").length;
  const before = bytesInUse();
  for (let query = 0; query < QUERIES; query += 1) {
    const text = String(query).padEnd(LENGTH, "y");
    client.send(addQuery(query, "values:large", { text }, query));
    await until(() => refused() > query);
  }
  // If kept, they would take 80 MB. The last message may be in flight for a moment.
  await expect.poll(() => bytesInUse() - before).toBeLessThan((QUERIES * LENGTH) / 4);
  expect(client.heard.at(-1)).toMatchObject({ modifications: [{ type: "QueryFailed" }] });
  client.socket.terminate();
  await server.close();
});

/** After a garbage collection. */
function bytesInUse(): number {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
