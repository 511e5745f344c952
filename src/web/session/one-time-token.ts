/** The token in a page's address (`?ott=`) with which another site signs a user in here. */
import { safeRedirect } from "./account-search.ts";

const PARAMETER = "ott";
/** A placeholder for parsing addresses without origin; never requested. */
const ORIGIN = "http://page.invalid";

/**
 * The one-time token of an address; null if it has none.
 * @param address path and query
 */
export function oneTimeTokenOf(address: string): string | null {
  return new URL(address, ORIGIN).searchParams.get(PARAMETER);
}

export function withoutOneTimeToken(address: string): string {
  const url = new URL(address, ORIGIN);
  url.searchParams.delete(PARAMETER);
  return url.pathname + url.search + url.hash;
}

/**
 * The search parameter with which a guard's redirect passes the token on to the page that verifies
 * it.
 */
export function carriedToken(address: string): { readonly ott?: string } {
  const token = oneTimeTokenOf(address);
  return token === null ? {} : { [PARAMETER]: token };
}

/** The page that the user requested: the address itself, or the one that a guard redirected from. */
export function destinationOf(address: string): string {
  const here = withoutOneTimeToken(address);
  const { pathname, searchParams } = new URL(here, ORIGIN);
  if (pathname !== "/login") return here;
  return safeRedirect(searchParams.get("redirect")) ?? "/dashboard";
}
