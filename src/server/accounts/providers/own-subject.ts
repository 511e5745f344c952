/**
 * Checks that user info belongs to the subject of the identity token, which determines who signs
 * in. The access token is sent alongside the identity token and may be another person's. OpenID
 * Connect Core 1.0, section 5.3.2.
 */
import { type OAuthProvider, verifyProviderIdToken } from "better-auth/oauth2";
import { decodeJwt } from "jose";

type Tokens = Parameters<OAuthProvider["getUserInfo"]>[0];

interface SubjectOptions {
  /**
   * Whether user info must name its subject, as OpenID requires. Proprietary interfaces may omit
   * it, but it must never be another one.
   */
  readonly isOpenId: boolean;
  /** Whether the provider has a user info endpoint; true if absent. */
  readonly offersUserInfo?: () => Promise<boolean>;
}

export function withOwnSubject<Provider extends OAuthProvider>(
  provider: Provider,
  { isOpenId, offersUserInfo = () => Promise.resolve(true) }: SubjectOptions,
): Provider {
  return {
    ...provider,
    // The library's alternative to `getUserInfo`, which would bypass our limits.
    getUserInfoFromIdToken: undefined,
    async getUserInfo(tokens: Tokens) {
      const claims = claimsOf(tokens.idToken);
      if (claims === null) return provider.getUserInfo(tokens);
      const isAlone =
        isOpenId &&
        claims.email === undefined &&
        (tokens.accessToken === undefined || !(await offersUserInfo()));
      if (isAlone) {
        // Without an access token or a user info endpoint, the identity token alone identifies the
        // user.
        const { idToken = "", expectedIdTokenNonce } = tokens;
        const isGenuine = await verifyProviderIdToken(provider, idToken, expectedIdTokenNonce);
        return isGenuine ? { user: { emailVerified: false }, data: claims } : null;
      }
      const found = await provider.getUserInfo(tokens);
      if (found === null) return null;
      const { sub } = found.data as { readonly sub?: unknown };
      const isSame = sub === undefined ? !isOpenId : sub === claims.sub;
      return isSame ? found : null;
    },
  };
}

/** null without a signed token, a case that the provider handles itself. */
function claimsOf(idToken: string | undefined): Record<string, unknown> | null {
  try {
    return idToken === undefined ? null : decodeJwt(idToken);
  } catch {
    return null;
  }
}
