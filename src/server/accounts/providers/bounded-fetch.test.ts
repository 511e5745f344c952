import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createRemoteJWKSet } from "jose";
import { expect, onTestFinished, test, vi } from "vitest";
import { withBoundedFetch, withoutFetch } from "./bounded-fetch.ts";

const LONG = JSON.stringify({ keys: [], more: "a".repeat(300_000) });

async function startProvider(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("an answer of usual size comes through as it is", async () => {
  const url = await startProvider((request, response) => {
    if (request.url === "/none") response.writeHead(204).end();
    else if (request.url === "/moved") response.writeHead(302, { location: "/" }).end();
    else response.writeHead(400, { "content-type": "application/json" }).end(`{"error":"no"}`);
  });
  const answer = await withBoundedFetch(() => fetch(url, { method: "POST", body: "code=1" }));
  expect([answer.status, answer.statusText]).toEqual([400, "Bad Request"]);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.json()).toEqual({ error: "no" });
  expect((await withBoundedFetch(() => fetch(`${url}/none`))).status).toBe(204);
  const moved = await withBoundedFetch(() => fetch(`${url}/moved`, { redirect: "manual" }));
  expect([moved.status, moved.headers.get("location")]).toEqual([302, "/"]);
});

test("an answer that is too long fails, also one that is short until it is unpacked", async () => {
  const url = await startProvider((request, response) => {
    if (request.url === "/packed") {
      response.setHeader("content-encoding", "gzip").end(gzipSync(LONG));
    } else {
      response.end(LONG);
    }
  });
  for (const path of ["/", "/packed"]) {
    await expect(withBoundedFetch(() => fetch(url + path))).rejects.toThrow("too long");
  }
  expect(await (await fetch(url)).text()).toBe(LONG);
});

test("keys of a provider are bounded like its other answers", async () => {
  const url = await startProvider((_request, response) => response.end(LONG));
  const keys = createRemoteJWKSet(new URL(url));
  await expect(withBoundedFetch(() => keys.reload())).rejects.toThrow("too long");
});

test("an answer that begins and does not end fails once its time is over", async () => {
  const url = await startProvider((_request, response) => void response.write("{"));
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
  onTestFinished(() => timeout.mockRestore());
  const answer = withBoundedFetch(() => fetch(url));
  clock.abort(new Error("the time is over"));
  await expect(answer).rejects.toThrow("the time is over");
});

test("nothing is fetched where the address would be the client's choice", async () => {
  let asked = 0;
  const url = await startProvider((_request, response) => {
    asked++;
    response.end();
  });
  await expect(withoutFetch(() => fetch(url))).rejects.toThrow(TypeError);
  expect(asked).toBe(0);
  expect((await fetch(url)).status).toBe(200);
});
