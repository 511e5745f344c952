import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import type { PageContext } from "#contract/page-context.ts";
import { AccountsUnavailableError } from "../accounts/requests/database-outages.ts";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import { HttpError, sendJson } from "../http/json-answer.ts";
import { OwnRequests } from "../http/own-requests.ts";
import { pagesInTurns } from "./built-pages.ts";
import { DEFAULT_FORMATS } from "#contract/formats.ts";
import type { Pages } from "./pages.ts";
import { RenderThread } from "./render-thread.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Session = (this: void) => ReturnType<PageContext["session"]>;
const signedIn: Session = () => Promise.resolve({ userId: "ann", token: "t", impersonation: null });

const CONTEXT: PageContext = {
  nonce: "n",
  publicUrl: "http://127.0.0.1",
  internalUrl: "http://127.0.0.1",
  productName: "Openbell",
  development: false,
  formats: DEFAULT_FORMATS,
  site: {
    accountsPath: "/api/auth",
    backendUrl: null,
    passwordLengthMin: 8,
    passwordLengthMax: 128,
    offers: {
      passwords: true,
      signUp: true,
      passwordReset: true,
      emailVerification: true,
      emailChange: true,
      deletion: true,
    },
  },
  session: signedIn,
};

const own = new OwnRequests();

async function serve(pages: Pages, session = signedIn): Promise<string> {
  const server: Server = createServer((request, response) => {
    if (request.url === "/visitor") {
      response.end(own.visitorOf(request) ?? "none");
      return;
    }
    const internalUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const context = { ...CONTEXT, session, internalUrl };
    pages.render(request, response, context, "ordinary").catch((error: unknown) => {
      if (error instanceof HttpError) sendJson(response, error.status, error.data);
      else response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The logged messages. */
const printed: object[] = [];

/** Pages of a handler defined here, rendered in the thread. */
async function rendered(fetchBody: string, session = signedIn): Promise<string> {
  const code = `export default { async fetch(request, { context }) { ${fetchBody} } };`;
  const warn = (fields: object) => void printed.push(fields);
  const thread = new RenderThread(`data:text/javascript,${encodeURIComponent(code)}`, { warn });
  await thread.start();
  const pages = pagesInTurns(
    (...given) => thread.render(...given),
    () => thread.close(),
    own,
  );
  closers.push(() => pages.close());
  return serve(pages, session);
}

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("an address with many pages waiting delays another's by a few, and is refused beyond its line", async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const address = await serve(
    pagesInTurns(
      async ({ headers }, response) => {
        begun.push(new Map(headers).get(CLIENT_ADDRESS_HEADER) ?? "");
        await new Promise<void>((resolve) => ends.push(resolve));
        response.end("page");
      },
      () => Promise.resolve(),
      own,
    ),
  );
  const ask = (from: string) => fetch(address, { headers: { [CLIENT_ADDRESS_HEADER]: from } });
  const flood = Array.from({ length: 50 }, () => ask("192.0.2.1"));
  const refused: Response[] = [];
  for (const asked of flood)
    void asked.then((answer) => answer.status === 503 && refused.push(answer));
  await until(() => refused.length === 50 - 2 - 32);
  expect(refused[0].headers.get("retry-after")).toBe("3");
  expect(refused[0].headers.get("content-type")).toMatch("text/html");
  expect(await refused[0].text()).toContain("Too many pages are being loaded at this moment.");
  const honest = ask("192.0.2.2");
  await until(() => begun.length === 3);
  expect(begun).toEqual(["192.0.2.1", "192.0.2.1", "192.0.2.2"]);
  const endAll = setInterval(() => ends.splice(0).forEach((end) => end()), 1);
  closers.push(() => clearInterval(endAll));
  expect((await honest).status).toBe(200);
  await Promise.all(flood);
});

test("a page that keeps its thread busy keeps nothing else waiting", async () => {
  const address = await rendered(`
    const until = performance.now() + 600;
    while (performance.now() < until);
    return new Response("page");
  `);
  let isRendered = false;
  const answer = fetch(address).then(() => (isRendered = true));
  let turns = 0;
  while (!isRendered) {
    turns += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await answer;
  // On the main thread the loop would have been blocked throughout.
  expect(turns).toBeGreaterThan(10);
});

test("the page's context reaches the thread, and the session is asked for from there", async () => {
  const address = await rendered(`
    const { userId } = await context.session();
    return new Response(userId + " " + request.headers.get("x-asked") + " " + context.nonce);
  `);
  const answer = await fetch(address, { headers: { "x-asked": "this" } });
  expect(await answer.text()).toBe("ann this n");
});

test("what a page asks this server for is asked for its visitor, and others are told nothing", async () => {
  const elsewhere = createServer(({ headers }, response) => {
    response.end(Object.keys(headers).some((name) => name.startsWith("x-openbell")) ? "told" : "");
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  closers.push(() => elsewhere.close());
  const { port } = elsewhere.address() as AddressInfo;
  const address = await rendered(`
    const own = await (await fetch(context.internalUrl + "/visitor")).text();
    const other = await (await fetch("http://127.0.0.1:${port}")).text();
    return new Response(own + ";" + other);
  `);
  const asked = ["192.0.2.1", "192.0.2.2"].map(async (from) => {
    const answer = await fetch(address, { headers: { [CLIENT_ADDRESS_HEADER]: from } });
    return answer.text();
  });
  expect(await Promise.all(asked)).toEqual(["192.0.2.1;", "192.0.2.2;"]);
});

test("method, status, headers, cookies and bodies pass through the thread", async () => {
  const address = await rendered(`
    const headers = new Headers({ location: "/there" });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    return new Response(request.method + " page", { status: 201, headers });
  `);
  const answer = await fetch(`${address}/x?y=1`, { method: "POST" });
  expect([answer.status, answer.headers.get("location")]).toEqual([201, "/there"]);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await answer.text()).toBe("POST page");
});

test("a page waits for no body, which none reads", async () => {
  const address = await rendered(`return new Response(request.method + await request.text());`);
  const { port } = new URL(address);
  const socket = connect(Number(port), "127.0.0.1");
  closers.push(() => socket.destroy());
  let answered = "";
  socket.on("data", (data) => (answered += String(data)));
  socket.write("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
  await expect.poll(() => answered).toContain("POST");
});

test("while accounts cannot be read a page says so and loads itself again, and scripts are told to", async () => {
  let failure: Error | undefined = new AccountsUnavailableError("connect ECONNREFUSED 10.0.0.1");
  const address = await rendered(
    `return new Response(JSON.stringify(await context.session()));`,
    () => (failure === undefined ? Promise.resolve(null) : Promise.reject(failure)),
  );
  const page = await fetch(address, { headers: { accept: "text/html" } });
  expect(page.status).toBe(503);
  expect([page.headers.get("retry-after"), page.headers.get("refresh")]).toEqual(["3", "3"]);
  const text = await page.text();
  expect(text).toContain("Accounts cannot be read at this moment.");
  expect(text).not.toContain("10.0.0.1");
  const script = await fetch(address, { headers: { accept: "application/json" } });
  expect([script.status, script.headers.get("retry-after")]).toEqual([503, "3"]);
  expect(await script.json()).toMatchObject({ code: "unavailable" });
  failure = new Error("something else");
  expect((await fetch(address)).status).toBe(500);
  failure = undefined;
  expect(await (await fetch(address)).text()).toBe("null");
});

test("a page that fails is the caller's failure alone", async () => {
  const address = await rendered(`
    if (request.url.endsWith("/broken")) throw new Error("no");
    return new Response("page");
  `);
  expect((await fetch(`${address}/broken`)).status).toBe(500);
  expect(await (await fetch(address)).text()).toBe("page");
});

const HTML = `return new Response("<p>page</p>".repeat(100), { headers: { "content-type": "text/html" } });`;

test("a visitor's page is compressed as the client accepts it", async () => {
  const address = await rendered(HTML);
  const page = "<p>page</p>".repeat(100);
  for (const [accepted, encoding] of [
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", null],
  ] as const) {
    const answer = await raw(address, { "accept-encoding": accepted });
    expect([accepted, answer.encoding]).toEqual([accepted, encoding]);
    const plain = { br: brotliDecompressSync, gzip: gunzipSync, none: (body: Buffer) => body };
    expect(plain[encoding ?? "none"](answer.body).toString()).toBe(page);
  }
});

test("the page of a request with cookies may hold a secret, so it is not compressed", async () => {
  const address = await rendered(HTML);
  const answer = await raw(address, { "accept-encoding": "br", cookie: "session=1" });
  expect(answer.encoding).toBeNull();
});

/** The raw response; fetch would decompress it. */
function raw(address: string, headers: Record<string, string>) {
  return new Promise<{ encoding: string | null; body: Buffer }>((resolve, reject) => {
    request(address, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          encoding: response.headers["content-encoding"] ?? null,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

test("what the thread prints goes to the log, which bounds it, and not past it", async () => {
  printed.length = 0;
  const address = await rendered(`
    console.error("x".repeat(50_000));
    return new Response("page");
  `);
  expect(await (await fetch(address)).text()).toBe("page");
  await until(() => printed.length > 0);
  for (const line of printed) expect(JSON.stringify(line).length).toBeLessThan(2_100);
});

test("a host that is none is refused, and nothing is rendered for it", async () => {
  const address = await rendered(`return new Response("page");`);
  const { port } = new URL(address);
  for (const host of ["x:99999"]) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ port, path: "/", headers: { host } });
      asked.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject);
      asked.end();
    });
    expect([host, status]).toEqual([host, 400]);
  }
});
