/**
 * Stands in for public sign-in providers: one HTTPS server on loopback that serves their hosts, with
 * pages for users and the authorization code flow of RFC 6749 with PKCE (RFC 7636) for programs. It is
 * as strict as the providers: every fault in a request is refused and recorded, so that tests can verify
 * that there was none.
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { escapeHtml } from "#server/http/html.ts";
import { createTlsCertificate, type TlsCertificate } from "./tls-certificate.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** A user's consent, and the request it answers. */
export interface Grant {
  readonly person: Person;
  readonly request: URLSearchParams;
  /** Whether it is the user's first consent. */
  readonly isFirst: boolean;
}

export interface StandIn {
  readonly id: string;
  readonly name: string;
  /** Addresses as in the provider's documentation. */
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  isClientSecret(secret: string): boolean | Promise<boolean>;
  /** The scopes that a sign-in must request. */
  readonly scopes: readonly string[];
  readonly responseType: string;
  /** False if the provider does not support PKCE; requests must then not use it. */
  readonly pkce: boolean;
  /** Fields of the token response besides the access and refresh token. */
  tokenFields?(grant: Grant): object | Promise<object>;
  /** Fields posted to the callback besides code and state, with `response_mode=form_post`. */
  postedFields?(grant: Grant): Record<string, string> | Promise<Record<string, string>>;
  /** The answer to an invalid code or refresh token. */
  readonly refusal: { readonly status: number; readonly error: string };
  /** Resources for the holder of an access token, by address. */
  readonly resources?: Readonly<Record<string, (person: Person) => unknown>>;
  /** Public documents, such as keys, by address. */
  readonly documents?: Readonly<Record<string, unknown>>;
}

export interface StandIns {
  readonly hosts: readonly string[];
  readonly port: number;
  readonly certificate: TlsCertificate;
  /** Every user has an account at every provider. */
  readonly people: Person[];
  /** Faults in requests, one sentence each. */
  readonly faults: string[];
  /** Requests so far, as method and address, such as "POST https://github.com/login/…". */
  readonly asked: string[];
  /** Requests to addresses with this prefix are answered 503; null for none. */
  down: string | null;
  /** Origin of the exchange that the clients are registered for. */
  publicUrl: string;
  close(): Promise<void>;
}

interface Issued {
  readonly provider: StandIn;
  readonly grant: Grant;
  isUsed: boolean;
}

const BODY_BYTES_MAX = 100_000;

