/** The token with which another site signs a user in here, in the address of any page: `?ott=`. */
import { safeRedirect } from "./account-search.ts";

const PARAMETER = "ott";
/** Never requested: addresses are parsed without their origin. */
const ORIGIN = "http://page.invalid";

/** @param address path and query; null without a token */
export function oneTimeTokenOf(address: string): string | null {
  return new URL(address, ORIGIN).searchParams.get(PARAMETER);
}

/** The same address without the token. */
export function withoutOneTimeToken(address: string): string {
  const url = new URL(address, ORIGIN);
  url.searchParams.delete(PARAMETER);
  return url.pathname + url.search + url.hash;
}

/** The token that a guard passes to the page it redirects to, which verifies it. */
export function carriedToken(address: string): { readonly ott?: string } {
  const token = oneTimeTokenOf(address);
  return token === null ? {} : { [PARAMETER]: token };
}

/** The page that the user wanted: the address itself, or the one that its guard redirected from. */
export function destinationOf(address: string): string {
  const here = withoutOneTimeToken(address);
  const { pathname, searchParams } = new URL(here, ORIGIN);
  if (pathname !== "/login") return here;
  return safeRedirect(searchParams.get("redirect")) ?? "/dashboard";
}
