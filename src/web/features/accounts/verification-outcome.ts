import type { VerificationSearch } from "../../session/account-search.ts";

interface Viewer {
  readonly email: string;
  readonly emailVerified: boolean;
}

/** The result of following a verification mail's link, which the landing page reports. */
export type VerificationOutcome =
  /** The address is verified. */
  | { readonly kind: "verified"; readonly email: string | undefined }
  /** The user's address has been changed to this one. */
  | { readonly kind: "changed"; readonly email: string }
  /** The old address has confirmed the change; the new one must confirm by mail as well. */
  | { readonly kind: "changeHalfDone"; readonly email: string }
  /** One address has confirmed the change. The viewer is not signed in, so the page does not know which. */
  | { readonly kind: "changeConfirmed"; readonly email: string }
  /** The link failed; a new one can be sent to `email`, or to an address that the user enters. */
  | { readonly kind: "failed"; readonly code: string; readonly email: string | undefined }
  /** The link of a change of address failed. A new change is requested in the settings, not here. */
  | { readonly kind: "changeFailed"; readonly code: string }
  /** The page was opened without a link. */
  | { readonly kind: "notVerified"; readonly email: string | undefined };

/**
 * Interprets the search parameters of a verification link's landing page.
 * @param viewer the user signed in on this device; null for a visitor
 */
export function verificationOutcome(
  search: VerificationSearch,
  viewer: Viewer | null,
): VerificationOutcome {
  const { email, change = false, error } = search;
  if (error !== undefined) {
    if (change) return { kind: "changeFailed", code: error };
    // A signed-in user can only verify their own address.
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
