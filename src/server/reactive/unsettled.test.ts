/** While the host's state changes in steps, no client sees an intermediate state. */
import { ConvexHttpClient } from "convex/browser";
import { afterEach, expect, test } from "vitest";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { api, MemoryHost, startServer, until } from "#test/support/reactive-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

test("queries wait for its end: new ones, changed ones and those over HTTP", async () => {
  const host = new MemoryHost();
  let step: PromiseWithResolvers<void> | undefined;
  const executor = { ...host.executor, unsettled: () => step?.promise };
  const server = await startServer(host, { executor });
  closers.push(() => server.close());
  const { heard, send, socket } = await openSocket(server);
  closers.push(() => socket.terminate());
  send(CONNECT);
  send(addQuery(0, "lists:items", {}));
  await until(() => heard.length === 1);
  const http = new ConvexHttpClient(server.address, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
  });

  step = Promise.withResolvers();
  host.items.push("half");
  host.change("items");
  send({ ...addQuery(1, "lists:items", {}), baseVersion: 1, newVersion: 2 });
  const asked = http.query(api.lists.items, {});
  // Another answer takes the same path and shows that the server had its turns.
  await http.action(api.echoes.back, { text: "a" }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(heard.length).toBe(1);

  host.items.push("whole");
  const { resolve } = step;
  step = undefined;
  resolve();
  expect(await asked).toEqual(["half", "whole"]);
  await until(() => JSON.stringify(heard).includes('"queryId":1'));
  const shown = JSON.stringify(heard.slice(1));
  expect(shown).toContain('["half","whole"]');
  expect(shown).not.toContain('["half"]');
});
