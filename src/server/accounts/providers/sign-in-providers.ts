/**
 * Sign-in through configured providers. An OpenID provider is discovered when first needed, so that
 * an unavailable provider neither delays the start nor stays missing until the next start.
 */
import {
  addOAuthServerContext,
  createAuthEndpoint,
  getOAuthState,
  type APIError,
} from "better-auth/api";
import { genericOAuth } from "better-auth/plugins";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { createRemoteJWKSet } from "jose";
import { hasField } from "../requests/fields.ts";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";
import { boundedProfile } from "../users/profile-fields.ts";
import { LINK, verifiedByLink } from "../users/verified-by-link.ts";
import { withOwnSubject } from "./own-subject.ts";
import { withSharedRefresh } from "./shared-refresh.ts";
import type { Config } from "../../settings/config.ts";
import type { OpenIdSettings, ProviderSettings } from "../../settings/provider-settings.ts";

/**
 * Milliseconds. The time-out of a key set's fetch, the time before a refetch, and the cache
 * lifetime.
 */
const KEY_SET_FETCH = {
  timeoutDuration: 5_000,
  cooldownDuration: 30_000,
  cacheMaxAge: 600_000,
} as const;
/** The greatest age of a token: an hour, minus the library's clock tolerance of half a minute. */
const TOKEN_AGE_MAX = "3570s";
const DISCOVERY_LIMIT_MS = 5_000;
const DISCOVERY_COOLDOWN_MS = 30_000;

export interface SignInProvider {
  readonly id: string;
  readonly name: string;
}

type PluginInit = NonNullable<BetterAuthPlugin["init"]>;
type AuthContext = Parameters<PluginInit>[0];
type Provider = AuthContext["socialProviders"][number];

/** The built-in providers, in the form of the library's `socialProviders` option. */
export function builtInProviders(config: Config) {
  const { SIGN_IN_PROVIDERS, REQUIRE_EMAIL_VERIFICATION: requireEmailVerification } = config;
  return Object.fromEntries(
    [...SIGN_IN_PROVIDERS.builtIn].map(([id, given]) => [
      id,
      { ...given, ...signUpOf(config), requireEmailVerification },
    ]),
  ) as unknown as NonNullable<BetterAuthOptions["socialProviders"]>;
}

/** With sign-up disabled, providers sign in only known users, regardless of their own settings. */
function signUpOf({ SIGN_UP }: Config) {
  return SIGN_UP ? {} : { disableSignUp: true };
}

export function signInProviders(config: Config) {
  const { SIGN_IN_PROVIDERS: settings, REQUIRE_EMAIL_VERIFICATION } = config;
  const discoveries = new Map<unknown, ReturnType<typeof discoveredWhenNeeded>>();
  return {
    id: "sign-in-providers",
    init: (context: AuthContext) => {
      const builtIn = context.socialProviders.map((provider) =>
        protectedProvider(
          withOwnSubject(withKeptKeys(provider, settings), { isOpenId: false }),
          context,
        ),
      );
      const discovered = [...settings.openId].map(([id, given]) => {
        const discover = discoveredWhenNeeded(id, { ...given, ...signUpOf(config) }, context);
        discoveries.set(id, discover);
        // Defined on a function, whose own name is read-only.
        return Object.defineProperties(discover, {
          id: { value: id },
          name: { value: given.name },
          options: { value: { requireEmailVerification: REQUIRE_EMAIL_VERIFICATION } },
        });
      });
      // The library checks providers in turn and calls those that are functions, so these come
      // last.
      const socialProviders = [...builtIn, ...(discovered as unknown as Provider[])];
      return {
        context: { socialProviders },
        options: { databaseHooks: { account: verifiedByLink(config) } },
      };
    },
    hooks: {
      before: [
        onCalls(["/sign-in/social", LINK], async (given) => {
          const { provider } = (given.body ?? {}) as { readonly provider?: unknown };
          const session = given.path === LINK ? await sessionOf(given) : null;
          // The endpoint refuses clients without a session, which must not learn whether the
          // provider is reachable.
          if (given.path === LINK && session === null) return;
          if ((await discoveries.get(provider)?.()) === NOT_DISCOVERED) throw unavailable();
          await addOAuthServerContext({ provider, sessionId: session?.session.id });
        }),
      ],
    },
    endpoints: {
      listSignInProviders: createAuthEndpoint(
        "/sign-in-providers",
        { method: "GET" },
        async (context) =>
          context.json(
            context.context.socialProviders.map(({ id, name }): SignInProvider => ({
              id,
              name: SHOWN_NAMES[id] ?? name,
            })),
          ),
      ),
    },
  } satisfies BetterAuthPlugin;
}

/** Names that the library spells differently from the provider. */
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  gitlab: "GitLab",
  huggingface: "Hugging Face",
  linkedin: "LinkedIn",
  microsoft: "Microsoft",
  paypal: "PayPal",
  tiktok: "TikTok",
  wechat: "WeChat",
};

/** Placeholder for a provider that cannot be discovered now; matches no id. */
const NOT_DISCOVERED = { id: "" };

/** The refusal that replaces the library's "no such provider", because a retry may succeed. */
function unavailable(): APIError {
  const message = "This provider cannot be reached at the moment. Try again in a minute.";
  const headers = { "retry-after": String(DISCOVERY_COOLDOWN_MS / 1000) };
  return refusal("SERVICE_UNAVAILABLE", "PROVIDER_UNAVAILABLE", message, headers);
}

