import type { VerificationSearch } from "../../session/account-search.ts";

interface Viewer {
  readonly email: string;
  readonly emailVerified: boolean;
}

/** What the page says to somebody who comes from the link of a verification mail. */
export type VerificationOutcome =
  /** The address is verified. */
  | { readonly kind: "verified"; readonly email: string | undefined }
  /** The address belongs to the account now. */
  | { readonly kind: "changed"; readonly email: string }
  /** The old address agreed; the new one has a mail to confirm as well. */
  | { readonly kind: "changeHalfDone"; readonly email: string }
  /** Nobody is signed in here, so that only the reader knows which of the two mails it was. */
  | { readonly kind: "changeConfirmed"; readonly email: string }
  /** The link did nothing; a new one can be sent to that address, or to one that is asked for. */
  | { readonly kind: "failed"; readonly code: string; readonly email: string | undefined }
  /** A change is asked for in the settings, not here. */
  | { readonly kind: "changeFailed"; readonly code: string }
  /** Somebody opened the page without a link. */
  | { readonly kind: "notVerified"; readonly email: string | undefined };

/** @param viewer who is signed in on this device; null for a visitor */
export function verificationOutcome(
  search: VerificationSearch,
  viewer: Viewer | null,
): VerificationOutcome {
  const { email, change = false, error } = search;
  if (error !== undefined) {
    if (change) return { kind: "changeFailed", code: error };
    // Only one's own address can be verified while somebody is signed in.
    const own = viewer !== null && !viewer.emailVerified ? viewer.email : email;
    return { kind: "failed", code: error, email: own };
  }
  if (email === undefined) {
    if (viewer?.emailVerified === true) return { kind: "verified", email: viewer.email };
    return { kind: "notVerified", email: viewer?.email };
  }
  const isViewers = viewer?.email === email.toLowerCase();
  if (change) {
    if (viewer === null) return { kind: "changeConfirmed", email };
    return { kind: isViewers && viewer.emailVerified ? "changed" : "changeHalfDone", email };
  }
  return isViewers && !viewer.emailVerified
    ? { kind: "notVerified", email }
    : { kind: "verified", email };
}
