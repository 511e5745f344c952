import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PLAIN_QUERY_CLIENT } from "./plain-queries.ts";

interface Transition {
  readonly queries: readonly string[];
  readonly paginatedQueries?: readonly string[];
}

interface Module {
  readonly PaginatedQueryClient: new (
    client: { addOnTransitionHandler: (handler: (transition: Transition) => void) => void },
    onTransition: (transition: Transition) => void,
  ) => object;
}

test("every transition is passed on, without paginated queries", async () => {
  const address = `data:text/javascript,${encodeURIComponent(PLAIN_QUERY_CLIENT)}`;
  const { PaginatedQueryClient } = (await import(/* @vite-ignore */ address)) as Module;
  const handlers: ((transition: Transition) => void)[] = [];
  const passed: Transition[] = [];
  const client = {
    addOnTransitionHandler: (handler: (typeof handlers)[0]) => handlers.push(handler),
  };
  expect(new PaginatedQueryClient(client, (transition) => passed.push(transition))).toBeDefined();
  for (const handler of handlers) handler({ queries: ["orders"] });
  expect(passed).toEqual([{ queries: ["orders"], paginatedQueries: [] }]);
});

test("the library still hands every transition to the class that is replaced", async () => {
  const client = fileURLToPath(new URL("client.js", import.meta.resolve("convex/react")));
  const source = await readFile(client, "utf8");
  expect(source).toContain("../browser/sync/paginated_query_client.js");
  expect(source).toContain("new PaginatedQueryClient(");
});
