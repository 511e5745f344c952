/** The token with which another place signs a person in here, in the address of any page: `?ott=`. */
import { safeRedirect } from "./account-search.ts";

const PARAMETER = "ott";
/** Never asked for: addresses are read without their origin. */
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

/** What a guard hands on to the page it leads to, where the token is verified. */
export function carriedToken(address: string): { readonly ott?: string } {
  const token = oneTimeTokenOf(address);
  return token === null ? {} : { [PARAMETER]: token };
}

/** Where the person wanted to go: the page itself, or the one that its guard led away from. */
export function destinationOf(address: string): string {
  const here = withoutOneTimeToken(address);
  const { pathname, searchParams } = new URL(here, ORIGIN);
  if (pathname !== "/login") return here;
  return safeRedirect(searchParams.get("redirect")) ?? "/dashboard";
}
