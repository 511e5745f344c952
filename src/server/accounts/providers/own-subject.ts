/**
 * The identity token says which user signs in. What a provider says about the holder of an access
 * token counts only if it is about the same subject: an access token arrives beside the identity token
 * and may be another person's. OpenID Connect Core 1.0, section 5.3.2.
 */
import { type OAuthProvider, verifyProviderIdToken } from "better-auth/oauth2";
import { decodeJwt } from "jose";

type Tokens = Parameters<OAuthProvider["getUserInfo"]>[0];

/**
 * @param isOpenId whether what the provider says must name its subject, as OpenID requires. Providers
 * with an interface of their own may name none, but never another one.
 */
export function withOwnSubject<Provider extends OAuthProvider>(
  provider: Provider,
  { isOpenId }: { readonly isOpenId: boolean },
): Provider {
  return {
    ...provider,
    // The library's own way past `getUserInfo`, which would lead past our bounds of what is said there.
    getUserInfoFromIdToken: undefined,
    async getUserInfo(tokens: Tokens) {
      const claims = claimsOf(tokens.idToken);
      if (claims === null) return provider.getUserInfo(tokens);
      if (isOpenId && tokens.accessToken === undefined && claims.email === undefined) {
        // There is nothing to ask the provider with: the token alone says who this is.
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

/** null where there is no signed token, which the provider deals with as it does. */
function claimsOf(idToken: string | undefined): Record<string, unknown> | null {
  try {
    return idToken === undefined ? null : decodeJwt(idToken);
  } catch {
    return null;
  }
}