export async function startStandIns(providers: readonly StandIn[]): Promise<StandIns> {
  const addresses = providers.flatMap((provider) => [
    provider.authorizeUrl,
    provider.tokenUrl,
    ...Object.keys(provider.resources ?? {}),
    ...Object.keys(provider.documents ?? {}),
  ]);
  const hosts = [...new Set(addresses.map((address) => new URL(address).host))];
  const certificate = createTlsCertificate(hosts);
  const codes = new Map<string, Issued>();
  const accessTokens = new Map<string, Issued>();
  const refreshTokens = new Map<string, Issued>();
  const allowed = new Set<string>();
  const server = createServer(certificate);

  const standIns: StandIns = {
    hosts,
    get port() {
      return (server.address() as AddressInfo).port;
    },
    certificate,
    people: [],
    faults: [],
    asked: [],
    down: null,
    publicUrl: "",
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `https://${request.headers.host}`);
    const address = `${url.origin}${decodeURIComponent(url.pathname)}`;
    standIns.asked.push(`${request.method} ${address}`);
    if (standIns.down !== null && address.startsWith(standIns.down)) {
      response.writeHead(503).end();
      return;
    }
    const body = new URLSearchParams(await readText(request));
    for (const provider of providers) {
      if (address === provider.authorizeUrl) {
        await authorize(provider, request.method === "POST" ? body : url.searchParams, response);
      } else if (address === provider.tokenUrl) {
        await exchange(provider, request, body, response);
      } else if (Object.hasOwn(provider.documents ?? {}, address)) {
        sendJson(response, 200, provider.documents?.[address]);
      } else if (Object.hasOwn(provider.resources ?? {}, address)) {
        const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
        const issued = accessTokens.get(token);
        if (issued?.provider !== provider) refuse(provider, response, 401, "a wrong access token");
        else sendJson(response, 200, provider.resources?.[address](issued.grant.person));
      } else {
        continue;
      }
      return;
    }
    response.writeHead(404).end();
  }

  /** Shows the consent page, and handles its form. */
  async function authorize(
    provider: StandIn,
    asked: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> {
    const problem = problemOf(provider, asked);
    if (problem !== null) {
      refuse(provider, response, 400, problem);
      return;
    }
    const choice = asked.get("choice");
    if (choice === null) {
      sendPage(response, askingPage(provider, asked, standIns.people));
      return;
    }
    const request = new URLSearchParams(asked);
    request.delete("choice");
    const person = standIns.people.find(({ id }) => id === choice);
    const result: Record<string, string> = { state: request.get("state") ?? "" };
    if (person === undefined) {
      result["error"] = "access_denied";
      result["error_description"] = "The user has denied your application access.";
    } else {
      const isFirst = !allowed.has(`${provider.id} ${person.id}`);
      allowed.add(`${provider.id} ${person.id}`);
      const grant = { person, request, isFirst };
      result["code"] = newSecret();
      codes.set(result["code"], { provider, grant, isUsed: false });
      Object.assign(result, await provider.postedFields?.(grant));
    }
    const callback = request.get("redirect_uri") ?? "";
    if (request.get("response_mode") === "form_post") {
      sendPage(response, postingPage(callback, result));
    } else {
      const location = `${callback}?${new URLSearchParams(result).toString()}`;
      response.writeHead(302, { location }).end();
    }
  }

  function problemOf(provider: StandIn, asked: URLSearchParams): string | null {
    const scopes = (asked.get("scope") ?? "").split(" ");
    const missing = provider.scopes.filter((scope) => !scopes.includes(scope));
    const expected: Record<string, string> = {
      client_id: provider.clientId,
      redirect_uri: `${standIns.publicUrl}/api/auth/callback/${provider.id}`,
      response_type: provider.responseType,
    };
    for (const [name, value] of Object.entries(expected)) {
      const given = asked.getAll(name).join();
      if (given !== value) return `a wrong ${name}: ${given}`;
    }
    if (missing.length > 0) return `no scope ${missing.join(" ")}`;
    if ((asked.get("state") ?? "").length < 32) return "no state that cannot be guessed";
    const challenge = asked.get("code_challenge");
    if (provider.pkce && asked.get("code_challenge_method") !== "S256") return "no PKCE";
    if (provider.pkce && !/^[\w-]{43}$/.test(challenge ?? "")) return "a wrong code_challenge";
    if (!provider.pkce && challenge !== null) return "a code_challenge that it does not know";
    return null;
  }

  async function exchange(
    provider: StandIn,
    request: IncomingMessage,
    body: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> {
    const wantsJson = (request.headers.accept ?? "").includes("application/json");
    const refuseToken = (problem: string) => {
      const { status, error } = provider.refusal;
      standIns.faults.push(`${provider.id} received ${problem}`);
      sendJson(response, status, { error, error_description: `It received ${problem}.` });
    };
    if (request.method !== "POST") return refuseToken("a token request that is no POST");
    const [clientId, secret] = clientOf(request, body);
    if (clientId !== provider.clientId) return refuseToken(`a wrong client_id: ${clientId}`);
    if (!(await provider.isClientSecret(secret))) return refuseToken("a wrong client_secret");
    let grant: Grant;
    if (body.get("grant_type") === "refresh_token") {
      const issued = refreshTokens.get(body.get("refresh_token") ?? "");
      if (issued?.provider !== provider) return refuseToken("a wrong refresh_token");
      grant = issued.grant;
    } else {
      const issued = codes.get(body.get("code") ?? "");
      if (issued?.provider !== provider) return refuseToken("a code that it did not give");
      if (issued.isUsed) return refuseToken("a code for the second time");
      issued.isUsed = true;
      ({ grant } = issued);
      if (body.get("redirect_uri") !== grant.request.get("redirect_uri")) {
        return refuseToken("another redirect_uri than before");
      }
      const challenge = createHash("sha256").update(body.get("code_verifier") ?? "");
      if (provider.pkce && challenge.digest("base64url") !== grant.request.get("code_challenge")) {
        return refuseToken("a code_verifier that does not fit the code_challenge");
      }
    }
    const accessToken = newSecret();
    const refreshToken = newSecret();
    accessTokens.set(accessToken, { provider, grant, isUsed: false });
    refreshTokens.set(refreshToken, { provider, grant, isUsed: false });
    const fields = {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: 3600,
      scope: grant.request.get("scope"),
      ...(await provider.tokenFields?.(grant)),
    };
    if (wantsJson) sendJson(response, 200, fields);
    // Some providers answer form-encoded unless JSON is requested.
    else response.end(new URLSearchParams(fields as unknown as Record<string, string>).toString());
  }

  function refuse(
    provider: StandIn,
    response: ServerResponse,
    status: number,
    problem: string,
  ): void {
    standIns.faults.push(`${provider.id} received ${problem}`);
    sendPage(
      response,
      `<p>${escapeHtml(provider.name)} received ${escapeHtml(problem)}.</p>`,
      status,
    );
  }

  server.on("request", (request, response) => {
    answer(request, response).catch((error: unknown) => {
      standIns.faults.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return standIns;
}

/** The client's id and secret, from the Authorization header or the body. */
function clientOf(request: IncomingMessage, body: URLSearchParams): [string, string] {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic === undefined) return [body.get("client_id") ?? "", body.get("client_secret") ?? ""];
  const [id, secret] = Buffer.from(basic, "base64").toString("utf8").split(":", 2);
  return [decodeURIComponent(id), decodeURIComponent(secret ?? "")];
}

function askingPage(provider: StandIn, asked: URLSearchParams, people: readonly Person[]): string {
  const name = escapeHtml(provider.name);
  const choices = people.map(
    ({ id, name: person, email }) =>
      `<button name="choice" value="${escapeHtml(id)}">` +
      `Continue as ${escapeHtml(person)} (${escapeHtml(email)})</button>`,
  );
  return (
    `<h1>Sign in with ${name}</h1><p>Openbell would like to know who you are.</p>` +
    `<form method="post">${hiddenFields(asked)}${choices.join("")}` +
    `<button name="choice" value="">Cancel</button></form>`
  );
}

/** A form that submits itself, as in an answer with `response_mode=form_post`. */
function postingPage(callback: string, fields: Record<string, string>): string {
  return (
    `<form method="post" action="${escapeHtml(callback)}">` +
    `${hiddenFields(new URLSearchParams(fields))}</form><script>document.forms[0].submit()</script>`
  );
}

function hiddenFields(values: URLSearchParams): string {
  return [...values]
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    )
    .join("");
}

function sendPage(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><title>Sign in</title><body>${body}</body></html>`);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk as string;
    if (text.length > BODY_BYTES_MAX) throw new Error("a body that is too large");
  }
  return text;
}

function newSecret(): string {
  return randomBytes(24).toString("base64url");
}
