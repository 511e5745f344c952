/** The accounts behind a real HTTP server, and a browser's share of speaking to it: cookies, Origin. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  adminClient,
  inferAdditionalFields,
  jwtClient,
  oneTimeTokenClient,
} from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/client";
import { onTestFinished } from "vitest";
import { createAccounts, type Accounts } from "#server/accounts/accounts.ts";
import { readConfig } from "#server/settings/config.ts";
import { clientAddressOf, declareClientAddress } from "#server/http/client-address.ts";
import type { Database } from "#server/database/open-database.ts";
import { HeldBytes } from "#server/limits/held-bytes.ts";
import { WorkShares } from "#server/limits/work-shares.ts";
import { createSilentLog } from "#server/log.ts";

export const TEST_SECRET = "a-secret-of-tests-that-is-long-enough-0123456789";

export interface TestServer {
  readonly url: string;
  readonly accounts: Accounts;
  readonly database: Database;
  readonly created: string[];
  readonly deleted: string[];
  readonly ended: string[];
  readonly changed: string[];
  /** What onUserCreated does, besides being recorded. */
  whenUserCreated: () => void | Promise<void>;
  /** The same of onUserDeleted. */
  whenUserDeleted: () => void | Promise<void>;
  /** Whether users own what was paid in. */
  holdsFunds: () => boolean;
  /** The client address that the http layer finds; null for the true one. */
  clientAddress: string | null;
  readonly browser: () => TestBrowser;
  /** The newest mail's link to that recipient whose subject matches; waits for it. */
  mailLink(recipient: string, subject: RegExp): Promise<string>;
}

export async function startAccounts(
  database: Database,
  environment: Record<string, string> = {},
  secret = TEST_SECRET,
): Promise<TestServer> {
  // A busy machine must not end a connection that the next request is just using.
  const server = createServer({ keepAliveTimeout: 0 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const created: string[] = [];
  const deleted: string[] = [];
  const ended: string[] = [];
  const changed: string[] = [];
  const accounts = createAccounts({
    config: readConfig({ AUTH_RATE_LIMIT: "off", ...environment }),
    database,
    log: createSilentLog(),
    secret,
    publicUrl: url,
    onUserCreated: async ({ id }) => {
      created.push(id);
      await result.whenUserCreated();
    },
    onUserDeleted: async ({ id }) => {
      deleted.push(id);
      await result.whenUserDeleted();
    },
    holdsFunds: () => result.holdsFunds(),
    onSessionEnded: (sessionId) => ended.push(sessionId),
    onUserChanged: (userId) => changed.push(userId),
  });
  const held = new HeldBytes({ all: 1e9, perClient: 1e9 });
  const shares = new WorkShares();
  server.on("request", (request, response) => {
    declareClientAddress(request, result.clientAddress ?? clientAddressOf(request, 0));
    void accounts.handleRequest(request, response, { held, shares }).then((answered) => {
      if (!answered) response.writeHead(404).end();
    });
  });
  onTestFinished(async () => {
    shares.close();
    await accounts.close();
    await closeServer(server);
  });
  const result: TestServer = {
    url,
    accounts,
    database,
    created,
    deleted,
    ended,
    changed,
    whenUserCreated: () => undefined,
    whenUserDeleted: () => undefined,
    holdsFunds: () => false,
    clientAddress: null,
    browser: () => new TestBrowser(url),
    async mailLink(recipient, subject) {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const mails = await database.read
          .selectFrom("outbox_mails")
          .selectAll()
          .where("recipient", "=", recipient)
          .orderBy("created_at_ms", "desc")
          .execute();
        const mail = mails.find((each) => subject.test(each.subject));
        const link = mail?.text.match(/https?:\/\/\S+/)?.[0];
        if (link !== undefined) return link;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`No mail to ${recipient} about ${subject} arrived.`);
    },
  };
  return result;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body; null if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- of many shapes, asserted on by each test
  readonly body: any;
}

export class TestBrowser {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  constructor(url: string) {
    this.url = url;
  }

  /** `fetch` with this browser's cookies and its own page's Origin, as the client library uses it. */
  readonly fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const request = new Request(input, { redirect: "manual", ...init });
    if (!request.headers.has("origin")) request.headers.set("origin", this.url);
    if (this.cookies.size > 0 && !request.headers.has("cookie")) {
      request.headers.set("cookie", this.cookieHeader());
    }
    const response = await fetch(request);
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  };

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(cookie: string): void {
    const [pair, ...attributes] = cookie.split("; ");
    const at = pair.indexOf("=");
    const ended = attributes.some((each) => each.toLowerCase() === "max-age=0");
    if (ended) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  /** @param path below /api/auth */
  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#answer(
      await this.fetch(`${this.url}/api/auth${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    );
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const address = path.startsWith("http") ? path : `${this.url}/api/auth${path}`;
    return this.#answer(await this.fetch(address, { headers }));
  }

  async #answer(response: Response): Promise<Answer> {
    const text = await response.text();
    let body: unknown = null;
    try {
      body = JSON.parse(text);
    } catch {
      // Not every answer is JSON; its text is there all the same.
    }
    return { status: response.status, headers: response.headers, text, body };
  }

  signUp(email: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post("/sign-up/email", {
      email,
      password: "correct horse battery",
      name: "Ada",
      ...more,
    });
  }

  signIn(email: string, password = "correct horse battery"): Promise<Answer> {
    return this.post("/sign-in/email", { email, password });
  }

  async backendToken(): Promise<string> {
    return (await this.get("/token")).body.token;
  }

  async sessionId(): Promise<string> {
    return (await this.get("/get-session")).body.session.id;
  }

  /** The official client, with this browser's cookies. */
  client() {
    return createAuthClient({
      baseURL: this.url,
      fetchOptions: { customFetchImpl: this.fetch },
      plugins: [
        jwtClient(),
        oneTimeTokenClient(),
        adminClient(),
        inferAdditionalFields({ user: { lastname: { type: "string", required: false } } }),
      ],
    });
  }
}
