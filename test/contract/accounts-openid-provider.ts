/** A real OpenID provider on loopback, whose users sign in and consent without being asked. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type Provider from "oidc-provider";
import { onTestFinished, vi } from "vitest";
import { TestBrowser } from "./accounts-server.ts";

export interface OpenIdUser {
  readonly email?: string;
  readonly email_verified?: boolean | string;
  readonly name?: string;
}

export interface OpenIdProvider {
  readonly url: string;
  /** By subject. */
  readonly users: Map<string, OpenIdUser>;
  /** Who signs in next. */
  subject: string;
  /** Paths asked so far, such as "/token". */
  readonly asked: string[];
  /** While set, answers 503 to everything. */
  down: boolean;
  /** The person says no. */
  refuses: boolean;
  /** As SIGN_IN_PROVIDERS would have it, under the id "acme". */
  settings(more?: Record<string, unknown>): string;
}

/** Without its warnings, which are about keys and storage that only a test may use. */
function quietly<T>(run: () => T): T {
  const silenced = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const restore = () => silenced.mockRestore();
  const done = run();
  if (done instanceof Promise) void done.finally(restore);
  else restore();
  return done;
}

/** It knows no exchange until `allow` is told the callback address of one. */
export async function startOpenIdProvider(): Promise<
  OpenIdProvider & { allow(callbackUrl: string): void }
> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callbacks: string[] = [];
  const { default: ProviderClass } = await quietly(() => import("oidc-provider"));
  let handler: ReturnType<Provider["callback"]> | null = null;
  let provider: Provider;

  const result = {
    url,
    users: new Map<string, OpenIdUser>(),
    subject: "",
    asked: [] as string[],
    down: false,
    refuses: false,
    settings: (more: Record<string, unknown> = {}) =>
      JSON.stringify({
        acme: {
          name: "Acme",
          discoveryUrl: `${url}/.well-known/openid-configuration`,
          clientId: "exchange",
          clientSecret: "a-secret-between-the-two-0123456789",
          ...more,
        },
      }),
    allow(callbackUrl: string) {
      callbacks.push(callbackUrl);
      provider = quietly(createProvider);
      handler = provider.callback();
    },
  };

  function createProvider(): Provider {
    return new ProviderClass(url, {
      clients: [
        {
          client_id: "exchange",
          client_secret: "a-secret-between-the-two-0123456789",
          redirect_uris: callbacks,
          grant_types: ["authorization_code", "refresh_token"],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      claims: { email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      cookies: { keys: ["a-key-of-tests"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      ttl: {
        AccessToken: 3600,
        Grant: 3600,
        IdToken: 3600,
        Interaction: 3600,
        RefreshToken: 3600,
        Session: 3600,
      },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...result.users.get(sub) }),
      }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId,
          accountId: oidc.session?.accountId,
        });
        grant.addOIDCScope("openid email profile offline_access");
        await grant.save();
        return grant;
      },
    });
  }

  server.on("request", (request, response) => {
    const [path] = (request.url ?? "/").split("?", 1);
    result.asked.push(path);
    if (result.down) {
      response.writeHead(503).end();
    } else if (path.startsWith("/interaction/")) {
      const answer = result.refuses
        ? { error: "access_denied", error_description: "The person said no" }
        : { login: { accountId: result.subject } };
      void provider.interactionFinished(request, response, answer);
    } else {
      void handler?.(request, response);
    }
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return result;
}

/** Where a person comes out who is sent to this address of a provider: the exchange's callback. */
export async function throughProvider(address: string): Promise<string> {
  const { origin } = new URL(address);
  const browser = new TestBrowser(origin);
  let next = address;
  for (let step = 0; step < 10 && next.startsWith(`${origin}/`); step += 1) {
    const { headers, status } = await browser.get(next);
    const location = headers.get("location");
    if (location === null) throw new Error(`${next} answered ${status} and led nowhere`);
    next = new URL(location, next).href;
  }
  return next;
}