function discoveredWhenNeeded(id: string, given: OpenIdSettings, context: AuthContext) {
  let found: Provider | null = null;
  let search: Promise<Provider | null> | null = null;
  let failedAtMs = -Infinity;

  async function discover(): Promise<Provider | null> {
    const plugin = genericOAuth({
      config: [
        {
          providerId: id,
          ...given,
          pkce: true,
          requireIdTokenVerification: true,
          // Signing out here does not sign the user out at the provider.
          disableProviderLogout: true,
        },
      ],
    });
    const timeout = new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), DISCOVERY_LIMIT_MS).unref();
    });
    const empty = { ...context, socialProviders: [] } as unknown as Parameters<
      typeof plugin.init
    >[0];
    const result = await Promise.race([plugin.init(empty), timeout]).catch(() => null);
    const provider = result?.context.socialProviders[0];
    if (provider === undefined) return null;
    const offersUserInfo = () => namesUserInfo(given.discoveryUrl);
    return protectedProvider(withOwnSubject(provider, { isOpenId: true, offersUserInfo }), context);
  }

  return async () => {
    if (found !== null) return found;
    if (search === null) {
      if (performance.now() - failedAtMs < DISCOVERY_COOLDOWN_MS) return NOT_DISCOVERED;
      search = discover();
    }
    found = await search;
    search = null;
    if (found === null) failedAtMs = performance.now();
    return found ?? NOT_DISCOVERED;
  };
}

/**
 * Whether the discovery document names a user info endpoint; true if it cannot be read, so that the
 * library tries and fails.
 */
async function namesUserInfo(discoveryUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(DISCOVERY_LIMIT_MS);
    const document: unknown = await (await fetch(discoveryUrl, { signal })).json();
    return hasField(document, "userinfo_endpoint");
  } catch {
    return true;
  }
}

/** The protections of every provider, regardless of what the library does with it. */
function protectedProvider(provider: Provider, context: AuthContext): Provider {
  const bounded = withBoundedSubject(withSafeUserInfo(provider));
  return withSharedRefresh(withOwnStateOnly(bounded, context));
}

/** OpenID Connect Core 1.0, section 2: at most 255 characters. A longer subject fits no index. */
const SUBJECT_LENGTH_MAX = 255;

function withBoundedSubject(provider: Provider): Provider {
  return {
    ...provider,
    accountSubject: async (given) => {
      const subject = await provider.accountSubject(given);
      const text = String(subject);
      if (text.length <= SUBJECT_LENGTH_MAX && !text.includes("\0")) return subject;
      throw new Error(`the provider ${provider.id} names a subject out of bounds`);
    },
  };
}

/**
 * An unreachable provider counts as one that refuses: it returns no claims and does not throw. Its
 * claims have the same limits as our own forms.
 */
function withSafeUserInfo(provider: Provider): Provider {
  return {
    ...provider,
    getUserInfo: async (tokens) => {
      try {
        const found = await provider.getUserInfo(tokens);
        return found === null ? null : { ...found, user: boundedProfile(found.user) };
      } catch {
        return null;
      }
    },
  };
}

interface BegunSession {
  readonly userId: string;
  readonly expiresAt: Date;
}

/**
 * A malicious provider could redirect users to another provider with its own state, so that the
 * other's code would be mistaken for its own. RFC 9700, section 4.4: a state is valid only for its
 * provider. An account is linked only while the requesting session is live and the user's address is
 * unchanged.
 */
function withOwnStateOnly(provider: Provider, { adapter }: AuthContext): Provider {
  return {
    ...provider,
    validateAuthorizationCode: async (given) => {
      const state = await getOAuthState();
      // Set by the server and not accessible to the client.
      const begunSession = state?.serverContext ?? {};
      if (begunSession["provider"] !== provider.id) return null;
      if (state?.link !== undefined) {
        const where = [{ field: "id", value: String(begunSession["sessionId"]) }];
        const session = await adapter.findOne<BegunSession>({ model: "session", where });
        if (session === null || new Date(session.expiresAt).getTime() <= Date.now()) return null;
        if (session.userId !== state.link.userId) return null;
        const ownerFilter = [{ field: "id", value: session.userId }];
        const user = await adapter.findOne<{ email: string }>({
          model: "user",
          where: ownerFilter,
        });
        if (user?.email !== state.link.email) return null;
      }
      return provider.validateAuthorizationCode(given);
    },
  };
}

/**
 * Caches the provider's keys, which the library would fetch for every token, without a time-out.
 */
function withKeptKeys(provider: Provider, settings: ProviderSettings): Provider {
  const url = keySetOf(provider.id, settings);
  if (url === null || provider.idToken === undefined || !("jwks" in provider.idToken)) {
    return provider;
  }
  const { maxTokenAge } = provider.idToken;
  return {
    ...provider,
    idToken: {
      ...provider.idToken,
      ...(maxTokenAge === undefined ? {} : { maxTokenAge: TOKEN_AGE_MAX }),
      jwks: createRemoteJWKSet(url, KEY_SET_FETCH),
    },
  };
}

function keySetOf(id: string, { builtIn }: ProviderSettings): URL | null {
  const given = builtIn.get(id);
  if (id === "google") return new URL("https://www.googleapis.com/oauth2/v3/certs");
  if (id === "apple") return new URL("https://appleid.apple.com/auth/keys");
  if (id === "microsoft") {
    const authority = (given?.authority ?? "https://login.microsoftonline.com").replace(/\/+$/, "");
    return new URL(`${authority}/${given?.tenantId ?? "common"}/discovery/v2.0/keys`);
  }
  if (id === "cognito") {
    const pool = `cognito-idp.${given?.region}.amazonaws.com/${given?.userPoolId}`;
    return new URL(`https://${pool}/.well-known/jwks.json`);
  }
  return null;
}
