/**
 * The short-lived token with which a page authenticates to the reactive backend: a signed statement
 * of the user and session it was issued for. It is verified in this process with the public keys in
 * the database.
 */
import { setTimeout as delay } from "node:timers/promises";
import { importJWK, jwtVerify, type CryptoKey, type JWK } from "jose";
import type { Database } from "../../database/open-database.ts";
import { AuthenticationRefusedError, type Identity } from "../../reactive/executor.ts";
import { timeMsOf } from "../../database/accounts-tables.ts";

export const BACKEND_TOKEN = {
  algorithm: "ES256",
  audience: "backend",
  keyRotationSeconds: 30 * 24 * 3600,
  /** How long a rotated key remains valid, far longer than any token signed with it. */
  keyGraceSeconds: 24 * 3600,
  sessionClaim: "sid",
} as const;

/**
 * The token is invalid; the message is fit for the client. The code is `unauthorized` if the token
 * has expired or its session has ended, and the protocol's `NoAuthProvider` if this server did not
 * issue the token.
 */
export class BackendTokenError extends AuthenticationRefusedError {
  override readonly name = "BackendTokenError";
}

const KEY_RELOAD_INTERVAL_MS_MIN = 250;

interface VerifierOptions {
  readonly database: Database;
  readonly issuer: string;
  readonly now?: () => number;
}

/**
 * @returns a function that verifies a token and returns its identity, without checking the session
 */
export function createBackendTokenVerifier({ database, issuer, now = Date.now }: VerifierOptions) {
  let keys = new Map<string, CryptoKey | Uint8Array>();
  let loadedAtMs = -Infinity;
  let loading: Promise<void> | null = null;

  async function load(): Promise<void> {
    const rows = await database.read.selectFrom("jwks").selectAll().execute();
    const loaded = new Map<string, CryptoKey | Uint8Array>();
    for (const row of rows) {
      const goneAtMs =
        row.expiresAt === null
          ? Infinity
          : timeMsOf(row.expiresAt) + BACKEND_TOKEN.keyGraceSeconds * 1000;
      if (goneAtMs <= now()) continue;
      const jwk = JSON.parse(row.publicKey) as JWK;
      loaded.set(row.id, await importJWK(jwk, BACKEND_TOKEN.algorithm));
    }
    keys = loaded;
  }

  async function reloadInTurn(): Promise<void> {
    const waitMs = loadedAtMs + KEY_RELOAD_INTERVAL_MS_MIN - performance.now();
    if (waitMs > 0) await delay(waitMs);
    await load();
    loadedAtMs = performance.now();
  }

  async function keyOf(keyId: string | undefined): Promise<CryptoKey | Uint8Array> {
    if (keyId === undefined)
      throw new BackendTokenError("NoAuthProvider", "The backend token names no key.");
    const known = keys.get(keyId);
    if (known !== undefined) return known;
    // A new key must be found, but made-up key ids must not cost a query each: all requests wait
    // for the same reload.
    loading ??= reloadInTurn().finally(() => {
      loading = null;
    });
    await loading;
    const key = keys.get(keyId);
    if (key === undefined) {
      throw new BackendTokenError("NoAuthProvider", "The backend token's key is unknown.");
    }
    return key;
  }

  return async (token: string): Promise<Identity> => {
    try {
      const { payload } = await jwtVerify(token, (header) => keyOf(header.kid), {
        issuer,
        audience: BACKEND_TOKEN.audience,
        algorithms: [BACKEND_TOKEN.algorithm],
        requiredClaims: ["sub", "iat", "exp", BACKEND_TOKEN.sessionClaim],
        currentDate: new Date(now()),
      });
      const { sub: subject, iat = 0, exp = 0, [BACKEND_TOKEN.sessionClaim]: sessionId } = payload;
      if (subject === undefined || typeof sessionId !== "string") {
        throw new BackendTokenError("NoAuthProvider", "The backend token names no session.");
      }
      return { subject, sessionId, issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 };
    } catch (error) {
      if (error instanceof BackendTokenError) throw error;
      if (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_J")) {
        if (error.code === "ERR_JWT_EXPIRED") {
          const message = "The backend token has expired.";
          throw new BackendTokenError("unauthorized", message, { cause: error });
        }
        const message = "The backend token is not valid.";
        throw new BackendTokenError("NoAuthProvider", message, { cause: error });
      }
      throw error;
    }
  };
}
