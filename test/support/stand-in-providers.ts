/**
 * Six built-in providers as their documentation describes them (November 2026):
 * docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps,
 * developers.google.com/identity/openid-connect/openid-connect, docs.gitlab.com/api/oauth2,
 * learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow,
 * discord.com/developers/docs/topics/oauth2,
 * developer.apple.com/documentation/signinwithapplerestapi.
 */
import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWTPayload } from "jose";
import type { Grant, Person, StandIn } from "./stand-in-oauth.ts";

const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const APPLE_TEAM = "TEAM123456";

export interface StandInProviders {
  readonly providers: readonly StandIn[];
  /** Value of SIGN_IN_PROVIDERS with clients of all providers. */
  readonly settings: string;
  /** Signs an identity token as Google does, for tests of invalid tokens. */
  readonly googleToken: (person: Person, claims?: JWTPayload) => Promise<string>;
}

export async function createStandInProviders(): Promise<StandInProviders> {
  const signing = await generateKeyPair("RS256");
  const jwk = await exportJWK(signing.publicKey);
  const keys = { keys: [{ ...jwk, kid: "signing", alg: "RS256", use: "sig" }] };
  const team = await generateKeyPair("ES256", { extractable: true });

  function identityToken(issuer: string, audience: string, claims: JWTPayload): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: "signing" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(signing.privateKey);
  }
  const nonceOf = ({ request }: Grant) => {
    const nonce = request.get("nonce");
    return nonce === null ? {} : { nonce };
  };

  const googleToken = (person: Person, claims: JWTPayload = {}) =>
    identityToken("https://accounts.google.com", "client-of-google", {
      sub: `11000000000000000${person.id}`,
      email: person.email,
      email_verified: person.emailVerified,
      name: person.name,
      picture: "https://lh3.googleusercontent.com/a/picture",
      ...claims,
    });
  const appleToken = (grant: Grant) =>
    identityToken("https://appleid.apple.com", "client-of-apple", {
      sub: `000123.${grant.person.id}.0456`,
      email: grant.person.email,
      // A string where other providers use a boolean.
      email_verified: String(grant.person.emailVerified),
      ...nonceOf(grant),
    });

  const google: StandIn = {
    ...common("google", "Google"),
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scopes: ["openid", "email", "profile"],
    tokenFields: async (grant) => ({ id_token: await googleToken(grant.person, nonceOf(grant)) }),
    documents: { "https://www.googleapis.com/oauth2/v3/certs": keys },
  };

  const github: StandIn = {
    ...common("github", "GitHub"),
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    scopes: ["read:user", "user:email"],
    // GitHub reports the error with a success status.
    refusal: { status: 200, error: "bad_verification_code" },
    tokenFields: () => ({ scope: "read:user,user:email" }),
    resources: {
      "https://api.github.com/user": ({ id, name }) => ({
        id: numberOf(id),
        login: id,
        name,
        // Private, unless the user has published the address.
        email: null,
        avatar_url: "https://avatars.githubusercontent.com/u/1",
      }),
      "https://api.github.com/user/emails": ({ id, email, emailVerified }) => [
        { email: `${id}@users.noreply.github.com`, primary: false, verified: true },
        { email, primary: true, verified: emailVerified, visibility: "private" },
      ],
    },
  };

  const gitlab: StandIn = {
    ...common("gitlab", "GitLab"),
    authorizeUrl: "https://gitlab.com/oauth/authorize",
    tokenUrl: "https://gitlab.com/oauth/token",
    scopes: ["read_user"],
    tokenFields: () => ({ created_at: Math.floor(Date.now() / 1000) }),
    resources: {
      "https://gitlab.com/api/v4/user": ({ id, name, email, emailVerified }) => ({
        id: numberOf(id),
        username: id,
        name,
        state: "active",
        locked: false,
        avatar_url: "https://gitlab.com/uploads/avatar.png",
        email,
        confirmed_at: emailVerified ? "2026-01-01T00:00:00.000Z" : null,
      }),
    },
  };

  const microsoft: StandIn = {
    ...common("microsoft", "Microsoft"),
    authorizeUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    scopes: ["openid", "profile", "email", "User.Read", "offline_access"],
    tokenFields: async (grant) => {
      const { id, name, email, emailVerified } = grant.person;
      const issuer = `https://login.microsoftonline.com/${TENANT}/v2.0`;
      const claims = {
        sub: createHash("sha256").update(id).digest("base64url"),
        oid: `00000000-0000-0000-0000-00000000000${id}`,
        tid: TENANT,
        ver: "2.0",
        name,
        email,
        preferred_username: email,
        // Optional claims that the application's registration requests.
        verified_primary_email: emailVerified ? [email] : [],
        ...nonceOf(grant),
      };
      return { id_token: await identityToken(issuer, "client-of-microsoft", claims) };
    },
    documents: { "https://login.microsoftonline.com/common/discovery/v2.0/keys": keys },
    resources: {
      "https://graph.microsoft.com/v1.0/me/photos/48x48/$value": () => ({}),
    },
  };

  const discord: StandIn = {
    ...common("discord", "Discord"),
    authorizeUrl: "https://discord.com/api/oauth2/authorize",
    tokenUrl: "https://discord.com/api/oauth2/token",
    scopes: ["identify", "email"],
    pkce: false,
    resources: {
      "https://discord.com/api/users/@me": ({ id, name, email, emailVerified }) => ({
        id: `8035111099805${numberOf(id)}`,
        username: id,
        discriminator: "0",
        global_name: name,
        avatar: null,
        email,
        verified: emailVerified,
      }),
    },
  };

  const apple: StandIn = {
    ...common("apple", "Apple"),
    authorizeUrl: "https://appleid.apple.com/auth/authorize",
    tokenUrl: "https://appleid.apple.com/auth/token",
    scopes: ["name", "email"],
    responseType: "code id_token",
    // Not a fixed secret, but a token signed with the developer's key.
    async isClientSecret(secret) {
      const checks = { issuer: APPLE_TEAM, audience: "https://appleid.apple.com" };
      const verified = await jwtVerify(secret, team.publicKey, checks).catch(() => null);
      return verified?.payload.sub === "client-of-apple";
    },
    tokenFields: async (grant) => ({ id_token: await appleToken(grant) }),
    async postedFields(grant) {
      const [firstName, lastName] = grant.person.name.split(" ");
      const user = { name: { firstName, lastName }, email: grant.person.email };
      return {
        id_token: await appleToken(grant),
        // The name is sent only with the first consent.
        ...(grant.isFirst && { user: JSON.stringify(user) }),
      };
    },
    documents: { "https://appleid.apple.com/auth/keys": keys },
  };

  const providers = [apple, discord, github, gitlab, google, microsoft];
  const appleSecret = await new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid: "KEY1234567" })
    .setIssuer(APPLE_TEAM)
    .setSubject("client-of-apple")
    .setAudience("https://appleid.apple.com")
    .setIssuedAt()
    .setExpirationTime("30d")
    .sign(team.privateKey);
  const settings = providers.map(({ id, clientId }) => [
    id,
    { clientId, clientSecret: id === "apple" ? appleSecret : secretOf(id) },
  ]);
  return { providers, settings: JSON.stringify(Object.fromEntries(settings)), googleToken };
}

/** Settings that most providers share. */
function common(id: string, name: string) {
  return {
    id,
    name,
    clientId: `client-of-${id}`,
    isClientSecret: (secret: string) => secret === secretOf(id),
    responseType: "code",
    pkce: true,
    refusal: { status: 400, error: "invalid_grant" },
  };
}

function secretOf(id: string): string {
  return `secret-between-${id}-and-us`;
}

/** Some providers use numeric user ids. */
function numberOf(id: string): number {
  return Number.parseInt(createHash("sha256").update(id).digest("hex").slice(0, 6), 16);
}
