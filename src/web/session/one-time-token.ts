/** The token in a page's URL (`?ott=`) with which another site signs a user in here. */
import { safeRedirect } from "./account-search.ts";

const PARAMETER = "ott";
/** A placeholder for parsing URLs without origin; never requested. */
const ORIGIN = "http://page.invalid";

/**
 * The one-time token of a URL; null if it has none.
 * @param href path and query
 */
export function oneTimeTokenOf(href: string): string | null {
  return new URL(href, ORIGIN).searchParams.get(PARAMETER);
}

export function withoutOneTimeToken(href: string): string {
  const url = new URL(href, ORIGIN);
  url.searchParams.delete(PARAMETER);
  return url.pathname + url.search + url.hash;
}

/**
 * The search parameter with which a guard's redirect passes the token on to the page that verifies
 * it.
 */
export function carriedToken(href: string): { readonly ott?: string } {
  const token = oneTimeTokenOf(href);
  return token === null ? {} : { [PARAMETER]: token };
}

/** The page that the user requested: the URL itself, or the one that a guard redirected from. */
export function destinationOf(href: string): string {
  const here = withoutOneTimeToken(href);
  const { pathname, searchParams } = new URL(here, ORIGIN);
  if (pathname !== "/login") return here;
  return safeRedirect(searchParams.get("redirect")) ?? "/dashboard";
}
