/**
 * A real OpenID provider on loopback with pages that a user clicks through: password, consent,
 * refusal. It runs on `localhost`, so that browsers treat it as a different site from 127.0.0.1.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type Provider from "oidc-provider";
import { vi } from "vitest";
import { escapeHtml } from "#server/http/html.ts";

export interface OpenIdPerson {
  readonly password: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

export interface OpenIdProvider {
  readonly url: string;
  /** Users by the name they type on the sign-in page, which is also their subject. */
  readonly people: Map<string, OpenIdPerson>;
  /** Connections for paths with this prefix are cut; null for none. */
  down: string | null;
  /** Requested paths so far, such as "/token". */
  readonly asked: string[];
  /** An entry for SIGN_IN_PROVIDERS, with this provider's id. */
  settings(more?: Record<string, unknown>): Record<string, unknown>;
  /** Registers the exchange at this origin as a redirect target. */
  allow(publicUrl: string): void;
  close(): Promise<void>;
}

const CLIENT_SECRET = "a-secret-between-the-two-0123456789";
const HOUR_SECONDS = 3600;
const SCOPES = "openid email profile offline_access";

/** @param claimsInToken whether identity tokens contain the email, or only user info returns it */
export async function startOpenIdProvider(
  id: string,
  name: string,
  { claimsInToken = true } = {},
): Promise<OpenIdProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { default: ProviderClass } = await quietly(() => import("oidc-provider"));
  const redirectUris: string[] = [];
  let provider = quietly(createProvider);

  function createProvider(): Provider {
    return new ProviderClass(url, {
      clients:
        redirectUris.length === 0
          ? []
          : [
              {
                client_id: "exchange",
                client_secret: CLIENT_SECRET,
                client_name: "Openbell",
                redirect_uris: redirectUris,
                grant_types: ["authorization_code", "refresh_token"],
                token_endpoint_auth_method: "client_secret_post",
              },
            ],
      claims: { email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: !claimsInToken,
      cookies: { keys: ["a-key-of-tests"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      pkce: { required: () => true },
      ttl: {
        AccessToken: HOUR_SECONDS,
        Grant: HOUR_SECONDS,
        IdToken: HOUR_SECONDS,
        Interaction: HOUR_SECONDS,
        RefreshToken: HOUR_SECONDS,
        Session: HOUR_SECONDS,
      },
      findAccount: (_context, sub) => {
        const person = result.people.get(sub);
        if (person === undefined) return undefined;
        const { password: _, ...claims } = person;
        return { accountId: sub, claims: () => ({ sub, ...claims }) };
      },
    });
  }

  const result: OpenIdProvider = {
    url,
    people: new Map(),
    down: null,
    asked: [],
    settings: (more = {}) => ({
      [id]: {
        name,
        discoveryUrl: `${url}/.well-known/openid-configuration`,
        clientId: "exchange",
        clientSecret: CLIENT_SECRET,
        ...more,
      },
    }),
    allow(publicUrl) {
      redirectUris.push(`${publicUrl}/api/auth/callback/${id}`);
      provider = quietly(createProvider);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  /** Shows the sign-in or consent page, or processes its form. */
  async function interact(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (request.method === "GET") {
      const page = prompt.name === "login" ? loginPage(name, path) : consentPage(name, path);
      sendPage(response, page);
      return;
    }
    const form = new URLSearchParams(await readText(request));
    if (form.has("refuse")) {
      const refusal = { error: "access_denied", error_description: "The person said no." };
      await provider.interactionFinished(request, response, refusal);
    } else if (prompt.name === "login") {
      const login = form.get("login") ?? "";
      if (result.people.get(login)?.password === form.get("password")) {
        const answer = { login: { accountId: login } };
        await provider.interactionFinished(request, response, answer);
      } else {
        sendPage(response, loginPage(name, path, "This password is wrong."));
      }
    } else {
      const grant = new provider.Grant({
        accountId: session?.accountId,
        clientId: String(params["client_id"]),
      });
      grant.addOIDCScope(SCOPES);
      const answer = { consent: { grantId: await grant.save() } };
      const options = { mergeWithLastSubmission: true };
      await provider.interactionFinished(request, response, answer, options);
    }
  }

  server.on("request", (request, response) => {
    const [path] = (request.url ?? "/").split("?", 1);
    result.asked.push(path);
    if (result.down !== null && path.startsWith(result.down)) {
      request.socket.destroy();
    } else if (path.startsWith("/interaction/")) {
      interact(request, response, path).catch((error: unknown) => {
        sendPage(response, `<h1>Sorry</h1><p>${escapeHtml(String(error))}</p>`, 400);
      });
    } else {
      void provider.callback()(request, response);
    }
  });
  return result;
}

function loginPage(name: string, action: string, problem = ""): string {
  return (
    `<h1>Sign in to ${escapeHtml(name)}</h1><p role="alert">${escapeHtml(problem)}</p>` +
    `<form method="post" action="${escapeHtml(action)}">` +
    `<label>Name <input name="login" required></label> ` +
    `<label>Password <input name="password" type="password" required></label> ` +
    `<button>Sign in</button> <button name="refuse" formnovalidate>Cancel</button></form>`
  );
}

function consentPage(name: string, action: string): string {
  return (
    `<h1>${escapeHtml(name)}</h1><p>Openbell would like to know your name and email.</p>` +
    `<form method="post" action="${escapeHtml(action)}">` +
    `<button>Allow</button> <button name="refuse">Do not allow</button></form>`
  );
}

function sendPage(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><title>Sign in</title><body>${body}</body></html>`);
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
  return text;
}

/** Suppresses the library's warnings, which concern keys and storage that only tests may use. */
function quietly<T>(run: () => T): T {
  const silenced = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const restore = () => silenced.mockRestore();
  const done = run();
  if (done instanceof Promise) void done.finally(restore);
  else restore();
  return done;
}
