/**
 * Search parameters of the sign-in pages. Invalid values are dropped by setting them to `undefined`
 * explicitly: the router keeps the raw value of a parameter that is not mentioned.
 */
import { isEmail } from "./email.ts";

type Search = Record<string, unknown>;

export interface ReturnSearch {
  /** Path to open after signing in. */
  readonly redirect?: string | undefined;
}

export interface SignupSearch extends ReturnSearch {
  readonly email?: string | undefined;
}

export interface LoginSearch extends SignupSearch {
  /** Error code of a sign-in or verification that failed on another page. */
  readonly error?: string | undefined;
}

export interface VerificationSearch {
  /** The email address that the mailed link verifies. */
  readonly email?: string | undefined;
  /** Whether the link changes the user's email address to `email`. */
  readonly change?: true | undefined;
  readonly error?: string | undefined;
}

export function parseLoginSearch(search: Search): LoginSearch {
  return { ...parseSignupSearch(search), error: parseText(search["error"]) };
}

export function parseSignupSearch(search: Search): SignupSearch {
  return { email: parseEmail(search), ...parseReturnSearch(search) };
}

export function parseReturnSearch(search: Search): ReturnSearch {
  return { redirect: safeRedirect(search["redirect"]) };
}

export function parseVerificationSearch(search: Search): VerificationSearch {
  return {
    email: parseEmail(search),
    change: search["change"] === true || search["change"] === "true" ? true : undefined,
    error: parseText(search["error"]),
  };
}

export function parseEmail(search: Search): string | undefined {
  return isEmail(search["email"]) ? search["email"] : undefined;
}

/**
 * The path if it is on this site: it has one leading slash, no double slash, no backslash and no
 * invisible characters, before and after decoding.
 */
export function safeRedirect(path: unknown): string | undefined {
  if (typeof path !== "string" || !path.startsWith("/")) return undefined;
  const [place] = path.split(/[?#]/, 1);
  const isMisleading = /\/\/|[\\\s\p{C}]/u.test(path) || /%(?:0|25|2f|5c)/i.test(place);
  return isMisleading ? undefined : path;
}

/** Path of the page that links in verification mails open. */
export function verificationAddress(email: string, change = false): string {
  const search = new URLSearchParams({ email, ...(change ? { change: "true" } : {}) });
  return `/verify-email?${search.toString()}`;
}

function parseText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
